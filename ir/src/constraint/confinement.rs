//! What an attribute must be beyond its sort, as data: what definitions put in parentheses behind
//! the name of a constraint (`spec/dialect-definitions.md`, "Confinements").
//!
//! Descriptions are the words in which upstream's errors speak of what confines an attribute.

use crate::definition::Text;
use std::fmt::{self, Display, Formatter};

/// How deeply constraints nest at most: one in `each` or `any_of` of another.
pub(crate) const DEEPEST: u32 = 8;

/// How many bytes of text the constraints have together, at most, that a constraint names, those
/// that they name included: what is made of them is made for each operation that asks for it. Of
/// one with more, nothing is known.
pub(crate) const LONGEST: usize = 1 << 12;

/// A constraint on an attribute: one that has a name, and what confines it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfinedConstraint {
    /// The name: of a row of [`ATTRIBUTE_CONSTRAINTS`](super::ATTRIBUTE_CONSTRAINTS), of a
    /// constraint of a dialect, or, with `#` before it, an attribute of a dialect by the dialect's
    /// name, a dot and its mnemonic.
    pub name: Text,
    /// What must be besides.
    pub confinements: Vec<Confinement>,
}

/// A constraint of a dialect's own on attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAttributeConstraint {
    /// What the definition calls it.
    pub name: Text,
    /// What errors call it; empty for the words of what it stands for.
    pub summary: Text,
    /// What it stands for.
    pub constraint: ConfinedConstraint,
}

impl NamedAttributeConstraint {
    /// How much text says it, in bytes; that of the constraints that it names is not counted.
    /// Linear in it.
    pub(crate) fn len(&self) -> usize {
        let constraint = self.constraint.to_string().len();
        constraint
            .saturating_add(self.name.len())
            .saturating_add(self.summary.len())
    }
}

/// What an attribute must be besides what its constraint says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// What must be.
    pub rule: ConfinementRule,
    /// What errors say of it, where that is not [`ConfinementRule::summary`]; else empty.
    pub words: Text,
}

/// What confines an attribute. What a rule says nothing of, an integer that is no attribute of a
/// list, keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfinementRule {
    /// `min(N)`: an integer is this or more.
    Min(i64),
    /// `max(N)`: an integer is this or less.
    Max(i64),
    /// `one_of(N, ...)`: an integer is one of these.
    OneOf(Vec<i64>),
    /// `differs(N)`: an integer is not this.
    Differs(i64),
    /// `non_negative`: an integer is not below zero; in a dense array, each.
    NonNegative,
    /// `positive`: an integer is above zero; in a dense array, each.
    Positive,
    /// `power_of_two`: an integer is a power of two.
    PowerOfTwo,
    /// `count(N, ...)`: an array or a dense array has one of these numbers of elements.
    Count(Vec<u32>),
    /// `min_count(N)`: it has this number of elements or more.
    MinCount(u32),
    /// `max_count(N)`: it has this number of elements or less.
    MaxCount(u32),
    /// `increasing`: each number of a dense array is greater than the one before.
    Increasing,
    /// `non_decreasing`: no number of a dense array is less than the one before.
    NonDecreasing,
    /// `element(AT, N)`: the integer in an array at this place is this.
    Element(u32, i64),
    /// `min_element(AT, N)`: the integer in an array at this place is this or more.
    MinElement(u32, i64),
    /// `max_element(AT, N)`: the integer in an array at this place is this or less.
    MaxElement(u32, i64),
    /// `shape(N, ...)`: elements are of a type of this shape.
    Shape(Vec<i64>),
    /// `type(PREDICATE)`: the type that a type attribute holds keeps a predicate, or the constraint
    /// of that name.
    Type(Text),
    /// `each(CONSTRAINT)`: each element of an array keeps a constraint.
    Each(Box<ConfinedConstraint>),
    /// `any_of(CONSTRAINT, ...)`: it keeps one of these constraints.
    AnyOf(Vec<ConfinedConstraint>),
    /// `both(CONFINEMENT, ...)`: all of these, of which errors speak as one.
    Both(Vec<Confinement>),
}

