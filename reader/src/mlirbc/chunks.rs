//! The bytes of entries: in memory, or read by position one chunk at a time.

use super::places::Places;
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

/// Bytes that were read and where they begin in the section, or why they were not.
type Read = OnceLock<Result<(u64, Source)>>;

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

    /// Returns the bytes of an entry, at `entry` in the section, where `places` has all entries.
    pub(super) fn entry<'a>(
        &'a self,
        places: &Places<'_>,
        entry: Range<u64>,
    ) -> Result<Reader<'a>> {
        let number = entry.start / CHUNK;
        let pair = usize::try_from(number).ok();
        let pair = pair.and_then(|number| self.chunks.get(number));
        let slot = pair.and_then(|pair| pair.get(usize::from(is_long(&entry))));
        let at = self.offset.saturating_add(entry.start);
        let outside = || Error::at(rmlir_format::ErrorKind::Truncated, at, "no such entry");
        let read = slot.ok_or_else(outside)?.get_or_init(|| {
            let run = match is_long(&entry) {
                true => entry.clone(),
                false => run(places, number)?,
            };
            let [start, end] = [run.start, run.end].map(|at| self.offset.saturating_add(at));
            let bytes = self.storage.bytes(start..end, self.name)?;
            Ok((run.start, Source::from(bytes)))
        });
        let (start, bytes) = read.as_ref().map_err(Clone::clone)?;
        let from = usize::try_from(entry.start.saturating_sub(*start)).ok();
        let to = usize::try_from(entry.end.saturating_sub(*start)).ok();
        let bytes = from.zip(to).and_then(|(from, to)| bytes.get(from..to));
        Ok(Reader::with_base(bytes.ok_or_else(outside)?, at, self.name))
    }
}

fn is_long(entry: &Range<u64>) -> bool {
    entry.end.saturating_sub(entry.start) > CHUNK
}

/// Returns where the entries are that begin in a chunk, except for a long one, which is the last.
fn run(places: &Places<'_>, chunk: u64) -> Result<Range<u64>> {
    let first = chunk.saturating_mul(CHUNK);
    let mut run: Option<Range<u64>> = None;
    let part = first..first.saturating_add(CHUNK);
    places.in_part(part, &mut |bytes| {
        let end = if is_long(&bytes) {
            bytes.start
        } else {
            bytes.end
        };
        run = Some(run.as_ref().map_or(bytes.start, |run| run.start)..end);
    })?;
    Ok(run.unwrap_or(first..first))
}
