//! Types that others determine in the dialect `moore`.

use super::fields::fields;
use super::made::Made;
use crate::helpers::is_of;
use crate::inferred::Source;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{AttributeKind, Context, Type, TypeKind};
use std::collections::HashMap;

/// Returns the text of a type of the dialect.
fn text(context: &Context, ty: Type) -> Option<&str> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } if context.bytes(*dialect) == b"moore" => {
            std::str::from_utf8(body.text()).ok()
        }
        _ => None,
    }
}

/// Returns the width of `!moore.i8` or `!moore.l8`, and whether its bits have four values.
pub(super) fn integer(context: &Context, ty: Type) -> Option<(u32, bool)> {
    let text = text(context, ty)?;
    let is_four_valued = text.starts_with('l');
    let width = text.strip_prefix(['i', 'l'])?;
    let is_number = width.bytes().all(|byte| byte.is_ascii_digit());
    Some((width.parse().ok().filter(|_| is_number)?, is_four_valued))
}

/// Returns an integer type with bits of two or four values.
fn integer_type(width: impl std::fmt::Display, is_four_valued: bool) -> Made {
    let kind = if is_four_valued { 'l' } else { 'i' };
    Made::Plain("moore".to_owned(), format!("{kind}{width}"))
}

/// The integer of the same width, of the kind that the directive's text names: `"i"`, `"l"`, or
/// `"builtin"`.
pub(crate) fn integer_of_width(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    let width = match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => *width,
        _ => integer(context, ty)?.0,
    };
    Some(vec![match source.text {
        "builtin" => Made::Integer(width),
        kind => integer_type(width, kind == "l"),
    }])
}

/// `!moore.f32` or `!moore.f64`, whose value is an attribute.
pub(crate) fn real(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let AttributeKind::Float { ty, .. } = context.attribute_kind(source.attribute?) else {
        return None;
    };
    let word = match context.type_kind(*ty) {
        TypeKind::Float(FloatKind::F32) => "f32",
        TypeKind::Float(FloatKind::F64) => "f64",
        _ => return None,
    };
    Some(vec![Made::Plain("moore".to_owned(), word.to_owned())])
}

/// How the sizes of the members of a type make its size.
enum Size {
    Sum,
    Largest,
    Times(u64),
}

/// The number of bits of a type of which some members are not counted yet.
struct Counted {
    ty: Type,
    size: Size,
    members: Vec<Type>,
    bits: u64,
}

/// Returns the size of a type without members, and whether its bits have four values; or its
/// members.
fn members(context: &Context, ty: Type) -> Option<Result<(u64, bool), Counted>> {
    if let Some((width, is_four_valued)) = integer(context, ty) {
        return Some(Ok((width.into(), is_four_valued)));
    }
    let is = |word: &str| is_of(context, ty, "moore", word);
    let of = |size: Size, members: Vec<Type>| {
        Some(Err(Counted {
            ty,
            size,
            members,
            bits: 0,
        }))
    };
    let all = || fields(context, ty).map(|all| all.into_iter().map(|field| field.1).collect());
    match text(context, ty)? {
        "void" => Some(Ok((0, false))),
        "time" => Some(Ok((64, true))),
        _ if is("array") => {
            let count = context.parameter(ty, "size")?.integer()?;
            let element = context.parameter(ty, "elementType")?.ty()?;
            of(Size::Times(u64::try_from(count).ok()?), vec![element])
        }
        _ if is("struct") => of(Size::Sum, all()?),
        _ if is("union") => of(Size::Largest, all()?),
        _ => None,
    }
}

/// The integer with as many bits as a packed type. Each type in it is counted once, because types
/// that share their members multiply.
pub(crate) fn bits(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    let mut known = HashMap::new();
    let mut open = vec![Counted {
        ty,
        size: Size::Sum,
        members: vec![ty],
        bits: 0,
    }];
    let mut is_four_valued = false;
    loop {
        let last = open.last_mut()?;
        let found = match last.members.pop() {
            Some(ty) => match known.get(&ty) {
                Some(&bits) => bits,
                None => match members(context, ty)? {
                    Ok((bits, has_four_values)) => {
                        is_four_valued |= has_four_values;
                        bits
                    }
                    Err(counted) => {
                        open.push(counted);
                        continue;
                    }
                },
            },
            None => {
                let whole = open.pop()?;
                if open.is_empty() {
                    return Some(vec![integer_type(whole.bits, is_four_valued)]);
                }
                known.insert(whole.ty, whole.bits);
                whole.bits
            }
        };
        let around = open.last_mut()?;
        around.bits = match around.size {
            Size::Sum => around.bits.checked_add(found)?,
            Size::Largest => around.bits.max(found),
            Size::Times(count) => found.checked_mul(count)?,
        };
    }
}
