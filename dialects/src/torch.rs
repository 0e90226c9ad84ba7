//! Names of the results of constants of the `torch` dialect, and the syntax of its tensors.

use crate::entry::{EntryAsm, List, TwoWayEntry, field, set};
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Invalid, Module, Operation, Type, Value,
};

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

/// The text of a tensor.
#[derive(Default)]
pub(crate) struct TensorContent<'v> {
    is_ranked: bool,
    sizes: List<'v, i64>,
    element: Option<Type>,
    layout: Option<Attribute>,
}

/// A size, which is not negative, or `?`.
fn size(asm: &mut EntryAsm<'_>, size: &mut i64) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            if parser.eat("?") {
                *size = DYNAMIC;
                return Ok(());
            }
            let found = parser.optional_integer()?;
            *size = match found.and_then(|found| i64::try_from(found).ok()) {
                Some(found) if found >= 0 => found,
                _ => return parser.expected("a size"),
            };
        }
        EntryAsm::Printer(printer) => printer.dimension(*size),
    }
    Ok(())
}

impl TwoWayEntry for Tensor {
    type Content<'v> = TensorContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<TensorContent<'v>, Invalid> {
        Ok(TensorContent {
            is_ranked: field::<u64>(values, RANKED) > 0,
            sizes: List::of(values, SIZES, "expected sizes")?,
            element: field(values, ELEMENT),
            layout: field(values, LAYOUT),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut TensorContent<'_>) -> AsmResult<()> {
        let mut there = content.is_ranked || content.element.is_some() || content.layout.is_some();
        asm.optional("<", "<", &mut there);
        if !there {
            return Ok(());
        }
        let mut is_unranked = !content.is_ranked;
        asm.optional("*", "*", &mut is_unranked);
        if !is_unranked {
            content.is_ranked = true;
            asm.token("[", "[")?;
            let mut is_first = true;
            asm.repeated_until("]", &mut content.sizes, |asm, one| {
                if !std::mem::take(&mut is_first) {
                    asm.token(",", ",")?;
                }
                size(asm, one)
            })?;
            asm.token("]", "]")?;
        }
        asm.token(",", ",")?;
        let mut is_unknown = content.element.is_none();
        asm.optional("unk", "unk", &mut is_unknown);
        if !is_unknown {
            asm.ty(&mut content.element)?;
        }
        let mut has_layout = content.layout.is_some();
        asm.optional(",", ",", &mut has_layout);
        if has_layout {
            asm.attribute(&mut content.layout)?;
        }
        asm.token(">", ">")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: TensorContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        if content.is_ranked {
            set(values, RANKED, 1u64);
            content.sizes.set(values, SIZES);
        }
        set(values, ELEMENT, content.element);
        set(values, LAYOUT, content.layout);
        Ok(())
    }
}
