//! Names of the results of constants of the `torch` dialect, and the syntax of its tensors.

pub(crate) mod operations;

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

/// Returns a number with six digits after the point, the last of which is zero, and an exponent of
/// at least two digits, without `+`.
fn scientific(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if !value.is_finite() {
        let (sign, text) = if value.is_nan() {
            ("", "NaN")
        } else {
            (sign, "Inf")
        };
        return format!("{sign}{text}");
    }
    let (digits, exponent) = six_digits(value.abs());
    let (first, rest) = digits.split_at_checked(1).unwrap_or(("0", ""));
    let (minus, exponent) = if exponent < 0 {
        ("-", -exponent)
    } else {
        ("", exponent)
    };
    format!("{sign}{first}.{rest:0<6}e{minus}{exponent:02}")
}

/// The number of digits, and of bits that suffice for them.
const DIGITS: usize = 6;
const BITS: usize = 20;

/// Returns the first digits of a number, and the exponent of the first one. As LLVM's
/// `APFloat::toString`, it drops most other digits before it rounds.
fn six_digits(value: f64) -> (String, i64) {
    // All digits of a number of 64 bits.
    let exact = format!("{value:.1100e}");
    let (digits, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let digits: Vec<u8> = digits.bytes().filter(|&digit| digit != b'.').collect();
    let bits = value.to_bits();
    let (fraction, scale) = (bits & ((1 << 52) - 1), (bits >> 52).cast_signed());
    let (odd, scale) = match scale {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, scale.saturating_sub(1075)),
    };
    if odd == 0 {
        return ("0".to_owned(), 0);
    }
    let zeros = odd.trailing_zeros();
    let (odd, scale) = (odd >> zeros, scale.saturating_add(i64::from(zeros)));
    // The number is an integer, or one divided by a power of ten, of these digits and bits.
    let fives = usize::try_from(-scale).unwrap_or(0);
    let twos = usize::try_from(scale).unwrap_or(0);
    let count = exponent.saturating_add(1);
    let count = usize::try_from(count.saturating_add_unsigned(fives as u64)).unwrap_or(0);
    let bits = bits_of_product(odd, fives).saturating_add(twos);
    let dropped = bits.saturating_sub(BITS).saturating_mul(59) / 196;
    let kept = digits
        .get(..count.saturating_sub(dropped))
        .unwrap_or(&digits);
    let (kept, rest) = kept.split_at_checked(DIGITS).unwrap_or((kept, &[]));
    let mut kept = kept.to_vec();
    let mut exponent = exponent;
    if rest.first().is_some_and(|&digit| digit >= b'5') {
        while kept.last() == Some(&b'9') {
            kept.pop();
        }
        match kept.last_mut() {
            Some(last) => *last = last.saturating_add(1),
            None => {
                kept.push(b'1');
                exponent = exponent.saturating_add(1);
            }
        }
    }
    while kept.len() > 1 && kept.last() == Some(&b'0') {
        kept.pop();
    }
    (String::from_utf8_lossy(&kept).into_owned(), exponent)
}

/// Returns the number of bits of a number times a power of five.
fn bits_of_product(number: u64, fives: usize) -> usize {
    let mut words = vec![number];
    for _ in 0..fives {
        let mut carry = 0u128;
        for word in &mut words {
            carry += u128::from(*word) * 5;
            *word = carry as u64;
            carry >>= u64::BITS;
        }
        if carry > 0 {
            words.push(carry as u64);
        }
    }
    let top = words.last().map_or(0, |word| word.leading_zeros());
    (words.len() * u64::BITS as usize).saturating_sub(top as usize)
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
