//! The constants of rmbc shared by reader and writer; `spec/rmbc.md` specifies their meaning.

use crate::section::MAX_ALIGNMENT_LOG;

pub mod fragments;
pub mod index;
pub mod opaque;
pub mod table;

macro_rules! sections {
    ($($(#[$doc:meta])* $constant:ident = $kind:literal, $name:literal;)*) => {
        /// Kinds of sections.
        pub mod section {
            $($(#[$doc])* pub const $constant: u16 = $kind;)*

            /// Returns the display name of a kind; `None` if there is no such section. O(1).
            pub fn name(kind: u16) -> Option<&'static str> {
                match kind {
                    $($kind => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

sections! {
    /// Strings of bytes.
    STRINGS = 1, "strings";
    /// Affine expressions.
    AFFINE = 2, "affine expressions";
    /// Resources of dialects.
    RESOURCES = 3, "resources";
    /// Types, attributes, and all locations except positions in files.
    ENTRIES = 4, "types and attributes";
    /// Shapes (operation templates): the data that operations of one kind share.
    SHAPES = 5, "shapes";
    /// The operations.
    OPERATIONS = 6, "operations";
    /// Locations of operations and block arguments.
    LOCATIONS = 7, "locations";
    /// The locations of symbols in the file.
    INDEX = 8, "index";
    /// Data that is not content: see `Provenance`.
    PROVENANCE = 9, "provenance";
    /// Base names of the aliases of types and attributes.
    ALIAS_NAMES = 10, "stems";
    /// Names of values and blocks.
    NAMES = 11, "names";
    /// Use-list orders that differ from the default.
    USES = 12, "uses";
    /// Fingerprints of bodies.
    HASHES = 13, "hashes";
    /// Length and alignment of the blobs.
    BLOB_LIST = 14, "list of blobs";
    /// The bytes of resources.
    BLOBS = 15, "blobs";
}

/// The first byte of an affine expression.
pub mod affine {
    /// An integer.
    pub const CONSTANT: u8 = 0;
    /// A dimension.
    pub const DIM: u8 = 1;
    /// A symbol.
    pub const SYMBOL: u8 = 2;
    /// A sum.
    pub const ADD: u8 = 3;
    /// A product.
    pub const MUL: u8 = 4;
    /// A remainder.
    pub const MOD: u8 = 5;
    /// A quotient, rounded down.
    pub const FLOOR_DIV: u8 = 6;
    /// A quotient, rounded up.
    pub const CEIL_DIV: u8 = 7;
}

/// The kinds of resource values.
pub mod resource {
    /// Nothing: elided or missing.
    pub const NONE: u8 = 0;
    /// The next blob of the section of blobs.
    pub const BLOB: u8 = 1;
    /// A string.
    pub const STRING: u8 = 2;
    /// False.
    pub const FALSE: u8 = 3;
    /// True.
    pub const TRUE: u8 = 4;
}

/// The kinds of entries of the section of types and attributes.
pub mod tag {
    /// A signless integer type.
    pub const SIGNLESS_TYPE: u8 = 0;
    /// A signed integer type.
    pub const SIGNED_TYPE: u8 = 1;
    /// An unsigned integer type.
    pub const UNSIGNED_TYPE: u8 = 2;
    /// A float type.
    pub const FLOAT_TYPE: u8 = 3;
    /// `index`.
    pub const INDEX_TYPE: u8 = 4;
    /// `none`.
    pub const NONE_TYPE: u8 = 5;
    /// `complex`.
    pub const COMPLEX_TYPE: u8 = 6;
    /// `tuple`.
    pub const TUPLE_TYPE: u8 = 7;
    /// A function type.
    pub const FUNCTION_TYPE: u8 = 8;
    /// A vector type without scalable dimensions.
    pub const VECTOR_TYPE: u8 = 9;
    /// A vector type with scalable dimensions.
    pub const SCALABLE_VECTOR_TYPE: u8 = 10;
    /// A ranked tensor type.
    pub const RANKED_TENSOR_TYPE: u8 = 11;
    /// An unranked tensor type.
    pub const UNRANKED_TENSOR_TYPE: u8 = 12;
    /// A ranked memref type.
    pub const MEMREF_TYPE: u8 = 13;
    /// An unranked memref type.
    pub const UNRANKED_MEMREF_TYPE: u8 = 14;
    /// A type of another dialect.
    pub const DIALECT_TYPE: u8 = 15;

    /// `unit`.
    pub const UNIT: u8 = 32;
    /// An integer.
    pub const INTEGER: u8 = 33;
    /// A float.
    pub const FLOAT: u8 = 34;
    /// A string.
    pub const STRING: u8 = 35;
    /// A reference to a symbol.
    pub const SYMBOL_REF: u8 = 36;
    /// A type.
    pub const TYPE: u8 = 37;
    /// An array.
    pub const ARRAY: u8 = 38;
    /// A dictionary.
    pub const DICTIONARY: u8 = 39;
    /// Dense elements.
    pub const DENSE_ELEMENTS: u8 = 40;
    /// Dense elements that are all equal.
    pub const DENSE_SPLAT: u8 = 41;
    /// Dense strings.
    pub const DENSE_STRINGS: u8 = 42;
    /// Dense strings that are all equal.
    pub const DENSE_STRING_SPLAT: u8 = 43;
    /// A dense array.
    pub const DENSE_ARRAY: u8 = 44;
    /// Elements in a resource.
    pub const DENSE_RESOURCE: u8 = 45;
    /// Sparse elements.
    pub const SPARSE: u8 = 46;
    /// An affine map.
    pub const AFFINE_MAP: u8 = 47;
    /// An integer set.
    pub const INTEGER_SET: u8 = 48;
    /// A strided layout.
    pub const STRIDED_LAYOUT: u8 = 49;
    /// A distinct attribute.
    pub const DISTINCT: u8 = 50;
    /// A location as an attribute.
    pub const LOCATION: u8 = 51;
    /// An attribute of another dialect.
    pub const DIALECT_ATTRIBUTE: u8 = 52;
    /// Dense elements of a type whose shape only the dialect knows, as text.
    pub const DENSE_TEXT: u8 = 53;

    /// The unknown location.
    pub const UNKNOWN_LOCATION: u8 = 64;
    /// A position in a file.
    pub const FILE_PLACE: u8 = 65;
    /// A range in a file.
    pub const FILE_RANGE: u8 = 66;
    /// A name around a location.
    pub const NAMED_LOCATION: u8 = 67;
    /// A location in a callee, and that of the call.
    pub const CALL_SITE: u8 = 68;
    /// Several locations.
    pub const FUSED: u8 = 69;
    /// An attribute of a dialect that is a location.
    pub const DIALECT_LOCATION: u8 = 70;
    /// A position in a file that was written as a range. Since version 1.1: readers of 1.0 preserve
    /// it.
    pub const SHORT_RANGE: u8 = 71;

    /// The first kind of attributes; those below are types.
    pub const FIRST_ATTRIBUTE: u8 = 32;
    /// The first kind of locations.
    pub const FIRST_LOCATION: u8 = 64;
    /// The exclusive upper bound of all kinds.
    pub const END: u8 = 128;

    /// Returns whether unknown entries of a kind are preserved as opaque data. O(1).
    ///
    /// Later versions may define such kinds.
    pub const fn is_opaque(tag: u8) -> bool {
        DIALECT_TYPE < tag && tag < FIRST_ATTRIBUTE
            || DENSE_TEXT < tag && tag < FIRST_LOCATION
            || SHORT_RANGE < tag && tag < END
    }
}

/// Keywords of the float types; a file stores indices into this table.
pub const FLOAT_KEYWORDS: [&str; 18] = [
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E3M4",
    "f8E4M3",
    "f8E4M3B11FNUZ",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E5M2",
    "f8E5M2FNUZ",
    "f8E8M0FNU",
    "bf16",
    "f16",
    "tf32",
    "f32",
    "f64",
    "f80",
    "f128",
];

/// Bits of the flags of a form (signature).
pub mod form_flag {
    /// The form has discardable attributes.
    pub const ATTRIBUTES: u64 = 1;
    /// The form has properties, a dictionary.
    pub const PROPERTIES: u64 = 1 << 1;
    /// The properties are an attribute of another kind; only with [`PROPERTIES`].
    pub const OTHER_PROPERTIES: u64 = 1 << 2;
    /// Each operation stores its attribute and property values, instead of the shape.
    pub const INLINE: u64 = 1 << 3;
    /// The form has successors.
    pub const SUCCESSORS: u64 = 1 << 4;
    /// The form has regions.
    pub const REGIONS: u64 = 1 << 5;
    /// All flags.
    pub const ALL: u64 = (1 << 6) - 1;
}

/// Codes of the stream of locations.
///
/// From [`MOVES`](location_code::MOVES) on, the remainder of a code is one of three kinds, and the
/// quotient is the zigzag of a distance.
pub mod location_code {
    /// The same location as the preceding one.
    pub const SAME: u64 = 0;
    /// The unknown location.
    pub const UNKNOWN: u64 = 1;
    /// A position in another file: file, line and column follow.
    pub const FILE: u64 = 2;
    /// The first code with a distance.
    pub const MOVES: u64 = 3;
    /// The number of kinds of codes with a distance.
    pub const KINDS: u64 = 3;
    /// The same file and column, another line.
    pub const LINE: u64 = 0;
    /// The same file, another line, and a column whose distance follows.
    pub const LINE_AND_COLUMN: u64 = 1;
    /// An entry, by its distance from the entry used last.
    pub const ENTRY: u64 = 2;
}

/// Whether an operation was registered, according to upstream's bytecode.
///
/// The code is added to the number of the operation's name times
/// [`KINDS`](registered_operation::KINDS).
pub mod registered_operation {
    /// The writer of the bytecode did not know the operation.
    pub const UNREGISTERED: u64 = 0;
    /// The writer of the bytecode knew the operation.
    pub const REGISTERED: u64 = 1;
    /// Not specified: the operation was added to the module later.
    pub const NOT_SAID: u64 = 2;
    /// The number of codes.
    pub const KINDS: u64 = 3;
}

/// The number of table entries per entry of the table's list of offsets.
pub const BLOCK: usize = 16;
/// Returns the block that contains a table entry, and the entry's position in the block. O(1).
#[inline]
pub const fn block_of(number: u64) -> (u64, usize) {
    const LOG: u32 = BLOCK.trailing_zeros();
    const MASK: u64 = (BLOCK as u64).wrapping_sub(1);
    (number >> LOG, (number & MASK) as usize)
}

/// The maximum nesting depth of symbols whose fingerprints are stored.
///
/// A fingerprint covers the whole content of a symbol, so the fingerprints of deeply nested symbols
/// would take quadratic time.
pub const MAX_HASHED_DEPTH: u32 = 64;

/// The number of operations between two index positions, if there are enough symbols.
pub const GROUP: u32 = 256;

/// The meaning of the first number of a blob in the list of blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobCode {
    /// The alignment that the data requests: a power of two, or 0 for none.
    pub asked: u32,
    /// The data is in another file.
    pub is_external: bool,
    /// The binary logarithm of the minimum alignment of the blob; 0 if its own alignment suffices.
    pub least_log: u32,
}

impl BlobCode {
    /// Added for a blob whose data is in another file.
    const EXTERNAL: u64 = 1 << 32;
    /// The factor of [`least_log`](BlobCode::least_log).
    const LEAST: u64 = 1 << 33;

    /// Returns the encoded number.
    pub fn code(self) -> u64 {
        let external = if self.is_external { Self::EXTERNAL } else { 0 };
        let least = u64::from(self.least_log).saturating_mul(Self::LEAST);
        external
            .saturating_add(least)
            .saturating_add(self.asked.into())
    }

    /// Decodes the number of a blob of `len` bytes.
    ///
    /// # Errors
    /// The reason why the number is invalid.
    pub fn of(code: u64, len: u64) -> Result<Self, &'static str> {
        let least_log = code / Self::LEAST;
        let blob = BlobCode {
            asked: code as u32,
            is_external: code & Self::EXTERNAL != 0,
            least_log: u32::try_from(least_log).unwrap_or(u32::MAX),
        };
        if blob.asked != 0 && !blob.asked.is_power_of_two() {
            return Err("the alignment is no power of two");
        }
        if blob.least_log > MAX_ALIGNMENT_LOG {
            return Err("the alignment is too large");
        }
        let own = blob_alignment(blob.asked, len);
        if blob.least_log > 0 && (blob.is_external || own >= 1 << blob.least_log) {
            return Err("the alignment is that which it would be");
        }
        Ok(blob)
    }

    /// Returns the alignment of a blob of `len` bytes in its section.
    pub fn alignment(self, len: u64) -> u32 {
        blob_alignment(self.asked, len).max(1 << self.least_log.min(MAX_ALIGNMENT_LOG))
    }
}

/// Returns whether a path is allowed as the location of external blobs. O(n).
///
/// The path must be relative: non-empty names separated by `/`, none of which is `.` or `..`.
pub fn is_external_path(path: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        let forbidden = |byte: &u8| matches!(byte, b'\\' | b':' | 0..=31 | 127);
        !name.is_empty() && name != b"." && name != b".." && !name.iter().any(forbidden)
    };
    str::from_utf8(path).is_ok() && path.split(|&byte| byte == b'/').all(is_name)
}

/// Returns the alignment of a blob of `len` bytes that requests the alignment `asked`, or 0 for
/// none.
pub fn blob_alignment(asked: u32, len: u64) -> u32 {
    match asked {
        0 if len < 64 => 8,
        0 => 64,
        _ => asked.min(1 << MAX_ALIGNMENT_LOG),
    }
}

/// Preset strings: strings that files need not spell out.
pub mod preset {
    /// One string a line, in byte order. Released lines never change.
    const LIST: &str = include_str!("rmbc/preset.txt");

    /// All strings, by number, with their first bytes.
    static STRINGS: std::sync::LazyLock<Vec<(u64, &'static str)>> =
        std::sync::LazyLock::new(|| {
            LIST.lines()
                .map(|s| (first_bytes(s.as_bytes()), s))
                .collect()
        });

    /// Returns the first eight bytes of a string, padded with zeros, as a number.
    ///
    /// The numbers order strings by their bytes, except for those with equal beginnings. O(1).
    #[inline]
    pub fn first_bytes(bytes: &[u8]) -> u64 {
        let mut first = [0; 8];
        for (to, from) in first.iter_mut().zip(bytes) {
            *to = *from;
        }
        u64::from_be_bytes(first)
    }

    /// Returns the number of a preset string. O(log n).
    pub fn find(bytes: &[u8]) -> Option<u32> {
        let first = first_bytes(bytes);
        let found = STRINGS.binary_search_by(|&(begins, known)| {
            begins.cmp(&first).then_with(|| known.as_bytes().cmp(bytes))
        });
        found.ok().and_then(|number| u32::try_from(number).ok())
    }

    /// Returns the number of preset strings.
    pub fn count() -> usize {
        STRINGS.len()
    }

    /// Returns the string of a number. O(1).
    pub fn get(number: u64) -> Option<&'static str> {
        let number = usize::try_from(number).ok()?;
        STRINGS.get(number).map(|&(_, string)| string)
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn the_list_is_sorted() {
            assert!(super::STRINGS.is_sorted_by(|a, b| a < b));
            assert!(super::STRINGS.iter().all(|(_, line)| !line.is_empty()));
            let number = super::find(b"sym_name").unwrap();
            assert_eq!(super::get(number.into()), Some("sym_name"));
        }
    }
}
