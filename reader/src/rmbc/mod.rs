//! Modules from rmbc; `spec/rmbc.md` describes the format.
//!
//! Input is not trusted: whatever the bytes are, reading ends with a module or an error, in time and memory
//! linear in their number, and nothing recurses. What a module is made of is checked by the rules of the
//! context; checks of dialects and of dominance are the verifier's.

mod check;
pub mod dump;
mod entries;
mod external;
mod fields;
mod file;
mod locations;
mod operations;
mod part;
mod provenance;
mod scan;
mod shapes;
mod structure;
mod supply;
mod tables;
mod uses;
mod views;
mod walk;

pub use external::{ExternalData, Resolver};
pub use file::{File, Survey};
use locations::LocationStream;
use rmlir_format::rmbc::section;
use rmlir_format::{
    Container, Error, ErrorKind, Limits, Reader, Result, ResultExt, Section, Source, Threads,
    check_limit,
};
use rmlir_ir::{CarriedSection, Context, Module, Provenance};
use shapes::Shapes;
use std::borrow::Cow;
use std::sync::Arc;
use tables::{BlobBytes, Blobs, Tables};
use views::Views;

/// How bytes are read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What the input may make the reader do.
    pub limits: Limits,
    /// Checksums are not looked at, for bytes that are trusted. Damage is then an error or another module, never worse. False by
    /// default.
    pub trusted: bool,
    /// Read the locations of operations and block arguments. Without, these are unknown, and the bytes that say them are not looked
    /// at. True by default.
    pub locations: bool,
    /// On how many threads pages are checked and decompressed. With more than one, a second thread makes the module while the
    /// caller's makes what the context has. What is read is the same; if there is an error, the context may hold twice what was
    /// read of locations. One by default.
    pub threads: Threads,
    /// Who has the data of blobs in other files. None by default: such blobs are an error when they are read.
    pub external: Option<Resolver>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            limits: Limits::default(),
            trusted: false,
            locations: true,
            threads: Threads::ONE,
            external: None,
        }
    }
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
    check_order(&container)?;
    let blobs = blobs(&container, source, options)?;
    // What is not read here is checked, too.
    let is_read = |kind| !matches!(kind, section::INDEX | section::HASHES | section::BLOBS);
    for section in container.sections() {
        if !is_read(section.kind()) && !options.trusted {
            section.verify(options.threads)?;
        }
    }
    let budget = limits.shared_entities(bytes.len() as u64);
    let version = container.layout().version();
    let mut tables = Tables::new(context, blobs, limits, (budget, version));
    if let Some(table) = Table::read(&container, options, section::STRINGS)? {
        tables.read_strings(table.reader())?;
    }
    if let Some(table) = Table::read(&container, options, section::AFFINE)? {
        tables.read_affine(table.reader())?;
    }
    if let Some(table) = Table::read(&container, options, section::RESOURCES)? {
        tables.read_resources(table.reader())?;
    }
    if let Some(table) = Table::read(&container, options, section::ENTRIES)? {
        tables.read_entries(table.reader())?;
    }
    let (Some(shapes), Some(operations)) = (
        Table::read(&container, options, section::SHAPES)?,
        Table::read(&container, options, section::OPERATIONS)?,
    ) else {
        return Err(no_operations(bytes.len() as u64));
    };
    let mut shapes = Shapes::read(&mut tables, shapes.reader())?;
    let locations = match options.locations {
        true => Table::read(&container, options, section::LOCATIONS)?,
        false => None,
    };
    let locations = LocationStream::new(locations.as_ref().map(Table::reader));
    let operations = operations.reader();
    let mut provenance = Provenance::default();
    if let Some(table) = Table::read(&container, options, section::PROVENANCE)? {
        let said = provenance::read(&mut tables, table.reader())?;
        provenance = said.provenance(shapes.names(), |at, number| {
            tables.resource(&table.reader(), at, number).map(Some)
        })?;
    }
    if let Some(table) = Table::read(&container, options, section::STEMS)? {
        provenance::read_stems(&mut tables, table.reader(), &mut provenance)?;
    }
    let mut contents = operations::read(
        &mut tables,
        &mut shapes,
        operations,
        locations,
        options.threads,
    )?;
    if let Some(table) = Table::read(&container, options, section::USES)? {
        uses::read(table.reader(), &mut contents)?;
    }
    if let Some(table) = Table::read(&container, options, section::NAMES)? {
        provenance::read_names(&mut tables, table.reader(), &contents, &mut provenance)?;
    }
    provenance.sections = carried(&container, options)?;
    contents.module.provenance = provenance;
    Ok(contents.module)
}

