//! The source of the bytes of a file: memory, a map, or an object that is read by position.

use crate::cursor::{Reader, truncated_message};
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::input::Input;
use crate::source::Source;
use bytes::Bytes;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(unix))]
use std::sync::{Mutex, PoisonError};

/// Bytes that are read by position, such as a file that is not mapped, or an object in a store.
pub trait ReadAt: Send + Sync {
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// If the number cannot be determined.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are fewer, and any other error of the
    /// implementation.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// Bytes in memory that are read by position: each read copies.
impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let part = self.get(start..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ReadAt for std::fs::File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    /// Moves the position of the file.
    #[cfg(not(unix))]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

/// The bytes of a file, read lazily: only the requested bytes are read. `Send + Sync`.
pub struct Storage {
    backing: Backing,
    len: u64,
    touched: AtomicU64,
}

enum Backing {
    /// The bytes are in memory, or mapped.
    Memory(Source),
    /// The bytes are read by position.
    Positioned(Arc<dyn ReadAt>),
}

impl Storage {
    /// Creates a storage of bytes that are in memory, or mapped.
    pub fn memory(source: Source) -> Self {
        Storage {
            len: source.len() as u64,
            backing: Backing::Memory(source),
            touched: AtomicU64::new(0),
        }
    }

    /// Creates a storage of bytes that are read by position.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if their number cannot be determined.
    pub fn positioned(bytes: Arc<dyn ReadAt>) -> Result<Self> {
        Ok(Storage {
            len: bytes.size()?,
            backing: Backing::Positioned(bytes),
            touched: AtomicU64::new(0),
        })
    }

    /// Creates a [`positioned`](Self::positioned) storage for the file at a path.
    ///
    /// # Errors
    /// [`ErrorKind::Io`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::positioned(Arc::new(std::fs::File::open(path)?));
        open().with_context(|| format!("opening '{}'", path.display()))
    }

    /// Returns the number of bytes; for bytes read by position, their number when they were opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all bytes, if they are in memory.
    pub fn source(&self) -> Option<&Source> {
        match &self.backing {
            Backing::Memory(source) => Some(source),
            Backing::Positioned(_) => None,
        }
    }

    /// Returns all bytes: shared if they are in memory, else read.
    ///
    /// # Errors
    /// Those of [`bytes`](Self::bytes).
    pub fn read_all(&self) -> Result<Source> {
        match &self.backing {
            Backing::Memory(source) => Ok(source.clone()),
            Backing::Positioned(_) => Ok(Source::from(self.bytes(0..self.len, "file")?)),
        }
    }

    /// Returns the number of bytes requested so far.
    pub fn bytes_touched(&self) -> u64 {
        self.touched.load(Ordering::Relaxed)
    }

    /// Returns the bytes of a range: shared if they are in memory, else read. `section` is for
    /// errors.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`], with offset and section, if the range is out of bounds, or the
    /// file became shorter; [`ErrorKind::Limit`] if the range does not fit in memory;
    /// [`ErrorKind::Io`].
    pub fn bytes(&self, range: Range<u64>, section: &'static str) -> Result<Bytes> {
        let len = range.end.saturating_sub(range.start);
        self.touched.fetch_add(len, Ordering::Relaxed);
        let cut = || {
            let message = format!(
                "bytes {} to {} of the file are not there",
                range.start, range.end
            );
            Error::at(ErrorKind::Truncated, range.start, message).with_section(section)
        };
        match &self.backing {
            Backing::Memory(source) => {
                let part = source.slice(range.clone()).ok_or_else(cut)?;
                Ok(part.into_bytes())
            }
            Backing::Positioned(bytes) => {
                if range.end > self.len {
                    return Err(cut());
                }
                let len = usize::try_from(len).map_err(|_| cut())?;
                let mut buffer = Vec::new();
                if buffer.try_reserve_exact(len).is_err() {
                    let message = format!("{len} bytes do not fit into memory");
                    return Err(
                        Error::at(ErrorKind::Limit, range.start, message).with_section(section)
                    );
                }
                buffer.resize(len, 0);
                match bytes.read_exact_at(range.start, &mut buffer) {
                    Ok(()) => Ok(Bytes::from(buffer)),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(cut()),
                    Err(error) => Err(Error::from(error)
                        .with_offset(range.start)
                        .with_section(section)),
                }
            }
        }
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({} bytes)", self.len)
    }
}

/// The number of bytes that a [`Window`] reads at once, unless more are needed.
const WINDOW: u64 = 1 << 12;
/// The maximum number of bytes of a varint.
const VARINT: u64 = 9;

/// A cursor over the bytes of a [`Storage`]. O(1) to clone.
///
/// It reads some bytes ahead, and does not read the bytes that it skips.
#[derive(Clone)]
pub struct Window {
    storage: Arc<Storage>,
    /// The offset of the next byte.
    offset: u64,
    /// At most the length of the storage.
    end: u64,
    section: &'static str,
    /// The bytes read so far, from `start` on.
    bytes: Bytes,
    start: u64,
}

impl Window {
    /// Creates a cursor over all bytes.
    pub fn new(storage: Arc<Storage>, section: &'static str) -> Self {
        Window {
            end: storage.len(),
            storage,
            offset: 0,
            section,
            bytes: Bytes::new(),
            start: 0,
        }
    }

