//! Groups of operands after a keyword, in syntax that is stated once.

use super::{Asm, TypedValues};
use rmlir_ir::asm::AsmResult;

impl Asm<'_, '_> {
    /// ` keyword(%a, %b : i32, i64)`; nothing if there are no values.
    pub(crate) fn operand_group(
        &mut self,
        keyword: &str,
        values: &mut TypedValues,
    ) -> AsmResult<()> {
        if !self.is_there(keyword, !values.is_empty()) {
            return Ok(());
        }
        self.space(" ");
        self.token(keyword, keyword)?;
        self.token("(", "(")?;
        if !self.is_there(")", false) {
            self.typed_values(values)?;
        }
        self.token(")", ")")
    }
}
