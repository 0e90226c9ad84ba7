//! Hash-consing: equal content gets the same handle.

use crate::late_list::LateList;
use foldhash::quality::RandomState;
use std::hash::{BuildHasher, Hash};

/// An append-only table of distinct values.
///
/// The hasher is seeded at random, because the values may come from untrusted input. The hash table
/// is never iterated, so the seed does not affect any output.
///
/// The quality variant of the hash is used: handles are consecutive numbers, and one seed in a
/// hundred of the fast variant maps consecutive numbers to adjacent slots, for which linear probing
/// needs 5 to 17 probes instead of 2 to 4.
#[derive(Clone)]
pub(crate) struct Interner<T> {
    items: Vec<T>,
    table: Table,
    hasher: RandomState,
    /// Values that were interned through a shared reference. Their indices follow those of `items`.
    late: LateList<T>,
    /// Whether `items` has values that were late.
    absorbed: bool,
}

/// A hash table from the hashes of items to their indices: open addressing with linear probing. A
/// hit touches one cache line beside the item, a miss touches nothing else. Items are never
/// removed.
#[derive(Clone, Default)]
pub(crate) struct Table {
    /// The slots: none, or a power of two of which at least a quarter is empty.
    entries: Vec<Entry>,
    len: usize,
}

/// A slot of the table.
#[derive(Clone, Copy)]
struct Entry {
    /// Half of the item's hash. It lets the table grow, and skip other items with the same slot,
    /// without touching the items, which are spread over memory.
    hash: u32,
    index: u32,
}

/// The index that marks an empty slot. Tables of items never get that long.
const EMPTY: u32 = u32::MAX;

impl Table {
    /// Returns the first item with that hash that satisfies `is_it`.
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

    /// Adds an item that is not in the table.
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

    /// Reserves capacity for `count` more items.
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

    /// Rehashes to a larger number of slots, a power of two.
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
            late: LateList::new(),
            absorbed: false,
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// Returns the index of `value`, which is added if it is new.
    pub(crate) fn intern(&mut self, value: T) -> usize {
        let hash = self.hasher.hash_one(&value) as u32;
        match self.find(hash, |item| *item == value) {
            Some(found) => found,
            None => self.push(hash, value),
        }
    }

    /// As [`intern`](Self::intern), but looks the value up without constructing it: `parts` must
    /// hash as the value does, and `is_it` compares.
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

    /// Returns the hash of a value for the methods below.
    pub(crate) fn hash(&self, value: &T) -> u32 {
        self.hasher.hash_one(value) as u32
    }

    /// Returns the index of `value`, given its [`hash`](Self::hash), if it is in the table.
    pub(crate) fn find_hashed(&self, hash: u32, value: &T) -> Option<usize> {
        self.find(hash, |item| item == value)
    }

    /// Appends a value that is not in the table, given its [`hash`](Self::hash).
    pub(crate) fn push_hashed(&mut self, hash: u32, value: T) -> usize {
        self.push(hash, value)
    }

    /// Appends a value that is not there, and is not looked for by its hash: who does this knows
    /// where it is, and has asked [`find_late`](Self::find_late).
    pub(crate) fn push_unsought(&mut self, value: T) -> usize {
        debug_assert!(self.late.is_unused());
        self.items.push(value);
        self.items.len() - 1
    }

    /// The index of a value that is, or was, late: all of these are found by their hashes.
    #[inline]
    pub(crate) fn find_late(&mut self, value: impl FnOnce() -> T) -> Option<usize> {
        match self.absorbed || !self.late.is_unused() {
            true => self.find_absorbed(&value()),
            false => None,
        }
    }

    #[cold]
    fn find_absorbed(&mut self, value: &T) -> Option<usize> {
        self.absorb();
        self.find_hashed(self.hash(value), value)
    }

    /// The index of `value`, which is appended to the late values if it is new.
    pub(crate) fn intern_late(&self, value: T) -> usize {
        let hash = self.hash(&value);
        match self.find_hashed(hash, &value) {
            Some(found) => found,
            None => self.items.len() + self.late.intern(hash, value),
        }
    }

    /// Makes the late values values like the others.
    #[cold]
    fn absorb(&mut self) {
        for value in self.late.take() {
            let hash = self.hash(&value);
            self.table.insert(hash, self.items.len() as u32);
            self.items.push(value);
            self.absorbed = true;
        }
    }

    #[cold]
    fn absorb_and_push(&mut self, hash: u32, value: T) -> usize {
        self.absorb();
        match self.find_hashed(hash, &value) {
            Some(found) => found,
            None => self.push(hash, value),
        }
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
        if !self.late.is_unused() {
            return self.absorb_and_push(hash, value);
        }
        let index = self.items.len();
        self.items.push(value);
        self.table.insert(hash, index as u32);
        index
    }

    /// Returns the value at `index`.
    #[inline]
    #[track_caller]
    pub(crate) fn item(&self, index: usize) -> &T {
        match self.items.get(index) {
            Some(item) => item,
            None => self.late_item(index),
        }
    }

    /// The value at an index that the table does not have. Panics if no late value has it.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn late_item(&self, index: usize) -> &T {
        match self.late.get(index - self.items.len()) {
            Some(item) => item,
            None => &self.items[index],
        }
    }

    /// The values from an index on, in order.
    pub(crate) fn into_items_from(mut self, start: usize) -> impl Iterator<Item = T> {
        self.absorb();
        self.items.into_iter().skip(start)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len() + self.late.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::{AttributeKind, Context, TypeKind};

    /// Tests that a lookup by parts finds a value interned whole, and the reverse.
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
