//! Discardable attributes: the rules of the dialects that own their prefixes.

use super::{Message, VerifyFailure, VerifyResult};
use crate::constraint::AttributeIs;
use crate::definition::{DialectDefinition, DiscardableAttribute};
use crate::op::Op;
use crate::{Attribute, Identifier, Type};
use std::sync::Arc;

/// The position of discardable attributes.
#[derive(Clone, Copy)]
struct Position<'a> {
    /// The name of the operation, or one of the constants of [`DiscardableAttribute`].
    place: &'a str,
    /// The type of an argument or result.
    ty: Option<Type>,
    /// All of its attributes.
    entries: &'a [(Identifier, Attribute)],
}

/// Checks the entries of a dictionary of discardable attributes. `place` is the name of the
/// operation, or one of the constants of [`DiscardableAttribute`]. An attribute whose dialect has
/// no definition is accepted.
///
/// `ty` is the type of an argument or result.
pub(super) fn check(
    op: Op<'_>,
    place: &str,
    ty: Option<Type>,
    entries: &[(Identifier, Attribute)],
) -> VerifyResult {
    let position = Position { place, ty, entries };
    entries
        .iter()
        .try_for_each(|&entry| check_one(op, position, entry))
}

fn check_one(
    op: Op<'_>,
    position: Position<'_>,
    (key, value): (Identifier, Attribute),
) -> VerifyResult {
    let context = op.context;
    let Ok(key) = std::str::from_utf8(context.bytes(key)) else {
        return Ok(());
    };
    let Some((prefix, name)) = key.split_once('.') else {
        return Ok(());
    };
    let Some(dialect) = context.dialect(prefix.as_bytes()) else {
        return Ok(());
    };
    let has_rules = !dialect.discardables.is_empty() || dialect.discardables_complete;
    if !has_rules || !context.release().covers(dialect.family) {
        return Ok(());
    }
    let place = position.place;
    let number = context.release().number_in(dialect.family);
    let mut is_allowed = false;
    for rule in dialect.discardable(name, number) {
        if rule.applies_to(place) {
            is_allowed = true;
            check_rule(op, &dialect, position, (key, value), rule)?;
        }
    }
    if is_allowed {
        return Ok(());
    }
    let mut rules = dialect.discardable(name, number);
    match rules.find(|rule| rule.is_exclusive) {
        Some(rule) if !rule.error.is_empty() => Err(failure(named(&rule.error, key))),
        Some(rule) => Err(failure(format!(
            "'{key}' attribute attached to unexpected op: it is not allowed on {place}, only on {}",
            rule.places.join(", ")
        ))),
        None if dialect.has_all_discardables(place) => {
            Err(failure(format!("unknown attribute '{key}' on {place}")))
        }
        None => Ok(()),
    }
}

/// Checks an attribute by a rule that applies to its position.
fn check_rule(
    op: Op<'_>,
    dialect: &Arc<DialectDefinition>,
    position: Position<'_>,
    (key, value): (&str, Attribute),
    rule: &DiscardableAttribute,
) -> VerifyResult {
    let context = op.context;
    let Position { place, ty, entries } = position;
    let fail = |message: Message| {
        Err(VerifyFailure::plain(match &*rule.error {
            "" => message,
            words => Message::from(named(words, key)),
        }))
    };
    if let Some(constraint) = AttributeIs::of(context, dialect, &rule.attribute)
        && !constraint.accepts(context, value)
    {
        let summary = constraint.summary(context);
        let message = format!("attribute '{key}' must be {summary}, but got ");
        return fail(Message::from(message).attribute(value));
    }
    if let Some(ty) = ty
        && !rule.of.is_empty()
        && let Some(constraint) = context.type_constraint(dialect.name.as_bytes(), &rule.of)
        && !constraint.accepts(context, ty)
    {
        let message = format!("attribute '{key}' is not allowed on {place} of type '");
        return fail(Message::from(message).ty(ty).text("'"));
    }
    let is_with = |name: &str| {
        let mut entries = entries.iter();
        entries.any(|entry| context.bytes(entry.0) == name.as_bytes())
    };
    if !rule.with.is_empty() && !is_with(&rule.with) {
        let message = format!("attribute '{key}' requires the attribute '{}'", rule.with);
        return fail(Message::from(message));
    }
    let needed = &*rule.operation_with;
    if !needed.is_empty() && op.attr(needed).is_none() && !op.has_trait(needed) {
        let message = format!("attribute '{key}' requires an operation with '{needed}'");
        return fail(Message::from(message));
    }
    Ok(())
}

/// Returns the words of a rule with the attribute's name in them.
fn named(words: &str, key: &str) -> String {
    words.replace("{name}", &format!("\"{key}\""))
}

#[cold]
fn failure(message: String) -> Box<VerifyFailure> {
    VerifyFailure::plain(message)
}
