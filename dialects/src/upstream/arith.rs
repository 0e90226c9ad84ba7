//! Hooks of the `arith` and `index` dialects: constants, names of values, `arith.select`.

use crate::func::has_shape;
use crate::helpers::{operand_types, result_types};
use crate::two_way::{Asm, Named, TwoWay, add_of_types, failure, other_attributes};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{
    AttributeKind, Context, Module, NamedAttribute, Op, Operation, OperationVerifier, Signedness,
    Type, TypeKind, Value, ValueDefinition, VerifyFailure, VerifyResult,
};
use std::borrow::Cow;
use std::fmt;
use std::io::Write;

/// Names the results of `arith.constant`: `%c0`, `%c1_i32`, `%true`, `%cst`. Also verifies the
/// operation.
#[derive(Debug)]
pub(crate) struct Constant;

impl ValueNames for Constant {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let value = module.attribute(context, operation, "value");
        let Some((value, result)) = value.zip(module.result(operation, 0)) else {
            return;
        };
        let AttributeKind::Integer { ty, value } = context.attribute_kind(value) else {
            return name(result, "cst");
        };
        match context.type_kind(*ty) {
            TypeKind::Integer { width: 1, .. } => {
                name(result, if value.is_zero() { "false" } else { "true" });
            }
            TypeKind::Integer { width, signedness } => {
                let sign = match signedness {
                    Signedness::Signless => "_i",
                    Signedness::Signed => "_si",
                    Signedness::Unsigned => "_ui",
                };
                numbered(value, format_args!("{sign}{width}"), &mut |text| {
                    name(result, text);
                });
            }
            _ => numbered(value, format_args!(""), &mut |text| name(result, text)),
        }
    }
}

/// Calls `then` with `c`, a number and a suffix, in one allocation: constants are frequent.
fn numbered(value: &ApInt, suffix: fmt::Arguments<'_>, then: &mut dyn FnMut(&str)) {
    let mut text = Vec::with_capacity(32);
    text.push(b'c');
    value.write_decimal(true, &mut text);
    // Writing to a vector does not fail.
    let _ = text.write_fmt(suffix);
    then(str::from_utf8(&text).unwrap_or_default());
}

impl OperationVerifier for Constant {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let Op {
            context,
            module,
            operation,
        } = op;
        let value = module.attribute(context, operation, "value");
        let Some((value, result)) = value.zip(module.result(operation, 0)) else {
            return Ok(());
        };
        let ty = context.type_kind(module.value_type(result));
        if let TypeKind::Integer { signedness, .. } = ty
            && *signedness != Signedness::Signless
        {
            return Err(VerifyFailure::op("integer return type must be signless"));
        }
        use AttributeKind as K;
        let is_splat = match context.attribute_kind(value) {
            K::Integer { .. } | K::Float { .. } => return Ok(()),
            K::DenseElements { splat, .. } => *splat,
            K::DenseResource { .. } | K::Sparse { .. } => false,
            // Attributes of other dialects may implement the elements interface; which do is
            // unknown.
            K::DenseStrings { .. } | K::DenseText { .. } | K::Dialect { .. } => return Ok(()),
            _ => {
                return Err(VerifyFailure::op(
                    "value must be an integer, float, or elements attribute",
                ));
            }
        };
        let is_scalable =
            matches!(ty, TypeKind::Vector { scalable, .. } if scalable.iter().any(|&size| size));
        if is_scalable && !is_splat {
            return Err(VerifyFailure::op(
                "intializing scalable vectors with elements attribute is not supported unless it's a vector splat",
            ));
        }
        Ok(())
    }
}

/// Names the product of a constant and `vector.vscale`: `%c4_vscale`.
pub(crate) fn multiply_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    result: Value,
) -> Option<Cow<'static, str>> {
    if module.value_type(result) != context.index_type() {
        return None;
    }
    let definition = |number: usize| match module.definition(module.operand(operation, number)?) {
        ValueDefinition::Result(operation, _) => Some(operation),
        _ => None,
    };
    let is = |operation: Operation, name: &str| {
        context.operation_name_bytes(module.name(operation)) == name.as_bytes()
    };
    for (constant, scale) in [(0, 1), (1, 0)] {
        let Some((constant, scale)) = definition(constant).zip(definition(scale)) else {
            continue;
        };
        if is(scale, "vector.vscale")
            && is(constant, "arith.constant")
            && let Some(value) = integer_value(context, module, constant)
        {
            return Some(format!("c{}_vscale", value.to_decimal_string(true)).into());
        }
    }
    None
}

/// Names the results of `index.constant`: `%idx0`.
pub(crate) fn index_constant_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let value = integer_value(context, module, operation)?;
    Some(format!("idx{}", value.to_decimal_string(true)).into())
}

/// Names the results of `index.bool.constant`: `%true`, `%false`.
pub(crate) fn bool_constant_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let value = integer_value(context, module, operation)?;
    Some(if value.is_zero() { "false" } else { "true" }.into())
}

/// Returns the integer that the attribute `value` of an operation is.
fn integer_value<'c>(
    context: &'c Context,
    module: &Module,
    operation: Operation,
) -> Option<&'c ApInt> {
    match context.attribute_kind(module.attribute(context, operation, "value")?) {
        AttributeKind::Integer { value, .. } => Some(value),
        _ => None,
    }
}

/// Custom syntax of `arith.select`: `%c, %a, %b {...} : i32`. If the condition is shaped, its type
/// precedes that of the result.
#[derive(Debug)]
pub(crate) struct Select;

/// The parsed parts of [`Select`].
#[derive(Default)]
pub(crate) struct SelectContent {
    values: Vec<Named>,
    attributes: Vec<NamedAttribute>,
    /// The type of the result, or that of the condition and that of the result.
    types: [Option<Type>; 2],
}

impl TwoWay for Select {
    type Content = SelectContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SelectContent> {
        let types = operand_types(module, operation, 0);
        let [condition, yes, no] = *types else {
            return None;
        };
        let i1 = context.i1_type();
        let fits = has_shape(module, operation, 3, 1, 0)
            && result_types(module, operation) == [yes]
            && no == yes
            && (condition == i1 || context.element_type(condition) == Some(i1));
        fits.then(|| SelectContent {
            values: Named::all(module.operands(operation)),
            attributes: other_attributes(context, module, operation, &[]),
            types: match condition == i1 {
                true => [Some(yes), None],
                false => [Some(condition), Some(yes)],
            },
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SelectContent) -> AsmResult<()> {
        asm.space(" ");
        let place = asm.place();
        asm.values(&mut content.values)?;
        if content.values.len() != 3 {
            return Err(failure(place, "expected 3 operands"));
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        let [first, second] = &mut content.types;
        asm.ty(first)?;
        if asm.is_there(",", second.is_some()) {
            asm.token(",", ", ")?;
            asm.ty(second)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SelectContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let i1 = parser.context().i1_type();
        if let Some((condition, ty)) = match content.types {
            [first, Some(second)] => first.zip(Some(second)),
            [first, None] => Some(i1).zip(first),
        } {
            add_of_types(parser, operation, &content.values, &[condition, ty, ty])?;
            operation.result_types.push(ty);
        }
        Ok(None)
    }
}
