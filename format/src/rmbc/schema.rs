//! The layout of rmbc as data: sections, the fields of types, attributes and locations, signatures
//! of operations, codes of the stream of locations, and limits.
//!
//! Readers skip, describe and check by these tables, signatures are read and written by them, the
//! encoder checks entries by them in debug builds, and a test compares them with the tables and the
//! grammar of `spec/rmbc.md`.

pub mod limits;
pub mod locations;
mod templates;

pub use locations::{LocationCode, location_code};
pub use templates::{SIGNATURE, SignatureField, SignatureLayout, signature_flag};

macro_rules! sections {
    ($($(#[$doc:meta])* $constant:ident = $kind:literal, $name:literal, $required:literal;)*) => {
        /// Kinds of sections.
        pub mod section {
            $($(#[$doc])* pub const $constant: u16 = $kind;)*

            /// All kinds, ascending: number, display name, and whether sections of this kind are
            /// required.
            pub const ALL: &[(u16, &str, bool)] = &[$(($kind, $name, $required)),*];

            /// Returns the display name of a kind; `None` if there is no such section. O(1).
            pub fn name(kind: u16) -> Option<&'static str> {
                match kind {
                    $($kind => Some($name),)*
                    _ => None,
                }
            }

            /// Returns whether sections of a known kind have the flag "required"; `None` for an
            /// unknown kind, which may have it or not. O(1).
            pub fn is_required(kind: u16) -> Option<bool> {
                match kind {
                    $($kind => Some($required),)*
                    _ => None,
                }
            }
        }
    };
}

sections! {
    /// Strings of bytes.
    STRINGS = 1, "strings", true;
    /// Affine expressions.
    AFFINE = 2, "affine expressions", true;
    /// Resources of dialects.
    RESOURCES = 3, "resources", true;
    /// Types, attributes, and all locations except positions in files.
    ENTRIES = 4, "types and attributes", true;
    /// Operation templates: the data that operations of one kind share.
    TEMPLATES = 5, "templates", true;
    /// The operations.
    OPERATIONS = 6, "operations", true;
    /// Locations of operations and block arguments.
    LOCATIONS = 7, "locations", true;
    /// The locations of symbols in the file, and the symbols that they refer to.
    INDEX = 8, "index", false;
    /// Data that is not content: see `Provenance`.
    PROVENANCE = 9, "provenance", false;
    /// Base names of the aliases of types and attributes.
    ALIAS_NAMES = 10, "alias names", false;
    /// Names of values and blocks.
    NAMES = 11, "names", false;
    /// Use-list orders that differ from the default.
    USES = 12, "use-list orders", false;
    /// Fingerprints of the module and of symbols.
    HASHES = 13, "fingerprints", false;
    /// Length and alignment of the blobs.
    BLOB_LIST = 14, "blob list", true;
    /// The bytes of resources and of large elements.
    BLOBS = 15, "blobs", true;
    /// The names of features that a reader must know.
    FEATURES = 16, "features", true;
    /// Data of tools: bytes by key.
    METADATA = 17, "metadata", false;
    /// Data of tools about operations.
    ANNOTATIONS = 18, "annotations", false;
}

/// The meaning of a number or of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number.
    Number,
    /// A signed number in zigzag encoding.
    Signed,
    /// A byte.
    Byte,
    /// A length and that number of bytes.
    Bytes,
    /// Bytes whose number an earlier field determines.
    Fixed,
    /// The index of a string.
    String,
    /// The index of a type.
    Type,
    /// The index of an attribute, or of a string after these.
    Attribute,
    /// The index of a location.
    Location,
    /// The index of an affine expression.
    Affine,
    /// The index of a resource.
    Resource,
    /// The index of a blob.
    Blob,
    /// How many items follow.
    Count,
}

impl Kind {
    /// Returns the name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Number | Kind::Count => "n",
            Kind::Signed => "s",
            Kind::Byte => "byte",
            Kind::Bytes => "bytes",
            Kind::Fixed => "fixed",
            Kind::String => "string",
            Kind::Type => "type",
            Kind::Attribute => "attribute",
            Kind::Location => "location",
            Kind::Affine => "affine",
            Kind::Resource => "resource",
            Kind::Blob => "blob",
        }
    }
}

