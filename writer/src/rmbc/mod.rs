//! Modules as rmbc; `spec/rmbc.md` describes the format.
//!
//! The bytes are a function of the module's content, its provenance and the options. They do not
//! depend on other content of the context, the order of interning or handles. The writer does not
//! recurse.

mod canonical;
mod collect;
mod encoder;
mod entries;
mod locations;
mod operations;
mod provenance;
mod segments;
mod strings;
mod templates;
mod uses;
mod walk;

pub use canonical::check_canonical;
use collect::{Collected, Collector};
use encoder::{BlobSections, Encoder};
use operations::OperationWriter;
use rmlir_format::rmbc::schema::limits;
use rmlir_format::rmbc::table::{Table, write_ascending};
use rmlir_format::rmbc::{APART_COMPRESSED, GROUP, MAX_HASHED_DEPTH, UNDIVIDED, section};
use rmlir_format::{ContainerWriter, Error, ErrorKind, Result, Threads};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{
    Context, FINGERPRINT_VERSION, FingerprintOptions, Fingerprinter, Module, Operation,
    PreservedSection, ProgressCounter, nested_symbols,
};
use std::collections::HashSet;
use std::io;

/// Options for writing rmbc.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Write the locations of operations and block arguments. True by default.
    ///
    /// Without them, readers return unknown locations. Locations in attributes are content and
    /// always written.
    pub locations: bool,
    /// Write the names of values and blocks in the module's provenance. True by default.
    pub names: bool,
    /// The zstd level, 1 to 22, at which pages are compressed. None (uncompressed) by default, and
    /// without effect if this crate is built without the feature `zstd`.
    pub compression: Option<i32>,
    /// Write an index of symbols, if there are enough operations for it to pay off. True by
    /// default.
    pub index: bool,
    /// The sizes of chunks, from which reading one symbol can begin.
    pub chunks: ChunkSizes,
    /// Write the [fingerprint](rmlir_ir::fingerprint) of the module and of each symbol, without
    /// locations. False by default.
    ///
    /// Readers that trust the writer can then find equal bodies, also in other files, without
    /// reading them. Each fingerprint takes 32 bytes. Symbols nested more than 64 deep are
    /// excluded, since each fingerprint hashes the whole content of its symbol.
    pub hashes: bool,
    /// The number of threads for compression and fingerprints. One by default.
    ///
    /// The bytes do not depend on it.
    pub threads: Threads,
    /// The minimum alignment of blobs in the file: a power of two of at most 4096. 1 by default.
    ///
    /// With 1, a blob has the alignment that it requests, else 64, or 8 if it is smaller.
    pub blob_alignment: u32,
    /// The blobs stored in another file; see [`write_module_and_blobs`]. None by default.
    pub external_blobs: Option<ExternalBlobs>,
    /// Counts the operations that are written: half of each in the first pass over the module, in
    /// which entries are collected, and half in the second. Does not count by default.
    pub progress: ProgressCounter,
}

/// The sizes of chunks of a file with an index: smaller ones are read faster and take more bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSizes {
    /// The minimum number of operations of a chunk. 512 by default.
    pub least: u32,
    /// The maximum number of operations of an operation that is not divided, though symbols are in
    /// it. 1,024 by default, which is also the greatest value: a greater one has no effect.
    pub undivided: u32,
}

impl Default for ChunkSizes {
    fn default() -> Self {
        ChunkSizes {
            least: GROUP,
            undivided: UNDIVIDED,
        }
    }
}

/// Blobs that are stored in a file of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalBlobs {
    /// The path of the file, relative to that of the module.
    ///
    /// Names separated by `/`, none of which is `.` or `..`.
    pub path: String,
    /// The minimum length of such blobs in bytes.
    pub above: u64,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            locations: true,
            names: true,
            compression: None,
            index: true,
            chunks: ChunkSizes::default(),
            hashes: false,
            threads: Threads::ONE,
            blob_alignment: 1,
            external_blobs: None,
            progress: ProgressCounter::default(),
        }
    }
}

/// Returns the bytes of a module: content reachable from its top-level operation, and provenance.
///
/// O(bytes written), and some bytes for each type and attribute of the context.
///
/// # Errors
/// * [`ErrorKind::InvalidRequest`]: the module is not complete, such as an operand or successor
///   that is not in it, or a location that contains itself;
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
    let sections = Sections::new(context, module, options)?;
    sections.expect_none_outside()?;
    Ok(sections.container(options)?.finish())
}

