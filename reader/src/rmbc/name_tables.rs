//! Tables of names of values and blocks, by segment and number in it.

use super::events::EventBytes;
use super::segments::Item;
use super::table_views::TableViews;
use super::tables::{Offsets, Tables, read_numbered, table};
use rmlir_format::{Reader, Result};
use rmlir_ir::Identifier;

/// The entries of a table of names, one after the other.
pub(super) struct NameTable<'a> {
    count: usize,
    place: usize,
    pub(super) data: Reader<'a>,
    offsets: Offsets<'a>,
    before: (u64, u64),
    /// The current entry.
    pub(super) entry: NameEntry,
}

/// An entry of a table of names.
#[derive(Clone, Copy, Default)]
pub(super) struct NameEntry {
    /// The segment, and the number of the named item in it.
    pub(super) item: (u64, u64),
    /// The offset of the entry.
    pub(super) at: u64,
    /// The number of the string, and its offset.
    string: (u64, u64),
}

impl<'a> NameTable<'a> {
    /// Reads the head of a table.
    pub(super) fn read(input: &mut Reader<'a>) -> Result<Self> {
        let (count, data, offsets) = table(input)?;
        Ok(NameTable {
            count,
            place: 0,
            data,
            offsets,
            before: (0, 0),
            entry: NameEntry::default(),
        })
    }

    /// Reads the next entry. Returns false after the last one, after which the table must end.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<bool> {
        if self.place == self.count {
            self.data.expect_end()?;
            return Ok(false);
        }
        self.offsets.begin(self.place as u64, &self.data)?;
        self.entry.at = self.data.offset();
        self.entry.item = read_numbered(&mut self.data, self.place, &mut self.before)?;
        let at = self.data.offset();
        self.entry.string = (self.data.varint()?, at);
        self.place = self.place.saturating_add(1);
        Ok(true)
    }

    /// Returns the name of the current entry.
    #[inline]
    pub(super) fn string(&self, tables: &mut Tables<'_>) -> Result<Identifier> {
        let (number, at) = self.entry.string;
        tables.string_at(&self.data, at, number)
    }
}

/// The names of the items that are visited in order. Entries of other items are skipped.
struct NameStream<'a> {
    table: NameTable<'a>,
    /// Whether the table has a current entry, the first one that is not skipped.
    has_entry: bool,
}

impl<'a> NameStream<'a> {
    fn read(input: &mut Reader<'a>) -> Result<Self> {
        let mut table = NameTable::read(input)?;
        let has_entry = table.advance()?;
        Ok(NameStream { table, has_entry })
    }

    /// Returns the name of an item, which follows those that were requested before.
    #[inline]
    fn name(&mut self, tables: &mut Tables<'_>, item: (u64, u64)) -> Result<Option<Identifier>> {
        while self.has_entry && self.table.entry.item < item {
            self.has_entry = self.table.advance()?;
        }
        if !self.has_entry || self.table.entry.item > item {
            return Ok(None);
        }
        let name = self.table.string(tables)?;
        self.has_entry = self.table.advance()?;
        Ok(Some(name))
    }
}

/// The names of the values and blocks that are visited, read as far as they are requested.
pub(super) struct VisitedNames<'a> {
    views: &'a TableViews,
    bytes: &'a EventBytes,
    /// The names of values and those of blocks, once one was requested; `None` in it if the file
    /// has none.
    streams: Option<Option<[NameStream<'a>; 2]>>,
    segment: u64,
    /// The numbers of the first value and block of the segment, counted from the start of the file.
    starts: [u64; 2],
}

impl<'a> VisitedNames<'a> {
    pub(super) fn new(views: &'a TableViews, bytes: &'a EventBytes) -> Self {
        VisitedNames {
            views,
            bytes,
            streams: None,
            segment: 0,
            starts: [0, 0],
        }
    }

    /// Returns the current segment: its number, and those of its first value and block.
    pub(super) fn segment(&self) -> (u64, [u64; 2]) {
        (self.segment, self.starts)
    }

    /// Goes on in a segment of another visit.
    pub(super) fn resume(&mut self, segment: (u64, [u64; 2])) {
        (self.segment, self.starts) = segment;
    }

    /// Begins a segment with the value and the block of these numbers.
    pub(super) fn begin_segment(&mut self, value: u64, block: u64) {
        self.segment = self.segment.saturating_add(1);
        self.starts = [value, block];
    }

    /// Returns whether the file has names.
    fn open(&mut self) -> Result<&mut Option<[NameStream<'a>; 2]>> {
        let streams = match self.streams.take() {
            Some(streams) => streams,
            None => match self.bytes.names(self.views)? {
                Some(mut input) => {
                    let values = NameStream::read(&mut input)?;
                    let blocks = NameStream::read(&mut input)?;
                    input.expect_end()?;
                    Some([values, blocks])
                }
                None => None,
            },
        };
        Ok(self.streams.insert(streams))
    }

    /// Appends the names of `count` values or blocks of the current segment, from the one with the
    /// number `first` on. Appends nothing if the file has no names. Items are requested in order,
    /// each once.
    pub(super) fn append(
        &mut self,
        tables: &mut Tables<'_>,
        (item, first, count): (Item, u64, u64),
        names: &mut Vec<Option<Identifier>>,
    ) -> Result<()> {
        let start = self.starts.get(item as usize).copied().unwrap_or_default();
        let segment = self.segment;
        let streams = self.open()?.as_mut();
        let Some(stream) = streams.and_then(|streams| streams.get_mut(item as usize)) else {
            return Ok(());
        };
        let first = first.saturating_sub(start);
        for number in first..first.saturating_add(count) {
            names.push(stream.name(tables, (segment, number))?);
        }
        Ok(())
    }
}
