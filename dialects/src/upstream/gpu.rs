//! Custom syntax of the `gpu` dialect: directives, and the modules of its operations.

mod func;
mod launch;
pub(crate) mod mapping;
pub(crate) mod matrix;
pub(crate) mod object;
mod warp;

pub(crate) use func::Func;
pub(crate) use launch::{Launch, LaunchDimType, LaunchFuncOperands};
pub(crate) use warp::WarpExecuteOnLane0;

use crate::function::{Argument, attribute_list, is_list, property};
use crate::helpers::{between, dialect_type, operand_names};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, ParsedOperation,
    PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Module, NamedAttribute, Operation, Type, Value,
};
use std::borrow::Cow;

/// The attribute with the number of body arguments that are workgroup memory.
const WORKGROUP_ATTRIBUTIONS: &str = "workgroup_attributions";

/// Returns the type of the dialect with this text.
fn own_type(context: &mut Context, text: &str) -> Option<Type> {
    dialect_type(context, "gpu", text).ok()
}

/// Returns the attribute of the dialect with this text.
fn own_attribute(context: &mut Context, text: &str) -> Option<Attribute> {
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("gpu"),
        body: DialectBody::from_text(text.as_bytes()),
        ty: None,
    };
    context.try_attribute(kind).ok()
}

/// Returns the text of an attribute of the dialect, if it contains no references.
fn own_text(context: &Context, attribute: Attribute) -> Option<&[u8]> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect { dialect, body, .. }
            if context.bytes(*dialect) == b"gpu" && body.references().is_empty() =>
        {
            Some(body.text())
        }
        _ => None,
    }
}

/// The directive `async [%a, %b]`: whether the operation has a token as its result, and the tokens
/// it waits for.
#[derive(Debug)]
pub(crate) struct AsyncDependencies;

/// Parses the directive; returns whether `async` is present, and the names of the tokens.
fn async_dependencies(
    parser: &mut dyn AsmParser,
) -> AsmResult<(bool, Vec<rmlir_ir::asm::OperandName>)> {
    let is_async = parser.eat("async");
    let mut names = Vec::new();
    if parser.eat("[") && !parser.eat("]") {
        names = operand_names(parser)?;
        parser.expect("]")?;
    }
    Ok((is_async, names))
}

impl DirectiveSyntax for AsyncDependencies {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (is_async, names) = async_dependencies(parser)?;
        if let [token, dependencies, ..] = arguments {
            let ty = own_type(parser.context(), "async.token");
            *token = ParsedArgument::Types(ty.filter(|_| is_async).into_iter().collect());
            *dependencies = ParsedArgument::Operands(names);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [token, dependencies, ..] = arguments else {
            return;
        };
        let is_async = !token.types().is_empty();
        if is_async {
            printer.text("async");
        }
        if !dependencies.operands().is_empty() {
            printer.text(if is_async { " [" } else { "[" });
            printer.operands(dependencies.operands().iter().copied());
            printer.text("]");
        }
    }
}

/// The directive `<#handler>` of `gpu.binary`; absent for the default handler.
#[derive(Debug)]
pub(crate) struct OffloadingHandler;

const SELECT_OBJECT: &str = "select_object";

impl DirectiveSyntax for OffloadingHandler {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let handler = if parser.eat("<") {
            let handler = parser.attribute()?;
            parser.expect(">")?;
            Some(handler)
        } else {
            own_attribute(parser.context(), SELECT_OBJECT)
        };
        if let [argument, ..] = arguments {
            *argument = ParsedArgument::Attribute(handler);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let handler = arguments.first().and_then(PrintedArgument::attribute);
        let Some(handler) = handler else {
            return;
        };
        if own_text(printer.context(), handler) != Some(SELECT_OBJECT.as_bytes()) {
            printer.text("<");
            printer.attribute(handler);
            printer.text(">");
        }
    }

    /// Text without a handler is read with the default one.
    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let handler = arguments.first().and_then(PrintedArgument::attribute);
        handler.is_some()
    }
}

/// The directive for the operation of a reduction without a body, such as `add`.
#[derive(Debug)]
pub(crate) struct AllReduceOperation;

const ALL_REDUCE: &str = "all_reduce_op";

