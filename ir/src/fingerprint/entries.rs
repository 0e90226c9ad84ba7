//! Hashes of types, attributes, locations, resources and affine expressions, each computed once
//! from the hashes of its operands.

use crate::affine::{AffineExpr, AffineExprKind};
use crate::content_node::ContentNode;
use crate::hash::{Hasher, hash};
use crate::resource::{Resource, ResourceValue};
use crate::{
    Attribute, AttributeKind, BodyReference, Context, DialectBody, Identifier, IndexedMap,
    Location, LocationKind, Signedness, Type, TypeKind,
};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// The first hashed byte of an entry, by kind: see `spec/fingerprint.md`. The operation tree starts
/// with an `r`, which is not one of these.
mod tag {
    pub(super) const TYPE_INTEGER: u8 = 0x10;
    pub(super) const TYPE_FLOAT: u8 = 0x11;
    pub(super) const TYPE_INDEX: u8 = 0x12;
    pub(super) const TYPE_NONE: u8 = 0x13;
    pub(super) const TYPE_COMPLEX: u8 = 0x14;
    pub(super) const TYPE_TUPLE: u8 = 0x15;
    pub(super) const TYPE_FUNCTION: u8 = 0x16;
    pub(super) const TYPE_VECTOR: u8 = 0x17;
    pub(super) const TYPE_RANKED_TENSOR: u8 = 0x18;
    pub(super) const TYPE_UNRANKED_TENSOR: u8 = 0x19;
    pub(super) const TYPE_MEMREF: u8 = 0x1a;
    pub(super) const TYPE_UNRANKED_MEMREF: u8 = 0x1b;
    pub(super) const TYPE_DIALECT: u8 = 0x1c;
    pub(super) const TYPE_GRAPH: u8 = 0x1d;
    pub(super) const TYPE_TOKEN: u8 = 0x1e;

    pub(super) const AFFINE_CONSTANT: u8 = 0x20;
    pub(super) const AFFINE_DIM: u8 = 0x21;
    pub(super) const AFFINE_SYMBOL: u8 = 0x22;
    pub(super) const AFFINE_ADD: u8 = 0x23;
    pub(super) const AFFINE_MUL: u8 = 0x24;
    pub(super) const AFFINE_MOD: u8 = 0x25;
    pub(super) const AFFINE_FLOOR_DIV: u8 = 0x26;
    pub(super) const AFFINE_CEIL_DIV: u8 = 0x27;
    /// A handle of another arena, which no valid map contains. Not in the specification.
    pub(super) const AFFINE_UNKNOWN: u8 = 0x2f;

    pub(super) const UNIT: u8 = 0x30;
    pub(super) const INTEGER: u8 = 0x31;
    pub(super) const FLOAT: u8 = 0x32;
    pub(super) const STRING: u8 = 0x33;
    pub(super) const SYMBOL_REF: u8 = 0x34;
    pub(super) const TYPE: u8 = 0x35;
    pub(super) const ARRAY: u8 = 0x36;
    pub(super) const DICTIONARY: u8 = 0x37;
    pub(super) const DENSE_ELEMENTS: u8 = 0x38;
    pub(super) const DENSE_STRINGS: u8 = 0x39;
    pub(super) const DENSE_ARRAY: u8 = 0x3a;
    pub(super) const DENSE_RESOURCE: u8 = 0x3b;
    pub(super) const SPARSE: u8 = 0x3c;
    pub(super) const AFFINE_MAP: u8 = 0x3d;
    pub(super) const INTEGER_SET: u8 = 0x3e;
    pub(super) const STRIDED_LAYOUT: u8 = 0x3f;
    pub(super) const DISTINCT: u8 = 0x40;
    pub(super) const LOCATION: u8 = 0x41;
    pub(super) const DIALECT: u8 = 0x42;
    pub(super) const DENSE_TEXT: u8 = 0x43;

    pub(super) const UNKNOWN_LOCATION: u8 = 0x50;
    pub(super) const FILE_LOCATION: u8 = 0x51;
    pub(super) const NAME_LOCATION: u8 = 0x52;
    pub(super) const CALL_SITE_LOCATION: u8 = 0x53;
    pub(super) const FUSED_LOCATION: u8 = 0x54;
    pub(super) const DIALECT_LOCATION: u8 = 0x55;

    pub(super) const RESOURCE_BLOB: u8 = 0x60;
    pub(super) const RESOURCE_STRING: u8 = 0x61;
    pub(super) const RESOURCE_BOOL: u8 = 0x62;
    pub(super) const RESOURCE_MISSING: u8 = 0x63;
}

