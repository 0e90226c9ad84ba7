//! Lists of handles: most have few, and are made and dropped for each rule of each operation.

use smallvec::SmallVec;
use std::ops::Deref;
use std::rc::Rc;

/// How many items need no memory of their own.
const FEW: usize = 6;

/// Items, as cheap to clone as a reference.
#[derive(Clone, Debug)]
pub(super) enum Items<T: Copy> {
    Few(SmallVec<[T; FEW]>),
    /// More than [`FEW`].
    Many(Rc<[T]>),
}

impl<T: Copy> Items<T> {
    pub(super) fn one(item: T) -> Self {
        let mut items = SmallVec::new();
        items.push(item);
        Items::Few(items)
    }
}

impl<T: Copy> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Items::Few(items) => items,
            Items::Many(items) => items,
        }
    }
}

impl<T: Copy> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: SmallVec<[T; FEW]> = items.into_iter().collect();
        match items.spilled() {
            true => Items::Many(Rc::from(&*items)),
            false => Items::Few(items),
        }
    }
}

impl<T: Copy + PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
