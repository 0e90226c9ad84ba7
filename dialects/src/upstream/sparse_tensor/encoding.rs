//! Syntax of `#sparse_tensor.encoding`.

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyReference, Context, Identifier, Invalid,
};
use std::fmt::Write;

/// The parameters of `#sparse_tensor.encoding`: `{ map = [s0](d0, d1) -> (d0 : dense, d1 :
/// compressed), posWidth = 32, ... }`. They are the number of symbols; the optional slice of each
/// dimension; the expression and the format of each level; the widths; the explicit and the
/// implicit value.
#[derive(Debug)]
pub(crate) struct Encoding;

/// The properties of a level besides its format, in order.
const PROPERTIES: [&str; 3] = ["nonunique", "nonordered", "soa"];
/// The formats of levels.
const FORMATS: [&str; 5] = [
    "batch",
    "compressed",
    "dense",
    "loose_compressed",
    "singleton",
];
/// The fields after the map: those with a number, and those with an attribute.
const WIDTHS: [&str; 2] = ["posWidth", "crdWidth"];
const VALUES: [&str; 2] = ["explicitVal", "implicitVal"];

/// The maximum number of symbols of an encoding.
const MOST_SYMBOLS: usize = 1 << 10;
/// An encoding without levels.
const NO_LEVELS: &str = "expected a non-empty array for lvlTypes";
/// Bytes that an expression may take as text.
const LONGEST: usize = 1 << 16;

fn keyword(parser: &mut dyn EntryParser, what: &str) -> AsmResult<String> {
    match parser.optional_keyword() {
        Some(word) => Ok(parser.context().str(word).into_owned()),
        None => parser.expected(what),
    }
}

