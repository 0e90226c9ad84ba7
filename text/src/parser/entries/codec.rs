//! Converts between fields of upstream's bytecode and the attributes and types of dialects.

use super::{abbreviated, attribute_of, defaults, entry_body, entry_parameters};
use crate::parser::SharedState;
use rmlir_ir::codec::{Codec, FieldKind, FieldValue, FieldValues};
use rmlir_ir::definition::{
    CodecTarget, DialectDefinition, EntryDefinition, EntryTable, ParameterKind, Release,
};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Invalid, Type, TypeKind};

/// An attribute or type decomposed for upstream's bytecode.
#[derive(Clone, Debug)]
pub struct EncodedEntry {
    /// The layout of the fields.
    pub codec: Codec,
    /// The attribute or type that the codec encodes.
    pub target: CodecTarget,
    /// A value for each field of the codec.
    pub values: FieldValues<'static>,
}

/// Builds the attribute of a dialect from the fields of its encoding.
///
/// Its body has at most `longest` bytes.
///
/// # Errors
/// If the values do not match the definition; see [`entry_body`].
pub fn decode_attribute(
    context: &mut Context,
    dialect: &DialectDefinition,
    target: &CodecTarget,
    values: &FieldValues<'_>,
    longest: usize,
) -> Result<Attribute, Invalid> {
    let (body, ty) = decode(
        context,
        dialect,
        &dialect.attributes,
        target,
        values,
        longest,
    )?;
    let kind = AttributeKind::Dialect {
        dialect: context.identifier(&*dialect.name),
        body,
        ty,
    };
    context.try_attribute(kind)
}

/// Builds the type of a dialect from the fields of its encoding.
///
/// Its body has at most `longest` bytes.
///
/// # Errors
/// As [`decode_attribute`].
pub fn decode_type(
    context: &mut Context,
    dialect: &DialectDefinition,
    target: &CodecTarget,
    values: &FieldValues<'_>,
    longest: usize,
) -> Result<Type, Invalid> {
    let (body, _) = decode(context, dialect, &dialect.types, target, values, longest)?;
    let dialect = context.identifier(&*dialect.name);
    context.try_type(TypeKind::Dialect { dialect, body })
}

fn decode(
    context: &mut Context,
    dialect: &DialectDefinition,
    table: &EntryTable,
    target: &CodecTarget,
    values: &FieldValues<'_>,
    longest: usize,
) -> Result<(DialectBody, Option<Type>), Invalid> {
    let Some(entry) = table.entries().get(target.entry) else {
        return Err(Invalid::new("a codec without a definition"));
    };
    let mut parameters = FieldValues {
        fields: Vec::with_capacity(entry.parameters.len()),
        items: values.items.clone(),
    };
    for parameter in &entry.parameters {
        parameters.fields.push(parameter.default_value(context));
    }
    for (value, &place) in values.fields.iter().zip(&target.parameters) {
        let Some(parameter) = entry.parameters.get(place) else {
            continue;
        };
        let mut kind = &parameter.kind;
        if let (ParameterKind::List(item), FieldValue::List(range)) = (kind, value) {
            kind = item;
            let items = range.start as usize..range.end as usize;
            for item in parameters.items.get_mut(items).unwrap_or_default() {
                convert(context, dialect, kind, item);
            }
        }
        let mut value = value.clone();
        convert(context, dialect, kind, &mut value);
        if let Some(field) = parameters.fields.get_mut(place) {
            *field = value;
        }
    }
    let shared = &mut SharedState::default();
    defaults::fill((context, shared), dialect, entry, &mut parameters)
        .map_err(|error| Invalid::new(error.message().to_owned()))?;
    let ty = entry.self_type(&parameters);
    entry_body(context, dialect, entry, &parameters, longest).map(|body| (body, ty))
}

