//! Custom syntax of `vector.mask`.

use crate::func::has_shape;
use crate::helpers::{add_operands, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type, Value};

const YIELD: &str = "vector.yield";

/// Custom syntax of `vector.mask`: `%mask[, %passthru] { operation } {...} : type [-> types]`.
#[derive(Debug)]
pub(crate) struct Mask;

/// Returns the operation of the region that custom syntax prints: a lone `vector.yield`, or the
/// operation whose results are exactly the operands of the following `vector.yield`; `None` if
/// custom syntax cannot print the region.
fn masked(context: &Context, module: &Module, operation: Operation) -> Option<Operation> {
    let region = module.region(operation, 0)?;
    let block = module.first_block(region)?;
    let first = module.first_operation(block)?;
    let last = module.next_operation(first);
    let is_yield =
        |operation| context.operation_name_bytes(module.name(operation)) == YIELD.as_bytes();
    let plain = |operation| {
        module.inherent_attributes(context, operation).is_empty()
            && module.discardable_attributes(context, operation).is_empty()
    };
    let ends = match last {
        None => is_yield(first),
        Some(last) => {
            let results: Vec<Value> = module.results(first).collect();
            is_yield(last)
                && plain(last)
                && module.next_operation(last).is_none()
                && has_shape(module, last, results.len(), 0, 0)
                && module.operands(last).eq(results.iter().copied())
        }
    };
    let fits = ends
        && module.next_block(block).is_none()
        && module.argument_count(block) == 0
        && module.regions(first).len() == 0
        && module.successors(first).len() == 0;
    fits.then_some(first)
}

/// The parsed parts of [`Mask`].
#[derive(Default)]
pub(crate) struct MaskContent {
    mask: Named,
    passthru: Option<Named>,
    attributes: Vec<NamedAttribute>,
    mask_type: Option<Type>,
    types: Vec<Type>,
}

impl TwoWay for Mask {
    type Content = MaskContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<MaskContent> {
        let operands = TypedValues::operands(module, operation);
        let types = result_types(module, operation);
        let count = operands.values.len();
        let passthru = operands.types.get(1);
        let fits = has_shape(module, operation, count, types.len(), 1)
            && count <= 2
            && passthru.is_none_or(|ty| types.first() == Some(ty))
            && masked(context, module, operation).is_some();
        let mask_type = Some(*operands.types.first().filter(|_| fits)?);
        Some(MaskContent {
            mask: *operands.values.first()?,
            passthru: operands.values.get(1).copied(),
            attributes: other_attributes(context, module, operation, &[]),
            mask_type,
            types,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MaskContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.mask)?;
        if asm.is_there(",", content.passthru.is_some()) {
            asm.token(",", ", ")?;
            asm.value(content.passthru.get_or_insert_default())?;
        }
        asm.space(" { ");
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        _: &mut MaskContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        Ok(Some(Vec::new()))
    }

    fn operation_on_line(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        masked(context, module, operation)
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        let Some(region) = parser.region().filter(|_| parser.lacks_terminator()) else {
            return Ok(());
        };
        let location = Some(parser.source_location());
        let module = parser.module();
        let block = module.last_block(region);
        let first = block.and_then(|block| module.first_operation(block));
        // More than one operation is an error that the verifier reports.
        let only = first.filter(|&first| module.next_operation(first).is_none());
        let results: Vec<Value> = only.map_or_else(Vec::new, |op| module.results(op).collect());
        let last = MadeOperation {
            name: YIELD,
            operands: &results,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(region, &last)?;
        Ok(())
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut MaskContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.space(" }");
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.mask_type)?;
        asm.optional_arrow_types(&mut content.types)?;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut MaskContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let passthru = content.passthru.unwrap_or_default().name;
        let mask = content.mask.name.zip(content.mask_type);
        let operands = mask
            .into_iter()
            .chain(passthru.zip(content.types.first().copied()));
        add_operands(parser, operation, operands)?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Vec::new())
    }
}
