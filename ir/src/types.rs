//! Types of the builtin dialect, and the bodies of other dialects' types.

use crate::body::DialectBody;
use crate::definition::LlvmFeature;
use crate::float::FloatKind;
use crate::handle::handle;
use crate::{Attribute, Identifier};

handle! {
    "context",
    /// A type, interned in a [`Context`](crate::Context): equal handles of one context are equal
    /// types.
    Type
}

/// The largest width of an integer type, in bits (Builtin dialect, IntegerType).
pub const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

/// The size of a dimension that is not known statically, as stored in shapes; written `?`.
pub const DYNAMIC: i64 = i64::MIN;

/// The interpretation of the bits of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Signedness {
    /// `i32`: the operation determines the interpretation.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The kinds of a [`Type`]. The names and rules are those of the Builtin dialect's page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui1`.
    Integer {
        /// Width in bits, 0 to [`MAX_INTEGER_WIDTH`].
        width: u32,
        /// Signless, signed or unsigned.
        signedness: Signedness,
    },
    /// `f32`, `bf16`, `f8E4M3FN` and the other floats.
    Float(FloatKind),
    /// `index`.
    Index,
    /// `none`.
    None,
    /// `complex<f32>`.
    Complex(Type),
    /// `tuple<i32, f32>`.
    Tuple(Box<[Type]>),
    /// `(i32) -> f32`.
    Function {
        /// The inputs' types.
        inputs: Box<[Type]>,
        /// The results' types.
        results: Box<[Type]>,
    },
    /// `(i32) -> f32`, the type of a graph: its text is that of a function type, so the text parser
    /// makes one only for attributes that require one.
    #[doc(alias = "GraphType")]
    Graph {
        /// The inputs' types.
        inputs: Box<[Type]>,
        /// The results' types.
        results: Box<[Type]>,
    },
    /// `token`: its values identify operations and regions.
    #[doc(alias = "TokenType")]
    Token,
    /// `vector<4x[8]xf32>`.
    Vector {
        /// Sizes, each at least 1.
        shape: Box<[i64]>,
        /// The scalable dimensions (`[8]`); as long as `shape`.
        scalable: Box<[bool]>,
        /// The element type.
        element: Type,
    },
    /// `tensor<4x?xf32, #encoding>`.
    RankedTensor {
        /// Sizes, at least 0, or [`DYNAMIC`].
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The encoding, if there is one.
        encoding: Option<Attribute>,
    },
    /// `tensor<*xf32>`.
    UnrankedTensor(Type),
    /// `memref<4x?xf32, strided<[?, 1]>, 3>`.
    MemRef {
        /// Sizes, at least 0, or [`DYNAMIC`].
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The layout; `None` denotes the identity map. A lone dialect attribute is stored as the
        /// memory space: only the dialect knows which of the two it is.
        layout: Option<Attribute>,
        /// The memory space; `None` denotes the default one.
        memory_space: Option<Attribute>,
    },
    /// `memref<*xf32, 3>`.
    UnrankedMemRef {
        /// The element type.
        element: Type,
        /// The memory space; `None` denotes the default one.
        memory_space: Option<Attribute>,
    },
    /// `!dialect.mnemonic<body>`: a type of another dialect, stored as its canonical text.
    Dialect {
        /// The dialect's namespace.
        dialect: Identifier,
        /// The text after the namespace.
        body: DialectBody,
    },
}

impl TypeKind {
    /// Returns a word for the kind, for tables and other languages: `integer`, `tensor`.
    ///
    /// ```
    /// let context = rmlir_ir::Context::new();
    /// assert_eq!(context.type_kind(context.f32_type()).name(), "float");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            TypeKind::None => "none",
            TypeKind::Index => "index",
            TypeKind::Integer { .. } => "integer",
            TypeKind::Float(_) => "float",
            TypeKind::Complex(_) => "complex",
            TypeKind::Tuple(_) => "tuple",
            TypeKind::Function { .. } => "function",
            TypeKind::Graph { .. } => "graph",
            TypeKind::Token => "token",
            TypeKind::Vector { .. } => "vector",
            TypeKind::RankedTensor { .. } => "tensor",
            TypeKind::UnrankedTensor(_) => "unranked_tensor",
            TypeKind::MemRef { .. } => "memref",
            TypeKind::UnrankedMemRef { .. } => "unranked_memref",
            TypeKind::Dialect { .. } => "dialect",
        }
    }

    /// Returns the inputs and results of a function or graph type; `None` for other types.
    ///
    /// ```
    /// let mut context = rmlir_ir::Context::new();
    /// let ty = context.i32_type();
    /// let function = context.function_type(&[ty], &[]);
    /// assert_eq!(context.type_kind(function).signature(), Some((&[ty][..], &[][..])));
    /// assert!(context.type_kind(ty).signature().is_none());
    /// ```
    pub fn signature(&self) -> Option<(&[Type], &[Type])> {
        match self {
            TypeKind::Function { inputs, results } | TypeKind::Graph { inputs, results } => {
                Some((inputs, results))
            }
            _ => None,
        }
    }

    /// Returns the first release of LLVM that has types of this kind; 0 if all releases have them.
    pub fn first_release(&self) -> u32 {
        match self {
            TypeKind::Graph { .. } | TypeKind::Token => LlvmFeature::GraphTypes.first_release(),
            _ => 0,
        }
    }
}
