//! Syntax of `#sparse_tensor.encoding`.

use crate::entry::{EntryAsm, Field, Rows, TwoWayEntry, field, item, required, set};
use crate::two_way::{Sequence as _, failure, invalid};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::{FieldValue, FieldValues};
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier, Invalid};
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

/// The text of a level: its expression and its format.
#[derive(Default)]
pub(crate) struct Level {
    expression: Option<Identifier>,
    format: Option<Identifier>,
}

/// The text of an encoding.
#[derive(Default)]
pub(crate) struct Content<'v> {
    symbols: usize,
    /// The slices of dimensions.
    dims: Rows<'v, Option<Attribute>>,
    levels: Rows<'v, Level>,
    widths: [u64; 2],
    values: [Option<Attribute>; 2],
}

/// The variables that a text that is read declares: symbols, levels that are declared before the
/// dimensions, and dimensions.
#[derive(Default)]
struct Variables {
    symbols: Vec<Identifier>,
    levels: Vec<Identifier>,
    dims: Vec<Identifier>,
}

/// The name of a dimension, level or symbol, which is appended if it is read.
fn variable(
    asm: &mut EntryAsm<'_>,
    (letter, number): (&str, usize),
    names: &mut Vec<Identifier>,
) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => match parser.optional_keyword() {
            Some(word) => names.push(word),
            None => return parser.expected("variable"),
        },
        EntryAsm::Printer(printer) => {
            printer.text(letter.as_bytes());
            printer.integer(number);
        }
    }
    Ok(())
}

/// `d0`, optionally followed by a slice. In a text that is read, an expression can follow the name:
/// `d0 = l0 * 2 + l1`.
fn dim(
    asm: &mut EntryAsm<'_>,
    number: usize,
    variables: &mut Variables,
    slice: &mut Option<Attribute>,
) -> AsmResult<()> {
    variable(asm, ("d", number), &mut variables.dims)?;
    if let EntryAsm::Parser(parser) = asm
        && parser.eat("=")
    {
        // The expression is redundant: the expressions of the levels determine it.
        parser.affine_expression(&variables.levels, &variables.symbols)?;
    }
    let mut has_slice = slice.is_some();
    asm.optional(":", " : ", &mut has_slice);
    if !has_slice {
        return Ok(());
    }
    let place = asm.place();
    asm.attribute(slice)?;
    asm.check(place, |context| {
        let is_slice = matches!(
            context.attribute_kind((*slice)?),
            AttributeKind::Dialect { dialect, body, .. }
                if context.bytes(*dialect) == b"sparse_tensor" && body.mnemonic() == b"slice"
        );
        (!is_slice).then(|| "expected SparseTensorDimSliceAttr".to_owned())
    })
}

/// An expression of dimensions and symbols, as a string; present when printing.
fn expression(
    asm: &mut EntryAsm<'_>,
    variables: &Variables,
    place: Option<Place>,
    text: &mut Option<Identifier>,
) -> AsmResult<()> {
    let parser = match asm {
        EntryAsm::Parser(parser) => parser,
        EntryAsm::Printer(printer) => return print_bare(&mut **printer, *text),
    };
    let read = parser.affine_expression(&variables.dims, &variables.symbols)?;
    let mut printed = Vec::new();
    let context = parser.context();
    if context
        .affine()
        .print_expr(read, LONGEST, &mut printed)
        .is_err()
    {
        return Err(failure(place, "the expression is too long"));
    }
    *text = Some(context.identifier(&printed));
    Ok(())
}

/// Prints a string without quotes.
fn print_bare(printer: &mut dyn EntryPrinter, word: Option<Identifier>) -> AsmResult<()> {
    if let Some(word) = word {
        let text = printer.context().bytes(word).to_vec();
        printer.text(&text);
    }
    Ok(())
}

/// The format of a level, `compressed(nonunique)` or `structured[2, 4]`, as a string; present when
/// printing.
fn format(asm: &mut EntryAsm<'_>, format: &mut Option<Identifier>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let text = parse_format(&mut **parser)?;
            *format = Some(parser.context().identifier(text));
            Ok(())
        }
        EntryAsm::Printer(printer) => print_bare(&mut **printer, *format),
    }
}

fn keyword(parser: &mut dyn EntryParser, what: &str) -> AsmResult<String> {
    match parser.optional_keyword() {
        Some(word) => Ok(parser.context().str(word).into_owned()),
        None => parser.expected(what),
    }
}

