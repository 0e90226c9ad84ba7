//! Integers in syntax that is stated once.

use super::Asm;
use crate::helpers::integer_of;
use rmlir_ir::Attribute;
use rmlir_ir::asm::{AsmError, AsmResult};

impl Asm<'_, '_> {
    /// An integer; `missing` is the error if another token is next.
    pub(crate) fn integer_or(&mut self, value: &mut i64, missing: &str) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let read = parser.optional_integer()?;
                *value = read.ok_or_else(|| AsmError::new(place, missing))?;
            }
            Asm::Printer(printer) => printer.text(&value.to_string()),
        }
        Ok(())
    }

    /// An integer of type `index`, or another attribute. The attribute of an integer is set if the
    /// text is read.
    pub(crate) fn index_or_attribute(
        &mut self,
        integer: &mut Option<i64>,
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let index = parser.context().index_type();
                *attribute = Some(parser.attribute_of_type(index)?);
                *integer = integer_of(parser.context(), index, *attribute);
            }
            Asm::Printer(printer) => match (*integer, *attribute) {
                (Some(integer), _) => printer.text(&integer.to_string()),
                (None, Some(attribute)) => printer.attribute(attribute),
                (None, None) => {}
            },
        }
        Ok(())
    }
}
