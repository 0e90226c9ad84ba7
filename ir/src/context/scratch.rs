//! Copies of attributes and types in a context of their own, where bodies can be parsed.

use super::Context;
use crate::affine::{AffineExpr, Copied};
use crate::codec::{FieldValue, FieldValues};
use crate::error::Invalid;
use crate::substitution::Substitution;
use crate::{
    Attribute, DialectBody, Entry, EntryWalker, Identifier, Location, LocationKind, Resource, Type,
    WalkOrder, WalkResult,
};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A context that has copies of some entries of another one, its origin.
///
/// Parsing a body needs a context that can grow. An origin that is only borrowed lends its
/// definitions, and the attributes and types in question are copied. Requested entries that the
/// parser adds to the scratch context are then appended to the origin.
pub(super) struct Scratch {
    pub(super) context: Context,
    /// From the origin to the scratch context.
    there: Map,
    /// From the scratch context to the origin.
    back: Map,
}

/// Maps entries of one context to those of another.
#[derive(Default)]
struct Map {
    attributes: HashMap<Attribute, Attribute, RandomState>,
    types: HashMap<Type, Type, RandomState>,
    locations: HashMap<Location, Location, RandomState>,
    resources: HashMap<Resource, Resource, RandomState>,
}

impl Map {
    fn knows(&self, entry: Entry) -> bool {
        match entry {
            Entry::Attribute(attribute) => self.attributes.contains_key(&attribute),
            Entry::Type(ty) => self.types.contains_key(&ty),
            Entry::Location(location) => self.locations.contains_key(&location),
        }
    }

    fn entry(&self, entry: Entry) -> Option<Entry> {
        Some(match entry {
            Entry::Attribute(attribute) => Entry::Attribute(*self.attributes.get(&attribute)?),
            Entry::Type(ty) => Entry::Type(*self.types.get(&ty)?),
            Entry::Location(location) => Entry::Location(*self.locations.get(&location)?),
        })
    }
}

impl Scratch {
    /// Creates a context without copies, with the definitions of `origin`.
    pub(super) fn new(origin: &Context) -> Self {
        let mut context = Context::with_owner(origin.owner);
        context.dialects = origin.dialects.clone();
        context.dialect_source = origin.dialect_source.clone();
        context.release = origin.release;
        context.textual_form = origin.textual_form;
        Scratch {
            context,
            there: Map::default(),
            back: Map::default(),
        }
    }

    /// Returns the copy of an attribute or type. Linear in the attributes, types and locations that
    /// it refers to and that have no copy yet.
    ///
    /// # Errors
    ///
    /// If the entry contains itself, or has more affine expressions than a context can hold.
    pub(super) fn copy(&mut self, origin: &Context, entry: Entry) -> Result<Entry, Invalid> {
        let mut failed = None;
        if !self.there.knows(entry) {
            EntryWalker::new().walk(origin, entry, WalkOrder::PostOrder, |entry| {
                match self.copy_one(origin, entry) {
                    Ok(()) => WalkResult::Advance,
                    Err(error) => {
                        failed = Some(error);
                        WalkResult::Interrupt
                    }
                }
            });
        }
        match failed {
            Some(error) => Err(error),
            None => self.there.entry(entry).ok_or_else(not_copied),
        }
    }

    /// Copies an entry whose references were copied before.
    fn copy_one(&mut self, origin: &Context, entry: Entry) -> Result<(), Invalid> {
        if self.there.knows(entry) {
            return Ok(());
        }
        match entry {
            Entry::Attribute(attribute) => {
                let mut kind = origin.attribute_kind(attribute).clone();
                if let crate::AttributeKind::DenseResource { resource, .. } = &kind {
                    self.copy_resource(origin, *resource);
                }
                ToScratch::run(self, origin, |to| to.in_attribute(&mut kind))?;
                let copy = self.context.intern_attribute(kind);
                self.there.attributes.insert(attribute, copy);
                self.back.attributes.insert(copy, attribute);
            }
            Entry::Type(ty) => {
                let mut kind = origin.type_kind(ty).clone();
                ToScratch::run(self, origin, |to| to.in_type(&mut kind))?;
                let copy = self.context.intern_type(kind);
                self.there.types.insert(ty, copy);
                self.back.types.insert(copy, ty);
            }
            // No definition constrains locations, so a name that no other copy has is enough.
            Entry::Location(location) => {
                let name = self.context.identifier(location.index().to_string());
                let child = self.context.unknown_location();
                let copy = self.context.location(LocationKind::Name { name, child });
                self.there.locations.insert(location, copy);
                self.back.locations.insert(copy, location);
            }
        }
        Ok(())
    }

