//! Checks bodies of attributes and types against their definitions.

use super::{length, said};
use crate::parser::SharedState;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{
    AttributeKind, BodyChecker, BodyPiece, BodyReference, Context, DialectBody, Entry, Identifier,
    Invalid, Type, TypeKind,
};
use rmlir_limits::DEFAULT_MAX_TEXT_EXPANSION;

/// Checks bodies against their definitions, for contexts.
#[derive(Debug)]
pub(crate) struct Checker;

impl BodyChecker for Checker {
    fn check(&self, context: &mut Context, entries: &[Entry]) -> Vec<(usize, Invalid)> {
        let lengths = entries.iter().filter_map(|&entry| body_of(context, entry));
        let lengths = lengths.map(|(_, (body, ..))| length(&body) as u64);
        let units = lengths.fold(DEFAULT_MAX_TEXT_EXPANSION, u64::saturating_add);
        let shared = &mut SharedState::with_limit(units);
        let mut refused = Vec::new();
        for (index, &entry) in entries.iter().enumerate() {
            if let Some((dialect, body)) = body_of(context, entry)
                && let Err(invalid) = check((context, shared), dialect, &body)
            {
                refused.push((index, invalid));
            }
        }
        refused
    }
}

/// The dialect and body of an attribute or type, the type of an attribute that has one, and whether
/// it is a type.
type Body = (DialectBody, Option<Type>, bool);

fn body_of(context: &Context, entry: Entry) -> Option<(Identifier, Body)> {
    match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, ty } => {
                Some((*dialect, (body.clone(), *ty, false)))
            }
            _ => None,
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => Some((*dialect, (body.clone(), None, true))),
            _ => None,
        },
        Entry::Location(_) => None,
    }
}

fn check(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: Identifier,
    (body, ty, is_type): &Body,
) -> Result<(), Invalid> {
    let Some(definition) = context.dialect(context.bytes(dialect)) else {
        return Ok(());
    };
    let said = said(
        (context, shared),
        (dialect, &definition),
        (body, *ty, *is_type),
        true,
    );
    said.map(|_| ()).map_err(|error| {
        let sigil = if *is_type { '!' } else { '#' };
        let name = format!("{sigil}{}.{}", definition.name, shortened(body));
        described(&name, &error)
    })
}

#[cold]
fn described(name: &str, error: &AsmError) -> Invalid {
    Invalid::new(format!("{name}: {}", error.message()))
}

/// Returns the beginning of a body, with `#` and `!` for its references.
fn shortened(body: &DialectBody) -> String {
    const LONGEST: usize = 80;
    let mut short = Vec::new();
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(text) => short.extend(text.iter().take(LONGEST.saturating_add(1))),
            BodyPiece::Reference(BodyReference::Attribute(_)) => short.push(b'#'),
            BodyPiece::Reference(BodyReference::Type(_)) => short.push(b'!'),
        }
        if short.len() > LONGEST {
            short.truncate(LONGEST);
            return format!("{}...", short.escape_ascii());
        }
    }
    short.escape_ascii().to_string()
}
