//! Source locations.

mod arena;
mod position;

use crate::handle::handle;
use crate::{Attribute, Identifier};

pub(crate) use arena::LocationArena;
pub use position::FileLineCol;

handle! {
    "context",
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LocationKind<'a> {
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
        /// With how many numbers it was said. No part of the content.
        form: RangeForm,
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
        locations: &'a [Location],
        /// What the fusion means.
        metadata: Option<Attribute>,
    },
    /// `loc(#dialect.location<...>)`: an attribute of a dialect that is a location.
    Dialect(Attribute),
}

/// With how many numbers a range in a file was said (Builtin dialect, FileLineColRange).
///
/// A column that is not there is 0, and a range that ends where it starts is a place: text prints both as `"file":line:column`,
/// so that equality of content, and fingerprints, take no notice of the form. Upstream's bytecode has an entry of
/// another kind for each, which is why it is kept. Within a context, locations that differ in it are different ones, as they are
/// upstream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RangeForm {
    /// A place by line and column, or a range that is none.
    #[default]
    Full,
    /// Nothing but the file: all numbers are 0.
    File,
    /// A line, `loc("file":3)`: columns are 0, and it ends where it starts.
    Line,
    /// A place that was said as a range, `loc("file":3:5 to :5)`: it ends where it starts. Upstream writes it as one, and
    /// makes a full one of it when it reads that; here it stays what it was, so that a file comes back as it was.
    Range,
}

impl RangeForm {
    /// The form of a place that was said by so many numbers, as a range.
    pub const fn of_place(numbers: usize) -> Self {
        match numbers {
            0 => RangeForm::File,
            1 => RangeForm::Line,
            _ => RangeForm::Range,
        }
    }

    /// The numbers of a place that starts there, as a range of this form; none for a full one.
    pub fn numbers(self, line: u32, column: u32) -> Option<impl ExactSizeIterator<Item = u32>> {
        let count = match self {
            RangeForm::Full => return None,
            RangeForm::File => 0,
            RangeForm::Line => 1,
            RangeForm::Range => 2,
        };
        Some([line, column].into_iter().take(count))
    }
}

impl LocationKind<'_> {
    /// A place in a file, by line and column.
    pub const fn place(file: Identifier, line: u32, column: u32) -> Self {
        LocationKind::FileLineColRange {
            file,
            start_line: line,
            start_column: column,
            end_line: line,
            end_column: column,
            form: RangeForm::Full,
        }
    }

    /// The same, without a form that leaves out what it has.
    pub(crate) fn checked(mut self) -> Self {
        if let LocationKind::FileLineColRange {
            start_line,
            start_column,
            end_line,
            end_column,
            form,
            ..
        } = &mut self
        {
            let fits = match form {
                RangeForm::Full => true,
                RangeForm::File => (*start_line, *start_column) == (0, 0),
                RangeForm::Line => *start_column == 0,
                RangeForm::Range => true,
            };
            if !fits || (start_line, start_column) != (end_line, end_column) {
                *form = RangeForm::Full;
            }
        }
        self
    }
}
