//! Entries of tables that are read when they are used first, for readers of parts of a file.

use super::NumberMap;
use super::entries::EntryReader;
use super::external::Resolver;
use super::fields::{self, Kind, Sink};
use super::structure::{Structure, SymbolNames};
use super::table_views::{Class, TableViews};
use super::tables::{Tables, bytes};
use super::templates::{Template, Templates};
use crate::lookup::malformed;
use rmlir_format::rmbc::{resource, section};
use rmlir_format::{Error, Reader, Result};
use rmlir_ir::{Attribute, Identifier, IndexedMap, Location, Resource, Type};
use std::ops::Range;
use std::sync::Arc;

/// The file, and everything read so far except types, attributes and locations.
pub(super) struct LazyEntries {
    pub(super) views: Arc<TableViews>,
    pub(super) structure: Structure,
    external: Option<Resolver>,
    strings: IndexedMap<Option<Identifier>>,
    has_affine: bool,
    /// Where each resource is, once one was used.
    resource_places: Option<Vec<Range<usize>>>,
    has_blobs: bool,
    resources: NumberMap<u64, Resource>,
}

impl LazyEntries {
    pub(super) fn new(views: Arc<TableViews>, external: Option<Resolver>) -> Self {
        LazyEntries {
            external,
            structure: Structure::new(views.clone(), SymbolNames::Ignored),
            views,
            strings: IndexedMap::default(),
            has_affine: false,
            resource_places: None,
            has_blobs: false,
            resources: NumberMap::default(),
        }
    }

    /// Returns the resource of a number, if it was used.
    pub(super) fn known_resource(&self, number: u64) -> Option<Resource> {
        self.resources.get(&number).copied()
    }
}

/// Collects the entries that an entry refers to and that are not read yet.
struct Missing<'t, 'c> {
    tables: &'t Tables<'c>,
    views: &'t TableViews,
    position: u64,
    found: Vec<u64>,
}

impl Sink for Missing<'_, '_> {
    fn part(
        &mut self,
        name: &'static str,
        kind: Kind,
        value: Option<u64>,
        before: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        let (Some(class), Some(number)) = (Class::of_kind(kind), value) else {
            return Ok(());
        };
        if class == Class::Attribute && number >= self.tables.attribute_count {
            // The reference is to a string.
            return Ok(());
        }
        let position = self.views.position(class, number);
        let Some(position) = position.filter(|&position| position < self.position) else {
            let message = format!("{name} #{number} does not come before");
            return Err(malformed(before, before.offset(), message));
        };
        if !self.tables.is_known(class, number) {
            self.found.push(position);
        }
        Ok(())
    }

    fn fixed_bytes(&mut self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64> {
        self.views.fixed_bytes(input, at, ty)
    }
}

impl Tables<'_> {
    fn is_known(&self, class: Class, number: u64) -> bool {
        match class {
            Class::Type => self.types.get(number).is_some(),
            Class::Attribute => self.attributes.get(number).is_some(),
            Class::Location => self.locations.get(number).is_some(),
        }
    }

    /// Reads an entry with everything it refers to. Nothing recurses.
    fn load(&mut self, input: &Reader<'_>, at: u64, class: Class, number: u64) -> Result<()> {
        let what = match class {
            Class::Type => "type",
            Class::Attribute => "attribute",
            Class::Location => "location",
        };
        let Some(part) = &self.part else {
            return Err(self.absent(input, at, what, number));
        };
        let views = part.views.clone();
        let Some(position) = views.position(class, number) else {
            let message = format!("{what} #{number} is not there");
            return Err(malformed(input, at, message));
        };
        let mut stack = vec![position];
        while let Some(&position) = stack.last() {
            let entry = views.entry(position)?;
            if self.is_known(entry.class, entry.number) {
                stack.pop();
                continue;
            }
            let (_, fields) = fields::fields(entry.tag).unwrap_or_default();
            let mut missing = Missing {
                tables: self,
                views: &views,
                position,
                found: Vec::new(),
            };
            fields::walk(&mut entry.reader(), fields, &mut missing)?;
            if !missing.found.is_empty() {
                stack.append(&mut missing.found);
                continue;
            }
            match entry.class {
                Class::Type => self.types.expect(entry.number),
                Class::Attribute => self.attributes.expect(entry.number),
                Class::Location => self.locations.expect(entry.number),
            }
            let input = entry.reader();
            let at = input.offset();
            let mut reader = EntryReader {
                tables: self,
                input,
                depth: 0,
            };
            reader.entry(at, entry.tag)?;
            reader.input.expect_end()?;
            stack.pop();
        }
        Ok(())
    }

