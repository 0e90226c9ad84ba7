//! Writes the container; the [parent module](super) describes it.

use super::{ENTRY_LEN, HEADER_LEN, MAGIC, MAJOR_VERSION, MINOR_VERSION, REQUIRED};
use crate::checksum::{crc32, crc32_of_parts};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::check_limit;
use std::borrow::Cow;
use std::io;

/// Puts sections together to a file, in the order in which they are added.
#[derive(Debug, Default)]
pub struct ContainerWriter<'a> {
    sections: Vec<NewSection<'a>>,
    /// Of all sections so far, without header and directory.
    payload_len: u64,
}

#[derive(Debug)]
struct NewSection<'a> {
    kind: u16,
    flags: u16,
    bytes: Cow<'a, [u8]>,
}

impl<'a> ContainerWriter<'a> {
    /// A file without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section that no reader may skip. O(sections so far).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`] if there is one of that kind, [`ErrorKind::Limit`] if the file gets too
    /// long for 64 bits.
    pub fn add_required(&mut self, kind: u16, bytes: impl Into<Cow<'a, [u8]>>) -> Result<()> {
        self.add(kind, REQUIRED, bytes.into())
    }

    /// Adds a section that readers that don't know its kind skip. O(sections so far).
    ///
    /// # Errors
    /// Those of [`add_required`](ContainerWriter::add_required).
    pub fn add_optional(&mut self, kind: u16, bytes: impl Into<Cow<'a, [u8]>>) -> Result<()> {
        self.add(kind, 0, bytes.into())
    }

    fn add(&mut self, kind: u16, flags: u16, bytes: Cow<'a, [u8]>) -> Result<()> {
        if self.sections.iter().any(|section| section.kind == kind) {
            return Err(Error::new(
                ErrorKind::InvalidRequest,
                format!("a file cannot have two sections of kind {kind}"),
            ));
        }
        // Half of the range is room enough for header and directory later on.
        let payload_len = self.payload_len.saturating_add(bytes.len() as u64);
        check_limit("bytes of sections", payload_len, u64::MAX / 2)?;
        self.payload_len = payload_len;
        self.sections.push(NewSection { kind, flags, bytes });
        Ok(())
    }

    /// The number of bytes of the file as it is now.
    pub fn encoded_len(&self) -> u64 {
        self.payload_start().saturating_add(self.payload_len)
    }

    fn payload_start(&self) -> u64 {
        ENTRY_LEN
            .saturating_mul(self.sections.len() as u64)
            .saturating_add(HEADER_LEN)
    }

    /// The bytes of the file: the same for the same sections, always. O(bytes).
    pub fn finish(&self) -> Vec<u8> {
        let mut out = self.head();
        out.reserve_exact(usize::try_from(self.payload_len).unwrap_or(0));
        for section in &self.sections {
            out.extend_from_slice(&section.bytes);
        }
        out
    }

    /// Writes what [`finish`](ContainerWriter::finish) returns, without holding it in memory.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, mut out: impl io::Write) -> Result<()> {
        out.write_all(&self.head())?;
        for section in &self.sections {
            out.write_all(&section.bytes)?;
        }
        Ok(())
    }

    /// Header and directory.
    fn head(&self) -> Vec<u8> {
        let mut directory = Vec::new();
        let mut offset = self.payload_start();
        for section in &self.sections {
            let len = section.bytes.len() as u64;
            directory.extend(section.kind.to_le_bytes());
            directory.extend(section.flags.to_le_bytes());
            directory.extend(crc32(&section.bytes).to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(len.to_le_bytes());
            offset = offset.saturating_add(len);
        }
        let mut head = MAGIC.to_vec();
        head.extend(MAJOR_VERSION.to_le_bytes());
        head.extend(MINOR_VERSION.to_le_bytes());
        // At most one for each kind, of which there are 2^16.
        head.extend((self.sections.len() as u32).to_le_bytes());
        head.extend(offset.to_le_bytes());
        let crc = crc32_of_parts([head.as_slice(), directory.as_slice()]);
        head.extend(crc.to_le_bytes());
        head.extend(directory);
        head
    }
}
