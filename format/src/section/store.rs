//! Lazily read sections of a file: only requested pages are read.

use super::directory::{self, Placed};
use super::pages::{check_page, decompress};
use super::{PAGE, page_crc, page_len};
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::limits::Limits;
use crate::source::Source;
use crate::storage::{ReadAt, Storage};
use bytes::Bytes;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The number of bytes of read or decompressed pages that are cached.
const KEPT: usize = 256 * PAGE;
/// The number of bytes of the first read, for header and directory.
const FIRST_READ: u64 = 1 << 12;

/// A file whose sections are read a page at a time: the container of a lazy reader.
///
/// A page is checked on first access. `Send + Sync`. Parts of files in memory are shared, not
/// copied, unless they are compressed.
pub struct Store {
    storage: Storage,
    has_dictionary: bool,
    sections: Vec<Entry>,
    by_kind: Vec<(u16, usize)>,
    /// Checksums of pages are not verified.
    trusted: bool,
    cache: Mutex<Cache>,
}

/// Cached pages that were read or decompressed, the oldest first.
#[derive(Default)]
struct Cache {
    pages: HashMap<(usize, u64), Bytes>,
    order: VecDeque<(usize, u64)>,
    /// The total length of all pages.
    len: usize,
}

struct Entry {
    kind: u16,
    required: bool,
    name: &'static str,
    alignment: Option<u32>,
    /// The offset of its first page in the file.
    offset: u64,
    len: u64,
    data: Data,
}

enum Data {
    Bundled(Bytes),
    Raw {
        /// By page: whether it was checked.
        checked: Mutex<Vec<u64>>,
    },
    Compressed {
        stored: u64,
        /// By page: its offset among the stored ones, and its checksum; then the end of the last
        /// one.
        table: OnceLock<Result<Vec<(u64, u32)>>>,
    },
}

impl Store {
    /// Opens a file in memory, or mapped. O(1) except for the bundle of small sections.
    ///
    /// # Errors
    /// Those of [`Container::parse`](super::Container::parse).
    pub fn new(
        source: Source,
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        Self::read(Storage::memory(source), limits, &names)
    }

    /// Opens a file that is read by position.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`ErrorKind::Io`].
    pub fn positioned(
        bytes: Arc<dyn ReadAt>,
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        Self::read(Storage::positioned(bytes)?, limits, &names)
    }

    /// Opens the file at a path as [`positioned`](Self::positioned).
    ///
    /// # Errors
    /// Those of [`positioned`](Self::positioned).
    pub fn open(
        path: impl AsRef<Path>,
        limits: &Limits,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::positioned(Arc::new(std::fs::File::open(path)?), limits, &names);
        open().with_context(|| format!("opening '{}'", path.display()))
    }

    fn read(
        storage: Storage,
        limits: &Limits,
        names: &dyn Fn(u16) -> Option<&'static str>,
    ) -> Result<Self> {
        // The version is not known yet.
        let len = storage.len();
        let mut first = storage.bytes(0..len.min(FIRST_READ), "header")?;
        // The directory tells how long the bundle is.
        while let Some(end) = directory::head_len(&first).map(|end| end.min(len))
            && end > first.len() as u64
        {
            first = storage.bytes(0..end, "header")?;
        }
        let head = directory::head(&first, len, limits)?;
        let mut store = Store {
            storage,
            has_dictionary: head.has_dictionary,
            sections: Vec::new(),
            by_kind: Vec::new(),
            trusted: false,
            cache: Mutex::default(),
        };
        let mut end = head.end;
        let mut entries: Vec<(u64, Entry)> = Vec::new();
        if let Some((place, content)) = &head.bundle {
            let parts = directory::bundle(content, head.bundle_offset, &|kind| names(kind));
            for part in directory::in_entry(parts, *place, 0)? {
                entries.push((
                    *place,
                    Entry {
                        kind: part.kind,
                        required: part.required,
                        name: part.name,
                        alignment: None,
                        offset: part.offset,
                        len: part.bytes.len() as u64,
                        data: Data::Bundled(part.bytes),
                    },
                ));
            }
        }
        for (placed, number) in head.sections.iter().zip(u64::from(head.bundle.is_some())..) {
            let read = store.place(placed, &mut end, names);
            let entry = directory::in_entry(read, placed.place, number)?;
            entries.push((placed.place, entry));
        }
        directory::check_end(end, head.file_len, len)?;
        let kinds = entries.iter().map(|(place, entry)| (entry.kind, *place));
        store.by_kind = directory::by_kind(kinds)?;
        store.sections = entries.into_iter().map(|(_, entry)| entry).collect();
        Ok(store)
    }

