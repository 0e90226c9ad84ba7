//! Custom syntax of the `async` dialect: `async.execute` and `async.await`.

use crate::directive::{Printed, TwoWayDirective};
use crate::function::{Function, entry_block};
use crate::helpers::{
    add_operands, dialect_type, entry_arguments, is_dialect_type, result_types, segments_property,
    sizes_of,
};
use crate::two_way::{Asm, Named, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type, Value};

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

impl TwoWayDirective for AwaitResultType {
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operand, result, ..] = printed.arguments else {
            return None;
        };
        let &[operand] = operand.types() else {
            return None;
        };
        let awaited = awaited_type(printed.context, operand);
        (awaited.as_slice() == result.types()).then_some(Some(operand))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.ty(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let awaited = content.and_then(|ty| parser.parameter_of(ty));
        if let [operand, result, ..] = arguments {
            *operand = ParsedArgument::Types(content.into_iter().collect());
            *result = ParsedArgument::Types(awaited.into_iter().collect());
        }
        Ok(())
    }
}

/// Custom syntax of `async.execute`: `[%token] (%value as %name: type, ...) -> (types) attributes
/// {...} {...}`.
#[derive(Debug)]
pub(crate) struct Execute;

/// A value, the name that it has in the region after it was awaited, and the type of the value.
#[derive(Default)]
pub(crate) struct Awaited {
    value: Named,
    name: Named,
    place: Option<usize>,
    ty: Option<Type>,
}

/// The parsed parts of [`Execute`].
#[derive(Default)]
pub(crate) struct ExecuteContent {
    tokens: Vec<Named>,
    values: Vec<Awaited>,
    results: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Execute {
    type Content = ExecuteContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ExecuteContent> {
        let (tokens, values) = groups(context, module, operation)?;
        let results = result_types(module, operation);
        let arguments = entry_arguments(module, operation, 0);
        let (&token, results) = results.split_first()?;
        let entry = entry_block(module, operation)?;
        let is_token = |&value: &Value| is_token(context, module.value_type(value));
        let fits = self::is_token(context, token)
            && tokens.iter().all(is_token)
            && module.regions(operation).len() == 1
            && module.successors(operation).len() == 0
            && module.next_block(entry).is_none()
            && module.first_operation(entry).is_some()
            && are_awaited(context, module, &values, &arguments);
        let awaited = |(value, name): (Value, Value)| Awaited {
            value: Named::of(value),
            name: Named::of(name),
            place: None,
            ty: Some(module.value_type(value)),
        };
        fits.then(|| ExecuteContent {
            tokens: Named::all(tokens),
            values: values.into_iter().zip(arguments).map(awaited).collect(),
            results: results.to_vec(),
            attributes: other_attributes(context, module, operation, &["operandSegmentSizes"]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ExecuteContent) -> AsmResult<()> {
        if asm.is_there("[", !content.tokens.is_empty()) {
            asm.values_between((" [", "]"), &mut content.tokens)?;
        }
        if asm.is_there("(", !content.values.is_empty()) {
            asm.list((" (", ")"), &mut content.values, |asm, awaited| {
                asm.value(&mut awaited.value)?;
                asm.token("as", " as ")?;
                asm.value(&mut awaited.name)?;
                asm.token(":", ": ")?;
                awaited.place = asm.place();
                asm.ty(&mut awaited.ty)
            })?;
        }
        asm.optional_arrow_types(&mut content.results)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ExecuteContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let token = token_type(parser.context());
        let token = token.ok_or_else(|| AsmError::new(place, "expected a type"))?;
        let tokens = Named::names(&content.tokens);
        add_operands(
            parser,
            operation,
            tokens.into_iter().map(|name| (name, token)),
        )?;
        let mut arguments = parser.argument_list();
        for awaited in &content.values {
            let (Some(name), Some(ty)) = (awaited.name.name, awaited.ty) else {
                continue;
            };
            add_operands(
                parser,
                operation,
                awaited.value.name.map(|value| (value, ty)),
            )?;
            // A token has no value to unwrap.
            let inside = parser.parameter_of(ty);
            let message = "expected an async value type";
            let ty = inside.ok_or_else(|| failure(awaited.place, message))?;
            let location = None;
            arguments.push(RegionArgument { name, ty, location });
        }
        let sizes = [content.tokens.len(), content.values.len()];
        segments_property(parser, operation, &sizes);
        operation.result_types.push(token);
        operation.result_types.append(&mut content.results);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Some(arguments))
    }

    fn may_be_empty(&self) -> bool {
        true
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
