//! What a type must be, as data: predicates that definitions spell (`spec/dialect-definitions.md`, "Constraints").
//!
//! Whether a dialect's type has a shape or is a float is code of the dialect. Of such a type a predicate may have no
//! verdict; the verifier lets it pass.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::TypeConstraint;
use crate::float::FloatKind;
use crate::{Context, Signedness, Type, TypeKind};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// How deeply predicates nest at most, those that they refer to included.
const MAX_DEPTH: u32 = 32;

/// What a type must be.
#[derive(Clone, PartialEq, Debug)]
pub struct TypePredicate {
    node: Node,
    /// How deeply it nests, from 1.
    depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
enum Node {
    Any,
    /// Nothing is known: it has no verdict.
    Unknown,
    /// A type of any dialect but `builtin`.
    OfDialect,
    Integer {
        signedness: Option<Signedness>,
        width: Option<u32>,
    },
    Index,
    NoneType,
    Function,
    Tuple,
    /// Any float, or one.
    Float(Option<FloatKind>),
    Complex(Option<Box<TypePredicate>>),
    Shaped(Shaped, Option<Box<TypePredicate>>),
    Rank(Vec<u32>),
    MinRank(u32),
    /// The number of elements.
    Length(Vec<u64>),
    /// Sizes, and whether they must be scalable.
    Shape(Vec<(i64, bool)>),
    Static,
    /// Each size is a scalable vector's.
    AllScalable,
    /// Each size is this or more, or is not known.
    MinSize(i64),
    /// Each size is this.
    Sizes(i64),
    Named(Arc<str>, Names),
    Not(Box<TypePredicate>),
    All(Vec<TypePredicate>),
    OneOf(Vec<TypePredicate>),
    Constraint(Arc<TypeConstraint>),
}

/// How a type of a dialect is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    /// All of its text.
    Exactly,
    /// Its mnemonic, whatever its parameters are.
    Mnemonic,
    /// Its dialect.
    Dialect,
}

/// Sorts of types with elements.
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
    /// Tensors and vectors: what upstream calls types with value semantics.
    Value,
}

/// Names of sorts, and what errors call them.
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

/// Words that are a predicate.
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

/// Prefixes of integers of a width.
const WIDTHS: &[(&str, Option<Signedness>, &str)] = &[
    ("int", None, "integer"),
    ("si", Some(Signedness::Signed), "signed integer"),
    ("ui", Some(Signedness::Unsigned), "unsigned integer"),
    ("i", Some(Signedness::Signless), "signless integer"),
];

/// What is wrong with the text of a predicate, and at which byte.
pub(crate) type PredicateError = (usize, String);

impl TypePredicate {
    /// What every type keeps.
    pub fn any() -> Self {
        TypePredicate {
            node: Node::Any,
            depth: 1,
        }
    }

