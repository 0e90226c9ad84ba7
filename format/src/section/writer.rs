//! Writes the container; the [parent module](super) describes it.

use super::{
    ALIGNED, BUNDLE, COMPRESSED, KIND_UNIT, MAGIC, MAJOR_VERSION, MAX_ALIGNMENT_LOG, MINOR_VERSION,
    PAGE, RAW_PAGE, REQUIRED, page_crc,
};
use crate::checksum::crc32_of_parts;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::check_limit;
use crate::rmbc::dictionary;
use crate::varint::{varint_len, write_varint};
use crate::zstd;
use rmlir_threads::Threads;
use std::borrow::Cow;
use std::io;

/// The exclusive upper bound of the total length of bundled sections.
const BUNDLE_LEN: usize = 16 << 10;

/// Assembles sections to a file, in the order in which they are added.
#[derive(Debug, Default)]
pub struct ContainerWriter<'a> {
    sections: Vec<NewSection<'a>>,
    /// The total length of all sections so far.
    payload_len: u64,
    /// The level of compression; `None` if it is off.
    level: Option<i32>,
    threads: Threads,
    /// Whether the file names the dictionary.
    has_dictionary: bool,
}

#[derive(Debug)]
struct NewSection<'a> {
    kind: u16,
    required: bool,
    /// The binary logarithm of the alignment.
    alignment: Option<u32>,
    /// The content, in pieces: exactly one, except for aligned sections.
    pieces: Vec<Cow<'a, [u8]>>,
}

impl NewSection<'_> {
    fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
    }

    /// Returns the content of a section that is not aligned.
    fn bytes(&self) -> &[u8] {
        self.pieces.first().map_or(&[], |piece| piece)
    }
}

/// A section as it is stored.
pub(super) struct Stored<'s> {
    /// Kind and flags.
    pub(super) code: u64,
    pub(super) len: u64,
    pub(super) alignment: Option<u32>,
    pub(super) pages: Vec<Cow<'s, [u8]>>,
    pub(super) compressed: bool,
    pub(super) table: Vec<u8>,
}

impl<'a> ContainerWriter<'a> {
    /// Creates a file without sections and compression.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the [`dictionary`], for a file that uses preset strings or fragments.
    pub fn set_dictionary(&mut self, is_used: bool) {
        self.has_dictionary = is_used;
    }

    /// Compresses pages by zstd at a level, where it makes them shorter. Has no effect without the
    /// feature `zstd`.
    pub fn set_compression(&mut self, level: i32) {
        self.level = zstd::AVAILABLE.then_some(level);
    }

    /// Sets the number of threads for compression and checksums. The bytes do not depend on it.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// Adds a section that no reader may skip. O(sections so far).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`] if there is a section of that kind or the kind is 0,
    /// [`ErrorKind::Limit`] if the length of the file exceeds 64 bits.
    pub fn add_required(&mut self, kind: u16, bytes: impl Into<Cow<'a, [u8]>>) -> Result<()> {
        self.add(kind, true, None, vec![bytes.into()])
    }

    /// Adds a section that readers skip if they do not know its kind. O(sections so far).
    ///
    /// # Errors
    /// Those of [`add_required`](ContainerWriter::add_required).
    pub fn add_optional(&mut self, kind: u16, bytes: impl Into<Cow<'a, [u8]>>) -> Result<()> {
        self.add(kind, false, None, vec![bytes.into()])
    }

