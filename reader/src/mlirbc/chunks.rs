//! The bytes of entries: in memory, or read by position one chunk at a time.

use rmlir_format::{Error, Input, Reader, Result, Source, Storage};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The section of entries.
pub(super) enum Data<'a> {
    /// The whole section in memory.
    Whole(Reader<'a>),
    /// The requested parts of the section.
    Chunks(&'a Chunks),
}

impl<'a> Data<'a> {
    /// How many bytes the section has.
    pub(super) fn len(&self) -> u64 {
        match self {
            Data::Whole(data) => data.remaining() as u64,
            Data::Chunks(chunks) => chunks.len,
        }
    }

    /// Returns an empty reader at the start of the section.
    pub(super) fn section(&self) -> Reader<'a> {
        match self {
            Data::Whole(data) => Reader::with_base(&[], data.offset(), data.section()),
            Data::Chunks(chunks) => Reader::with_base(&[], chunks.offset, chunks.name),
        }
    }
}

/// The size of a chunk: the entries that begin in one are read together, except for an entry that
/// is longer than a chunk.
const CHUNK: u64 = 1 << 13;

/// Bytes that were read, or why they were not.
type Read = OnceLock<Result<Source>>;

/// A section of entries that is read lazily. Chunks that were read are kept.
pub(super) struct Chunks {
    storage: Arc<Storage>,
    offset: u64,
    len: u64,
    name: &'static str,
    /// For each chunk: the entries that begin in it, and separately the last of them if it is long.
    chunks: Vec<[Read; 2]>,
}

impl Chunks {
    /// Those of a section.
    pub(super) fn new(storage: &Arc<Storage>, section: &impl Input) -> Self {
        let len = section.remaining();
        let count = usize::try_from(len / CHUNK).unwrap_or(0).saturating_add(1);
        Chunks {
            storage: storage.clone(),
            offset: section.offset(),
            len,
            name: section.section(),
            chunks: std::iter::repeat_with(Default::default)
                .take(count)
                .collect(),
        }
    }

    /// Returns the bytes of an entry, at `entry` in the section.
    ///
    /// `starts` has the offset of each entry, as in [`Entries`](super::entries::Entries).
    pub(super) fn entry<'a>(&'a self, starts: &[u64], entry: Range<u64>) -> Result<Reader<'a>> {
        let number = entry.start / CHUNK;
        let first = number.saturating_mul(CHUNK);
        let is_long = |entry: &Range<u64>| entry.end.saturating_sub(entry.start) > CHUNK;
        let run = if is_long(&entry) {
            entry.clone()
        } else {
            // All entries that begin in the chunk, up to a long one.
            let end_of_chunk = first.saturating_add(CHUNK);
            let from = starts.partition_point(|start| start >> 1 < first);
            let to = starts.partition_point(|start| start >> 1 < end_of_chunk);
            let at = |entry: usize| starts.get(entry).map_or(self.len, |start| start >> 1);
            let last = at(to.saturating_sub(1))..at(to);
            let end = if is_long(&last) { last.start } else { last.end };
            at(from)..end.max(entry.end)
        };
        let pair = usize::try_from(number).ok();
        let pair = pair.and_then(|number| self.chunks.get(number));
        let slot = pair.and_then(|pair| pair.get(usize::from(is_long(&entry))));
        let at = self.offset.saturating_add(entry.start);
        let outside = || Error::at(rmlir_format::ErrorKind::Truncated, at, "no such entry");
        let slot = slot.ok_or_else(outside)?;
        let bytes = slot.get_or_init(|| {
            let start = self.offset.saturating_add(run.start);
            let end = self.offset.saturating_add(run.end);
            self.storage.bytes(start..end, self.name).map(Source::from)
        });
        let bytes = bytes.as_ref().map_err(Clone::clone)?;
        let from = usize::try_from(entry.start.saturating_sub(run.start)).ok();
        let to = usize::try_from(entry.end.saturating_sub(run.start)).ok();
        let bytes = from.zip(to).and_then(|(from, to)| bytes.get(from..to));
        Ok(Reader::with_base(bytes.ok_or_else(outside)?, at, self.name))
    }
}