/// Marks an entry in the tables while its parts are being hashed.
const IN_PROGRESS: u32 = u32::MAX;

/// The memoized hash of an entry.
struct Hashed {
    hash: [u8; 32],
    /// It reaches a distinct attribute, so that the hash depends on the operation it was met in.
    distinct: bool,
}

/// The memoized hashes of the entries of one context, and what computing them needs.
#[derive(Default)]
pub(super) struct Hashes {
    hashed: Vec<Hashed>,
    /// Places of `hashed` that can be used again.
    free: Vec<u32>,
    /// Indexed by handle: the index in `hashed` plus 1; 0 if not computed yet.
    types: IndexedMap<u32>,
    attributes: IndexedMap<u32>,
    locations: IndexedMap<u32>,
    resources: HashMap<Resource, u32, RandomState>,
    affine: HashMap<AffineExpr, u32, RandomState>,
    /// The numbers of distinct attributes, in order of first encounter.
    distincts: HashMap<Attribute, u32, RandomState>,
    /// Whether locations count. Otherwise all of them, which only attributes reach, are unknown.
    counts_locations: bool,
    /// Entries with `Hashed::distinct` set.
    depend_on_distincts: Vec<ContentNode>,
    stack: Vec<ContentNode>,
    /// The bytes to hash for the current entry.
    out: Vec<u8>,
    /// Whether the current entry reaches a distinct attribute.
    distinct: bool,
    /// The hashed bytes of each entry, for the worked example of the specification.
    #[cfg(test)]
    pub(super) recorded: Vec<(ContentNode, Vec<u8>)>,
}

/// Hashes the entries of one context and memoizes the hashes.
pub(super) struct Entries<'c> {
    context: &'c Context,
    pub(super) known: Box<Hashes>,
}

impl<'c> Entries<'c> {
    pub(super) fn new(context: &'c Context, counts_locations: bool) -> Self {
        let known = Box::new(Hashes {
            counts_locations,
            types: IndexedMap::new(context.type_count(), 0),
            attributes: IndexedMap::new(context.attribute_count(), 0),
            ..Hashes::default()
        });
        Entries { context, known }
    }

    /// Goes on with the hashes of entries of a context to which others may have been added since.
    pub(super) fn resume(context: &'c Context, known: Box<Hashes>) -> Self {
        Entries { context, known }
    }

    /// Returns the hashes, to be [resumed](Self::resume).
    pub(super) fn into_hashes(self) -> Box<Hashes> {
        self.known
    }

