//! The identity of a tool: the content of everything that decides what it computes.
//!
//! A compiler such as `mlir-opt` is a small program that loads its passes from shared libraries, so
//! the hash of the program is not enough. [`ToolIdentity::of`] asks the loader of the operating
//! system which libraries it would load, and hashes those too, with every file that an argument
//! names.

mod arguments;
mod elf;
mod launchers;
pub(crate) mod memo;

use crate::{Cache, Digest, KeyPart};
use rmlir::Threads;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why the identity of a tool is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownIdentity {
    message: String,
    /// Whether the tool itself was not found or cannot be run.
    pub not_found: bool,
}

impl UnknownIdentity {
    fn new(message: impl Into<String>) -> Self {
        UnknownIdentity {
            message: message.into(),
            not_found: false,
        }
    }
}

impl fmt::Display for UnknownIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnknownIdentity {}

/// The files of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolIdentity {
    parts: Vec<KeyPart>,
}

impl ToolIdentity {
    /// Returns an identity that the user declares, such as a version.
    pub fn declared(id: &str) -> Self {
        ToolIdentity {
            parts: vec![KeyPart {
                name: "tool id".to_owned(),
                value: id.to_owned(),
            }],
        }
    }

    /// Determines the identity of a program with arguments: hashes of the program, of the shared
    /// libraries that the loader resolves for it, and of each file that an argument names, with
    /// the libraries of those that are shared objects.
    ///
    /// Hashes are memoized in the cache by device, inode, size and times. The loader is asked each
    /// time, so a library that appears earlier in the search path is noticed.
    ///
    /// # Errors
    ///
    /// If the program is not found, is a script, loads what cannot be determined, or runs other
    /// programs: shells, interpreters, `env`, or any program with a script as an argument.
    pub fn of(
        cache: &Cache,
        program: &OsStr,
        arguments: &[String],
    ) -> Result<Self, UnknownIdentity> {
        let path = find_program(program)?;
        if launchers::is_launcher(&path) {
            return Err(UnknownIdentity::new(format!(
                "'{}' runs other programs, whose identity is unknown",
                path.display()
            )));
        }
        let memo = memo::Memo::new(cache);
        let mut files: BTreeMap<String, Digest> = BTreeMap::new();
        add_binary(&memo, "tool", &path, true, &mut files)?;
        if let Some(script) = Self::of_arguments(&memo, arguments, &mut files)? {
            return Err(UnknownIdentity::new(format!(
                "what '{}' runs is unknown: '{script}' is a script",
                path.display()
            )));
        }
        Ok(Self::from_files(files))
    }

    /// Returns whether a program is known by its hash. Of one that is not, nothing is stored here.
    pub(crate) fn was_hashed(cache: &Cache, program: &OsStr) -> bool {
        find_program(program).is_ok_and(|path| memo::Memo::new(cache).has(&path))
    }

    /// Returns a declared identity, with the hashes of the files that arguments name.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn declared_with_arguments(
        cache: &Cache,
        id: &str,
        arguments: &[String],
    ) -> Result<Self, UnknownIdentity> {
        let mut files = BTreeMap::new();
        Self::of_arguments(&memo::Memo::new(cache), arguments, &mut files)?;
        let mut identity = Self::declared(id);
        identity.parts.extend(Self::from_files(files).parts);
        Ok(identity)
    }

    /// Adds the files that arguments name. Returns the name of one that is a script.
    fn of_arguments(
        memo: &memo::Memo<'_>,
        arguments: &[String],
        files: &mut BTreeMap<String, Digest>,
    ) -> Result<Option<String>, UnknownIdentity> {
        let named = arguments::files(arguments, memo.directory())?;
        let mut script = None;
        for (name, file) in named {
            let path = &file.path;
            let role = format!("file {name}");
            match elf::is_elf(path) {
                true => add_binary(memo, &role, path, false, files)?,
                false => {
                    let digest = memo.digest(path).map_err(|e| unreadable(path, &e))?;
                    files.insert(role, digest);
                    if !file.is_in_directory && elf::is_script(path) {
                        script = Some(name);
                    }
                }
            }
        }
        Ok(script)
    }

    /// Returns hashes of a file, or of all files in a directory, by name.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read, or the directory has too many files.
    pub(crate) fn of_input(
        cache: &Cache,
        path: &Path,
    ) -> Result<Vec<(String, Digest)>, UnknownIdentity> {
        let memo = memo::Memo::new(cache);
        let named = arguments::file_or_directory(path, memo.directory())?;
        let digests = named.into_iter().map(|(name, file)| {
            let digest = memo.digest(&file.path);
            Ok((name, digest.map_err(|e| unreadable(&file.path, &e))?))
        });
        digests.collect()
    }

    fn from_files(files: BTreeMap<String, Digest>) -> Self {
        let parts = files.into_iter().map(|(name, digest)| KeyPart {
            name,
            value: digest.to_string(),
        });
        ToolIdentity {
            parts: parts.collect(),
        }
    }

    /// Returns the parts, sorted by name.
    pub fn parts(&self) -> &[KeyPart] {
        &self.parts
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> UnknownIdentity {
    UnknownIdentity::new(format!("'{}' cannot be read: {error}", path.display()))
}

/// Adds a program or shared object, and the libraries that it loads.
fn add_binary(
    memo: &memo::Memo<'_>,
    role: &str,
    path: &Path,
    is_program: bool,
    files: &mut BTreeMap<String, Digest>,
) -> Result<(), UnknownIdentity> {
    let digest = memo.digest(path).map_err(|e| unreadable(path, &e))?;
    files.insert(role.to_owned(), digest);
    // The first time, the libraries of a compiler take a quarter of a second to hash.
    let libraries: Vec<_> = elf::libraries(path, is_program)?.into_iter().collect();
    let digests = Threads::available().map(libraries.len(), |number| {
        let library = libraries.get(number).map(|(_, library)| library);
        library.map(|library| memo.digest(library).map_err(|e| unreadable(library, &e)))
    });
    for ((name, _), digest) in libraries.iter().zip(digests.into_iter().flatten()) {
        let digest = digest?;
        // Two libraries of one name differ in their paths only if they are loaded for different
        // binaries; the role keeps them apart.
        files.insert(format!("{role} library {name}"), digest);
    }
    Ok(())
}

/// Finds a program as a shell does.
fn find_program(program: &OsStr) -> Result<PathBuf, UnknownIdentity> {
    let path = Path::new(program);
    let missing = || UnknownIdentity {
        message: format!("'{}' is not found", path.display()),
        not_found: true,
    };
    if path.components().count() > 1 {
        return match path.is_file() {
            true => Ok(path.to_owned()),
            false => Err(missing()),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates = std::env::split_paths(&folders).map(|folder| folder.join(path));
    candidates
        .find(|candidate| is_executable(candidate))
        .ok_or_else(missing)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
