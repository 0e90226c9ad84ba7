//! Directives of the `stablehlo` and `chlo` dialects.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::{dialect_attribute, integer_of};
use crate::two_way::{Asm, Named, failure, is_dialect_attribute, items};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind, Value};
use std::borrow::Cow;

/// The types of operands and a result, of which the text has one or two if these determine the
/// others, else a function type.
#[derive(Default)]
pub(crate) struct Types {
    /// The offset of the text.
    place: Option<usize>,
    /// A type, or that of a function in a text that is read.
    first: Option<Type>,
    second: Option<Type>,
    /// All types, of which the last one is that of the result, if a function type is printed.
    all: Vec<Type>,
}

impl Types {
    fn one(ty: Type) -> Self {
        Types {
            first: Some(ty),
            ..Types::default()
        }
    }

    fn function(all: impl Iterator<Item = Type>) -> Self {
        Types {
            all: all.collect(),
            ..Types::default()
        }
    }

    /// Returns the types of a function type that was read and has so many inputs.
    fn of_function(&self, context: &Context, count: usize) -> Option<Vec<Type>> {
        match context.type_kind(self.first?) {
            TypeKind::Function { inputs, results } if inputs.len() == count => {
                Some(inputs.iter().chain(results).copied().collect())
            }
            _ => None,
        }
    }
}

impl Asm<'_, '_> {
    /// A type, or `(types) -> type`.
    fn type_or_function(&mut self, types: &mut Types) -> AsmResult<()> {
        types.place = self.place();
        let Asm::Printer(printer) = self else {
            return self.ty(&mut types.first);
        };
        match (types.first, types.all.split_last()) {
            (None, Some((&result, inputs))) => {
                printer.text("(");
                printer.types(inputs.iter().copied());
                printer.text(")");
                crate::helpers::print_optional_arrow_types(&mut **printer, &[result]);
                Ok(())
            }
            _ => self.ty(&mut types.first),
        }
    }
}

/// Returns the first type of each argument that is a list of types.
fn first_types<'p>(arguments: &'p [PrintedArgument]) -> impl Iterator<Item = Type> + Clone + 'p {
    arguments.iter().filter_map(|a| a.types().first().copied())
}

/// Sets arguments to one type each.
fn set_types(arguments: &mut [ParsedArgument], types: impl IntoIterator<Item = Type>) {
    for (argument, ty) in arguments.iter_mut().zip(types) {
        *argument = ParsedArgument::Types(vec![ty]);
    }
}

/// The directive for operand and result types: one type if all are equal, else a function type.
#[derive(Debug)]
pub(crate) struct SameOperandsAndResultType;

impl TwoWayDirective for SameOperandsAndResultType {
    type Content = Types;

    fn content(&self, printed: &Printed<'_>) -> Option<Types> {
        let all = first_types(printed.arguments);
        let is_function = |ty| printed.context.type_kind(ty).signature().is_some();
        Some(match all.clone().last() {
            // One function type would be read as that of the operands and the result.
            Some(result) if all.clone().all(|ty| ty == result) && !is_function(result) => {
                Types::one(result)
            }
            _ => Types::function(all),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Types) -> AsmResult<bool> {
        asm.type_or_function(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Types,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let count = arguments.len().saturating_sub(1);
        let Some(ty) = content.first else {
            return Err(other_arguments(parser));
        };
        match parser.context().type_kind(ty) {
            TypeKind::Function { inputs, results } => {
                if inputs.len() != count || results.len() != 1 {
                    let len = inputs.len();
                    let message = format!("{len} types present, but expected {count}");
                    return Err(failure(content.place, message));
                }
                set_types(arguments, inputs.iter().chain(results).copied());
            }
            _ => set_types(arguments, std::iter::repeat(ty)),
        }
        Ok(())
    }
}

/// The directive for the types of a variadic group of operands and the result, which are equal.
#[derive(Debug)]
pub(crate) struct VariadicSame;

impl TwoWayDirective for VariadicSame {
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [_, inputs, result] = printed.arguments else {
            return None;
        };
        let [ty] = *result.types() else { return None };
        let are_same = inputs.types().iter().all(|&input| input == ty);
        are_same.then_some(Some(ty))
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
        let [ParsedArgument::Operands(names), inputs, result] = arguments else {
            return Err(other_arguments(parser));
        };
        let types = content.into_iter();
        *inputs = ParsedArgument::Types(types.clone().cycle().take(names.len()).collect());
        *result = ParsedArgument::Types(types.collect());
        Ok(())
    }
}

/// The directive for the types of operands, which equal those of the results.
#[derive(Debug)]
pub(crate) struct Pairwise;

impl TwoWayDirective for Pairwise {
    type Content = Vec<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, results] = printed.arguments else {
            return None;
        };
        (operands.types() == results.types()).then(|| results.types().to_vec())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.types(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        arguments.fill(ParsedArgument::Types(content));
        Ok(())
    }
}

/// The directive for a tuple type, which determines the types of the operands.
#[derive(Debug)]
pub(crate) struct Tuple;

impl TwoWayDirective for Tuple {
    type Content = Types;

