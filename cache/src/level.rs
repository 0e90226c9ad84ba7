//! Levels of a cache beyond the directory: servers.

use crate::Digest;
use crate::fs::RealFs;
use crate::record::Record;
use crate::store::{Found, Store};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The reason why a level did not answer. It is never an error of the build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelError {
    /// The reason, without secrets.
    pub message: String,
    /// Whether it took too long: the level is not asked again.
    pub is_slow: bool,
}

impl LevelError {
    /// Creates an error of a server that answered in time.
    pub fn new(message: impl Into<String>) -> Self {
        LevelError {
            message: message.into(),
            is_slow: false,
        }
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LevelError {}

/// The parts of a result that a level has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The record.
    pub record: Record,
    /// The contents of its outputs, in their order.
    pub contents: Vec<Vec<u8>>,
}

/// A remote level. Implementations bound the time that each call takes.
pub trait Level: Send + Sync {
    /// Returns the name for messages, without secrets.
    fn name(&self) -> &str;

    /// Returns whether nothing is stored in it. Default: false.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Returns the record of a key, with the contents of its outputs.
    ///
    /// The caller checks lengths, hashes, and the authentication code.
    ///
    /// # Errors
    ///
    /// If the server does not answer in time, or answers with an error.
    fn get(&self, key: &Digest) -> Result<Option<Fetched>, LevelError>;

    /// Stores a record with the contents of its outputs.
    ///
    /// # Errors
    ///
    /// If the server does not answer in time, or answers with an error.
    fn put(&self, record: &Record, contents: &[&[u8]]) -> Result<(), LevelError>;
}

/// A level that is only read.
pub struct ReadOnlyLevel(pub Arc<dyn Level>);

impl fmt::Debug for ReadOnlyLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadOnlyLevel").field(&self.name()).finish()
    }
}

impl Level for ReadOnlyLevel {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn get(&self, key: &Digest) -> Result<Option<Fetched>, LevelError> {
        self.0.get(key)
    }

    fn put(&self, _: &Record, _: &[&[u8]]) -> Result<(), LevelError> {
        Ok(())
    }
}

/// The directory of another cache, such as one on a network file system, as a further level.
pub struct DirectoryLevel {
    name: String,
    store: Store,
}

impl fmt::Debug for DirectoryLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DirectoryLevel").field(&self.name).finish()
    }
}

impl DirectoryLevel {
    /// Creates a level for a directory, which need not exist.
    ///
    /// ```
    /// use rmlir_cache::{Cache, CacheOptions, DirectoryLevel};
    /// use std::sync::Arc;
    ///
    /// # let folder = std::env::temp_dir().join(format!("rmlir-level-doc-{}", std::process::id()));
    /// let mut options = CacheOptions::default();
    /// options.levels.push(Arc::new(DirectoryLevel::new(folder.join("shared"))));
    /// let cache = Cache::open_with(folder.join("own"), options)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(directory: impl AsRef<Path>) -> Self {
        let directory = directory.as_ref();
        DirectoryLevel {
            name: directory.display().to_string(),
            store: Store::open(directory, Arc::new(RealFs), false),
        }
    }
}

impl Level for DirectoryLevel {
    fn name(&self) -> &str {
        &self.name
    }

    fn get(&self, key: &Digest) -> Result<Option<Fetched>, LevelError> {
        let path = self.store.record_path(key);
        let bytes = match self.store.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LevelError::new(error.to_string())),
        };
        let Some(record) = Record::parse(&bytes) else {
            return Ok(None);
        };
        let mut contents = Vec::with_capacity(record.outputs.len());
        for output in &record.outputs {
            match self.store.content(&output.digest, Some(output.len)) {
                Found::Content(bytes) => contents.push(bytes),
                Found::Missing | Found::Damaged => return Ok(None),
            }
        }
        self.store.used(&path);
        Ok(Some(Fetched { record, contents }))
    }

    fn put(&self, record: &Record, contents: &[&[u8]]) -> Result<(), LevelError> {
        let put = self.store.put_record(record, contents);
        put.map_err(|error| LevelError::new(error.to_string()))
    }
}

/// The levels that a result is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WritePolicy {
    /// The directory alone; remote levels are read.
    Local,
    /// All levels that are not read-only.
    #[default]
    All,
}
