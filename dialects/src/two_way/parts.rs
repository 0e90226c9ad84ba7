//! Words, strings and sizes in syntax that is stated once, and arguments of directives.

use super::steps::{ReadSteps, WriteSteps};
use super::{Assembler, Name, Named, Sequence, failure};
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

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// One of several keywords, by its index, if it is there; it is printed with a space before it.
    pub(crate) fn following_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        if chosen.is_some() {
            self.space(" ");
        }
        self.adjacent_choice(keywords, chosen);
    }

    /// One of several keywords, by its index, if it is there.
    pub(crate) fn adjacent_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        match self {
            Self::Parser(parser) => *chosen = keywords.iter().position(|word| parser.eat(word)),
            Self::Printer(printer) => {
                if let Some(word) = chosen.and_then(|chosen| keywords.get(chosen)) {
                    printer.text(word);
                }
            }
        }
    }

    /// A quoted string.
    pub(crate) fn string(&mut self, string: &mut impl Name) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let Some(found) = parser.optional_string() else {
                    return Err(AsmError::new(parser.place(), "expected string"));
                };
                string.set(parser.context(), found);
            }
            Self::Printer(printer) => string.print_string(&mut **printer),
        }
        Ok(())
    }

    /// An attribute of type `i32` without the type.
    pub(crate) fn i32_attribute(&mut self, attribute: &mut Option<Attribute>) -> AsmResult<()> {
        let ty = match self {
            Self::Parser(parser) => Some(parser.context().integer_type(32)),
            Self::Printer(_) => None,
        };
        self.attribute_of(ty, attribute)
    }

    /// Sizes separated by `x`: `4x?x8`. A text that is read may have none.
    pub(crate) fn dimensions(&mut self, sizes: &mut impl Sequence<Item = i64>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => sizes.assign(parser.dimension_list()?),
            Self::Printer(_) => {
                for number in 0..sizes.len() {
                    self.space(if number > 0 { "x" } else { "" });
                    sizes.with(number, |&mut size| self.print_size(size));
                }
            }
        }
        Ok(())
    }

    /// Prints a size of a shape; `?` if it is dynamic.
    pub(crate) fn print_size(&mut self, size: i64) {
        match size {
            rmlir_ir::DYNAMIC => self.space("?"),
            size => self.space(&size.to_string()),
        }
    }
}
