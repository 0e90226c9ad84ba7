//! Builds attributes and types of dialects from parameters by name.

use super::Context;
use crate::apint::ApInt;
use crate::codec::{FieldValue, FieldValues};
use crate::definition::{DialectDefinition, EntryDefinition, ParameterDefinition, ParameterKind};
use crate::error::Invalid;
use crate::{Attribute, AttributeKind, DialectBody, Identifier, Type, TypeKind, nearest_name};
use std::fmt;
use std::sync::Arc;

/// The value of a parameter that is given to an [`EntryBuilder`].
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterValue {
    /// An integer, a boolean (0 or 1), a size, or the value of an enumeration's member.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A string, the keyword of an enumeration's member, or the text of an attribute or type.
    Text(String),
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// The items of a list.
    List(Vec<ParameterValue>),
}

macro_rules! from {
    ($($source:ty => $variant:ident($convert:expr),)*) => {
        $(impl From<$source> for ParameterValue {
            fn from(value: $source) -> Self {
                ParameterValue::$variant($convert(value))
            }
        })*
    };
}

from! {
    i32 => Integer(i64::from),
    u32 => Integer(i64::from),
    i64 => Integer(i64::from),
    bool => Integer(i64::from),
    f64 => Float(f64::from),
    &str => Text(str::to_owned),
    String => Text(String::from),
    Attribute => Attribute(Attribute::from),
    Type => Type(Type::from),
}

impl<T: Into<ParameterValue>> From<Vec<T>> for ParameterValue {
    fn from(items: Vec<T>) -> Self {
        ParameterValue::List(items.into_iter().map(T::into).collect())
    }
}

impl<T: Into<ParameterValue>, const N: usize> From<[T; N]> for ParameterValue {
    fn from(items: [T; N]) -> Self {
        ParameterValue::List(items.into_iter().map(T::into).collect())
    }
}

impl<T: Into<ParameterValue> + Clone> From<&[T]> for ParameterValue {
    fn from(items: &[T]) -> Self {
        ParameterValue::List(items.iter().cloned().map(T::into).collect())
    }
}

/// Builds an attribute or type of a dialect; see [`Context::build_type`].
pub struct EntryBuilder<'c, T> {
    context: &'c mut Context,
    /// The name of the dialect, a dot and the mnemonic.
    name: String,
    is_type: bool,
    given: Vec<(String, ParameterValue)>,
    make: fn(&mut Context, Made) -> Result<T, Invalid>,
}

impl<T> fmt::Debug for EntryBuilder<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EntryBuilder").field(&self.name).finish()
    }
}

/// The parts of an attribute or type.
struct Made {
    dialect: Identifier,
    body: DialectBody,
    /// The type of an attribute that has one.
    ty: Option<Type>,
}

impl Context {
    /// Builds a type of a dialect from its parameters by name. `name` is the name of the dialect, a
    /// dot and the mnemonic, such as `gpu.mma_matrix`. Omitted parameters get their defaults.
    pub fn build_type(&mut self, name: impl Into<String>) -> EntryBuilder<'_, Type> {
        EntryBuilder {
            context: self,
            name: name.into(),
            is_type: true,
            given: Vec::new(),
            make: |context, Made { dialect, body, .. }| {
                context.try_type(TypeKind::Dialect { dialect, body })
            },
        }
    }

    /// Builds an attribute of a dialect from its parameters by name; see
    /// [`build_type`](Self::build_type).
    pub fn build_attribute(&mut self, name: impl Into<String>) -> EntryBuilder<'_, Attribute> {
        EntryBuilder {
            context: self,
            name: name.into(),
            is_type: false,
            given: Vec::new(),
            make: |context, Made { dialect, body, ty }| {
                context.try_attribute(AttributeKind::Dialect { dialect, body, ty })
            },
        }
    }

    /// Returns the attribute of a dialect that has these parameters, in the order of its
    /// definition: the inverse of [`EntryParameters::values`](super::EntryParameters::values).
    /// `name` is the name of the dialect, a dot and the mnemonic. Linear in the length of its text.
    ///
    /// # Errors
    ///
    /// If no definition is known, or it rejects the values.
    pub fn attribute_with_values(
        &mut self,
        name: &str,
        values: FieldValues<'static>,
    ) -> Result<Attribute, Invalid> {
        let Made { dialect, body, ty } = with_values(self, name, false, values)?;
        self.try_attribute(AttributeKind::Dialect { dialect, body, ty })
    }

    /// Returns the type of a dialect that has these parameters; see
    /// [`attribute_with_values`](Self::attribute_with_values).
    ///
    /// # Errors
    ///
    /// If no definition is known, or it rejects the values.
    pub fn type_with_values(
        &mut self,
        name: &str,
        values: FieldValues<'static>,
    ) -> Result<Type, Invalid> {
        let Made { dialect, body, .. } = with_values(self, name, true, values)?;
        self.try_type(TypeKind::Dialect { dialect, body })
    }
}

