//! Handles: 4-byte indices that denote what a [`Context`](crate::Context) or a
//! [`Module`](crate::Module) owns.
//!
//! In debug builds a handle also records its owner, so that using it with another context or module
//! panics with a message that names both.

use std::num::NonZeroU32;

/// The largest number of entries that one table can hold.
pub(crate) const MAX_ENTRIES: usize = match cfg!(debug_assertions) {
    true => i32::MAX as usize - 1,
    false => u32::MAX as usize - 1,
};

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

/// The number of a context or module in debug builds; nothing in release builds.
///
/// A copy of a context or module has its number: handles of common entries are valid in both.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Owner(#[cfg(debug_assertions)] u8);

/// Owners in debug builds. A handle is a bit that is set, the owner's number in 8 bits and the
/// one-based index in 23 bits; if the owner is not known or the index has more bits, a bit that is
/// not set and the one-based index.
#[cfg(debug_assertions)]
mod owners {
    use super::Owner;
    use std::num::NonZeroU32;
    use std::sync::atomic::{AtomicU32, Ordering};

    const OWNED: u32 = 1 << 31;
    const INDEX: u32 = (1 << 23) - 1;

    impl Owner {
        /// Returns a number for a new context or module: numbers of 255 in a row differ.
        pub(crate) fn new() -> Self {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed) % u32::from(u8::MAX);
            Owner(number as u8 + 1)
        }

        /// Returns the handle with this owner.
        pub(crate) fn mark(self, handle: NonZeroU32) -> NonZeroU32 {
            let index = one_based(handle);
            match index.get() <= INDEX {
                true => index | OWNED | u32::from(self.0) << 23,
                false => index,
            }
        }

        /// Returns the handle that is `count` after this one, with the same owner.
        pub(crate) fn advance(handle: NonZeroU32, count: u32) -> NonZeroU32 {
            let index = one_based(handle).saturating_add(count);
            match handle.get() & OWNED {
                0 => index,
                _ => Owner((handle.get() >> 23) as u8).mark(index),
            }
        }

        /// Panics if the handle has another owner, if both are known.
        #[track_caller]
        pub(crate) fn check(self, handle: NonZeroU32, what: &str, owns: &str) {
            let owner = match handle.get() & OWNED {
                0 => return,
                _ => (handle.get() >> 23) as u8,
            };
            assert!(
                owner == 0 || self.0 == 0 || owner == self.0,
                "{what}({}) of {owns} {owner} was used with {owns} {}",
                one_based(handle).get() - 1,
                self.0
            );
        }
    }

    /// Returns the one-based index.
    pub(crate) fn one_based(handle: NonZeroU32) -> NonZeroU32 {
        let index = match handle.get() & OWNED {
            0 => handle.get(),
            _ => handle.get() & INDEX,
        };
        NonZeroU32::new(index).unwrap_or(NonZeroU32::MIN)
    }
}

#[cfg(not(debug_assertions))]
mod owners {
    use super::Owner;
    use std::num::NonZeroU32;

    impl Owner {
        #[inline(always)]
        pub(crate) fn new() -> Self {
            Owner()
        }

        #[inline(always)]
        pub(crate) fn mark(self, handle: NonZeroU32) -> NonZeroU32 {
            handle
        }

        #[inline(always)]
        pub(crate) fn advance(handle: NonZeroU32, count: u32) -> NonZeroU32 {
            handle.saturating_add(count)
        }

        #[inline(always)]
        pub(crate) fn check(self, _: NonZeroU32, _: &str, _: &str) {}
    }

    #[inline(always)]
    pub(crate) fn one_based(handle: NonZeroU32) -> NonZeroU32 {
        handle
    }
}

pub(crate) use owners::one_based;

/// Declares a handle type. `$owns` names the owner of the entries: `context` or `module`.
macro_rules! handle {
    ($owns:literal, $(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name(std::num::NonZeroU32);

        impl $name {
            /// Returns the handle of the entry at `index` (zero-based) of its table.
            #[inline]
            pub(crate) fn from_index(index: usize) -> Self {
                $name($crate::handle::encode(index))
            }

            /// Returns the zero-based position in the table that owns the entry. It depends on the
            /// order of creation and must not influence any output.
            #[inline]
            pub fn index(self) -> usize {
                $crate::handle::one_based(self.0).get() as usize - 1
            }

            /// The same handle, marked in debug builds as one of `owner`.
            #[inline]
            pub(crate) fn of(self, owner: $crate::handle::Owner) -> Self {
                $name(owner.mark(self.0))
            }

            /// Returns the handle as a number, with its owner.
            #[inline]
            #[allow(dead_code)] // Few handles are stored in lists of numbers.
            pub(crate) fn bits(self) -> u32 {
                self.0.get()
            }

            /// Returns the handle of [`bits`](Self::bits).
            #[inline]
            #[allow(dead_code)]
            pub(crate) fn from_bits(bits: u32) -> Self {
                $name(std::num::NonZeroU32::new(bits).unwrap_or(std::num::NonZeroU32::MIN))
            }

            /// Returns the handle that is `count` after this one.
            #[inline]
            #[allow(dead_code)]
            pub(crate) fn advanced(self, count: u32) -> Self {
                $name($crate::handle::Owner::advance(self.0, count))
            }

            /// Returns the position, for its owner. Panics in debug builds if it has another one.
            #[inline]
            #[track_caller]
            #[allow(dead_code)]
            pub(crate) fn index_in(self, owner: $crate::handle::Owner) -> usize {
                owner.check(self.0, stringify!($name), $owns);
                self.index()
            }
        }

        impl PartialEq for $name {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::handle::one_based(self.0) == $crate::handle::one_based(other.0)
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            #[inline]
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                $crate::handle::one_based(self.0).cmp(&$crate::handle::one_based(other.0))
            }
        }

        impl std::hash::Hash for $name {
            #[inline]
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                $crate::handle::one_based(self.0).hash(state);
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