/// Parses the name of a dimension, level or symbol.
fn name(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Identifier> {
    match parser.optional_keyword() {
        Some(word) => Ok(word),
        None => parser.expected("variable"),
    }
}

/// The declared variables: symbols, levels declared before the dimensions, and dimensions.
#[derive(Default)]
struct Variables {
    symbols: Vec<Identifier>,
    levels: Vec<Identifier>,
    dims: Vec<Identifier>,
}

impl Variables {
    /// Parses `d0` or `d0 = l0 * 2 + l1`, optionally followed by a slice.
    fn dim(&mut self, parser: &mut (dyn EntryParser + '_)) -> AsmResult<Option<Attribute>> {
        self.dims.push(name(parser)?);
        if parser.eat("=") {
            // The expression is redundant: the expressions of the levels determine it.
            parser.affine_expression(&self.levels, &self.symbols)?;
        }
        if !parser.eat(":") {
            return Ok(None);
        }
        let place = parser.place();
        let attribute = parser.attribute()?;
        let context = parser.context();
        let is_slice = matches!(
            context.attribute_kind(attribute),
            AttributeKind::Dialect { dialect, body, .. }
                if context.bytes(*dialect) == b"sparse_tensor" && body.mnemonic() == b"slice"
        );
        if !is_slice {
            return Err(AsmError::new(place, "expected SparseTensorDimSliceAttr"));
        }
        Ok(Some(attribute))
    }

    /// Parses `d0 floordiv 2 : compressed`, optionally after the level's name and `=`; returns the
    /// expression and the format.
    fn level(
        &self,
        parser: &mut (dyn EntryParser + '_),
        number: usize,
    ) -> AsmResult<(String, String)> {
        let place = parser.place();
        if let Some(&declared) = self.levels.get(number) {
            if name(parser)? != declared {
                return Err(AsmError::new(place, "expected the level that is declared"));
            }
            parser.expect("=")?;
        }
        let expression = parser.affine_expression(&self.dims, &self.symbols)?;
        let mut text = Vec::new();
        let printed = parser
            .context()
            .affine()
            .print_expr(expression, LONGEST, &mut text);
        if printed.is_err() {
            return Err(AsmError::new(place, "the expression is too long"));
        }
        parser.expect(":")?;
        let format = level(parser)?;
        Ok((String::from_utf8_lossy(&text).into_owned(), format))
    }
}

/// Parses the format of a level: `compressed(nonunique)`, `structured[2, 4]`.
fn level(parser: &mut dyn EntryParser) -> AsmResult<String> {
    let place = parser.place();
    let mut text = keyword(parser, "level format")?;
    if text == "structured" {
        parser.expect("[")?;
        let first = parser.integer()?;
        parser.expect(",")?;
        let second = parser.integer()?;
        parser.expect("]")?;
        let _ = write!(text, "[{first}, {second}]");
    } else if !FORMATS.contains(&text.as_str()) {
        return Err(AsmError::new(
            place,
            format!("unknown level format: {text}"),
        ));
    }
    if parser.eat("(") {
        let place = parser.place();
        let found = parser.separated(")", |parser| keyword(parser, "level property"))?;
        let known = |word: &String| PROPERTIES.contains(&word.as_str());
        if !found.iter().all(known) {
            return Err(AsmError::new(place, "unknown level property"));
        }
        let words: Vec<&str> = PROPERTIES
            .into_iter()
            .filter(|property| found.iter().any(|word| word == property))
            .collect();
        if !words.is_empty() {
            let _ = write!(text, "({})", words.join(", "));
        }
    }
    Ok(text)
}

/// Returns the strings of a list.
fn strings(
    printer: &mut dyn EntryPrinter,
    values: Parameters<'_, '_>,
    number: usize,
) -> Vec<String> {
    let context = printer.context();
    let string = |value: &FieldValue<'_>| match value {
        FieldValue::String(text) => context.str(*text).into_owned(),
        _ => String::new(),
    };
    values.list(number).iter().map(string).collect()
}

/// Returns numbered names: `d0, d1`.
fn numbered(letter: char, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{letter}{n}")).collect()
}

/// A piece of a body.
enum Piece {
    Text(String),
    Attribute(Attribute),
}

/// Returns the pieces of `map = [s0](d0, d1) -> (d0 : dense, d1 : compressed)`.
fn map_pieces(
    symbols: usize,
    slices: &[Option<Attribute>],
    levels: &[String],
    formats: &[String],
) -> Vec<Piece> {
    let symbols = match symbols {
        0 => String::new(),
        count => format!("[{}]", numbered('s', count).join(", ")),
    };
    let mut text = format!("map = {symbols}(");
    let mut pieces = Vec::new();
    for (number, slice) in slices.iter().enumerate() {
        text.push_str(if number > 0 { ", " } else { "" });
        let _ = write!(text, "d{number}");
        if let Some(slice) = slice {
            text.push_str(" : ");
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Attribute(*slice));
        }
    }
    let levels: Vec<String> = levels
        .iter()
        .zip(formats)
        .map(|(expression, format)| format!("{expression} : {format}"))
        .collect();
    let _ = write!(text, ") -> ({})", levels.join(", "));
    pieces.push(Piece::Text(text));
    pieces
}

/// Returns the slices of dimensions.
fn slices_of(items: &[FieldValue<'_>]) -> Vec<Option<Attribute>> {
    let slice = |item: &FieldValue<'_>| match item {
        FieldValue::Attribute(slice) => Some(*slice),
        _ => None,
    };
    items.iter().map(slice).collect()
}

impl EntrySyntax for Encoding {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let number = |at: usize| match values.get(at) {
            FieldValue::Unsigned(value) => *value,
            _ => 0,
        };
        let symbols = usize::try_from(number(0)).unwrap_or(0);
        let slices = slices_of(values.list(1));
        let levels = strings(printer, values, 2);
        let formats = strings(printer, values, 3);
        if levels.is_empty() {
            return Err(Invalid::new(NO_LEVELS));
        }
        let symbols = symbols.min(MOST_SYMBOLS);
        printer.text(b"{ ");
        for piece in map_pieces(symbols, &slices, &levels, &formats) {
            match piece {
                Piece::Text(text) => printer.text(text.as_bytes()),
                Piece::Attribute(slice) => printer.attribute(slice),
            }
        }
        for (at, name) in (4..).zip(WIDTHS) {
            if number(at) != 0 {
                printer.text(format!(", {name} = {}", number(at)).as_bytes());
            }
        }
        for (at, name) in (6..).zip(VALUES) {
            if let FieldValue::Attribute(value) = *values.get(at) {
                printer.text(format!(", {name} = ").as_bytes());
                printer.attribute(value);
            }
        }
        printer.text(b" }");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect("{")?;
        parser.expect("map")?;
        parser.expect("=")?;
        let mut variables = Variables::default();
        if parser.eat("[") {
            let place = parser.place();
            variables.symbols = parser.separated("]", name)?;
            if variables.symbols.len() > MOST_SYMBOLS {
                return Err(AsmError::new(place, "too many symbols"));
            }
        }
        if parser.eat("{") {
            variables.levels = parser.separated("}", name)?;
        }
        parser.expect("(")?;
        let slices = parser.separated(")", |parser| variables.dim(parser))?;
        parser.expect("->")?;
        parser.expect("(")?;
        let place = parser.place();
        let mut number = 0usize;
        let levels = parser.separated(")", |parser| {
            let level = variables.level(parser, number)?;
            number = number.saturating_add(1);
            Ok(level)
        })?;
        if levels.is_empty() {
            return Err(AsmError::new(place, NO_LEVELS));
        }
        while parser.eat(",") {
            let place = parser.place();
            let name = match parser.at("}") {
                true => break,
                false => keyword(parser, "parameter")?,
            };
            parser.expect("=")?;
            let width = (4..).zip(WIDTHS).find(|known| known.1 == name);
            let value = (6..).zip(VALUES).find(|known| known.1 == name);
            match (width, value) {
                (Some((at, _)), _) => {
                    let width = u64::try_from(parser.integer()?)
                        .map_err(|_| AsmError::new(place, "expected a width"))?;
                    values.set(at, FieldValue::Unsigned(width));
                }
                (_, Some((at, _))) => {
                    let value = FieldValue::Attribute(parser.attribute()?);
                    values.set(at, value);
                }
                _ => return Err(AsmError::new(place, format!("unexpected key: {name}"))),
            }
        }
        parser.expect("}")?;
        let mut list = |texts: Vec<String>| -> Vec<FieldValue<'static>> {
            let context = parser.context();
            let text = |text: String| FieldValue::String(context.identifier(text));
            texts.into_iter().map(text).collect()
        };
        let (levels, formats): (Vec<String>, Vec<String>) = levels.into_iter().unzip();
        let slice =
            |slice: Option<Attribute>| slice.map_or(FieldValue::Absent, FieldValue::Attribute);
        let slices = slices.into_iter().map(slice).collect();
        let lists = [slices, list(levels), list(formats)];
        let symbols = u64::try_from(variables.symbols.len()).unwrap_or(u64::MAX);
        values.set(0, FieldValue::Unsigned(symbols));
        for (at, items) in (1..).zip(lists) {
            values.set_list(at, items);
        }
        Ok(())
    }
}

