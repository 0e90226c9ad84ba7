//! Round-trips the attributes and types of dialects in the corpus's bytecode: each one with a known
//! codec is decomposed into fields and rebuilt, which must yield the same one.

use rmlir::ir::{
    Attribute, AttributeKind, Context, Entry, EntryWalker, Module, Type, TypeKind, WalkOrder,
    WalkResult,
};
use rmlir::text::{decode_attribute, decode_type, encode_attribute, encode_type, entry_parameters};
use std::collections::BTreeMap;

/// The number of checked entries by dialect and mnemonic.
pub(super) type Counts = BTreeMap<String, usize>;

/// Checks all entries that a module refers to, and counts them.
pub(super) fn check(context: &mut Context, module: &Module) -> Result<Counts, String> {
    let mut found = Vec::new();
    let mut walker = EntryWalker::new();
    for operation in module.descendants(module.top()) {
        let attributes = [module.attributes(operation), module.properties(operation)];
        let attributes = attributes.into_iter().flatten().map(Entry::Attribute);
        let results = module.results(operation).map(|v| module.value_type(v));
        let regions = module.regions(operation);
        let blocks = regions.flat_map(|region| module.blocks(region));
        let arguments = blocks.flat_map(|block| module.arguments(block));
        let arguments = arguments.map(|(argument, _)| module.value_type(argument));
        let types = results.chain(arguments).map(Entry::Type);
        let location = Entry::Location(module.location(operation));
        for entry in attributes.chain(types).chain([location]) {
            walker.walk(context, entry, WalkOrder::PreOrder, |entry| {
                found.push(entry);
                WalkResult::Advance
            });
        }
    }
    same_parameters(context, &found)?;
    let mut counts = Counts::new();
    for entry in found {
        let name = match entry {
            Entry::Attribute(attribute) => attribute_again(context, attribute)?,
            Entry::Type(ty) => type_again(context, ty)?,
            Entry::Location(_) => None,
        };
        if let Some(name) = name {
            *counts.entry(name).or_default() += 1;
        }
    }
    Ok(counts)
}

/// Checks that parameters are the same, with the same handles, whether they are asked for through a
/// shared reference or parsed with a context that can change.
fn same_parameters(context: &mut Context, entries: &[Entry]) -> Result<(), String> {
    let shared = |&entry: &Entry| Some(context.parameters(entry).ok()?.values().clone());
    let shared: Vec<_> = entries.iter().map(shared).collect();
    for (&entry, shared) in entries.iter().zip(shared) {
        let (dialect, body, ty) = match entry {
            Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
                AttributeKind::Dialect { dialect, body, ty } => (*dialect, body.clone(), *ty),
                _ => continue,
            },
            Entry::Type(ty) => match context.type_kind(ty) {
                TypeKind::Dialect { dialect, body } => (*dialect, body.clone(), None),
                _ => continue,
            },
            Entry::Location(_) => continue,
        };
        let Some(definition) = context.dialect(context.bytes(dialect)) else {
            continue;
        };
        let table = match entry {
            Entry::Type(_) => &definition.types,
            _ => &definition.attributes,
        };
        let parsed = entry_parameters(context, &definition, table, (&body, ty));
        let parsed = parsed.ok().flatten().map(|(_, values)| values);
        let is_same = match (&parsed, &shared) {
            (Some(parsed), Some(shared)) => parsed == shared,
            // A definition without parameters may be incomplete.
            (Some(parsed), None) => parsed.fields.is_empty(),
            (None, shared) => shared.is_none(),
        };
        if !is_same {
            let shown = String::from_utf8_lossy(body.text()).into_owned();
            return Err(format!("{shown}: {parsed:?} and {shared:?}"));
        }
    }
    Ok(())
}

/// What an attribute is, if a codec of it is known.
fn attribute_again(context: &mut Context, attribute: Attribute) -> Result<Option<String>, String> {
    let AttributeKind::Dialect {
        dialect,
        body,
        ty: None,
    } = context.attribute_kind(attribute).clone()
    else {
        return Ok(None);
    };
    let Some(definition) = context.dialect(context.bytes(dialect)) else {
        return Ok(None);
    };
    let table = &definition.attributes;
    // Without codecs there is nothing to round-trip.
    if table.codecs().is_empty() {
        return Ok(None);
    }
    let parsed = entry_parameters(context, &definition, table, (&body, None));
    let shown = String::from_utf8_lossy(body.text()).into_owned();
    let Some((entry, _)) = parsed.map_err(|error| format!("#{shown}: {}", error.message()))? else {
        return Ok(None);
    };
    if table.rows_of(entry).next().is_none() {
        return Ok(None);
    }
    let release = context.release();
    let encoded = encode_attribute(context, attribute, release)
        .ok_or_else(|| format!("#{shown} has no codec that fits"))?;
    let decoded = decode_attribute(
        context,
        &definition,
        &encoded.target,
        &encoded.values,
        usize::MAX,
    );
    match decoded {
        Ok(decoded) if decoded == attribute => {
            Ok(Some(format!("#{}.{}", definition.name, entry.mnemonic)))
        }
        Ok(_) => Err(format!("#{shown} has become another attribute")),
        Err(invalid) => Err(format!("#{shown}: {invalid}")),
    }
}

/// Round-trips a type and returns its name, if it has a known codec.
fn type_again(context: &mut Context, ty: Type) -> Result<Option<String>, String> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty).clone() else {
        return Ok(None);
    };
    let Some(definition) = context.dialect(context.bytes(dialect)) else {
        return Ok(None);
    };
    let table = &definition.types;
    // Without codecs there is nothing to round-trip.
    if table.codecs().is_empty() {
        return Ok(None);
    }
    let parsed = entry_parameters(context, &definition, table, (&body, None));
    let shown = String::from_utf8_lossy(body.text()).into_owned();
    let Some((entry, _)) = parsed.map_err(|error| format!("!{shown}: {}", error.message()))? else {
        return Ok(None);
    };
    if table.rows_of(entry).next().is_none() {
        return Ok(None);
    }
    let release = context.release();
    let encoded = encode_type(context, ty, release)
        .ok_or_else(|| format!("!{shown} has no codec that fits"))?;
    match decode_type(
        context,
        &definition,
        &encoded.target,
        &encoded.values,
        usize::MAX,
    ) {
        Ok(decoded) if decoded == ty => {
            Ok(Some(format!("!{}.{}", definition.name, entry.mnemonic)))
        }
        Ok(_) => Err(format!("!{shown} has become another type")),
        Err(invalid) => Err(format!("!{shown}: {invalid}")),
    }
}
