//! What is next in a text that is read, and errors in such a text.

use super::steps::{ReadSteps, WriteSteps};
use super::{Asm, Assembler};
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Context, OperationName};

/// Returns the error at a [position](Asm::place) of a text that is read.
pub(crate) fn failure(place: Option<usize>, message: impl Into<String>) -> AsmError {
    AsmError::new(place.unwrap_or_default(), message)
}

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// Returns the context, to inspect what was read.
    pub(crate) fn context(&mut self) -> &Context {
        match self {
            Self::Parser(parser) => parser.context(),
            Self::Printer(printer) => printer.context(),
        }
    }
}

impl Asm<'_, '_> {
    /// Sets the name of the operation whose text is read.
    pub(crate) fn operation_name(&mut self, name: &mut Option<OperationName>) {
        if let Asm::Parser(parser) = self {
            *name = Some(parser.operation_name());
        }
    }

    /// Returns whether a part that begins with a value's name is there: if a name is next in a text
    /// that is read, else `printed`.
    pub(crate) fn is_value_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_operand(),
            Asm::Printer(_) => printed,
        }
    }
}
