//! Hooks of the `sdy` dialect: attributes, and operations with regions.

pub(crate) mod computation;

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{AttributeKind, Invalid};

/// The directive `{"a", "b":(1)2, ?}p3`: axes, whether the dimension is closed, priority.
#[derive(Debug)]
pub(crate) struct DimensionSharding;

/// The directive `@mesh`, or `mesh<...>`.
#[derive(Debug)]
pub(crate) struct MeshOrRef;

/// The directive `, replicated={...}, unreduced=max{...}`: replicated axes, unreduced axes,
/// reduction.
#[derive(Debug)]
pub(crate) struct NamedAxes;

/// The directive `ij`: factors.
#[derive(Debug)]
pub(crate) struct Factors;

/// The directive ` {i=8, j=16}`: the sizes of factors in order.
#[derive(Debug)]
pub(crate) struct FactorSizes;

/// The directive ` reduction={i} need_replication={j} ...`: four lists of factors.
#[derive(Debug)]
pub(crate) struct FactorKinds;

/// The directive `, custom`, printed if the parameter is true.
#[derive(Debug)]
pub(crate) struct CustomRule;

const AXIS: &str = "axis_ref";

fn print_axes(printer: &mut dyn EntryPrinter, axes: &[FieldValue<'_>]) {
    printer.separated(axes, |printer, axis| {
        if let FieldValue::Attribute(axis) = axis {
            printer.stripped(*axis, AXIS);
        }
    });
}

fn parse_axes(parser: &mut dyn EntryParser) -> AsmResult<Vec<FieldValue<'static>>> {
    parser.expect("{")?;
    parser.separated("}", |parser| {
        parser.stripped(AXIS).map(FieldValue::Attribute)
    })
}

impl EntrySyntax for DimensionSharding {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let axes = values.list(0);
        printer.text(b"{");
        print_axes(printer, axes);
        if values.get(1) == &FieldValue::Unsigned(0) {
            printer.text(if axes.is_empty() { b"?" } else { b", ?" });
        }
        printer.text(b"}");
        match values.get(2) {
            FieldValue::Unsigned(priority) => {
                printer.text(b"p");
                printer.integer(priority);
            }
            FieldValue::Signed(priority) => {
                printer.text(b"p");
                printer.integer(priority);
            }
            _ => {}
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect("{")?;
        let mut axes = Vec::new();
        let mut closed = true;
        if !parser.eat("}") {
            loop {
                if parser.eat("?") {
                    closed = false;
                    parser.expect("}")?;
                    break;
                }
                axes.push(FieldValue::Attribute(parser.stripped(AXIS)?));
                if !parser.eat(",") {
                    parser.expect("}")?;
                    break;
                }
            }
        }
        values.set_list(0, axes);
        values.set(1, FieldValue::Unsigned(closed.into()));
        let place = parser.place();
        if let Some(word) = parser.optional_keyword() {
            let text = parser.context().str(word).into_owned();
            let priority = text
                .strip_prefix('p')
                .and_then(|digits| digits.parse().ok());
            let Some(priority) = priority else {
                return Err(AsmError::new(place, "expecting integer priority"));
            };
            values.set(2, FieldValue::Unsigned(priority));
        }
        Ok(())
    }
}

impl EntrySyntax for MeshOrRef {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let &FieldValue::Attribute(mesh) = values.get(0) else {
            return Err(Invalid::new("expected a mesh or a symbol"));
        };
        match printer.context().attribute_kind(mesh) {
            AttributeKind::Dialect { .. } => {
                printer.text(b"mesh");
                printer.stripped(mesh, "mesh");
            }
            AttributeKind::SymbolRef { .. } => printer.attribute(mesh),
            _ => return Err(Invalid::new("expected a mesh or a symbol")),
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mesh = match parser.eat("mesh") {
            true => parser.stripped("mesh")?,
            false => parser.attribute()?,
        };
        values.set(0, FieldValue::Attribute(mesh));
        Ok(())
    }
}

/// The keywords of reductions, indexed by value; the sum has none.
const REDUCTIONS: [&str; 3] = ["", "max", "min"];

