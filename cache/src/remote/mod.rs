//! Remote levels: servers that hold entries of a cache in the layout of Bazel's HTTP protocol.

pub(crate) mod action_result;
mod http;
#[cfg(feature = "s3")]
mod s3;

use crate::Digest;
use crate::level::{Fetched, Level, LevelError};
use crate::record::Record;
use action_result::{ActionResult, FileDigest};
pub use http::HttpLevel;
use rmlir::ir::hash::Hex;
#[cfg(feature = "s3")]
pub use s3::S3Level;
use sha2::{Digest as _, Sha256};

/// The largest record that is read from a server.
const MAX_RECORD: u64 = 16 << 20;

/// A store of objects on a server.
pub(crate) trait Objects: Send + Sync {
    /// Returns an object of at most `limit` bytes.
    fn get(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, LevelError>;
    /// Returns whether there is an object.
    fn has(&self, path: &str) -> Result<bool, LevelError>;
    /// Stores an object.
    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), LevelError>;
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Hex(&Sha256::digest(bytes)).to_string()
}

/// Reads an entry: the record in `ac/KEY`, an `ActionResult`, and the contents in `cas/SHA256`.
fn get(objects: &dyn Objects, key: &Digest) -> Result<Option<Fetched>, LevelError> {
    let Some(bytes) = objects.get(&format!("ac/{key}"), MAX_RECORD)? else {
        return Ok(None);
    };
    // What others stored there, or a lie: no entry.
    let Some(result) = ActionResult::decode(&bytes) else {
        return Ok(None);
    };
    let Some(record) = result.record.as_deref().and_then(Record::parse) else {
        return Ok(None);
    };
    if record.outputs.len() != result.files.len() {
        return Ok(None);
    }
    let mut contents = Vec::with_capacity(record.outputs.len());
    for (output, file) in record.outputs.iter().zip(&result.files) {
        // The name of an object is part of a path.
        let is_name = file.sha256.len() == 64 && file.sha256.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_name {
            return Ok(None);
        }
        let found = objects.get(&format!("cas/{}", file.sha256), output.len)?;
        let Some(content) = found else {
            return Ok(None);
        };
        contents.push(content);
    }
    Ok(Some(Fetched { record, contents }))
}

/// Writes an entry, the contents first.
fn put(objects: &dyn Objects, record: &Record, contents: &[&[u8]]) -> Result<(), LevelError> {
    let mut result = ActionResult {
        exit: record.exit,
        record: Some(record.to_text().into_bytes()),
        files: Vec::new(),
    };
    for (output, content) in record.outputs.iter().zip(contents) {
        let sha256 = sha256(content);
        let path = format!("cas/{sha256}");
        if !objects.has(&path)? {
            objects.put(&path, content)?;
        }
        result.files.push(FileDigest {
            path: output.role.clone(),
            sha256,
            len: output.len,
        });
    }
    objects.put(&format!("ac/{}", record.key), &result.encode())
}

/// Implements [`Level`] for a type with a name and objects.
macro_rules! level {
    ($name:ident) => {
        impl Level for $name {
            fn name(&self) -> &str {
                &self.name
            }

            fn get(&self, key: &Digest) -> Result<Option<Fetched>, LevelError> {
                get(self, key)
            }

            fn put(&self, record: &Record, contents: &[&[u8]]) -> Result<(), LevelError> {
                put(self, record, contents)
            }
        }
    };
}

level!(HttpLevel);
#[cfg(feature = "s3")]
level!(S3Level);
