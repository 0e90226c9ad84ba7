//! Traits of operations, attributes and types, and relations between types.

use super::Text;
use super::release::ReleaseRange;

/// The traits and interfaces of an operation that affect its structure, its types or its syntax, as
/// a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperationTraits(u64);

macro_rules! traits {
    ($($(#[$doc:meta])* $constant:ident = $bit:literal, $name:literal;)*) => {
        impl OperationTraits {
            $($(#[$doc])* pub const $constant: Self = OperationTraits(1 << $bit);)*
        }

        /// Upstream's name of each trait, which definitions use.
        const NAMES: &[(&str, OperationTraits)] = &[$(($name, OperationTraits::$constant),)*];
    };
}

traits! {
    /// `IsTerminator`: ends a block.
    TERMINATOR = 0, "IsTerminator";
    /// `IsIsolatedFromAbove`: its regions use no values from outside.
    ISOLATED_FROM_ABOVE = 1, "IsIsolatedFromAbove";
    /// `SymbolTable`: symbols in its region are looked up through it.
    SYMBOL_TABLE = 2, "SymbolTable";
    /// `SymbolOpInterface`: has a name in the symbol table around it.
    SYMBOL = 3, "SymbolOpInterface";
    /// `NoTerminator`: its blocks need no terminator.
    NO_TERMINATOR = 4, "NoTerminator";
    /// `SingleBlock`: its regions have one block at most.
    SINGLE_BLOCK = 5, "SingleBlock";
    /// `HasOnlyGraphRegion`: its regions are graph regions, in which uses may come before
    /// definitions.
    GRAPH_REGION = 6, "HasOnlyGraphRegion";
    /// `SingleBlockImplicitTerminator`: its blocks end with the implicit terminator of the
    /// definition.
    SINGLE_BLOCK_IMPLICIT_TERMINATOR = 7, "SingleBlockImplicitTerminator";
    /// `RegionKindInterface`: code decides which of its regions are graph regions.
    REGION_KIND = 8, "RegionKindInterface";
    /// `NoRegionArguments`: the blocks of its regions have no arguments.
    NO_REGION_ARGUMENTS = 9, "NoRegionArguments";
    /// `HasParent`: may occur in certain operations only.
    HAS_PARENT = 10, "HasParent";
    /// `ReturnLike`: passes its operands to the enclosing operation.
    RETURN_LIKE = 11, "ReturnLike";
    /// `FunctionOpInterface`: is a function, and with that a symbol.
    FUNCTION = 12, "FunctionOpInterface";
    /// `CallOpInterface`: calls something.
    CALL = 13, "CallOpInterface";
    /// `CallableOpInterface`: can be called.
    CALLABLE = 14, "CallableOpInterface";
    /// `ConstantLike`: has no operands and a constant result.
    CONSTANT_LIKE = 15, "ConstantLike";
    /// `AffineScope`: its regions begin a scope of affine symbols.
    AFFINE_SCOPE = 16, "AffineScope";
    /// `IsCommutative`: its operands can be exchanged.
    COMMUTATIVE = 17, "IsCommutative";
    /// `AttrSizedOperandSegments`: an attribute stores the number of operands of each group.
    ATTRIBUTE_SIZED_OPERANDS = 18, "AttrSizedOperandSegments";
    /// `AttrSizedResultSegments`: an attribute stores the number of results of each group.
    ATTRIBUTE_SIZED_RESULTS = 19, "AttrSizedResultSegments";
    /// `SameVariadicOperandSize`: its variadic groups of operands are equally long.
    SAME_VARIADIC_OPERAND_SIZE = 20, "SameVariadicOperandSize";
    /// `SameVariadicResultSize`: its variadic groups of results are equally long.
    SAME_VARIADIC_RESULT_SIZE = 21, "SameVariadicResultSize";
    /// `SameTypeOperands`: all operands have one type.
    SAME_TYPE_OPERANDS = 22, "SameTypeOperands";
    /// `SameOperandsAndResultType`: all operands and results have one type.
    SAME_OPERANDS_AND_RESULT_TYPE = 23, "SameOperandsAndResultType";
    /// `SameOperandsElementType`: all operands have one element type.
    SAME_OPERANDS_ELEMENT_TYPE = 24, "SameOperandsElementType";
    /// `SameOperandsAndResultElementType`: all operands and results have one element type.
    SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE = 25, "SameOperandsAndResultElementType";
    /// `SameOperandsShape`: all operands have one shape.
    SAME_OPERANDS_SHAPE = 26, "SameOperandsShape";
    /// `SameOperandsAndResultShape`: all operands and results have one shape.
    SAME_OPERANDS_AND_RESULT_SHAPE = 27, "SameOperandsAndResultShape";
    /// `SameOperandsAndResultRank`: all operands and results have one rank.
    SAME_OPERANDS_AND_RESULT_RANK = 28, "SameOperandsAndResultRank";
    /// `ResultsBroadcastableShape`: the operands' shapes broadcast to those of the results.
    RESULTS_BROADCASTABLE_SHAPE = 29, "ResultsBroadcastableShape";
    /// `InferTypeOpInterface`: code infers the types of results.
    INFER_TYPE = 30, "InferTypeOpInterface";
    /// `InferTypeOpAdaptor`: as [`INFER_TYPE`](Self::INFER_TYPE).
    INFER_TYPE_ADAPTOR = 31, "InferTypeOpAdaptor";
    /// `InferTensorType`: as [`INFER_TYPE`](Self::INFER_TYPE), for tensors.
    INFER_TENSOR_TYPE = 32, "InferTensorType";
    /// `InferShapedTypeOpAdaptor`: code infers the shapes of results.
    INFER_SHAPED_TYPE_ADAPTOR = 33, "InferShapedTypeOpAdaptor";
    /// `FirstAttrDerivedResultType`: the first attribute is or has the type of the results.
    FIRST_ATTRIBUTE_DERIVED_RESULT_TYPE = 34, "FirstAttrDerivedResultType";
}

impl OperationTraits {
    /// The empty set.
    pub const NONE: Self = OperationTraits(0);

    /// Returns the union of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        OperationTraits(self.0 | other.0)
    }

    /// Returns the traits of this set that are not in `other`.
    #[must_use]
    pub(super) const fn without(self, other: Self) -> Self {
        OperationTraits(self.0 & !other.0)
    }

    /// Returns whether all of `other` are in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the trait of that name. A function is a symbol too.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|n| n.0 == name)?.1;
        Some(if found == Self::FUNCTION {
            found.with(Self::SYMBOL)
        } else {
            found
        })
    }

    /// The interfaces among them; the others are traits.
    const INTERFACES: Self = Self::SYMBOL
        .with(Self::REGION_KIND)
        .with(Self::FUNCTION)
        .with(Self::CALL)
        .with(Self::CALLABLE)
        .with(Self::INFER_TYPE);

    /// Returns the interfaces of the set.
    pub(super) const fn interfaces(self) -> Self {
        OperationTraits(self.0 & Self::INTERFACES.0)
    }

    /// Returns the names of all traits.
    pub fn known_names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|row| row.0)
    }

    /// Returns the names of the traits in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.each().map(|(_, name)| name)
    }

    /// Returns the traits in the set one by one, with their names.
    pub(super) fn each(self) -> impl Iterator<Item = (Self, &'static str)> {
        let contained = NAMES.iter().filter(move |n| self.contains(n.1));
        contained.map(|&(name, traits)| (traits, name))
    }

    /// The traits that an implicit terminator implies.
    pub(super) const IMPLICIT_TERMINATOR: Self =
        Self::SINGLE_BLOCK.with(Self::SINGLE_BLOCK_IMPLICIT_TERMINATOR);
}