    /// Adds a required, aligned section that is stored raw: no reader may skip it.
    ///
    /// It begins at a multiple of 2 to the power of `log`.
    ///
    /// # Errors
    /// Those of [`add_required`](ContainerWriter::add_required), and [`ErrorKind::InvalidRequest`]
    /// if the alignment is greater than [`MAX_ALIGNMENT_LOG`].
    pub fn add_aligned(
        &mut self,
        kind: u16,
        log: u32,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<()> {
        self.add_aligned_pieces(kind, log, vec![bytes.into()])
    }

    /// Adds a section in several pieces as [`add_aligned`](ContainerWriter::add_aligned) does.
    ///
    /// The pieces are never concatenated in memory.
    ///
    /// # Errors
    /// Those of [`add_aligned`](ContainerWriter::add_aligned).
    pub fn add_aligned_pieces(
        &mut self,
        kind: u16,
        log: u32,
        pieces: Vec<Cow<'a, [u8]>>,
    ) -> Result<()> {
        self.add(kind, true, Some(log), pieces)
    }

    /// Adds a preserved section that readers skip if they do not know its kind, aligned if it was.
    ///
    /// # Errors
    /// Those of [`add_aligned`](ContainerWriter::add_aligned).
    pub fn add_preserved(
        &mut self,
        kind: u16,
        log: Option<u32>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<()> {
        self.add(kind, false, log, vec![bytes.into()])
    }

    fn add(
        &mut self,
        kind: u16,
        required: bool,
        alignment: Option<u32>,
        pieces: Vec<Cow<'a, [u8]>>,
    ) -> Result<()> {
        if kind == BUNDLE || self.sections.iter().any(|section| section.kind == kind) {
            return Err(Error::new(
                ErrorKind::InvalidRequest,
                format!("a file cannot have two sections of kind {kind}, or one of kind 0"),
            ));
        }
        if alignment > Some(MAX_ALIGNMENT_LOG) {
            return Err(Error::new(
                ErrorKind::InvalidRequest,
                "a section is aligned to more than a page of memory",
            ));
        }
        // Half of the range leaves room for header and directory later on.
        let len: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
        let payload_len = self.payload_len.saturating_add(len);
        check_limit("bytes of sections", payload_len, u64::MAX / 2)?;
        self.payload_len = payload_len;
        self.sections.push(NewSection {
            kind,
            required,
            alignment,
            pieces,
        });
        Ok(())
    }

    /// Returns the bytes of the file. Equal sections always yield equal bytes. O(bytes).
    pub fn finish(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_to(&mut out);
        out
    }

    /// Writes the bytes that [`finish`](ContainerWriter::finish) returns, without a second copy in
    /// memory.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: impl io::Write) -> Result<()> {
        let content = self.bundle();
        let bundle = content.as_deref().map(|content| match self.level {
            Some(level) => Bundle::compressed(content, level),
            None => Bundle::raw(content),
        });
        let mut stored: Vec<Stored<'_>> = Vec::new();
        for section in &self.sections {
            if bundle.is_none() || section.alignment.is_some() {
                let code = u64::from(section.kind) << KIND_UNIT.trailing_zeros()
                    | u64::from(section.required);
                let pieces = &section.pieces;
                stored.push(self.store(section.kind, code, section.alignment, pieces));
            }
        }
        write_stored(self.has_dictionary, bundle.as_ref(), &stored, out)
    }

    /// Returns the bundle of all sections that are not aligned, if they are small and more than
    /// one.
    fn bundle(&self) -> Option<Vec<u8>> {
        let small = || self.sections.iter().filter(|s| s.alignment.is_none());
        let total: u64 = small().map(|s| s.len() as u64).sum();
        let count = small().count();
        // The number of sections is bounded, so that the bundle fits in a page.
        if count < 2 || total >= BUNDLE_LEN as u64 || count >= 1 << 10 {
            return None;
        }
        let parts: Vec<_> = small().map(|s| (s.kind, s.required, s.bytes())).collect();
        Some(write_bundle(parts.into_iter()))
    }

    fn store<'s>(
        &self,
        kind: u16,
        code: u64,
        alignment: Option<u32>,
        pieces: &'s [Cow<'_, [u8]>],
    ) -> Stored<'s> {
        if let (Some(level), None, [bytes]) = (self.level, alignment, pieces) {
            let (mut pages, mut table) = (Vec::new(), Vec::new());
            let first = bytes.get(..PAGE).unwrap_or_default();
            let frames = self.threads.map(bytes.len().div_ceil(PAGE), |number| {
                let start = number.saturating_mul(PAGE);
                let page = bytes.get(start..).unwrap_or_default();
                let page = page.get(..PAGE).unwrap_or(page);
                let prefix = if number == 0 { &[] } else { first };
                let mut frame = Vec::new();
                if !zstd::compress(page, prefix, level, &mut frame) {
                    frame.extend_from_slice(page);
                }
                frame
            });
            for (frame, number) in frames.into_iter().zip(0u64..) {
                table.extend((frame.len() as u32).to_le_bytes());
                table.extend(page_crc(kind, number, [frame.as_slice()]).to_le_bytes());
                pages.extend(frame);
            }
            // Content that does not get shorter is stored raw: it is not worth a copy.
            let raw_table = bytes.len().div_ceil(RAW_PAGE).saturating_mul(4);
            if pages.len().saturating_add(table.len()) < bytes.len().saturating_add(raw_table) {
                return Stored {
                    code: code | COMPRESSED,
                    len: bytes.len() as u64,
                    alignment,
                    pages: vec![Cow::Owned(pages)],
                    compressed: true,
                    table,
                };
            }
        }
        let borrowed = pieces.iter().map(|piece| Cow::Borrowed(&**piece));
        Stored::raw(kind, code, alignment, borrowed.collect())
    }
}

