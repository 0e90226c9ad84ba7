//! The numbers of rmbc, version 0, that reader and writer share; `spec/rmbc.md` says what they mean.
//!
//! *Provisional: version 0 is replaced before anything is released.*

macro_rules! sections {
    ($($(#[$doc:meta])* $constant:ident = $kind:literal, $name:literal;)*) => {
        /// Kinds of sections.
        pub mod section {
            $($(#[$doc])* pub const $constant: u16 = $kind;)*

            /// The name of a kind for people; `None` if version 0 has no such section. O(1).
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
    /// Names of operations, as strings.
    OPERATION_NAMES = 2, "operation names";
    /// Affine expressions.
    AFFINE = 3, "affine expressions";
    /// Resources of dialects.
    RESOURCES = 4, "resources";
    /// Types and attributes, and the locations that attributes hold.
    ENTRIES = 5, "types and attributes";
    /// Locations of operations and block arguments.
    LOCATIONS = 6, "locations";
    /// The operations.
    OPERATIONS = 7, "operations";
    /// What is no content: see `Provenance`.
    PROVENANCE = 8, "provenance";
    /// The bytes of resources.
    BLOBS = 9, "blobs";
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

/// What a resource holds.
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

/// The first byte of an entry of the sections of types and attributes and of locations.
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
    /// The elements of a type of which only the dialect knows the shape, as text.
    pub const DENSE_TEXT: u8 = 53;

    /// The unknown location.
    pub const UNKNOWN_LOCATION: u8 = 64;
    /// A place in a file.
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
}

/// Keywords of the float types; a file has their positions here.
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

/// Bits of the first byte of the section of operations.
pub mod module_flag {
    /// Operations and block arguments have locations; without, all of them are unknown.
    pub const LOCATIONS: u8 = 1;
}

/// Bits of the byte behind an operation's name.
pub mod operation_flag {
    /// There are discardable attributes.
    pub const ATTRIBUTES: u8 = 1;
    /// There are properties.
    pub const PROPERTIES: u8 = 1 << 1;
    /// There are successors.
    pub const SUCCESSORS: u8 = 1 << 2;
    /// There are regions.
    pub const REGIONS: u8 = 1 << 3;
    /// Where the two bits are that count the results.
    pub const RESULTS_SHIFT: u32 = 4;
    /// Where the two bits are that count the operands.
    pub const OPERANDS_SHIFT: u32 = 6;
    /// The largest number of results or operands in two bits: these many or more, and a varint says how many.
    pub const MANY: u8 = 3;
}
