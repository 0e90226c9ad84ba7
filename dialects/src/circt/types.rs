//! Parameters of the types of `hw` and `firrtl`.

mod attributes;

use crate::entry::{EntryAsm, List, Rows, TwoWayEntry, item, required, set};
pub(crate) use attributes::{InnerSymbol, ParameterDeclaration, SelfType, Time};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::{Attribute, Identifier, Invalid, Type};
use std::collections::HashSet;

const NO_TYPE: &str = "expected a type";
const NO_STRING: &str = "expected a string";

/// How nested types are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nested {
    /// In full.
    Full,
    /// Without the name of the dialect.
    Bare(&'static str),
}

impl Nested {
    fn text(self, asm: &mut EntryAsm<'_>, ty: &mut Option<Type>) -> AsmResult<()> {
        match self {
            Nested::Full => asm.ty(ty),
            Nested::Bare(dialect) => asm.bare_type(dialect, ty),
        }
    }
}

/// A word or number of each field, before or after its name and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// None.
    None,
    /// One of these words before the name, by its index.
    Direction(&'static [&'static str]),
    /// The word after the name if the field is marked.
    Flag(&'static str),
    /// The word and a number after the type, unless the number is 0.
    Offset(&'static str),
}

/// Named fields: `a: i32, b: i1`. The parameters are the names, the types and, if fields are
/// marked, the marks.
#[derive(Debug)]
pub(crate) struct Fields {
    pub(crate) brackets: (&'static str, &'static str),
    /// The text between name and type.
    pub(crate) colon: &'static str,
    pub(crate) nested: Nested,
    pub(crate) mark: Mark,
    /// Whether no two fields have the same name.
    pub(crate) distinct: bool,
}

/// A field.
#[derive(Default)]
pub(crate) struct Field {
    name: Option<Identifier>,
    ty: Option<Type>,
    mark: u64,
}

impl Field {
    fn of(values: Parameters<'_, '_>, at: usize) -> Result<Self, Invalid> {
        Ok(Field {
            name: item(values, (0, at), NO_STRING)?,
            ty: item(values, (1, at), NO_TYPE)?,
            mark: item(values, (2, at), "")?,
        })
    }
}

impl TwoWayEntry for Fields {
    type Content<'v> = Rows<'v, Field>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let (names, types, marks) = (values.list(0), values.list(1), values.list(2));
        let marked = self.mark != Mark::None;
        if names.len() != types.len() || marked && marks.len() != names.len() {
            return Err(Invalid::new("expected a type for each field"));
        }
        let directions = match self.mark {
            Mark::Direction(words) => words.len() as u64,
            _ => u64::MAX,
        };
        let mut marks = (0..names.len()).map(|at| item::<u64>(values, (2, at), ""));
        if marks.any(|mark| mark.is_ok_and(|mark| mark >= directions)) {
            return Err(Invalid::new("expected a direction"));
        }
        Rows::of(values, names.len(), Field::of)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        let mut names = HashSet::new();
        asm.list(self.brackets, content, |asm, field| {
            if let Mark::Direction(words) = self.mark {
                let mut direction = usize::try_from(field.mark).unwrap_or(usize::MAX);
                asm.choice(words, &mut direction)?;
                asm.space(" ");
                field.mark = direction as u64;
            }
            let place = asm.place();
            asm.word(&mut field.name)?;
            if let (true, Some(place), Some(name)) = (self.distinct, place, field.name)
                && !names.insert(name)
            {
                let name = asm.context().str(name).into_owned();
                let message = format!("duplicate field name '{name}'");
                return Err(AsmError::new(place, message));
            }
            if let Mark::Flag(word) = self.mark {
                let mut is_marked = field.mark != 0;
                if is_marked {
                    asm.space(" ");
                }
                asm.optional(word, word, &mut is_marked);
                field.mark = is_marked.into();
            }
            asm.token(":", self.colon)?;
            self.nested.text(asm, &mut field.ty)?;
            if let Mark::Offset(word) = self.mark {
                let mut is_marked = field.mark != 0;
                if is_marked {
                    asm.space(" ");
                }
                asm.optional(word, word, &mut is_marked);
                if is_marked {
                    asm.space(" ");
                    asm.natural(&mut field.mark)?;
                }
            }
            Ok(())
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.set(values, 0, |field| field.name);
        content.set(values, 1, |field| field.ty);
        if self.mark != Mark::None {
            content.set(values, 2, |field| field.mark);
        }
        Ok(())
    }
}

/// The variants of `!firrtl.enum`: `A, B: uint<8>, C = 5`. The parameters are names, types and
/// values. A type `uint<0>` is left out, and so is a value that follows the one before.
#[derive(Debug)]
pub(crate) struct Variants;

/// The type of a variant that has none in the text.
const NO_VALUE: (&str, &str) = ("firrtl", "uint<0>");

impl TwoWayEntry for Variants {
    /// The marks are the values.
    type Content<'v> = Rows<'v, Field>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let (names, types, numbers) = (values.list(0), values.list(1), values.list(2));
        if names.len() != types.len() || names.len() != numbers.len() {
            return Err(Invalid::new("expected a type and a value for each variant"));
        }
        Rows::of(values, names.len(), Field::of)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        let mut next = 0u64;
        asm.list(("<", ">"), content, |asm, variant| {
            asm.word(&mut variant.name)?;
            let mut has_value = variant.mark != next;
            asm.optional("=", " = ", &mut has_value);
            match has_value {
                true => asm.natural(&mut variant.mark)?,
                false => variant.mark = next,
            }
            next = variant.mark.wrapping_add(1);
            let place = asm.place();
            let (dialect, text) = NO_VALUE;
            let mut has_type = variant.ty.is_some_and(|ty| {
                !crate::helpers::is_dialect_type(asm.context(), ty, dialect, text)
            });
            asm.optional(":", ": ", &mut has_type);
            if has_type {
                return asm.bare_type(dialect, &mut variant.ty);
            }
            asm.check(place, |context| {
                let made = crate::helpers::dialect_type(context, dialect, text);
                variant.ty = made.as_ref().ok().copied();
                made.err().map(|error| error.message().to_owned())
            })
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.set(values, 0, |variant| variant.name);
        content.set(values, 1, |variant| variant.ty);
        content.set(values, 2, |variant| variant.mark);
        Ok(())
    }
}

/// A type of the dialect that is written without the dialect's name, among types that can be those
/// of other dialects.
#[derive(Debug)]
pub(crate) struct ElementType {
    pub(crate) dialect: &'static str,
    /// The mnemonics that are written so; empty if all types are of the dialect.
    pub(crate) mnemonics: &'static [&'static str],
}

impl ElementType {
    fn ty(&self, asm: &mut EntryAsm<'_>, ty: &mut Option<Type>) -> AsmResult<()> {
        let is_there = |word: &&str| match asm {
            EntryAsm::Parser(parser) => parser.at(word),
            EntryAsm::Printer(printer) => ty
                .is_some_and(|ty| crate::helpers::is_of(printer.context(), ty, self.dialect, word)),
        };
        match self.mnemonics.is_empty() || self.mnemonics.iter().any(is_there) {
            true => asm.bare_type(self.dialect, ty),
            false => asm.ty(ty),
        }
    }
}

impl TwoWayEntry for ElementType {
    type Content<'v> = Option<Type>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        required(values, 0, NO_TYPE)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        self.ty(asm, content)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content);
        Ok(())
    }
}

/// The types of `hw` that are written without the dialect's name inside of others.
pub(crate) const HW_ELEMENT: ElementType = ElementType {
    dialect: "hw",
    mnemonics: &[
        "array",
        "inout",
        "uarray",
        "struct",
        "typealias",
        "int",
        "enum",
        "union",
    ],
};

/// The size and the element type of an array: `4xi8`, where the size is a number or an attribute.
#[derive(Debug)]
pub(crate) struct Array;

/// The size of an array and the `x` after it.
fn array_size(asm: &mut EntryAsm<'_>, size: &mut Option<Attribute>) -> AsmResult<()> {
    if let EntryAsm::Parser(parser) = asm {
        let place = parser.place();
        let sizes = parser.dimensions()?;
        let ty = parser.context().i64_type();
        let found = match *sizes {
            [size] if size >= 0 => parser.context().integer_attribute(ty, size),
            [] => {
                let size = parser.attribute_of_type(ty)?;
                // `x` can be the start of a word: `xi8`.
                parser.expect_times()?;
                Ok(size)
            }
            _ => return Err(AsmError::new(place, "expected integer")),
        };
        *size = Some(found.map_err(|error| AsmError::new(place, error.message()))?);
        return Ok(());
    }
    asm.attribute_of(None, size)?;
    asm.token("x", "x")
}

impl TwoWayEntry for Array {
    type Content<'v> = (Option<Attribute>, Option<Type>);

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let element = required(values, 1, NO_TYPE)?;
        let size = required(values, 0, "expected the size of an array")?;
        Ok((size, element))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (size, element): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        array_size(asm, size)?;
        HW_ELEMENT.ty(asm, element)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        (size, element): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, size);
        set(values, 1, element);
        Ok(())
    }
}

/// Keywords separated by commas.
#[derive(Debug)]
pub(crate) struct Keywords;

impl TwoWayEntry for Keywords {
    type Content<'v> = List<'v, Option<Identifier>>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        List::of(values, 0, NO_STRING)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.items_until(">", content, |asm, name| asm.word(name))
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.set(values, 0);
        Ok(())
    }
}
