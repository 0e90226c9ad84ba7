//! Strings in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::{AsmError, AsmResult};

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

    /// A keyword; `missing` is the error if another token is next.
    pub(crate) fn bare_keyword(&mut self, word: &mut Vec<u8>, missing: &str) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let found = parser.optional_keyword();
                let found = found.ok_or_else(|| AsmError::new(place, missing))?;
                *word = parser.context().bytes(found).to_vec();
            }
            Asm::Printer(printer) => printer.text(&String::from_utf8_lossy(word)),
        }
        Ok(())
    }
}