/// The bundle as it is stored.
pub(super) struct Bundle<'b> {
    /// The length of its content.
    len: u64,
    stored: Cow<'b, [u8]>,
    compressed: bool,
}

impl<'b> Bundle<'b> {
    pub(super) fn raw(content: &'b [u8]) -> Self {
        Bundle {
            len: content.len() as u64,
            stored: Cow::Borrowed(content),
            compressed: false,
        }
    }

    /// Compresses the content if that makes it, and the directory entry, shorter.
    fn compressed(content: &'b [u8], level: i32) -> Self {
        let mut frame = Vec::new();
        let is_shorter = zstd::compress(content, &[], level, &mut frame)
            && frame.len().saturating_add(varint_len(frame.len() as u64)) < content.len();
        match is_shorter {
            true => Bundle {
                len: content.len() as u64,
                stored: Cow::Owned(frame),
                compressed: true,
            },
            false => Bundle::raw(content),
        }
    }
}

/// Writes the content of a bundle, from the kind, required flag and content of each section.
pub(super) fn write_bundle<'p>(
    parts: impl ExactSizeIterator<Item = (u16, bool, &'p [u8])> + Clone,
) -> Vec<u8> {
    let mut out = Vec::new();
    write_varint(&mut out, parts.len() as u64);
    for ((kind, required, bytes), left) in parts.clone().zip((0..parts.len()).rev()) {
        write_varint(&mut out, u64::from(kind) << 1 | u64::from(required));
        if left > 0 {
            write_varint(&mut out, bytes.len() as u64);
        }
    }
    for (_, _, bytes) in parts {
        out.extend_from_slice(bytes);
    }
    out
}

