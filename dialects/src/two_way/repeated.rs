//! Repeated parts and keywords that can be absent, in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// Any number of items that begin with a token.
    pub(crate) fn repeated<T: Default>(
        &mut self,
        token: &str,
        items: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.repeated_if(|asm| asm.is_there(token, false), items, each)
    }

    /// Any number of items, of which `is_there` tells whether one is next in a text that is read.
    pub(crate) fn repeated_if<T: Default>(
        &mut self,
        is_there: impl Fn(&mut Self) -> bool,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Asm::Printer(_) = self {
            return items.iter_mut().try_for_each(|item| each(self, item));
        }
        while is_there(self) {
            let mut item = T::default();
            each(self, &mut item)?;
            items.push(item);
        }
        Ok(())
    }

    /// One of several keywords, by its index, if it is there; it is printed with a space after it.
    pub(crate) fn optional_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        match self {
            Asm::Parser(parser) => {
                *chosen = keywords.iter().position(|word| parser.eat(word));
            }
            Asm::Printer(printer) => {
                if let Some(word) = chosen.and_then(|chosen| keywords.get(chosen)) {
                    printer.text(word);
                    printer.text(" ");
                }
            }
        }
    }
}
