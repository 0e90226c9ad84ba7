//! What a module remembers of its file.

use super::WriteOptions;
use super::encoder::{Encoder, write_option};
use super::entries::Node;
use super::operations::Numbering;
use rmlir_format::Result;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Identifier, Module};

/// The section of provenance; no bytes if there is nothing to remember. To be called last: only what was
/// written can be named.
pub(super) fn encode<'c>(
    encoder: &mut Encoder<'c>,
    module: &'c Module,
    numbering: &Numbering<'_>,
    options: &WriteOptions,
) -> Result<Vec<u8>> {
    let provenance = &module.provenance;
    let mut out = Vec::new();
    let producer = match provenance.producer {
        Some(producer) => Some(encoder.string(producer)?),
        None => None,
    };
    write_option(&mut out, producer);
    write_varint(&mut out, provenance.resources.len() as u64);
    for &resource in &provenance.resources {
        let number = encoder.resource(resource)?;
        write_varint(&mut out, number);
    }
    write_varint(&mut out, provenance.external_resources.len() as u64);
    for external in &provenance.external_resources {
        write_varint(&mut out, encoder.string(external.group)?);
        write_varint(&mut out, external.entries.len() as u64);
        for (key, value) in &external.entries {
            write_varint(&mut out, encoder.string(*key)?);
            encoder.resource_value(&mut out, value)?;
        }
    }

    let stems = encoder.entries.nodes().iter().zip(0u32..);
    let stems: Vec<(u32, Identifier)> = stems
        .filter_map(|(node, number)| {
            let stem = match node {
                Node::Type(ty) => provenance.type_stems.get(ty),
                Node::Attribute(attribute) => provenance.attribute_stems.get(attribute),
                Node::Location(_) => None,
            };
            stem.map(|&stem| (number, stem))
        })
        .collect();
    names(encoder, &mut out, stems)?;
    let (mut values, mut blocks) = (Vec::new(), Vec::new());
    if options.names {
        let named = provenance.value_names.iter();
        values.extend(named.filter_map(|(&value, &name)| Some((numbering.value(value)?, name))));
        let named = provenance.block_names.iter();
        blocks.extend(named.filter_map(|(&block, &name)| Some((numbering.block(block)?, name))));
    }
    names(encoder, &mut out, values)?;
    names(encoder, &mut out, blocks)?;
    // No producer, and five lists of nothing.
    let nothing = out.iter().all(|&byte| byte == 0);
    Ok(if nothing { Vec::new() } else { out })
}

/// Names of what has a number, in the order of the numbers, each as the distance from the one before.
fn names(
    encoder: &mut Encoder<'_>,
    out: &mut Vec<u8>,
    mut names: Vec<(u32, Identifier)>,
) -> Result<()> {
    names.sort_unstable_by_key(|&(number, _)| number);
    write_varint(out, names.len() as u64);
    let mut next = 0;
    for (number, name) in names {
        write_varint(out, u64::from(number - next));
        write_varint(out, encoder.string(name)?);
        next = number + 1;
    }
    Ok(())
}
