//! What readers of upstream's bytecode read through: bytes in memory, or a file that is read by position.

use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// A cursor over bytes that nobody trusts, wherever they are. It knows which part of which file they are: offsets and errors count
/// from the start of the file. A call that fails leaves the position where it was.
///
/// What has to do with single bytes is called as in [`Reader`].
pub trait Input: Clone + fmt::Debug {
    /// Bytes that were read.
    type Bytes: AsRef<[u8]> + Clone + fmt::Debug;

    /// Offset of the next byte.
    fn offset(&self) -> u64;

    /// The name of the section.
    fn section(&self) -> &'static str;

    /// How many bytes were not read yet.
    fn remaining(&self) -> u64;

    /// The next byte.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] at the end; of a file that is read by position, also what reading it gives.
    fn u8(&mut self) -> Result<u8>;

    /// A varint of mlirbc; see [`prefix_varint`](crate::prefix_varint).
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    fn prefix_varint(&mut self) -> Result<u64>;

    /// Moves over so many bytes, without reading them.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    fn skip(&mut self, count: u64) -> Result<()>;

    /// The next bytes.
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    fn bytes(&mut self, count: u64) -> Result<Self::Bytes>;

    /// The bytes up to the next zero byte, which is read and left out.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if there is none, and those of [`u8`](Self::u8).
    fn until_nul(&mut self) -> Result<Self::Bytes>;

    /// Splits off a cursor over the next bytes, which are not read.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    fn sub_reader(&mut self, len: u64, section: &'static str) -> Result<Self>;

    /// Whether everything was read.
    #[inline]
    fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// A flagged varint of mlirbc: 63 bits of value above one bit of flag.
    ///
    /// # Errors
    /// Those of [`u8`](Self::u8).
    #[inline]
    fn prefix_flagged_varint(&mut self) -> Result<(u64, bool)> {
        self.prefix_varint()
            .map(|value| (value >> 1, value & 1 == 1))
    }

    /// How many items follow, each of so many bytes or more; see [`Reader::prefix_count`].
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
                Err(self.error(
                    ErrorKind::Truncated,
                    format!(
                        "{count} items of at least {min} byte(s) are announced, {left} byte(s) are left"
                    ),
                ))
            }
        }
    }

    /// Checks that everything was read.
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

    /// An error about the next byte: with its offset and the section.
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
