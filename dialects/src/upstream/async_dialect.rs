//! Custom syntax of the `async` dialect: `async.execute` and `async.await`.

use crate::function::property;
use crate::function::{Function, entry_block};
use crate::helpers::{
    dialect_type, is_dialect_type, operand_names, optional_arrow_types, print_optional_arrow_types,
    region_arguments, result_types, segment_sizes, sizes_of,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperationSyntax, ParseStep,
    ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation, Type, Value};

/// Custom syntax of `async.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("async.func", "async"));

fn token_type(context: &mut Context) -> Option<Type> {
    dialect_type(context, "async", "token").ok()
}

fn is_token(context: &Context, ty: Type) -> bool {
    is_dialect_type(context, ty, "async", "token")
}

/// The directive for the type of an awaited value, which is absent for a token.
#[derive(Debug)]
pub(crate) struct AwaitResultType;

impl DirectiveSyntax for AwaitResultType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.ty()?;
        let awaited = parser.parameter_of(ty);
        if let [operand, result, ..] = arguments {
            *operand = ParsedArgument::Types(vec![ty]);
            *result = ParsedArgument::Types(awaited.into_iter().collect());
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(operand) = arguments.first() {
            printer.types(operand.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operand, result, ..] = arguments else {
            return false;
        };
        let awaited = operand.types().first();
        let awaited = awaited.and_then(|&ty| awaited_type(context, ty));
        awaited.as_slice() == result.types()
    }
}

/// Custom syntax of `async.execute`: `[%token] (%value as %name: type, ...) -> (types) attributes
/// {...} {...}`.
#[derive(Debug)]
pub(crate) struct Execute;

impl OperationSyntax for Execute {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let token = token_type(parser.context());
        let token = token.ok_or_else(|| AsmError::new(place, "expected a type"))?;
        let mut tokens = Vec::new();
        if parser.eat("[") && !parser.eat("]") {
            tokens = operand_names(parser)?;
            parser.expect("]")?;
        }
        for &name in &tokens {
            operation.operands.push(parser.resolve(name, token)?);
        }
        let (mut names, mut types) = (Vec::new(), Vec::new());
        if parser.eat("(") && !parser.eat(")") {
            loop {
                let value = parser.operand_name()?;
                parser.expect("as")?;
                names.push(parser.operand_name()?);
                parser.expect(":")?;
                let place = parser.place();
                let ty = parser.ty()?;
                operation.operands.push(parser.resolve(value, ty)?);
                // A token has no value to unwrap.
                let inside = parser.parameter_of(ty);
                types.push(
                    inside.ok_or_else(|| AsmError::new(place, "expected an async value type"))?,
                );
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect(")")?;
        }
        let sizes = [tokens.len(), names.len()];
        if let Some(sizes) = segment_sizes(parser.context(), &sizes) {
            property(parser, operation, "operandSegmentSizes", sizes);
        }
        operation.result_types.push(token);
        let results = optional_arrow_types(parser)?;
        operation.result_types.extend(results);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        Ok(ParseStep::Region(region_arguments(&names, &types)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let (tokens, values) = groups(context, module, operation).unwrap_or_default();
        let arguments = entry_arguments(module, operation);
        let results = result_types(module, operation);
        if !tokens.is_empty() {
            printer.text(" [");
            printer.operands(tokens.into_iter());
            printer.text("]");
        }
        if !values.is_empty() {
            printer.text(" (");
            for (number, (value, argument)) in values.into_iter().zip(arguments).enumerate() {
                if number > 0 {
                    printer.text(", ");
                }
                let ty = printer.module().value_type(value);
                printer.operand(value);
                printer.text(" as ");
                printer.operand(argument);
                printer.text(": ");
                printer.ty(ty);
            }
            printer.text(")");
        }
        print_optional_arrow_types(printer, results.get(1..).unwrap_or_default());
        printer.attribute_dictionary_with_keyword(&attributes, &["operandSegmentSizes"]);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some((tokens, values)) = groups(context, module, operation) else {
            return false;
        };
        let is_token = |&value: &Value| is_token(context, module.value_type(value));
        let entry = entry_block(module, operation);
        module
            .result(operation, 0)
            .is_some_and(|token| is_token(&token))
            && tokens.iter().all(is_token)
            && module.regions(operation).len() == 1
            && module.successors(operation).len() == 0
            && entry.is_some_and(|entry| {
                module.next_block(entry).is_none() && module.first_operation(entry).is_some()
            })
            && are_awaited(
                context,
                module,
                &values,
                &entry_arguments(module, operation),
            )
    }
}

/// Returns the two operand groups of `async.execute`: tokens and async values.
fn groups(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<(Vec<Value>, Vec<Value>)> {
    let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
    let [tokens, values] = *sizes_of(context, sizes)? else {
        return None;
    };
    let operands: Vec<Value> = module.operands(operation).collect();
    let (first, second) = operands.split_at_checked(tokens)?;
    (second.len() == values).then(|| (first.to_vec(), second.to_vec()))
}

/// Returns whether arguments have the types of the values inside of async values.
fn are_awaited(context: &Context, module: &Module, values: &[Value], arguments: &[Value]) -> bool {
    let inside = |&value: &Value| awaited_type(context, module.value_type(value));
    let types = arguments
        .iter()
        .map(|&argument| Some(module.value_type(argument)));
    values.iter().map(inside).eq(types)
}

/// Returns the type of the value inside of an async value.
fn awaited_type(context: &Context, ty: Type) -> Option<Type> {
    context.parameter(ty, "valueType")?.ty()
}

fn entry_arguments(module: &Module, operation: Operation) -> Vec<Value> {
    let entry = entry_block(module, operation);
    let arguments = entry.map(|entry| module.arguments(entry).map(|(value, _)| value));
    arguments.into_iter().flatten().collect()
}
