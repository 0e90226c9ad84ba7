//! Hooks of the `sparse_tensor` dialect: level ranges, encodings, iteration.

pub(crate) mod encoding;
pub(crate) mod iterate;

use crate::helpers::{integer_of, number};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter,
    EntrySyntax, Parameters, ParametersMut, ParsedArgument, PrintedArgument,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Context, Invalid, Module, Operation};

/// The directive `1` or `1 to 3`: the first level, and the end of the range.
#[derive(Debug)]
pub(crate) struct LevelRange;

/// Returns both numbers, if they have type `index`.
fn levels(context: &Context, arguments: &[PrintedArgument]) -> Option<(i64, i64)> {
    let level = |number: usize| {
        let attribute = arguments.get(number)?.attribute();
        integer_of(context, context.index_type(), attribute)
    };
    level(0).zip(level(1))
}

impl DirectiveSyntax for LevelRange {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let low = number(parser)?;
        let high = match parser.eat("to") {
            true => number(parser)?,
            false => low.saturating_add(1),
        };
        if high <= low {
            return Err(AsmError::new(
                place,
                "expect larger level upper bound than lower bound",
            ));
        }
        let index = parser.context().index_type();
        for (argument, level) in arguments.iter_mut().zip([low, high]) {
            let made = parser.context().integer_attribute(index, level);
            *argument = ParsedArgument::Attribute(made.ok());
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let (low, high) = levels(printer.context(), arguments).unwrap_or_default();
        match low.saturating_add(1) == high {
            true => printer.text(&low.to_string()),
            false => printer.text(&format!("{low} to {high}")),
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        levels(context, arguments).is_some_and(|(low, high)| low < high)
    }
}

impl EntrySyntax for LevelRange {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Unsigned(low), &FieldValue::Unsigned(high)) =
            (values.get(0), values.get(1))
        else {
            return Err(Invalid::new("a range needs two levels"));
        };
        printer.integer(low);
        if low.checked_add(1) != Some(high) {
            printer.text(b" to ");
            printer.integer(high);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let low = parser.integer()?;
        let high = match parser.eat("to") {
            true => parser.integer()?,
            false => low.saturating_add(1),
        };
        let levels = (u64::try_from(low), u64::try_from(high));
        let (Ok(low), Ok(high)) = levels else {
            return Err(AsmError::new(place, "expect valid levels"));
        };
        if high <= low {
            return Err(AsmError::new(
                place,
                "expect larger level upper bound than lower bound",
            ));
        }
        values.set(0, FieldValue::Unsigned(low));
        values.set(1, FieldValue::Unsigned(high));
        Ok(())
    }
}
