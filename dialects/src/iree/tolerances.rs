//! The tolerances of comparisons of the dialect `check`.
//!
//! StableHLO has operations of the same names without tolerances, so absence is not a default:
//! without them, an operation has no custom syntax.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context};

/// The keywords, with the values that are not printed.
const TOLERANCES: [(&str, f64); 2] = [("atol", 1e-4), ("rtol", 0.0)];

/// The directive for two `f32` numbers that are printed unless they have their defaults: `, atol
/// 0.1, rtol 0.2`.
#[derive(Debug)]
pub(crate) struct Tolerances;

impl TwoWayDirective for Tolerances {
    /// The numbers that are not the defaults.
    type Content = [Option<Attribute>; TOLERANCES.len()];

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let mut values = printed.arguments.iter().map(PrintedArgument::attribute);
        let mut content = Self::Content::default();
        for (slot, (_, default)) in content.iter_mut().zip(TOLERANCES) {
            let value = values.next()??;
            if context.attribute_type(value) != context.f32_type() {
                return None;
            }
            *slot = Some(value).filter(|&value| !has_value(context, value, default));
        }
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        // In this order, each at most once; what comes after the comma decides.
        let mut has_comma = content.iter().any(Option::is_some);
        asm.optional(",", ", ", &mut has_comma);
        let is_present = has_comma;
        let ty = asm.context().f32_type();
        let [absolute, relative] = content;
        if has_comma && asm.is_there("atol", absolute.is_some()) {
            asm.token("atol", "atol ")?;
            asm.attribute_of(Some(ty), absolute)?;
            has_comma = relative.is_some();
            asm.optional(",", ", ", &mut has_comma);
        }
        if has_comma && asm.is_there("rtol", relative.is_some()) {
            asm.token("rtol", "rtol ")?;
            asm.attribute_of(Some(ty), relative)?;
            has_comma = false;
            asm.optional(",", ", ", &mut has_comma);
        }
        if has_comma {
            // A comma must be followed by a tolerance.
            asm.token("atol", "")?;
        }
        Ok(is_present)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for ((value, (_, default)), argument) in content.iter().zip(TOLERANCES).zip(arguments) {
            let value = value.unwrap_or_else(|| number(parser.context(), default));
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}

/// Returns `value : f32`.
fn number(context: &mut Context, value: f64) -> Attribute {
    let ty = context.f32_type();
    let made = context.float_attribute(ty, value);
    made.unwrap_or_else(|_| context.unit_attribute())
}

/// Returns whether an attribute is `value : f32`.
fn has_value(context: &Context, attribute: Attribute, value: f64) -> bool {
    use rmlir_ir::float::{FloatKind, from_f64};
    matches!(context.attribute_kind(attribute), AttributeKind::Float { bits, .. }
        if *bits == from_f64(FloatKind::F32, value))
}
