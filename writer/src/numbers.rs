//! Numbers entries in the order of their first use.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::IndexedMap;
use std::hash::BuildHasher;

/// The number of each handle, by the handle's index.
///
/// Stores the number + 1, 0 for none, and [`ACTIVE`] for a handle that is being written.
#[derive(Default)]
pub(crate) struct Numbers(IndexedMap<u32>);

const ACTIVE: u32 = u32::MAX;

impl Numbers {
    /// Creates an empty table for an owner with `len` handles, all of which can be used.
    pub(crate) fn with_len(len: usize) -> Self {
        Numbers::new(len, len)
    }

    /// Creates an empty table for an owner with `len` handles, about `expected` of which are used.
    pub(crate) fn new(len: usize, expected: usize) -> Self {
        Numbers(IndexedMap::new(len, expected))
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        match self.0.get(index) {
            0 | ACTIVE => None,
            number => Some(number - 1),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, index: usize, number: u32) {
        *self.0.get_mut(index) = number + 1;
    }

    /// Marks a handle as being written; returns false if it was marked before.
    pub(crate) fn begin(&mut self, index: usize) -> bool {
        std::mem::replace(self.0.get_mut(index), ACTIVE) != ACTIVE
    }
}

/// Interns entries of a buffer by their bytes.
#[derive(Default)]
pub(crate) struct Shared {
    table: HashTable<(usize, usize, u32)>,
    hasher: RandomState,
}

impl Shared {
    /// Returns the number of an equal earlier entry; else adds the entry as `number`.
    ///
    /// The entry is the bytes of `out` from `start` on.
    pub(crate) fn find_or_add(&mut self, out: &[u8], start: usize, number: u32) -> u32 {
        let bytes = &out[start..];
        let hasher = &self.hasher;
        let entry = self.table.entry(
            hasher.hash_one(bytes),
            |&(from, to, _)| &out[from..to] == bytes,
            |&(from, to, _)| hasher.hash_one(&out[from..to]),
        );
        entry.or_insert((start, out.len(), number)).get().2
    }
}

/// Returns the number after `number`.
///
/// # Errors
/// [`ErrorKind::Limit`] at 2^31, which does not fit in a table of 2 GiB.
#[inline]
pub(crate) fn next(number: u32) -> Result<u32> {
    if number < i32::MAX as u32 {
        return Ok(number + 1);
    }
    Err(too_many())
}

#[cold]
fn too_many() -> Error {
    Error::new(ErrorKind::Limit, "a table would have 2^31 or more entries")
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn a_handle_without_a_number_can_be_marked() {
        let indices = [1_000_000, 999_999, 1_000_500, 40, 0, 2_000_000, 39];
        for start in [
            Numbers::default(),
            Numbers::with_len(3),
            Numbers::new(3_000_000, 3),
        ] {
            let mut numbers = start;
            for (number, &index) in (0..).zip(&indices) {
                assert_eq!(numbers.get(index), None);
                assert!(numbers.begin(index));
                assert!(!numbers.begin(index));
                numbers.set(index, number);
            }
            for (number, &index) in (0..).zip(&indices) {
                assert_eq!(numbers.get(index), Some(number));
                assert_eq!(numbers.get(index + 7), None);
            }
        }
    }
}
