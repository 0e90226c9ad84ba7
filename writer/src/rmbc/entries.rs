//! Types, attributes, and all locations except positions in files.
//!
//! First all nodes are collected, with their depth and number of uses. Then they are sorted, which
//! determines their numbers. Then they are written.

use super::encoder::{Encoder, write_bytes, write_option};
use crate::numbers::{Numbers, Shared, next};
use rmlir_format::rmbc::references::{NO_REFERENCES, ReferenceSets, References};
use rmlir_format::rmbc::table::Table;
use rmlir_format::rmbc::{FLOAT_KEYWORDS, fragments, opaque, tag};
use rmlir_format::varint::{write_signed_varint, write_varint, zigzag};
use rmlir_format::{Error, ErrorKind, Result, check_limit};
use rmlir_ir::{
    Attribute, AttributeKind, BodyReference, Context, DYNAMIC, DialectBody, Entry, Identifier,
    Location, LocationKind, Signedness, Type, TypeKind,
};
use std::borrow::Cow;

/// The data of a collected node.
struct Collected {
    node: Entry,
    tag: u8,
    /// Greater than the levels of all nodes that it refers to.
    level: u32,
    /// The number of references to it.
    uses: u32,
    /// The symbol references in it.
    references: References,
    /// The number in its number space, once assigned.
    number: u32,
}

/// The nodes to write, by position in the order of collection; then by number.
#[derive(Default)]
pub(super) struct Entries {
    types: Numbers,
    attributes: Numbers,
    locations: Numbers,
    /// Collected locations, to hash-cons equal ones.
    shared: Shared,
    location_bytes: Vec<u8>,
    nodes: Vec<Collected>,
    /// Positions in `nodes`, in the order of the file, once it is known.
    order: Vec<u32>,
    attribute_count: u32,
    /// Whether numbers are known.
    numbered: bool,
    /// Nodes that wait for their references.
    stack: Vec<Entry>,
    /// The references of the current node.
    children: Vec<u32>,
    sets: ReferenceSets,
}

impl Entries {
    /// Creates an empty table of nodes for a module with about `operations` operations.
    pub(super) fn new(context: &Context, operations: usize) -> Self {
        Entries {
            types: Numbers::new(context.type_count(), operations),
            attributes: Numbers::new(context.attribute_count(), operations),
            locations: Numbers::new(context.location_count(), operations),
            ..Entries::default()
        }
    }

