//! Modules from rmbc, version 0 (provisional); `spec/rmbc.md` describes the format.
//!
//! Input is not trusted: whatever the bytes are, reading ends with a module or an error, in time and memory
//! linear in their number, and nothing recurses. What a module is made of is checked by the rules of the
//! context; checks of dialects and of dominance are the verifier's.

mod entries;
mod operations;
mod provenance;
mod tables;

use rmlir_format::rmbc::section;
use rmlir_format::{
    Container, Error, ErrorKind, Limits, Reader, Result, ResultExt, Source, check_limit,
};
use rmlir_ir::{Context, Module};
use std::sync::Arc;
use tables::{Blobs, Tables};

/// How bytes are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What the input may make the reader do.
    pub limits: Limits,
}

/// Reads a whole module, and its provenance. The blobs of its resources share the bytes of `source`, which
/// they keep alive; nothing else does. All checksums are checked. O(bytes).
///
/// Memory is what `Context` and `Module` take for each string, entry, location, operation, region, block, value
/// and operand that the file spells out, and at most 32 bytes for each byte of the file besides, until it is
/// read. An error leaves what was read so far in the context, which can be used on.
///
/// # Errors
/// With offset and section:
/// * those of [`Container::parse`], and [`ErrorKind::Checksum`] for a damaged section;
/// * [`ErrorKind::Malformed`], [`ErrorKind::Truncated`], [`ErrorKind::InvalidVarint`]: bytes that no writer
///   produces;
/// * [`ErrorKind::MissingSection`]: no operations;
/// * [`ErrorKind::Limit`]: more than `options.limits` allow, or a table of 2 GiB or more.
///
/// ```
/// use rmlir_format::Source;
/// use rmlir_ir::{Context, Module};
/// use rmlir_reader::rmbc::{ReadOptions, read_module};
/// use rmlir_writer::rmbc::{WriteOptions, write_module};
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let bytes = write_module(&context, &module, &WriteOptions::default())?;
///
/// let mut other = Context::new();
/// let read = read_module(&mut other, &Source::from(bytes), &ReadOptions::default())?;
/// assert_eq!(other.operation_name_bytes(read.name(read.top())), b"builtin.module");
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn read_module(
    context: &mut Context,
    source: &Source,
    options: &ReadOptions,
) -> Result<Module> {
    read(context, source, Some(source), options)
}

/// [`read_module`] for borrowed bytes: the blobs of resources are copied, in one piece.
///
/// # Errors
/// Those of [`read_module`].
pub fn read_module_from_slice(
    context: &mut Context,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Module> {
    read(context, bytes, None, options)
}

fn read(
    context: &mut Context,
    bytes: &[u8],
    source: Option<&Source>,
    options: &ReadOptions,
) -> Result<Module> {
    let limits = &options.limits;
    let container = Container::parse(bytes, limits, section::name)?;
    container.verify_all()?;

    let mut blobs = Blobs::default();
    if let Some(section) = container.section(section::BLOBS) {
        let (base, input) = (section.offset(), section.reader()?);
        blobs = match source {
            Some(source) => Blobs::read(input, Arc::new(source.clone()), 0)?,
            None => Blobs::read(input, Arc::new(section.bytes()?.to_vec()), base)?,
        };
    }
    let budget = limits.shared_entities(bytes.len() as u64);
    let mut tables = Tables::new(context, blobs, limits, budget);
    if let Some(input) = table(&container, section::STRINGS)? {
        tables.read_strings(input)?;
    }
    if let Some(input) = table(&container, section::OPERATION_NAMES)? {
        tables.read_operation_names(input)?;
    }
    if let Some(input) = table(&container, section::AFFINE)? {
        tables.read_affine(input)?;
    }
    if let Some(input) = table(&container, section::RESOURCES)? {
        tables.read_resources(input)?;
    }
    if let Some(input) = table(&container, section::ENTRIES)? {
        tables.read_entries(input)?;
    }
    if let Some(input) = table(&container, section::LOCATIONS)? {
        tables.read_locations(input)?;
    }
    let Some(input) = table(&container, section::OPERATIONS)? else {
        return Err(
            Error::new(ErrorKind::MissingSection, "the file has no operations")
                .with_section("directory")
                .with_offset(bytes.len() as u64),
        );
    };
    let mut contents = operations::read(&tables, input, limits)?;
    if let Some(input) = table(&container, section::PROVENANCE)? {
        contents.module.provenance = provenance::read(&mut tables, input, &contents)?;
    }
    Ok(contents.module)
}

/// The reader of a section, if there is one. Handles have 32 bits, so that larger ones are refused.
fn table<'a>(container: &Container<'a>, kind: u16) -> Result<Option<Reader<'a>>> {
    let Some(section) = container.section(kind) else {
        return Ok(None);
    };
    check_limit("bytes of a table", section.len(), i32::MAX as u64)
        .map_err(|error| error.with_offset(section.offset()))
        .in_section(section.name())?;
    section.reader().map(Some)
}
