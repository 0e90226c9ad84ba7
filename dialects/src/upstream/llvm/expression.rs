//! Syntax of debug information expressions.

use super::enums::{keyword, value};
use crate::entry::{EntryAsm, List, TwoWayEntry};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
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

/// The text of [`ExpressionArguments`].
#[derive(Default)]
pub(crate) struct Content<'v> {
    /// Whether the operator is a conversion.
    converts: bool,
    arguments: List<'v, u64>,
}

/// The name of an encoding.
fn encoding(asm: &mut EntryAsm<'_>, encoding: &mut u64) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let wrong = || AsmError::new(place, "invalid argument of an expression");
            let word = parser.optional_keyword().ok_or_else(wrong)?;
            let word = parser.context().str(word).into_owned();
            *encoding = value(parser.context(), "DW_ATE", &word).ok_or_else(wrong)?;
        }
        EntryAsm::Printer(printer) => {
            let word = keyword(printer.context(), "DW_ATE", *encoding);
            let word = word.ok_or_else(|| AsmError::new(0, "unknown encoding"))?;
            printer.text(word.as_bytes());
        }
    }
    Ok(())
}

impl TwoWayEntry for ExpressionArguments {
    type Content<'v> = Content<'v>;

    fn given(&self, parser: &mut dyn EntryParser, values: &ParametersMut<'_>) -> Content<'static> {
        Content {
            converts: is_conversion(parser.context(), values.get(0)),
            arguments: List::default(),
        }
    }

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content<'v>, Invalid> {
        Ok(Content {
            converts: is_conversion(printer.context(), values.get(0)),
            arguments: List::of(values, 1, "expected numbers")?,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content<'_>) -> AsmResult<()> {
        let mut number = 0usize;
        asm.items(&mut content.arguments, |asm, argument| {
            let is_encoding = content.converts && number == 1;
            number = number.saturating_add(1);
            match is_encoding {
                true => encoding(asm, argument),
                false => asm.unsigned(64, argument),
            }
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.arguments.set(values, 1);
        Ok(())
    }
}
