//! Directives of single operations.

use super::firrtl::{flat, visibility_of};
use super::infer::width;
use super::two_way::{Asm, TwoWay, items, other_attributes, plain_string};
use crate::helpers::{integer, property};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, ParsedOperation,
    PrintedArgument, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Signedness, Type,
    TypeKind,
};

/// The directive of a typed attribute that determines the type of the result: `5 : i8`. Arguments:
/// the attribute, the type.
#[derive(Debug)]
pub(crate) struct TypedValue;

/// Returns the type of a number or of an attribute with a type.
pub(super) fn type_of(context: &Context, attribute: Attribute) -> Option<Type> {
    match context.attribute_kind(attribute) {
        AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. } => Some(*ty),
        AttributeKind::String { ty, .. } | AttributeKind::Dialect { ty, .. } => *ty,
        _ => None,
    }
}

impl DirectiveSyntax for TypedValue {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let value = parser.attribute()?;
        let Some(ty) = type_of(parser.context(), value) else {
            return Err(AsmError::new(place, "expected a typed attribute"));
        };
        if let [to_value, to_ty] = arguments {
            *to_value = ParsedArgument::Attribute(Some(value));
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(value) = arguments.first().and_then(PrintedArgument::attribute) {
            printer.attribute(value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [value, ty] = arguments else { return false };
        let found = value.attribute().and_then(|value| type_of(context, value));
        found.is_some_and(|found| ty.types() == [found])
    }
}

/// The directive of a type and a value of it: `i8 = 5`. Arguments: the value, the type.
#[derive(Debug)]
pub(crate) struct TypeAndValue;

impl DirectiveSyntax for TypeAndValue {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.ty()?;
        parser.expect("=")?;
        let value = parser.attribute_of_type(ty)?;
        let value = with_type(parser, value, ty);
        if let [to_value, to_ty] = arguments {
            *to_value = ParsedArgument::Attribute(Some(value));
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [value, ty] = arguments {
            printer.types(ty.types().iter().copied());
            printer.text(" = ");
            if let Some(value) = value.attribute() {
                printer.attribute_without_type(value);
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [value, ty] = arguments else { return false };
        let found = value.attribute().and_then(|value| type_of(context, value));
        found.is_some_and(|found| ty.types() == [found])
    }
}

/// Gives an attribute of a dialect that has no type this type.
fn with_type(parser: &mut dyn AsmParser, value: Attribute, ty: Type) -> Attribute {
    let context = parser.context();
    match context.attribute_kind(value).clone() {
        AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        } => {
            let kind = AttributeKind::Dialect {
                dialect,
                body,
                ty: Some(ty),
            };
            context.try_attribute(kind).unwrap_or(value)
        }
        _ => value,
    }
}

/// The directive of an integer whose type follows from a type of `firrtl`: `5 : !firrtl.uint<8>`.
/// Arguments: the value, the type.
#[derive(Debug)]
pub(crate) struct FirrtlConstant;

/// Returns the width and whether it is signed of `!firrtl.uint<N>` and `!firrtl.sint<N>`.
fn firrtl_integer(context: &Context, ty: Type) -> Option<(Option<u32>, bool)> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix("const.").unwrap_or(text);
    let signed = text.starts_with("sint");
    let rest = text.strip_prefix(if signed { "sint" } else { "uint" })?;
    let is_firrtl = context.bytes(*dialect) == b"firrtl";
    if rest.is_empty() && is_firrtl {
        return Some((None, signed));
    }
    let width = rest.strip_prefix('<')?.strip_suffix('>')?.parse().ok()?;
    is_firrtl.then_some((Some(width), signed))
}

/// Parses the value of an integer of any size.
fn parse_integer(parser: &mut dyn AsmParser) -> AsmResult<ApInt> {
    let place = parser.place();
    let value = wide_integer(parser)?;
    match parser.context().attribute_kind(value) {
        AttributeKind::Integer { value, .. } => Ok(value.clone()),
        _ => Err(AsmError::new(place, "expected integer value")),
    }
}

/// Parses an integer of any size.
pub(super) fn wide_integer(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
    let place = parser.place();
    // Wide enough for any constant; the type is that of the value later.
    let ty = TypeKind::Integer {
        width: WIDEST,
        signedness: Signedness::Signless,
    };
    let ty = parser.context().try_type(ty);
    let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
    parser.attribute_of_type(ty)
}

/// The width in which numbers are read.
const WIDEST: u32 = 1 << 16;

/// Returns the number of bits that a negative number takes, with its sign.
fn negative_bits(value: &ApInt) -> u32 {
    let magnitude = value.neg();
    let bits = magnitude.active_bits();
    let is_power = (0..bits.saturating_sub(1)).all(|bit| !magnitude.bit(bit));
    match is_power {
        true => bits,
        false => bits.saturating_add(1),
    }
}

impl DirectiveSyntax for FirrtlConstant {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let value = parse_integer(parser)?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let Some((width, signed)) = firrtl_integer(parser.context(), ty) else {
            return Err(AsmError::new(place, "invalid kind of type specified"));
        };
        let needed = match value.is_negative() {
            true => negative_bits(&value),
            false => value.active_bits(),
        };
        if width.is_some_and(|width| needed > width) {
            let message = "constant out of range for result type";
            return Err(AsmError::new(place, message));
        }
        // Without a width, upstream keeps the width in which it reads the number.
        let width = width.unwrap_or_else(|| unsized_width(&value));
        let context = parser.context();
        let of = context.try_type(TypeKind::Integer {
            width,
            signedness: match signed {
                true => Signedness::Signed,
                false => Signedness::Unsigned,
            },
        });
        let made = of.and_then(|ty| {
            context.try_attribute(AttributeKind::Integer {
                ty,
                value: value.trunc(width),
            })
        });
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_value, to_ty] = arguments {
            *to_value = ParsedArgument::Attribute(Some(made));
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [value, ty] = arguments {
            if let Some(value) = value.attribute() {
                print_digits(printer, value);
            }
            printer.text(" : ");
            printer.types(ty.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [value, ty] = arguments else { return false };
        let (&[ty], Some(value)) = (ty.types(), value.attribute()) else {
            return false;
        };
        let Some((width, signed)) = firrtl_integer(context, ty) else {
            return false;
        };
        let AttributeKind::Integer { ty, value } = context.attribute_kind(value) else {
            return false;
        };
        let TypeKind::Integer {
            width: found,
            signedness,
        } = context.type_kind(*ty)
        else {
            return false;
        };
        let is_signed = match signedness {
            Signedness::Signed => true,
            Signedness::Unsigned => false,
            Signedness::Signless => return false,
        };
        let expected = width.unwrap_or_else(|| {
            let wide = match signed {
                true => value.sext(WIDEST.max(*found)),
                false => value.zext(WIDEST.max(*found)),
            };
            unsized_width(&wide)
        });
        is_signed == signed && expected == *found && *found < WIDEST
    }
}

/// Returns the width that upstream gives a decimal literal that it reads without a type: four bits
/// for each digit, and one more if the highest of them is set; 64 for zero.
fn unsized_width(value: &ApInt) -> u32 {
    let magnitude = match value.is_negative() {
        true => value.neg(),
        false => value.clone(),
    };
    if magnitude.is_zero() {
        return 64;
    }
    let mut digits = Vec::new();
    magnitude.write_decimal(false, &mut digits);
    let width = u32::try_from(digits.len())
        .unwrap_or(u32::MAX)
        .saturating_mul(4);
    match magnitude.active_bits() >= width {
        true => width.saturating_add(1),
        false => width,
    }
}

/// Prints the digits of an integer, with the sign of its type.
fn print_digits(printer: &mut dyn AsmPrinter, value: Attribute) {
    let context = printer.context();
    if let AttributeKind::Integer { ty, value } = context.attribute_kind(value) {
        let unsigned = matches!(
            context.type_kind(*ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
        let mut text = Vec::new();
        value.write_decimal(!unsigned, &mut text);
        printer.text(&String::from_utf8_lossy(&text));
    }
}

/// The directive of an integer of the least signed type: `5` is `5 : si4`. The argument is the
/// attribute.
#[derive(Debug)]
pub(crate) struct SignedInteger;

impl DirectiveSyntax for SignedInteger {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let value = parse_integer(parser)?;
        let width = unsized_width(&value);
        let context = parser.context();
        let of = context.try_type(TypeKind::Integer {
            width,
            signedness: Signedness::Signed,
        });
        let made = of.and_then(|ty| {
            context.try_attribute(AttributeKind::Integer {
                ty,
                value: value.trunc(width),
            })
        });
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_value] = arguments {
            *to_value = ParsedArgument::Attribute(Some(made));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(value) = arguments.first().and_then(PrintedArgument::attribute) {
            print_digits(printer, value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        let Some(AttributeKind::Integer { ty, value }) = value.map(|v| context.attribute_kind(v))
        else {
            return false;
        };
        matches!(
            context.type_kind(*ty),
            TypeKind::Integer { width, signedness: Signedness::Signed }
                if *width < WIDEST && unsized_width(&value.sext(WIDEST)) == *width
        )
    }
}

/// The directive of a boolean that is written as one of two words, or as `0` and `1`. Arguments:
/// the attribute, and the words for `true` and `false`.
#[derive(Debug)]
pub(crate) struct KeywordBool;

impl DirectiveSyntax for KeywordBool {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [value, ParsedArgument::Text(yes), ParsedArgument::Text(no)] = arguments else {
            return Ok(false);
        };
        let (yes, no) = (yes.trim_matches('"'), no.trim_matches('"'));
        let found = if parser.eat(yes) {
            true
        } else if parser.eat(no) {
            false
        } else {
            let message = format!("expected keyword \"{yes}\" or \"{no}\"");
            return Err(AsmError::new(parser.place(), message));
        };
        *value = ParsedArgument::Attribute(Some(parser.context().bool_attribute(found)));
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [value, PrintedArgument::Text(yes), PrintedArgument::Text(no)] = arguments {
            let is_true = value.attribute() == Some(printer.context().bool_attribute(true));
            printer.text(if is_true { yes } else { no }.trim_matches('"'));
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        [true, false]
            .iter()
            .any(|&one| value == Some(context.bool_attribute(one)))
    }
}

/// The directive of a boolean as `0` or `1`.
#[derive(Debug)]
pub(crate) struct Digit;

impl DirectiveSyntax for Digit {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let value = match parser.optional_integer()? {
            Some(0) => false,
            Some(1) => true,
            _ => {
                let message = "special constants can only be 0 or 1.";
                return Err(AsmError::new(place, message));
            }
        };
        if let [argument] = arguments {
            let value = parser.context().bool_attribute(value);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        let is_true = value == Some(printer.context().bool_attribute(true));
        printer.text(if is_true { "1" } else { "0" });
    }
}

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

/// The directive of operands of one type: `%a, %b {...} : T`, where the type of the result has the
/// type of the operands as its only parameter. Arguments: the operands, the attributes, their
/// types, the type of the result.
#[derive(Debug)]
pub(crate) struct Collected {
    /// The full name of the result's type, and of its parameter.
    pub(crate) wrap: (&'static str, &'static str),
    /// Whether the text has the type of the result, not that of the operands.
    pub(crate) whole: bool,
    /// Whether the attributes are after the type.
    pub(crate) attributes_last: bool,
}

impl Collected {
    fn attributes(&self, parser: &mut dyn AsmParser, last: bool) -> AsmResult<Vec<NamedAttribute>> {
        match self.attributes_last == last {
            true => parser.attribute_dictionary(),
            false => Ok(Vec::new()),
        }
    }
}

impl DirectiveSyntax for Collected {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut names = Vec::new();
        if parser.at_operand() {
            names = crate::helpers::operand_names(parser)?;
        }
        let mut attributes = self.attributes(parser, false)?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        attributes.extend(self.attributes(parser, true)?);
        let context = parser.context();
        let (element, result) = match self.whole {
            true => match context.parameter(ty, self.wrap.1).and_then(|one| one.ty()) {
                Some(element) => (element, Some(ty)),
                None => return Err(AsmError::new(place, "invalid kind of type specified")),
            },
            false => {
                let builder = context.build_type(self.wrap.0).with(self.wrap.1, ty);
                (ty, builder.build().ok())
            }
        };
        let Some(result) = result else {
            return Err(AsmError::new(place, "invalid kind of type specified"));
        };
        if let [to_names, to_attributes, to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(vec![element; names.len()]);
            *to_names = ParsedArgument::Operands(names);
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_result = ParsedArgument::Types(vec![result]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [names, PrintedArgument::Dictionary(attributes), _, result] = arguments else {
            return;
        };
        let context = printer.context();
        printer.operands(names.operands().iter().copied());
        if !self.attributes_last {
            printer.attribute_dictionary(attributes, &[]);
        }
        printer.text(" : ");
        let &[result] = result.types() else { return };
        let shown = match self.whole {
            true => Some(result),
            false => context
                .parameter(result, self.wrap.1)
                .and_then(|one| one.ty()),
        };
        if let Some(shown) = shown {
            printer.ty(shown);
        }
        if self.attributes_last {
            printer.attribute_dictionary(attributes, &[]);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, _, types, result] = arguments else {
            return false;
        };
        let &[result] = result.types() else {
            return false;
        };
        let (dialect, mnemonic) = self.wrap.0.split_once('.').unwrap_or_default();
        let element = context
            .parameter(result, self.wrap.1)
            .and_then(|one| one.ty());
        crate::iree::values::is_of(context, result, dialect, mnemonic)
            && element.is_some_and(|element| types.types().iter().all(|&ty| ty == element))
    }
}

/// The directive of the elements of an array: `%a, %b {...} : T`, followed by `-> ARRAY` if the
/// result is not the array of that many. Arguments as for [`Collected`].
#[derive(Debug)]
pub(crate) struct ArrayElements;

impl DirectiveSyntax for ArrayElements {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let names = crate::helpers::operand_names(parser)?;
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let result = match parser.eat("->") {
            true => parser.ty()?,
            false => {
                let length = i64::try_from(names.len()).unwrap_or(i64::MAX);
                let context = parser.context();
                let of = context.i64_type();
                let length = context.integer_attribute(of, length);
                let made = length.and_then(|length| {
                    let builder = context.build_type("hw.array").with("elementType", ty);
                    builder.with("sizeAttr", length).build()
                });
                made.map_err(|error| AsmError::new(place, error.message()))?
            }
        };
        if let [to_names, to_attributes, to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(vec![ty; names.len()]);
            *to_names = ParsedArgument::Operands(names);
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_result = ParsedArgument::Types(vec![result]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [
            names,
            PrintedArgument::Dictionary(attributes),
            types,
            result,
        ] = arguments
        else {
            return;
        };
        let context = printer.context();
        printer.operands(names.operands().iter().copied());
        printer.attribute_dictionary(attributes, &[]);
        printer.text(" : ");
        let (&[result], Some(&ty)) = (result.types(), types.types().first()) else {
            return;
        };
        printer.ty(ty);
        let length = i64::try_from(names.operands().len()).ok();
        let is_plain = crate::iree::values::is_of(context, result, "hw", "array")
            && super::infer::array(context, result)
                .is_some_and(|found| Some(found.0) == length && found.1 == ty);
        if !is_plain {
            printer.text(" -> ");
            printer.ty(result);
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, _, types, _] = arguments else {
            return false;
        };
        let types = types.types();
        types
            .first()
            .is_some_and(|first| types.iter().all(|ty| ty == first))
    }
}

/// The directive of an array and the type of its index: `!hw.array<4xi8>`. Arguments: the type,
/// the type of the index.
#[derive(Debug)]
pub(crate) struct ArrayAndIndex;

/// Returns the number of bits of an index into an array.
fn index_width(length: i64) -> Option<u32> {
    let length = u64::try_from(length).ok()?;
    Some(
        length
            .saturating_sub(1)
            .checked_ilog2()
            .map_or(0, |bits| bits + 1),
    )
}

impl DirectiveSyntax for ArrayAndIndex {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let found = super::infer::array(parser.context(), ty);
        let Some(width) = found.and_then(|found| index_width(found.0)) else {
            return Err(AsmError::new(place, "Expected !hw.array type"));
        };
        let index = parser.context().integer_type(width);
        if let [to_ty, to_index] = arguments {
            *to_ty = ParsedArgument::Types(vec![ty]);
            *to_index = ParsedArgument::Types(vec![index]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(ty) = arguments.first() {
            printer.types(ty.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [ty, index] = arguments else { return false };
        let (&[ty], &[index]) = (ty.types(), index.types()) else {
            return false;
        };
        let found = super::infer::array(context, ty).and_then(|found| index_width(found.0));
        found.is_some() && width(context, index) == found
    }
}

/// The directive of arrays and of their concatenation: `!hw.array<2xi8>, !hw.array<1xi8>`.
/// Arguments: the types of the operands, the type of the result.
#[derive(Debug)]
pub(crate) struct Arrays;

/// Returns the length and the element type of the concatenation of arrays.
fn concatenation(context: &Context, types: &[Type]) -> Option<(i64, Type)> {
    let (mut length, mut element) = (0i64, None);
    for &ty in types {
        let (of, found) = super::infer::array(context, ty)?;
        length = length.checked_add(of)?;
        if element.is_some_and(|element| element != found) {
            return None;
        }
        element = Some(found);
    }
    Some((length, element?))
}

impl DirectiveSyntax for Arrays {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let types = crate::helpers::comma_separated_types(parser)?;
        let Some((length, element)) = concatenation(parser.context(), &types) else {
            return Err(AsmError::new(place, "Expected !hw.array type"));
        };
        let context = parser.context();
        let of = context.i64_type();
        let made = context.integer_attribute(of, length).and_then(|length| {
            let builder = context.build_type("hw.array").with("elementType", element);
            builder.with("sizeAttr", length).build()
        });
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(types);
            *to_result = ParsedArgument::Types(vec![made]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(types) = arguments.first() {
            printer.types(types.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [types, result] = arguments else {
            return false;
        };
        let &[result] = result.types() else {
            return false;
        };
        let concatenated = concatenation(context, types.types());
        crate::iree::values::is_of(context, result, "hw", "array")
            && concatenated.is_some()
            && concatenated == super::infer::array(context, result)
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

/// The directive of events and the clocks that they are of: `posedge %a, negedge %b`. Arguments:
/// the array of events, the operands.
#[derive(Debug)]
pub(crate) struct Events;

const EVENTS: [&str; 3] = ["posedge", "negedge", "edge"];

impl DirectiveSyntax for Events {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut events, mut names) = (Vec::new(), Vec::new());
        while events.is_empty() && parser.at_keyword() || parser.eat(",") {
            let place = parser.place();
            let Some(found) = EVENTS.iter().position(|word| parser.eat(word)) else {
                let message = "expected 'posedge', 'negedge', or 'edge'";
                return Err(AsmError::new(place, message));
            };
            names.push(parser.operand_name()?);
            let context = parser.context();
            let ty = context.integer_type(32);
            let event = context.integer_attribute(ty, i64::try_from(found).unwrap_or(0));
            events.push(event.map_err(|error| AsmError::new(place, error.message()))?);
        }
        let there = !events.is_empty();
        let events = parser.context().array_attribute(&events);
        if let [to_events, to_names] = arguments {
            *to_events = ParsedArgument::Attribute(Some(events));
            *to_names = ParsedArgument::Operands(names);
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [events, names] = arguments else { return };
        let context = printer.context();
        let events = items(context, events.attribute()).unwrap_or_default();
        for (number, (&event, &value)) in events.iter().zip(names.operands()).enumerate() {
            let at = integer(context, Some(event)).and_then(|at| usize::try_from(at).ok());
            printer.text(if number > 0 { ", " } else { "" });
            printer.text(
                at.and_then(|at| EVENTS.get(at))
                    .copied()
                    .unwrap_or_default(),
            );
            printer.text(" ");
            printer.operand(value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [events, names] = arguments else {
            return false;
        };
        let is_event = |&event: &Attribute| {
            let i32_type = context.i32_type();
            crate::helpers::integer_of(context, i32_type, Some(event))
                .is_some_and(|event| (0..3).contains(&event))
        };
        items(context, events.attribute()).is_some_and(|events| {
            events.len() == names.operands().len() && events.iter().all(is_event)
        })
    }
}

/// The syntax of `hw.hierpath`: `private @name [@A::@a, @B]`.
#[derive(Debug)]
pub(crate) struct HierarchicalPath;

/// The text of a path.
#[derive(Default)]
pub(crate) struct PathContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    path: Vec<Option<Attribute>>,
    attributes: Vec<NamedAttribute>,
}

/// Returns the reference in `#hw.innerNameRef<@A::@a>`.
fn inner_reference(context: &Context, attribute: Attribute) -> Option<Attribute> {
    if !super::fields::is_attribute_of(context, attribute, "hw", "innerNameRef") {
        return None;
    }
    context.parameter(attribute, "ref")?.attribute()
}

impl TwoWay for HierarchicalPath {
    type Content = PathContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<PathContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut path = Vec::new();
        for &item in items(context, attribute("namepath"))? {
            path.push(Some(match flat(context, Some(item)) {
                Some(_) => item,
                None => inner_reference(context, item)?,
            }));
        }
        let elided = ["sym_name", "namepath", "sym_visibility"];
        Some(PathContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            path,
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PathContent) -> AsmResult<()> {
        asm.space(" ");
        super::firrtl::visibility_text(asm, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        asm.space(" ");
        asm.list(("[", "]"), &mut content.path, |asm, item| {
            asm.attribute(item)
        })?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: PathContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = content.attributes;
        super::firrtl::set_visibility(parser, operation, content.visibility);
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let mut path = Vec::new();
        for item in content.path.into_iter().flatten() {
            let nested = match context.attribute_kind(item) {
                AttributeKind::SymbolRef { nested, .. } => nested.len(),
                _ => return Err(AsmError::new(place, "expected a symbol reference")),
            };
            path.push(match nested {
                0 => item,
                1 => {
                    let made = context.build_attribute("hw.innerNameRef").with("ref", item);
                    made.build()
                        .map_err(|error| AsmError::new(place, error.message()))?
                }
                _ => {
                    let message = "only one nested reference is allowed";
                    return Err(AsmError::new(place, message));
                }
            });
        }
        let path = context.array_attribute(&path);
        property(parser, operation, "sym_name", name);
        property(parser, operation, "namepath", path);
        Ok(None)
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

/// The directive of a cycle, or of a range of cycles: `1`, `[1:3]`. Arguments: the first, the last.
#[derive(Debug)]
pub(crate) struct Cycle;

impl DirectiveSyntax for Cycle {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let ty = parser.context().i32_type();
        let is_range = parser.eat("[");
        let first = parser.attribute_of_type(ty)?;
        let mut last = None;
        if is_range {
            parser.expect(":")?;
            last = Some(parser.attribute_of_type(ty)?);
            parser.expect("]")?;
        }
        if let [to_first, to_last] = arguments {
            *to_first = ParsedArgument::Attribute(Some(first));
            *to_last = ParsedArgument::Attribute(last);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [first, last] = arguments else { return };
        let Some(first) = first.attribute() else {
            return;
        };
        match last.attribute() {
            Some(last) => {
                printer.text("[");
                printer.attribute_without_type(first);
                printer.text(":");
                printer.attribute_without_type(last);
                printer.text("]");
            }
            None => printer.attribute_without_type(first),
        }
    }
}

/// The directive of a range of addresses: `[0x0 - 0x1f]`, integers of the width that the type has.
/// Arguments: the first address, the last, the type.
#[derive(Debug)]
pub(crate) struct MemoryRange;

/// Returns the width of addresses in `!rtg.isa.memory_block<N>`.
fn address_width(context: &Context, ty: Type) -> Option<u32> {
    if !crate::iree::values::is_of(context, ty, "rtg", "isa.memory_block") {
        return None;
    }
    u32::try_from(context.parameter(ty, "addressWidth")?.integer()?).ok()
}

impl DirectiveSyntax for MemoryRange {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect("[")?;
        let place = parser.place();
        let first = parse_integer(parser)?;
        parser.expect("-")?;
        let last = parse_integer(parser)?;
        parser.expect("]")?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let Some(width) = address_width(parser.context(), ty) else {
            return Err(AsmError::new(place, "invalid kind of type specified"));
        };
        if first.active_bits().max(last.active_bits()) > width {
            let message =
                format!("address out of range for memory block with address width {width}");
            return Err(AsmError::new(place, message));
        }
        let context = parser.context();
        let of = context.try_type(TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        });
        let mut made = Vec::new();
        for value in [first, last] {
            let attribute = of.clone().and_then(|ty| {
                context.try_attribute(AttributeKind::Integer {
                    ty,
                    value: value.trunc(width),
                })
            });
            made.push(attribute.map_err(|error| AsmError::new(place, error.message()))?);
        }
        if let ([to_first, to_last, to_ty], [first, last]) = (arguments, &*made) {
            *to_first = ParsedArgument::Attribute(Some(*first));
            *to_last = ParsedArgument::Attribute(Some(*last));
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [first, last, ty] = arguments else {
            return;
        };
        let context = printer.context();
        let hex = |attribute: Option<Attribute>| {
            let value = attribute.map(|attribute| context.attribute_kind(attribute));
            match value {
                Some(AttributeKind::Integer { value, .. }) => hexadecimal(value),
                _ => String::new(),
            }
        };
        printer.text(&format!("[0x{} - 0x", hex(first.attribute())));
        printer.text(&format!("{}] : ", hex(last.attribute())));
        printer.types(ty.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [first, last, ty] = arguments else {
            return false;
        };
        let &[ty] = ty.types() else { return false };
        let expected = address_width(context, ty);
        let fits = |attribute: Option<Attribute>| {
            let found = attribute.and_then(|attribute| type_of(context, attribute));
            expected.is_some() && found.and_then(|found| width(context, found)) == expected
        };
        fits(first.attribute()) && fits(last.attribute())
    }
}

/// Returns the digits of a number in hexadecimal.
fn hexadecimal(value: &ApInt) -> String {
    let mut words = value.words().iter().rev().skip_while(|&&word| word == 0);
    let mut text = words
        .next()
        .map_or("0".to_owned(), |word| format!("{word:x}"));
    for word in words {
        text.push_str(&format!("{word:016x}"));
    }
    text
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

/// The directive of an optional `field_locs(...)`, which upstream prints with locations only. The
/// argument is the attribute.
#[derive(Debug)]
pub(crate) struct FieldLocations;

impl DirectiveSyntax for FieldLocations {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !parser.eat("field_locs") {
            return Ok(false);
        }
        parser.expect("(")?;
        let value = parser.attribute()?;
        parser.expect(")")?;
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        arguments
            .first()
            .and_then(PrintedArgument::attribute)
            .is_none()
    }
}

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

/// The directive of the ports of an interface: `(input @a, output @b)`. The argument is the array.
#[derive(Debug)]
pub(crate) struct ModuleInterfacePorts;

impl DirectiveSyntax for ModuleInterfacePorts {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut ports = Vec::new();
        parser.expect("(")?;
        while !parser.at(")") {
            let place = parser.place();
            let direction = parser.stripped_attribute("modport_direction")?;
            let signal = parser.attribute()?;
            let builder = parser.context().build_attribute("sv.mod_port");
            let made = builder
                .with("direction", direction)
                .with("signal", signal)
                .build();
            ports.push(made.map_err(|error| AsmError::new(place, error.message()))?);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
        let ports = parser.context().array_attribute(&ports);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(ports));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let ports = items(
            context,
            arguments.first().and_then(PrintedArgument::attribute),
        );
        printer.text("(");
        for (number, &port) in ports.unwrap_or_default().iter().enumerate() {
            let parameter = |name: &str| context.parameter(port, name)?.attribute();
            printer.text(if number > 0 { ", " } else { "" });
            if let (Some(direction), Some(signal)) = (parameter("direction"), parameter("signal")) {
                printer.stripped_attribute(direction, "modport_direction");
                printer.text(" ");
                printer.attribute(signal);
            }
        }
        printer.text(")");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let is_port = |&port: &Attribute| {
            let parameter = |name: &str| context.parameter(port, name)?.attribute();
            super::fields::is_attribute_of(context, port, "sv", "mod_port")
                && parameter("direction").is_some()
                && flat(context, parameter("signal")).is_some()
        };
        let ports = items(
            context,
            arguments.first().and_then(PrintedArgument::attribute),
        );
        ports.is_some_and(|ports| ports.iter().all(is_port))
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
