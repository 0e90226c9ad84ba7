//! Reads the pages of a section: checksums, decompression, and access to a part.

use super::directory::check_crc;
use super::{page_crc, page_len};
use crate::cursor::Reader;
use crate::error::{ErrorKind, Result};
use crate::zstd;
use rmlir_threads::Threads;
use std::borrow::Cow;
use std::ops::Range;

/// The number of uncompressed pages that are checked at a time.
const RUN: usize = 32;

/// The pages of a section, as they are stored.
pub(super) struct Pages<'a> {
    /// The length of their content.
    len: u64,
    stored: &'a [u8],
    /// For each page the stored length, if pages may be compressed, and the checksum.
    table: &'a [u8],
    compressed: bool,
    kind: u16,
}

impl<'a> Pages<'a> {
    /// Takes pages with `len` bytes of content and their table.
    ///
    /// `stored` is the stored length of the pages, if they may be compressed.
    pub(super) fn read(
        file: &mut Reader<'a>,
        len: u64,
        stored: Option<u64>,
        kind: u16,
    ) -> Result<Self> {
        let bytes = file.bytes(stored.unwrap_or(len))?;
        let width = if stored.is_some() { 8 } else { 4 };
        let count = len.div_ceil(page_len(stored.is_some()) as u64);
        Ok(Pages {
            len,
            stored: bytes,
            table: file.bytes(count.saturating_mul(width))?,
            compressed: stored.is_some(),
            kind,
        })
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.compressed
    }

    /// Returns the pages as they are stored, and their table.
    pub(super) fn stored(&self) -> (&'a [u8], &'a [u8]) {
        (self.stored, self.table)
    }

    /// Returns the content, if it is stored raw.
    pub(super) fn raw(&self) -> Option<&'a [u8]> {
        (!self.compressed).then_some(self.stored)
    }

    /// Iterates over the pages: offset among the stored pages, stored bytes, checksum and length.
    fn pages(&self, place: &Reader<'_>) -> impl Iterator<Item = Result<Page<'a>>> {
        let mut rest = self.stored;
        let mut left = self.len;
        let end = place.offset().saturating_add(self.stored.len() as u64);
        let mut table = Reader::with_base(self.table, end, place.section());
        let (compressed, page_len, kind) = (self.compressed, self.page_len(), self.kind);
        let mut offset = place.offset();
        let mut number = 0u64;
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
                let len = left.min(page_len);
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
                    kind,
                    number,
                    len: len as usize,
                    offset,
                };
                (rest, offset) = (input.rest(), offset.saturating_add(stored));
                left = left.saturating_sub(len);
                number = number.saturating_add(1);
                Ok(page)
            };
            let page = page();
            if page.is_err() {
                (rest, left) = (&[], 0);
            }
            Some(page)
        })
    }

    /// Returns the number of content bytes of each page, except for the last one.
    fn page_len(&self) -> u64 {
        page_len(self.compressed) as u64
    }

    pub(super) fn verify(&self, place: &Reader<'_>, threads: Threads) -> Result<()> {
        if self.compressed {
            return self.all(place, false, threads).map(drop);
        }
        if threads == Threads::ONE {
            return self.pages(place).try_for_each(|page| page?.check(place));
        }
        let pages: Vec<_> = self.pages(place).collect::<Result<_>>()?;
        let checked = threads.map(pages.len().div_ceil(RUN), |run| {
            let pages = pages.chunks(RUN).nth(run).unwrap_or_default();
            pages.iter().try_for_each(|page| page.check(place))
        });
        checked.into_iter().collect()
    }

    /// Returns the content of all pages, checked unless they are trusted.
    pub(super) fn all(
        &self,
        place: &Reader<'_>,
        trusted: bool,
        threads: Threads,
    ) -> Result<Cow<'a, [u8]>> {
        if let Some(raw) = self.raw() {
            if !trusted {
                self.verify(place, threads)?;
            }
            return Ok(Cow::Borrowed(raw));
        }
        let mut out = Vec::new();
        if threads == Threads::ONE {
            self.append(place, trusted, usize::MAX, &mut out)?;
            return Ok(Cow::Owned(out));
        }
        self.append(place, trusted, 1, &mut out)?;
        let pages: Vec<_> = self.pages(place).collect::<Result<_>>()?;
        let prefix: &[u8] = &out;
        let others = pages.get(1..).unwrap_or_default();
        let held = threads.map(others.len(), |number| {
            let mut out = Vec::new();
            if let Some(page) = others.get(number) {
                if !trusted {
                    page.check(place)?;
                }
                page.append(place, prefix, &mut out)?;
            }
            Ok(out)
        });
        let held: Vec<Vec<u8>> = held.into_iter().collect::<Result<_>>()?;
        out.extend(held.into_iter().flatten());
        Ok(Cow::Owned(out))
    }

    /// Appends the content of some pages, from the first one on.
    fn append(
        &self,
        place: &Reader<'_>,
        trusted: bool,
        count: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut first = Vec::new();
        for (number, page) in self.pages(place).take(count).enumerate() {
            let page = page?;
            if !trusted {
                page.check(place)?;
            }
            page.append(place, &first, out)?;
            if number == 0 && self.len > page.len as u64 {
                first.clone_from(out);
            }
        }
        Ok(())
    }

    /// Returns a part of the content; `None` if the range is out of bounds.
    pub(super) fn part(
        &self,
        place: &Reader<'_>,
        range: Range<u64>,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        if range.start > range.end || range.end > self.len {
            return Ok(None);
        }
        let len = self.page_len();
        let page_of =
            |at: u64| usize::try_from(at.checked_div(len).unwrap_or(0)).unwrap_or(usize::MAX);
        let first = page_of(range.start);
        let count = page_of(range.end.saturating_sub(1))
            .saturating_sub(first)
            .saturating_add(1);
        let mut out = Vec::new();
        let mut prefix = Vec::new();
        if self.compressed && first > 0 {
            self.append(place, false, 1, &mut prefix)?;
        }
        // For raw pages this loop only counts; tables of pages are short.
        for (number, page) in self.pages(place).enumerate().skip(first).take(count) {
            let page = page?;
            page.check(place)?;
            if self.compressed {
                page.append(place, &prefix, &mut out)?;
                if number == 0 {
                    prefix.clone_from(&out);
                }
            }
        }
        if let Some(raw) = self.raw() {
            return Ok(slice(raw, range).map(Cow::Borrowed));
        }
        let base = (first as u64).saturating_mul(len);
        let within = range.start.saturating_sub(base)..range.end.saturating_sub(base);
        Ok(slice(&out, within).map(|part| Cow::Owned(part.to_vec())))
    }
}

