//! The pages of a section.

use super::PAGE;
use super::directory::check_crc;
use crate::checksum::crc32;
use crate::cursor::Reader;
use crate::error::{ErrorKind, Result};
use crate::zstd;
use std::borrow::Cow;
use std::ops::Range;

/// The pages of a section, as they are stored.
pub(super) struct Pages<'a> {
    /// Of what they hold.
    len: u64,
    stored: &'a [u8],
    /// For each page the stored length, if they may be compressed, and the checksum.
    table: &'a [u8],
    compressed: bool,
}

impl<'a> Pages<'a> {
    /// Takes pages that hold `len` bytes, stored in `stored` bytes if they may be compressed, and their table.
    pub(super) fn read(file: &mut Reader<'a>, len: u64, stored: Option<u64>) -> Result<Self> {
        let bytes = file.bytes(stored.unwrap_or(len))?;
        let width = if stored.is_some() { 8 } else { 4 };
        let count = len.div_ceil(PAGE as u64);
        Ok(Pages {
            len,
            stored: bytes,
            table: file.bytes(count.saturating_mul(width))?,
            compressed: stored.is_some(),
        })
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// What they hold, if it is stored as it is.
    pub(super) fn raw(&self) -> Option<&'a [u8]> {
        (!self.compressed).then_some(self.stored)
    }

    /// Each page: where it begins among the stored ones, as it is stored, its checksum and its length.
    fn pages(&self, place: &Reader<'_>) -> impl Iterator<Item = Result<Page<'a>>> {
        let mut rest = self.stored;
        let mut left = self.len;
        let end = place.offset().saturating_add(self.stored.len() as u64);
        let mut table = Reader::with_base(self.table, end, place.section());
        let compressed = self.compressed;
        let mut offset = place.offset();
        std::iter::from_fn(move || {
            if left == 0 {
                if rest.is_empty() {
                    return None;
                }
                let message = format!("{} bytes follow the last page", rest.len());
                rest = &[];
                return Some(Err(table.error(ErrorKind::Malformed, message)));
            }
            let mut page = || {
                let len = left.min(PAGE as u64);
                let stored = match compressed {
                    true => u64::from(table.u32_le()?),
                    false => len,
                };
                let crc = table.u32_le()?;
                let mut input = Reader::with_base(rest, offset, table.section());
                let bytes = input.bytes(stored)?;
                let page = Page {
                    bytes,
                    crc,
                    len: len as usize,
                    offset,
                };
                (rest, offset) = (input.rest(), offset.saturating_add(stored));
                left = left.saturating_sub(len);
                Ok(page)
            };
            let page = page();
            if page.is_err() {
                (rest, left) = (&[], 0);
            }
            Some(page)
        })
    }

    pub(super) fn verify(&self, place: &Reader<'_>) -> Result<()> {
        let mut scratch = Vec::new();
        for page in self.pages(place) {
            let page = page?;
            page.check(place)?;
            if self.compressed {
                scratch.clear();
                page.append(place, &mut scratch)?;
            }
        }
        Ok(())
    }

    /// What all pages hold, checked unless they are trusted.
    pub(super) fn all(&self, place: &Reader<'_>, trusted: bool) -> Result<Cow<'a, [u8]>> {
        if let Some(raw) = self.raw() {
            if !trusted {
                self.verify(place)?;
            }
            return Ok(Cow::Borrowed(raw));
        }
        let mut out = Vec::new();
        for page in self.pages(place) {
            let page = page?;
            if !trusted {
                page.check(place)?;
            }
            page.append(place, &mut out)?;
        }
        Ok(Cow::Owned(out))
    }

    /// A part of what they hold; none if it is not inside.
    pub(super) fn part(
        &self,
        place: &Reader<'_>,
        range: Range<u64>,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        if range.start > range.end || range.end > self.len {
            return Ok(None);
        }
        let page_of = |at: u64| usize::try_from(at >> PAGE.trailing_zeros()).unwrap_or(usize::MAX);
        let first = page_of(range.start);
        let count = page_of(range.end.saturating_sub(1))
            .saturating_sub(first)
            .saturating_add(1);
        let mut out = Vec::new();
        // For raw pages this loop only counts; tables of pages are short.
        for page in self.pages(place).skip(first).take(count) {
            let page = page?;
            page.check(place)?;
            if self.compressed {
                page.append(place, &mut out)?;
            }
        }
        if let Some(raw) = self.raw() {
            return Ok(slice(raw, range).map(Cow::Borrowed));
        }
        let base = (first as u64).saturating_mul(PAGE as u64);
        let within = range.start.saturating_sub(base)..range.end.saturating_sub(base);
        Ok(slice(&out, within).map(|part| Cow::Owned(part.to_vec())))
    }
}

/// A part of some bytes.
pub(super) fn slice(bytes: &[u8], range: Range<u64>) -> Option<&[u8]> {
    let start = usize::try_from(range.start).ok()?;
    bytes.get(start..usize::try_from(range.end).ok()?)
}

/// A page as it is stored.
struct Page<'a> {
    bytes: &'a [u8],
    crc: u32,
    /// Of what it holds.
    len: usize,
    offset: u64,
}

impl Page<'_> {
    fn check(&self, place: &Reader<'_>) -> Result<()> {
        check_page(self.bytes, self.crc, self.offset, place.section())
    }

    /// Appends what it holds.
    fn append(&self, place: &Reader<'_>, out: &mut Vec<u8>) -> Result<()> {
        decompress(self.bytes, self.len, self.offset, place.section(), out)
    }
}

/// Checks a page as it is stored at `offset`.
pub(super) fn check_page(bytes: &[u8], crc: u32, offset: u64, section: &'static str) -> Result<()> {
    let place = Reader::with_base(&[], offset, section);
    check_crc(crc, crc32(bytes), section, &place)
}

/// Appends what a page holds, `len` bytes, that is stored at `offset`.
pub(super) fn decompress(
    bytes: &[u8],
    len: usize,
    offset: u64,
    section: &'static str,
    out: &mut Vec<u8>,
) -> Result<()> {
    if bytes.len() == len {
        out.extend_from_slice(bytes);
        return Ok(());
    }
    if !zstd::decompress(bytes, len, out) {
        let place = Reader::with_base(&[], offset, section);
        let message = format!("a page is no zstd frame of {len} bytes");
        return Err(place.error(ErrorKind::Malformed, message));
    }
    Ok(())
}
