//! Directives of groups of operands and results, with their types.

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind};

/// The directive of a group of results or operands of one type, by their number: `[2] %a : T`.
/// Arguments: the operand, the attributes, its type, the types of the results.
#[derive(Debug)]
pub(crate) struct Copies {
    /// The type, if the text leaves it out.
    pub(crate) fixed: Option<(&'static str, &'static str)>,
}

impl DirectiveSyntax for Copies {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect("[")?;
        let place = parser.place();
        let count = parser.optional_integer()?;
        let count = count.and_then(|count| usize::try_from(count).ok());
        // Each result has a name, so the number is bounded by the text.
        let named = |parser: &mut dyn AsmParser, count: usize| {
            count <= 1 || parser.result_name(count.saturating_sub(1)).is_some() || count <= 4096
        };
        let Some(count) = count.filter(|&count| named(parser, count)) else {
            return Err(AsmError::new(place, "expected the number of results"));
        };
        parser.expect("]")?;
        let name = parser.operand_name()?;
        let attributes = parser.attribute_dictionary()?;
        let ty = match self.fixed {
            Some((dialect, text)) => crate::helpers::dialect_type(parser.context(), dialect, text)
                .map_err(|error| AsmError::new(place, error.message()))?,
            None => {
                parser.expect(":")?;
                parser.ty()?
            }
        };
        if let [to_name, to_attributes, to_ty, to_types] = arguments {
            *to_name = ParsedArgument::Operands(vec![name]);
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_ty = ParsedArgument::Types(vec![ty]);
            *to_types = ParsedArgument::Types(vec![ty; count]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [name, PrintedArgument::Dictionary(attributes), ty, types] = arguments else {
            return;
        };
        printer.text(&format!("[{}] ", types.types().len()));
        printer.operands(name.operands().iter().copied());
        if self.fixed.is_some() {
            // As upstream, there is a space at the end.
            printer.text(" ");
            if !attributes.is_empty() {
                printer.text(" ");
                printer.attribute_dictionary(attributes, &[]);
            }
            return;
        }
        printer.attribute_dictionary(attributes, &[]);
        printer.text(" : ");
        printer.types(ty.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [name, _, ty, types] = arguments else {
            return false;
        };
        let &[ty] = ty.types() else { return false };
        let is_fixed = self.fixed.is_none_or(|(dialect, text)| {
            crate::helpers::is_dialect_type(context, ty, dialect, text)
        });
        name.operands().len() == 1
            && is_fixed
            && types.types().len() <= 4096
            && types.types().iter().all(|&one| one == ty)
    }
}

/// The directive of a list of types of which the last belongs to another group: `index, i32`.
/// Arguments: the types of the first group, the type of the last, and the types of two groups that
/// have the same types as these: the last one, the first ones.
#[derive(Debug)]
pub(crate) struct AddressesAndData;

impl DirectiveSyntax for AddressesAndData {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let mut types = crate::helpers::comma_separated_types(parser)?;
        let Some(last) = types.pop() else {
            return Err(AsmError::new(place, "expected a type"));
        };
        if let [addresses, data, result, results] = arguments {
            *addresses = ParsedArgument::Types(types.clone());
            *data = ParsedArgument::Types(vec![last]);
            *result = ParsedArgument::Types(vec![last]);
            *results = ParsedArgument::Types(types);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [addresses, data, _, _] = arguments {
            let all = addresses.types().iter().chain(data.types());
            printer.types(all.copied());
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [addresses, data, result, results] = arguments else {
            return false;
        };
        addresses.types() == results.types()
            && data.types() == result.types()
            && data.types().len() == 1
    }
}

/// The directive of operands that may be inverted: `%a, not %b {...} : T`. Arguments: the operands,
/// the type of the result, the flags, the attributes.
#[derive(Debug)]
pub(crate) struct InvertibleOperands;

/// Returns the flags of `array<i1: ...>`.
fn flags(context: &Context, attribute: Option<Attribute>) -> Option<&[u8]> {
    match context.attribute_kind(attribute?) {
        AttributeKind::DenseArray { element, data, .. } => {
            let is_bool = matches!(
                context.type_kind(*element),
                TypeKind::Integer { width: 1, .. }
            );
            is_bool.then_some(data)
        }
        _ => None,
    }
}

impl DirectiveSyntax for InvertibleOperands {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut names, mut inverted) = (Vec::new(), Vec::new());
        let place = parser.place();
        while names.is_empty() && (parser.at_operand() || parser.at("not")) || parser.eat(",") {
            inverted.push(u8::from(parser.eat("not")));
            names.push(parser.operand_name()?);
        }
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let context = parser.context();
        let kind = AttributeKind::DenseArray {
            element: context.integer_type(1),
            length: inverted.len(),
            data: inverted.into(),
        };
        let made = context.try_attribute(kind);
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_names, to_ty, to_inverted, to_attributes] = arguments {
            *to_names = ParsedArgument::Operands(names);
            *to_ty = ParsedArgument::Types(vec![ty]);
            *to_inverted = ParsedArgument::Attribute(Some(made));
            *to_attributes = ParsedArgument::Dictionary(attributes);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [names, ty, inverted, PrintedArgument::Dictionary(attributes)] = arguments else {
            return;
        };
        let context = printer.context();
        let flags = flags(context, inverted.attribute()).unwrap_or_default();
        for (number, (&value, &flag)) in names.operands().iter().zip(flags).enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.text(if flag != 0 { "not " } else { "" });
            printer.operand(value);
        }
        printer.attribute_dictionary(attributes, &[]);
        printer.text(" : ");
        printer.types(ty.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [names, _, inverted, _] = arguments else {
            return false;
        };
        flags(context, inverted.attribute())
            .is_some_and(|flags| flags.len() == names.operands().len())
    }
}

/// The directive of a value with an optional guard: `%guard ? %value`. Arguments: the value, the
/// guard.
#[derive(Debug)]
pub(crate) struct Guarded;

impl DirectiveSyntax for Guarded {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let first = parser.operand_name()?;
        let (value, guard) = match parser.eat("?") {
            true => (parser.operand_name()?, vec![first]),
            false => (first, Vec::new()),
        };
        if let [to_value, to_guard] = arguments {
            *to_value = ParsedArgument::Operands(vec![value]);
            *to_guard = ParsedArgument::Operands(guard);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [value, guard] = arguments else { return };
        if let [guard] = guard.operands() {
            printer.operand(*guard);
            printer.text(" ? ");
        }
        printer.operands(value.operands().iter().copied());
    }
}

/// The directive of numbers of operands and results of one type: `i4 [3 -> 2]`. Arguments: the
/// types of the operands, the types of the results.
#[derive(Debug)]
pub(crate) struct Counts;

impl DirectiveSyntax for Counts {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.ty()?;
        parser.expect("[")?;
        let place = parser.place();
        let number = |parser: &mut dyn AsmParser| -> AsmResult<usize> {
            let number = parser.optional_integer()?;
            let number = number.and_then(|number| usize::try_from(number).ok());
            number
                .filter(|&number| number <= MOST)
                .ok_or_else(|| AsmError::new(place, "expected a number of values"))
        };
        let inputs = number(parser)?;
        parser.expect("->")?;
        let results = number(parser)?;
        parser.expect("]")?;
        if let [to_inputs, to_results] = arguments {
            *to_inputs = ParsedArgument::Types(vec![ty; inputs]);
            *to_results = ParsedArgument::Types(vec![ty; results]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [inputs, results] = arguments else { return };
        if let Some(&ty) = inputs.types().first() {
            printer.ty(ty);
        }
        let (inputs, results) = (inputs.types().len(), results.types().len());
        printer.text(&format!(" [{inputs} -> {results}]"));
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [inputs, results] = arguments else {
            return false;
        };
        let (inputs, results) = (inputs.types(), results.types());
        inputs.first().is_some_and(|first| {
            inputs.iter().chain(results).all(|ty| ty == first)
                && inputs.len().max(results.len()) <= MOST
        })
    }
}

/// The maximum number of values of one type that a count denotes.
const MOST: usize = 4096;

/// The directive of a result that there is unless its type is written as `none`. Arguments: the
/// operands' types, the type of the result.
#[derive(Debug)]
pub(crate) struct NoneOrType;

impl DirectiveSyntax for NoneOrType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect("(")?;
        let inputs = crate::helpers::types_in_brackets(parser)?;
        parser.expect("->")?;
        let ty = parser.ty()?;
        let is_none = matches!(parser.context().type_kind(ty), TypeKind::None);
        if let [to_inputs, to_result] = arguments {
            *to_inputs = ParsedArgument::Types(inputs);
            *to_result = ParsedArgument::Types(if is_none { Vec::new() } else { vec![ty] });
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [inputs, result] = arguments else { return };
        printer.text("(");
        printer.types(inputs.types().iter().copied());
        printer.text(") -> ");
        match result.types() {
            [] => printer.text("none"),
            types => printer.types(types.iter().copied()),
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, result] = arguments else { return false };
        let types = result.types();
        types
            .iter()
            .all(|&ty| !matches!(context.type_kind(ty), TypeKind::None))
    }
}

/// The directive of the types of two groups of operands, of which the first has as many as there
/// are operands: `, T, T`. Arguments: both groups' types, the operands of the first group.
#[derive(Debug)]
pub(crate) struct RestOfTypes;

impl DirectiveSyntax for RestOfTypes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let types = match parser.eat(",") {
            true => crate::helpers::comma_separated_types(parser)?,
            false => Vec::new(),
        };
        let there = !types.is_empty();
        if let [first, second, ParsedArgument::Operands(names)] = arguments {
            let (of_first, of_second) = types.split_at(names.len().min(types.len()));
            *first = ParsedArgument::Types(of_first.to_vec());
            *second = ParsedArgument::Types(of_second.to_vec());
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [first, second, _] = arguments {
            for &ty in first.types().iter().chain(second.types()) {
                printer.text(", ");
                printer.ty(ty);
            }
        }
    }
}

