//! What a module remembers of its file.

use super::operations::Contents;
use super::shapes::Shapes;
use super::tables::{Tables, bytes, read_ascending, table as counted};
use crate::place::{lookup, malformed};
use rmlir_format::rmbc::{preset, registered_operation as operation};
use rmlir_format::{Reader, Result};
use rmlir_ir::definition::Release;
use rmlir_ir::{
    ExternalResources, Identifier, LayoutChoice, LayoutReason, OperationName, Provenance,
};
use std::collections::HashSet;

/// Reads the section of provenance.
pub(super) fn read(
    tables: &mut Tables<'_>,
    shapes: &Shapes,
    mut input: Reader<'_>,
) -> Result<Provenance> {
    let mut provenance = Provenance::default();
    let at = input.offset();
    if let Some(number) = input.varint()?.checked_sub(1) {
        let producer = lookup(&input, at, "string", &tables.strings, number)?;
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
    provenance.registered_operations = registered(tables, shapes, &mut input)?;
    for _ in 0..input.count(1)? {
        provenance.encoded_dialects.push(tables.string(&mut input)?);
    }
    for _ in 0..input.count(1)? {
        let at = input.offset();
        let number = input.varint()?;
        let resource = lookup(&input, at, "resource", &tables.resources, number)?;
        provenance.resources.push(resource);
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
    Ok(provenance)
}

/// The names of operations that upstream's bytecode had, and whether its writer knew them: those of the module, and it did, but
/// for what is listed.
fn registered(
    tables: &mut Tables<'_>,
    shapes: &Shapes,
    input: &mut Reader<'_>,
) -> Result<Vec<(OperationName, bool)>> {
    let at = input.offset();
    let Some(count) = input.varint()?.checked_sub(1) else {
        return Ok(Vec::new());
    };
    // Each takes a byte at least.
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
    let used = shapes.names().filter(|&name| known.insert(name));
    let mut all: Vec<(OperationName, bool)> = used.map(|name| (name, true)).collect();
    all.extend(others);
    Ok(all)
}

/// Reads the section of stems.
pub(super) fn read_stems(
    tables: &Tables<'_>,
    mut input: Reader<'_>,
    provenance: &mut Provenance,
) -> Result<()> {
    names(tables, &mut input, "type", &tables.types, |ty, stem| {
        provenance.type_stems.insert(ty, stem);
    })?;
    let attributes = &tables.attributes;
    names(
        tables,
        &mut input,
        "attribute",
        attributes,
        |attribute, stem| {
            provenance.attribute_stems.insert(attribute, stem);
        },
    )?;
    input.expect_end()
}

/// By which layouts upstream's bytecode was read.
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
    // A newer build knows more releases; what this one does not know it cannot pass on.
    if !known {
        return Ok(None);
    }
    Ok(Some(LayoutChoice { releases, reason }))
}

/// Reads the section of names.
pub(super) fn read_names(
    tables: &Tables<'_>,
    mut input: Reader<'_>,
    contents: &Contents,
    provenance: &mut Provenance,
) -> Result<()> {
    names(
        tables,
        &mut input,
        "value",
        &contents.values,
        |value, name| {
            provenance.value_names.insert(value, name);
        },
    )?;
    names(
        tables,
        &mut input,
        "block",
        &contents.blocks,
        |block, name| {
            provenance.block_names.insert(block, name);
        },
    )?;
    input.expect_end()
}

/// Names of items of `table`, in ascending order, each as the distance from the one before.
fn names<T: Copy>(
    tables: &Tables<'_>,
    input: &mut Reader<'_>,
    what: &'static str,
    table: &[T],
    mut insert: impl FnMut(T, Identifier),
) -> Result<()> {
    let mut next = 0u64;
    let (count, mut data) = counted(input)?;
    for place in 0..count {
        let at = data.offset();
        let number = read_ascending(&mut data, place, next)?;
        let item = lookup(&data, at, what, table, number)?;
        next = number.saturating_add(1);
        insert(item, tables.string(&mut data)?);
    }
    data.expect_end()
}
