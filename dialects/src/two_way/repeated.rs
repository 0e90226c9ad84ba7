//! Repeated parts and keywords that can be absent, in syntax that is stated once.

use super::steps::{ReadSteps, WriteSteps};
use super::{Assembler, Sequence};
use rmlir_ir::asm::AsmResult;

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// Any number of items that begin with a token.
    pub(crate) fn repeated<S: Sequence>(
        &mut self,
        token: &str,
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.repeated_if(|asm| asm.is_there(token, false), items, each)
    }

    /// Any number of items up to a token, which follows them.
    pub(crate) fn repeated_until<S: Sequence>(
        &mut self,
        end: &str,
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.repeated_if(|asm| !asm.is_there(end, false), items, each)
    }

    /// Any number of items, of which `is_there` tells whether one is next in a text that is read.
    pub(crate) fn repeated_if<S: Sequence>(
        &mut self,
        is_there: impl Fn(&mut Self) -> bool,
        items: &mut S,
        mut each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Printer(_) = self {
            for number in 0..items.len() {
                items.with(number, |item| each(self, item)).transpose()?;
            }
            return Ok(());
        }
        while is_there(self) {
            let mut item = S::Item::default();
            each(self, &mut item)?;
            items.push(item);
        }
        Ok(())
    }

    /// One of several keywords, by its index, if it is there; it is printed with a space after it.
    pub(crate) fn optional_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        self.adjacent_choice(keywords, chosen);
        if chosen.is_some() {
            self.space(" ");
        }
    }
}
