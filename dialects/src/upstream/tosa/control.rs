//! Custom syntax of `tosa.cond_if`.

use crate::control::{optional_assignments, print_results};
use crate::func::has_shape;
use crate::helpers::{
    add_operands, check_count, entry_arguments, operand_types, optional_arrow_types,
    print_assignments, result_types, types_in_brackets,
};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Value};

/// Custom syntax of `tosa.cond_if`: `%condition [(%a = %x)] : type [(types)] -> types {...} else
/// {...} {...}`. The regions declare their arguments themselves.
#[derive(Debug)]
pub(crate) struct If;

/// Returns the step that prints a region with the arguments of its entry block.
fn region_with_arguments(number: usize) -> PrintStep {
    PrintStep::Region {
        number,
        entry_arguments: true,
        terminators: true,
    }
}

impl OperationSyntax for If {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        match regions {
            0 => {}
            1 if parser.eat("else") => return Ok(ParseStep::Region(Vec::new())),
            1 => {
                operation.empty_regions = 1;
                operation.attributes = parser.attribute_dictionary()?;
                return Ok(ParseStep::Done);
            }
            _ => {
                operation.attributes = parser.attribute_dictionary()?;
                return Ok(ParseStep::Done);
            }
        }
        let condition = parser.operand_name()?;
        let place = parser.place();
        let (_, inputs) = optional_assignments(parser)?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        operation.operands.push(parser.resolve(condition, ty)?);
        let mut types = Vec::new();
        if parser.eat("(") {
            types = types_in_brackets(parser)?;
        }
        check_count(inputs.len(), types.len(), place)?;
        add_operands(parser, operation, inputs.into_iter().zip(types))?;
        if !parser.at("->") {
            parser.expect("->")?;
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
        let otherwise = module.region(operation, 1);
        let has_else = otherwise.is_some_and(|region| module.first_block(region).is_some());
        match regions {
            0 => {
                let operands: Vec<Value> = module.operands(operation).collect();
                let types = operand_types(module, operation, 0);
                let results = result_types(module, operation);
                let arguments = entry_arguments(module, operation, 0);
                let (Some((&condition, inputs)), Some((&ty, input_types))) =
                    (operands.split_first(), types.split_first())
                else {
                    return PrintStep::Done;
                };
                printer.text(" ");
                printer.operand(condition);
                if !arguments.is_empty() {
                    print_assignments(printer, " ", &arguments, inputs);
                }
                printer.text(" : ");
                printer.ty(ty);
                if !input_types.is_empty() {
                    printer.text(" (");
                    printer.types(input_types.iter().copied());
                    printer.text(")");
                }
                print_results(printer, &results);
                printer.text(" ");
                region_with_arguments(0)
            }
            1 if has_else => {
                printer.text(" else ");
                region_with_arguments(1)
            }
            _ => {
                let attributes = module.all_attributes(context, operation);
                printer.attribute_dictionary(&attributes, &[]);
                PrintStep::Done
            }
        }
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let arguments = entry_arguments(module, operation, 0).len();
        let then = module.region(operation, 0);
        let is_body = |region| {
            let block = module.first_block(region);
            block.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
        };
        let otherwise = module.region(operation, 1);
        operands.checked_sub(1) == Some(arguments)
            && has_shape(
                module,
                operation,
                operands,
                module.result_count(operation),
                2,
            )
            && then.is_some_and(is_body)
            && otherwise
                .is_some_and(|region| module.first_block(region).is_none() || is_body(region))
    }
}
