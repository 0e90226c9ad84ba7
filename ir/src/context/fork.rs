//! Contexts that grow concurrently, on separate threads, and are joined again.

use super::{Context, Identifier, OperationName};
use crate::affine::AffineExpr;
use crate::attribute_walk::{attribute_children, type_children};
use crate::error::Invalid;
use crate::handle::Owner;
use crate::location::LocationArena;
use crate::substitution::Substitution;
use crate::{
    Attribute, AttributeKind, BodyReference, DialectBody, Entry, Location, Resource, ResourceEntry,
    Type, TypeKind,
};

/// A copy of a context that grows independently, until [`Context::join`] merges the two.
#[derive(Clone)]
pub struct ContextFork {
    /// The copy.
    pub context: Context,
    shared: Lengths,
}

/// The number of entries in each table that two contexts have in common.
#[derive(Clone, Copy)]
struct Lengths {
    strings: usize,
    operation_names: usize,
    types: usize,
    attributes: usize,
    locations: usize,
    resources: usize,
    affine: usize,
    distincts: u32,
}

/// Maps the entries of a joined fork to the entries of the context that it was joined to.
#[derive(Clone)]
pub struct Translation {
    shared: Lengths,
    strings: Vec<Identifier>,
    operation_names: Vec<OperationName>,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    resources: Vec<Resource>,
    affine: Vec<AffineExpr>,
    /// Locations are appended: those of the fork are contiguous.
    first_location: usize,
    joined_locations: usize,
    first_distinct: u32,
    /// The context.
    owner: Owner,
}

/// Translates the entry at `index`: the first `shared` entries are unchanged, and `others` maps the
/// following ones. Returns an unknown entry unchanged.
#[inline]
fn translated<T: Copy>(entry: T, index: usize, shared: usize, others: &[T]) -> T {
    match index.checked_sub(shared) {
        Some(behind) => others.get(behind).copied().unwrap_or(entry),
        None => entry,
    }
}

impl Translation {
    /// Returns the identifier in the context for a string of the fork.
    #[inline]
    pub fn identifier(&self, identifier: Identifier) -> Identifier {
        translated(
            identifier,
            identifier.index(),
            self.shared.strings,
            &self.strings,
        )
    }

    /// Returns the name in the context for an operation name of the fork.
    #[inline]
    pub fn operation_name(&self, name: OperationName) -> OperationName {
        translated(
            name,
            name.index(),
            self.shared.operation_names,
            &self.operation_names,
        )
    }

    /// Returns the type in the context for a type of the fork.
    #[inline]
    pub fn ty(&self, ty: Type) -> Type {
        translated(ty, ty.index(), self.shared.types, &self.types)
    }

    /// Returns the attribute in the context for an attribute of the fork.
    #[inline]
    pub fn attribute(&self, attribute: Attribute) -> Attribute {
        let index = attribute.index();
        translated(attribute, index, self.shared.attributes, &self.attributes)
    }

    /// Returns the location in the context for a location of the fork.
    #[inline]
    pub fn location(&self, location: Location) -> Location {
        match location.index().checked_sub(self.shared.locations) {
            Some(behind) => {
                Location::from_index(self.first_location.saturating_add(behind)).of(self.owner)
            }
            None => location,
        }
    }

    /// Returns the resource in the context for a resource of the fork.
    pub fn resource(&self, resource: Resource) -> Resource {
        let index = resource.index();
        translated(resource, index, self.shared.resources, &self.resources)
    }

    /// Returns the expression in the context for an affine expression of the fork.
    pub fn affine_expr(&self, expression: AffineExpr) -> AffineExpr {
        let index = expression.index();
        translated(expression, index, self.shared.affine, &self.affine)
    }

    /// Returns whether an entry of the fork already has a translation.
    fn knows(&self, entry: Entry) -> bool {
        let (index, shared, joined) = match entry {
            Entry::Type(ty) => (ty.index(), self.shared.types, self.types.len()),
            Entry::Attribute(attribute) => (
                attribute.index(),
                self.shared.attributes,
                self.attributes.len(),
            ),
            Entry::Location(location) => (
                location.index(),
                self.shared.locations,
                self.joined_locations,
            ),
        };
        index < shared.saturating_add(joined)
    }
}

