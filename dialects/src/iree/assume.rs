//! Custom syntax of `util.assume.int`.

use crate::helpers::{property, result_types, until};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation, PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation};

/// The mnemonic of an assumption.
const ASSUMPTION: &str = "int.assumption";

/// Custom syntax of `util.assume.int`: `%a<umin = 1>, %b[<umax = 10>, <udiv = 6>] : i32, i64`.
#[derive(Debug)]
pub(crate) struct AssumeInt;

/// Returns the assumptions on each operand.
fn assumptions<'c>(
    context: &'c Context,
    module: &Module,
    operation: Operation,
) -> Option<Vec<&'c [Attribute]>> {
    let items = |attribute: Attribute| match context.attribute_kind(attribute) {
        AttributeKind::Array(items) => Some(&**items),
        _ => None,
    };
    let all = items(module.attribute(context, operation, "assumptions")?)?;
    all.iter().map(|&each| items(each)).collect()
}

impl OperationSyntax for AssumeInt {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _: usize,
    ) -> AsmResult<ParseStep> {
        let mut assumptions = Vec::new();
        loop {
            let name = parser.operand_name()?;
            operation.names.push(name);
            let own = match parser.eat("[") {
                true => until(parser, "]", |parser| parser.stripped_attribute(ASSUMPTION))?,
                false => vec![parser.stripped_attribute(ASSUMPTION)?],
            };
            assumptions.push(parser.context().array_attribute(&own));
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(":")?;
        let place = parser.place();
        let types = crate::helpers::comma_separated_types(parser)?;
        crate::helpers::check_count(operation.names.len(), types.len(), place)?;
        for (name, ty) in std::mem::take(&mut operation.names).into_iter().zip(&types) {
            let value = parser.resolve(name, *ty)?;
            operation.operands.push(value);
        }
        operation.result_types = types;
        let value = parser.context().array_attribute(&assumptions);
        property(parser, operation, "assumptions", value);
        operation.attributes = parser.attribute_dictionary()?;
        Ok(ParseStep::Done)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, operation: Operation, _: usize) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let all = assumptions(context, module, operation).unwrap_or_default();
        let lines = module.operand_count(operation) > 1;
        printer.text(" ");
        if lines {
            printer.indent(2);
            printer.newline();
        }
        for (number, operand) in module.operands(operation).enumerate() {
            if number > 0 {
                printer.text(", ");
                if lines {
                    printer.newline();
                }
            }
            printer.operand(operand);
            let own = all.get(number).copied().unwrap_or_default();
            if own.len() != 1 {
                printer.text("[");
            }
            for (number, &one) in own.iter().enumerate() {
                printer.text(if number > 0 { ", " } else { "" });
                printer.stripped_attribute(one, ASSUMPTION);
            }
            if own.len() != 1 {
                printer.text("]");
            }
        }
        if lines {
            printer.indent(-1);
            printer.newline();
        } else {
            printer.text(" ");
        }
        printer.text(": ");
        printer.types(result_types(module, operation).into_iter());
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary(&attributes, &["assumptions"]);
        if lines {
            printer.indent(-1);
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = crate::helpers::operand_types(module, operation, 0);
        let is_assumption = |one: &Attribute| {
            matches!(
                context.attribute_kind(*one),
                AttributeKind::Dialect { dialect, body, .. }
                    if context.bytes(*dialect) == b"util"
                        && body.text().starts_with(ASSUMPTION.as_bytes())
            )
        };
        assumptions(context, module, operation).is_some_and(|all| {
            all.len() == operands.len() && all.iter().all(|own| own.iter().all(is_assumption))
        }) && !operands.is_empty()
            && operands == result_types(module, operation)
            && module.regions(operation).len() == 0
            && module.successors(operation).len() == 0
    }
}
