//! Types in syntax that is stated once.

use super::Asm;
use rmlir_ir::Type;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// ` -> (types)`; a text that is read can have one type without parentheses.
    pub(crate) fn arrow_types(&mut self, types: &mut Vec<Type>) -> AsmResult<()> {
        self.token("->", " -> ")?;
        if let Asm::Parser(parser) = self
            && !parser.at("(")
        {
            types.push(parser.ty()?);
            return Ok(());
        }
        self.types_between(("(", ")"), types)
    }
}
