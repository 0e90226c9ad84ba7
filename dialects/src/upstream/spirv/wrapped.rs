//! Custom syntax of `spirv.SpecConstantOperation`.

use crate::func::has_shape;
use crate::two_way::{Asm, TwoWay, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Region, Value};

/// Custom syntax of `spirv.SpecConstantOperation`: `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32
/// {...}`. The region yields the first result of the wrapped operation, which is in generic form.
#[derive(Debug)]
pub(crate) struct Wrapped;

const YIELD: &str = "spirv.mlir.yield";

/// Returns the first operation of a region.
fn first(module: &Module, region: Region) -> Option<Operation> {
    module.first_operation(module.first_block(region)?)
}

/// Returns the operation of the region, if the region holds it and yields its first result.
fn wrapped(context: &Context, module: &Module, operation: Operation) -> Option<Operation> {
    let inner = first(module, module.region(operation, 0)?)?;
    let last = module.next_operation(inner)?;
    let block = module.parent_block(inner)?;
    let fits = context.operation_name_bytes(module.name(last)) == YIELD.as_bytes()
        && has_shape(module, last, 1, 0, 0)
        && module.operand(last, 0) == module.result(inner, 0)
        && module.all_attributes(context, last).is_empty()
        && module.next_operation(last).is_none()
        && module.next_block(block).is_none()
        && module.argument_count(block) == 0
        && module.regions(inner).len() == 0
        && module.successors(inner).len() == 0;
    fits.then_some(inner)
}

impl TwoWay for Wrapped {
    type Content = Vec<NamedAttribute>;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content> {
        let inner = wrapped(context, module, operation)?;
        let ty = |value: Option<Value>| value.map(|value| module.value_type(value));
        let fits = has_shape(module, operation, 0, 1, 1)
            && ty(module.result(operation, 0)) == ty(module.result(inner, 0));
        fits.then(|| other_attributes(context, module, operation, &[]))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, _: &mut Self::Content) -> AsmResult<()> {
        asm.token("wraps", " wraps ")
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        _: &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        Ok(Some(Vec::new()))
    }

    fn operation_on_line(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        wrapped(context, module, operation)
    }

    fn is_generic_on_line(&self) -> bool {
        true
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        let Some(region) = parser.region() else {
            return Ok(());
        };
        let module = parser.module();
        let inner = first(module, region);
        let result = inner.and_then(|inner| module.result(inner, 0));
        let location = inner.map(|inner| module.location(inner));
        let last = MadeOperation {
            name: YIELD,
            operands: result.as_slice(),
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
        attributes: &mut Self::Content,
        _: usize,
    ) -> AsmResult<bool> {
        asm.dictionary(attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        attributes: &mut Self::Content,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let region = parser.region();
        let module = parser.module();
        let inner = region.and_then(|region| first(module, region));
        let result = inner.and_then(|inner| module.result(inner, 0));
        operation.result_types = result
            .map(|result| module.value_type(result))
            .into_iter()
            .collect();
        operation.location = inner.map(|inner| module.location(inner));
        operation.attributes.append(attributes);
        Ok(Vec::new())
    }
}
