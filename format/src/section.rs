//! The container of rmbc, version 0: a header, a directory of sections, and the sections.
//!
//! *Provisional: version 0 is replaced before anything is released.* All integers are little-endian.
//!
//! | offset | size | header |
//! |---|---|---|
//! | 0 | 8 | magic, [`MAGIC`] |
//! | 8 | 2 | major version: a reader refuses a greater one than its own |
//! | 10 | 2 | minor version: a reader accepts any |
//! | 12 | 4 | number of sections |
//! | 16 | 8 | length of the file |
//! | 24 | 4 | crc32 of the 24 bytes before and of the directory |
//! | 28 | 24 each | directory |
//!
//! | offset | size | directory entry |
//! |---|---|---|
//! | 0 | 2 | kind; no two sections have the same |
//! | 2 | 2 | flags: bit 0, a reader that does not know the kind must refuse the file; others zero |
//! | 4 | 4 | crc32 of the section's bytes |
//! | 8 | 8 | offset of the section from the start of the file |
//! | 16 | 8 | length of the section |
//!
//! The first section begins where the directory ends, each other where the one before ends, and the file ends
//! with the last one: every byte is covered by one checksum, and the same sections give the same file.
//! What a kind means, and what is inside, is none of this module's business.

mod writer;

pub use writer::ContainerWriter;

use crate::checksum::{crc32, crc32_of_parts};
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::limits::{Limits, check_limit};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first bytes of a file. Not UTF-8, and changed by transfers that drop the highest bit or convert line
/// ends.
pub const MAGIC: [u8; 8] = *b"\x8aRMBC\r\n\x1a";
/// The major version that is written, and the greatest that is read.
pub const MAJOR_VERSION: u16 = 0;
/// The minor version that is written.
pub const MINOR_VERSION: u16 = 0;

const HEADER_LEN: u64 = 28;
const ENTRY_LEN: u64 = 24;
/// Part of the header that comes before its checksum.
const CHECKED_HEADER_LEN: usize = 24;
const REQUIRED: u16 = 1;

/// The directory of a file, checked, over the borrowed bytes of the file.
///
/// Sections are not touched before they are asked for. `Sync`: threads may share it.
pub struct Container<'a> {
    minor: u16,
    /// In the order of the file.
    sections: Vec<Entry<'a>>,
    /// Indices into `sections`, by kind.
    by_kind: Vec<(u16, usize)>,
}

struct Entry<'a> {
    kind: u16,
    required: bool,
    crc: u32,
    /// Where the file says the section is; `parse` checks it.
    offset: u64,
    len: u64,
    bytes: &'a [u8],
    name: &'static str,
    /// Set once the checksum was found right. The bytes cannot change under a shared borrow, so all that a
    /// race can do is check twice.
    verified: AtomicBool,
}

