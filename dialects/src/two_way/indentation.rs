//! The context of a text and its indentation, in syntax that is stated once.

use super::Asm;
use rmlir_ir::Context;

impl Asm<'_, '_> {
    /// Returns the context.
    pub(crate) fn context(&mut self) -> &Context {
        match self {
            Asm::Parser(parser) => parser.context(),
            Asm::Printer(printer) => printer.context(),
        }
    }

    /// Changes the indentation of the lines that follow by some steps, which a text must undo.
    pub(crate) fn indent(&mut self, steps: isize) {
        if let Asm::Printer(printer) = self {
            printer.indent(steps);
        }
    }
}
