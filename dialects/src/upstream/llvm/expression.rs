//! Syntax of debug information expressions.

use super::enums::{keyword, value};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Context, Invalid};

/// The parameters of an element of a debug expression: an operator and its arguments. The second
/// argument of a conversion is an encoding, which is printed by its name.
#[derive(Debug)]
pub(crate) struct ExpressionArguments;

const CONVERT: &str = "DW_OP_LLVM_convert";

fn is_conversion(context: &Context, operation: &FieldValue<'_>) -> bool {
    let convert = value(context, "DW_OP", CONVERT);
    matches!(operation, FieldValue::Unsigned(operation) if Some(*operation) == convert)
}

impl EntrySyntax for ExpressionArguments {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let converts = is_conversion(printer.context(), values.get(0));
        for (number, argument) in values.list(1).iter().enumerate() {
            let &FieldValue::Unsigned(argument) = argument else {
                continue;
            };
            if number > 0 {
                printer.text(b", ");
            }
            if converts && number == 1 {
                let encoding = keyword(printer.context(), "DW_ATE", argument);
                let encoding = encoding.ok_or_else(|| Invalid::new("unknown encoding"))?;
                printer.text(encoding.as_bytes());
            } else {
                printer.integer(argument);
            }
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let converts = is_conversion(parser.context(), values.get(0));
        let mut arguments = Vec::new();
        loop {
            let place = parser.place();
            let wrong = || AsmError::new(place, "invalid argument of an expression");
            let number = if converts && arguments.len() == 1 {
                let word = parser.optional_keyword().ok_or_else(wrong)?;
                let word = parser.context().str(word).into_owned();
                value(parser.context(), "DW_ATE", &word).ok_or_else(wrong)?
            } else {
                parser.unsigned(64)?
            };
            arguments.push(FieldValue::Unsigned(number));
            if !parser.eat(",") {
                break;
            }
        }
        values.set_list(1, arguments);
        Ok(())
    }
}
