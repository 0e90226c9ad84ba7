//! Keywords in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::{AsmError, AsmResult};

impl Asm<'_, '_> {
    /// Returns whether a keyword is there: if one is next in a text that is read, else `printed`.
    pub(crate) fn is_keyword_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_keyword(),
            Asm::Printer(_) => printed,
        }
    }

    /// A keyword of any text.
    pub(crate) fn keyword(&mut self, keyword: &mut Vec<u8>) -> AsmResult<()> {
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

    /// One of several keywords by its index, or nothing.
    pub(crate) fn optional_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        match self {
            Asm::Parser(parser) => *chosen = keywords.iter().position(|word| parser.eat(word)),
            Asm::Printer(printer) => {
                let word = chosen.and_then(|chosen| keywords.get(chosen));
                printer.text(word.copied().unwrap_or_default());
            }
        }
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

    /// The name of a symbol, `@name`, as a string, or nothing.
    pub(crate) fn optional_symbol_name(&mut self, name: &mut Option<Vec<u8>>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let found = parser.symbol_name()?;
                *name = found.map(|found| parser.context().bytes(found).to_vec());
            }
            Asm::Printer(printer) => {
                if let Some(name) = name {
                    printer.symbol_name(name);
                }
            }
        }
        Ok(())
    }
}
