//! Blobs stored in other files than the module's.

use rmlir_format::section::ReadAt;
use rmlir_format::{Error, ErrorKind, Result, Source};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A provider of the data of blobs that are not in the file of their module.
pub trait ExternalData: Send + Sync {
    /// Returns a range of the bytes that the path denotes.
    ///
    /// The path consists of names separated by `/`, none of which is `.` or `..`. Before use, the
    /// bytes are checked against the hash that the module's file stores.
    ///
    /// # Errors
    /// If they cannot be provided.
    fn read(&self, path: &str, range: Range<u64>) -> Result<Source>;
}

/// A shared handle of a provider; equal to another one if both have the same provider.
#[derive(Clone)]
pub struct Resolver(pub Arc<dyn ExternalData>);

impl Resolver {
    /// Resolves paths in a folder: for modules in files, the folder of the file.
    pub fn directory(path: impl Into<PathBuf>) -> Self {
        Resolver(Arc::new(Directory(path.into())))
    }

    /// Resolves paths in the folder that contains a file.
    pub fn beside(path: impl AsRef<Path>) -> Self {
        let folder = path.as_ref().parent().map(Path::to_owned);
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        Self::directory(folder.unwrap_or_else(|| ".".into()))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}

impl PartialEq for Resolver {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Resolver {}

struct Directory(PathBuf);

impl ExternalData for Directory {
    fn read(&self, path: &str, range: Range<u64>) -> Result<Source> {
        // A link may lead out of the folder, although the path itself cannot.
        let folder = self.0.canonicalize()?;
        let file = folder.join(path).canonicalize()?;
        if !file.starts_with(&folder) {
            let message = "the path leads out of the folder of the file";
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        }
        // Opening a pipe would wait for a writer.
        if !file.metadata()?.is_file() {
            return Err(Error::new(
                ErrorKind::InvalidRequest,
                "it is not a regular file",
            ));
        }
        let file = std::fs::File::open(file)?;
        if range.end > file.size()? || range.start > range.end {
            let message = format!("bytes {} to {} are not there", range.start, range.end);
            return Err(Error::new(ErrorKind::Truncated, message));
        }
        let len = range.end.saturating_sub(range.start);
        let Ok(len) = usize::try_from(len) else {
            return Err(Error::new(ErrorKind::Limit, "the blob is too large"));
        };
        let mut bytes = vec![0; len];
        file.read_exact_at(range.start, &mut bytes)?;
        Ok(Source::from(bytes))
    }
}
