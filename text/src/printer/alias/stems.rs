//! The base names of aliases.

use super::visit::Visitor;
use crate::lexer::{is_bare_start, is_suffix};
use rmlir_ir::definition::Text;
use rmlir_ir::{AttributeKind, DialectBody, DialectDefinition, Entry, Identifier, TypeKind};

/// The number of elements above which a tuple gets an alias.
const LONG_TUPLE: usize = 16;

/// The base name of an entry's alias.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stem {
    /// It gets no alias.
    None,
    /// As the source text had it.
    Source(Identifier),
    /// One of the visitor's stems.
    Known(u32),
}

impl Stem {
    /// The base name of locations, the visitor's first.
    pub(super) const LOCATION: Self = Stem::Known(0);
}

impl<'c> Visitor<'c> {
    /// Returns the base name of the alias that an entry gets; [`Stem::None`] if it gets none.
    pub(super) fn stem(&mut self, entry: Entry) -> Stem {
        let stems = &self.module.provenance;
        match entry {
            Entry::Location(_) => Stem::LOCATION,
            Entry::Attribute(attribute) => match self.context.attribute_kind(attribute) {
                AttributeKind::AffineMap(_) => self.known_stem(&Text::Borrowed("map")),
                AttributeKind::IntegerSet(_) => self.known_stem(&Text::Borrowed("set")),
                AttributeKind::Distinct { referenced, .. }
                    if *referenced != self.context.unit_attribute() =>
                {
                    self.known_stem(&Text::Borrowed("distinct"))
                }
                AttributeKind::Dialect { dialect, body, .. } => {
                    let source = stems.attribute_alias_names.get(&attribute).copied();
                    self.dialect_stem(*dialect, source, |d| d.attribute_alias(mnemonic(body)))
                }
                _ => Stem::None,
            },
            Entry::Type(ty) => match self.context.type_kind(ty) {
                TypeKind::Tuple(types) if types.len() > LONG_TUPLE => {
                    self.known_stem(&Text::Borrowed("tuple"))
                }
                TypeKind::Dialect { dialect, body } => {
                    let source = stems.type_alias_names.get(&ty).copied();
                    self.dialect_stem(*dialect, source, |d| d.type_alias(mnemonic(body)))
                }
                _ => Stem::None,
            },
        }
    }

    /// Returns the alias base name from a dialect's definition, or, if that does not know all
    /// aliases, from the source text.
    fn dialect_stem(
        &mut self,
        dialect: Identifier,
        source: Option<Identifier>,
        find: impl FnOnce(&DialectDefinition) -> Option<&Text>,
    ) -> Stem {
        if self.dialect.as_ref().is_none_or(|d| d.0 != dialect) {
            let definition = self.context.dialect(self.context.bytes(dialect));
            self.dialect = Some((dialect, definition));
        }
        let definition = self.dialect.as_ref().and_then(|d| d.1.clone());
        let stem = definition.as_deref().and_then(find);
        match (stem, source) {
            (Some(stem), _) => self.known_stem(stem),
            (None, Some(source)) if definition.as_ref().is_none_or(|d| !d.aliases_complete) => {
                self.kept(source).map_or(Stem::None, Stem::Source)
            }
            _ => Stem::None,
        }
    }

    /// Returns the index of a base name in the visitor's list, which is short.
    fn known_stem(&mut self, stem: &Text) -> Stem {
        let found = self.stems.iter().position(|s| s == stem);
        let index = found.unwrap_or_else(|| {
            self.stems.push(stem.clone());
            self.stems.len().saturating_sub(1)
        });
        Stem::Known(index as u32)
    }

    /// Returns a base name from the source, if it is valid for an alias: names that a module
    /// preserves need not come from a text.
    fn kept(&self, stem: Identifier) -> Option<Identifier> {
        let bytes = self.context.bytes(stem);
        let starts = bytes.first().is_some_and(|&b| is_bare_start(b));
        (starts && bytes.iter().all(|&b| is_suffix(b) && b != b'.')).then_some(stem)
    }

    /// Reserves names that look like aliases in a body's text but are not: no alias may get such a
    /// name.
    pub(super) fn reserve(&mut self, body: &'c DialectBody) {
        let mut rest = body.text();
        while let Some(at) = memchr::memchr2(b'#', b'!', rest) {
            rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
            let len = rest.iter().position(|&b| !is_suffix(b));
            let (name, behind) = rest
                .split_at_checked(len.unwrap_or(rest.len()))
                .unwrap_or((rest, &[]));
            if !name.is_empty() {
                self.reserved.insert(name);
            }
            rest = behind;
        }
    }
}

/// Returns the word that a dialect's body starts with.
fn mnemonic(body: &DialectBody) -> &[u8] {
    let text = body.text();
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_')));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}
