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

use crate::directive::{Printed, TwoWayDirective};
use crate::function::{attribute_list, dictionaries, is_inherent, is_list, property};
use crate::helpers::dialect_type;
use crate::two_way::signature::Parameter;
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Module, Operation, OperationName, Type, Value,
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

/// `async [%a, %b]`.
#[derive(Default)]
pub(crate) struct Dependencies {
    is_async: bool,
    tokens: Vec<Named>,
}

impl Asm<'_, '_> {
    /// `async [%a, %b]`, each part if it is there.
    fn dependencies(&mut self, dependencies: &mut Dependencies) -> AsmResult<()> {
        self.optional("async", "async", &mut dependencies.is_async);
        if self.is_there("[", !dependencies.tokens.is_empty()) {
            if dependencies.is_async {
                self.space(" ");
            }
            self.values_between(("[", "]"), &mut dependencies.tokens)?;
        }
        Ok(())
    }
}

impl TwoWayDirective for AsyncDependencies {
    type Content = Dependencies;

    fn content(&self, printed: &Printed<'_>) -> Option<Dependencies> {
        let [token, dependencies, ..] = printed.arguments else {
            return None;
        };
        Some(Dependencies {
            is_async: !token.types().is_empty(),
            tokens: Named::all(dependencies.operands().iter().copied()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Dependencies) -> AsmResult<bool> {
        asm.dependencies(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Dependencies,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [token, dependencies, ..] = arguments {
            let ty = own_type(parser.context(), "async.token");
            *token = ParsedArgument::Types(ty.filter(|_| content.is_async).into_iter().collect());
            *dependencies = ParsedArgument::Operands(Named::names(&content.tokens));
        }
        Ok(())
    }
}

/// The directive `<#handler>` of `gpu.binary`; absent for the default handler.
#[derive(Debug)]
pub(crate) struct OffloadingHandler;

const SELECT_OBJECT: &str = "select_object";

impl TwoWayDirective for OffloadingHandler {
    /// `None` for the default handler.
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let handler = printed.arguments.first()?.attribute()?;
        let is_default = own_text(printed.context, handler) == Some(SELECT_OBJECT.as_bytes());
        Some((!is_default).then_some(handler))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there("<", content.is_some()) {
            asm.token("<", "<")?;
            asm.attribute(content)?;
            asm.token(">", ">")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument, ..] = arguments {
            let handler = content.or_else(|| own_attribute(parser.context(), SELECT_OBJECT));
            *argument = ParsedArgument::Attribute(handler);
        }
        Ok(())
    }
}

/// The directive for the operation of a reduction without a body, such as `add`.
#[derive(Debug)]
pub(crate) struct AllReduceOperation;

const ALL_REDUCE: &str = "all_reduce_op";

impl Asm<'_, '_> {
    /// The keyword of the operation of a reduction, if it is there.
    fn all_reduce(&mut self, operation: &mut Option<Attribute>) {
        let parser = match self {
            Asm::Parser(parser) => parser,
            Asm::Printer(printer) => {
                if let Some(operation) = *operation {
                    printer.stripped_attribute(operation, ALL_REDUCE);
                }
                return;
            }
        };
        let dialect = parser.context().dialect(b"gpu");
        let enumeration = dialect
            .as_ref()
            .and_then(|d| d.enumeration("AllReduceOperation"));
        let mut cases = enumeration.into_iter().flat_map(|e| &e.cases);
        let case = cases.find(|case| parser.eat(&case.keyword));
        *operation = case.and_then(|case| {
            own_attribute(parser.context(), &format!("{ALL_REDUCE} {}", case.keyword))
        });
    }
}

impl TwoWayDirective for AllReduceOperation {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let operation = printed
            .arguments
            .first()
            .and_then(PrintedArgument::attribute);
        let is_it = |operation| {
            let text = own_text(printed.context, operation);
            text.is_some_and(|text| text.starts_with(ALL_REDUCE.as_bytes()))
        };
        operation.is_none_or(is_it).then_some(operation)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.all_reduce(content);
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument, ..] = arguments {
            *argument = ParsedArgument::Attribute(content);
        }
        Ok(())
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

/// Body arguments that denote memory.
type Attributions = Vec<Parameter>;

/// Returns body arguments that denote memory, with the attributes in an operation's list; `None` if
/// the list does not match.
fn attributions(
    context: &Context,
    module: &Module,
    list: Option<Attribute>,
    values: &[Value],
) -> Option<Attributions> {
    if list.is_some_and(|list| !is_list(context, list, values.len())) {
        return None;
    }
    let lists = dictionaries(context, list);
    let attributes = |number: usize| {
        lists
            .get(number)
            .map_or_else(Vec::new, |list| list.to_vec())
    };
    let values = values.iter().enumerate();
    let parameter = |(number, &value): (usize, &Value)| Parameter {
        value: Named::of(value),
        ty: Some(module.value_type(value)),
        attributes: attributes(number),
        ..Parameter::default()
    };
    Some(values.map(parameter).collect())
}

impl Asm<'_, '_> {
    /// ` keyword(%a : type {...}, ...)`; nothing if there are none.
    fn attributions(
        &mut self,
        keyword: &str,
        with_attributes: bool,
        attributions: &mut Attributions,
    ) -> AsmResult<()> {
        if !self.is_there(keyword, !attributions.is_empty()) {
            return Ok(());
        }
        self.space(" ");
        self.token(keyword, keyword)?;
        self.list(("(", ")"), attributions, |asm, one| {
            asm.value(&mut one.value)?;
            asm.token(":", " : ")?;
            asm.ty(&mut one.ty)?;
            if with_attributes {
                asm.dictionary(&mut one.attributes)?;
            }
            asm.location(None, &mut one.location)
        })
    }
}

/// Sets the attributes of memory attributions if any is not empty.
fn set_attribution_attributes(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    arguments: &[Parameter],
) -> AsmResult<()> {
    let lists = arguments.iter().map(|a| a.attributes.as_slice());
    if let Some(value) = attribute_list(parser, lists)? {
        property(parser, operation, name, value);
    }
    Ok(())
}

/// Returns whether operations have the number of their workgroup attributions even if it is 0:
/// where it is not inherent.
fn shows_no_memory(context: &Context, operation: OperationName) -> bool {
    !is_inherent(context, operation, WORKGROUP_ATTRIBUTIONS)
}

/// Sets the number of workgroup attributions, if the operation shows it.
fn set_workgroup_count(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    count: usize,
) -> AsmResult<()> {
    let (place, name) = (parser.place(), parser.operation_name());
    let context = parser.context();
    if count == 0 && !shows_no_memory(context, name) {
        return Ok(());
    }
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