    /// Returns a reader of at least the next `count` bytes, or of all remaining bytes.
    fn ahead(&mut self, count: u64) -> Result<Reader<'_>> {
        let count = count.min(self.remaining());
        let known = |window: &Self| {
            let from = window.offset.checked_sub(window.start)?;
            let from = usize::try_from(from).ok()?;
            let to = from.checked_add(usize::try_from(count).ok()?)?;
            (to <= window.bytes.len()).then_some(from)
        };
        let from = match known(self) {
            Some(from) => from,
            None => {
                let len = count.max(WINDOW);
                let end = self.offset.saturating_add(len).min(self.storage.len());
                self.bytes = self.storage.bytes(self.offset..end, self.section)?;
                self.start = self.offset;
                0
            }
        };
        let bytes = self.bytes.get(from..).unwrap_or_default();
        let len = usize::try_from(self.remaining()).unwrap_or(usize::MAX);
        let bytes = bytes.get(..len).unwrap_or(bytes);
        Ok(Reader::with_base(bytes, self.offset, self.section))
    }

    /// Returns the next byte, if it was read ahead.
    #[inline]
    fn known(&self) -> Option<u8> {
        if self.offset >= self.end {
            return None;
        }
        let at = self.offset.checked_sub(self.start)?;
        self.bytes.get(usize::try_from(at).ok()?).copied()
    }

    /// Runs `read`, which reads at most `count` bytes.
    #[inline]
    fn within<T>(
        &mut self,
        count: u64,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut reader = self.ahead(count)?;
        let value = read(&mut reader)?;
        self.offset = reader.offset();
        Ok(value)
    }
}

impl Input for Window {
    type Bytes = Bytes;

    fn offset(&self) -> u64 {
        self.offset
    }

