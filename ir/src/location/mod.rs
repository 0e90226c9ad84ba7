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
    /// Locations are appended, not interned: two handles can denote equal locations. Compare them
    /// with [`Context::locations_equal`](crate::Context::locations_equal).
    Location
}

/// The kinds of a [`Location`] (Builtin dialect, Location Attributes).
///
/// Upstream's opaque location has no kind of its own: it is a pointer into a running program with a
/// fallback, and text and bytecode only ever store the fallback.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind<'a> {
    /// `loc(unknown)`.
    Unknown,
    /// `loc("file":1:2 to 3:4)`; a position is a range that ends where it starts.
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
        /// The number of coordinates that the source specified. Not part of the content.
        form: RangeForm,
    },
    /// `loc("name"(child))`.
    Name {
        /// The name.
        name: Identifier,
        /// The location of the named entity; unknown if none was written.
        child: Location,
    },
    /// `loc(callsite(callee at caller))`.
    CallSite {
        /// The location of the callee.
        callee: Location,
        /// The location of the caller.
        caller: Location,
    },
    /// `loc(fused<metadata>[a, b])`.
    Fused {
        /// The locations.
        locations: &'a [Location],
        /// The meaning of the fusion.
        metadata: Option<Attribute>,
    },
    /// `loc(#dialect.location<...>)`: an attribute of a dialect that is a location.
    Dialect(Attribute),
}

/// The number of coordinates with which a range in a file was written (Builtin dialect,
/// FileLineColRange).
///
/// A missing column is 0, and a range that ends where it starts is a position: text prints both as
/// `"file":line:column`, so equality of content and fingerprints ignore the form. It is preserved
/// because upstream's bytecode has a different kind of entry for each form. Within a context, as
/// upstream, locations of different forms are different.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RangeForm {
    /// A position by line and column, or a range with a different end.
    #[default]
    Full,
    /// Only the file: all numbers are 0.
    File,
    /// A line, `loc("file":3)`: columns are 0, and the range ends where it starts.
    Line,
    /// A position written as a range, `loc("file":3:5 to :5)`: it ends where it starts. Upstream
    /// writes it as a range, and reads that as a full position; here the form is preserved, so that
    /// a file round-trips.
    Range,
}

impl RangeForm {
    /// Returns the form of a position that was written with `numbers` coordinates, as a range.
    pub const fn of_place(numbers: usize) -> Self {
        match numbers {
            0 => RangeForm::File,
            1 => RangeForm::Line,
            _ => RangeForm::Range,
        }
    }

    /// Returns the coordinates of a position, as a range of this form stores them; `None` for a
    /// full one.
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
    /// Returns a word for the kind, for tables and other languages: `file`, `fused`.
    ///
    /// ```
    /// assert_eq!(rmlir_ir::LocationKind::Unknown.name(), "unknown");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            LocationKind::Unknown => "unknown",
            LocationKind::FileLineColRange { .. } => "file",
            LocationKind::Name { .. } => "name",
            LocationKind::CallSite { .. } => "callsite",
            LocationKind::Fused { .. } => "fused",
            LocationKind::Dialect(_) => "dialect",
        }
    }

    /// Returns a position in a file, by line and column.
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

    /// Returns the location with the full form, if the present form would omit some of its numbers.
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
