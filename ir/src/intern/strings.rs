//! Strings of bytes, hash-consed.
//!
//! Most are names of some bytes, and there are as many as symbols in a module: they stand one behind the other instead of
//! being allocated each for itself.

use super::Table;
use foldhash::fast::RandomState;
use std::hash::BuildHasher;

/// How many bytes a chunk has at most.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 16;
/// How many chunks there are at most, 4 GiB; what comes behind is allocated for itself.
const MOST_CHUNKS: usize = 1 << (32 - CHUNK_BITS);

/// Longer strings are allocated for themselves.
const LONGEST: usize = 512;

/// An append-only table of distinct strings, hashed with a random seed as an [`Interner`](super::Interner).
#[derive(Clone, Default)]
pub(crate) struct Strings {
    spans: Vec<Span>,
    /// All but the last are full.
    chunks: Vec<Vec<u8>>,
    long: Vec<Box<[u8]>>,
    table: Table,
    hasher: RandomState,
}

/// Where a string is.
#[derive(Clone, Copy)]
struct Span {
    /// The number of the chunk and, in the lowest bits, the place in it; or the number of a long string.
    start: u32,
    len: u32,
}

/// The length of the spans of long strings.
const LONG: u32 = u32::MAX;

impl Strings {
    /// The index of `string`, which is added if it is new.
    pub(crate) fn intern(&mut self, string: &[u8]) -> usize {
        let hash = self.hash(string);
        match self.find(hash, string) {
            Some(found) => found,
            None => {
                let index = self.spans.len();
                let span = self.push(string);
                self.spans.push(span);
                self.table.insert(hash, index as u32);
                index
            }
        }
    }

    /// The index of `string`, if it is there.
    pub(crate) fn get(&self, string: &[u8]) -> Option<usize> {
        self.find(self.hash(string), string)
    }

    /// The string at `index`.
    #[inline]
    pub(crate) fn item(&self, index: usize) -> &[u8] {
        let Span { start, len } = self.spans[index];
        if len == LONG {
            return &self.long[start as usize];
        }
        let chunk = &self.chunks[(start >> CHUNK_BITS) as usize];
        let start = start as usize % CHUNK;
        &chunk[start..start + len as usize]
    }

    /// Makes room for so many more strings.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.spans.reserve(count);
        self.table.reserve(count);
    }

    fn hash(&self, string: &[u8]) -> u32 {
        self.hasher.hash_one(string) as u32
    }

    #[inline]
    fn find(&self, hash: u32, string: &[u8]) -> Option<usize> {
        self.table.find(hash, |index| self.item(index) == string)
    }

    /// Puts a string where it is kept.
    fn push(&mut self, string: &[u8]) -> Span {
        // One byte stays free, so that each place is below the length of a chunk.
        let is_full = |chunk: &Vec<u8>| chunk.len().saturating_add(string.len()) >= CHUNK;
        let is_last = self.chunks.len() == MOST_CHUNKS;
        if string.len() > LONGEST || is_last && self.chunks.last().is_some_and(is_full) {
            self.long.push(string.into());
            return Span {
                start: (self.long.len() - 1) as u32,
                len: LONG,
            };
        }
        if self.chunks.last().is_none_or(is_full) {
            // The first grows as it is filled: most contexts have few strings.
            let room = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(room));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let start = number << CHUNK_BITS | chunk.len();
        chunk.extend_from_slice(string);
        Span {
            start: start as u32,
            len: string.len() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, LONGEST, Strings};

    #[test]
    fn strings_of_all_lengths_come_back() {
        let mut strings = Strings::default();
        // Enough for several chunks, with lengths around those at which something changes.
        let lens = (0..LONGEST * 2).chain([CHUNK - 1, CHUNK, CHUNK + 1]);
        let texts: Vec<Vec<u8>> = lens.map(|len| vec![(len % 251) as u8; len]).collect();
        let indices: Vec<usize> = texts.iter().map(|text| strings.intern(text)).collect();
        assert_eq!(indices, (0..texts.len()).collect::<Vec<_>>());
        for (&index, text) in indices.iter().zip(&texts) {
            assert_eq!(strings.item(index), text);
            assert_eq!(strings.get(text), Some(index));
            assert_eq!(strings.intern(text), index);
        }
        assert!(strings.chunks.len() > 2);
        assert_eq!(strings.get(b"not there"), None);
    }
}
