//! What a module remembers of its file.

use super::entries::Entry;
use super::operations::Contents;
use super::tables::Tables;
use crate::place::{lookup, malformed};
use rmlir_format::{Reader, Result};
use rmlir_ir::{ExternalResources, Identifier, Provenance};

/// Reads the section of provenance.
pub(super) fn read(
    tables: &mut Tables<'_>,
    mut input: Reader<'_>,
    contents: &Contents,
) -> Result<Provenance> {
    let mut provenance = Provenance::default();
    let at = input.offset();
    if let Some(number) = input.varint()?.checked_sub(1) {
        let producer = lookup(&input, at, "string", &tables.strings, number)?;
        provenance.producer = Some(producer);
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
    names(
        tables,
        &mut input,
        "entry",
        &tables.entries,
        |entry, stem| {
            match entry {
                Entry::Type(ty) => {
                    provenance.type_stems.insert(ty, stem);
                }
                Entry::Attribute(attribute) | Entry::Dictionary(attribute) => {
                    provenance.attribute_stems.insert(attribute, stem);
                }
                // Locations have no stems of their own.
                Entry::Location(_) => return false,
            }
            true
        },
    )?;
    names(
        tables,
        &mut input,
        "value",
        &contents.values,
        |value, name| {
            value.is_some_and(|value| {
                provenance.value_names.insert(value, name);
                true
            })
        },
    )?;
    names(
        tables,
        &mut input,
        "block",
        &contents.blocks,
        |block, name| {
            provenance.block_names.insert(block, name);
            true
        },
    )?;
    input.expect_end()?;
    Ok(provenance)
}

/// Names of items of `table`, in ascending order, each as the distance from the one before; `insert` says
/// whether the item can have a name.
fn names<T: Copy>(
    tables: &Tables<'_>,
    input: &mut Reader<'_>,
    what: &'static str,
    table: &[T],
    mut insert: impl FnMut(T, Identifier) -> bool,
) -> Result<()> {
    let mut next = 0u64;
    for _ in 0..input.count(2)? {
        let at = input.offset();
        let number = next.saturating_add(input.varint()?);
        let item = lookup(input, at, what, table, number)?;
        next = number.saturating_add(1);
        if !insert(item, tables.string(input)?) {
            let message = format!("{what} #{number} cannot have a name");
            return Err(malformed(input, at, message));
        }
    }
    Ok(())
}
