//! Reads the default values of parameters.

use super::parse::BodyParser;
use crate::parser::{ParseOptions, Parser, SharedState};
use rmlir_ir::asm::{AsmError, AsmResult};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::{
    Absence, DialectDefinition, EntryDefinition, ParameterDefinition, ParameterKind, Text,
};
use rmlir_ir::{Context, Type};
use std::collections::HashMap;

/// The maximum nesting depth of defaults; a default whose text contains itself would be infinite.
const DEEPEST: u32 = 8;

/// Memoized defaults, and the state of those being read, each needed by the one before.
#[derive(Default)]
pub(crate) struct Defaults {
    /// The memoized defaults by their text.
    known: HashMap<Box<str>, Vec<Known>>,
    /// The number of defaults that are being read.
    depth: u32,
    /// The maximum depth reached since the innermost of them started.
    reached: u32,
    /// Whether a default was too deep, which makes the outermost one too deep as well.
    too_deep: bool,
}

/// The result of reading the text of a default.
struct Known {
    dialect: Text,
    kind: ParameterKind,
    /// The nesting depth of its defaults, including this one.
    height: u32,
    value: Result<Spelled, (String, bool)>,
}

/// A value with the items of its lists.
type Spelled = (FieldValue<'static>, FieldValues<'static>);

impl Defaults {
    fn find(
        &self,
        dialect: &DialectDefinition,
        kind: &ParameterKind,
        text: &str,
    ) -> Option<&Known> {
        let mut known = self.known.get(text)?.iter();
        known.find(|known| known.dialect == dialect.name && known.kind == *kind)
    }

    /// Records that a default of that height is read inside the current ones.
    ///
    /// Returns whether it is not nested too deeply.
    fn reach(&mut self, height: u32) -> bool {
        let depth = self.depth.saturating_add(height);
        self.reached = self.reached.max(depth);
        self.too_deep |= depth > DEEPEST;
        !self.too_deep
    }
}

#[cold]
fn too_deep() -> AsmError {
    AsmError::new(0, "defaults are nested too deeply")
}

/// Sets absent parameters to the defaults of their definition.
///
/// The items of lists are appended to `values`.
///
/// # Errors
/// If the text of a default is not valid for the parameter's kind.
pub(super) fn fill<'a>(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
    values: &mut FieldValues<'a>,
) -> AsmResult<()> {
    for (place, parameter) in entry.parameters.iter().enumerate() {
        if !matches!(values.fields.get(place), Some(FieldValue::Absent)) {
            continue;
        }
        let other = |place: usize| values.fields.get(place);
        let value: Option<FieldValue<'a>> = match &parameter.absence {
            Absence::Spelled(text) => {
                let (value, made) = spelled((context, shared), dialect, parameter, text)?;
                shared.spend(0, made.items.len())?;
                Some(adopt(value, made, values))
            }
            Absence::Parameter { place, .. } => other(*place).cloned(),
            Absence::TypeOf { place, .. } => type_of(context, other(*place)).map(FieldValue::Type),
            Absence::Refused | Absence::Empty | Absence::Value(_) | Absence::Text(_) => None,
        };
        if let Some((field, value)) = values.fields.get_mut(place).zip(value) {
            *field = value;
        }
    }
    Ok(())
}