impl Substitution for Translation {
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        Ok(Translation::attribute(self, attribute))
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        Ok(Translation::ty(self, ty))
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        Ok(Translation::location(self, location))
    }

    /// A reference is translated to a reference of the same sort: pieces of text are unchanged.
    fn body(&mut self, body: &mut DialectBody) -> Result<(), Invalid> {
        for reference in body.references_mut() {
            *reference = match *reference {
                BodyReference::Attribute(attribute) => {
                    BodyReference::Attribute(Translation::attribute(self, attribute))
                }
                BodyReference::Type(ty) => BodyReference::Type(Translation::ty(self, ty)),
            };
        }
        Ok(())
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        Translation::identifier(self, identifier)
    }

    fn resource(&mut self, resource: Resource) -> Resource {
        Translation::resource(self, resource)
    }

    fn expression(&mut self, expression: AffineExpr) -> AffineExpr {
        self.affine_expr(expression)
    }
}

impl Context {
    fn lengths(&self) -> Lengths {
        Lengths {
            strings: self.strings.len(),
            operation_names: self.operation_names.len(),
            types: self.types.len(),
            attributes: self.attributes.len(),
            locations: self.locations.len(),
            resources: self.resources.len(),
            affine: self.affine.len(),
            distincts: self.next_distinct,
        }
    }

    /// Returns the number of entries: strings, types, attributes, locations, resources and affine
    /// expressions. [`fork`](Self::fork) copies all of them.
    pub fn entry_count(&self) -> usize {
        let lengths = self.lengths();
        let parts = [
            lengths.strings,
            lengths.types,
            lengths.attributes,
            lengths.locations,
            lengths.resources,
            lengths.affine,
        ];
        parts.into_iter().fold(0, usize::saturating_add)
    }

    /// Returns a copy that can grow independently of this context, for instance on another thread.
    ///
    /// Entries that both have in common have the same handles in both. [`join`](Self::join) merges
    /// the copy into the original. Linear in the number of entries.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut fork = context.fork();
    /// // Here and there, something different gets the same handle.
    /// context.string_attribute("here");
    /// let mut other = Module::new(&mut fork.context);
    /// let there = fork.context.string_attribute("there");
    ///
    /// let translation = context.join(fork, |context, resource| context.add_resource(resource))?;
    /// let there = translation.attribute(there);
    /// assert_eq!(context.string_value(there), Some(&b"there"[..]));
    /// if let Some(body) = module.body() {
    ///     module.append_body(body, other, &translation);
    /// }
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn fork(&self) -> ContextFork {
        ContextFork {
            context: self.clone(),
            shared: self.lengths(),
        }
    }

    /// Adds the new entries of a [`fork`](Self::fork) to this context, and returns the translation.
    ///
    /// Equal entries of both are merged. Distinct attributes of the fork differ from those of this
    /// context. `resource` adds a resource, or finds an equivalent one. Linear in the number of
    /// added entries. Definitions of dialects that only the fork has are not added.
    ///
    /// Joining a fork of another context is a programming error, and creates meaningless entries.
    ///
    /// # Errors
    ///
    /// If there are more affine expressions than a context can hold. In this case some entries may
    /// have been added.
    pub fn join(
        &mut self,
        fork: ContextFork,
        mut resource: impl FnMut(&mut Context, ResourceEntry) -> Resource,
    ) -> Result<Translation, Invalid> {
        let ContextFork {
            context: other,
            shared,
        } = fork;
        let affine = self.affine.join(&other.affine, shared.affine);
        let mut here = Translation {
            shared,
            strings: Vec::new(),
            operation_names: Vec::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            resources: Vec::new(),
            affine: affine.map_err(|e| Invalid::new(e.to_string()))?,
            first_location: self.locations.len(),
            joined_locations: 0,
            first_distinct: self.next_distinct,
            owner: self.owner,
        };
        let new_strings = other.strings.items_from(shared.strings);
        here.strings.extend(
            new_strings
                .map(|string| Identifier::from_index(self.strings.intern(string)).of(self.owner)),
        );
        let infos = other.operation_infos.into_iter();
        let names = other
            .operation_names
            .into_items_from(shared.operation_names);
        for (name, mut info) in names.zip(infos.skip(shared.operation_names)) {
            let index = self.operation_names.intern(here.identifier(name));
            if index == self.operation_infos.len() {
                info.dialect = here.identifier(info.dialect);
                self.operation_infos.push(info);
            }
            here.operation_names
                .push(OperationName::from_index(index).of(self.owner));
        }
        for mut entry in other.resources.into_iter().skip(shared.resources) {
            entry.dialect = here.identifier(entry.dialect);
            entry.key = here.identifier(entry.key);
            here.resources.push(resource(self, entry));
        }
        let added = other.next_distinct.wrapping_sub(shared.distincts);
        self.next_distinct = self.next_distinct.wrapping_add(added);
        self.join_entries(
            &mut here,
            other.types.into_items_from(shared.types),
            other.attributes.into_items_from(shared.attributes),
            &other.locations,
        )?;
        Ok(here)
    }

