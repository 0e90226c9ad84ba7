//! [`ReadRange`]: a part of a file that is read by position.

use crate::section::ReadAt;
use std::io;
use std::ops::Range;

/// A range of a file, as a file of its own: a module in an executable, without reading the rest.
///
/// ```
/// use rmlir_format::{ReadAt, ReadRange};
///
/// let part = ReadRange::new(vec![1, 2, 3, 4, 5], 1..4)?;
/// let mut bytes = [0; 2];
/// part.read_exact_at(1, &mut bytes)?;
/// assert_eq!((part.size()?, bytes), (3, [3, 4]));
/// assert!(part.read_exact_at(2, &mut bytes).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReadRange<R> {
    file: R,
    range: Range<u64>,
}

impl<R: ReadAt> ReadRange<R> {
    /// Takes a range of a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before the range does, and any error of
    /// the file's [`size`](ReadAt::size).
    pub fn new(file: R, range: Range<u64>) -> io::Result<Self> {
        if range.start > range.end || range.end > file.size()? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(ReadRange { file, range })
    }
}

impl<R: ReadAt> ReadAt for ReadRange<R> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.range.end.saturating_sub(self.range.start))
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = self.range.start.checked_add(offset);
        let end = start.and_then(|start| start.checked_add(buffer.len() as u64));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.range.end => {
                self.file.read_exact_at(start, buffer)
            }
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
