//! Source locations.

use crate::handle::handle;
use crate::{Attribute, Identifier};

handle! {
    /// A location, held by a [`Context`](crate::Context).
    ///
    /// Locations are appended, not interned: two handles can stand for equal locations. Compare
    /// with [`Context::locations_equal`](crate::Context::locations_equal).
    Location
}

/// What a [`Location`] is (Builtin dialect, Location Attributes).
///
/// Upstream's opaque location has no kind of its own: it is a pointer into a running program with a
/// fallback, and text and bytecode only ever hold the fallback.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LocationKind {
    /// `loc(unknown)`.
    Unknown,
    /// `loc("file":1:2 to 3:4)`; a place is a range that ends where it starts.
    FileLineColRange {
        /// The file's name.
        file: Identifier,
        /// First line, counted from 1.
        start_line: u32,
        /// First column, counted from 1.
        start_column: u32,
        /// Last line.
        end_line: u32,
        /// Last column.
        end_column: u32,
    },
    /// `loc("name"(child))`.
    Name {
        /// The name.
        name: Identifier,
        /// Where the named thing is; unknown if nothing was written.
        child: Location,
    },
    /// `loc(callsite(callee at caller))`.
    CallSite {
        /// What was called.
        callee: Location,
        /// Where from.
        caller: Location,
    },
    /// `loc(fused<metadata>[a, b])`.
    Fused {
        /// The locations.
        locations: Box<[Location]>,
        /// What the fusion means.
        metadata: Option<Attribute>,
    },
    /// `loc(#dialect.location<...>)`: an attribute of a dialect that is a location.
    Dialect(Attribute),
}
