//! Custom syntax and rules of `memref.dma_start`.

use super::operations::Place;
use crate::func::has_shape;
use crate::two_way::{Asm, Named, TwoWay, add_of_type, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Context, Module, Op, Operation, OperationVerifier, Type, TypeKind, Value, VerifyFailure,
    VerifyResult,
};

/// Custom syntax of `memref.dma_start`: `%source[%i], %destination[%j], %count, %tag[%k] [,
/// %stride, %elements] : types of the memrefs`.
#[derive(Debug)]
pub(crate) struct Start;

/// The parsed parts of [`Start`].
#[derive(Default)]
pub(crate) struct Content {
    source: Place,
    destination: Place,
    count: Named,
    tag: Place,
    strides: Vec<Named>,
}

/// Splits operands after a memref and one index for each of its dimensions; `None` if the operands
/// do not match.
fn split_place<'v>(
    context: &Context,
    module: &Module,
    operands: &'v [Value],
) -> Option<(Place, &'v [Value])> {
    let memref = module.value_type(*operands.first()?);
    let TypeKind::MemRef { shape, .. } = context.type_kind(memref) else {
        return None;
    };
    let (place, rest) = operands.split_at_checked(shape.len().checked_add(1)?)?;
    Some((Place::of(context, module, place)?, rest))
}

impl TwoWay for Start {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let (source, rest) = split_place(context, module, &operands)?;
        let (destination, rest) = split_place(context, module, rest)?;
        let (&count, rest) = rest.split_first()?;
        let (tag, strides) = split_place(context, module, rest)?;
        let index = context.index_type();
        let fits = has_shape(module, operation, operands.len(), 0, 0)
            // Upstream prints other attributes, but does not parse them.
            && module.all_attributes(context, operation).is_empty()
            && matches!(strides.len(), 0 | 2)
            && strides.iter().chain([&count]).all(|&value| module.value_type(value) == index);
        fits.then(|| Content {
            source,
            destination,
            count: Named::of(count),
            tag,
            strides: Named::all(strides.iter().copied()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.element(&mut content.source)?;
        asm.token(",", ", ")?;
        asm.element(&mut content.destination)?;
        asm.token(",", ", ")?;
        asm.value(&mut content.count)?;
        asm.token(",", ", ")?;
        asm.element(&mut content.tag)?;
        if asm.is_there(",", !content.strides.is_empty()) {
            asm.token(",", ", ")?;
            asm.values(&mut content.strides)?;
        }
        if !matches!(content.strides.len(), 0 | 2) {
            return Err(failure(asm.place(), "expected two stride related operands"));
        }
        asm.token(":", " : ")?;
        asm.ty(&mut content.source.ty)?;
        asm.token(",", ", ")?;
        asm.ty(&mut content.destination.ty)?;
        asm.token(",", ", ")?;
        asm.ty(&mut content.tag.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let index = parser.context().index_type();
        content.source.add(parser, operation)?;
        content.destination.add(parser, operation)?;
        add_of_type(parser, operation, &[content.count], index)?;
        content.tag.add(parser, operation)?;
        add_of_type(parser, operation, &content.strides, index)?;
        Ok(None)
    }
}

/// Verifies `memref.dma_start`: how many operands there are follows from the ranks of the memrefs.
#[derive(Debug)]
pub(crate) struct Operands;

impl OperationVerifier for Operands {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let fail = |message: String| Err(VerifyFailure::op(message));
        let types: Vec<Type> = op.operand_types().collect();
        let index = op.context.index_type();
        let are_indices = |types: &[Type]| types.iter().all(|&ty| ty == index);
        if types.len() < 4 {
            return fail("expected at least 4 operands".to_owned());
        }
        let (mut rest, mut expected) = (types.as_slice(), 4usize);
        for what in ["source", "destination", "tag"] {
            if what == "tag" {
                let (count, after) = rest.split_at(rest.len().min(1));
                if !are_indices(count) {
                    return fail("expected num elements to be of index type".to_owned());
                }
                rest = after;
            }
            let memref = rest.first().map(|&ty| op.context.type_kind(ty));
            let Some(TypeKind::MemRef { shape, .. }) = memref else {
                return fail(format!("expected {what} to be of memref type"));
            };
            expected = expected.saturating_add(shape.len());
            if types.len() < expected {
                return fail(format!("expected at least {expected} operands"));
            }
            let after = rest.get(1..).unwrap_or_default();
            let (places, after) = after.split_at(shape.len().min(after.len()));
            if !are_indices(places) {
                return fail(format!("expected {what} indices to be of index type"));
            }
            rest = after;
        }
        if !matches!(rest.len(), 0 | 2) {
            return fail("incorrect number of operands".to_owned());
        }
        match are_indices(rest) {
            true => Ok(()),
            false => {
                fail("expected stride and num elements per stride to be of type index".to_owned())
            }
        }
    }
}
