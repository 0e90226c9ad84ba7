//! Lists with other separators or brackets, in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// One or more items separated by commas, which are printed as `separator`.
    pub(crate) fn separated<T: Default>(
        &mut self,
        separator: &str,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Asm::Parser(_) = self {
            loop {
                let mut item = T::default();
                each(self, &mut item)?;
                items.push(item);
                let Asm::Parser(parser) = self else { break };
                if !parser.eat(",") {
                    break;
                }
            }
        } else {
            for (number, item) in items.iter_mut().enumerate() {
                if number > 0 {
                    self.space(separator);
                }
                each(self, item)?;
            }
        }
        Ok(())
    }

    /// Items that begin with a token, separated by commas, which are printed as `separator`. A text
    /// that is read can have a comma after the last one.
    pub(crate) fn separated_while<T: Default>(
        &mut self,
        separator: &str,
        token: &str,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Asm::Printer(_) = self {
            return self.separated(separator, items, each);
        }
        let mut follows = true;
        while follows && self.is_there(token, false) {
            let mut item = T::default();
            each(self, &mut item)?;
            items.push(item);
            self.optional(",", ",", &mut follows);
        }
        Ok(())
    }

    /// Items separated by commas in brackets. A text that is read can have a comma after the last
    /// one.
    pub(crate) fn lenient_list<T: Default>(
        &mut self,
        (open, close): (&str, &str),
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.token(open, open)?;
        if let Asm::Printer(_) = self {
            self.separated(", ", items, each)?;
            return self.token(close, close);
        }
        let mut follows = !self.is_there(close, false);
        while follows {
            let mut item = T::default();
            each(self, &mut item)?;
            items.push(item);
            self.optional(",", ",", &mut follows);
            follows &= !self.is_there(close, false);
        }
        self.token(close, close)
    }

    /// One item, or another number of items separated by commas in brackets.
    pub(crate) fn one_or_list<T: Default>(
        &mut self,
        brackets: (&str, &str),
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if self.is_there(brackets.0, items.len() != 1) {
            return self.list(brackets, items, each);
        }
        items.resize_with(1, T::default);
        items.iter_mut().try_for_each(|item| each(self, item))
    }
}