/// Returns the parts of an attribute or type with these parameters.
fn with_values(
    context: &mut Context,
    name: &str,
    is_type: bool,
    mut values: FieldValues<'static>,
) -> Result<Made, Invalid> {
    let (namespace, mnemonic) = name.split_once('.').unwrap_or(("builtin", name));
    let found = context.dialect(namespace.as_bytes());
    let dialect = found
        .ok_or_else(|| Invalid::new(format!("dialect '{namespace}' has no known definition")))?;
    let form = context.textual_form.ok_or_else(|| {
        Invalid::new("the context has no parser: call rmlir_text::register first")
    })?;
    let entry = entry_named(context, &dialect, (mnemonic, is_type))?;
    if values.fields.len() != entry.parameters.len() {
        let (given, declared) = (values.fields.len(), entry.parameters.len());
        return Err(Invalid::new(format!(
            "{name} has {declared} parameters, and {given} were given"
        )));
    }
    let body = form.entry_body(context, &dialect, entry, &mut values, is_type)?;
    Ok(Made {
        dialect: context.identifier(&*dialect.name),
        body,
        ty: entry.self_type(&values),
    })
}

/// Returns the definition of an attribute or type in the context's release.
fn entry_named<'d>(
    context: &Context,
    dialect: &'d DialectDefinition,
    (mnemonic, is_type): (&str, bool),
) -> Result<&'d EntryDefinition, Invalid> {
    let table = match is_type {
        true => &dialect.types,
        false => &dialect.attributes,
    };
    let number = context.release().number_in(dialect.family);
    table.entry(mnemonic.as_bytes(), number).ok_or_else(|| {
        let names = table.entries().iter().map(|entry| &*entry.mnemonic);
        let near = nearest_name(mnemonic.as_bytes(), names);
        Invalid::new(format!("unknown mnemonic{}", suggestion(near)))
    })
}

impl<T> EntryBuilder<'_, T> {
    /// Sets a parameter. The definition determines the meaning of numbers and text.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<ParameterValue>) -> Self {
        self.given.push((name.into(), value.into()));
        self
    }

    /// Builds the attribute or type. Linear in the length of its text.
    ///
    /// # Errors
    ///
    /// If no definition is known, a parameter is unknown, is given twice, is missing or has a value
    /// of another kind, or if the definition rejects the values.
    pub fn build(self) -> Result<T, Invalid> {
        let EntryBuilder {
            context,
            name,
            is_type,
            given,
            make,
        } = self;
        let sigil = if is_type { '!' } else { '#' };
        let fail = |error: Invalid| Invalid::new(format!("{sigil}{name}: {error}"));
        let (namespace, mnemonic) = name.split_once('.').unwrap_or(("builtin", &name));
        let dialect = context.dialect(namespace.as_bytes()).ok_or_else(|| {
            fail(Invalid::new(format!(
                "dialect '{namespace}' has no known definition"
            )))
        })?;
        let made = made(context, &dialect, (mnemonic, is_type), &given);
        made.and_then(|made| make(context, made)).map_err(fail)
    }
}

