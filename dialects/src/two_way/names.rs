//! Names in syntax that is stated once, as bytes or interned.

use super::is_word;
use super::steps::WriteSteps;
use rmlir_ir::asm::{AsmParser, OperandName};
use rmlir_ir::{Context, Identifier};

/// Returns the name of a value as the text spells it, without its `%`.
pub(crate) fn spelled_name(parser: &dyn AsmParser, name: OperandName) -> &[u8] {
    let text = parser.operand_text(name);
    text.strip_prefix(b"%").unwrap_or(text)
}

/// A keyword or string of a text.
pub(crate) trait Name {
    /// Sets the name to the one that was read.
    fn set(&mut self, context: &Context, found: Identifier);

    /// Prints the name as a keyword, or quoted where it is not one.
    fn print_word<W: WriteSteps + ?Sized>(&self, printer: &mut W);

    /// Prints the name in quotes.
    fn print_string<W: WriteSteps + ?Sized>(&self, printer: &mut W);
}

impl Name for Vec<u8> {
    fn set(&mut self, context: &Context, found: Identifier) {
        *self = context.bytes(found).to_vec();
    }

    fn print_word<W: WriteSteps + ?Sized>(&self, printer: &mut W) {
        match std::str::from_utf8(self) {
            Ok(text) if is_word(self) => printer.text(text),
            _ => printer.string(self),
        }
    }

    fn print_string<W: WriteSteps + ?Sized>(&self, printer: &mut W) {
        printer.string(self);
    }
}

/// Present when printing.
impl Name for Option<Identifier> {
    fn set(&mut self, _: &Context, found: Identifier) {
        *self = Some(found);
    }

    fn print_word<W: WriteSteps + ?Sized>(&self, printer: &mut W) {
        if let Some(name) = *self {
            let text = printer.context().bytes(name).to_vec();
            match std::str::from_utf8(&text) {
                Ok(text) if is_word(text.as_bytes()) => printer.text(text),
                _ => printer.string_of(name),
            }
        }
    }

    fn print_string<W: WriteSteps + ?Sized>(&self, printer: &mut W) {
        if let Some(name) = *self {
            printer.string_of(name);
        }
    }
}
