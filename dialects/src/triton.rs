//! Directives of Triton's dialects `ttg` and `ttng`.

use crate::helpers::{comma_separated, dialect_type, is_dialect_type, number};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation};

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
