//! Aliases: the entries that get one, their names, and the order of their definitions.
//!
//! As in upstream, everything is visited in print order; entries get an alias if their definition
//! provides an alias base name (or, for dialects without a definition, their source does).
//! Definitions are sorted by how deeply aliases nest, types before attributes, then by base name;
//! those that only operations' locations need follow the module.

mod children;
mod relevance;
mod stems;
mod visit;

use super::PrintOptions;
use super::output::write_number;
use crate::formats::SyntaxTable;
use rmlir_ir::{
    Attribute, Context, Entry, IndexedMap, Location, LocationClasses, LocationKind, Module,
    Operation, Type,
};
use std::collections::{HashMap, HashSet};
use stems::Stem;
use visit::{Info, Visitor};

/// An alias.
#[derive(Clone, Copy)]
pub(super) struct Alias {
    pub(super) entry: Entry,
    stem: u32,
    /// The suffix number; 0 for the first alias of a base name.
    suffix: u32,
    /// Whether it is defined after the module.
    pub(super) deferred: bool,
}

/// The name of an alias, without `#` or `!`.
#[derive(Clone, Copy)]
pub(super) struct AliasName<'a> {
    pub(super) stem: &'a [u8],
    /// The suffix number; 0 for the first alias of a base name.
    pub(super) suffix: u32,
}

/// The aliases of a text.
#[derive(Default)]
pub(super) struct Aliases {
    stems: Vec<Box<[u8]>>,
    /// In the order of definition.
    list: Vec<Alias>,
    /// By attribute, type and class of location: position in `list` + 1, or 0.
    attributes: IndexedMap<u32>,
    types: IndexedMap<u32>,
    locations: Vec<u32>,
    classes: LocationClasses,
}

impl Aliases {
    /// Assigns the aliases for printing `operation`, and returns them with the operation syntaxes
    /// looked up on the way.
    pub(super) fn new(
        context: &Context,
        module: &Module,
        operation: Operation,
        options: &PrintOptions,
    ) -> (Self, SyntaxTable) {
        let mut visitor = Visitor::new(context, module, options);
        visitor.operations(operation);
        visitor.finish()
    }

    /// Returns the aliases in the order of definition.
    pub(super) fn list(&self) -> &[Alias] {
        &self.list
    }

    pub(super) fn name(&self, alias: Alias) -> AliasName<'_> {
        let stem = self
            .stems
            .get(alias.stem as usize)
            .map_or(&[][..], |stem| stem);
        AliasName {
            stem,
            suffix: alias.suffix,
        }
    }

    fn by_slot(&self, slot: u32) -> Option<AliasName<'_>> {
        let position = slot.checked_sub(1)?;
        self.list
            .get(position as usize)
            .map(|&alias| self.name(alias))
    }

    #[inline]
    pub(super) fn attribute(&self, attribute: Attribute) -> Option<AliasName<'_>> {
        self.by_slot(self.attributes.get(attribute.index()))
    }

    #[inline]
    pub(super) fn ty(&self, ty: Type) -> Option<AliasName<'_>> {
        self.by_slot(self.types.get(ty.index()))
    }

    /// `others` has the classes of locations that were not met when aliases were found.
    pub(super) fn location(
        &self,
        context: &Context,
        location: Location,
        others: &mut Option<LocationClasses>,
    ) -> Option<AliasName<'_>> {
        if let LocationKind::Dialect(attribute) = context.location_kind(location) {
            return self.attribute(attribute);
        }
        if self.locations.is_empty() {
            return None;
        }
        let class = self.classes.known(location).unwrap_or_else(|| {
            let others = others.get_or_insert_with(|| self.classes.clone());
            others.class(context, location)
        });
        self.by_slot(*self.locations.get(class as usize)?)
    }
}

impl Visitor<'_> {
    /// Numbers the entries that have a base name, and sorts them.
    fn finish(self) -> (Aliases, SyntaxTable) {
        let stem_of = |info: &Info| -> Option<&[u8]> {
            match info.stem {
                Stem::Source(stem) => Some(self.context.bytes(stem)),
                Stem::Known(index) => self.stems.get(index as usize).map(|s| s.as_bytes()),
                Stem::None => None,
            }
        };
        let mut order: Vec<(&Info, &[u8])> = self
            .infos
            .iter()
            .filter_map(|info| stem_of(info).map(|stem| (info, stem)))
            .collect();
        let is_attribute = |info: &Info| !matches!(info.entry, Entry::Type(_));
        order.sort_by(|(a, s), (b, t)| {
            (a.depth, is_attribute(a), s).cmp(&(b.depth, is_attribute(b), t))
        });
        let operations = self.module.operation_slots();
        let mut aliases = Aliases {
            attributes: IndexedMap::new(self.context.attribute_count(), operations),
            types: IndexedMap::new(self.context.type_count(), operations),
            locations: vec![0; self.locations.len()],
            ..Aliases::default()
        };
        let mut stems: HashMap<&[u8], (u32, u32)> = HashMap::new();
        let mut used = UsedNames::new(order.iter().map(|&(_, stem)| stem), &self.reserved);
        for (info, text) in order {
            let next = stems.len() as u32;
            let (stem, count) = stems.entry(text).or_insert_with(|| {
                aliases.stems.push(text.into());
                (next, 0)
            });
            while !used.take(AliasName {
                stem: text,
                suffix: *count,
            }) {
                *count = count.saturating_add(1);
            }
            let (stem, suffix) = (*stem, *count);
            *count = suffix.saturating_add(1);
            aliases.list.push(Alias {
                entry: info.entry,
                stem,
                suffix,
                deferred: info.deferrable,
            });
            let position = aliases.list.len() as u32;
            let slot = match info.entry {
                Entry::Attribute(attribute) => Some(aliases.attributes.get_mut(attribute.index())),
                Entry::Type(ty) => Some(aliases.types.get_mut(ty.index())),
                Entry::Location(location) => {
                    let class = self.classes.known(location).unwrap_or(u32::MAX);
                    aliases.locations.get_mut(class as usize)
                }
            };
            if let Some(slot) = slot {
                *slot = position;
            }
        }
        aliases.classes = self.classes;
        (aliases, self.syntaxes)
    }
}

/// The assigned names, so that `a` with the suffix 1 does not collide with `a1`.
struct UsedNames {
    /// `None` if no base name starts with another, so that no two names can collide.
    names: Option<HashSet<Vec<u8>>>,
}

impl UsedNames {
    fn new<'a>(stems: impl Iterator<Item = &'a [u8]>, reserved: &HashSet<&[u8]>) -> Self {
        let mut stems: Vec<&[u8]> = stems.collect();
        stems.sort_unstable();
        stems.dedup();
        let meet = stems
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if b.starts_with(a)));
        let reserved: HashSet<Vec<u8>> = reserved.iter().map(|name| name.to_vec()).collect();
        UsedNames {
            names: (meet || !reserved.is_empty()).then_some(reserved),
        }
    }

    /// Takes a name if it is free.
    fn take(&mut self, name: AliasName<'_>) -> bool {
        self.names.as_mut().is_none_or(|names| {
            let mut text = Vec::new();
            name.write(&mut text);
            names.insert(text)
        })
    }
}

impl AliasName<'_> {
    /// Appends the name, without `#` or `!`.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.stem);
        if self.suffix > 0 {
            if self.stem.last().is_some_and(u8::is_ascii_digit) {
                out.push(b'_');
            }
            write_number(u64::from(self.suffix), out);
        }
    }
}
