//! Types with a name that identifies them: a context has one body for each name.

use super::Context;
use crate::{DialectBody, Entry, Identifier, Invalid, Type, TypeKind};
use std::collections::HashMap;

/// The identified types of a context that were seen, and how many types were looked at.
#[derive(Clone, Default)]
pub(super) struct Identities {
    until: usize,
    /// By dialect and mnemonic, and by name.
    first: HashMap<(Identifier, Vec<u8>, Vec<u8>), Type>,
}

impl Context {
    /// Returns the types added since the last time whose name an earlier type has with another
    /// body. Linear in their number and, of identified types, in the lengths of bodies.
    pub(super) fn repeated_identities(&self, known: &mut Identities) -> Vec<(Entry, Invalid)> {
        let mut has_identities: HashMap<Identifier, bool> = HashMap::new();
        let mut repeated = Vec::new();
        for ty in (known.until..self.types.len()).map(Type::from_index) {
            let TypeKind::Dialect { dialect, body } = self.type_kind(ty) else {
                continue;
            };
            let is_among = *has_identities.entry(*dialect).or_insert_with(|| {
                let definition = self.dialect(self.bytes(*dialect));
                definition.is_some_and(|one| {
                    let mut entries = one.types.entries().iter();
                    entries.any(|entry| !entry.identity.is_empty())
                })
            });
            if !is_among || refers_around(body) {
                continue;
            }
            let Some((mnemonic, name)) = self.identity_of(*dialect, body, ty) else {
                continue;
            };
            let first = *known.first.entry((*dialect, mnemonic, name)).or_insert(ty);
            if first != ty {
                let message = "identified type already used with a different body";
                repeated.push((Entry::Type(ty), Invalid::new(message)));
            }
        }
        known.until = self.types.len();
        repeated
    }

    /// Returns the mnemonic and the name of an identified type.
    fn identity_of(
        &self,
        dialect: Identifier,
        body: &DialectBody,
        ty: Type,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let definition = self.dialect(self.bytes(dialect))?;
        let number = self.release().number_in(definition.family);
        let entry = definition.types.entry_of(body, number)?;
        if entry.identity.is_empty() {
            return None;
        }
        let name = self.parameter(ty, &entry.identity)?.bytes()?;
        Some((entry.mnemonic.as_bytes().to_vec(), name.to_vec()))
    }
}

/// Returns whether a body may refer to a type around it by its name alone: `struct<"name">`. Then
/// one type has several bodies, depending on what they are in.
fn refers_around(body: &DialectBody) -> bool {
    body.text().windows(2).any(|two| two == b"\">")
}