/// Writes the bytes that [`write_module`] returns, without concatenating them in memory.
///
/// Nothing is written if the module cannot be encoded.
///
/// # Errors
/// Those of [`write_module`], and [`ErrorKind::Io`] from `out`.
pub fn write_module_to(
    context: &Context,
    module: &Module,
    options: &WriteOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    let sections = Sections::new(context, module, options)?;
    sections.expect_none_outside()?;
    sections.container(options)?.write_to(out)
}

/// Writes a module as [`write_module_to`], with the external blobs to `blobs`.
///
/// `blobs` receives the content of the file that [`WriteOptions::external_blobs`] names. Nothing is
/// written to it if there are no external blobs.
///
/// # Errors
/// Those of [`write_module_to`], and [`ErrorKind::InvalidRequest`] for a path that is not relative,
/// or leads upwards.
pub fn write_module_and_blobs(
    context: &Context,
    module: &Module,
    options: &WriteOptions,
    out: &mut dyn io::Write,
    blobs: &mut dyn io::Write,
) -> Result<()> {
    let sections = Sections::new(context, module, options)?;
    for piece in &sections.blobs.outside.pieces {
        blobs.write_all(piece)?;
    }
    sections.container(options)?.write_to(out)
}

/// Encodes the section of fingerprints.
///
/// Covers the top-level operation, which begins at `start`, and the symbols in `places`, each with
/// its offset.
fn hashes(
    context: &Context,
    module: &Module,
    (start, places): (u64, &[(u64, Operation)]),
    threads: Threads,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut all = vec![(start, module.top())];
    let deep = deep_symbols(context, module);
    let places = places.iter();
    all.extend(places.filter(|(_, operation)| !deep.contains(operation)));
    let places = all.as_slice();
    let options = FingerprintOptions { locations: false };
    out.push(FINGERPRINT_VERSION);
    let (mut table, mut next) = (Table::default(), 0);
    // Each thread memoizes the shared parts of symbols separately.
    let run = places.len().div_ceil(threads.count()).max(1);
    let hashes = threads.map(places.len().div_ceil(run), |number| {
        let places = places.chunks(run).nth(number).unwrap_or_default();
        let mut fingerprinter = Fingerprinter::new(context, &options);
        let hash =
            |&(_, operation): &(u64, Operation)| fingerprinter.fingerprint(module, operation);
        places.iter().map(hash).collect::<Vec<_>>()
    });
    for (&(place, _), hash) in places.iter().zip(hashes.into_iter().flatten()) {
        // The section was checked to be small.
        next = write_ascending(&mut table, next, place as u32);
        table.current().extend_from_slice(hash.as_bytes());
    }
    table.finish(&mut out)?;
    Ok(out)
}

/// Returns the symbols whose fingerprints are not written.
fn deep_symbols(context: &Context, module: &Module) -> HashSet<Operation> {
    let mut depths: Vec<u32> = Vec::new();
    let mut deep = HashSet::new();
    for symbol in nested_symbols(context, module) {
        let parent = symbol.parent.and_then(|parent| depths.get(parent));
        let depth = parent.map_or(1, |depth| depth.saturating_add(1));
        depths.push(depth);
        if depth > MAX_HASHED_DEPTH {
            deep.insert(symbol.operation);
        }
    }
    deep
}

/// The bytes of all sections.
struct Sections<'c> {
    /// Kind and bytes.
    sections: Vec<(u16, Vec<u8>)>,
    blobs: BlobSections<'c>,
    /// Preserved unknown sections, by kind.
    carried: Vec<&'c PreservedSection>,
    /// Whether there are preset strings or fragments.
    has_dictionary: bool,
}

