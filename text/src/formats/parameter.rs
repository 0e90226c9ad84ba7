//! Finds the type that is the first parameter of a dialect's type: `f32` of `!async.value<f32>`.

use rmlir_ir::definition::type_parameters;
use rmlir_ir::{BodyReference, Context, DialectBody, Type, TypeKind};

/// The first item in the angle brackets of a body.
enum Inside<'a> {
    Text(&'a [u8]),
    Type(Type),
}

fn inside(body: &DialectBody) -> Option<Inside<'_>> {
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

fn body_of(context: &Context, ty: Type) -> Option<&DialectBody> {
    match context.type_kind(ty) {
        TypeKind::Dialect { body, .. } => Some(body),
        _ => None,
    }
}

/// Returns the parameter of a type; `None` if the type is not one of a dialect, or neither the item
/// in its brackets nor a declared parameter is a type. For a ranked tensor it is the tensor of its
/// elements' parameter.
pub(crate) fn of(context: &mut Context, ty: Type) -> Option<Type> {
    if let TypeKind::RankedTensor {
        shape,
        element,
        encoding,
    } = context.type_kind(ty).clone()
    {
        let element = of_dialect(context, element)?;
        let kind = TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        };
        return context.try_type(kind).ok();
    }
    of_dialect(context, ty)
}

fn of_dialect(context: &mut Context, ty: Type) -> Option<Type> {
    let text = match inside(body_of(context, ty)?) {
        Some(Inside::Type(ty)) => return Some(ty),
        Some(Inside::Text(text)) => Some(text.to_vec()),
        None => None,
    };
    let parsed = text.and_then(|text| crate::parser::parse_type(context, &text).ok());
    parsed.or_else(|| type_parameters(context, ty).next())
}

/// Returns whether a type is the parameter of another.
pub(crate) fn is(context: &Context, ty: Type, parameter: Type) -> bool {
    match (context.type_kind(ty), context.type_kind(parameter)) {
        (
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            },
            TypeKind::RankedTensor {
                shape: other,
                element: of,
                encoding: with,
            },
        ) => shape == other && encoding == with && is_of_dialect(context, *element, *of),
        _ => is_of_dialect(context, ty, parameter),
    }
}

fn is_of_dialect(context: &Context, ty: Type, parameter: Type) -> bool {
    match body_of(context, ty).and_then(inside) {
        Some(Inside::Type(ty)) => ty == parameter,
        Some(Inside::Text(text))
            if crate::printer::type_to_string(context, parameter).as_bytes() == text =>
        {
            true
        }
        _ => type_parameters(context, ty).next() == Some(parameter),
    }
}
