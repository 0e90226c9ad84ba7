//! The directory of a cache: immutable files, each published by one rename.
//!
//! ```text
//! ac/ab/abcd...        records, named by the key of the action
//! cas/ab/abcd...       contents, named by their hash, some of them compressed
//! packs/DOMAIN/abcd... results of functions, named by their hash
//! state/DOMAIN         what is known of a stage with a tool and options
//! units/VERSIONS       ingredients of the keys of a module's last version, for explanations
//! memo/                hashes of tools
//! down/                servers that did not answer lately
//! tmp/                 files that are being written
//! stats                counts, one line for each run
//! gc                   when garbage was last collected
//! http-ac/, http-cas/  what `cache serve` stores
//! ```

mod content;
pub(crate) mod gc;
pub(crate) mod stats;
pub(crate) mod verify;

use crate::fs::{FileInfo, Fs};
use crate::record::Record;
use crate::{Digest, MacKeys};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

/// The directories in the directory of a cache.
pub(crate) const FOLDERS: &[&str] = &[
    "ac", "cas", "packs", "state", "units", "memo", "down", "tmp", "http-ac", "http-cas",
];

/// A used file is touched at most once in this time.
const TOUCH_INTERVAL: Duration = Duration::from_secs(3600);

/// The name of the file with the tag.
const TAG_FILE: &str = "CACHEDIR.TAG";
/// The tag by which programs for backups recognize caches (<https://bford.info/cachedir/>).
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n# A cache of rmlir.\n";

/// The directory of a cache.
pub(crate) struct Store {
    root: PathBuf,
    fs: Arc<dyn Fs>,
    read_only: bool,
    /// The secrets that authenticate what is stored.
    pub(crate) mac: MacKeys,
    /// How far the clock of the file system is ahead of ours, in nanoseconds.
    clock: OnceLock<i64>,
    /// Whether the directory was looked at before the first write.
    prepared: OnceLock<()>,
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
            mac: MacKeys::default(),
            clock: OnceLock::new(),
            prepared: OnceLock::new(),
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
        let Some(bytes) = content::decode(bytes, digest) else {
            return Found::Damaged;
        };
        if len.is_some_and(|len| len != bytes.len() as u64) {
            return Found::Damaged;
        }
        self.used(&path);
        Found::Content(bytes)
    }

    /// Stores a content, unless it is there and undamaged.
    pub(crate) fn put_content(&self, digest: &Digest, bytes: &[u8]) -> io::Result<()> {
        let path = self.content_path(digest);
        let len = bytes.len() as u64;
        if self.fs.info(&path).is_ok_and(|info| info.len <= len)
            && matches!(self.content(digest, Some(len)), Found::Content(_))
        {
            // The garbage collector keeps new files, which the record that follows refers to.
            self.touch(&path);
            return Ok(());
        }
        match content::compress(bytes) {
            Some(file) => self.publish(&path, &[&file]),
            None => self.publish(&path, &[bytes]),
        }
    }

    /// Stores a record with its contents, the contents first: a record that is found refers to
    /// contents that are there.
    pub(crate) fn put_record(&self, record: &Record, contents: &[&[u8]]) -> io::Result<()> {
        for (output, bytes) in record.outputs.iter().zip(contents) {
            self.put_content(&output.digest, bytes)?;
        }
        let path = self.record_path(&record.key);
        self.publish(&path, &[record.to_text().as_bytes()])
    }

    /// Writes a file to a temporary name, and renames it.
    pub(crate) fn publish(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        if self.read_only {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        self.prepared.get_or_init(|| {
            if !self.is_cache() {
                // If this fails, so does what follows.
                let _ = self.create();
            }
        });
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
        let tag = self.root.join(TAG_FILE);
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

    /// Returns the time by the clock that sets the times of files, which is that of a server if the
    /// file system is on a network. A new file tells.
    pub(crate) fn now(&self) -> SystemTime {
        let ours = SystemTime::now();
        let ahead = *self.clock.get_or_init(|| self.measure_clock().unwrap_or(0));
        let distance = Duration::from_nanos(ahead.unsigned_abs());
        let theirs = match ahead >= 0 {
            true => ours.checked_add(distance),
            false => ours.checked_sub(distance),
        };
        theirs.unwrap_or(ours)
    }

    fn measure_clock(&self) -> Option<i64> {
        /// Times of files are not exact.
        const EXACT: i64 = 2_000_000_000;
        let path = self.root.join("tmp").join(self.temporary_name());
        self.fs.write_new(&path, &[]).ok()?;
        let modified = self.fs.info(&path).map(|info| info.modified);
        let _ = self.fs.remove(&path);
        let (ours, theirs) = (SystemTime::now(), modified.ok()?);
        let ahead = match theirs.duration_since(ours) {
            Ok(ahead) => i64::try_from(ahead.as_nanos()).ok()?,
            Err(behind) => i64::try_from(behind.duration().as_nanos())
                .ok()?
                .checked_neg()?,
        };
        Some(if ahead.abs() < EXACT { 0 } else { ahead })
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
            self.touch(path);
        }
    }

    /// Makes a file new. A failure makes it older than it is.
    pub(crate) fn touch(&self, path: &Path) {
        let _ = self.fs.touch(path, self.now());
    }

    /// Returns the name of a file that is not of a cache, if the directory has no tag.
    pub(crate) fn foreign(&self) -> Option<String> {
        if self.is_cache() {
            return None;
        }
        let files = self.fs.list(&self.root).unwrap_or_default();
        let names = files.iter().filter_map(|file| file.path.file_name());
        let mut names = names.map(|name| name.to_string_lossy().into_owned());
        names.find(|name| {
            let is_own =
                FOLDERS.contains(&name.as_str()) || matches!(name.as_str(), "stats" | "gc");
            // Of file systems and their servers.
            !(is_own || name.starts_with('.') || name == "lost+found" || name == TAG_FILE)
        })
    }

    /// Returns whether the directory is that of a cache.
    pub(crate) fn is_cache(&self) -> bool {
        let tag = self.fs.read(&self.root.join(TAG_FILE));
        tag.is_ok_and(|tag| tag == TAG)
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
