//! Custom syntax of `stablehlo.while`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, assignments, check_count, entry_arguments, is_single_block, operand_types,
    print_assignments, print_region, region_arguments, result_types, typed,
};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation, PrintStep,
    ValueNames,
};
use rmlir_ir::{Context, Module, Operation, Region, Value};

/// Custom syntax of `stablehlo.while`: `(%iterArg = %a) : types attributes {...} cond {...} do
/// {...}`.
#[derive(Debug)]
pub(crate) struct While;

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
                let arguments = std::mem::take(&mut operation.later_arguments);
                return Ok(ParseStep::Region(arguments));
            }
            _ => return Ok(ParseStep::Done),
        }
        let place = parser.place();
        let (names, values) = assignments(parser)?;
        let mut types = Vec::new();
        if !values.is_empty() {
            parser.expect(":")?;
            loop {
                types.push(parser.ty()?);
                if !parser.eat(",") {
                    break;
                }
            }
        }
        check_count(values.len(), types.len(), place)?;
        add_operands(parser, operation, typed(&values, &types))?;
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        parser.expect("cond")?;
        let arguments = region_arguments(&names, &types);
        operation.result_types = types;
        operation.later_arguments.clone_from(&arguments);
        Ok(ParseStep::Region(arguments))
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
                let attributes = module.all_attributes(context, operation);
                let arguments = entry_arguments(module, operation, 0);
                let initial: Vec<Value> = module.operands(operation).collect();
                let types = operand_types(module, operation, 0);
                print_assignments(printer, "", &arguments, &initial);
                if !types.is_empty() {
                    printer.text(" : ");
                    printer.types(types.into_iter());
                }
                printer.attribute_dictionary_with_keyword(&attributes, &[]);
                printer.newline();
                printer.text("cond ");
            }
            1 => printer.text(" do "),
            _ => return PrintStep::Done,
        }
        print_region(regions, true)
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let is_body = |number| is_single_block(module, module.region(operation, number), &types);
        has_shape(module, operation, types.len(), types.len(), 2)
            && result_types(module, operation) == types
            && is_body(0)
            && is_body(1)
    }
}

/// Names the arguments of the regions `%iterArg`.
impl ValueNames for While {
    fn argument_names(
        &self,
        _: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let block = module.first_block(region);
        for (argument, _) in block.into_iter().flat_map(|block| module.arguments(block)) {
            name(argument, "iterArg");
        }
    }
}
