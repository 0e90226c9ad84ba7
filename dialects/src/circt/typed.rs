//! Directives of attributes whose type the text leaves out.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, failure, invalid, one_type};
use rmlir_ir::Attribute;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};

/// The directive of `#seq<clock_constant high>`, of type `!seq.clock`: `high`.
#[derive(Debug)]
pub(crate) struct ClockConstant;

const LEVELS: [&str; 2] = ["low", "high"];

impl TwoWayDirective for ClockConstant {
    /// The index of the word, and its place in a text that is read.
    type Content = (usize, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (attribute, context) = (printed.arguments.first()?.attribute()?, printed.context);
        let is_constant =
            super::fields::is_attribute_of(context, attribute, "seq", "clock_constant");
        let ty = super::literals::type_of(context, attribute)?;
        let is_clock = crate::helpers::is_dialect_type(context, ty, "seq", "clock");
        let word = context.parameter(attribute, "value")?;
        let word = word.str()?;
        let at = LEVELS.iter().position(|level| **level == *word)?;
        (is_constant && is_clock).then_some((at, None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (at, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.choice(&LEVELS, at)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (at, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let clock =
            crate::helpers::dialect_type(context, "seq", "clock").map_err(invalid(place))?;
        let word = LEVELS.get(at).copied().unwrap_or_default();
        let builder = context.build_attribute("seq.clock_constant");
        let made = builder.with("value", word).with("self", clock).build();
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made.map_err(invalid(place))?));
        }
        Ok(())
    }
}

/// The directive of the registers of which one is used: `[#rtgtest.ra : !rtgtest.ireg]`. Arguments:
/// the attribute, and the type, which is that of the first register.
#[derive(Debug)]
pub(crate) struct Registers;

/// The text of [`Registers`].
#[derive(Default)]
pub(crate) struct RegistersContent {
    place: Option<usize>,
    registers: Vec<Option<Attribute>>,
}

impl TwoWayDirective for Registers {
    type Content = RegistersContent;

    fn content(&self, printed: &Printed<'_>) -> Option<RegistersContent> {
        let ([attribute, ty], context) = (printed.arguments, printed.context) else {
            return None;
        };
        let attribute = attribute.attribute()?;
        let registers = context.parameter(attribute, "allowedRegs")?.items();
        let registers: Vec<_> = registers.map(|one| one.attribute()).collect();
        let first = super::literals::type_of(context, (*registers.first()?)?)?;
        let is_lossless = ty.types() == [first]
            && super::literals::type_of(context, attribute) == Some(first)
            && super::fields::is_attribute_of(context, attribute, "rtg", "virtual_register_config");
        is_lossless.then_some(RegistersContent {
            place: None,
            registers,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut RegistersContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.token("[", "[")?;
        asm.items(&mut content.registers, |asm, one| asm.attribute(one))?;
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: RegistersContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let registers: Vec<Attribute> = content.registers.into_iter().flatten().collect();
        let first = registers.first();
        let ty = first.and_then(|&first| super::literals::type_of(context, first));
        let Some(ty) = ty else {
            return Err(failure(content.place, "expected registers with a type"));
        };
        let builder = context.build_attribute("rtg.virtual_register_config");
        let builder = builder.with("allowedRegs", registers).with("self", ty);
        if let [to_attribute, to_ty] = arguments {
            let made = builder.build().map_err(invalid(content.place))?;
            *to_attribute = ParsedArgument::Attribute(Some(made));
            *to_ty = one_type(Some(ty));
        }
        Ok(())
    }
}