/// Converts a value to the parameter's kind: a number's signedness, a string attribute to a string,
/// or an attribute to the member that abbreviates it. Leaves a value that does not fit unchanged.
fn convert(
    context: &mut Context,
    dialect: &DialectDefinition,
    kind: &ParameterKind,
    value: &mut FieldValue<'_>,
) {
    match (kind, &*value) {
        (
            ParameterKind::Enumeration {
                abbreviates: Some(of),
                ..
            },
            &FieldValue::Attribute(attribute),
        ) => *value = abbreviated(context, dialect, of, attribute),
        (ParameterKind::String, &FieldValue::Attribute(attribute)) => {
            let kind = context.attribute_kind(attribute);
            if let AttributeKind::String {
                value: string,
                ty: None,
            } = *kind
            {
                *value = FieldValue::String(string);
            }
        }
        (
            ParameterKind::Integer { .. } | ParameterKind::Dimension,
            &FieldValue::Unsigned(number),
        ) => {
            if let Ok(number) = i64::try_from(number) {
                *value = FieldValue::Signed(number);
            }
        }
        (
            ParameterKind::Unsigned { .. } | ParameterKind::Enumeration { .. },
            &FieldValue::Signed(number),
        ) => {
            if let Ok(number) = u64::try_from(number) {
                *value = FieldValue::Unsigned(number);
            }
        }
        _ => {}
    }
}

/// Returns an attribute of a dialect as the fields of a codec of `release`.
///
/// If several layouts can hold it, the first is used. `None` if its dialect or its kind has no
/// codec, or if its body does not match the definition; it is then written as text.
pub fn encode_attribute(
    context: &mut Context,
    attribute: Attribute,
    release: Release,
) -> Option<EncodedEntry> {
    let AttributeKind::Dialect { dialect, body, ty } = context.attribute_kind(attribute) else {
        return None;
    };
    let (body, ty) = (body.clone(), *ty);
    let dialect = context.dialect(context.bytes(*dialect))?;
    encode(context, &dialect, &dialect.attributes, (&body, ty), release)
}

/// Returns a type of a dialect as the fields of a codec; see [`encode_attribute`].
pub fn encode_type(context: &mut Context, ty: Type, release: Release) -> Option<EncodedEntry> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    let dialect = context.dialect(context.bytes(*dialect))?;
    let body = body.clone();
    encode(context, &dialect, &dialect.types, (&body, None), release)
}

fn encode(
    context: &mut Context,
    dialect: &DialectDefinition,
    table: &EntryTable,
    (body, ty): (&DialectBody, Option<Type>),
    release: Release,
) -> Option<EncodedEntry> {
    let number = release.number_in(dialect.family);
    let entry = table.entry_of(body, number)?;
    let mut rows = table
        .rows_of(entry)
        .filter(|(_, target)| target.releases.contains(number));
    rows.clone().next()?;
    let (_, parameters) = entry_parameters(context, dialect, table, (body, ty)).ok()??;
    // A type that no parameter stores would be lost.
    if entry.self_type(&parameters) != ty {
        return None;
    }
    rows.find_map(|(codec, target)| {
        let of = (dialect, entry, number);
        let values = fields(context, of, codec, target, &parameters)?;
        Some(EncodedEntry {
            codec: codec.clone(),
            target: target.clone(),
            values,
        })
    })
}

