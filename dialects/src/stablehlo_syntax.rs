//! Directives of the `stablehlo` and `chlo` dialects.

use crate::helpers::{
    bracketed, comma_separated_types, dialect_attribute, integer, integer_of, number,
    print_optional_arrow_types,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind, Value};
use std::borrow::Cow;

/// Returns the first type of each argument that is a list of types.
fn first_types(arguments: &[PrintedArgument]) -> Vec<Type> {
    let types = arguments.iter().filter_map(|a| a.types().first().copied());
    types.collect()
}

/// The directive for operand and result types: one type if all are equal, else a function type.
#[derive(Debug)]
pub(crate) struct SameOperandsAndResultType;

impl DirectiveSyntax for SameOperandsAndResultType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let mut types = vec![ty; arguments.len()];
        if let TypeKind::Function { inputs, results } = parser.context().type_kind(ty) {
            types.clear();
            types.extend(inputs.iter().chain(results));
            if inputs.len().saturating_add(1) != arguments.len() || results.len() != 1 {
                let expected = arguments.len().saturating_sub(1);
                let message = format!("{} types present, but expected {expected}", inputs.len());
                return Err(AsmError::new(place, message));
            }
        }
        for (argument, ty) in arguments.iter_mut().zip(types) {
            *argument = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let types = first_types(arguments);
        print_same_or_function(printer, &types);
    }
}

fn print_same_or_function(printer: &mut dyn AsmPrinter, types: &[Type]) {
    match types.split_last() {
        // One function type would be read as that of the operands and the result.
        Some((&result, inputs))
            if inputs.iter().all(|&ty| ty == result)
                && !matches!(
                    printer.context().type_kind(result),
                    TypeKind::Function { .. }
                ) =>
        {
            printer.ty(result)
        }
        _ => print_function(printer, types),
    }
}

/// Prints `(inputs) -> result`; the last type is the result.
fn print_function(printer: &mut dyn AsmPrinter, types: &[Type]) {
    let Some((&result, inputs)) = types.split_last() else {
        return;
    };
    printer.text("(");
    printer.types(inputs.iter().copied());
    printer.text(")");
    print_optional_arrow_types(printer, &[result]);
}

/// The directive for the types of a variadic group of operands and the result: one type if all are
/// equal, else a function type.
#[derive(Debug)]
pub(crate) struct VariadicSame;

impl DirectiveSyntax for VariadicSame {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.ty()?;
        if let [ParsedArgument::Operands(names), inputs, result] = arguments {
            *inputs = ParsedArgument::Types(vec![ty; names.len()]);
            *result = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let result = arguments.last().and_then(|a| a.types().first().copied());
        if let Some(result) = result {
            printer.ty(result);
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, inputs, result] = arguments else {
            return false;
        };
        matches!(result.types(), [ty] if inputs.types().iter().all(|input| input == ty))
    }
}

/// The directive for the types of operands, which equal those of the results.
#[derive(Debug)]
pub(crate) struct Pairwise;

