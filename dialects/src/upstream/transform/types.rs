//! Directives for the types after the colon.

use crate::helpers::types_in_brackets;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind};

/// The directive `type` or `(type) -> types`: the type of an operand, and those of results if there
/// are any. If the third argument is `"false"`, there must be results.
#[derive(Debug)]
pub(crate) struct SemiFunctionType;

impl DirectiveSyntax for SemiFunctionType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let needs_result =
            matches!(arguments.get(2), Some(ParsedArgument::Text(text)) if text == "false");
        let (mut operand, mut results) = (Vec::new(), Vec::new());
        if needs_result || parser.at("(") {
            parser.expect("(")?;
            operand.push(parser.ty()?);
            parser.expect(")")?;
            parser.expect("->")?;
            match parser.eat("(") {
                true => results = types_in_brackets(parser)?,
                false => results.push(parser.ty()?),
            }
        } else {
            operand.push(parser.ty()?);
        }
        if let [of_operand, of_results, ..] = arguments {
            *of_operand = ParsedArgument::Types(operand);
            *of_results = ParsedArgument::Types(results);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operand, results, ..] = arguments else {
            return;
        };
        let results = results.types();
        if !results.is_empty() {
            printer.text("(");
        }
        printer.types(operand.types().iter().copied());
        if !results.is_empty() {
            printer.text(") -> ");
        }
        if results.len() > 1 {
            printer.text("(");
        }
        printer.types(results.iter().copied());
        if results.len() > 1 {
            printer.text(")");
        }
    }
}

/// The directive `(type) -> type`: the type of the only operand, and that of all results.
#[derive(Debug)]
pub(crate) struct SameResultTypes;

impl DirectiveSyntax for SameResultTypes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let types: Option<(Type, Type)> = match parser.context().type_kind(ty) {
            TypeKind::Function { inputs, results } => match (&**inputs, &**results) {
                (&[input], &[result]) => Some((input, result)),
                _ => None,
            },
            _ => None,
        };
        let Some((input, result)) = types else {
            let message = "expected a trailing functional type with one argument and one result";
            return Err(AsmError::new(place, message));
        };
        if let [operand, results @ ..] = arguments {
            *operand = ParsedArgument::Types(vec![input]);
            results.fill(ParsedArgument::Types(vec![result]));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operand, result, ..] = arguments else {
            return;
        };
        printer.text("(");
        printer.types(operand.types().iter().copied());
        printer.text(") -> ");
        printer.types(result.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let mut types = arguments.iter().map(PrintedArgument::types);
        let operand = types.next();
        let result = types.next();
        operand.is_some_and(|types| types.len() == 1)
            && result.is_some_and(|types| match types {
                &[one] => !matches!(context.type_kind(one), TypeKind::Function { .. }),
                _ => false,
            })
            && types.all(|types| Some(types) == result)
    }
}
