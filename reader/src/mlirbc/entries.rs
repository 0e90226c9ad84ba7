//! The tables of attributes and types.
//!
//! Entries refer to each other forward and backward. An entry that refers to one that is not
//! decoded yet waits on a stack until that one is decoded, and is then read again from its start.
//! Each is read a few times at most, since only the type of a number prevents reading what follows.
//! An entry that refers to one that waits for it is part of a cycle.

use super::Tables;
use super::chunks::Data;
use super::dialect_codecs::{Built, DialectCodecs, Row};
use super::symbols::Found;
use crate::lookup::{malformed, placed};
use rmlir_format::{Error, ErrorKind, Input, Reader, Result, ResultExt, check_limit};
use rmlir_ir::builtin_codecs::attribute as code;
use rmlir_ir::codec::FieldValues;
use rmlir_ir::{Attribute, AttributeKind, Context, Location, LocationKind, Type};
use std::collections::HashMap;

/// The decoding state of an attribute or type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// Not decoded yet.
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
    attributes: u32,
    pub(super) slots: Vec<Slot>,
    /// The offset in `data` of each entry, times two, plus one for a private encoding; finally, the
    /// end.
    starts: Vec<u64>,
    /// The levels of nesting below each entry.
    depths: Vec<u32>,
    /// The first entries of groups, and their dialects.
    groups: Vec<(u32, u32)>,
    /// The group that was looked up last: first entry, end, dialect.
    group: (u32, u32, u32),
    /// Entries that wait for others, and those that they wait for.
    stack: Vec<u32>,
    // Of the entry that is being read.
    /// Entries that must be decoded first.
    pub(super) missing: Vec<u32>,
    /// An entry of an unknown encoding that is needed.
    pub(super) unknown: Option<u32>,
    /// The deepest of the entries referred to.
    pub(super) depth: u32,
    values: FieldValues<'a>,
    /// Dictionaries that were searched without decoding them.
    pub(super) symbols: HashMap<u32, [Found; 2]>,
}

/// The first byte of an entry, and whether its encoding is private.
const PRIVATE: u64 = 1;

impl<'a> Entries<'a> {
    /// Reads the section of offsets.
    pub(super) fn read(
        tables: &Tables<'_, 'a>,
        mut input: Reader<'a>,
        data: Data<'a>,
    ) -> Result<Self> {
        let at = input.offset();
        let counts = [input.prefix_count(1)?, input.prefix_count(1)?];
        // Each takes at least one byte of the section, and handles have 32 bits.
        let total = counts[0].saturating_add(counts[1]);
        let within =
            check_limit("attributes and types", total as u64, i32::MAX as u64).and_then(|()| {
                check_limit(
                    "bytes left for them",
                    total as u64,
                    input.remaining() as u64,
                )
            });
        placed(&input, at, within)?;
        let data_len = data.len();
        let mut entries = Entries {
            section: data.section(),
            data,
            attributes: u32::try_from(counts[0]).unwrap_or(u32::MAX),
            slots: vec![Slot::Undecoded; total],
            starts: Vec::with_capacity(total.saturating_add(1)),
            depths: vec![0; total],
            groups: Vec::new(),
            group: (0, 0, 0),
            stack: Vec::new(),
            missing: Vec::new(),
            unknown: None,
            depth: 0,
            values: FieldValues::default(),
            symbols: HashMap::new(),
        };
        let mut start = 0u64;
        let mut end = 0;
        for count in counts {
            end = count.saturating_add(end);
            while entries.starts.len() < end {
                let first = entries.starts.len();
                let dialect = tables.dialect_number(&mut input)?;
                let at = input.offset();
                let len = input.prefix_count(1)?;
                if len > end.saturating_sub(first) {
                    let message = format!(
                        "a group of {len} entries where {} are left",
                        end.saturating_sub(first)
                    );
                    return Err(malformed(&input, at, message));
                }
                entries
                    .groups
                    .push((u32::try_from(first).unwrap_or(u32::MAX), dialect));
                for _ in 0..len {
                    let at = input.offset();
                    let (size, private) = input.prefix_flagged_varint()?;
                    entries.starts.push(start << 1 | u64::from(private));
                    start = start.saturating_add(size);
                    if start > data_len {
                        let message = format!(
                            "Attribute or Type entry offset points past the end of section: \
                             {start} of {data_len} bytes"
                        );
                        return Err(malformed(&input, at, message));
                    }
                }
            }
        }
        if !input.is_empty() {
            let message = "unexpected trailing data in the Attribute/Type offset section";
            return Err(input.error(ErrorKind::Malformed, message));
        }
        entries.starts.push(start << 1);
        if let Some(left) = data_len.checked_sub(start).filter(|&left| left > 0) {
            let at = entries.section.offset().saturating_add(start);
            let message = format!("{left} byte(s) follow where nothing may");
            return Err(malformed(&entries.section, at, message));
        }
        Ok(entries)
    }

