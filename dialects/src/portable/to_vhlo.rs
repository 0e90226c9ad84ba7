//! Converts operations of StableHLO to VHLO.

use super::entries::{Entries, Unconverted};
use super::operation::{Draft, split_name, versions};
use super::table::{API_VERSION, DEFAULTS, FORMS, FUNCTIONS, Form, SPREAD, Spread};
use super::{Converted, Options, describe};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::OperationDefinition;
use rmlir_ir::{Attribute, AttributeKind, Identifier, Module, Operation, OperationName, Type};
use std::sync::Arc;

/// Returns an operation in VHLO of a version; `None` if it is of another dialect.
///
/// # Errors
///
/// The reason, which follows the name of the operation.
pub(super) fn convert(
    entries: &mut Entries<'_>,
    module: &Module,
    operation: Operation,
    options: &Options,
) -> Result<Option<Converted>, String> {
    let name = module.name(operation);
    let bytes = entries.context.operation_name_bytes(name).to_owned();
    if let Some((base, form)) = split_name(&bytes) {
        let types = (
            module
                .operands(operation)
                .map(|value| module.value_type(value))
                .collect(),
            module
                .results(operation)
                .map(|value| module.value_type(value))
                .collect(),
        );
        let mut draft = Draft::new((module, operation), (base, form), types);
        draft.attributes = module
            .all_attributes(entries.context, operation)
            .into_owned();
        draft.convert_to(entries, options.version)?;
        return Converted::of(entries, &draft.full_name(), &draft.attributes).map(Some);
    }
    let function = FUNCTIONS.iter().find(|row| row.0.as_bytes() == bytes);
    let base = match (function, bytes.strip_prefix(b"stablehlo.")) {
        (Some(function), _) => function.1,
        (None, Some(base)) => std::str::from_utf8(base).unwrap_or_default(),
        (None, None) if bytes.starts_with(b"func.") => return Err(no_counterpart()),
        (None, None) => return Ok(None),
    };
    let form = match versions(base) {
        Some(row) if row.second.is_some() => 2,
        _ => 1,
    };
    let vhlo_name = entries
        .context
        .operation_name(format!("vhlo.{base}_v{form}"));
    let target = definition(entries, vhlo_name).ok_or_else(no_counterpart)?;
    let source = definition(entries, name);
    let operands = module
        .operands(operation)
        .map(|value| module.value_type(value));
    let results = module
        .results(operation)
        .map(|value| module.value_type(value));
    let mut types = |types: Vec<Type>| -> Result<Vec<Type>, String> {
        let types = types.into_iter().map(|ty| entries.ty(ty));
        let types = types.collect::<Result<_, Unconverted>>();
        types.map_err(|part| describe(entries, "has an operand or result", part))
    };
    let types = (types(operands.collect())?, types(results.collect())?);
    let mut draft = Draft::new((module, operation), (base, form), types);
    let given = module
        .all_attributes(entries.context, operation)
        .into_owned();
    for (name, value) in given {
        add(
            entries,
            &mut draft,
            (source.as_deref(), &target),
            name,
            value,
        )?;
    }
    let defaults = DEFAULTS.iter().filter(|row| row.0.contains(&base));
    for (name, default) in defaults.flat_map(|row| row.1) {
        if draft.get(entries, name).is_none() {
            let value = default.make(entries, &draft);
            let value = value.ok_or_else(|| format!("cannot get its default of '{name}'"))?;
            let name = entries.context.identifier(name);
            draft.add(name, value);
        }
    }
    draft.convert_to(entries, options.version)?;
    Converted::of(entries, &draft.full_name(), &draft.attributes).map(Some)
}

fn no_counterpart() -> String {
    "has no counterpart in VHLO".to_owned()
}

fn definition(entries: &Entries<'_>, name: OperationName) -> Option<Arc<OperationDefinition>> {
    entries.context.operation_definition(name).cloned()
}

