//! Converts operations of VHLO to StableHLO.

use super::entries::{Entries, array_of_tensor};
use super::operation::{Draft, split_name};
use super::table::{
    DEFAULTS, DefaultValue, FORMS, FUNCTIONS, Form, REMOVED_TOGETHER, SPREAD, Spread,
};
use super::version::Version;
use super::{Converted, describe};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::definition::OperationDefinition;
use rmlir_ir::{Attribute, AttributeKind, Module, NamedAttribute, Operation};

/// Returns an operation in StableHLO; `None` if it is of another dialect than VHLO.
///
/// # Errors
///
/// The reason, which follows the name of the operation.
pub(super) fn convert(
    entries: &mut Entries<'_>,
    module: &Module,
    operation: Operation,
) -> Result<Option<Converted>, String> {
    let bytes = entries
        .context
        .operation_name_bytes(module.name(operation))
        .to_owned();
    let Some((base, form)) = split_name(&bytes) else {
        let is_vhlo = bytes.starts_with(b"vhlo.");
        return if is_vhlo {
            Err(no_counterpart())
        } else {
            Ok(None)
        };
    };
    let name = match FUNCTIONS.iter().find(|row| row.1 == base) {
        Some(("func.return", _)) if !is_in_function(entries, module, operation) => {
            "stablehlo.return".to_owned()
        }
        Some((name, _)) => (*name).to_owned(),
        None => format!("stablehlo.{base}"),
    };
    let operation_name = entries.context.operation_name(&name);
    let definition = entries
        .context
        .operation_definition(operation_name)
        .cloned();
    let definition = definition.ok_or_else(no_counterpart)?;
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
    draft.convert_to(entries, Version::NEWEST)?;
    let mut made = Vec::new();
    remove_defaults(entries, &mut draft);
    for spread in SPREAD {
        collect(entries, &mut draft, (spread, &definition), &mut made)?;
    }
    let release = entries.context.release();
    for (name, value) in std::mem::take(&mut draft.attributes) {
        let text = entries.context.str(name).into_owned();
        let declared = definition.attribute(&text, release);
        let constraint = declared.map_or("", |declared| &*declared.constraint);
        let form = FORMS
            .iter()
            .find(|row| row.0 == constraint)
            .map(|row| row.1);
        match restore(entries, value, form) {
            Ok(Some(value)) => made.push((name, value)),
            Ok(None) => {}
            Err(Some(part)) => {
                return Err(describe(entries, &format!("has attribute '{text}'"), part));
            }
            Err(None) => return Err(format!("has attribute '{text}', which is not of its kind")),
        }
    }
    Converted::of(entries, &name, &made).map(Some)
}

fn no_counterpart() -> String {
    "has no counterpart in StableHLO".to_owned()
}

/// Returns whether the parent of an operation is a function.
fn is_in_function(entries: &Entries<'_>, module: &Module, operation: Operation) -> bool {
    let parent = module.parent_operation(operation);
    let name = parent.map(|parent| entries.context.operation_name_bytes(module.name(parent)));
    matches!(name, Some(b"vhlo.func_v1" | b"func.func"))
}

/// Removes the attributes that mean the same as their absence.
fn remove_defaults(entries: &Entries<'_>, draft: &mut Draft) {
    let rows = DEFAULTS.iter().filter(|row| row.0.contains(&&*draft.name));
    let defaults: Vec<_> = rows.flat_map(|row| row.1).collect();
    let is_default = |draft: &Draft, name: &str, default: DefaultValue| {
        let value = draft.get(entries, name);
        value.is_some_and(|value| default.is(entries, value))
    };
    let mut removed: Vec<&str> = Vec::new();
    for &&(name, default) in &defaults {
        // An algorithm without types is one attribute: see `collect`.
        if !matches!(default, DefaultValue::NoType) && is_default(draft, name, default) {
            removed.push(name);
        }
    }
    for (operation, together) in REMOVED_TOGETHER {
        if draft.name == *operation && !together.iter().all(|name| removed.contains(name)) {
            removed.retain(|name| !together.contains(name));
        }
    }
    for name in removed {
        draft.take(entries, name);
    }
}