/// A trait or an interface without a meaning to this crate, which a definition stores by its name:
/// `Pure`, `MemoryEffectOpInterface`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTrait {
    /// The name that MLIR gives it, without namespaces.
    pub name: Text,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// The releases in which it holds.
    pub releases: ReleaseRange,
}

impl NamedTrait {
    /// Creates a trait of all releases.
    pub fn new(name: impl Into<Text>) -> Self {
        NamedTrait {
            name: name.into(),
            is_interface: false,
            releases: ReleaseRange::ALL,
        }
    }

    /// Creates an interface of all releases.
    pub fn interface(name: impl Into<Text>) -> Self {
        NamedTrait {
            is_interface: true,
            ..NamedTrait::new(name)
        }
    }
}

/// MLIR's names for several traits and interfaces at once (`SideEffectInterfaces.td`), and what
/// they directly imply.
const IMPLIED: &[(&str, &[NamedTrait])] = {
    const fn named(name: &'static str, is_interface: bool) -> NamedTrait {
        NamedTrait {
            name: Text::Borrowed(name),
            is_interface,
            releases: ReleaseRange::ALL,
        }
    }
    &[
        (
            "Pure",
            &[
                named("AlwaysSpeculatable", false),
                named("AlwaysSpeculatableImplTrait", false),
                named("ConditionallySpeculatable", true),
                named("MemoryEffectOpInterface", true),
                named("NoMemoryEffect", false),
            ],
        ),
        (
            "AlwaysSpeculatable",
            &[
                named("AlwaysSpeculatableImplTrait", false),
                named("ConditionallySpeculatable", true),
            ],
        ),
        ("NoMemoryEffect", &[named("MemoryEffectOpInterface", true)]),
    ]
};

