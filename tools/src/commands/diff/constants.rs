//! Describes how large constants differ.

use super::side::Side;
use rmlir::Attribute;
use rmlir::ir::dense::{ElementLayout, ScalarKind};
use rmlir::ir::float::to_f64;
use rmlir::ir::{AttributeKind, Operation, ResourceValue};
use rmlir::text::type_to_string;

/// Returns a note for each attribute of both operations that is a constant of the same type with
/// other elements.
pub(super) fn differences(
    (left, left_operation): (&Side<'_>, Operation),
    (right, right_operation): (&Side<'_>, Operation),
) -> Vec<String> {
    let attributes = left.module.all_attributes(left.context, left_operation);
    let mut notes = Vec::new();
    for &(name, attribute) in attributes.as_ref().iter() {
        let name = left.context.bytes(name);
        let other = right.module.attribute(right.context, right_operation, name);
        let (Some(one), Some(other)) = (
            elements(left, attribute),
            other.and_then(|other| elements(right, other)),
        ) else {
            continue;
        };
        if let Some(difference) = difference(&one, &other) {
            notes.push(format!("{}: {}: {difference}", name.escape_ascii(), one.ty));
        }
    }
    notes
}

/// The elements of a constant.
struct Elements<'c> {
    /// The type, as text.
    ty: String,
    layout: ElementLayout,
    count: u64,
    splat: bool,
    data: &'c [u8],
}

fn elements<'c>(side: &Side<'c>, attribute: Attribute) -> Option<Elements<'c>> {
    let context = side.context;
    let (ty, splat, data) = match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, splat, data } => (*ty, *splat, &**data),
        AttributeKind::DenseResource { ty, resource } => match &context.resource(*resource).value {
            Some(ResourceValue::Blob(blob)) => (*ty, false, blob.data()),
            _ => return None,
        },
        _ => return None,
    };
    Some(Elements {
        ty: type_to_string(context, ty),
        layout: ElementLayout::of(context, context.element_type(ty)?)?,
        count: context.element_count(ty)?,
        splat,
        data,
    })
}

/// Describes how many elements differ and by how much; `None` if none does or they cannot be
/// compared. Linear in the stored elements.
fn difference(left: &Elements<'_>, right: &Elements<'_>) -> Option<String> {
    if left.ty != right.ty || left.layout != right.layout {
        return None;
    }
    let size = left.layout.element_size();
    let whole = |elements: &Elements<'_>| {
        elements.splat || elements.data.len() as u64 == elements.count.saturating_mul(size as u64)
    };
    if !whole(left) || !whole(right) {
        return None;
    }
    let scalar = left.layout.scalar_size;
    let mut differ = 0u64;
    let mut largest = 0f64;
    let mut compare = |one: &[u8], other: &[u8], times: u64| {
        if one == other {
            return;
        }
        differ = differ.saturating_add(times);
        for (one, other) in one.chunks(scalar).zip(other.chunks(scalar)) {
            let kind = left.layout.scalar;
            let distance = (value(kind, one) - value(kind, other)).abs();
            // NaN, of which there is no distance, is the largest.
            if distance.is_nan() || distance > largest {
                largest = distance;
            }
        }
    };
    match (left.splat, right.splat) {
        (true, true) => compare(left.data, right.data, left.count),
        (false, false) => {
            for (one, other) in left.data.chunks(size).zip(right.data.chunks(size)) {
                compare(one, other, 1);
            }
        }
        (true, false) => right
            .data
            .chunks(size)
            .for_each(|one| compare(left.data, one, 1)),
        (false, true) => left
            .data
            .chunks(size)
            .for_each(|one| compare(one, right.data, 1)),
    }
    (differ > 0).then(|| {
        let verb = if differ == 1 { "differs" } else { "differ" };
        format!(
            "{differ} of {} elements {verb}, largest absolute difference {largest}",
            left.count
        )
    })
}

/// Returns the value of a scalar, rounded to a double.
fn value(kind: ScalarKind, bytes: &[u8]) -> f64 {
    let mut word = [0u8; 16];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    let bits = u128::from_le_bytes(word);
    match kind {
        ScalarKind::Float(kind) => to_f64(kind, bits),
        ScalarKind::Integer {
            width,
            signed: false,
        } if width <= 128 => bits as f64,
        ScalarKind::Integer { width, .. } if (1..=128).contains(&width) => {
            let shift = 128 - width;
            (((bits << shift) as i128) >> shift) as f64
        }
        ScalarKind::Integer { .. } => f64::NAN,
        ScalarKind::Index => (bits as i64) as f64,
    }
}
