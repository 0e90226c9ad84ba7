//! Reads modules from rmbc; `spec/rmbc.md` describes the format.
//!
//! Input is not trusted: for any bytes, reading ends with a module or an error, in time and memory
//! linear in their number, without recursion. The structure of the module is checked by the rules
//! of the context; the checks of dialects and of dominance are left to the verifier.

mod check;
pub mod dump;
mod entries;
mod entry_source;
mod events;
mod external;
mod fields;
mod file;
mod lazy_entries;
mod locations;
mod name_tables;
mod operations;
mod provenance;
mod scan;
mod segments;
mod signature;
mod structure;
mod table_views;
mod tables;
mod templates;
mod uses;
mod walk;

pub(crate) use events::Paused;
pub use external::{ExternalData, Resolver};
pub use file::File;
use locations::LocationStream;
use rmlir_format::rmbc::{schema, section};
use rmlir_format::{
    Container, Error, ErrorKind, Limits, ProgressCounter, Reader, Result, ResultExt, Section,
    Source, Threads, check_limit,
};
use rmlir_ir::{Context, Module, PreservedSection, Provenance};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use table_views::TableViews;
use tables::{BlobBytes, Blobs, Tables};
use templates::Templates;

/// A map from numbers in a file to values. Lazy readers look up a number for each skipped
/// operation.
type NumberMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Options for reading rmbc.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The limits on the work and memory that the input may cause.
    pub limits: Limits,
    /// Skip the verification of checksums, for trusted bytes. False by default.
    ///
    /// Damage then results in an error or in a different module, never in anything worse.
    pub trusted: bool,
    /// Read the locations of operations and block arguments. True by default.
    ///
    /// If false, these locations are unknown, and the bytes that encode them are not examined.
    pub locations: bool,
    /// The number of threads on which pages are checked and decompressed. One by default.
    ///
    /// With more than one, a second thread builds the module while the calling thread adds entities
    /// to the context. The result is the same; after an error, the context may hold twice the
    /// locations that were read.
    pub threads: Threads,
    /// The resolver for blob data that is in other files.
    ///
    /// None by default: reading such a blob is then an error.
    pub external: Option<Resolver>,
    /// Counts processed bytes of the file; by default nothing is counted.
    pub progress: ProgressCounter,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            limits: Limits::default(),
            trusted: false,
            locations: true,
            threads: Threads::ONE,
            external: None,
            progress: ProgressCounter::default(),
        }
    }
}

/// Reads a whole module, and its provenance. O(bytes).
///
/// The blobs of its resources share the bytes of `source` and keep them alive; nothing else does.
/// All checksums are checked.
///
/// Memory is what `Context` and `Module` take for each string, entry, location, operation, region,
/// block, value and operand that the file spells out, and additionally at most 32 bytes per byte of
/// the file while reading. After an error, the context keeps what was read so far, and remains
/// usable.
///
/// # Errors
/// With offset and section:
/// * those of [`Container::parse`], and [`ErrorKind::Checksum`] for a damaged section;
/// * [`ErrorKind::Malformed`], [`ErrorKind::Truncated`], [`ErrorKind::InvalidVarint`]: bytes that
///   no writer produces;
/// * [`ErrorKind::MissingSection`]: no operations;
/// * [`ErrorKind::Limit`]: more than `options.limits` allow, or a table of 2 GiB or more.
///
/// ```
/// use rmlir_format::Source;
/// use rmlir_ir::{Context, Module, Provenance};
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