/// A field of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its encoding.
    pub encoding: FieldEncoding,
}

/// The encoding of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldEncoding {
    /// One item.
    One(Kind),
    /// 0 for nothing, else the number plus one.
    Optional(Kind),
    /// A number and that number of items.
    List(Kind),
    /// A number and that number of pairs.
    Pairs(Kind, Kind),
    /// A list of affine expressions: twice the number, plus one for an equality.
    Constraints,
    /// A value of the preceding integer type.
    Integer,
    /// A value of the preceding float type.
    Float,
    /// A bit for each item of the preceding list.
    Bits,
    /// Bytes here or in a blob.
    Data,
    /// Text, and references in it.
    Body,
    /// Types and attributes, distinguished by the lowest bit.
    References,
}

impl FieldEncoding {
    /// Returns the encoding in the notation of the specification.
    pub fn notation(self) -> String {
        match self {
            FieldEncoding::One(kind) => kind.name().to_owned(),
            FieldEncoding::Optional(kind) => format!("{}?", kind.name()),
            FieldEncoding::List(kind) => format!("{}*", kind.name()),
            FieldEncoding::Pairs(first, second) => format!("({} {})*", first.name(), second.name()),
            FieldEncoding::Constraints => "constraint*".to_owned(),
            FieldEncoding::Integer => "integer".to_owned(),
            FieldEncoding::Float => "float".to_owned(),
            FieldEncoding::Bits => "bits".to_owned(),
            FieldEncoding::Data => "data".to_owned(),
            FieldEncoding::Body => "body".to_owned(),
            FieldEncoding::References => "reference*".to_owned(),
        }
    }
}

const fn one(name: &'static str, kind: Kind) -> Field {
    let encoding = FieldEncoding::One(kind);
    Field { name, encoding }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    let encoding = FieldEncoding::Optional(kind);
    Field { name, encoding }
}

const fn list(name: &'static str, kind: Kind) -> Field {
    let encoding = FieldEncoding::List(kind);
    Field { name, encoding }
}

const fn special(name: &'static str, encoding: FieldEncoding) -> Field {
    Field { name, encoding }
}

const WIDTH: Field = one("width", Kind::Number);
const ELEMENT: Field = one("element", Kind::Type);
const SHAPE: Field = list("shape", Kind::Number);
const TYPE: Field = one("type", Kind::Type);
const DATA: Field = special("data", FieldEncoding::Data);
const FILE: Field = one("file", Kind::String);
const LINE: Field = one("line", Kind::Number);
const COLUMN: Field = one("column", Kind::Number);
const DIALECT: Field = one("dialect", Kind::String);
const BODY: Field = special("body", FieldEncoding::Body);
const DIMENSIONS: Field = one("dimensions", Kind::Number);
const SYMBOLS: Field = one("symbols", Kind::Number);

/// The layout of the entries with a tag.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The tag.
    pub tag: u8,
    /// The meaning of the entries.
    pub name: &'static str,
    /// The fields, in order.
    pub fields: &'static [Field],
}

