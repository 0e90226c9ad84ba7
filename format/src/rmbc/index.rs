//! The index of symbols: the chunks of the section of operations, for each symbol name its chunks,
//! and for each symbol the symbols that it refers to.
//!
//! The writer builds it while it writes; a verifying reader builds it again from the operations and
//! compares.

use super::table::Table;
use crate::error::Result;
use crate::varint::write_varint;

/// Consecutive operations of one block, with everything nested in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chunk {
    /// Offset in the content of the section of operations.
    pub offset: u64,
    /// Offset in the content of the section of locations; 0 without that section.
    pub location: u64,
    /// The number of the chunk in which it is nested directly, whose last operation contains it;
    /// `None` if it is a chunk of the top-level operation.
    pub parent: Option<u64>,
    /// The number of chunks nested in it.
    pub inside: u64,
}

/// The index, decoded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// In the order of writing.
    pub chunks: Vec<Chunk>,
    /// For each symbol, in the order of writing, the number of its name and that of its chunk.
    pub names: Vec<(u64, u64)>,
    /// For each symbol that refers to others, in the order of writing: the number of its chunk, its
    /// offset, and the numbers of the attributes that are the symbols it refers to, ascending.
    ///
    /// `None` if an attribute refers to more than [`MAX_REFERENCES`](super::MAX_REFERENCES).
    pub references: Vec<(u64, u64, Option<Vec<u64>>)>,
}

/// Records the chunks on a preorder walk over all operations.
#[derive(Debug, Default)]
pub struct ChunkList {
    chunks: Vec<Chunk>,
    /// The operations that are divided into chunks and were entered and not left: the number of the
    /// chunk that contains them.
    open: Vec<Option<u64>>,
    /// The innermost chunk that was begun and not left.
    current: Option<u64>,
}

impl ChunkList {
    /// Begins a chunk of the operation that was entered last.
    pub fn begin(&mut self, offset: u64, location: u64) {
        self.current = Some(self.chunks.len() as u64);
        self.chunks.push(Chunk {
            offset,
            location,
            parent: self.open.last().copied().flatten(),
            inside: 0,
        });
    }

    /// Enters an operation that is divided into chunks.
    pub fn enter(&mut self) {
        self.open.push(self.current);
    }

    /// Leaves the operation that was entered last.
    pub fn leave(&mut self) {
        self.current = self.open.pop().flatten();
        let Some(around) = self.current else {
            return;
        };
        let last = (self.chunks.len() as u64).saturating_sub(1);
        let slot = usize::try_from(around).ok();
        if let Some(chunk) = slot.and_then(|around| self.chunks.get_mut(around)) {
            chunk.inside = last.saturating_sub(around);
        }
    }

    /// Returns the number of chunks so far.
    pub fn len(&self) -> u64 {
        self.chunks.len() as u64
    }

    /// Returns whether there are no chunks.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Returns the chunks.
    pub fn finish(self) -> Vec<Chunk> {
        self.chunks
    }
}

impl Index {
    /// Encodes the section; no bytes if there are no chunks. The numbers of names have no large
    /// gaps.
    /// O(chunks + symbols + greatest name).
    ///
    /// # Errors
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) for a table of 2 GiB or more.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.chunks.is_empty() {
            return Ok(out);
        }
        let mut chunks = Table::default();
        let mut before = [0; 2];
        for (chunk, number) in self.chunks.iter().zip(0u64..) {
            if chunks.at_block() {
                before = [0; 2];
            }
            let out = chunks.entry();
            let numbers = [chunk.offset, chunk.location];
            for (number, before) in numbers.into_iter().zip(before) {
                write_varint(out, number.saturating_sub(before));
            }
            before = numbers;
            let back = chunk
                .parent
                .map_or(0, |parent| number.saturating_sub(parent));
            write_varint(out, back);
            write_varint(out, chunk.inside);
        }
        chunks.finish(&mut out)?;
        self.encode_names().finish(&mut out)?;
        self.encode_references().finish(&mut out)?;
        Ok(out)
    }

    fn encode_names(&self) -> Table {
        let mut names = Table::default();
        let (ends, chunks) = by_name(&self.names);
        let mut start = 0;
        for end in ends {
            let list = chunks.get(start..end).unwrap_or_default();
            start = end;
            if list.is_empty() {
                continue;
            }
            let out = names.entry();
            let mut before = 0;
            let mut chunks = list.chunk_by(|a, b| a == b).flat_map(<[u64]>::first);
            let mut next = chunks.next();
            while let Some(&chunk) = next {
                next = chunks.next();
                let distance = chunk.saturating_sub(before);
                write_varint(out, distance << 1 | u64::from(next.is_some()));
                before = chunk;
            }
        }
        names
    }

    /// Encodes an entry for each chunk: the length of the rest, and for each symbol that refers to
    /// others its offset in the chunk, less that of the preceding one, and its references: 0 if
    /// they are not listed, else a list.
    fn encode_references(&self) -> Table {
        let mut table = Table::default();
        if self.references.is_empty() {
            return table;
        }
        let mut symbols = self.references.iter().peekable();
        let mut entry = Vec::new();
        for (chunk, number) in self.chunks.iter().zip(0u64..) {
            entry.clear();
            let mut before = chunk.offset;
            while let Some((_, offset, references)) =
                symbols.next_if(|&&(chunk, _, _)| chunk == number)
            {
                write_varint(&mut entry, offset.saturating_sub(before));
                before = *offset;
                let references = references.as_deref().unwrap_or_default();
                write_varint(&mut entry, references.len() as u64);
                let mut next = 0;
                for &reference in references {
                    write_varint(&mut entry, reference.saturating_sub(next));
                    next = reference.saturating_add(1);
                }
            }
            let out = table.entry();
            write_varint(out, entry.len() as u64);
            out.extend_from_slice(&entry);
        }
        table
    }
}

/// Sorts symbols by name in linear time, keeping the order of their chunks.
///
/// Returns the end of the chunks of each name, and the chunks.
fn by_name(names: &[(u64, u64)]) -> (Vec<usize>, Vec<u64>) {
    let place = |name: u64| usize::try_from(name).unwrap_or(usize::MAX);
    let most = names.iter().map(|&(name, _)| place(name)).max();
    let mut ends = vec![0usize; most.map_or(0, |most| most.saturating_add(1))];
    for &(name, _) in names {
        if let Some(count) = ends.get_mut(place(name)) {
            *count = count.saturating_add(1);
        }
    }
    let mut start = 0usize;
    for end in &mut ends {
        start = start.saturating_add(std::mem::replace(end, start));
    }
    let mut chunks = vec![0; names.len()];
    for &(name, chunk) in names {
        if let Some(end) = ends.get_mut(place(name)) {
            if let Some(slot) = chunks.get_mut(*end) {
                *slot = chunk;
            }
            *end = end.saturating_add(1);
        }
    }
    (ends, chunks)
}
