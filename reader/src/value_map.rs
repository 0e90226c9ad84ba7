//! A map from values of a visit.

use crate::events::ValueId;
use std::collections::HashMap;
use std::fmt;

/// The number of values of a page.
const PAGE: usize = 64;
/// The number of pages that a table can have.
const MAX_PAGES: usize = 1 << 26;

/// A map from the values of a [`Visitor`](crate::events::Visitor) to facts that later events need.
///
/// All methods take O(1). Values are numbered almost in the order in which they are visited:
/// memory is linear in those that have an item, with an eighth of a byte for each other one before
/// them.
///
/// ```
/// use rmlir_ir::{Type, WalkResult};
/// use rmlir_reader::events::{OperationEvent, ValueMap, Visitor};
///
/// #[derive(Default)]
/// struct Types(ValueMap<Type>);
///
/// impl Visitor for Types {
///     fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir_format::Result<WalkResult> {
///         let results: Vec<_> = event.results().collect();
///         for (value, &ty) in results.into_iter().zip(event.result_types()?) {
///             self.0.insert(value, ty);
///         }
///         Ok(WalkResult::Advance)
///     }
/// }
/// ```
#[derive(Clone)]
pub struct ValueMap<T> {
    pages: Vec<Option<Box<Page<T>>>>,
    /// Empty pages, which are used again.
    spare: Vec<Box<Page<T>>>,
    /// The items of values whose numbers are too large for a table.
    sparse: HashMap<ValueId, T>,
}

/// The items of values with consecutive numbers.
#[derive(Clone)]
struct Page<T> {
    items: [Option<T>; PAGE],
    /// The number of items.
    count: usize,
}

impl<T> Default for ValueMap<T> {
    fn default() -> Self {
        ValueMap {
            pages: Vec::new(),
            spare: Vec::new(),
            sparse: HashMap::new(),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for ValueMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dense = self.pages.iter().enumerate().flat_map(|(number, page)| {
            let items = page.iter().flat_map(|page| page.items.iter().enumerate());
            let first = number.saturating_mul(PAGE);
            items.filter_map(move |(at, item)| Some((first.saturating_add(at), item.as_ref()?)))
        });
        let sparse = self.sparse.iter().map(|(id, item)| (id.index(), item));
        let mut map = f.debug_map();
        map.entries(dense).entries(sparse).finish()
    }
}

impl<T: Copy> ValueMap<T> {
    /// Returns the item of a value, or `None` if none was inserted.
    #[inline]
    pub fn get(&self, value: ValueId) -> Option<T> {
        let (page, at) = place(value);
        match self.pages.get(page) {
            Some(Some(page)) => page.items.get(at).copied().flatten(),
            Some(None) => None,
            None if self.sparse.is_empty() => None,
            None => self.sparse.get(&value).copied(),
        }
    }

    /// Inserts the item of a value; returns the one that it replaces.
    #[inline]
    pub fn insert(&mut self, value: ValueId, item: T) -> Option<T> {
        let (page, at) = place(value);
        if page >= MAX_PAGES {
            return self.sparse.insert(value, item);
        }
        if page >= self.pages.len() {
            self.pages.resize_with(page.saturating_add(1), || None);
        }
        let page = self.pages.get_mut(page)?;
        let spare = &mut self.spare;
        let page = page.get_or_insert_with(|| {
            spare.pop().unwrap_or_else(|| {
                Box::new(Page {
                    items: [None; PAGE],
                    count: 0,
                })
            })
        });
        let replaced = page.items.get_mut(at)?.replace(item);
        page.count = page.count.saturating_add(usize::from(replaced.is_none()));
        replaced
    }

    /// Removes the item of a value, and returns it.
    #[inline]
    pub fn remove(&mut self, value: ValueId) -> Option<T> {
        let (number, at) = place(value);
        let Some(entry) = self.pages.get_mut(number) else {
            return self.sparse.remove(&value);
        };
        let page = entry.as_mut()?;
        let removed = page.items.get_mut(at)?.take()?;
        page.count = page.count.saturating_sub(1);
        if page.count == 0 {
            self.spare.extend(entry.take());
        }
        Some(removed)
    }
}

/// Returns the number of the page of a value, and the place in it.
fn place(value: ValueId) -> (usize, usize) {
    let index = usize::try_from(value.index()).unwrap_or(usize::MAX);
    (index / PAGE, index % PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_are_those_of_a_hash_map() {
        let mut map = ValueMap::default();
        let mut expected = HashMap::new();
        let ids = (0..1000).chain([70_001, u64::MAX, u64::MAX - 64]);
        for id in ids.clone().map(ValueId) {
            assert_eq!(map.insert(id, id.0), expected.insert(id, id.0));
            assert_eq!(map.insert(id, id.0 / 3), expected.insert(id, id.0 / 3));
        }
        for id in ids.clone().map(ValueId) {
            let is_removed = id.0 % 7 > 0 && !(128..192).contains(&id.0);
            if !is_removed {
                assert_eq!(map.remove(id), expected.remove(&id));
                assert_eq!(map.remove(id), None);
            }
        }
        assert_eq!(map.spare.len(), 1);
        for id in ids.chain(1000..1100).map(ValueId) {
            assert_eq!(map.get(id), expected.get(&id).copied());
        }
        assert_eq!(map.insert(ValueId(5000), 1), None);
        assert!(map.spare.is_empty());
        assert_eq!(map.get(ValueId(5001)), None);
    }
}
