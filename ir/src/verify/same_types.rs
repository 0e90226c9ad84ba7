//! Traits that compare the types of operands and results.
//!
//! Whether the type of a dialect has a shape, and of what elements, is not known here unless the
//! dialect is unknown or declares all of its types: such a type is taken to fit every other where
//! shapes or element types are compared.

use super::{VerifyFailure, VerifyResult};
use crate::op::Op;
use crate::{Attribute, Context, DYNAMIC, Type, TypeKind};

pub(super) fn same_type_operands(op: Op<'_>) -> VerifyResult {
    all(
        operand_types(op),
        |a, b| a == b,
        "requires all operands to have the same type",
    )
}

pub(super) fn same_operands_element_type(op: Op<'_>) -> VerifyResult {
    at_least_one_operand(op)?;
    all(
        operand_types(op),
        |a, b| same_elements(op.context, a, b),
        "requires the same element type for all operands",
    )
}

pub(super) fn same_operands_and_result_element_type(op: Op<'_>) -> VerifyResult {
    at_least_one_operand(op)?;
    at_least_one_result(op)?;
    all(
        result_types(op).chain(operand_types(op)),
        |a, b| same_elements(op.context, a, b),
        "requires the same element type for all operands and results",
    )
}

pub(super) fn same_operands_shape(op: Op<'_>) -> VerifyResult {
    at_least_one_operand(op)?;
    same_shapes(
        op.context,
        operand_types(op),
        "requires the same shape for all operands",
    )
}

pub(super) fn same_operands_and_result_shape(op: Op<'_>) -> VerifyResult {
    at_least_one_operand(op)?;
    at_least_one_result(op)?;
    same_shapes(
        op.context,
        operand_types(op).chain(result_types(op)),
        "requires the same shape for all operands and results",
    )
}

pub(super) fn same_operands_and_result_type(op: Op<'_>) -> VerifyResult {
    at_least_one_operand(op)?;
    at_least_one_result(op)?;
    let context = op.context;
    let types = || result_types(op).chain(operand_types(op));
    let first = result_types(op).next();
    if types().all(|ty| Some(ty) == first) {
        return Ok(());
    }
    all(
        types(),
        |a, b| same_elements(context, a, b) && compatible_shapes(context, a, b),
        "requires the same type for all operands and results",
    )?;
    // If the first result has an encoding, all ranked tensors must have it.
    all(
        types(),
        |first, ty| match (encoding(context, first), context.type_kind(ty)) {
            (Some(first), TypeKind::RankedTensor { encoding, .. }) => *encoding == Some(first),
            _ => true,
        },
        "requires the same encoding for all operands and results",
    )
}

pub(super) fn same_operands_and_result_rank(op: Op<'_>) -> VerifyResult {
    let types = || operand_types(op).chain(result_types(op));
    let mut shapes = types().filter_map(|ty| op.context.shape(ty));
    let Some(first) = shapes.next() else {
        return Ok(());
    };
    // The first shape is that of an operand if any operand has one.
    if shapes.all(|shape| shape.len() == first.len()) {
        return Ok(());
    }
    let mut operands = operand_types(op).filter_map(|ty| op.context.shape(ty));
    Err(VerifyFailure::op(
        match operands.all(|shape| shape.len() == first.len()) {
            true => "result type has different rank than operands",
            false => "operands don't have matching ranks",
        },
    ))
}

/// The shapes of ranked tensors among the operands must broadcast to one shape, with which the last
/// sizes of each result must be compatible.
pub(super) fn results_broadcastable_shape(op: Op<'_>) -> VerifyResult {
    let tensors = |types: &mut dyn Iterator<Item = Type>| -> Vec<&[i64]> {
        let shape = |ty| match op.context.type_kind(ty) {
            TypeKind::RankedTensor { shape, .. } => Some(&**shape),
            _ => None,
        };
        types.filter_map(shape).collect()
    };
    let operands = tensors(&mut operand_types(op));
    let Some(rank) = operands.iter().map(|shape| shape.len()).max() else {
        return Ok(());
    };
    let mut broadcast = vec![1i64; rank];
    for shape in operands {
        for (size, &other) in broadcast.iter_mut().rev().zip(shape.iter().rev()) {
            *size = match (*size, other) {
                (a, b) if a == b => a,
                (1, b) => b,
                (a, 1) => a,
                (DYNAMIC, b) => b,
                (a, DYNAMIC) => a,
                _ => {
                    return Err(VerifyFailure::op(
                        "operands don't have broadcast-compatible shapes",
                    ));
                }
            };
        }
    }
    let fits = |shape: &&[i64]| {
        let last = shape.get(shape.len().saturating_sub(rank)..);
        let last = last.unwrap_or_default();
        let mut sizes = last.iter().zip(&broadcast);
        last.len() == rank && sizes.all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
    };
    match tensors(&mut result_types(op))
        .iter()
        .find(|shape| !fits(shape))
    {
        None => Ok(()),
        Some(shape) => Err(VerifyFailure::op(format!(
            "result type {} not broadcast compatible with broadcasted operands's shapes {}",
            quoted_shape(shape),
            quoted_shape(&broadcast)
        ))),
    }
}

/// Returns a shape in quotes: `'2x?'`.
fn quoted_shape(shape: &[i64]) -> String {
    let sizes = shape.iter().map(|&size| match size {
        DYNAMIC => "?".to_owned(),
        size => size.to_string(),
    });
    format!("'{}'", sizes.collect::<Vec<_>>().join("x"))
}

