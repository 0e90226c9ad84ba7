//! Directives of values that are written without their type: numbers, booleans, typed attributes.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, failure, invalid, one_type};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Invalid, Signedness, Type, TypeKind};

/// The directive of a typed attribute that determines the type of the result: `5 : i8`. Arguments:
/// the attribute, the type.
#[derive(Debug)]
pub(crate) struct TypedValue;

/// The text of [`TypedValue`] and [`TypeAndValue`].
#[derive(Default)]
pub(crate) struct TypedContent {
    place: Option<usize>,
    ty: Option<Type>,
    value: Option<Attribute>,
}

impl TypedContent {
    /// Returns the value and its type; `None` if the value determines another type.
    fn of(printed: &Printed<'_>) -> Option<Self> {
        let [value, ty] = printed.arguments else {
            return None;
        };
        let (value, ty) = (value.attribute()?, ty.types());
        let found = type_of(printed.context, value)?;
        (ty == [found]).then_some(TypedContent {
            place: None,
            ty: Some(found),
            value: Some(value),
        })
    }

    /// Sets the value and its type.
    fn set(self, arguments: &mut [ParsedArgument]) {
        if let [value, ty] = arguments {
            *value = ParsedArgument::Attribute(self.value);
            *ty = one_type(self.ty);
        }
    }
}

/// Returns the type of a number or of an attribute with a type.
pub(super) fn type_of(context: &Context, attribute: Attribute) -> Option<Type> {
    match context.attribute_kind(attribute) {
        AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. } => Some(*ty),
        AttributeKind::String { ty, .. } | AttributeKind::Dialect { ty, .. } => *ty,
        _ => None,
    }
}

impl TwoWayDirective for TypedValue {
    type Content = TypedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<TypedContent> {
        TypedContent::of(printed)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut TypedContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.attribute(&mut content.value)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        mut content: TypedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        content.ty = content.value.and_then(|value| type_of(context, value));
        if content.ty.is_none() {
            return Err(failure(content.place, "expected a typed attribute"));
        }
        content.set(arguments);
        Ok(())
    }
}

/// The directive of a type and a value of it: `i8 = 5`. Arguments: the value, the type.
#[derive(Debug)]
pub(crate) struct TypeAndValue;

