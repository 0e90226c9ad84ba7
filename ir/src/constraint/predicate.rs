//! Predicates on types, as data that definitions spell (`spec/dialect-definitions.md`,
//! "Constraints").
//!
//! Whether a dialect's type has a shape or is a float is decided by code of the dialect. For such a
//! type, a predicate may have no verdict; the verifier then accepts the type.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod parse;
mod print;

use super::TypeConstraint;
use crate::float::FloatKind;
use crate::{Context, Signedness, Type, TypeKind};
use std::sync::Arc;

/// The maximum nesting depth of a predicate, including the predicates that it refers to.
const MAX_DEPTH: u32 = 32;

/// The maximum number of parts of a predicate, which bounds the steps of a check. The parts of a
/// referenced predicate count at each reference, and every [`TEXT_OF_A_PART`] bytes of a summary
/// count as a part.
const MAX_PARTS: u32 = 1 << 9;
const TEXT_OF_A_PART: usize = 64;

/// The maximum length in bytes of a summary composed of others.
const LONGEST_SUMMARY: usize = 1 << 11;

/// A condition on types.
#[derive(Clone, PartialEq, Debug)]
pub struct TypePredicate {
    node: Node,
    /// The nesting depth, at least 1.
    depth: u32,
    /// The number of parts, at least 1.
    parts: u32,
}

#[derive(Clone, PartialEq, Debug)]
enum Node {
    Any,
    /// Unknown: has no verdict on any type.
    Unknown,
    /// A type of any dialect other than `builtin`.
    OfDialect,
    Integer {
        signedness: Option<Signedness>,
        width: Option<u32>,
    },
    Index,
    NoneType,
    Function,
    Graph,
    Token,
    Tuple,
    /// A float type: any, or of one kind.
    Float(Option<FloatKind>),
    Complex(Option<Box<TypePredicate>>),
    Shaped(Shaped, Option<Box<TypePredicate>>),
    Rank(Vec<u32>),
    MinRank(u32),
    /// The number of elements is one of these.
    Length(Vec<u64>),
    /// The sizes, each with a flag that is set if it must be scalable.
    Shape(Vec<(i64, bool)>),
    Static,
    /// Every dimension is scalable.
    AllScalable,
    /// Every size is at least this, or dynamic.
    MinSize(i64),
    /// Every size equals this.
    Sizes(i64),
    Named(Arc<str>, Names),
    Not(Box<TypePredicate>),
    All(Vec<TypePredicate>),
    OneOf(Vec<TypePredicate>),
    Constraint(Arc<TypeConstraint>),
}

/// How much of a dialect type's text a name must match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    /// The whole text.
    Exactly,
    /// The dialect and mnemonic, with any parameters.
    Mnemonic,
    /// The dialect only.
    Dialect,
}

/// Kinds of types with elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shaped {
    Any,
    Tensor,
    RankedTensor,
    UnrankedTensor,
    MemRef,
    UnrankedMemRef,
    AnyMemRef,
    Vector,
    FixedVector,
    ScalableVector,
    /// Tensors and vectors: upstream's types with value semantics.
    Value,
}

/// The keywords of the kinds, and their descriptions for error messages.
const SHAPED: &[(&str, Shaped, &str)] = &[
    ("shaped", Shaped::Any, "shaped"),
    ("tensor", Shaped::Tensor, "tensor"),
    ("ranked_tensor", Shaped::RankedTensor, "ranked tensor"),
    ("unranked_tensor", Shaped::UnrankedTensor, "unranked tensor"),
    ("memref", Shaped::MemRef, "memref"),
    ("unranked_memref", Shaped::UnrankedMemRef, "unranked.memref"),
    ("any_memref", Shaped::AnyMemRef, "ranked or unranked memref"),
    ("vector", Shaped::Vector, "vector"),
    ("fixed_vector", Shaped::FixedVector, "fixed-length vector"),
    ("scalable_vector", Shaped::ScalableVector, "scalable vector"),
    ("value", Shaped::Value, "tensor or vector"),
];

