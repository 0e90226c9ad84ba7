//! Tables: strings, dialects, sizes of entries, resources, properties; and the labels they provide.

use super::{DumpPart, Dumper, FieldContent};
use crate::mlirbc::dialects::DialectVersions;
use rmlir_format::mlirbc::{Version, read_section, resource_kind, section};
use rmlir_format::{ErrorKind, Reader, Result};
use rmlir_ir::Context;

/// The meanings of numbers, as far as the tables can be read.
#[derive(Default)]
pub(super) struct Names<'a> {
    strings: Vec<&'a [u8]>,
    dialects: Vec<&'a [u8]>,
    /// The versions of dialects that have one.
    versions: Vec<(&'a [u8], Reader<'a>)>,
    /// Dialect and name.
    operations: Vec<(&'a [u8], &'a [u8])>,
    /// Whether the writer knew each operation.
    registered: Vec<bool>,
    /// Dialect, size, private encoding; attributes first.
    pub(super) entries: Vec<(&'a [u8], u64, bool)>,
    pub(super) attributes: usize,
    /// Group, key, size, kind.
    resources: Vec<(&'a [u8], u64, u8)>,
}

fn get<T: Copy + Default>(table: &[T], number: u64) -> T {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    table.get(number).copied().unwrap_or_default()
}

impl<'a> Names<'a> {
    /// Returns whether the writer knew an operation, by the number of its name.
    pub(super) fn is_registered(&self, number: u64) -> bool {
        get(&self.registered, number)
    }

    /// Reads the tables as far as possible.
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let mut names = Names::default();
        // A file without all its sections still has tables.
        let mut sections: [Option<Reader<'a>>; section::NAMES.len()] = Default::default();
        let mut version = Version::NEWEST;
        let found = |names: &mut [Option<Reader<'a>>], version: &mut Version| -> Result<()> {
            let mut input = Reader::new(bytes, "header");
            input.bytes(4)?;
            *version = Version::new(input.prefix_varint()?).unwrap_or(Version::NEWEST);
            input.until_nul()?;
            while !input.is_empty() {
                let (id, data) = read_section(&mut input)?;
                if let Some(slot) = names.get_mut(usize::from(id)) {
                    slot.get_or_insert(data);
                }
            }
            Ok(())
        };
        // Numbers of tables after the damage have no labels.
        let _ = found(&mut sections, &mut version);
        let mut section = |id: u8| sections.get_mut(usize::from(id)).and_then(Option::take);
        if let Some(data) = section(section::STRINGS) {
            let _ = names.read_strings(data);
        }
        if let Some(data) = section(section::DIALECTS) {
            let _ = names.read_dialects(data, version);
        }
        if let Some(data) = section(section::ENTRY_OFFSETS) {
            let _ = names.read_entries(data);
        }
        if let Some(data) = section(section::RESOURCE_OFFSETS) {
            let _ = names.read_resources(data);
        }
        names
    }

    fn read_strings(&mut self, mut input: Reader<'a>) -> Result<()> {
        let count = input.prefix_count(2)?;
        let mut sizes = Vec::with_capacity(count);
        for _ in 0..count {
            sizes.push(input.prefix_varint()?);
        }
        for &size in sizes.iter().rev() {
            let bytes = input.bytes(size)?;
            self.strings
                .push(bytes.strip_suffix(b"\0").unwrap_or(bytes));
        }
        Ok(())
    }

    fn read_dialects(&mut self, mut input: Reader<'a>, version: Version) -> Result<()> {
        for _ in 0..input.prefix_count(1)? {
            let (number, versioned) = match version.has_dialect_versions() {
                true => input.prefix_flagged_varint()?,
                false => (input.prefix_varint()?, false),
            };
            if versioned {
                let (_, version) = read_section(&mut input)?;
                self.versions.push((self.string(number), version));
            }
            self.dialects.push(self.string(number));
        }
        if version.has_argument_flags() {
            input.prefix_varint()?;
        }
        while !input.is_empty() {
            let dialect = input.prefix_varint()?;
            let dialect = self.dialect(dialect);
            for _ in 0..input.prefix_count(1)? {
                let (number, is_registered) = match version.has_properties() {
                    true => input.prefix_flagged_varint()?,
                    false => (input.prefix_varint()?, false),
                };
                self.operations.push((dialect, self.string(number)));
                self.registered.push(is_registered);
            }
        }
        Ok(())
    }

    fn read_entries(&mut self, mut input: Reader<'a>) -> Result<()> {
        let counts = [input.prefix_count(1)?, input.prefix_count(1)?];
        self.attributes = counts[0];
        let mut end = 0usize;
        for count in counts {
            end = end.saturating_add(count);
            while self.entries.len() < end {
                let dialect = input.prefix_varint()?;
                let dialect = self.dialect(dialect);
                let left = end.saturating_sub(self.entries.len());
                let len = input.prefix_count(1)?;
                if len == 0 && input.is_empty() {
                    return Ok(());
                }
                for _ in 0..len.min(left) {
                    let (size, private) = input.prefix_flagged_varint()?;
                    self.entries.push((dialect, size, private));
                }
            }
        }
        Ok(())
    }

    fn read_resources(&mut self, mut input: Reader<'a>) -> Result<()> {
        for _ in 0..input.prefix_count(1)? {
            input.prefix_varint()?;
            self.read_resource_entries(&mut input)?;
        }
        while !input.is_empty() {
            input.prefix_varint()?;
            self.read_resource_entries(&mut input)?;
        }
        Ok(())
    }

    fn read_resource_entries(&mut self, input: &mut Reader<'a>) -> Result<()> {
        for _ in 0..input.prefix_count(1)? {
            let key = input.prefix_varint()?;
            let key = self.string(key);
            let size = input.prefix_varint()?;
            self.resources.push((key, size, input.u8()?));
        }
        Ok(())
    }

    pub(super) fn string(&self, number: u64) -> &'a [u8] {
        get(&self.strings, number)
    }

    pub(super) fn dialect(&self, number: u64) -> &'a [u8] {
        get(&self.dialects, number)
    }

    /// Returns the versions of the dialects, as far as they can be read.
    pub(super) fn versions(&self, context: &Context) -> DialectVersions {
        let mut versions = DialectVersions::default();
        for (namespace, version) in &self.versions {
            let _ = versions.add(context, namespace, version.clone());
        }
        versions
    }

    pub(super) fn operation(&self, number: u64) -> (&'a [u8], &'a [u8]) {
        get(&self.operations, number)
    }
}

