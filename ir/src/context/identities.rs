//! Types with a name that identifies them: a context has one body for each name.
//!
//! Such a type begins `mnemonic<"name"`, by itself and in the text of other types of its dialect.

use super::Context;
use crate::{
    BodyReference, DialectBody, DialectDefinition, Entry, Identifier, Invalid, Type, TypeKind,
};
use foldhash::fast::RandomState;
use std::collections::{HashMap, hash_map};

/// The identified types of a context that were seen, and how many types were looked at.
#[derive(Clone, Default)]
pub(super) struct Identities {
    until: usize,
    bodies: HashMap<Name, Identified, RandomState>,
}

/// A dialect, and the text of a type up to the end of its name: `struct<"name"`.
type Name = (Identifier, Vec<u8>);

/// An identified type without the bodies of the identified types in it, which are compared where
/// they occur: so it is the same whether these are around it or in it.
#[derive(Clone, Default, PartialEq, Eq)]
struct Identified {
    text: Vec<u8>,
    /// The references, each with the length of the text before it.
    references: Vec<(usize, BodyReference)>,
}

impl Context {
    /// Returns the types added since the last time in which an identified type has another body
    /// than it has in an earlier one. Linear in the lengths of the bodies of types of dialects that
    /// have identified types.
    pub(super) fn repeated_identities(&self, known: &mut Identities) -> Vec<(Entry, Invalid)> {
        let mut mnemonics: HashMap<Identifier, Vec<String>, RandomState> = HashMap::default();
        let mut repeated = Vec::new();
        for ty in (known.until..self.types.len()).map(Type::from_index) {
            let TypeKind::Dialect { dialect, body } = self.type_kind(ty) else {
                continue;
            };
            let identified = mnemonics.entry(*dialect).or_insert_with(|| {
                let definition = self.dialect(self.bytes(*dialect));
                definition.map_or_else(Vec::new, |one| self.identified(&one))
            });
            if !identified.is_empty() && known.add(*dialect, identified, body) {
                let message = "identified type already used with a different body";
                repeated.push((Entry::Type(ty), Invalid::new(message)));
            }
        }
        known.until = self.types.len();
        repeated
    }

    /// Returns the mnemonics of the identified types of a dialect.
    fn identified(&self, definition: &DialectDefinition) -> Vec<String> {
        let number = self.release().number_in(definition.family);
        let entries = definition.types.entries().iter();
        let entries = entries.filter(|entry| !entry.identity.is_empty());
        let mnemonics = entries.map(|entry| entry.mnemonic.as_bytes());
        let current = mnemonics.filter_map(|one| definition.types.entry(one, number));
        let mut mnemonics: Vec<String> = current.map(|entry| entry.mnemonic.to_string()).collect();
        mnemonics.dedup();
        mnemonics
    }
}

impl Identities {
    /// Adds the identified types of a body, and returns whether one of them has another body
    /// already.
    fn add(&mut self, dialect: Identifier, mnemonics: &[String], body: &DialectBody) -> bool {
        if !body.text().windows(2).any(|two| two == b"<\"") {
            return false;
        }
        let mut is_repeated = false;
        for (name, identified) in identified_in(body, mnemonics) {
            let known = self.bodies.entry((dialect, name));
            is_repeated |= match known {
                hash_map::Entry::Occupied(known) => *known.get() != identified,
                hash_map::Entry::Vacant(place) => {
                    place.insert(identified);
                    false
                }
            };
        }
        is_repeated
    }
}

