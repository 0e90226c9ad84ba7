//! Copies of attributes, types and locations in another context.

use super::resources::ResourceTable;
use crate::affine::AffineExpr;
use crate::attribute_walk::push_children;
use crate::error::Invalid;
use crate::handle::Owner;
use crate::provenance::ProvenanceMap;
use crate::substitution::Substitution;
use crate::{
    Attribute, AttributeKind, BodyReference, Context, DialectBody, Entry, Identifier, IndexedMap,
    Location, OperationName, Provenance, Resource, Type,
};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::mem::take;

/// Maps what was copied from one context to its copies in another.
#[derive(Clone, Default)]
pub(crate) struct EntryMap {
    identifiers: IndexedMap<u32>,
    names: IndexedMap<u32>,
    attributes: IndexedMap<u32>,
    types: IndexedMap<u32>,
    locations: IndexedMap<u32>,
    /// The position in a file that was copied last: consecutive operations often share one.
    last_place: Option<(Location, Location)>,
    resources: HashMap<Resource, Resource, RandomState>,
    /// The copied resources in the order in which they were first met.
    pub(super) new_resources: Vec<Resource>,
    expressions: hashbrown::HashMap<AffineExpr, AffineExpr, RandomState>,
    pub(super) table: ResourceTable,
    /// The context of the copies, once it is known.
    owner: Owner,
}

impl EntryMap {
    /// Prepares tables for the entries of a context that about `expected` operations use.
    pub(super) fn reserve(&mut self, from: &Context, expected: usize) {
        self.identifiers.reserve(from.identifier_count(), expected);
        self.attributes.reserve(from.attribute_count(), expected);
        self.types.reserve(from.type_count(), expected);
        self.locations.reserve(from.location_count(), expected);
    }

    /// Returns the copy of an attribute, type or location.
    pub(super) fn get(&self, entry: Entry) -> Option<Entry> {
        match entry {
            Entry::Attribute(attribute) => self.attribute(attribute).map(Entry::Attribute),
            Entry::Type(ty) => self.ty(ty).map(Entry::Type),
            Entry::Location(location) => self.location(location).map(Entry::Location),
        }
    }

    fn attribute(&self, attribute: Attribute) -> Option<Attribute> {
        let copy = self.attributes.position(attribute.index())?;
        Some(Attribute::from_index(copy).of(self.owner))
    }

    fn ty(&self, ty: Type) -> Option<Type> {
        Some(Type::from_index(self.types.position(ty.index())?).of(self.owner))
    }

    fn location(&self, location: Location) -> Option<Location> {
        match self.last_place {
            Some((from, to)) if from == location => Some(to),
            _ => {
                let copy = self.locations.position(location.index())?;
                Some(Location::from_index(copy).of(self.owner))
            }
        }
    }
}

/// Copies entries of one context to another.
///
/// Each entry is copied once in the life of the [`EntryMap`], however many refer to it.
pub(crate) struct EntryImporter<'a> {
    pub(crate) from: &'a Context,
    pub(crate) to: &'a mut Context,
    pub(crate) map: &'a mut EntryMap,
}

