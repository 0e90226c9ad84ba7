//! Line breaks in a text that is written.

use super::Asm;

impl Asm<'_, '_> {
    /// Prints a line break and the indentation of the block's operations.
    pub(crate) fn newline(&mut self) {
        if let Asm::Printer(printer) = self {
            printer.newline();
        }
    }

    /// Increases the indentation of the following lines by `steps`, which can be negative.
    pub(crate) fn indent(&mut self, steps: isize) {
        if let Asm::Printer(printer) = self {
            printer.indent(steps);
        }
    }
}
