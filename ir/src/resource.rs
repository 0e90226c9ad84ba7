//! Resources: data that attributes refer to by a handle, kept apart from the IR.

use crate::Identifier;
use crate::handle::handle;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

handle! {
    "context",
    /// A resource in a [`Context`](crate::Context). Each file that is read creates its own
    /// resources, so that equal keys of different files do not collide.
    Resource
}

/// Bytes that are kept alive by their source: a buffer or a mapped file.
#[derive(Clone)]
pub struct Blob {
    source: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
    alignment: u32,
}

impl Blob {
    /// Returns the bytes of `source` in `range`, which is clamped to the source's length.
    ///
    /// `alignment` is the required alignment of the data in bytes, in a file or in memory; 0 if it
    /// is unspecified. A blob whose alignment is not a power of two cannot be written as bytecode,
    /// nor read from text.
    pub fn new(
        source: Arc<dyn AsRef<[u8]> + Send + Sync>,
        range: Range<usize>,
        alignment: u32,
    ) -> Self {
        let len = (*source).as_ref().len();
        let end = range.end.min(len);
        Blob {
            range: range.start.min(end)..end,
            source,
            alignment,
        }
    }

    /// Returns a blob that owns its bytes.
    pub fn from_vec(bytes: Vec<u8>, alignment: u32) -> Self {
        let range = 0..bytes.len();
        Blob {
            source: Arc::new(bytes),
            range,
            alignment,
        }
    }

    /// Returns the bytes without copying them.
    pub fn data(&self) -> &[u8] {
        (*self.source)
            .as_ref()
            .get(self.range.clone())
            .unwrap_or_default()
    }

    /// Returns the required alignment in bytes.
    pub fn alignment(&self) -> u32 {
        self.alignment
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.alignment == other.alignment && self.data() == other.data()
    }
}

impl Eq for Blob {}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Blob({} bytes, alignment {})",
            self.data().len(),
            self.alignment
        )
    }
}

/// The value of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceValue {
    /// Bytes.
    Blob(Blob),
    /// A string.
    String(Box<[u8]>),
    /// A boolean.
    Bool(bool),
}

/// A dialect resource: its key, and its value if one was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceEntry {
    /// The dialect that it belongs to; `builtin` for `dense_resource`.
    pub dialect: Identifier,
    /// The name that text uses for it.
    pub key: Identifier,
    /// The value; `None` if it was elided or is missing.
    pub value: Option<ResourceValue>,
}