impl<'a> Container<'a> {
    /// Reads and checks header and directory. `names` knows the caller's sections: it gives the name of a
    /// kind, for errors, and `None` for a kind that the caller does not know.
    ///
    /// Costs O(n log n) for n sections, and nothing for their bytes. Allocates less than 4 bytes for each
    /// byte of the directory.
    ///
    /// # Errors
    /// * [`ErrorKind::NotThisFormat`]: another magic; the message says if the file looks damaged by a transfer
    ///   as text;
    /// * [`ErrorKind::UnknownVersion`]: a newer major version;
    /// * [`ErrorKind::Truncated`]: the file is shorter than it says;
    /// * [`ErrorKind::Checksum`]: header or directory are damaged;
    /// * [`ErrorKind::UnknownSection`]: a required section that `names` does not know;
    /// * [`ErrorKind::Malformed`]: a kind twice, gaps, overlaps, unknown flags, bytes after the last section;
    /// * [`ErrorKind::Limit`]: more than `limits.max_section_count` sections.
    pub fn parse(
        bytes: &'a [u8],
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        let mut header = Reader::new(bytes, "header");
        check_magic(&mut header)?;
        let version = header.clone();
        let (major, minor) = (header.u16_le()?, header.u16_le()?);
        if major > MAJOR_VERSION {
            return Err(version.error(
                ErrorKind::UnknownVersion,
                format!(
                    "the file has format version {major}.{minor}, this build reads versions up to \
                     {MAJOR_VERSION}; a newer build is needed"
                ),
            ));
        }
        let count_place = header.clone();
        let count = u64::from(header.u32_le()?);
        let length_place = header.clone();
        let file_len = header.u64_le()?;
        let crc_place = header.clone();
        let stored = header.u32_le()?;
        check_limit("sections of one file", count, limits.max_section_count)
            .map_err(|error| error.with_offset(count_place.offset()))
            .in_section("header")?;
        let mut directory = header.sub_reader(count.saturating_mul(ENTRY_LEN), "directory")?;
        let checked = bytes.get(..CHECKED_HEADER_LEN).unwrap_or_default();
        let computed = crc32_of_parts([checked, directory.peek_rest()]);
        check_crc(stored, computed, "header and directory", &crc_place)?;
        if (bytes.len() as u64) < file_len {
            return Err(length_place.error(
                ErrorKind::Truncated,
                format!(
                    "the file is cut off: {} bytes of {file_len} are there",
                    bytes.len()
                ),
            ));
        }

        // `sub_reader` has shown that the directory is there: 24 bytes for each entry.
        let mut sections = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        let mut by_kind = Vec::with_capacity(sections.capacity());
        while !directory.is_empty() {
            let place = directory.clone();
            let entry = Entry::read(&mut directory, &mut header, &names)
                .map_err(|error| error.with_offset(place.offset()))
                .in_section("directory")
                .with_context(|| format!("reading directory entry #{}", sections.len()))?;
            by_kind.push((entry.kind, sections.len()));
            sections.push(entry);
        }
        if header.offset() != file_len || !header.is_empty() {
            return Err(header.error(
                ErrorKind::Malformed,
                format!(
                    "the last section ends at byte {}, the file says it ends at {file_len}, and {} \
                     bytes are there",
                    header.offset(),
                    bytes.len()
                ),
            ));
        }
        by_kind.sort_unstable();
        let mut neighbours = by_kind.iter().zip(by_kind.iter().skip(1));
        if let Some((_, &(kind, index))) = neighbours.find(|(a, b)| a.0 == b.0) {
            let place = ENTRY_LEN.saturating_mul(index as u64);
            return Err(Error::at(
                ErrorKind::Malformed,
                place.saturating_add(HEADER_LEN),
                format!("two sections have the kind {kind}"),
            )
            .with_section("directory"));
        }
        Ok(Container {
            minor,
            sections,
            by_kind,
        })
    }

    /// The minor version that the file declares; may be newer than [`MINOR_VERSION`].
    pub fn minor_version(&self) -> u16 {
        self.minor
    }

    /// The section of a kind, or `None` if the file has none. O(log n); reads nothing.
    pub fn section(&self, kind: u16) -> Option<Section<'_, 'a>> {
        let at = self.by_kind.binary_search_by_key(&kind, |&(kind, _)| kind);
        let &(_, index) = self.by_kind.get(at.ok()?)?;
        self.sections.get(index).map(|entry| Section { entry })
    }

    /// [`section`](Container::section), for one that has to be there. `name` is for the error.
    ///
    /// # Errors
    /// [`ErrorKind::MissingSection`].
    pub fn require(&self, kind: u16, name: &'static str) -> Result<Section<'_, 'a>> {
        self.section(kind).ok_or_else(|| {
            Error::new(
                ErrorKind::MissingSection,
                format!("the file has no section '{name}' (kind {kind})"),
            )
        })
    }

    /// All sections, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_, 'a>> {
        self.sections.iter().map(|entry| Section { entry })
    }

    /// Computes the checksums of all sections, also of those that were found right before. With the checks of
    /// [`parse`](Container::parse) that covers every byte of the file. O(bytes).
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] for the first section that is damaged.
    pub fn verify_all(&self) -> Result<()> {
        self.sections().try_for_each(|section| section.verify())
    }
}

impl fmt::Debug for Container<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.sections()).finish()
    }
}