/// The keywords that are complete predicates.
const WORDS: &[(&str, Node, &str)] = &[
    ("any", Node::Any, "any type"),
    ("unknown", Node::Unknown, "type"),
    ("dialect_type", Node::OfDialect, "type of a dialect"),
    ("integer", INTEGER, "integer"),
    ("signless", SIGNLESS, "signless integer"),
    ("signed", SIGNED, "signed integer"),
    ("unsigned", UNSIGNED, "unsigned integer"),
    ("index", Node::Index, "index"),
    ("float", Node::Float(None), "floating-point"),
    ("complex", Node::Complex(None), "complex-type"),
    ("none", Node::NoneType, "none type"),
    ("function", Node::Function, "function type"),
    ("graph", Node::Graph, "graph type"),
    ("token", Node::Token, "token"),
    ("tuple", Node::Tuple, "tuple"),
    ("static", Node::Static, "statically shaped"),
    ("all_scalable", Node::AllScalable, "all scalable"),
];

const INTEGER: Node = integers(None);
const SIGNLESS: Node = integers(Some(Signedness::Signless));
const SIGNED: Node = integers(Some(Signedness::Signed));
const UNSIGNED: Node = integers(Some(Signedness::Unsigned));

const fn integers(signedness: Option<Signedness>) -> Node {
    Node::Integer {
        signedness,
        width: None,
    }
}

/// The prefixes of integer types with a width.
const WIDTHS: &[(&str, Option<Signedness>, &str)] = &[
    ("int", None, "integer"),
    ("si", Some(Signedness::Signed), "signed integer"),
    ("ui", Some(Signedness::Unsigned), "unsigned integer"),
    ("i", Some(Signedness::Signless), "signless integer"),
];

/// The reason why a type violates a predicate, in the terms of IRDL's verifier.
pub(crate) enum Refusal {
    /// It is not this one type.
    Is(String),
    /// Its name is not the expected one, whatever the parameters.
    Base { expected: String, found: String },
    /// Any other reason.
    Other,
}

/// The predicates that are satisfied by exactly the types of one name in the builtin dialect.
const BUILTIN_BASES: &[(&str, Node)] = &[
    ("integer", INTEGER),
    ("complex", Node::Complex(None)),
    ("function", Node::Function),
    ("graph", Node::Graph),
    ("tuple", Node::Tuple),
    ("tensor", Node::Shaped(Shaped::RankedTensor, None)),
    (
        "unranked_tensor",
        Node::Shaped(Shaped::UnrankedTensor, None),
    ),
    ("memref", Node::Shaped(Shaped::MemRef, None)),
    (
        "unranked_memref",
        Node::Shaped(Shaped::UnrankedMemRef, None),
    ),
    ("vector", Node::Shaped(Shaped::Vector, None)),
];

/// Returns the qualified name under which upstream registers types like this one.
#[cold]
fn base_name(context: &Context, ty: Type) -> String {
    let builtin = match context.type_kind(ty) {
        TypeKind::Integer { .. } => "integer",
        TypeKind::Float(kind) => kind.keyword(),
        TypeKind::Index => "index",
        TypeKind::None => "none",
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
        TypeKind::Dialect { dialect, .. } if context.dialect(context.bytes(*dialect)).is_none() => {
            "opaque"
        }
        TypeKind::Dialect { dialect, body } => {
            let text = String::from_utf8_lossy(body.text());
            let mnemonic = text.split(['<', ' ']).next().unwrap_or_default();
            return format!("{}.{mnemonic}", context.str(*dialect));
        }
    };
    format!("builtin.{builtin}")
}

/// An error in the text of a predicate: the byte offset and the message.
pub(crate) type PredicateError = (usize, String);

impl TypePredicate {
    /// Returns the predicate that every type satisfies.
    pub fn any() -> Self {
        TypePredicate {
            node: Node::Any,
            depth: 1,
            parts: 1,
        }
    }

    /// Returns the nesting depth, which is greater than that of every predicate it refers to.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns whether every type satisfies the predicate.
    pub fn is_any(&self) -> bool {
        match &self.node {
            Node::Any => true,
            Node::Constraint(constraint) => constraint.predicate.is_any(),
            _ => false,
        }
    }

    /// Returns the text of the only type that satisfies the predicate, if it names a single type.
    ///
    /// Of the vectors with a number of elements (`fixed_vector<i32> & length(3)`), it is the one
    /// with one dimension, as for upstream's `BuildableType`.
    pub fn single_type(&self) -> Option<String> {
        match &self.node {
            Node::All(parts) => match parts.as_slice() {
                [vector, length] if vector.class_dialect().is_none() => {
                    vector.single_vector(length)
                }
                parts => {
                    self.class_dialect()?;
                    parts.iter().find_map(Self::single_type)
                }
            },
            Node::Named(_, Names::Exactly)
            | Node::Integer {
                signedness: Some(_),
                width: Some(_),
            }
            | Node::Float(Some(_))
            | Node::Index
            | Node::NoneType => Some(self.to_string()),
            Node::Constraint(constraint) => constraint.predicate.single_type(),
            _ => None,
        }
    }

