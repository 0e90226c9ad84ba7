//! Directives for parts of operations of IREE's dialects that are neither lists of rows nor
//! regions.

use crate::helpers::{between, comma_separated};
use crate::index_list::{index_list, print_index_list};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Module, NamedAttribute, Operation, Type,
};

const BRACKETS: (&str, &str) = ("[", "]");

/// The directive for the types of indices, `[type, type]`, which are not printed if all are
/// `index`. Its arguments are the indices, as a reference, and the types.
#[derive(Debug)]
pub(crate) struct IndexTypes;

impl DirectiveSyntax for IndexTypes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [ParsedArgument::Operands(indices), of_types] = arguments else {
            return Ok(false);
        };
        let is_there = parser.at("[");
        let types = match is_there {
            true => between(parser, BRACKETS, |parser| parser.ty())?,
            false => vec![parser.context().index_type(); indices.len()],
        };
        *of_types = ParsedArgument::Types(types);
        Ok(is_there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let types = arguments.last().map_or(&[][..], |types| types.types());
        let index = printer.context().index_type();
        if types.iter().any(|&ty| ty != index) {
            printer.text(" [");
            printer.types(types.iter().copied());
            printer.text("]");
        }
    }
}

/// The directive for lists of numbers and operands: `[[%a, 2], [3]]`. Its arguments are the
/// operands and an array of dense arrays.
#[derive(Debug)]
pub(crate) struct IndexLists;

/// Returns the numbers of the lists.
fn lists(context: &Context, attribute: Option<Attribute>) -> Option<Vec<Vec<i64>>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute?) else {
        return None;
    };
    let lists = items.iter();
    lists
        .map(|&item| Some(context.i64_array(item)?.collect()))
        .collect()
}

impl DirectiveSyntax for IndexLists {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut operands = Vec::new();
        let lists = between(parser, BRACKETS, |parser| {
            let (names, numbers) = index_list(parser, BRACKETS, None)?;
            operands.extend(names);
            Ok(parser.context().i64_array_attribute(numbers))
        })?;
        let lists = parser.context().array_attribute(&lists);
        if let [of_operands, of_lists] = arguments {
            *of_operands = ParsedArgument::Operands(operands);
            *of_lists = ParsedArgument::Attribute(Some(lists));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operands, all] = arguments else { return };
        let all = lists(printer.context(), all.attribute()).unwrap_or_default();
        let mut rest = operands.operands();
        printer.text("[");
        for (number, list) in all.iter().enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            let count = list.iter().filter(|&&number| number == DYNAMIC).count();
            let (own, others) = rest.split_at_checked(count).unwrap_or_default();
            print_index_list(printer, BRACKETS, own, (list, &[]));
            rest = others;
        }
        printer.text("]");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, all] = arguments else {
            return false;
        };
        let count = |lists: Vec<Vec<i64>>| {
            let numbers = lists.iter().flatten();
            numbers.filter(|&&number| number == DYNAMIC).count()
        };
        lists(context, all.attribute()).map(count) == Some(operands.operands().len())
    }
}

/// The directive for a dictionary on a line of its own: `knobs = {...}`.
#[derive(Debug)]
pub(crate) struct Knobs;

impl DirectiveSyntax for Knobs {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect("knobs")?;
        parser.expect("=")?;
        let value = parser.attribute()?;
        if let [of_value] = arguments {
            *of_value = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        printer.newline();
        printer.text(" knobs = ");
        if let Some(value) = arguments.first().and_then(PrintedArgument::attribute) {
            printer.attribute_without_type(value);
        }
        printer.newline();
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        value.is_some_and(|value| {
            matches!(context.attribute_kind(value), AttributeKind::Dictionary(_))
        })
    }
}

/// The directive for the parameter of a collective operation: `source(%rank)`. Its arguments are
/// the operation's kind, as a reference, and the operand.
#[derive(Debug)]
pub(crate) struct CollectiveParameter;