/// [`read_module`] for borrowed bytes: copies the blobs of resources, in one piece.
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
    check_sections(container.sections().map(|section| Checked {
        kind: section.kind(),
        is_required: section.is_required(),
        is_aligned: section.alignment_log().is_some(),
        is_empty: section.is_empty(),
        offset: section.offset(),
        name: section.name(),
    }))?;
    if let Some(features) = Table::read(&container, options, section::FEATURES)? {
        check_features(features.reader())?;
    }
    let blobs = blobs(&container, source, options)?;
    // Sections that are not read here are checked too.
    let is_read = |kind| !matches!(kind, section::HASHES | section::BLOBS);
    // What is left is spread over the operations: most of the time is spent on these.
    let mut left = bytes.len() as u64;
    for section in container.sections() {
        if !is_read(section.kind()) {
            if !options.trusted {
                section.verify(options.threads)?;
            }
            options.progress.add(section.len());
            left = left.saturating_sub(section.len());
        }
    }
    let content = container.sections().map(|section| section.len());
    let budget = limits.shared_entities_of_content(content.fold(0, u64::saturating_add));
    let has_dictionary = container.has_dictionary();
    let mut tables = Tables::new(context, blobs, limits, (budget, has_dictionary));
    read_tables(&mut tables, |kind| Table::read(&container, options, kind))?;
    let (Some(templates), Some(operations)) = (
        Table::read(&container, options, section::TEMPLATES)?,
        Table::read(&container, options, section::OPERATIONS)?,
    ) else {
        return Err(no_operations(bytes.len() as u64));
    };
    let mut templates = Templates::read(&mut tables, templates.reader())?;
    let locations = match options.locations {
        true => Table::read(&container, options, section::LOCATIONS)?,
        false => None,
    };
    let locations = LocationStream::new(locations.as_ref().map(Table::reader));
    let operations = operations.reader();
    let (start, len) = (operations.offset(), operations.remaining() as u64);
    let mut provenance = Provenance::default();
    if let Some(table) = Table::read(&container, options, section::PROVENANCE)? {
        let said = provenance::read(&mut tables, table.reader())?;
        provenance = said.provenance(templates.names(), |at, number| {
            tables.resource(&table.reader(), at, number).map(Some)
        })?;
    }
    if let Some(table) = Table::read(&container, options, section::ALIAS_NAMES)? {
        provenance::read_stems(&mut tables, table.reader(), &mut provenance)?;
    }
    let mut contents = operations::read(
        &mut tables,
        &mut templates,
        operations,
        locations,
        options.threads,
        || {
            let end = start.saturating_add(len);
            options.progress.stretch(start..end, left)
        },
    )?;
    if let Some(table) = Table::read(&container, options, section::INDEX)? {
        check_chunks(table.reader(), &contents.chunks)?;
    }
    if let Some(table) = Table::read(&container, options, section::USES)? {
        uses::read(table.reader(), &mut contents)?;
    }
    if let Some(table) = Table::read(&container, options, section::NAMES)? {
        provenance::read_names(&mut tables, table.reader(), &contents, &mut provenance)?;
    }
    if let Some(table) = Table::read(&container, options, section::METADATA)? {
        provenance::read_metadata(table.reader(), &mut provenance)?;
    }
    provenance.sections = preserved(&container, options)?;
    contents.module.provenance = provenance;
    Ok(contents.module)
}

/// Reads strings, affine expressions, resources and entries. Returns the table of entries.
fn read_tables<B: Deref<Target = [u8]>>(
    tables: &mut Tables<'_>,
    section: impl Fn(u16) -> Result<Option<Table<B>>>,
) -> Result<Option<Table<B>>> {
    if let Some(table) = section(section::STRINGS)? {
        tables.read_strings(table.reader())?;
    }
    if let Some(table) = section(section::AFFINE)? {
        tables.read_affine(table.reader())?;
    }
    if let Some(table) = section(section::RESOURCES)? {
        tables.read_resources(table.reader())?;
    }
    let entries = section(section::ENTRIES)?;
    if let Some(table) = &entries {
        tables.read_entries(table.reader())?;
    }
    Ok(entries)
}