    /// Determines the location of a section, and advances `end` past it.
    fn place(
        &self,
        placed: &Placed,
        end: &mut u64,
        names: &dyn Fn(u16) -> Option<&'static str>,
    ) -> Result<Entry> {
        let padding = placed.padding(*end);
        let offset = end.saturating_add(padding);
        if padding > 0 {
            directory::check_padding(&self.bytes(*end..offset, "directory")?)?;
        }
        let pages = placed
            .len
            .div_ceil(page_len(placed.stored.is_some()) as u64);
        let width = if placed.stored.is_some() { 8 } else { 4 };
        let stored = placed.stored.unwrap_or(placed.len);
        let table = pages.saturating_mul(width);
        *end = offset.saturating_add(stored).saturating_add(table);
        if *end > self.storage.len() {
            let message = format!(
                "the section ends at byte {end}, the file at {}",
                self.storage.len()
            );
            return Err(Error::at(ErrorKind::Truncated, offset, message));
        }
        Ok(Entry {
            kind: placed.kind,
            required: placed.required,
            name: directory::known(placed.kind, placed.required, &|kind| names(kind))?,
            alignment: placed.alignment,
            offset,
            len: placed.len,
            data: match placed.stored {
                None => Data::Raw {
                    checked: Mutex::default(),
                },
                Some(stored) => Data::Compressed {
                    stored,
                    table: OnceLock::new(),
                },
            },
        })
    }

    /// Disables checksum verification of pages, for trusted files.
    ///
    /// Damage then leads to an error or a different module, never to anything worse.
    pub fn trust(&mut self) {
        self.trusted = true;
    }

    /// Returns whether the file names the [`dictionary`](crate::rmbc::dictionary).
    pub fn has_dictionary(&self) -> bool {
        self.has_dictionary
    }

    /// Hides the section of a kind from [`section`](Self::section) from now on.
    pub fn hide(&mut self, kind: u16) {
        self.by_kind.retain(|&(known, _)| known != kind);
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.storage.len()
    }

    /// Returns the whole file, if it is in memory.
    pub fn source(&self) -> Option<&Source> {
        self.storage.source()
    }

    /// Returns all bytes of the file: shared if they are in memory, else read.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if the file became shorter, [`ErrorKind::Io`].
    pub fn read_all(&self) -> Result<Source> {
        self.storage.read_all()
    }

    /// Returns the number of bytes of the file read so far, in whole pages.
    pub fn bytes_touched(&self) -> u64 {
        self.storage.bytes_touched()
    }