/// Collects the attributes that are parameters of one attribute in StableHLO.
fn collect(
    entries: &mut Entries<'_>,
    draft: &mut Draft,
    (spread, definition): (&Spread, &OperationDefinition),
    made: &mut Vec<NamedAttribute>,
) -> Result<(), String> {
    let release = entries.context.release();
    let mut declared = definition.attributes_in(release);
    let Some(declared) = declared.find(|declared| declared.constraint == spread.constraint) else {
        return Ok(());
    };
    let values = spread
        .attributes
        .iter()
        .map(|name| draft.take(entries, name));
    let values: Vec<Option<Attribute>> = values.collect();
    let given = values.iter().flatten().count();
    let is_absent = |value: &Attribute| DefaultValue::NoType.is(entries, *value);
    let absent = values
        .iter()
        .flatten()
        .filter(|value| is_absent(value))
        .count();
    if given == 0 || (absent > 0 && absent == given) {
        return Ok(());
    }
    let name = &declared.name;
    let wrong = || format!("cannot have attribute '{name}': its parts are not of their kind");
    let full = format!("stablehlo.{}", spread.mnemonic);
    let dialect = entries.context.dialect(b"stablehlo").ok_or_else(wrong)?;
    let number = release.number_in(dialect.family);
    let target = dialect.attributes.entry(spread.mnemonic.as_bytes(), number);
    let target = target.ok_or_else(wrong)?;
    let mut parameters = FieldValues::default();
    for (value, parameter) in values.into_iter().zip(&target.parameters) {
        use rmlir_ir::definition::ParameterKind as Kind;
        let field = match (value, &parameter.kind) {
            // Only the type of a channel is missing in some operations.
            (None, Kind::Integer { .. }) => FieldValue::Signed(0),
            (None, _) => return Err(wrong()),
            (Some(value), Kind::List(_) | Kind::Dimensions) => {
                let items = entries.integers(value).ok_or_else(wrong)?;
                parameters.make_list(items.into_iter().map(FieldValue::Signed))
            }
            (Some(value), kind) => {
                let value = entries.attribute(value).map_err(|_| wrong())?;
                match (entries.context.attribute_kind(value), kind) {
                    (AttributeKind::Integer { value, .. }, Kind::Integer { .. }) => {
                        FieldValue::Signed(value.to_i64().ok_or_else(wrong)?)
                    }
                    (AttributeKind::Integer { value, .. }, Kind::Bool) => {
                        FieldValue::Unsigned(u64::from(!value.is_zero()))
                    }
                    (AttributeKind::Type(ty), Kind::Type { .. }) => FieldValue::Type(*ty),
                    _ => return Err(wrong()),
                }
            }
        };
        parameters.fields.push(field);
    }
    let value = entries.context.attribute_with_values(&full, parameters);
    let value = value.map_err(|error| format!("cannot have attribute '{name}': {error}"))?;
    let name = entries.context.identifier(&**name);
    made.push((name, value));
    Ok(())
}

/// Returns an attribute in the form that StableHLO declares; `None` if it is absent there.
///
/// # Errors
///
/// The part without a counterpart, or `None` if the attribute is of another kind.
fn restore(
    entries: &mut Entries<'_>,
    value: Attribute,
    form: Option<Form>,
) -> Result<Option<Attribute>, Option<super::entries::Unconverted>> {
    let (i64_type, bool_type) = (entries.context.i64_type(), entries.context.i1_type());
    match form {
        Some(Form::Integers | Form::Booleans) => {
            let element = match form {
                Some(Form::Integers) => i64_type,
                _ => bool_type,
            };
            let tensor = entries.dense_of(value).ok_or(None)?;
            let made = array_of_tensor(entries.context, tensor, element);
            made.map(Some).ok_or(None)
        }
        Some(Form::Symbol) => {
            let value = entries.attribute(value).map_err(Some)?;
            symbol(entries, value).map(Some).ok_or(None)
        }
        Some(Form::Symbols) => {
            let value = entries.attribute(value).map_err(Some)?;
            let AttributeKind::Array(elements) = entries.context.attribute_kind(value) else {
                return Err(None);
            };
            let elements = elements.clone();
            let elements = elements.iter().map(|&element| symbol(entries, element));
            let elements = elements.collect::<Option<Vec<_>>>().ok_or(None)?;
            Ok(Some(entries.context.array_attribute(&elements)))
        }
        Some(Form::Unit) => {
            let value = entries.attribute(value).map_err(Some)?;
            match entries.context.attribute_kind(value) {
                AttributeKind::Integer { value, .. } if value.is_zero() => Ok(None),
                AttributeKind::Integer { .. } => Ok(Some(entries.context.unit_attribute())),
                AttributeKind::Unit => Ok(Some(value)),
                _ => Err(None),
            }
        }
        Some(Form::Member) | None => entries.attribute(value).map(Some).map_err(Some),
    }
}

/// Returns the reference to the symbol that a string names.
fn symbol(entries: &mut Entries<'_>, value: Attribute) -> Option<Attribute> {
    let &AttributeKind::String { value, ty: None } = entries.context.attribute_kind(value) else {
        return None;
    };
    let kind = AttributeKind::SymbolRef {
        root: value,
        nested: Box::default(),
    };
    entries.context.try_attribute(kind).ok()
}
