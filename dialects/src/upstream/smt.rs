//! Directives of the `smt` dialect, and the names of its values.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::entry::{EntryAsm, TwoWayEntry};
use crate::helpers::add_operands;
use crate::two_way::{Asm, Named, TwoWay, other_attributes};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut,
    ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Invalid, Module, NamedAttribute, Op, Operation,
    OperationVerifier, Parameter, Signedness, Type, TypeKind, Value, VerifyFailure, VerifyResult,
};
use std::borrow::Cow;

/// The directive for the one type of several operands. Its arguments are the types of the operands
/// and the operands, `ref($inputs)`.
#[derive(Debug)]
pub(crate) struct OneType;

impl TwoWayDirective for OneType {
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (&first, rest) = printed.arguments.first()?.types().split_first()?;
        rest.iter().all(|&ty| ty == first).then_some(Some(first))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.ty(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let ([types, ParsedArgument::Operands(operands)], Some(ty)) = (arguments, content) {
            *types = ParsedArgument::Types(vec![ty; operands.len()]);
        }
        Ok(())
    }
}

/// Names the result by the attribute `namePrefix`.
pub(crate) fn name_prefix(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let prefix = module.attribute(context, operation, "namePrefix")?;
    let prefix = context.string_value(prefix)?;
    Some(String::from_utf8_lossy(prefix).into_owned().into())
}

/// The directive of an integer of any width, without its type. Its argument is the attribute.
#[derive(Debug)]
pub(crate) struct IntConstant;

/// Returns the width that upstream gives to an integer literal: four bits for each digit, and more
/// if it needs them with its sign.
fn literal_width(value: &ApInt) -> u32 {
    if value.is_zero() {
        return u64::BITS;
    }
    let text = value.to_decimal_string(true);
    let digits = text.trim_start_matches('-').len();
    let needed = match value.is_negative() {
        true => value.neg().active_bits(),
        false => value.active_bits(),
    };
    let of_digits = u32::try_from(digits.saturating_mul(4)).unwrap_or(u32::MAX);
    of_digits.max(needed.saturating_add(1))
}

/// Returns the value of an unsigned attribute read as two's complement, and its width.
fn signed(context: &Context, attribute: Option<Attribute>) -> Option<(ApInt, u32)> {
    let AttributeKind::Integer { ty, value } = context.attribute_kind(attribute?) else {
        return None;
    };
    match *context.type_kind(*ty) {
        TypeKind::Integer {
            width,
            signedness: Signedness::Unsigned,
        } => Some((value.trunc(width), width)),
        _ => None,
    }
}

impl TwoWayDirective for IntConstant {
    type Content = (Option<usize>, Option<ApInt>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (value, width) = signed(printed.context, printed.arguments.first()?.attribute())?;
        (width == literal_width(&value)).then_some((None, Some(value)))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (place, value): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.big_integer(value)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (place, value): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (Some(value), [target]) = (value, arguments) else {
            return Err(other_arguments(parser));
        };
        let width = literal_width(&value);
        let context = parser.context();
        let ty = context.try_type(TypeKind::Integer {
            width,
            signedness: Signedness::Unsigned,
        });
        let value = value.sext(width.max(value.width())).trunc(width);
        let made = ty.and_then(|ty| context.try_attribute(AttributeKind::Integer { ty, value }));
        let invalid = |error: Invalid| AsmError::new(place.unwrap_or_default(), error.message());
        *target = ParsedArgument::Attribute(Some(made.map_err(invalid)?));
        Ok(())
    }
}

/// Names the result by the integer: `%c5`.
pub(crate) fn int_constant_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let (value, _) = signed(context, module.attribute(context, operation, "value"))?;
    Some(format!("c{}", value.to_decimal_string(true)).into())
}

/// The parameters of `#smt.bv`: the value, and the type of the attribute, which gives its width.
/// Values are printed as two's complement, so `1` is `-1` in a vector of one bit.
#[derive(Debug)]
pub(crate) struct BitVector;

/// The text of [`BitVector`].
#[derive(Default)]
pub(crate) struct BitVectorContent {
    value: Option<ApInt>,
    /// The type, which follows the body: a text is read a first time without it.
    ty: Option<Type>,
}

impl TwoWayEntry for BitVector {
    type Content<'v> = BitVectorContent;

    fn given(&self, _: &mut dyn EntryParser, values: &ParametersMut<'_>) -> BitVectorContent {
        BitVectorContent {
            value: None,
            ty: crate::entry::Field::of(values.get(1)),
        }
    }

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<BitVectorContent, Invalid> {
        match values.get(0) {
            FieldValue::Integer(value) => Ok(BitVectorContent {
                value: Some(value.clone()),
                ty: None,
            }),
            _ => Err(Invalid::new("expected integer value")),
        }
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut BitVectorContent) -> AsmResult<()> {
        let place = asm.place();
        asm.big_integer(&mut content.value)?;
        asm.check(place, |context| {
            let (ty, value) = (content.ty?, content.value.as_mut()?);
            let width = context
                .parameter(ty, "width")
                .and_then(Parameter::integer)
                .and_then(|width| u32::try_from(width).ok())
                .filter(|width| is_bit_vector(context, ty, *width));
            let Some(width) = width else {
                return Some("explicit bit-vector type required".to_owned());
            };
            let negative = value.is_negative();
            let fits = match negative {
                true => value.fits_signed(width),
                false => value.fits_unsigned(width),
            };
            if !fits {
                return Some(format!(
                    "integer value out of range for given bit-vector type '!smt.bv<{width}>'"
                ));
            }
            // The sign bit is set. The width is that of the digits then, however wide a type is.
            if !negative && value.active_bits() == width {
                *value = ApInt::from_magnitude(true, &value.trunc(width).neg());
            }
            None
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: BitVectorContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        if let Some(value) = content.value {
            values.set(0, FieldValue::Integer(value));
        }
        Ok(())
    }
}

/// Names a constant bit vector by its value and its width: `c5_bv8`.
pub(crate) fn bit_vector_constant_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    result: Value,
) -> Option<Cow<'static, str>> {
    let width = context.parameter(module.value_type(result), "width")?;
    let width = width.integer()?;
    let value = module.attribute(context, operation, "value")?;
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(value) else {
        return None;
    };
    let value = body.text().strip_prefix(b"bv<")?.strip_suffix(b">")?;
    let value = String::from_utf8_lossy(value);
    Some(format!("c{value}_bv{width}").into())
}