    /// Reads a predicate in the language of definitions, which refers to no constraints but those that every definition
    /// knows. Linear in the text.
    ///
    /// # Errors
    ///
    /// What is wrong, and at which byte of the text.
    ///
    /// ```
    /// use rmlir_ir::constraint::TypePredicate;
    ///
    /// let predicate = TypePredicate::new("index | vector<i1 | FloatLike> & rank(1)")?;
    /// assert_eq!(predicate.to_string(), "index | vector<i1 | FloatLike> & rank(1)");
    /// # Ok::<(), (usize, String)>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, (usize, String)> {
        Self::parse(text, &|name| TypeConstraint::find(name).cloned())
    }

    /// Reads a predicate. `find` knows the constraints that it can refer to by name.
    pub(crate) fn parse(
        text: &str,
        find: &dyn Fn(&str) -> Option<Arc<TypeConstraint>>,
    ) -> Result<Self, PredicateError> {
        let mut parser = Parser { text, at: 0, find };
        let predicate = parser.one_of(1)?;
        match parser.rest() {
            "" => Ok(predicate),
            _ => parser.fail("expected '|', '&' or the end"),
        }
    }

    /// How deeply it nests, those that it refers to included: more than what it refers to.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether every type keeps it.
    pub fn is_any(&self) -> bool {
        match &self.node {
            Node::Any => true,
            Node::Constraint(constraint) => constraint.predicate.is_any(),
            _ => false,
        }
    }

    /// The text of the only type that keeps it, if it names one type alone.
    pub fn single_type(&self) -> Option<String> {
        match &self.node {
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

    /// Whether a type keeps it; none if that is not known.
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
            Node::Shaped(Shaped::Any | Shaped::Value, _) if is_dialects => return None,
            Node::Shaped(sort, element) => {
                if !sort.has(kind) {
                    return Some(false);
                }
                match (element, context.element_type(ty)) {
                    (Some(element), Some(ty)) => return element.holds(context, ty),
                    _ => true,
                }
            }
            Node::Rank(_)
            | Node::MinRank(_)
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

    /// In the words in which upstream puts such types together.
    pub fn summary(&self) -> String {
        match &self.node {
            Node::Integer {
                signedness,
                width: Some(width),
            } => {
                let found = WIDTHS.iter().find(|row| row.1 == *signedness);
                format!("{width}-bit {}", found.map_or("integer", |row| row.2))
            }
            Node::Float(Some(kind)) => match kind {
                FloatKind::F16
                | FloatKind::F32
                | FloatKind::F64
                | FloatKind::F80
                | FloatKind::F128 => format!("{}-bit float", kind.width()),
                FloatKind::BF16 => "bfloat16 type".to_owned(),
                _ => format!("{} type", kind.keyword()),
            },
            Node::Complex(Some(element)) => {
                format!("complex type with {} elements", element.summary())
            }
            Node::Shaped(sort, element) => {
                let found = SHAPED.iter().find(|row| row.1 == *sort);
                let element = element.as_ref().map(|element| element.summary());
                let element = element.as_deref().unwrap_or("any type");
                format!("{} of {element} values", found.map_or("", |row| row.2))
            }
            Node::Rank(ranks) => {
                let ranks: Vec<String> = ranks.iter().map(|rank| format!("{rank}D")).collect();
                ranks.join("/")
            }
            Node::MinRank(rank) => format!("rank of at least {rank}"),
            Node::Length(lengths) => {
                format!("of length {}", joined(lengths))
            }
            Node::Shape(_) => format!("of shape {}", self.parameters()),
            Node::MinSize(least) => format!("of sizes of at least {least}"),
            Node::Sizes(all) => format!("of sizes {all}"),
            Node::Named(text, _) => text.to_string(),
            Node::Not(predicate) => format!("no {}", predicate.summary()),
            Node::All(predicates) => {
                let is_vector = predicates.iter().any(|p| {
                    let vectors = [Shaped::Vector, Shaped::FixedVector, Shaped::ScalableVector];
                    matches!(&p.node, Node::Shaped(sort, _) if vectors.contains(sort))
                });
                // The rank of a vector stands behind it, of anything else before it; that there is one goes without saying.
                let stated = predicates.iter().filter(|p| {
                    !(is_vector && matches!(p.node, Node::MinRank(1)) || p.node == Node::Unknown)
                });
                let (before, behind): (Vec<_>, Vec<_>) = stated.partition(|p| match p.node {
                    Node::Rank(_) => !is_vector,
                    Node::Static => true,
                    _ => false,
                });
                let all = before.into_iter().chain(behind).map(|p| match &p.node {
                    Node::Rank(ranks) if is_vector => format!("of ranks {}", joined(ranks)),
                    _ => p.summary(),
                });
                all.collect::<Vec<_>>().join(" ")
            }
            Node::OneOf(predicates) => {
                let all: Vec<String> = predicates.iter().map(TypePredicate::summary).collect();
                all.join(" or ")
            }
            Node::Constraint(constraint) => constraint.summary.to_string(),
            node => {
                let found = WORDS.iter().find(|row| row.1 == *node);
                found.map_or(String::new(), |row| row.2.to_owned())
            }
        }
    }

    /// What is in the parentheses.
    fn parameters(&self) -> String {
        let numbers: Vec<String> = match &self.node {
            Node::Rank(ranks) => ranks.iter().map(ToString::to_string).collect(),
            Node::MinRank(rank) => vec![rank.to_string()],
            Node::Length(lengths) => lengths.iter().map(ToString::to_string).collect(),
            Node::MinSize(size) | Node::Sizes(size) => vec![size.to_string()],
            Node::Shape(sizes) => sizes
                .iter()
                .map(|(size, scalable)| match scalable {
                    true => format!("[{size}]"),
                    false => size.to_string(),
                })
                .collect(),
            _ => Vec::new(),
        };
        numbers.join(", ")
    }
}

/// `4/8`.
fn joined<N: ToString>(numbers: &[N]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join("/")
}

/// Whether a type is of a dialect whose types are all known, none of them to be like a builtin number.
fn has_no_floats(context: &Context, kind: &TypeKind) -> bool {
    let TypeKind::Dialect { dialect, .. } = kind else {
        return false;
    };
    let dialect = context.dialect(context.bytes(*dialect));
    dialect.is_some_and(|dialect| {
        let mut types = dialect.types.entries().iter();
        dialect.types_complete && types.all(|entry| entry.like.is_none())
    })
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
    /// Whether `text`, with the `!` before it, names a type.
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
            Names::Mnemonic => {
                let behind = body.text().strip_prefix(rest.as_bytes());
                behind.is_some_and(|behind| matches!(behind.first(), None | Some(b'<' | b' ')))
            }
        }
    }
}

