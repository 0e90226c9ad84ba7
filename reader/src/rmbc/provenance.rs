//! What a module remembers of its file.

use super::operations::Contents;
use super::tables::{Tables, bytes};
use crate::place::{lookup, malformed};
use rmlir_format::rmbc::preset;
use rmlir_format::{Reader, Result};
use rmlir_ir::definition::Release;
use rmlir_ir::{ExternalResources, Identifier, LayoutChoice, LayoutReason, Provenance};

/// Reads the section of provenance.
pub(super) fn read(tables: &mut Tables<'_>, mut input: Reader<'_>) -> Result<Provenance> {
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
    input.expect_end()?;
    Ok(provenance)
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
    for _ in 0..input.count(2)? {
        let at = input.offset();
        let number = next.saturating_add(input.varint()?);
        let item = lookup(input, at, what, table, number)?;
        next = number.saturating_add(1);
        insert(item, tables.string(input)?);
    }
    Ok(())
}