/// Returns the traits and interfaces that the trait of that name implies, sorted by name.
pub(super) fn implied(name: &str) -> &'static [NamedTrait] {
    let found = IMPLIED.iter().find(|row| row.0 == name);
    found.map_or(&[], |row| row.1)
}

/// Returns whether a trait implies the trait or interface of that name.
pub(super) fn is_implied(name: &str) -> bool {
    let mut all = IMPLIED.iter().flat_map(|row| row.1);
    all.any(|implied| implied.name == name)
}

/// A relation between the types of some of an operation's groups of operands, results and
/// attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TypeRelationKind {
    /// The types are equal.
    Types,
    /// The element types are equal.
    ElementTypes,
    /// The shapes are equal.
    Shapes,
    /// The ranks are equal.
    Ranks,
    /// The numbers of elements are equal.
    ElementCounts,
    /// All are tensors of the same shape, or none is a tensor.
    TensorShapes,
    /// The first, a condition, is `i1` or has the shape of the others.
    ConditionShape,
}

const RELATIONS: &[(&str, TypeRelationKind)] = &[
    ("AllTypesMatch", TypeRelationKind::Types),
    ("AllElementTypesMatch", TypeRelationKind::ElementTypes),
    ("AllShapesMatch", TypeRelationKind::Shapes),
    ("AllRanksMatch", TypeRelationKind::Ranks),
    ("AllElementCountsMatch", TypeRelationKind::ElementCounts),
    ("AllTensorShapesMatch", TypeRelationKind::TensorShapes),
    (
        "BooleanConditionOrMatchingShape",
        TypeRelationKind::ConditionShape,
    ),
];

impl TypeRelationKind {
    /// Returns the relation that upstream calls by that name.
    pub fn from_name(name: &str) -> Option<Self> {
        RELATIONS.iter().find(|r| r.0 == name).map(|r| r.1)
    }

    /// Returns the compared property, as errors name it.
    pub(crate) fn subject(self) -> &'static str {
        match self {
            TypeRelationKind::Types => "type",
            TypeRelationKind::ElementTypes => "element type",
            TypeRelationKind::Shapes => "shape",
            TypeRelationKind::Ranks => "rank",
            TypeRelationKind::ElementCounts => "element count",
            TypeRelationKind::TensorShapes => "tensor dimensions",
            TypeRelationKind::ConditionShape => "shape unless the first is i1",
        }
    }

    /// Returns upstream's name. (`AllTensorShapesMatch` is an unnamed predicate there.)
    pub fn name(self) -> &'static str {
        RELATIONS.iter().find(|r| r.1 == self).map_or("", |r| r.0)
    }
}
