//! Operations whose results are those that their region yields: `memref.alloca_scope` and
//! `shape.assuming`.

use crate::func::has_shape;
use crate::helpers::{
    dialect_type, ends_plainly, is_dialect_type, operand_types, optional_arrow_types, print_region,
    result_types,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Value};

/// The common custom syntax: `[%operand] [-> (types)] {...} {...}`.
#[derive(Debug)]
pub(crate) struct Yielding {
    /// The type of the operand, by dialect and text; `None` if there is no operand.
    operand: Option<(&'static str, &'static str)>,
    /// The terminator of the blocks.
    terminator: &'static str,
}

/// Custom syntax of `memref.alloca_scope`.
pub(crate) static ALLOCA_SCOPE: Yielding = Yielding {
    operand: None,
    terminator: "memref.alloca_scope.return",
};

/// Custom syntax of `shape.assuming`.
pub(crate) static ASSUMING: Yielding = Yielding {
    operand: Some(("shape", "witness")),
    terminator: "shape.assuming_yield",
};

impl OperationSyntax for Yielding {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator(self.terminator)?;
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        if let Some((dialect, text)) = self.operand {
            let name = parser.operand_name()?;
            let ty = dialect_type(parser.context(), dialect, text);
            let ty = ty.map_err(|invalid| AsmError::new(name.place, invalid.message()))?;
            operation.operands.push(parser.resolve(name, ty)?);
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
            printer.attribute_dictionary(&attributes, &[]);
            return PrintStep::Done;
        }
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = result_types(module, operation);
        let terminators = !types.is_empty();
        printer.text(" ");
        printer.operands(operands.into_iter());
        if terminators {
            printer.text(" -> (");
            printer.types(types.into_iter());
            printer.text(")");
        }
        printer.text(" ");
        print_region(0, terminators)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let results = module.result_count(operation);
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        let types = operand_types(module, operation, 0);
        let fits = |(dialect, text)| {
            let is_it = |&ty| is_dialect_type(context, ty, dialect, text);
            types.iter().all(is_it)
        };
        has_shape(
            module,
            operation,
            usize::from(self.operand.is_some()),
            results,
            1,
        ) && self.operand.is_none_or(fits)
            && block.is_some_and(|block| {
                module.argument_count(block) == 0 && module.first_operation(block).is_some()
            })
            && (results > 0 || ends_plainly(context, module, region, self.terminator))
    }
}
