//! Bodies of dialects: the ones that can follow a dot, and entries as pieces of a body.

use super::{Entry, EntryStackPrinter};
use crate::printer::PrintOptions;
use crate::printer::alias::Aliases;
use crate::printer::output::Output;
use rmlir_ir::{
    AttributeKind, BodyBuilder, BodyReference, Context, DialectBody, ResourceKeys, TypeKind,
};

/// Returns whether a body stores this as a reference, regardless of its spelling.
///
/// This is the case for attributes and types of dialects, and for builtin ones whose identity or
/// alias matters. All others are stored as text.
pub(crate) fn is_body_reference(context: &Context, reference: BodyReference) -> bool {
    match reference {
        BodyReference::Type(ty) => matches!(context.type_kind(ty), TypeKind::Dialect { .. }),
        BodyReference::Attribute(attribute) => matches!(
            context.attribute_kind(attribute),
            AttributeKind::Dialect { .. }
                | AttributeKind::Distinct { .. }
                | AttributeKind::DenseResource { .. }
                | AttributeKind::AffineMap(_)
                | AttributeKind::IntegerSet(_)
                | AttributeKind::Location(_)
        ),
    }
}

/// Returns a builtin entry as pieces of a body, as if it were spelled out there; `None` if its
/// text, where each reference counts as one byte, is longer than `limit` bytes.
///
/// Aliases can double at every level, so the limit must be what the expansion budget leaves.
pub(crate) fn body_pieces(context: &Context, entry: Entry, limit: usize) -> Option<BodyBuilder> {
    let options = PrintOptions::default();
    let mut out = Output::body(limit as u64);
    // Resources are references.
    let keys = ResourceKeys::default();
    let mut printer = EntryStackPrinter::new(context, &options, &keys);
    printer
        .print_definition(entry, &Aliases::default(), &mut out)
        .ok()?;
    out.finish_body().ok()
}

/// Returns whether a body can follow a dot: an identifier, optionally followed by angle brackets.
pub(super) fn is_pretty(body: &DialectBody) -> bool {
    let text = body.text();
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_');
    // Within angle brackets, a trailing `-` would form an arrow with the closing bracket.
    if text.last() == Some(&b'-') {
        let in_suffix = |b: &u8| in_word(b) || matches!(b, b'-' | b'$');
        return body.references().is_empty() && text.iter().all(in_suffix);
    }
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let word = text.iter().position(|b| !in_word(b)).unwrap_or(text.len());
    // A reference within or directly after the word means that it is not an identifier.
    let first = body
        .references()
        .first()
        .map_or(usize::MAX, |&(at, _)| at as usize);
    if first <= word {
        return false;
    }
    match text.get(word..).unwrap_or_default() {
        [] => true,
        [b'<', ..] => bracket_end(body, word) == Some(text.len()),
        _ => false,
    }
}

/// Returns where the bracket that opens at byte `at` of a body's text is closed, as the parser
/// finds it.
///
/// Upstream only examines the last byte, and prints `!d.a<b>c<d>`, which has another meaning.
fn bracket_end(body: &DialectBody, mut at: usize) -> Option<usize> {
    let text = body.text();
    let mut depth = 0usize;
    loop {
        let byte = *text.get(at)?;
        at = at.saturating_add(1);
        match byte {
            b'<' | b'[' | b'(' | b'{' => depth = depth.saturating_add(1),
            b'-' if text.get(at) == Some(&b'>') => {
                // No arrow is formed if something is between.
                let by_place = |&(reference, _): &(u32, _)| (reference as usize).cmp(&at);
                if body.references().binary_search_by(by_place).is_err() {
                    at = at.saturating_add(1);
                }
            }
            b'>' | b']' | b')' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let last = body.references().last().map_or(0, |&(at, _)| at as usize);
                    return (last < at).then_some(at);
                }
            }
            b'"' => loop {
                match *text.get(at)? {
                    b'"' => break at = at.saturating_add(1),
                    b'\\' => at = at.saturating_add(2),
                    _ => at = at.saturating_add(1),
                }
            },
            _ => {}
        }
    }
}
