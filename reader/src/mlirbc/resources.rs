//! The sections of resources: those of tools outside of the IR by group, and those of dialects.

use super::{Owner, Tables};
use crate::place::malformed;
use rmlir_format::mlirbc::{Container, read_padding, resource_kind, section};
use rmlir_format::{ErrorKind, Reader, Result, ResultExt};
use rmlir_ir::{Blob, ExternalResources, Identifier, Provenance, ResourceEntry, ResourceValue};

impl Tables<'_, '_> {
    /// Reads both sections; the resources of dialects become those of the context, and provenance knows all.
    pub(super) fn read_resources(
        &mut self,
        container: &Container<'_>,
        owner: &Owner,
    ) -> Result<Provenance> {
        let mut provenance = Provenance::default();
        let Some(mut offsets) = container.section(section::RESOURCE_OFFSETS) else {
            return Ok(provenance);
        };
        let mut values = container.section_or_empty(section::RESOURCES);
        for _ in 0..offsets.prefix_count(2)? {
            let group = self.string(&mut offsets)?;
            let mut entries = Vec::new();
            for _ in 0..offsets.prefix_count(3)? {
                let at = offsets.offset();
                let (key, value) = self.resource(&mut offsets, &mut values, owner)?;
                let Some(value) = value else {
                    let message = "an external resource has no value";
                    return Err(malformed(&offsets, at, message));
                };
                entries.push((key, value));
            }
            provenance
                .external_resources
                .push(ExternalResources { group, entries });
        }
        while !offsets.is_empty() {
            let dialect = self.dialect_number(&mut offsets)?;
            for _ in 0..offsets.prefix_count(3)? {
                let (key, value) = self.resource(&mut offsets, &mut values, owner)?;
                let Some(dialect) = self.dialects.get(dialect as usize) else {
                    continue;
                };
                let dialect = dialect.name;
                let resource = self.context.add_resource(ResourceEntry {
                    dialect,
                    key,
                    value,
                });
                self.resources.push(resource);
                self.file_resources.insert(dialect, key, resource);
                provenance.resources.push(resource);
            }
        }
        values.expect_end()?;
        Ok(provenance)
    }

    /// Key and value of a resource.
    fn resource(
        &mut self,
        offsets: &mut Reader<'_>,
        values: &mut Reader<'_>,
        owner: &Owner,
    ) -> Result<(Identifier, Option<ResourceValue>)> {
        let key = self.string(offsets)?;
        let size = offsets.prefix_varint()?;
        let at = offsets.offset();
        let kind = offsets.u8()?;
        let mut value = values.sub_reader(size, values.section())?;
        let name = |tables: &Self| format!("reading resource '{}'", tables.context.str(key));
        let read = match kind {
            resource_kind::BLOB | resource_kind::BOOL | resource_kind::STRING if size == 0 => {
                return Ok((key, None));
            }
            resource_kind::BLOB => blob(&mut value, owner),
            resource_kind::BOOL => match value.u8() {
                Ok(byte @ 0..=1) => Ok(ResourceValue::Bool(byte == 1)),
                Ok(byte) => Err(value.error(
                    ErrorKind::Malformed,
                    format!("a truth value is 0 or 1, not {byte}"),
                )),
                Err(error) => Err(error),
            },
            resource_kind::STRING => self.string(&mut value).map(|string| {
                let bytes = self.context.bytes(string);
                ResourceValue::String(bytes.into())
            }),
            kind => {
                let message = format!("there is no resource of kind {kind}");
                return Err(malformed(offsets, at, message));
            }
        };
        let read = read
            .and_then(|read| value.expect_end().map(|()| read))
            .with_context(|| name(self))?;
        if let ResourceValue::String(bytes) = &read {
            // Strings are shared, and copied here.
            self.spend(offsets, at, bytes.len())?;
        }
        Ok((key, Some(read)))
    }
}

/// Alignment, length, padding and bytes, which are shared with their owner.
fn blob(value: &mut Reader<'_>, owner: &Owner) -> Result<ResourceValue> {
    let at = value.offset();
    let alignment = value.prefix_varint()?;
    let Ok(narrow) = u32::try_from(alignment) else {
        return Err(malformed(
            value,
            at,
            format!("the alignment {alignment} is too large"),
        ));
    };
    let len = value.prefix_varint()?;
    read_padding(value, at, alignment)?;
    let start = value.offset();
    value.skip(len)?;
    let (Ok(start), Ok(end)) = (usize::try_from(start), usize::try_from(value.offset())) else {
        return Err(malformed(value, at, "the blob is too far from the start"));
    };
    Ok(ResourceValue::Blob(Blob::new(
        owner.clone(),
        start..end,
        narrow,
    )))
}
