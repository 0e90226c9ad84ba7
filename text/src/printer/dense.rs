//! Prints the elements of dense attributes.

use super::Result;
use super::output::Output;
use rmlir_ir::apint::ApInt;
use rmlir_ir::dense::{ElementLayout, ScalarKind};
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier};

/// The elements of an attribute.
#[derive(Clone, Copy)]
enum Elements<'a> {
    Data(ElementLayout, &'a [u8]),
    Strings(&'a [Identifier]),
}

/// Prints the text between `dense<` and `>`. With `hex_if_larger`, a larger number of elements is
/// printed as hexadecimal digits unless they are a splat.
pub(super) fn elements(
    context: &Context,
    attribute: Attribute,
    hex_if_larger: Option<u64>,
    out: &mut Output<'_>,
) -> Result<()> {
    let (ty, splat, elements) = match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, splat, data } => {
            let layout = context
                .element_type(*ty)
                .and_then(|e| ElementLayout::of(context, e));
            debug_assert!(layout.is_some(), "dense elements have a layout");
            let Some(layout) = layout else { return Ok(()) };
            (*ty, *splat, Elements::Data(layout, data))
        }
        AttributeKind::DenseStrings { ty, splat, values } => {
            (*ty, *splat, Elements::Strings(values))
        }
        _ => {
            debug_assert!(false, "{attribute:?} has no dense elements");
            return Ok(());
        }
    };
    if splat {
        print_element(context, elements, 0, out);
        return Ok(());
    }
    let count = context.element_count(ty);
    debug_assert!(count.is_some(), "dense elements have a static shape");
    let count = count.unwrap_or(0);
    if let Elements::Data(layout, data) = elements
        && hex_if_larger.is_some_and(|limit| count > limit)
    {
        return hex(layout, data, out);
    }
    if count == 0 {
        return Ok(());
    }
    let shape = context.shape(ty).unwrap_or_default();
    nested(shape, count, out, |index, out| {
        print_element(context, elements, index, out)
    })
}

/// Returns whether a dense attribute has no elements.
pub(super) fn is_empty(context: &Context, attribute: Attribute) -> bool {
    match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, .. } | AttributeKind::DenseStrings { ty, .. } => {
            context.element_count(*ty) == Some(0)
        }
        _ => true,
    }
}

/// Elements in nested brackets. The sizes of `shape` multiply to `count`, which is not 0.
fn nested(
    shape: &[i64],
    count: u64,
    out: &mut Output<'_>,
    mut element: impl FnMut(usize, &mut Output<'_>),
) -> Result<()> {
    let mut position = vec![0i64; shape.len()];
    let open = |n: usize, out: &mut Output<'_>| (0..n).for_each(|_| out.byte(b'['));
    open(shape.len(), out);
    for index in 0..count {
        element(usize::try_from(index).unwrap_or(usize::MAX), out);
        out.checkpoint()?;
        // Increments the position; a dimension that overflows closes its bracket.
        let mut closed = 0usize;
        for (at, &size) in position.iter_mut().zip(shape).rev() {
            *at = at.saturating_add(1);
            if *at < size {
                break;
            }
            *at = 0;
            closed = closed.saturating_add(1);
            out.byte(b']');
        }
        if index.saturating_add(1) < count {
            out.text(", ");
            open(closed, out);
        }
    }
    Ok(())
}

fn print_element(context: &Context, elements: Elements<'_>, index: usize, out: &mut Output<'_>) {
    match elements {
        Elements::Strings(values) => {
            if let Some(&value) = values.get(index) {
                out.quoted(context.bytes(value));
            }
        }
        Elements::Data(layout, data) => {
            let start = index.saturating_mul(layout.element_size());
            let element = data.get(start..).unwrap_or_default();
            if layout.complex {
                let (real, imaginary) = element
                    .split_at_checked(layout.scalar_size)
                    .unwrap_or((element, &[]));
                out.byte(b'(');
                scalar(layout, real, out);
                out.byte(b',');
                scalar(layout, imaginary, out);
                out.byte(b')');
            } else {
                scalar(layout, element, out);
            }
        }
    }
}

/// Prints the scalar at the start of `bytes`.
fn scalar(layout: ElementLayout, bytes: &[u8], out: &mut Output<'_>) {
    debug_assert!(bytes.len() >= layout.scalar_size, "an element is cut off");
    let bytes = bytes.get(..layout.scalar_size).unwrap_or_default();
    match layout.scalar {
        ScalarKind::Integer { width: 1, .. } => {
            out.text(if bytes == [0] { "false" } else { "true" });
        }
        ScalarKind::Integer { width, signed } => {
            if let (true, Some(value)) = (
                signed && width == bytes.len().saturating_mul(8) as u32,
                signed_value(bytes),
            ) {
                out.signed(value);
            } else {
                out.decimal(&ApInt::from_le_bytes(width, bytes), signed);
            }
        }
        ScalarKind::Index => out.signed(signed_value(bytes).unwrap_or(0)),
        ScalarKind::Float(kind) => {
            out.float(kind, bits(bytes));
        }
    }
}

/// Returns a two's complement number of 1, 2, 4 or 8 bytes.
#[inline]
fn signed_value(bytes: &[u8]) -> Option<i64> {
    Some(match *bytes {
        [a] => i64::from(a.cast_signed()),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => i64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => return None,
    })
}

/// Up to 16 little-endian bytes as a number.
fn bits(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u128::from(b))
}

/// `"0x..."`, with `i1` packed eight to a byte as LLVM 22 does.
fn hex(layout: ElementLayout, data: &[u8], out: &mut Output<'_>) -> Result<()> {
    out.text("\"0x");
    if layout.is_bool() {
        for group in data.chunks(8) {
            let byte = group.iter().rev().fold(0u8, |n, &bit| n << 1 | (bit & 1));
            out.hex(byte);
            out.checkpoint()?;
        }
    } else {
        for chunk in data.chunks(4096) {
            chunk.iter().for_each(|&byte| out.hex(byte));
            out.checkpoint()?;
        }
    }
    out.byte(b'"');
    Ok(())
}

/// Prints the elements of a dense array after `prefix`, or nothing if there are none.
pub(super) fn array(
    context: &Context,
    attribute: Attribute,
    prefix: &str,
    out: &mut Output<'_>,
) -> Result<()> {
    let AttributeKind::DenseArray { element, data, .. } = context.attribute_kind(attribute) else {
        return Ok(());
    };
    let Some(layout) = ElementLayout::of(context, *element) else {
        return Ok(());
    };
    for (i, bytes) in data.chunks(layout.scalar_size).enumerate() {
        out.text(if i == 0 { prefix } else { ", " });
        scalar(layout, bytes, out);
        out.checkpoint()?;
    }
    Ok(())
}
