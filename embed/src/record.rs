//! The records in which embedded modules are stored: a header with the name, and the module.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | magic, [`MAGIC`] |
//! | 8 | 2 | version, 1 |
//! | 10 | 1 | content: 1 text, 2 rmbc, 3 mlirbc |
//! | 11 | 1 | binary logarithm of the alignment of the module, 3 to 12 |
//! | 12 | 4 | offset of the module from the start of the record, a multiple of its alignment |
//! | 16 | 8 | length of the module |
//! | 24 | 4 | crc32 of the module |
//! | 28 | 4 | length of the name |
//! | 32 | 4 | crc32 of the bytes 0 to 32 and of the name |
//! | 36 | 4 | zero |
//! | 40 | | name, UTF-8, followed by zeros up to the module |
//!
//! Integers are little-endian. The record ends with the module, followed by zeros up to a multiple
//! of its alignment. Linkers concatenate the sections of objects, with zeros between them, so a
//! section of an executable is a sequence of records and zeros.

use crate::artifact::Content;
use rmlir_format::checksum::{crc32, crc32_of_parts};

/// The first bytes of a record.
pub const MAGIC: [u8; 8] = *b"\x8aRMLIR\r\n";
/// The version that is written and read.
pub const VERSION: u16 = 1;
/// The length of the header without the name.
pub const HEADER: usize = 40;
/// The least alignment of a record, so that headers can be found at multiples of it.
pub const MIN_ALIGNMENT_LOG: u8 = 3;
/// The greatest alignment of a module.
pub const MAX_ALIGNMENT_LOG: u8 = 12;

/// A record at the start of bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// The name of the module.
    pub name: &'a str,
    /// The format of the module.
    pub content: Content,
    /// The binary logarithm of the alignment of the module.
    pub alignment_log: u8,
    /// The offset of the module from the start of the record.
    pub offset: usize,
    /// The bytes of the module.
    pub module: &'a [u8],
    crc: u32,
}

impl<'a> Record<'a> {
    /// Reads the record that `bytes` begin with. O(length of the name): the module is not read.
    ///
    /// Returns `None` if there is none, or its header is damaged or cut off.
    ///
    /// ```
    /// use rmlir_embed::{Content, record::{Record, write}};
    ///
    /// let mut bytes = Vec::new();
    /// write(&mut bytes, "add", Content::Text, b"module {}", 4);
    /// let record = Record::read(&bytes).unwrap();
    /// assert_eq!((record.name, record.module), ("add", &b"module {}"[..]));
    /// assert!(record.is_intact());
    /// ```
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let header = bytes.first_chunk::<HEADER>()?;
        if !header.starts_with(&MAGIC) {
            return None;
        }
        let u32_at = |at: usize| {
            let bytes = header.get(at..)?.first_chunk::<4>()?;
            Some(u32::from_le_bytes(*bytes))
        };
        let version = u16::from_le_bytes(*header.get(8..)?.first_chunk()?);
        let (content, alignment_log) = (*header.get(10)?, *header.get(11)?);
        let offset = usize::try_from(u32_at(12)?).ok()?;
        let len = u64::from_le_bytes(*header.get(16..)?.first_chunk()?);
        let len = usize::try_from(len).ok()?;
        let name_len = usize::try_from(u32_at(28)?).ok()?;
        let content = match content {
            1 => Content::Text,
            2 => Content::Rmbc,
            3 => Content::Mlirbc,
            _ => return None,
        };
        let aligned = (MIN_ALIGNMENT_LOG..=MAX_ALIGNMENT_LOG).contains(&alignment_log)
            && offset.trailing_zeros() >= u32::from(alignment_log);
        let name_end = HEADER.checked_add(name_len)?;
        if version != VERSION || !aligned || name_end > offset {
            return None;
        }
        let name = bytes.get(HEADER..name_end)?;
        if crc32_of_parts([header.get(..32)?, name]) != u32_at(32)? {
            return None;
        }
        Some(Record {
            name: str::from_utf8(name).ok()?,
            content,
            alignment_log,
            offset,
            module: bytes.get(offset..offset.checked_add(len)?)?,
            crc: u32_at(24)?,
        })
    }

    /// Verifies the checksum of the module. O(bytes).
    ///
    /// ```
    /// use rmlir_embed::{Content, record::{Record, write}};
    ///
    /// let mut bytes = Vec::new();
    /// write(&mut bytes, "add", Content::Text, b"module {}", 4);
    /// bytes[48] ^= 1;
    /// assert!(!Record::read(&bytes).unwrap().is_intact());
    /// ```
    pub fn is_intact(&self) -> bool {
        crc32(self.module) == self.crc
    }

    /// Returns the number of bytes of header and module.
    ///
    /// ```
    /// use rmlir_embed::{Content, record::{Record, write}};
    ///
    /// let mut bytes = Vec::new();
    /// write(&mut bytes, "add", Content::Text, b"module {}", 4);
    /// assert_eq!(Record::read(&bytes).unwrap().byte_len(), 48 + 9);
    /// ```
    pub fn byte_len(&self) -> usize {
        self.offset.saturating_add(self.module.len())
    }
}

