//! Constraints on inherent attributes with every name that they refer to resolved.

use super::confinement::{
    Confinement, ConfinementRule, DEEPEST, LONGEST, NamedAttributeConstraint,
};
use super::{AttributeConstraint, AttributeSort, ConfinedConstraint, TypeConstraint};
use crate::definition::{
    DialectDefinition, EnumDefinition, InherentAttribute, ParameterDefinition, ParameterKind, Text,
};
use crate::{Attribute, AttributeKind, Context, TypeKind};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// The constraint on an inherent attribute, resolved in a context so that many attributes can be
/// checked against it.
#[derive(Debug)]
pub struct AttributeIs {
    base: Base,
    rules: Vec<Rule>,
    /// The words that error messages add to the base's name for the confinements.
    words: String,
    /// The whole messages for violations of some confinements, with the rules of the confinement.
    messages: Vec<(Range<usize>, Text)>,
    /// The summary that replaces the base's name and `words` in error messages; empty if there is
    /// none.
    said: Text,
}

/// The constraint that a name denotes.
#[derive(Debug)]
enum Base {
    Known(&'static AttributeConstraint),
    /// An attribute of a dialect, by the dialect's name and the mnemonic.
    Entry(Text, Text),
    /// A member of an enumeration, and whether it is an integer for certain: no attribute of the
    /// dialect holds it.
    Enumerated(EnumDefinition, bool),
    Named(Box<AttributeIs>),
}

/// A confinement with its names resolved. Confinements that refer to an unknown name are left out,
/// so they accept every attribute.
#[derive(Debug)]
enum Rule {
    Plain(ConfinementRule),
    Type(Arc<TypeConstraint>),
    Each(Box<AttributeIs>),
    AnyOf(Vec<AttributeIs>),
}

/// The state of name resolution.
struct Names<'c> {
    context: &'c Context,
    /// The remaining budget for the text of named constraints, in bytes.
    left: Cell<usize>,
    /// Whether the budget was exceeded.
    is_exceeded: Cell<bool>,
}

impl<'c> Names<'c> {
    fn new(context: &'c Context) -> Self {
        Names {
            context,
            left: Cell::new(LONGEST),
            is_exceeded: Cell::new(false),
        }
    }

    /// Charges a named constraint to the budget; `None` if it exceeds the remainder.
    fn count(&self, named: &NamedAttributeConstraint) -> Option<()> {
        let left = match self.left.get() {
            0 => None,
            left => left.checked_sub(named.len()),
        };
        self.left.set(left.unwrap_or(0));
        self.is_exceeded.set(left.is_none());
        left.map(|_| ())
    }
}

impl AttributeIs {
    /// Resolves the constraint of an inherent attribute of a dialect's operation; `None` if nothing
    /// is known of it.
    ///
    /// Takes time linear in the dialect's attributes: call it once for each operation name.
    pub fn of(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        attribute: &InherentAttribute,
    ) -> Option<Self> {
        Self::of_names(&Names::new(context), dialect, attribute)
    }

    /// Returns whether the text of an inherent attribute's constraint, including that of the
    /// constraints it names, exceeds the budget, so that [`of`](Self::of) ignores a part of it.
    pub fn is_cut(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        attribute: &InherentAttribute,
    ) -> bool {
        let names = Names::new(context);
        Self::of_names(&names, dialect, attribute);
        names.is_exceeded.get()
    }

    fn of_names(
        names: &Names<'_>,
        dialect: &Arc<DialectDefinition>,
        attribute: &InherentAttribute,
    ) -> Option<Self> {
        let context = names.context;
        let base = Self::base(names, dialect, &attribute.constraint, DEEPEST);
        let base = base.or_else(|| {
            if let Some((home, mnemonic)) = dialect.attribute_entry(context, attribute) {
                return Some(Base::entry(&home, &mnemonic));
            }
            Base::enumerated(context, dialect, &attribute.enumeration)
        })?;
        let confinements = &attribute.confinements;
        Some(Self::confined(names, dialect, base, confinements, DEEPEST))
    }

    /// Resolves the confinements of a parameter of a dialect's attribute or type, to be checked
    /// against its [`attribute_value`](ParameterDefinition::attribute_value); `None` if there are
    /// none.
    pub fn of_parameter(
        context: &Context,
        dialect: &Arc<DialectDefinition>,
        parameter: &ParameterDefinition,
    ) -> Option<Self> {
        if parameter.confinements.is_empty() {
            return None;
        }
        let names = &Names::new(context);
        let base = Base::Known(AttributeConstraint::find("AnyAttr")?);
        let confinements = &parameter.confinements;
        Some(Self::confined(names, dialect, base, confinements, DEEPEST))
    }