/// The kinds of collective operations that have a parameter, and its keyword.
const PARAMETERS: [(&str, &str); 5] = [
    ("broadcast", "source"),
    ("reduce", "target"),
    ("send", "target"),
    ("recv", "source"),
    ("send_recv", "source_target_pair"),
];

/// Returns the keyword of the parameter of a collective operation.
fn parameter(context: &Context, kind: Option<Attribute>) -> Option<&'static str> {
    let members = crate::helpers::dialect_members(context, "stream", kind, "collective")?;
    let kind = members.split([' ', ':']).next()?;
    PARAMETERS.iter().find(|one| one.0 == kind).map(|one| one.1)
}

impl DirectiveSyntax for CollectiveParameter {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [ParsedArgument::Attribute(kind), of_operand] = arguments else {
            return Ok(false);
        };
        let Some(keyword) = parameter(parser.context(), *kind) else {
            return Ok(false);
        };
        parser.expect(keyword)?;
        let operands = between(parser, ("(", ")"), |parser| parser.operand_name())?;
        *of_operand = ParsedArgument::Operands(operands);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [kind, operand] = arguments else { return };
        if let Some(keyword) = parameter(printer.context(), kind.attribute()) {
            printer.text(keyword);
            printer.text("(");
            printer.operands(operand.operands().iter().copied());
            printer.text(") ");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [kind, operand] = arguments else {
            return false;
        };
        let is_there = parameter(context, kind.attribute()).is_some();
        operand.operands().len() == usize::from(is_there)
    }
}

/// The directive for an array of types: `(i32, i64)`.
#[derive(Debug)]
pub(crate) struct TypeList;

/// Returns the types of an array of them.
fn types(context: &Context, attribute: Option<Attribute>) -> Option<Vec<Type>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute?) else {
        return None;
    };
    let items = items.iter();
    items
        .map(|&item| match context.attribute_kind(item) {
            AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        })
        .collect()
}

impl DirectiveSyntax for TypeList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let types = between(parser, ("(", ")"), |parser| parser.ty())?;
        let context = parser.context();
        let types: Vec<Attribute> = types
            .into_iter()
            .map(|ty| context.type_attribute(ty))
            .collect();
        let types = context.array_attribute(&types);
        if let [of_types] = arguments {
            *of_types = ParsedArgument::Attribute(Some(types));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let list = arguments.first().and_then(PrintedArgument::attribute);
        printer.text("(");
        printer.types(
            types(printer.context(), list)
                .unwrap_or_default()
                .into_iter(),
        );
        printer.text(")");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let list = arguments.first().and_then(PrintedArgument::attribute);
        types(context, list).is_some()
    }
}

/// The directive for the signature of a function whose arguments have no block: `(%arg0: type) ->
/// (%arg0 as type, type)`. Its arguments are the function type, what results are tied to unless
/// `ranges`, and the attributes of arguments and results.
#[derive(Debug)]
pub(crate) struct TextSignature {
    /// Whether resources have a range, `%arg0[%arg1 for %arg2]: type`, whose offset and length are
    /// the next two arguments.
    pub(crate) ranges: bool,
}

/// Returns a dictionary of attributes.
fn dictionary(parser: &mut dyn AsmParser, attributes: &[NamedAttribute]) -> AsmResult<Attribute> {
    let place = parser.place();
    let dictionary = parser.context().dictionary_attribute(attributes);
    dictionary.map_err(|error| AsmError::new(place, error.message()))
}

impl TextSignature {
    /// Returns whether the argument of that type has a range.
    fn has_range(&self, context: &Context, ty: Type) -> bool {
        self.ranges && crate::helpers::is_of(context, ty, "stream", "resource")
    }
}

