//! Custom syntax of `affine.if`.

use super::loops::YIELD;
use super::maps::{Given, inputs, operand_lists, print_operand_lists, resolve_all};
use crate::control::{has_branches, parse_branch_end, print_branches};
use crate::func::has_shape;
use crate::helpers::{
    operand_types, optional_arrow_types, print_optional_arrow_types, property, result_types,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Value};

/// Custom syntax of `affine.if`: `#set(%dims)[%symbols] [-> types] {...} [else {...}] {...}`.
#[derive(Debug)]
pub(crate) struct If;

fn is_set(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::IntegerSet(_)
    )
}

impl OperationSyntax for If {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let place = parser.place();
            let set = parser.attribute()?;
            let context = parser.context();
            let Some(inputs) = inputs(context, set).filter(|_| is_set(context, set)) else {
                return Err(AsmError::new(place, "expected an integer set"));
            };
            property(parser, operation, "condition", set);
            let names = operand_lists(parser, inputs, Given::Set)?;
            let index = parser.context().index_type();
            operation.operands = resolve_all(parser, names.into_iter(), index)?;
            operation.result_types = optional_arrow_types(parser)?;
            return Ok(ParseStep::Region(Vec::new()));
        }
        parse_branch_end(parser, operation, regions, YIELD)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions == 0 {
            let (context, module) = (printer.context(), printer.module());
            let operands: Vec<Value> = module.operands(operation).collect();
            let Some(set) = module.attribute(context, operation, "condition") else {
                return PrintStep::Done;
            };
            let (dims, _) = inputs(context, set).unwrap_or_default();
            printer.text(" ");
            printer.attribute(set);
            print_operand_lists(printer, &operands, dims);
            print_optional_arrow_types(printer, &result_types(module, operation));
            printer.text(" ");
        }
        print_branches(printer, operation, regions, &["condition"])
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let results = module.result_count(operation);
        let set = module.attribute(context, operation, "condition");
        let inputs = set
            .filter(|&set| is_set(context, set))
            .and_then(|set| inputs(context, set));
        let index = context.index_type();
        let types = operand_types(module, operation, 0);
        inputs.is_some_and(|(dims, symbols)| dims.saturating_add(symbols) == types.len())
            && has_shape(module, operation, types.len(), results, 2)
            && types.iter().all(|&ty| ty == index)
            && has_branches(context, module, operation, YIELD)
    }
}
