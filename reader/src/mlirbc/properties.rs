//! The section of properties: blobs that operations share.

use super::Tables;
use super::entries::Entries;
use crate::place::{lookup, malformed};
use rmlir_format::{Error, ErrorKind, Reader, Result, ResultExt};
use rmlir_ir::Attribute;

/// The blobs, and what they stand for.
pub(super) struct Properties<'a> {
    blobs: Vec<Blob<'a>>,
    section: &'static str,
}

#[derive(Clone, Copy)]
struct Blob<'a> {
    bytes: &'a [u8],
    offset: u64,
    /// What it stands for in an operation of that name: nearly all blobs belong to one.
    decoded: Option<(u32, Option<Attribute>)>,
}

impl<'a> Properties<'a> {
    /// Reads the section.
    pub(super) fn read(mut input: Reader<'a>) -> Result<Self> {
        let section = input.section();
        let mut blobs = Vec::new();
        if !input.is_empty() {
            let count = input.prefix_count(1)?;
            blobs.reserve_exact(count);
            for _ in 0..count {
                let len = input.prefix_varint()?;
                blobs.push(Blob {
                    offset: input.offset(),
                    bytes: input.bytes(len)?,
                    decoded: None,
                });
            }
        }
        input.expect_end()?;
        Ok(Properties { blobs, section })
    }

    /// What blob `number` stands for in an operation whose name is entry `name`; `at` is the offset of the number.
    #[inline]
    pub(super) fn get(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        entries: &Entries<'a>,
        input: &Reader<'_>,
        at: u64,
        (name, number): (u32, u64),
    ) -> Result<Option<Attribute>> {
        let blob = lookup(input, at, "blob of properties", &self.blobs, number)?;
        if let Some((decoded, properties)) = blob.decoded
            && decoded == name
        {
            return Ok(properties);
        }
        let properties = self
            .decode(tables, entries, blob, name)
            .with_context(|| operation(tables, name))?;
        let slot = usize::try_from(number).ok();
        if let Some(slot) = slot.and_then(|number| self.blobs.get_mut(number)) {
            slot.decoded = Some((name, properties));
        }
        Ok(properties)
    }

    fn decode(
        &self,
        tables: &mut Tables<'_, 'a>,
        entries: &Entries<'a>,
        blob: Blob<'a>,
        name: u32,
    ) -> Result<Option<Attribute>> {
        let mut input = Reader::with_base(blob.bytes, blob.offset, self.section);
        let entry = tables.names.get(name as usize);
        if entry.is_some_and(|entry| entry.registered == Some(true)) {
            if input.is_empty() {
                return Ok(None);
            }
            return Err(Error::at(
                ErrorKind::Unsupported,
                blob.offset,
                "the layout of the operation's properties is not known",
            )
            .with_section(self.section));
        }
        let at = input.offset();
        let number = input.prefix_varint()?;
        let attribute = entries.attribute(tables, &input, at, number)?;
        if !input.is_empty() {
            let message =
                "the properties of an operation that its writer did not know are one attribute";
            return Err(malformed(&input, input.offset(), message));
        }
        Ok(Some(attribute))
    }
}

#[cold]
fn operation(tables: &Tables<'_, '_>, name: u32) -> String {
    let name = tables.names.get(name as usize).map(|entry| entry.name);
    let name = name.map(|name| tables.context.operation_name_bytes(name));
    format!(
        "reading the properties of '{}'",
        String::from_utf8_lossy(name.unwrap_or_default())
    )
}