    fn section(&self) -> &'static str {
        self.section
    }

    fn remaining(&self) -> u64 {
        self.end.saturating_sub(self.offset)
    }

    #[inline]
    fn u8(&mut self) -> Result<u8> {
        if let Some(byte) = self.known() {
            self.offset = self.offset.saturating_add(1);
            return Ok(byte);
        }
        self.within(1, |reader| reader.u8())
    }

    #[inline]
    fn prefix_varint(&mut self) -> Result<u64> {
        // Most varints have one byte.
        if let Some(byte) = self.known().filter(|byte| byte & 1 == 1) {
            self.offset = self.offset.saturating_add(1);
            return Ok(u64::from(byte >> 1));
        }
        self.within(VARINT, |reader| reader.prefix_varint())
    }

    fn skip(&mut self, count: u64) -> Result<()> {
        if count > self.remaining() {
            let here = Reader::with_base(&[], self.offset, self.section);
            let left = self.remaining();
            let message = truncated_message(count, left);
            return Err(here.error(ErrorKind::Truncated, message));
        }
        self.offset = self.offset.saturating_add(count);
        Ok(())
    }

    fn bytes(&mut self, count: u64) -> Result<Bytes> {
        let start = self.offset;
        self.skip(count)?;
        let known = start
            .checked_sub(self.start)
            .and_then(|from| usize::try_from(from).ok())
            .zip(usize::try_from(count).ok())
            .and_then(|(from, count)| Some(from..from.checked_add(count)?));
        match known.filter(|known| self.bytes.get(known.clone()).is_some()) {
            Some(known) => Ok(self.bytes.slice(known)),
            None => self.storage.bytes(start..self.offset, self.section),
        }
    }

    fn until_nul(&mut self) -> Result<Bytes> {
        let mut count = WINDOW;
        loop {
            let left = self.remaining();
            let found = self.within(count, |reader| reader.until_nul().map(<[u8]>::len));
            match found {
                Ok(len) => {
                    let back = (len as u64).saturating_add(1);
                    self.offset = self.offset.saturating_sub(back);
                    let bytes = self.bytes(len as u64)?;
                    self.skip(1)?;
                    return Ok(bytes);
                }
                Err(error) if count >= left => return Err(error),
                Err(_) => count = count.saturating_mul(4),
            }
        }
    }

    fn sub_reader(&mut self, len: u64, section: &'static str) -> Result<Self> {
        let mut part = self.clone();
        self.skip(len)?;
        part.end = self.offset;
        part.section = section;
        Ok(part)
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window")
            .field("section", &self.section)
            .field("offset", &self.offset)
            .field("remaining", &self.remaining())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmlir_testing::Prng;
    use std::sync::Mutex;

    /// Bytes that may become fewer.
    struct Shrinking(Mutex<Vec<u8>>, u64);

    impl ReadAt for Shrinking {
        fn size(&self) -> io::Result<u64> {
            Ok(self.1)
        }

        fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            self.0.lock().unwrap().read_exact_at(offset, buffer)
        }
    }

    fn positioned(bytes: &[u8]) -> Arc<Shrinking> {
        Arc::new(Shrinking(Mutex::new(bytes.to_vec()), bytes.len() as u64))
    }

    /// One step, and its result.
    fn step<I: Input>(stack: &mut Vec<I>, prng: &mut Prng) -> String {
        let input = stack.last_mut().unwrap();
        let count = match prng.below(4) {
            0 => prng.below(20_000) as u64,
            _ => prng.below(40) as u64,
        };
        let shown = |bytes: &[u8]| format!("{} {:?}", bytes.len(), bytes.first());
        let said = match prng.below(12) {
            0 | 1 => input.u8().map(|byte| byte.to_string()),
            2..=4 => input.prefix_varint().map(|number| number.to_string()),
            5 => input
                .prefix_flagged_varint()
                .map(|pair| format!("{pair:?}")),
            6 => input.prefix_count(3).map(|count| count.to_string()),
            7 => input.skip(count).map(|()| String::new()),
            8 => input.bytes(count).map(|bytes| shown(bytes.as_ref())),
            9 => input.until_nul().map(|bytes| shown(bytes.as_ref())),
            10 => input.sub_reader(count, "inner").map(|inner| {
                stack.push(inner);
                "inside".to_owned()
            }),
            _ => input.expect_end().map(|()| {
                if stack.len() > 1 {
                    stack.pop();
                }
                "outside".to_owned()
            }),
        };
        let said = said.unwrap_or_else(|error| error.to_string());
        let input = stack.last().unwrap();
        let place = (input.section(), input.offset(), input.remaining());
        format!("{said} {place:?} {}", input.is_empty())
    }

    #[test]
    fn windows_are_as_readers() {
        for seed in 0..300 {
            let mut prng = Prng::new(seed);
            let len = prng.below(30_000);
            let bytes: Vec<u8> = (0..len)
                .map(|_| prng.next_u64() as u8 | (prng.below(4) > 0) as u8)
                .collect();
            let storage = Storage::positioned(positioned(&bytes)).unwrap();
            let mut windows = vec![Window::new(Arc::new(storage), "outer")];
            let mut readers = vec![Reader::new(&bytes, "outer")];
            let mut other = Prng::new(seed);
            prng = Prng::new(seed);
            for _ in 0..200 {
                let expected = step(&mut readers, &mut prng);
                assert_eq!(step(&mut windows, &mut other), expected, "seed {seed}");
                // At the end of an inner range, continue with the enclosing one.
                if readers.len() > 1 && Input::is_empty(&readers[readers.len() - 1]) {
                    readers.pop();
                    windows.pop();
                }
            }
        }
    }

    #[test]
    fn what_is_gone_is_an_error() {
        let bytes = vec![1; 3 * WINDOW as usize];
        let file = positioned(&bytes);
        let storage = Arc::new(Storage::positioned(file.clone()).unwrap());
        let mut window = Window::new(storage.clone(), "test");
        window.skip(WINDOW / 2).unwrap();
        window.u8().unwrap();
        file.0.lock().unwrap().truncate(WINDOW as usize);
        // Bytes that were read ahead are still available.
        window.bytes(WINDOW / 2 - 1).unwrap();
        window.skip(WINDOW).unwrap();
        let at = window.offset();
        let error = window.u8().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Truncated);
        assert_eq!((error.offset(), error.section()), (Some(at), Some("test")));
        assert_eq!(window.offset(), at);
        assert!(storage.read_all().is_err() && storage.source().is_none());
        assert_eq!(storage.len(), bytes.len() as u64);
    }
}
