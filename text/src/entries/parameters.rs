//! Access to the parameters of attributes and types of dialects by name.

use super::entry_parameters;
use rmlir_ir::asm::AsmResult;
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{DialectDefinition, EntryDefinition};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Type, TypeKind};
use std::sync::Arc;

/// The parameters of an attribute or type of a dialect, by the names in its definition.
#[derive(Clone, Debug)]
pub struct EntryParameters {
    dialect: Arc<DialectDefinition>,
    is_type: bool,
    /// Its index in the table.
    entry: usize,
    values: FieldValues<'static>,
}

impl EntryParameters {
    /// Returns the definition of the attribute or type.
    pub fn definition(&self) -> &EntryDefinition {
        static NOTHING: EntryDefinition = EntryDefinition::NOTHING;
        let table = match self.is_type {
            true => &self.dialect.types,
            false => &self.dialect.attributes,
        };
        table.entries().get(self.entry).unwrap_or(&NOTHING)
    }

    /// Returns the value of a parameter; its default if the text omits it.
    ///
    /// [`FieldValue::Absent`] for an optional parameter without a value; `None` if there is no
    /// parameter of that name. Linear in the parameters.
    pub fn get(&self, name: &str) -> Option<&FieldValue<'static>> {
        let place = self.definition().parameter(name)?;
        self.values.fields.get(place)
    }

    /// Returns the items of a list; `None` if there is no parameter of that name.
    ///
    /// A parameter that is not a list has no items.
    pub fn list(&self, name: &str) -> Option<&[FieldValue<'static>]> {
        self.get(name).map(|value| self.values.list(value))
    }

    /// Returns all values, in the order of the definition.
    pub fn values(&self) -> &FieldValues<'static> {
        &self.values
    }
}

/// Returns the parameters of an attribute of a dialect; none for others, or if it has no known
/// definition.
///
/// Takes time linear in the length of its body: keep the result where it is needed often.
///
/// # Errors
///
/// If its body does not match the definition's format.
///
/// ```
/// use rmlir_ir::codec::FieldValue;
/// use rmlir_ir::{Context, DialectDefinition};
/// use rmlir_text::{attribute_parameters, parse_attribute};
///
/// let text = "dialect toy\nattribute pair\n  parameters first: int, second: uint = 5\n  format `<` struct(params) `>`\n";
/// let mut context = Context::new();
/// context.register_dialect(DialectDefinition::parse(text, &())?);
/// let pair = parse_attribute(&mut context, b"#toy.pair<first = -3>").map_err(|e| e.to_string())?;
/// let pair = attribute_parameters(&mut context, pair).map_err(|e| e.message().to_owned())?;
/// let pair = pair.ok_or("no definition")?;
/// assert_eq!(pair.get("first"), Some(&FieldValue::Signed(-3)));
/// assert_eq!(pair.get("second"), Some(&FieldValue::Unsigned(5)));
/// assert_eq!(pair.get("third"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attribute_parameters(
    context: &mut Context,
    attribute: Attribute,
) -> AsmResult<Option<EntryParameters>> {
    let AttributeKind::Dialect { dialect, body, ty } = context.attribute_kind(attribute) else {
        return Ok(None);
    };
    let (body, ty) = (body.clone(), *ty);
    let Some(dialect) = context.dialect(context.bytes(*dialect)) else {
        return Ok(None);
    };
    parameters(context, dialect, (&body, ty), false)
}

/// Returns the parameters of a type of a dialect; see [`attribute_parameters`].
///
/// # Errors
///
/// If its body does not match the definition's format.
pub fn type_parameters(context: &mut Context, ty: Type) -> AsmResult<Option<EntryParameters>> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return Ok(None);
    };
    let Some(dialect) = context.dialect(context.bytes(*dialect)) else {
        return Ok(None);
    };
    let body = body.clone();
    parameters(context, dialect, (&body, None), true)
}

fn parameters(
    context: &mut Context,
    dialect: Arc<DialectDefinition>,
    body: (&DialectBody, Option<Type>),
    is_type: bool,
) -> AsmResult<Option<EntryParameters>> {
    let table = match is_type {
        true => &dialect.types,
        false => &dialect.attributes,
    };
    let Some((entry, values)) = entry_parameters(context, &dialect, table, body)? else {
        return Ok(None);
    };
    let mut entries = table.entries().iter();
    let entry = entries.position(|e| std::ptr::eq(e, entry));
    Ok(entry.map(|entry| EntryParameters {
        entry,
        is_type,
        values,
        dialect: Arc::clone(&dialect),
    }))
}
