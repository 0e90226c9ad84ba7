//! Types with the sizes of their dynamic dimensions in braces: `tensor<?x4xf32>{%d}`,
//! `!stream.resource<*>{%size}`.

use crate::helpers::is_of;
use rmlir_ir::asm::{AsmParser, AsmPrinter, AsmResult, OperandName};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, Type, TypeKind, Value};

/// Returns how many sizes follow a type in braces.
pub(crate) fn size_count(context: &Context, ty: Type) -> usize {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef { shape, .. } => {
            shape.iter().filter(|&&size| size == DYNAMIC).count()
        }
        _ => usize::from(is_sized(context, ty)),
    }
}

/// Returns whether values of a type have one size, in bytes.
pub(crate) fn is_sized(context: &Context, ty: Type) -> bool {
    is_of(context, ty, "stream", "resource") || is_of(context, ty, "util", "buffer")
}

/// Parses `{%a, %b}` if a type has sizes.
pub(crate) fn parse_sizes(
    parser: &mut dyn AsmParser,
    ty: Type,
    sizes: &mut Vec<OperandName>,
) -> AsmResult<()> {
    let count = size_count(parser.context(), ty);
    for number in 0..count {
        parser.expect(if number == 0 { "{" } else { "," })?;
        sizes.push(parser.operand_name()?);
    }
    if count > 0 {
        parser.expect("}")?;
    }
    Ok(())
}

/// Prints `{%a, %b}` if a type has sizes. Returns `false` if there are too few.
pub(crate) fn print_sizes(
    context: &Context,
    printer: Option<&mut (dyn AsmPrinter<'_> + '_)>,
    ty: Type,
    sizes: &mut impl Iterator<Item = Value>,
) -> bool {
    let count = size_count(context, ty);
    let sizes: Vec<Value> = sizes.take(count).collect();
    if let Some(printer) = printer.filter(|_| count > 0) {
        printer.text("{");
        printer.operands(sizes.iter().copied());
        printer.text("}");
    }
    sizes.len() == count
}

/// Returns an array of integers of type `index`.
pub(crate) fn index_array(context: &mut Context, values: &[i64]) -> Option<Attribute> {
    let index = context.index_type();
    let items: Result<Vec<Attribute>, _> = values
        .iter()
        .map(|&value| context.integer_attribute(index, value))
        .collect();
    Some(context.array_attribute(&items.ok()?))
}

/// Returns the values of an array of integers.
pub(crate) fn integers(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Array(items) => items
            .iter()
            .map(|&item| crate::helpers::integer(context, Some(item)))
            .collect(),
        _ => None,
    }
}

/// Parses a result that can be tied to an operand: `type`, `%operand`, `%operand as type`.
/// `operands` are those that it can be tied to, with their types. Returns the type and the index of
/// the operand, or -1.
pub(crate) fn tied_type(
    parser: &mut dyn AsmParser,
    operands: &[OperandName],
    types: &[Type],
) -> AsmResult<(Type, i64)> {
    if !parser.at_operand() {
        return Ok((parser.ty()?, -1));
    }
    let name = parser.operand_name()?;
    let is_same = |other: &OperandName| {
        other.number == name.number && parser.operand_text(*other) == parser.operand_text(name)
    };
    let found = operands.iter().position(is_same);
    let tied = found.and_then(|at| Some((i64::try_from(at).ok()?, types.get(at).copied()?)));
    let Some((at, ty)) = tied else {
        let text = String::from_utf8_lossy(parser.operand_text(name)).into_owned();
        let message = format!("tied operand not found for result reference {text}");
        return Err(rmlir_ir::asm::AsmError::new(name.place, message));
    };
    match parser.eat("as") {
        true => Ok((parser.ty()?, at)),
        false => Ok((ty, at)),
    }
}
