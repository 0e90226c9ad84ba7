//! Indentation of a text that is written.

use super::Asm;

impl Asm<'_, '_> {
    /// Changes the indentation of the lines that follow by some steps, which a text must undo.
    pub(crate) fn indent(&mut self, steps: isize) {
        if let Asm::Printer(printer) = self {
            printer.indent(steps);
        }
    }
}
