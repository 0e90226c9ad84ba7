//! Which attributes, types, names, dialects and resources a file has, and in which order.
//!
//! They are met in the order in which upstream's writer meets them: an entry before what it refers to. In the tables those
//! that are used most come first, in groups in which they are sorted by dialect: the first group has the entries whose
//! numbers take one byte, and so on.

use super::builtin;
use super::fields::{Reference, for_each_reference};
use super::properties::{Item, PropertyTable};
use super::target::Target;
use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::affine::AffineMap;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Entry as IrEntry, Identifier, Location, LocationKind,
    Module, Operation, OperationName, Region, Resource, Type, TypeKind,
};
use rmlir_text::{EncodedEntry, encode_attribute, encode_type};
use std::ops::Range;

/// What an entry refers to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Attribute(Attribute),
    Type(Type),
    Resource(Resource),
}

/// How an entry is laid out.
pub(super) enum Layout {
    Text,
    /// By a codec of the builtin dialect.
    Builtin,
    /// By a codec of another dialect, as an index of [`Numbering::encoded`].
    Encoded(u32),
}

/// An attribute, type or name of an operation.
pub(super) struct Entry<T> {
    pub(super) handle: T,
    pub(super) dialect: u32,
    /// How often it is referred to.
    count: u32,
    pub(super) layout: Layout,
    /// What it refers to, in [`Numbering::children`].
    pub(super) children: Range<u32>,
}

/// Entries by first sight, and their numbers.
pub(super) struct Table<T> {
    pub(super) entries: Vec<Entry<T>>,
    /// By index of the handle, place in `entries` + 1.
    places: Vec<u32>,
    /// By number, place in `entries`.
    pub(super) order: Vec<u32>,
    /// By place in `entries`, the number.
    numbers: Vec<u32>,
}

impl<T> Table<T> {
    fn new() -> Self {
        Table {
            entries: Vec::new(),
            places: Vec::new(),
            order: Vec::new(),
            numbers: Vec::new(),
        }
    }

    #[inline]
    fn place(&self, index: usize) -> Option<usize> {
        let place = self.places.get(index).copied().unwrap_or(0);
        (place as usize).checked_sub(1)
    }

    /// Counts a use; false if there is no entry yet.
    #[inline]
    fn count(&mut self, index: usize) -> bool {
        match self.place(index) {
            Some(place) => {
                let entry = &mut self.entries[place];
                entry.count = entry.count.saturating_add(1);
                true
            }
            None => false,
        }
    }

    fn add(&mut self, index: usize, handle: T, dialect: u32) -> Result<usize> {
        let place = self.entries.len();
        let next = u32::try_from(place + 1)
            .ok()
            .filter(|&next| next < i32::MAX as u32)
            .ok_or_else(|| {
                Error::new(ErrorKind::Limit, "a table would have 2^31 or more entries")
            })?;
        if index >= self.places.len() {
            let len = (index + 1).max(self.places.len() * 2);
            self.places.resize(len, 0);
        }
        self.places[index] = next;
        self.entries.push(Entry {
            handle,
            dialect,
            count: 1,
            layout: Layout::Text,
            children: 0..0,
        });
        Ok(place)
    }

    /// Puts the entries into their final order.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.entries.len() as u32).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(self.entries[place as usize].count));
        let dialect = |place: u32| self.entries[place as usize].dialect;
        let (mut start, mut size, mut first) = (0, 0u64, 0);
        for bytes in 1..=8 {
            size = (1u64 << (7 * bytes)).saturating_sub(size);
            let len = usize::try_from(size).unwrap_or(usize::MAX);
            let end = start + len.min(order.len() - start);
            let group = &mut order[start..end];
            group.sort_by_key(|&place| (dialect(place) != first, dialect(place)));
            let Some(&last) = group.last() else { break };
            first = dialect(last);
            start = end;
        }
        self.numbers = vec![0; order.len()];
        for (number, &place) in (0..).zip(&order) {
            self.numbers[place as usize] = number;
        }
        self.order = order;
    }

    #[inline]
    fn number(&self, index: usize) -> Option<u64> {
        Some(self.numbers[self.place(index)?].into())
    }

    /// The entries in their final order.
    pub(super) fn sorted(&self) -> impl Iterator<Item = &Entry<T>> {
        self.order
            .iter()
            .map(|&place| &self.entries[place as usize])
    }
}

/// A resource handle by its dialect.
pub(super) struct ResourceGroup {
    pub(super) dialect: u32,
    /// Those with a value come first.
    pub(super) resources: Vec<Resource>,
}

