//! External blobs of rmbc outputs: the folder `OUTPUT.blobs`.
//!
//! Two files cannot be replaced in one step. So the file of the blobs is named by its content: it
//! never replaces that of the previous output, which stays valid until the new output replaces it.

use crate::Failure;
use crate::output::Output;
use rmlir::ir::hash::{Hasher, Hex};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The folder of the external blobs of an output.
pub struct BlobFolder {
    path: PathBuf,
    /// Its name, as modules refer to it.
    name: String,
}

/// Number of bytes of the hash in a name.
const NAME_BYTES: usize = 16;

impl BlobFolder {
    /// Returns the folder of an output.
    ///
    /// # Errors
    ///
    /// If the path of the output does not end in a name.
    pub fn of(output: &str) -> Result<Self, Failure> {
        let path = Path::new(output);
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(Failure::Usage(format!(
                "'{output}' is not the name of a file"
            )));
        };
        let name = format!("{name}.blobs");
        Ok(BlobFolder {
            path: path.with_file_name(&name),
            name,
        })
    }

    /// Returns the path by which the output refers to a file of this folder.
    pub fn path_in_module(&self, name: &str) -> String {
        format!("{}/{name}", self.name)
    }

    /// Returns the name of the file with the bytes that `produce` writes; `None` if it writes none.
    ///
    /// # Errors
    ///
    /// That of `produce`.
    pub fn name_of_content(
        &self,
        produce: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<Option<String>, Failure> {
        let mut content = Content::default();
        produce(&mut content)?;
        let hash = content.hasher.finalize();
        let start = hash.get(..NAME_BYTES).unwrap_or(&hash);
        Ok(content.is_any.then(|| Hex(start).to_string()))
    }

    /// Writes an output and the file of its blobs, and removes those of the previous output.
    ///
    /// # Errors
    ///
    /// That of `produce`, or if writing fails.
    pub fn write(
        &self,
        name: &str,
        output: &Output,
        produce: impl FnOnce(&mut dyn Write, &mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let _lock = self.create().map_err(|error| self.failure(&error))?;
        let blobs = Output::File(self.path.join(name).to_string_lossy().into_owned());
        let written = output.write(|out| blobs.write(|blobs| produce(out, blobs)));
        match &written {
            Ok(()) => self.clear(Some(name))?,
            // A folder that was created for nothing; fails if it has files.
            Err(_) => drop(fs::remove_dir(&self.path)),
        }
        written
    }

    /// Writes an output without external blobs, and removes those of the previous output.
    ///
    /// # Errors
    ///
    /// That of `produce`, or if writing fails.
    pub fn write_without(
        &self,
        output: &Output,
        produce: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let lock = self.lock().map_err(|error| self.failure(&error))?;
        output.write(produce)?;
        match lock {
            Some(_lock) => self.clear(None),
            None => Ok(()),
        }
    }

    /// Creates and locks the folder.
    fn create(&self) -> io::Result<Lock> {
        loop {
            match fs::create_dir(&self.path) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    if !self.exists() {
                        return Err(io::Error::new(
                            ErrorKind::AlreadyExists,
                            "it is not a folder",
                        ));
                    }
                }
                Err(error) => return Err(error),
            }
            // Another writer may have removed the folder meanwhile.
            if let Some(lock) = self.lock()? {
                return Ok(lock);
            }
        }
    }

    fn exists(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|found| found.is_dir())
    }

    /// Locks the folder, so that outputs of this name are replaced one after the other; `None` if
    /// it does not exist.
    fn lock(&self) -> io::Result<Option<Lock>> {
        if !self.exists() {
            return Ok(None);
        }
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            use std::os::unix::fs::MetadataExt;
            let folder = match File::open(&self.path) {
                Ok(folder) => folder,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            };
            // File systems without locks have no protection from writers at the same time.
            let _ = flock(&folder, FlockOperation::LockExclusive);
            let locked = folder.metadata()?;
            let same = fs::metadata(&self.path)
                .is_ok_and(|found| (found.dev(), found.ino()) == (locked.dev(), locked.ino()));
            Ok(same.then_some(Lock(Some(folder))))
        }
        #[cfg(not(unix))]
        Ok(Some(Lock(None)))
    }

    /// Removes the files of blobs, but for one, and the folder if it is empty then.
    fn clear(&self, keep: Option<&str>) -> Result<(), Failure> {
        let clear = || {
            for entry in fs::read_dir(&self.path)? {
                let name = entry?.file_name();
                let Some(name) = name.to_str() else { continue };
                if keep != Some(name) && is_name_of_content(name) {
                    fs::remove_file(self.path.join(name))?;
                }
            }
            Ok(())
        };
        clear().map_err(|error| self.failure(&error))?;
        if keep.is_none() {
            // Fails if there are other files in it.
            let _ = fs::remove_dir(&self.path);
        }
        Ok(())
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::io(&self.path.to_string_lossy(), error)
    }
}

/// Whether a file of blobs has such a name; others are left alone.
fn is_name_of_content(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.len() == 2 * NAME_BYTES && name.bytes().all(is_digit)
}

/// The lock is released with the file.
struct Lock(#[allow(dead_code, reason = "held")] Option<File>);

/// Hashes the bytes that are written.
#[derive(Default)]
struct Content {
    hasher: Hasher,
    is_any: bool,
}

impl Write for Content {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_any |= !bytes.is_empty();
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
