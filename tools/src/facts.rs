//! Counts of the content of a module. They are the same for every form of a module.

use rmlir::ir::{
    AttributeKind, Context, Entry, LocationClasses, LocationKind, Module, ResourceValue, WalkStep,
    nested_symbols, unnamed_operations, used_resources,
};
use rmlir::{Attribute, Location};
use std::collections::BTreeMap;

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
    /// Counts. Linear in the number of operations and of the entries that they refer to.
    pub fn of(context: &Context, module: &Module) -> Self {
        let mut resources = used_resources(context, module);
        resources.extend(&module.provenance.resources);
        let blob_bytes = |&resource| match &context.resource(resource).value {
            Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
            _ => 0,
        };
        let mut facts = Facts {
            symbols: nested_symbols(context, module).len() as u64,
            unnamed: unnamed_operations(context, module).count() as u64,
            resources: resources.len() as u64,
            resource_bytes: resources.iter().map(blob_bytes).sum(),
            ..Facts::default()
        };
        let mut counts = vec![0u64; context.operation_name_count()];
        let mut names = Vec::new();
        let mut walk = Walk::new(context);
        for step in module.traverse(module.top()) {
            match step {
                WalkStep::EnterOperation(operation) => {
                    facts.values += module.result_count(operation) as u64;
                    let name = module.name(operation);
                    if let Some(count) = counts.get_mut(name.index()) {
                        if *count == 0 {
                            names.push(name);
                        }
                        *count += 1;
                    }
                    let dictionaries = [module.properties(operation), module.attributes(operation)];
                    for dictionary in dictionaries.into_iter().flatten() {
                        walk.dictionary(dictionary);
                    }
                    walk.visit(Entry::Location(module.location(operation)));
                    for result in module.results(operation) {
                        walk.visit(Entry::Type(module.value_type(result)));
                    }
                }
                WalkStep::EnterRegion(_) => facts.regions += 1,
                WalkStep::EnterBlock(block) => {
                    facts.blocks += 1;
                    facts.values += module.argument_count(block) as u64;
                    for (argument, location) in module.arguments(block) {
                        walk.visit(Entry::Type(module.value_type(argument)));
                        walk.visit(Entry::Location(location));
                    }
                }
                _ => {}
            }
        }
        for name in names {
            let count = counts.get(name.index()).copied().unwrap_or(0);
            let name = context.operation_name_bytes(name).escape_ascii();
            *facts.operations.entry(name.to_string()).or_default() += count;
        }
        facts.reachable = Some(walk.found);
        facts
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

/// A walk over everything that operations refer to.
struct Walk<'c> {
    context: &'c Context,
    attributes: Seen,
    types: Seen,
    locations: Seen,
    dictionaries: Seen,
    classes: LocationClasses,
    open: Vec<Entry>,
    found: Reachable,
}

impl<'c> Walk<'c> {
    fn new(context: &'c Context) -> Self {
        Walk {
            context,
            attributes: Seen::default(),
            types: Seen::default(),
            locations: Seen::default(),
            dictionaries: Seen::default(),
            classes: LocationClasses::of_content(),
            open: Vec::new(),
            found: Reachable::default(),
        }
    }

    /// Visits the content of a dictionary of an operation, not itself.
    fn dictionary(&mut self, dictionary: Attribute) {
        if self.dictionaries.insert(dictionary.index()) {
            let context = self.context;
            if let AttributeKind::Dictionary(entries) = context.attribute_kind(dictionary) {
                for &(_, value) in entries {
                    self.visit(Entry::Attribute(value));
                }
            } else {
                self.visit(Entry::Attribute(dictionary));
            }
        }
    }

    fn visit(&mut self, entry: Entry) {
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
                    self.weight(attribute);
                }
                Entry::Type(_) => self.found.types += 1,
                Entry::Location(location) => self.location(location),
            }
            let open = &mut self.open;
            self.context.for_each_child(entry, |child| open.push(child));
        }
    }

    fn location(&mut self, location: Location) {
        if !matches!(self.context.location_kind(location), LocationKind::Unknown) {
            let before = self.found.locations;
            let class = u64::from(self.classes.class(self.context, location));
            // Classes are numbered in the order in which they are met, those of parts included.
            self.found.locations = before.max(class + 1);
        }
    }

    fn weight(&mut self, attribute: Attribute) {
        let (ty, bytes) = match self.context.attribute_kind(attribute) {
            AttributeKind::DenseElements {
                ty,
                splat: false,
                data,
            } => (*ty, data.len() as u64),
            AttributeKind::DenseResource { ty, resource } => {
                let bytes = match &self.context.resource(*resource).value {
                    Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
                    _ => 0,
                };
                (*ty, bytes)
            }
            _ => return,
        };
        let elements = self.context.element_count(ty).unwrap_or(0);
        if elements > 1 {
            let weights = &mut self.found.weights;
            weights.count += 1;
            weights.elements = weights.elements.saturating_add(elements);
            weights.bytes = weights.bytes.saturating_add(bytes);
        }
    }
}