/// Custom syntax of `smt.bv.repeat`: `N times %input {...} : type`. The width of the result is `N`
/// times that of the input.
#[derive(Debug)]
pub(crate) struct Repeat;

/// Returns the width of a bit vector.
fn bit_vector_width(context: &Context, ty: Type) -> Option<i64> {
    let width = context.parameter(ty, "width")?.integer()?;
    is_bit_vector(context, ty, width).then_some(width)
}

/// Returns whether a type is a bit vector of that width.
fn is_bit_vector(context: &Context, ty: Type, width: impl std::fmt::Display) -> bool {
    crate::helpers::is_dialect_type(context, ty, "smt", &format!("bv<{width}>"))
}

/// Returns the number of repetitions of the input in the result.
fn repetitions(context: &Context, module: &Module, operation: Operation) -> Option<i64> {
    let input = module.operands(operation).next()?;
    let input = bit_vector_width(context, module.value_type(input))?;
    let result = module.result(operation, 0)?;
    let result = bit_vector_width(context, module.value_type(result))?;
    let count = result.checked_div(input)?;
    (count > 0 && count.checked_mul(input) == Some(result)).then_some(count)
}

/// The parsed parts of [`Repeat`].
#[derive(Default)]
pub(crate) struct RepeatContent {
    count_place: Option<usize>,
    count: i64,
    input: Named,
    attributes: Vec<NamedAttribute>,
    type_place: Option<usize>,
    ty: Option<Type>,
}

impl TwoWay for Repeat {
    type Content = RepeatContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<RepeatContent> {
        let count = repetitions(context, module, operation)?;
        let input = module.operand(operation, 0)?;
        crate::func::has_shape(module, operation, 1, 1, 0).then(|| RepeatContent {
            count,
            input: Named::of(input),
            attributes: other_attributes(context, module, operation, &[]),
            ty: Some(module.value_type(input)),
            ..RepeatContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut RepeatContent) -> AsmResult<()> {
        asm.space(" ");
        content.count_place = asm.place();
        asm.integer(&mut content.count)?;
        asm.token("times", " times ")?;
        asm.value(&mut content.input)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut RepeatContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.count_place.unwrap_or_default();
        if content.count < 1 {
            return Err(AsmError::new(place, "integer must be positive"));
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        add_operands(parser, operation, content.input.name.zip(content.ty))?;
        let context = parser.context();
        let Some(width) = content.ty.and_then(|ty| bit_vector_width(context, ty)) else {
            let place = content.type_place.unwrap_or_default();
            return Err(AsmError::new(place, "input must have bit-vector type"));
        };
        let Some(width) = width.checked_mul(content.count) else {
            return Err(AsmError::new(place, "integer value is too large"));
        };
        let result = crate::helpers::dialect_type(context, "smt", &format!("bv<{width}>"));
        let result = result.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        operation.result_types.push(result);
        Ok(None)
    }
}

/// Verifies the patterns of a quantifier, `smt.forall` or `smt.exists`, beyond its definition.
#[derive(Debug)]
pub(crate) struct Patterns;

impl OperationVerifier for Patterns {
    fn verify_regions(&self, op: Op<'_>) -> VerifyResult {
        let module = op.module;
        let types = |region| {
            let block = module.first_block(region);
            let arguments = block.into_iter().flat_map(|block| module.arguments(block));
            arguments.map(|(argument, _)| module.value_type(argument))
        };
        let mut regions = op.regions();
        let Some(body) = regions.next() else {
            return Ok(());
        };
        for (number, region) in regions.enumerate() {
            if !types(region).eq(types(body)) {
                return Err(VerifyFailure::op(format!(
                    "block argument number and types of the 'body' and 'patterns' region \
                     #{number} must match"
                )));
            }
            let Some(block) = module.first_block(region) else {
                continue;
            };
            let last = module.operations(block).last();
            if last.is_none_or(|last| module.operand_count(last) == 0) {
                return Err(VerifyFailure::op(format!(
                    "'patterns' region #{number} must have at least one yielded value"
                )));
            }
            let nested = module
                .operations(block)
                .flat_map(|operation| op.with_id(operation).descendants());
            for nested in nested {
                if nested.dialect() != "smt" {
                    let failure = VerifyFailure::op(format!(
                        "the 'patterns' region #{number} may only contain SMT dialect operations"
                    ));
                    let note = "first non-SMT operation here";
                    return Err(failure.note(nested.location(), note));
                }
                if nested.is("smt.forall") || nested.is("smt.exists") {
                    let failure = VerifyFailure::op(format!(
                        "the 'patterns' region #{number} must not contain any variable binding \
                         operations"
                    ));
                    return Err(failure.note(nested.location(), "first violating operation here"));
                }
            }
        }
        Ok(())
    }
}
