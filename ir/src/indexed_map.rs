//! A map from the indices of handles to values.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The maximum number of handles for which the table has a slot each from the start.
const FEW_HANDLES: usize = 256;
/// The table is dense if it holds at least one of this number of handles, so it has at most this
/// number of slots for each of them.
const SHARE: usize = 128;

/// Maps the indices of handles, such as [`Attribute::index`](crate::Attribute::index), to values; a
/// handle that is not in the map has the default value.
///
/// The table is *dense*, with a slot for each index, if many handles of their owner are used, and
/// *hashed* if few are: a pass over a whole module pays one comparison per access, and the cost of
/// a pass over a part does not depend on the size of the context. The table is dense if the owner
/// has at most 256 handles, if [`new`](Self::new) expects one handle of 128, or as soon as the map
/// holds one handle of 128. If [`new`](Self::new) expects less than half of the handles, the table
/// has slots from the first to the last used handle only, since the handles of a part of a module
/// often are consecutive. Memory and time are O(handles in the map + expected handles) for any
/// order of access.
///
/// ```
/// use rmlir_ir::IndexedMap;
///
/// // A pass over few operations of a module with a million attributes.
/// let mut seen: IndexedMap<bool> = IndexedMap::new(1_000_000, 10);
/// assert!(!std::mem::replace(seen.get_mut(7_654), true));
/// assert!(seen.get(7_654) && !seen.get(7_655));
/// ```
#[derive(Clone, Debug, Default)]
pub struct IndexedMap<T> {
    /// The index of the first slot.
    first: usize,
    /// The slots: the values of consecutive indices.
    dense: Vec<T>,
    /// The values of other indices.
    hashed: HashMap<u32, T, RandomState>,
    /// Whether the table is dense, with slots that are added on demand.
    grows: bool,
    /// An exclusive upper bound of the indices in the map.
    indices: usize,
}

impl<T: Copy + Default> IndexedMap<T> {
    /// Creates an empty map for an owner with `indices` handles, of which about `expected` will be
    /// used: the number of operations of a module estimates that of its attributes and types. Both
    /// numbers affect only speed.
    ///
    /// Takes O(1) if the default value consists of zero bytes: zeroed pages of the operating system
    /// cost nothing until they are used.
    pub fn new(indices: usize, expected: usize) -> Self {
        let mut map = IndexedMap::default();
        map.reserve(indices, expected);
        map
    }

    /// Prepares an empty map as [`new`](Self::new) does.
    pub(crate) fn reserve(&mut self, indices: usize, expected: usize) {
        self.indices = self.indices.max(indices);
        if indices == 0 || !self.dense.is_empty() || !self.hashed.is_empty() {
            return;
        }
        if indices <= FEW_HANDLES || expected >= indices / 2 {
            self.dense = vec![T::default(); indices];
        } else {
            self.grows = expected >= indices / SHARE;
        }
    }

    /// Returns the value of an index.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        match self.dense.get(index.wrapping_sub(self.first)) {
            Some(&value) => value,
            None => self.get_hashed(index),
        }
    }

    /// Returns a mutable reference to the value of an index, which is added to the map.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> &mut T {
        let at = index.wrapping_sub(self.first);
        if at >= self.dense.len() {
            return self.add(index);
        }
        &mut self.dense[at]
    }

    #[inline(never)]
    fn get_hashed(&self, index: usize) -> T {
        let value = u32::try_from(index)
            .ok()
            .and_then(|key| self.hashed.get(&key));
        value.copied().unwrap_or_default()
    }

    #[inline(never)]
    fn add(&mut self, index: usize) -> &mut T {
        self.indices = self.indices.max(index.saturating_add(1));
        if self.grows {
            self.grow(index);
            return &mut self.dense[index - self.first];
        }
        if self.indices <= FEW_HANDLES || self.hashed.len() >= self.indices / SHARE {
            self.become_dense();
            return &mut self.dense[index];
        }
        // Handles are numbers of 32 bits.
        self.hashed.entry(index as u32).or_default()
    }

    /// Adds slots up to an index, at least doubling their number.
    #[cold]
    fn grow(&mut self, index: usize) {
        if self.dense.is_empty() {
            self.first = index;
        }
        let len = self.dense.len();
        match index.checked_sub(self.first) {
            Some(at) => {
                let rest = self.indices - self.first;
                let len = (at + 1)
                    .max(len.saturating_mul(2))
                    .max(FEW_HANDLES)
                    .min(rest);
                self.dense.resize(len, T::default());
            }
            None => {
                let added = (self.first - index).max(len).min(self.first);
                let slots = std::iter::repeat_n(T::default(), added);
                self.dense.splice(0..0, slots);
                self.first -= added;
            }
        }
    }

    /// Adds a slot for each index, at least doubling their number.
    #[cold]
    fn become_dense(&mut self) {
        let len = self.indices.max(self.dense.len().saturating_mul(2));
        let mut dense = match self.dense.is_empty() {
            true => vec![T::default(); len],
            false => std::mem::take(&mut self.dense),
        };
        dense.resize(len, T::default());
        let values = self.hashed.drain();
        values.for_each(|(index, value)| dense[index as usize] = value);
        self.dense = dense;
    }
}