/// Adds the counterpart of an attribute, or those of its parameters.
fn add(
    entries: &mut Entries<'_>,
    draft: &mut Draft,
    (source, target): (Option<&OperationDefinition>, &OperationDefinition),
    name: Identifier,
    value: Attribute,
) -> Result<(), String> {
    let release = entries.context.release();
    let text = entries.context.str(name).into_owned();
    let declared = source.and_then(|source| source.attribute(&text, release));
    let constraint = declared.map_or("", |declared| &*declared.constraint);
    if let Some(spread) = SPREAD.iter().find(|row| row.constraint == constraint) {
        return add_spread(entries, draft, target, spread, value)
            .ok_or_else(|| format!("has attribute '{text}', which is not of its kind"));
    }
    let form = FORMS.iter().find(|row| row.0 == constraint);
    let is_function = draft.name == "func" || draft.name == "call";
    let made = match form.map(|row| row.1) {
        Some(Form::Member) => member(entries, value),
        Some(Form::Unit) if !is_function => match entries.context.attribute_kind(value) {
            AttributeKind::Unit => entries.of_text("bool_v1<true>"),
            _ => None,
        },
        _ => match entries.attribute(value) {
            Ok(made) => Some(made),
            Err(part) => {
                let subject = format!("has attribute '{text}'");
                return Err(describe(entries, &subject, part));
            }
        },
    };
    let made = made.ok_or_else(|| format!("has attribute '{text}', which is not of its kind"))?;
    draft.add(name, made);
    Ok(())
}

/// Returns the member of an enumeration that a number denotes.
fn member(entries: &mut Entries<'_>, value: Attribute) -> Option<Attribute> {
    let AttributeKind::Integer { value, .. } = entries.context.attribute_kind(value) else {
        return None;
    };
    let mut values = FieldValues::default();
    values.fields.push(FieldValue::Unsigned(value.to_u64()?));
    entries.make(API_VERSION, values)
}

/// Adds an attribute for each parameter that the operation has in VHLO.
fn add_spread(
    entries: &mut Entries<'_>,
    draft: &mut Draft,
    target: &OperationDefinition,
    spread: &Spread,
    value: Attribute,
) -> Option<()> {
    let AttributeKind::Dialect { dialect, body, .. } = entries.context.attribute_kind(value) else {
        return None;
    };
    let dialect = entries.context.bytes(*dialect);
    if dialect != b"stablehlo" || body.mnemonic() != spread.mnemonic.as_bytes() {
        return None;
    }
    let parameters = entries.context.parameters(value).ok()?;
    let values = parameters.values().clone();
    let definition = parameters.definition();
    let is_bool = |number: usize| {
        let parameter = definition.parameters.get(number);
        parameter.is_some_and(|one| one.kind == rmlir_ir::definition::ParameterKind::Bool)
    };
    let bools: Vec<bool> = (0..values.fields.len()).map(is_bool).collect();
    let release = entries.context.release();
    let fields = values.fields.iter().zip(bools).zip(spread.attributes);
    for ((field, is_bool), name) in fields {
        if target.attribute(name, release).is_none() {
            continue;
        }
        let builtin = match field {
            &FieldValue::Unsigned(value) if is_bool => entries.context.bool_attribute(value != 0),
            &FieldValue::Signed(value) => {
                let ty = entries.context.i64_type();
                entries.context.integer_attribute(ty, value).ok()?
            }
            &FieldValue::Type(ty) => entries.context.type_attribute(ty),
            list @ (FieldValue::List(_) | FieldValue::Absent) => {
                let numbers = values.list(list).iter().map(|item| match item {
                    FieldValue::Signed(value) => Some(*value),
                    _ => None,
                });
                let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
                entries.context.i64_array_attribute(numbers)
            }
            _ => return None,
        };
        let made = entries.attribute(builtin).ok()?;
        let name = entries.context.identifier(name);
        draft.add(name, made);
    }
    Some(())
}
