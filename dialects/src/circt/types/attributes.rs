//! Parameters of the attributes of `hw`, `firrtl`, `llhd` and `rtg`.

use super::{NO_STRING, NO_TYPE};
use crate::entry::{EntryAsm, Rows, TwoWayEntry, field, item, required, set};
use crate::two_way::{Name as _, Sequence as _};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{Attribute, AttributeKind, Identifier, Invalid, Type};

/// A declaration of a parameter: `"WIDTH": i32 = 8`. The parameters are name, type, value, and the
/// type of the attribute itself, which is the same.
#[derive(Debug)]
pub(crate) struct ParameterDeclaration;

/// The name, the type and the value of a declared parameter.
#[derive(Default)]
pub(crate) struct Declared {
    name: Option<Identifier>,
    ty: Option<Type>,
    value: Option<Attribute>,
}

impl TwoWayEntry for ParameterDeclaration {
    type Content<'v> = Declared;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok(Declared {
            name: required(values, 0, NO_STRING)?,
            ty: required(values, 1, NO_TYPE)?,
            value: field(values, 2),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.string(&mut content.name)?;
        asm.token(":", ": ")?;
        asm.ty(&mut content.ty)?;
        let mut has_value = content.value.is_some();
        asm.optional("=", " = ", &mut has_value);
        match has_value {
            true => asm.attribute_of(content.ty, &mut content.value),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 2, content.value);
        set(values, 0, content.name);
        set(values, 1, content.ty);
        set(values, 3, content.ty);
        Ok(())
    }
}

/// The type of an attribute, which the text leaves out: the one that the directive's text names,
/// `"dialect.mnemonic"`.
#[derive(Debug)]
pub(crate) struct SelfType;

impl TwoWayEntry for SelfType {
    type Content<'v> = ();

    fn content<'v>(&self, _: &mut dyn EntryPrinter, _: Parameters<'v, 'v>) -> Result<(), Invalid> {
        Ok(())
    }

    fn text(&self, _: &mut EntryAsm<'_>, (): &mut ()) -> AsmResult<()> {
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        (): (),
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let place = parser.place();
        let name = values.text(0).trim_matches('"').to_owned();
        let (dialect, text) = name.split_once('.').unwrap_or_default();
        let ty = crate::helpers::dialect_type(parser.context(), dialect, text);
        let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
        set(values, 0, Some(ty));
        Ok(())
    }
}

/// A time: `<42ns, 0d, 1e>`. The parameters are the number, its unit, and the numbers of `d` and
/// `e`.
#[derive(Debug)]
pub(crate) struct Time;

/// The parts of [`Time`].
#[derive(Default)]
pub(crate) struct TimeContent {
    time: u64,
    unit: Option<Identifier>,
    delta: u64,
    epsilon: u64,
}

/// A unit of time; present when printing.
fn time_unit(asm: &mut EntryAsm<'_>, unit: &mut Option<Identifier>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let Some(found) = parser.optional_keyword() else {
                return parser.expected("a unit of time");
            };
            let is_unit = matches!(
                parser.context().bytes(found),
                b"ys" | b"zs" | b"as" | b"fs" | b"ps" | b"ns" | b"us" | b"ms" | b"s"
            );
            if !is_unit {
                return Err(AsmError::new(place, "illegal time unit"));
            }
            *unit = Some(found);
        }
        EntryAsm::Printer(printer) => unit.print_word(&mut **printer),
    }
    Ok(())
}

impl TwoWayEntry for Time {
    type Content<'v> = TimeContent;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok(TimeContent {
            time: field(values, 0),
            unit: required(values, 1, NO_STRING)?,
            delta: field(values, 2),
            epsilon: field(values, 3),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.token("<", "<")?;
        asm.natural(&mut content.time)?;
        time_unit(asm, &mut content.unit)?;
        asm.token(",", ", ")?;
        asm.natural(&mut content.delta)?;
        asm.token("d", "d")?;
        asm.token(",", ", ")?;
        asm.natural(&mut content.epsilon)?;
        asm.token("e", "e")?;
        asm.token(">", ">")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.time);
        set(values, 1, content.unit);
        set(values, 2, content.delta);
        set(values, 3, content.epsilon);
        Ok(())
    }
}