impl TwoWayDirective for TypeAndValue {
    type Content = TypedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<TypedContent> {
        TypedContent::of(printed)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut TypedContent) -> AsmResult<bool> {
        asm.ty(&mut content.ty)?;
        asm.token("=", " = ")?;
        asm.attribute_of(content.ty, &mut content.value)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        mut content: TypedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let (Some(value), Some(ty)) = (content.value, content.ty) {
            content.value = Some(with_type(parser, value, ty));
        }
        content.set(arguments);
        Ok(())
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

/// How an integer of any size is printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Digits {
    Signed,
    Unsigned,
    Hexadecimal,
}

/// An integer of any size; present when printing.
pub(super) fn integer(
    asm: &mut Asm<'_, '_>,
    digits: Digits,
    value: &mut Option<ApInt>,
) -> AsmResult<()> {
    match asm {
        Asm::Parser(parser) => *value = Some(parse_integer(&mut **parser)?),
        Asm::Printer(printer) => {
            let mut text = Vec::new();
            match (digits, value) {
                (Digits::Signed, Some(value)) => value.write_decimal(true, &mut text),
                (Digits::Unsigned, Some(value)) => value.write_decimal(false, &mut text),
                (Digits::Hexadecimal, Some(value)) => text = hexadecimal(value).into_bytes(),
                (_, None) => {}
            }
            printer.text(&String::from_utf8_lossy(&text));
        }
    }
    Ok(())
}

/// Parses the value of an integer of any size.
fn parse_integer(parser: &mut dyn AsmParser) -> AsmResult<ApInt> {
    let place = parser.place();
    // Wide enough for any constant; the type is that of the value later.
    let ty = parser.context().try_type(TypeKind::Integer {
        width: WIDEST,
        signedness: Signedness::Signless,
    });
    let value = parser.attribute_of_type(ty.map_err(invalid(Some(place)))?)?;
    match parser.context().attribute_kind(value) {
        AttributeKind::Integer { value, .. } => Ok(value.clone()),
        _ => Err(AsmError::new(place, "expected integer value")),
    }
}

/// Returns the digits of a number in hexadecimal.
fn hexadecimal(value: &ApInt) -> String {
    let mut words = value.words().iter().rev().skip_while(|&&word| word == 0);
    let first = words.next().copied().unwrap_or_default();
    let mut text = format!("0x{first:x}");
    for word in words {
        text.push_str(&format!("{word:016x}"));
    }
    text
}

/// Returns the attribute of an integer of `width` bits.
pub(super) fn integer_attribute(
    context: &mut Context,
    value: &ApInt,
    (width, signedness): (u32, Signedness),
) -> Result<Attribute, Invalid> {
    let ty = context.try_type(TypeKind::Integer { width, signedness })?;
    let value = value.trunc(width);
    context.try_attribute(AttributeKind::Integer { ty, value })
}

/// The width in which numbers are read.
const WIDEST: u32 = 1 << 16;

/// The directive of an integer whose type follows from a type of `firrtl`: `5 : !firrtl.uint<8>`.
/// Arguments: the value, the type.
#[derive(Debug)]
pub(crate) struct FirrtlConstant;

/// The text of [`FirrtlConstant`].
#[derive(Default)]
pub(crate) struct ConstantContent {
    place: Option<usize>,
    is_signed: bool,
    value: Option<ApInt>,
    ty: Option<Type>,
}

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

/// Returns the number of bits that a negative number takes, with its sign.
pub(super) fn negative_bits(value: &ApInt) -> u32 {
    let magnitude = value.neg();
    let bits = magnitude.active_bits();
    let is_power = (0..bits.saturating_sub(1)).all(|bit| !magnitude.bit(bit));
    match is_power {
        true => bits,
        false => bits.saturating_add(1),
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

impl TwoWayDirective for FirrtlConstant {
    type Content = ConstantContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ConstantContent> {
        let context = printed.context;
        let [value, ty] = printed.arguments else {
            return None;
        };
        let &[ty] = ty.types() else { return None };
        let AttributeKind::Integer { ty: of, value } = context.attribute_kind(value.attribute()?)
        else {
            return None;
        };
        let TypeKind::Integer {
            width: found,
            signedness,
        } = context.type_kind(*of)
        else {
            return None;
        };
        let (width, is_signed) = firrtl_integer(context, ty)?;
        let wide = WIDEST.max(*found);
        let (expected, wide) = match is_signed {
            true => (Signedness::Signed, value.sext(wide)),
            false => (Signedness::Unsigned, value.zext(wide)),
        };
        let is_lossless = *signedness == expected
            && *found < WIDEST
            && width.unwrap_or_else(|| unsized_width(&wide)) == *found;
        is_lossless.then(|| ConstantContent {
            place: None,
            is_signed,
            value: Some(value.clone()),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ConstantContent) -> AsmResult<bool> {
        content.place = asm.place();
        let digits = match content.is_signed {
            true => Digits::Signed,
            false => Digits::Unsigned,
        };
        integer(asm, digits, &mut content.value)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ConstantContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let of = content.ty.and_then(|ty| firrtl_integer(context, ty));
        let (Some((width, is_signed)), Some(value)) = (of, content.value) else {
            return Err(failure(content.place, "invalid kind of type specified"));
        };
        let needed = match value.is_negative() {
            true => negative_bits(&value),
            false => value.active_bits(),
        };
        if width.is_some_and(|width| needed > width) {
            let message = "constant out of range for result type";
            return Err(failure(content.place, message));
        }
        // Without a width, upstream keeps the width in which it reads the number.
        let width = width.unwrap_or_else(|| unsized_width(&value));
        let signedness = match is_signed {
            true => Signedness::Signed,
            false => Signedness::Unsigned,
        };
        let made = integer_attribute(context, &value, (width, signedness));
        let made = made.map_err(invalid(content.place))?;
        if let [to_value, to_ty] = arguments {
            *to_value = ParsedArgument::Attribute(Some(made));
            *to_ty = one_type(content.ty);
        }
        Ok(())
    }
}

/// The directive of an integer of the least signed type: `5` is `5 : si4`. The argument is the
/// attribute.
#[derive(Debug)]
pub(crate) struct SignedInteger;

impl TwoWayDirective for SignedInteger {
    /// The value, and its place in a text that is read.
    type Content = (Option<ApInt>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let value = printed.arguments.first()?.attribute()?;
        let AttributeKind::Integer { ty, value } = context.attribute_kind(value) else {
            return None;
        };
        let is_least = matches!(
            context.type_kind(*ty),
            TypeKind::Integer { width, signedness: Signedness::Signed }
                if *width < WIDEST && unsized_width(&value.sext(WIDEST)) == *width
        );
        is_least.then(|| (Some(value.clone()), None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        content.1 = asm.place();
        integer(asm, Digits::Signed, &mut content.0)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (value, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let ([argument], Some(value)) = (arguments, value) {
            let ty = (unsized_width(&value), Signedness::Signed);
            let made = integer_attribute(parser.context(), &value, ty);
            *argument = ParsedArgument::Attribute(Some(made.map_err(invalid(place))?));
        }
        Ok(())
    }
}

/// The directive of a boolean that is written as one of two words, or as `0` and `1`. Arguments:
/// the attribute, and the words for `true` and `false`.
#[derive(Debug)]
pub(crate) struct KeywordBool;

/// The text of [`KeywordBool`].
#[derive(Default)]
pub(crate) struct BoolContent {
    /// The words for `true` and `false`.
    words: [String; 2],
    chosen: usize,
}

impl TwoWayDirective for KeywordBool {
    type Content = BoolContent;

    fn content(&self, printed: &Printed<'_>) -> Option<BoolContent> {
        let [value, PrintedArgument::Text(yes), PrintedArgument::Text(no)] = printed.arguments
        else {
            return None;
        };
        let value = value.attribute()?;
        let is = |&one: &bool| value == printed.context.bool_attribute(one);
        Some(BoolContent {
            chosen: [true, false].iter().position(is)?,
            words: [yes, no].map(|word| word.trim_matches('"').to_owned()),
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> BoolContent {
        let words = match arguments {
            [_, ParsedArgument::Text(yes), ParsedArgument::Text(no)] => [&**yes, no],
            _ => ["", ""],
        };
        BoolContent {
            chosen: 0,
            words: words.map(|word| word.trim_matches('"').to_owned()),
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut BoolContent) -> AsmResult<bool> {
        let [yes, no] = &content.words;
        let chosen = asm.choice(&[yes, no], &mut content.chosen);
        chosen.map_err(|error| error.saying(format!("expected keyword \"{yes}\" or \"{no}\"")))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: BoolContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let Some(argument) = arguments.first_mut() {
            let value = parser.context().bool_attribute(content.chosen == 0);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}

/// The directive of a boolean as `0` or `1`.
#[derive(Debug)]
pub(crate) struct Digit;

impl TwoWayDirective for Digit {
    type Content = i64;

    fn content(&self, printed: &Printed<'_>) -> Option<i64> {
        let value = printed.arguments.first()?.attribute()?;
        let is = |&digit: &i64| value == printed.context.bool_attribute(digit == 1);
        [0, 1].into_iter().find(is)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, digit: &mut i64) -> AsmResult<bool> {
        let message = "special constants can only be 0 or 1.";
        let place = asm.place();
        asm.integer_or(digit, message)?;
        match digit {
            0 | 1 => Ok(true),
            _ => Err(failure(place, message)),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        digit: i64,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument] = arguments {
            let value = parser.context().bool_attribute(digit == 1);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}
