//! Prints `{-# dialect_resources: ..., external_resources: ... #-}`.

use super::output::Output;
use super::{PrintOptions, Result};
use rmlir_ir::{Context, Identifier, Module, Resource, ResourceKeys, ResourceValue};
use std::collections::HashSet;

/// Prints the resources: those that were referred to, in order, then the others that the file
/// declared, then those of tools.
pub(super) fn print(
    context: &Context,
    module: &Module,
    referenced: &[Resource],
    keys: &ResourceKeys,
    options: &PrintOptions,
    out: &mut Output<'_>,
) -> Result<()> {
    let mut seen = HashSet::new();
    // Where regions are skipped, the references in them are unknown.
    let declared = match options.skip_regions {
        true => &[][..],
        false => &module.provenance.resources,
    };
    let all = referenced
        .iter()
        .chain(declared)
        .filter(|&&r| seen.insert(r));
    // By dialect, in the order in which dialects are first met.
    let mut groups: Vec<(Identifier, Vec<Entry<'_>>)> = Vec::new();
    let mut any = false;
    for &resource in all {
        let entry = context.resource(resource);
        let Some(value) = &entry.value else { continue };
        any = true;
        if is_elided(value, options) {
            continue;
        }
        match groups
            .iter_mut()
            .find(|(dialect, _)| *dialect == entry.dialect)
        {
            Some((_, entries)) => entries.push((keys.get(context, resource), value)),
            None => groups.push((entry.dialect, vec![(keys.get(context, resource), value)])),
        }
    }
    let external: Vec<(Identifier, Vec<Entry<'_>>)> = module
        .provenance
        .external_resources
        .iter()
        .map(|e| {
            let entries = e
                .entries
                .iter()
                .filter(|(_, value)| !is_elided(value, options));
            (
                e.group,
                entries
                    .map(|(key, value)| (context.bytes(*key), value))
                    .collect::<Vec<_>>(),
            )
        })
        .filter(|(_, entries)| !entries.is_empty())
        .collect();
    if !any && module.provenance.external_resources.is_empty() {
        return Ok(());
    }
    out.text("\n{-#\n");
    if !groups.is_empty() {
        section(context, "dialect_resources", &groups, out)?;
    }
    if !external.is_empty() {
        if !groups.is_empty() {
            out.text(",\n");
        }
        section(context, "external_resources", &external, out)?;
    }
    // Upstream leaves an empty line where all is left out.
    out.text("\n#-}\n");
    Ok(())
}

type Entry<'a> = (&'a [u8], &'a ResourceValue);

fn section(
    context: &Context,
    name: &str,
    groups: &[(Identifier, Vec<Entry<'_>>)],
    out: &mut Output<'_>,
) -> Result<()> {
    out.text("  ");
    out.text(name);
    out.text(": {\n");
    for (i, (group, entries)) in groups.iter().enumerate() {
        out.text(if i > 0 { ",\n    " } else { "    " });
        out.keyword_or_string(context.bytes(*group));
        out.text(": {\n");
        for (i, &(key, value)) in entries.iter().enumerate() {
            out.text(if i > 0 { ",\n      " } else { "      " });
            out.keyword_or_string(key);
            out.text(": ");
            print_value(value, out)?;
        }
        out.text("\n    }");
    }
    out.text("\n  }");
    Ok(())
}

fn print_value(value: &ResourceValue, out: &mut Output<'_>) -> Result<()> {
    match value {
        ResourceValue::Bool(value) => out.text(if *value { "true" } else { "false" }),
        ResourceValue::String(value) => out.quoted(value),
        ResourceValue::Blob(blob) => {
            out.text("\"0x");
            blob.alignment()
                .to_le_bytes()
                .iter()
                .for_each(|&byte| out.hex(byte));
            for chunk in blob.data().chunks(4096) {
                chunk.iter().for_each(|&byte| out.hex(byte));
                out.checkpoint()?;
            }
            out.byte(b'"');
        }
    }
    Ok(())
}

/// Returns whether a value's text is longer than the options allow.
fn is_elided(value: &ResourceValue, options: &PrintOptions) -> bool {
    let Some(limit) = options.elide_resources_if_larger else {
        return false;
    };
    let len = match value {
        ResourceValue::Bool(true) => 4,
        ResourceValue::Bool(false) => 5,
        // With the quotes.
        ResourceValue::String(value) => (value.len() as u64).saturating_add(2),
        ResourceValue::Blob(blob) => (blob.data().len() as u64)
            .saturating_mul(2)
            .saturating_add(12),
    };
    len > limit
}
