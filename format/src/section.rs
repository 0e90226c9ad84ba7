//! The container of rmbc: a header, a directory of sections, and the sections in checksummed pages.
//!
//! `spec/rmbc.md` specifies it, with diagrams. In short: a header with a checksum, a directory that
//! lists the sections in file order, the **bundle** of small sections, which the checksum of the
//! header covers, and the sections that are not bundled. Their content is divided into pages of
//! [`PAGE`] bytes if they may be compressed, else of [`RAW_PAGE`]; the checksum of a page covers
//! the kind of its section and its number too, so a page cannot be moved. A page that is stored in
//! fewer bytes than its content is one zstd frame, which may refer to the content of the section's
//! first page.
//!
//! Every byte is covered by one checksum or has one possible value, and equal sections yield equal
//! files. This module does not interpret the content of sections.

mod copy;
mod directory;
mod length;
mod pages;
mod store;
mod writer;

pub use crate::storage::ReadAt;
pub use length::length;
pub use store::{Store, StoredSection};
pub use writer::ContainerWriter;

use crate::checksum::crc32_after;
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
/// The major version that is written, and the only one that is read.
pub const MAJOR_VERSION: u8 = 2;
/// The minor version that is written. Readers accept every minor version of [`MAJOR_VERSION`].
pub const MINOR_VERSION: u8 = 0;
/// The number of content bytes of a page that may be compressed; the last page may be shorter.
pub const PAGE: usize = 1 << 16;
/// The number of bytes of a page that is never compressed; the last page may be shorter.
pub const RAW_PAGE: usize = 1 << 13;
/// The binary logarithm of the greatest alignment of a section.
pub const MAX_ALIGNMENT_LOG: u32 = crate::rmbc::schema::limits::ALIGNMENT_LOG;

/// The kind of the section that bundles others.
const BUNDLE: u16 = 0;
/// Flags added to the kind of a section times [`KIND_UNIT`].
const REQUIRED: u64 = 1;
const COMPRESSED: u64 = 2;
const ALIGNED: u64 = 4;
const KIND_UNIT: u64 = 8;

/// Returns the checksum of a page as stored: the crc32 of its section's kind (2 bytes), its number
/// in the section (4 bytes), and its bytes.
fn page_crc<'a>(kind: u16, number: u64, bytes: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let [k0, k1] = kind.to_le_bytes();
    // A section of 2^32 pages does not fit in a file of 2^45 bytes.
    let [n0, n1, n2, n3] = (number as u32).to_le_bytes();
    crc32_after(&[k0, k1, n0, n1, n2, n3], bytes)
}

/// Returns the number of content bytes of each page of a section, except for the last one. O(1).
pub const fn page_len(is_compressed: bool) -> usize {
    match is_compressed {
        true => PAGE,
        false => RAW_PAGE,
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
    has_dictionary: bool,
    has_compressed_bundle: bool,
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
    /// * [`ErrorKind::Unsupported`]: the file names a dictionary that this build does not have;
    /// * [`ErrorKind::Malformed`]: a duplicate kind, padding that is not zero, bytes after the last
    ///   section, a bundle that is not the first section;
    /// * [`ErrorKind::Limit`]: more than `limits.max_section_count` sections.
    pub fn parse(
        bytes: &'a [u8],
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        directory::parse(bytes, limits, names)
    }

    /// Returns whether the file names the [`dictionary`](crate::rmbc::dictionary), which preset
    /// strings and fragments are taken from.
    pub fn has_dictionary(&self) -> bool {
        self.has_dictionary
    }

    /// Returns whether the pages of a section, or of the bundle, may be compressed. O(sections).
    pub fn is_compressed(&self) -> bool {
        self.has_compressed_bundle || self.sections().any(|section| section.is_compressed())
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
