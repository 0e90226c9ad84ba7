//! Lists of which each item has a line, in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// Items separated by commas, each on a line; a comma precedes the first one, too, if it is
    /// not the first of the whole list.
    pub(crate) fn lines<T: Default>(
        &mut self,
        is_first: bool,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Asm::Parser(parser) = self {
            let mut follows = is_first || parser.eat(",");
            while follows {
                let mut item = T::default();
                each(self, &mut item)?;
                items.push(item);
                self.optional(",", ",", &mut follows);
            }
            return Ok(());
        }
        for (number, item) in items.iter_mut().enumerate() {
            if number > 0 || !is_first {
                self.space(",");
            }
            self.newline();
            each(self, item)?;
        }
        Ok(())
    }
}