/// Returns the unknown sections, to be preserved.
///
/// They are optional: a file with an unknown required section is refused when it is opened.
fn preserved(container: &Container<'_>, options: &ReadOptions) -> Result<Vec<PreservedSection>> {
    let unknown = container
        .sections()
        .filter(|section| section::name(section.kind()).is_none());
    unknown
        .map(|section| {
            Ok(PreservedSection {
                kind: section.kind(),
                alignment_log: section.alignment_log(),
                bytes: section_bytes(&section, options)?.into(),
            })
        })
        .collect()
}

/// Checks that the chunks of the index are those of the operations, so that readers of parts find
/// the same operations.
fn check_chunks(mut input: Reader<'_>, chunks: &operations::Chunks) -> Result<()> {
    let at = input.offset();
    let (count, mut data, mut offsets) = tables::table(&mut input)?;
    if count != chunks.list.len() {
        let message = format!(
            "the index has {count} chunks, and the operations have {}",
            chunks.list.len()
        );
        return Err(crate::lookup::malformed(&input, at, message));
    }
    let mut before = rmlir_format::rmbc::index::Chunk::default();
    for (chunk, number) in chunks.list.iter().zip(0u64..) {
        if offsets.begin(number, &data)? {
            (before.offset, before.location) = (0, 0);
        }
        let at = data.offset();
        let read = table_views::read_chunk(&mut data, number, &mut before)?;
        let mut expected = *chunk;
        if !chunks.has_locations {
            expected.location = read.location;
        }
        if read != expected {
            let message = format!("chunk #{number} of the index is {read:?}, not {expected:?}");
            return Err(crate::lookup::malformed(&data, at, message));
        }
    }
    data.expect_end()
}

/// Returns the error for a file of `len` bytes without operations.
#[cold]
fn no_operations(len: u64) -> Error {
    Error::new(ErrorKind::MissingSection, "the file has no operations")
        .with_section("directory")
        .with_offset(len)
}

/// The properties of a section that [`check_sections`] checks.
struct Checked {
    kind: u16,
    is_required: bool,
    is_aligned: bool,
    is_empty: bool,
    offset: u64,
    name: &'static str,
}

/// Checks that sections are in the order of their kinds, with aligned sections after the others,
/// and that each known section has the flags of its kind and content.
fn check_sections(sections: impl Iterator<Item = Checked>) -> Result<()> {
    let mut before = (false, 0);
    for section in sections {
        let place = (section.is_aligned, section.kind);
        let name = section.name;
        let fault = if place < before {
            format!("the section '{name}' is not in the order of kinds")
        } else {
            match section::is_required(section.kind) {
                Some(true) if !section.is_required => {
                    format!("the section '{name}' is marked as optional")
                }
                Some(false) if section.is_required => {
                    format!("the section '{name}' is marked as required")
                }
                Some(_) if section.is_empty => format!("the section '{name}' is empty"),
                Some(_) if section.is_aligned != (section.kind == section::BLOBS) => {
                    match section.is_aligned {
                        true => format!("the section '{name}' is aligned"),
                        false => format!("the section '{name}' is not aligned"),
                    }
                }
                _ => {
                    before = place;
                    continue;
                }
            }
        };
        let error = Error::at(ErrorKind::Malformed, section.offset, fault);
        return Err(error.with_section("directory"));
    }
    Ok(())
}

/// Checks that this build knows all features that the file needs. No feature is defined yet.
fn check_features(mut input: Reader<'_>) -> Result<()> {
    let at = input.offset();
    let count = input.count(1)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let name = tables::bytes(&mut input)?;
        if names.last().is_some_and(|&last| last >= name) {
            return Err(crate::lookup::malformed(
                &input,
                at,
                "features do not ascend",
            ));
        }
        names.push(name);
    }
    input.expect_end()?;
    let Some(name) = names.first() else {
        return Err(crate::lookup::malformed(
            &input,
            at,
            "there are no features",
        ));
    };
    let message = format!(
        "the file needs the feature '{}', which this build does not know; a newer build is needed",
        name.escape_ascii()
    );
    Err(Error::at(ErrorKind::Unsupported, at, message).with_section(input.section()))
}

