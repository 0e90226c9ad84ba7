//! Syntax of the attributes of the `shard` dialect.

use rmlir_ir::Invalid;
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax};
use rmlir_ir::asm::{Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;

/// The directive `[0, 1], [], [2]`: lists of 16-bit integers.
#[derive(Debug)]
pub(crate) struct Axes;

impl EntrySyntax for Axes {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        printer.separated(values.list(0), |printer, axes| {
            printer.text(b"[");
            printer.separated(values.items(axes), |printer, axis| {
                if let FieldValue::Signed(axis) = axis {
                    printer.integer(axis);
                }
            });
            printer.text(b"]");
        });
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut lists = Vec::new();
        loop {
            parser.expect("[")?;
            let axes = parser.separated("]", |parser| {
                let place = parser.place();
                let axis = parser.integer()?;
                match i16::try_from(axis) {
                    Ok(axis) => Ok(FieldValue::Signed(axis.into())),
                    Err(_) => Err(AsmError::new(place, "integer value too large")),
                }
            })?;
            lists.push(values.make_list(axes));
            if !parser.eat(",") {
                break;
            }
        }
        values.set_list(0, lists);
        Ok(())
    }
}
