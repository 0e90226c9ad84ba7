//! Attributes the items of tables to the symbols that alone need them.

use super::sum::TableSizes;
use crate::listed::SymbolTracker;
use crate::symbols::{shown, shown_name};
use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{
    AttributeKind, Context, Entry, Identifier, LocationKind, Module, Operation, Resource,
    ResourceValue, WalkResult,
};
use rmlir::{SymbolPath, TableItems};
use std::cell::RefCell;
use std::collections::HashMap;

/// The sizes of what is in the tables of a file, by what it became.
#[derive(Default)]
pub(super) struct ItemSizes {
    attributes: Vec<u64>,
    types: Vec<u64>,
    locations: Vec<u64>,
    strings: HashMap<Identifier, u64>,
    resources: HashMap<Resource, u64>,
}

impl ItemSizes {
    /// Of bytecode: the sizes by number that a dump has, and what the items became.
    pub(super) fn of_tables(context: &Context, items: &TableItems, sizes: &TableSizes) -> Self {
        let mut found = ItemSizes::default();
        for (entry, &bytes) in items.entries.iter().zip(sizes.entries()) {
            match *entry {
                Some(Entry::Attribute(entry)) => add(&mut found.attributes, entry.index(), bytes),
                Some(Entry::Type(entry)) => add(&mut found.types, entry.index(), bytes),
                Some(Entry::Location(entry)) => add(&mut found.locations, entry.index(), bytes),
                None => {}
            }
        }
        for (string, &bytes) in items.strings.iter().zip(&sizes.strings) {
            if let Some(string) = string {
                *found.strings.entry(*string).or_default() += bytes;
            }
        }
        for &resource in &items.resources {
            found
                .resources
                .insert(resource, blob_len(context, resource));
        }
        found
    }

    /// Of text: the resources, which are in hexadecimal.
    pub(super) fn of_text(context: &Context, module: &Module) -> Self {
        let mut found = ItemSizes::default();
        for &resource in &module.provenance.resources {
            // `key: "0x", the alignment, the data, `"`.
            let key = context.bytes(context.resource(resource).key).len() as u64;
            let bytes = blob_len(context, resource).saturating_mul(2);
            found.resources.insert(resource, bytes + key + 14);
        }
        found
    }

    /// Returns the size of an attribute, with the resource or string that it is.
    pub(super) fn attribute(&self, context: &Context, attribute: rmlir::Attribute) -> u64 {
        let own = get(&self.attributes, attribute.index());
        own + match context.attribute_kind(attribute) {
            AttributeKind::String { value, .. } => self.string(*value),
            AttributeKind::DenseResource { resource, .. } => self.resource(*resource),
            _ => 0,
        }
    }

    pub(super) fn resource(&self, resource: Resource) -> u64 {
        self.resources.get(&resource).copied().unwrap_or(0)
    }

    fn string(&self, string: Identifier) -> u64 {
        self.strings.get(&string).copied().unwrap_or(0)
    }

    fn total(&self) -> u64 {
        let tables = [&self.attributes, &self.types, &self.locations];
        let entries: u64 = tables.into_iter().flatten().sum();
        entries + self.strings.values().sum::<u64>() + self.resources.values().sum::<u64>()
    }
}

fn blob_len(context: &Context, resource: Resource) -> u64 {
    match &context.resource(resource).value {
        Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
        _ => 0,
    }
}

fn get(sizes: &[u64], index: usize) -> u64 {
    sizes.get(index).copied().unwrap_or(0)
}

fn add(sizes: &mut Vec<u64>, index: usize, bytes: u64) {
    if index >= sizes.len() {
        sizes.resize((index + 1).next_power_of_two(), 0);
    }
    if let Some(size) = sizes.get_mut(index) {
        *size += bytes;
    }
}

/// The size of a symbol.
pub(super) struct SymbolSize {
    pub(super) path: String,
    pub(super) operation: String,
    /// The bytes of its operation with everything nested in it.
    pub(super) bytes: u64,
    /// `bytes`, and those of the items of tables that nothing outside of it refers to. None if the
    /// file could not be decoded.
    pub(super) retained: Option<u64>,
}

impl SymbolSize {
    /// Returns the retained bytes, or its own ones if these are not known.
    pub(super) fn size(&self) -> u64 {
        self.retained.unwrap_or(self.bytes)
    }
}

/// The sizes of all symbols, and of the items of tables that none of them owns.
#[derive(Default)]
pub(super) struct Owners {
    /// In the order of the file.
    pub(super) symbols: Vec<SymbolSize>,
    /// What several top-level symbols refer to, or something that is not in a symbol.
    pub(super) shared: u64,
    /// What no operation refers to.
    pub(super) unreferenced: u64,
}

