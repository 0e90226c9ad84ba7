//! Resources: data that attributes refer to by a handle, kept apart from the IR.

use crate::Identifier;
use crate::handle::handle;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

handle! {
    "context",
    /// A resource that a [`Context`](crate::Context) holds. Each file that is read makes resources
    /// of its own, so that equal keys of different files do not meet.
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
    /// The bytes of `source` in `range`, which is cut to what is there. `alignment` is in bytes, what
    /// the data asks for when it is laid out in a file or in memory; 0 if it does not say. One that is no
    /// power of two cannot be written as bytecode, nor read from text.
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

    /// A blob that owns its bytes.
    pub fn from_vec(bytes: Vec<u8>, alignment: u32) -> Self {
        let range = 0..bytes.len();
        Blob {
            source: Arc::new(bytes),
            range,
            alignment,
        }
    }

    /// The bytes. They are not copied.
    pub fn data(&self) -> &[u8] {
        (*self.source)
            .as_ref()
            .get(self.range.clone())
            .unwrap_or_default()
    }

    /// The alignment asked for, in bytes.
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

/// What a resource holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceValue {
    /// Bytes.
    Blob(Blob),
    /// A string.
    String(Box<[u8]>),
    /// A truth value.
    Bool(bool),
}

/// A resource of a dialect: key, and value if it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceEntry {
    /// The dialect that it belongs to; `builtin` for `dense_resource`.
    pub dialect: Identifier,
    /// The name by which text refers to it.
    pub key: Identifier,
    /// The value; none if it was elided or is missing.
    pub value: Option<ResourceValue>,
}