impl<'c> Sections<'c> {
    fn new(context: &'c Context, module: &'c Module, options: &WriteOptions) -> Result<Self> {
        let mut encoder = Encoder::new(context, module);
        if options.compression.is_some() {
            encoder.apart = APART_COMPRESSED;
        }
        let mut collector = Collector::new(
            &mut encoder,
            module,
            options.locations,
            options.index || options.hashes,
            options.chunks.undivided.min(UNDIVIDED),
        );
        walk::visit(context, module, &options.progress, &mut collector)?;
        let Collected {
            numbering,
            mut templates,
            totals,
            mut symbols,
            large,
            unusual,
        } = collector.finish();
        let used = templates.names();
        let registered = provenance::collect(&mut encoder, module, &numbering, &used, options)?;
        let large = if options.index { large } else { Vec::new() };
        symbols.retain(|symbol| symbol.contained && (options.hashes || !large.is_empty()));
        for symbol in symbols.iter().filter(|_| !large.is_empty()) {
            encoder.strings.collect_symbol(symbol.name);
        }
        encoder.number();
        templates.number(context);

        let mut writer = OperationWriter::new(
            &encoder,
            module,
            &numbering,
            &mut templates,
            &totals,
            (symbols, large),
            options.locations,
        )
        .with_chunks(options.chunks.least);
        if !unusual.is_empty() {
            writer = writer.with_order();
        }
        walk::visit(context, module, &options.progress, &mut writer)?;
        let written = writer.finish();
        let hashes = match options.hashes {
            true => hashes(
                context,
                module,
                (written.start, &written.places),
                options.threads,
            )?,
            false => Vec::new(),
        };
        let templates = templates.finish(&encoder)?;
        let resources = encoder.finish_resources();
        let (provenance, has_releases) =
            provenance::encode(&mut encoder, module, registered.as_ref())?;
        let stems = provenance::stems(&encoder, module)?;
        let names = match options.names {
            true => provenance::names(&encoder, module, &numbering, &written.segments)?,
            false => Vec::new(),
        };
        let uses = match &written.order {
            Some(order) => uses::encode(module, &numbering, &unusual, (order, &written.segments))?,
            None => Vec::new(),
        };
        let entries = encoder.finish_entries()?;
        let has_dictionary = encoder.has_fragments || encoder.strings.has_preset() || has_releases;
        let mut blobs = encoder.blobs(options)?;
        let blob_list = std::mem::take(&mut blobs.list);
        let strings = encoder.strings.finish(context)?;
        let metadata = provenance::metadata(module);
        let sections = vec![
            (section::STRINGS, strings),
            (section::AFFINE, encoder.affine.finish()?),
            (section::RESOURCES, resources),
            (section::ENTRIES, entries),
            (section::TEMPLATES, templates),
            (section::OPERATIONS, written.operations),
            (section::LOCATIONS, written.locations),
            (section::INDEX, written.index.encode()?),
            (section::PROVENANCE, provenance),
            (section::ALIAS_NAMES, stems),
            (section::NAMES, names),
            (section::USES, uses),
            (section::HASHES, hashes),
            (section::BLOB_LIST, blob_list),
            (section::METADATA, metadata),
        ];
        let mut carried: Vec<_> = module.provenance.sections.iter().collect();
        carried.compact_sort_by_key(|section| section.kind);
        if let Some(section) = carried.iter().find(|s| section::name(s.kind).is_some()) {
            let message = format!(
                "a section of kind {} cannot be preserved: this version defines it",
                section.kind
            );
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        }
        Ok(Sections {
            sections,
            blobs,
            carried,
            has_dictionary,
        })
    }

    /// Checks that there are no external blobs, for a caller without an output for them.
    fn expect_none_outside(&self) -> Result<()> {
        match self.blobs.outside.pieces.is_empty() {
            true => Ok(()),
            false => Err(Error::new(
                ErrorKind::InvalidRequest,
                "there are blobs for another file, and only one is written",
            )),
        }
    }

    fn container(&self, options: &WriteOptions) -> Result<ContainerWriter<'_>> {
        let mut container = ContainerWriter::new();
        container.set_threads(options.threads);
        container.set_dictionary(self.has_dictionary);
        if let Some(level) = options.compression {
            container.set_compression(level);
        }
        for (kind, bytes) in &self.sections {
            if bytes.len() as u64 >= limits::SECTION {
                let name = section::name(*kind).unwrap_or_default();
                return Err(Error::new(
                    ErrorKind::Limit,
                    format!("the section '{name}' would have 2 GiB or more"),
                ));
            }
            match (bytes.is_empty(), section::is_required(*kind)) {
                (true, _) => {}
                (false, Some(true)) => container.add_required(*kind, bytes.as_slice())?,
                (false, _) => container.add_optional(*kind, bytes.as_slice())?,
            }
        }
        let (aligned, plain): (Vec<&PreservedSection>, Vec<&PreservedSection>) =
            (self.carried.iter()).partition(|section| section.alignment_log.is_some());
        for section in plain {
            container.add_preserved(section.kind, None, &*section.bytes)?;
        }
        // Some blobs may have no bytes at all.
        let inside = &self.blobs.inside;
        if inside.len > 0 {
            let alignment = self.blobs.alignment.trailing_zeros();
            container.add_aligned_pieces(section::BLOBS, alignment, inside.pieces.clone())?;
        }
        for section in aligned {
            container.add_preserved(section.kind, section.alignment_log, &*section.bytes)?;
        }
        Ok(container)
    }
}