fn made(
    context: &mut Context,
    dialect: &Arc<DialectDefinition>,
    (mnemonic, is_type): (&str, bool),
    given: &[(String, ParameterValue)],
) -> Result<Made, Invalid> {
    let form = context.textual_form;
    let form = form.ok_or_else(|| {
        Invalid::new("the context has no parser: call rmlir_text::register first")
    })?;
    let entry = entry_named(context, dialect, (mnemonic, is_type))?;
    if entry.opaque {
        return Err(Invalid::new(
            "its parameters are not described: parse its text",
        ));
    }
    let mut values = FieldValues::default();
    for parameter in &entry.parameters {
        let mut all = given.iter().filter(|given| parameter.name == given.0);
        let value = match (all.next(), all.next()) {
            (Some(_), Some(_)) => Err(Invalid::new("is given twice")),
            (Some((_, value)), None) => {
                Converter { context, dialect }.value(&parameter.kind, value, &mut values)
            }
            (None, _) if parameter.is_required() => Err(Invalid::new("is missing")),
            (None, _) => Ok(parameter.default_value(context)),
        };
        let named =
            |error: Invalid| Invalid::new(format!("parameter '{}' {error}", parameter.name));
        values.fields.push(value.map_err(named)?);
    }
    let is_known = |name: &str| entry.parameters.iter().any(|one| one.name == name);
    if let Some((unknown, _)) = given.iter().find(|given| !is_known(&given.0)) {
        let names = entry
            .parameters
            .iter()
            .map(|one: &ParameterDefinition| &*one.name);
        let near = nearest_name(unknown.as_bytes(), names);
        return Err(Invalid::new(format!(
            "has no parameter '{unknown}'{}",
            suggestion(near)
        )));
    }
    let body = form.entry_body(context, dialect, entry, &mut values, is_type)?;
    Ok(Made {
        dialect: context.identifier(&*dialect.name),
        body,
        ty: entry.self_type(&values),
    })
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// Converts values by the definition of the parameters.
struct Converter<'c> {
    context: &'c mut Context,
    dialect: &'c DialectDefinition,
}

