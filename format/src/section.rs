//! The container of rmbc: a header, a directory of sections, and the sections in checksummed pages.
//!
//! All fixed-width integers are little-endian, `n` is a [varint](crate::varint).
//!
//! | offset | size | header |
//! |---|---|---|
//! | 0 | 5 | magic, [`MAGIC`] |
//! | 5 | 1 | major version: a reader refuses a greater one than its own |
//! | 6 | 1 | minor version: a reader accepts all of major version 1, but only 0.2 of version 0 |
//! | 7 | 4 | crc32 of the 7 bytes before and of the directory |
//! | 11 | `n` | length of the directory in bytes |
//! | | | directory |
//!
//! The directory is the length of the file as `n`, the number of sections as `n`, and for each
//! section
//!
//! | encoding | meaning |
//! |---|---|
//! | `n` | kind times 8, plus 1 if required, plus 2 if compressible, plus 4 if aligned |
//! | `n` | length of the content of the section |
//! | `n` | if its pages may be compressed: length of all pages as they are stored |
//! | `n` | if it is aligned: the binary logarithm of the alignment, at most 12 |
//!
//! A reader that does not know the kind of a required section must refuse the file. The pages of a
//! compressible section may be compressed.
//!
//! The first section begins after the directory, each other section after the preceding one. An
//! aligned section begins at the next multiple of its alignment, counted from the start of the
//! file; the padding bytes are zero. The file ends with the last section. No two sections have the
//! same kind.
//!
//! The content of a section is split into pages of [`PAGE`] bytes if they may be compressed, else
//! of [`RAW_PAGE`]; the last page may be shorter. A section consists of its pages, followed by a
//! table with an entry for each page: its stored length (4 bytes, only if pages may be compressed)
//! and the crc32 of its stored bytes (4 bytes). A page whose stored length is less than its content
//! length is one zstd frame, which may refer to the content of the section's first page.
//!
//! Section kind 0, which is required, bundles small sections, so that they share a checksum and a
//! frame. Its content has at most one page: the number of sections as `n`; for each the kind times
//! 2, plus 1 if it is required, as `n`, and the length as `n`; and then the bytes of all sections.
//!
//! Every byte is covered by one checksum or has one possible value, and equal sections yield equal
//! files. This module does not interpret the content of other kinds.

mod copy;
mod directory;
mod pages;
mod store;
mod writer;

pub use crate::storage::ReadAt;
pub use store::{Store, StoredSection};
pub use writer::ContainerWriter;

use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use bytes::Bytes;
use pages::Pages;
use rmlir_threads::Threads;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The first bytes of a file. They are not UTF-8; transfers that clear the highest bit change them.
pub const MAGIC: [u8; 5] = *b"\x8aRMBC";
/// The major version that is written, and the greatest that is read.
pub const MAJOR_VERSION: u8 = 1;
/// The minor version that is written unless a later one is requested.
pub const MINOR_VERSION: u8 = 0;
/// The latest minor version that is written. Readers of earlier ones preserve or skip its
/// additions.
pub const NEWEST_MINOR_VERSION: u8 = 1;
/// The number of content bytes of a page that may be compressed; the last page may be shorter.
pub const PAGE: usize = 1 << 16;
/// The number of bytes of a page that is never compressed; the last page may be shorter.
pub const RAW_PAGE: usize = 1 << 13;
/// The binary logarithm of the greatest alignment of a section.
pub const MAX_ALIGNMENT_LOG: u32 = 12;

/// The kind of the section that bundles others.
const BUNDLE: u64 = 0;
/// Flags added to the kind of a section times [`KIND_UNIT`].
const REQUIRED: u64 = 1;
const COMPRESSED: u64 = 2;
const ALIGNED: u64 = 4;
const KIND_UNIT: u64 = 8;

/// The properties of the layout that depend on the version.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The number of bytes of a page that is never compressed.
    raw_page: usize,
    /// Whether frames refer to the first page of their section.
    is_prefixed: bool,
    version: (u8, u8),
}

impl Layout {
    /// Returns the layout of a version, major and minor; `None` if it cannot be read.
    pub fn of(version: (u8, u8)) -> Option<Self> {
        let (raw_page, is_prefixed) = match version {
            (0, 2) => (PAGE, false),
            // Later minor versions add data that can be skipped or preserved.
            (MAJOR_VERSION, _) => (RAW_PAGE, true),
            _ => return None,
        };
        Some(Layout {
            raw_page,
            is_prefixed,
            version,
        })
    }

