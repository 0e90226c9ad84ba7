//! A map from values of a visit.

use crate::events::ValueId;
use std::collections::HashMap;

/// A map from the values of a [`Visitor`](crate::events::Visitor) to facts that later events need.
///
/// O(1), and at most four slots for each insertion: values are numbered almost in the order in
/// which they are visited.
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
#[derive(Clone, Debug)]
pub struct ValueMap<T> {
    dense: Vec<Option<T>>,
    /// Those whose numbers are far ahead.
    sparse: HashMap<ValueId, T>,
    insertions: usize,
}

impl<T> Default for ValueMap<T> {
    fn default() -> Self {
        ValueMap {
            dense: Vec::new(),
            sparse: HashMap::new(),
            insertions: 0,
        }
    }
}

impl<T: Copy> ValueMap<T> {
    /// Returns the item of a value, or `None` if none was inserted.
    pub fn get(&self, value: ValueId) -> Option<T> {
        let index = usize::try_from(value.index()).ok();
        let dense = index.and_then(|index| self.dense.get(index).copied());
        match dense {
            Some(Some(found)) => Some(found),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get(&value).copied(),
        }
    }

    /// Inserts or replaces the item of a value.
    pub fn insert(&mut self, value: ValueId, item: T) {
        self.insertions = self.insertions.saturating_add(1);
        let index = usize::try_from(value.index()).unwrap_or(usize::MAX);
        let most = self.insertions.saturating_mul(2).saturating_add(1 << 10);
        if index >= self.dense.len() && index < most {
            self.dense.resize(index.saturating_mul(2).max(16), None);
        }
        match self.dense.get_mut(index) {
            Some(slot) => *slot = Some(item),
            None => drop(self.sparse.insert(value, item)),
        }
    }
}
