//! Temporary files beside the files that they replace.
//!
//! They are called `.rmlir-0.tmp`, `.rmlir-1.tmp` and so on; a writer takes the first that is free.
//! As long as it lives, it keeps its file locked (Unix) or open (Windows), and the system releases
//! both when a process ends, however that happens. So the next writer in the directory recognizes
//! the files of dead processes by their names, without listing the directory, and removes them.
//! Process numbers would not do: machines and containers that share a directory have the same.
//!
//! [`TemporaryDirectory`] does the same for a directory in that of the system for temporary files.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Number of names that are tried for one file.
const ATTEMPTS: u32 = 1_000;
/// A writer looks for files of dead processes until this number of consecutive names is free.
const FREE_NAMES: u32 = 3;

/// The temporary files and directories of this process.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all writes in progress in this process, and every
/// [`TemporaryDirectory`] with its content, then calls `end`.
///
/// For programs that handle signals: `end` ends the process. No write can be committed meanwhile;
/// if `end` returns, the interrupted writes fail.
///
/// ```no_run
/// rmlir_format::abandon_writes(|| std::process::exit(130));
/// ```
pub fn abandon_writes(end: impl FnOnce()) {
    let mut live = live();
    for path in live.drain(..) {
        // Nothing can be done about a failure.
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
    end();
}

/// A directory for temporary files, which is removed on drop with everything in it.
///
/// It is in the directory of the system for temporary files, has a random name, and only its owner
/// can read it. If the process ends before the drop, [`abandon_writes`] removes it, or the next
/// process that creates one with the same prefix (Unix).
#[derive(Debug)]
pub struct TemporaryDirectory {
    path: PathBuf,
    /// Locked as long as the process lives.
    _lock: Option<File>,
}

impl TemporaryDirectory {
    /// Creates a directory whose name begins with `prefix`. The first call of a process removes
    /// the directories of dead processes that have the same prefix.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    ///
    /// ```
    /// let folder = rmlir_format::TemporaryDirectory::create("rmlir-doc-")?;
    /// std::fs::write(folder.path().join("file"), "content")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn create(prefix: &str) -> io::Result<Self> {
        static CLEANED: Once = Once::new();
        let parent = std::env::temp_dir();
        CLEANED.call_once(|| remove_dead_directories(&parent, prefix));
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..ATTEMPTS {
            let random = RandomState::new();
            let number = |salt: u32| random.hash_one((std::process::id(), attempt, salt));
            let path = parent.join(format!("{prefix}{:016x}{:08x}", number(0), number(1) >> 32));
            // Registered together with being created, see `abandon_writes`.
            let mut live = live();
            match create_private(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    last = error;
                    continue;
                }
                Err(error) => return Err(error),
            }
            let lock = File::open(&path).ok();
            // Somebody may have taken it for one of a dead process before it was locked.
            if lock.as_ref().is_some_and(|lock| !own(lock)) {
                continue;
            }
            live.push(path.clone());
            return Ok(TemporaryDirectory { path, _lock: lock });
        }
        Err(last)
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        let mut live = live();
        if let Some(at) = live.iter().position(|live| *live == self.path) {
            live.swap_remove(at);
            // If it cannot be removed, the next process tries again.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Removes the directories of dead processes.
fn remove_dead_directories(parent: &Path, prefix: &str) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            remove_dead(&entry.path(), Kind::Directory);
        }
    }
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// A file that is removed on drop unless it was renamed.
#[derive(Debug)]
pub(crate) struct Temporary(
    /// `None` once it was renamed.
    Option<PathBuf>,
);

impl Temporary {
    /// Creates a file in the directory of `target`, and removes those of dead processes.
    ///
    /// The returned file must stay open until the temporary file is renamed.
    pub(crate) fn create_beside(target: &Path) -> io::Result<(Self, File)> {
        let name = |number| target.with_file_name(format!(".rmlir-{number}.tmp"));
        for number in 0..ATTEMPTS {
            let Some(created) = Self::create(name(number))? else {
                continue;
            };
            let mut free = 0u32;
            for number in number.saturating_add(1)..ATTEMPTS {
                match remove_dead(&name(number), Kind::File) {
                    Found::Nothing => free = free.saturating_add(1),
                    Found::Dead | Found::Alive => free = 0,
                }
                if free == FREE_NAMES {
                    break;
                }
            }
            return Ok(created);
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "too many temporary files '.rmlir-N.tmp'",
        ))
    }

    /// Creates the file of this name, unless it belongs to somebody.
    fn create(path: PathBuf) -> io::Result<Option<(Self, File)>> {
        // Once after the file of a dead process was removed, once more if somebody took the file
        // for one of a dead process before it was locked.
        for _ in 0..3 {
            // Registered together with being created, see `abandon_writes`.
            let mut live = live();
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    if !own(&file) {
                        continue;
                    }
                    live.push(path.clone());
                    return Ok(Some((Temporary(Some(path)), file)));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    drop(live);
                    if let Found::Alive = remove_dead(&path, Kind::File) {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Gives the file its name.
    pub(crate) fn rename(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = &self.0 else {
            return Ok(());
        };
        let mut live = live();
        fs::rename(path, target)?;
        live.retain(|live| live != path);
        // From here on the name is free for another writer, whose file must stay.
        self.0 = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let Some(path) = &self.0 else {
            return;
        };
        let mut live = live();
        if let Some(at) = live.iter().position(|live| live == path) {
            live.swap_remove(at);
            // The error that led here is the one to report; a failed removal is ignored.
            let _ = fs::remove_file(path);
        }
    }
}

/// What is removed if its process is dead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    /// A directory, with its content.
    Directory,
}

/// The state of a file or directory that has the name of a temporary one.
enum Found {
    Nothing,
    /// A file of a dead process, which was removed.
    #[cfg_attr(
        not(any(unix, windows)),
        expect(
            dead_code,
            reason = "on these systems, it is unknown whether the owner of a file is alive"
        )
    )]
    Dead,
    /// A file of a live process, or of somebody else.
    Alive,
}

