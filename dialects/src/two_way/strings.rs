//! Strings in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// A string attribute, by its value. Returns whether what was read is a string.
    pub(crate) fn string_attribute(&mut self, string: &mut Vec<u8>) -> AsmResult<bool> {
        match self {
            Asm::Parser(parser) => {
                let read = parser.attribute()?;
                let Some(value) = parser.context().string_value(read) else {
                    return Ok(false);
                };
                *string = value.to_vec();
            }
            Asm::Printer(printer) => printer.string(string),
        }
        Ok(true)
    }
}
