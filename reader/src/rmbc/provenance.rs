//! Reads the provenance of a module: data about its source file that is not content.

use super::name_tables::{NameEntry, NameTable};
use super::operations::Contents;
use super::segments::Item;
use super::tables::{Tables, bytes, read_ascending, table as counted};
use crate::lookup::{get, malformed};
use rmlir_format::rmbc::{preset, registered_operation as operation};
use rmlir_format::{Reader, Result};
use rmlir_ir::definition::Release;
use rmlir_ir::{
    ExternalResources, Identifier, LayoutChoice, LayoutReason, OperationName, Provenance, Resource,
};
use std::collections::HashSet;

/// The content of the section of provenance, before its operations and resources are known.
#[derive(Clone, Default)]
pub(super) struct ProvenanceSection {
    pub(super) provenance: Provenance,
    /// The numbers of the declared resources, and the offsets of these numbers.
    resources: Vec<(u64, u64)>,
    /// The data about operations, if there is any.
    operations: Option<Registered>,
}

/// The data about operations.
#[derive(Clone)]
struct Registered {
    /// All operations that are listed.
    known: HashSet<OperationName>,
    /// Those of them for which it is stored whether they were registered.
    others: Vec<(OperationName, bool)>,
}

impl ProvenanceSection {
    /// Returns the provenance of a module with operations of these names.
    ///
    /// `resource` maps numbers to resources; `None` for those that the module does not use.
    pub(super) fn provenance(
        &self,
        names: impl Iterator<Item = OperationName>,
        mut resource: impl FnMut(u64, u64) -> Result<Option<Resource>>,
    ) -> Result<Provenance> {
        let mut provenance = self.provenance.clone();
        if let Some(Registered { known, others }) = &self.operations {
            let mut known = known.clone();
            let used = names.filter(|&name| known.insert(name));
            let mut all: Vec<(OperationName, bool)> = used.map(|name| (name, true)).collect();
            all.extend(others);
            provenance.registered_operations = all;
        }
        for &(at, number) in &self.resources {
            provenance.resources.extend(resource(at, number)?);
        }
        Ok(provenance)
    }
}

/// Reads the number of the string that names the producer, at the start of the section, if there is
/// one.
pub(super) fn producer(input: &mut Reader<'_>) -> Result<Option<u64>> {
    Ok(input.varint()?.checked_sub(1))
}

/// Reads the section of provenance.
pub(super) fn read(tables: &mut Tables<'_>, mut input: Reader<'_>) -> Result<ProvenanceSection> {
    let mut said = ProvenanceSection::default();
    let provenance = &mut said.provenance;
    let at = input.offset();
    if let Some(number) = producer(&mut input)? {
        let producer = tables.string_at(&input, at, number)?;
        provenance.producer = Some(producer);
    }
    let at = input.offset();
    if let Some(version) = input.varint()?.checked_sub(1) {
        let Ok(version) = u8::try_from(version) else {
            let message = format!("upstream's bytecode has no version {version}");
            return Err(malformed(&input, at, message));
        };
        provenance.bytecode_version = Some(version);
    }
    for _ in 0..input.count(2)? {
        let dialect = tables.string(&mut input)?;
        let version = bytes(&mut input)?.into();
        provenance.dialect_versions.push((dialect, version));
    }
    provenance.layouts = layouts(&mut input)?;
    said.operations = registered(tables, &mut input)?;
    for _ in 0..input.count(1)? {
        provenance.encoded_dialects.push(tables.string(&mut input)?);
    }
    for _ in 0..input.count(1)? {
        said.resources.push((input.offset(), input.varint()?));
    }
    for _ in 0..input.count(2)? {
        let group = tables.string(&mut input)?;
        let mut entries = Vec::new();
        for _ in 0..input.count(2)? {
            let key = tables.string(&mut input)?;
            let at = input.offset();
            match tables.resource_value(&mut input)? {
                Some(value) => entries.push((key, value)),
                None => {
                    let message = "an external resource has no value";
                    return Err(malformed(&input, at, message));
                }
            }
        }
        provenance
            .external_resources
            .push(ExternalResources { group, entries });
    }
    input.expect_end()?;
    Ok(said)
}

/// Reads what upstream's bytecode recorded about operations.
fn registered(tables: &mut Tables<'_>, input: &mut Reader<'_>) -> Result<Option<Registered>> {
    let at = input.offset();
    let Some(count) = input.varint()?.checked_sub(1) else {
        return Ok(None);
    };
    // Each takes at least one byte.
    if count > input.remaining() as u64 {
        let message = format!("{count} operations are announced");
        return Err(malformed(input, at, message));
    }
    let mut others = Vec::new();
    let mut known = HashSet::new();
    for _ in 0..count {
        let at = input.offset();
        let number = input.varint()?;
        let name = tables.operation_name(input, at, number / operation::KINDS)?;
        if !known.insert(name) {
            return Err(malformed(input, at, "an operation is listed twice"));
        }
        match number % operation::KINDS {
            operation::NOT_SAID => {}
            said => others.push((name, said == operation::REGISTERED)),
        }
    }
    Ok(Some(Registered { known, others }))
}

