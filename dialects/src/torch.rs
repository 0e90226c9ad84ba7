//! Names of the results of constants of the `torch` dialect.

use rmlir_ir::asm::ValueNames;
use rmlir_ir::{AttributeKind, Context, Module, Operation, Value};

/// The name of a constant: its type, and the value of a number.
#[derive(Debug)]
pub(crate) struct Constant;

impl ValueNames for Constant {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let value = module.attribute(context, operation, "value");
        let Some((result, value)) = module.result(operation, 0).zip(value) else {
            return;
        };
        let is_bool = |ty| ty == context.i1_type();
        match context.attribute_kind(value) {
            AttributeKind::Integer { ty, value } if is_bool(*ty) => {
                let is_true = value.to_i64().is_some_and(|value| value != 0);
                name(result, if is_true { "true" } else { "false" });
            }
            AttributeKind::Integer { value, .. } => {
                if let Some(value) = value.to_i64() {
                    name(result, &format!("int{value}"));
                }
            }
            AttributeKind::Float { bits, .. } => {
                let value = f64::from_bits(u64::try_from(*bits).unwrap_or_default());
                name(result, &format!("float{}", scientific(value)));
            }
            AttributeKind::String { value, .. } => name(result, &context.str(*value)),
            _ => {}
        }
    }
}

/// Returns a number with six digits after the point and an exponent of at least two digits, without
/// `+`.
fn scientific(value: f64) -> String {
    if !value.is_finite() {
        let text = if value.is_nan() { "NaN" } else { "Inf" };
        let sign = if value.is_sign_negative() && !value.is_nan() {
            "-"
        } else {
            ""
        };
        return format!("{sign}{text}");
    }
    let text = format!("{value:.6e}");
    let (number, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{number}e-{exponent:0>2}"),
        None => format!("{number}e{exponent:0>2}"),
    }
}
