//! Interned strings, found by their bytes.

use crate::intern::Table;
use crate::late_list::LateList;
use foldhash::quality::RandomState;
use std::hash::BuildHasher;

/// An append-only table of distinct byte strings, numbered in the order of insertion.
///
/// The bytes are stored contiguously: a string needs no allocation of its own, and strings that
/// were added together are near each other.
#[derive(Clone, Default)]
pub(super) struct StringTable {
    bytes: Vec<u8>,
    /// The offsets at which each string begins and ends.
    spans: Vec<(usize, usize)>,
    table: Table,
    /// The quality variant of the hasher, for the reason given at
    /// [`Interner`](crate::intern::Interner).
    hasher: RandomState,
    /// Strings that were added through a shared reference. Their indices follow those of `spans`.
    late: LateList<Box<[u8]>>,
}

impl StringTable {
    /// Returns the index of a string, adding it if it is new.
    #[inline]
    pub(super) fn intern(&mut self, string: &[u8]) -> usize {
        let hash = self.hasher.hash_one(string) as u32;
        match self.find(hash, string) {
            Some(found) => found,
            None => self.push(hash, string),
        }
    }

    /// Returns the index of a string, if it exists.
    pub(super) fn get(&self, string: &[u8]) -> Option<usize> {
        let hash = self.hasher.hash_one(string) as u32;
        self.find(hash, string).or_else(|| {
            let late = self.late.find(hash, |late| **late == *string)?;
            Some(self.spans.len() + late)
        })
    }

    /// Returns the index of a string, which is added to the late ones if it is new.
    pub(super) fn intern_late(&self, string: &[u8]) -> usize {
        let hash = self.hasher.hash_one(string) as u32;
        match self.find(hash, string) {
            Some(found) => found,
            None => self.spans.len() + self.late.intern(hash, string.into()),
        }
    }

    /// Adds the late strings to the others, then this one if it is not among them.
    #[cold]
    fn absorb_and_push(&mut self, hash: u32, string: &[u8]) -> usize {
        for late in self.late.take() {
            self.push(self.hasher.hash_one(&*late) as u32, &late);
        }
        match self.find(hash, string) {
            Some(found) => found,
            None => self.push(hash, string),
        }
    }

    #[inline]
    fn find(&self, hash: u32, string: &[u8]) -> Option<usize> {
        self.table.find(hash, |index| self.item(index) == string)
    }

    fn push(&mut self, hash: u32, string: &[u8]) -> usize {
        if !self.late.is_unused() {
            return self.absorb_and_push(hash, string);
        }
        let index = self.spans.len();
        let start = self.bytes.len();
        self.bytes.extend_from_slice(string);
        self.spans.push((start, self.bytes.len()));
        self.table.insert(hash, index as u32);
        index
    }

    /// Returns the string at `index`.
    #[inline]
    pub(super) fn item(&self, index: usize) -> &[u8] {
        match self.spans.get(index) {
            Some(&(start, end)) => &self.bytes[start..end],
            None => self.late_item(index),
        }
    }

    /// Returns the string at an index that the table does not have. Panics if no late string has
    /// it.
    #[cold]
    #[inline(never)]
    fn late_item(&self, index: usize) -> &[u8] {
        match self.late.get(index - self.spans.len()) {
            Some(string) => string,
            None => {
                let (start, end) = self.spans[index];
                &self.bytes[start..end]
            }
        }
    }

    /// Returns the strings from an index on, in order.
    pub(super) fn items_from(&self, start: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        (start..self.len().max(start)).map(|index| self.item(index))
    }

    /// Returns the number of strings.
    pub(super) fn len(&self) -> usize {
        self.spans.len() + self.late.len()
    }

    /// Reserves capacity for `count` more strings.
    pub(super) fn reserve(&mut self, count: usize) {
        self.spans.reserve(count);
        self.table.reserve(count);
    }
}
