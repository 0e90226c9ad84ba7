//! Compares upstream's bytecode, written back, with the file: the bytes or at least the content are
//! the same.

use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir::writer::rmbc;
use rmlir_format::mlirbc::{Container, section};
use std::path::Path;

/// The result of comparing written bytes with those of the file.
pub(super) enum Written {
    Identical,
    /// The bytes differ, starting in this section, but not the content.
    Equal(String),
}

/// Writes a module that was read from `bytes`, and reads it back.
pub(super) fn check(
    context: &mut Context,
    module: &Module,
    bytes: &[u8],
) -> Result<Written, String> {
    let written = write_module(context, module, &WriteOptions::default())
        .map_err(|error| format!("not written: {error}"))?;
    through_rmbc(context, module, &written)?;
    if written == bytes {
        return Ok(Written::Identical);
    }
    let mut other = super::alike(context);
    let again = read_module_from_slice(&mut other, &written, &ReadOptions::default())
        .map_err(|error| format!("what was written is refused: {error}"))?;
    let equality = EqualityOptions { locations: true };
    match semantic_difference((&*context, module), (&other, &again), &equality) {
        None => Ok(Written::Equal(first_section(&written, bytes))),
        Some(difference) => Err(format!("writing changed {difference}")),
    }
}

/// Checks that a module round-tripped through native bytecode is written as the same upstream's
/// bytecode.
fn through_rmbc(context: &Context, module: &Module, written: &[u8]) -> Result<(), String> {
    let native = rmbc::write_module(context, module, &rmbc::WriteOptions::default())
        .map_err(|error| format!("not written as rmbc: {error}"))?;
    super::lazy::check_native(&native, context, module)?;
    let mut other = super::alike(context);
    let options = rmlir::reader::rmbc::ReadOptions::default();
    let again = rmlir::reader::rmbc::read_module_from_slice(&mut other, &native, &options)
        .map_err(|error| format!("rmbc is refused: {error}"))?;
    let twice = rmbc::write_module(&other, &again, &rmbc::WriteOptions::default())
        .map_err(|error| format!("rmbc is not written again: {error}"))?;
    if twice != native {
        return Err("rmbc of what was read from it differs".to_owned());
    }
    // The bytes depend neither on the known dialects nor on the seeds of hash tables, which differ
    // by context.
    let mut ignorant = Context::new();
    let again_too = rmlir::reader::rmbc::read_module_from_slice(&mut ignorant, &native, &options)
        .map_err(|error| format!("rmbc is refused without definitions: {error}"))?;
    let thrice = rmbc::write_module(&ignorant, &again_too, &rmbc::WriteOptions::default())
        .map_err(|error| format!("rmbc is not written without definitions: {error}"))?;
    if thrice != native {
        return Err("rmbc depends on definitions".to_owned());
    }
    let behind = write_module(&mut other, &again, &WriteOptions::default())
        .map_err(|error| format!("not written behind rmbc: {error}"))?;
    match behind == written {
        true => Ok(()),
        false => Err(format!(
            "differs behind rmbc: {}",
            first_section(&behind, written)
        )),
    }
}

/// Returns the first differing section, in writing order.
fn first_section(ours: &[u8], theirs: &[u8]) -> String {
    let (Ok(ours), Ok(theirs)) = (Container::parse(ours), Container::parse(theirs)) else {
        return "container".to_owned();
    };
    if ours.version != theirs.version || ours.producer != theirs.producer {
        return "header".to_owned();
    }
    for id in [1, 3, 2, 4, 6, 5, 0, 8] {
        let data =
            |container: &Container<'_>| container.section(id).map(|d| d.peek_rest().to_vec());
        if data(&ours) != data(&theirs) {
            return section::name(id).unwrap_or_default().to_owned();
        }
    }
    "framing".to_owned()
}

/// Checks that a module parsed from text is written as the same bytes as `file`, which upstream's
/// tool wrote from the text.
pub(super) fn from_text(context: &mut Context, module: &Module, file: &Path) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let written = write_module(context, module, &WriteOptions::default())
        .map_err(|error| format!("not written: {error}"))?;
    match written == bytes {
        true => Ok(()),
        false => Err(first_section(&written, &bytes)),
    }
}
