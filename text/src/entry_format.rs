//! Properties of the formats of attributes and types.

use rmlir_ir::definition::{EntryDefinition, Family, FormatElement, ParameterKind};
use rmlir_ir::{Context, DialectBody, Identifier, Type, TypeKind};

/// Returns the keyword with which the format of an attribute or type begins.
pub(crate) fn first_word(entry: Option<&EntryDefinition>) -> Option<&str> {
    match entry?.format.elements.first() {
        Some(FormatElement::Literal(text))
            if text.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            Some(text)
        }
        _ => None,
    }
}

/// Returns whether the text of a dialect's type, without the mnemonic, begins with a keyword.
pub(crate) fn begins_with_word(context: &Context, ty: Type) -> bool {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return false;
    };
    let definition = context.dialect(context.bytes(*dialect));
    definition.is_some_and(|definition| {
        let number = context.release().number_in(definition.family);
        first_word(definition.types.entry_of(body, number)).is_some()
    })
}

/// Returns the parameter of an attribute that consists of members of an enumeration without angle
/// brackets, as LLVM wrote such attributes before
/// [`EnclosedMembers`](rmlir_ir::definition::LlvmFeature::EnclosedMembers).
pub(crate) fn bare_members(entry: &EntryDefinition) -> Option<usize> {
    let place = match entry.format.elements.as_slice() {
        [FormatElement::Parameter(place)] => *place,
        [
            FormatElement::Literal(open),
            FormatElement::Parameter(place),
            FormatElement::Literal(close),
        ] if *open == *"(" && *close == *")" => *place,
        // `{type = member}`.
        [
            FormatElement::Literal(open),
            FormatElement::Literal(_),
            FormatElement::Literal(equals),
            FormatElement::Parameter(place),
            FormatElement::Literal(_),
        ] if *open == *"{" && *equals == *"=" => *place,
        _ => return None,
    };
    match &*entry.parameters {
        // That of TableGen's class has this name; others have a format of their own.
        [parameter] if parameter.name == "value" => {
            matches!(parameter.kind, ParameterKind::Enumeration { .. }).then_some(place)
        }
        _ => None,
    }
}

/// Returns the mnemonic and the members of an attribute of LLVM that
/// [`EnclosedMembers`](rmlir_ir::definition::LlvmFeature::EnclosedMembers) concerns.
#[cold]
pub(crate) fn enclosed_members<'b>(
    context: &Context,
    dialect: Identifier,
    body: &'b DialectBody,
) -> Option<(&'b [u8], &'b [u8])> {
    let definition = context.dialect(context.bytes(dialect))?;
    let number = context.release().number_in(definition.family);
    let entry = definition.attributes.entry_of(body, number)?;
    if definition.family != Family::Llvm || bare_members(entry).is_none() {
        return None;
    }
    let (mnemonic, members) = body.text().split_at_checked(entry.mnemonic.len())?;
    let members = members.trim_ascii();
    let inner = match members {
        [b'(', inner @ .., b')'] => inner,
        [b'{', inner @ .., b'}'] => {
            let name = memchr::memchr(b'=', inner)?;
            inner.get(name..)?.strip_prefix(b"=")?.trim_ascii()
        }
        _ => members,
    };
    Some((mnemonic, inner))
}