/// The encoding of a storage specifier. It omits everything that does not affect storage: the order
/// of dimensions, the uniqueness and order of levels, and the values.
#[derive(Debug)]
pub(crate) struct Specified;

impl EntrySyntax for Specified {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        match values.get(0) {
            FieldValue::Attribute(encoding) => {
                let encoding = match printer.parameters_of(*encoding)? {
                    Some(found) => specified(printer.context(), &found)?,
                    None => *encoding,
                };
                printer.stripped(encoding, "encoding");
                Ok(())
            }
            _ => Err(Invalid::new("expected an encoding")),
        }
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let mut encoding = parser.stripped("encoding")?;
        if let Some(found) = parser.parameters_of(encoding)? {
            let made = specified(parser.context(), &found);
            encoding = made.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        }
        values.set(0, FieldValue::Attribute(encoding));
        Ok(())
    }
}

/// The encoding of a storage specifier, of the parameters of a tensor's encoding.
fn specified(context: &mut Context, found: &FieldValues<'_>) -> Result<Attribute, Invalid> {
    let [_, slices, _, formats, ..] = found.fields.as_slice() else {
        return Err(Invalid::new("expected an encoding"));
    };
    let mut slices = slices_of(found.list(slices));
    let format = |item: &FieldValue<'_>| match item {
        FieldValue::String(text) => stored(&context.str(*text)),
        _ => String::new(),
    };
    let formats: Vec<String> = found.list(formats).iter().map(format).collect();
    let levels = numbered('d', formats.len());
    if slices.iter().all(Option::is_none) {
        slices = vec![None; levels.len()];
    }
    let mut body = BodyBuilder::new();
    body.text(b"encoding<{ ");
    for piece in map_pieces(0, &slices, &levels, &formats) {
        match piece {
            Piece::Text(text) => body.text(text.as_bytes()),
            Piece::Attribute(slice) => body.reference(context, BodyReference::Attribute(slice)),
        }
    }
    body.text(b" }>");
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("sparse_tensor"),
        body: body.finish(),
        ty: None,
    };
    context.try_attribute(kind)
}

/// The format of a level without the properties that do not affect storage.
fn stored(format: &str) -> String {
    match format.split_once('(') {
        Some((word, properties)) if properties.contains("soa") => format!("{word}(soa)"),
        Some((word, _)) => word.to_owned(),
        None => format.to_owned(),
    }
}
