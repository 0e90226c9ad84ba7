//! The sections of resources: those of external tools by group, then those of dialects.

use super::entries::Tables;
use super::strings::Strings;
use super::target::Target;
use rmlir_format::mlirbc::{PADDING, padding_len, resource_kind};
use rmlir_format::prefix_varint::{prefix_varint_len, write_prefix_varint};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Context, Module, ResourceKeys, ResourceValue};

/// The sections of offsets and of values, and the alignment that the values need.
pub(super) struct Sections {
    pub(super) offsets: Vec<u8>,
    pub(super) values: Vec<u8>,
    pub(super) alignment: u64,
}

pub(super) fn write<'c>(
    context: &'c Context,
    module: &'c Module,
    numbers: &Tables,
    keys: &'c ResourceKeys,
    strings: &mut Strings<'c>,
    target: &Target,
) -> Result<Sections> {
    let mut sections = Sections {
        offsets: Vec::new(),
        values: Vec::new(),
        alignment: 1,
    };
    let external = &module.provenance.external_resources;
    write_prefix_varint(&mut sections.offsets, external.len() as u64);
    for group in external {
        let entries = group.entries.iter();
        let entries: Vec<_> = entries
            .map(|(key, value)| (context.bytes(*key), Some(value)))
            .collect();
        let written = sections.values(&entries, strings, target)?;
        let key = strings.identifier(group.group);
        write_prefix_varint(&mut sections.offsets, key);
        sections.entries(&entries, &written, strings);
    }
    for group in &numbers.resources {
        let entries = group.resources.iter().map(|&resource| {
            let value = context.resource(resource).value.as_ref();
            (keys.get(context, resource), value)
        });
        let entries: Vec<_> = entries.collect();
        let written = sections.values(&entries, strings, target)?;
        write_prefix_varint(&mut sections.offsets, group.dialect.into());
        sections.entries(&entries, &written, strings);
    }
    Ok(sections)
}

/// Returns the kind under which a value is stored.
fn kind_of(value: Option<&ResourceValue>) -> u8 {
    match value {
        Some(ResourceValue::Bool(_)) => resource_kind::BOOL,
        Some(ResourceValue::String(_)) => resource_kind::STRING,
        None | Some(ResourceValue::Blob(_)) => resource_kind::BLOB,
    }
}

type Entry<'c> = (&'c [u8], Option<&'c ResourceValue>);

impl Sections {
    /// Appends values; returns the size and kind of each.
    fn values<'c>(
        &mut self,
        entries: &[Entry<'c>],
        strings: &mut Strings<'c>,
        target: &Target,
    ) -> Result<Vec<(u64, u8)>> {
        let mut written = Vec::with_capacity(entries.len());
        for &(key, value) in entries {
            let start = self.values.len();
            if target.elide_resource_data {
                written.push((0, kind_of(value)));
                continue;
            }
            match value {
                None => {}
                Some(ResourceValue::Bool(value)) => self.values.push(u8::from(*value)),
                Some(ResourceValue::String(bytes)) => {
                    let number = strings.bytes(bytes);
                    write_prefix_varint(&mut self.values, number);
                }
                Some(ResourceValue::Blob(blob)) => {
                    let alignment = match blob.alignment() {
                        0 if target.lossy => 1,
                        alignment if alignment.is_power_of_two() => u64::from(alignment),
                        alignment => {
                            let key = key.escape_ascii();
                            let message = format!(
                                "the alignment {alignment} of resource '{key}' is not a power of two, which every reader refuses"
                            );
                            return Err(Error::new(ErrorKind::InvalidRequest, message));
                        }
                    };
                    self.alignment = self.alignment.max(alignment);
                    let data = blob.data();
                    let len = data.len() as u64;
                    write_prefix_varint(&mut self.values, alignment);
                    self.values.reserve(data.len() + prefix_varint_len(len));
                    write_prefix_varint(&mut self.values, len);
                    let padding = padding_len(self.values.len() as u64, alignment);
                    let end = usize::try_from(padding)
                        .ok()
                        .and_then(|padding| self.values.len().checked_add(padding));
                    let Some(end) = end else {
                        let message = "the alignment of a resource is too large";
                        return Err(Error::new(ErrorKind::Limit, message));
                    };
                    self.values.resize(end, PADDING);
                    self.values.extend_from_slice(data);
                }
            }
            written.push(((self.values.len() - start) as u64, kind_of(value)));
        }
        Ok(written)
    }

    fn entries<'c>(
        &mut self,
        entries: &[Entry<'c>],
        written: &[(u64, u8)],
        strings: &mut Strings<'c>,
    ) {
        write_prefix_varint(&mut self.offsets, entries.len() as u64);
        for ((key, _), &(size, kind)) in entries.iter().zip(written) {
            let key = strings.bytes(key);
            write_prefix_varint(&mut self.offsets, key);
            write_prefix_varint(&mut self.offsets, size);
            self.offsets.push(kind);
        }
    }
}
