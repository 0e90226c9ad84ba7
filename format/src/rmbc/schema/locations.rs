//! The layout of the stream of locations.

use super::Kind;

/// A field that follows a code.
#[derive(Clone, Copy, Debug)]
pub struct LocationField {
    /// The name in the specification.
    pub name: &'static str,
    /// The name in dumps.
    pub title: &'static str,
    /// The kind of number, or bytes.
    pub kind: Kind,
}

/// A code, or for codes from [`MOVES`](location_code::MOVES) on, one of the kinds of codes with a
/// distance.
#[derive(Clone, Copy, Debug)]
pub struct LocationCode {
    /// The code, with the distance 0.
    pub code: u64,
    /// The name in dumps: of the code, or of its distance.
    pub title: &'static str,
    /// The fields.
    pub fields: &'static [LocationField],
    /// The meaning, up to the fields.
    pub meaning: &'static str,
}

impl LocationCode {
    /// Returns whether a distance is part of the code.
    pub const fn has_distance(&self) -> bool {
        self.code >= location_code::MOVES
    }

    /// Returns the code of a number of the stream. O(1).
    #[inline]
    pub fn of(number: u64) -> Option<&'static LocationCode> {
        let code = match number.checked_sub(location_code::MOVES) {
            Some(moved) => location_code::MOVES.wrapping_add(moved % location_code::KINDS),
            None => number,
        };
        TABLE.get(usize::try_from(code).ok()?)
    }

    /// Returns the fields in the notation of the specification.
    pub fn notation(&self) -> String {
        let fields = self.fields.iter();
        let fields = fields.map(|field| format!("{} `{}`", field.name, field.kind.name()));
        fields.collect::<Vec<_>>().join(", ")
    }
}

macro_rules! location_codes {
    ($($(#[$doc:meta])* $constant:ident = $code:literal, $title:literal, $meaning:literal,
        [$($field:literal: $kind:ident),*];)*) => {
        /// Codes of the stream of locations.
        ///
        /// From [`MOVES`](location_code::MOVES) on, the remainder of a code is one of three kinds,
        /// and the quotient is the zigzag of a distance.
        pub mod location_code {
            $($(#[$doc])* pub const $constant: u64 = $code;)*
            /// The first code with a distance.
            pub const MOVES: u64 = LINE;
            /// The number of kinds of codes with a distance.
            pub const KINDS: u64 = 3;
        }

        /// All codes with the distance 0, by ascending code.
        pub const TABLE: &[LocationCode] = &[$(LocationCode {
            code: $code,
            title: $title,
            fields: &[$(LocationField {
                name: $field,
                title: concat!("location: ", $field),
                kind: Kind::$kind,
            }),*],
            meaning: $meaning,
        }),*];
    };
}

location_codes! {
    /// The same location as the preceding one.
    SAME = 0, "the same", "the same as the preceding location (after code 1, the unknown one); \
        not the first one, nor the first one after a restart", [];
    /// The unknown location.
    UNKNOWN = 1, "unknown", "unknown", [];
    /// A position in another file.
    FILE = 2, "in a file", "a file position", ["file": String, "line": Number, "column": Number];
    /// The initial state; the code of a location follows.
    RESTART = 3, "restart",
        "restart: the state becomes the initial one; the code of the location follows", [];
    /// A location of a later version: it is unknown if the kind is even, and refused if it is odd.
    LATER = 4, "of a later version",
        "a location of a later version, unknown if the kind is even, rejected if it is odd",
        ["kind": Number, "data": Bytes];
    /// The same file and column, another line.
    LINE = 5, "location: line, moved by",
        "the same file and column, with the line moved by the signed value whose zigzag encoding is z",
        [];
    /// The same file, another line and column.
    LINE_AND_COLUMN = 6, "location: line, moved by", "the same file, with the line moved likewise",
        ["column, moved by": Signed];
    /// An entry, by its distance from the entry used last.
    ENTRY = 7, "location: entry, moved by",
        "the `location` whose index is the entry of the state, moved likewise", [];
}
