//! What a module remembers of its file.

use super::WriteOptions;
use super::collect::Numbering;
use super::encoder::{Encoder, check_value, write_bytes, write_option};
use super::entries::Node;
use rmlir_format::Result;
use rmlir_format::rmbc::preset;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Identifier, LayoutReason, Module};

/// Collects strings and resources.
pub(super) fn collect(
    encoder: &mut Encoder<'_>,
    module: &Module,
    numbering: &Numbering,
    options: &WriteOptions,
) -> Result<()> {
    let provenance = &module.provenance;
    let strings = &mut encoder.strings;
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
    // What is not written has no name.
    for (&ty, &stem) in &provenance.type_stems {
        if encoder.entries.has(Node::Type(ty)) {
            strings.collect(stem);
        }
    }
    for (&attribute, &stem) in &provenance.attribute_stems {
        if encoder.entries.has(Node::Attribute(attribute)) {
            strings.collect(stem);
        }
    }
    if options.names {
        for (&value, &name) in &provenance.value_names {
            if numbering.value(value).is_some() {
                strings.collect(name);
            }
        }
        for (&block, &name) in &provenance.block_names {
            if numbering.block(block).is_some() {
                strings.collect(name);
            }
        }
    }
    for &resource in &provenance.resources {
        encoder.resource(resource)?;
    }
    Ok(())
}

/// The section of provenance; no bytes if there is nothing to remember.
pub(super) fn encode<'c>(encoder: &mut Encoder<'c>, module: &'c Module) -> Result<Vec<u8>> {
    let provenance = &module.provenance;
    let mut out = Vec::new();
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
            // 0 and the name, or the number of a preset string and one.
            let name = release.to_string();
            let number = preset::find(name.as_bytes());
            write_option(&mut out, number.map(u64::from));
            if number.is_none() {
                write_bytes(&mut out, name.as_bytes());
            }
        }
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
    let (mut types, mut attributes) = (Vec::new(), Vec::new());
    if !provenance.type_stems.is_empty() || !provenance.attribute_stems.is_empty() {
        for node in encoder.entries.nodes() {
            match node {
                Node::Type(ty) => {
                    let stem = provenance.type_stems.get(&ty);
                    types.extend(stem.map(|&stem| (encoder.type_number(ty) as u32, stem)));
                }
                Node::Attribute(attribute) => {
                    let stem = provenance.attribute_stems.get(&attribute);
                    let number = encoder.attribute_number(attribute) as u32;
                    attributes.extend(stem.map(|&stem| (number, stem)));
                }
                Node::Location(_) => {}
            }
        }
    }
    named(encoder, &mut out, types);
    named(encoder, &mut out, attributes);
    // Nothing, and lists of nothing.
    let nothing = out.iter().all(|&byte| byte == 0);
    Ok(if nothing { Vec::new() } else { out })
}

/// The section of names; no bytes if nothing has one.
pub(super) fn names(encoder: &Encoder<'_>, module: &Module, numbering: &Numbering) -> Vec<u8> {
    let provenance = &module.provenance;
    let values = provenance.value_names.iter();
    let values: Vec<_> = values
        .filter_map(|(&value, &name)| Some((numbering.value(value)?, name)))
        .collect();
    let blocks = provenance.block_names.iter();
    let blocks: Vec<_> = blocks
        .filter_map(|(&block, &name)| Some((numbering.block(block)?, name)))
        .collect();
    let mut out = Vec::new();
    if !values.is_empty() || !blocks.is_empty() {
        named(encoder, &mut out, values);
        named(encoder, &mut out, blocks);
    }
    out
}

/// Names of what has a number, in the order of the numbers, each as the distance from the one before.
fn named(encoder: &Encoder<'_>, out: &mut Vec<u8>, mut names: Vec<(u32, Identifier)>) {
    names.sort_unstable_by_key(|&(number, _)| number);
    write_varint(out, names.len() as u64);
    let mut next = 0;
    for (number, name) in names {
        write_varint(out, u64::from(number - next));
        write_varint(out, encoder.strings.get(name));
        next = number + 1;
    }
}