/// The owner of an item: 0 for none yet, [`TOP`] for what is not in one symbol, and the number of
/// a symbol plus 2.
type Owner = u32;
/// The whole module.
const TOP: Owner = 1;
/// Symbols nested deeper than this do not own items: those around them do. So the owner of an item
/// changes at most that often.
const DEEPEST: u32 = 32;

/// A visitor that attributes the entries that operations refer to. It follows a tracker of symbols
/// in the same visit.
pub(super) struct OwnerVisitor<'t> {
    tracker: &'t RefCell<SymbolTracker>,
    /// For each owner: the enclosing one, and its depth.
    around: Vec<(Owner, u32)>,
    /// For each symbol: itself or the innermost one around it that owns items.
    owners: Vec<Owner>,
    /// The operation of each symbol, if the module is in memory.
    operations: Vec<Option<Operation>>,
    attributes: Vec<Owner>,
    types: Vec<Owner>,
    locations: Vec<Owner>,
    strings: HashMap<Identifier, Owner>,
    resources: HashMap<Resource, Owner>,
    open: Vec<(Entry, Owner)>,
    /// The entries of the current event.
    entries: Vec<Entry>,
}

impl Visitor for OwnerVisitor<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        self.add_symbols(event);
        let (attributes, properties) = event.dictionaries()?;
        let dictionaries = [properties, attributes].into_iter().flatten();
        self.entries.extend(dictionaries.map(Entry::Attribute));
        self.entries.push(Entry::Location(event.location()?));
        if event.result_count() > 0 {
            let types = event.result_types()?.iter().copied();
            self.entries.extend(types.map(Entry::Type));
        }
        self.reach_entries(event.context());
        Ok(WalkResult::Advance)
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        if event.arguments().len() > 0 {
            let types = event.argument_types()?.iter().copied();
            self.entries.extend(types.map(Entry::Type));
            let locations = event.argument_locations()?.iter().copied();
            self.entries.extend(locations.map(Entry::Location));
            self.reach_entries(event.context());
        }
        Ok(())
    }
}

