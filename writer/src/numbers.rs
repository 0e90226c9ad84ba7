//! Numbers entries in the order of their first use.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rmlir_format::{Error, ErrorKind, Result};
use std::hash::BuildHasher;

/// The number of each handle, by the handle's index.
#[derive(Default)]
pub(crate) struct Numbers {
    /// The index of the first slot. A part of a module refers to few of its context's handles,
    /// which are often consecutive.
    first: usize,
    /// Number + 1; 0 for none, [`ACTIVE`] for a handle that is being written.
    of: Vec<u32>,
}

const ACTIVE: u32 = u32::MAX;

impl Numbers {
    /// Reserves room for `len` handles; more are added on demand.
    pub(crate) fn with_len(len: usize) -> Self {
        // Zeroed pages of the operating system: untouched ones cost nothing.
        Numbers {
            first: 0,
            of: vec![0; len],
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        match self.of.get(index.wrapping_sub(self.first)) {
            None | Some(&(0 | ACTIVE)) => None,
            Some(&number) => Some(number - 1),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, index: usize, number: u32) {
        self.write(index, number + 1);
    }

    /// Marks a handle as being written; returns false if it was marked before.
    pub(crate) fn begin(&mut self, index: usize) -> bool {
        let new = self.of.get(index.wrapping_sub(self.first)) != Some(&ACTIVE);
        self.write(index, ACTIVE);
        new
    }

    #[inline]
    fn write(&mut self, index: usize, value: u32) {
        let mut at = index.wrapping_sub(self.first);
        if at >= self.of.len() {
            at = self.grow(index);
        }
        self.of[at] = value;
    }

    /// Adds slots, at least doubling their number, and returns the position of that of a handle.
    #[cold]
    fn grow(&mut self, index: usize) -> usize {
        if self.of.is_empty() {
            self.first = index;
        }
        match index.checked_sub(self.first) {
            Some(at) => self.of.resize((at + 1).max(self.of.len() * 2), 0),
            None => {
                let added = (self.first - index).max(self.of.len()).min(self.first);
                self.of.splice(0..0, std::iter::repeat_n(0, added));
                self.first -= added;
            }
        }
        index - self.first
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
    fn slots_are_added_at_both_ends() {
        let indices = [1_000_000, 999_999, 1_000_500, 40, 0, 2_000_000, 39];
        for start in [Numbers::default(), Numbers::with_len(3)] {
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
