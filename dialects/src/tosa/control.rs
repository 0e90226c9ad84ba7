//! `tosa.cond_if` and `tosa.while_loop`.

use crate::func::has_shape;
use crate::helpers::{
    assignments, check_count, entry_arguments, is_single_block, operand_types,
    optional_arrow_types, print_assignments, print_optional_arrow_types, print_region,
    region_arguments, result_types, types_in_brackets,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind, Value};

/// `%condition [(%a = %x)] : type [(types)] -> types {...} else {...} {...}`. The regions declare their arguments
/// themselves.
#[derive(Debug)]
pub(crate) struct If;

/// `[(%a = %x)] : (types) -> types {...} do {...} attributes {...}`.
#[derive(Debug)]
pub(crate) struct While;

/// A region whose arguments it declares.
fn region_with_arguments(number: usize) -> PrintStep {
    PrintStep::Region {
        number,
        entry_arguments: true,
        terminators: true,
    }
}

/// Types of results, ` -> ()` if there are none.
fn print_results(printer: &mut dyn AsmPrinter, types: &[Type]) {
    match types.is_empty() {
        true => printer.text(" -> ()"),
        false => print_optional_arrow_types(printer, types),
    }
}

fn optional_assignments(
    parser: &mut dyn AsmParser,
) -> AsmResult<(Vec<OperandName>, Vec<OperandName>)> {
    match parser.at("(") {
        true => assignments(parser),
        false => Ok((Vec::new(), Vec::new())),
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
        for (name, ty) in inputs.into_iter().zip(types) {
            operation.operands.push(parser.resolve(name, ty)?);
        }
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

impl OperationSyntax for While {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        match regions {
            0 => {}
            1 => {
                parser.expect("do")?;
                return Ok(ParseStep::Region(Vec::new()));
            }
            _ => {
                if parser.eat("attributes") {
                    operation.attributes = parser.attribute_dictionary()?;
                }
                return Ok(ParseStep::Done);
            }
        }
        let place = parser.place();
        let (names, values) = optional_assignments(parser)?;
        parser.expect(":")?;
        let type_place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function { inputs, results } = parser.context().type_kind(ty).clone() else {
            return Err(AsmError::new(type_place, "expected function type"));
        };
        check_count(values.len(), inputs.len(), place)?;
        for (&name, &ty) in values.iter().zip(&inputs) {
            operation.operands.push(parser.resolve(name, ty)?);
        }
        operation.result_types = results.to_vec();
        Ok(ParseStep::Region(region_arguments(&names, &inputs)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        match regions {
            0 => {
                let operands: Vec<Value> = module.operands(operation).collect();
                let types = operand_types(module, operation, 0);
                let results = result_types(module, operation);
                let arguments = entry_arguments(module, operation, 0);
                if !arguments.is_empty() {
                    print_assignments(printer, " ", &arguments, &operands);
                }
                printer.text(" : (");
                printer.types(types.into_iter());
                printer.text(")");
                print_results(printer, &results);
                printer.text(" ");
                print_region(0, true)
            }
            1 => {
                printer.text(" do ");
                region_with_arguments(1)
            }
            _ => {
                let attributes = module.all_attributes(context, operation);
                printer.attribute_dictionary_with_keyword(&attributes, &[]);
                PrintStep::Done
            }
        }
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let results = module.result_count(operation);
        let body = module.region(operation, 1);
        let block = body.and_then(|region| module.first_block(region));
        has_shape(module, operation, types.len(), results, 2)
            && is_single_block(module, module.region(operation, 0), &types)
            && block.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
    }
}
