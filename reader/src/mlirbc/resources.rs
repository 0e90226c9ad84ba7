//! Reads the sections of resources: those of tools outside of the IR, by group, and those of
//! dialects.

use super::{Blobs, Tables};
use crate::lookup::malformed;
use rmlir_format::mlirbc::{Container, read_padding, resource_kind, section};
use rmlir_format::{ErrorKind, Input, Reader, Result, ResultExt};
use rmlir_ir::{Blob, ExternalResources, Identifier, Provenance, ResourceEntry, ResourceValue};
use std::ops::Range;
use std::sync::Arc;

/// The content of a resource.
enum Found {
    Value(ResourceValue),
    /// Where the bytes are in the file, and their alignment.
    Blob(Range<u64>, u32),
}

impl Tables<'_, '_> {
    /// Reads both sections. The dialects' resources are added to the context, and all to the
    /// provenance.
    pub(super) fn read_resources(
        &mut self,
        container: &Container<'_>,
        values: Option<impl Input>,
        blobs: &Blobs,
    ) -> Result<Provenance> {
        let mut provenance = Provenance::default();
        let Some(mut offsets) = container.section(section::RESOURCE_OFFSETS) else {
            return Ok(provenance);
        };
        // The sections of resources and their offsets occur only together.
        let Some(mut values) = values else {
            return Ok(provenance);
        };
        for _ in 0..offsets.prefix_count(2)? {
            let group = self.string(&mut offsets)?;
            let mut entries = Vec::new();
            for _ in 0..offsets.prefix_count(3)? {
                let at = offsets.offset();
                let (key, value) = self.resource(&mut offsets, &mut values)?;
                let value = match value {
                    Some(Found::Blob(range, alignment)) => {
                        Some(ResourceValue::Blob(now(blobs, range, alignment)?))
                    }
                    Some(Found::Value(value)) => Some(value),
                    None => None,
                };
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
                let (key, found) = self.resource(&mut offsets, &mut values)?;
                let Some(dialect) = self.dialects.get(dialect as usize) else {
                    continue;
                };
                let dialect = dialect.name;
                let (value, later) = match (found, blobs) {
                    (None, _) => (None, None),
                    (Some(Found::Value(value)), _) => (Some(value), None),
                    (Some(Found::Blob(range, alignment)), Blobs::Shared(_)) => {
                        let blob = now(blobs, range, alignment)?;
                        (Some(ResourceValue::Blob(blob)), None)
                    }
                    (Some(Found::Blob(range, alignment)), Blobs::Later(_)) => {
                        (None, Some((range, alignment)))
                    }
                };
                let resource = self.context.add_resource(ResourceEntry {
                    dialect,
                    key,
                    value,
                });
                if let Some((range, alignment)) = later {
                    self.unread.push((resource, range, alignment));
                }
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
        values: &mut impl Input,
    ) -> Result<(Identifier, Option<Found>)> {
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
            resource_kind::BLOB => blob(&mut value),
            resource_kind::BOOL => match value.u8() {
                Ok(byte @ 0..=1) => Ok(Found::Value(ResourceValue::Bool(byte == 1))),
                Ok(byte) => Err(value.error(
                    ErrorKind::Malformed,
                    format!("a truth value is 0 or 1, not {byte}"),
                )),
                Err(error) => Err(error),
            },
            resource_kind::STRING => self.string(&mut value).map(|string| {
                let bytes = self.context.bytes(string);
                Found::Value(ResourceValue::String(bytes.into()))
            }),
            kind => {
                let message = format!("there is no resource of kind {kind}");
                return Err(malformed(offsets, at, message));
            }
        };
        let read = read
            .and_then(|read| value.expect_end().map(|()| read))
            .with_context(|| name(self))?;
        if let Found::Value(ResourceValue::String(bytes)) = &read {
            // Strings are shared, and copied here.
            self.spend(offsets, at, bytes.len())?;
        }
        Ok((key, Some(read)))
    }
}

/// Alignment, length, padding and bytes, which are not read.
fn blob(value: &mut impl Input) -> Result<Found> {
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
    Ok(Found::Blob(start..value.offset(), narrow))
}

/// Returns a blob: shared with the owner of the file's bytes, or read now.
pub(super) fn now(blobs: &Blobs, range: Range<u64>, alignment: u32) -> Result<Blob> {
    match blobs {
        Blobs::Shared(owner) => {
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let range = place(range.start)..place(range.end);
            Ok(Blob::new(owner.clone(), range, alignment))
        }
        Blobs::Later(storage) => {
            let name = section::name(section::RESOURCES).unwrap_or_default();
            let bytes = storage.bytes(range, name)?;
            let len = bytes.len();
            Ok(Blob::new(Arc::new(bytes), 0..len, alignment))
        }
    }
}
