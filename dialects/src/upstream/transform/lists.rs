//! Directives for lists of sizes, positions and bindings.

use crate::directive::Directive;
use crate::function::property;
use crate::helpers::{check_count, comma_separated_types, numbers, operand_names};
use crate::index_list::DynamicIndexList;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperationSyntax, ParseStep,
    ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{AttributeKind, Context, DYNAMIC, Module, Operation, Value};

/// The directive `*(%a)`, one handle for all sizes, or `[%a, 4]`. Arguments: that handle, the other
/// operands, the numbers.
#[derive(Debug)]
pub(crate) struct PackedOrDynamicIndexList;

const LIST: Directive<DynamicIndexList> = Directive(DynamicIndexList { optional: false });

impl DirectiveSyntax for PackedOrDynamicIndexList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let Some((packed, list)) = arguments.split_first_mut() else {
            return Ok(false);
        };
        if !parser.eat("*") {
            return LIST.parse(parser, list);
        }
        parser.expect("(")?;
        let name = parser.operand_name()?;
        parser.expect(")")?;
        *packed = ParsedArgument::Operands(vec![name]);
        if let [_, sizes, ..] = list {
            *sizes = ParsedArgument::Attribute(Some(parser.context().i64_array_attribute([])));
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let Some((packed, list)) = arguments.split_first() else {
            return;
        };
        match packed.operands() {
            [] => LIST.print(printer, operation, list),
            operands => {
                printer.text("*(");
                printer.operands(operands.iter().copied());
                printer.text(")");
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        here: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let Some((packed, list)) = arguments.split_first() else {
            return false;
        };
        let [values, sizes, ..] = list else {
            return false;
        };
        match packed.operands() {
            [] => LIST.can_print(context, here, list),
            [_] => {
                values.operands().is_empty()
                    && numbers(context, sizes.attribute()).is_none_or(|sizes| sizes.is_empty())
            }
            _ => false,
        }
    }
}

/// The directive `0, 1`, `except(0, 1)` or `all`: positions, whether the list is inverted, and
/// whether all match.
#[derive(Debug)]
pub(crate) struct MatchDims;

/// Parses `0, 1`.
fn integers(parser: &mut dyn AsmParser) -> AsmResult<Vec<i64>> {
    let mut numbers = Vec::new();
    loop {
        let place = parser.place();
        let number = parser.optional_integer()?;
        numbers.push(number.ok_or_else(|| AsmError::new(place, "expected integer value"))?);
        if !parser.eat(",") {
            return Ok(numbers);
        }
    }
}

impl DirectiveSyntax for MatchDims {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let is_all = parser.eat("all");
        let is_inverted = !is_all && parser.eat("except");
        let mut numbers = Vec::new();
        if is_inverted {
            parser.expect("(")?;
        }
        if !is_all {
            numbers = integers(parser)?;
        }
        if is_inverted {
            parser.expect(")")?;
        }
        let unit = parser.context().unit_attribute();
        if let [list, inverted, all, ..] = arguments {
            *list = ParsedArgument::Attribute(Some(
                parser
                    .context()
                    .i64_array_attribute(numbers.iter().copied()),
            ));
            *inverted = ParsedArgument::Attribute(is_inverted.then_some(unit));
            *all = ParsedArgument::Attribute(is_all.then_some(unit));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [list, inverted, all, ..] = arguments else {
            return;
        };
        if all.attribute().is_some() {
            return printer.text("all");
        }
        let is_inverted = inverted.attribute().is_some();
        let list = numbers(printer.context(), list.attribute()).unwrap_or_default();
        if is_inverted {
            printer.text("except(");
        }
        for (at, number) in list.into_iter().enumerate() {
            if at > 0 {
                printer.text(", ");
            }
            printer.text(&number.to_string());
        }
        if is_inverted {
            printer.text(")");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [list, inverted, all, ..] = arguments else {
            return false;
        };
        let list = numbers(context, list.attribute());
        match (all.attribute(), inverted.attribute()) {
            (Some(_), Some(_)) => false,
            (Some(_), None) => list.is_some_and(|list| list.is_empty()),
            (None, _) => list.is_some_and(|list| !list.is_empty()),
        }
    }
}

/// The directive `%root, %a : type, type`, or nothing: the root, its type, the extra bindings and
/// their types.
#[derive(Debug)]
pub(crate) struct SequenceOperands;

impl DirectiveSyntax for SequenceOperands {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !parser.at_operand() {
            return Ok(false);
        }
        let place = parser.place();
        let mut names = operand_names(parser)?;
        parser.expect(":")?;
        let in_brackets = parser.eat("(");
        let mut types = comma_separated_types(parser)?;
        if in_brackets {
            parser.expect(")")?;
        }
        check_count(names.len(), types.len(), place)?;
        if let [root, root_type, others, other_types, ..] = arguments {
            *others = ParsedArgument::Operands(names.split_off(1));
            *other_types = ParsedArgument::Types(types.split_off(1));
            *root = ParsedArgument::Operands(names);
            *root_type = ParsedArgument::Types(types);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [root, root_type, others, other_types, ..] = arguments else {
            return;
        };
        let &[root] = root.operands() else {
            return;
        };
        let others = others.operands();
        let values: Vec<Value> = std::iter::once(root)
            .chain(others.iter().copied())
            .collect();
        printer.operands(values.into_iter());
        printer.text(if others.is_empty() { " : " } else { " : (" });
        let types = root_type.types().iter().chain(other_types.types()).copied();
        printer.types(types);
        if !others.is_empty() {
            printer.text(")");
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [root, _, others, ..] = arguments else {
            return false;
        };
        !root.operands().is_empty() || others.operands().is_empty()
    }
}

/// The directive `1` or `%param`: the number of a region.
#[derive(Debug)]
pub(crate) struct SelectedRegion;

impl DirectiveSyntax for SelectedRegion {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [number, param, ..] = arguments else {
            return Ok(false);
        };
        if parser.at_operand() {
            *param = ParsedArgument::Operands(vec![parser.operand_name()?]);
        } else {
            let ty = parser.context().index_type();
            *number = ParsedArgument::Attribute(Some(parser.attribute_of_type(ty)?));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [number, param, ..] = arguments else {
            return;
        };
        match number.attribute() {
            Some(number) => printer.attribute_without_type(number),
            None => printer.operands(param.operands().iter().copied()),
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [number, param, ..] = arguments else {
            return false;
        };
        match number.attribute() {
            Some(number) => {
                let is_number = matches!(
                    context.attribute_kind(number),
                    AttributeKind::Integer { ty, .. } if *ty == context.index_type()
                );
                is_number && param.operands().is_empty()
            }
            None => !param.operands().is_empty(),
        }
    }
}

/// Custom syntax of `transform.structured.split`: `%target after 42 {...} : type` or
/// `%target after %size {...} : type, type`.
#[derive(Debug)]
pub(crate) struct Split;

const CHUNK_SIZES: &str = "static_chunk_sizes";

/// Returns the static chunk size.
fn chunk_size(context: &Context, module: &Module, operation: Operation) -> Option<i64> {
    let size = module.attribute(context, operation, CHUNK_SIZES)?;
    match context.attribute_kind(size) {
        AttributeKind::Integer { ty, value } if *ty == context.i64_type() => value.to_i64(),
        _ => None,
    }
}

impl OperationSyntax for Split {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let target = parser.operand_name()?;
        parser.expect("after")?;
        let place = parser.place();
        let (dynamic, size) = match parser.at_operand() {
            true => (Some(parser.operand_name()?), DYNAMIC),
            false => {
                let size = parser.optional_integer()?;
                let missing = || AsmError::new(place, "expected integer value");
                (None, size.ok_or_else(missing)?)
            }
        };
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        operation.operands.push(parser.resolve(target, ty)?);
        if let Some(dynamic) = dynamic {
            parser.expect(",")?;
            let ty = parser.ty()?;
            operation.operands.push(parser.resolve(dynamic, ty)?);
        }
        let i64_type = parser.context().i64_type();
        let size = parser.context().integer_attribute(i64_type, size);
        let size = size.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, CHUNK_SIZES, size);
        operation.result_types.push(ty);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let size = chunk_size(context, module, operation);
        let operands: Vec<Value> = module.operands(operation).collect();
        let types: Vec<_> = operands.iter().map(|&v| module.value_type(v)).collect();
        let attributes = module.all_attributes(context, operation);
        let (Some(&target), Some(size)) = (operands.first(), size) else {
            return PrintStep::Done;
        };
        printer.text(" ");
        printer.operand(target);
        printer.text(" after ");
        match operands.get(1) {
            Some(&dynamic) => printer.operand(dynamic),
            None => printer.text(&size.to_string()),
        }
        printer.text(" ");
        printer.attribute_dictionary(&attributes, &[CHUNK_SIZES]);
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let size = chunk_size(context, module, operation);
        let target = module.operand(operation, 0).map(|v| module.value_type(v));
        let result = module.result(operation, 0).map(|v| module.value_type(v));
        crate::func::has_shape(module, operation, operands, 1, 0)
            && result == target
            && match operands {
                1 => size.is_some_and(|size| size != DYNAMIC),
                2 => size == Some(DYNAMIC),
                _ => false,
            }
    }
}
