//! Determines the attributes, types, names, dialects and resources of a file, and their order.
//!
//! They are visited in the order of upstream's writer: an entry before its references. In the
//! tables the most used ones come first, in groups that are sorted by dialect: the first group has
//! the entries whose numbers take one byte, and so on.

use super::builtin;
use super::entries::{AttributeEntry, Child, Layout, ResourceGroup, Table, Tables};
use super::fields::{Reference, for_each_reference};
use super::file_ranges::FileRanges;
use super::properties::{Item, PropertyTable};
use super::target::Target;
use crate::numbers::Numbers;
use crate::operation_error::in_operation;
use crate::passes::one_of_two_passes;
use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet, hash_map};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::affine::AffineMap;
use rmlir_ir::{
    Attribute, AttributeKind, Block, Context, Entry as IrEntry, Identifier, Location, LocationKind,
    Module, Operation, ProgressCounter, Region, Resource, Type, TypeKind,
};
use rmlir_text::{
    EncodedEntry, attribute_to_string, encode_attribute, encode_type, type_to_string,
};
use std::hint::black_box;
use std::ops::Range;

/// The numbers and other results of the pass.
pub(super) struct Numbering {
    pub(super) numbers: Tables,
    pub(super) children: Vec<Child>,
    pub(super) encoded: Vec<EncodedEntry>,
    pub(super) properties: PropertyTable,
    /// By operation: its attribute dictionary, and the position of its properties in `properties` +
    /// 1.
    pub(super) operations: Vec<(Option<Attribute>, u32)>,
}

impl Numbering {
    /// Numbers the content of the module.
    pub(super) fn of(
        context: &mut Context,
        module: &Module,
        target: &Target,
        progress: &ProgressCounter,
    ) -> Result<Numbering> {
        let operations = module.operation_slots();
        let numbering = Numbering {
            numbers: Tables {
                attributes: Table::new(context.attribute_count(), operations),
                locations: Numbers::new(context.location_count(), operations),
                unknown_location: None,
                types: Table::new(context.type_count(), operations),
                names: Table::new(context.operation_name_count(), operations),
                dialects: Vec::new(),
                resources: Vec::new(),
                resource_numbers: HashMap::default(),
            },
            children: Vec::new(),
            encoded: Vec::new(),
            properties: PropertyTable::new(context, operations),
            operations: vec![(None, 0); module.operation_slots()],
        };
        let mut numberer = Numberer {
            context,
            module,
            target,
            numbering,
            dialect_numbers: HashMap::default(),
            resources: Vec::new(),
            known_resources: HashSet::default(),
            stack: Vec::new(),
            references: Vec::new(),
            file_ranges: FileRanges::new(module.operation_slots()),
            last_file: None,
            last_dialect: None,
            distinct_holders: HashMap::default(),
            operation: None,
        };
        let entries = &mut numberer.numbering.numbers.attributes.entries;
        entries.reserve(module.operation_slots());
        numberer.module(progress)?;
        numberer.declared_resources();
        let Numberer {
            mut numbering,
            resources,
            ..
        } = numberer;
        let numbers = &mut numbering.numbers;
        numbers.attributes.sort();
        numbers.types.sort();
        numbers.names.sort();
        for dialect in 0..numbers.dialects.len() as u32 {
            let own = resources.iter().filter(|r| r.0 == dialect).map(|r| r.1);
            let has_value = |&resource: &Resource| context.resource(resource).value.is_some();
            let (mut all, without): (Vec<Resource>, _) = own.partition(has_value);
            all.extend(without);
            if !all.is_empty() {
                numbers.resources.push(ResourceGroup {
                    dialect,
                    resources: all,
                });
            }
        }
        let all = numbers.resources.iter().flat_map(|group| &group.resources);
        numbers.resource_numbers = all.copied().zip(0..).collect();
        Ok(numbering)
    }
}

struct Numberer<'n> {
    context: &'n mut Context,
    module: &'n Module,
    target: &'n Target,
    numbering: Numbering,
    dialect_numbers: HashMap<Identifier, u32, RandomState>,
    /// Dialect and resource, by first visit.
    resources: Vec<(u32, Resource)>,
    known_resources: HashSet<Resource, RandomState>,
    /// Nodes to be visited, the next one last.
    stack: Vec<Child>,
    // References of the current entry; a reused buffer.
    references: Vec<Reference>,
    file_ranges: FileRanges,
    /// The last file of a location, its string attribute, and the detail of its locations.
    last_file: Option<(Identifier, Attribute, u32)>,
    /// The last dialect that was looked up, and its number.
    last_dialect: Option<(Identifier, u32)>,
    /// The entry that holds each distinct attribute: itself, or an entry whose text contains it.
    distinct_holders: HashMap<Attribute, IrEntry, RandomState>,
    /// The operation that is visited, for errors.
    operation: Option<Operation>,
}