/// Reads the section of metadata.
pub(super) fn read_metadata(mut input: Reader<'_>, provenance: &mut Provenance) -> Result<()> {
    let mut before: Option<&[u8]> = None;
    for _ in 0..input.count(2)? {
        let at = input.offset();
        let (key, value) = (bytes(&mut input)?, bytes(&mut input)?);
        if before.is_some_and(|before| before >= key) {
            return Err(malformed(
                &input,
                at,
                "the keys of the metadata do not ascend",
            ));
        }
        before = Some(key);
        provenance.metadata.insert(key.into(), value.into());
    }
    input.expect_end()
}

/// Reads the section of stems (alias base names).
pub(super) fn read_stems(
    tables: &mut Tables<'_>,
    mut input: Reader<'_>,
    provenance: &mut Provenance,
) -> Result<()> {
    let get = |tables: &Tables<'_>, number| tables.types.get(number);
    names(tables, &mut input, "type", get, |ty, stem| {
        provenance.type_alias_names.insert(ty, stem);
    })?;
    let get = |tables: &Tables<'_>, number| tables.attributes.get(number);
    names(tables, &mut input, "attribute", get, |attribute, stem| {
        provenance.attribute_alias_names.insert(attribute, stem);
    })?;
    input.expect_end()
}

/// Reads which layouts were used to read upstream's bytecode.
fn layouts(input: &mut Reader<'_>) -> Result<Option<LayoutChoice>> {
    let at = input.offset();
    let reason = match input.varint()? {
        0 => return Ok(None),
        1 => LayoutReason::Asked,
        2 => LayoutReason::Producer,
        3 => LayoutReason::Fit,
        other => {
            let message = format!("layouts are not known for the reason {other}");
            return Err(malformed(input, at, message));
        }
    };
    let (mut releases, mut known) = (Vec::new(), true);
    for _ in 0..input.count(1)? {
        let text = match input.varint()?.checked_sub(1) {
            Some(number) => preset::get(number).unwrap_or_default().into(),
            None => String::from_utf8_lossy(bytes(input)?),
        };
        match text.parse::<Release>() {
            Ok(release) => releases.push(release),
            Err(_) => known = false,
        }
    }
    // A newer build knows more releases; this one cannot pass on those it does not know.
    if !known {
        return Ok(None);
    }
    Ok(Some(LayoutChoice { releases, reason }))
}

/// Reads the section of names.
pub(super) fn read_names(
    tables: &mut Tables<'_>,
    mut input: Reader<'_>,
    contents: &Contents,
    provenance: &mut Provenance,
) -> Result<()> {
    let segments = &contents.segments;
    let (values, blocks) = (&contents.values, &contents.blocks);
    let value = |place| segments.position(Item::Value, place, values.len());
    name_table(
        tables,
        &mut input,
        "value",
        |place| get(values, value(place)?),
        |value, name| {
            provenance.value_names.insert(value, name);
        },
    )?;
    name_table(
        tables,
        &mut input,
        "block",
        |place| {
            let position = segments.position(Item::Block, place, blocks.len())?;
            get(blocks, position)
        },
        |block, name| {
            provenance.block_names.insert(block, name);
        },
    )?;
    input.expect_end()
}

/// Reads names of values or blocks, by segment and number in it.
fn name_table<T>(
    tables: &mut Tables<'_>,
    input: &mut Reader<'_>,
    what: &'static str,
    get: impl Fn((u64, u64)) -> Option<T>,
    mut insert: impl FnMut(T, Identifier),
) -> Result<()> {
    let mut table = NameTable::read(input)?;
    while table.advance()? {
        let NameEntry { item, at, .. } = table.entry;
        let Some(found) = get(item) else {
            let (segment, number) = item;
            let message = format!("there is no {what} #{number} in segment {segment}");
            return Err(malformed(&table.data, at, message));
        };
        insert(found, table.string(tables)?);
    }
    Ok(())
}

/// Reads names of items, in ascending order, each as the distance from the preceding one.
fn names<T>(
    tables: &mut Tables<'_>,
    input: &mut Reader<'_>,
    what: &'static str,
    get: impl Fn(&Tables<'_>, u64) -> Option<T>,
    mut insert: impl FnMut(T, Identifier),
) -> Result<()> {
    let mut next = 0u64;
    let (count, mut data, mut offsets) = counted(input)?;
    for place in 0..count {
        offsets.begin(place as u64, &data)?;
        let at = data.offset();
        let number = read_ascending(&mut data, place, next)?;
        let Some(item) = get(tables, number) else {
            let message = format!("there is no {what} #{number} that could have a name");
            return Err(malformed(&data, at, message));
        };
        next = number.saturating_add(1);
        insert(item, tables.string(&mut data)?);
    }
    data.expect_end()
}
