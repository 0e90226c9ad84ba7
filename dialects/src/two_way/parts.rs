//! Optional parts, words, numbers and line breaks in syntax that is stated once.

use super::{Argument, Asm, Named};
use rmlir_ir::asm::{AsmError, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, Invalid, Type, Value};

/// Returns the error at a [position](Asm::place) of a text that is read.
pub(crate) fn failure(place: Option<usize>, message: impl Into<String>) -> AsmError {
    AsmError::new(place.unwrap_or_default(), message)
}

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
    /// Returns whether a part that begins with a value's name is there: if a name is next in a text
    /// that is read, else `printed`.
    pub(crate) fn is_value_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_operand(),
            Asm::Printer(_) => printed,
        }
    }

    /// Returns whether a part that begins with any keyword is there: if one is next in a text that
    /// is read, else `printed`.
    pub(crate) fn is_keyword_there(&mut self, printed: bool) -> bool {
        match self {
            Asm::Parser(parser) => parser.at_keyword(),
            Asm::Printer(_) => printed,
        }
    }

    /// One of several keywords by its index, or nothing.
    pub(crate) fn optional_choice(&mut self, keywords: &[&str], chosen: &mut Option<usize>) {
        match self {
            Asm::Parser(parser) => *chosen = keywords.iter().position(|word| parser.eat(word)),
            Asm::Printer(printer) => {
                let word = chosen.and_then(|chosen| keywords.get(chosen));
                printer.text(word.copied().unwrap_or_default());
            }
        }
    }

    /// An integer; present when printing.
    pub(crate) fn optional_integer(&mut self, value: &mut Option<i64>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => *value = parser.optional_integer()?,
            Asm::Printer(printer) => {
                if let Some(value) = value {
                    printer.text(&value.to_string());
                }
            }
        }
        Ok(())
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

    /// A quoted string as an attribute; present when printing.
    pub(crate) fn quoted(&mut self, string: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let Some(found) = parser.optional_string() else {
                    return Err(AsmError::new(parser.place(), "expected string"));
                };
                *string = Some(parser.context().string_attribute_of(found));
            }
            Asm::Printer(printer) => {
                if let Some(string) = *string {
                    printer.attribute(string);
                }
            }
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

    /// `%a loc(...)`: an argument of the region that follows, whose type the text has elsewhere.
    pub(crate) fn argument_name(&mut self, argument: &mut Argument) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                argument.value.name = Some(parser.operand_name()?);
                argument.location = parser.location()?;
            }
            Asm::Printer(printer) => {
                if let (Some(value), Some(location)) = (argument.value.value, argument.location) {
                    printer.region_argument_name(value, location);
                }
            }
        }
        Ok(())
    }

    /// Returns the name of a value in a text that is written, without its `%`.
    pub(crate) fn printed_name(&self, value: Option<Value>) -> Option<Vec<u8>> {
        match self {
            Asm::Parser(_) => None,
            Asm::Printer(printer) => value.map(|value| printer.value_name(value)),
        }
    }

    /// Prints a line break and the indentation of the block's operations.
    pub(crate) fn newline(&mut self) {
        if let Asm::Printer(printer) = self {
            printer.newline();
        }
    }

    /// Increases the indentation of the lines that are printed, by `steps`, which can be negative.
    pub(crate) fn indent(&mut self, steps: isize) {
        if let Asm::Printer(printer) = self {
            printer.indent(steps);
        }
    }
}
