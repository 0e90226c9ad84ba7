//! What an attribute must be, with all that its definition names looked up.

use super::confinement::{Confinement, ConfinementRule, DEEPEST};
use super::{AttributeConstraint, AttributeSort, ConfinedConstraint, TypeConstraint};
use crate::definition::{DialectDefinition, EnumDefinition, InherentAttribute, Text};
use crate::{Attribute, AttributeKind, Context, Type, TypeKind};
use std::sync::Arc;

/// What an inherent attribute must be in a context, made ready for checking many.
#[derive(Debug)]
pub struct AttributeIs {
    base: Base,
    rules: Vec<Rule>,
    /// What errors say of the rules.
    words: String,
    /// What errors call it instead; empty if they do not.
    said: Text,
}

/// What the name of a constraint stands for.
#[derive(Debug)]
enum Base {
    Known(&'static AttributeConstraint),
    /// An attribute of a dialect, by the dialect and its mnemonic.
    Entry(Text, Text),
    Enumerated(EnumDefinition),
    Named(Box<AttributeIs>),
}

/// A confinement whose names are looked up. Those that name what nobody knows are left out.
#[derive(Debug)]
enum Rule {
    Plain(ConfinementRule),
    Type(Arc<TypeConstraint>),
    Each(Box<AttributeIs>),
    AnyOf(Vec<AttributeIs>),
}

impl AttributeIs {
    /// What an inherent attribute of a dialect's operation must be; none if nothing is known of it. Linear in the
    /// dialect's attributes: to be asked for once for an operation's name.
    pub fn of(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        attribute: &InherentAttribute,
    ) -> Option<Self> {
        let base = Self::base(context, dialect, &attribute.constraint, DEEPEST);
        let base = base.or_else(|| {
            if let Some((home, mnemonic)) = dialect.attribute_entry(context, attribute) {
                return Some(Base::entry(&home, &mnemonic));
            }
            let enumeration = &attribute.enumeration;
            dialect.find_enumeration(context, enumeration, |found| {
                Some(Base::Enumerated(found.clone()))
            })
        })?;
        let confinements = &attribute.confinements;
        Some(Self::confined(
            context,
            dialect,
            base,
            confinements,
            DEEPEST,
        ))
    }

    /// What a name stands for, but for enumerations. `depth` is how deep constraints may nest.
    fn base(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        name: &str,
        depth: u32,
    ) -> Option<Base> {
        if let Some(known) = AttributeConstraint::find(name) {
            return Some(Base::Known(known));
        }
        if let Some(full) = name.strip_prefix('#') {
            let (namespace, mnemonic) = full.split_once('.')?;
            return Some(Base::Entry(
                namespace.to_owned().into(),
                mnemonic.to_owned().into(),
            ));
        }
        let depth = depth.checked_sub(1)?;
        let own = dialect.attribute_constraint(name);
        let (home, named) = match own {
            Some(named) => (Arc::clone(dialect), named.clone()),
            None => dialect.uses.iter().find_map(|used| {
                let used = context.dialect(used.as_bytes())?;
                let named = used.attribute_constraint(name)?.clone();
                Some((used, named))
            })?,
        };
        let mut inner = Self::bound(context, &home, &named.constraint, depth)?;
        inner.said = named.summary;
        Some(Base::Named(Box::new(inner)))
    }

    fn bound(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        constraint: &ConfinedConstraint,
        depth: u32,
    ) -> Option<Self> {
        let base = Self::base(context, dialect, &constraint.name, depth);
        let base = base.or_else(|| {
            let number = context.release().number_in(dialect.family);
            let entry = dialect.attributes.of_constraint(&constraint.name, number);
            if let Some(entry) = entry {
                return Some(Base::entry(dialect, &entry.mnemonic));
            }
            dialect.find_enumeration(context, &constraint.name, |found| {
                Some(Base::Enumerated(found.clone()))
            })
        })?;
        let confinements = &constraint.confinements;
        Some(Self::confined(context, dialect, base, confinements, depth))
    }

    fn confined(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        base: Base,
        confinements: &[Confinement],
        depth: u32,
    ) -> Self {
        let (mut words, mut rules) = (String::new(), Vec::new());
        for confinement in confinements {
            let said = Rule::add(context, dialect, confinement, depth, &mut rules);
            push_words(&mut words, &said);
        }
        AttributeIs {
            base,
            rules,
            words,
            said: Text::default(),
        }
    }

    /// Whether an attribute is so. Linear in the elements of an array.
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let of_base = match &self.base {
            Base::Known(constraint) => constraint.accepts(context, attribute),
            Base::Enumerated(enumeration) => enumeration.accepts(context, attribute),
            Base::Named(named) => named.accepts(context, attribute),
            Base::Entry(..) => self.base.stores(context, attribute),
        };
        of_base
            && self
                .rules
                .iter()
                .all(|rule| rule.accepts(context, attribute))
    }

