//! The directory of a cache: immutable files, each published by one rename.
//!
//! ```text
//! ac/ab/abcd...        records, named by the key of the action
//! cas/ab/abcd...       contents, named by their hash
//! packs/DOMAIN/abcd... results of functions, named by their hash
//! state/DOMAIN         what is known of a stage with a tool and options
//! memo/                hashes of tools
//! tmp/                 files that are being written
//! stats                counts, one line for each run
//! ```

pub(crate) mod gc;
pub(crate) mod stats;
pub(crate) mod verify;

use crate::Digest;
use crate::fs::{FileInfo, Fs};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A used file is touched at most once in this time.
const TOUCH_INTERVAL: Duration = Duration::from_secs(3600);

/// The tag by which programs for backups recognize caches (<https://bford.info/cachedir/>).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n# A cache of rmlir.\n";

/// The directory of a cache.
pub(crate) struct Store {
    root: PathBuf,
    fs: Arc<dyn Fs>,
    read_only: bool,
    /// Distinguishes temporary files of one process.
    counter: AtomicU64,
    pub(crate) stats: stats::Counters,
}

/// The result of looking for a content.
pub(crate) enum Found {
    /// It is there and undamaged.
    Content(Vec<u8>),
    /// There is none.
    Missing,
    /// It is there and damaged or unreadable.
    Damaged,
}

impl Store {
    pub(crate) fn open(root: &Path, fs: Arc<dyn Fs>, read_only: bool) -> Self {
        Store {
            root: root.to_owned(),
            fs,
            read_only,
            counter: AtomicU64::new(0),
            stats: stats::Counters::default(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn fs(&self) -> &dyn Fs {
        self.fs.as_ref()
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(crate) fn record_path(&self, key: &Digest) -> PathBuf {
        self.root.join("ac").join(key.shard()).join(key.to_string())
    }

    pub(crate) fn content_path(&self, digest: &Digest) -> PathBuf {
        let folder = self.root.join("cas").join(digest.shard());
        folder.join(digest.to_string())
    }

    /// Reads a file. Network file systems report a file that was replaced as stale: one retry.
    pub(crate) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.fs.read(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => self.fs.read(path),
            other => other,
        }
    }

    /// Returns a content of a known length, checked.
    pub(crate) fn content(&self, digest: &Digest, len: Option<u64>) -> Found {
        let path = self.content_path(digest);
        let bytes = match self.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Found::Missing,
            Err(_) => return Found::Damaged,
        };
        if len.is_some_and(|len| len != bytes.len() as u64) || Digest::of(&bytes) != *digest {
            return Found::Damaged;
        }
        self.used(&path);
        Found::Content(bytes)
    }

    /// Stores a content, unless it is there and undamaged.
    pub(crate) fn put_content(&self, digest: &Digest, bytes: &[u8]) -> io::Result<()> {
        let path = self.content_path(digest);
        if let Ok(info) = self.fs.info(&path)
            && info.len == bytes.len() as u64
            && matches!(self.content(digest, Some(info.len)), Found::Content(_))
        {
            // The garbage collector keeps new files, which the record that follows refers to.
            let _ = self.fs.touch(&path);
            return Ok(());
        }
        self.publish(&path, &[bytes])
    }

    /// Writes a file to a temporary name, and renames it.
    pub(crate) fn publish(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        if self.read_only {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        let folder = self.root.join("tmp");
        let temporary = folder.join(self.temporary_name());
        let written = self.fs.write_new(&temporary, parts).or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            self.create()?;
            self.fs.write_new(&temporary, parts)
        });
        let published = written.and_then(|()| self.rename(&temporary, path));
        if published.is_err() {
            // The garbage collector removes what stays.
            let _ = self.fs.remove(&temporary);
        }
        published
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let first = self.fs.rename(from, to);
        match (&first, to.parent()) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                self.fs.create_directories(folder)?;
                self.fs.rename(from, to)
            }
            _ => first,
        }
    }

    /// Creates the directories that each cache has.
    fn create(&self) -> io::Result<()> {
        self.fs.create_directories(&self.root.join("tmp"))?;
        let tag = self.root.join("CACHEDIR.TAG");
        if self.fs.info(&tag).is_err() {
            // Another process may be faster.
            let _ = self.fs.write_new(&tag, &[TAG]);
        }
        Ok(())
    }

    /// A name that no other process uses: machines that share a directory may have equal process
    /// ids, so the time is part of it.
    fn temporary_name(&self) -> String {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        let process = std::process::id();
        // The address of a fresh allocation is random on most systems.
        let random = blake3::hash(format!("{now} {process} {:p}", &raw const number).as_bytes());
        format!(
            "{process}-{number}-{}",
            random.to_hex().get(..16).unwrap_or("0")
        )
    }

    /// Records that a file was used, at most once an hour.
    pub(crate) fn used(&self, path: &Path) {
        if self.read_only {
            return;
        }
        let is_old = |info: FileInfo| {
            let age = SystemTime::now().duration_since(info.modified);
            age.unwrap_or_default() > TOUCH_INTERVAL
        };
        if self.fs.info(path).is_ok_and(is_old) {
            let _ = self.fs.touch(path);
        }
    }

    /// Lists the files in a directory and in the directories in it.
    pub(crate) fn files(&self, folder: &str) -> Vec<FileInfo> {
        let mut found = Vec::new();
        let mut open = vec![self.root.join(folder)];
        while let Some(folder) = open.pop() {
            for info in self.fs.list(&folder).unwrap_or_default() {
                match info.is_directory {
                    true => open.push(info.path),
                    false => found.push(info),
                }
            }
        }
        found
    }
}

/// Returns the digest that is the name of a file.
pub(crate) fn named(path: &Path) -> Option<Digest> {
    Digest::parse(path.file_name()?.to_str()?)
}