    /// Adds types, attributes and locations, each after those that it refers to, as they were
    /// created.
    fn join_entries(
        &mut self,
        here: &mut Translation,
        types: impl Iterator<Item = TypeKind>,
        attributes: impl Iterator<Item = AttributeKind>,
        locations: &LocationArena,
    ) -> Result<(), Invalid> {
        let (mut types, mut attributes) = (types.peekable(), attributes.peekable());
        let new_locations = locations.len().saturating_sub(here.shared.locations);
        self.locations.reserve(new_locations);
        here.types.reserve(types.size_hint().0);
        here.attributes.reserve(attributes.size_hint().0);
        loop {
            let before = (
                here.types.len(),
                here.attributes.len(),
                here.joined_locations,
            );
            while let Some(mut kind) = types.next_if(|kind| {
                let mut ready = true;
                type_children(kind, &mut |child| ready &= here.knows(child));
                ready
            }) {
                here.in_type(&mut kind)?;
                here.types.push(self.intern_type(kind));
            }
            while let Some(mut kind) = attributes.next_if(|kind| {
                let mut ready = true;
                attribute_children(kind, &mut |child| ready &= here.knows(child));
                ready
            }) {
                here.in_attribute(&mut kind)?;
                let attribute = match kind {
                    AttributeKind::Location(location) => self.location_attribute(location),
                    AttributeKind::Distinct { id, referenced } => {
                        let added = id.wrapping_sub(here.shared.distincts);
                        self.intern_attribute(AttributeKind::Distinct {
                            id: here.first_distinct.wrapping_add(added),
                            referenced,
                        })
                    }
                    kind => self.intern_attribute(kind),
                };
                here.attributes.push(attribute);
            }
            while here.joined_locations < new_locations {
                let next = here.shared.locations + here.joined_locations;
                if !self.join_location(here, locations, Location::from_index(next))? {
                    break;
                }
                here.joined_locations += 1;
            }
            if types.peek().is_none()
                && attributes.peek().is_none()
                && here.joined_locations == new_locations
            {
                return Ok(());
            }
            let now = (
                here.types.len(),
                here.attributes.len(),
                here.joined_locations,
            );
            if before == now {
                return Err(Invalid::new(
                    "an entry of the fork refers to one that is not there",
                ));
            }
        }
    }

    /// Appends a location, if its references are translated; returns whether they are.
    #[inline]
    fn join_location(
        &mut self,
        here: &mut Translation,
        locations: &LocationArena,
        location: Location,
    ) -> Result<bool, Invalid> {
        // Most are positions in files.
        if let Some((file, line, column)) = locations.place(location) {
            let file = Translation::identifier(here, file);
            self.locations.push_place(file, line, column);
            return Ok(true);
        }
        let kind = locations.get(location);
        let mut ready = true;
        kind.for_each_child(|child| ready &= here.knows(child));
        if ready {
            let mut parts = Vec::new();
            // A reserved location may be among them: see `reserve_location`.
            let kind = here.in_location(kind, &mut parts)?;
            let kind = self.noted(kind);
            self.locations.push(kind);
        }
        Ok(ready)
    }
}
