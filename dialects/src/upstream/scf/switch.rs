//! Custom syntax of `scf.index_switch`.

use super::YIELD;
use crate::func::has_shape;
use crate::helpers::{ends_plainly, numbers, property, result_types};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation};

const CASES: &str = "cases";

/// Custom syntax of `scf.index_switch`: `%arg {...} [-> types] case 1 {...} default {...}`. The
/// region of `default` is the first.
#[derive(Debug)]
pub(crate) struct IndexSwitch;

impl IndexSwitch {
    /// Parses the next `case N` or `default`.
    fn next(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<ParseStep> {
        if !parser.eat("case") {
            parser.expect("default")?;
            // The default region is the operation's first, but the last in the text.
            let cases = operation.numbers.len();
            operation.region_order = (1..=cases).chain([0]).collect();
            return Ok(ParseStep::Region(Vec::new()));
        }
        let place = parser.place();
        let Some(number) = parser.optional_integer()? else {
            return Err(AsmError::new(place, "expected integer value"));
        };
        operation.numbers.push(number);
        Ok(ParseStep::Region(Vec::new()))
    }
}

/// Returns the step that prints a region, with the arguments that it should not have.
fn print_case(number: usize, terminators: bool) -> PrintStep {
    PrintStep::Region {
        number,
        entry_arguments: true,
        terminators,
    }
}

impl OperationSyntax for IndexSwitch {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let index = parser.context().index_type();
            let name = parser.operand_name()?;
            operation.operands.push(parser.resolve(name, index)?);
            operation.attributes = parser.attribute_dictionary()?;
            if parser.eat("->") {
                operation.result_types.push(parser.ty()?);
                while parser.eat(",") {
                    operation.result_types.push(parser.ty()?);
                }
            }
            return Self::next(parser, operation);
        }
        parser.ensure_terminator(YIELD)?;
        if operation.region_order.is_empty() {
            return Self::next(parser, operation);
        }
        let cases = parser
            .context()
            .i64_array_attribute(operation.numbers.iter().copied());
        property(parser, operation, CASES, cases);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let cases = module.attribute(context, operation, CASES);
        let cases = numbers(context, cases).unwrap_or_default();
        let types = result_types(module, operation);
        let terminators = !types.is_empty();
        if regions == 0 {
            let attributes = module.all_attributes(context, operation);
            let value = module.operand(operation, 0);
            printer.text(" ");
            if let Some(value) = value {
                printer.operand(value);
            }
            printer.attribute_dictionary(&attributes, &[CASES]);
            if terminators {
                printer.text(" -> ");
                printer.types(types.into_iter());
            }
            printer.text(" ");
        }
        // Regions are printed in order of the text: the cases, then the first region.
        let done = match regions.checked_sub(1) {
            None => 0,
            Some(0) => return PrintStep::Done,
            Some(case) => case,
        };
        match cases.get(done) {
            Some(case) => {
                printer.newline();
                printer.text(&format!("case {case} "));
                print_case(done.saturating_add(1), true)
            }
            None => {
                printer.newline();
                printer.text("default ");
                print_case(0, terminators)
            }
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let cases = module.attribute(context, operation, CASES);
        let cases = numbers(context, cases);
        let results = module.result_count(operation);
        let value = module.operand(operation, 0);
        let default = module.region(operation, 0);
        let is_body = |region| {
            let block = module.first_block(region);
            block.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
        };
        cases.is_some_and(|cases| {
            has_shape(module, operation, 1, results, cases.len().saturating_add(1))
        }) && value.map(|v| module.value_type(v)) == Some(context.index_type())
            && (results > 0 || ends_plainly(context, module, default, YIELD))
            && module.regions(operation).all(is_body)
    }

    fn has_format(&self) -> bool {
        true
    }
}