impl DirectiveSyntax for TextSignature {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut names, mut types, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        let index = parser.context().index_type();
        let none = parser.context().empty_dictionary();
        parser.expect("(")?;
        if !parser.at(")") {
            comma_separated(parser, |parser| {
                let name = parser.operand_name()?;
                let has_range = self.ranges && parser.eat("[");
                if has_range {
                    parser.operand_name()?;
                    parser.expect("for")?;
                    parser.operand_name()?;
                    parser.expect("]")?;
                }
                parser.expect(":")?;
                let ty = parser.ty()?;
                let attributes = parser.attribute_dictionary()?;
                let list = dictionary(parser, &attributes)?;
                let more = if has_range { 2 } else { 0 };
                names.extend([name].repeat(more + 1));
                types.push(ty);
                lists.push(list);
                types.extend(vec![index; more]);
                lists.extend(vec![none; more]);
                Ok(())
            })?;
        }
        parser.expect(")")?;
        let results = match parser.eat("->") {
            true => super::function::Results::of(parser, &names, &types)?,
            false => super::function::Results::default(),
        };
        let of_results: AsmResult<Vec<Attribute>> = (results.attributes.iter())
            .map(|list| dictionary(parser, list))
            .collect();
        let of_results = of_results?;
        let context = parser.context();
        let function = context.function_type(&types, &results.types);
        let function = context.type_attribute(function);
        let of_results = context.array_attribute(&of_results);
        let of_arguments = context.array_attribute(&lists);
        let tied = match results.tied.is_empty() {
            true => None,
            false => super::values::index_array(context, &results.tied),
        };
        let found = match self.ranges {
            true => vec![Some(function), Some(of_arguments), Some(of_results)],
            false => vec![Some(function), tied, Some(of_arguments), Some(of_results)],
        };
        for (argument, value) in arguments.iter_mut().zip(found) {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let attribute = |at: usize| arguments.get(at).and_then(PrintedArgument::attribute);
        let types = crate::function::types_of(context, attribute(0));
        let Some((inputs, outputs)) = types else {
            return;
        };
        let at = if self.ranges { 1 } else { 2 };
        let of_arguments = crate::function::dictionaries(context, attribute(at));
        let of_results = crate::function::dictionaries(context, attribute(at + 1));
        let tied = match self.ranges {
            true => None,
            false => super::shaped::tied_to(context, attribute(1), outputs.len()),
        };
        printer.text("(");
        let mut number = 0;
        while let Some(&ty) = inputs.get(number) {
            printer.text(if number > 0 { ", %arg" } else { "%arg" });
            printer.text(&number.to_string());
            let has_range = self.has_range(context, ty);
            if has_range {
                printer.text(&format!("[%arg{} for %arg{}]", number + 1, number + 2));
            }
            printer.text(": ");
            printer.ty(ty);
            let attributes = of_arguments.get(number).copied().unwrap_or_default();
            printer.attribute_dictionary(attributes, &[]);
            number += if has_range { 3 } else { 1 };
        }
        printer.text(")");
        let tied = tied.unwrap_or_default();
        super::function::print_tied_results(printer, &[], (inputs, outputs), &of_results, &tied);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let attribute = |at: usize| arguments.get(at).and_then(PrintedArgument::attribute);
        let types = crate::function::types_of(context, attribute(0));
        let Some((inputs, outputs)) = types else {
            return false;
        };
        let at = if self.ranges { 1 } else { 2 };
        let is_list = |at: usize, len: usize| {
            attribute(at).is_none_or(|list| crate::function::is_list(context, list, len))
        };
        let tied = match self.ranges {
            true => Some(Vec::new()),
            false => super::shaped::tied_to(context, attribute(1), outputs.len()),
        };
        let exists = |&at: &i64| at == -1 || usize::try_from(at).is_ok_and(|at| at < inputs.len());
        let mut number = 0;
        while let Some(&ty) = inputs.get(number) {
            if self.has_range(context, ty) {
                let index = context.index_type();
                let range = inputs.get(number + 1..number + 3);
                if range != Some(&[index, index][..]) {
                    return false;
                }
                number += 2;
            }
            number += 1;
        }
        is_list(at, inputs.len())
            && is_list(at + 1, outputs.len())
            && tied.is_some_and(|tied| tied.iter().all(exists))
    }
}