    /// Returns the dialect and the mnemonic of the type of a dialect that is all that the predicate
    /// accepts: `!llvm.ptr<3>`.
    pub fn mnemonic(&self) -> Option<(&str, &str)> {
        match &self.node {
            Node::Named(text, Names::Exactly) => {
                let text = text.strip_prefix('!').unwrap_or(text);
                let name = text.split('<').next().unwrap_or(text);
                name.split_once('.')
            }
            Node::All(parts) => parts.iter().find_map(Self::mnemonic),
            Node::Constraint(constraint) => constraint.predicate.mnemonic(),
            _ => None,
        }
    }

    /// Returns the dialect whose types the predicate restricts: that of `!moore._` and of
    /// `!moore._ & unknown`. Upstream's class for these types is one of the dialect's own, and
    /// formats omit the name of the dialect.
    pub fn class_dialect(&self) -> Option<&str> {
        match &self.node {
            Node::Named(text, Names::Dialect) => Some(text.strip_prefix('!').unwrap_or(text)),
            Node::All(parts) => parts.iter().find_map(Self::class_dialect),
            Node::Constraint(constraint) => constraint.predicate.class_dialect(),
            _ => None,
        }
    }

    /// Returns the mnemonic that all types have which a conjunction accepts: that of
    /// `!moore._ & !moore.ref<_>`.
    pub fn class_mnemonic(&self) -> Option<&str> {
        match &self.node {
            Node::Named(text, Names::Mnemonic) => text.split_once('.').map(|name| name.1),
            Node::All(parts) => parts.iter().find_map(Self::class_mnemonic),
            Node::Constraint(constraint) => constraint.predicate.class_mnemonic(),
            _ => None,
        }
    }

    /// Returns the text of the vector with one dimension of this length and elements of the only
    /// type that the predicate, of a fixed vector, accepts.
    fn single_vector(&self, length: &Self) -> Option<String> {
        match (&self.node, &length.node) {
            (Node::Shaped(Shaped::FixedVector, Some(element)), Node::Length(lengths)) => {
                let [length] = lengths.as_slice() else {
                    return None;
                };
                Some(format!("vector<{length}x{}>", element.single_type()?))
            }
            _ => None,
        }
    }

    /// Returns why a type violates the predicate: by the first part of the conjunction that it
    /// violates.
    #[cold]
    pub(crate) fn refusal(&self, context: &Context, ty: Type) -> Refusal {
        let mut part = self;
        loop {
            part = match &part.node {
                Node::Constraint(constraint) => &constraint.predicate,
                Node::All(all) => {
                    let broken = |one: &&TypePredicate| one.holds(context, ty) == Some(false);
                    match all.iter().find(broken) {
                        Some(broken) => broken,
                        None => return Refusal::Other,
                    }
                }
                _ => break,
            };
        }
        if let Some(ty) = part.single_type() {
            return Refusal::Is(ty);
        }
        let expected = match &part.node {
            Node::Named(name, Names::Mnemonic) => name.trim_start_matches('!').to_owned(),
            node => {
                let mut builtin = BUILTIN_BASES.iter();
                match builtin.find(|row| row.1 == *node) {
                    Some(row) => format!("builtin.{}", row.0),
                    None => return Refusal::Other,
                }
            }
        };
        let found = base_name(context, ty);
        Refusal::Base { expected, found }
    }