/// The symbols of an operation and its fields: `@a`, or `[<@a,0,public>, <@b,1,private>]`. The
/// parameters are the names, the fields and the visibilities.
#[derive(Debug)]
pub(crate) struct InnerSymbol;

/// A symbol, the field that it names, and its visibility.
#[derive(Default)]
pub(crate) struct Symbol {
    name: Option<Identifier>,
    id: u64,
    visibility: Option<Identifier>,
}

impl Symbol {
    fn of(values: Parameters<'_, '_>, at: usize) -> Result<Self, Invalid> {
        Ok(Symbol {
            name: item(values, (0, at), NO_STRING)?,
            id: item(values, (1, at), "")?,
            visibility: item(values, (2, at), NO_STRING)?,
        })
    }

    /// `<@a,0,public>`.
    fn text(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        asm.token("<", "<")?;
        symbol_name(asm, &mut self.name)?;
        asm.token(",", ",")?;
        asm.natural(&mut self.id)?;
        asm.token(",", ",")?;
        match asm {
            EntryAsm::Parser(parser) => {
                let Some(word) = VISIBILITIES.iter().find(|word| parser.eat(word)) else {
                    return parser.expected("'public', 'private', or 'nested'");
                };
                self.visibility = Some(parser.context().identifier(word));
            }
            EntryAsm::Printer(printer) => self.visibility.print_word(&mut **printer),
        }
        asm.token(">", ">")
    }
}

/// `@name`; present when printing.
fn symbol_name(asm: &mut EntryAsm<'_>, name: &mut Option<Identifier>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let symbol = parser.attribute()?;
            match parser.context().attribute_kind(symbol) {
                AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
                    *name = Some(*root);
                }
                _ => return Err(AsmError::new(place, "expected the name of a symbol")),
            }
        }
        EntryAsm::Printer(printer) => {
            printer.text(b"@");
            name.print_word(&mut **printer);
        }
    }
    Ok(())
}

const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

impl TwoWayEntry for InnerSymbol {
    /// Whether one public symbol of the operation itself is written without brackets, and all
    /// symbols.
    type Content<'v> = (bool, Rows<'v, Symbol>);

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let (names, ids, visibilities) = (values.list(0), values.list(1), values.list(2));
        if names.len() != ids.len() || names.len() != visibilities.len() {
            return Err(Invalid::new(
                "expected a field and a visibility for each name",
            ));
        }
        let mut symbols = Rows::of(values, names.len(), Symbol::of)?;
        let is_public = |symbol: &mut Symbol| {
            let visibility = symbol.visibility.map(|word| printer.context().bytes(word));
            symbol.id == 0 && visibility == Some(b"public")
        };
        let is_bare = names.len() == 1 && symbols.with(0, is_public) == Some(true);
        Ok((is_bare, symbols))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (is_bare, symbols): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        *is_bare = !asm.is_there("[", !*is_bare);
        match *is_bare {
            false => asm.list(("[", "]"), symbols, |asm, symbol| symbol.text(asm)),
            true => asm.one(symbols, |asm, symbol| symbol_name(asm, &mut symbol.name)),
        }
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        (is_bare, mut symbols): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        match is_bare {
            true => {
                let public = parser.context().identifier("public");
                for symbol in &mut symbols.read {
                    symbol.visibility = Some(public);
                }
            }
            false => symbols.read.compact_sort_by_key(|symbol| symbol.id),
        }
        symbols.set(values, 0, |symbol| symbol.name);
        symbols.set(values, 1, |symbol| symbol.id);
        symbols.set(values, 2, |symbol| symbol.visibility);
        Ok(())
    }
}