impl DirectiveSyntax for AllReduceOperation {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let dialect = parser.context().dialect(b"gpu");
        let enumeration = dialect
            .as_ref()
            .and_then(|d| d.enumeration("AllReduceOperation"));
        let mut cases = enumeration.into_iter().flat_map(|e| &e.cases);
        let case = cases.find(|case| parser.eat(&case.keyword));
        let operation = case.and_then(|case| {
            own_attribute(parser.context(), &format!("{ALL_REDUCE} {}", case.keyword))
        });
        if let [argument, ..] = arguments {
            *argument = ParsedArgument::Attribute(operation);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(operation) = arguments.first().and_then(PrintedArgument::attribute) {
            printer.stripped_attribute(operation, ALL_REDUCE);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let operation = arguments.first().and_then(PrintedArgument::attribute);
        operation.is_none_or(|operation| {
            own_text(context, operation).is_some_and(|text| text.starts_with(ALL_REDUCE.as_bytes()))
        })
    }
}

/// Names indices by their dimension: `thread_id_x`.
pub(crate) fn dimension_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let dimension = module.attribute(context, operation, "dimension")?;
    let dimension = std::str::from_utf8(own_text(context, dimension)?).ok()?;
    let dimension = dimension.strip_prefix("dim ")?;
    let of = context.operation_name_bytes(module.name(operation));
    let of = std::str::from_utf8(of).ok()?.strip_prefix("gpu.")?;
    Some(format!("{of}_{dimension}").into())
}

/// Parses `keyword(%a : type {...}, ...)`, if it is next: body arguments that denote memory.
fn attributions(
    parser: &mut dyn AsmParser,
    keyword: &str,
    with_attributes: bool,
) -> AsmResult<Vec<Argument>> {
    if !parser.eat(keyword) {
        return Ok(Vec::new());
    }
    between(parser, ("(", ")"), |parser| {
        let name = parser.operand_name()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let attributes = match with_attributes {
            true => parser.attribute_dictionary()?,
            false => Vec::new(),
        };
        Ok(Argument {
            name: Some(name),
            ty,
            attributes,
            location: parser.location()?,
        })
    })
}

/// Sets the attributes of memory attributions if any is not empty.
fn set_attribution_attributes(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    arguments: &[Argument],
) -> AsmResult<()> {
    let lists = arguments.iter().map(|a| a.attributes.as_slice());
    if let Some(value) = attribute_list(parser, lists)? {
        property(parser, operation, name, value);
    }
    Ok(())
}

/// Sets the number of workgroup attributions.
fn set_workgroup_count(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    count: usize,
) -> AsmResult<()> {
    let place = parser.place();
    let context = parser.context();
    let ty = context.i64_type();
    let count = context.integer_attribute(ty, i64::try_from(count).unwrap_or(i64::MAX));
    let count = count.map_err(|invalid| AsmError::new(place, invalid.message()))?;
    let name = context.identifier(WORKGROUP_ATTRIBUTIONS);
    operation.attributes.push((name, count));
    Ok(())
}

/// Returns the number of workgroup attributions; `None` if the attribute is not a valid number.
fn workgroup_count(context: &Context, module: &Module, operation: Operation) -> Option<usize> {
    let count = module.attribute(context, operation, WORKGROUP_ATTRIBUTIONS)?;
    match context.attribute_kind(count) {
        AttributeKind::Integer { ty, value } if *ty == context.i64_type() => {
            usize::try_from(value.to_i64()?).ok()
        }
        _ => None,
    }
}

/// Prints ` keyword(%a : type {...}, ...)`; nothing if there are none.
fn print_attributions(
    printer: &mut dyn AsmPrinter,
    keyword: &str,
    values: &[Value],
    attributes: &[&[NamedAttribute]],
) {
    if values.is_empty() {
        return;
    }
    printer.text(" ");
    printer.text(keyword);
    printer.text("(");
    for (number, &value) in values.iter().enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        printer.operand(value);
        printer.text(" : ");
        let ty = printer.module().value_type(value);
        printer.ty(ty);
        let attributes = attributes.get(number).copied().unwrap_or_default();
        printer.attribute_dictionary(attributes, &[]);
    }
    printer.text(")");
}

/// Returns whether the attributes of memory attributions can be printed.
fn has_attribution_attributes(
    context: &Context,
    (module, operation): (&Module, Operation),
    name: &str,
    len: usize,
) -> bool {
    let list = module.attribute(context, operation, name);
    list.is_none_or(|list| is_list(context, list, len))
}