    /// Returns whether a type satisfies the predicate; `None` if that is unknown.
    pub fn holds(&self, context: &Context, ty: Type) -> Option<bool> {
        let kind = context.type_kind(ty);
        let is_dialects = matches!(kind, TypeKind::Dialect { .. });
        Some(match &self.node {
            Node::Any => true,
            Node::Unknown => return None,
            Node::OfDialect => is_dialects,
            Node::Integer { signedness, width } => match kind {
                TypeKind::Integer {
                    width: w,
                    signedness: s,
                } => {
                    signedness.is_none_or(|signedness| signedness == *s)
                        && width.is_none_or(|width| width == *w)
                }
                _ => false,
            },
            Node::Index => matches!(kind, TypeKind::Index),
            Node::NoneType => matches!(kind, TypeKind::None),
            Node::Function => matches!(kind, TypeKind::Function { .. }),
            Node::Graph => matches!(kind, TypeKind::Graph { .. }),
            Node::Token => matches!(kind, TypeKind::Token),
            Node::Tuple => matches!(kind, TypeKind::Tuple(_)),
            Node::Float(None) if is_dialects => {
                return has_no_floats(context, kind).then_some(false);
            }
            Node::Float(None) => matches!(kind, TypeKind::Float(_)),
            Node::Float(Some(float)) => matches!(kind, TypeKind::Float(other) if other == float),
            Node::Complex(element) => match (kind, element) {
                (TypeKind::Complex(ty), Some(element)) => return element.holds(context, *ty),
                (kind, _) => matches!(kind, TypeKind::Complex(_)),
            },
            Node::Shaped(sort @ (Shaped::Any | Shaped::Value), element) if is_dialects => {
                if !may_have_shape(context, kind) {
                    return Some(false);
                }
                return match (sort, element, shape_of_dialect(context, ty)) {
                    (Shaped::Any, Some(element), Some((_, ty))) => element.holds(context, ty),
                    (Shaped::Any, None, Some(_)) => Some(true),
                    _ => None,
                };
            }
            Node::Rank(ranks) if is_dialects => {
                let (rank, _) = shape_of_dialect(context, ty)?;
                return Some(u32::try_from(rank).is_ok_and(|rank| ranks.contains(&rank)));
            }
            Node::Shaped(sort, element) => {
                if !sort.has(kind) {
                    return Some(false);
                }
                match (element, context.element_type(ty)) {
                    (Some(element), Some(ty)) => return element.holds(context, ty),
                    _ => true,
                }
            }
            Node::MinRank(_)
            | Node::Length(_)
            | Node::Shape(_)
            | Node::Static
            | Node::AllScalable
            | Node::MinSize(_)
            | Node::Sizes(_)
                if is_dialects =>
            {
                return None;
            }
            Node::Rank(ranks) => context.shape(ty).is_some_and(|shape| {
                u32::try_from(shape.len()).is_ok_and(|rank| ranks.contains(&rank))
            }),
            Node::MinRank(rank) => context
                .shape(ty)
                .is_some_and(|shape| u32::try_from(shape.len()).is_ok_and(|found| found >= *rank)),
            Node::Length(lengths) => context
                .element_count(ty)
                .is_some_and(|count| lengths.contains(&count)),
            Node::Shape(sizes) => context.shape(ty).is_some_and(|shape| {
                let scalable = match kind {
                    TypeKind::Vector { scalable, .. } => &**scalable,
                    _ => &[],
                };
                let scalable = scalable.iter().copied().chain(std::iter::repeat(false));
                let found = shape.iter().zip(scalable);
                let mut both = sizes.iter().zip(found);
                sizes.len() == shape.len()
                    && both.all(|((size, must), (found, is))| size == found && (is || !must))
            }),
            Node::Static => context
                .shape(ty)
                .is_some_and(|shape| !shape.contains(&crate::DYNAMIC)),
            Node::AllScalable => {
                matches!(kind, TypeKind::Vector { scalable, .. } if !scalable.contains(&false))
            }
            Node::MinSize(least) => context.shape(ty).is_some_and(|shape| {
                let mut sizes = shape.iter();
                sizes.all(|&size| size == crate::DYNAMIC || size >= *least)
            }),
            Node::Sizes(all) => context
                .shape(ty)
                .is_some_and(|shape| shape.iter().all(|size| size == all)),
            Node::Named(text, names) => names.has(context, text, kind),
            Node::Not(predicate) => !predicate.holds(context, ty)?,
            Node::All(predicates) => {
                let mut known = Some(true);
                for predicate in predicates {
                    match predicate.holds(context, ty) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => known = None,
                    }
                }
                return known;
            }
            Node::OneOf(predicates) => {
                let mut known = Some(false);
                for predicate in predicates {
                    match predicate.holds(context, ty) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = None,
                    }
                }
                return known;
            }
            Node::Constraint(constraint) => return constraint.predicate.holds(context, ty),
        })
    }
}

