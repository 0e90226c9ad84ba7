//! The `affine` dialect: custom syntax of operations that apply affine maps to operands.

pub(crate) mod access;
pub(crate) mod condition;
pub(crate) mod dma;
pub(crate) mod loops;
mod maps;
pub(crate) mod parallel;
pub(crate) mod validity;

use crate::func::has_shape;
use crate::helpers::property;
use maps::{Given, inputs, operand_lists, print_operand_lists, resolve_all};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Value};

/// Custom syntax of `affine.apply`, `affine.max` and `affine.min`: `#map(%dims)[%symbols] {...}`.
#[derive(Debug)]
pub(crate) struct Apply;

impl OperationSyntax for Apply {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let map = parser.attribute()?;
        let context = parser.context();
        let is_map = matches!(context.attribute_kind(map), AttributeKind::AffineMap(_));
        let Some(inputs) = inputs(context, map).filter(|_| is_map) else {
            return Err(AsmError::new(place, "expected an affine map"));
        };
        property(parser, operation, "map", map);
        let names = operand_lists(parser, inputs, Given::Applied)?;
        let index = parser.context().index_type();
        operation.operands = resolve_all(parser, names.into_iter(), index)?;
        operation.attributes = parser.attribute_dictionary()?;
        operation.result_types.push(index);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let Some(map) = module.attribute(context, operation, "map") else {
            return PrintStep::Done;
        };
        let (dims, _) = inputs(context, map).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        printer.text(" ");
        printer.attribute(map);
        print_operand_lists(printer, &operands, dims);
        printer.attribute_dictionary(&attributes, &["map"]);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let map = module.attribute(context, operation, "map");
        let Some((dims, symbols)) = map.and_then(|map| inputs(context, map)) else {
            return false;
        };
        let index = context.index_type();
        has_shape(module, operation, dims.saturating_add(symbols), 1, 0)
            && module
                .operands(operation)
                .chain(module.results(operation))
                .all(|value| module.value_type(value) == index)
    }
}
