//! Append-only lists that grow through a shared reference.
//!
//! The tables of a [`Context`](crate::Context) grow through `&mut Context`. Parsing the parameters
//! of an attribute or type can need entries that the context does not have yet, and may be asked
//! for through `&Context`, by several threads. Such entries are appended to a list beside the
//! table. They continue the numbers of the table, so their handles are dense and keep their meaning
//! when the table absorbs the list, which it does when it next grows.

use crate::intern::Table;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of slots in the first chunk; each chunk has twice as many slots as the one before.
const FIRST: usize = 16;
/// Enough chunks for more entries than handles can number.
const CHUNKS: usize = 29;

/// An append-only list whose entries never move, so a shared reference can append and lend entries.
///
/// An unused list, the normal case, is one word and has no allocation.
pub(crate) struct LateList<T>(OnceLock<Box<Chunks<T>>>);

struct Chunks<T> {
    chunks: [OnceLock<Box<[OnceLock<T>]>>; CHUNKS],
    /// Taken by whoever appends.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    len: usize,
    /// The entries by their hashes.
    table: Table,
}

/// Returns the chunk of an entry, and the slot in it.
fn place(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2();
    let before = FIRST * ((1 << chunk) - 1);
    (chunk as usize, index - before)
}

impl<T> Chunks<T> {
    fn get(&self, index: usize) -> Option<&T> {
        let (chunk, slot) = place(index);
        self.chunks.get(chunk)?.get()?.get(slot)?.get()
    }

    fn push(&self, state: &mut State, value: T) -> usize {
        let index = state.len;
        let (chunk, slot) = place(index);
        let slots = || (0..FIRST << chunk).map(|_| OnceLock::new()).collect();
        let stored = self.chunks[chunk].get_or_init(slots)[slot].set(value);
        debug_assert!(stored.is_ok(), "a late entry was overwritten");
        state.len += 1;
        index
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> LateList<T> {
    pub(crate) const fn new() -> Self {
        LateList(OnceLock::new())
    }

    /// Returns whether nothing was ever appended.
    #[inline]
    pub(crate) fn is_unused(&self) -> bool {
        self.0.get().is_none()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.get().map_or(0, |chunks| chunks.state().len)
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.0.get()?.get(index)
    }

    /// Returns the index of the entry with that hash for which `is_it` is true.
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(&T) -> bool) -> Option<usize> {
        let chunks = self.0.get()?;
        let state = chunks.state();
        let found = |index| chunks.get(index).is_some_and(&is_it);
        state.table.find(hash, found)
    }

    /// Returns the index of an equal entry, or appends one.
    pub(crate) fn intern(&self, hash: u32, value: T) -> usize
    where
        T: Eq,
    {
        let chunks = self.chunks();
        let mut state = chunks.state();
        let found = |index| chunks.get(index) == Some(&value);
        if let Some(found) = state.table.find(hash, found) {
            return found;
        }
        let index = chunks.push(&mut state, value);
        state.table.insert(hash, index as u32);
        index
    }

    /// Appends an entry that is not looked for by its hash.
    pub(crate) fn push(&self, value: T) -> usize {
        let chunks = self.chunks();
        let mut state = chunks.state();
        chunks.push(&mut state, value)
    }

    fn chunks(&self) -> &Chunks<T> {
        self.0.get_or_init(|| {
            Box::new(Chunks {
                chunks: [const { OnceLock::new() }; CHUNKS],
                state: Mutex::default(),
            })
        })
    }

    /// Takes all entries, in order.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = T> + use<T> {
        let chunks = self.0.take().into_iter();
        chunks
            .flat_map(|chunks| chunks.chunks)
            .filter_map(OnceLock::into_inner)
            .flatten()
            .filter_map(OnceLock::into_inner)
    }
}

impl<T> Default for LateList<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Copies the entries that are there when the lock is taken.
impl<T: Clone> Clone for LateList<T> {
    fn clone(&self) -> Self {
        let copy = LateList::new();
        let Some(chunks) = self.0.get() else {
            return copy;
        };
        let state = chunks.state();
        let mut copied = State::default();
        let into = copy.chunks();
        for value in (0..state.len).filter_map(|index| chunks.get(index)) {
            into.push(&mut copied, value.clone());
        }
        copied.table = state.table.clone();
        drop(state);
        *into.state() = copied;
        copy
    }
}

impl<T> fmt::Debug for LateList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateList").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST, LateList, place};

    #[test]
    fn places_are_dense() {
        let mut expected = Vec::new();
        for chunk in 0..4 {
            expected.extend((0..FIRST << chunk).map(|slot| (chunk, slot)));
        }
        let places: Vec<_> = (0..expected.len()).map(place).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn entries_stay_where_they_are_while_threads_append() {
        let list = LateList::new();
        std::thread::scope(|scope| {
            for start in 0..4u32 {
                let list = &list;
                scope.spawn(move || {
                    for number in (start * 100)..(start * 100 + 200) {
                        let index = list.intern(number % 7, number);
                        assert_eq!(list.get(index), Some(&number));
                    }
                });
            }
        });
        let mut copy = list.clone();
        let mut all: Vec<u32> = copy.take().collect();
        assert_eq!(all.len(), list.len());
        for (index, number) in all.iter().enumerate() {
            assert_eq!(list.find(number % 7, |one| one == number), Some(index));
        }
        all.sort_unstable();
        assert_eq!(all, (0..500).collect::<Vec<_>>());
    }
}