    fn copy_resource(&mut self, origin: &Context, resource: Resource) {
        if self.there.resources.contains_key(&resource) {
            return;
        }
        let mut entry = origin.resource(resource).clone();
        entry.dialect = self.context.identifier(origin.bytes(entry.dialect));
        entry.key = self.context.identifier(origin.bytes(entry.key));
        let copy = self.context.add_resource(entry);
        self.there.resources.insert(resource, copy);
        self.back.resources.insert(copy, resource);
    }

    /// Replaces the entries of the scratch context in some values by those of the origin, to which
    /// the missing ones are appended.
    ///
    /// # Errors
    ///
    /// As [`copy`](Self::copy).
    pub(super) fn give_back(
        &mut self,
        origin: &Context,
        values: &mut FieldValues<'static>,
    ) -> Result<(), Invalid> {
        for value in values.fields.iter_mut().chain(&mut values.items) {
            match value {
                FieldValue::Attribute(attribute) => {
                    self.append(origin, Entry::Attribute(*attribute))?;
                    *attribute = self.to_origin(origin).attribute(*attribute)?;
                }
                FieldValue::Type(ty) => {
                    self.append(origin, Entry::Type(*ty))?;
                    *ty = self.to_origin(origin).ty(*ty)?;
                }
                FieldValue::String(string) => *string = self.to_origin(origin).identifier(*string),
                FieldValue::Location(location) => {
                    *location = self.to_origin(origin).location(*location)?;
                }
                FieldValue::Resource(resource) => {
                    *resource = self.to_origin(origin).resource(*resource);
                }
                FieldValue::AffineMap(map) => {
                    let mut origin = self.to_origin(origin);
                    for expression in &mut map.results {
                        *expression = origin.expression(*expression);
                    }
                    origin.failure()?;
                }
                FieldValue::IntegerSet(set) => {
                    let mut origin = self.to_origin(origin);
                    for (expression, _) in &mut set.constraints {
                        *expression = origin.expression(*expression);
                    }
                    origin.failure()?;
                }
                FieldValue::Absent
                | FieldValue::Unsigned(_)
                | FieldValue::Signed(_)
                | FieldValue::Integer(_)
                | FieldValue::Float(_)
                | FieldValue::Bytes(_)
                | FieldValue::List(_) => {}
            }
        }
        Ok(())
    }

    /// Appends an entry of the scratch context to the origin, and those that it refers to.
    fn append(&mut self, origin: &Context, entry: Entry) -> Result<(), Invalid> {
        if self.back.knows(entry) {
            return Ok(());
        }
        let mut order = Vec::new();
        EntryWalker::new().walk(&self.context, entry, WalkOrder::PostOrder, |entry| {
            order.push(entry);
            WalkResult::Advance
        });
        for entry in order {
            if self.back.knows(entry) {
                continue;
            }
            match entry {
                Entry::Attribute(attribute) => {
                    let mut kind = self.context.attribute_kind(attribute).clone();
                    let mut to = self.to_origin(origin);
                    to.in_attribute(&mut kind)?;
                    to.failure()?;
                    let late = origin.late_attribute(kind);
                    self.back.attributes.insert(attribute, late);
                    self.there.attributes.insert(late, attribute);
                }
                Entry::Type(ty) => {
                    let mut kind = self.context.type_kind(ty).clone();
                    let mut to = self.to_origin(origin);
                    to.in_type(&mut kind)?;
                    to.failure()?;
                    let late = origin.late_type(kind);
                    self.back.types.insert(ty, late);
                    self.there.types.insert(late, ty);
                }
                // The text of a body contains no location.
                Entry::Location(_) => return Err(not_copied()),
            }
        }
        Ok(())
    }

    fn to_origin<'s>(&'s self, origin: &'s Context) -> ToOrigin<'s> {
        ToOrigin {
            scratch: &self.context,
            origin,
            back: &self.back,
            expressions: Copied::default(),
            failed: None,
        }
    }
}

/// The error for an attribute or type that refers to itself, directly or indirectly.
#[cold]
fn not_copied() -> Invalid {
    Invalid::new("an attribute or type contains itself")
}

/// Replaces the entries of an origin by their copies.
struct ToScratch<'s> {
    origin: &'s Context,
    context: &'s mut Context,
    there: &'s Map,
    expressions: Copied,
    failed: Option<Invalid>,
}