/// The predicate as it is read.
impl Display for TypePredicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.node {
            Node::Integer {
                signedness,
                width: Some(width),
            } => {
                let found = WIDTHS.iter().find(|row| row.1 == *signedness);
                write!(f, "{}{width}", found.map_or("", |row| row.0))
            }
            Node::Float(Some(kind)) => f.write_str(kind.keyword()),
            Node::Complex(Some(element)) => write!(f, "complex<{element}>"),
            Node::Shaped(sort, element) => {
                let found = SHAPED.iter().find(|row| row.1 == *sort);
                f.write_str(found.map_or("", |row| row.0))?;
                match element {
                    Some(element) => write!(f, "<{element}>"),
                    None => Ok(()),
                }
            }
            Node::Rank(_) => write!(f, "rank({})", self.parameters()),
            Node::MinRank(_) => write!(f, "min_rank({})", self.parameters()),
            Node::Length(_) => write!(f, "length({})", self.parameters()),
            Node::Shape(_) => write!(f, "shape({})", self.parameters()),
            Node::MinSize(_) => write!(f, "min_size({})", self.parameters()),
            Node::Sizes(_) => write!(f, "sizes({})", self.parameters()),
            Node::Named(text, names) => match names {
                Names::Exactly => f.write_str(text),
                Names::Mnemonic => write!(f, "{text}<_>"),
                Names::Dialect => write!(f, "{text}._"),
            },
            Node::Not(predicate) => match predicate.node {
                Node::All(_) | Node::OneOf(_) => write!(f, "not ({predicate})"),
                _ => write!(f, "not {predicate}"),
            },
            Node::All(predicates) => {
                list(f, predicates, " & ", |p| matches!(p.node, Node::OneOf(_)))
            }
            Node::OneOf(predicates) => list(f, predicates, " | ", |_| false),
            Node::Constraint(constraint) => f.write_str(&constraint.name),
            node => {
                let found = WORDS.iter().find(|row| row.1 == *node);
                f.write_str(found.map_or("", |row| row.0))
            }
        }
    }
}

fn list(
    f: &mut Formatter<'_>,
    predicates: &[TypePredicate],
    separator: &str,
    in_parentheses: fn(&TypePredicate) -> bool,
) -> fmt::Result {
    for (number, predicate) in predicates.iter().enumerate() {
        if number != 0 {
            f.write_str(separator)?;
        }
        match in_parentheses(predicate) {
            true => write!(f, "({predicate})")?,
            false => write!(f, "{predicate}")?,
        }
    }
    Ok(())
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    find: &'a dyn Fn(&str) -> Option<Arc<TypeConstraint>>,
}

