//! A hash table that finds dictionary attributes by their entries.

use crate::intern::Table;
use crate::{Attribute, NamedAttribute};
use foldhash::quality::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Finds dictionary attributes by their entries.
///
/// Nearly every operation has a dictionary, and most dictionaries are already interned. The entries
/// are duplicated here, contiguously, so that a lookup takes two memory accesses, and dictionaries
/// that were created together are near each other.
#[derive(Clone, Default)]
pub(super) struct DictionaryIndex {
    /// Maps a hash to the index of a dictionary's first word.
    table: Table,
    /// For each dictionary, its length and handle, followed by its entries.
    words: Vec<u64>,
    /// The quality variant of the hasher, for the reason given at
    /// [`Interner`](crate::intern::Interner).
    hasher: RandomState,
}

/// Packs two numbers into one word.
#[inline]
fn word(high: usize, low: usize) -> u64 {
    (high as u64) << 32 | low as u64
}

fn entry_word(&(name, value): &NamedAttribute) -> u64 {
    word(name.index(), value.index())
}

impl DictionaryIndex {
    /// Returns the hash of the entries.
    #[inline]
    pub(super) fn hash(&self, entries: &[NamedAttribute]) -> u32 {
        let mut hasher = self.hasher.build_hasher();
        for entry in entries {
            hasher.write_u64(entry_word(entry));
        }
        hasher.finish() as u32
    }

    /// Returns the dictionary of these entries, whose hash is given, if it exists.
    #[inline]
    pub(super) fn find(&self, hash: u32, entries: &[NamedAttribute]) -> Option<Attribute> {
        let found = self.table.find(hash, |at| {
            let mut known = self.words.iter().skip(at);
            let same_length = known.next().map(|head| head >> 32) == Some(entries.len() as u64);
            same_length
                && entries
                    .iter()
                    .map(entry_word)
                    .eq(known.take(entries.len()).copied())
        })?;
        let head = *self.words.get(found)?;
        Some(Attribute::from_index(head as u32 as usize))
    }

    /// Adds a dictionary that does not exist yet.
    pub(super) fn insert(&mut self, hash: u32, entries: &[NamedAttribute], attribute: Attribute) {
        // Memory is exhausted before the count of words overflows.
        let at = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.words.push(word(entries.len(), attribute.index()));
        self.words.extend(entries.iter().map(entry_word));
        self.table.insert(hash, at);
    }
}