/// Returns the records in the bytes of a section: all, in order, skipping other bytes in steps of
/// eight. O(bytes between records).
///
/// ```
/// use rmlir_embed::{Content, record};
///
/// let mut section = Vec::new();
/// record::write(&mut section, "a", Content::Text, b"module @a {}", 4);
/// section.extend([0; 64]);
/// record::write(&mut section, "b", Content::Text, b"module @b {}", 4);
/// let names: Vec<&str> = record::records(&section).map(|record| record.name).collect();
/// assert_eq!(names, ["a", "b"]);
/// ```
pub fn records(section: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let step = 1usize << MIN_ALIGNMENT_LOG;
    let mut rest = section;
    std::iter::from_fn(move || {
        loop {
            let record = Record::read(rest);
            let skipped = match &record {
                Some(record) => record.byte_len().next_multiple_of(step),
                None => step,
            };
            rest = rest.get(skipped..).unwrap_or_default();
            if record.is_some() || rest.is_empty() {
                return record;
            }
        }
    })
}

/// Appends a record, with zeros up to a multiple of its alignment. `out` must end at a multiple of
/// it; `alignment_log` is clamped to 3..=12.
///
/// LLVM bitcode has no records; it is stored as text would be, and refused by readers.
///
/// ```
/// use rmlir_embed::{Content, record::write};
///
/// let mut bytes = Vec::new();
/// write(&mut bytes, "add", Content::Text, b"module {}", 6);
/// assert_eq!(bytes.len(), 128);
/// ```
pub fn write(out: &mut Vec<u8>, name: &str, content: Content, module: &[u8], alignment_log: u8) {
    let log = alignment_log.clamp(MIN_ALIGNMENT_LOG, MAX_ALIGNMENT_LOG);
    let alignment = 1usize << log;
    let offset = HEADER
        .saturating_add(name.len())
        .next_multiple_of(alignment);
    let start = out.len();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.push(match content {
        Content::Text => 1,
        Content::Rmbc => 2,
        Content::Mlirbc => 3,
        Content::LlvmBitcode => 0,
    });
    out.push(log);
    out.extend(u32::try_from(offset).unwrap_or(u32::MAX).to_le_bytes());
    out.extend((module.len() as u64).to_le_bytes());
    out.extend(crc32(module).to_le_bytes());
    out.extend(u32::try_from(name.len()).unwrap_or(u32::MAX).to_le_bytes());
    let checked = out.get(start..).unwrap_or_default();
    let crc = crc32_of_parts([checked, name.as_bytes()]);
    out.extend(crc.to_le_bytes());
    out.extend([0; 4]);
    out.extend(name.as_bytes());
    out.resize(start.saturating_add(offset), 0);
    out.extend(module);
    let end = out.len().saturating_sub(start).next_multiple_of(alignment);
    out.resize(start.saturating_add(end), 0);
}