impl<'a> Parser<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = self.text.len().saturating_sub(trimmed.len());
        trimmed
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Result<T, PredicateError> {
        self.rest();
        Err((self.at, message.into()))
    }

    fn eat(&mut self, punctuation: char) -> bool {
        let found = self.rest().starts_with(punctuation);
        if found {
            self.at = self.at.saturating_add(punctuation.len_utf8());
        }
        found
    }

    fn expect(&mut self, punctuation: char) -> Result<(), PredicateError> {
        match self.eat(punctuation) {
            true => Ok(()),
            false => self.fail(format!("expected '{punctuation}'")),
        }
    }

    /// Letters, digits and underscores.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let is_in = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_in(c)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    fn one_of(&mut self, depth: u32) -> Result<TypePredicate, PredicateError> {
        self.list('|', Node::OneOf, depth, |parser| {
            parser.list('&', Node::All, depth, |parser| parser.one(depth))
        })
    }

    fn list(
        &mut self,
        separator: char,
        together: fn(Vec<TypePredicate>) -> Node,
        depth: u32,
        mut one: impl FnMut(&mut Self) -> Result<TypePredicate, PredicateError>,
    ) -> Result<TypePredicate, PredicateError> {
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        let first = one(self)?;
        if !self.rest().starts_with(separator) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat(separator) {
            all.push(one(self)?);
        }
        let inner = all.iter().map(|predicate| predicate.depth).max();
        self.made(together(all), inner.unwrap_or(0))
    }

    /// A predicate around others.
    fn made(&mut self, node: Node, inner: u32) -> Result<TypePredicate, PredicateError> {
        let depth = inner.saturating_add(1);
        match depth > MAX_DEPTH {
            true => self.fail("nested too deeply"),
            false => Ok(TypePredicate { node, depth }),
        }
    }

    fn one(&mut self, depth: u32) -> Result<TypePredicate, PredicateError> {
        let inside = depth.saturating_add(1);
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        if self.eat('(') {
            let predicate = self.one_of(inside)?;
            self.expect(')')?;
            return Ok(predicate);
        }
        if self.rest().starts_with('!') {
            return self.named();
        }
        let start = self.at;
        let word = self.word();
        if word == "not" {
            let predicate = self.one(inside)?;
            let inner = predicate.depth;
            return self.made(Node::Not(Box::new(predicate)), inner);
        }
        if let Some(row) = SHAPED.iter().find(|row| row.0 == word) {
            let element = self.element(inside)?;
            let inner = element.as_ref().map_or(0, |element| element.depth);
            return self.made(Node::Shaped(row.1, element), inner);
        }
        if word == "complex" {
            let element = self.element(inside)?;
            let inner = element.as_ref().map_or(0, |element| element.depth);
            return self.made(Node::Complex(element), inner);
        }
        let found = WORDS.iter().find(|row| row.0 == word);
        let found = found.map(|row| row.1.clone());
        if let Some(node) = found.or_else(|| integer(word)).or_else(|| float(word)) {
            return self.made(node, 0);
        }
        if let Some(node) = self.numbered(word)? {
            return self.made(node, 0);
        }
        match (self.find)(word) {
            Some(constraint) => {
                let inner = constraint.predicate.depth;
                self.made(Node::Constraint(constraint), inner)
            }
            None => {
                self.at = start;
                let message = match word {
                    "" => "expected a predicate".to_owned(),
                    word => format!("'{word}' is no predicate and no constraint before this one"),
                };
                self.fail(message)
            }
        }
    }

    /// `<P>`, if it is there.
    fn element(&mut self, depth: u32) -> Result<Option<Box<TypePredicate>>, PredicateError> {
        if !self.eat('<') {
            return Ok(None);
        }
        let element = self.one_of(depth)?;
        self.expect('>')?;
        Ok(Some(Box::new(element)))
    }

    /// `!dialect.mnemonic<...>`, up to white space outside of brackets.
    fn named(&mut self) -> Result<TypePredicate, PredicateError> {
        let rest = self.rest();
        let mut depth = 0u32;
        let end = rest.find(|c| {
            match c {
                '<' => depth = depth.saturating_add(1),
                '>' if depth == 0 => return true,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (c.is_whitespace() || "|&),".contains(c))
        });
        let end = end.unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        self.at = self.at.saturating_add(end);
        if text.len() < 2 || depth != 0 {
            return self.fail("expected the name of a type");
        }
        let (text, names) = if let Some(text) = text.strip_suffix("<_>") {
            (text, Names::Mnemonic)
        } else if let Some(text) = text.strip_suffix("._") {
            (text, Names::Dialect)
        } else {
            (text, Names::Exactly)
        };
        self.made(Node::Named(text.into(), names), 0)
    }

    /// `word(1, 2)`.
    fn numbered(&mut self, word: &str) -> Result<Option<Node>, PredicateError> {
        let known = ["rank", "min_rank", "length", "shape", "min_size", "sizes"];
        if !known.contains(&word) {
            return Ok(None);
        }
        self.expect('(')?;
        let mut numbers: Vec<(i64, bool)> = Vec::new();
        if !self.eat(')') {
            loop {
                let scalable = self.eat('[');
                let Ok(number) = self.word().parse() else {
                    return self.fail("expected a number");
                };
                numbers.push((number, scalable));
                if scalable {
                    self.expect(']')?;
                }
                if !self.eat(',') {
                    break;
                }
            }
            self.expect(')')?;
        }
        let plain = |n: &(i64, bool)| if n.1 { None } else { u64::try_from(n.0).ok() };
        let small = |n: &(i64, bool)| plain(n).and_then(|n| u32::try_from(n).ok());
        let node = match (word, numbers.as_slice()) {
            ("rank", numbers) => numbers
                .iter()
                .map(small)
                .collect::<Option<_>>()
                .map(Node::Rank),
            ("length", numbers) => {
                let lengths: Option<_> = numbers.iter().map(plain).collect();
                lengths.map(Node::Length)
            }
            ("min_rank", [rank]) => small(rank).map(Node::MinRank),
            ("min_size", [(size, false)]) => Some(Node::MinSize(*size)),
            ("sizes", [(size, false)]) => Some(Node::Sizes(*size)),
            ("shape", _) => Some(Node::Shape(numbers)),
            _ => None,
        };
        match node {
            Some(node) => Ok(Some(node)),
            None => self.fail(format!("'{word}' has other numbers")),
        }
    }
}

/// `i32`, `si8`, `ui1`, `int16`.
fn integer(word: &str) -> Option<Node> {
    let row = WIDTHS.iter().find(|row| {
        let digits = word.strip_prefix(row.0).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })?;
    Some(Node::Integer {
        signedness: row.1,
        width: Some(word.strip_prefix(row.0)?.parse().ok()?),
    })
}

fn float(word: &str) -> Option<Node> {
    FloatKind::from_keyword(word.as_bytes()).map(|kind| Node::Float(Some(kind)))
}
