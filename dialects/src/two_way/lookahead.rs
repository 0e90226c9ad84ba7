//! What is next in a text that is read, and errors in such a text.

use super::Asm;
use rmlir_ir::asm::AsmError;

/// Returns the error at a [position](Asm::place) of a text that is read.
pub(crate) fn failure(place: Option<usize>, message: impl Into<String>) -> AsmError {
    AsmError::new(place.unwrap_or_default(), message)
}

impl Asm<'_, '_> {
    /// Returns whether a part that begins with a value's name is there: if a name is next in a text
    /// that is read, else `printed`.
    pub(crate) fn is_value_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_operand(),
            Asm::Printer(_) => printed,
        }
    }
}