    /// Returns the numbers of attributes and types.
    pub(super) fn counts(&self) -> [u64; 2] {
        let types = self.slots.len().saturating_sub(self.attributes as usize);
        [self.attributes.into(), types as u64]
    }

    /// Decodes all entries.
    pub(super) fn decode_all(&mut self, tables: &mut Tables<'_, 'a>) -> Result<()> {
        for entry in 0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX) {
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
                    self.set(entry, Slot::Undecoded);
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
                    self.set(entry, slot);
                    self.stack.pop();
                }
                None => {
                    self.set(entry, Slot::Open);
                    for at in 0..self.missing.len() {
                        let Some(&missing) = self.missing.get(at) else {
                            break;
                        };
                        if self.slot(missing) == Slot::Open {
                            let message =
                                format!("{} contains itself", self.describe(tables, missing));
                            let input = self.input(entry)?;
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
        let mut input = self.input(entry)?;
        if let Some(location) = self.place_in_file(tables, entry, input.clone()) {
            return Ok(Some(Slot::Location(location)));
        }
        let at = input.offset();
        let slot = if self.is_private(entry) {
            let dialect = self.dialect(entry);
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
        if let Some(own) = self.depths.get_mut(entry as usize) {
            *own = depth;
        }
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
        mut input: Reader<'a>,
    ) -> Option<Location> {
        if entry >= self.attributes || !self.is_private(entry) {
            return None;
        }
        let dialect = self.dialect(entry) as usize;
        let Some(Some(DialectCodecs::Builtin)) = tables.families.get(dialect) else {
            return None;
        };
        let mut number = || u32::try_from(input.prefix_varint().ok()?).ok();
        if u64::from(number()?) != code::FILE_LINE_COL_LOC {
            return None;
        }
        let (name, line, column) = (number()?, number()?, number()?);
        let depth = self.depth_of(name).saturating_add(1);
        if name >= self.attributes || !input.is_empty() || u64::from(depth) > tables.max_depth {
            return None;
        }
        let Slot::Attribute(name) = self.slot(name) else {
            return None;
        };
        let AttributeKind::String { value, ty: None } = *tables.context.attribute_kind(name) else {
            return None;
        };
        *self.depths.get_mut(entry as usize)? = depth;
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
        let is_type = entry >= self.attributes;
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
        let built = if entry < self.attributes {
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
        let parsed = if entry < self.attributes {
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
        // Callers have checked the number.
        self.slots
            .get(entry as usize)
            .copied()
            .unwrap_or(Slot::Undecoded)
    }

    fn set(&mut self, entry: u32, slot: Slot) {
        if let Some(place) = self.slots.get_mut(entry as usize) {
            *place = slot;
        }
    }

    /// Returns the bytes of an entry.
    #[inline]
    pub(super) fn input(&self, entry: u32) -> Result<Reader<'a>> {
        let at = |entry: usize| self.starts.get(entry).map_or(0, |start| start >> 1);
        let (start, end) = (at(entry as usize), at((entry as usize).saturating_add(1)));
        match &self.data {
            Data::Whole(data) => {
                let mut data = data.clone();
                data.skip(start)?;
                data.sub_reader(end.saturating_sub(start), data.section())
            }
            Data::Chunks(chunks) => chunks.entry(&self.starts, start..end),
        }
    }

    /// Passes the texts of entries that are stored as text to `each`.
    pub(super) fn texts(&self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        for (entry, _) in (0..).zip(&self.slots) {
            if !self.is_private(entry) {
                let mut input = self.input(entry)?;
                each(input.until_nul().unwrap_or_default());
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn is_private(&self, entry: u32) -> bool {
        self.starts
            .get(entry as usize)
            .is_some_and(|start| start & PRIVATE != 0)
    }

    /// Returns the numbers of the dialects that have entries in a private encoding, once for each
    /// group of entries.
    pub(super) fn encoded_dialects(&self) -> impl Iterator<Item = u32> {
        let ends = self.groups.iter().skip(1).map(|group| group.0 as usize);
        let ends = ends.chain([self.slots.len()]);
        let encoded = self.groups.iter().zip(ends).filter(|&(group, end)| {
            let entries = self.starts.get(group.0 as usize..end);
            let mut entries = entries.unwrap_or_default().iter();
            entries.any(|start| start & PRIVATE != 0)
        });
        encoded.map(|(group, _)| group.1)
    }

    /// Returns the dialect of an entry's group.
    #[inline]
    pub(super) fn dialect(&mut self, entry: u32) -> u32 {
        let (first, end, dialect) = self.group;
        if (first..end).contains(&entry) {
            return dialect;
        }
        self.group = self.find_group(entry);
        self.group.2
    }

    fn find_group(&self, entry: u32) -> (u32, u32, u32) {
        let behind = self.groups.partition_point(|&(first, _)| first <= entry);
        let end = self
            .groups
            .get(behind)
            .map_or(u32::MAX, |&(first, _)| first);
        let group = behind.checked_sub(1).and_then(|at| self.groups.get(at));
        let &(first, dialect) = group.unwrap_or(&(0, 0));
        (first, end, dialect)
    }

    /// Describes an entry in human-readable form: `attribute #5 of dialect 'llvm'`.
    #[cold]
    fn describe(&self, tables: &Tables<'_, '_>, entry: u32) -> String {
        let (_, _, dialect) = self.find_group(entry);
        let dialect = match tables.dialects.get(dialect as usize) {
            Some(dialect) => tables.context.str(dialect.name),
            None => "?".into(),
        };
        match entry.checked_sub(self.attributes) {
            None => format!("attribute #{entry} of dialect '{dialect}'"),
            Some(number) => format!("type #{number} of dialect '{dialect}'"),
        }
    }

    /// Returns the error for an entry whose encoding is not known.
    #[cold]
    pub(super) fn unknown_encoding(&self, tables: &Tables<'_, '_>, entry: u32) -> Error {
        let mut input = match self.input(entry) {
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
            Ok(entry) if entry < self.attributes => Ok(entry),
            _ => Err(no_such(input, at, "attribute", number, self.attributes)),
        }
    }

    /// Returns the entry of type `number`, which is checked.
    #[inline]
    pub(super) fn type_entry(&self, input: &impl Input, at: u64, number: u64) -> Result<u32> {
        let entry = u32::try_from(number)
            .ok()
            .and_then(|number| self.attributes.checked_add(number));
        match entry {
            Some(entry) if (entry as usize) < self.slots.len() => Ok(entry),
            _ => {
                let types = self.slots.len().saturating_sub(self.attributes as usize);
                let types = u32::try_from(types).unwrap_or(u32::MAX);
                Err(no_such(input, at, "type", number, types))
            }
        }
    }

    /// Returns the levels of nesting below an entry.
    #[inline]
    pub(super) fn depth_of(&self, entry: u32) -> u32 {
        self.depths.get(entry as usize).copied().unwrap_or(0)
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
fn no_such(input: &impl Input, at: u64, what: &str, number: u64, count: u32) -> Error {
    malformed(
        input,
        at,
        format!("invalid {what} index: {number}, where the file has {count}"),
    )
}
