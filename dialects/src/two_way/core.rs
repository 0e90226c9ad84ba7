//! Tokens, types, attributes, words and lists in syntax that is stated once, for operations and for
//! entries.

use super::steps::{ReadSteps, WriteSteps};
use super::{Assembler, Name, Sequence};
use rmlir_ir::asm::{AsmError, AsmResult};
use rmlir_ir::{Attribute, Type};

impl<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized> Assembler<'_, P, W> {
    /// Prints a text that the parser skips: white space.
    pub(crate) fn space(&mut self, text: &str) {
        if let Self::Printer(printer) = self {
            printer.text(text);
        }
    }

    /// A token, and how it is printed.
    pub(crate) fn token(&mut self, token: &str, printed: &str) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => parser.expect(token),
            Self::Printer(printer) => {
                printer.text(printed);
                Ok(())
            }
        }
    }

    /// A token that is present if `there`.
    pub(crate) fn optional(&mut self, token: &str, printed: &str, there: &mut bool) {
        match self {
            Self::Parser(parser) => *there = parser.eat(token),
            Self::Printer(printer) => {
                if *there {
                    printer.text(printed);
                }
            }
        }
    }

    /// One of several keywords, by its index.
    pub(crate) fn choice(&mut self, keywords: &[&str], chosen: &mut usize) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => match keywords.iter().position(|word| parser.eat(word)) {
                Some(found) => {
                    *chosen = found;
                    Ok(())
                }
                None => {
                    let message = format!("expected {}", keywords.join(" or "));
                    Err(AsmError::new(parser.place(), message))
                }
            },
            Self::Printer(printer) => {
                printer.text(keywords.get(*chosen).copied().unwrap_or_default());
                Ok(())
            }
        }
    }

    /// A type; present when printing.
    pub(crate) fn ty(&mut self, ty: &mut Option<Type>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *ty = Some(parser.ty()?),
            Self::Printer(printer) => {
                if let Some(ty) = *ty {
                    printer.ty(ty);
                }
            }
        }
        Ok(())
    }

    /// An attribute with its type.
    pub(crate) fn attribute(&mut self, attribute: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *attribute = Some(parser.attribute()?),
            Self::Printer(printer) => {
                if let Some(attribute) = *attribute {
                    printer.attribute(attribute);
                }
            }
        }
        Ok(())
    }

    /// An attribute of a type that the text has elsewhere.
    pub(crate) fn attribute_of(
        &mut self,
        ty: Option<Type>,
        attribute: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                *attribute = Some(match ty {
                    Some(ty) => parser.attribute_of_type(ty)?,
                    None => parser.attribute()?,
                });
            }
            Self::Printer(printer) => {
                if let Some(attribute) = *attribute {
                    printer.attribute_without_type(attribute);
                }
            }
        }
        Ok(())
    }

    /// A keyword, or a quoted string where the name is not a keyword.
    pub(crate) fn word(&mut self, word: &mut impl Name) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => {
                let found = match parser.optional_keyword() {
                    Some(found) => Some(found),
                    None => parser.optional_string(),
                };
                let Some(found) = found else {
                    let message = "expected valid keyword or string";
                    return Err(AsmError::new(parser.place(), message));
                };
                word.set(parser.context(), found);
            }
            Self::Printer(printer) => word.print_word(&mut **printer),
        }
        Ok(())
    }

    /// Items separated by commas in brackets.
    pub(crate) fn list<S: Sequence>(
        &mut self,
        (open, close): (&str, &str),
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.token(open.trim(), open)?;
        self.list_after((", ", close), items, each)
    }

    /// The rest of a list after the opening bracket: the separator, which is a comma, and the
    /// closing bracket.
    pub(crate) fn list_after<S: Sequence>(
        &mut self,
        (separator, close): (&str, &str),
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        if let Self::Parser(parser) = self {
            *items = S::default();
            if parser.eat(close.trim()) {
                return Ok(());
            }
        }
        self.separated(separator, items, each)?;
        self.token(close.trim(), close)
    }

    /// A list that has neither items nor brackets if it is empty.
    pub(crate) fn optional_list<S: Sequence>(
        &mut self,
        brackets: (&str, &str),
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        let there = match self {
            Self::Parser(parser) => parser.at(brackets.0),
            Self::Printer(_) => !items.is_empty(),
        };
        match there {
            true => self.list(brackets, items, each),
            false => Ok(()),
        }
    }

    /// Returns the offset of the next token of a text that is read.
    pub(crate) fn place(&self) -> Option<usize> {
        match self {
            Self::Parser(parser) => Some(parser.place()),
            Self::Printer(_) => None,
        }
    }

    /// An integer.
    pub(crate) fn integer(&mut self, value: &mut i64) -> AsmResult<()> {
        match self {
            Self::Parser(parser) => *value = parser.integer()?,
            Self::Printer(printer) => printer.text(&value.to_string()),
        }
        Ok(())
    }

    /// Returns whether a part is there: if a token is next in a text that is read, else `printed`.
    pub(crate) fn is_there(&mut self, token: &str, printed: bool) -> bool {
        match self {
            Self::Parser(parser) => parser.at(token),
            Self::Printer(_) => printed,
        }
    }

    /// One or more items separated by commas, without brackets.
    pub(crate) fn items<S: Sequence>(
        &mut self,
        items: &mut S,
        each: impl FnMut(&mut Self, &mut S::Item) -> AsmResult<()>,
    ) -> AsmResult<()> {
        self.separated(", ", items, each)
    }
}
