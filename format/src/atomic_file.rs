//! Atomic output files: a file is written completely or not at all.

use crate::error::{Result, ResultExt};
use crate::temporary::Temporary;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file atomically: no process ever sees a part of it.
///
/// The content is written to a temporary file beside the target, which replaces the target when
/// `write` returns without an error. Otherwise the target is unchanged, and the temporary file is
/// removed.
///
/// * An existing target keeps its permissions (not its owner, and hard links to it keep the old
///   content). A target without write permission is refused, even where replacing it would be
///   possible.
/// * A symbolic link is kept. The file that it points to is replaced, or created if it does not
///   exist.
/// * An existing target that is not a regular file (`/dev/null`, a pipe) is written to directly.
/// * Writes are buffered. The operating system is not asked to flush the bytes to the disk: they
///   survive the end of the process, not a crash of the machine.
/// * The temporary file is named `.rmlir-N.tmp`. If the process is killed, the next write in the
///   directory removes it. A program that handles signals removes it by [`abandon_writes`].
///
/// [`abandon_writes`]: crate::abandon_writes
///
/// # Errors
/// Those of `write`, and [`ErrorKind::Io`](crate::ErrorKind::Io).
///
/// ```no_run
/// # fn example() -> rmlir_format::Result<()> {
/// let file = rmlir_format::ContainerWriter::new();
/// rmlir_format::write_atomically("out.rmbc", |out| file.write_to(out))?;
/// # Ok(()) }
/// ```
pub fn write_atomically(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    replace(path, write).with_context(|| format!("writing '{}'", path.display()))
}

/// Writes a file that does not exist yet, as [`write_atomically`] does. With `replaces`, it may
/// exist.
///
/// A symbolic link at the path counts as an existing file, and is replaced itself: nothing is
/// written to the file that it leads to. For names that are not trusted, in a folder that is.
///
/// # Errors
/// [`ErrorKind::Io`](crate::ErrorKind::Io) if there is a folder, or without `replaces`, anything;
/// those of [`write_atomically`].
///
/// ```no_run
/// rmlir_format::create_atomically("out/module.mlir", false, |out| Ok(out.write_all(b"module {}")?))?;
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn create_atomically(
    path: impl AsRef<Path>,
    replaces: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    let create = || -> Result<()> {
        check_free(path, replaces)?;
        let (temporary, file) = Temporary::create_beside(path)?;
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        // Somebody may have created it meanwhile.
        check_free(path, replaces)?;
        Ok(temporary.rename(path)?)
    };
    create().with_context(|| format!("writing '{}'", path.display()))
}

/// Checks that [`create_atomically`] may write to a path.
///
/// # Errors
/// Those of [`create_atomically`] because of what the path denotes.
///
/// ```
/// assert!(rmlir_format::check_free(".".as_ref(), true).is_err());
/// assert!(rmlir_format::check_free("no such file".as_ref(), false).is_ok());
/// ```
pub fn check_free(path: &Path, replaces: bool) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) if !replaces => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let (target, permissions) = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            // Renaming requires permissions of the directory alone, so check that the file is
            // writable.
            OpenOptions::new().write(true).open(path)?;
            (fs::canonicalize(path)?, Some(metadata.permissions()))
        }
        Ok(_) => {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            write(&mut out)?;
            return Ok(out.flush()?);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (link_target(path)?, None),
        Err(error) => return Err(error.into()),
    };

    let (temporary, file) = Temporary::create_beside(&target)?;
    if let Some(permissions) = permissions {
        // Before the content is written, which may be readable by the owner alone.
        file.set_permissions(permissions)?;
    }
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()?;
    // The file stays open until it has its name: a temporary file that nobody has open is removed
    // by other processes.
    Ok(temporary.rename(&target)?)
}

/// Follows symbolic links from a path at which no file exists.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&target) else {
            return Ok(target);
        };
        target = match target.parent() {
            Some(folder) => folder.join(link),
            None => link,
        };
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};
    use crate::scratch::Scratch;

    #[cfg(unix)]
    #[test]
    fn new_files_are_not_written_through_links() {
        let scratch = Scratch::new();
        let dir = scratch.path();
        let (target, link) = (dir.join("target"), dir.join("link"));
        fs::write(&target, b"old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let create = |path: &Path, replaces| {
            create_atomically(path, replaces, |out| Ok(out.write_all(b"new")?))
        };
        for path in [&target, &link, &dir.to_owned()] {
            assert!(create(path, false).is_err());
        }
        assert!(create(dir, true).is_err());
        create(&link, true).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(fs::read(&link).unwrap(), b"new");
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
        create(&target, true).unwrap();
        create(&dir.join("fresh"), false).unwrap();
        assert_eq!(names(dir), ["fresh", "link", "target"]);
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn creates_and_replaces() {
        let dir = Scratch::new();
        let path = dir.path().join("out");
        for text in ["first, the longer one", "second"] {
            write_atomically(&path, |out| Ok(out.write_all(text.as_bytes())?)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(dir.path()), ["out"]);
    }

    #[test]
    fn nobody_sees_a_part() {
        let dir = Scratch::new();
        let path = dir.path().join("out");
        fs::write(&path, "old").unwrap();
        write_atomically(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(names(dir.path()).len(), 2);
            Ok(())
        })
        .unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 100_000);
    }

    #[test]
    fn an_error_leaves_everything_as_it_was() {
        let dir = Scratch::new();
        let path = dir.path().join("out");
        let fail = |out: &mut dyn Write| {
            out.write_all(&[b'x'; 100_000])?;
            Err(Error::new(ErrorKind::Limit, "too much"))
        };
        let error = write_atomically(&path, fail).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.to_string().starts_with("too much, while writing '"));
        assert!(names(dir.path()).is_empty());
        fs::write(&path, "old").unwrap();
        write_atomically(&path, fail).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(dir.path()), ["out"]);
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let dir = Scratch::new();
        let path = dir.path().join("out");
        let panicking = || write_atomically(&path, |_| panic!("on purpose"));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).unwrap_err();
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let dir = Scratch::new();
        let missing = dir.path().join("no").join("out");
        let error = write_atomically(&missing, |_| Ok(())).unwrap_err();
        assert_eq!(error.io_kind(), Some(io::ErrorKind::NotFound));
        let error = write_atomically(dir.path(), |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn parallel_writers_do_not_meet() {
        let dir = Scratch::new();
        let path = dir.path().join("out");
        std::thread::scope(|scope| {
            for letter in b'a'..b'i' {
                let path = &path;
                scope.spawn(move || {
                    // Often enough that names of temporary files are taken again at once.
                    for _ in 0..100 {
                        write_atomically(path, |out| Ok(out.write_all(&[letter; 5_000])?)).unwrap();
                    }
                });
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 5_000);
        assert!(bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(names(dir.path()), ["out"]);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        #[test]
        fn permissions_stay() {
            let dir = Scratch::new();
            let path = dir.path().join("out");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            write_atomically(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
            assert_eq!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o777,
                0o640
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        }

        #[test]
        fn links_stay() {
            let dir = Scratch::new();
            let (file, link) = (dir.path().join("file"), dir.path().join("link"));
            fs::write(&file, "old").unwrap();
            symlink("file", &link).unwrap();
            write_atomically(&link, |out| Ok(out.write_all(b"new")?)).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        }

        #[test]
        fn devices_are_written_to() {
            write_atomically("/dev/null", |out| Ok(out.write_all(b"gone")?)).unwrap();
            let metadata = fs::metadata("/dev/null").unwrap();
            assert!(!metadata.is_file());
        }
    }
}
