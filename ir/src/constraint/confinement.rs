//! Confinements of attribute constraints, as data: the conditions that definitions write in
//! parentheses after the name of a constraint (`spec/dialect-definitions.md`, "Confinements").
//!
//! Descriptions are the words that upstream's error messages use for a confinement.

use crate::definition::Text;
use std::fmt::{self, Display, Formatter};

/// The maximum nesting depth of constraints: one in `each` or `any_of` of another.
pub(crate) const DEEPEST: u32 = 8;

/// The maximum total length, in bytes, of the text of the constraints that a constraint names
/// directly or indirectly. The bound exists because the constraints are resolved again for each
/// operation that refers to them. A constraint that exceeds it accepts every attribute.
pub(crate) const LONGEST: usize = 1 << 12;

/// A named constraint on attributes together with its confinements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConfinedConstraint {
    /// The name: that of a row of [`ATTRIBUTE_CONSTRAINTS`](super::ATTRIBUTE_CONSTRAINTS), that of
    /// a constraint of a dialect, or, after a `#`, the name of a dialect, a dot and the mnemonic of
    /// one of its attributes.
    pub name: Text,
    /// The additional conditions.
    pub confinements: Vec<Confinement>,
}

/// A constraint on attributes that a dialect defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAttributeConstraint {
    /// The name in definitions.
    pub name: Text,
    /// The description for error messages; if empty, that of `constraint` is used.
    pub summary: Text,
    /// The constraint that the name denotes.
    pub constraint: ConfinedConstraint,
}

impl NamedAttributeConstraint {
    /// Returns the length of its text in bytes, without that of the constraints that it names.
    /// Takes time linear in the length.
    pub(crate) fn len(&self) -> usize {
        let constraint = self.constraint.to_string().len();
        constraint
            .saturating_add(self.name.len())
            .saturating_add(self.summary.len())
    }
}

/// A condition on an attribute beyond its constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// The condition.
    pub rule: ConfinementRule,
    /// The description for error messages if it differs from [`ConfinementRule::summary`]; else
    /// empty.
    pub words: Text,
    /// Whether the words are the whole message of an error (`error "WORDS"`).
    pub is_message: bool,
}

/// A condition on an attribute. An attribute to which a rule does not apply satisfies it, such as
/// one that is not an integer for a rule about integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfinementRule {
    /// `min(N)`: an integer is at least N.
    Min(i64),
    /// `max(N)`: an integer is at most N.
    Max(i64),
    /// `one_of(N, ...)`: an integer is one of the given ones.
    OneOf(Vec<i64>),
    /// `differs(N)`: an integer is not N.
    Differs(i64),
    /// `non_negative`: an integer, or each element of a dense array, is at least zero.
    NonNegative,
    /// `positive`: an integer, or each element of a dense array, is greater than zero.
    Positive,
    /// `power_of_two`: an integer is a power of two.
    PowerOfTwo,
    /// `count(N, ...)`: the length of an array or dense array is one of the given numbers.
    Count(Vec<u32>),
    /// `min_count(N)`: the length of an array or dense array is at least N.
    MinCount(u32),
    /// `max_count(N)`: the length of an array or dense array is at most N.
    MaxCount(u32),
    /// `increasing`: each element of a dense array is greater than its predecessor.
    Increasing,
    /// `non_decreasing`: no element of a dense array is less than its predecessor.
    NonDecreasing,
    /// `element(AT, N)`: the element of an array at index AT is the integer N.
    Element(u32, i64),
    /// `min_element(AT, N)`: the element of an array at index AT is an integer of at least N.
    MinElement(u32, i64),
    /// `max_element(AT, N)`: the element of an array at index AT is an integer of at most N.
    MaxElement(u32, i64),
    /// `shape(N, ...)`: the type of elements has this shape.
    Shape(Vec<i64>),
    /// `type(PREDICATE)`: the type in a type attribute satisfies a predicate or named constraint.
    Type(Text),
    /// `each(CONSTRAINT)`: each element of an array satisfies a constraint.
    Each(Box<ConfinedConstraint>),
    /// `any_of(CONSTRAINT, ...)`: the attribute satisfies at least one of the constraints.
    AnyOf(Vec<ConfinedConstraint>),
    /// `both(CONFINEMENT, ...)`: all of these, with one description for error messages.
    Both(Vec<Confinement>),
}

/// The arguments in parentheses after the name of a rule.
#[derive(Clone, Copy)]
pub(crate) enum RuleKind {
    /// No arguments and no parentheses.
    Word(fn() -> ConfinementRule),
    /// The confinement takes one number.
    Number(fn(i64) -> ConfinementRule),
    /// The confinement takes one length.
    Size(fn(u32) -> ConfinementRule),
    /// The confinement takes one or more numbers.
    Numbers(fn(Vec<i64>) -> ConfinementRule),
    /// The confinement takes one or more lengths.
    Sizes(fn(Vec<u32>) -> ConfinementRule),
    /// The confinement takes an index and a number.
    Place(fn(u32, i64) -> ConfinementRule),
    Type,
    Each,
    AnyOf,
    Both,
}

/// The rules with their names and kinds of arguments.
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
    /// Returns upstream's description of the rule, which follows the name of the constraint; empty
    /// if upstream has none.
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
    /// Returns the constraints that confinements refer to, nested ones included. Takes time linear
    /// in their text.
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

    /// Returns a confinement with the rule's own description.
    pub fn new(rule: ConfinementRule) -> Self {
        Confinement {
            rule,
            words: Text::default(),
            is_message: false,
        }
    }

    /// Returns the description for error messages; see [`ConfinementRule::summary`].
    pub fn summary(&self) -> String {
        match &*self.words {
            "" => self.rule.summary(),
            _ if self.is_message => self.rule.summary(),
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

/// Formats the constraint in the syntax of definitions.
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

/// Formats the confinement in the syntax of definitions.
impl Display for Confinement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        match &*self.words {
            "" => Ok(()),
            words if self.is_message => write!(f, " error \"{words}\""),
            words => write!(f, " \"{words}\""),
        }
    }
}

/// Formats the rule in the syntax of definitions.
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