/// Returns the blobs of a file, sharing the file's bytes where possible.
fn blobs(
    container: &Container<'_>,
    source: Option<&Source>,
    options: &ReadOptions,
) -> Result<Blobs> {
    let external = options.external.clone();
    let Some(list) = Table::read(container, options, section::BLOB_LIST)? else {
        return match container.section(section::BLOBS) {
            None => Ok(Blobs::default()),
            Some(section) => Err(Error::at(
                ErrorKind::MissingSection,
                section.offset(),
                "there are blobs, and no list of them",
            )
            .with_section(section.name())),
        };
    };
    let Some(section) = container.section(section::BLOBS) else {
        return Blobs::read(list.reader(), BlobBytes::None, 0, external);
    };
    let bytes = match (source, section.bytes_unverified()) {
        (Some(source), Some(_)) => BlobBytes::Owner(Arc::new(source.clone()), section.offset()),
        (_, Some(bytes)) => BlobBytes::Owner(Arc::new(bytes.to_vec()), 0),
        (_, None) => BlobBytes::Owner(Arc::new(section.bytes()?.into_owned()), 0),
    };
    Blobs::read(list.reader(), bytes, section.len(), external)
}

/// Returns the blobs of a file that is read in parts.
fn blobs_of(views: &Arc<TableViews>, external: Option<Resolver>) -> Result<Blobs> {
    let store = &views.store;
    let Some(list) = store.section(section::BLOB_LIST) else {
        return Ok(Blobs::default());
    };
    let len = store.section(section::BLOBS).map_or(0, |blobs| blobs.len());
    let all = list.all()?;
    let input = Reader::with_base(&all, list.offset(), list.name());
    Blobs::read(input, BlobBytes::TableViews(views.clone()), len, external)
}

/// Returns the content of a section, with its checksums verified unless the file is trusted.
fn section_bytes<'c>(section: &Section<'c, '_>, options: &ReadOptions) -> Result<Cow<'c, [u8]>> {
    match options.trusted {
        true => section.bytes_trusted(options.threads),
        false => section.bytes_on(options.threads),
    }
}

/// A section that contains a table.
struct Table<B> {
    bytes: B,
    offset: u64,
    name: &'static str,
}

/// Handles have 32 bits, so larger tables are refused.
fn check_table(len: u64, offset: u64, name: &'static str) -> Result<()> {
    let most = schema::limits::SECTION.saturating_sub(1);
    check_limit("bytes of a table", len, most)
        .map_err(|error| error.with_offset(offset))
        .in_section(name)
}

impl Table<Source> {
    /// Returns the section of a kind of a file that is read in parts, if there is one.
    fn of_store(views: &TableViews, kind: u16) -> Result<Option<Self>> {
        let Some(section) = views.store.section(kind) else {
            return Ok(None);
        };
        check_table(section.len(), section.offset(), section.name())?;
        Ok(Some(Table {
            bytes: section.all()?,
            offset: section.offset(),
            name: section.name(),
        }))
    }
}

impl<'a> Table<Cow<'a, [u8]>> {
    /// Returns the section of a kind, if there is one.
    fn read(
        container: &'a Container<'_>,
        options: &ReadOptions,
        kind: u16,
    ) -> Result<Option<Self>> {
        let Some(section) = container.section(kind) else {
            return Ok(None);
        };
        check_table(section.len(), section.offset(), section.name())?;
        Ok(Some(Table {
            bytes: section_bytes(&section, options)?,
            offset: section.offset(),
            name: section.name(),
        }))
    }
}

impl<B: Deref<Target = [u8]>> Table<B> {
    fn reader(&self) -> Reader<'_> {
        Reader::with_base(&self.bytes, self.offset, self.name)
    }
}
