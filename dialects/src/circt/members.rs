//! Attributes and types with lists of members: channels, arguments, paths, ports.

use crate::two_way::is_word;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Identifier, Invalid};

/// A part of a member.
#[derive(Debug)]
pub(crate) enum Part {
    /// A type.
    Type,
    /// One of these words, by its index.
    Choice(&'static [&'static str]),
    /// A name, quoted where it is no keyword.
    Name,
    /// A name that is quoted where it is printed.
    Quoted,
    /// A token, as it is printed, or a space; it is no parameter.
    Text(&'static str),
}

/// Members in brackets: `[!esi.channel<i8> to "a"]`. For each part but texts, a parameter is the
/// list of all members' values.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) brackets: (&'static str, &'static str),
    pub(crate) parts: &'static [Part],
}

/// Parses a keyword or a quoted name.
fn name(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Identifier> {
    if let Some(name) = parser.optional_keyword() {
        return Ok(name);
    }
    match parser.optional_string() {
        Some(name) => Ok(name),
        None => parser.expected("valid keyword or string"),
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

impl EntrySyntax for Members {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let columns = self.values().count();
        let count = values.list(0).len();
        if (0..columns).any(|column| values.list(column).len() != count) {
            return Err(Invalid::new("expected all parts of each member"));
        }
        printer.text(self.brackets.0.as_bytes());
        for row in 0..count {
            printer.text(if row > 0 { b", " } else { b"" });
            let mut column = 0usize;
            for part in self.parts {
                if let Part::Text(text) = part {
                    printer.text(text.as_bytes());
                    continue;
                }
                let value = values.list(column).get(row);
                column = column.saturating_add(1);
                match (part, value) {
                    (Part::Type, Some(&FieldValue::Type(ty))) => printer.ty(ty),
                    (Part::Choice(words), Some(&FieldValue::Unsigned(number))) => {
                        let word = usize::try_from(number).ok().and_then(|at| words.get(at));
                        let word = word.ok_or_else(|| Invalid::new("expected a direction"))?;
                        printer.text(word.as_bytes());
                    }
                    (Part::Name | Part::Quoted, Some(&FieldValue::String(name))) => {
                        print_name(printer, name, matches!(part, Part::Quoted));
                    }
                    _ => return Err(Invalid::new("expected another kind of parameter")),
                }
            }
        }
        printer.text(self.brackets.1.as_bytes());
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut columns = Vec::new();
        columns.resize_with(self.values().count(), Vec::new);
        parser.expect(self.brackets.0)?;
        parser.separated(self.brackets.1, |parser| {
            let mut column = columns.iter_mut();
            for part in self.parts {
                let value = match part {
                    Part::Text(text) => {
                        match text.trim() {
                            "" => {}
                            token => parser.expect(token)?,
                        }
                        continue;
                    }
                    Part::Type => FieldValue::Type(parser.ty()?),
                    Part::Name | Part::Quoted => FieldValue::String(name(parser)?),
                    Part::Choice(words) => {
                        let place = parser.place();
                        let Some(found) = words.iter().position(|word| parser.eat(word)) else {
                            let message = format!("expected {}", words.join(" or "));
                            return Err(AsmError::new(place, message));
                        };
                        FieldValue::Unsigned(found as u64)
                    }
                };
                if let Some(column) = column.next() {
                    column.push(value);
                }
            }
            Ok(())
        })?;
        for (number, column) in columns.into_iter().enumerate() {
            values.set_list(number, column);
        }
        Ok(())
    }
}

/// A name, quoted where it is no keyword.
#[derive(Debug)]
pub(crate) struct Word;

impl EntrySyntax for Word {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let &FieldValue::String(name) = values.get(0) else {
            return Err(Invalid::new("expected a name"));
        };
        print_name(printer, name, false);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let name = name(parser)?;
        values.set(0, FieldValue::String(name));
        Ok(())
    }
}

/// A word that is there if the parameter, a number, is 1. A space is printed before and after it.
#[derive(Debug)]
pub(crate) struct Flag(pub(crate) &'static str);

impl EntrySyntax for Flag {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        if let FieldValue::Unsigned(1) = values.get(0) {
            printer.text(format!(" {} ", self.0).as_bytes());
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let there = parser.eat(self.0);
        values.set(0, FieldValue::Unsigned(u64::from(there)));
        Ok(())
    }
}

/// The type of an attribute, which the text leaves out: that of the first attribute of a list.
#[derive(Debug)]
pub(crate) struct TypeOfFirst;

impl EntrySyntax for TypeOfFirst {
    fn print(&self, _: &mut dyn EntryPrinter, _: Parameters<'_, '_>) -> Result<(), Invalid> {
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let first = values.list(1).first().cloned();
        if let Some(FieldValue::Attribute(first)) = first {
            let ty = super::literals::type_of(parser.context(), first);
            values.set(0, ty.map_or(FieldValue::Absent, FieldValue::Type));
        }
        Ok(())
    }
}

/// Prints a name, quoted if `always` or where it is no keyword.
fn print_name(printer: &mut (dyn EntryPrinter + '_), name: Identifier, always: bool) {
    let text = printer.context().bytes(name).to_vec();
    match !always && is_word(&text) {
        true => printer.text(&text),
        false => printer.string(name),
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