    /// Returns the written nodes, in the order of the numbers of their space.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Entry> {
        self.order.iter().map(|&at| self.nodes[at as usize].node)
    }

    /// Returns the indices of the symbol references in a set; `None` if there are too many.
    pub(super) fn references(&self, set: References) -> Option<&[u32]> {
        self.sets.get(set)
    }

    /// Returns the union of two sets of symbol references.
    #[inline]
    pub(super) fn union(&mut self, a: References, b: References) -> References {
        match b {
            NO_REFERENCES => a,
            _ => self.sets.union(a, b),
        }
    }

    /// Returns the number of the collected attribute with an index.
    pub(super) fn attribute_number_at(&self, index: usize) -> u64 {
        let at = self.attributes.get(index);
        let node = at.and_then(|at| self.nodes.get(at as usize));
        debug_assert!(node.is_some(), "attribute {index} was not collected");
        node.map_or(0, |node| node.number.into())
    }

    /// Returns whether a node was collected.
    pub(super) fn has(&self, node: Entry) -> bool {
        self.position(node).is_some()
    }

    /// Returns the position of a node in the list.
    #[inline]
    fn position(&self, node: Entry) -> Option<u32> {
        match node {
            Entry::Type(ty) => self.types.get(ty.index()),
            Entry::Attribute(attribute) => self.attributes.get(attribute.index()),
            Entry::Location(location) => self.locations.get(location.index()),
        }
    }

    fn positions_mut(&mut self, node: Entry) -> (&mut Numbers, usize) {
        match node {
            Entry::Type(ty) => (&mut self.types, ty.index()),
            Entry::Attribute(attribute) => (&mut self.attributes, attribute.index()),
            Entry::Location(location) => (&mut self.locations, location.index()),
        }
    }

    /// Returns the number of a node in its number space.
    ///
    /// While nodes are collected, returns its position. A node not yet collected is pushed onto the
    /// stack, and the result is arbitrary.
    fn reference(&mut self, node: Entry) -> u64 {
        match self.position(node) {
            Some(at) if self.numbered => self.nodes[at as usize].number.into(),
            Some(at) => {
                self.children.push(at);
                at.into()
            }
            None => {
                self.stack.push(node);
                0
            }
        }
    }

    fn ty(&mut self, ty: Type) -> u64 {
        self.reference(Entry::Type(ty))
    }

    /// Returns the number of the collected type with an index.
    pub(super) fn type_number_at(&self, index: usize) -> u64 {
        let at = self.types.get(index);
        debug_assert!(at.is_some(), "type {index} was not collected");
        let at = at.unwrap_or_default();
        self.nodes
            .get(at as usize)
            .map_or(0, |node| node.number.into())
    }

    /// Sorts the collected nodes.
    ///
    /// By level, so that each node comes after its references; then by tag, so that tags need not
    /// be stored for each; then the most used first.
    fn number(&mut self) {
        // Keys in one number are compared without dereferencing the nodes: level, tag, uses from
        // the most on, position.
        let key = |(node, at): (&Collected, u32)| {
            let (level, tag) = (u128::from(node.level), u128::from(node.tag));
            level << 72 | tag << 64 | u128::from(!node.uses) << 32 | u128::from(at)
        };
        let mut keys: Vec<u128> = self.nodes.iter().zip(0u32..).map(key).collect();
        keys.sort_unstable();
        self.order = keys.into_iter().map(|key| key as u32).collect();
        let (mut types, mut attributes, mut locations) = (0, 0, 0);
        for &at in &self.order {
            let node = &mut self.nodes[at as usize];
            let count = match node.node {
                Entry::Type(_) => &mut types,
                Entry::Attribute(_) => &mut attributes,
                Entry::Location(_) => &mut locations,
            };
            node.number = *count;
            *count += 1;
        }
        self.attribute_count = attributes;
        self.numbered = true;
    }
}

/// Returns the string of an attribute that is encoded as its string.
#[inline]
fn plain_string(context: &Context, attribute: Attribute) -> Option<Identifier> {
    match context.attribute_kind(attribute) {
        &AttributeKind::String { value, ty: None } => Some(value),
        _ => None,
    }
}

impl<'c> Encoder<'c> {
    /// Collects a type, and counts a use of it. Returns the symbol references in it.
    #[inline]
    pub(super) fn collect_type(&mut self, ty: Type) -> Result<References> {
        self.collect(Entry::Type(ty))
    }

    /// Collects an attribute, and counts a use of it. Returns the symbol references in it.
    #[inline]
    pub(super) fn collect_attribute(&mut self, attribute: Attribute) -> Result<References> {
        match plain_string(self.context, attribute) {
            Some(string) => {
                self.strings.collect(string);
                Ok(NO_REFERENCES)
            }
            None => self.collect(Entry::Attribute(attribute)),
        }
    }

    /// Collects a node and its references. Returns the symbol references in it.
    pub(super) fn collect(&mut self, node: Entry) -> Result<References> {
        let at = match self.entries.position(node) {
            Some(at) => at,
            None => self.collect_new(node)?,
        };
        let Some(node) = self.entries.nodes.get_mut(at as usize) else {
            return Ok(NO_REFERENCES);
        };
        node.uses = node.uses.saturating_add(1);
        Ok(node.references)
    }