impl DirectiveSyntax for Pairwise {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let types = comma_separated_types(parser)?;
        for argument in arguments {
            *argument = ParsedArgument::Types(types.clone());
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(first) = arguments.first() {
            printer.types(first.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        matches!(arguments, [a, b] if a.types() == b.types())
    }
}

/// The directive for a tuple type, which determines the types of the operands.
#[derive(Debug)]
pub(crate) struct Tuple;

impl DirectiveSyntax for Tuple {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Tuple(types) = parser.context().type_kind(ty) else {
            return Err(AsmError::new(place, "expected tuple type"));
        };
        if let [operands, result] = arguments {
            *operands = ParsedArgument::Types(types.to_vec());
            *result = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let result = arguments.last().and_then(|a| a.types().first().copied());
        if let Some(result) = result {
            printer.ty(result);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, result] = arguments else {
            return false;
        };
        let tuple = result.types().first().map(|&ty| context.type_kind(ty));
        matches!(tuple, Some(TypeKind::Tuple(types)) if **types == *operands.types())
    }
}

/// The directive for the types of a select: those of the condition and of the result if the other
/// operands have the result's type, else a function type.
#[derive(Debug)]
pub(crate) struct Select;

impl DirectiveSyntax for Select {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let first = parser.ty()?;
        let types = if parser.eat(",") {
            let ty = parser.ty()?;
            vec![first, ty, ty, ty]
        } else {
            match parser.context().type_kind(first) {
                TypeKind::Function { inputs, results } if inputs.len() == 3 => {
                    inputs.iter().chain(results).copied().collect()
                }
                _ => {
                    return Err(AsmError::new(
                        place,
                        "expected functional type or list of two types",
                    ));
                }
            }
        };
        for (argument, ty) in arguments.iter_mut().zip(types) {
            *argument = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let types = first_types(arguments);
        match *types.as_slice() {
            [condition, yes, no, result] if yes == result && no == result => {
                printer.types([condition, result].into_iter());
            }
            _ => print_function(printer, &types),
        }
    }
}

/// The directive for the types of an operation that builds complex numbers: the complex type if
/// both operands have its real type, else a function type.
#[derive(Debug)]
pub(crate) struct Complex;

/// Returns the tensor type of the parts of a tensor of complex numbers.
fn real(context: &mut Context, ty: Type) -> Option<Type> {
    let element = context.element_type(ty)?;
    let TypeKind::Complex(element) = *context.type_kind(element) else {
        return None;
    };
    let kind = match context.type_kind(ty).clone() {
        TypeKind::RankedTensor {
            shape, encoding, ..
        } => TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        },
        TypeKind::UnrankedTensor(_) => TypeKind::UnrankedTensor(element),
        _ => return None,
    };
    context.try_type(kind).ok()
}

/// Returns whether `real` is the type of the parts of `ty`.
fn is_real(context: &Context, ty: Type, real: Type) -> bool {
    let is_part = |complex: Type, element: Type| matches!(context.type_kind(complex), TypeKind::Complex(part) if *part == element);
    match (context.type_kind(ty), context.type_kind(real)) {
        (
            TypeKind::RankedTensor {
                shape: a,
                encoding: x,
                element: complex,
            },
            TypeKind::RankedTensor {
                shape: b,
                encoding: y,
                element,
            },
        ) => a == b && x == y && is_part(*complex, *element),
        (TypeKind::UnrankedTensor(complex), TypeKind::UnrankedTensor(element)) => {
            is_part(*complex, *element)
        }
        _ => false,
    }
}

impl DirectiveSyntax for Complex {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let types = match parser.context().type_kind(ty) {
            TypeKind::Function { inputs, results } if inputs.len() == 2 => {
                inputs.iter().chain(results).copied().collect()
            }
            _ => match real(parser.context(), ty) {
                Some(real) => vec![real, real, ty],
                None => {
                    let message = "expected tensor with complex element type";
                    return Err(AsmError::new(place, message));
                }
            },
        };
        for (argument, ty) in arguments.iter_mut().zip(types) {
            *argument = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let types = first_types(arguments);
        match *types.as_slice() {
            [left, right, ty] if left == right && is_real(printer.context(), ty, left) => {
                printer.ty(ty);
            }
            _ => print_function(printer, &types),
        }
    }
}

/// The directive `e8m10`: the numbers of exponent and mantissa bits.
#[derive(Debug)]
pub(crate) struct ExponentMantissa;

impl DirectiveSyntax for ExponentMantissa {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let word = parser.optional_keyword();
        let word = word.map(|word| parser.context().str(word).into_owned());
        let numbers = word.as_deref().and_then(|word| {
            let (exponent, mantissa) = word.strip_prefix('e')?.split_once('m')?;
            let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
            let number = |text: &str| text.parse::<i32>().ok().filter(|_| all_digits(text));
            Some([number(exponent)?, number(mantissa)?])
        });
        let Some(numbers) = numbers else {
            return Err(AsmError::new(
                place,
                "expected exponent mantissa in format e#m#",
            ));
        };
        let i32_type = parser.context().i32_type();
        for (argument, number) in arguments.iter_mut().zip(numbers) {
            let made = parser.context().integer_attribute(i32_type, number.into());
            *argument = ParsedArgument::Attribute(made.ok());
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        for (argument, letter) in arguments.iter().zip(["e", "m"]) {
            let number = integer(printer.context(), argument.attribute()).unwrap_or(0);
            printer.text(&format!("{letter}{number}"));
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        arguments.iter().all(|argument| {
            let number = integer_of(context, context.i32_type(), argument.attribute());
            number.is_some_and(|number| number >= 0)
        })
    }
}

/// The directive `%a, %b,`: operands, each followed by a comma.
#[derive(Debug)]
pub(crate) struct VariadicOperand;

impl DirectiveSyntax for VariadicOperand {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut names = Vec::new();
        while parser.at_operand() {
            names.push(parser.operand_name()?);
            parser.expect(",")?;
        }
        let there = !names.is_empty();
        if let [first, ..] = arguments {
            *first = ParsedArgument::Operands(names);
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(first) = arguments.first() {
            printer.operands(first.operands().iter().copied());
        }
        printer.text(",");
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        arguments.first().is_some_and(|a| !a.operands().is_empty())
    }
}

/// The directive for a string as a symbol name: `@name`.
#[derive(Debug)]
pub(crate) struct CustomCallTarget;

impl DirectiveSyntax for CustomCallTarget {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let Some(name) = parser.symbol_name()? else {
            return Err(AsmError::new(
                place,
                "expected valid '@'-identifier for symbol name",
            ));
        };
        let name = parser.context().string_attribute_of(name);
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(name));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let name = arguments.first().and_then(PrintedArgument::attribute);
        let name = name.and_then(|name| printer.context().string_value(name));
        if let Some(name) = name.map(<[u8]>::to_vec) {
            printer.symbol_name(&name);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let name = arguments.first().and_then(PrintedArgument::attribute);
        name.is_some_and(|name| crate::func::is_plain_string(context, name))
    }
}

/// The directive `[1:2, 3:4:5]`: start indices, limit indices and strides.
#[derive(Debug)]
pub(crate) struct SliceRanges;

impl DirectiveSyntax for SliceRanges {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut lists = [Vec::new(), Vec::new(), Vec::new()];
        parser.expect("[")?;
        if !parser.eat("]") {
            loop {
                let start = number(parser)?;
                parser.expect(":")?;
                let limit = number(parser)?;
                let stride = match parser.eat(":") {
                    true => number(parser)?,
                    false => 1,
                };
                for (list, number) in lists.iter_mut().zip([start, limit, stride]) {
                    list.push(number);
                }
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect("]")?;
        }
        for (argument, list) in arguments.iter_mut().zip(&lists) {
            *argument = ParsedArgument::Attribute(Some(
                parser.context().i64_array_attribute(list.iter().copied()),
            ));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let list = |number: usize| {
            let attribute = arguments.get(number).and_then(PrintedArgument::attribute);
            crate::helpers::numbers(printer.context(), attribute).unwrap_or_default()
        };
        let (starts, limits, strides) = (list(0), list(1), list(2));
        let mut text = String::from("[");
        for (at, ((start, limit), stride)) in starts.iter().zip(&limits).zip(&strides).enumerate() {
            if at > 0 {
                text.push_str(", ");
            }
            text.push_str(&format!("{start}:{limit}"));
            if *stride != 1 {
                text.push_str(&format!(":{stride}"));
            }
        }
        text.push(']');
        printer.text(&text);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let lens: Option<Vec<usize>> = arguments
            .iter()
            .map(|a| crate::helpers::numbers(context, a.attribute()).map(|list| list.len()))
            .collect();
        matches!(lens.as_deref(), Some([a, b, c]) if a == b && b == c)
    }
}

/// The directive for the body of a `#stablehlo.dot<...>`:
/// `batching_dims = [0] x [0], contracting_dims = [1] x [0]`.
#[derive(Debug)]
pub(crate) struct DotDimensionNumbers;

const DOT_LISTS: [&str; 4] = [
    "lhs_batching_dimensions",
    "rhs_batching_dimensions",
    "lhs_contracting_dimensions",
    "rhs_contracting_dimensions",
];

/// Returns the texts of the lists of a `#stablehlo.dot<...>`; empty for an absent one.
fn dot_lists(context: &Context, attribute: Attribute) -> Option<[String; 4]> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("dot<")?.strip_suffix('>')?;
    if context.bytes(*dialect) != b"stablehlo" {
        return None;
    }
    let mut lists = [const { String::new() }; 4];
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once(" = ")?;
        let (list, behind) = behind.split_once(']')?;
        let place = DOT_LISTS.iter().position(|known| *known == name.trim())?;
        *lists.get_mut(place)? = format!("{list}]");
        rest = behind.trim_start_matches([',', ' ']);
    }
    Some(lists)
}