/// The sections that are not known. These need not be known, or the file would not have been opened.
fn carried(container: &Container<'_>, options: &ReadOptions) -> Result<Vec<CarriedSection>> {
    let unknown = container
        .sections()
        .filter(|section| section::name(section.kind()).is_none());
    unknown
        .map(|section| {
            Ok(CarriedSection {
                kind: section.kind(),
                alignment_log: section.alignment_log(),
                bytes: section_bytes(&section, options)?.into(),
            })
        })
        .collect()
}

/// The error for a file of `len` bytes without operations.
#[cold]
fn no_operations(len: u64) -> Error {
    Error::new(ErrorKind::MissingSection, "the file has no operations")
        .with_section("directory")
        .with_offset(len)
}

/// Sections lie in the order of their kinds, aligned ones behind the others.
fn check_order(container: &Container<'_>) -> Result<()> {
    let mut before = (false, 0);
    for section in container.sections() {
        let place = (section.alignment_log().is_some(), section.kind());
        if place < before {
            let message = format!(
                "the section '{}' is not in the order of kinds",
                section.name()
            );
            let error = Error::at(ErrorKind::Malformed, section.offset(), message);
            return Err(error.with_section("directory"));
        }
        before = place;
    }
    Ok(())
}

/// The blobs of a file, which share its bytes if these can be shared.
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

/// The blobs of a file that is read in parts.
fn blobs_of(views: &Arc<Views>, external: Option<Resolver>) -> Result<Blobs> {
    let store = &views.store;
    let Some(list) = store.section(section::BLOB_LIST) else {
        return Ok(Blobs::default());
    };
    let len = store.section(section::BLOBS).map_or(0, |blobs| blobs.len());
    let all = list.all()?;
    let input = Reader::with_base(&all, list.offset(), list.name());
    Blobs::read(input, BlobBytes::Views(views.clone()), len, external)
}

/// What a section holds, checked unless it is trusted.
fn section_bytes<'c>(section: &Section<'c, '_>, options: &ReadOptions) -> Result<Cow<'c, [u8]>> {
    match options.trusted {
        true => section.bytes_trusted(options.threads),
        false => section.bytes_on(options.threads),
    }
}

/// A section that is a table.
struct Table<'a> {
    bytes: Cow<'a, [u8]>,
    offset: u64,
    name: &'static str,
}

impl<'a> Table<'a> {
    /// The section of a kind, if there is one. Handles have 32 bits, so that larger ones are refused.
    fn read(
        container: &'a Container<'_>,
        options: &ReadOptions,
        kind: u16,
    ) -> Result<Option<Self>> {
        let Some(section) = container.section(kind) else {
            return Ok(None);
        };
        check_limit("bytes of a table", section.len(), i32::MAX as u64)
            .map_err(|error| error.with_offset(section.offset()))
            .in_section(section.name())?;
        Ok(Some(Table {
            bytes: section_bytes(&section, options)?,
            offset: section.offset(),
            name: section.name(),
        }))
    }

    fn reader(&self) -> Reader<'_> {
        Reader::with_base(&self.bytes, self.offset, self.name)
    }
}
