//! Reference-counted bytes of a file.

use crate::error::{Result, ResultExt};
use bytes::Bytes;
use std::ops::{Deref, Range};
use std::path::Path;
use std::{fmt, fs};

/// The bytes of a file or a part of them, owned, shared or mapped.
///
/// A clone and a [`slice`](Source::slice) share the bytes; the last one frees them. So modules and
/// blobs do not have lifetime parameters. `Send + Sync`, three or four words wide, O(1) to clone.
///
/// ```
/// use rmlir_format::Source;
/// let source = Source::from(vec![1, 2, 3, 4]);
/// let part = source.slice(1..3).unwrap();
/// drop(source);
/// assert_eq!(part.as_slice(), [2, 3]);
/// ```
#[derive(Clone, Default)]
pub struct Source(pub(crate) Bytes);

impl Source {
    /// Reads a whole file into memory. Later changes of the file have no effect.
    ///
    /// See [`map`](Source::map) for the alternative without a copy.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = fs::read(path).with_context(|| format!("reading '{}'", path.display()))?;
        Ok(Source::from(bytes))
    }

    /// Shares bytes that live as long as the program, as those that were compiled into it. O(1).
    ///
    /// ```
    /// static BYTES: [u8; 3] = [1, 2, 3];
    /// let source = rmlir_format::Source::from_static(&BYTES);
    /// assert_eq!(source.as_ptr(), BYTES.as_ptr());
    /// ```
    pub fn from_static(bytes: &'static [u8]) -> Self {
        Source(Bytes::from_static(bytes))
    }

    /// Returns all bytes. O(1).
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// Returns a part that shares the bytes; `None` if the range is out of bounds. O(1).
    pub fn slice(&self, range: Range<u64>) -> Option<Source> {
        let start = usize::try_from(range.start).ok()?;
        let end = usize::try_from(range.end).ok()?;
        // `Bytes::slice` panics on the ranges that this check refuses.
        self.0.get(start..end)?;
        Some(Source(self.0.slice(start..end)))
    }

    /// Converts to the type of the `bytes` crate. O(1).
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl From<Vec<u8>> for Source {
    /// Takes ownership of the vector. O(1).
    fn from(bytes: Vec<u8>) -> Self {
        Source(Bytes::from(bytes))
    }
}

impl From<&[u8]> for Source {
    /// Copies; [`from_static`](Source::from_static) does not.
    fn from(bytes: &[u8]) -> Self {
        Source(Bytes::copy_from_slice(bytes))
    }
}

impl From<Bytes> for Source {
    /// Shares the bytes. O(1). [`Bytes::from_owner`] makes a `Bytes` from any type that is
    /// `AsRef<[u8]>`.
    fn from(bytes: Bytes) -> Self {
        Source(bytes)
    }
}

impl Deref for Source {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Source {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn all_kinds_of_bytes() {
        let bytes = [1u8, 2, 3];
        for source in [
            Source::from(bytes.to_vec()),
            Source::from(&bytes[..]),
            Source::from(Bytes::from_static(&[1, 2, 3])),
            Source::from(Bytes::from_owner(bytes)),
        ] {
            assert_eq!(source.as_slice(), bytes);
            assert_eq!(source.len(), 3);
            assert_eq!(source.clone().into_bytes(), bytes[..]);
            assert_eq!(format!("{source:?}"), "Source(3 bytes)");
        }
    }

    #[test]
    fn clones_and_slices_share() {
        let source = Source::from(vec![1, 2, 3, 4]);
        let clone = source.clone();
        assert_eq!(source.as_ptr(), clone.as_ptr());
        let slice = source.slice(1..4).unwrap();
        assert_eq!(slice.as_ptr(), source[1..].as_ptr());
        assert_eq!(source.slice(4..4).unwrap().len(), 0);
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "it is what must be refused")]
    fn slices_outside_are_refused() {
        let source = Source::from(vec![1, 2, 3, 4]);
        for range in [0..5, 5..5, 3..2, 0..u64::MAX, u64::MAX..u64::MAX] {
            assert!(source.slice(range.clone()).is_none(), "{range:?}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Source::read("no/such/file.rmbc").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.io_kind(), Some(std::io::ErrorKind::NotFound));
        assert!(
            error
                .to_string()
                .ends_with("while reading 'no/such/file.rmbc'")
        );
    }
}
