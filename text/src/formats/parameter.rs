//! Finds the type that is the first parameter of a dialect's type: `f32` of `!async.value<f32>`.

use rmlir_ir::{BodyReference, Context, DialectBody, Type, TypeKind};

/// The first item in the angle brackets of a body, which may be a parameter.
pub(crate) enum Inside<'a> {
    Text(&'a [u8]),
    Type(Type),
}

pub(crate) fn inside(body: &DialectBody) -> Option<Inside<'_>> {
    let text = body.text().strip_suffix(b">")?;
    let open = memchr::memchr(b'<', text)?;
    let start = open.checked_add(1)?;
    let inside = text.get(start..)?;
    let first = inside.get(..end_of_first(inside))?;
    let end = start.checked_add(first.len())?;
    let mut references = body.references().iter();
    match references.find(|(at, _)| (*at as usize) <= end) {
        None => Some(Inside::Text(first)),
        Some((_, BodyReference::Type(ty))) if first.is_empty() => Some(Inside::Type(*ty)),
        Some(_) => None,
    }
}

/// Returns the offset of the comma after the first parameter, or the end.
fn end_of_first(inside: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut before = 0u8;
    let end = inside.iter().position(|&b| {
        match b {
            b'<' | b'(' | b'[' | b'{' => depth = depth.saturating_add(1),
            b'>' if before == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = b;
        b == b',' && depth == 0
    });
    end.unwrap_or(inside.len())
}

pub(crate) fn body_of(context: &Context, ty: Type) -> Option<&DialectBody> {
    match context.type_kind(ty) {
        TypeKind::Dialect { body, .. } => Some(body),
        _ => None,
    }
}