    pub(super) fn context(&self) -> &'c Context {
        self.context
    }

    /// Returns whether locations count.
    pub(super) fn counts_locations(&self) -> bool {
        self.known.counts_locations
    }

    /// Forgets the numbers of distinct attributes, and all that depends on them.
    pub(super) fn forget_distincts(&mut self) {
        self.known.distincts.clear();
        for entry in std::mem::take(&mut self.known.depend_on_distincts) {
            if let Some(place) = self.set_place(entry, 0) {
                self.known.free.push(place);
            }
        }
    }

    /// Returns the hash of an entry. Newly encountered distinct attributes that it reaches are
    /// numbered in the order in which their hashes are needed.
    #[inline]
    pub(super) fn hash(&mut self, entry: ContentNode) -> &[u8; 32] {
        let place = match self.place(entry) {
            Some(place) => place,
            None => self.compute(entry),
        };
        &self.known.hashed[place as usize].hash
    }

    /// Returns the hash of an entry, and whether it reaches a distinct attribute, so that the hash
    /// depends on those that were met before.
    #[inline]
    pub(super) fn hash_with_distinct(&mut self, entry: ContentNode) -> ([u8; 32], bool) {
        let place = match self.place(entry) {
            Some(place) => place,
            None => self.compute(entry),
        };
        let hashed = &self.known.hashed[place as usize];
        (hashed.hash, hashed.distinct)
    }

    /// Returns the hash that a dictionary has if another name replaces the string in the value of
    /// `key`, as after [`Module::set_symbol_name`](crate::Module::set_symbol_name).
    pub(super) fn hash_renamed(
        &mut self,
        dictionary: Attribute,
        key: &[u8],
        name: &[u8],
    ) -> [u8; 32] {
        let context = self.context;
        // Afterwards everything in it has a hash.
        let hash_before = *self.hash(ContentNode::Attribute(dictionary));
        let AttributeKind::Dictionary(entries) = context.attribute_kind(dictionary) else {
            return hash_before;
        };
        let value = context.dictionary_get(dictionary, key);
        let renamed = value.map(|value| self.renamed(value, name));
        self.known.out.clear();
        self.byte(tag::DICTIONARY);
        self.varint(entries.len() as u64);
        for &(entry, value) in entries {
            self.identifier(entry);
            match renamed.filter(|_| context.bytes(entry) == key) {
                Some(renamed) => self.bytes(&renamed),
                None => self.child(ContentNode::Attribute(value)),
            }
        }
        hash(&self.known.out)
    }

    /// Returns the hash of an attribute that holds a string, with another one in it.
    fn renamed(&mut self, attribute: Attribute, name: &[u8]) -> [u8; 32] {
        self.known.out.clear();
        match self.context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, .. } => {
                self.byte(tag::DIALECT);
                self.identifier(*dialect);
                self.optional(None);
                self.body(&body.with_string_literal(name));
            }
            _ => {
                self.byte(tag::STRING);
                self.optional(None);
                self.bytes(name);
            }
        }
        hash(&self.known.out)
    }

    #[inline]
    fn place(&self, entry: ContentNode) -> Option<u32> {
        let place = match entry {
            ContentNode::Type(ty) => self.known.types.get(ty.index()),
            ContentNode::Attribute(attribute) => self.known.attributes.get(attribute.index()),
            ContentNode::Location(location) => self.known.locations.get(location.index()),
            ContentNode::Resource(resource) => *self.known.resources.get(&resource)?,
            ContentNode::Affine(expr) => *self.known.affine.get(&expr)?,
        };
        place.checked_sub(1)
    }

    /// Sets the table value of an entry (its index plus one, or 0); returns the previous one.
    fn set_place(&mut self, entry: ContentNode, place: u32) -> Option<u32> {
        let slot = match entry {
            ContentNode::Type(ty) => self.known.types.get_mut(ty.index()),
            ContentNode::Attribute(attribute) => self.known.attributes.get_mut(attribute.index()),
            ContentNode::Location(location) => {
                self.known
                    .locations
                    .reserve(self.context.location_count(), 0);
                self.known.locations.get_mut(location.index())
            }
            ContentNode::Resource(resource) => self.known.resources.entry(resource).or_insert(0),
            ContentNode::Affine(expr) => self.known.affine.entry(expr).or_insert(0),
        };
        std::mem::replace(slot, place).checked_sub(1)
    }

    /// Hashes an entry, and everything it reaches that has no hash yet.
    ///
    /// The entry on top of the stack is written. If it refers to entries without a hash, these are
    /// pushed, the first one topmost, and the entry is written again when they are done. So each
    /// entry is written at most twice, and entries are first encountered in depth-first order.
    #[cold]
    fn compute(&mut self, entry: ContentNode) -> u32 {
        self.known.stack.push(entry);
        let mut place = 0;
        while let Some(&top) = self.known.stack.last() {
            if let Some(known) = self.place(top)
                && known != IN_PROGRESS - 1
            {
                place = known;
                self.known.stack.pop();
                continue;
            }
            let before = self.known.stack.len();
            self.known.out.clear();
            self.known.distinct = false;
            let data = self.write(top);
            if let Some(pushed @ [_, ..]) = self.known.stack.get_mut(before..) {
                pushed.reverse();
                self.set_place(top, IN_PROGRESS);
                continue;
            }
            let hash = if data.is_empty() {
                hash(&self.known.out)
            } else {
                Hasher::new()
                    .update(&self.known.out)
                    .update(data)
                    .finalize()
            };
            #[cfg(test)]
            self.known
                .recorded
                .push((top, [self.known.out.as_slice(), data].concat()));
            self.remember(top, hash);
        }
        place
    }

    fn remember(&mut self, entry: ContentNode, hash: [u8; 32]) {
        let hashed = Hashed {
            hash,
            distinct: self.known.distinct,
        };
        let place = match self.known.free.pop() {
            Some(place) => {
                self.known.hashed[place as usize] = hashed;
                place as usize
            }
            None => {
                self.known.hashed.push(hashed);
                self.known.hashed.len() - 1
            }
        };
        // Tables have fewer than 2^32 entries each; five full ones do not fit in memory.
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        self.set_place(entry, place.saturating_add(1));
        if self.known.distinct {
            self.known.depend_on_distincts.push(entry);
        }
    }

    /// Writes the bytes to hash for an entry, except for trailing data, which is returned. Pushes
    /// the referenced entries without a hash instead of writing their hashes.
    fn write(&mut self, entry: ContentNode) -> &'c [u8] {
        match entry {
            ContentNode::Type(ty) => {
                self.ty(ty);
                &[]
            }
            ContentNode::Attribute(attribute) => self.attribute(attribute),
            ContentNode::Location(location) => {
                self.location(location);
                &[]
            }
            ContentNode::Resource(resource) => self.resource(resource),
            ContentNode::Affine(expr) => {
                self.affine(expr);
                &[]
            }
        }
    }

    fn ty(&mut self, ty: Type) {
        match self.context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                let signedness = match signedness {
                    Signedness::Signless => 0,
                    Signedness::Signed => 1,
                    Signedness::Unsigned => 2,
                };
                self.bytes(&[tag::TYPE_INTEGER, signedness]);
                self.varint(u64::from(*width));
            }
            TypeKind::Float(kind) => {
                self.byte(tag::TYPE_FLOAT);
                self.string(kind.keyword().as_bytes());
            }
            TypeKind::Index => self.byte(tag::TYPE_INDEX),
            TypeKind::None => self.byte(tag::TYPE_NONE),
            TypeKind::Token => self.byte(tag::TYPE_TOKEN),
            TypeKind::Complex(element) => {
                self.byte(tag::TYPE_COMPLEX);
                self.child(ContentNode::Type(*element));
            }
            TypeKind::Tuple(types) => {
                self.byte(tag::TYPE_TUPLE);
                self.types(types);
            }
            TypeKind::Function { inputs, results } => {
                self.byte(tag::TYPE_FUNCTION);
                self.types(inputs);
                self.types(results);
            }
            TypeKind::Graph { inputs, results } => {
                self.byte(tag::TYPE_GRAPH);
                self.types(inputs);
                self.types(results);
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.byte(tag::TYPE_VECTOR);
                self.child(ContentNode::Type(*element));
                self.integers(shape);
                for &scalable in scalable {
                    self.byte(u8::from(scalable));
                }
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                self.byte(tag::TYPE_RANKED_TENSOR);
                self.child(ContentNode::Type(*element));
                self.optional(encoding.map(ContentNode::Attribute));
                self.integers(shape);
            }
            TypeKind::UnrankedTensor(element) => {
                self.byte(tag::TYPE_UNRANKED_TENSOR);
                self.child(ContentNode::Type(*element));
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                self.byte(tag::TYPE_MEMREF);
                self.child(ContentNode::Type(*element));
                self.optional(layout.map(ContentNode::Attribute));
                self.optional(memory_space.map(ContentNode::Attribute));
                self.integers(shape);
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                self.byte(tag::TYPE_UNRANKED_MEMREF);
                self.child(ContentNode::Type(*element));
                self.optional(memory_space.map(ContentNode::Attribute));
            }
            TypeKind::Dialect { dialect, body } => {
                self.byte(tag::TYPE_DIALECT);
                self.identifier(*dialect);
                self.body(body);
            }
        }
    }

    fn attribute(&mut self, attribute: Attribute) -> &'c [u8] {
        let context = self.context;
        match context.attribute_kind(attribute) {
            AttributeKind::Unit => self.byte(tag::UNIT),
            AttributeKind::Integer { ty, value } => {
                self.byte(tag::INTEGER);
                self.child(ContentNode::Type(*ty));
                let size = value.width().div_ceil(8) as usize;
                value.to_le_bytes(&mut self.known.out, size);
            }
            AttributeKind::Float { ty, bits } => {
                self.byte(tag::FLOAT);
                self.child(ContentNode::Type(*ty));
                self.bytes(&bits.to_le_bytes());
            }
            AttributeKind::String { value, ty } => {
                self.byte(tag::STRING);
                self.optional(ty.map(ContentNode::Type));
                return context.bytes(*value);
            }
            AttributeKind::SymbolRef { root, nested } => {
                self.byte(tag::SYMBOL_REF);
                self.identifier(*root);
                self.identifiers(nested);
            }
            AttributeKind::Type(ty) => {
                self.byte(tag::TYPE);
                self.child(ContentNode::Type(*ty));
            }
            AttributeKind::Array(elements) => {
                self.byte(tag::ARRAY);
                self.varint(elements.len() as u64);
                for &element in elements {
                    self.child(ContentNode::Attribute(element));
                }
            }
            AttributeKind::Dictionary(entries) => {
                self.byte(tag::DICTIONARY);
                self.varint(entries.len() as u64);
                for &(name, value) in entries {
                    self.identifier(name);
                    self.child(ContentNode::Attribute(value));
                }
            }
            AttributeKind::DenseElements { ty, splat, data } => {
                self.bytes(&[tag::DENSE_ELEMENTS, u8::from(*splat)]);
                self.child(ContentNode::Type(*ty));
                return data;
            }
            AttributeKind::DenseStrings { ty, splat, values } => {
                self.bytes(&[tag::DENSE_STRINGS, u8::from(*splat)]);
                self.child(ContentNode::Type(*ty));
                self.identifiers(values);
            }
            AttributeKind::DenseText { ty, literal } => {
                self.byte(tag::DENSE_TEXT);
                self.child(ContentNode::Type(*ty));
                return context.bytes(*literal);
            }
            AttributeKind::DenseArray {
                element,
                length,
                data,
            } => {
                self.byte(tag::DENSE_ARRAY);
                self.child(ContentNode::Type(*element));
                self.varint(*length as u64);
                return data;
            }
            AttributeKind::DenseResource { ty, resource } => {
                self.byte(tag::DENSE_RESOURCE);
                self.child(ContentNode::Type(*ty));
                self.child(ContentNode::Resource(*resource));
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => {
                self.byte(tag::SPARSE);
                self.child(ContentNode::Type(*ty));
                self.child(ContentNode::Attribute(*indices));
                self.child(ContentNode::Attribute(*values));
            }
            AttributeKind::AffineMap(map) => {
                self.byte(tag::AFFINE_MAP);
                self.varint(u64::from(map.num_dims));
                self.varint(u64::from(map.num_symbols));
                self.varint(map.results.len() as u64);
                for &result in &map.results {
                    self.child(ContentNode::Affine(result));
                }
            }
            AttributeKind::IntegerSet(set) => {
                self.byte(tag::INTEGER_SET);
                self.varint(u64::from(set.num_dims));
                self.varint(u64::from(set.num_symbols));
                self.varint(set.constraints.len() as u64);
                for &(expr, is_equality) in &set.constraints {
                    self.byte(u8::from(is_equality));
                    self.child(ContentNode::Affine(expr));
                }
            }
            AttributeKind::StridedLayout { offset, strides } => {
                self.byte(tag::STRIDED_LAYOUT);
                self.bytes(&offset.to_le_bytes());
                self.integers(strides);
            }
            AttributeKind::Distinct { referenced, .. } => {
                // Numbered before the wrapped attribute is hashed: the order in which text prints
                // them.
                let next = self.known.distincts.len() as u32;
                let number = *self.known.distincts.entry(attribute).or_insert(next);
                self.known.distinct = true;
                self.byte(tag::DISTINCT);
                self.varint(u64::from(number));
                self.child(ContentNode::Attribute(*referenced));
            }
            AttributeKind::Location(location) => {
                self.byte(tag::LOCATION);
                self.child(ContentNode::Location(*location));
            }
            AttributeKind::Dialect { dialect, body, ty } => {
                self.byte(tag::DIALECT);
                self.identifier(*dialect);
                self.optional(ty.map(ContentNode::Type));
                self.body(body);
            }
        }
        &[]
    }

    fn location(&mut self, location: Location) {
        match self.context.location_kind(location) {
            _ if !self.known.counts_locations => self.byte(tag::UNKNOWN_LOCATION),
            LocationKind::Unknown => self.byte(tag::UNKNOWN_LOCATION),
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form: _,
            } => {
                self.byte(tag::FILE_LOCATION);
                for number in [start_line, start_column, end_line, end_column] {
                    self.varint(u64::from(number));
                }
                self.identifier(file);
            }
            LocationKind::Dialect(attribute) => {
                self.byte(tag::DIALECT_LOCATION);
                self.child(ContentNode::Attribute(attribute));
            }
            LocationKind::Name { name, child } => {
                self.byte(tag::NAME_LOCATION);
                self.identifier(name);
                self.child(ContentNode::Location(child));
            }
            LocationKind::CallSite { callee, caller } => {
                self.byte(tag::CALL_SITE_LOCATION);
                self.child(ContentNode::Location(callee));
                self.child(ContentNode::Location(caller));
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                self.byte(tag::FUSED_LOCATION);
                self.optional(metadata.map(ContentNode::Attribute));
                self.varint(locations.len() as u64);
                for &location in locations {
                    self.child(ContentNode::Location(location));
                }
            }
        }
    }

    fn resource(&mut self, resource: Resource) -> &'c [u8] {
        let context = self.context;
        let entry = context.resource(resource);
        match &entry.value {
            Some(ResourceValue::Blob(blob)) => {
                self.byte(tag::RESOURCE_BLOB);
                self.varint(u64::from(blob.alignment()));
                blob.data()
            }
            Some(ResourceValue::String(text)) => {
                self.byte(tag::RESOURCE_STRING);
                text
            }
            Some(ResourceValue::Bool(value)) => {
                self.bytes(&[tag::RESOURCE_BOOL, u8::from(*value)]);
                &[]
            }
            None => {
                self.byte(tag::RESOURCE_MISSING);
                self.identifier(entry.dialect);
                self.identifier(entry.key);
                &[]
            }
        }
    }

    fn affine(&mut self, expr: AffineExpr) {
        use AffineExprKind as K;
        let kind = self.context.affine().kind(expr);
        self.byte(match kind {
            Some(K::Constant(_)) => tag::AFFINE_CONSTANT,
            Some(K::Dim(_)) => tag::AFFINE_DIM,
            Some(K::Symbol(_)) => tag::AFFINE_SYMBOL,
            Some(K::Add(..)) => tag::AFFINE_ADD,
            Some(K::Mul(..)) => tag::AFFINE_MUL,
            Some(K::Mod(..)) => tag::AFFINE_MOD,
            Some(K::FloorDiv(..)) => tag::AFFINE_FLOOR_DIV,
            Some(K::CeilDiv(..)) => tag::AFFINE_CEIL_DIV,
            None => tag::AFFINE_UNKNOWN,
        });
        match kind {
            Some(K::Constant(value)) => self.bytes(&value.to_le_bytes()),
            Some(K::Dim(position) | K::Symbol(position)) => self.varint(u64::from(position)),
            _ => {}
        }
        if let Some((left, right)) = kind.and_then(K::operands) {
            self.child(ContentNode::Affine(left));
            self.child(ContentNode::Affine(right));
        }
    }

    fn body(&mut self, body: &DialectBody) {
        self.string(body.text());
        self.varint(body.references().len() as u64);
        for &(at, reference) in body.references() {
            self.varint(u64::from(at));
            // Tags of types and attributes differ, so that no further mark is needed.
            self.child(match reference {
                BodyReference::Attribute(attribute) => ContentNode::Attribute(attribute),
                BodyReference::Type(ty) => ContentNode::Type(ty),
            });
        }
    }

    // Pieces.

    fn byte(&mut self, byte: u8) {
        self.known.out.push(byte);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.known.out.extend_from_slice(bytes);
    }

    fn varint(&mut self, value: u64) {
        push_varint(&mut self.known.out, value);
    }

    /// Length and bytes.
    fn string(&mut self, bytes: &[u8]) {
        push_bytes(&mut self.known.out, bytes);
    }

    fn identifier(&mut self, identifier: Identifier) {
        push_bytes(&mut self.known.out, self.context.bytes(identifier));
    }

    fn identifiers(&mut self, identifiers: &[Identifier]) {
        self.varint(identifiers.len() as u64);
        for &identifier in identifiers {
            self.identifier(identifier);
        }
    }

    fn integers(&mut self, integers: &[i64]) {
        self.varint(integers.len() as u64);
        for integer in integers {
            self.bytes(&integer.to_le_bytes());
        }
    }

    fn types(&mut self, types: &[Type]) {
        self.varint(types.len() as u64);
        for &ty in types {
            self.child(ContentNode::Type(ty));
        }
    }

    fn optional(&mut self, entry: Option<ContentNode>) {
        self.byte(u8::from(entry.is_some()));
        if let Some(entry) = entry {
            self.child(entry);
        }
    }

    /// Writes the hash of an entry, or pushes the entry if it has none yet.
    fn child(&mut self, entry: ContentNode) {
        let Some(place) = self.place(entry) else {
            self.known.stack.push(entry);
            return;
        };
        match self.known.hashed.get(place as usize) {
            Some(hashed) => {
                self.known.distinct |= hashed.distinct;
                self.known.out.extend_from_slice(&hashed.hash);
            }
            // It is in progress, so that it reaches itself. Only a location that was defined in
            // terms of itself does, which no module may have; this ends all the same.
            None => self.known.out.extend_from_slice(&[0; 32]),
        }
    }
}

/// Seven bits a byte, lowest first, the top bit set on all but the last.
pub(super) fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Length and bytes.
pub(super) fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    push_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}
