//! Handles: 4-byte indices that stand for what a [`Context`](crate::Context) or a
//! [`Module`](crate::Module) owns.

use std::num::NonZeroU32;

/// The largest number of entries that one table can hold.
pub(crate) const MAX_ENTRIES: usize = u32::MAX as usize - 1;

/// One-based, so that `Option<Handle>` takes four bytes as well.
///
/// Tables stop growing at [`MAX_ENTRIES`]; a table of that size needs more input than the parsers
/// and readers accept, so the saturation here is never seen.
pub(crate) fn encode(index: usize) -> NonZeroU32 {
    debug_assert!(index < MAX_ENTRIES);
    let one_based = u32::try_from(index)
        .unwrap_or(u32::MAX - 1)
        .saturating_add(1);
    NonZeroU32::new(one_based).unwrap_or(NonZeroU32::MAX)
}

/// Declares a handle type.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            /// The handle of the entry at `index` (zero-based) of its table.
            #[inline]
            pub(crate) fn from_index(index: usize) -> Self {
                $name($crate::handle::encode(index))
            }

            /// The zero-based position in the table that owns the entry. It depends on the order
            /// of creation and must not influence any output.
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.index())
            }
        }
    };
}

pub(crate) use handle;