/// Parses the format of a level and returns it with its properties in order.
fn parse_format(parser: &mut dyn EntryParser) -> AsmResult<String> {
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

impl<'v> Content<'v> {
    /// Returns the text of parameters, to be printed.
    fn of(values: Parameters<'v, 'v>) -> Result<Self, Invalid> {
        let levels = values.list(2).len();
        if levels == 0 || levels != values.list(3).len() {
            return Err(Invalid::new(NO_LEVELS));
        }
        let symbols = usize::try_from(field::<u64>(values, 0)).unwrap_or(0);
        Ok(Content {
            symbols: symbols.min(MOST_SYMBOLS),
            dims: Rows::of(values, values.list(1).len(), |values, at| {
                Ok(values.list(1).get(at).and_then(Field::of))
            })?,
            levels: Rows::of(values, levels, |values, at| {
                Ok(Level {
                    expression: item(values, (2, at), "expected an expression")?,
                    format: item(values, (3, at), "expected a format")?,
                })
            })?,
            widths: [field(values, 4), field(values, 5)],
            values: [field(values, 6), field(values, 7)],
        })
    }

    /// `map = [s0](d0, d1) -> (d0 : dense, d1 : compressed)`.
    fn map(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        asm.token("map", "map")?;
        asm.token("=", " = ")?;
        let mut variables = Variables::default();
        self.symbols(asm, &mut variables)?;
        if let EntryAsm::Parser(parser) = asm
            && parser.eat("{")
        {
            variables.levels = parser.separated("}", |parser| match parser.optional_keyword() {
                Some(word) => Ok(word),
                None => parser.expected("variable"),
            })?;
        }
        let mut number = 0usize;
        asm.list(("(", ")"), &mut self.dims, |asm, slice| {
            dim(asm, number, &mut variables, slice)?;
            number = number.saturating_add(1);
            Ok(())
        })?;
        asm.token("->", " -> ")?;
        asm.token("(", "(")?;
        let place = asm.place();
        let mut number = 0usize;
        asm.list_after((", ", ")"), &mut self.levels, |asm, level| {
            let place = asm.place();
            if let Some(&declared) = variables.levels.get(number) {
                let mut name = Vec::new();
                variable(asm, ("l", number), &mut name)?;
                if name != [declared] {
                    return Err(failure(place, "expected the level that is declared"));
                }
                asm.token("=", " = ")?;
            }
            number = number.saturating_add(1);
            expression(asm, &variables, place, &mut level.expression)?;
            asm.token(":", " : ")?;
            format(asm, &mut level.format)
        })?;
        match self.levels.is_empty() {
            true => Err(failure(place, NO_LEVELS)),
            false => Ok(()),
        }
    }

    /// `[s0, s1]`, which is left out if there are no symbols.
    fn symbols(&mut self, asm: &mut EntryAsm<'_>, variables: &mut Variables) -> AsmResult<()> {
        let mut has_symbols = self.symbols > 0;
        asm.optional("[", "[", &mut has_symbols);
        if !has_symbols {
            return Ok(());
        }
        let place = asm.place();
        let mut numbers = vec![(); self.symbols];
        let mut number = 0usize;
        asm.list_after((", ", "]"), &mut numbers, |asm, ()| {
            variable(asm, ("s", number), &mut variables.symbols)?;
            number = number.saturating_add(1);
            Ok(())
        })?;
        self.symbols = number;
        match self.symbols > MOST_SYMBOLS {
            true => Err(failure(place, "too many symbols")),
            false => Ok(()),
        }
    }

    /// `, posWidth = 32, explicitVal = 1 : i32`, in any order in a text that is read, which can
    /// have a comma at the end.
    fn fields(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        let mut next = self.field_from(0);
        loop {
            let mut follows = next.is_some();
            asm.optional(",", ", ", &mut follows);
            if !follows || asm.is_there("}", false) {
                return Ok(());
            }
            let place = asm.place();
            let mut number = next.unwrap_or_default();
            field_name(asm, &mut number)?;
            match number {
                0 | 1 => {
                    if let Some(width) = self.widths.get_mut(number) {
                        let mut signed = width.cast_signed();
                        asm.integer(&mut signed)?;
                        let found = u64::try_from(signed);
                        *width = found.map_err(|_| failure(place, "expected a width"))?;
                    }
                }
                _ => {
                    if let Some(value) = self.values.get_mut(number.wrapping_sub(WIDTHS.len())) {
                        asm.attribute(value)?;
                    }
                }
            }
            next = self.field_from(number.saturating_add(1));
        }
    }

    /// Returns the first field from `number` on that is printed.
    fn field_from(&self, number: usize) -> Option<usize> {
        let widths = self.widths.iter().map(|&width| width != 0);
        let values = self.values.iter().map(Option::is_some);
        let fields = widths.chain(values).enumerate();
        let mut printed = fields.filter(|&(at, is_there)| is_there && at >= number);
        printed.next().map(|(at, _)| at)
    }
}

/// `posWidth = `: the name of a field, by its number.
fn field_name(asm: &mut EntryAsm<'_>, number: &mut usize) -> AsmResult<()> {
    let mut names = WIDTHS.into_iter().chain(VALUES);
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let name = keyword(&mut **parser, "parameter")?;
            parser.expect("=")?;
            let found = names.position(|known| known == name);
            let unknown = || AsmError::new(place, format!("unexpected key: {name}"));
            *number = found.ok_or_else(unknown)?;
        }
        EntryAsm::Printer(printer) => {
            printer.text(names.nth(*number).unwrap_or_default().as_bytes());
            printer.text(b" = ");
        }
    }
    Ok(())
}

