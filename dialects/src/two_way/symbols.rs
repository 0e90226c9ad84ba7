//! Names of symbols in syntax that is stated once.

use super::Asm;
use rmlir_ir::Attribute;
use rmlir_ir::asm::{AsmError, AsmResult};

impl Asm<'_, '_> {
    /// `@name`, for a string that is stored; present when printing.
    pub(crate) fn symbol_string(&mut self, name: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let Some(found) = parser.symbol_name()? else {
                    let message = "expected valid '@'-identifier for symbol name";
                    return Err(AsmError::new(place, message));
                };
                *name = Some(parser.context().string_attribute_of(found));
            }
            Asm::Printer(printer) => {
                let name = name.and_then(|name| printer.context().string_value(name));
                printer.symbol_name(name.unwrap_or_default());
            }
        }
        Ok(())
    }
}