/// Returns the fields of a layout, if it holds all parameters.
fn fields(
    context: &mut Context,
    (dialect, entry, number): (&DialectDefinition, &EntryDefinition, u32),
    codec: &Codec,
    target: &CodecTarget,
    parameters: &FieldValues<'static>,
) -> Option<FieldValues<'static>> {
    let shared = &mut SharedState::default();
    for place in 0..entry.parameters.len() {
        if !target.parameters.contains(&place)
            && !defaults::is_left_out((context, shared), dialect, entry, place, parameters)
        {
            return None;
        }
    }
    let mut fields = FieldValues {
        fields: Vec::with_capacity(codec.fields.len()),
        items: parameters.items.clone(),
    };
    for (field, &place) in codec.fields.iter().zip(&target.parameters) {
        let value = parameters.fields.get(place)?;
        let kind = entry.parameters.get(place).map(|parameter| &parameter.kind);
        let value = match (field.kind, value) {
            (
                FieldKind::Attribute | FieldKind::OptionalAttribute,
                &FieldValue::Unsigned(member),
            ) => match kind {
                Some(ParameterKind::Enumeration {
                    abbreviates: Some(of),
                    ..
                }) => FieldValue::Attribute(attribute_of(context, (dialect, number), of, member)?),
                _ => return None,
            },
            (FieldKind::List(item), FieldValue::List(range)) => {
                items(context, *item, range, &mut fields)?;
                value.clone()
            }
            (FieldKind::List(_) | FieldKind::Pairs(_), FieldValue::Absent) => {
                FieldValue::List(0..0)
            }
            (FieldKind::FlaggedList(_), FieldValue::List(range)) if range.is_empty() => {
                FieldValue::Absent
            }
            (FieldKind::FlaggedList(item), FieldValue::List(range)) => {
                items(context, *item, range, &mut fields)?;
                value.clone()
            }
            (FieldKind::FlaggedList(_), FieldValue::Absent) => FieldValue::Absent,
            (FieldKind::Pairs(_), FieldValue::List(_)) => value.clone(),
            (kind, value) => field_value(context, kind, value)?,
        };
        fields.fields.push(value);
    }
    Some(fields)
}

fn items(
    context: &mut Context,
    kind: FieldKind,
    range: &std::ops::Range<u32>,
    values: &mut FieldValues<'static>,
) -> Option<()> {
    let range = range.start as usize..range.end as usize;
    for item in values.items.get_mut(range)? {
        *item = field_value(context, kind, item)?;
    }
    Some(())
}

/// Returns a value as a field of that kind, if it can be one.
fn field_value(
    context: &mut Context,
    kind: FieldKind,
    value: &FieldValue<'static>,
) -> Option<FieldValue<'static>> {
    use FieldKind as K;
    use FieldValue as V;
    Some(match (kind, value) {
        (K::SignedVarint, &V::Unsigned(number)) => V::Signed(i64::try_from(number).ok()?),
        (K::Varint | K::Byte | K::Bool | K::OptionalVarint, &V::Signed(number)) => {
            V::Unsigned(u64::try_from(number).ok()?)
        }
        (
            K::Attribute | K::OptionalAttribute | K::FlaggedAttribute | K::NumberFlaggedAttribute,
            &V::String(string),
        ) => V::Attribute(context.string_attribute_of(string)),
        (K::Byte, &V::Unsigned(number)) if number > 0xFF => return None,
        (K::Bool, &V::Unsigned(number)) if number > 1 => return None,
        (
            K::OptionalAttribute
            | K::FlaggedAttribute
            | K::NumberFlaggedAttribute
            | K::OptionalVarint,
            V::Absent,
        )
        | (
            K::Attribute | K::OptionalAttribute | K::FlaggedAttribute | K::NumberFlaggedAttribute,
            V::Attribute(_),
        )
        | (K::Location, V::Location(_))
        | (K::Type, V::Type(_))
        | (K::String | K::StringAttribute | K::SymbolReference, V::String(_))
        | (K::Resource, V::Resource(_))
        | (K::Varint | K::Byte | K::Bool | K::OptionalVarint, V::Unsigned(_))
        | (K::SignedVarint, V::Signed(_))
        | (K::Float64 | K::ApFloat(_), V::Float(_))
        | (K::Blob, V::Bytes(_))
        | (K::ApInt(_), V::Integer(_))
        | (K::AffineMap, V::AffineMap(_))
        | (K::IntegerSet, V::IntegerSet(_)) => value.clone(),
        _ => return None,
    })
}
