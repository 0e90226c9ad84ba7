//! The tolerances of comparisons of the dialect `check`.
//!
//! StableHLO has operations of the same names without tolerances, so absence is not a default:
//! without them, an operation has no custom syntax.

use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation};

/// The keywords, with the values that are not printed.
const TOLERANCES: [(&str, f64); 2] = [("atol", 1e-4), ("rtol", 0.0)];

/// The directive for two `f32` numbers that are printed unless they have their defaults: `, atol
/// 0.1, rtol 0.2`.
#[derive(Debug)]
pub(crate) struct Tolerances;

impl DirectiveSyntax for Tolerances {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.context().f32_type();
        // In this order, each at most once; what comes after the comma decides.
        let mut has_comma = parser.eat(",");
        let is_present = has_comma;
        for ((keyword, default), argument) in TOLERANCES.into_iter().zip(arguments) {
            let value = match has_comma && parser.eat(keyword) {
                true => {
                    let value = parser.attribute_of_type(ty)?;
                    has_comma = parser.eat(",");
                    value
                }
                false => number(parser.context(), default),
            };
            *argument = ParsedArgument::Attribute(Some(value));
        }
        if has_comma {
            // A comma must be followed by a tolerance.
            parser.expect("atol")?;
        }
        Ok(is_present)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        for ((keyword, default), argument) in TOLERANCES.into_iter().zip(arguments) {
            let value = argument.attribute();
            let value = value.filter(|value| !has_value(printer.context(), *value, default));
            if let Some(value) = value {
                printer.text(", ");
                printer.text(keyword);
                printer.text(" ");
                printer.attribute_without_type(value);
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let f32 = context.f32_type();
        let mut values = arguments.iter().map(PrintedArgument::attribute);
        values.all(|value| value.is_some_and(|value| context.attribute_type(value) == f32))
    }
}

/// Returns `value : f32`.
fn number(context: &mut Context, value: f64) -> Attribute {
    let ty = context.f32_type();
    let made = context.float_attribute(ty, value);
    made.unwrap_or_else(|_| context.unit_attribute())
}

/// Returns whether an attribute is `value : f32`.
fn has_value(context: &Context, attribute: Attribute, value: f64) -> bool {
    use rmlir_ir::float::{FloatKind, from_f64};
    matches!(context.attribute_kind(attribute), AttributeKind::Float { bits, .. }
        if *bits == from_f64(FloatKind::F32, value))
}