impl Numberer<'_> {
    /// Visits all operations.
    ///
    /// The operations of a region are visited before those nested in them, of which the last ones
    /// are visited first.
    fn module(&mut self, progress: &ProgressCounter) -> Result<()> {
        let module = self.module;
        let mut pass = one_of_two_passes(module, progress);
        let mut visited = 0u64;
        self.operation(module.top())?;
        let mut stack: Vec<Region> = module.regions(module.top()).collect();
        while let Some(region) = stack.pop() {
            let ahead = |distance: usize| {
                let region = stack.len().checked_sub(distance).map(|at| stack[at]);
                region.and_then(|region| module.first_block(region))
            };
            // Software prefetch: the processor does not predict that regions are visited backwards.
            black_box(ahead(4));
            black_box(ahead(3).and_then(|block| module.first_operation(block)));
            let operation = ahead(2).and_then(|block| module.first_operation(block));
            black_box(operation.map(|operation| module.location(operation)));
            if let Some(operation) = ahead(1).and_then(|block| module.first_operation(block)) {
                let location = module.location(operation);
                black_box(self.context.place_in_file(location).is_some());
            }
            for block in module.blocks(region) {
                if let Err(error) = self.arguments(block) {
                    let owner = module.region_parent(region).unwrap_or(module.top());
                    return Err(in_operation(error, (&*self.context, module, owner)));
                }
                for operation in module.operations(block) {
                    self.operation(operation)?;
                    visited = visited.saturating_add(1);
                    for region in module.regions(operation) {
                        stack.push(region);
                    }
                }
            }
            pass.at(visited);
        }
        pass.end();
        Ok(())
    }

    /// Visits the types and locations of a block's arguments.
    fn arguments(&mut self, block: Block) -> Result<()> {
        let module = self.module;
        for (value, location) in module.arguments(block) {
            self.location(location)?;
            self.ty(module.value_type(value))?;
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        self.operation = Some(operation);
        let visited = self.parts(operation);
        visited.map_err(|error| in_operation(error, (&*self.context, self.module, operation)))
    }

    /// Visits the references of an operation.
    #[inline(always)]
    fn parts(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        let name = module.name(operation);
        if !self.numbering.numbers.names.count(name.index()) {
            let full = self.context.operation_name_bytes(name);
            // A name without a dot is that of a dialect.
            let dialect = match full.contains(&b'.') {
                true => self.context.operation_dialect(name),
                false => self.context.operation_name_identifier(name),
            };
            let dialect = self.dialect(dialect);
            self.numbering
                .numbers
                .names
                .add(name.index(), name, dialect)?;
        }
        for value in module.results(operation) {
            self.ty(module.value_type(value))?;
        }
        let (attributes, properties) = (module.attributes(operation), module.properties(operation));
        let (dictionary, place) = self.numbering.properties.resolve(
            self.context,
            self.target,
            name,
            attributes,
            properties,
        )?;
        self.numbering.operations[operation.index()] = (dictionary, place);
        if let Some(dictionary) = dictionary {
            self.attribute(dictionary)?;
        }
        let items = self.numbering.properties.items(place);
        for at in 0..items.len() {
            if let Item::Attribute { attribute, .. } =
                self.numbering.properties.item(items.start + at)
            {
                self.attribute(attribute)?;
            }
        }
        self.location(module.location(operation))
    }

    /// Counts a use of a location, or visits it.
    fn location(&mut self, location: Location) -> Result<()> {
        if let Some(place) = self.numbering.numbers.locations.get(location.index()) {
            self.numbering.numbers.attributes.count_at(place);
            return Ok(());
        }
        self.new_location(location)?;
        self.visit()
    }

    fn new_location(&mut self, location: Location) -> Result<()> {
        // Most locations are of this kind.
        if let Some((file, ..)) = self.context.place_in_file(location) {
            let place = self.file_range(location, file)?;
            let locations = &mut self.numbering.numbers.locations;
            locations.set(location.index(), place);
            return Ok(());
        }
        let place = match self.context.location_kind(location) {
            LocationKind::Dialect(attribute) => {
                if !self.numbering.numbers.attributes.count(attribute.index()) {
                    self.new_attribute(attribute)?;
                }
                self.numbering
                    .numbers
                    .attributes
                    .places
                    .get(attribute.index())
            }
            LocationKind::FileLineColRange { file, .. } => Some(self.file_range(location, file)?),
            _ => {
                // The representative of all equal locations.
                let attribute = self.context.location_attribute(location);
                let first = match *self.context.attribute_kind(attribute) {
                    AttributeKind::Location(first) => first,
                    _ => location,
                };
                match self.numbering.numbers.locations.get(first.index()) {
                    Some(place) => {
                        self.numbering.numbers.attributes.count_at(place);
                        Some(place)
                    }
                    None => {
                        let place = self.new_entry(AttributeEntry::Location(first))?;
                        self.numbering.numbers.locations.set(first.index(), place);
                        if let LocationKind::Unknown = self.context.location_kind(location) {
                            self.numbering.numbers.unknown_location = Some(place);
                        }
                        Some(place)
                    }
                }
            }
        };
        if let Some(place) = place {
            self.numbering
                .numbers
                .locations
                .set(location.index(), place);
        }
        Ok(())
    }

    /// Returns the position of a range in a file; fast path, since they are numerous.
    ///
    /// Its only reference is a string.
    fn file_range(&mut self, location: Location, file: Identifier) -> Result<u32> {
        let attributes = &mut self.numbering.numbers.attributes;
        let found = (self.file_ranges).find_or_add(self.context, location, attributes);
        if let Some(place) = found {
            attributes.count_at(place);
            return Ok(place);
        }
        // Returns the error here if the target does not support such ranges.
        if !self.target.has_file_ranges() {
            builtin::location(self.context.location_kind(location), self.target)?;
        }
        let (name, detail) = match self.last_file {
            Some((last, name, detail)) if last == file => (name, detail),
            _ => {
                let name = self.context.string_attribute_of(file);
                let dialect = self.dialect(self.context.builtin_namespace());
                let attributes = &mut self.numbering.numbers.attributes;
                let detail = attributes.add_detail(dialect, Layout::InFile(name));
                self.last_file = Some((file, name, detail));
                (name, detail)
            }
        };
        let attributes = &mut self.numbering.numbers.attributes;
        let place = attributes.push(AttributeEntry::Location(location), detail)?;
        if !attributes.count(name.index()) {
            self.stack.push(Child::Attribute(name));
        }
        Ok(place)
    }

    /// Returns the child for an attribute as stored in a file, where a location is an attribute.
    fn child(&self, attribute: Attribute) -> Child {
        match *self.context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Child::Location(location),
            _ => Child::Attribute(attribute),
        }
    }

    #[inline]
    fn attribute(&mut self, attribute: Attribute) -> Result<()> {
        if self.numbering.numbers.attributes.count(attribute.index()) {
            return Ok(());
        }
        let child = self.child(attribute);
        self.stack.push(child);
        self.visit()?;
        if let Child::Location(location) = child
            && let Some(place) = self.numbering.numbers.locations.get(location.index())
        {
            let places = &mut self.numbering.numbers.attributes.places;
            places.set(attribute.index(), place);
        }
        Ok(())
    }

    #[inline]
    fn ty(&mut self, ty: Type) -> Result<()> {
        if self.numbering.numbers.types.count(ty.index()) {
            return Ok(());
        }
        self.stack.push(Child::Type(ty));
        self.visit()
    }

    fn dialect(&mut self, name: Identifier) -> u32 {
        if let Some((last, number)) = self.last_dialect
            && last == name
        {
            return number;
        }
        let dialects = &mut self.numbering.numbers.dialects;
        let number = *self.dialect_numbers.entry(name).or_insert_with(|| {
            dialects.push(name);
            dialects.len() as u32 - 1
        });
        self.last_dialect = Some((name, number));
        number
    }

    fn resource(&mut self, resource: Resource) {
        let dialect = self.dialect(self.context.resource(resource).dialect);
        if self.known_resources.insert(resource) {
            self.resources.push((dialect, resource));
        }
    }

    /// Visits declared resources without references.
    ///
    /// Upstream drops them when it writes, but reads them. They are kept, with their alignment,
    /// although upstream's reader refuses a file that is not in memory at the greatest alignment in
    /// it; [`WriteOptions::lossy`](super::WriteOptions::lossy) drops them.
    fn declared_resources(&mut self) {
        if self.target.lossy {
            return;
        }
        for at in 0..self.module.provenance.resources.len() {
            let resource = self.module.provenance.resources[at];
            self.resource(resource);
        }
    }

    /// Visits the nodes on the stack, and their references.
    fn visit(&mut self) -> Result<()> {
        while let Some(child) = self.stack.pop() {
            match child {
                Child::Attribute(attribute) => {
                    if !self.numbering.numbers.attributes.count(attribute.index()) {
                        self.new_attribute(attribute)?;
                    }
                }
                Child::Location(location) => {
                    match self.numbering.numbers.locations.get(location.index()) {
                        Some(place) => self.numbering.numbers.attributes.count_at(place),
                        None => self.new_location(location)?,
                    }
                }
                Child::Type(ty) => {
                    if !self.numbering.numbers.types.count(ty.index()) {
                        self.new_type(ty)?;
                    }
                }
                Child::Resource(resource) => self.resource(resource),
            }
        }
        Ok(())
    }

    fn new_attribute(&mut self, attribute: Attribute) -> Result<()> {
        // The entry is registered before its references are visited.
        let place = self.new_entry(AttributeEntry::Attribute(attribute))?;
        let places = &mut self.numbering.numbers.attributes.places;
        places.set(attribute.index(), place);
        Ok(())
    }

    /// Creates an entry, and pushes its references onto the stack.
    fn new_entry(&mut self, handle: AttributeEntry) -> Result<u32> {
        let builtin = self.context.builtin_namespace();
        let dialect = match handle {
            AttributeEntry::Attribute(attribute) => match self.context.attribute_kind(attribute) {
                AttributeKind::Dialect { dialect, .. } => *dialect,
                _ => builtin,
            },
            AttributeEntry::Location(_) => builtin,
        };
        let number = self.dialect(dialect);
        let attributes = &mut self.numbering.numbers.attributes;
        let detail = attributes.add_detail(number, Layout::Text);
        let place = attributes.push(handle, detail)?;
        self.references.clear();
        let mut layout = Layout::Text;
        match handle {
            AttributeEntry::Attribute(attribute) if dialect != builtin => {
                if let Some(release) = self.codec_release(dialect)
                    && let Some(encoded) = encode_attribute(self.context, attribute, release)
                {
                    layout = self.encoded(encoded);
                }
            }
            _ => {
                if let Some(form) = builtin::entry(self.context, handle, self.target)? {
                    let references = &mut self.references;
                    for_each_reference(form.codec, &form.values, |reference| {
                        references.push(reference);
                    });
                    layout = Layout::Builtin;
                }
            }
        }
        let children = match layout {
            Layout::Text => self.text_children(match handle {
                AttributeEntry::Attribute(attribute) => IrEntry::Attribute(attribute),
                AttributeEntry::Location(location) => IrEntry::Location(location),
            })?,
            _ => {
                if let AttributeEntry::Attribute(attribute) = handle
                    && let AttributeKind::Distinct { .. } = self.context.attribute_kind(attribute)
                {
                    self.hold_distinct(attribute, IrEntry::Attribute(attribute))?;
                }
                self.children(0)?
            }
        };
        let attributes = &mut self.numbering.numbers.attributes;
        attributes.set_layout(place, layout, children);
        Ok(place)
    }

    fn new_type(&mut self, ty: Type) -> Result<()> {
        let kind = self.context.type_kind(ty);
        let dialect = match kind {
            TypeKind::Dialect { dialect, .. } => *dialect,
            _ => self.context.builtin_namespace(),
        };
        self.target.check_type(kind)?;
        let number = self.dialect(dialect);
        let place = self.numbering.numbers.types.add(ty.index(), ty, number)?;
        self.references.clear();
        let mut layout = Layout::Text;
        let mut rank = 0;
        if dialect != self.context.builtin_namespace() {
            if let Some(release) = self.codec_release(dialect)
                && let Some(encoded) = encode_type(self.context, ty, release)
            {
                layout = self.encoded(encoded);
            }
        } else if let Some(form) = builtin::ty(self.context, ty, self.target) {
            let references = &mut self.references;
            for_each_reference(form.codec, &form.values, |reference| {
                references.push(reference)
            });
            layout = Layout::Builtin;
            rank = self.context.shape(ty).map_or(0, <[i64]>::len);
        }
        let children = match layout {
            Layout::Text => self.text_children(IrEntry::Type(ty))?,
            _ => self.children(rank)?,
        };
        let types = &mut self.numbering.numbers.types;
        types.set_layout(place, layout, children);
        Ok(())
    }

    /// Returns the release by whose codecs the target reads a dialect's entries, if it has any.
    fn codec_release(&self, dialect: Identifier) -> Option<rmlir_ir::definition::Release> {
        let definition = self.context.dialect(self.context.bytes(dialect))?;
        self.target
            .encodes(self.context, dialect, &definition)
            .then(|| self.target.release(definition.family))
    }

    fn encoded(&mut self, encoded: EncodedEntry) -> Layout {
        let references = &mut self.references;
        for_each_reference(&encoded.codec, &encoded.values, |reference| {
            references.push(reference)
        });
        let number = self.numbering.encoded.len() as u32;
        self.numbering.encoded.push(encoded);
        Layout::Encoded(number)
    }

    /// Makes the references of an entry its children, which are visited next.
    ///
    /// `rank` is that of the identity map.
    fn children(&mut self, rank: usize) -> Result<Range<u32>> {
        let start = self.numbering.children.len();
        for at in 0..self.references.len() {
            let child = match self.references[at] {
                Reference::Attribute(attribute) => self.child(attribute),
                Reference::Identity => Child::Attribute(self.identity_map(rank)?),
                Reference::Location(location) => Child::Location(location),
                Reference::String(string) => {
                    Child::Attribute(self.context.string_attribute_of(string))
                }
                Reference::Symbol(string) => {
                    let kind = AttributeKind::SymbolRef {
                        root: string,
                        nested: Box::default(),
                    };
                    match self.context.try_attribute(kind) {
                        Ok(symbol) => Child::Attribute(symbol),
                        // A name is always an attribute.
                        Err(_) => continue,
                    }
                }
                Reference::Type(ty) => Child::Type(ty),
                Reference::Resource(resource) => Child::Resource(resource),
            };
            self.numbering.children.push(child);
        }
        let end = self.numbering.children.len();
        let children = self.numbering.children[start..].iter().rev();
        self.stack.extend(children);
        Ok(start as u32..end as u32)
    }

    fn identity_map(&mut self, rank: usize) -> Result<Attribute> {
        let too_many = |message: String| Error::new(ErrorKind::Limit, message);
        let rank = u32::try_from(rank).map_err(|error| too_many(error.to_string()))?;
        let map = AffineMap::identity(self.context.affine_mut(), rank);
        let map = map.map_err(|error| too_many(error.to_string()))?;
        Ok(self.context.affine_map_attribute(map))
    }

    /// Records that an entry holds a distinct attribute.
    ///
    /// Text spells the attribute out, and each text yields a new distinct attribute when it is
    /// read. So its identity is preserved only if no other entry holds it.
    fn hold_distinct(&mut self, attribute: Attribute, holder: IrEntry) -> Result<()> {
        let other = match self.distinct_holders.entry(attribute) {
            hash_map::Entry::Vacant(entry) => {
                entry.insert(holder);
                return Ok(());
            }
            hash_map::Entry::Occupied(entry) => *entry.get(),
        };
        if other == holder || self.target.lossy {
            return Ok(());
        }
        let described = |entry| match entry {
            IrEntry::Attribute(other) if other == attribute => "by itself".to_owned(),
            IrEntry::Attribute(other) => format!("in {}", attribute_to_string(self.context, other)),
            IrEntry::Type(ty) => format!("in {}", type_to_string(self.context, ty)),
            _ => "in a location".to_owned(),
        };
        let operation = self.operation.map(|operation| {
            let name = self
                .context
                .operation_name_bytes(self.module.name(operation));
            format!(" of operation '{}'", String::from_utf8_lossy(name))
        });
        let message = format!(
            "a distinct attribute occurs {}{} and also {}, at least one of which upstream's bytecode stores as text: they would be \
             read as different ones; native bytecode and text keep them, and lossy writing accepts the change",
            described(holder),
            operation.unwrap_or_default(),
            described(other),
        );
        Err(Error::new(ErrorKind::InvalidRequest, message))
    }

    /// Makes the resources that the text of an entry names its children.
    fn text_children(&mut self, holder: IrEntry) -> Result<Range<u32>> {
        let mut stack = vec![holder];
        let mut seen: HashSet<IrEntry, RandomState> = HashSet::default();
        let mut found = Vec::new();
        while let Some(entry) = stack.pop() {
            if let IrEntry::Attribute(attribute) = entry
                && let AttributeKind::DenseResource { resource, .. } =
                    self.context.attribute_kind(attribute)
            {
                found.push(Child::Resource(*resource));
            }
            if let IrEntry::Attribute(attribute) = entry
                && let AttributeKind::Distinct { .. } = self.context.attribute_kind(attribute)
            {
                self.hold_distinct(attribute, holder)?;
            }
            let start = stack.len();
            self.context.for_each_child(entry, |child| {
                if seen.insert(child) {
                    stack.push(child);
                }
            });
            stack[start..].reverse();
        }
        let start = self.numbering.children.len();
        self.numbering.children.extend(&found);
        self.stack.extend(found.iter().rev());
        Ok(start as u32..self.numbering.children.len() as u32)
    }
}
