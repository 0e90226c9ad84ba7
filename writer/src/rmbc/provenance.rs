//! Writes the provenance of a module: data about the file that it was read from.

use super::WriteOptions;
use super::collect::Numbering;
use super::encoder::{Encoder, check_value, write_bytes, write_option};
use super::segments::{Item, Segments};
use rmlir_format::Result;
use rmlir_format::rmbc::table::{Before, Table, write_ascending, write_numbered};
use rmlir_format::rmbc::{preset, registered_operation as operation};
use rmlir_format::varint::write_varint;
use rmlir_ir::{Entry, Identifier, LayoutReason, Module, OperationName, Provenance};
use std::collections::{HashMap, HashSet};

/// The registration state of operations in upstream's bytecode.
pub(super) struct Registered {
    /// Deviations from the default, in which exactly the operations of the module were registered.
    ///
    /// In the order of the module's provenance, followed by operations that it does not name.
    others: Vec<(OperationName, u64)>,
}

impl Registered {
    /// Returns `None` if the provenance has no registration state.
    ///
    /// `used` has the names of the module's operations.
    fn new(provenance: &Provenance, used: &[OperationName]) -> Option<Self> {
        if provenance.registered_operations.is_empty() {
            return None;
        }
        let known: HashMap<OperationName, bool> =
            provenance.registered_operations.iter().copied().collect();
        let is_used: HashSet<OperationName> = used.iter().copied().collect();
        let mut others: Vec<(OperationName, u64)> = Vec::new();
        // If a damaged file has a name twice, the last one counts.
        let mut seen = HashSet::new();
        for &(name, _) in &provenance.registered_operations {
            if !seen.insert(name) {
                continue;
            }
            match (known.get(&name) == Some(&true), is_used.contains(&name)) {
                (true, true) => {}
                (true, false) => others.push((name, operation::REGISTERED)),
                (false, _) => others.push((name, operation::UNREGISTERED)),
            }
        }
        let new = used.iter().filter(|name| !known.contains_key(name));
        others.extend(new.map(|&name| (name, operation::NOT_SAID)));
        Some(Registered { others })
    }
}

/// Collects strings and resources.
pub(super) fn collect(
    encoder: &mut Encoder<'_>,
    module: &Module,
    numbering: &Numbering,
    used: &[OperationName],
    options: &WriteOptions,
) -> Result<Option<Registered>> {
    let provenance = &module.provenance;
    let registered = Registered::new(provenance, used);
    let strings = &mut encoder.strings;
    for (name, _) in registered.iter().flat_map(|registered| &registered.others) {
        strings.collect(encoder.context.operation_name_identifier(*name));
    }
    for &dialect in &provenance.encoded_dialects {
        strings.collect(dialect);
    }
    let versions = provenance.dialect_versions.iter().map(|(name, _)| name);
    for &string in provenance.producer.iter().chain(versions) {
        strings.collect(string);
    }
    for external in &provenance.external_resources {
        strings.collect(external.group);
        for (key, value) in &external.entries {
            strings.collect(*key);
            check_value(value)?;
        }
    }
    // Entries that are not written do not have an alias name.
    for (&ty, &stem) in &provenance.type_alias_names {
        if encoder.entries.has(Entry::Type(ty)) {
            strings.collect(stem);
        }
    }
    for (&attribute, &stem) in &provenance.attribute_alias_names {
        if encoder.entries.has(Entry::Attribute(attribute)) {
            strings.collect(stem);
        }
    }
    if options.names {
        for (value, name) in provenance.value_names.iter() {
            if numbering.value(value).is_some() {
                strings.collect(name);
            }
        }
        for (block, name) in provenance.block_names.iter() {
            if numbering.block(block).is_some() {
                strings.collect(name);
            }
        }
    }
    for &resource in &provenance.resources {
        encoder.resource(resource)?;
    }
    Ok(registered)
}

/// Encodes the section of metadata; no bytes if there is none.
pub(super) fn metadata(module: &Module) -> Vec<u8> {
    let mut out = Vec::new();
    let metadata = &module.provenance.metadata;
    if !metadata.is_empty() {
        write_varint(&mut out, metadata.len() as u64);
        for (key, value) in metadata {
            write_bytes(&mut out, key);
            write_bytes(&mut out, value);
        }
    }
    out
}

