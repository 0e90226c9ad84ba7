//! Reads modules from mlirbc, upstream MLIR's bytecode, versions 0 to 6.
//!
//! Input is not trusted: for any bytes, reading ends with a module or an error, in time and memory
//! linear in their number, without recursion. The reader is strict: input that upstream's reader
//! accepts beyond the specification (trailing bytes, strings without their zero byte, padding of
//! other bytes, unknown bits) is an error here.
//!
//! An entry whose dialect has a private encoding unknown to this build is an error only where an
//! operation refers to it.

mod builtin;
mod chunks;
mod copy;
mod dialect_codecs;
mod dialects;
pub mod dump;
mod entries;
mod events;
mod fields;
mod file;
mod index;
mod layout;
mod operations;
mod places;
mod properties;
mod resources;
mod session;
mod session_source;
mod strings;
mod symbols;
mod use_lists;

pub use file::File;

use dialect_codecs::DialectCodecs;
use dialects::{Dialect, DialectVersions, OperationEntry};
pub(crate) use events::Paused;
use places::SizeIndexes;
use rmlir_format::mlirbc::{Container, Version, section};
use rmlir_format::{Budget, Limits, ProgressCounter, Result, Source, Storage};
use rmlir_ir::definition::Release;
use rmlir_ir::{Attribute, Context, Invalid, Module, OperationName, Resource};
use rmlir_ir::{AttributesAndProperties, Normalizer};
use rmlir_text::FileResources;
use session::Session;
use session_source::SessionSource;
use std::ops::Range;
use std::sync::Arc;
use strings::Strings;

/// Options for reading mlirbc.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The limits on the work and memory that the input may cause.
    pub limits: Limits,
    /// The release whose property layouts the file uses; none to detect it from the file.
    ///
    /// Files of version 5 and later do not specify it reliably, and a wrong release can misread
    /// them.
    pub producer_release: Option<Release>,
    /// Convert operations with a known definition to the form that the definition requires.
    ///
    /// See [`Normalizer`]. On by default. If off, inherent attributes of versions before 5 become
    /// discardable ones.
    pub normalize: bool,
    /// Counts processed bytes of the file; by default nothing is counted.
    pub progress: ProgressCounter,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            limits: Limits::default(),
            producer_release: None,
            normalize: true,
            progress: ProgressCounter::default(),
        }
    }
}

/// Reads a whole module, and its provenance. O(bytes).
///
/// The blobs of its resources share the bytes of `source` and keep them alive; nothing else does.
///
/// If the file has several top-level operations, or one that is not a `builtin.module`, they are
/// put into a module at an unknown location, as upstream does.
///
/// Memory is what `Context` and `Module` take for each string, entry, operation, region, block,
/// value and operand that the file spells out, and additionally at most 64 bytes per byte of the
/// file while reading. After an error, the context keeps what was read so far, and remains usable.
///
/// # Errors
/// With offset and section:
/// * those of [`Container::parse`];
/// * [`ErrorKind::Malformed`](rmlir_format::ErrorKind::Malformed),
///   [`ErrorKind::Truncated`](rmlir_format::ErrorKind::Truncated): bytes that no writer produces;
/// * [`ErrorKind::Unsupported`](rmlir_format::ErrorKind::Unsupported): an operation uses an entry
///   whose encoding is not known, or has properties whose layout is not known; the message names
///   it;
/// * [`ErrorKind::Limit`](rmlir_format::ErrorKind::Limit): more than `options.limits` allow.
pub fn read_module(
    context: &mut Context,
    source: &Source,
    options: &ReadOptions,
) -> Result<Module> {
    read(context, source, Arc::new(source.clone()), options)
}

/// [`read_module`] for borrowed bytes: copies the section of resources, in one piece.
///
/// # Errors
/// Those of [`read_module`].
pub fn read_module_from_slice(
    context: &mut Context,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Module> {
    // Blobs are located by their file offsets, so the whole file is copied.
    let has_resources = Container::parse(bytes)?
        .section(section::RESOURCES)
        .is_some_and(|data| !data.is_empty());
    let owner = if has_resources {
        bytes.to_vec()
    } else {
        Vec::new()
    };
    read(context, bytes, Arc::new(owner), options)
}

/// The owner of the bytes of blobs.
type Owner = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A resource whose blob was not read: its byte range in the file, and its alignment.
type Unread = (Resource, Range<u64>, u32);

/// The source of the bytes of blobs.
enum Blobs {
    /// The bytes are shared with the owner of the whole file.
    Shared(Owner),
    /// The bytes are read once it is known which blobs are used.
    Later(Arc<Storage>),
}

fn read(
    context: &mut Context,
    bytes: &[u8],
    owner: Owner,
    options: &ReadOptions,
) -> Result<Module> {
    let container = Container::parse(bytes)?;
    let parts = SessionSource::whole(container, owner);
    let mut session = Session::open(context, parts, &SizeIndexes::default(), options)?;
    session.read_all()
}

/// Resolves the numbers in a file to strings, names and resources, but not to entries.
struct Tables<'c, 'a> {
    context: &'c mut Context,
    version: Version,
    strings: Strings<'a>,
    /// The release that wrote the file, if it is certain.
    release: Option<Release>,
    dialects: Vec<Dialect<'a>>,
    dialect_versions: DialectVersions,
    /// The codecs of each dialect; `None` if no encoding of it is known.
    families: Vec<Option<DialectCodecs>>,
    names: Vec<OperationEntry>,
    /// The resources of all dialects, in order.
    resources: Vec<Resource>,
    /// The same resources by dialect and key, for attributes and types that are stored as text.
    file_resources: FileResources,
    /// The resources whose blobs were not read.
    unread: Vec<Unread>,
    /// `None` if operations are to stay as they are.
    normalizer: Option<Normalizer>,
    /// Bounds the work that a small entry causes on a large one.
    budget: Budget,
    max_depth: u64,
    max_values_per_op: u64,
}

impl Tables<'_, '_> {
    /// Returns attributes and properties in the form that the operation's definition requires.
    #[inline]
    fn normalized(
        &mut self,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> std::result::Result<AttributesAndProperties, Invalid> {
        match &mut self.normalizer {
            Some(normalizer) => normalizer.normalize(self.context, name, attributes, properties),
            None => Ok((attributes, properties)),
        }
    }
}