macro_rules! entries {
    ($($(#[$doc:meta])* $constant:ident = $tag:literal, $name:literal, [$($field:expr),*];)*) => {
        /// The tags of entries of the section of types and attributes.
        pub mod tag {
            $($(#[$doc])* pub const $constant: u8 = $tag;)*

            /// The first tag of attributes; those below are of types.
            pub const FIRST_ATTRIBUTE: u8 = 32;
            /// The first tag of locations.
            pub const FIRST_LOCATION: u8 = 64;
            /// The exclusive upper bound of all tags.
            pub const END: u8 = 128;

            /// Returns whether entries with a tag are of a later version, whose layout is the same
            /// for all of them, so that they are preserved. O(1).
            pub const fn is_opaque(tag: u8) -> bool {
                DIALECT_TYPE < tag && tag < TOKEN_TYPE
                    || GRAPH_TYPE < tag && tag < FIRST_ATTRIBUTE
                    || DENSE_TEXT < tag && tag < FIRST_LOCATION
                    || SHORT_RANGE < tag && tag < END
            }
        }

        /// The entries of this version, by ascending tag.
        pub const ENTRIES: &[Entry] = &[
            $(Entry { tag: $tag, name: $name, fields: &[$($field),*] }),*
        ];

        /// Returns the name of the entries with a tag and their fields; `None` for a tag that no
        /// version has. O(1).
        #[inline]
        pub fn fields(tag: u8) -> Option<(&'static str, &'static [Field])> {
            match tag {
                $($tag => Some(($name, const { &[$($field),*] as &[Field] })),)*
                _ if tag::is_opaque(tag) => Some(("entry of a later version", OPAQUE)),
                _ => None,
            }
        }
    };
}

entries! {
    /// A signless integer type.
    SIGNLESS_TYPE = 0, "signless integer type", [WIDTH];
    /// A signed integer type.
    SIGNED_TYPE = 1, "signed integer type", [WIDTH];
    /// An unsigned integer type.
    UNSIGNED_TYPE = 2, "unsigned integer type", [WIDTH];
    /// A float type.
    FLOAT_TYPE = 3, "float type", [one("position in the list of float types", Kind::Byte)];
    /// `index`.
    INDEX_TYPE = 4, "index type", [];
    /// `none`.
    NONE_TYPE = 5, "none type", [];
    /// `complex`.
    COMPLEX_TYPE = 6, "complex type", [ELEMENT];
    /// `tuple`.
    TUPLE_TYPE = 7, "tuple type", [list("elements", Kind::Type)];
    /// A function type.
    FUNCTION_TYPE = 8, "function type", [list("inputs", Kind::Type), list("results", Kind::Type)];
    /// A vector type without scalable dimensions.
    VECTOR_TYPE = 9, "vector type", [ELEMENT, SHAPE];
    /// A vector type with scalable dimensions.
    SCALABLE_VECTOR_TYPE = 10, "scalable vector type",
        [ELEMENT, SHAPE, special("scalable", FieldEncoding::Bits)];
    /// A ranked tensor type.
    RANKED_TENSOR_TYPE = 11, "ranked tensor type",
        [ELEMENT, optional("encoding", Kind::Attribute), SHAPE];
    /// An unranked tensor type.
    UNRANKED_TENSOR_TYPE = 12, "unranked tensor type", [ELEMENT];
    /// A ranked memref type.
    MEMREF_TYPE = 13, "ranked memref type",
        [ELEMENT, optional("layout", Kind::Attribute), optional("memory space", Kind::Attribute), SHAPE];
    /// An unranked memref type.
    UNRANKED_MEMREF_TYPE = 14, "unranked memref type",
        [ELEMENT, optional("memory space", Kind::Attribute)];
    /// A type of another dialect.
    DIALECT_TYPE = 15, "type of a dialect", [DIALECT, BODY];
    /// `token`.
    TOKEN_TYPE = 17, "token type", [];
    /// A graph type.
    GRAPH_TYPE = 18, "graph type", [list("inputs", Kind::Type), list("results", Kind::Type)];

    /// `unit`.
    UNIT = 32, "unit", [];
    /// An integer.
    INTEGER = 33, "integer", [TYPE, special("value", FieldEncoding::Integer)];
    /// A float.
    FLOAT = 34, "float", [TYPE, special("value", FieldEncoding::Float)];
    /// A string with a type.
    STRING = 35, "string with a type", [one("value", Kind::String), optional("type", Kind::Type)];
    /// A reference to a symbol.
    SYMBOL_REF = 36, "symbol reference",
        [one("root", Kind::String), list("nested", Kind::String)];
    /// A type.
    TYPE = 37, "type attribute", [TYPE];
    /// An array.
    ARRAY = 38, "array", [list("elements", Kind::Attribute)];
    /// A dictionary.
    DICTIONARY = 39, "dictionary",
        [special("entries", FieldEncoding::Pairs(Kind::String, Kind::Attribute))];
    /// Dense elements.
    DENSE_ELEMENTS = 40, "dense elements", [TYPE, DATA];
    /// Dense elements that are all equal.
    DENSE_SPLAT = 41, "dense splat", [TYPE, DATA];
    /// Dense strings.
    DENSE_STRINGS = 42, "dense strings", [TYPE, list("values", Kind::String)];
    /// Dense strings that are all equal.
    DENSE_STRING_SPLAT = 43, "dense string splat", [TYPE, list("values", Kind::String)];
    /// A dense array.
    DENSE_ARRAY = 44, "dense array", [ELEMENT, DATA];
    /// Elements in a resource.
    DENSE_RESOURCE = 45, "dense resource", [TYPE, one("value", Kind::Resource)];
    /// Sparse elements.
    SPARSE = 46, "sparse elements",
        [TYPE, one("indices", Kind::Attribute), one("values", Kind::Attribute)];
    /// An affine map.
    AFFINE_MAP = 47, "affine map", [DIMENSIONS, SYMBOLS, list("results", Kind::Affine)];
    /// An integer set.
    INTEGER_SET = 48, "integer set",
        [DIMENSIONS, SYMBOLS, special("constraints", FieldEncoding::Constraints)];
    /// A strided layout.
    STRIDED_LAYOUT = 49, "strided layout",
        [one("offset", Kind::Number), list("strides", Kind::Number)];
    /// A distinct attribute.
    DISTINCT = 50, "distinct attribute", [one("referenced", Kind::Attribute)];
    /// A location as an attribute.
    LOCATION = 51, "location attribute", [one("value", Kind::Location)];
    /// An attribute of another dialect.
    DIALECT_ATTRIBUTE = 52, "attribute of a dialect",
        [DIALECT, BODY, optional("type", Kind::Type)];
    /// Dense elements of a type whose shape only the dialect knows, as text.
    DENSE_TEXT = 53, "dense text", [TYPE, one("literal", Kind::String)];

    /// The unknown location.
    UNKNOWN_LOCATION = 64, "unknown location", [];
    /// A position in a file.
    FILE_PLACE = 65, "file position", [FILE, LINE, COLUMN];
    /// A range in a file.
    FILE_RANGE = 66, "file range",
        [FILE, LINE, COLUMN, one("lines", Kind::Signed), one("columns", Kind::Signed)];
    /// A name around a location.
    NAMED_LOCATION = 67, "named location",
        [one("name", Kind::String), optional("child", Kind::Location)];
    /// A location in a callee, and that of the call.
    CALL_SITE = 68, "call site", [one("callee", Kind::Location), one("caller", Kind::Location)];
    /// Several locations.
    FUSED = 69, "fused location",
        [optional("metadata", Kind::Attribute), list("locations", Kind::Location)];
    /// An attribute of a dialect that is a location.
    DIALECT_LOCATION = 70, "location of a dialect", [one("attribute", Kind::Attribute)];
    /// A position in a file that is stored as a range with at most two numbers.
    SHORT_RANGE = 71, "file position stored as a range", [FILE, list("numbers", Kind::Number)];
}

/// The entries of later versions: the data, and the references that a writer renumbers.
const OPAQUE: &[Field] = &[
    one("data", Kind::Bytes),
    special("references", FieldEncoding::References),
];