    fn collect_new(&mut self, node: Entry) -> Result<u32> {
        let mut out = std::mem::take(&mut self.entries.location_bytes);
        self.entries.stack.clear();
        self.entries.stack.push(node);
        let mut last = 0;
        while let Some(&top) = self.entries.stack.last() {
            if let Some(at) = self.entries.position(top) {
                last = at;
                self.entries.stack.pop();
                continue;
            }
            let (start, height) = (out.len(), self.entries.stack.len());
            self.entries.children.clear();
            let tag = self.entry_body(&mut out, top)?;
            let entries = &mut self.entries;
            if entries.stack.len() > height {
                // References are collected first, in order; then this node again.
                out.truncate(start);
                entries.stack[height..].reverse();
                let (positions, index) = entries.positions_mut(top);
                if !positions.begin(index) {
                    return Err(containing_itself());
                }
                continue;
            }
            let new = entries.nodes.len() as u32;
            let at = match top {
                Entry::Location(_) => {
                    out.push(tag);
                    entries.shared.find_or_add(&out, start, new)
                }
                _ => new,
            };
            if at != new || !matches!(top, Entry::Location(_)) {
                out.truncate(start);
            }
            if at == new {
                next(new)?;
                let (mut level, mut references) = (0, NO_REFERENCES);
                for &child in &entries.children {
                    let child = &mut entries.nodes[child as usize];
                    level = level.max(child.level + 1);
                    child.uses = child.uses.saturating_add(1);
                    references = entries.sets.union(references, child.references);
                }
                if let (tag::SYMBOL_REF, Entry::Attribute(attribute)) = (tag, top) {
                    references = entries.sets.single(attribute.index() as u32);
                }
                entries.nodes.push(Collected {
                    node: top,
                    tag,
                    level,
                    uses: 0,
                    references,
                    number: 0,
                });
            }
            let (positions, index) = entries.positions_mut(top);
            positions.set(index, at);
        }
        self.entries.location_bytes = out;
        Ok(last)
    }

    /// Assigns numbers to strings and entries when all are collected.
    pub(super) fn number(&mut self) {
        self.strings.number(self.context);
        self.entries.number();
        self.numbered = true;
    }

    /// Returns the number of a collected type.
    #[inline]
    pub(super) fn type_number(&self, ty: Type) -> u64 {
        self.entries.type_number_at(ty.index())
    }

    /// Returns the number of a collected attribute. Strings are numbered after all others.
    #[inline]
    pub(super) fn attribute_number(&self, attribute: Attribute) -> u64 {
        match plain_string(self.context, attribute) {
            Some(string) => self.strings.get(string) + u64::from(self.entries.attribute_count),
            None => {
                let at = self.entries.attributes.get(attribute.index());
                debug_assert!(at.is_some(), "{attribute:?} was not collected");
                let node = self.entries.nodes.get(at.unwrap_or_default() as usize);
                node.map_or(0, |node| node.number.into())
            }
        }
    }

    /// Returns the number of a location, if it was collected as an entry.
    pub(super) fn location_number(&self, location: Location) -> Option<u64> {
        let at = self.entries.locations.get(location.index())?;
        let node = self.entries.nodes.get(at as usize)?;
        Some(node.number.into())
    }

    /// Encodes the section of entries; no bytes if there are none.
    pub(super) fn finish_entries(&mut self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.entries.nodes.is_empty() {
            return Ok(out);
        }
        let order = std::mem::take(&mut self.entries.order);
        let nodes = std::mem::take(&mut self.entries.nodes);
        let key = |&at: &u32| (nodes[at as usize].level, nodes[at as usize].tag);
        let runs = || order.chunk_by(|a, b| key(a) == key(b));
        write_varint(&mut out, runs().count() as u64);
        for run in runs() {
            out.push(key(&run[0]).1);
            write_varint(&mut out, run.len() as u64);
        }
        let list: Vec<Entry> = order.iter().map(|&at| nodes[at as usize].node).collect();
        self.entries.order = order;
        self.entries.nodes = nodes;
        let mut table = Table::default();
        for node in list {
            self.entry_body(table.entry(), node)?;
        }
        table.finish_uncounted(&mut out)?;
        Ok(out)
    }

