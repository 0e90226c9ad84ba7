//! Attributes of certain kinds in syntax that is stated once.

use super::Asm;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmResult};
use rmlir_ir::{Attribute, AttributeKind, Context, Type};

/// Returns whether an attribute refers to a symbol.
pub(crate) fn is_reference(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::SymbolRef { .. }
    )
}

impl Asm<'_, '_> {
    /// An attribute for which `is_valid` returns true, else `message` is the error.
    pub(crate) fn attribute_that(
        &mut self,
        is_valid: fn(&Context, Attribute) -> bool,
        message: &str,
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        self.checked(&is_valid, message, attribute, Self::attribute)
    }

    /// An attribute of a type that the text has elsewhere; otherwise as
    /// [`attribute_that`](Self::attribute_that).
    pub(crate) fn attribute_of_that(
        &mut self,
        ty: Option<Type>,
        is_valid: &dyn Fn(&Context, Attribute) -> bool,
        message: &str,
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        self.checked(is_valid, message, attribute, |asm, attribute| {
            asm.attribute_of(ty, attribute)
        })
    }

    fn checked(
        &mut self,
        is_valid: &dyn Fn(&Context, Attribute) -> bool,
        message: &str,
        attribute: &mut Option<Attribute>,
        text: impl FnOnce(&mut Self, &mut Option<Attribute>) -> AsmResult<()>,
    ) -> AsmResult<()> {
        let place = self.place();
        text(self, attribute)?;
        match (place, *attribute) {
            (Some(place), Some(found)) if !is_valid(self.context(), found) => {
                Err(AsmError::new(place, message))
            }
            _ => Ok(()),
        }
    }

    /// A quoted string.
    pub(crate) fn string_as_attribute(&mut self, string: &mut Option<Attribute>) -> AsmResult<()> {
        let message = "expected string attribute";
        self.attribute_that(crate::func::is_plain_string, message, string)
    }

    /// A quoted string, or nothing.
    pub(crate) fn optional_quoted(&mut self, string: &mut Option<Attribute>) {
        match self {
            Asm::Parser(parser) => {
                let read = parser.optional_string();
                *string = read.map(|read| parser.context().string_attribute_of(read));
            }
            Asm::Printer(printer) => {
                if let Some(string) = *string {
                    printer.attribute(string);
                }
            }
        }
    }

    /// A reference to a symbol.
    pub(crate) fn reference(&mut self, symbol: &mut Option<Attribute>) -> AsmResult<()> {
        self.attribute_that(is_reference, "expected a symbol reference", symbol)
    }

    /// An index, without its type.
    pub(crate) fn index_attribute(&mut self, index: &mut Option<Attribute>) -> AsmResult<()> {
        let ty = match self {
            Asm::Parser(parser) => Some(parser.context().index_type()),
            Asm::Printer(_) => None,
        };
        self.attribute_of(ty, index)
    }

    /// An integer of any size; present when printing.
    pub(crate) fn big_integer(&mut self, value: &mut Option<ApInt>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                *value = parser.optional_big_integer()?;
                if value.is_none() {
                    // `true` or `false`.
                    let word = parser.optional_integer()?;
                    let word = word.map(|word| ApInt::from_i64(u64::BITS, word));
                    let missing = || AsmError::new(place, "expected integer value");
                    *value = Some(word.ok_or_else(missing)?);
                }
            }
            Asm::Printer(printer) => {
                let value = value.as_ref();
                printer.text(
                    &value
                        .map(|value| value.to_decimal_string(true))
                        .unwrap_or_default(),
                );
            }
        }
        Ok(())
    }
}