/// Maps handles to positions in a list.
impl IndexedMap<u32> {
    /// Returns the position of an index, if it has one.
    #[inline]
    pub fn position(&self, index: usize) -> Option<usize> {
        (self.get(index) as usize).checked_sub(1)
    }

    /// Sets the position of an index, which is less than 2<sup>32</sup> - 1.
    #[inline]
    pub fn set_position(&mut self, index: usize, position: usize) {
        *self.get_mut(index) = u32::try_from(position)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW_HANDLES, IndexedMap, SHARE};

    /// In every mode, random accesses have the results of a table with a slot for each index.
    #[test]
    fn dense_and_hashed_maps_are_equal() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for (indices, expected, largest) in [
            (0, 0, 10),
            (0, 0, 50_000),
            (50_000, 0, 50_000),
            (50_000, 50_000, 50_000),
            (1_000, 5, 50_000),
            (300, 300, 50_000),
            (50_000, 0, 2_000),
            (50_000, 1_000, 50_000),
            (1_000, 400, 50_000),
        ] {
            let mut map: IndexedMap<u32> = IndexedMap::new(indices, expected);
            let mut model = vec![0u32; largest];
            for step in 1..8_000 {
                let index = random(largest);
                if step % 3 != 0 {
                    *map.get_mut(index) = step;
                    model[index] = step;
                }
                let other = random(largest);
                assert_eq!(map.get(other), model[other]);
                assert_eq!(map.position(other), (model[other] as usize).checked_sub(1));
            }
            for (index, &value) in model.iter().enumerate() {
                assert_eq!(map.get(index), value);
            }
            assert_eq!(map.get(largest + 7), 0);
        }
    }

    /// The size of a map with few handles does not depend on their owner, and vice versa.
    #[test]
    fn the_size_is_that_of_the_used_part() {
        let mut few: IndexedMap<u32> = IndexedMap::new(1 << 20, 100);
        for number in 0..100 {
            few.set_position(number * 9_999, number);
        }
        assert!(few.dense.is_empty());
        assert_eq!(few.position(99 * 9_999), Some(99));
        assert_eq!(few.position(1), None);
        // Consecutive ones have slots next to each other.
        let mut window: IndexedMap<u32> = IndexedMap::new(1 << 20, 1 << 14);
        for number in (0..1_000).rev().chain(1_000..2_000) {
            window.set_position(500_000 + number, number);
        }
        assert!(window.dense.len() < 5_000);
        assert_eq!(window.position(501_999), Some(1_999));
        assert_eq!(window.position(499_999), None);
        // Nor if the number of handles of the owner is unknown.
        let mut unknown: IndexedMap<u32> = IndexedMap::default();
        for number in 0..100 {
            unknown.set_position(number * 9_999, number);
        }
        assert!(unknown.dense.len() <= FEW_HANDLES);
        for number in 0..(1 << 20) / SHARE + 1 {
            few.set_position(number, number);
        }
        assert_eq!(few.dense.len(), 1 << 20);
        assert!(few.hashed.is_empty());
        assert_eq!(few.position(99 * 9_999), Some(99));
    }
}