/// The directive of a sequence and the operands that replace its first types: `(%a) : T`.
/// Arguments: the operands, the type of the sequence, the types of the operands, the type of the
/// result.
#[derive(Debug)]
pub(crate) struct Replacements;

impl DirectiveSyntax for Replacements {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let names = crate::helpers::names_between(parser, "(", ")")?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let context = parser.context();
        let elements = context.parameter(ty, "elementTypes");
        let elements: Vec<rmlir_ir::Type> = elements.map_or_else(Vec::new, |elements| {
            elements.items().filter_map(|one| one.ty()).collect()
        });
        let Some((replaced, rest)) = elements.split_at_checked(names.len()) else {
            return Err(AsmError::new(place, "too many replacement values"));
        };
        let builder = context.build_type("rtg.sequence");
        let made = builder.with("elementTypes", rest).build();
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_names, to_ty, to_types, to_result] = arguments {
            *to_names = ParsedArgument::Operands(names);
            *to_ty = ParsedArgument::Types(vec![ty]);
            *to_types = ParsedArgument::Types(replaced.to_vec());
            *to_result = ParsedArgument::Types(vec![made]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [names, ty, _, _] = arguments {
            printer.text("(");
            printer.operands(names.operands().iter().copied());
            printer.text(") : ");
            printer.types(ty.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, ty, types, result] = arguments else {
            return false;
        };
        let (&[ty], &[result]) = (ty.types(), result.types()) else {
            return false;
        };
        let elements = context.parameter(ty, "elementTypes");
        let elements: Vec<Type> = elements.map_or_else(Vec::new, |elements| {
            elements.items().filter_map(|one| one.ty()).collect()
        });
        let rest = elements.strip_prefix(types.types());
        rest.is_some_and(|rest| super::functions::is_sequence_of(context, result, rest))
    }
}