/// Encodes the section of provenance; no bytes if there is none. Also returns whether it has preset
/// strings.
pub(super) fn encode<'c>(
    encoder: &mut Encoder<'c>,
    module: &'c Module,
    registered: Option<&Registered>,
) -> Result<(Vec<u8>, bool)> {
    let provenance = &module.provenance;
    let (mut out, mut has_preset) = (Vec::new(), false);
    let producer = provenance.producer.map(|p| encoder.strings.get(p));
    write_option(&mut out, producer);
    write_option(&mut out, provenance.bytecode_version.map(u64::from));
    write_varint(&mut out, provenance.dialect_versions.len() as u64);
    for (dialect, version) in &provenance.dialect_versions {
        write_varint(&mut out, encoder.strings.get(*dialect));
        write_bytes(&mut out, version);
    }
    let layouts = provenance.layouts.as_ref();
    let reason = layouts.map(|layouts| match layouts.reason {
        LayoutReason::Asked => 0,
        LayoutReason::Producer => 1,
        LayoutReason::Fit => 2,
    });
    write_option(&mut out, reason);
    if let Some(layouts) = layouts {
        write_varint(&mut out, layouts.releases.len() as u64);
        for release in &layouts.releases {
            // 0 and the name, or the number of a preset string plus one.
            let name = release.to_string();
            let number = preset::find(name.as_bytes());
            write_option(&mut out, number.map(u64::from));
            has_preset |= number.is_some();
            if number.is_none() {
                write_bytes(&mut out, name.as_bytes());
            }
        }
    }
    let others = registered.map(|registered| &registered.others);
    write_option(&mut out, others.map(|others| others.len() as u64));
    for &(name, said) in others.into_iter().flatten() {
        let name = encoder.context.operation_name_identifier(name);
        let name = encoder.strings.get(name);
        write_varint(&mut out, name * operation::KINDS + said);
    }
    write_varint(&mut out, provenance.encoded_dialects.len() as u64);
    for &dialect in &provenance.encoded_dialects {
        write_varint(&mut out, encoder.strings.get(dialect));
    }
    write_varint(&mut out, provenance.resources.len() as u64);
    for &resource in &provenance.resources {
        let number = encoder.resource(resource)?;
        write_varint(&mut out, number);
    }
    write_varint(&mut out, provenance.external_resources.len() as u64);
    for external in &provenance.external_resources {
        write_varint(&mut out, encoder.strings.get(external.group));
        write_varint(&mut out, external.entries.len() as u64);
        for (key, value) in &external.entries {
            write_varint(&mut out, encoder.strings.get(*key));
            encoder.resource_value(&mut out, value);
        }
    }
    // All zero: nothing but absent values and empty lists.
    let nothing = out.iter().all(|&byte| byte == 0);
    Ok((if nothing { Vec::new() } else { out }, has_preset))
}

/// Encodes the section of stems (alias base names); no bytes if there are none.
pub(super) fn stems(encoder: &Encoder<'_>, module: &Module) -> Result<Vec<u8>> {
    let provenance = &module.provenance;
    let (mut types, mut attributes) = (Vec::new(), Vec::new());
    if !provenance.type_alias_names.is_empty() || !provenance.attribute_alias_names.is_empty() {
        for node in encoder.entries.nodes() {
            match node {
                Entry::Type(ty) => {
                    let stem = provenance.type_alias_names.get(&ty);
                    types.extend(stem.map(|&stem| (encoder.type_number(ty) as u32, stem)));
                }
                Entry::Attribute(attribute) => {
                    let stem = provenance.attribute_alias_names.get(&attribute);
                    let number = encoder.attribute_number(attribute) as u32;
                    attributes.extend(stem.map(|&stem| (number, stem)));
                }
                Entry::Location(_) => {}
            }
        }
    }
    both(encoder, types, attributes)
}

/// Encodes the section of names; no bytes if there are no names.
pub(super) fn names(
    encoder: &Encoder<'_>,
    module: &Module,
    numbering: &Numbering,
    segments: &Segments,
) -> Result<Vec<u8>> {
    let provenance = &module.provenance;
    let values = provenance.value_names.iter();
    let values: Vec<_> = values
        .filter_map(|(value, name)| Some((numbering.value(value)?, name)))
        .collect();
    let blocks = provenance.block_names.iter();
    let blocks: Vec<_> = blocks
        .filter_map(|(block, name)| Some((numbering.block(block)?, name)))
        .collect();
    let mut out = Vec::new();
    if values.is_empty() && blocks.is_empty() {
        return Ok(out);
    }
    for (item, mut names) in [(Item::Value, values), (Item::Block, blocks)] {
        names.sort_unstable_by_key(|&(number, _)| number);
        let (mut table, mut before) = (Table::default(), Before::default());
        for (number, name) in names {
            let (segment, number) = segments.locate(item, number);
            write_numbered(&mut table, &mut before, segment, number);
            write_varint(table.current(), encoder.strings.get(name));
        }
        table.finish(&mut out)?;
    }
    Ok(out)
}

/// Encodes two tables of names, in the order of the numbers of the named items; may be empty.
fn both(
    encoder: &Encoder<'_>,
    first: Vec<(u32, Identifier)>,
    second: Vec<(u32, Identifier)>,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    if first.is_empty() && second.is_empty() {
        return Ok(out);
    }
    for mut names in [first, second] {
        names.sort_unstable_by_key(|&(number, _)| number);
        let (mut table, mut next) = (Table::default(), 0);
        for (number, name) in names {
            next = write_ascending(&mut table, next, number);
            write_varint(table.current(), encoder.strings.get(name));
        }
        table.finish(&mut out)?;
    }
    Ok(out)
}
