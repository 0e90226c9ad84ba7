//! Custom syntax of `gpu.warp_execute_on_lane_0`.

use crate::func::{has_shape, print_typed_operands, typed_operands};
use crate::function::property;
use crate::helpers::{ends_plainly, optional_arrow_types, result_types};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Value};

const YIELD: &str = "gpu.yield";

/// Custom syntax of `gpu.warp_execute_on_lane_0`:
/// `(%lane)[32] args(%a : type) -> (types) {...} {...}`.
#[derive(Debug)]
pub(crate) struct WarpExecuteOnLane0;

fn warp_size(context: &Context, module: &Module, operation: Operation) -> Option<i64> {
    let size = module.attribute(context, operation, "warp_size")?;
    match context.attribute_kind(size) {
        AttributeKind::Integer { ty, value } if *ty == context.i64_type() => value.to_i64(),
        _ => None,
    }
}

impl OperationSyntax for WarpExecuteOnLane0 {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator(YIELD)?;
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        parser.expect("(")?;
        let lane = parser.operand_name()?;
        parser.expect(")")?;
        parser.expect("[")?;
        let place = parser.place();
        let size = parser.optional_integer()?;
        let size = size.ok_or_else(|| AsmError::new(place, "expected integer value"))?;
        parser.expect("]")?;
        let context = parser.context();
        let (i64_type, index) = (context.i64_type(), context.index_type());
        let size = context.integer_attribute(i64_type, size);
        let size = size.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, "warp_size", size);
        operation.operands.push(parser.resolve(lane, index)?);
        if parser.eat("args") {
            parser.expect("(")?;
            let read = typed_operands(parser)?;
            operation.operands.extend(read);
            parser.expect(")")?;
        }
        operation.result_types = optional_arrow_types(parser)?;
        Ok(ParseStep::Region(Vec::new()))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, &["warp_size"]);
            return PrintStep::Done;
        }
        let size = warp_size(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = result_types(module, operation);
        if let [lane, arguments @ ..] = operands.as_slice() {
            printer.text("(");
            printer.operand(*lane);
            printer.text(&format!(")[{size}]"));
            if !arguments.is_empty() {
                printer.text(" args(");
                print_typed_operands(printer, arguments);
                printer.text(")");
            }
        }
        let terminators = !results.is_empty();
        if terminators {
            printer.text(" -> (");
            printer.types(results.into_iter());
            printer.text(")");
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let lane = module.operand(operation, 0).map(|v| module.value_type(v));
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        has_shape(module, operation, operands, results, 1)
            && lane == Some(context.index_type())
            && warp_size(context, module, operation).is_some()
            && block.is_some_and(|block| module.next_block(block).is_none())
            && (results > 0 || ends_plainly(context, module, region, YIELD))
    }
}
