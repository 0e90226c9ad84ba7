//! Rules of functions: operations with the trait [`FUNCTION`](crate::OperationTraits::FUNCTION).

use super::names::Names;
use super::{Message, VerifyFailure, VerifyResult, discardable};
use crate::codec::FieldValue;
use crate::op::Op;
use crate::{Attribute, AttributeKind, Identifier, Type, TypeKind};

/// Checks that `arg_attrs` and `res_attrs` have one dictionary for each input and result of
/// `function_type`.
pub(super) fn check_attributes(names: &Names, op: Op<'_>) -> VerifyResult {
    let of_dialect;
    let (inputs, results) = if let Some(types) = signature(names, op) {
        types
    } else if let Some(types) = dialect_signature(names, op) {
        of_dialect = types;
        (&*of_dialect.0, &*of_dialect.1)
    } else {
        let arguments = op.body_arguments();
        let types = arguments.map(|argument| op.module.value_type(argument));
        let types: Vec<Type> = types.collect();
        check_entries(op, names.arg_attrs, "argument", &types)?;
        return check_entries(op, names.res_attrs, "result", &[]);
    };
    check_dictionaries(op, names.arg_attrs, "argument", inputs)?;
    check_dictionaries(op, names.res_attrs, "result", results)
}

/// Checks that the arguments of the entry block have the input types of `function_type`.
pub(super) fn check_body(names: &Names, op: Op<'_>) -> VerifyResult {
    let Some((inputs, _)) = signature(names, op) else {
        return Ok(());
    };
    let mut regions = op.module.regions(op.operation);
    let (Some(body), None) = (regions.next(), regions.next()) else {
        return Err(VerifyFailure::op("expects one region"));
    };
    let Some(entry) = op.module.first_block(body) else {
        return Ok(());
    };
    if op.module.argument_count(entry) != inputs.len() {
        return Err(VerifyFailure::op(format!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        )));
    }
    for (number, ((value, _), &expected)) in op.module.arguments(entry).zip(inputs).enumerate() {
        let found = op.module.value_type(value);
        if found != expected {
            let message =
                Message::from(format!("type of entry block argument #{number}('")).ty(found);
            let message = message
                .text(
                    "') must match the type of the corresponding argument in function signature('",
                )
                .ty(expected)
                .text("')");
            return Err(VerifyFailure::op(message));
        }
    }
    Ok(())
}

/// Returns the inputs and results of `function_type`, if it is a function type of a dialect: one
/// with a type `returnType` and a list `params` as parameters, as `!llvm.func` has them. The type
/// `void` of the dialect denotes no result.
fn dialect_signature(names: &Names, op: Op<'_>) -> Option<(Vec<Type>, Vec<Type>)> {
    let attribute =
        op.module
            .attribute_by_identifier(op.context, op.operation, names.function_type)?;
    let AttributeKind::Type(ty) = op.context.attribute_kind(attribute) else {
        return None;
    };
    let parameters = op.context.parameters(*ty).ok()?;
    let inputs = parameters.get("params")?.value();
    let inputs = parameters.values().list(inputs).iter();
    let inputs = inputs.filter_map(|input| match input {
        FieldValue::Type(ty) => Some(*ty),
        _ => None,
    });
    let result = parameters.get("returnType")?.ty()?;
    let is_void = match op.context.type_kind(result) {
        TypeKind::Dialect { body, .. } => body.text() == b"void",
        _ => false,
    };
    let results = if is_void { Vec::new() } else { vec![result] };
    Some((inputs.collect(), results))
}

/// Returns the inputs and results of `function_type`; `None` if it is not a builtin function type.
fn signature<'a>(names: &Names, op: Op<'a>) -> Option<(&'a [Type], &'a [Type])> {
    let attribute =
        op.module
            .attribute_by_identifier(op.context, op.operation, names.function_type)?;
    let AttributeKind::Type(ty) = op.context.attribute_kind(attribute) else {
        return None;
    };
    op.context.type_kind(*ty).signature()
}

/// Checks the attribute `name`, if present: an array of `count` dictionaries.
fn check_dictionaries(
    op: Op<'_>,
    name: Option<Identifier>,
    what: &str,
    types: &[Type],
) -> VerifyResult {
    let count = types.len();
    let Some(attribute) = op
        .module
        .attribute_by_identifier(op.context, op.operation, name)
    else {
        return Ok(());
    };
    let AttributeKind::Array(elements) = op.context.attribute_kind(attribute) else {
        return Ok(());
    };
    if elements.len() != count {
        return Err(VerifyFailure::op(format!(
            "expects {what} attribute array to have the same number of elements as the number of function {what}s, got {}, but expected {count}",
            elements.len()
        )));
    }
    for pair in elements.iter().copied().zip(types.iter().copied()) {
        check_dictionary(op, what, pair)?;
    }
    Ok(())
}

/// Checks the discardable attributes of arguments or results, with their types as far as these are
/// known.
fn check_entries(op: Op<'_>, name: Option<Identifier>, what: &str, types: &[Type]) -> VerifyResult {
    let attribute = op
        .module
        .attribute_by_identifier(op.context, op.operation, name);
    let Some(AttributeKind::Array(elements)) = attribute.map(|a| op.context.attribute_kind(a))
    else {
        return Ok(());
    };
    for (number, &element) in elements.iter().enumerate() {
        let entries = op.context.dictionary_entries(element);
        discardable::check(op, what, types.get(number).copied(), entries)?;
    }
    Ok(())
}

fn check_dictionary(op: Op<'_>, what: &str, (element, ty): (Attribute, Type)) -> VerifyResult {
    let AttributeKind::Dictionary(entries) = op.context.attribute_kind(element) else {
        let message = Message::from(format!(
            "expects {what} attribute dictionary to be a DictionaryAttr, but got `"
        ));
        return Err(VerifyFailure::op(message.attribute(element).text("`")));
    };
    let of_dialects = |name: &[u8]| name.contains(&b'.');
    if !entries
        .iter()
        .all(|entry| of_dialects(op.context.bytes(entry.0)))
    {
        return Err(VerifyFailure::op(format!(
            "{what}s may only have dialect attributes"
        )));
    }
    discardable::check(op, what, Some(ty), entries)
}