impl<'t> OwnerVisitor<'t> {
    pub(super) fn new(tracker: &'t RefCell<SymbolTracker>) -> Self {
        OwnerVisitor {
            tracker,
            around: vec![(0, 0), (TOP, 0)],
            owners: Vec::new(),
            operations: Vec::new(),
            attributes: Vec::new(),
            types: Vec::new(),
            locations: Vec::new(),
            strings: HashMap::new(),
            resources: HashMap::new(),
            open: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Adds the symbol that an operation is, if it is one.
    fn add_symbols(&mut self, event: &OperationEvent<'_>) {
        let tracker = self.tracker.borrow();
        for symbol in tracker.symbols().iter().skip(self.owners.len()) {
            let parent = symbol.parent.and_then(|p| Owner::try_from(p + 2).ok());
            let parent = parent.unwrap_or(TOP);
            let depth = self
                .around
                .get(parent as usize)
                .map_or(0, |&(_, depth)| depth);
            let depth = depth.saturating_add(1);
            let itself = Owner::try_from(self.around.len()).unwrap_or(TOP);
            let outer = symbol.parent.and_then(|p| self.owners.get(p)).copied();
            self.owners.push(match depth <= DEEPEST {
                true => itself,
                false => outer.unwrap_or(TOP),
            });
            self.around.push((parent, depth));
            self.operations.push(event.operation());
        }
    }

    /// Makes the innermost symbol that the current operation is or is in one that needs the entries
    /// of the event.
    fn reach_entries(&mut self, context: &Context) {
        let symbol = self.tracker.borrow().innermost();
        let owner = symbol.and_then(|symbol| self.owners.get(symbol).copied());
        let owner = owner.unwrap_or(TOP);
        let mut entries = std::mem::take(&mut self.entries);
        for entry in entries.drain(..) {
            self.reach(context, entry, owner);
        }
        self.entries = entries;
    }

    /// Attributes the items. `paths` has the paths of the symbols; `bytes` returns the size of the
    /// operation of a symbol, of its path and of its operation if that is in memory. Linear in the
    /// items and symbols.
    pub(super) fn finish(
        self,
        context: &Context,
        sizes: &ItemSizes,
        paths: &[SymbolPath],
        mut bytes: impl FnMut(&SymbolPath, Option<Operation>) -> u64,
    ) -> Owners {
        let mut retained: Vec<u64> = vec![0; self.around.len()];
        let mut owned = 0;
        let mut give = |owner: Owner, bytes: u64| {
            if owner != 0
                && let Some(retained) = retained.get_mut(owner as usize)
            {
                *retained += bytes;
                owned += bytes;
            }
        };
        for (owners, sizes) in [
            (&self.attributes, &sizes.attributes),
            (&self.types, &sizes.types),
            (&self.locations, &sizes.locations),
        ] {
            for (&owner, &bytes) in owners.iter().zip(sizes) {
                give(owner, bytes);
            }
        }
        #[allow(
            clippy::iter_over_hash_type,
            reason = "sums do not depend on the order"
        )]
        for (string, &bytes) in &sizes.strings {
            give(self.strings.get(string).copied().unwrap_or(0), bytes);
        }
        #[allow(
            clippy::iter_over_hash_type,
            reason = "sums do not depend on the order"
        )]
        for (resource, &bytes) in &sizes.resources {
            give(self.resources.get(resource).copied().unwrap_or(0), bytes);
        }
        let shared = get(&retained, TOP as usize);
        // What an inner symbol owns is also of those around it.
        for owner in (TOP as usize + 1..retained.len()).rev() {
            let inner = get(&retained, owner);
            let around = self.around.get(owner).map_or(TOP, |&(around, _)| around);
            if around != TOP
                && let Some(retained) = retained.get_mut(around as usize)
            {
                *retained += inner;
            }
        }
        let tracker = self.tracker.borrow();
        let size = |number: usize| {
            let (symbol, path) = (tracker.symbols().get(number)?, paths.get(number)?);
            let bytes = bytes(path, self.operations.get(number).copied().flatten());
            Some(SymbolSize {
                path: shown(path),
                operation: shown_name(context.operation_name_bytes(symbol.operation_name)),
                bytes,
                retained: Some(bytes + get(&retained, number + 2)),
            })
        };
        Owners {
            symbols: tracker.order().into_iter().filter_map(size).collect(),
            shared,
            unreferenced: sizes.total().saturating_sub(owned),
        }
    }

    /// Makes `owner` one that needs an entry and everything that it refers to.
    fn reach(&mut self, context: &Context, entry: Entry, owner: Owner) {
        self.open.push((entry, owner));
        while let Some((entry, owner)) = self.open.pop() {
            let known = match entry {
                Entry::Attribute(entry) => owner_at(&mut self.attributes, entry.index()),
                Entry::Type(entry) => owner_at(&mut self.types, entry.index()),
                Entry::Location(entry) => owner_at(&mut self.locations, entry.index()),
            };
            let Some(known) = known.filter(|known| **known != owner && **known != TOP) else {
                continue;
            };
            let joined = common(&self.around, *known, owner);
            if joined == *known {
                continue;
            }
            *known = joined;
            let open = &mut self.open;
            context.for_each_child(entry, |child| open.push((child, joined)));
            self.leaves(context, entry, joined);
        }
    }

    /// The strings and the resource of an entry.
    fn leaves(&mut self, context: &Context, entry: Entry, owner: Owner) {
        let OwnerVisitor {
            around,
            strings,
            resources,
            ..
        } = self;
        let mut string = |string: Identifier| {
            let known = strings.entry(string).or_default();
            *known = common(around, *known, owner);
        };
        match entry {
            Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
                AttributeKind::String { value, .. } => string(*value),
                AttributeKind::DenseText { literal, .. } => string(*literal),
                AttributeKind::DenseStrings { values, .. } => {
                    values.iter().copied().for_each(string);
                }
                AttributeKind::SymbolRef { root, nested } => {
                    string(*root);
                    nested.iter().copied().for_each(string);
                }
                AttributeKind::Dictionary(entries) => {
                    entries.iter().for_each(|&(name, _)| string(name));
                }
                AttributeKind::DenseResource { resource, .. } => {
                    let known = resources.entry(*resource).or_default();
                    *known = common(around, *known, owner);
                }
                _ => {}
            },
            Entry::Location(location) => match context.location_kind(location) {
                LocationKind::FileLineColRange { file, .. } => string(file),
                LocationKind::Name { name, .. } => string(name),
                _ => {}
            },
            Entry::Type(_) => {}
        }
    }
}

fn owner_at(owners: &mut Vec<Owner>, index: usize) -> Option<&mut Owner> {
    if index >= owners.len() {
        owners.resize((index + 1).next_power_of_two(), 0);
    }
    owners.get_mut(index)
}

/// Returns the innermost owner that contains both.
fn common(around: &[(Owner, u32)], mut a: Owner, mut b: Owner) -> Owner {
    if a == 0 {
        return b;
    }
    let at = |owner: Owner| around.get(owner as usize).copied().unwrap_or((TOP, 0));
    while a != b {
        if at(a).1 >= at(b).1 {
            a = at(a).0;
        } else {
            b = at(b).0;
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn the_innermost_common_symbol_is_found() {
        // 2 and 5 at the top, 3 and 4 in 2, 6 in 5.
        let around = [(0, 0), (1, 0), (1, 1), (2, 2), (2, 2), (1, 1), (5, 2)];
        assert_eq!(common(&around, 0, 3), 3);
        assert_eq!(common(&around, 3, 3), 3);
        assert_eq!(common(&around, 3, 4), 2);
        assert_eq!(common(&around, 4, 2), 2);
        assert_eq!(common(&around, 3, 6), 1);
        assert_eq!(common(&around, 5, 1), 1);
    }
}
