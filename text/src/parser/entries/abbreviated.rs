//! Attributes that a member of an enumeration abbreviates.

use super::{defaults, entry_body, entry_parameters};
use crate::parser::SharedState;
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{Abbreviated, DialectDefinition};
use rmlir_ir::{Attribute, AttributeKind, Context};

/// The maximum length of the body of an attribute that a member abbreviates.
const LONGEST: usize = 1 << 10;

/// Returns the value of a parameter that is an attribute: the member that abbreviates it, or the
/// attribute if it has other parameters.
pub(super) fn abbreviated(
    context: &mut Context,
    dialect: &DialectDefinition,
    of: &Abbreviated,
    attribute: Attribute,
) -> FieldValue<'static> {
    member(context, dialect, of, attribute)
        .map_or(FieldValue::Attribute(attribute), FieldValue::Unsigned)
}

fn member(
    context: &mut Context,
    dialect: &DialectDefinition,
    of: &Abbreviated,
    attribute: Attribute,
) -> Option<u64> {
    let AttributeKind::Dialect { body, ty, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let (body, ty) = (body.clone(), *ty);
    if body.mnemonic() != of.mnemonic.as_bytes() {
        return None;
    }
    let table = &dialect.attributes;
    let (entry, values) = entry_parameters(context, dialect, table, (&body, ty)).ok()??;
    let place = entry.parameter(&of.parameter)?;
    let shared = &mut SharedState::default();
    let others = (0..entry.parameters.len()).filter(|other| *other != place);
    for other in others {
        if !defaults::is_left_out((context, shared), dialect, entry, other, &values) {
            return None;
        }
    }
    // A default is not shown, so that it would be lost.
    match values.fields.get(place)? {
        FieldValue::Unsigned(value)
            if !defaults::is_left_out((context, shared), dialect, entry, place, &values) =>
        {
            Some(*value)
        }
        _ => None,
    }
}

/// Returns the attribute that a member abbreviates, by the definition of a release.
pub(super) fn attribute_of(
    context: &mut Context,
    (dialect, number): (&DialectDefinition, u32),
    of: &Abbreviated,
    member: u64,
) -> Option<Attribute> {
    let entry = dialect.attributes.entry(of.mnemonic.as_bytes(), number)?;
    let place = entry.parameter(&of.parameter)?;
    let mut values = FieldValues::default();
    for (at, parameter) in entry.parameters.iter().enumerate() {
        values.fields.push(match at == place {
            true => FieldValue::Unsigned(member),
            false => parameter.default_value(context),
        });
    }
    let shared = &mut SharedState::default();
    defaults::fill((context, shared), dialect, entry, &mut values).ok()?;
    let body = entry_body(context, dialect, entry, &values, LONGEST).ok()?;
    let kind = AttributeKind::Dialect {
        dialect: context.identifier(&*dialect.name),
        body,
        ty: None,
    };
    context.try_attribute(kind).ok()
}