impl ToScratch<'_> {
    fn run(
        scratch: &mut Scratch,
        origin: &Context,
        replace: impl FnOnce(&mut ToScratch<'_>) -> Result<(), Invalid>,
    ) -> Result<(), Invalid> {
        let mut to = ToScratch {
            origin,
            context: &mut scratch.context,
            there: &scratch.there,
            expressions: Copied::default(),
            failed: None,
        };
        replace(&mut to)?;
        to.failed.map_or(Ok(()), Err)
    }
}

impl Substitution for ToScratch<'_> {
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        let copy = self.there.attributes.get(&attribute).copied();
        copy.ok_or_else(not_copied)
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        self.there.types.get(&ty).copied().ok_or_else(not_copied)
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        let copy = self.there.locations.get(&location).copied();
        copy.ok_or_else(not_copied)
    }

    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid> {
        for reference in body.references_mut() {
            *reference = self.reference(*reference)?;
        }
        Ok(())
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        let bytes = self.origin.bytes(identifier);
        self.context.identifier(bytes)
    }

    fn resource(&mut self, resource: Resource) -> Resource {
        let copy = self.there.resources.get(&resource).copied();
        debug_assert!(copy.is_some(), "resources are copied before their users");
        copy.unwrap_or(resource)
    }

    fn expression(&mut self, expression: AffineExpr) -> AffineExpr {
        let done = &mut self.expressions;
        let copy = self
            .context
            .affine
            .import_with(&self.origin.affine, expression, done);
        copy.unwrap_or_else(|error| {
            self.failed = Some(Invalid::new(error.to_string()));
            expression
        })
    }
}

/// Replaces the entries of a scratch context by those of the origin.
struct ToOrigin<'s> {
    scratch: &'s Context,
    origin: &'s Context,
    back: &'s Map,
    expressions: Copied,
    failed: Option<Invalid>,
}

impl ToOrigin<'_> {
    fn failure(&mut self) -> Result<(), Invalid> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Substitution for ToOrigin<'_> {
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        let found = self.back.attributes.get(&attribute).copied();
        found.ok_or_else(not_copied)
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        self.back.types.get(&ty).copied().ok_or_else(not_copied)
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        let found = self.back.locations.get(&location).copied();
        found.ok_or_else(not_copied)
    }

    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid> {
        for reference in body.references_mut() {
            *reference = self.reference(*reference)?;
        }
        Ok(())
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        self.origin.late_identifier(self.scratch.bytes(identifier))
    }

    fn resource(&mut self, resource: Resource) -> Resource {
        let found = self.back.resources.get(&resource).copied();
        debug_assert!(found.is_some(), "the text of a body contains no resource");
        found.unwrap_or(resource)
    }

    fn expression(&mut self, expression: AffineExpr) -> AffineExpr {
        let done = &mut self.expressions;
        let late = self
            .origin
            .affine
            .import_late(&self.scratch.affine, expression, done);
        late.unwrap_or_else(|error| {
            self.failed = Some(Invalid::new(error.to_string()));
            expression
        })
    }
}

impl Context {
    /// Interns a string through a shared reference.
    fn late_identifier(&self, bytes: &[u8]) -> Identifier {
        Identifier::from_index(self.strings.intern_late(bytes)).of(self.owner)
    }

    /// Interns a valid and canonical type through a shared reference.
    fn late_type(&self, kind: crate::TypeKind) -> Type {
        if let crate::TypeKind::Dialect { body, .. } = &kind {
            self.late_names(body);
        }
        Type::from_index(self.types.intern_late(kind)).of(self.owner)
    }

    /// Interns a valid and canonical attribute through a shared reference.
    fn late_attribute(&self, kind: crate::AttributeKind) -> Attribute {
        use crate::AttributeKind::{Dialect, Dictionary, String, Type};
        // These are not found by their hashes: see `intern_attribute`.
        let known = match &kind {
            String { value, ty: None } => self.string_attributes.get(value.index()).copied(),
            Type(ty) => self.type_attributes.get(ty.index()).copied(),
            Dictionary(entries) => {
                let hash = self.dictionaries.hash(entries);
                Some(self.find_dictionary(hash, entries))
            }
            Dialect { body, .. } => {
                self.late_names(body);
                None
            }
            _ => None,
        };
        let new = || Attribute::from_index(self.attributes.intern_late(kind)).of(self.owner);
        known.flatten().unwrap_or_else(new)
    }

    /// Interns the names that [`Context::intern_names`] interns.
    fn late_names(&self, body: &DialectBody) {
        super::attributes::for_each_name(body, |name| {
            self.late_identifier(name);
        });
    }
}