    /// Returns major and minor version.
    pub fn version(self) -> (u8, u8) {
        self.version
    }

    /// Returns the number of content bytes of each page of a section, except for the last one.
    pub fn page(self, is_compressed: bool) -> usize {
        match is_compressed {
            true => PAGE,
            false => self.raw_page,
        }
    }
}

/// The checked directory of a file, over the borrowed bytes of the file.
///
/// Sections are read lazily, except for the bundle of small ones, which is read eagerly. `Sync`:
/// threads may share it.
pub struct Container<'a> {
    /// In the order of the file; bundled sections at the position of the bundle.
    sections: Vec<Entry<'a>>,
    /// Indices into `sections`, by kind.
    by_kind: Vec<(u16, usize)>,
    layout: Layout,
}

struct Entry<'a> {
    kind: u16,
    required: bool,
    name: &'static str,
    /// The binary logarithm of its alignment.
    alignment: Option<u32>,
    /// The offset of its pages in the file; for errors.
    offset: u64,
    len: u64,
    data: Data<'a>,
}

enum Data<'a> {
    Pages(Pages<'a>),
    /// A part of the bundle, which was checked.
    Bundled(Bytes),
}

impl<'a> Container<'a> {
    /// Reads and checks header, directory and the bundle of small sections.
    ///
    /// `names` returns the name of a kind, for errors, and `None` for a kind that the caller does
    /// not know.
    ///
    /// Costs O(n log n) for n sections, independent of their length. Allocates less than 64 bytes
    /// for each byte of the directory, and at most a page.
    ///
    /// # Errors
    /// * [`ErrorKind::NotThisFormat`]: another magic;
    /// * [`ErrorKind::UnknownVersion`]: a version that this build does not read;
    /// * [`ErrorKind::Truncated`]: the file is shorter than its header declares;
    /// * [`ErrorKind::Checksum`]: header, directory or bundle are damaged;
    /// * [`ErrorKind::UnknownSection`]: a required section that `names` does not know;
    /// * [`ErrorKind::Malformed`]: a duplicate kind, padding that is not zero, bytes after the last
    ///   section;
    /// * [`ErrorKind::Limit`]: more than `limits.max_section_count` sections.
    pub fn parse(
        bytes: &'a [u8],
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        directory::parse(bytes, limits, names)
    }

    /// Returns the page layout of the file's version.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the section of a kind, or `None` if the file has none. O(log n); reads nothing.
    pub fn section(&self, kind: u16) -> Option<Section<'_, 'a>> {
        let at = self.by_kind.binary_search_by_key(&kind, |&(kind, _)| kind);
        let &(_, index) = self.by_kind.get(at.ok()?)?;
        self.sections.get(index).map(|entry| Section { entry })
    }

    /// Returns a required [`section`](Container::section). `name` is for the error.
    ///
    /// # Errors
    /// [`ErrorKind::MissingSection`] if the file does not have it.
    pub fn require(&self, kind: u16, name: &'static str) -> Result<Section<'_, 'a>> {
        self.section(kind).ok_or_else(|| {
            Error::new(
                ErrorKind::MissingSection,
                format!("the file has no section '{name}' (kind {kind})"),
            )
        })
    }

    /// Returns all sections, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_, 'a>> {
        self.sections.iter().map(|entry| Section { entry })
    }

    /// Verifies the checksums of all pages. O(bytes).
    ///
    /// Together with the checks of [`parse`](Container::parse) that covers every byte of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] for the first page that is damaged.
    pub fn verify_all(&self) -> Result<()> {
        self.sections()
            .try_for_each(|section| section.verify(Threads::ONE))
    }
}

impl fmt::Debug for Container<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.sections()).finish()
    }
}

/// One section of a [`Container`], by reference.
#[derive(Clone, Copy)]
pub struct Section<'c, 'a> {
    entry: &'c Entry<'a>,
}

impl<'c, 'a> Section<'c, 'a> {
    /// Returns the kind, from the directory.
    pub fn kind(&self) -> u16 {
        self.entry.kind
    }

    /// Returns the name of the kind from the caller of [`Container::parse`]; `unknown` without one.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns whether readers that do not know the kind must refuse the file.
    pub fn is_required(&self) -> bool {
        self.entry.required
    }

