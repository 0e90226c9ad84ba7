//! `#sparse_tensor.encoding`.

use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use std::fmt::Write;

/// `{ map = [s0](d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, ... }`: all up to the widths as text, then
/// the explicit and the implicit value.
#[derive(Debug)]
pub(crate) struct Encoding;

/// What a level can be besides its format, in order.
const PROPERTIES: [&str; 3] = ["nonunique", "nonordered", "soa"];
/// Formats of levels.
const FORMATS: [&str; 5] = [
    "batch",
    "compressed",
    "dense",
    "loose_compressed",
    "singleton",
];
/// Attributes behind the map: those with a number, those with an attribute.
const WIDTHS: [&str; 2] = ["posWidth", "crdWidth"];
const VALUES: [&str; 2] = ["explicitVal", "implicitVal"];

fn keyword(parser: &mut dyn EntryParser, what: &str) -> AsmResult<String> {
    match parser.optional_keyword() {
        Some(word) => Ok(parser.context().str(word).into_owned()),
        None => parser.expected(what),
    }
}

/// The name of a dimension or symbol as it is printed.
fn variable(
    parser: &mut dyn EntryParser,
    dims: &[String],
    symbols: &[String],
) -> AsmResult<String> {
    let place = parser.place();
    let name = keyword(parser, "variable")?;
    let find = |names: &[String]| names.iter().position(|known| *known == name);
    match (find(dims), find(symbols)) {
        (Some(dim), _) => Ok(format!("d{dim}")),
        (_, Some(symbol)) => Ok(format!("s{symbol}")),
        _ => Err(AsmError::new(
            place,
            format!("use of undeclared identifier '{name}'"),
        )),
    }
}

/// `d0`, or `d0 floordiv 2` and the like.
fn expression(
    parser: &mut dyn EntryParser,
    dims: &[String],
    symbols: &[String],
) -> AsmResult<String> {
    let mut text = variable(parser, dims, symbols)?;
    for operator in ["floordiv", "ceildiv", "mod"] {
        if parser.eat(operator) {
            let number = parser.integer()?;
            let _ = write!(text, " {operator} {number}");
        }
    }
    Ok(text)
}

/// `compressed(nonunique)`, `structured[2, 4]`.
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
        let _ = write!(text, "({})", words.join(", "));
    }
    Ok(text)
}

impl EntrySyntax for Encoding {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let FieldValue::String(text) = *values.get(0) else {
            return Err(Invalid::new("an encoding needs its text"));
        };
        let text = printer.context().bytes(text).to_vec();
        printer.text(b"{ ");
        printer.text(&text);
        for (number, name) in VALUES.into_iter().enumerate() {
            if let FieldValue::Attribute(value) = *values.get(number.saturating_add(1)) {
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
        let name = |parser: &mut (dyn EntryParser + '_)| keyword(parser, "variable");
        let symbols = match parser.eat("[") {
            true => parser.separated("]", name)?,
            false => Vec::new(),
        };
        parser.expect("(")?;
        let dims = parser.separated(")", name)?;
        parser.expect("->")?;
        parser.expect("(")?;
        let levels = parser.separated(")", |parser| {
            let expression = expression(parser, &dims, &symbols)?;
            parser.expect(":")?;
            Ok(format!("{expression} : {}", level(parser)?))
        })?;
        let names = |letter: char, count: usize| {
            let names: Vec<String> = (0..count).map(|n| format!("{letter}{n}")).collect();
            names.join(", ")
        };
        let mut text = String::from("map = ");
        if !symbols.is_empty() {
            let _ = write!(text, "[{}]", names('s', symbols.len()));
        }
        let _ = write!(
            text,
            "({}) -> ({})",
            names('d', dims.len()),
            levels.join(", ")
        );
        let mut widths = [0; WIDTHS.len()];
        while parser.eat(",") {
            let place = parser.place();
            let name = match parser.at("}") {
                true => break,
                false => keyword(parser, "parameter")?,
            };
            parser.expect("=")?;
            let width = WIDTHS.iter().position(|known| *known == name);
            let value = VALUES.iter().position(|known| *known == name);
            match (width.and_then(|at| widths.get_mut(at)), value) {
                (Some(slot), _) => *slot = parser.integer()?,
                (_, Some(at)) => {
                    let value = FieldValue::Attribute(parser.attribute()?);
                    values.set(at.saturating_add(1), value);
                }
                _ => return Err(AsmError::new(place, format!("unexpected key: {name}"))),
            }
        }
        parser.expect("}")?;
        for (name, width) in WIDTHS.into_iter().zip(widths) {
            if width != 0 {
                let _ = write!(text, ", {name} = {width}");
            }
        }
        let text = parser.context().identifier(&text);
        values.set(0, FieldValue::String(text));
        Ok(())
    }
}
