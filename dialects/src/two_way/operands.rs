//! The names that a text has, resolved when the types are known.

use super::Named;
use rmlir_ir::Type;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};

/// Adds the operands that were read, which have one type.
///
/// # Errors
///
/// If a value has another type.
pub(crate) fn add_of_type<'v>(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    values: impl IntoIterator<Item = &'v Named>,
    ty: Type,
) -> AsmResult<()> {
    for name in values.into_iter().filter_map(|value| value.name) {
        operation.operands.push(parser.resolve(name, ty)?);
    }
    Ok(())
}

/// Adds the operands that were read, which have these types.
///
/// # Errors
///
/// If a value has another type.
pub(crate) fn add_of_types<'v>(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    values: impl IntoIterator<Item = &'v Named>,
    types: &[Type],
) -> AsmResult<()> {
    let names = values.into_iter().filter_map(|value| value.name);
    for (name, &ty) in names.zip(types) {
        operation.operands.push(parser.resolve(name, ty)?);
    }
    Ok(())
}

/// Adds the arguments of a region that were read, which have these types.
pub(crate) fn add_arguments<'v>(
    arguments: &mut Vec<RegionArgument>,
    values: impl IntoIterator<Item = &'v Named>,
    types: impl IntoIterator<Item = Type>,
) {
    let names = values.into_iter().filter_map(|value| value.name);
    arguments.extend(names.zip(types).map(|(name, ty)| RegionArgument {
        name,
        ty,
        location: None,
    }));
}