    /// Appends an entry without its tag, which is returned.
    fn entry_body(&mut self, out: &mut Vec<u8>, node: Entry) -> Result<u8> {
        match node {
            Entry::Type(ty) => self.type_body(out, ty),
            Entry::Attribute(attribute) => self.attribute_body(out, attribute),
            Entry::Location(location) => self.location_body(out, location),
        }
    }

    /// Returns the number of an attribute in an entry.
    fn attribute(&mut self, attribute: Attribute) -> u64 {
        match plain_string(self.context, attribute) {
            Some(string) => self.string_attribute(string),
            None => self.entries.reference(Entry::Attribute(attribute)),
        }
    }

    /// Returns the number in an entry of a string attribute, which is after all others.
    fn string_attribute(&mut self, string: Identifier) -> u64 {
        if self.numbered {
            return self.strings.get(string) + u64::from(self.entries.attribute_count);
        }
        self.strings.collect(string);
        // Distinct from positions, so that different locations have different bytes.
        1 << 32 | string.index() as u64
    }

    fn location(&mut self, location: Location) -> u64 {
        self.entries.reference(Entry::Location(location))
    }

    fn types(&mut self, out: &mut Vec<u8>, types: &[Type]) {
        write_varint(out, types.len() as u64);
        for &ty in types {
            write_varint(out, self.entries.ty(ty));
        }
    }

    fn optional_attribute(&mut self, out: &mut Vec<u8>, attribute: Option<Attribute>) {
        let number = attribute.map(|attribute| self.attribute(attribute));
        write_option(out, number);
    }

    fn optional_type(&mut self, out: &mut Vec<u8>, ty: Option<Type>) {
        let number = ty.map(|ty| self.entries.ty(ty));
        write_option(out, number);
    }

    fn strings(&mut self, out: &mut Vec<u8>, strings: &[Identifier]) {
        write_varint(out, strings.len() as u64);
        for &string in strings {
            write_varint(out, self.string(string));
        }
    }