    /// Returns the section of a kind, if the file has one. O(log n); reads nothing.
    pub fn section(&self, kind: u16) -> Option<StoredSection<'_>> {
        let at = self.by_kind.binary_search_by_key(&kind, |&(kind, _)| kind);
        let &(_, number) = self.by_kind.get(at.ok()?)?;
        let entry = self.sections.get(number)?;
        Some(StoredSection {
            store: self,
            number,
            entry,
        })
    }

    /// Returns all sections, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = StoredSection<'_>> {
        self.sections
            .iter()
            .enumerate()
            .map(|(number, entry)| StoredSection {
                store: self,
                number,
                entry,
            })
    }

    /// Checks all sections. O(bytes).
    ///
    /// # Errors
    /// Those of [`StoredSection::range`].
    pub fn verify(&self) -> Result<()> {
        for section in self.sections() {
            let pages = section.len().div_ceil(self.page_len(section.entry));
            for page in 0..pages {
                self.check(section.number, section.entry, page)?;
            }
        }
        Ok(())
    }

    /// Returns the bytes of a range of the file.
    fn bytes(&self, range: Range<u64>, name: &'static str) -> Result<Bytes> {
        self.storage.bytes(range, name)
    }

    /// Returns the number of content bytes of each page of a section, except for the last one.
    fn page_len(&self, entry: &Entry) -> u64 {
        let is_compressed = matches!(entry.data, Data::Compressed { .. });
        page_len(is_compressed) as u64
    }

    /// Returns the page of a section that contains a byte.
    fn page_of(&self, entry: &Entry, at: u64) -> u64 {
        // Pages are never empty.
        at.checked_div(self.page_len(entry)).unwrap_or_default()
    }

    /// Returns a range of the content of a section; `None` if it is out of bounds.
    fn section_range(
        &self,
        number: usize,
        entry: &Entry,
        range: Range<u64>,
    ) -> Result<Option<Bytes>> {
        if range.start > range.end || range.end > entry.len {
            return Ok(None);
        }
        let page_len = self.page_len(entry);
        let pages = self.page_of(entry, range.start)..range.end.div_ceil(page_len);
        let is_memory = self.storage.source().is_some();
        match &entry.data {
            Data::Bundled(bytes) => Ok(cut(bytes, &range)),
            Data::Raw { .. } if is_memory => {
                for page in pages {
                    self.check(number, entry, page)?;
                }
                let start = entry.offset.saturating_add(range.start);
                let end = entry.offset.saturating_add(range.end);
                Ok(self
                    .source()
                    .and_then(|source| source.slice(start..end))
                    .map(Source::into_bytes))
            }
            _ => {
                let base = pages.start.saturating_mul(page_len);
                let within = range.start.saturating_sub(base)..range.end.saturating_sub(base);
                if pages.end.saturating_sub(pages.start) == 1 {
                    return Ok(cut(&self.page(number, entry, pages.start)?, &within));
                }
                let mut all = Vec::new();
                for page in pages {
                    all.extend_from_slice(&self.page(number, entry, page)?);
                }
                Ok(cut(&Bytes::from(all), &within))
            }
        }
    }

    /// Checks a page, unless it was checked before.
    fn check(&self, number: usize, entry: &Entry, page: u64) -> Result<()> {
        let Data::Raw { checked } = &entry.data else {
            return match &entry.data {
                Data::Bundled(_) => Ok(()),
                _ => self.page(number, entry, page).map(drop),
            };
        };
        let (word, bit) = ((page / 64) as usize, 1u64 << (page % 64));
        let known = |words: &Vec<u64>| words.get(word).is_some_and(|word| word & bit != 0);
        if known(&checked.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(());
        }
        self.raw_page(entry, page)?;
        let mut words = checked.lock().unwrap_or_else(PoisonError::into_inner);
        if words.len() <= word {
            words.resize(word.saturating_add(1), 0);
        }
        if let Some(word) = words.get_mut(word) {
            *word |= bit;
        }
        Ok(())
    }

    /// Returns an uncompressed page, checked.
    fn raw_page(&self, entry: &Entry, page: u64) -> Result<Bytes> {
        let page_len = self.page_len(entry);
        let start = page.saturating_mul(page_len);
        let len = entry.len.saturating_sub(start).min(page_len);
        let at = entry.offset.saturating_add(start);
        let bytes = self.bytes(at..at.saturating_add(len), entry.name)?;
        if !self.trusted {
            let table = entry.offset.saturating_add(entry.len);
            let crc = table.saturating_add(page.saturating_mul(4));
            let crc = self.bytes(crc..crc.saturating_add(4), entry.name)?;
            let crc = Reader::new(&crc, entry.name).u32_le()?;
            let computed = page_crc(entry.kind, page, [&*bytes]);
            check_page(crc, computed, at, entry.name)?;
        }
        Ok(bytes)
    }

    /// Returns the content of a page, checked.
    fn page(&self, number: usize, entry: &Entry, page: u64) -> Result<Bytes> {
        let key = (number, page);
        let locked = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = locked().pages.get(&key) {
            return Ok(bytes.clone());
        }
        let bytes = match &entry.data {
            Data::Bundled(bytes) => bytes.clone(),
            Data::Raw { .. } => self.raw_page(entry, page)?,
            Data::Compressed { stored, table } => {
                let table = table.get_or_init(|| self.table(entry, *stored));
                let table = table.as_ref().map_err(Clone::clone)?;
                let at = usize::try_from(page).unwrap_or(usize::MAX);
                let frame = table.get(at).zip(table.get(at.saturating_add(1)));
                let Some((&(start, crc), &(end, _))) = frame else {
                    return Err(Error::at(
                        ErrorKind::Truncated,
                        entry.offset,
                        "no such page",
                    ));
                };
                let place = entry.offset.saturating_add(start);
                let end = entry.offset.saturating_add(end);
                let frame = self.bytes(place..end, entry.name)?;
                if !self.trusted {
                    let computed = page_crc(entry.kind, page, [&*frame]);
                    check_page(crc, computed, place, entry.name)?;
                }
                let page_len = self.page_len(entry);
                let before = page.saturating_mul(page_len);
                let len = entry.len.saturating_sub(before).min(page_len);
                let first = match page > 0 {
                    true => self.page(number, entry, 0)?,
                    false => Bytes::new(),
                };
                let mut out = Vec::new();
                decompress(&frame, &first, len as usize, (place, entry.name), &mut out)?;
                Bytes::from(out)
            }
        };
        let mut cache = locked();
        if cache.pages.insert(key, bytes.clone()).is_none() {
            cache.order.push_back(key);
            cache.len = cache.len.saturating_add(bytes.len());
            while cache.len > KEPT
                && let Some(oldest) = cache.order.pop_front()
            {
                let dropped = cache.pages.remove(&oldest);
                let len = dropped.map_or(0, |bytes| bytes.len());
                cache.len = cache.len.saturating_sub(len);
            }
        }
        Ok(bytes)
    }

    /// Reads the table of pages that may be compressed.
    fn table(&self, entry: &Entry, stored: u64) -> Result<Vec<(u64, u32)>> {
        let pages = entry.len.div_ceil(self.page_len(entry));
        let start = entry.offset.saturating_add(stored);
        let end = start.saturating_add(pages.saturating_mul(8));
        let bytes = self.bytes(start..end, entry.name)?;
        let mut input = Reader::with_base(&bytes, start, entry.name);
        let mut table = Vec::new();
        let mut offset = 0u64;
        for _ in 0..pages {
            let at = input.offset();
            let len = input.u32_le()?;
            table.push((offset, input.u32_le()?));
            offset = offset.saturating_add(len.into());
            if offset > stored {
                let message = format!("a page ends at byte {offset} of {stored}");
                return Err(Error::at(ErrorKind::Truncated, at, message).with_section(entry.name));
            }
        }
        if offset != stored {
            let message = format!(
                "{} bytes follow the last page",
                stored.saturating_sub(offset)
            );
            return Err(Error::at(ErrorKind::Malformed, start, message).with_section(entry.name));
        }
        table.push((offset, 0));
        Ok(table)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.sections.iter().map(|entry| entry.name);
        f.debug_list().entries(names).finish()
    }
}

