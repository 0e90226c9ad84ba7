//! [`Fs`]: the operations on files that the store needs, which tests replace by failing ones.

use rmlir::ir::sort::CompactSort as _;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The metadata of a file or directory.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// The path.
    pub path: PathBuf,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// The number of bytes.
    pub len: u64,
    /// When it was last changed or used; see [`Fs::touch`].
    pub modified: SystemTime,
}

/// Operations on files. Every one may fail at any time: the store treats a failure as a miss.
pub trait Fs: Send + Sync {
    /// Reads a file as a whole.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Creates a file that must not exist, and writes the parts to it.
    fn write_new(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()>;
    /// Appends bytes to a file by one write, and creates it if needed.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Renames a file, which replaces one of the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Creates a directory with those around it.
    fn create_directories(&self, path: &Path) -> io::Result<()>;
    /// Lists a directory.
    fn list(&self, path: &Path) -> io::Result<Vec<FileInfo>>;
    /// Returns what is known of a file.
    fn info(&self, path: &Path) -> io::Result<FileInfo>;
    /// Sets the time of modification.
    fn touch(&self, path: &Path, time: SystemTime) -> io::Result<()>;
}

/// The operations of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFs;

impl Fs for RealFs {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn write_new(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        for part in parts {
            file.write_all(part)?;
        }
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.write_all(bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<FileInfo>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            // Files of others may vanish meanwhile.
            if let Ok(metadata) = entry.metadata() {
                found.push(info(entry.path(), &metadata));
            }
        }
        found.compact_sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        Ok(info(path.to_owned(), &fs::metadata(path)?))
    }

    fn touch(&self, path: &Path, time: SystemTime) -> io::Result<()> {
        let file = File::open(path)?;
        file.set_times(FileTimes::new().set_modified(time))
    }
}

fn info(path: PathBuf, metadata: &fs::Metadata) -> FileInfo {
    FileInfo {
        path,
        is_directory: metadata.is_dir(),
        len: metadata.len(),
        modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
    }
}
