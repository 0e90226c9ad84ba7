//! Hash-consing: equal content gets the same handle.

use foldhash::quality::RandomState;
use std::hash::{BuildHasher, Hash};

/// An append-only table of distinct values.
///
/// The hasher is seeded at random, since what is interned may come from untrusted input; nothing
/// ever iterates the hash table, so the seed shows in no output.
///
/// The hash is the one of quality: handles count up, and one seed in a hundred of the fast one puts
/// numbers that follow each other side by side, which linear probing pays for with 5 to 17 looks at
/// the table instead of 2 to 4.
#[derive(Clone)]
pub(crate) struct Interner<T> {
    items: Vec<T>,
    table: Table,
    hasher: RandomState,
}

/// The places of items by their hashes: open addressing with linear probing, so that finding one
/// touches one line of memory beside the item, and nothing else if it is not there. Nothing is ever
/// removed.
#[derive(Clone, Default)]
pub(crate) struct Table {
    /// A power of two of them, or none; at least a quarter is empty.
    entries: Vec<Entry>,
    len: usize,
}

/// An item as the table knows it.
#[derive(Clone, Copy)]
struct Entry {
    /// Half of the item's hash, so that a table that grows, or an item that only shares a place
    /// with the one that is looked for, does not touch the items, which are spread over memory.
    hash: u32,
    index: u32,
}

/// The index of an empty entry; no table of items gets that long.
const EMPTY: u32 = u32::MAX;

impl Table {
    /// The first item of a hash that it is.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.entries.get(at)?;
            if entry.index == EMPTY {
                return None;
            }
            if entry.hash == hash && is_it(entry.index as usize) {
                return Some(entry.index as usize);
            }
            at = at.wrapping_add(1) & mask;
        }
    }

    /// Adds an item that is not there.
    pub(crate) fn insert(&mut self, hash: u32, index: u32) {
        self.len = self.len.saturating_add(1);
        if self.len > self.entries.len() / 4 * 3 {
            self.grow();
        }
        self.place(Entry { hash, index });
    }

    fn place(&mut self, entry: Entry) {
        let mask = self.entries.len().wrapping_sub(1);
        let mut at = entry.hash as usize & mask;
        while let Some(slot) = self.entries.get_mut(at) {
            if slot.index == EMPTY {
                *slot = entry;
                return;
            }
            at = at.wrapping_add(1) & mask;
        }
    }

    /// Makes room for so many more items.
    pub(crate) fn reserve(&mut self, count: usize) {
        let needed = self.len.saturating_add(count).saturating_mul(4) / 3;
        if let Some(needed) = needed.checked_next_power_of_two()
            && needed > self.entries.len()
        {
            self.resize(needed);
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.resize(self.entries.len().saturating_mul(2).max(64));
    }

    /// A power of two of entries, more than there are.
    fn resize(&mut self, count: usize) {
        let empty = Entry {
            hash: 0,
            index: EMPTY,
        };
        let before = std::mem::replace(&mut self.entries, vec![empty; count]);
        for entry in before {
            if entry.index != EMPTY {
                self.place(entry);
            }
        }
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            items: Vec::new(),
            table: Table::default(),
            hasher: RandomState::default(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `value`, which is added if it is new.
    pub(crate) fn intern(&mut self, value: T) -> usize {
        let hash = self.hasher.hash_one(&value) as u32;
        match self.find(hash, |item| *item == value) {
            Some(found) => found,
            None => self.push(hash, value),
        }
    }

    /// Like [`intern`](Self::intern) for a value that is looked for without being made: `parts`
    /// hash as it does, `is_it` compares.
    pub(crate) fn intern_parts(
        &mut self,
        parts: impl Hash,
        is_it: impl Fn(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> usize {
        let hash = self.hasher.hash_one(parts) as u32;
        match self.find(hash, is_it) {
            Some(found) => found,
            None => {
                let value = make();
                debug_assert_eq!(hash, self.hasher.hash_one(&value) as u32);
                self.push(hash, value)
            }
        }
    }

    /// What a value is looked for by.
    pub(crate) fn hash(&self, value: &T) -> u32 {
        self.hasher.hash_one(value) as u32
    }

    /// The index of `value` whose [`hash`](Self::hash) is known, if it is there.
    pub(crate) fn find_hashed(&self, hash: u32, value: &T) -> Option<usize> {
        self.find(hash, |item| item == value)
    }

    /// Appends a value that is not there, whose [`hash`](Self::hash) is known.
    pub(crate) fn push_hashed(&mut self, hash: u32, value: T) -> usize {
        self.push(hash, value)
    }

    /// Appends a value that is not there, and is not looked for by its hash: who does this knows
    /// where it is.
    pub(crate) fn push_unsought(&mut self, value: T) -> usize {
        self.items.push(value);
        self.items.len() - 1
    }

    /// The index of `key`, if it is there.
    pub(crate) fn get<Q>(&self, key: &Q) -> Option<usize>
    where
        Q: Hash + Eq + ?Sized,
        T: std::borrow::Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key) as u32;
        self.find(hash, |item| item.borrow() == key)
    }

    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(&T) -> bool) -> Option<usize> {
        self.table.find(hash, |index| is_it(&self.items[index]))
    }

    fn push(&mut self, hash: u32, value: T) -> usize {
        let index = self.items.len();
        self.items.push(value);
        self.table.insert(hash, index as u32);
        index
    }

    /// The value at `index`.
    #[inline]
    pub(crate) fn item(&self, index: usize) -> &T {
        &self.items[index]
    }

    /// The values from an index on, in order.
    pub(crate) fn into_items_from(self, start: usize) -> impl Iterator<Item = T> {
        self.items.into_iter().skip(start)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::{AttributeKind, Context, TypeKind};

    /// What is looked for by its parts is what was made whole, and the other way round.
    #[test]
    fn parts_hash_as_the_whole() {
        let mut context = Context::new();
        for len in 0..4usize {
            let types = [context.i1_type(), context.f32_type(), context.index_type()];
            let inputs = types.get(..len.min(3)).unwrap_or_default();
            let kind = |results: &[_]| TypeKind::Function {
                inputs: inputs.into(),
                results: results.into(),
            };
            let whole = context.try_type(kind(&types)).ok();
            assert_eq!(whole, Some(context.function_type(inputs, &types)));
            let parts = context.function_type(inputs, inputs);
            assert_eq!(context.try_type(kind(inputs)).ok(), Some(parts));
            let names = ["a", "b", "c", "d"].map(|name| context.identifier(name));
            let value = context.unit_attribute();
            let entries: Vec<_> = names.iter().map(|&name| (name, value)).collect();
            let entries = entries.get(..=len).unwrap_or_default();
            let parts = context.sorted_dictionary_of(entries);
            let kind = AttributeKind::Dictionary(entries.into());
            assert_eq!(context.try_attribute(kind).ok(), Some(parts));
        }
    }
}
