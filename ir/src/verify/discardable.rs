//! Discardable attributes: the rules of the dialects that own their prefixes.

use super::{Message, VerifyFailure, VerifyResult};
use crate::constraint::AttributeIs;
use crate::op::Op;
use crate::{Attribute, Identifier, Type};

/// Checks the entries of a dictionary of discardable attributes. `place` is the name of the
/// operation, or one of the constants of
/// [`DiscardableAttribute`](crate::definition::DiscardableAttribute). An attribute whose dialect
/// has no definition is accepted.
///
/// `ty` is the type of an argument or result.
pub(super) fn check(
    op: Op<'_>,
    place: &str,
    ty: Option<Type>,
    entries: &[(Identifier, Attribute)],
) -> VerifyResult {
    entries
        .iter()
        .try_for_each(|&entry| check_one(op, (place, ty), entry))
}

fn check_one(
    op: Op<'_>,
    (place, ty): (&str, Option<Type>),
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
    let number = context.release().number_in(dialect.family);
    let mut rules = dialect.discardable(name, number);
    let Some(rule) = rules.find(|rule| rule.applies_to(place)) else {
        let mut rules = dialect.discardable(name, number);
        return match rules.find(|rule| rule.is_exclusive) {
            Some(rule) if !rule.error.is_empty() => Err(failure(rule.error.to_string())),
            Some(rule) => Err(failure(format!(
                "'{key}' attribute attached to unexpected op: it is not allowed on {place}, only on {}",
                rule.places.join(", ")
            ))),
            None if dialect.has_all_discardables(place) => {
                Err(failure(format!("unknown attribute '{key}' on {place}")))
            }
            None => Ok(()),
        };
    };
    let words = |message: Message| match &*rule.error {
        "" => message,
        words => Message::from(words.to_owned()),
    };
    if let Some(ty) = ty
        && !rule.of.is_empty()
        && let Some(constraint) = context.type_constraint(prefix.as_bytes(), &rule.of)
        && !constraint.accepts(context, ty)
    {
        let message = format!("attribute '{key}' is not allowed on {place} of type '");
        let message = Message::from(message).ty(ty).text("'");
        return Err(VerifyFailure::plain(words(message)));
    }
    match AttributeIs::of(context, &dialect, &rule.attribute) {
        Some(constraint) if !constraint.accepts(context, value) => {
            let summary = constraint.summary(context);
            let message = format!("attribute '{key}' must be {summary}, but got ");
            let message = Message::from(message).attribute(value);
            Err(VerifyFailure::plain(words(message)))
        }
        _ => Ok(()),
    }
}

#[cold]
fn failure(message: String) -> Box<VerifyFailure> {
    VerifyFailure::plain(message)
}