/// Writes header, directory, bundle and the other sections.
pub(super) fn write_stored(
    has_dictionary: bool,
    bundle: Option<&Bundle<'_>>,
    stored: &[Stored<'_>],
    mut out: impl io::Write,
) -> Result<()> {
    let head = head(has_dictionary, bundle, stored);
    out.write_all(&head)?;
    let bundle = bundle.map_or(&[][..], |bundle| &bundle.stored);
    out.write_all(bundle)?;
    let mut offset = (head.len() as u64).saturating_add(bundle.len() as u64);
    for section in stored {
        let padding = section.padding(offset);
        let zeros = [0; 1 << MAX_ALIGNMENT_LOG];
        out.write_all(zeros.get(..padding as usize).unwrap_or_default())?;
        for piece in &section.pages {
            out.write_all(piece)?;
        }
        out.write_all(&section.table)?;
        offset = offset
            .saturating_add(padding)
            .saturating_add(section.size());
    }
    Ok(())
}

/// Returns the page checksums of content that is in several pieces.
fn page_checksums(kind: u16, pieces: &[Cow<'_, [u8]>]) -> Vec<u8> {
    let mut table = Vec::new();
    let mut number = 0u64;
    // Parts of the current page.
    let (mut page, mut len) = (Vec::new(), 0usize);
    for piece in pieces {
        let mut rest: &[u8] = piece;
        while !rest.is_empty() {
            let room = RAW_PAGE.saturating_sub(len).min(rest.len());
            let (part, behind) = rest.split_at_checked(room).unwrap_or_default();
            page.push(part);
            (len, rest) = (len.saturating_add(room), behind);
            if len == RAW_PAGE {
                table.extend(page_crc(kind, number, page.drain(..)).to_le_bytes());
                number = number.saturating_add(1);
                len = 0;
            }
        }
    }
    if len > 0 {
        table.extend(page_crc(kind, number, page).to_le_bytes());
    }
    table
}

impl<'s> Stored<'s> {
    /// Creates a section that is stored raw, in pieces.
    pub(super) fn raw(
        kind: u16,
        code: u64,
        alignment: Option<u32>,
        pieces: Vec<Cow<'s, [u8]>>,
    ) -> Self {
        Stored {
            code: code | if alignment.is_some() { ALIGNED } else { 0 },
            len: pieces.iter().map(|piece| piece.len() as u64).sum(),
            alignment,
            table: page_checksums(kind, &pieces),
            pages: pieces,
            compressed: false,
        }
    }

    /// Returns the number of zero bytes before it if it would begin at `offset`.
    fn padding(&self, offset: u64) -> u64 {
        match self.alignment {
            Some(log) => offset.wrapping_neg() & ((1u64 << (log & 63)).wrapping_sub(1)),
            None => 0,
        }
    }

    /// Returns the length of all pages as they are stored.
    fn pages_len(&self) -> u64 {
        self.pages.iter().map(|piece| piece.len() as u64).sum()
    }

    fn size(&self) -> u64 {
        self.pages_len().saturating_add(self.table.len() as u64)
    }
}

/// Returns header and directory.
fn head(has_dictionary: bool, bundle: Option<&Bundle<'_>>, stored: &[Stored<'_>]) -> Vec<u8> {
    let mut entries = Vec::new();
    if has_dictionary {
        write_varint(&mut entries, dictionary::NUMBER);
        entries.extend(dictionary::CHECK);
    } else {
        write_varint(&mut entries, 0);
    }
    let count = stored.len().saturating_add(usize::from(bundle.is_some()));
    write_varint(&mut entries, count as u64);
    let mut bundle_bytes: &[u8] = &[];
    if let Some(bundle) = bundle {
        let flags = if bundle.compressed { COMPRESSED } else { 0 };
        write_varint(
            &mut entries,
            (u64::from(BUNDLE) * KIND_UNIT) | REQUIRED | flags,
        );
        write_varint(&mut entries, bundle.len);
        bundle_bytes = &bundle.stored;
        if bundle.compressed {
            write_varint(&mut entries, bundle_bytes.len() as u64);
        }
    }
    for section in stored {
        write_varint(&mut entries, section.code);
        write_varint(&mut entries, section.len);
        if section.compressed {
            write_varint(&mut entries, section.pages_len());
        }
        if let Some(log) = section.alignment {
            write_varint(&mut entries, log.into());
        }
    }
    // The length of the file depends on the length of its own encoding.
    let fixed = (MAGIC.len() as u64).saturating_add(6);
    let mut file_len = 0;
    loop {
        let directory = (entries.len() as u64).saturating_add(varint_len(file_len) as u64);
        let mut end = fixed
            .saturating_add(varint_len(directory) as u64)
            .saturating_add(directory)
            .saturating_add(bundle_bytes.len() as u64);
        for section in stored {
            end = end
                .saturating_add(section.padding(end))
                .saturating_add(section.size());
        }
        // The length only grows, so the loop ends soon.
        if varint_len(end) <= varint_len(file_len) && file_len != 0 {
            file_len = end;
            break;
        }
        file_len = end;
    }
    let mut directory = Vec::new();
    write_varint(&mut directory, file_len);
    directory.extend(entries);
    let mut out = MAGIC.to_vec();
    out.extend([MAJOR_VERSION, MINOR_VERSION]);
    let covered = [out.as_slice(), directory.as_slice(), bundle_bytes];
    out.extend(crc32_of_parts(covered).to_le_bytes());
    write_varint(&mut out, directory.len() as u64);
    out.extend(directory);
    out
}