/// What stands in the parentheses behind the name of a rule.
#[derive(Clone, Copy)]
pub(crate) enum RuleKind {
    /// Nothing, and no parentheses.
    Word(fn() -> ConfinementRule),
    /// A number.
    Number(fn(i64) -> ConfinementRule),
    /// A number of elements.
    Size(fn(u32) -> ConfinementRule),
    /// Numbers, at least one.
    Numbers(fn(Vec<i64>) -> ConfinementRule),
    /// Numbers of elements, at least one.
    Sizes(fn(Vec<u32>) -> ConfinementRule),
    /// A place and a number.
    Place(fn(u32, i64) -> ConfinementRule),
    Type,
    Each,
    AnyOf,
    Both,
}

/// The rules by name.
pub(crate) const RULES: &[(&str, RuleKind)] = &[
    ("min", RuleKind::Number(ConfinementRule::Min)),
    ("max", RuleKind::Number(ConfinementRule::Max)),
    ("one_of", RuleKind::Numbers(ConfinementRule::OneOf)),
    ("differs", RuleKind::Number(ConfinementRule::Differs)),
    (
        "non_negative",
        RuleKind::Word(|| ConfinementRule::NonNegative),
    ),
    ("positive", RuleKind::Word(|| ConfinementRule::Positive)),
    (
        "power_of_two",
        RuleKind::Word(|| ConfinementRule::PowerOfTwo),
    ),
    ("count", RuleKind::Sizes(ConfinementRule::Count)),
    ("min_count", RuleKind::Size(ConfinementRule::MinCount)),
    ("max_count", RuleKind::Size(ConfinementRule::MaxCount)),
    ("increasing", RuleKind::Word(|| ConfinementRule::Increasing)),
    (
        "non_decreasing",
        RuleKind::Word(|| ConfinementRule::NonDecreasing),
    ),
    ("element", RuleKind::Place(ConfinementRule::Element)),
    ("min_element", RuleKind::Place(ConfinementRule::MinElement)),
    ("max_element", RuleKind::Place(ConfinementRule::MaxElement)),
    ("shape", RuleKind::Numbers(ConfinementRule::Shape)),
    ("type", RuleKind::Type),
    ("each", RuleKind::Each),
    ("any_of", RuleKind::AnyOf),
    ("both", RuleKind::Both),
];

impl ConfinementRule {
    /// In the words in which upstream puts it behind what it calls the constraint; empty for what
    /// upstream has no words of its own for.
    pub fn summary(&self) -> String {
        let list = |numbers: &[i64]| joined(numbers, ", ");
        match self {
            ConfinementRule::Min(n) => format!("whose minimum value is {n}"),
            ConfinementRule::Max(n) => format!("whose maximum value is {n}"),
            ConfinementRule::OneOf(all) => format!("whose value is one of {{{}}}", list(all)),
            ConfinementRule::Differs(n) => format!("whose value is not {n}"),
            ConfinementRule::NonNegative => "whose value is non-negative".to_owned(),
            ConfinementRule::Positive => "whose value is positive".to_owned(),
            ConfinementRule::PowerOfTwo => "whose value is a power of two > 0".to_owned(),
            ConfinementRule::Count(all) => match all.as_slice() {
                [n] => format!("with exactly {n} elements"),
                all => format!("with {} elements", joined(all, " or ")),
            },
            ConfinementRule::MinCount(n) => format!("with at least {n} elements"),
            ConfinementRule::MaxCount(n) => format!("with at most {n} elements"),
            ConfinementRule::Increasing => "should be in increasing order".to_owned(),
            ConfinementRule::NonDecreasing => "should be in non-decreasing order".to_owned(),
            ConfinementRule::Element(at, n) => format!("whose {at}-th element must be {n}"),
            ConfinementRule::MinElement(at, n) => {
                format!("whose {at}-th element must be at least {n}")
            }
            ConfinementRule::MaxElement(at, n) => {
                format!("whose {at}-th element must be at most {n}")
            }
            ConfinementRule::Shape(sizes) => format!("of shape [{}]", list(sizes)),
            ConfinementRule::Both(all) => joined_words(all, " and "),
            ConfinementRule::Type(_) | ConfinementRule::Each(_) | ConfinementRule::AnyOf(_) => {
                String::new()
            }
        }
    }
}

