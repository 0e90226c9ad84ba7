//! Modules from mlirbc, upstream MLIR's bytecode, versions 0 to 6.
//!
//! Input is not trusted: whatever the bytes are, reading ends with a module or an error, in time and memory
//! linear in their number, and nothing recurses. The reader is strict: what upstream's reader passes over (bytes left
//! over, strings without their zero byte, padding of other bytes, unknown bits) is an error here.
//!
//! Entries whose dialect has a private encoding that is not known to this build are an error only where an operation
//! refers to them.

mod builtin;
mod chunks;
mod copy;
mod dialects;
pub mod dump;
mod entries;
mod families;
mod fields;
mod file;
mod index;
mod layout;
mod operations;
mod parts;
mod properties;
mod resources;
mod session;
mod strings;
mod symbols;
mod use_lists;

pub use file::{File, Survey};

use dialects::{Dialect, OperationEntry};
use families::Family;
use parts::Parts;
use rmlir_format::mlirbc::{Container, Version, section};
use rmlir_format::{Budget, Limits, Result, Source, Storage};
use rmlir_ir::definition::Release;
use rmlir_ir::{Attribute, Context, Invalid, Module, OperationName, Resource};
use rmlir_ir::{AttributesAndProperties, Normalizer};
use rmlir_text::FileResources;
use session::Session;
use std::ops::Range;
use std::sync::Arc;
use strings::Strings;

/// How bytes are read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What the input may make the reader do.
    pub limits: Limits,
    /// The release whose layouts of properties the file has; none if the file is to tell. Files of version 5 and later
    /// do not say it reliably, and the wrong one can misread them.
    pub producer_release: Option<Release>,
    /// Bring operations whose definition is known into the form that the definition asks for; see
    /// [`Normalizer`]. On by default; without, inherent attributes of versions before 5 are discardable ones.
    pub normalize: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            limits: Limits::default(),
            producer_release: None,
            normalize: true,
        }
    }
}

/// Reads a whole module, and its provenance. The blobs of its resources share the bytes of `source`, which
/// they keep alive; nothing else does. O(bytes).
///
/// A file whose one top-level operation is no `builtin.module`, or that has several, is put into a module at an unknown
/// location, as upstream does.
///
/// Memory is what `Context` and `Module` take for each string, entry, operation, region, block, value and operand
/// that the file spells out, and at most 64 bytes for each byte of the file besides, until it is read. An
/// error leaves what was read so far in the context, which can be used on.
///
/// # Errors
/// With offset and section:
/// * those of [`Container::parse`];
/// * [`ErrorKind::Malformed`](rmlir_format::ErrorKind::Malformed),
///   [`ErrorKind::Truncated`](rmlir_format::ErrorKind::Truncated): bytes that no writer produces;
/// * [`ErrorKind::Unsupported`](rmlir_format::ErrorKind::Unsupported): an operation uses an entry whose encoding is not
///   known, or has properties whose layout is not known; the message names it;
/// * [`ErrorKind::Limit`](rmlir_format::ErrorKind::Limit): more than `options.limits` allow.
pub fn read_module(
    context: &mut Context,
    source: &Source,
    options: &ReadOptions,
) -> Result<Module> {
    read(context, source, Arc::new(source.clone()), options)
}

/// [`read_module`] for borrowed bytes: the section of resources is copied, in one piece.
///
/// # Errors
/// Those of [`read_module`].
pub fn read_module_from_slice(
    context: &mut Context,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Module> {
    // Blobs are found by their offsets in the file, so that the copy has it whole.
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

/// A resource whose blob was not read: where it is in the file, and its alignment.
type Unread = (Resource, Range<u64>, u32);

/// Where the bytes of blobs are.
enum Blobs {
    /// They are shared with what has the whole file.
    Shared(Owner),
    /// They are read when it is known which are used.
    Later(Arc<Storage>),
}

fn read(
    context: &mut Context,
    bytes: &[u8],
    owner: Owner,
    options: &ReadOptions,
) -> Result<Module> {
    let container = Container::parse(bytes)?;
    let mut session = Session::open(context, Parts::whole(container, owner), options)?;
    session.read_all()
}

/// What the numbers in a file stand for, but for entries.
struct Tables<'c, 'a> {
    context: &'c mut Context,
    version: Version,
    strings: Strings<'a>,
    /// The release that wrote the file, if that is sure.
    release: Option<Release>,
    dialects: Vec<Dialect<'a>>,
    /// What is known of their encodings.
    families: Vec<Option<Family>>,
    names: Vec<OperationEntry>,
    /// Of all dialects, in order.
    resources: Vec<Resource>,
    /// The same for texts.
    file_resources: FileResources,
    /// Those whose blobs were not read.
    unread: Vec<Unread>,
    /// None if operations are to stay as they are.
    normalizer: Option<Normalizer>,
    /// For work that a small entry causes on a large one.
    budget: Budget,
    max_depth: u64,
    max_values_per_op: u64,
}

impl Tables<'_, '_> {
    /// Attributes and properties in the form that the operation's definition asks for.
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
