//! The items of lists in syntax that is stated once.

/// The items of a list, which a text that is read appends.
pub(crate) trait Sequence: Default {
    /// An item.
    type Item: Default;

    /// Replaces the items by those that were read.
    fn assign(&mut self, items: Vec<Self::Item>);

    /// Appends an item that was read.
    fn push(&mut self, item: Self::Item);

    /// Returns whether the list is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of items.
    fn len(&self) -> usize;

    /// Calls `print` with item `number`; returns `None` if there is no such item.
    fn with<R>(&mut self, number: usize, print: impl FnOnce(&mut Self::Item) -> R) -> Option<R>;
}

// Inlined: a list of each kind of items is printed in one place.
impl<T: Default> Sequence for Vec<T> {
    type Item = T;

    #[inline]
    fn assign(&mut self, items: Vec<T>) {
        *self = items;
    }

    #[inline]
    fn push(&mut self, item: T) {
        Vec::push(self, item);
    }

    #[inline]
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline]
    fn with<R>(&mut self, number: usize, print: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.get_mut(number).map(print)
    }
}