    /// Returns the words with which error messages describe the confinements.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the whole message of an error about an attribute that is not accepted, if the first
    /// confinement that it violates states one.
    pub fn message(&self, context: &Context, attribute: Attribute) -> Option<&str> {
        let mut rules = self.rules.iter();
        let violated = rules.position(|rule| !rule.accepts(context, attribute))?;
        let mut messages = self.messages.iter();
        let found = messages.find(|message| message.0.contains(&violated));
        found.map(|message| &*message.1)
    }

    /// Resolves a name, except for enumerations. `depth` is the remaining nesting depth.
    fn base(
        names: &Names<'_>,
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
        let home = dialect.find_attribute_constraint(names.context, name)?;
        let named = home.attribute_constraint(name)?;
        names.count(named)?;
        let mut inner = Self::bound(names, &home, &named.constraint, depth)?;
        inner.said = named.summary.clone();
        Some(Base::Named(Box::new(inner)))
    }

    fn bound(
        names: &Names<'_>,
        dialect: &Arc<DialectDefinition>,
        constraint: &ConfinedConstraint,
        depth: u32,
    ) -> Option<Self> {
        let base = Self::base(names, dialect, &constraint.name, depth);
        let base = base.or_else(|| {
            let context = names.context;
            let number = context.release().number_in(dialect.family);
            let entry = dialect.attributes.of_constraint(&constraint.name, number);
            if let Some(entry) = entry {
                return Some(Base::entry(dialect, &entry.mnemonic));
            }
            Base::enumerated(context, dialect, &constraint.name)
        })?;
        let confinements = &constraint.confinements;
        Some(Self::confined(names, dialect, base, confinements, depth))
    }

    fn confined(
        names: &Names<'_>,
        dialect: &Arc<DialectDefinition>,
        base: Base,
        confinements: &[Confinement],
        depth: u32,
    ) -> Self {
        let (mut words, mut rules, mut messages) = (String::new(), Vec::new(), Vec::new());
        for confinement in confinements {
            let before = rules.len();
            let said = Rule::add(names, dialect, confinement, depth, &mut rules);
            push_words(&mut words, &said);
            if confinement.is_message {
                messages.push((before..rules.len(), confinement.words.clone()));
            }
        }
        AttributeIs {
            base,
            rules,
            words,
            messages,
            said: Text::default(),
        }
    }

    /// Returns whether an attribute satisfies the constraint. Linear in the elements of an array.
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let of_base = match &self.base {
            Base::Known(constraint) => constraint.accepts(context, attribute),
            Base::Named(named) => named.accepts(context, attribute),
            Base::Enumerated(..) | Base::Entry(..) => self.base.stores(context, attribute),
        };
        of_base
            && self
                .rules
                .iter()
                .all(|rule| rule.accepts(context, attribute))
    }

    /// Returns whether an operation's property can store an attribute, which depends only on the
    /// storage class that upstream's definition specifies, not on the other constraints. A
    /// constraint that attributes of several sorts satisfy has no such class and stores all
    /// attributes.
    pub fn stores(&self, context: &Context, attribute: Attribute) -> bool {
        self.base.stores(context, attribute)
    }

    /// Returns the description for error messages.
    pub fn summary(&self, context: &Context) -> String {
        if !self.said.is_empty() {
            return self.said.to_string();
        }
        let mut summary = self.base.summary(context);
        push_words(&mut summary, &self.words);
        summary
    }
}

