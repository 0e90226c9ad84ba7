//! Custom syntax of `bufferization.alloc_tensor`.

use crate::func::has_shape;
use crate::helpers::{segments_property, sizes_of};
use crate::two_way::{Asm, Named, TwoWay, add_of_type, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type, Value};

/// Custom syntax of `bufferization.alloc_tensor`:
/// `(%sizes) [copy(%t)] [size_hint=%n] {...} : type`.
#[derive(Debug)]
pub(crate) struct AllocTensor;

/// The parsed parts of [`AllocTensor`].
#[derive(Default)]
pub(crate) struct Content {
    sizes: Vec<Named>,
    copy: Option<Named>,
    hint: Option<Named>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

const SIZES: &str = "operandSegmentSizes";

impl TwoWay for AllocTensor {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let counts = sizes_of(context, module.attribute(context, operation, SIZES)?)?;
        let [dynamic, copies @ 0..=1, hints @ 0..=1] = *counts else {
            return None;
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let (sizes, rest) = operands.split_at_checked(dynamic)?;
        let (copy, hint) = rest.split_at_checked(copies)?;
        let ty = module.value_type(module.result(operation, 0)?);
        let index = context.index_type();
        let mut indices = sizes.iter().chain(hint);
        let fits = has_shape(module, operation, operands.len(), 1, 0)
            && hint.len() == hints
            && indices.all(|&value| module.value_type(value) == index)
            && copy.iter().all(|&value| module.value_type(value) == ty);
        fits.then(|| Content {
            sizes: Named::all(sizes.iter().copied()),
            copy: copy.first().copied().map(Named::of),
            hint: hint.first().copied().map(Named::of),
            attributes: other_attributes(context, module, operation, &[SIZES]),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.values_between(("(", ")"), &mut content.sizes)?;
        if asm.is_there("copy", content.copy.is_some()) {
            asm.token("copy", " copy")?;
            asm.token("(", "(")?;
            asm.value(content.copy.get_or_insert_default())?;
            asm.token(")", ")")?;
        }
        if asm.is_there("size_hint", content.hint.is_some()) {
            asm.token("size_hint", " size_hint")?;
            asm.token("=", "=")?;
            asm.value(content.hint.get_or_insert_default())?;
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let index = parser.context().index_type();
        add_of_type(parser, operation, &content.sizes, index)?;
        if let Some(ty) = content.ty {
            add_of_type(parser, operation, &content.copy, ty)?;
            operation.result_types.push(ty);
        }
        add_of_type(parser, operation, &content.hint, index)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        let copies = usize::from(content.copy.is_some());
        let hints = usize::from(content.hint.is_some());
        segments_property(parser, operation, &[content.sizes.len(), copies, hints]);
        Ok(None)
    }
}
