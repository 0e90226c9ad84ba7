//! Directives and verification of the `ml_program` dialect.

use crate::function::Function;
use crate::helpers::operand_names;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{
    AttributeKind, Context, Module, Op, Operation, OperationVerifier, Value, VerifyFailure,
    VerifyResult,
};
use std::borrow::Cow;

/// Custom syntax of `ml_program.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("ml_program.func", ""));

/// Custom syntax of `ml_program.subgraph`.
pub(crate) static SUBGRAPH: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("ml_program.subgraph", ""));

/// Verifies `ml_program.global`: an immutable global must have a value.
#[derive(Debug)]
pub(crate) struct Global;

impl OperationVerifier for Global {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let is_there = |name| {
            let attribute = op.module.attribute(op.context, op.operation, name);
            attribute.is_some()
        };
        match is_there("is_mutable") || is_there("value") {
            true => Ok(()),
            false => Err(VerifyFailure::op(
                "immutable global must have an initial value",
            )),
        }
    }
}

/// The directive for a symbol's visibility: `private`. If the attribute is absent, upstream prints
/// `public`, which reads back as a different operation; here the generic form is printed.
#[derive(Debug)]
pub(crate) struct SymbolVisibility;

impl DirectiveSyntax for SymbolVisibility {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut visibilities = crate::function::VISIBILITIES.iter();
        let Some(found) = visibilities.find(|visibility| parser.eat(visibility)) else {
            let message = "expected 'public', 'private', or 'nested'";
            return Err(AsmError::new(parser.place(), message));
        };
        if let [argument, ..] = arguments {
            let value = parser.context().string_attribute(found);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let visibility = arguments.first().and_then(PrintedArgument::attribute);
        let visibility = visibility.and_then(|value| context.string_value(value));
        let visibility = visibility.map(|value| String::from_utf8_lossy(value).into_owned());
        printer.text(&visibility.unwrap_or_default());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let visibility = arguments.first().and_then(PrintedArgument::attribute);
        visibility.is_some_and(|value| {
            let mut visibilities = crate::function::VISIBILITIES.iter();
            visibilities.any(|v| context.string_value(value) == Some(v.as_bytes()))
        })
    }
}

/// The directive `(value) : type` or ` : type`: a type attribute and an optional value.
#[derive(Debug)]
pub(crate) struct TypedInitialValue;

impl DirectiveSyntax for TypedInitialValue {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [of_type, of_value, ..] = arguments else {
            return Ok(false);
        };
        if parser.eat("(") {
            *of_value = ParsedArgument::Attribute(Some(parser.attribute()?));
            parser.expect(")")?;
        }
        parser.expect(":")?;
        let ty = parser.ty()?;
        *of_type = ParsedArgument::Attribute(Some(parser.context().type_attribute(ty)));
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [ty, value, ..] = arguments else {
            return;
        };
        if let Some(value) = value.attribute() {
            printer.text("(");
            printer.attribute(value);
            printer.text(")");
        }
        printer.text(" : ");
        if let Some(ty) = ty.attribute() {
            printer.attribute(ty);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let ty = arguments.first().and_then(PrintedArgument::attribute);
        ty.is_some_and(|ty| matches!(context.attribute_kind(ty), AttributeKind::Type(_)))
    }
}

/// The directive ` ordering(%a, %b -> type)` or ` ordering(() -> type)`: tokens, and the type of
/// the produced token.
#[derive(Debug)]
pub(crate) struct TokenOrdering;

impl DirectiveSyntax for TokenOrdering {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [tokens, made, ..] = arguments else {
            return Ok(false);
        };
        if !parser.eat("ordering") {
            return Ok(false);
        }
        parser.expect("(")?;
        if parser.eat("(") {
            parser.expect(")")?;
        } else {
            *tokens = ParsedArgument::Operands(operand_names(parser)?);
        }
        parser.expect("->")?;
        *made = ParsedArgument::Types(vec![parser.ty()?]);
        parser.expect(")")?;
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [tokens, made, ..] = arguments else {
            return;
        };
        if tokens.operands().is_empty() && made.types().is_empty() {
            return;
        }
        printer.text(" ordering(");
        match tokens.operands() {
            [] => printer.text("()"),
            tokens => printer.operands(tokens.iter().copied()),
        }
        if !made.types().is_empty() {
            printer.text(" -> ");
            printer.types(made.types().iter().copied());
        }
        printer.text(")");
    }
}

/// Names a loaded value by the name of the global.
pub(crate) fn load_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let global = module.attribute(context, operation, "global")?;
    match context.attribute_kind(global) {
        AttributeKind::SymbolRef { root, nested } => {
            let leaf = nested.last().unwrap_or(root);
            Some(context.str(*leaf).into_owned().into())
        }
        _ => None,
    }
}