/// Returns the identified types of a body, inner ones first, each as its name and the rest.
fn identified_in(body: &DialectBody, mnemonics: &[String]) -> Vec<(Vec<u8>, Identified)> {
    let text = body.text();
    let mut references = body.references().iter().peekable();
    // The brackets that are open; those of identified types with the name.
    let mut open: Vec<Option<Vec<u8>>> = Vec::new();
    // What is found of the body and of the identified types that are open.
    let mut found = vec![Identified::default()];
    let mut complete = Vec::new();
    let mut at = 0;
    while let (Some(rest), Some(innermost)) = (text.get(at..), found.last_mut()) {
        while let Some(&(_, reference)) = references.next_if(|(offset, _)| *offset as usize <= at) {
            let length = innermost.text.len();
            innermost.references.push((length, reference));
        }
        let piece = match rest {
            [] => break,
            [b'"', ..] => literal(rest),
            [first, ..] => std::slice::from_ref(first),
        };
        innermost.text.extend_from_slice(piece);
        at = at.saturating_add(piece.len());
        match piece {
            b"<" => match mnemonic(text.get(..at).unwrap_or_default(), mnemonics) {
                Some(mnemonic) if rest.get(1) == Some(&b'"') => {
                    let quoted = literal(rest.get(1..).unwrap_or_default());
                    innermost.text.extend_from_slice(quoted);
                    at = at.saturating_add(quoted.len());
                    open.push(Some([mnemonic.as_bytes(), b"<", quoted].concat()));
                    found.push(Identified::default());
                }
                _ => open.push(None),
            },
            b">" if !text.get(..at).is_some_and(|before| before.ends_with(b"->")) => {
                if let Some(Some(name)) = open.pop()
                    && let Some(identified) = found.pop()
                {
                    // A name alone refers to a type around it.
                    if identified.text != b">" {
                        complete.push((name, identified));
                    }
                    if let Some(around) = found.last_mut() {
                        around.text.push(b'>');
                    }
                }
            }
            _ => {}
        }
    }
    complete
}

/// Returns the string literal at the start of a text, with its quotation marks.
fn literal(text: &[u8]) -> &[u8] {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|&byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.and_then(|end| text.get(..end.saturating_add(2)))
        .unwrap_or(text)
}

/// Returns the mnemonic that a text ends with, before the bracket.
fn mnemonic<'m>(text: &[u8], mnemonics: &'m [String]) -> Option<&'m String> {
    let text = text.strip_suffix(b"<")?;
    mnemonics.iter().find(|mnemonic| {
        let before = text.strip_suffix(mnemonic.as_bytes());
        before.is_some_and(|before| {
            let last = before.last();
            !last.is_some_and(|&byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let body = DialectBody::from_text(text.as_bytes());
        let found = identified_in(&body, &["struct".to_owned()]);
        let spelled = |(name, one): (Vec<u8>, Identified)| [name, one.text].concat();
        let spelled = found.into_iter().map(spelled);
        spelled.map(|one| String::from_utf8(one).unwrap()).collect()
    }

    #[test]
    fn types_in_a_body() {
        assert_eq!(found("struct<(i32)>"), [""; 0]);
        assert_eq!(found("struct<\"a\", (ptr)>"), ["struct<\"a\", (ptr)>"]);
        assert_eq!(found("my_struct<\"a\", (ptr)>"), [""; 0]);
        assert_eq!(found("func<void (struct<\"a\">)>"), [""; 0]);
        assert_eq!(
            found("func<void (struct<\"a\", (ptr<3>)>, array<2 x struct<\"b\", opaque>>)>"),
            ["struct<\"a\", (ptr<3>)>", "struct<\"b\", opaque>"]
        );
        // The same, whichever is around.
        let [a, b] = [
            "struct<\"a\", (struct<\"b\">)>",
            "struct<\"b\", (struct<\"a\">)>",
        ];
        assert_eq!(
            found("struct<\"a\", (struct<\"b\", (struct<\"a\">)>)>"),
            [b, a]
        );
        assert_eq!(
            found("struct<\"b\", (struct<\"a\", (struct<\"b\">)>)>"),
            [a, b]
        );
    }

    #[test]
    fn texts_that_are_no_types() {
        assert_eq!(found("target<\"struct<\\22a\\22, (ptr)>\">"), [""; 0]);
        assert_eq!(found("target<\"x\\\"struct<\", \"a\", (ptr)>"), [""; 0]);
        for broken in [
            "struct<\"a",
            "struct<\"a\", (",
            ">>>\"",
            "struct<\"a\" -> \"",
            "<",
        ] {
            assert_eq!(found(broken), [""; 0], "{broken}");
        }
    }
}
