//! The tables of attributes and types.
//!
//! Entries refer to each other forward and backward. An entry that refers to one that is not
//! decoded yet waits on a stack until that one is decoded, and is then read again from its start.
//! Each is read a few times at most, since only the type of a number prevents reading what follows.
//! An entry that refers to one that waits for it is part of a cycle.

use super::Tables;
use super::chunks::Data;
use super::dialect_codecs::{Built, DialectCodecs, Row};
use super::places::{Places, SizeIndex};
use super::symbols::Found;
use crate::lookup::{malformed, placed};
use crate::pages::Pages;
use rmlir_format::{Error, ErrorKind, Input, Reader, Result, ResultExt, check_limit};
use rmlir_ir::builtin_codecs::attribute as code;
use rmlir_ir::codec::FieldValues;
use rmlir_ir::{Attribute, AttributeKind, Context, Location, LocationKind, Type};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The decoding state of an attribute or type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Slot {
    /// Not decoded yet.
    #[default]
    Undecoded,
    /// It waits for other entries.
    Open,
    Attribute(Attribute),
    /// An attribute that is a location.
    Location(Location),
    Type(Type),
    /// It has an unknown encoding, or refers to the given entry, which has one.
    Unknown(u32),
}

const _: () = assert!(size_of::<Slot>() == 8);

/// Attributes, then types.
pub(super) struct Entries<'a> {
    data: Data<'a>,
    /// An empty reader at the start of the section, for errors about it.
    section: Reader<'a>,
    places: Places<'a>,
    /// The state of each entry, and the levels of nesting below it.
    slots: Pages<(Slot, u32)>,
    /// Entries that wait for others, and those that they wait for.
    stack: Vec<u32>,
    // Of the entry that is being read.
    /// Entries that must be decoded first.
    pub(super) missing: Vec<u32>,
    /// An entry of an unknown encoding that is needed.
    pub(super) unknown: Option<u32>,
    /// The deepest of the entries referred to; then its own depth.
    pub(super) depth: u32,
    values: FieldValues<'a>,
    /// Dictionaries that were searched without decoding them.
    pub(super) symbols: HashMap<u32, [Found; 2]>,
}

impl<'a> Entries<'a> {
    /// Reads the section of offsets.
    pub(super) fn read(
        tables: &Tables<'_, 'a>,
        input: Reader<'a>,
        data: Data<'a>,
        known: &OnceLock<Arc<SizeIndex>>,
    ) -> Result<Self> {
        let section = data.section();
        let dialect = |input: &mut Reader<'_>| tables.dialect_number(input);
        let places = Places::grouped(&dialect, input, data.len(), &section, known)?;
        Ok(Entries {
            section,
            data,
            slots: Pages::new(places.len()),
            places,
            stack: Vec::new(),
            missing: Vec::new(),
            unknown: None,
            depth: 0,
            values: FieldValues::default(),
            symbols: HashMap::new(),
        })
    }

