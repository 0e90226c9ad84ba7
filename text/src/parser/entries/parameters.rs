//! Parameters of attributes and types in a context, and bodies built from parameters.

use super::{BodyPrinter, defaults, parameters_of};
use crate::parser::SharedState;
use rmlir_ir::asm::{AsmError, AsmResult};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{DialectDefinition, EntryDefinition};
use rmlir_ir::{AttributeKind, Context, DialectBody, Entry, Invalid, Type, TypeKind};
use std::sync::Arc;

/// The maximum length of a body that is built from parameters, without those that are bytes.
const LONGEST: usize = 1 << 24;
/// The maximum length of the text of a byte: eight elements of `i1`.
const LONGEST_BYTE: usize = 64;

/// A dialect, with the body of one of its attributes or types, the type of an attribute that has
/// one, and whether it is a type.
type Known = (Arc<DialectDefinition>, DialectBody, Option<Type>, bool);

/// Returns the body of an attribute or type whose dialect has a definition.
fn known(context: &Context, entry: Entry) -> Option<Known> {
    let (dialect, body, ty) = match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, ty } => (*dialect, body, *ty),
            _ => return None,
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => (*dialect, body, None),
            _ => return None,
        },
        Entry::Location(_) => return None,
    };
    let dialect = context.dialect(context.bytes(dialect))?;
    Some((dialect, body.clone(), ty, matches!(entry, Entry::Type(_))))
}

/// Parses the parameters of an attribute or type of a dialect; none if it has no known definition.
/// Linear in the length of its body.
///
/// # Errors
///
/// If its body does not match the definition's format.
pub(crate) fn values_of(
    context: &mut Context,
    entry: Entry,
) -> AsmResult<Option<(usize, FieldValues<'static>)>> {
    let Some((dialect, body, ty, is_type)) = known(context, entry) else {
        return Ok(None);
    };
    let table = match is_type {
        true => &dialect.types,
        false => &dialect.attributes,
    };
    let is_complete = match is_type {
        true => dialect.types_complete,
        false => dialect.attributes_complete,
    };
    let shared = &mut SharedState::default();
    let parsed = parameters_of((context, shared), &dialect, table, (&body, ty))?;
    let parsed = parsed.filter(|(entry, _)| entry.is_described(is_complete));
    Ok(parsed.and_then(|(entry, values)| {
        let mut entries = table.entries().iter();
        let index = entries.position(|one| std::ptr::eq(one, entry))?;
        Some((index, values))
    }))
}

/// Prints the body of parameters, after setting the absent ones to their defaults, and checks that
/// it follows the definition.
///
/// # Errors
///
/// If it does not, or the values have no text.
pub(crate) fn checked_body(
    context: &mut Context,
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
    values: &mut FieldValues<'static>,
    is_type: bool,
) -> Result<DialectBody, Invalid> {
    let invalid = |error: AsmError| Invalid::new(error.message());
    let shared = &mut SharedState::default();
    defaults::fill((context, shared), dialect, entry, values).map_err(invalid)?;
    let bytes = values.fields.iter().map(|value| match value {
        FieldValue::Bytes(bytes) => bytes.len().saturating_mul(LONGEST_BYTE),
        _ => 0,
    });
    let longest = bytes.fold(LONGEST, usize::saturating_add);
    let body = BodyPrinter::new((context, shared), dialect, longest).body(entry, values)?;
    let table = match is_type {
        true => &dialect.types,
        false => &dialect.attributes,
    };
    let body_of = (&body, entry.self_type(values));
    parameters_of((context, shared), dialect, table, body_of).map_err(invalid)?;
    Ok(body)
}
