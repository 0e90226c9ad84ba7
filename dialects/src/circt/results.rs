//! Types of results, and of operands, that follow from others: channels, references to signals,
//! sets and tuples.

use super::fields::fields;
use super::infer::{array, width};
use super::made::{Made, Own};
use crate::helpers::{integer, is_of};
use crate::inferred::Source;
use rmlir_ir::{
    AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Type, TypeKind,
};

/// Returns a parameter of the first type, if it has that full name.
fn inner(context: &Context, source: &Source<'_>, name: &str, parameter: &str) -> Option<Type> {
    let &ty = source.types.first()?;
    let (dialect, mnemonic) = name.split_once('.')?;
    let found = context.parameter(ty, parameter)?.ty();
    found.filter(|_| is_of(context, ty, dialect, mnemonic))
}

/// The type of a dialect with a type as its only parameter.
fn wrap(name: &str, parameter: &str, ty: Type) -> Made {
    Made::Wrap(name.to_owned(), parameter.to_owned(), ty)
}

/// A channel of a type, with the signals that the directive's text names.
pub(crate) fn channel(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let signals = source.text.to_owned();
    Some(vec![Made::Other(Own::Channel(
        *source.types.first()?,
        signals,
    ))])
}

/// The channel of what a token or a value of `dc` has.
pub(crate) fn to_channel(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    let signals = "ValidReady".to_owned();
    let made = match crate::helpers::is_dialect_type(context, ty, "dc", "token") {
        true => Own::Around("esi.channel", "inner", Box::new(Made::Integer(0))),
        false => Own::Channel(inner(context, source, "dc.value", "innerType")?, signals),
    };
    Some(vec![Made::Other(made)])
}

/// The token or the value of `dc` for what a channel has.
pub(crate) fn from_channel(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let inner = inner(context, source, "esi.channel", "inner")?;
    Some(vec![match width(context, inner) {
        Some(0) => Made::Plain("dc".to_owned(), "token".to_owned()),
        _ => wrap("dc.value", "innerType", inner),
    }])
}

/// The index of an element or a bit of what a reference refers to.
pub(crate) fn index(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "llhd.ref", "nestedType")?;
    let count = match array(context, of) {
        Some((length, _)) => length,
        None => i64::from(width(context, of)?),
    };
    let bits = super::arrays::index_width(count)?;
    Some(vec![Made::Integer(bits)])
}

/// A reference to an element of an array that a reference refers to.
pub(crate) fn element_reference(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "llhd.ref", "nestedType")?;
    Some(vec![wrap("llhd.ref", "nestedType", array(context, of)?.1)])
}

/// Returns the type of the field that an attribute names.
fn field(context: &Context, source: &Source<'_>, of: Type) -> Option<Type> {
    let name = context.string_value(source.attribute?)?;
    let all = fields(context, of)?;
    all.iter().find(|one| one.0 == name).map(|one| one.1)
}

/// A reference to a field of what a reference refers to.
pub(crate) fn field_reference(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "llhd.ref", "nestedType")?;
    Some(vec![wrap(
        "llhd.ref",
        "nestedType",
        field(context, source, of)?,
    )])
}

/// `!hw.inout` of a field of what an `!hw.inout` has.
pub(crate) fn field_inout(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "hw.inout", "elementType")?;
    Some(vec![wrap(
        "hw.inout",
        "elementType",
        field(context, source, of)?,
    )])
}

/// The integer of as many bits as an attribute says.
pub(crate) fn part(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let bits = integer(context, source.attribute)?;
    Some(vec![Made::Integer(u32::try_from(bits).ok()?)])
}

/// `!hw.inout` of the integer of as many bits as an attribute says.
pub(crate) fn part_inout(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "hw.inout", "elementType")?;
    width(context, of)?;
    let part = part(context, source)?.pop()?;
    Some(vec![Made::Other(Own::Around(
        "hw.inout",
        "elementType",
        Box::new(part),
    ))])
}

/// A set of what a bag has.
pub(crate) fn set_of_bag(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "rtg.bag", "elementType")?;
    Some(vec![wrap("rtg.set", "elementType", of)])
}

/// A bag of what a set has.
pub(crate) fn bag_of_set(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let of = inner(context, source, "rtg.set", "elementType")?;
    Some(vec![wrap("rtg.bag", "elementType", of)])
}

