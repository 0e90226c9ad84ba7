//! Words, strings and sizes in syntax that is stated once, and arguments of directives.

use super::{Asm, Named, failure};
use rmlir_ir::asm::{AsmError, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, Invalid, Type};

/// Converts the error of something that is not valid to one at a [position](Asm::place).
pub(crate) fn invalid(place: Option<usize>) -> impl Fn(Invalid) -> AsmError {
    move |error| failure(place, error.message())
}

/// Returns the argument of a directive for values that were read.
pub(crate) fn operands(values: &[Named]) -> ParsedArgument {
    ParsedArgument::Operands(Named::names(values))
}

/// Returns the argument of a directive for a type that was read.
pub(crate) fn one_type(ty: Option<Type>) -> ParsedArgument {
    ParsedArgument::Types(ty.into_iter().collect())
}

impl Asm<'_, '_> {
    /// One of several keywords, by its index, if it is there; it is printed with a space before it.
    pub(crate) fn following_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        match self {
            Asm::Parser(parser) => *chosen = keywords.iter().position(|word| parser.eat(word)),
            Asm::Printer(printer) => {
                if let Some(word) = chosen.and_then(|chosen| keywords.get(chosen)) {
                    printer.text(" ");
                    printer.text(word);
                }
            }
        }
    }

    /// A quoted string.
    pub(crate) fn string(&mut self, string: &mut Vec<u8>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let Some(found) = parser.optional_string() else {
                    return Err(AsmError::new(parser.place(), "expected string"));
                };
                *string = parser.context().bytes(found).to_vec();
            }
            Asm::Printer(printer) => printer.string(string),
        }
        Ok(())
    }

    /// An attribute of type `i32` without the type.
    pub(crate) fn i32_attribute(&mut self, attribute: &mut Option<Attribute>) -> AsmResult<()> {
        let ty = match self {
            Asm::Parser(parser) => Some(parser.context().i32_type()),
            Asm::Printer(_) => None,
        };
        self.attribute_of(ty, attribute)
    }

    /// Sizes separated by `x`: `4x?x8`. A text that is read may have none.
    pub(crate) fn dimensions(&mut self, sizes: &mut Vec<i64>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *sizes = parser.dimension_list()?,
            Asm::Printer(printer) => {
                for (number, &size) in sizes.iter().enumerate() {
                    printer.text(if number > 0 { "x" } else { "" });
                    match size {
                        rmlir_ir::DYNAMIC => printer.text("?"),
                        size => printer.text(&size.to_string()),
                    }
                }
            }
        }
        Ok(())
    }
}