impl Node {
    /// Returns the nesting depth and the number of parts, from those of the operands.
    fn measure(&self) -> (u32, u32) {
        let inner: &[TypePredicate] = match self {
            Node::All(all) | Node::OneOf(all) => all,
            Node::Complex(Some(one)) | Node::Shaped(_, Some(one)) | Node::Not(one) => {
                std::slice::from_ref(&**one)
            }
            Node::Constraint(constraint) => std::slice::from_ref(&constraint.predicate),
            _ => &[],
        };
        let depth = inner.iter().map(|one| one.depth).max().unwrap_or(0);
        let text = match self {
            Node::Constraint(constraint) => constraint.summary.len() / TEXT_OF_A_PART,
            _ => 0,
        };
        let own = u32::try_from(text).unwrap_or(u32::MAX).saturating_add(1);
        let parts = inner.iter().map(|one| one.parts);
        (
            depth.saturating_add(1),
            parts.fold(own, u32::saturating_add),
        )
    }
}

/// Whether a type is of a dialect none of whose types is like a builtin number. Upstream has the
/// types of a dialect that it does not know as opaque ones.
fn has_no_floats(context: &Context, kind: &TypeKind) -> bool {
    let TypeKind::Dialect { dialect, .. } = kind else {
        return false;
    };
    let dialect = context.dialect(context.bytes(*dialect));
    dialect.is_none_or(|dialect| {
        let mut types = dialect.types.entries().iter();
        dialect.types_complete && types.all(|entry| entry.like.is_none())
    })
}

/// The interface of types that have a shape, by MLIR's name.
const SHAPED_INTERFACE: &str = "ShapedType";

/// Whether a type is of a dialect and may have a shape: its dialect is known, and does not declare
/// all of its types without MLIR's interface for shapes. Upstream has the types of a dialect that
/// it does not know as opaque ones, which have no shape.
pub(crate) fn may_have_shape(context: &Context, kind: &TypeKind) -> bool {
    let TypeKind::Dialect { dialect, body } = kind else {
        return false;
    };
    let Some(dialect) = context.dialect(context.bytes(*dialect)) else {
        return false;
    };
    let number = context.release().number_in(dialect.family);
    let entry = dialect.types.entry_of(body, number);
    !dialect.types_complete
        || entry.is_none_or(|entry| {
            entry
                .interfaces()
                .any(|interface| interface == SHAPED_INTERFACE)
        })
}

/// Returns the rank and the element type of a type of a dialect that has MLIR's interface for
/// shapes, and the parameters `shape` and `elementType`.
fn shape_of_dialect(context: &Context, ty: Type) -> Option<(usize, Type)> {
    if !may_have_shape(context, context.type_kind(ty)) {
        return None;
    }
    let parameters = context.parameters(ty).ok()?;
    let shape = parameters.get("shape")?.value();
    let rank = parameters.values().list(shape).len();
    Some((rank, parameters.get("elementType")?.ty()?))
}

impl Shaped {
    fn has(self, kind: &TypeKind) -> bool {
        let is_scalable = |scalable: &[bool]| scalable.contains(&true);
        match kind {
            TypeKind::RankedTensor { .. } => matches!(
                self,
                Shaped::Any | Shaped::Value | Shaped::Tensor | Shaped::RankedTensor
            ),
            TypeKind::UnrankedTensor(_) => matches!(
                self,
                Shaped::Any | Shaped::Value | Shaped::Tensor | Shaped::UnrankedTensor
            ),
            TypeKind::MemRef { .. } => {
                matches!(self, Shaped::Any | Shaped::AnyMemRef | Shaped::MemRef)
            }
            TypeKind::UnrankedMemRef { .. } => matches!(
                self,
                Shaped::Any | Shaped::AnyMemRef | Shaped::UnrankedMemRef
            ),
            TypeKind::Vector { scalable, .. } => match self {
                Shaped::Any | Shaped::Value | Shaped::Vector => true,
                Shaped::FixedVector => !is_scalable(scalable),
                Shaped::ScalableVector => is_scalable(scalable),
                _ => false,
            },
            _ => false,
        }
    }
}

impl Names {
    /// Returns whether `text`, with or without the leading `!`, names a type.
    fn has(self, context: &Context, text: &str, kind: &TypeKind) -> bool {
        let TypeKind::Dialect { dialect, body } = kind else {
            return false;
        };
        let name = text.strip_prefix('!').unwrap_or(text);
        let (namespace, rest) = name.split_once('.').unwrap_or((name, ""));
        if context.bytes(*dialect) != namespace.as_bytes() {
            return false;
        }
        match self {
            Names::Dialect => true,
            Names::Exactly => body.references().is_empty() && body.text() == rest.as_bytes(),
            Names::Mnemonic => body.mnemonic() == rest.as_bytes(),
        }
    }
}
