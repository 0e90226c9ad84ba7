//! Directives of values that are written without their type: numbers, booleans, typed attributes.

use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Signedness, Type, TypeKind};

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
pub(super) fn parse_integer(parser: &mut dyn AsmParser) -> AsmResult<ApInt> {
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
