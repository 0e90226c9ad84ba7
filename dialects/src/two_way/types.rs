//! Types in syntax that is stated once.

use super::Asm;
use rmlir_ir::Type;
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// A type of a dialect, which is printed without the dialect's name.
    pub(crate) fn bare_type(&mut self, dialect: &str, ty: &mut Option<Type>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *ty = Some(parser.bare_type(dialect)?),
            Asm::Printer(printer) => {
                if let Some(ty) = *ty {
                    printer.bare_type(ty, dialect);
                }
            }
        }
        Ok(())
    }

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