/// A tuple of these types.
pub(crate) fn tuple(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let types = source.types.to_vec();
    Some(vec![Made::Other(Own::List(
        "rtg.tuple",
        "fieldTypes",
        types,
    ))])
}

/// A set of tuples of what sets have.
pub(crate) fn product(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let element = |&ty: &Type| {
        let found = context.parameter(ty, "elementType")?.ty();
        found.filter(|_| is_of(context, ty, "rtg", "set"))
    };
    let types = source.types.iter().map(element).collect::<Option<_>>()?;
    let tuple = Made::Other(Own::List("rtg.tuple", "fieldTypes", types));
    Some(vec![Made::Other(Own::Around(
        "rtg.set",
        "elementType",
        Box::new(tuple),
    ))])
}

/// The type at the index in a tuple that an attribute says.
pub(crate) fn tuple_field(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let index = usize::try_from(integer(context, source.attribute)?).ok()?;
    let types = context.parameter(*source.types.first()?, "fieldTypes")?;
    let ty = types.items().nth(index)?.ty()?;
    Some(vec![Made::Known(ty)])
}

/// The type of the last step of a path.
pub(crate) fn last_step(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let AttributeKind::Array(steps) = context.attribute_kind(source.attribute?) else {
        return None;
    };
    let ty = super::literals::type_of(context, *steps.last()?)?;
    Some(vec![Made::Known(ty)])
}

/// A port of a type, in the direction that the directive's text names.
pub(crate) fn port_of(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Other(Own::PortOf(
        source.text.to_owned(),
        *source.types.first()?,
    ))])
}

/// The type of what a port or a signal of `systemc` has.
pub(crate) fn base(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let found = context.parameter(*source.types.first()?, "baseType")?;
    Some(vec![Made::Known(found.ty()?)])
}

/// The element types of the array that a reference refers to, for as many operands as there are
/// elements.
pub(crate) fn elements(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    let element = context.parameter(ty, "elementType")?.ty()?;
    let mut shape = context.parameter(ty, "shape")?.items();
    let count = usize::try_from(shape.next()?.integer()?).ok()?;
    (count <= 4096).then(|| (0..count).map(|_| Made::Known(element)).collect())
}

/// The mark of a flipped field.
const FLIP: &str = " flip";

/// Returns the body of a type of a dialect.
fn body(context: &Context, ty: Type) -> Option<&DialectBody> {
    match context.type_kind(ty) {
        TypeKind::Dialect { body, .. } => Some(body),
        _ => None,
    }
}

/// Returns the text of a body without flips; `None` if a type in it has flips.
fn unflipped(context: &Context, body: &DialectBody) -> Option<String> {
    let is_flipped = |one: &BodyReference| match one {
        BodyReference::Type(ty) => self::body(context, *ty)
            .is_some_and(|body| String::from_utf8_lossy(body.text()).contains(FLIP)),
        BodyReference::Attribute(_) => false,
    };
    let mut references = body.references().iter();
    let is_plain = !references.any(|one| is_flipped(&one.1));
    let text = String::from_utf8_lossy(body.text()).replace(FLIP, "");
    is_plain.then_some(text)
}

/// Returns whether a type is another one without flips.
pub(super) fn is_passive(context: &Context, of: Type, ty: Type) -> bool {
    let (Some(flipped), Some(found)) = (body(context, of), body(context, ty)) else {
        return of == ty;
    };
    let [all, others] = [flipped, found].map(|body| body.references().iter().map(|one| one.1));
    unflipped(context, flipped).is_some_and(|text| text.as_bytes() == found.text())
        && all.eq(others)
}

/// Returns a type of `firrtl` without flips.
pub(super) fn passive(context: &mut Context, ty: Type) -> Option<Type> {
    let Some(body) = body(context, ty).cloned() else {
        return Some(ty);
    };
    if unflipped(context, &body)?.as_bytes() == body.text() {
        return Some(ty);
    }
    let mut builder = BodyBuilder::new();
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(text) => {
                let text = String::from_utf8_lossy(text).replace(FLIP, "");
                builder.text(text.as_bytes());
            }
            BodyPiece::Reference(reference) => builder.reference(context, reference),
        }
    }
    let kind = TypeKind::Dialect {
        dialect: context.identifier("firrtl"),
        body: builder.finish(),
    };
    context.try_type(kind).ok()
}
