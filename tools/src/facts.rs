//! Counts of the content of a module. They are the same for every form of a module.

use rmlir::File;
use rmlir::events::{BlockEvent, OperationEvent, Visitor, visit_module};
use rmlir::format::Result;
use rmlir::ir::{
    AttributeKind, Context, Entry, LocationClasses, LocationKind, Module, OperationName,
    Provenance, Resource, ResourceValue, WalkResult, nested_symbols, unnamed_operations,
};
use rmlir::{Attribute, Location, Type};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

/// Counts of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// The number of operations by name.
    pub operations: BTreeMap<String, u64>,
    /// The number of regions.
    pub regions: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of results and block arguments.
    pub values: u64,
    /// The number of symbols.
    pub symbols: u64,
    /// The number of operations directly in the top-level module that are not symbols.
    pub unnamed: u64,
    /// The number of operations that may or may not be symbols.
    pub undecided: u64,
    /// The entries that are reachable from the operations; `None` if their content cannot be
    /// decoded.
    pub reachable: Option<Reachable>,
    /// The number of resources that are declared or used.
    pub resources: u64,
    /// The total size of their blobs in bytes.
    pub resource_bytes: u64,
}

/// Distinct attributes, types and locations that are reachable from the operations of a module. The
/// dictionaries of the operations themselves and unknown locations do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reachable {
    /// The number of attributes.
    pub attributes: u64,
    /// The number of types.
    pub types: u64,
    /// The number of locations.
    pub locations: u64,
    /// The weights: elements attributes with more than one element that are not splats.
    pub weights: Weights,
}

/// The number and size of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Weights {
    /// The number of attributes.
    pub count: u64,
    /// The total number of elements.
    pub elements: u64,
    /// The total number of stored bytes.
    pub bytes: u64,
}

impl Facts {
    /// Counts the content of a module. Linear in the number of operations and of the entries that
    /// they refer to.
    ///
    /// # Errors
    ///
    /// None: everything is in memory.
    pub fn of(context: &Context, module: &Module) -> Result<Self> {
        let mut counter = FactCounter::default();
        visit_module(context, module, &mut counter)?;
        Ok(counter.facts_of_module(context, module))
    }

    /// Counts the content of a bytecode file without building a module. Returns its provenance
    /// too.
    ///
    /// # Errors
    ///
    /// If the file is damaged or cannot be decoded.
    pub fn of_file(context: &mut Context, file: &File) -> rmlir::Result<(Self, Provenance)> {
        let mut counter = FactCounter::default();
        file.visit(context, &mut counter)?;
        counter.facts_of_file(context, file)
    }
    /// Returns the number of operations.
    pub fn operation_count(&self) -> u64 {
        self.operations.values().sum()
    }

    /// Returns the number of operations of each dialect.
    pub fn dialects(&self) -> BTreeMap<&str, u64> {
        let mut dialects = BTreeMap::new();
        for (name, count) in &self.operations {
            let dialect = name.split_once('.').map_or("", |(dialect, _)| dialect);
            *dialects.entry(dialect).or_default() += count;
        }
        dialects
    }
}

/// Numbers that were met.
#[derive(Default)]
struct Seen(Vec<u64>);