impl<'a> Entry<'a> {
    /// Reads one entry, and moves `file`, which stands at the end of the section before, over the section.
    fn read(
        directory: &mut Reader<'a>,
        file: &mut Reader<'a>,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        let kind = directory.u16_le()?;
        let flags = directory.u16_le()?;
        let crc = directory.u32_le()?;
        let (offset, len) = (directory.u64_le()?, directory.u64_le()?);
        if flags & !REQUIRED != 0 {
            let message = format!("the flags {flags:#06x} of section kind {kind} are not known");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        let required = flags & REQUIRED != 0;
        let name = match names(kind) {
            Some(name) => name,
            None if required => {
                return Err(Error::new(
                    ErrorKind::UnknownSection,
                    format!(
                        "section kind {kind} is required to understand the file, and not known to \
                         this build; a newer build is needed"
                    ),
                ));
            }
            None => "unknown",
        };
        if offset != file.offset() {
            let end = file.offset();
            let message =
                format!("section '{name}' begins at byte {offset}, the one before ends at {end}");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        Ok(Entry {
            kind,
            required,
            crc,
            offset,
            len,
            bytes: file.bytes(len)?,
            name,
            verified: AtomicBool::new(false),
        })
    }
}

/// One section of a [`Container`], by reference.
#[derive(Clone, Copy)]
pub struct Section<'c, 'a> {
    entry: &'c Entry<'a>,
}

impl<'a> Section<'_, 'a> {
    /// The kind, from the directory.
    pub fn kind(&self) -> u16 {
        self.entry.kind
    }

    /// The name that the caller of [`Container::parse`] has for the kind; `unknown` without one.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Whether readers that do not know the kind must refuse the file.
    pub fn is_required(&self) -> bool {
        self.entry.required
    }

    /// Where the section begins, in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.entry.offset
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.entry.len
    }

    /// Whether the section has no bytes.
    pub fn is_empty(&self) -> bool {
        self.entry.len == 0
    }

    /// The stored checksum.
    pub fn crc32(&self) -> u32 {
        self.entry.crc
    }

    /// The bytes, checked. O(bytes) for the first call on a section, O(1) then.
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] if they are damaged.
    pub fn bytes(&self) -> Result<&'a [u8]> {
        if !self.entry.verified.load(Ordering::Relaxed) {
            self.verify()?;
        }
        Ok(self.entry.bytes)
    }

    /// The bytes as they are. For what is handed out without being read, such as resource blobs.
    pub fn bytes_unverified(&self) -> &'a [u8] {
        self.entry.bytes
    }

    /// A reader over the checked bytes, with offsets that count from the start of the file. Costs what
    /// [`bytes`](Section::bytes) costs.
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] if the bytes are damaged.
    pub fn reader(&self) -> Result<Reader<'a>> {
        Ok(Reader::with_base(
            self.bytes()?,
            self.entry.offset,
            self.entry.name,
        ))
    }

    /// Computes the checksum anew. O(bytes).
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] if it differs from the stored one.
    pub fn verify(&self) -> Result<()> {
        let entry = self.entry;
        let start = Reader::with_base(entry.bytes, entry.offset, entry.name);
        check_crc(entry.crc, crc32(entry.bytes), entry.name, &start)?;
        entry.verified.store(true, Ordering::Relaxed);
        Ok(())
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

fn check_crc(stored: u32, computed: u32, what: &str, place: &Reader<'_>) -> Result<()> {
    if stored == computed {
        return Ok(());
    }
    Err(place.error(
        ErrorKind::Checksum,
        format!("the checksum of {what} is {computed:#010x} instead of {stored:#010x}: the file is damaged"),
    ))
}

fn check_magic(header: &mut Reader<'_>) -> Result<()> {
    let rest = header.peek_rest();
    if rest.starts_with(&MAGIC) {
        return header.skip(MAGIC.len() as u64);
    }
    if MAGIC.starts_with(rest) {
        return Err(header.error(
            ErrorKind::Truncated,
            format!(
                "the file is cut off: {} bytes are no whole header",
                rest.len()
            ),
        ));
    }
    // The name survives what the other bytes of the magic are there to detect; a conversion of the first
    // byte to UTF-8 moves it by up to two bytes.
    let mut starts = rest.windows(4).take(4);
    let message = if starts.any(|window| window == b"RMBC") {
        "the first bytes are those of an rmbc file that was damaged, as by a transfer as text"
    } else {
        "the first bytes are not those of an rmbc file"
    };
    Err(header.error(ErrorKind::NotThisFormat, message))
}

#[cfg(test)]
mod tests;