/// The numbers of everything.
pub(super) struct Numbers {
    pub(super) attributes: Table<Attribute>,
    pub(super) types: Table<Type>,
    pub(super) names: Table<OperationName>,
    pub(super) dialects: Vec<Identifier>,
    pub(super) resources: Vec<ResourceGroup>,
    resource_numbers: HashMap<Resource, u64, RandomState>,
}

impl Numbers {
    pub(super) fn child(&self, child: Child) -> Result<u64> {
        match child {
            Child::Attribute(attribute) => self.attribute(attribute),
            Child::Type(ty) => self.ty(ty),
            Child::Resource(resource) => self
                .resource_numbers
                .get(&resource)
                .copied()
                .ok_or_else(unknown),
        }
    }

    #[inline]
    pub(super) fn attribute(&self, attribute: Attribute) -> Result<u64> {
        self.attributes
            .number(attribute.index())
            .ok_or_else(unknown)
    }

    #[inline]
    pub(super) fn ty(&self, ty: Type) -> Result<u64> {
        self.types.number(ty.index()).ok_or_else(unknown)
    }

    #[inline]
    pub(super) fn name(&self, name: OperationName) -> Result<u64> {
        self.names.number(name.index()).ok_or_else(unknown)
    }
}

#[cold]
fn unknown() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "the module has something that was not met before",
    )
}

/// The numbers, and what was found out on the way.
pub(super) struct Numbering {
    pub(super) numbers: Numbers,
    pub(super) children: Vec<Child>,
    pub(super) encoded: Vec<EncodedEntry>,
    pub(super) properties: PropertyTable,
    /// By operation: the dictionary of its attributes, and the place of its properties in `properties` + 1.
    pub(super) operations: Vec<(Option<Attribute>, u32)>,
    /// By location: the attribute that it is in the file.
    pub(super) locations: Vec<Option<Attribute>>,
}

impl Numbering {
    /// Numbers what the module has.
    pub(super) fn of(context: &mut Context, module: &Module, target: &Target) -> Result<Numbering> {
        let numbering = Numbering {
            numbers: Numbers {
                attributes: Table::new(),
                types: Table::new(),
                names: Table::new(),
                dialects: Vec::new(),
                resources: Vec::new(),
                resource_numbers: HashMap::default(),
            },
            children: Vec::new(),
            encoded: Vec::new(),
            properties: PropertyTable::default(),
            operations: vec![(None, 0); module.operation_slots()],
            locations: Vec::new(),
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
        };
        numberer.module()?;
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
    /// Dialect and resource, by first sight.
    resources: Vec<(u32, Resource)>,
    known_resources: HashSet<Resource, RandomState>,
    /// What is still to be visited, the next one last.
    stack: Vec<Child>,
    // Of the current entry, to be used again.
    references: Vec<Reference>,
}

impl Numberer<'_> {
    /// The operations of a region are visited before those nested in them, and of these the last ones come first.
    fn module(&mut self) -> Result<()> {
        let module = self.module;
        self.operation(module.top())?;
        let mut stack: Vec<Region> = module.regions(module.top()).collect();
        while let Some(region) = stack.pop() {
            for block in module.blocks(region) {
                for (value, location) in module.arguments(block) {
                    self.location(location)?;
                    self.ty(module.value_type(value))?;
                }
                for operation in module.operations(block) {
                    self.operation(operation)?;
                }
            }
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    stack.extend(module.regions(operation));
                }
            }
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
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
        let resolved = self.numbering.properties.resolve(
            self.context,
            self.target,
            name,
            attributes,
            properties,
        );
        let (dictionary, place) = resolved?;
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

    fn location(&mut self, location: Location) -> Result<()> {
        let attribute = self.location_attribute(location);
        self.attribute(attribute)
    }

    /// The attribute that a location is in a file.
    fn location_attribute(&mut self, location: Location) -> Attribute {
        let index = location.index();
        if let Some(&Some(known)) = self.numbering.locations.get(index) {
            return known;
        }
        let attribute = match *self.context.location_kind(location) {
            LocationKind::Dialect(attribute) => attribute,
            _ => self.context.location_attribute(location),
        };
        if index >= self.numbering.locations.len() {
            let len = (index + 1).max(self.numbering.locations.len() * 2);
            self.numbering.locations.resize(len, None);
        }
        self.numbering.locations[index] = Some(attribute);
        attribute
    }