    /// Whether an operation's property can hold an attribute: whether upstream's class of what it holds has it, whatever
    /// else it must be. A constraint that several sorts of attributes keep has no such class, and takes all.
    pub fn stores(&self, context: &Context, attribute: Attribute) -> bool {
        self.base.stores(context, attribute)
    }

    /// What errors call it.
    pub fn summary(&self, context: &Context) -> String {
        if !self.said.is_empty() {
            return self.said.to_string();
        }
        let mut summary = self.base.summary(context);
        push_words(&mut summary, &self.words);
        summary
    }
}

/// Puts more words behind what is said, with a space between them.
fn push_words(said: &mut String, more: &str) {
    if !said.is_empty() && !more.is_empty() {
        said.push(' ');
    }
    said.push_str(more);
}

impl Base {
    fn entry(home: &DialectDefinition, mnemonic: &Text) -> Self {
        Base::Entry(home.name.clone(), mnemonic.clone())
    }

    fn summary(&self, context: &Context) -> String {
        match self {
            Base::Known(constraint) => constraint.summary.to_owned(),
            Base::Enumerated(enumeration) => enumeration.summary(),
            Base::Named(named) => named.summary(context),
            Base::Entry(namespace, mnemonic) => {
                let dialect = context.dialect(namespace.as_bytes());
                let words = dialect.and_then(|dialect| {
                    let number = context.release().number_in(dialect.family);
                    let entry = dialect.attributes.entry(mnemonic.as_bytes(), number)?;
                    (!entry.summary.is_empty()).then(|| entry.summary.to_string())
                });
                words.unwrap_or_else(|| format!("#{namespace}.{mnemonic}"))
            }
        }
    }

    fn stores(&self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        match self {
            Base::Known(AttributeConstraint { sort, .. }) => {
                sort.is_none_or(|AttributeSort { holds, .. }| holds(context, kind))
            }
            Base::Enumerated(enumeration) => enumeration.accepts(context, attribute),
            Base::Named(named) => named.stores(context, attribute),
            Base::Entry(namespace, mnemonic) => match kind {
                AttributeKind::Dialect { dialect, body, .. } => {
                    context.bytes(*dialect) == namespace.as_bytes()
                        && body.mnemonic() == mnemonic.as_bytes()
                }
                _ => false,
            },
        }
    }
}

impl Rule {
    /// Looks up what a confinement names; gives the words in which errors speak of it.
    fn add(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        confinement: &Confinement,
        depth: u32,
        rules: &mut Vec<Self>,
    ) -> String {
        let said = confinement.summary();
        let inner = depth.checked_sub(1);
        let of = |constraint: &ConfinedConstraint| Self::inner(context, dialect, constraint, inner);
        match &confinement.rule {
            ConfinementRule::Type(predicate) => {
                let found = context.type_constraint(dialect.name.as_bytes(), predicate);
                let found = found.or_else(|| {
                    let predicate = format!("({predicate})");
                    context.type_constraint(dialect.name.as_bytes(), &predicate)
                });
                let Some(constraint) = found else {
                    return said;
                };
                let derived = format!("of {}", constraint.summary);
                rules.push(Rule::Type(constraint));
                if said.is_empty() { derived } else { said }
            }
            ConfinementRule::Each(constraint) => {
                rules.extend(of(constraint).map(|element| Rule::Each(Box::new(element))));
                said
            }
            ConfinementRule::AnyOf(all) => {
                let all: Option<Vec<_>> = all.iter().map(of).collect();
                let derived = all.as_ref().map(|all| {
                    let words: Vec<String> = all.iter().map(|one| one.summary(context)).collect();
                    words.join(" or ")
                });
                rules.extend(all.map(Rule::AnyOf));
                match derived {
                    Some(derived) if said.is_empty() => derived,
                    _ => said,
                }
            }
            ConfinementRule::Both(all) => {
                for one in all {
                    Self::add(context, dialect, one, depth, rules);
                }
                said
            }
            plain => {
                rules.push(Rule::Plain(plain.clone()));
                said
            }
        }
    }

    fn inner(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        constraint: &ConfinedConstraint,
        depth: Option<u32>,
    ) -> Option<AttributeIs> {
        AttributeIs::bound(context, dialect, constraint, depth?)
    }

    fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        match self {
            Rule::Plain(rule) => rule.accepts(context, kind),
            Rule::Type(constraint) => match kind {
                AttributeKind::Type(ty) => constraint.accepts(context, *ty),
                _ => true,
            },
            Rule::Each(element) => match kind {
                AttributeKind::Array(elements) => {
                    elements.iter().all(|&e| element.accepts(context, e))
                }
                _ => true,
            },
            Rule::AnyOf(all) => all.iter().any(|one| one.accepts(context, attribute)),
        }
    }
}

