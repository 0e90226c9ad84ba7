//! The data of dense elements in the layout of upstream's bytecode.
//!
//! The layout equals that in memory, except for `i1`: eight elements to a byte, the first in the
//! lowest bit; a splat is one byte, all ones or zeros. LLVM 23 and later also read one byte for
//! each element.

use crate::dense::ElementLayout;
use crate::{AttributeKind, Context, Invalid, Type};
use std::borrow::Cow;

/// Returns dense elements of type `ty`, given their data in upstream's bytecode.
///
/// # Errors
///
/// If the number of bytes does not match the type.
pub fn dense_elements(context: &Context, ty: Type, data: &[u8]) -> Result<AttributeKind, Invalid> {
    let (layout, count) = context.dense_layout(ty)?;
    let len = data.len() as u64;
    let wrong_size = || {
        Err(Invalid::new(format!(
            "dense data size doesn't match the type: {len} bytes for {count} elements of {}",
            layout.element_size()
        )))
    };
    let elements = |splat, data| Ok(AttributeKind::DenseElements { ty, splat, data });
    if layout.is_bool() {
        return match data {
            // Upstream can have a splat of nothing, with the element that it would repeat.
            [0xFF] => elements(true, [1].into()),
            [0x00] => elements(true, [0].into()),
            _ if len == count.div_ceil(8) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                elements(false, unpack(data, count)?)
            }
            _ if len == count && data.iter().all(|&byte| byte <= 1) => elements(false, data.into()),
            _ => wrong_size(),
        };
    }
    let size = element_size(layout);
    if count != 1 && len == size {
        elements(true, data.into())
    } else if count.checked_mul(size) == Some(len) {
        elements(false, data.into())
    } else {
        wrong_size()
    }
}

fn element_size(layout: ElementLayout) -> u64 {
    layout.element_size() as u64
}

/// Expands `count` bits, lowest first within each byte, to one byte each.
fn unpack(data: &[u8], count: usize) -> Result<Box<[u8]>, Invalid> {
    let bits = data
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    if bits.clone().skip(count).any(|bit| bit == 1) {
        return Err(Invalid::new("bits after the last element are set"));
    }
    Ok(bits.take(count).collect())
}

/// Returns the data of dense elements in upstream's bytecode: the inverse of [`dense_elements`].
/// `None` for any other attribute.
pub fn dense_blob<'k>(context: &Context, kind: &'k AttributeKind) -> Option<Cow<'k, [u8]>> {
    let AttributeKind::DenseElements { ty, splat, data } = kind else {
        return None;
    };
    let (layout, _) = context.dense_layout(*ty).ok()?;
    if !layout.is_bool() {
        return Some(Cow::Borrowed(data));
    }
    if *splat {
        let set = data.first().is_some_and(|&byte| byte != 0);
        return Some(Cow::Borrowed(if set { &[0xFF] } else { &[0] }));
    }
    let pack = |bits: &[u8]| {
        let places = bits.iter().enumerate();
        places.fold(0, |byte, (place, &bit)| byte | (bit & 1) << place)
    };
    Some(data.chunks(8).map(pack).collect())
}