    /// An attribute as it is in a file, where an attribute that is a location is itself one.
    fn canonical(&self, attribute: Attribute) -> Attribute {
        if let AttributeKind::Location(location) = *self.context.attribute_kind(attribute)
            && let LocationKind::Dialect(inner) = *self.context.location_kind(location)
        {
            return inner;
        }
        attribute
    }

    #[inline]
    fn attribute(&mut self, attribute: Attribute) -> Result<()> {
        if self.numbering.numbers.attributes.count(attribute.index()) {
            return Ok(());
        }
        self.stack.push(Child::Attribute(self.canonical(attribute)));
        self.visit()
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
        let dialects = &mut self.numbering.numbers.dialects;
        *self.dialect_numbers.entry(name).or_insert_with(|| {
            dialects.push(name);
            dialects.len() as u32 - 1
        })
    }

    fn resource(&mut self, resource: Resource) {
        let dialect = self.dialect(self.context.resource(resource).dialect);
        if self.known_resources.insert(resource) {
            self.resources.push((dialect, resource));
        }
    }

    /// The resources that the module declares and nothing refers to, which upstream forgets.
    fn declared_resources(&mut self) {
        for at in 0..self.module.provenance.resources.len() {
            let resource = self.module.provenance.resources[at];
            self.resource(resource);
        }
    }

    /// Visits what is on the stack, and what that refers to.
    fn visit(&mut self) -> Result<()> {
        while let Some(child) = self.stack.pop() {
            match child {
                Child::Attribute(attribute) => {
                    if !self.numbering.numbers.attributes.count(attribute.index()) {
                        self.new_attribute(attribute)?;
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
        let dialect = match self.context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, .. } => *dialect,
            _ => self.context.builtin_namespace(),
        };
        let number = self.dialect(dialect);
        let table = &mut self.numbering.numbers.attributes;
        let place = table.add(attribute.index(), attribute, number)?;
        self.references.clear();
        let mut layout = Layout::Text;
        if dialect != self.context.builtin_namespace() {
            if let Some(release) = self.codec_release(dialect)
                && let Some(encoded) = encode_attribute(self.context, attribute, release)
            {
                layout = self.encoded(encoded);
            }
        } else if let Some(form) = builtin::attribute(self.context, attribute, self.target)? {
            let references = &mut self.references;
            for_each_reference(form.codec, &form.values, |reference| {
                references.push(reference)
            });
            layout = Layout::Builtin;
        }
        let children = match layout {
            Layout::Text => self.text_children(IrEntry::Attribute(attribute)),
            _ => self.children(0)?,
        };
        let entry = &mut self.numbering.numbers.attributes.entries[place];
        (entry.layout, entry.children) = (layout, children);
        Ok(())
    }

    fn new_type(&mut self, ty: Type) -> Result<()> {
        let dialect = match self.context.type_kind(ty) {
            TypeKind::Dialect { dialect, .. } => *dialect,
            _ => self.context.builtin_namespace(),
        };
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
            Layout::Text => self.text_children(IrEntry::Type(ty)),
            _ => self.children(rank)?,
        };
        let entry = &mut self.numbering.numbers.types.entries[place];
        (entry.layout, entry.children) = (layout, children);
        Ok(())
    }

    /// The release by whose codecs the target reads a dialect's entries, if it has any.
    fn codec_release(&self, dialect: Identifier) -> Option<rmlir_ir::definition::Release> {
        let definition = self.context.dialect(self.context.bytes(dialect))?;
        self.target
            .encodes(dialect, &definition)
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

    /// Makes the references of an entry its children, which are visited next. `rank` is that of the identity map.
    fn children(&mut self, rank: usize) -> Result<Range<u32>> {
        let start = self.numbering.children.len();
        for at in 0..self.references.len() {
            let child = match self.references[at] {
                Reference::Attribute(attribute) => Child::Attribute(self.canonical(attribute)),
                Reference::Identity => Child::Attribute(self.identity_map(rank)?),
                Reference::Location(location) => {
                    Child::Attribute(self.location_attribute(location))
                }
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
                        // A name is always one.
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

    /// The resources that the text of an entry names are its children.
    fn text_children(&mut self, entry: IrEntry) -> Range<u32> {
        let mut stack = vec![entry];
        let mut seen: HashSet<IrEntry, RandomState> = HashSet::default();
        let mut found = Vec::new();
        while let Some(entry) = stack.pop() {
            if let IrEntry::Attribute(attribute) = entry
                && let AttributeKind::DenseResource { resource, .. } =
                    self.context.attribute_kind(attribute)
            {
                found.push(Child::Resource(*resource));
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
        start as u32..self.numbering.children.len() as u32
    }
}