    #[cold]
    pub(super) fn missing_type(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Type> {
        self.load(input, at, Class::Type, number)?;
        let found = self.types.get(number);
        found.ok_or_else(|| self.absent(input, at, "type", number))
    }

    #[cold]
    pub(super) fn missing_attribute(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Attribute> {
        self.load(input, at, Class::Attribute, number)?;
        let found = self.attributes.get(number);
        found.ok_or_else(|| self.absent(input, at, "attribute", number))
    }

    #[cold]
    pub(super) fn missing_location(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Location> {
        self.load(input, at, Class::Location, number)?;
        let found = self.locations.get(number);
        found.ok_or_else(|| self.absent(input, at, "location", number))
    }

    #[cold]
    pub(super) fn missing_string(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Identifier> {
        let Some(part) = &mut self.part else {
            return Err(self.absent(input, at, "string", number));
        };
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(string) = part.strings.get(index) {
            return Ok(string);
        }
        let string = self.context.identifier(part.structure.string(number)?);
        *part.strings.get_mut(index) = Some(string);
        Ok(string)
    }

    /// Reads the affine expressions, all of them, when one is used.
    pub(super) fn need_affine(&mut self) -> Result<()> {
        let Some(part) = self.part.as_mut().filter(|part| !part.has_affine) else {
            return Ok(());
        };
        part.has_affine = true;
        let views = part.views.clone();
        if let Some(section) = views.store.section(section::AFFINE) {
            let all = section.all()?;
            let reader = Reader::with_base(&all, section.offset(), section.name());
            self.read_affine(reader)?;
        }
        Ok(())
    }

    /// Locates the blobs of a file that is not read whole.
    pub(super) fn need_blobs(&mut self) -> Result<()> {
        let Some(part) = self.part.as_mut().filter(|part| !part.has_blobs) else {
            return Ok(());
        };
        part.has_blobs = true;
        self.blobs = super::blobs_of(&part.views, part.external.clone())?;
        Ok(())
    }

    /// Where resources are, once it is known.
    fn need_resources(&mut self) -> Result<()> {
        let Some(part) = &mut self.part else {
            return Ok(());
        };
        if part.resource_places.is_some() {
            return Ok(());
        }
        let views = part.views.clone();
        let places = match views.store.section(section::RESOURCES) {
            Some(section) => {
                let all = section.all()?;
                let input = Reader::with_base(&all, section.offset(), section.name());
                resource_places(input)?
            }
            None => Vec::new(),
        };
        part.resource_places = Some(places);
        Ok(())
    }

    /// How many resources the file has.
    pub(super) fn resource_count(&mut self) -> Result<u64> {
        self.need_resources()?;
        let part = self.part.as_ref();
        let places = part.and_then(|part| part.resource_places.as_ref());
        Ok(places.map_or(0, |places| places.len() as u64))
    }

    #[cold]
    pub(super) fn missing_resource(
        &mut self,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Resource> {
        self.need_resources()?;
        let absent = || malformed(input, at, format!("resource #{number} is not there"));
        let Some(part) = &self.part else {
            return Err(absent());
        };
        if let Some(resource) = part.known_resource(number) {
            return Ok(resource);
        }
        let views = part.views.clone();
        let place = usize::try_from(number).ok();
        let place = place.and_then(|number| part.resource_places.as_ref()?.get(number));
        let Some(range) = place.cloned() else {
            return Err(absent());
        };
        let Some(section) = views.store.section(section::RESOURCES) else {
            return Err(absent());
        };
        let (start, end) = (range.start as u64, range.end as u64);
        let bytes = section.range(start..end)?;
        let offset = section.offset().saturating_add(start);
        let mut entry = Reader::with_base(&bytes, offset, section.name());
        let resource = self.read_resource(&mut entry)?;
        if let Some(part) = &mut self.part {
            part.resources.insert(number, resource);
        }
        Ok(resource)
    }
}

/// Returns the position of each resource.
fn resource_places(mut input: Reader<'_>) -> Result<Vec<Range<usize>>> {
    let mut places = Vec::new();
    for _ in 0..input.count(3)? {
        let start = input.position();
        input.varint()?;
        input.varint()?;
        match input.u8()? {
            resource::BLOB => drop(input.varint()?),
            resource::STRING | resource::LATER.. => drop(bytes(&mut input)?),
            _ => {}
        }
        places.push(start..input.position());
    }
    input.expect_end()?;
    Ok(places)
}

impl Templates {
    /// Reads the operation template of a number that was not read yet.
    #[cold]
    pub(super) fn missing_template(
        &mut self,
        tables: &mut Tables<'_>,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Template> {
        let Some(part) = &mut tables.part else {
            let message = format!(
                "template #{number} is not there: there are {}",
                self.templates.len()
            );
            return Err(malformed(input, at, message));
        };
        if let Some(template) = self.some.get(&number) {
            return Ok(template.clone());
        }
        let views = part.views.clone();
        if number >= views.templates.count {
            let message = format!(
                "template #{number} is not there: there are {}",
                views.templates.count
            );
            return Err(malformed(input, at, message));
        }
        let head = part.structure.template(number)?;
        let signature = part.structure.signature(head.signature_number)?;
        if !self.some_signatures.contains_key(&head.signature_number) {
            let block = views
                .signatures
                .block(&views.store, head.signature_number)?;
            let mut data = within(block.reader(), &signature.range);
            let read = self.signature(tables, &mut data)?;
            data.expect_end()?;
            self.some_signatures
                .insert(head.signature_number, self.signatures.len());
            self.signatures.push(read);
        }
        let block = views.templates.block(&views.store, number)?;
        let mut data = within(block.reader(), &head.range);
        let template = self.template(tables, &mut data)?;
        data.expect_end()?;
        self.some.insert(number, template.clone());
        Ok(template)
    }

    /// Where the types of a list are that was not read.
    #[cold]
    pub(super) fn missing_list(
        &mut self,
        tables: &mut Tables<'_>,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<Range<usize>> {
        let count = match &tables.part {
            Some(part) => part.views.lists.count,
            None => self.lists.len() as u64,
        };
        let Some(part) = tables.part.as_mut().filter(|_| number < count) else {
            let message = format!("type list #{number} is not there: there are {count}");
            return Err(malformed(input, at, message));
        };
        if let Some(range) = self.some_lists.get(&number) {
            return Ok(range.clone());
        }
        let views = part.views.clone();
        let (_, range) = part.structure.list(number)?;
        let block = views.lists.block(&views.store, number)?;
        let mut data = within(block.reader(), &range);
        let start = self.types.len();
        self.list(tables, &mut data)?;
        data.expect_end()?;
        let range = start..self.types.len();
        self.some_lists.insert(number, range.clone());
        Ok(range)
    }
}

/// Returns a reader of the part of the bytes that belongs to an entry.
pub(super) fn within<'a>(input: Reader<'a>, range: &Range<usize>) -> Reader<'a> {
    let base = input.offset().saturating_add(range.start as u64);
    let bytes = input.peek_rest().get(range.clone()).unwrap_or_default();
    Reader::with_base(bytes, base, input.section())
}

/// Returns the error for a file whose tables changed while they were read.
#[cold]
pub(super) fn inconsistent(input: &Reader<'_>) -> Error {
    malformed(
        input,
        input.offset(),
        "the index does not fit the operations",
    )
}
