//! Converts attributes given as text according to the definition.

use crate::definition::{
    DialectDefinition, FormatElement, InherentAttribute, PropertyBase, PropertyKind, SEGMENT_SIZES,
};
use crate::error::Invalid;
use crate::{Attribute, Context, OperationName, Signedness, Type, TypeKind, nearest_name};
use std::sync::Arc;

/// The value of an attribute given to [`OperationBuilder::attr`](super::OperationBuilder::attr).
///
/// ```
/// # use rmlir_ir::{Builder, Context, Module};
/// # let mut context = Context::new();
/// # let mut module = Module::new(&mut context);
/// # let mut b = Builder::new(&mut context, &mut module);
/// // Strings, numbers, types and attributes convert to it. No definition is known here.
/// let op = b.op("toy.op").attr("name", "x").attr("size", 4).build()?;
/// let size = module.attribute(&context, op, "size").unwrap();
/// assert_eq!(context.integer_value(size), Some(4));
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// The attribute itself.
    Attribute(Attribute),
    /// Text. The definition of the operation determines its interpretation: the keyword of an
    /// enumeration, the name of a symbol, a string, or the text of an attribute or type (`"dense<0>
    /// : tensor<2xi8>"`, `"(i32) -> i32"`). Without a known definition, it is a string.
    Text(String),
    /// A type, as an attribute.
    Type(Type),
    /// An integer of the type that the definition declares (`I32Attr`, `IndexAttr`, `BoolAttr`);
    /// `i64` if no definition is known.
    Integer(i64),
    /// An integer of this type: of some width, or `index`.
    TypedInteger(i64, Type),
}

impl From<(i64, Type)> for AttributeValue {
    fn from((value, ty): (i64, Type)) -> Self {
        AttributeValue::TypedInteger(value, ty)
    }
}

impl From<Type> for AttributeValue {
    fn from(ty: Type) -> Self {
        AttributeValue::Type(ty)
    }
}

impl From<i64> for AttributeValue {
    fn from(value: i64) -> Self {
        AttributeValue::Integer(value)
    }
}

impl From<bool> for AttributeValue {
    fn from(value: bool) -> Self {
        AttributeValue::Integer(i64::from(value))
    }
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

/// Returns the attribute that a value denotes as the attribute `name` of an operation.
///
/// # Errors
///
/// If the definition of the operation does not give the text or number a meaning.
pub(crate) fn given(
    context: &mut Context,
    operation: OperationName,
    name: &[u8],
    value: AttributeValue,
) -> Result<Attribute, Invalid> {
    match value {
        AttributeValue::Attribute(attribute) => Ok(attribute),
        AttributeValue::Type(ty) => Ok(context.type_attribute(ty)),
        AttributeValue::Text(text) => attribute_of(context, operation, name, &text),
        AttributeValue::Integer(value) => integer_attribute_of(context, operation, name, value),
        AttributeValue::TypedInteger(value, ty) => context.integer_attribute(ty, value),
    }
}

/// The constraints of symbol references without nested ones.
const SYMBOLS: [&str; 2] = ["FlatSymbolRefAttr", "SymbolRefAttr"];
/// The constraints of strings.
const STRINGS: [&str; 2] = ["StrAttr", "SymbolNameAttr"];

/// Returns the attribute that `text` denotes as the attribute `name` of an operation.
///
/// # Errors
///
/// If the definition declares neither an enumeration that has the keyword, nor a symbol or string.
fn attribute_of(
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
            _ => context
                .parse_attribute(text)
                .map_err(|error| Invalid::new(format!("'{name}' {error}"))),
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

/// Returns the attribute that an integer denotes as the attribute `name` of an operation.
///
/// # Errors
///
/// If the definition does not declare an integer, or declares one that cannot hold the value.
fn integer_attribute_of(
    context: &mut Context,
    operation: OperationName,
    name: &[u8],
    value: i64,
) -> Result<Attribute, Invalid> {
    let ty = match integer_type_of(context, operation, name) {
        Some(Ok(ty)) => ty,
        Some(Err(constraint)) => {
            let name = String::from_utf8_lossy(name);
            return Err(Invalid::new(format!(
                "'{name}' ({constraint}) cannot be given as a number: give an attribute"
            )));
        }
        None => context.i64_type(),
    };
    if ty == context.i1_type() {
        return match value {
            0 | 1 => Ok(context.bool_attribute(value != 0)),
            _ => Err(Invalid::new(format!("{value} is not a boolean"))),
        };
    }
    context.integer_attribute(ty, value)
}

/// Returns the integer type of an attribute of an operation; the constraint if it is a different
/// attribute, and `None` if nothing is known of it.
fn integer_type_of(
    context: &mut Context,
    operation: OperationName,
    name: &[u8],
) -> Option<Result<Type, String>> {
    let definition = context.operation_definition(operation).map(Arc::clone)?;
    let namespace = context.bytes(context.operation_dialect(operation)).to_vec();
    let dialect = context.dialect(&namespace)?;
    let name = std::str::from_utf8(name).ok()?;
    let attribute = definition.attribute(name, context.release())?;
    let base = dialect
        .base_constraint(context, &attribute.constraint)
        .to_string();
    let (signedness, width) = match &*base {
        "BoolAttr" => return Some(Ok(context.i1_type())),
        "IndexAttr" => return Some(Ok(context.index_type())),
        base if base.starts_with("SI") => (Signedness::Signed, base.strip_prefix("SI")),
        base if base.starts_with("UI") => (Signedness::Unsigned, base.strip_prefix("UI")),
        base => (Signedness::Signless, base.strip_prefix('I')),
    };
    let width = width.and_then(|rest| rest.strip_suffix("Attr")?.parse().ok());
    let ty = width.map(|width| context.try_type(TypeKind::Integer { width, signedness }));
    Some(ty.and_then(Result::ok).ok_or(base))
}

/// Returns the value of a keyword, and the width of its enumeration.
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

/// Returns the attribute of an enumeration's member: a dialect attribute or an integer.
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