    /// Returns the binary logarithm of the alignment of the section, if it has one.
    pub fn alignment_log(&self) -> Option<u32> {
        self.entry.alignment
    }

    /// Returns the offset of the section, in bytes from the start of the file.
    ///
    /// Compressed content has no offsets in the file; errors about it count from here.
    pub fn offset(&self) -> u64 {
        self.entry.offset
    }

    /// Returns the length of the content, in bytes.
    pub fn len(&self) -> u64 {
        self.entry.len
    }

    /// Returns whether the section has no content.
    pub fn is_empty(&self) -> bool {
        self.entry.len == 0
    }

    /// Returns whether its pages may be compressed, so that [`bytes`](Section::bytes) copies them.
    pub fn is_compressed(&self) -> bool {
        match &self.entry.data {
            Data::Pages(pages) => pages.is_compressed(),
            Data::Bundled(_) => false,
        }
    }

    /// Returns the checked content of the section. O(bytes).
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] if a page is damaged, [`ErrorKind::Malformed`] if the content of a
    /// page is not valid after decompression.
    pub fn bytes(&self) -> Result<Cow<'c, [u8]>> {
        self.bytes_on(Threads::ONE)
    }

    /// Returns the [`bytes`](Section::bytes), checked and decompressed on several threads.
    ///
    /// # Errors
    /// Those of [`bytes`](Section::bytes).
    pub fn bytes_on(&self, threads: Threads) -> Result<Cow<'c, [u8]>> {
        match &self.entry.data {
            Data::Pages(pages) => pages.all(&self.place(), false, threads),
            Data::Bundled(bytes) => Ok(Cow::Borrowed(bytes)),
        }
    }

    /// Returns the content without verifying checksums, for trusted files. O(1) if not compressed.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] if the content of a page is not valid after decompression.
    pub fn bytes_trusted(&self, threads: Threads) -> Result<Cow<'c, [u8]>> {
        match &self.entry.data {
            Data::Pages(pages) => pages.all(&self.place(), true, threads),
            Data::Bundled(bytes) => Ok(Cow::Borrowed(bytes)),
        }
    }

    /// Returns a part of the content; only the pages that it touches are checked. O(bytes of the
    /// pages).
    ///
    /// # Errors
    /// Those of [`bytes`](Section::bytes), and [`ErrorKind::Truncated`] if the range is out of
    /// bounds.
    pub fn part(&self, range: Range<u64>) -> Result<Cow<'c, [u8]>> {
        let bytes = match &self.entry.data {
            Data::Pages(pages) => pages.part(&self.place(), range.clone())?,
            Data::Bundled(bytes) => pages::slice(bytes, range.clone()).map(Cow::Borrowed),
        };
        bytes.ok_or_else(|| {
            self.place().error(
                ErrorKind::Truncated,
                format!(
                    "the bytes {} to {} are not in the {} of the section",
                    range.start, range.end, self.entry.len
                ),
            )
        })
    }

    /// Returns the stored bytes, unchecked, if they are stored raw.
    ///
    /// For content that is handed out without being read, such as resource blobs.
    pub fn bytes_unverified(&self) -> Option<&'c [u8]> {
        match &self.entry.data {
            Data::Pages(pages) => pages.raw(),
            Data::Bundled(bytes) => Some(bytes),
        }
    }

    /// Verifies the checksums. O(bytes).
    ///
    /// # Errors
    /// Those of [`bytes`](Section::bytes).
    pub fn verify(&self, threads: Threads) -> Result<()> {
        match &self.entry.data {
            Data::Pages(pages) => pages.verify(&self.place(), threads),
            Data::Bundled(_) => Ok(()),
        }
    }

    /// Returns the start of the section, for errors.
    fn place(&self) -> Reader<'static> {
        Reader::with_base(&[], self.entry.offset, self.entry.name)
    }
}

impl fmt::Debug for Section<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("kind", &self.kind())
            .field("name", &self.name())
            .field("required", &self.is_required())
            .field("offset", &self.offset())
            .field("len", &self.len())
            .finish()
    }
}

/// Recomputes all checksums of a file, as far as header and directory are readable.
///
/// For tests and fuzzers whose changes must reach the code after these checks.
pub fn repair(bytes: &mut [u8]) {
    // A file that cannot be repaired is left as it is.
    let _ = directory::repair(bytes);
}

#[cfg(test)]
mod tests;
