//! Attributes given as text: what the definition makes of it.

use crate::definition::{
    DialectDefinition, FormatElement, InherentAttribute, PropertyBase, PropertyKind, SEGMENT_SIZES,
};
use crate::error::Invalid;
use crate::{Attribute, Context, OperationName, nearest_name};
use std::sync::Arc;

/// The value of an attribute given to [`OperationBuilder::attr`](super::OperationBuilder::attr).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// The attribute itself.
    Attribute(Attribute),
    /// Text: the keyword of an enumeration, the name of a symbol, or a string, as the definition of the
    /// operation declares the attribute. A string where no definition is known.
    Text(String),
}

impl From<Attribute> for AttributeValue {
    fn from(attribute: Attribute) -> Self {
        AttributeValue::Attribute(attribute)
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        AttributeValue::Text(text.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(text: String) -> Self {
        AttributeValue::Text(text)
    }
}

/// Constraints of symbol references without nested ones.
const SYMBOLS: [&str; 2] = ["FlatSymbolRefAttr", "SymbolRefAttr"];
/// Constraints of strings.
const STRINGS: [&str; 2] = ["StrAttr", "SymbolNameAttr"];

/// The attribute that `text` denotes as the attribute `name` of an operation.
///
/// # Errors
///
/// If the definition declares neither an enumeration that has the keyword, nor a symbol or string.
pub(super) fn attribute_of(
    context: &mut Context,
    operation: OperationName,
    name: &[u8],
    text: &str,
) -> Result<Attribute, Invalid> {
    let definition = context.operation_definition(operation).map(Arc::clone);
    let namespace = context.bytes(context.operation_dialect(operation)).to_vec();
    let (Some(definition), Some(dialect)) = (definition, context.dialect(&namespace)) else {
        return Ok(context.string_attribute(text));
    };
    let Ok(name) = std::str::from_utf8(name) else {
        return Ok(context.string_attribute(text));
    };
    let release = context.release();
    if let Some(attribute) = definition.attribute(name, release) {
        let base = dialect.base_constraint(context, &attribute.constraint);
        return match &*base {
            _ if !attribute.enumeration.is_empty() => {
                let (value, width) =
                    keyword(context, &dialect, name, &attribute.enumeration, text)?;
                enumerated(context, &dialect, attribute, text, (value, width))
            }
            base if SYMBOLS.contains(&base) => Ok(context.symbol_ref_attribute(text)),
            base if STRINGS.contains(&base) || attribute.constraint.is_empty() => {
                Ok(context.string_attribute(text))
            }
            _ => Err(no_text(name, &attribute.constraint)),
        };
    }
    if let Some(property) = definition.properties_in(release).find(|p| p.name == name) {
        let PropertyKind { wrappers, base } = &property.kind;
        return match (wrappers.is_empty(), base) {
            (true, PropertyBase::Integer { width }) if !property.enumeration.is_empty() => {
                let (value, _) = keyword(context, &dialect, name, &property.enumeration, text)?;
                let ty = context.integer_type(*width);
                context.integer_attribute(ty, value)
            }
            (true, PropertyBase::String) => Ok(context.string_attribute(text)),
            _ => Err(no_text(name, "a native property")),
        };
    }
    if SEGMENT_SIZES.iter().any(|names| names.0 == name) {
        return Err(no_text(name, "segment sizes"));
    }
    Ok(context.string_attribute(text))
}

/// The value of a keyword, and the width of its enumeration.
fn keyword(
    context: &Context,
    dialect: &DialectDefinition,
    name: &str,
    enumeration: &str,
    text: &str,
) -> Result<(i64, u32), Invalid> {
    let found = dialect.find_enumeration(context, enumeration, |found| {
        Some((found.value_of(text), found.width, found.clone()))
    });
    let Some((value, width, found)) = found else {
        return Err(no_text(name, enumeration));
    };
    value.map(|value| (value, width)).ok_or_else(|| {
        let names = found.cases.iter().filter(|case| !case.hidden);
        let names = names.map(|case| &*case.keyword);
        let mut message = format!("'{name}' has no case '{text}'");
        match nearest_name(text.as_bytes(), names.clone()) {
            Some(near) => message.push_str(&format!("; did you mean '{near}'?")),
            None => {
                let names: Vec<&str> = names.take(24).collect();
                message.push_str(&format!("; the cases are {}", names.join(", ")));
            }
        }
        Invalid::new(message)
    })
}

/// A member of an enumeration as its attribute: one of a dialect, or an integer.
fn enumerated(
    context: &mut Context,
    dialect: &Arc<DialectDefinition>,
    attribute: &InherentAttribute,
    text: &str,
    (value, width): (i64, u32),
) -> Result<Attribute, Invalid> {
    let Some((home, mnemonic)) = dialect.attribute_entry(context, attribute) else {
        let ty = context.integer_type(width);
        return context.integer_attribute(ty, value);
    };
    let number = context.release().number_in(home.family);
    let entry = home.attributes.entry(mnemonic.as_bytes(), number);
    let first = entry.and_then(|entry| entry.format.elements.first());
    let body = match first {
        Some(FormatElement::Literal(literal)) if &**literal == "<" => format!("{mnemonic}<{text}>"),
        _ => format!("{mnemonic} {text}"),
    };
    let attribute = format!("#{}<{body}>", home.name);
    context
        .parse_attribute(&attribute)
        .map_err(|error| Invalid::new(format!("the attribute '{attribute}' {error}")))
}

#[cold]
fn no_text(name: &str, what: &str) -> Invalid {
    Invalid::new(format!(
        "'{name}' ({what}) cannot be given as text: give an attribute"
    ))
}
