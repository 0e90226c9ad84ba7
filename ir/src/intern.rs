//! Hash-consing: equal content gets the same handle.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

/// An append-only table of distinct values.
///
/// The hasher is seeded at random, since what is interned may come from untrusted input; nothing
/// ever iterates the hash table, so the seed shows in no output.
#[derive(Clone)]
pub(crate) struct Interner<T> {
    items: Vec<T>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            items: Vec::new(),
            table: HashTable::new(),
            hasher: RandomState::default(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `value`, which is added if it is new.
    pub(crate) fn intern(&mut self, value: T) -> usize {
        let hash = self.hasher.hash_one(&value);
        let items = &self.items;
        if let Some(&found) = self.table.find(hash, |&i| items[i as usize] == value) {
            return found as usize;
        }
        self.push(hash, value)
    }

    /// Like [`intern`](Self::intern) for a borrowed form `key` that hashes as `T` does; `make`
    /// builds the value only if it is new.
    pub(crate) fn intern_with<Q>(&mut self, key: &Q, make: impl FnOnce() -> T) -> usize
    where
        Q: Hash + ?Sized,
        T: std::borrow::Borrow<Q>,
        Q: Eq,
    {
        let hash = self.hasher.hash_one(key);
        let items = &self.items;
        if let Some(&found) = self
            .table
            .find(hash, |&i| items[i as usize].borrow() == key)
        {
            return found as usize;
        }
        self.push(hash, make())
    }

    /// The index of `key`, if it is there.
    pub(crate) fn get<Q>(&self, key: &Q) -> Option<usize>
    where
        Q: Hash + Eq + ?Sized,
        T: std::borrow::Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key);
        self.table
            .find(hash, |&i| self.items[i as usize].borrow() == key)
            .map(|&i| i as usize)
    }

    fn push(&mut self, hash: u64, value: T) -> usize {
        let index = self.items.len();
        self.items.push(value);
        let (items, hasher) = (&self.items, &self.hasher);
        self.table
            .insert_unique(hash, index as u32, |&i| hasher.hash_one(&items[i as usize]));
        index
    }

    /// The value at `index`.
    #[inline]
    pub(crate) fn item(&self, index: usize) -> &T {
        &self.items[index]
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}