impl DirectiveSyntax for DotDimensionNumbers {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut lists = [const { Vec::new() }; 4];
        if parser.eat("batching_dims") {
            parser.expect("=")?;
            lists[0] = bracketed(parser)?;
            parser.expect("x")?;
            lists[1] = bracketed(parser)?;
            parser.expect(",")?;
        }
        parser.expect("contracting_dims")?;
        parser.expect("=")?;
        lists[2] = bracketed(parser)?;
        parser.expect("x")?;
        lists[3] = bracketed(parser)?;
        let mut text = String::from("dot<");
        let mut first = true;
        for (name, list) in DOT_LISTS.iter().zip(&lists) {
            if list.is_empty() {
                continue;
            }
            let items: Vec<String> = list.iter().map(i64::to_string).collect();
            let comma = if first { "" } else { ", " };
            text.push_str(&format!("{comma}{name} = [{}]", items.join(", ")));
            first = false;
        }
        text.push('>');
        let place = parser.place();
        let context = parser.context();
        let made = dialect_attribute(context, "stablehlo", &text);
        let made = made.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(made));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        let lists = attribute.and_then(|a| dot_lists(printer.context(), a));
        let shown = |list: String| {
            if list.is_empty() {
                "[]".to_owned()
            } else {
                list
            }
        };
        let Some([left_batch, right_batch, left, right]) = lists else {
            return;
        };
        if !left_batch.is_empty() || !right_batch.is_empty() {
            let (left, right) = (shown(left_batch), shown(right_batch));
            printer.text(&format!("batching_dims = {left} x {right}, "));
        }
        let (left, right) = (shown(left), shown(right));
        printer.text(&format!("contracting_dims = {left} x {right}"));
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        attribute.is_some_and(|attribute| dot_lists(context, attribute).is_some())
    }
}