impl Confinement {
    /// The constraints on attributes that confinements name, those in others included. Linear in
    /// their text.
    pub fn constraints(all: &[Self]) -> impl Iterator<Item = &ConfinedConstraint> {
        let mut rules: Vec<&Confinement> = all.iter().rev().collect();
        let mut found: Vec<&ConfinedConstraint> = Vec::new();
        std::iter::from_fn(move || {
            loop {
                if let Some(constraint) = found.pop() {
                    rules.extend(constraint.confinements.iter().rev());
                    return Some(constraint);
                }
                match &rules.pop()?.rule {
                    ConfinementRule::Each(constraint) => found.push(constraint),
                    ConfinementRule::AnyOf(all) => found.extend(all.iter().rev()),
                    ConfinementRule::Both(all) => rules.extend(all.iter().rev()),
                    _ => {}
                }
            }
        })
    }

    /// A rule in the words that go with it.
    pub fn new(rule: ConfinementRule) -> Self {
        Confinement {
            rule,
            words: Text::default(),
        }
    }

    /// What errors say of it; see [`ConfinementRule::summary`].
    pub fn summary(&self) -> String {
        match &*self.words {
            "" => self.rule.summary(),
            words => words.to_owned(),
        }
    }
}

fn joined<N: ToString>(numbers: &[N], separator: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(separator)
}

fn joined_words(all: &[Confinement], separator: &str) -> String {
    let words: Vec<String> = all.iter().map(Confinement::summary).collect();
    words.join(separator)
}

/// The constraint as definitions have it.
impl Display for ConfinedConstraint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match &*self.name {
            "" => "_",
            name => name,
        })?;
        match self.confinements.as_slice() {
            [] => Ok(()),
            all => write!(f, "({})", joined(all, ", ")),
        }
    }
}

/// The confinement as definitions have it.
impl Display for Confinement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        match &*self.words {
            "" => Ok(()),
            words => write!(f, " \"{words}\""),
        }
    }
}

/// The rule as definitions have it.
impl Display for ConfinementRule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, inside) = match self {
            ConfinementRule::Min(n) => ("min", n.to_string()),
            ConfinementRule::Max(n) => ("max", n.to_string()),
            ConfinementRule::OneOf(all) => ("one_of", joined(all, ", ")),
            ConfinementRule::Differs(n) => ("differs", n.to_string()),
            ConfinementRule::NonNegative => return f.write_str("non_negative"),
            ConfinementRule::Positive => return f.write_str("positive"),
            ConfinementRule::PowerOfTwo => return f.write_str("power_of_two"),
            ConfinementRule::Count(all) => ("count", joined(all, ", ")),
            ConfinementRule::MinCount(n) => ("min_count", n.to_string()),
            ConfinementRule::MaxCount(n) => ("max_count", n.to_string()),
            ConfinementRule::Increasing => return f.write_str("increasing"),
            ConfinementRule::NonDecreasing => return f.write_str("non_decreasing"),
            ConfinementRule::Element(at, n) => ("element", format!("{at}, {n}")),
            ConfinementRule::MinElement(at, n) => ("min_element", format!("{at}, {n}")),
            ConfinementRule::MaxElement(at, n) => ("max_element", format!("{at}, {n}")),
            ConfinementRule::Shape(sizes) => ("shape", joined(sizes, ", ")),
            ConfinementRule::Type(predicate) => ("type", predicate.to_string()),
            ConfinementRule::Each(constraint) => ("each", constraint.to_string()),
            ConfinementRule::AnyOf(all) => ("any_of", joined(all, ", ")),
            ConfinementRule::Both(all) => ("both", joined(all, ", ")),
        };
        write!(f, "{name}({inside})")
    }
}