    fn type_body(&mut self, out: &mut Vec<u8>, ty: Type) -> Result<u8> {
        let context: &'c Context = self.context;
        Ok(match context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                write_varint(out, (*width).into());
                match signedness {
                    Signedness::Signless => tag::SIGNLESS_TYPE,
                    Signedness::Signed => tag::SIGNED_TYPE,
                    Signedness::Unsigned => tag::UNSIGNED_TYPE,
                }
            }
            TypeKind::Float(kind) => {
                let keyword = kind.keyword();
                let position = FLOAT_KEYWORDS.iter().position(|&known| known == keyword);
                let position = position.ok_or_else(|| unknown_kind("float type"))?;
                out.push(position as u8);
                tag::FLOAT_TYPE
            }
            TypeKind::Index => tag::INDEX_TYPE,
            TypeKind::None => tag::NONE_TYPE,
            TypeKind::Token => tag::TOKEN_TYPE,
            TypeKind::Complex(element) => {
                write_varint(out, self.entries.ty(*element));
                tag::COMPLEX_TYPE
            }
            TypeKind::Tuple(types) => {
                self.types(out, types);
                tag::TUPLE_TYPE
            }
            TypeKind::Function { inputs, results } => {
                self.types(out, inputs);
                self.types(out, results);
                tag::FUNCTION_TYPE
            }
            TypeKind::Graph { inputs, results } => {
                self.types(out, inputs);
                self.types(out, results);
                tag::GRAPH_TYPE
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                let any = scalable.contains(&true);
                write_varint(out, self.entries.ty(*element));
                write_shape(out, shape)?;
                if any {
                    out.extend(scalable.chunks(8).map(|bits| {
                        bits.iter()
                            .rev()
                            .fold(0, |byte, &bit| byte << 1 | u8::from(bit))
                    }));
                }
                match any {
                    true => tag::SCALABLE_VECTOR_TYPE,
                    false => tag::VECTOR_TYPE,
                }
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *encoding);
                write_shape(out, shape)?;
                tag::RANKED_TENSOR_TYPE
            }
            TypeKind::UnrankedTensor(element) => {
                write_varint(out, self.entries.ty(*element));
                tag::UNRANKED_TENSOR_TYPE
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *layout);
                self.optional_attribute(out, *memory_space);
                write_shape(out, shape)?;
                tag::MEMREF_TYPE
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *memory_space);
                tag::UNRANKED_MEMREF_TYPE
            }
            TypeKind::Dialect { dialect, body } => {
                if let Some((tag, data)) = self.opaque(*dialect, body)
                    && tag < tag::FIRST_ATTRIBUTE
                {
                    self.opaque_body(out, &data, body);
                    return Ok(tag);
                }
                write_varint(out, self.string(*dialect));
                self.body(out, body)?;
                tag::DIALECT_TYPE
            }
        })
    }

    fn attribute_body(&mut self, out: &mut Vec<u8>, attribute: Attribute) -> Result<u8> {
        let context: &'c Context = self.context;
        Ok(match context.attribute_kind(attribute) {
            AttributeKind::Unit => tag::UNIT,
            AttributeKind::Integer { ty, value } => {
                write_varint(out, self.entries.ty(*ty));
                match value.to_i64() {
                    Some(small) if value.width() <= 64 => write_signed_varint(out, small),
                    // The number of bytes that the value takes in memory: small input cannot expand
                    // to large values.
                    _ => value.to_le_bytes(out, value.width().div_ceil(8) as usize),
                }
                tag::INTEGER
            }
            AttributeKind::Float { ty, bits } => {
                write_varint(out, self.entries.ty(*ty));
                let TypeKind::Float(kind) = context.type_kind(*ty) else {
                    return Err(unknown_kind("float attribute"));
                };
                let len = kind.width().div_ceil(8) as usize;
                out.extend(bits.to_le_bytes().into_iter().take(len));
                tag::FLOAT
            }
            AttributeKind::String { value, ty } => {
                write_varint(out, self.string(*value));
                self.optional_type(out, *ty);
                tag::STRING
            }
            AttributeKind::SymbolRef { root, nested } => {
                write_varint(out, self.string(*root));
                self.strings(out, nested);
                tag::SYMBOL_REF
            }
            AttributeKind::Type(ty) => {
                write_varint(out, self.entries.ty(*ty));
                tag::TYPE
            }
            AttributeKind::Array(elements) => {
                write_varint(out, elements.len() as u64);
                for &element in elements {
                    write_varint(out, self.attribute(element));
                }
                tag::ARRAY
            }
            AttributeKind::Dictionary(attributes) => {
                write_varint(out, attributes.len() as u64);
                for &(name, value) in attributes {
                    write_varint(out, self.string(name));
                    write_varint(out, self.attribute(value));
                }
                tag::DICTIONARY
            }
            AttributeKind::DenseElements { ty, splat, data } => {
                self.data(out, *ty, data);
                match splat {
                    true => tag::DENSE_SPLAT,
                    false => tag::DENSE_ELEMENTS,
                }
            }
            AttributeKind::DenseStrings { ty, splat, values } => {
                write_varint(out, self.entries.ty(*ty));
                self.strings(out, values);
                match splat {
                    true => tag::DENSE_STRING_SPLAT,
                    false => tag::DENSE_STRINGS,
                }
            }
            AttributeKind::DenseText { ty, literal } => {
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.string(*literal));
                tag::DENSE_TEXT
            }
            AttributeKind::DenseArray { element, data, .. } => {
                self.data(out, *element, data);
                tag::DENSE_ARRAY
            }
            AttributeKind::DenseResource { ty, resource } => {
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.resource(*resource)?);
                tag::DENSE_RESOURCE
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => {
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.attribute(*indices));
                write_varint(out, self.attribute(*values));
                tag::SPARSE
            }
            AttributeKind::AffineMap(map) => {
                write_varint(out, map.num_dims.into());
                write_varint(out, map.num_symbols.into());
                write_varint(out, map.results.len() as u64);
                for &result in &map.results {
                    write_varint(out, self.affine(result)?);
                }
                tag::AFFINE_MAP
            }
            AttributeKind::IntegerSet(set) => {
                write_varint(out, set.num_dims.into());
                write_varint(out, set.num_symbols.into());
                write_varint(out, set.constraints.len() as u64);
                for &(constraint, equality) in &set.constraints {
                    write_varint(out, self.affine(constraint)? << 1 | u64::from(equality));
                }
                tag::INTEGER_SET
            }
            AttributeKind::StridedLayout { offset, strides } => {
                write_stride(out, *offset);
                write_varint(out, strides.len() as u64);
                for &stride in strides {
                    write_stride(out, stride);
                }
                tag::STRIDED_LAYOUT
            }
            AttributeKind::Distinct { referenced, .. } => {
                // Its position in the table is its identity.
                write_varint(out, self.attribute(*referenced));
                tag::DISTINCT
            }
            AttributeKind::Location(location) => {
                write_varint(out, self.location(*location));
                tag::LOCATION
            }
            AttributeKind::Dialect { dialect, body, ty } => {
                if let Some((tag, data)) = self.opaque(*dialect, body)
                    && (tag::FIRST_ATTRIBUTE..tag::FIRST_LOCATION).contains(&tag)
                    && ty.is_none()
                {
                    self.opaque_body(out, &data, body);
                    return Ok(tag);
                }
                write_varint(out, self.string(*dialect));
                self.body(out, body)?;
                self.optional_type(out, *ty);
                tag::DIALECT_ATTRIBUTE
            }
        })
    }

    /// Appends a type and its dense data.
    fn data(&mut self, out: &mut Vec<u8>, ty: Type, data: &'c [u8]) {
        write_varint(out, self.entries.ty(ty));
        if !self.numbered {
            return;
        }
        if data.len() >= self.apart {
            let blob = self.elements_blob(Cow::Borrowed(data));
            write_varint(out, blob << 1 | 1);
        } else {
            write_varint(out, (data.len() as u64) << 1);
            out.extend_from_slice(data);
        }
    }

    fn body(&mut self, out: &mut Vec<u8>, body: &DialectBody) -> Result<()> {
        // Offsets of references take 32 bits.
        check_limit(
            "bytes of the body of a type or attribute",
            body.text().len() as u64,
            u32::MAX.into(),
        )?;
        if self.numbered {
            let text = fragments::encode(body.text(), self.apart, &mut |bytes| {
                self.elements_blob(Cow::Owned(bytes))
            });
            self.has_fragments |= text.has_fragments;
            write_bytes(out, &text.bytes);
        }
        write_varint(out, body.references().len() as u64);
        let mut before = 0;
        for &(offset, reference) in body.references() {
            write_varint(out, u64::from(offset - before));
            before = offset;
            let number = self.body_reference(reference);
            write_varint(out, number);
        }
        Ok(())
    }

    /// Returns a reference whose lowest bit distinguishes the number spaces of types and
    /// attributes.
    fn body_reference(&mut self, reference: BodyReference) -> u64 {
        match reference {
            BodyReference::Attribute(attribute) => self.attribute(attribute) << 1,
            BodyReference::Type(ty) => self.entries.ty(ty) << 1 | 1,
        }
    }

    /// Returns kind and data of a preserved opaque entry, if the body of a dialect is one.
    fn opaque(&self, dialect: Identifier, body: &DialectBody) -> Option<(u8, Vec<u8>)> {
        if self.context.bytes(dialect) != opaque::DIALECT.as_bytes() {
            return None;
        }
        let places = body.references().iter().map(|&(place, _)| place);
        opaque::parse(body.text(), places)
    }

    /// Appends a preserved opaque entry.
    fn opaque_body(&mut self, out: &mut Vec<u8>, data: &[u8], body: &DialectBody) {
        write_bytes(out, data);
        write_varint(out, body.references().len() as u64);
        for &(_, reference) in body.references() {
            let number = self.body_reference(reference);
            write_varint(out, number);
        }
    }

    fn location_body(&mut self, out: &mut Vec<u8>, location: Location) -> Result<u8> {
        let context: &'c Context = self.context;
        Ok(match context.location_kind(location) {
            LocationKind::Unknown => tag::UNKNOWN_LOCATION,
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            } => {
                let numbers = form.numbers(start_line, start_column);
                write_varint(out, self.string(file));
                if let Some(numbers) = numbers {
                    let numbers: Vec<u32> = numbers.collect();
                    write_varint(out, numbers.len() as u64);
                    for number in numbers {
                        write_varint(out, number.into());
                    }
                    return Ok(tag::SHORT_RANGE);
                }
                write_varint(out, start_line.into());
                write_varint(out, start_column.into());
                if (start_line, start_column) == (end_line, end_column) {
                    tag::FILE_PLACE
                } else {
                    write_signed_varint(out, i64::from(end_line) - i64::from(start_line));
                    write_signed_varint(out, i64::from(end_column) - i64::from(start_column));
                    tag::FILE_RANGE
                }
            }
            LocationKind::Name { name, child } => {
                write_varint(out, self.string(name));
                // Most names have no child location.
                let child = match context.location_kind(child) {
                    LocationKind::Unknown => None,
                    _ => Some(self.location(child)),
                };
                write_option(out, child);
                tag::NAMED_LOCATION
            }
            LocationKind::Dialect(attribute) => {
                if let AttributeKind::Dialect {
                    dialect,
                    body,
                    ty: None,
                } = context.attribute_kind(attribute)
                    && let Some((tag, data)) = self.opaque(*dialect, body)
                    && tag >= tag::FIRST_LOCATION
                {
                    self.opaque_body(out, &data, body);
                    return Ok(tag);
                }
                let number = self.attribute(attribute);
                write_varint(out, number);
                tag::DIALECT_LOCATION
            }
            LocationKind::CallSite { callee, caller } => {
                write_varint(out, self.location(callee));
                write_varint(out, self.location(caller));
                tag::CALL_SITE
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                self.optional_attribute(out, metadata);
                write_varint(out, locations.len() as u64);
                for &location in locations {
                    write_varint(out, self.location(location));
                }
                tag::FUSED
            }
        })
    }
}

/// Appends the sizes of dimensions: 0 for a dynamic one, else the size plus one.
fn write_shape(out: &mut Vec<u8>, shape: &[i64]) -> Result<()> {
    write_varint(out, shape.len() as u64);
    for &size in shape {
        let code = match u64::try_from(size) {
            Ok(size) => size + 1,
            Err(_) if size == DYNAMIC => 0,
            Err(_) => {
                return Err(Error::new(
                    ErrorKind::InvalidRequest,
                    format!("a type has a dimension of size {size}"),
                ));
            }
        };
        write_varint(out, code);
    }
    Ok(())
}

/// Appends a stride or offset: 0 if dynamic, else the zigzag plus one.
///
/// The addition does not overflow: the only number with the largest zigzag denotes dynamic.
fn write_stride(out: &mut Vec<u8>, stride: i64) {
    let code = if stride == DYNAMIC {
        0
    } else {
        zigzag(stride).wrapping_add(1)
    };
    write_varint(out, code);
}

#[cold]
pub(super) fn unknown_kind(what: &str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("this writer does not know a {what} that the module uses"),
    )
}

#[cold]
pub(super) fn containing_itself() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "a location of the module contains itself",
    )
}
