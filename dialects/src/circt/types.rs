//! Parameters of the types and attributes of `hw` and `firrtl`.

use crate::two_way::is_word;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{AttributeKind, Context, Identifier, Invalid, Type};

/// Returns the type in a value.
fn ty(value: &FieldValue<'_>) -> Result<Type, Invalid> {
    match value {
        FieldValue::Type(ty) => Ok(*ty),
        _ => Err(Invalid::new("expected a type")),
    }
}

/// Returns the string in a value.
fn string(value: &FieldValue<'_>) -> Result<Identifier, Invalid> {
    match value {
        FieldValue::String(name) => Ok(*name),
        _ => Err(Invalid::new("expected a string")),
    }
}

/// Returns the number in a value.
fn number(value: &FieldValue<'_>) -> u64 {
    match value {
        FieldValue::Unsigned(number) => *number,
        FieldValue::Signed(number) => number.unsigned_abs(),
        _ => 0,
    }
}

/// Prints a name as a keyword, or quoted.
fn print_name(printer: &mut (dyn EntryPrinter + '_), name: Identifier) {
    let text = printer.context().bytes(name).to_vec();
    match is_word(&text) {
        true => printer.text(&text),
        false => printer.string(name),
    }
}

/// Parses a keyword or a quoted name.
fn parse_name(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Identifier> {
    if let Some(name) = parser.optional_keyword() {
        return Ok(name);
    }
    match parser.optional_string() {
        Some(name) => Ok(name),
        None => parser.expected("valid keyword or string"),
    }
}

/// Parses an integer that is not negative.
fn parse_number(parser: &mut (dyn EntryParser + '_)) -> AsmResult<u64> {
    let place = parser.place();
    match parser.optional_integer()? {
        Some(value) => u64::try_from(value)
            .map_err(|_| AsmError::new(place, "expected a non-negative integer")),
        None => parser.expected("integer value"),
    }
}

/// How nested types are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nested {
    /// In full.
    Full,
    /// Without the name of the dialect.
    Bare(&'static str),
}

impl Nested {
    fn print(self, printer: &mut (dyn EntryPrinter + '_), ty: Type) {
        match self {
            Nested::Full => printer.ty(ty),
            Nested::Bare(dialect) => printer.bare_type(ty, dialect),
        }
    }

    fn parse(self, parser: &mut (dyn EntryParser + '_)) -> AsmResult<Type> {
        match self {
            Nested::Full => parser.ty(),
            Nested::Bare(_) => parser.bare_type(),
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

impl EntrySyntax for Fields {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (names, types, marks) = (values.list(0), values.list(1), values.list(2));
        let marked = self.mark != Mark::None;
        if names.len() != types.len() || marked && marks.len() != names.len() {
            return Err(Invalid::new("expected a type for each field"));
        }
        printer.text(self.brackets.0.as_bytes());
        for (at, (name, of)) in names.iter().zip(types).enumerate() {
            if at > 0 {
                printer.text(b", ");
            }
            let mark = marks.get(at).map_or(0, number);
            if let Mark::Direction(words) = self.mark {
                let word = usize::try_from(mark).ok().and_then(|at| words.get(at));
                let word = word.ok_or_else(|| Invalid::new("expected a direction"))?;
                printer.text(word.as_bytes());
                printer.text(b" ");
            }
            print_name(printer, string(name)?);
            if let Mark::Flag(word) = self.mark
                && mark != 0
            {
                printer.text(b" ");
                printer.text(word.as_bytes());
            }
            printer.text(self.colon.as_bytes());
            self.nested.print(printer, ty(of)?);
            if let Mark::Offset(word) = self.mark
                && mark != 0
            {
                printer.text(format!(" {word} {mark}").as_bytes());
            }
        }
        printer.text(self.brackets.1.as_bytes());
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let (mut names, mut types, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        parser.expect(self.brackets.0)?;
        parser.separated(self.brackets.1, |parser| {
            let mut mark = 0;
            if let Mark::Direction(words) = self.mark {
                let Some(found) = words.iter().position(|word| parser.eat(word)) else {
                    return parser.expected(&words.join(" or "));
                };
                mark = found as u64;
            }
            let place = parser.place();
            let name = parse_name(parser)?;
            if self.distinct && names.contains(&name) {
                let name = parser.context().str(name).into_owned();
                let message = format!("duplicate field name '{name}'");
                return Err(AsmError::new(place, message));
            }
            names.push(name);
            if let Mark::Flag(word) = self.mark {
                mark = u64::from(parser.eat(word));
            }
            parser.expect(":")?;
            types.push(self.nested.parse(parser)?);
            if let Mark::Offset(word) = self.mark
                && parser.eat(word)
            {
                mark = parse_number(parser)?;
            }
            marks.push(mark);
            Ok(())
        })?;
        values.set_list(0, names.into_iter().map(FieldValue::String));
        values.set_list(1, types.into_iter().map(FieldValue::Type));
        if self.mark != Mark::None {
            values.set_list(2, marks.into_iter().map(FieldValue::Unsigned));
        }
        Ok(())
    }
}

/// The variants of `!firrtl.enum`: `A, B: uint<8>, C = 5`. The parameters are names, types and
/// values. A type `uint<0>` is left out, and so is a value that follows the one before.
#[derive(Debug)]
pub(crate) struct Variants;

impl EntrySyntax for Variants {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (names, types, numbers) = (values.list(0), values.list(1), values.list(2));
        if names.len() != types.len() || names.len() != numbers.len() {
            return Err(Invalid::new("expected a type and a value for each variant"));
        }
        printer.text(b"<");
        let mut next = 0u64;
        for (at, (name, of)) in names.iter().zip(types).enumerate() {
            if at > 0 {
                printer.text(b", ");
            }
            print_name(printer, string(name)?);
            let value = numbers.get(at).map_or(0, number);
            if value != next {
                printer.text(format!(" = {value}").as_bytes());
            }
            next = value.wrapping_add(1);
            let of = ty(of)?;
            if !crate::helpers::is_dialect_type(printer.context(), of, "firrtl", "uint<0>") {
                printer.text(b": ");
                printer.bare_type(of, "firrtl");
            }
        }
        printer.text(b">");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let (mut names, mut types, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        parser.expect("<")?;
        let mut next = 0u64;
        parser.separated(">", |parser| {
            names.push(parse_name(parser)?);
            let value = match parser.eat("=") {
                true => parse_number(parser)?,
                false => next,
            };
            next = value.wrapping_add(1);
            numbers.push(value);
            let place = parser.place();
            types.push(match parser.eat(":") {
                true => parser.bare_type()?,
                false => crate::helpers::dialect_type(parser.context(), "firrtl", "uint<0>")
                    .map_err(|error| AsmError::new(place, error.message()))?,
            });
            Ok(())
        })?;
        values.set_list(0, names.into_iter().map(FieldValue::String));
        values.set_list(1, types.into_iter().map(FieldValue::Type));
        values.set_list(2, numbers.into_iter().map(FieldValue::Unsigned));
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
    fn print_type(&self, printer: &mut dyn EntryPrinter, ty: Type) {
        let is_bare = self.mnemonics.is_empty()
            || (self.mnemonics.iter())
                .any(|word| crate::helpers::is_of(printer.context(), ty, self.dialect, word));
        match is_bare {
            true => printer.bare_type(ty, self.dialect),
            false => printer.ty(ty),
        }
    }

    fn parse_type(&self, parser: &mut dyn EntryParser) -> AsmResult<Type> {
        let is_bare =
            self.mnemonics.is_empty() || self.mnemonics.iter().any(|word| parser.at(word));
        match is_bare {
            true => parser.bare_type(),
            false => parser.ty(),
        }
    }
}

impl EntrySyntax for ElementType {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let ty = ty(values.get(0))?;
        self.print_type(printer, ty);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let ty = self.parse_type(parser)?;
        values.set(0, FieldValue::Type(ty));
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

impl EntrySyntax for Array {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (FieldValue::Attribute(size), element) = (values.get(0), ty(values.get(1))?) else {
            return Err(Invalid::new("expected the size of an array"));
        };
        printer.attribute_without_type(*size);
        printer.text(b"x");
        HW_ELEMENT.print_type(printer, element);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let sizes = parser.dimensions()?;
        let ty = parser.context().i64_type();
        let size = match *sizes {
            [size] if size >= 0 => parser.context().integer_attribute(ty, size),
            [] => {
                let size = parser.attribute_of_type(ty)?;
                // `x` can be the start of a word: `xi8`.
                parser.expect_times()?;
                Ok(size)
            }
            _ => return Err(AsmError::new(place, "expected integer")),
        };
        let size = size.map_err(|error| AsmError::new(place, error.message()))?;
        let element = HW_ELEMENT.parse_type(parser)?;
        values.set(0, FieldValue::Attribute(size));
        values.set(1, FieldValue::Type(element));
        Ok(())
    }
}

/// An attribute of a builtin type that is left out: `i32`.
#[derive(Debug)]
pub(crate) struct Width;

impl EntrySyntax for Width {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let FieldValue::Attribute(width) = values.get(0) else {
            return Err(Invalid::new("expected a width"));
        };
        printer.attribute_without_type(*width);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let ty = parser.context().integer_type(32);
        let width = parser.attribute_of_type(ty)?;
        values.set(0, FieldValue::Attribute(width));
        Ok(())
    }
}

/// Keywords separated by commas.
#[derive(Debug)]
pub(crate) struct Keywords;

impl EntrySyntax for Keywords {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for (at, name) in values.list(0).iter().enumerate() {
            if at > 0 {
                printer.text(b", ");
            }
            print_name(printer, string(name)?);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut names = Vec::new();
        while !parser.at(">") {
            names.push(FieldValue::String(parse_name(parser)?));
            if !parser.eat(",") {
                break;
            }
        }
        values.set_list(0, names);
        Ok(())
    }
}

/// A declaration of a parameter: `"WIDTH": i32 = 8`. The parameters are name, type, value, and the
/// type of the attribute itself, which is the same.
#[derive(Debug)]
pub(crate) struct ParameterDeclaration;

impl EntrySyntax for ParameterDeclaration {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (name, ty) = (string(values.get(0))?, ty(values.get(1))?);
        printer.string(name);
        printer.text(b": ");
        printer.ty(ty);
        if let FieldValue::Attribute(value) = values.get(2) {
            printer.text(b" = ");
            printer.attribute_without_type(*value);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let Some(name) = parser.optional_string() else {
            return parser.expected("string");
        };
        parser.expect(":")?;
        let ty = parser.ty()?;
        if parser.eat("=") {
            let value = parser.attribute_of_type(ty)?;
            values.set(2, FieldValue::Attribute(value));
        }
        values.set(0, FieldValue::String(name));
        values.set(1, FieldValue::Type(ty));
        values.set(3, FieldValue::Type(ty));
        Ok(())
    }
}

/// The type of an attribute, which the text leaves out: the one that the directive's text names,
/// `"dialect.mnemonic"`.
#[derive(Debug)]
pub(crate) struct SelfType;

impl EntrySyntax for SelfType {
    fn print(&self, _: &mut dyn EntryPrinter, _: Parameters<'_, '_>) -> Result<(), Invalid> {
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let name = values.text(0).trim_matches('"').to_owned();
        let (dialect, text) = name.split_once('.').unwrap_or_default();
        let ty = crate::helpers::dialect_type(parser.context(), dialect, text);
        let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
        values.set(0, FieldValue::Type(ty));
        Ok(())
    }
}

/// A time: `<42ns, 0d, 1e>`. The parameters are the number, its unit, and the numbers of `d` and
/// `e`.
#[derive(Debug)]
pub(crate) struct Time;

impl EntrySyntax for Time {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let unit = string(values.get(1))?;
        let unit = printer.context().str(unit).into_owned();
        let (time, delta, epsilon) = (
            number(values.get(0)),
            number(values.get(2)),
            number(values.get(3)),
        );
        printer.text(format!("<{time}{unit}, {delta}d, {epsilon}e>").as_bytes());
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect("<")?;
        let time = parse_number(parser)?;
        let place = parser.place();
        let Some(unit) = parser.optional_keyword() else {
            return parser.expected("a unit of time");
        };
        let is_unit = matches!(
            parser.context().bytes(unit),
            b"ys" | b"zs" | b"as" | b"fs" | b"ps" | b"ns" | b"us" | b"ms" | b"s"
        );
        if !is_unit {
            return Err(AsmError::new(place, "illegal time unit"));
        }
        parser.expect(",")?;
        let delta = parse_number(parser)?;
        parser.expect("d")?;
        parser.expect(",")?;
        let epsilon = parse_number(parser)?;
        parser.expect("e")?;
        parser.expect(">")?;
        values.set(0, FieldValue::Unsigned(time));
        values.set(1, FieldValue::String(unit));
        values.set(2, FieldValue::Unsigned(delta));
        values.set(3, FieldValue::Unsigned(epsilon));
        Ok(())
    }
}

/// The symbols of an operation and its fields: `@a`, or `[<@a,0,public>, <@b,1,private>]`. The
/// parameters are the names, the fields and the visibilities.
#[derive(Debug)]
pub(crate) struct InnerSymbol;

/// Prints `@name`.
fn print_symbol(printer: &mut (dyn EntryPrinter + '_), name: Identifier) {
    let text = printer.context().bytes(name).to_vec();
    printer.text(b"@");
    match is_word(&text) {
        true => printer.text(&text),
        false => printer.string(name),
    }
}

/// Parses `@name`.
fn parse_symbol(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Identifier> {
    let place = parser.place();
    let symbol = parser.attribute()?;
    match parser.context().attribute_kind(symbol) {
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
        _ => Err(AsmError::new(place, "expected the name of a symbol")),
    }
}

const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

impl EntrySyntax for InnerSymbol {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (names, ids, visibilities) = (values.list(0), values.list(1), values.list(2));
        if names.len() != ids.len() || names.len() != visibilities.len() {
            return Err(Invalid::new(
                "expected a field and a visibility for each name",
            ));
        }
        let word = |context: &Context, at: usize| -> Result<Vec<u8>, Invalid> {
            let word = visibilities.get(at).map(string);
            word.map_or_else(|| Ok(Vec::new()), |word| Ok(context.bytes(word?).to_vec()))
        };
        if let ([name], [id]) = (names, ids)
            && number(id) == 0
            && word(printer.context(), 0)? == b"public"
        {
            print_symbol(printer, string(name)?);
            return Ok(());
        }
        printer.text(b"[");
        for (at, (name, id)) in names.iter().zip(ids).enumerate() {
            printer.text(if at > 0 { b", <" } else { b"<" });
            print_symbol(printer, string(name)?);
            printer.text(format!(",{},", number(id)).as_bytes());
            let word = word(printer.context(), at)?;
            printer.text(&word);
            printer.text(b">");
        }
        printer.text(b"]");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut found = Vec::new();
        if parser.eat("[") {
            found = parser.separated("]", |parser| {
                parser.expect("<")?;
                let name = parse_symbol(parser)?;
                parser.expect(",")?;
                let id = parse_number(parser)?;
                parser.expect(",")?;
                let Some(word) = VISIBILITIES.iter().find(|word| parser.eat(word)) else {
                    return parser.expected("'public', 'private', or 'nested'");
                };
                let word = parser.context().identifier(word);
                parser.expect(">")?;
                Ok((name, id, word))
            })?;
            found.compact_sort_by_key(|one| one.1);
        } else {
            let name = parse_symbol(parser)?;
            let public = parser.context().identifier("public");
            found.push((name, 0, public));
        }
        values.set_list(0, found.iter().map(|one| FieldValue::String(one.0)));
        values.set_list(1, found.iter().map(|one| FieldValue::Unsigned(one.1)));
        values.set_list(2, found.iter().map(|one| FieldValue::String(one.2)));
        Ok(())
    }
}