fn operand_types(op: Op<'_>) -> impl Iterator<Item = Type> {
    op.module
        .operands(op.operation)
        .map(move |value| op.module.value_type(value))
}

fn result_types(op: Op<'_>) -> impl Iterator<Item = Type> {
    op.module
        .results(op.operation)
        .map(move |value| op.module.value_type(value))
}

fn at_least_one_operand(op: Op<'_>) -> VerifyResult {
    if op.module.operand_count(op.operation) == 0 {
        return Err(VerifyFailure::op(
            "expected 1 or more operands, but found 0",
        ));
    }
    Ok(())
}

fn at_least_one_result(op: Op<'_>) -> VerifyResult {
    if op.module.result_count(op.operation) == 0 {
        return Err(VerifyFailure::op("expected 1 or more results"));
    }
    Ok(())
}

/// Checks that all types satisfy `is_like` with the first one.
fn all(
    mut types: impl Iterator<Item = Type>,
    is_like: impl Fn(Type, Type) -> bool,
    message: &str,
) -> VerifyResult {
    let Some(first) = types.next() else {
        return Ok(());
    };
    if types.all(|ty| ty == first || is_like(first, ty)) {
        Ok(())
    } else {
        Err(VerifyFailure::op(message))
    }
}

/// Whether it is not known here what shape and elements a type has.
fn may_have_shape(context: &Context, ty: Type) -> bool {
    crate::constraint::may_have_shape(context, context.type_kind(ty))
}

/// Returns whether two types have the same element type. A type without elements is its own element
/// type.
pub(super) fn same_elements(context: &Context, a: Type, b: Type) -> bool {
    let element = |ty| context.element_type(ty).unwrap_or(ty);
    may_have_shape(context, a) || may_have_shape(context, b) || element(a) == element(b)
}

/// Returns whether two types satisfy a rule that requires the same shape: equal sizes, dynamic ones
/// included.
pub(super) fn same_shape(context: &Context, a: Type, b: Type) -> bool {
    match (context.shape(a), context.shape(b)) {
        (Some(a), Some(b)) => a == b,
        // A shape is unknown or absent; this rule does not apply.
        _ => true,
    }
}

/// Returns whether a type is `i1` or has the shape of another type.
pub(super) fn is_condition_of(context: &Context, condition: Type, ty: Type) -> bool {
    condition == context.i1_type()
        || may_have_shape(context, condition)
        || may_have_shape(context, ty)
        || context.shape(condition) == context.shape(ty)
}

/// Returns whether two types satisfy a rule that requires the same rank.
pub(super) fn same_ranks(context: &Context, a: Type, b: Type) -> bool {
    match (context.shape(a), context.shape(b)) {
        (Some(a), Some(b)) => a.len() == b.len(),
        _ => true,
    }
}

/// Returns whether two types satisfy a rule that requires the same number of elements.
pub(super) fn same_element_counts(context: &Context, a: Type, b: Type) -> bool {
    match (context.element_count(a), context.element_count(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// Returns whether two types are tensors of the same shape, or neither is a tensor.
pub(super) fn same_tensor_shapes(context: &Context, a: Type, b: Type) -> bool {
    let is_tensor = |ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
        )
    };
    match (is_tensor(a), is_tensor(b)) {
        (true, true) => context.shape(a) == context.shape(b),
        (is, other) => is == other,
    }
}

/// Returns whether two shapes may be equal at run time: both types have a shape or neither has.
fn compatible_shapes(context: &Context, a: Type, b: Type) -> bool {
    if may_have_shape(context, a) || may_have_shape(context, b) {
        return true;
    }
    if context.element_type(a).is_some() != context.element_type(b).is_some() {
        return false;
    }
    match (context.shape(a), context.shape(b)) {
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
        }
        // A rank is unknown, or neither type has a shape.
        _ => true,
    }
}

/// Checks that the shapes of all types may be equal at run time: all have a shape or none has, all
/// are scalable vectors or none is, known ranks are equal, and known sizes are equal.
fn same_shapes(
    context: &Context,
    types: impl Iterator<Item = Type>,
    message: &str,
) -> VerifyResult {
    let error = || Err(VerifyFailure::op(message));
    // Whether the types have a shape and whether they are scalable; then the known sizes.
    let mut sort: Option<(bool, bool)> = None;
    let mut sizes: Option<Vec<i64>> = None;
    for ty in types.filter(|&ty| !may_have_shape(context, ty)) {
        let is_scalable = matches!(
            context.type_kind(ty),
            TypeKind::Vector { scalable, .. } if scalable.contains(&true)
        );
        let own = (context.element_type(ty).is_some(), is_scalable);
        if *sort.get_or_insert(own) != own {
            return error();
        }
        let Some(shape) = context.shape(ty) else {
            continue;
        };
        let known = sizes.get_or_insert_with(|| shape.to_vec());
        if known.len() != shape.len() {
            return error();
        }
        for (known, &size) in known.iter_mut().zip(shape) {
            match *known {
                DYNAMIC => *known = size,
                known if size != DYNAMIC && size != known => return error(),
                _ => {}
            }
        }
    }
    Ok(())
}

fn encoding(context: &Context, ty: Type) -> Option<Attribute> {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { encoding, .. } => *encoding,
        _ => None,
    }
}