impl<'a> Dumper<'_, 'a> {
    pub(super) fn strings(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let count = self.count(input, "number of strings")?;
        let mut sizes = Vec::new();
        for _ in 0..count {
            sizes.push(self.varint(input, "size, from the last string on")?);
        }
        for (number, &size) in sizes.iter().rev().enumerate() {
            let start = input.offset();
            let bytes = input.bytes(size)?;
            self.enter(start, DumpPart::String(number as u64));
            let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
            self.field(input, start, "string", FieldContent::Text(text));
            self.leave(input.offset());
            if bytes.last() != Some(&0) {
                let message = format!("string #{number} does not end with a zero byte");
                return Err(input.error(ErrorKind::Malformed, message));
            }
        }
        Ok(())
    }

    pub(super) fn dialects(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let count = self.count(input, "number of dialects")?;
        for number in 0..count {
            let start = input.offset();
            self.enter(start, DumpPart::Dialect(number, self.names.dialect(number)));
            let (string, versioned) = match self.version.has_dialect_versions() {
                true => input.prefix_flagged_varint()?,
                false => (input.prefix_varint()?, false),
            };
            let content = FieldContent::Reference("string", string, self.names.string(string));
            self.field(input, start, "name", content);
            if versioned {
                let (_, mut data) = self.frame(input)?;
                self.bytes(&mut data, "version", u64::MAX)?;
                self.leave(data.offset());
            }
            self.leave(input.offset());
        }
        if self.version.has_argument_flags() {
            self.varint(input, "number of operation names")?;
        }
        while !input.is_empty() {
            let start = input.offset();
            let dialect = self.names.dialect(input.clone().prefix_varint()?);
            self.enter(start, DumpPart::OperationNames(dialect));
            self.dialect(input, "dialect")?;
            for _ in 0..self.count(input, "number of names")? {
                let start = input.offset();
                let (string, registered) = match self.version.has_properties() {
                    true => input.prefix_flagged_varint()?,
                    false => (input.prefix_varint()?, true),
                };
                let text = self.names.string(string);
                let content = FieldContent::Reference("string", string, text);
                let name = match registered {
                    true => "name",
                    false => "name, not known to the writer",
                };
                self.field(input, start, name, content);
            }
            self.leave(input.offset());
        }
        Ok(())
    }

    pub(super) fn entry_sizes(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let mut counts = [0; 2];
        for (count, name) in counts
            .iter_mut()
            .zip(["number of attributes", "number of types"])
        {
            *count = self.varint(input, name)?;
        }
        for mut left in counts {
            while left > 0 {
                let start = input.offset();
                let dialect = self.names.dialect(input.clone().prefix_varint()?);
                self.enter(start, DumpPart::EntrySizes(dialect));
                self.dialect(input, "dialect")?;
                let at = input.offset();
                let count = self.count(input, "number of entries")?;
                if count > left {
                    let message =
                        format!("a group of {count} entries where {left} are left, at offset {at}");
                    return Err(input.error(ErrorKind::Malformed, message));
                }
                left = left.saturating_sub(count);
                for _ in 0..count {
                    self.flagged(input, "size, private encoding")?;
                }
                self.leave(input.offset());
            }
        }
        Ok(())
    }

    pub(super) fn resource_keys(&mut self, input: &mut Reader<'a>) -> Result<()> {
        for _ in 0..self.count(input, "number of external groups")? {
            let start = input.offset();
            let group = self.names.string(input.clone().prefix_varint()?);
            self.enter(start, DumpPart::ResourceGroup(group));
            self.string(input, "group")?;
            self.resource_entries(input)?;
        }
        while !input.is_empty() {
            let start = input.offset();
            let group = self.names.dialect(input.clone().prefix_varint()?);
            self.enter(start, DumpPart::ResourceGroup(group));
            self.dialect(input, "dialect")?;
            self.resource_entries(input)?;
        }
        Ok(())
    }

    fn resource_entries(&mut self, input: &mut Reader<'a>) -> Result<()> {
        for _ in 0..self.count(input, "number of resources")? {
            self.string(input, "key")?;
            self.varint(input, "size")?;
            self.byte(input, "kind")?;
        }
        self.leave(input.offset());
        Ok(())
    }

    pub(super) fn resource_values(&mut self, input: &mut Reader<'a>) -> Result<()> {
        for number in 0..self.names.resources.len() {
            let (key, size, kind) = get(&self.names.resources, number as u64);
            if size == 0 {
                continue;
            }
            let mut value = input.sub_reader(size, input.section())?;
            self.enter(value.offset(), DumpPart::Resource(key));
            match kind {
                resource_kind::BLOB => {
                    let at = value.offset();
                    let alignment = self.varint(&mut value, "alignment")?;
                    self.varint(&mut value, "length")?;
                    self.padding(&mut value, at, alignment)?;
                    self.bytes(&mut value, "data", u64::MAX)?;
                }
                resource_kind::STRING => {
                    self.string(&mut value, "string")?;
                }
                _ => {
                    self.bytes(&mut value, "value", u64::MAX)?;
                }
            }
            value.expect_end()?;
            self.leave(value.offset());
        }
        Ok(())
    }

    pub(super) fn properties(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let count = self.count(input, "number of properties")?;
        for number in 0..count {
            self.enter(input.offset(), DumpPart::Properties(number));
            let len = self.varint(input, "size")?;
            let mut data = input.sub_reader(len, input.section())?;
            let values =
                (self.layouts).values(self.context, number, &data, &self.names, self.version);
            for value in values {
                let content = match value.attribute {
                    Some(Some(number)) => FieldContent::Reference("attribute", number, b""),
                    Some(None) => FieldContent::Text(b"nothing"),
                    None => FieldContent::Bytes(value.bytes),
                };
                let start = data.offset();
                data.skip(value.bytes.len() as u64)?;
                self.field(&data, start, &value.name, content);
            }
            if !data.is_empty() {
                self.bytes(&mut data, "values", u64::MAX)?;
            }
            self.leave(data.offset());
        }
        Ok(())
    }
}
