//! How the formats of attributes and types begin.

use rmlir_ir::definition::{EntryDefinition, FormatElement};
use rmlir_ir::{Context, Type, TypeKind};

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
