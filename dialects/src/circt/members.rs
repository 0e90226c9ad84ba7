//! Attributes and types with lists of members: channels, arguments, paths, ports.

use crate::entry::{EntryAsm, Field, Rows, TwoWayEntry, field, required, set};
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, Identifier, Invalid, Type};
use std::fmt;

/// A part of a member.
#[derive(Debug)]
pub(crate) enum Part {
    /// A type.
    Type,
    /// One of these words, by its index.
    Choice(&'static [&'static str]),
    /// A name, in quotes unless it is a bare identifier.
    Name,
    /// A name that is printed in quotes.
    Quoted,
    /// A token with the spaces that are printed around it, or a space. It is not a parameter.
    Text(&'static str),
}

/// Members in brackets: `[!esi.channel<i8> to "a"]`. For each part but texts, a parameter is the
/// list of all members' values.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) brackets: (&'static str, &'static str),
    pub(crate) parts: &'static [Part],
}

/// The largest number of parts of a member that are parameters.
const COLUMNS: usize = 3;

/// A part of a member that is a parameter.
#[derive(Clone, Copy, Default)]
pub(crate) enum Cell {
    #[default]
    Absent,
    Type(Type),
    /// The index of a word.
    Choice(u64),
    Name(Identifier),
}

impl Field for Cell {
    fn of(value: &FieldValue<'_>) -> Self {
        match *value {
            FieldValue::Type(ty) => Cell::Type(ty),
            FieldValue::Unsigned(number) => Cell::Choice(number),
            FieldValue::String(name) => Cell::Name(name),
            _ => Cell::Absent,
        }
    }

    fn is_there(self) -> bool {
        !matches!(self, Cell::Absent)
    }

    fn value(self) -> FieldValue<'static> {
        match self {
            Cell::Absent => FieldValue::Absent,
            Cell::Type(ty) => FieldValue::Type(ty),
            Cell::Choice(number) => FieldValue::Unsigned(number),
            Cell::Name(name) => FieldValue::String(name),
        }
    }
}

impl Part {
    /// Returns whether this is the kind of a parameter.
    fn fits(&self, cell: Cell) -> bool {
        match (self, cell) {
            (Part::Type, Cell::Type(_)) | (Part::Name | Part::Quoted, Cell::Name(_)) => true,
            (Part::Choice(words), Cell::Choice(number)) => number < words.len() as u64,
            _ => false,
        }
    }

    /// The text of a part that is a parameter.
    fn text(&self, asm: &mut EntryAsm<'_>, cell: &mut Cell) -> AsmResult<()> {
        match self {
            Part::Type => {
                let mut ty = match *cell {
                    Cell::Type(ty) => Some(ty),
                    _ => None,
                };
                asm.ty(&mut ty)?;
                *cell = ty.map_or(Cell::Absent, Cell::Type);
            }
            Part::Choice(words) => {
                let mut chosen = match *cell {
                    Cell::Choice(number) => usize::try_from(number).unwrap_or(usize::MAX),
                    _ => 0,
                };
                asm.choice(words, &mut chosen)?;
                *cell = Cell::Choice(chosen as u64);
            }
            Part::Name | Part::Quoted => {
                let mut name = match *cell {
                    Cell::Name(name) => Some(name),
                    _ => None,
                };
                match (self, &asm) {
                    (Part::Quoted, EntryAsm::Printer(_)) => asm.string(&mut name)?,
                    _ => asm.word(&mut name)?,
                }
                *cell = name.map_or(Cell::Absent, Cell::Name);
            }
            Part::Text(_) => {}
        }
        Ok(())
    }
}

impl Members {
    /// Returns the parts that are parameters.
    fn values(&self) -> impl Iterator<Item = &Part> {
        self.parts
            .iter()
            .filter(|part| !matches!(part, Part::Text(_)))
    }
}

/// Returns the parameters of a member.
fn member(values: Parameters<'_, '_>, at: usize) -> Result<[Cell; COLUMNS], Invalid> {
    let mut cells = [Cell::Absent; COLUMNS];
    for (column, cell) in cells.iter_mut().enumerate() {
        let value = values.list(column).get(at);
        *cell = value.map(Cell::of).unwrap_or_default();
    }
    Ok(cells)
}

