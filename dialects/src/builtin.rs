//! The `builtin` dialect: `builtin.module` and `builtin.unrealized_conversion_cast`.

pub(crate) mod verify;

use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, Module as IrModule, Operation};

/// Custom syntax of `builtin.module`: `module @name attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Module;

impl OperationSyntax for Module {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        if let Some(name) = parser.symbol_name()? {
            let name = parser.context().string_attribute_of(name);
            crate::helpers::property(parser, operation, "sym_name", name);
        }
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        Ok(ParseStep::Region(Vec::new()))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        crate::func::print_symbol_name(printer, operation, " ");
        let attributes = printer
            .module()
            .all_attributes(printer.context(), operation);
        printer.attribute_dictionary_with_keyword(&attributes, &["sym_name"]);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &IrModule, operation: Operation) -> bool {
        let name = module.attribute(context, operation, "sym_name");
        // One block that needs no label: without arguments, and not a successor.
        let is_body = |block| {
            module.argument_count(block) == 0
                && module.next_block(block).is_none()
                && !module.was_successor(block)
        };
        name.is_none_or(|a| crate::func::is_plain_string(context, a))
            && crate::func::has_shape(module, operation, 0, 0, 1)
            && module
                .region(operation, 0)
                .and_then(|region| module.first_block(region))
                .is_some_and(is_body)
    }

    fn default_dialect(&self) -> &'static str {
        "builtin"
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// Custom syntax of `builtin.unrealized_conversion_cast`: `builtin.unrealized_conversion_cast %a,
/// %b : i32, i64 to f32 {...}`.
#[derive(Debug)]
pub(crate) struct UnrealizedConversionCast;

impl OperationSyntax for UnrealizedConversionCast {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        if parser.at_operand() {
            operation.operands = crate::func::typed_operands(parser)?;
        }
        parser.expect("to")?;
        loop {
            operation.result_types.push(parser.ty()?);
            if !parser.eat(",") {
                break;
            }
        }
        operation.attributes = parser.attribute_dictionary()?;
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let module = printer.module();
        let operands: Vec<_> = module.operands(operation).collect();
        if !operands.is_empty() {
            printer.text(" ");
            crate::func::print_typed_operands(printer, &operands);
        }
        printer.text(" to ");
        printer.types(module.results(operation).map(|v| module.value_type(v)));
        let attributes = module.all_attributes(printer.context(), operation);
        printer.attribute_dictionary(&attributes, &[]);
        PrintStep::Done
    }

    fn can_print(&self, _: &Context, module: &IrModule, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        results > 0 && crate::func::has_shape(module, operation, operands, results, 0)
    }

    fn has_format(&self) -> bool {
        true
    }
}
