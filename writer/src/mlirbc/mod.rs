//! Modules as mlirbc, upstream MLIR's bytecode, versions 0 to 6.
//!
//! Tables, sections and strings are laid out as by upstream's writer, so that equal content has
//! equal bytes. The bytes are a function of the module's content, its provenance and the options.
//! The writer does not recurse.

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
use operations::Operations;
use rmlir_format::Result;
use rmlir_format::limits::DEFAULT_MAX_TEXT_IN_BYTECODE;
use rmlir_format::mlirbc::{MAGIC, section, write_section_header};
use rmlir_format::prefix_varint::write_prefix_varint;
use rmlir_ir::definition::Release;
use rmlir_ir::{Context, Module, ProgressCounter, ResourceKeys};
use scopes::Scopes;
use std::io;
use std::sync::Arc;
use strings::Strings;
use target::Target;

/// Options for writing mlirbc, including the target release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The release whose tools are to read the file.
    ///
    /// It determines the known operations, the layouts of their properties and the private
    /// encodings, and the default version and producer. None: that of the bytecode that the module
    /// was read from, and [`Release::LLVM_22`] if it was not read from bytecode.
    pub target: Option<Release>,
    /// Namespaces of dialects without a project that the reading tool knows nevertheless.
    ///
    /// A dialect does not belong to a project if its definition does not declare a `family`.
    ///
    /// Operations of other such dialects are written as unregistered ones: with their properties as
    /// a dictionary, which `mlir-opt --allow-unregistered-dialect` preserves, and their attributes
    /// and types as text. A tool that has registered the dialect reads native properties only, so
    /// it needs its dialects listed here. A reader of this library accepts both.
    pub registered_dialects: Vec<String>,
    /// The version of the container, 0 to 6.
    ///
    /// None: that of the bytecode that the module was read from, or the target's newest.
    pub version: Option<u8>,
    /// The producer stored in the file, without zero bytes. Readers choose layouts by it.
    ///
    /// None: the producer of the bytecode that the module was read from, or the target's.
    pub producer: Option<Vec<u8>>,
    /// Convert content that the target cannot represent instead of returning an error.
    ///
    /// An inherent attribute becomes a discardable one, a range in a file its start, and a distinct
    /// attribute that occurs in several texts becomes several attributes. Resources without
    /// references are dropped, as upstream does: its reader refuses a file that is not in memory at
    /// the greatest alignment of a resource, which can be theirs.
    pub lossy: bool,
    /// Store the keys and kinds of resources without their values.
    ///
    /// Readers accept blobs of dialects without values, and refuse other resources without values.
    pub elide_resource_data: bool,
    /// The maximum total length in bytes of the text of attributes and types without an encoding;
    /// 4 GiB by default.
    ///
    /// A graph of a few hundred bytes can expand to terabytes of text.
    pub max_text: u64,
    /// Counts the operations that are written: half of each in the first pass over the module, in
    /// which entries are collected, and half in the second. Does not count by default.
    pub progress: ProgressCounter,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            target: None,
            registered_dialects: Vec::new(),
            version: None,
            producer: None,
            lossy: false,
            elide_resource_data: false,
            max_text: DEFAULT_MAX_TEXT_IN_BYTECODE,
            progress: ProgressCounter::default(),
        }
    }
}

/// Returns the bytes of a module: content reachable from its top-level operation, and resources.
///
/// Components of attributes and types are added to the context. O(bytes written).
///
/// # Errors
/// * [`ErrorKind::InvalidRequest`](rmlir_format::ErrorKind::InvalidRequest): a version that the
///   target does not read; content that the target or the version cannot represent, see
///   [`WriteOptions::lossy`]; an operation without a required inherent attribute; an operand or
///   successor that is not visible;
/// * [`ErrorKind::Unsupported`](rmlir_format::ErrorKind::Unsupported): properties in an unknown
///   encoding;
/// * [`ErrorKind::Limit`](rmlir_format::ErrorKind::Limit): more text than `options.max_text`, or a
///   table of 2^31 entries.
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
    let sections = Sections::new(context, module, options)?;
    let mut out = Vec::with_capacity(sections.len());
    sections.write_to(&mut out)?;
    Ok(out)
}