impl Seen {
    fn contains(&self, index: usize) -> bool {
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    fn insert(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        let Some(word) = self.0.get_mut(word) else {
            return false;
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// Counts operations, and walks over everything that they refer to.
#[derive(Default)]
pub struct FactCounter {
    /// The number of operations of each name, by its index, and the names.
    counts: Vec<u64>,
    names: Vec<OperationName>,
    regions: u64,
    blocks: u64,
    values: u64,
    /// The types of the results of the current operation, or of the arguments of a block, and the
    /// locations of these.
    types: Vec<Type>,
    locations: Vec<Location>,
    walk: Walk,
}

impl FactCounter {
    /// Returns the counts of a module that was visited.
    pub fn facts_of_module(mut self, context: &Context, module: &Module) -> Facts {
        let mut resources = std::mem::take(&mut self.walk.resources);
        resources.extend(&module.provenance.resources);
        let blob_bytes = |&resource| match &context.resource(resource).value {
            Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
            _ => 0,
        };
        Facts {
            symbols: nested_symbols(context, module).len() as u64,
            unnamed: unnamed_operations(context, module).count() as u64,
            resources: resources.len() as u64,
            resource_bytes: resources.iter().map(blob_bytes).sum(),
            ..self.finish(context)
        }
    }

    /// Returns the counts of a bytecode file that was visited, and its provenance.
    ///
    /// # Errors
    ///
    /// If the file is damaged or cannot be decoded.
    pub fn facts_of_file(
        self,
        context: &mut Context,
        file: &File,
    ) -> rmlir::Result<(Facts, Provenance)> {
        let counted = self.finish(context);
        let contents = file.contents(context)?;
        let facts = Facts {
            symbols: contents.symbols as u64,
            unnamed: contents.unnamed as u64,
            undecided: contents.undecided,
            resources: contents.resources,
            resource_bytes: contents.blob_bytes,
            ..counted
        };
        Ok((facts, contents.provenance))
    }

    fn finish(self, context: &Context) -> Facts {
        let mut operations = BTreeMap::new();
        for name in self.names {
            let count = self.counts.get(name.index()).copied().unwrap_or_default();
            let name = context.operation_name_bytes(name).escape_ascii();
            *operations.entry(name.to_string()).or_default() += count;
        }
        let mut reachable = self.walk.found;
        reachable.locations = (reachable.locations).saturating_add(self.walk.places.count());
        Facts {
            operations,
            regions: self.regions,
            blocks: self.blocks,
            values: self.values,
            reachable: Some(reachable),
            ..Facts::default()
        }
    }
}

impl Visitor for FactCounter {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let name = event.name();
        if name.index() >= self.counts.len() {
            self.counts.resize(name.index().saturating_add(1), 0);
        }
        if let Some(count) = self.counts.get_mut(name.index()) {
            if *count == 0 {
                self.names.push(name);
            }
            *count += 1;
        }
        self.values += event.result_count() as u64;
        let (attributes, properties) = event.dictionaries()?;
        let location = event.location()?;
        self.types.clear();
        self.types.extend_from_slice(event.result_types()?);
        for dictionary in [properties, attributes].into_iter().flatten() {
            self.walk.dictionary(event.context(), dictionary);
        }
        self.walk.visit_location(event.context(), location);
        for &ty in &self.types {
            self.walk.visit(event.context(), Entry::Type(ty));
        }
        Ok(WalkResult::Advance)
    }

    fn region(&mut self, _: u64) -> Result<()> {
        self.regions += 1;
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        self.blocks += 1;
        self.types.clear();
        self.types.extend_from_slice(event.argument_types()?);
        self.locations.clear();
        self.locations
            .extend_from_slice(event.argument_locations()?);
        self.values += self.types.len() as u64;
        for &ty in &self.types {
            self.walk.visit(event.context(), Entry::Type(ty));
        }
        for &location in &self.locations {
            self.walk.visit_location(event.context(), location);
        }
        Ok(())
    }
}

/// Where a range in a file begins: file, line and column.
type Start = (u32, u32, u32);

/// Ranges in files, which most locations are.
#[derive(Default)]
struct Places {
    /// Ranges of no characters.
    positions: Distinct<Start>,
    ranges: Distinct<(Start, (u32, u32))>,
}

impl Places {
    fn insert(&mut self, start: Start, end: (u32, u32)) {
        if (start.1, start.2) == end {
            self.positions.push(start);
        } else {
            self.ranges.push((start, end));
        }
    }

    /// Returns the number of distinct ones.
    fn count(mut self) -> u64 {
        self.positions.count().saturating_add(self.ranges.count())
    }
}

/// Elements that are counted once. They are sorted if they do not come in order, as the locations
/// of a file do for the most part: that takes less time than a hash table.
struct Distinct<T> {
    list: Vec<T>,
    /// The length of the list after the last time that repeated elements were removed.
    distinct: usize,
    /// Whether an element is smaller than the one before it.
    is_unsorted: bool,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Distinct {
            list: Vec::new(),
            distinct: 0,
            is_unsorted: false,
        }
    }
}

impl<T: Ord + Copy> Distinct<T> {
    /// Adds an element. Repeated ones take at most as much memory as the distinct ones.
    fn push(&mut self, element: T) {
        match self.list.last().map(|last| element.cmp(last)) {
            Some(Ordering::Equal) => return,
            Some(Ordering::Less) => self.is_unsorted = true,
            Some(Ordering::Greater) | None => {}
        }
        if self.list.len() == self.list.capacity() && self.list.len() / 2 >= self.distinct {
            let is_unsorted = self.is_unsorted;
            self.count();
            // The element may be smaller than the last one of the sorted list.
            self.is_unsorted = is_unsorted;
        }
        self.list.push(element);
    }

    /// Removes repeated elements, and returns the number of the others.
    fn count(&mut self) -> u64 {
        if std::mem::take(&mut self.is_unsorted) {
            self.list.sort();
            self.list.dedup();
        }
        self.distinct = self.list.len();
        self.distinct as u64
    }
}

/// A walk over everything that operations refer to.
struct Walk {
    attributes: Seen,
    types: Seen,
    locations: Seen,
    dictionaries: Seen,
    places: Places,
    /// The classes of the locations that are not in [`places`](Self::places).
    classes: LocationClasses,
    other_locations: Seen,
    open: Vec<Entry>,
    resources: HashSet<Resource>,
    found: Reachable,
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            attributes: Seen::default(),
            types: Seen::default(),
            locations: Seen::default(),
            dictionaries: Seen::default(),
            places: Places::default(),
            classes: LocationClasses::of_content(),
            other_locations: Seen::default(),
            open: Vec::new(),
            resources: HashSet::new(),
            found: Reachable::default(),
        }
    }
}

