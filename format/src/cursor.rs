//! A cursor over untrusted bytes.
//!
//! All input is read by a [`Reader`]. It does not panic, it never reserves memory, and its errors
//! have the absolute offset and the section. A call that fails leaves the position unchanged.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;

/// Reads a borrowed slice from front to back.
///
/// A reader knows the offset of the slice in its file: [`offset`](Reader::offset) and all errors
/// count from the start of the file. Every method costs O(1) unless documented otherwise.
///
/// ```
/// use rmlir_format::Reader;
/// let mut reader = Reader::with_base(&[7, 1, 0, 0, 0], 0x100, "example");
/// assert_eq!(reader.u8()?, 7);
/// assert_eq!(reader.u32_le()?, 1);
/// assert_eq!(reader.offset(), 0x105);
/// reader.expect_end()?;
/// # Ok::<(), rmlir_format::Error>(())
/// ```
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// At most `bytes.len()`.
    position: usize,
    base: u64,
    section: &'static str,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a slice that is a whole file: offsets count from its first byte.
    #[inline]
    pub fn new(bytes: &'a [u8], section: &'static str) -> Self {
        Reader::with_base(bytes, 0, section)
    }

    /// Creates a reader of a slice at the file offset `base`. `section` is for errors.
    #[inline]
    pub fn with_base(bytes: &'a [u8], base: u64, section: &'static str) -> Self {
        Reader {
            bytes,
            position: 0,
            base,
            section,
        }
    }

    /// Returns the number of bytes read so far.
    #[inline]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the offset of the next byte, counted from the start of the file.
    #[inline]
    pub fn offset(&self) -> u64 {
        // Saturates only for a `base` that the caller invented.
        self.base.saturating_add(self.position as u64)
    }

    /// Returns the name of the section, as given to the constructor.
    #[inline]
    pub fn section(&self) -> &'static str {
        self.section
    }

    /// Returns the number of bytes not yet read.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Returns whether all bytes were read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Returns the next byte without reading it; `None` at the end.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    /// Returns the bytes not yet read, without reading them.
    #[inline]
    pub fn peek_rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// Skips `n` bytes that the caller has seen in [`peek_rest`](Reader::peek_rest).
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.remaining());
        self.position = self.position.wrapping_add(n);
    }

    /// Reads the next byte.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] at the end.
    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        match self.peek() {
            Some(byte) => {
                self.advance(1);
                Ok(byte)
            }
            None => Err(self.truncated(1)),
        }
    }

    /// Reads the next `N` bytes, by value.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.peek_rest().first_chunk::<N>() {
            Some(chunk) => {
                self.advance(N);
                Ok(*chunk)
            }
            None => Err(self.truncated(N as u64)),
        }
    }

    /// Reads two bytes as a little-endian integer.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn u16_le(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Reads four bytes as a little-endian integer.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn u32_le(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads eight bytes as a little-endian integer.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn u64_le(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads the next `n` bytes, borrowed from the slice. `n` may come straight from the input.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn bytes(&mut self, n: u64) -> Result<&'a [u8]> {
        let split = usize::try_from(n)
            .ok()
            .and_then(|n| self.peek_rest().get(..n));
        match split {
            Some(bytes) => {
                self.advance(bytes.len());
                Ok(bytes)
            }
            None => Err(self.truncated(n)),
        }
    }

    /// Skips `n` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn skip(&mut self, n: u64) -> Result<()> {
        self.bytes(n).map(drop)
    }

    /// Reads all remaining bytes, possibly none.
    #[inline]
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.peek_rest();
        self.position = self.bytes.len();
        rest
    }

    /// Reads the bytes up to the next zero byte, which is consumed but not returned. O(length).
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if there is no zero byte.
    pub fn until_nul(&mut self) -> Result<&'a [u8]> {
        let mut parts = self.peek_rest().splitn(2, |&byte| byte == 0);
        match (parts.next(), parts.next()) {
            (Some(text), Some(_)) => {
                self.advance(text.len().wrapping_add(1));
                Ok(text)
            }
            _ => Err(self.error(
                ErrorKind::Truncated,
                format!(
                    "malformed null-terminated string, no null character found in the {} bytes left",
                    self.remaining()
                ),
            )),
        }
    }

    /// Splits off a reader of the next `len` bytes, for an item that is delimited by its length.
    /// The offsets of the reader count from the start of the same file.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn sub_reader(&mut self, len: u64, section: &'static str) -> Result<Reader<'a>> {
        let base = self.offset();
        Ok(Reader::with_base(self.bytes(len)?, base, section))
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] with the number of bytes left over.
    #[inline]
    pub fn expect_end(&self) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        Err(self.trailing())
    }

    /// Reads a [`varint`](Reader::varint) item count and checks that the items fit in the rest.
    ///
    /// So the caller may reserve memory for all items at once. `min_item_bytes` is the least number
    /// of bytes of an item; 0 counts as 1, because items that take no bytes need a budget instead
    /// of this method.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if the items cannot fit, and the errors of
    /// [`varint`](Reader::varint).
    #[inline]
    pub fn count(&mut self, min_item_bytes: usize) -> Result<usize> {
        let before = self.position;
        let count = self.varint()?;
        self.fitting(before, count, min_item_bytes)
    }

    /// Reads a [`count`](Reader::count) encoded as a [`prefix_varint`](Reader::prefix_varint).
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if the items cannot fit, and the errors of `prefix_varint`.
    #[inline]
    pub fn prefix_count(&mut self, min_item_bytes: usize) -> Result<usize> {
        let before = self.position;
        let count = self.prefix_varint()?;
        self.fitting(before, count, min_item_bytes)
    }

    #[inline]
    fn fitting(&mut self, before: usize, count: u64, min_item_bytes: usize) -> Result<usize> {
        let min = min_item_bytes.max(1);
        // A multiplication instead of a division: this runs once for each list.
        match usize::try_from(count) {
            Ok(n) if n.checked_mul(min).is_some_and(|n| n <= self.remaining()) => Ok(n),
            _ => {
                let left = self.remaining();
                self.position = before;
                Err(self.error(ErrorKind::Truncated, too_many(count, min, left as u64)))
            }
        }
    }

    /// Returns an error about the next byte, with its offset and the section.
    #[cold]
    #[inline(never)]
    pub fn error(
        &self,
        kind: ErrorKind,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Error {
        Error::at(kind, self.offset(), message).with_section(self.section)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn truncated(&self, needed: u64) -> Error {
        self.error(
            ErrorKind::Truncated,
            truncated_message(needed, self.remaining() as u64),
        )
    }

    #[cold]
    #[inline(never)]
    fn trailing(&self) -> Error {
        self.error(
            ErrorKind::Malformed,
            format!("{} byte(s) follow where nothing may", self.remaining()),
        )
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("section", &self.section)
            .field("offset", &self.offset())
            .field("remaining", &self.remaining())
            .finish()
    }
}

/// Returns the message about more items than the remaining bytes can hold.
pub(crate) fn too_many(count: u64, min: usize, left: u64) -> String {
    let end = match left {
        0 => "attempting to parse a byte at the end of the bytecode: ",
        _ => "",
    };
    format!("{end}{count} items of at least {min} byte(s) are announced, {left} byte(s) are left")
}

/// Returns the message of an error about missing bytes. `left` is the number of bytes before the
/// end.
pub(crate) fn truncated_message(needed: u64, left: u64) -> String {
    match (needed, left) {
        (1, 0) => "attempting to parse a byte at the end of the bytecode".to_owned(),
        _ => format!("{needed} byte(s) are needed, {left} are left"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_in_order() {
        let bytes = [
            1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, b'a', b'b', 0, 9, 8,
        ];
        let mut reader = Reader::with_base(&bytes, 100, "test");
        assert_eq!(reader.peek(), Some(1));
        assert_eq!(reader.u8().unwrap(), 1);
        assert_eq!(reader.u16_le().unwrap(), 2);
        assert_eq!(reader.u32_le().unwrap(), 3);
        assert_eq!(reader.u64_le().unwrap(), 4);
        assert_eq!(reader.until_nul().unwrap(), b"ab");
        assert_eq!((reader.position(), reader.offset()), (18, 118));
        assert!(!reader.is_empty());
        assert_eq!(reader.rest(), [9, 8]);
        assert!(reader.is_empty() && reader.peek().is_none());
        assert_eq!(reader.rest(), [0u8; 0]);
        reader.expect_end().unwrap();
    }

    #[test]
    fn failures_name_the_place_and_do_not_move() {
        let mut reader = Reader::with_base(&[1, 2, 3], 0x20, "test");
        reader.skip(1).unwrap();
        for error in [
            reader.u32_le().unwrap_err(),
            reader.u64_le().unwrap_err(),
            reader.bytes(3).unwrap_err(),
            reader.bytes(u64::MAX).unwrap_err(),
            reader.skip(u64::MAX).unwrap_err(),
            reader.sub_reader(3, "inner").unwrap_err(),
            reader.until_nul().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Truncated);
            assert_eq!(
                (error.offset(), error.section()),
                (Some(0x21), Some("test"))
            );
        }
        assert_eq!(reader.remaining(), 2);
        let error = reader.expect_end().unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 byte(s) follow where nothing may (section test, offset 0x21)"
        );
        reader.skip(2).unwrap();
        assert_eq!(reader.u8().unwrap_err().offset(), Some(0x23));
        assert_eq!(reader.until_nul().unwrap_err().kind(), ErrorKind::Truncated);
    }

    #[test]
    fn sub_readers_keep_absolute_offsets() {
        let mut reader = Reader::with_base(&[1, 2, 3, 4], 0x10, "outer");
        reader.skip(1).unwrap();
        let mut inner = reader.sub_reader(2, "inner").unwrap();
        assert_eq!(inner.u8().unwrap(), 2);
        assert_eq!((inner.offset(), inner.position()), (0x12, 1));
        assert_eq!(inner.u16_le().unwrap_err().section(), Some("inner"));
        assert_eq!(reader.u8().unwrap(), 4);
    }

    #[test]
    fn offsets_saturate() {
        let mut reader = Reader::with_base(&[0, 0], u64::MAX, "test");
        reader.skip(1).unwrap();
        assert_eq!(reader.offset(), u64::MAX);
    }

    #[test]
    fn counts_are_checked_against_the_bytes_left() {
        assert_eq!(Reader::new(&[3, 0, 0, 0], "t").count(1).unwrap(), 3);
        assert_eq!(Reader::new(&[3, 0, 0, 0], "t").count(0).unwrap(), 3);
        assert_eq!(Reader::new(&[0], "t").count(usize::MAX).unwrap(), 0);
        assert_eq!(Reader::new(&[7, 0, 0, 0], "t").prefix_count(1).unwrap(), 3);
        let huge = [254, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0];
        for (bytes, min) in [
            (&[3, 0, 0, 0][..], 2),
            (&[4, 0, 0, 0], 0),
            (&[2, 0, 0, 0], usize::MAX),
            (&huge, 1),
        ] {
            let mut reader = Reader::with_base(bytes, 5, "t");
            let error = reader.count(min).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated);
            assert_eq!((error.offset(), reader.position()), (Some(5), 0));
        }
        let error = Reader::new(&[9, 0], "t").prefix_count(1).unwrap_err();
        assert!(error.message().starts_with("4 items of at least 1"));
    }
}