/// Writes the bytes that [`write_module`] returns, without concatenating them in memory.
///
/// Nothing is written if the module cannot be encoded. Writes can be small: use a buffer for a file
/// or pipe.
///
/// # Errors
/// Those of [`write_module`], and [`ErrorKind::Io`](rmlir_format::ErrorKind::Io) from `out`.
pub fn write_module_to(
    context: &mut Context,
    module: &Module,
    options: &WriteOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    Sections::new(context, module, options)?.write_to(out)
}

/// The bytes of all sections.
struct Sections {
    /// The header, which precedes the sections.
    head: Vec<u8>,
    dialects: Vec<u8>,
    offsets: Vec<u8>,
    entries: Vec<u8>,
    operations: Operations,
    resources: resources::Sections,
    strings: Vec<u8>,
    /// `None` in versions without such a section.
    properties: Option<Vec<u8>>,
}

impl Sections {
    fn new(context: &mut Context, module: &Module, options: &WriteOptions) -> Result<Self> {
        let provenance = &module.provenance;
        let target = Target::of(provenance, context, options)?;
        let scopes = Scopes::of(context, module)?;
        let numbering = Numbering::of(context, module, &target, &options.progress)?;
        let context = &*context;
        let keys = Arc::new(ResourceKeys::new(context, module));
        let mut strings = Strings::new(context, module.operation_slots());
        let dialects = tables::dialects(context, &numbering, &mut strings, &target)?;
        let (offsets, entries) = tables::entries(
            context,
            &numbering,
            &keys,
            &mut strings,
            &target,
            options.max_text,
        )?;
        let (operations, properties) = operations::write(
            (module, &options.progress),
            &numbering,
            &scopes,
            &mut strings,
            &target,
        )?;
        let numbers = &numbering.numbers;
        let resources = resources::write(context, module, numbers, &keys, &mut strings, &target)?;
        let mut head = MAGIC.to_vec();
        write_prefix_varint(&mut head, target.version.number().into());
        head.extend_from_slice(&target.producer);
        head.push(0);
        Ok(Sections {
            head,
            dialects,
            offsets,
            entries,
            operations,
            resources,
            strings: strings.section(),
            properties: target.version.has_properties().then_some(properties),
        })
    }

    /// Returns an upper bound of the number of bytes.
    fn len(&self) -> usize {
        let parts = [
            &self.head,
            &self.dialects,
            &self.offsets,
            &self.entries,
            &self.resources.offsets,
            &self.resources.values,
            &self.strings,
        ];
        let properties = self.properties.as_ref().map_or(0, Vec::len);
        let sum: usize = parts.iter().map(|part| part.len()).sum();
        sum + self.operations.len() + properties + 256
    }

    fn write_to(&self, out: &mut dyn io::Write) -> Result<()> {
        let mut out = Output { out, written: 0 };
        out.bytes(&self.head)?;
        out.section(section::DIALECTS, &self.dialects, 1)?;
        out.section(section::ENTRY_OFFSETS, &self.offsets, 1)?;
        out.section(section::ENTRIES, &self.entries, 1)?;
        out.header(section::IR, self.operations.len() as u64, 1)?;
        self.operations.write_to(&mut out)?;
        let resources = &self.resources;
        out.section(section::RESOURCE_OFFSETS, &resources.offsets, 1)?;
        out.section(section::RESOURCES, &resources.values, resources.alignment)?;
        out.section(section::STRINGS, &self.strings, 1)?;
        match &self.properties {
            Some(properties) => out.section(section::PROPERTIES, properties, 1),
            None => Ok(()),
        }
    }
}

/// The output, and the number of bytes written to it.
struct Output<'o> {
    out: &'o mut dyn io::Write,
    written: u64,
}

impl Output<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes the header of a section of `len` bytes.
    fn header(&mut self, id: u8, len: u64, alignment: u64) -> Result<()> {
        let mut header = Vec::new();
        write_section_header(&mut header, self.written, id, len, alignment);
        self.bytes(&header)
    }

    fn section(&mut self, id: u8, data: &[u8], alignment: u64) -> Result<()> {
        self.header(id, data.len() as u64, alignment)?;
        self.bytes(data)
    }
}