/// Returns a part of some bytes; `None` if the range is out of bounds.
pub(super) fn slice(bytes: &[u8], range: Range<u64>) -> Option<&[u8]> {
    let start = usize::try_from(range.start).ok()?;
    bytes.get(start..usize::try_from(range.end).ok()?)
}

/// A page as it is stored.
struct Page<'a> {
    bytes: &'a [u8],
    crc: u32,
    /// The kind of its section, and its number in it.
    kind: u16,
    number: u64,
    /// The length of its content.
    len: usize,
    offset: u64,
}

impl Page<'_> {
    fn check(&self, place: &Reader<'_>) -> Result<()> {
        let computed = page_crc(self.kind, self.number, [self.bytes]);
        check_page(self.crc, computed, self.offset, place.section())
    }

    /// Appends its content. A frame may refer to `prefix`.
    fn append(&self, place: &Reader<'_>, prefix: &[u8], out: &mut Vec<u8>) -> Result<()> {
        decompress(
            self.bytes,
            prefix,
            self.len,
            (self.offset, place.section()),
            out,
        )
    }
}

/// Compares the stored checksum of a page at `offset` with the computed one.
pub(super) fn check_page(
    stored: u32,
    computed: u32,
    offset: u64,
    section: &'static str,
) -> Result<()> {
    let place = Reader::with_base(&[], offset, section);
    check_crc(stored, computed, section, &place)
}

/// Appends the content, `len` bytes, of a page that is stored at `offset`.
///
/// `prefix` is the content of the first page of the section, if this is another page and frames
/// refer to it.
pub(super) fn decompress(
    bytes: &[u8],
    prefix: &[u8],
    len: usize,
    (offset, section): (u64, &'static str),
    out: &mut Vec<u8>,
) -> Result<()> {
    if bytes.len() == len {
        out.extend_from_slice(bytes);
        return Ok(());
    }
    let place = Reader::with_base(&[], offset, section);
    if bytes.len() > len {
        let message = format!("a page of {len} bytes is stored in {}", bytes.len());
        return Err(place.error(ErrorKind::Malformed, message));
    }
    if !zstd::decompress(bytes, prefix, len, out) {
        if !zstd::AVAILABLE {
            let message = "a page is compressed, and this build lacks the feature 'zstd'";
            return Err(place.error(ErrorKind::Unsupported, message));
        }
        let message = format!("a page is not a zstd frame of {len} bytes");
        return Err(place.error(ErrorKind::Malformed, message));
    }
    Ok(())
}