impl Converter<'_> {
    /// Converts a value. The items of lists are put into `values`. Recurses on lists in lists of
    /// the definition, which are few.
    fn value(
        &mut self,
        kind: &ParameterKind,
        value: &ParameterValue,
        values: &mut FieldValues<'static>,
    ) -> Result<FieldValue<'static>, Invalid> {
        use ParameterValue as Given;
        Ok(match (kind, value) {
            (ParameterKind::Integer { width }, &Given::Integer(value)) => {
                let bits = ApInt::from_i64(*width, value);
                match bits.to_i64() == Some(value) {
                    true => FieldValue::Signed(value),
                    false => return Err(out_of_range(value, "signed", *width)),
                }
            }
            (ParameterKind::Dimension, &Given::Integer(value)) => FieldValue::Signed(value),
            (ParameterKind::Unsigned { width, .. }, &Given::Integer(value)) => {
                match u64::try_from(value) {
                    Ok(number) if *width >= 64 || number >> width == 0 => {
                        FieldValue::Unsigned(number)
                    }
                    _ => return Err(out_of_range(value, "unsigned", *width)),
                }
            }
            (ParameterKind::BigInteger, &Given::Integer(value)) => kind.number(value),
            (ParameterKind::Bool, &Given::Integer(value @ (0 | 1))) => kind.number(value),
            (ParameterKind::Float, &Given::Float(value)) => {
                FieldValue::Float(value.to_bits().into())
            }
            (ParameterKind::Float, &Given::Integer(value)) => kind.number(value),
            (ParameterKind::String, Given::Text(text)) => {
                FieldValue::String(self.context.identifier(text))
            }
            (ParameterKind::Enumeration { name, .. }, Given::Text(text)) => {
                FieldValue::Unsigned(self.member(name, text)?.cast_unsigned())
            }
            (ParameterKind::Enumeration { .. }, &Given::Integer(value)) => kind.number(value),
            (
                ParameterKind::Attribute { .. }
                | ParameterKind::AffineMap
                | ParameterKind::IntegerSet,
                value,
            ) => match self.attribute(value)? {
                Some(attribute) if self.is_of(kind, attribute) => FieldValue::Attribute(attribute),
                _ => return Err(mistyped(kind, value)),
            },
            (ParameterKind::Type { .. } | ParameterKind::SelfType, &Given::Type(ty)) => {
                FieldValue::Type(ty)
            }
            (ParameterKind::Type { .. } | ParameterKind::SelfType, Given::Text(_)) => {
                match self
                    .attribute(value)?
                    .map(|found| self.context.attribute_kind(found))
                {
                    Some(AttributeKind::Type(ty)) => FieldValue::Type(*ty),
                    _ => return Err(mistyped(kind, value)),
                }
            }
            (ParameterKind::List(kind), Given::List(items)) => {
                let items = items.iter().map(|item| self.value(kind, item, values));
                let items = items.collect::<Result<Vec<_>, _>>()?;
                values.make_list(items)
            }
            (ParameterKind::Dimensions, Given::List(items)) => {
                let sizes = items.iter();
                let sizes = sizes.map(|size| self.value(&ParameterKind::Dimension, size, values));
                let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
                values.make_list(sizes)
            }
            _ => return Err(mistyped(kind, value)),
        })
    }

    /// Returns the attribute that a value is, or that its text denotes.
    fn attribute(&mut self, value: &ParameterValue) -> Result<Option<Attribute>, Invalid> {
        match value {
            ParameterValue::Attribute(attribute) => Ok(Some(*attribute)),
            ParameterValue::Text(text) => self.context.parse_attribute(text).map(Some),
            _ => Ok(None),
        }
    }

    fn is_of(&self, kind: &ParameterKind, attribute: Attribute) -> bool {
        let found = self.context.attribute_kind(attribute);
        match kind {
            ParameterKind::AffineMap => matches!(found, AttributeKind::AffineMap(_)),
            ParameterKind::IntegerSet => matches!(found, AttributeKind::IntegerSet(_)),
            _ => true,
        }
    }

    fn member(&self, enumeration: &str, text: &str) -> Result<i64, Invalid> {
        let found = self
            .dialect
            .find_enumeration(self.context, enumeration, |found| {
                Some(found.value_of(text).ok_or_else(|| {
                    let cases = found.cases.iter().filter(|case| !case.hidden);
                    let cases: Vec<&str> = cases.map(|case| &*case.keyword).take(24).collect();
                    Invalid::new(format!(
                        "has no case '{text}'; the cases are {}",
                        cases.join(", ")
                    ))
                }))
            });
        found.unwrap_or_else(|| {
            Err(Invalid::new(format!(
                "needs enumeration '{enumeration}', which is not defined"
            )))
        })
    }
}

#[cold]
fn out_of_range(value: i64, sign: &str, width: u32) -> Invalid {
    Invalid::new(format!(
        "is {value}, which does not fit {width} {sign} bits"
    ))
}

#[cold]
fn mistyped(kind: &ParameterKind, value: &ParameterValue) -> Invalid {
    let given = match value {
        ParameterValue::Integer(_) => "an integer",
        ParameterValue::Float(_) => "a float",
        ParameterValue::Text(_) => "text",
        ParameterValue::Attribute(_) => "an attribute",
        ParameterValue::Type(_) => "a type",
        ParameterValue::List(_) => "a list",
    };
    Invalid::new(format!("is of kind '{kind}', and {given} was given"))
}