impl TwoWayEntry for Members {
    type Content<'v> = Rows<'v, [Cell; COLUMNS]>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let count = values.list(0).len();
        for (column, part) in self.values().enumerate() {
            let column = values.list(column);
            if column.len() != count {
                return Err(Invalid::new("expected all parts of each member"));
            }
            if !column.iter().all(|value| part.fits(Cell::of(value))) {
                return Err(Invalid::new("expected another kind of parameter"));
            }
        }
        Rows::of(values, count, member)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.list(self.brackets, content, |asm, row| {
            let mut cells = row.iter_mut();
            for part in self.parts {
                match part {
                    Part::Text(text) if text.trim().is_empty() => asm.space(text),
                    Part::Text(text) => asm.token(text.trim(), text)?,
                    _ => {
                        if let Some(cell) = cells.next() {
                            part.text(asm, cell)?;
                        }
                    }
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
        for column in 0..self.values().count() {
            content.set(values, column, |row| {
                row.get(column).copied().unwrap_or_default()
            });
        }
        Ok(())
    }
}

/// One parameter, which is the whole text.
#[derive(Debug)]
pub(crate) struct Single<T> {
    text: fn(&mut EntryAsm<'_>, &mut Option<T>) -> AsmResult<()>,
    /// The error for an absent parameter.
    missing: &'static str,
}

/// A name, in quotes unless it is a bare identifier.
pub(crate) const WORD: Single<Identifier> = Single {
    text: |asm, name| asm.word(name),
    missing: "expected a name",
};

/// An attribute, without its type if that is `i32`.
pub(crate) const WIDTH: Single<Attribute> = Single {
    text: |asm, width| asm.i32_attribute(width),
    missing: "expected a width",
};

impl<T: fmt::Debug> TwoWayEntry for Single<T>
where
    Option<T>: Field,
{
    type Content<'v> = Option<T>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        required(values, 0, self.missing)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, value: &mut Self::Content<'_>) -> AsmResult<()> {
        (self.text)(asm, value)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        value: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, value);
        Ok(())
    }
}

/// A word that is there if the parameter, a number, is 1. A space is printed before and after it.
#[derive(Debug)]
pub(crate) struct Flag(pub(crate) &'static str);

impl TwoWayEntry for Flag {
    type Content<'v> = bool;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok(field::<u64>(values, 0) == 1)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, there: &mut Self::Content<'_>) -> AsmResult<()> {
        let around = if *there { " " } else { "" };
        asm.space(around);
        asm.optional(self.0, self.0, there);
        asm.space(around);
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        there: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, u64::from(there));
        Ok(())
    }
}

/// The type of an attribute, which the text leaves out: that of the first attribute of a list.
#[derive(Debug)]
pub(crate) struct TypeOfFirst;

impl TwoWayEntry for TypeOfFirst {
    type Content<'v> = Option<Type>;

    fn given(
        &self,
        parser: &mut dyn EntryParser,
        values: &ParametersMut<'_>,
    ) -> Self::Content<'static> {
        match values.list(1).first() {
            Some(&FieldValue::Attribute(first)) => {
                super::literals::type_of(parser.context(), first)
            }
            _ => None,
        }
    }

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        _: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok(None)
    }

    fn text(&self, _: &mut EntryAsm<'_>, _: &mut Self::Content<'_>) -> AsmResult<()> {
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        ty: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, ty);
        Ok(())
    }
}

/// The directions of a bundle's channels.
pub(crate) const CHANNEL_DIRECTIONS: [&str; 2] = ["to", "from"];

/// The directions of the arguments of functions in C.
pub(crate) const DPI_DIRECTIONS: [&str; 5] = ["in", "out", "inout", "return", "ref"];

/// The channels of `!esi.bundle`: types, directions, names.
pub(crate) const CHANNELS: Members = Members {
    brackets: ("[", "]"),
    parts: &[
        Part::Type,
        Part::Text(" "),
        Part::Choice(&CHANNEL_DIRECTIONS),
        Part::Text(" "),
        Part::Quoted,
    ],
};

/// The arguments of `!sim.dpi_functy`: directions, names, types.
pub(crate) const DPI_ARGUMENTS: Members = Members {
    brackets: ("<", ">"),
    parts: &[
        Part::Choice(&DPI_DIRECTIONS),
        Part::Text(" "),
        Part::Quoted,
        Part::Text(" : "),
        Part::Type,
    ],
};

/// The ports of `!systemc.module`: names, types.
pub(crate) const SYSTEMC_PORTS: Members = Members {
    brackets: ("(", ")"),
    parts: &[Part::Name, Part::Text(": "), Part::Type],
};

/// The elements of `#om.path`: modules, instances.
pub(crate) const PATH: Members = Members {
    brackets: ("[", "]"),
    parts: &[Part::Name, Part::Text(":"), Part::Name],
};
