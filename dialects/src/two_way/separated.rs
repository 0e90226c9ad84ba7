//! Lists with other separators or brackets, in syntax that is stated once.

use super::steps::{ReadSteps, WriteSteps};
use super::{Assembler, Sequence};
use rmlir_ir::asm::AsmResult;

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// One or more items separated by commas, which are printed as `separator`.
    pub(crate) fn separated<S: Sequence>(
        &mut self,
        separator: &str,
        items: &mut S,
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Parser(_) = self {
            loop {
                let mut item = S::Item::default();
                each(self, &mut item)?;
                items.push(item);
                let Self::Parser(parser) = self else { break };
                if !parser.eat(",") {
                    break;
                }
            }
        } else {
            for number in 0..items.len() {
                if number > 0 {
                    self.space(separator);
                }
                items.with(number, |item| each(self, item)).transpose()?;
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
        if let Self::Printer(_) = self {
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
    pub(crate) fn lenient_list<S: Sequence>(
        &mut self,
        (open, close): (&str, &str),
        items: &mut S,
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.token(open, open)?;
        if let Self::Printer(_) = self {
            self.separated(", ", items, each)?;
            return self.token(close, close);
        }
        let mut follows = !self.is_there(close, false);
        while follows {
            let mut item = S::Item::default();
            each(self, &mut item)?;
            items.push(item);
            self.optional(",", ",", &mut follows);
            follows &= !self.is_there(close, false);
        }
        self.token(close, close)
    }

    /// One item, or another number of items separated by commas in brackets.
    pub(crate) fn one_or_list<S: Sequence>(
        &mut self,
        brackets: (&str, &str),
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if self.is_there(brackets.0, items.len() != 1) {
            return self.list(brackets, items, each);
        }
        self.one(items, each)
    }

    /// The only item of a list.
    pub(crate) fn one<S: Sequence>(
        &mut self,
        items: &mut S,
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Parser(_) = self {
            let mut item = S::Item::default();
            each(self, &mut item)?;
            items.assign(vec![item]);
            return Ok(());
        }
        items.with(0, |item| each(self, item)).transpose().map(drop)
    }
}