/// Returns the value that a text denotes as a value of a parameter, with the items of its lists.
///
/// The result is memoized.
pub(crate) fn spelled(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    parameter: &ParameterDefinition,
    text: &str,
) -> AsmResult<Spelled> {
    let kind = &parameter.kind;
    let found = shared.defaults.find(dialect, kind, text);
    if let Some(Known { height, value, .. }) = found {
        let (height, value) = (*height, value.clone());
        if shared.defaults.depth > 0 && !shared.defaults.reach(height) {
            return Err(too_deep());
        }
        return value.map_err(|(message, unsupported)| {
            let error = AsmError::new(0, message);
            if unsupported {
                error.unsupported()
            } else {
                error
            }
        });
    }
    if !shared.defaults.reach(1) {
        return Err(too_deep());
    }
    let defaults = &mut shared.defaults;
    let outer = defaults.depth;
    let before = std::mem::replace(&mut defaults.reached, outer.saturating_add(1));
    defaults.depth = defaults.reached;
    let value = read((context, shared), dialect, kind, text);
    let defaults = &mut shared.defaults;
    let height = defaults.reached.saturating_sub(outer);
    defaults.reached = defaults.reached.max(before);
    defaults.depth = outer;
    let value = match defaults.too_deep {
        true => Err(too_deep()),
        false => value,
    };
    // Whether a default is too deep depends on what encloses it; only for the outermost one is the
    // result certain.
    let is_certain = !defaults.too_deep || outer == 0;
    if outer == 0 {
        defaults.too_deep = false;
        defaults.reached = 0;
    }
    if is_certain {
        let known = Known {
            dialect: dialect.name.clone(),
            kind: kind.clone(),
            height,
            value: match &value {
                Ok(value) => Ok(value.clone()),
                Err(error) => Err((error.message().to_owned(), error.is_unsupported())),
            },
        };
        defaults.known.entry(text.into()).or_default().push(known);
    }
    value
}

fn read(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    kind: &ParameterKind,
    text: &str,
) -> AsmResult<Spelled> {
    let options = ParseOptions {
        file_name: "<default>".to_owned(),
        ..ParseOptions::default()
    };
    // The brackets around a list are those of the definition.
    let inner = text
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'));
    let text = match (kind, inner) {
        (ParameterKind::List(_), Some(inner)) => inner,
        _ => text,
    };
    Parser::new(context, text.as_bytes(), &options).sharing(shared, |parser| {
        let mut made = FieldValues::default();
        let value = BodyParser::new(parser, dialect).alone(kind, &mut made)?;
        Ok((value, made))
    })
}

fn type_of(context: &Context, value: Option<&FieldValue<'_>>) -> Option<Type> {
    match value {
        Some(FieldValue::Attribute(attribute)) => Some(context.attribute_type(*attribute)),
        _ => None,
    }
}

/// Moves the items of the lists of a value into `values`.
fn adopt<'a>(
    value: FieldValue<'static>,
    made: FieldValues<'static>,
    values: &mut FieldValues<'a>,
) -> FieldValue<'a> {
    let base = u32::try_from(values.items.len()).unwrap_or(u32::MAX);
    let moved = |value: FieldValue<'static>| match value {
        FieldValue::List(range) => {
            FieldValue::List(range.start.saturating_add(base)..range.end.saturating_add(base))
        }
        value => value,
    };
    values.items.extend(made.items.into_iter().map(moved));
    moved(value)
}

/// Returns whether a parameter is omitted: it is absent, or has its default value.
pub(super) fn is_left_out(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
    place: usize,
    values: &FieldValues<'_>,
) -> bool {
    let Some((parameter, said)) = entry.parameters.get(place).zip(values.fields.get(place)) else {
        return true;
    };
    if parameter.required.is_some() {
        return false;
    }
    if parameter.is_default(context, said) {
        return true;
    }
    let other = |place: usize| values.fields.get(place);
    match &parameter.absence {
        Absence::Spelled(text) => spelled((context, shared), dialect, parameter, text)
            .is_ok_and(|(default, made)| is_same((said, values), (&default, &made))),
        Absence::Parameter { place, .. } => {
            other(*place).is_some_and(|other| is_same((said, values), (other, values)))
        }
        Absence::TypeOf { place, .. } => match said {
            FieldValue::Type(ty) => type_of(context, other(*place)) == Some(*ty),
            _ => false,
        },
        Absence::Refused | Absence::Empty | Absence::Value(_) | Absence::Text(_) => false,
    }
}

/// Returns whether two values are equal. Recurses on nested lists of the definition, which are few.
fn is_same(a: (&FieldValue<'_>, &FieldValues<'_>), b: (&FieldValue<'_>, &FieldValues<'_>)) -> bool {
    match (a.0, b.0) {
        (FieldValue::List(_), FieldValue::List(_)) => {
            let (left, right) = (a.1.list(a.0), b.1.list(b.0));
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| is_same((left, a.1), (right, b.1)))
        }
        (left, right) => left == right,
    }
}
