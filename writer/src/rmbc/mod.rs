//! Modules as rmbc, version 0 (provisional); `spec/rmbc.md` describes the format.
//!
//! The bytes are a function of the module's content, its provenance and the options: what else is in the
//! context, the order in which things were interned, and handles never show. Nothing recurses.

mod encoder;
mod entries;
mod locations;
mod numbers;
mod operations;
mod provenance;

use encoder::Encoder;
use rmlir_format::rmbc::section;
use rmlir_format::varint::write_varint;
use rmlir_format::{ContainerWriter, Error, ErrorKind, Result};
use rmlir_ir::{Context, Module};
use std::borrow::Cow;
use std::io;

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Write the locations of operations and block arguments. Without, they are unknown when read. Locations
    /// in attributes are content and always written. True by default.
    pub locations: bool,
    /// Write the names of values and blocks that the module's provenance has. True by default.
    pub names: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            locations: true,
            names: true,
        }
    }
}

/// The bytes of a module: what is reachable from its top-level operation, and its provenance. O(what is
/// written), and some bytes for each type and attribute of the context.
///
/// # Errors
/// * [`ErrorKind::InvalidRequest`]: the module is not complete, such as an operand or successor that is not
///   in it, or a location that contains itself;
/// * [`ErrorKind::Unsupported`]: a type or attribute of a kind that is newer than this writer;
/// * [`ErrorKind::Limit`]: a table of 2 GiB or more.
///
/// ```
/// use rmlir_ir::{Context, Module};
/// use rmlir_writer::rmbc::{WriteOptions, write_module};
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let bytes = write_module(&context, &module, &WriteOptions::default())?;
/// assert!(bytes.starts_with(&rmlir_format::section::MAGIC));
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn write_module(context: &Context, module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
    Ok(Sections::new(context, module, options)?
        .container()?
        .finish())
}

/// Writes what [`write_module`] returns, without holding the whole of it in one piece. Nothing is written if
/// the module cannot be.
///
/// # Errors
/// Those of [`write_module`], and [`ErrorKind::Io`] from `out`.
pub fn write_module_to(
    context: &Context,
    module: &Module,
    options: &WriteOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    Sections::new(context, module, options)?
        .container()?
        .write_to(out)
}

/// The bytes of all sections.
struct Sections<'c> {
    tables: Vec<(u16, Vec<u8>)>,
    provenance: Vec<u8>,
    blobs: Cow<'c, [u8]>,
}

impl<'c> Sections<'c> {
    fn new(context: &'c Context, module: &'c Module, options: &WriteOptions) -> Result<Self> {
        let mut encoder = Encoder::new(context);
        let numbering = operations::Numbering::new(module)?;
        let operations = operations::encode(&mut encoder, module, &numbering, options)?;
        let provenance = provenance::encode(&mut encoder, module, &numbering, options)?;
        let blobs = encoder.blobs();
        let tables = vec![
            (section::STRINGS, encoder.strings.finish()),
            (section::OPERATION_NAMES, encoder.names.finish()),
            (section::AFFINE, encoder.affine.finish()),
            (section::RESOURCES, encoder.resources.finish()),
            (section::ENTRIES, encoder.entries.finish()),
            (section::LOCATIONS, encoder.locations.finish()),
            (section::OPERATIONS, operations),
        ];
        Ok(Sections {
            tables,
            provenance,
            blobs,
        })
    }

    fn container(&self) -> Result<ContainerWriter<'_>> {
        let mut container = ContainerWriter::new();
        for (kind, bytes) in &self.tables {
            if bytes.len() > i32::MAX as usize {
                let name = section::name(*kind).unwrap_or_default();
                return Err(Error::new(
                    ErrorKind::Limit,
                    format!("the section '{name}' would have 2 GiB or more"),
                ));
            }
            if !bytes.is_empty() {
                container.add_required(*kind, bytes.as_slice())?;
            }
        }
        if !self.provenance.is_empty() {
            container.add_optional(section::PROVENANCE, self.provenance.as_slice())?;
        }
        if !self.blobs.is_empty() {
            container.add_required(section::BLOBS, &*self.blobs)?;
        }
        Ok(container)
    }
}

/// A table's section: how many entries, and these; no bytes for no entries.
fn table(count: u32, entries: Vec<u8>) -> Vec<u8> {
    if count == 0 {
        return Vec::new();
    }
    let mut bytes = Vec::with_capacity(entries.len() + 5);
    write_varint(&mut bytes, u64::from(count));
    bytes.extend(entries);
    bytes
}
