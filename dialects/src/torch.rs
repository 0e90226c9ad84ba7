//! Names of the results of constants of the `torch` dialect, and the syntax of its tensors.

pub(crate) mod operations;

use rmlir_ir::asm::{
    AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut, ValueNames,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{AttributeKind, Context, DYNAMIC, Invalid, Module, Operation, Value};

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

/// Syntax of `!torch.vtensor`, `!torch.tensor`: `<[2,?],f32>`, `<*,f32>`, `<[4],unk,#layout>`, or
/// nothing.
#[derive(Debug)]
pub(crate) struct Tensor;

/// The indices of the parameters: sizes, whether there are sizes, the element type, the layout.
const SIZES: usize = 0;
const RANKED: usize = 1;
const ELEMENT: usize = 2;
const LAYOUT: usize = 3;

impl EntrySyntax for Tensor {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let is_ranked = matches!(values.get(RANKED), FieldValue::Unsigned(1..));
        let element = match values.get(ELEMENT) {
            FieldValue::Type(element) => Some(*element),
            _ => None,
        };
        let layout = match values.get(LAYOUT) {
            FieldValue::Attribute(layout) => Some(*layout),
            _ => None,
        };
        if !is_ranked && element.is_none() && layout.is_none() {
            return Ok(());
        }
        printer.text(if is_ranked { b"<[" } else { b"<*" });
        for (number, size) in values.list(SIZES).iter().enumerate() {
            let FieldValue::Signed(size) = size else {
                return Err(Invalid::new("expected sizes"));
            };
            if number > 0 {
                printer.text(b",");
            }
            printer.dimension(*size);
        }
        printer.text(if is_ranked { b"]," } else { b"," });
        match element {
            Some(element) => printer.ty(element),
            None => printer.text(b"unk"),
        }
        if let Some(layout) = layout {
            printer.text(b",");
            printer.attribute(layout);
        }
        printer.text(b">");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if !parser.eat("<") {
            return Ok(());
        }
        if !parser.eat("*") {
            parser.expect("[")?;
            let mut sizes = Vec::new();
            while !parser.at("]") {
                if !sizes.is_empty() {
                    parser.expect(",")?;
                }
                if parser.eat("?") {
                    sizes.push(DYNAMIC);
                    continue;
                }
                let size = parser.optional_integer()?;
                match size.and_then(|size| i64::try_from(size).ok()) {
                    Some(size) if size >= 0 => sizes.push(size),
                    _ => return parser.expected("a size"),
                }
            }
            parser.expect("]")?;
            values.set(RANKED, FieldValue::Unsigned(1));
            values.set_list(SIZES, sizes.into_iter().map(FieldValue::Signed));
        }
        parser.expect(",")?;
        if !parser.eat("unk") {
            let element = parser.ty()?;
            values.set(ELEMENT, FieldValue::Type(element));
        }
        if parser.eat(",") {
            let layout = parser.attribute()?;
            values.set(LAYOUT, FieldValue::Attribute(layout));
        }
        parser.expect(">")
    }
}
