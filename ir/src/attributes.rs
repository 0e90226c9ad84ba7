//! Attributes of the builtin dialect, and the bodies of other dialects' attributes.

use crate::affine::{AffineMap, IntegerSet};
use crate::apint::ApInt;
use crate::body::DialectBody;
use crate::handle::handle;
use crate::resource::Resource;
use crate::{Identifier, Location, Type};

handle! {
    "context",
    /// An attribute, interned in a [`Context`](crate::Context): equal handles of one context are
    /// equal attributes.
    Attribute
}

/// A named attribute, an entry of a dictionary.
pub type NamedAttribute = (Identifier, Attribute);

/// The kinds of an [`Attribute`]. The names and rules are those of the Builtin dialect's page.
///
/// # Dense data
///
/// `DenseElements` and `DenseArray` hold their elements one after another, row-major, each
/// little-endian in `ceil(width / 8)` bytes, unused high bits zero; `i1` takes a byte (0 or 1),
/// `index` eight, a complex element two elements of its element type. A splat holds one element.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// `unit`.
    Unit,
    /// `42 : i32`, `true`, `7 : index`.
    Integer {
        /// An integer type or `index`.
        ty: Type,
        /// The bits; 64 for `index`.
        value: ApInt,
    },
    /// `1.5 : f32`.
    Float {
        /// A float type.
        ty: Type,
        /// The exact bits, in the low bits.
        bits: u128,
    },
    /// `"text"`, `"text" : !dialect.type`.
    String {
        /// The bytes, which need not be UTF-8.
        value: Identifier,
        /// The type that was given, if it is not `none`.
        ty: Option<Type>,
    },
    /// `@root::@nested`.
    SymbolRef {
        /// The first name.
        root: Identifier,
        /// The nested names.
        nested: Box<[Identifier]>,
    },
    /// A type as an attribute.
    Type(Type),
    /// `[a, b]`.
    Array(Box<[Attribute]>),
    /// `{a = 1, b}`: sorted by name (as bytes), names unique.
    Dictionary(Box<[NamedAttribute]>),
    /// `dense<...> : tensor<...>` of integers, `index`, floats or complex numbers.
    DenseElements {
        /// A ranked tensor, vector or memref type of static shape.
        ty: Type,
        /// Whether the single stored element is repeated.
        splat: bool,
        /// The elements; see above.
        data: Box<[u8]>,
    },
    /// `dense<["a", "b"]> : tensor<2x!d.string>`.
    DenseStrings {
        /// A ranked tensor, vector or memref type of static shape.
        ty: Type,
        /// Whether the single stored string is repeated.
        splat: bool,
        /// The strings.
        values: Box<[Identifier]>,
    },
    /// `dense<...> : !dialect.type`: elements of a type whose shape only the dialect knows, stored
    /// as they are written.
    DenseText {
        /// The type, one of a dialect.
        ty: Type,
        /// The text between `dense<` and `>`.
        literal: Identifier,
    },
    /// `array<i32: 1, 2>`.
    DenseArray {
        /// An integer or float type of whole bytes, or `i1`.
        element: Type,
        /// The number of elements.
        length: usize,
        /// The elements; see above.
        data: Box<[u8]>,
    },
    /// `dense_resource<handle> : tensor<...>`.
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// The resource that the handle denotes.
        resource: Resource,
    },
    /// `sparse<indices, values> : tensor<...>`.
    Sparse {
        /// A ranked tensor or vector type of static shape.
        ty: Type,
        /// A dense elements attribute of `tensor<NxRANKxi64>`.
        indices: Attribute,
        /// A dense elements attribute of N values.
        values: Attribute,
    },
    /// `affine_map<(d0) -> (d0)>`.
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`.
    IntegerSet(IntegerSet),
    /// `strided<[?, 1], offset: 3>`.
    StridedLayout {
        /// The offset, or [`DYNAMIC`](crate::DYNAMIC).
        offset: i64,
        /// The strides, or [`DYNAMIC`](crate::DYNAMIC).
        strides: Box<[i64]>,
    },
    /// `distinct[0]<a>`: differs from every other distinct attribute, whatever it refers to.
    Distinct {
        /// Unique in the context; the printer assigns new numbers.
        id: u32,
        /// The wrapped attribute.
        referenced: Attribute,
    },
    /// `loc(...)` as an attribute. The location is the unique representative of all equal ones.
    Location(Location),
    /// `#dialect.mnemonic<body> : type`: an attribute of another dialect, stored as its canonical
    /// text.
    Dialect {
        /// The dialect's namespace.
        dialect: Identifier,
        /// The text after the namespace.
        body: DialectBody,
        /// The type written after it, if it is not `none`.
        ty: Option<Type>,
    },
}

impl AttributeKind {
    /// Returns a word for the kind, for tables and other languages: `integer`, `dense_elements`.
    ///
    /// ```
    /// let context = rmlir_ir::Context::new();
    /// assert_eq!(context.attribute_kind(context.unit_attribute()).name(), "unit");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            AttributeKind::Unit => "unit",
            AttributeKind::Integer { .. } => "integer",
            AttributeKind::Float { .. } => "float",
            AttributeKind::String { .. } => "string",
            AttributeKind::SymbolRef { .. } => "symbol_ref",
            AttributeKind::Type(_) => "type",
            AttributeKind::Array(_) => "array",
            AttributeKind::Dictionary(_) => "dictionary",
            AttributeKind::DenseElements { .. } => "dense_elements",
            AttributeKind::DenseStrings { .. } => "dense_strings",
            AttributeKind::DenseText { .. } => "dense_text",
            AttributeKind::DenseArray { .. } => "dense_array",
            AttributeKind::DenseResource { .. } => "dense_resource",
            AttributeKind::Sparse { .. } => "sparse",
            AttributeKind::AffineMap(_) => "affine_map",
            AttributeKind::IntegerSet(_) => "integer_set",
            AttributeKind::StridedLayout { .. } => "strided_layout",
            AttributeKind::Distinct { .. } => "distinct",
            AttributeKind::Location(_) => "location",
            AttributeKind::Dialect { .. } => "dialect",
        }
    }
}
