//! A map from handles to handles.

/// Maps the indices of handles to those of others, in a table with a slot for each index.
///
/// Faster than hashing. The slots are zeroed pages until they are used, so a table for all values
/// of a large module costs what is entered.
#[derive(Clone, Default)]
pub(crate) struct DenseMap {
    /// One more than the index; 0 for none.
    slots: Vec<u32>,
}

impl DenseMap {
    /// Makes an empty table as large as there are indices.
    pub(crate) fn reserve(&mut self, indices: usize) {
        if self.slots.is_empty() && indices != 0 {
            self.slots = vec![0; indices];
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<usize> {
        let slot = *self.slots.get(index)?;
        usize::try_from(slot).ok()?.checked_sub(1)
    }

    #[inline]
    pub(crate) fn insert(&mut self, index: usize, to: usize) {
        if index >= self.slots.len() {
            self.slots.resize(index.saturating_add(1), 0);
        }
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = u32::try_from(to).unwrap_or(u32::MAX).saturating_add(1);
        }
    }
}
