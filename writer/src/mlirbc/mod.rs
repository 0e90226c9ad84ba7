//! Modules as mlirbc, upstream MLIR's bytecode, versions 0 to 6.
//!
//! Tables, sections and strings are laid out as upstream's writer lays them out, so that the bytes are the same
//! wherever the content is. They are a function of the module's content, its provenance and the options. Nothing
//! recurses.

mod builtin;
mod entries;
mod fields;
mod file_ranges;
mod numbering;
mod operations;
mod properties;
mod resources;
mod scopes;
mod strings;
mod tables;
mod target;
mod use_lists;

use numbering::Numbering;
use rmlir_format::Result;
use rmlir_format::mlirbc::{MAGIC, section, write_section};
use rmlir_format::prefix_varint::write_prefix_varint;
use rmlir_ir::definition::Release;
use rmlir_ir::{Context, Module};
use scopes::Scopes;
use strings::Strings;
use target::Target;

/// What is written, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The release whose tools are to read the file. It decides which operations are known, how their properties are
    /// laid out, which private encodings there are, and the version and producer where these are not said. None: as
    /// the bytecode that the module was read from, and [`Release::LLVM_22`] if it was not.
    pub target: Option<Release>,
    /// The version of the container, 0 to 6; none for that of the bytecode that the module was read from or the target's
    /// newest.
    pub version: Option<u8>,
    /// Who is said to have written the file, without zero bytes; none for who wrote the bytecode that the module was read
    /// from or what the target calls itself. Readers choose layouts by it.
    pub producer: Option<Vec<u8>>,
    /// Write what the target has no place for in another form: an inherent attribute as a discardable one, a range in a file
    /// as its start. An error otherwise.
    pub lossy: bool,
    /// The most bytes of text that attributes and types without an encoding may take, all together. A graph of
    /// a few hundred bytes can stand for terabytes of text.
    pub max_text: u64,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            target: None,
            version: None,
            producer: None,
            lossy: false,
            max_text: 1 << 32,
        }
    }
}

/// The bytes of a module: what is reachable from its top-level operation, and its resources. What attributes and types
/// are made of is added to the context. O(what is written).
///
/// # Errors
/// * [`ErrorKind::InvalidRequest`](rmlir_format::ErrorKind::InvalidRequest): a version that the target does not read; something
///   that the target or the version has no place for, see [`WriteOptions::lossy`]; an operation without an inherent
///   attribute that it must have; an operand or successor that is not visible;
/// * [`ErrorKind::Unsupported`](rmlir_format::ErrorKind::Unsupported): properties in an encoding that is not known;
/// * [`ErrorKind::Limit`](rmlir_format::ErrorKind::Limit): more text than `options.max_text`, or a table of 2^31 entries.
///
/// ```
/// use rmlir_ir::{Context, Module};
/// use rmlir_writer::mlirbc::{WriteOptions, write_module};
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let bytes = write_module(&mut context, &module, &WriteOptions::default())?;
/// assert!(bytes.starts_with(b"ML\xefR"));
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn write_module(
    context: &mut Context,
    module: &Module,
    options: &WriteOptions,
) -> Result<Vec<u8>> {
    let provenance = &module.provenance;
    let target = Target::of(provenance, context, options)?;
    let scopes = Scopes::of(module)?;
    let numbering = Numbering::of(context, module, &target)?;
    let context = &*context;
    let mut strings = Strings::new(context);

    let dialects = tables::dialects(context, provenance, &numbering, &mut strings, &target)?;
    let (offsets, entries) =
        tables::entries(context, &numbering, &mut strings, &target, options.max_text)?;
    let (ir, properties) = operations::write(module, &numbering, &scopes, &mut strings, &target)?;
    let numbers = &numbering.numbers;
    let resources = resources::write(context, module, numbers, &mut strings, &target)?;

    let strings = strings.section();
    let sizes = [
        &dialects,
        &offsets,
        &entries,
        &resources.offsets,
        &resources.values,
        &strings,
        &properties,
    ];
    let size: usize = sizes.iter().map(|section| section.len()).sum();
    // And the headers.
    let mut out = Vec::with_capacity(size + ir.len() + target.producer.len() + 256);
    out.extend_from_slice(&MAGIC);
    write_prefix_varint(&mut out, target.version.number().into());
    out.extend_from_slice(&target.producer);
    out.push(0);
    let mut section = |id, data: &[u8], alignment| write_section(&mut out, 0, id, data, alignment);
    section(section::DIALECTS, &dialects, 1);
    section(section::ENTRY_OFFSETS, &offsets, 1);
    section(section::ENTRIES, &entries, 1);
    out.push(section::IR);
    write_prefix_varint(&mut out, ir.len() as u64);
    ir.write(&mut out);
    let mut section = |id, data: &[u8], alignment| write_section(&mut out, 0, id, data, alignment);
    section(section::RESOURCE_OFFSETS, &resources.offsets, 1);
    section(section::RESOURCES, &resources.values, resources.alignment);
    section(section::STRINGS, &strings, 1);
    if target.version.has_properties() {
        section(section::PROPERTIES, &properties, 1);
    }
    Ok(out)
}
