//! Names of symbols in syntax that is stated once.

use super::{Asm, failure};
use rmlir_ir::Attribute;
use rmlir_ir::asm::{AsmError, AsmResult};

impl Asm<'_, '_> {
    /// `@name`, if it is there: a string attribute. `before` is printed before it.
    pub(crate) fn optional_symbol(
        &mut self,
        before: &str,
        name: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let read = parser.symbol_name()?;
                *name = read.map(|read| parser.context().string_attribute_of(read));
            }
            Asm::Printer(printer) => {
                let text = name.and_then(|name| printer.context().string_value(name));
                if let Some(text) = text {
                    printer.text(before);
                    printer.symbol_name(text);
                }
            }
        }
        Ok(())
    }

    /// `@name`: a string attribute.
    pub(crate) fn symbol(&mut self, name: &mut Option<Attribute>) -> AsmResult<()> {
        let place = self.place();
        self.optional_symbol("", name)?;
        match name {
            Some(_) => Ok(()),
            None => {
                let message = "expected valid '@'-identifier for symbol name";
                Err(failure(place, message))
            }
        }
    }

    /// `@name`: a reference to a symbol; `missing` is the error if another token is next.
    pub(crate) fn symbol_reference(
        &mut self,
        symbol: &mut Option<Attribute>,
        missing: &str,
    ) -> AsmResult<()> {
        let Asm::Parser(parser) = self else {
            return self.attribute(symbol);
        };
        let place = parser.place();
        let name = parser.symbol_name()?;
        let name = name.ok_or_else(|| AsmError::new(place, missing))?;
        let name = parser.context().bytes(name).to_vec();
        *symbol = Some(parser.context().symbol_ref_attribute(name));
        Ok(())
    }
}