    fn content(&self, printed: &Printed<'_>) -> Option<Types> {
        let [operands, result] = printed.arguments else {
            return None;
        };
        let ty = *result.types().first()?;
        match printed.context.type_kind(ty) {
            TypeKind::Tuple(types) if **types == *operands.types() => Some(Types::one(ty)),
            _ => None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Types) -> AsmResult<bool> {
        asm.type_or_function(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Types,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [operands, result] = arguments else {
            return Err(other_arguments(parser));
        };
        let ty = content.first;
        match ty.map(|ty| parser.context().type_kind(ty)) {
            Some(TypeKind::Tuple(types)) => *operands = ParsedArgument::Types(types.to_vec()),
            _ => return Err(failure(content.place, "expected tuple type")),
        }
        *result = ParsedArgument::Types(ty.into_iter().collect());
        Ok(())
    }
}

/// The directive for the types of a select: those of the condition and of the result if the other
/// operands have the result's type, else a function type.
#[derive(Debug)]
pub(crate) struct Select;

impl TwoWayDirective for Select {
    type Content = Types;

    fn content(&self, printed: &Printed<'_>) -> Option<Types> {
        let mut all = first_types(printed.arguments);
        let (first, second) = (all.next(), all.next());
        Some(match all.all(|ty| Some(ty) == second) {
            true => Types {
                first,
                second,
                ..Types::default()
            },
            false => Types::function(first_types(printed.arguments)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Types) -> AsmResult<bool> {
        asm.type_or_function(content)?;
        if asm.is_there(",", content.second.is_some()) {
            asm.token(",", ", ")?;
            asm.ty(&mut content.second)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Types,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let (Some(condition), Some(ty)) = (content.first, content.second) {
            set_types(arguments, [condition, ty, ty, ty]);
            return Ok(());
        }
        let Some(types) = content.of_function(parser.context(), 3) else {
            let message = "expected functional type or list of two types";
            return Err(failure(content.place, message));
        };
        set_types(arguments, types);
        Ok(())
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

impl TwoWayDirective for Complex {
    type Content = Types;

    fn content(&self, printed: &Printed<'_>) -> Option<Types> {
        let mut all = first_types(printed.arguments);
        Some(match (all.next(), all.next(), all.next()) {
            (Some(left), Some(right), Some(ty))
                if left == right && is_real(printed.context, ty, left) =>
            {
                Types::one(ty)
            }
            _ => Types::function(first_types(printed.arguments)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Types) -> AsmResult<bool> {
        asm.type_or_function(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Types,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        if let Some(types) = content.of_function(context, 2) {
            set_types(arguments, types);
            return Ok(());
        }
        let complex = content.first.and_then(|ty| Some((real(context, ty)?, ty)));
        let Some((real, ty)) = complex else {
            let message = "expected tensor with complex element type";
            return Err(failure(content.place, message));
        };
        set_types(arguments, [real, real, ty]);
        Ok(())
    }
}

/// The directive `e8m10`: the numbers of exponent and mantissa bits.
#[derive(Debug)]
pub(crate) struct ExponentMantissa;

/// Returns the numbers in `e8m10`.
fn exponent_mantissa(word: &[u8]) -> Option<[i32; 2]> {
    let word = std::str::from_utf8(word).ok()?;
    let (exponent, mantissa) = word.strip_prefix('e')?.split_once('m')?;
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| all_digits(text));
    Some([number(exponent)?, number(mantissa)?])
}

impl TwoWayDirective for ExponentMantissa {
    type Content = (Option<usize>, Vec<u8>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let mut word = String::new();
        for (argument, letter) in printed.arguments.iter().zip(["e", "m"]) {
            let i32 = printed.context.i32_type();
            let number = integer_of(printed.context, i32, argument.attribute());
            let number = number.filter(|&number| number >= 0)?;
            word.push_str(&format!("{letter}{number}"));
        }
        Some((None, word.into_bytes()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (place, word): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.bare_keyword(word, "expected exponent mantissa in format e#m#")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (place, word): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some(numbers) = exponent_mantissa(&word) else {
            let message = "expected exponent mantissa in format e#m#";
            return Err(failure(place, message));
        };
        let i32_type = parser.context().i32_type();
        for (argument, number) in arguments.iter_mut().zip(numbers) {
            let made = parser.context().integer_attribute(i32_type, number.into());
            *argument = ParsedArgument::Attribute(made.ok());
        }
        Ok(())
    }
}

/// The directive `%a, %b,`: operands, each followed by a comma.
#[derive(Debug)]
pub(crate) struct VariadicOperand;

impl TwoWayDirective for VariadicOperand {
    type Content = Vec<Named>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let operands = printed.arguments.first()?.operands();
        (!operands.is_empty()).then(|| Named::all(operands.iter().copied()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let mut space = "";
        asm.repeated_if(
            |asm| asm.is_value_there(false),
            content,
            |asm, value| {
                asm.space(std::mem::replace(&mut space, " "));
                asm.value(value)?;
                asm.token(",", ",")
            },
        )?;
        Ok(!content.is_empty())
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [first, ..] = arguments {
            *first = ParsedArgument::Operands(Named::names(&content));
        }
        Ok(())
    }
}

/// The directive for a string as a symbol name: `@name`.
#[derive(Debug)]
pub(crate) struct CustomCallTarget;

impl TwoWayDirective for CustomCallTarget {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let name = printed.arguments.first()?.attribute()?;
        crate::func::is_plain_string(printed.context, name).then_some(Some(name))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.symbol(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// The directive `[1:2, 3:4:5]`: start indices, limit indices and strides.
#[derive(Debug)]
pub(crate) struct SliceRanges;

/// A start index, a limit index and a stride.
#[derive(Default)]
pub(crate) struct SliceRange {
    start: i64,
    limit: i64,
    stride: i64,
}

impl SliceRange {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.integer(&mut self.start)?;
        asm.token(":", ":")?;
        asm.integer(&mut self.limit)?;
        if asm.is_there(":", self.stride != 1) {
            asm.token(":", ":")?;
            return asm.integer(&mut self.stride);
        }
        self.stride = 1;
        Ok(())
    }
}

impl TwoWayDirective for SliceRanges {
    type Content = Vec<SliceRange>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [starts, limits, strides] = printed.arguments else {
            return None;
        };
        let list = |one: &PrintedArgument| printed.context.i64_array(one.attribute()?);
        let (starts, mut limits, mut strides) = (list(starts)?, list(limits)?, list(strides)?);
        let mut ranges = Vec::new();
        for start in starts {
            ranges.push(SliceRange {
                start,
                limit: limits.next()?,
                stride: strides.next()?,
            });
        }
        (limits.next().is_none() && strides.next().is_none()).then_some(ranges)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.list(("[", "]"), content, |asm, range| range.text(asm))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [starts, limits, strides] = arguments else {
            return Err(other_arguments(parser));
        };
        let mut array = |member: fn(&SliceRange) -> i64| {
            let array = parser
                .context()
                .i64_array_attribute(content.iter().map(member));
            ParsedArgument::Attribute(Some(array))
        };
        *starts = array(|range| range.start);
        *limits = array(|range| range.limit);
        *strides = array(|range| range.stride);
        Ok(())
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

/// Returns the lists of a `#stablehlo.dot<...>`; empty for an absent one.
fn dot_lists(context: &Context, attribute: Attribute) -> Option<[Vec<i64>; 4]> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("dot<")?.strip_suffix('>')?;
    if context.bytes(*dialect) != b"stablehlo" {
        return None;
    }
    let mut lists = [const { Vec::new() }; 4];
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once(" = [")?;
        let (list, after) = after.split_once(']')?;
        let place = DOT_LISTS.iter().position(|known| *known == name.trim())?;
        let numbers = list.split(", ").filter(|number| !number.is_empty());
        *lists.get_mut(place)? = numbers
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        rest = after.trim_start_matches([',', ' ']);
    }
    Some(lists)
}

/// `[0] x [0]`.
fn product(asm: &mut Asm<'_, '_>, left: &mut Vec<i64>, right: &mut Vec<i64>) -> AsmResult<()> {
    asm.integers_between(("[", "]"), left)?;
    asm.token("x", " x ")?;
    asm.integers_between(("[", "]"), right)
}

impl TwoWayDirective for DotDimensionNumbers {
    type Content = [Vec<i64>; 4];

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        dot_lists(printed.context, printed.arguments.first()?.attribute()?)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let [left_batch, right_batch, left, right] = content;
        let is_batched = !left_batch.is_empty() || !right_batch.is_empty();
        if asm.is_there("batching_dims", is_batched) {
            asm.token("batching_dims", "batching_dims")?;
            asm.token("=", " = ")?;
            product(asm, left_batch, right_batch)?;
            asm.token(",", ", ")?;
        }
        asm.token("contracting_dims", "contracting_dims")?;
        asm.token("=", " = ")?;
        product(asm, left, right)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let mut text = String::from("dot<");
        let mut first = true;
        for (name, list) in DOT_LISTS.iter().zip(&content) {
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
        let made = dialect_attribute(parser.context(), "stablehlo", &text);
        let made = made.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [first, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}

/// The directive `, precision = [DEFAULT, DEFAULT], algorithm = <...>`, both optional.
#[derive(Debug)]
pub(crate) struct PrecisionConfigAndAlgorithm;

/// The dialect and the mnemonic of a dot algorithm.
const ALGORITHM: (&str, &str) = ("stablehlo", "dot_algorithm");

/// `, precision = [DEFAULT, DEFAULT]` or `, algorithm = <...>`.
#[derive(Default)]
pub(crate) struct DotOption {
    is_algorithm: usize,
    precisions: Vec<Option<Attribute>>,
    algorithm: Option<Attribute>,
}

/// Returns the keyword of a `#stablehlo<precision NAME>`.
fn precision(context: &Context, attribute: Attribute) -> Option<&str> {
    match context.attribute_kind(attribute) {
        AttributeKind::Dialect { body, .. } => {
            let text = std::str::from_utf8(body.text()).ok()?;
            text.strip_prefix("precision ")
        }
        _ => None,
    }
}

impl Asm<'_, '_> {
    /// The keyword of a `#stablehlo<precision NAME>`; present when printing.
    fn precision(&mut self, attribute: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let Some(word) = parser.optional_keyword() else {
                    return Err(AsmError::new(place, "expected precision"));
                };
                let context = parser.context();
                let text = format!("precision {}", context.str(word));
                let made = dialect_attribute(context, "stablehlo", &text);
                *attribute = Some(made.map_err(|e| AsmError::new(place, e.message()))?);
            }
            Asm::Printer(printer) => {
                let word = attribute.and_then(|one| precision(printer.context(), one));
                printer.text(word.unwrap_or_default());
            }
        }
        Ok(())
    }
}

impl DotOption {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.token(",", ", ")?;
        let found = asm.choice(&["precision", "algorithm"], &mut self.is_algorithm);
        found.map_err(|error| error.saying("expected 'precision' or 'algorithm'"))?;
        asm.token("=", " = ")?;
        match self.is_algorithm {
            0 => asm.list(("[", "]"), &mut self.precisions, Asm::precision),
            _ => asm.stripped(ALGORITHM, &mut self.algorithm),
        }
    }
}

impl TwoWayDirective for PrecisionConfigAndAlgorithm {
    type Content = Vec<DotOption>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let mut options = Vec::new();
        let mut arguments = printed.arguments.iter().map(PrintedArgument::attribute);
        if let Some(config) = arguments.next().flatten() {
            let precisions = items(context, Some(config))?;
            let are = precisions
                .iter()
                .all(|&one| precision(context, one).is_some());
            options.push(are.then(|| DotOption {
                precisions: precisions.iter().copied().map(Some).collect(),
                ..DotOption::default()
            })?);
        }
        if let Some(algorithm) = arguments.next().flatten() {
            let (dialect, mnemonic) = ALGORITHM;
            let is = is_dialect_attribute(context, algorithm, dialect, Some(mnemonic));
            options.push(is.then(|| DotOption {
                is_algorithm: 1,
                algorithm: Some(algorithm),
                ..DotOption::default()
            })?);
        }
        Some(options)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.repeated(",", content, |asm, option| option.text(asm))?;
        Ok(!content.is_empty())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for option in content {
            let value = match option.is_algorithm {
                0 => {
                    let all: Vec<Attribute> = option.precisions.into_iter().flatten().collect();
                    Some(parser.context().array_attribute(&all))
                }
                _ => option.algorithm,
            };
            if let Some(argument) = arguments.get_mut(option.is_algorithm) {
                *argument = ParsedArgument::Attribute(value);
            }
        }
        Ok(())
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