    /// Returns the numbers of attributes and types.
    pub(super) fn counts(&self) -> [u64; 2] {
        let attributes = u64::from(self.places.attributes());
        [attributes, (self.len() as u64).saturating_sub(attributes)]
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Decodes all entries.
    pub(super) fn decode_all(&mut self, tables: &mut Tables<'_, 'a>) -> Result<()> {
        for entry in 0..u32::try_from(self.len()).unwrap_or(u32::MAX) {
            if self.slot(entry) == Slot::Undecoded {
                self.decode(tables, entry)?;
            }
        }
        Ok(())
    }

    fn decode(&mut self, tables: &mut Tables<'_, 'a>, root: u32) -> Result<()> {
        let decoded = self.decode_with_others(tables, root);
        if decoded.is_err() {
            // Reset, so that they are not taken for part of a cycle when they are met again.
            while let Some(entry) = self.stack.pop() {
                if self.slot(entry) == Slot::Open {
                    self.slots.set(entry as usize, (Slot::Undecoded, 0));
                }
            }
        }
        decoded
    }

    fn decode_with_others(&mut self, tables: &mut Tables<'_, 'a>, root: u32) -> Result<()> {
        self.stack.push(root);
        while let Some(&entry) = self.stack.last() {
            if !matches!(self.slot(entry), Slot::Undecoded | Slot::Open) {
                // Two others waited for it.
                self.stack.pop();
                continue;
            }
            self.missing.clear();
            self.unknown = None;
            self.depth = 0;
            let slot = self
                .entry(tables, entry)
                .with_context(|| format!("reading {}", self.describe(tables, entry)))?;
            match slot {
                Some(slot) => {
                    self.slots.set(entry as usize, (slot, self.depth));
                    self.stack.pop();
                }
                None => {
                    self.slots.set(entry as usize, (Slot::Open, 0));
                    for at in 0..self.missing.len() {
                        let Some(&missing) = self.missing.get(at) else {
                            break;
                        };
                        if self.slot(missing) == Slot::Open {
                            let message =
                                format!("{} contains itself", self.describe(tables, missing));
                            let (input, _) = self.input(entry)?;
                            return Err(malformed(&input, input.offset(), message));
                        }
                        self.stack.push(missing);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the attribute, type or location that an entry encodes; `None` if the
    /// [`missing`](Self::missing) entries must be decoded first.
    #[inline]
    fn entry(&mut self, tables: &mut Tables<'_, 'a>, entry: u32) -> Result<Option<Slot>> {
        let (mut input, encoding) = self.input(entry)?;
        if let Some(location) = self.place_in_file(tables, entry, encoding, input.clone()) {
            return Ok(Some(Slot::Location(location)));
        }
        let at = input.offset();
        let slot = if let Some(dialect) = encoding {
            let family = tables.families.get(dialect as usize).cloned().flatten();
            let code = input.prefix_varint()?;
            match family {
                None => Some(Slot::Unknown(entry)),
                Some(family) => self.private(tables, entry, &family, code, input)?,
            }
        } else {
            Some(self.text(tables, entry, input)?)
        };
        let depth = self.depth.saturating_add(1);
        let within = check_limit("levels of nesting", depth.into(), tables.max_depth);
        placed(&self.section, at, within)?;
        self.depth = depth;
        Ok(slot)
    }

    /// Returns the file location that an entry encodes, without building values of its fields.
    ///
    /// Most entries are file locations. `None` if it is anything else, or not valid, or its file's
    /// name is not decoded yet.
    #[inline]
    fn place_in_file(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
        encoding: Option<u32>,
        mut input: Reader<'a>,
    ) -> Option<Location> {
        let attributes = self.places.attributes();
        let dialect = encoding.filter(|_| entry < attributes)? as usize;
        let Some(Some(DialectCodecs::Builtin)) = tables.families.get(dialect) else {
            return None;
        };
        let mut number = || u32::try_from(input.prefix_varint().ok()?).ok();
        if u64::from(number()?) != code::FILE_LINE_COL_LOC {
            return None;
        }
        let (name, line, column) = (number()?, number()?, number()?);
        let depth = self.depth_of(name).saturating_add(1);
        if name >= attributes || !input.is_empty() || u64::from(depth) > tables.max_depth {
            return None;
        }
        let Slot::Attribute(name) = self.slot(name) else {
            return None;
        };
        let AttributeKind::String { value, ty: None } = *tables.context.attribute_kind(name) else {
            return None;
        };
        self.depth = depth;
        Some(tables.context.file_location(value, line, column))
    }

    /// Decodes an entry in an encoding of its dialect, after its code.
    #[inline]
    fn private(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
        family: &DialectCodecs,
        code: u64,
        input: Reader<'a>,
    ) -> Result<Option<Slot>> {
        let is_type = entry >= self.places.attributes();
        let mut first_error = None;
        let mut rows = (0..).map_while(|number| family.row(is_type, code, number));
        for row in rows.by_ref() {
            self.missing.clear();
            let mut values = std::mem::take(&mut self.values);
            let slot = self.layout(tables, entry, family, row, input.clone(), &mut values);
            values.clear();
            self.values = values;
            match slot {
                Ok(slot) => return Ok(slot),
                // The layout of another release may fit.
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) => Err(error),
            None => Ok(Some(Slot::Unknown(entry))),
        }
    }

    #[inline]
    fn layout(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
        family: &DialectCodecs,
        row: Row<'_>,
        mut input: Reader<'a>,
        values: &mut FieldValues<'a>,
    ) -> Result<Option<Slot>> {
        let at = input.offset();
        // Shared entries and strings can multiply the length of a body's text beyond this.
        let paid = input.remaining().saturating_add(8).saturating_mul(8);
        let read = self.read_fields(tables, row.0, &mut input, values);
        if !self.missing.is_empty() {
            return Ok(None);
        }
        if let Some(unknown) = self.unknown {
            return Ok(Some(Slot::Unknown(unknown)));
        }
        read?;
        input.expect_end()?;
        let left = usize::try_from(tables.budget.left()).unwrap_or(usize::MAX);
        let longest = left.saturating_add(paid);
        let built = if entry < self.places.attributes() {
            let dissolved = family.dissolved(tables.context, row, values);
            let spent = tables.budget.spend(dissolved.saturating_sub(paid) as u64);
            placed(&self.section, at, spent)?;
            family
                .attribute(tables.context, row, values, longest)
                .map(|built| match built {
                    Built::Attribute(attribute) => Slot::Attribute(attribute),
                    Built::Location(location) => Slot::Location(location),
                })
        } else {
            family
                .ty(tables.context, row, values, longest)
                .map(Slot::Type)
        };
        match built {
            Ok(slot) => {
                let len = family.body_len(tables.context, slot);
                let spent = tables.budget.spend(len.saturating_sub(paid) as u64);
                placed(&self.section, at, spent)?;
                Ok(Some(slot))
            }
            Err(invalid) => {
                let message = format!("{}: {}", row.0.name, invalid.message());
                Err(malformed(&self.section, at, message))
            }
        }
    }

    /// Decodes an entry stored as text, followed by a zero byte.
    fn text(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entry: u32,
        mut input: Reader<'a>,
    ) -> Result<Slot> {
        let at = input.offset();
        let text = input.until_nul()?;
        input.expect_end()?;
        let Tables {
            context,
            file_resources,
            ..
        } = tables;
        let parsed = if entry < self.places.attributes() {
            file_resources
                .parse_attribute(context, text)
                .map(|attribute| match *context.attribute_kind(attribute) {
                    AttributeKind::Location(location) => Slot::Location(location),
                    _ => Slot::Attribute(attribute),
                })
        } else {
            file_resources.parse_type(context, text).map(Slot::Type)
        };
        parsed.map_err(|diagnostic| {
            let message = format!("the text of the entry: {}", diagnostic.first().message);
            malformed(&self.section, at, message)
        })
    }

    #[inline]
    pub(super) fn slot(&self, entry: u32) -> Slot {
        self.slots.get(entry as usize).0
    }

    /// Returns the bytes of an entry, and the dialect in whose encoding they are; `None` if they
    /// are text.
    #[inline]
    pub(super) fn input(&mut self, entry: u32) -> Result<(Reader<'a>, Option<u32>)> {
        let place = self.places.place(entry as usize)?;
        Ok((self.bytes(place.bytes)?, place.encoding))
    }

    fn bytes(&self, at: Range<u64>) -> Result<Reader<'a>> {
        match &self.data {
            Data::Whole(data) => {
                let mut data = data.clone();
                data.skip(at.start)?;
                data.sub_reader(at.end.saturating_sub(at.start), data.section())
            }
            Data::Chunks(chunks) => chunks.entry(&self.places, at),
        }
    }

    /// Passes the texts of entries that are stored as text to `each`.
    pub(super) fn texts(&mut self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        for entry in 0..u32::try_from(self.len()).unwrap_or(u32::MAX) {
            if let (mut input, None) = self.input(entry)? {
                each(input.until_nul().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Returns the dialects that have entries in a private encoding.
    pub(super) fn encoded_dialects(&self) -> impl Iterator<Item = u32> {
        self.places.encoded_dialects().iter().copied()
    }

    /// Describes an entry in human-readable form: `attribute #5 of dialect 'llvm'`.
    #[cold]
    fn describe(&self, tables: &Tables<'_, '_>, entry: u32) -> String {
        let place = self.places.place_once(entry as usize);
        let dialect = place.map_or(usize::MAX, |place| place.dialect as usize);
        let dialect = match tables.dialects.get(dialect) {
            Some(dialect) => tables.context.str(dialect.name),
            None => "?".into(),
        };
        match entry.checked_sub(self.places.attributes()) {
            None => format!("attribute #{entry} of dialect '{dialect}'"),
            Some(number) => format!("type #{number} of dialect '{dialect}'"),
        }
    }

    /// Returns the error for an entry whose encoding is not known.
    #[cold]
    pub(super) fn unknown_encoding(&self, tables: &Tables<'_, '_>, entry: u32) -> Error {
        let place = self.places.place_once(entry as usize);
        let mut input = match place.and_then(|place| self.bytes(place.bytes)) {
            Ok(input) => input,
            Err(error) => return error,
        };
        let at = input.offset();
        let code = input.prefix_varint().unwrap_or_default();
        let message = format!(
            "{} has the private encoding {code}, which is not known here: a definition of the dialect with that encoding is needed",
            self.describe(tables, entry)
        );
        Error::at(ErrorKind::Unsupported, at, message).with_section(self.section.section())
    }

    // References from operations and properties. The entry referred to is decoded if it is not yet.

    /// Returns attribute `number`; `at` is the offset of the number.
    #[inline]
    pub(super) fn attribute(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        input: &impl Input,
        at: u64,
        number: u64,
    ) -> Result<Attribute> {
        match self.attribute_slot(tables, input, at, number)? {
            Slot::Location(location) => Ok(tables.context.location_attribute(location)),
            Slot::Attribute(attribute) => Ok(attribute),
            _ => Err(malformed(input, at, "expected an attribute")),
        }
    }

    /// Returns location `number`; `at` is the offset of the number.
    #[inline]
    pub(super) fn location(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        input: &impl Input,
        at: u64,
        number: u64,
    ) -> Result<Location> {
        let slot = self.attribute_slot(tables, input, at, number)?;
        match as_location(tables.context, slot) {
            Some(location) => Ok(location),
            None => Err(malformed(
                input,
                at,
                format!("attribute #{number} is not a location"),
            )),
        }
    }

    /// Returns type `number`; `at` is the offset of the number.
    #[inline]
    pub(super) fn ty(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        input: &impl Input,
        at: u64,
        number: u64,
    ) -> Result<Type> {
        let entry = self.type_entry(input, at, number)?;
        match self.decoded(tables, entry)? {
            Slot::Type(ty) => Ok(ty),
            Slot::Unknown(entry) => Err(self.unknown_encoding(tables, entry)),
            _ => Err(malformed(input, at, "expected a type")),
        }
    }

    #[inline]
    fn attribute_slot(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        input: &impl Input,
        at: u64,
        number: u64,
    ) -> Result<Slot> {
        let entry = self.attribute_entry(input, at, number)?;
        match self.decoded(tables, entry)? {
            Slot::Unknown(entry) => Err(self.unknown_encoding(tables, entry)),
            slot => Ok(slot),
        }
    }

    /// Returns the slot of an entry, after decoding the entry if it is not decoded yet.
    #[inline]
    pub(super) fn decoded(&mut self, tables: &mut Tables<'_, 'a>, entry: u32) -> Result<Slot> {
        match self.slot(entry) {
            Slot::Undecoded => self.decode_first(tables, entry),
            slot => Ok(slot),
        }
    }

    #[cold]
    fn decode_first(&mut self, tables: &mut Tables<'_, 'a>, entry: u32) -> Result<Slot> {
        self.decode(tables, entry)?;
        Ok(self.slot(entry))
    }

    /// Returns the entry of attribute `number`, which is checked.
    #[inline]
    pub(super) fn attribute_entry(&self, input: &impl Input, at: u64, number: u64) -> Result<u32> {
        match u32::try_from(number) {
            Ok(entry) if entry < self.places.attributes() => Ok(entry),
            _ => {
                let [attributes, _] = self.counts();
                Err(no_such(input, at, "attribute", number, attributes))
            }
        }
    }

    /// Returns the entry of type `number`, which is checked.
    #[inline]
    pub(super) fn type_entry(&self, input: &impl Input, at: u64, number: u64) -> Result<u32> {
        let entry = u32::try_from(number)
            .ok()
            .and_then(|number| self.places.attributes().checked_add(number));
        match entry {
            Some(entry) if (entry as usize) < self.len() => Ok(entry),
            _ => {
                let [_, types] = self.counts();
                Err(no_such(input, at, "type", number, types))
            }
        }
    }

    /// Returns the levels of nesting below an entry.
    #[inline]
    pub(super) fn depth_of(&self, entry: u32) -> u32 {
        self.slots.get(entry as usize).1
    }
}

/// Converts a slot to a location where a location is required.
#[inline]
pub(super) fn as_location(context: &mut Context, slot: Slot) -> Option<Location> {
    match slot {
        Slot::Location(location) => Some(location),
        Slot::Attribute(attribute) => {
            let kind = context.attribute_kind(attribute);
            matches!(kind, AttributeKind::Dialect { .. })
                .then(|| context.location(LocationKind::Dialect(attribute)))
        }
        _ => None,
    }
}

#[cold]
#[inline(never)]
fn no_such(input: &impl Input, at: u64, what: &str, number: u64, count: u64) -> Error {
    malformed(
        input,
        at,
        format!("invalid {what} index: {number}, where the file has {count}"),
    )
}
