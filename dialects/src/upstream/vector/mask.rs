//! Custom syntax of `vector.mask`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, optional_arrow_types, print_optional_arrow_types, result_types,
};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, MadeOperation, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Type, Value};

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

impl OperationSyntax for Mask {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            // The types of these operands follow the region.
            operation.names.push(parser.operand_name()?);
            if parser.eat(",") {
                operation.names.push(parser.operand_name()?);
            }
            return Ok(ParseStep::Region(Vec::new()));
        }
        if let Some(region) = parser.region().filter(|_| parser.lacks_terminator()) {
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
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let mask = parser.ty()?;
        operation.result_types = optional_arrow_types(parser)?;
        let types: Vec<Type> = [mask]
            .into_iter()
            .chain(operation.result_types.first().copied())
            .collect();
        let names = std::mem::take(&mut operation.names);
        add_operands(parser, operation, names.into_iter().zip(types))?;
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions == 0 {
            let operands: Vec<Value> = module.operands(operation).collect();
            let masked = masked(context, module, operation);
            printer.text(" ");
            printer.operands(operands.into_iter());
            printer.text(" { ");
            if let Some(masked) = masked {
                return PrintStep::Operation(masked);
            }
        }
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let mask = module.operand(operation, 0).map(|v| module.value_type(v));
        let results = result_types(module, operation);
        printer.text(" }");
        printer.attribute_dictionary(&attributes, &[]);
        printer.text(" : ");
        if let Some(mask) = mask {
            printer.ty(mask);
        }
        print_optional_arrow_types(printer, &results);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let results = module.result_count(operation);
        let passthru = module.operand(operation, 1).map(|v| module.value_type(v));
        has_shape(module, operation, operands, results, 1)
            && (1..=2).contains(&operands)
            && passthru.is_none_or(|ty| result_types(module, operation).first() == Some(&ty))
            && masked(context, module, operation).is_some()
    }
}