impl EntrySyntax for NamedAxes {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        if !values.list(0).is_empty() {
            printer.text(b", replicated={");
            print_axes(printer, values.list(0));
            printer.text(b"}");
        }
        if values.list(1).is_empty() {
            return Ok(());
        }
        let reduction = match *values.get(2) {
            FieldValue::Unsigned(number) => usize::try_from(number).ok(),
            FieldValue::Signed(number) => usize::try_from(number).ok(),
            _ => Some(0),
        };
        let word = reduction.and_then(|number| REDUCTIONS.get(number));
        let word = word.ok_or_else(|| Invalid::new("unknown reduction"))?;
        printer.text(b", unreduced=");
        printer.text(word.as_bytes());
        printer.text(b"{");
        print_axes(printer, values.list(1));
        printer.text(b"}");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        while parser.eat(",") {
            if parser.eat("replicated") {
                parser.expect("=")?;
                let axes = parse_axes(parser)?;
                values.set_list(0, axes);
                continue;
            }
            parser.expect("unreduced")?;
            parser.expect("=")?;
            let words = REDUCTIONS.iter().enumerate().skip(1);
            let reduction = words
                .filter(|(_, word)| parser.eat(word))
                .map(|found| found.0)
                .next();
            values.set(2, FieldValue::Unsigned(reduction.unwrap_or(0) as u64));
            let axes = parse_axes(parser)?;
            values.set_list(1, axes);
        }
        Ok(())
    }
}

/// The number of factors that are written as a single letter, starting with `i`.
const LETTERS: u64 = 18;

fn print_factor(printer: &mut dyn EntryPrinter, factor: &FieldValue<'_>) {
    let &FieldValue::Signed(factor) = factor else {
        return;
    };
    match u64::try_from(factor) {
        Ok(factor) if factor < LETTERS => printer.text(&[b'i'.wrapping_add(factor as u8)]),
        _ => {
            printer.text(b"z_");
            printer.integer(factor.wrapping_sub(LETTERS as i64 - 1));
        }
    }
}

/// Parses the factors in a word.
fn read_factors(text: &str) -> Option<Vec<i64>> {
    let mut factors = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(1..)?;
        let mut factor = i64::from(u32::from(letter)).checked_sub(i64::from(b'i'))?;
        if !(0..LETTERS as i64).contains(&factor) {
            return None;
        }
        if letter == 'z'
            && let Some(digits) = rest.strip_prefix('_')
        {
            let len = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            let number: i64 = digits.get(..len)?.parse().ok()?;
            factor = factor.checked_add(number)?;
            rest = digits.get(len..)?;
        }
        factors.push(factor);
    }
    Some(factors)
}

fn parse_factors(parser: &mut dyn EntryParser) -> AsmResult<Vec<i64>> {
    let place = parser.place();
    let Some(word) = parser.optional_keyword() else {
        return parser.expected("a factor");
    };
    let text = parser.context().str(word).into_owned();
    read_factors(&text).ok_or_else(|| AsmError::new(place, "expecting symbol from 'i' to 'z'"))
}

impl EntrySyntax for Factors {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for factor in values.list(0) {
            print_factor(printer, factor);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let factors = parse_factors(parser)?;
        values.set_list(0, factors.into_iter().map(FieldValue::Signed));
        Ok(())
    }
}

impl EntrySyntax for FactorSizes {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        if values.list(0).is_empty() {
            return Ok(());
        }
        printer.text(b" {");
        printer.separated(values.list(0).iter().zip(0..), |printer, (size, factor)| {
            print_factor(printer, &FieldValue::Signed(factor));
            printer.text(b"=");
            if let FieldValue::Signed(size) = size {
                printer.integer(size);
            }
        });
        printer.text(b"}");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if !parser.eat("{") {
            return Ok(());
        }
        let mut next = 0;
        let sizes = parser.separated("}", |parser| {
            let place = parser.place();
            if parse_factors(parser)? != [next] {
                return Err(AsmError::new(place, "expecting the next factor"));
            }
            next += 1;
            parser.expect("=")?;
            parser.integer().map(FieldValue::Signed)
        })?;
        values.set_list(0, sizes);
        Ok(())
    }
}

const FACTOR_KINDS: [&str; 4] = [
    "reduction",
    "need_replication",
    "permutation",
    "blocked_propagation",
];

impl EntrySyntax for FactorKinds {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for (number, word) in FACTOR_KINDS.iter().enumerate() {
            if values.list(number).is_empty() {
                continue;
            }
            printer.text(format!(" {word}={{").as_bytes());
            printer.separated(values.list(number), |printer, factor| {
                print_factor(printer, factor)
            });
            printer.text(b"}");
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        for (number, word) in FACTOR_KINDS.iter().enumerate() {
            if !parser.eat(word) {
                continue;
            }
            parser.expect("=")?;
            parser.expect("{")?;
            let factors = parser.separated("}", parse_factors_of)?;
            values.set_list(
                number,
                factors.into_iter().flatten().map(FieldValue::Signed),
            );
        }
        Ok(())
    }
}

fn parse_factors_of(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Vec<i64>> {
    parse_factors(parser)
}

impl EntrySyntax for CustomRule {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        if values.get(0) == &FieldValue::Unsigned(1) {
            printer.text(b", custom");
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if parser.eat(",") {
            parser.expect("custom")?;
            values.set(0, FieldValue::Unsigned(1));
        }
        Ok(())
    }
}