impl ConfinementRule {
    /// Whether an attribute keeps it; what the rule says nothing of does.
    fn accepts(&self, context: &Context, kind: &AttributeKind) -> bool {
        match self {
            ConfinementRule::Min(n) => number(context, kind).is_none_or(|value| value >= *n),
            ConfinementRule::Max(n) => number(context, kind).is_none_or(|value| value <= *n),
            ConfinementRule::OneOf(all) => {
                number(context, kind).is_none_or(|value| all.contains(&value))
            }
            ConfinementRule::Differs(n) => number(context, kind).is_none_or(|value| value != *n),
            ConfinementRule::NonNegative => each_number(context, kind, |value| value >= 0),
            ConfinementRule::Positive => each_number(context, kind, |value| value > 0),
            ConfinementRule::PowerOfTwo => bits(context, kind).is_none_or(u64::is_power_of_two),
            ConfinementRule::Count(all) => {
                length(kind).is_none_or(|len| all.iter().any(|&n| n as usize == len))
            }
            ConfinementRule::MinCount(n) => length(kind).is_none_or(|len| len >= *n as usize),
            ConfinementRule::MaxCount(n) => length(kind).is_none_or(|len| len <= *n as usize),
            ConfinementRule::Increasing => in_order(context, kind, |a, b| a < b),
            ConfinementRule::NonDecreasing => in_order(context, kind, |a, b| a <= b),
            ConfinementRule::Element(at, n) => element(context, kind, *at, |value| value == *n),
            ConfinementRule::MinElement(at, n) => element(context, kind, *at, |value| value >= *n),
            ConfinementRule::MaxElement(at, n) => element(context, kind, *at, |value| value <= *n),
            ConfinementRule::Shape(sizes) => match kind {
                AttributeKind::DenseElements { ty, .. }
                | AttributeKind::DenseText { ty, .. }
                | AttributeKind::DenseResource { ty, .. } => context
                    .shape(*ty)
                    .is_none_or(|shape| shape == sizes.as_slice()),
                _ => true,
            },
            ConfinementRule::Both(all) => all.iter().all(|one| one.rule.accepts(context, kind)),
            ConfinementRule::Type(_) | ConfinementRule::Each(_) | ConfinementRule::AnyOf(_) => true,
        }
    }
}

/// The number that an integer attribute holds, as upstream's `getInt` gives it: none if it is wider than 64 bits.
fn number(context: &Context, kind: &AttributeKind) -> Option<i64> {
    match kind {
        AttributeKind::Integer { ty, value } => match context.type_kind(*ty) {
            TypeKind::Integer { .. } | TypeKind::Index => value.to_i64(),
            _ => None,
        },
        _ => None,
    }
}

/// The bits of an integer attribute's type that are set.
fn bits(context: &Context, kind: &AttributeKind) -> Option<u64> {
    let AttributeKind::Integer { ty, .. } = kind else {
        return None;
    };
    let unused = match context.type_kind(*ty) {
        TypeKind::Integer { width, .. } => 64u32.saturating_sub(*width),
        _ => 0,
    };
    let mask = u64::MAX.checked_shr(unused).unwrap_or(0);
    Some(number(context, kind)?.cast_unsigned() & mask)
}

/// How many elements an array has.
fn length(kind: &AttributeKind) -> Option<usize> {
    match kind {
        AttributeKind::Array(elements) => Some(elements.len()),
        AttributeKind::DenseArray { length, .. } => Some(*length),
        _ => None,
    }
}

fn each_number(context: &Context, kind: &AttributeKind, holds: impl Fn(i64) -> bool) -> bool {
    match kind {
        AttributeKind::DenseArray { element, data, .. } => {
            dense_numbers(context, *element, data).is_none_or(|mut numbers| numbers.all(holds))
        }
        _ => number(context, kind).is_none_or(holds),
    }
}

fn in_order(context: &Context, kind: &AttributeKind, before: impl Fn(i64, i64) -> bool) -> bool {
    let AttributeKind::DenseArray { element, data, .. } = kind else {
        return true;
    };
    let Some(mut numbers) = dense_numbers(context, *element, data) else {
        return true;
    };
    let Some(mut last) = numbers.next() else {
        return true;
    };
    numbers.all(|number| before(std::mem::replace(&mut last, number), number))
}

/// The numbers of a dense array of integers of 8, 16, 32 or 64 bits.
fn dense_numbers(
    context: &Context,
    element: Type,
    data: &[u8],
) -> Option<impl Iterator<Item = i64>> {
    let width = match context.type_kind(element) {
        TypeKind::Integer { width, .. } if matches!(width, 8 | 16 | 32 | 64) => *width,
        _ => return None,
    };
    let unused = 64u32.saturating_sub(width);
    let number = move |bytes: &[u8]| {
        let bits = bytes
            .iter()
            .rev()
            .fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        // The sign is where the number's own is.
        bits.wrapping_shl(unused).cast_signed().wrapping_shr(unused)
    };
    Some(data.chunks_exact((width / 8) as usize).map(number))
}

/// Whether the element of an array at a place is a number that is right.
fn element(context: &Context, kind: &AttributeKind, at: u32, holds: impl Fn(i64) -> bool) -> bool {
    match kind {
        AttributeKind::Array(elements) => elements.get(at as usize).is_some_and(|&element| {
            number(context, context.attribute_kind(element)).is_some_and(holds)
        }),
        _ => true,
    }
}