/// Appends words to a description, separated by a space.
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

    /// The enumeration of that name, which a dialect's operations use.
    fn enumerated(context: &Context, dialect: &Arc<DialectDefinition>, name: &str) -> Option<Self> {
        let (home, name) = match name.split_once('.') {
            Some((home, name)) => (context.dialect(home.as_bytes())?, name),
            None => (Arc::clone(dialect), name),
        };
        let is_of = |parameter: &ParameterDefinition| matches!(&parameter.kind, ParameterKind::Enumeration { name: found, .. } if **found == *name);
        let mut entries = home.attributes.entries().iter();
        let is_integer =
            home.attributes_complete && !entries.any(|entry| entry.parameters.iter().any(is_of));
        Some(Base::Enumerated(
            home.enumeration_in(name, context.release())?.clone(),
            is_integer,
        ))
    }

    fn summary(&self, context: &Context) -> String {
        match self {
            Base::Known(constraint) => constraint.summary.to_owned(),
            Base::Enumerated(enumeration, _) => enumeration.summary(),
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
            Base::Enumerated(enumeration, is_integer) => {
                !(*is_integer && matches!(kind, AttributeKind::Dialect { .. }))
                    && enumeration.accepts(context, attribute)
            }
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
    /// Resolves the names in a confinement, appends the result to `rules` and returns its
    /// description for error messages.
    fn add(
        names: &Names<'_>,
        dialect: &Arc<DialectDefinition>,
        confinement: &Confinement,
        depth: u32,
        rules: &mut Vec<Self>,
    ) -> String {
        let said = confinement.summary();
        let inner = depth.checked_sub(1);
        let context = names.context;
        let of = |constraint: &ConfinedConstraint| {
            AttributeIs::bound(names, dialect, constraint, inner?)
        };
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
                    Self::add(names, dialect, one, depth, rules);
                }
                said
            }
            plain => {
                rules.push(Rule::Plain(plain.clone()));
                said
            }
        }
    }

    fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        match self {
            Rule::Plain(rule) => rule.accepts(context, attribute),
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
    /// Returns whether an attribute satisfies the rule. A rule that does not apply to the attribute
    /// is satisfied.
    fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        match self {
            ConfinementRule::Min(n) => number(context, kind).is_none_or(|value| value >= *n),
            ConfinementRule::Max(n) => number(context, kind).is_none_or(|value| value <= *n),
            ConfinementRule::OneOf(all) => {
                number(context, kind).is_none_or(|value| all.contains(&value))
            }
            ConfinementRule::Differs(n) => number(context, kind).is_none_or(|value| value != *n),
            ConfinementRule::NonNegative => each_number(context, attribute, |value| value >= 0),
            ConfinementRule::Positive => each_number(context, attribute, |value| value > 0),
            ConfinementRule::PowerOfTwo => bits(context, kind).is_none_or(u64::is_power_of_two),
            ConfinementRule::Count(all) => {
                length(kind).is_none_or(|len| all.iter().any(|&n| n as usize == len))
            }
            ConfinementRule::MinCount(n) => length(kind).is_none_or(|len| len >= *n as usize),
            ConfinementRule::MaxCount(n) => length(kind).is_none_or(|len| len <= *n as usize),
            ConfinementRule::Increasing => in_order(context, attribute, |a, b| a < b),
            ConfinementRule::NonDecreasing => in_order(context, attribute, |a, b| a <= b),
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
            ConfinementRule::Both(all) => {
                all.iter().all(|one| one.rule.accepts(context, attribute))
            }
            ConfinementRule::Type(_) | ConfinementRule::Each(_) | ConfinementRule::AnyOf(_) => true,
        }
    }
}

/// Returns the value of an integer attribute, as upstream's `getInt`; `None` if it does not fit 64
/// bits.
fn number(context: &Context, kind: &AttributeKind) -> Option<i64> {
    match kind {
        AttributeKind::Integer { ty, value } => match context.type_kind(*ty) {
            TypeKind::Integer { .. } | TypeKind::Index => value.to_i64(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the bits of an integer attribute, truncated to the width of its type.
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

/// Returns the number of elements of an array.
fn length(kind: &AttributeKind) -> Option<usize> {
    match kind {
        AttributeKind::Array(elements) => Some(elements.len()),
        AttributeKind::DenseArray { length, .. } => Some(*length),
        _ => None,
    }
}

fn each_number(context: &Context, attribute: Attribute, holds: impl Fn(i64) -> bool) -> bool {
    match context.integer_array(attribute) {
        Some((_, mut numbers)) => numbers.all(holds),
        None => number(context, context.attribute_kind(attribute)).is_none_or(holds),
    }
}

fn in_order(context: &Context, attribute: Attribute, before: impl Fn(i64, i64) -> bool) -> bool {
    let Some((_, mut numbers)) = context.integer_array(attribute) else {
        return true;
    };
    let Some(mut last) = numbers.next() else {
        return true;
    };
    numbers.all(|number| before(std::mem::replace(&mut last, number), number))
}

/// Returns whether the array element at index `at` is a number that satisfies `holds`.
fn element(context: &Context, kind: &AttributeKind, at: u32, holds: impl Fn(i64) -> bool) -> bool {
    match kind {
        AttributeKind::Array(elements) => elements.get(at as usize).is_some_and(|&element| {
            number(context, context.attribute_kind(element)).is_some_and(holds)
        }),
        _ => true,
    }
}
