//! Keywords in syntax that is stated once.

use super::Asm;
use rmlir_ir::Value;
use rmlir_ir::asm::{AsmError, AsmResult};

impl Asm<'_, '_> {
    /// Returns whether a keyword is there: if one is next in a text that is read, else `printed`.
    pub(crate) fn is_keyword_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_keyword(),
            Asm::Printer(_) => printed,
        }
    }

    /// A keyword of any text, if one is there.
    pub(crate) fn optional_keyword(&mut self, keyword: &mut Option<String>) {
        match self {
            Asm::Parser(parser) => {
                let found = parser.optional_keyword();
                *keyword = found.map(|found| parser.context().str(found).into_owned());
            }
            Asm::Printer(printer) => printer.text(keyword.as_deref().unwrap_or_default()),
        }
    }

    /// A keyword of any text.
    pub(crate) fn any_keyword(&mut self, keyword: &mut Vec<u8>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let Some(found) = parser.optional_keyword() else {
                    return Err(AsmError::new(parser.place(), "expected valid keyword"));
                };
                *keyword = parser.context().bytes(found).to_vec();
            }
            Asm::Printer(printer) => printer.text(&String::from_utf8_lossy(keyword)),
        }
        Ok(())
    }

    /// A keyword or a quoted string, which is printed in quotes.
    pub(crate) fn key(&mut self, key: &mut Vec<u8>, message: &str) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let found = match parser.optional_keyword() {
                    Some(found) => Some(found),
                    None => parser.optional_string(),
                };
                let Some(found) = found else {
                    return Err(AsmError::new(parser.place(), message));
                };
                *key = parser.context().bytes(found).to_vec();
            }
            Asm::Printer(printer) => printer.string(key),
        }
        Ok(())
    }

    /// Returns the name of a value in a text that is written, without its `%`.
    pub(crate) fn printed_name(&self, value: Value) -> Option<Vec<u8>> {
        match self {
            Asm::Parser(_) => None,
            Asm::Printer(printer) => Some(printer.value_name(value)),
        }
    }
}