/// The directive `, precision = [DEFAULT, DEFAULT], algorithm = <...>`, both optional.
#[derive(Debug)]
pub(crate) struct PrecisionConfigAndAlgorithm;

/// The mnemonic of a dot algorithm.
const ALGORITHM: &str = "dot_algorithm";

/// Returns the keyword of a `#stablehlo<precision NAME>`.
fn precision(context: &Context, attribute: Attribute) -> Option<String> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect { body, .. } => {
            let text = std::str::from_utf8(body.text()).ok()?;
            Some(text.strip_prefix("precision ")?.to_owned())
        }
        _ => None,
    }
}

/// Returns the keywords of an array of `#stablehlo<precision NAME>`.
fn precisions(context: &Context, attribute: Attribute) -> Option<Vec<String>> {
    match context.attribute_kind(attribute) {
        AttributeKind::Array(items) => items.iter().map(|&a| precision(context, a)).collect(),
        _ => None,
    }
}

impl DirectiveSyntax for PrecisionConfigAndAlgorithm {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut there = false;
        while parser.eat(",") {
            there = true;
            let place = parser.place();
            if parser.eat("precision") {
                parser.expect("=")?;
                parser.expect("[")?;
                let mut items = Vec::new();
                while !parser.eat("]") {
                    let place = parser.place();
                    let Some(word) = parser.optional_keyword() else {
                        return Err(AsmError::new(place, "expected precision"));
                    };
                    let context = parser.context();
                    let text = format!("precision {}", context.str(word));
                    let made = dialect_attribute(context, "stablehlo", &text);
                    items.push(made.map_err(|e| AsmError::new(place, e.message()))?);
                    parser.eat(",");
                }
                let array = parser.context().array_attribute(&items);
                if let [first, ..] = arguments {
                    *first = ParsedArgument::Attribute(Some(array));
                }
            } else if parser.eat("algorithm") {
                parser.expect("=")?;
                let algorithm = parser.stripped_attribute(ALGORITHM)?;
                if let [_, second, ..] = arguments {
                    *second = ParsedArgument::Attribute(Some(algorithm));
                }
            } else {
                return Err(AsmError::new(place, "expected 'precision' or 'algorithm'"));
            }
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let config = arguments.first().and_then(PrintedArgument::attribute);
        let members = config.and_then(|config| precisions(printer.context(), config));
        if let Some(members) = members {
            printer.text(&format!(", precision = [{}]", members.join(", ")));
        }
        if let Some(algorithm) = arguments.get(1).and_then(PrintedArgument::attribute) {
            printer.text(", algorithm = ");
            printer.stripped_attribute(algorithm, ALGORITHM);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let config = arguments.first().and_then(PrintedArgument::attribute);
        let algorithm = arguments.get(1).and_then(PrintedArgument::attribute);
        let is_algorithm = |attribute| match context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, .. } => {
                context.bytes(*dialect) == b"stablehlo"
                    && body.text().starts_with(ALGORITHM.as_bytes())
            }
            _ => false,
        };
        algorithm.is_none_or(is_algorithm)
            && config.is_none_or(|config| precisions(context, config).is_some())
    }
}

/// Names the results of constants: `%c` for integers, `%cst` for others.
pub(crate) fn constant_name(
    context: &Context,
    module: &Module,
    _: Operation,
    result: Value,
) -> Option<Cow<'static, str>> {
    let element = context.element_type(module.value_type(result));
    let is_integer =
        element.is_some_and(|ty| matches!(context.type_kind(ty), TypeKind::Integer { .. }));
    Some(if is_integer { "c" } else { "cst" }.into())
}