/// A section of a [`Store`].
#[derive(Clone, Copy)]
pub struct StoredSection<'s> {
    store: &'s Store,
    number: usize,
    entry: &'s Entry,
}

impl StoredSection<'_> {
    /// Returns the kind, from the directory.
    pub fn kind(&self) -> u16 {
        self.entry.kind
    }

    /// Returns whether readers that do not know the kind must refuse the file.
    pub fn is_required(&self) -> bool {
        self.entry.required
    }

    /// Returns the name of the kind; `unknown` without one.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns the offset of the section, in bytes from the start of the file.
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

    /// Returns the binary logarithm of its alignment, if it has one.
    pub fn alignment_log(&self) -> Option<u32> {
        self.entry.alignment
    }

    /// Returns a range of the content, checked. O(bytes of the pages not touched before).
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] if a page is damaged, [`ErrorKind::Malformed`] if the content of a
    /// page is not valid after decompression, [`ErrorKind::Truncated`] if the range is out of
    /// bounds, or the file became shorter.
    pub fn range(&self, range: Range<u64>) -> Result<Source> {
        let (start, end) = (range.start, range.end);
        let bytes = self.store.section_range(self.number, self.entry, range)?;
        bytes.map(Source).ok_or_else(|| {
            let message = format!(
                "the bytes {start} to {end} are not in the {} of the section",
                self.entry.len
            );
            let place = self.entry.offset.saturating_add(start);
            Error::at(ErrorKind::Truncated, place, message).with_section(self.entry.name)
        })
    }

    /// Returns the whole content, checked.
    ///
    /// # Errors
    /// Those of [`range`](Self::range).
    pub fn all(&self) -> Result<Source> {
        self.range(0..self.entry.len)
    }

    /// Returns a range of the bytes in memory, unchecked; `None` if compressed or not in memory.
    ///
    /// For content that is handed out without being read.
    pub fn unverified(&self, range: Range<u64>) -> Option<Source> {
        match (&self.entry.data, self.store.source()) {
            (Data::Bundled(bytes), _) => cut(bytes, &range).map(Source),
            (Data::Raw { .. }, Some(source)) if range.end <= self.entry.len => {
                let start = self.entry.offset.saturating_add(range.start);
                let end = self.entry.offset.saturating_add(range.end);
                source.slice(start..end)
            }
            _ => None,
        }
    }
}

/// Returns a part of some bytes, which shares them.
fn cut(bytes: &Bytes, range: &Range<u64>) -> Option<Bytes> {
    let start = usize::try_from(range.start).ok()?;
    let end = usize::try_from(range.end).ok()?;
    bytes.get(start..end)?;
    Some(bytes.slice(start..end))
}