#[cfg(unix)]
use unix::{own, remove_dead};

#[cfg(unix)]
mod unix {
    use super::{Found, Kind};
    use rustix::fs::{FileType, FlockOperation, Mode, OFlags, flock, fstat, open, stat};
    use rustix::io::Errno;
    use std::fs::{self, File};
    use std::path::Path;

    /// Locks a file that was just created; false if somebody removed it before.
    pub(super) fn own(file: &File) -> bool {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => fstat(file).is_ok_and(|found| found.st_nlink > 0),
            Err(Errno::WOULDBLOCK) => false,
            // The file system has no locks. Then other processes cannot lock it either, and leave
            // it alone.
            Err(_) => true,
        }
    }

    /// Removes the file or directory, according to `kind`, if no process has locked it.
    pub(super) fn remove_dead(path: &Path, kind: Kind) -> Found {
        // Not through a link, and without waiting for the writer of a pipe.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match open(path, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Found::Nothing,
            Err(_) => return Found::Alive,
        };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Found::Alive;
        }
        // Its owner may have renamed or removed it since it was opened. While it is locked here,
        // nobody else removes or renames what the path denotes.
        let (Ok(opened), Ok(named)) = (fstat(&file), stat(path)) else {
            return Found::Nothing;
        };
        if (opened.st_dev, opened.st_ino) != (named.st_dev, named.st_ino) {
            return Found::Alive;
        }
        let is_directory = FileType::from_raw_mode(opened.st_mode) == FileType::Directory;
        let removed = match kind {
            Kind::File => fs::remove_file(path),
            Kind::Directory if is_directory => fs::remove_dir_all(path),
            Kind::Directory => return Found::Alive,
        };
        match removed {
            Ok(()) => Found::Dead,
            Err(_) => Found::Alive,
        }
    }
}

#[cfg(windows)]
use windows::{own, remove_dead};

#[cfg(windows)]
mod windows {
    use super::{Found, Kind};
    use std::fs::{File, OpenOptions};
    use std::io::ErrorKind;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    const DELETE: u32 = 0x0001_0000;
    const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;

    pub(super) fn own(_: &File) -> bool {
        true
    }

    /// Removes the file if no process has opened it. Directories cannot be locked.
    pub(super) fn remove_dead(path: &Path, kind: Kind) -> Found {
        if kind == Kind::Directory {
            return Found::Alive;
        }
        let mut options = OpenOptions::new();
        options.access_mode(DELETE).share_mode(0);
        match options.custom_flags(FILE_FLAG_DELETE_ON_CLOSE).open(path) {
            Ok(_) => Found::Dead,
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(_) => Found::Alive,
        }
    }
}

#[cfg(not(any(unix, windows)))]
fn own(_: &File) -> bool {
    true
}

#[cfg(not(any(unix, windows)))]
fn remove_dead(path: &Path, _: Kind) -> Found {
    match path.exists() {
        true => Found::Alive,
        false => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn numbers(dir: &Scratch) -> Vec<String> {
        let entries = fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_relative_path_without_a_directory() {
        let target = Path::new("file").with_file_name(".tmp");
        assert_eq!(target, Path::new(".tmp"));
    }

    #[cfg(any(unix, windows))]
    #[test]
    fn files_of_dead_processes_are_removed_and_of_live_ones_kept() {
        let dir = Scratch::new();
        let target = dir.path().join("out");
        let (live, _open) = Temporary::create_beside(&target).unwrap();
        for number in [1, 2, 5] {
            fs::write(dir.path().join(format!(".rmlir-{number}.tmp")), "left").unwrap();
        }
        fs::write(dir.path().join(".rmlir-9.tmp"), "too far").unwrap();
        let (second, _open) = Temporary::create_beside(&target).unwrap();
        assert_eq!(
            numbers(&dir),
            [".rmlir-0.tmp", ".rmlir-1.tmp", ".rmlir-9.tmp"]
        );
        drop(live);
        assert_eq!(numbers(&dir), [".rmlir-1.tmp", ".rmlir-9.tmp"]);
        second.rename(&target).unwrap();
        assert_eq!(numbers(&dir), [".rmlir-9.tmp", "out"]);
    }

    #[cfg(unix)]
    #[test]
    fn directories_of_dead_processes_are_removed_and_of_live_ones_kept() {
        let prefix = format!("rmlir-test-{}-", std::process::id());
        let alive = TemporaryDirectory::create(&prefix).unwrap();
        fs::write(alive.path().join("file"), "content").unwrap();
        let dead = std::env::temp_dir().join(format!("{prefix}dead"));
        fs::create_dir_all(dead.join("in/it")).unwrap();
        fs::write(dead.join("in/it/file"), "content").unwrap();
        remove_dead_directories(&std::env::temp_dir(), &prefix);
        assert!(alive.path().join("file").exists() && !dead.exists());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_left_alone() {
        let dir = Scratch::new();
        fs::write(dir.path().join("precious"), "kept").unwrap();
        std::os::unix::fs::symlink("precious", dir.path().join(".rmlir-0.tmp")).unwrap();
        let (second, _open) = Temporary::create_beside(&dir.path().join("out")).unwrap();
        assert_eq!(numbers(&dir), [".rmlir-0.tmp", ".rmlir-1.tmp", "precious"]);
        drop(second);
        assert_eq!(numbers(&dir), [".rmlir-0.tmp", "precious"]);
    }
}
