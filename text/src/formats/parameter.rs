//! The type that a dialect's type has as its first parameter: `f32` of `!async.value<f32>`.

use rmlir_ir::{BodyReference, Context, DialectBody, Type, TypeKind};

/// What stands first in the angle brackets of a body.
enum Inside<'a> {
    Text(&'a [u8]),
    Type(Type),
}

fn inside(body: &DialectBody) -> Option<Inside<'_>> {
    let text = body.text().strip_suffix(b">")?;
    let open = memchr::memchr(b'<', text)?;
    let inside = text.get(open.checked_add(1)?..)?;
    match body.references() {
        [] => Some(Inside::Text(inside)),
        [(_, BodyReference::Type(ty))] if inside.is_empty() => Some(Inside::Type(*ty)),
        _ => None,
    }
}

fn body_of(context: &Context, ty: Type) -> Option<&DialectBody> {
    match context.type_kind(ty) {
        TypeKind::Dialect { body, .. } => Some(body),
        _ => None,
    }
}

/// The parameter of a type; none if it is not of a dialect, or has something else in its brackets.
pub(crate) fn of(context: &mut Context, ty: Type) -> Option<Type> {
    let text = match inside(body_of(context, ty)?)? {
        Inside::Type(ty) => return Some(ty),
        Inside::Text(text) => text.to_vec(),
    };
    crate::parser::parse_type(context, &text).ok()
}

/// Whether a type is the parameter of another.
pub(crate) fn is(context: &Context, ty: Type, parameter: Type) -> bool {
    match body_of(context, ty).and_then(inside) {
        Some(Inside::Type(ty)) => ty == parameter,
        Some(Inside::Text(text)) => {
            crate::printer::type_to_string(context, parameter).as_bytes() == text
        }
        None => false,
    }
}
