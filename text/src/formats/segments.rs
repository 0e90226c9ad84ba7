//! Sizes of groups of operands and results, as attributes encode them.

use rmlir_ir::{Attribute, Context, Module, Operation};

/// Returns the sizes of groups that an attribute of an operation encodes, if it is an attribute of
/// sizes; `None` in place of a negative one.
pub(crate) fn segment_sizes<'a>(
    context: &'a Context,
    module: &'a Module,
    operation: Operation,
    name: &str,
) -> Option<impl Iterator<Item = Option<usize>> + use<'a>> {
    sizes_of(context, module.attribute(context, operation, name)?)
}

/// Returns the sizes that an attribute encodes, if it is an attribute of sizes.
pub(crate) fn sizes_of(
    context: &Context,
    sizes: Attribute,
) -> Option<impl Iterator<Item = Option<usize>> + use<'_>> {
    let sizes = context.i32_array(sizes)?;
    Some(sizes.map(|size| usize::try_from(size).ok()))
}
