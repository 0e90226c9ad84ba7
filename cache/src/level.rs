//! Levels of a cache beyond the directory: servers.

use crate::Digest;
use crate::record::Record;
use std::fmt;

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

/// The levels that a result is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WritePolicy {
    /// The directory alone; remote levels are read.
    Local,
    /// All levels that are not read-only.
    #[default]
    All,
}