impl EntryImporter<'_> {
    /// Returns the copy of an operation name.
    pub(crate) fn operation_name(&mut self, name: OperationName) -> OperationName {
        if let Some(known) = self.map.names.position(name.index()) {
            return OperationName::from_index(known).of(self.to.owner());
        }
        let copy = self.to.operation_name(self.from.operation_name_bytes(name));
        self.map.names.set_position(name.index(), copy.index());
        copy
    }

    /// Returns the copy of a string.
    pub(crate) fn string(&mut self, identifier: Identifier) -> Identifier {
        if let Some(known) = self.map.identifiers.position(identifier.index()) {
            return Identifier::from_index(known).of(self.to.owner());
        }
        let copy = self.to.identifier(self.from.bytes(identifier));
        self.map
            .identifiers
            .set_position(identifier.index(), copy.index());
        copy
    }

    /// Returns the copy of an attribute.
    ///
    /// # Errors
    ///
    /// If the context cannot hold more affine expressions.
    pub(crate) fn copy_attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        if let Some(known) = self.map.attribute(attribute) {
            return Ok(known);
        }
        self.copy(Entry::Attribute(attribute))?;
        self.attribute(attribute)
    }

    /// Makes an attribute of the other context the copy of one that was not copied yet.
    pub(crate) fn set_copy(&mut self, attribute: Attribute, copy: Attribute) {
        self.map.owner = self.to.owner();
        self.map
            .attributes
            .set_position(attribute.index(), copy.index());
    }

    /// Returns the copy of a type; errors are those of [`copy_attribute`](Self::copy_attribute).
    pub(crate) fn copy_type(&mut self, ty: Type) -> Result<Type, Invalid> {
        if let Some(known) = self.map.ty(ty) {
            return Ok(known);
        }
        self.copy(Entry::Type(ty))?;
        self.ty(ty)
    }

    /// Returns the copy of a location; errors are those of
    /// [`copy_attribute`](Self::copy_attribute).
    pub(crate) fn copy_location(&mut self, location: Location) -> Result<Location, Invalid> {
        if let Some(known) = self.map.location(location) {
            return Ok(known);
        }
        // Most are positions in files, which are as small as their place in a table.
        if let Some((file, line, column)) = self.from.place_in_file(location) {
            let file = self.string(file);
            let copy = self.to.file_location(file, line, column);
            self.map.last_place = Some((location, copy));
            return Ok(copy);
        }
        self.copy(Entry::Location(location))?;
        self.location(location)
    }

    /// Returns the copy of a resource: one of the same dialect, key and value, if the context has
    /// one, else a new one.
    pub(crate) fn copy_resource(&mut self, resource: Resource) -> Resource {
        if let Some(&known) = self.map.resources.get(&resource) {
            return known;
        }
        let mut entry = self.from.resource(resource).clone();
        entry.dialect = self.string(entry.dialect);
        entry.key = self.string(entry.key);
        let copy = self.map.table.find_or_add(self.to, entry);
        self.map.resources.insert(resource, copy);
        self.map.new_resources.push(copy);
        copy
    }

    /// Copies all of a provenance but names: what describes a file.
    pub(crate) fn copy_file(&mut self, from: &Provenance, to: &mut Provenance) {
        to.copy_container(from, self);
        to.copy_resources(from, self);
        to.copy_external_resources(from, self);
    }

    /// Copies an entry after those that it refers to.
    fn copy(&mut self, entry: Entry) -> Result<(), Invalid> {
        // With whether all that the entry refers to is copied.
        let mut stack = vec![(entry, false)];
        while let Some((entry, ready)) = stack.pop() {
            if ready {
                self.copy_ready(entry)?;
            } else if self.map.get(entry).is_none() {
                stack.push((entry, true));
                push_children(self.from, entry, &mut stack, false);
            }
        }
        Ok(())
    }

    /// Copies an entry that refers to copied ones only.
    fn copy_ready(&mut self, entry: Entry) -> Result<(), Invalid> {
        let from = self.from;
        self.map.owner = self.to.owner();
        match entry {
            Entry::Attribute(attribute) => {
                let mut kind = from.attribute_kind(attribute).clone();
                self.copy_expressions(&kind)?;
                self.in_attribute(&mut kind)?;
                let copy = match kind {
                    AttributeKind::Location(location) => self.to.location_attribute(location),
                    AttributeKind::Distinct { referenced, .. } => {
                        self.to.distinct_attribute(referenced)
                    }
                    kind => self.to.intern_attribute(kind),
                };
                self.map
                    .attributes
                    .set_position(attribute.index(), copy.index());
            }
            Entry::Type(ty) => {
                let mut kind = from.type_kind(ty).clone();
                self.in_type(&mut kind)?;
                let copy = self.to.intern_type(kind);
                self.map.types.set_position(ty.index(), copy.index());
            }
            Entry::Location(location) => {
                let mut parts = Vec::new();
                let kind = self.in_location(from.location_kind(location), &mut parts)?;
                let copy = self.to.location(kind);
                self.map
                    .locations
                    .set_position(location.index(), copy.index());
            }
        }
        Ok(())
    }

    /// Copies the affine expressions that an attribute refers to.
    fn copy_expressions(&mut self, kind: &AttributeKind) -> Result<(), Invalid> {
        let expressions: Box<dyn Iterator<Item = AffineExpr>> = match kind {
            AttributeKind::AffineMap(map) => Box::new(map.results.iter().copied()),
            AttributeKind::IntegerSet(set) => Box::new(set.constraints.iter().map(|c| c.0)),
            _ => return Ok(()),
        };
        let mut done = take(&mut self.map.expressions);
        for expression in expressions {
            let arena = self.to.affine_mut();
            arena
                .import_with(self.from.affine(), expression, &mut done)
                .map_err(|error| Invalid::new(error.to_string()))?;
        }
        self.map.expressions = done;
        Ok(())
    }
}

/// The copied attributes and types, and any string, name and resource, which are copied if need be.
impl ProvenanceMap for EntryImporter<'_> {
    fn attribute_in_copy(&mut self, attribute: Attribute) -> Option<Attribute> {
        self.map.attribute(attribute)
    }

    fn type_in_copy(&mut self, ty: Type) -> Option<Type> {
        self.map.ty(ty)
    }

    fn identifier_in_copy(&mut self, identifier: Identifier) -> Identifier {
        self.string(identifier)
    }

    fn operation_name_in_copy(&mut self, name: OperationName) -> OperationName {
        self.operation_name(name)
    }

    fn resource_in_copy(&mut self, resource: Resource) -> Option<Resource> {
        Some(self.copy_resource(resource))
    }
}

/// The entry was not copied before one that refers to it: it refers to itself.
#[cold]
fn in_itself() -> Invalid {
    Invalid::new("an attribute, type or location contains itself")
}

impl Substitution for EntryImporter<'_> {
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        self.map.attribute(attribute).ok_or_else(in_itself)
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        self.map.ty(ty).ok_or_else(in_itself)
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        self.map.location(location).ok_or_else(in_itself)
    }

    /// A copied reference is of the same sort, so the text around it is unchanged.
    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid> {
        for reference in body.references_mut() {
            *reference = match *reference {
                BodyReference::Attribute(attribute) => {
                    BodyReference::Attribute(self.attribute(attribute)?)
                }
                BodyReference::Type(ty) => BodyReference::Type(self.ty(ty)?),
            };
        }
        Ok(())
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        self.string(identifier)
    }

    fn resource(&mut self, resource: Resource) -> Resource {
        self.copy_resource(resource)
    }

    fn expression(&mut self, expression: AffineExpr) -> AffineExpr {
        let copy = self.map.expressions.get(&expression);
        copy.copied().unwrap_or(expression)
    }
}
