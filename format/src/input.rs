//! The input of readers of upstream's bytecode: bytes in memory, or a file that is read by
//! position.

use crate::cursor::{Reader, too_many};
use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// A cursor over untrusted bytes, in memory or in a file.
///
/// The cursor knows the offset of the bytes in their file: offsets and errors count from the start
/// of the file. A call that fails leaves the position unchanged.
///
/// Methods that read single bytes have the names of those of [`Reader`].
pub trait Input: Clone + fmt::Debug {
    /// The type of the bytes returned.
    type Bytes: AsRef<[u8]> + Clone + fmt::Debug;

    /// Returns the offset of the next byte.
    fn offset(&self) -> u64;

    /// Returns the name of the section.
    fn section(&self) -> &'static str;

    /// Returns the number of bytes not yet read.
    fn remaining(&self) -> u64;

    /// Reads the next byte.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] at the end; for a file that is read by position, also the errors of
    /// reading it.
    fn u8(&mut self) -> Result<u8>;

    /// Reads a varint of mlirbc; see [`prefix_varint`](crate::prefix_varint).
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    fn prefix_varint(&mut self) -> Result<u64>;

    /// Skips `count` bytes without reading them.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    fn skip(&mut self, count: u64) -> Result<()>;

    /// Reads the next `count` bytes.
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    fn bytes(&mut self, count: u64) -> Result<Self::Bytes>;

    /// Reads the bytes up to the next zero byte, which is consumed but not returned.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if there is none, and those of [`u8`](Self::u8).
    fn until_nul(&mut self) -> Result<Self::Bytes>;

    /// Splits off a cursor over the next `len` bytes, without reading them.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    fn sub_reader(&mut self, len: u64, section: &'static str) -> Result<Self>;

    /// Returns whether all bytes were read.
    #[inline]
    fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Reads a flagged varint of mlirbc: 63 bits of value above one bit of flag.
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    #[inline]
    fn prefix_flagged_varint(&mut self) -> Result<(u64, bool)> {
        self.prefix_varint()
            .map(|value| (value >> 1, value & 1 == 1))
    }

    /// Reads the number of items that follow, each of at least `min_item_bytes` bytes.
    ///
    /// See [`Reader::prefix_count`].
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if they cannot fit, and those of [`u8`](Self::u8).
    fn prefix_count(&mut self, min_item_bytes: usize) -> Result<usize> {
        let before = self.clone();
        let count = self.prefix_varint()?;
        let min = min_item_bytes.max(1);
        match usize::try_from(count) {
            Ok(n)
                if (n as u64)
                    .checked_mul(min as u64)
                    .is_some_and(|n| n <= self.remaining()) =>
            {
                Ok(n)
            }
            _ => {
                let left = self.remaining();
                *self = before;
                Err(self.error(ErrorKind::Truncated, too_many(count, min, left)))
            }
        }
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] with the number of bytes left over.
    fn expect_end(&self) -> Result<()> {
        match self.remaining() {
            0 => Ok(()),
            left => Err(self.error(
                ErrorKind::Malformed,
                format!("{left} byte(s) follow where nothing may"),
            )),
        }
    }

    /// Returns an error about the next byte, with its offset and the section.
    #[cold]
    fn error(&self, kind: ErrorKind, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        Error::at(kind, self.offset(), message).with_section(self.section())
    }
}

impl<'a> Input for Reader<'a> {
    type Bytes = &'a [u8];

    #[inline]
    fn offset(&self) -> u64 {
        Reader::offset(self)
    }

    #[inline]
    fn section(&self) -> &'static str {
        Reader::section(self)
    }

    #[inline]
    fn remaining(&self) -> u64 {
        Reader::remaining(self) as u64
    }

    #[inline]
    fn u8(&mut self) -> Result<u8> {
        Reader::u8(self)
    }

    #[inline]
    fn prefix_varint(&mut self) -> Result<u64> {
        Reader::prefix_varint(self)
    }

    #[inline]
    fn skip(&mut self, count: u64) -> Result<()> {
        Reader::skip(self, count)
    }

    #[inline]
    fn bytes(&mut self, count: u64) -> Result<&'a [u8]> {
        Reader::bytes(self, count)
    }

    fn until_nul(&mut self) -> Result<&'a [u8]> {
        Reader::until_nul(self)
    }

    #[inline]
    fn sub_reader(&mut self, len: u64, section: &'static str) -> Result<Self> {
        Reader::sub_reader(self, len, section)
    }

    #[inline]
    fn prefix_count(&mut self, min_item_bytes: usize) -> Result<usize> {
        Reader::prefix_count(self, min_item_bytes)
    }

    #[inline]
    fn expect_end(&self) -> Result<()> {
        Reader::expect_end(self)
    }
}