impl TwoWayEntry for Encoding {
    type Content<'v> = Content<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content<'v>, Invalid> {
        Content::of(values)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content<'_>) -> AsmResult<()> {
        asm.token("{", "{ ")?;
        content.map(asm)?;
        content.fields(asm)?;
        asm.token("}", " }")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        for (at, width) in (4..).zip(content.widths) {
            set(values, at, width);
        }
        for (at, value) in (6..).zip(content.values) {
            set(values, at, value);
        }
        set(values, 0, content.symbols as u64);
        content.dims.set(values, 1, |slice| *slice);
        content.levels.set(values, 2, |level| level.expression);
        content.levels.set(values, 3, |level| level.format);
        Ok(())
    }
}

/// The encoding of a storage specifier. It omits everything that does not affect storage: the order
/// of dimensions, the uniqueness and order of levels, and the values.
#[derive(Debug)]
pub(crate) struct Specified;

impl TwoWayEntry for Specified {
    /// The position of a text that is read, and the encoding.
    type Content<'v> = (Option<Place>, Option<Attribute>);

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let encoding: Option<Attribute> = required(values, 0, "expected an encoding")?;
        let found = match encoding {
            Some(encoding) => printer.parameters_of(encoding)?,
            None => None,
        };
        Ok((
            None,
            match found {
                Some(found) => Some(specified(printer.context(), &found)?),
                None => encoding,
            },
        ))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (place, encoding): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        *place = asm.place();
        asm.stripped("encoding", encoding)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        (place, encoding): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let found = match encoding {
            Some(encoding) => parser.parameters_of(encoding)?,
            None => None,
        };
        let encoding = match found {
            Some(found) => {
                let made = specified(parser.context(), &found);
                Some(made.map_err(invalid(place))?)
            }
            None => encoding,
        };
        set(values, 0, encoding);
        Ok(())
    }
}

/// Returns the encoding of a storage specifier, of the parameters of a tensor's encoding.
fn specified(context: &mut Context, found: &FieldValues<'_>) -> Result<Attribute, Invalid> {
    let [_, slices, _, formats, ..] = found.fields.as_slice() else {
        return Err(Invalid::new("expected an encoding"));
    };
    let mut values = FieldValues::default();
    values.fields.push(FieldValue::Unsigned(0));
    let slices = found.list(slices).iter();
    let mut slices: Vec<Option<Attribute>> = slices.map(Field::of).collect();
    let formats: Vec<Identifier> = found.list(formats).iter().filter_map(Field::of).collect();
    if slices.iter().all(Option::is_none) {
        slices = vec![None; formats.len()];
    }
    values.push_list(slices.into_iter().map(Field::value));
    let levels = (0..formats.len()).map(|number| context.identifier(format!("d{number}")));
    let levels: Vec<_> = levels.map(FieldValue::String).collect();
    values.push_list(levels);
    let formats = formats.into_iter().map(|format| {
        let format = stored(&context.str(format));
        FieldValue::String(context.identifier(format))
    });
    let formats: Vec<_> = formats.collect();
    values.push_list(formats);
    let rest = [FieldValue::Unsigned(0), FieldValue::Unsigned(0)];
    values.fields.extend(rest);
    values
        .fields
        .extend([FieldValue::Absent, FieldValue::Absent]);
    context.attribute_with_values("sparse_tensor.encoding", values)
}

/// Returns the format of a level without the properties that do not affect storage.
fn stored(format: &str) -> String {
    match format.split_once('(') {
        Some((word, properties)) if properties.contains("soa") => format!("{word}(soa)"),
        Some((word, _)) => word.to_owned(),
        None => format.to_owned(),
    }
}
