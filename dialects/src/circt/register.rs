//! The syntax of `seq.firreg`.

use super::literals::{self, Digits};
use crate::helpers::property;
use crate::two_way::{Asm, Named, TwoWay, inner_symbol, other_attributes, plain_string};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, Module, NamedAttribute, Operation, Signedness,
    Type, Value,
};

/// The syntax: `%a clock %c sym @s reset async %r, %v preset 0 {...} : type`.
#[derive(Debug)]
pub(crate) struct FirRegister;

/// The text of a register.
#[derive(Default)]
pub(crate) struct RegisterContent {
    next: Named,
    clock: Named,
    has_symbol: bool,
    symbol: Option<Attribute>,
    has_reset: bool,
    is_async: usize,
    reset: Named,
    reset_value: Named,
    has_preset: bool,
    preset: Option<ApInt>,
    name: Vec<u8>,
    /// The key of the name among the attributes that are printed.
    name_key: Option<Identifier>,
    result: Option<Value>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

/// Returns the number of bits of a type.
fn bits(context: &Context, ty: Type) -> Option<u32> {
    let ty = super::fields::without_alias(context, ty);
    if crate::helpers::is_dialect_type(context, ty, "seq", "clock") {
        return Some(1);
    }
    if let Some(width) = super::infer::width(context, ty) {
        return Some(width);
    }
    if let Some((length, element)) = super::infer::array(context, ty) {
        let length = u32::try_from(length).ok()?;
        return scalar_bits(context, element)?.checked_mul(length);
    }
    let fields = super::fields::fields(context, ty)?;
    let mut sum = 0u32;
    for (_, ty) in fields {
        sum = sum.checked_add(scalar_bits(context, ty)?)?;
    }
    Some(sum)
}

/// Returns the number of bits of a type that has no parts.
fn scalar_bits(context: &Context, ty: Type) -> Option<u32> {
    super::infer::width(context, ty)
}

impl TwoWay for FirRegister {
    type Content = RegisterContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<RegisterContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let operands: Vec<Value> = module.operands(operation).collect();
        if !crate::func::has_shape(module, operation, operands.len(), 1, 0) {
            return None;
        }
        let (next, clock, reset) = match *operands {
            [next, clock] => (next, clock, None),
            [next, clock, reset, value] => (next, clock, Some((reset, value))),
            _ => return None,
        };
        let result = module.result(operation, 0)?;
        let ty = module.value_type(result);
        let is_async = attribute("isAsync").is_some();
        let mut preset = None;
        if let Some(found) = attribute("preset") {
            let AttributeKind::Integer { ty: of, value } = context.attribute_kind(found) else {
                return None;
            };
            if super::infer::width(context, *of) != bits(context, ty) {
                return None;
            }
            preset = Some(value.clone());
        }
        if module.value_type(next) != ty
            || reset.is_some_and(|(_, value)| module.value_type(value) != ty)
            || is_async && reset.is_none()
        {
            return None;
        }
        let elided = ["inner_sym", "isAsync", "preset"];
        let attributes = other_attributes(context, module, operation, &elided);
        let name = attributes
            .iter()
            .find(|entry| context.bytes(entry.0) == b"name");
        Some(RegisterContent {
            next: Named::of(next),
            clock: Named::of(clock),
            has_symbol: attribute("inner_sym").is_some(),
            symbol: inner_symbol(context, attribute("inner_sym"))?,
            has_reset: reset.is_some(),
            is_async: usize::from(is_async),
            reset: reset.map_or_else(Named::default, |pair| Named::of(pair.0)),
            reset_value: reset.map_or_else(Named::default, |pair| Named::of(pair.1)),
            has_preset: preset.is_some(),
            preset,
            name: plain_string(context, attribute("name"))?.to_vec(),
            result: Some(result),
            name_key: name.map(|entry| entry.0),
            attributes,
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut RegisterContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.next)?;
        asm.token("clock", " clock ")?;
        asm.value(&mut content.clock)?;
        asm.optional("sym", " sym ", &mut content.has_symbol);
        if content.has_symbol {
            asm.stripped(("hw", "innerSym"), &mut content.symbol)?;
        }
        asm.optional("reset", " reset ", &mut content.has_reset);
        if content.has_reset {
            asm.choice(&["sync", "async"], &mut content.is_async)?;
            asm.space(" ");
            asm.value(&mut content.reset)?;
            asm.token(",", ", ")?;
            asm.value(&mut content.reset_value)?;
        }
        asm.optional("preset", " preset ", &mut content.has_preset);
        if content.has_preset {
            literals::integer(asm, Digits::Unsigned, &mut content.preset)?;
        }
        if let Some(printed) = content.result.and_then(|result| asm.printed_name(result)) {
            let is_implied = content.name.is_empty() || printed == content.name;
            let implied = content.name_key.filter(|_| is_implied);
            content.attributes.retain(|entry| Some(entry.0) != implied);
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut RegisterContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let invalid = |error: rmlir_ir::Invalid| AsmError::new(place, error.message());
        operation.attributes = std::mem::take(&mut content.attributes);
        let Some(ty) = content.ty else {
            return Ok(None);
        };
        operation.result_types.push(ty);
        let context = parser.context();
        let clock = crate::helpers::dialect_type(context, "seq", "clock").map_err(invalid)?;
        let bit = context.integer_type(1);
        let pairs = [
            (content.next, ty),
            (content.clock, clock),
            (content.reset, bit),
            (content.reset_value, ty),
        ];
        for (value, ty) in pairs {
            if let Some(name) = value.name {
                operation.operands.push(parser.resolve(name, ty)?);
            }
        }
        if let Some(symbol) = content.symbol {
            property(parser, operation, "inner_sym", symbol);
        }
        if content.has_reset && content.is_async == 1 {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "isAsync", unit);
        }
        if let Some(preset) = content.preset.take() {
            let context = parser.context();
            let Some(width) = bits(context, ty) else {
                let message = "cannot preset register of unknown width";
                return Err(AsmError::new(place, message));
            };
            if preset.is_negative() || preset.active_bits() > width {
                return Err(AsmError::new(place, "preset value too large"));
            }
            let of = (width, Signedness::Signless);
            let preset = literals::integer_attribute(context, &preset, of).map_err(invalid)?;
            property(parser, operation, "preset", preset);
        }
        let name = parser.name("name");
        if !operation.attributes.iter().any(|entry| entry.0 == name) {
            let value = super::names::name_in_text(parser);
            operation.attributes.push((name, value));
        }
        Ok(None)
    }
}
