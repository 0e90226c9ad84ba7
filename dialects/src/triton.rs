//! Directives of Triton's dialects `ttg` and `ttng`.

use crate::helpers::{comma_separated, dialect_type, is_dialect_type, number};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter,
    EntrySyntax, Parameters, ParametersMut, ParsedArgument, PrintedArgument,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Context, DYNAMIC, Invalid, Module, Operation};

/// The directive for a token that is waited for and the token that results: nothing, `[]`, `[%a]`.
#[derive(Debug)]
pub(crate) struct Token;

/// The text of the type of tokens, without the dialect.
const TOKEN: &str = "async.token";

impl DirectiveSyntax for Token {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        if !parser.eat("[") {
            return Ok(false);
        }
        let mut names = Vec::new();
        if parser.at_operand() {
            names.push(parser.operand_name()?);
        }
        parser.expect("]")?;
        let ty = dialect_type(parser.context(), "ttg", TOKEN);
        let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
        if let [of_names, of_type] = arguments {
            *of_names = ParsedArgument::Operands(names);
            *of_type = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [token, ty] = arguments else { return };
        if !ty.types().is_empty() {
            printer.text("[");
            printer.operands(token.operands().iter().copied());
            printer.text("]");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [token, ty] = arguments else { return false };
        let is_token = |&ty| is_dialect_type(context, ty, "ttg", TOKEN);
        ty.types().iter().all(is_token)
            && (!ty.types().is_empty() || token.operands().is_empty())
            && token.operands().len() <= 1
    }
}

/// The directive for barriers and their predicates: `, %barrier[%predicate]`, any number of them.
#[derive(Debug)]
pub(crate) struct Barriers;

impl DirectiveSyntax for Barriers {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut barriers, mut predicates) = (Vec::new(), Vec::new());
        while parser.eat(",") {
            barriers.push(parser.operand_name()?);
            parser.expect("[")?;
            predicates.push(parser.operand_name()?);
            parser.expect("]")?;
        }
        let there = !barriers.is_empty();
        if let [of_barriers, of_predicates] = arguments {
            *of_barriers = ParsedArgument::Operands(barriers);
            *of_predicates = ParsedArgument::Operands(predicates);
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [barriers, predicates] = arguments else {
            return;
        };
        for (&barrier, &predicate) in barriers.operands().iter().zip(predicates.operands()) {
            printer.text(", ");
            printer.operand(barrier);
            printer.text("[");
            printer.operand(predicate);
            printer.text("]");
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        matches!(arguments, [a, b] if a.operands().len() == b.operands().len())
    }
}

/// The directive for a dense array of `i32`, without brackets: `0, 32`.
#[derive(Debug)]
pub(crate) struct Offsets;

impl DirectiveSyntax for Offsets {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let values = comma_separated(parser, number)?;
        let values: Result<Vec<i32>, _> = values.into_iter().map(i32::try_from).collect();
        let Ok(values) = values else {
            return Err(AsmError::new(place, "integer value too large"));
        };
        let value = parser.context().i32_array_attribute(values);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        let values = value.and_then(|value| printer.context().i32_array(value));
        let values: Vec<String> = values
            .into_iter()
            .flatten()
            .map(|v| v.to_string())
            .collect();
        printer.text(&values.join(", "));
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        let values = value.and_then(|value| context.i32_array(value));
        values.is_some_and(|mut values| values.next().is_some())
    }
}

/// The parameters of types with a shape: `<16x32xf16, #layout>`; for a memory descriptor
/// `<2x16x32xf16, #layout, #space, mutable, 4x16x32>`, where the allocated shape is printed if it
/// differs.
#[derive(Debug)]
pub(crate) struct Shaped;

/// The indices of the parameters: the shape, the element type, the layout; those that only memory
/// descriptors have follow.
const SPACE: usize = 3;
const MUTABLE: usize = 4;
const ALLOCATED: usize = 5;

/// Prints sizes, each followed by `x` but for the last one of a list `alone`.
fn print_sizes(printer: &mut dyn EntryPrinter, sizes: &[FieldValue<'_>], alone: bool) {
    for (number, size) in sizes.iter().enumerate() {
        if let FieldValue::Signed(size) = size {
            printer.dimension(*size);
        }
        if !alone || number.saturating_add(1) < sizes.len() {
            printer.text(b"x");
        }
    }
}

impl EntrySyntax for Shaped {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let FieldValue::Type(element) = values.get(1) else {
            return Err(Invalid::new("expected the type of elements"));
        };
        let is_size = |size: &FieldValue<'_>| match size {
            FieldValue::Signed(size) => *size >= 0 || *size == DYNAMIC,
            _ => false,
        };
        let mut sizes = values.list(0).iter().chain(values.list(ALLOCATED));
        if !sizes.all(is_size) {
            return Err(Invalid::new("expected sizes"));
        }
        printer.text(b"<");
        print_sizes(printer, values.list(0), false);
        printer.ty(*element);
        for at in [2, SPACE] {
            if let FieldValue::Attribute(attribute) = values.get(at) {
                printer.text(b", ");
                printer.attribute(*attribute);
            }
        }
        if matches!(values.get(MUTABLE), FieldValue::Unsigned(1..)) {
            printer.text(b", mutable");
        }
        let allocated = values.list(ALLOCATED);
        if !allocated.is_empty() {
            printer.text(b", ");
            print_sizes(printer, allocated, true);
        }
        printer.text(b">");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect("<")?;
        let sizes = parser.dimensions()?;
        let element = parser.ty()?;
        values.set(1, FieldValue::Type(element));
        for at in [2, SPACE] {
            let is_there = !parser.at(">") && parser.eat(",");
            if is_there {
                let attribute = parser.attribute()?;
                values.set(at, FieldValue::Attribute(attribute));
            }
        }
        let mut more = parser.eat(",");
        if more && parser.eat("mutable") {
            values.set(MUTABLE, FieldValue::Unsigned(1));
            more = parser.eat(",");
        }
        if more {
            let allocated = last_sizes(parser)?;
            if allocated != sizes {
                values.set_list(ALLOCATED, allocated.into_iter().map(FieldValue::Signed));
            }
        }
        parser.expect(">")?;
        values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
        Ok(())
    }
}

/// Parses `4x16x32`, without an `x` at the end.
fn last_sizes(parser: &mut dyn EntryParser) -> AsmResult<Vec<i64>> {
    let place = parser.place();
    let first = parser.optional_integer()?;
    let Some(first) = first.and_then(|first| i64::try_from(first).ok()) else {
        return parser.expected("sizes");
    };
    let mut sizes = vec![first];
    // The rest is a word: `x16x32`.
    if let Some(rest) = parser.optional_keyword() {
        let text = parser.context().str(rest).into_owned();
        let mut words = text.split('x');
        let numbers: Result<Vec<i64>, _> = words.by_ref().skip(1).map(str::parse).collect();
        match numbers {
            Ok(numbers) if text.starts_with('x') => sizes.extend(numbers),
            _ => return Err(AsmError::new(place, "expected sizes")),
        }
    }
    Ok(sizes)
}
