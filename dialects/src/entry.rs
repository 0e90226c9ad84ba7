//! Parameters of attributes and types whose syntax is stated once: one function reads the text or
//! writes it, and the content that it reads or writes is converted to parameters and back.

mod items;
mod parts;

use crate::two_way::Assembler;
pub(crate) use items::{List, Rows};
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, Identifier, Invalid, Type};
use std::fmt;

/// The parser or printer of the body of an attribute or type.
pub(crate) type EntryAsm<'x> = Assembler<'x, dyn EntryParser + 'x, dyn EntryPrinter + 'x>;

/// The syntax of parameters of an attribute or type, stated once.
pub(crate) trait TwoWayEntry: fmt::Debug + Send + Sync {
    /// The parsed parts of the text. Printing borrows lists from the parameters.
    type Content<'v>: Default;

    /// Returns the content before a text is read, with what parameters that are given before
    /// determine: those before the directive, and the type of an attribute.
    fn given(
        &self,
        parser: &mut dyn EntryParser,
        values: &ParametersMut<'_>,
    ) -> Self::Content<'static> {
        let _ = (parser, values);
        Self::Content::default()
    }

    /// Returns what the text of the parameters has.
    ///
    /// # Errors
    ///
    /// If the parameters have no text.
    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid>;

    /// The text.
    ///
    /// # Errors
    ///
    /// If a text that is read does not match, or one that is written is too long.
    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()>;

    /// Sets the parameters. Those that are not set are absent.
    ///
    /// # Errors
    ///
    /// If the content is not that of parameters.
    fn build(
        &self,
        parser: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()>;
}

/// The syntax of parameters as a hook.
#[derive(Debug)]
pub(crate) struct Entry<T>(pub(crate) T);

impl<T: TwoWayEntry> Entry<T> {
    // Compiled once for each syntax.
    #[inline(never)]
    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut T::Content<'_>) -> AsmResult<()> {
        self.0.text(asm, content)
    }
}

impl<T: TwoWayEntry> EntrySyntax for Entry<T> {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let mut content = self.0.content(printer, values)?;
        let printed = self.text(&mut EntryAsm::Printer(printer), &mut content);
        printed.map_err(|error| Invalid::new(error.message()))
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut content = self.0.given(parser, &values);
        self.text(&mut EntryAsm::Parser(parser), &mut content)?;
        self.0.build(parser, content, &mut values)
    }
}

/// A value of a parameter.
pub(crate) trait Field: Copy + Default {
    /// Returns the value of a parameter; no value if it is absent or of another kind.
    fn of(value: &FieldValue<'_>) -> Self;

    /// Returns whether there is a value.
    fn is_there(self) -> bool;

    /// Returns the value for a parameter.
    fn value(self) -> FieldValue<'static>;
}

/// Implements [`Field`] for optional values of a variant of [`FieldValue`].
macro_rules! field {
    ($($ty:ty => $variant:ident),*) => {
        $(impl Field for Option<$ty> {
            fn of(value: &FieldValue<'_>) -> Self {
                match value {
                    FieldValue::$variant(value) => Some(*value),
                    _ => None,
                }
            }

            fn is_there(self) -> bool {
                self.is_some()
            }

            fn value(self) -> FieldValue<'static> {
                self.map_or(FieldValue::Absent, FieldValue::$variant)
            }
        })*
    };
}

field!(Attribute => Attribute, Type => Type, Identifier => String, u64 => Unsigned, i64 => Signed,
    u128 => Float);

/// Implements [`Field`] for numbers that are 0 if absent.
macro_rules! number {
    ($($ty:ty => $variant:ident),*) => {
        $(impl Field for $ty {
            fn of(value: &FieldValue<'_>) -> Self {
                <Option<$ty>>::of(value).unwrap_or_default()
            }

            fn is_there(self) -> bool {
                true
            }

            fn value(self) -> FieldValue<'static> {
                FieldValue::$variant(self)
            }
        })*
    };
}

number!(u64 => Unsigned, i64 => Signed);

/// Returns the value of argument `number`.
pub(crate) fn field<T: Field>(values: Parameters<'_, '_>, number: usize) -> T {
    T::of(values.get(number))
}

/// Returns the value of argument `number`, whose absence is the error `missing`.
pub(crate) fn required<T: Field>(
    values: Parameters<'_, '_>,
    number: usize,
    missing: &str,
) -> Result<T, Invalid> {
    let value = T::of(values.get(number));
    match value.is_there() {
        true => Ok(value),
        false => Err(Invalid::new(missing)),
    }
}

/// Returns item `at` of list `number`, whose absence is the error `missing`.
pub(crate) fn item<T: Field>(
    values: Parameters<'_, '_>,
    (number, at): (usize, usize),
    missing: &str,
) -> Result<T, Invalid> {
    let value = values.list(number).get(at).map(T::of).unwrap_or_default();
    match value.is_there() {
        true => Ok(value),
        false => Err(Invalid::new(missing)),
    }
}

/// Sets argument `number`, if there is a value.
pub(crate) fn set<T: Field>(values: &mut ParametersMut<'_>, number: usize, value: T) {
    if value.is_there() {
        values.set(number, value.value());
    }
}