impl Walk {
    /// Visits the content of a dictionary of an operation, not itself.
    fn dictionary(&mut self, context: &Context, dictionary: Attribute) {
        if self.dictionaries.insert(dictionary.index()) {
            if let AttributeKind::Dictionary(entries) = context.attribute_kind(dictionary) {
                for &(_, value) in entries {
                    self.visit(context, Entry::Attribute(value));
                }
            } else {
                self.visit(context, Entry::Attribute(dictionary));
            }
        }
    }

    fn visit(&mut self, context: &Context, entry: Entry) {
        let is_known = match entry {
            Entry::Attribute(attribute) => self.attributes.contains(attribute.index()),
            Entry::Type(ty) => self.types.contains(ty.index()),
            Entry::Location(location) => self.locations.contains(location.index()),
        };
        if is_known {
            return;
        }
        self.open.push(entry);
        while let Some(entry) = self.open.pop() {
            let is_new = match entry {
                Entry::Attribute(attribute) => self.attributes.insert(attribute.index()),
                Entry::Type(ty) => self.types.insert(ty.index()),
                Entry::Location(location) => self.locations.insert(location.index()),
            };
            if !is_new {
                continue;
            }
            match entry {
                Entry::Attribute(attribute) => {
                    self.found.attributes += 1;
                    self.weight(context, attribute);
                }
                Entry::Type(_) => self.found.types += 1,
                Entry::Location(location) => self.location(context, location),
            }
            let open = &mut self.open;
            context.for_each_child(entry, |child| open.push(child));
        }
    }

    /// Visits a location. Of places in files, repeated ones are removed when they are counted.
    fn visit_location(&mut self, context: &Context, location: Location) {
        match context.place_in_file(location) {
            Some((file, line, column)) => {
                let start = (file.index() as u32, line, column);
                self.places.insert(start, (line, column));
            }
            None => self.visit(context, Entry::Location(location)),
        }
    }

    fn location(&mut self, context: &Context, location: Location) {
        match context.location_kind(location) {
            LocationKind::Unknown => {}
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                ..
            } => {
                let start = (file.index() as u32, start_line, start_column);
                self.places.insert(start, (end_line, end_column));
            }
            _ => {
                let class = self.classes.class(context, location);
                let is_new = self.other_locations.insert(class as usize);
                self.found.locations += u64::from(is_new);
            }
        }
    }

    fn weight(&mut self, context: &Context, attribute: Attribute) {
        let (ty, bytes) = match context.attribute_kind(attribute) {
            AttributeKind::DenseElements {
                ty,
                splat: false,
                data,
            } => (*ty, data.len() as u64),
            AttributeKind::DenseResource { ty, resource } => {
                self.resources.insert(*resource);
                let bytes = match &context.resource(*resource).value {
                    Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
                    _ => 0,
                };
                (*ty, bytes)
            }
            _ => return,
        };
        let elements = context.element_count(ty).unwrap_or(0);
        if elements > 1 {
            let weights = &mut self.found.weights;
            weights.count += 1;
            weights.elements = weights.elements.saturating_add(elements);
            weights.bytes = weights.bytes.saturating_add(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::collections::HashSet;

    #[test]
    fn places_are_counted_once() {
        for distinct in [1, 7, 1000, 5000] {
            let mut places = Places::default();
            let mut expected = HashSet::new();
            let mut number = 1u32;
            for _ in 0..20_000 {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let start = ((number >> 8) % 3, (number >> 10) % distinct, 4);
                let end = (start.1, 4 + (number >> 30));
                places.insert(start, end);
                expected.insert((start, end));
                // The memory that repeated ones take is bounded.
                let most = 4 * expected.len() + 16;
                assert!(places.positions.list.capacity() <= most);
                assert!(places.ranges.list.capacity() <= most);
            }
            assert_eq!(places.count(), expected.len() as u64);
        }
    }
}
