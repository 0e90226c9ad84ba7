//! For build scripts: parses, verifies and converts MLIR files, which the program then has by
//! `rmlir::include_mlir!`.
//!
//! The script `build.rs`:
//!
//! ```no_run
//! fn main() -> Result<(), rmlir_embed_build::Error> {
//!     rmlir_embed_build::embed(["kernels/add.mlir"])
//! }
//! ```
//!
//! In the program, where `File` reads single functions without copying the module:
//!
//! ```ignore
//! let add = rmlir::include_mlir!("kernels/add.mlir");
//! let file = rmlir::embedded::file(&add, &Default::default())?;
//! ```
//!
//! A file that is not valid MLIR fails the build, with the file, line and column of each error.
//! Cargo runs the script again when one of the files changes, and not otherwise.

use rmlir::{Form, ReadOptions, WriteOptions};
use rmlir_embed::{Content, Module, records_of};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a module cannot be prepared. `Debug` is the same as `Display`, so that a script that returns
/// it from `main` prints a readable report.
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Error {}

impl From<rmlir::Error> for Error {
    fn from(error: rmlir::Error) -> Self {
        Error(error.to_string())
    }
}

/// Prepares files with the default options: see [`Builder`].
///
/// # Errors
///
/// Those of [`Builder::embed`], and if two files have the same name without extension, which is the
/// name of the module.
///
/// ```no_run
/// rmlir_embed_build::embed(["model.mlir"])?;
/// # Ok::<(), rmlir_embed_build::Error>(())
/// ```
pub fn embed<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Result<(), Error> {
    let builder = Builder::new();
    let files: Vec<P> = files.into_iter().collect();
    let mut names: HashMap<&OsStr, &Path> = HashMap::new();
    for file in &files {
        let file = file.as_ref();
        let Some(name) = file.file_stem() else {
            continue;
        };
        if let Some(other) = names.insert(name, file).filter(|other| *other != file) {
            return Err(Error(format!(
                "{} and {}: both modules are named '{}'; 'Builder::named' gives one another name",
                other.display(),
                file.display(),
                name.display()
            )));
        }
    }
    files.into_iter().try_for_each(|file| builder.embed(file))
}

/// How files are prepared.
///
/// ```no_run
/// let mut options = rmlir::ReadOptions::default();
/// options.allow_unknown = true;
/// rmlir_embed_build::Builder::new()
///     .read_options(options)
///     .form(rmlir::Form::Mlirbc)
///     .embed("model.mlir")?;
/// # Ok::<(), rmlir_embed_build::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    read: ReadOptions,
    write: WriteOptions,
    form: Form,
    is_listed: bool,
    name: Option<String>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Verifies modules, stores them as native bytecode, and lists them among the program's own.
    pub fn new() -> Self {
        let mut read = ReadOptions::default();
        read.verify = true;
        Builder {
            read,
            write: WriteOptions::default(),
            form: Form::Rmbc,
            is_listed: true,
            name: None,
        }
    }

    /// Sets how the files are read; modules are verified only if these options have it.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.read = options;
        self
    }

    /// Sets how the modules are written.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.write = options;
        self
    }

    /// Sets the form in which modules are stored. Default: native bytecode.
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Sets whether `rmlir::embedded::own` lists the modules. That needs the attribute
    /// `link_section`, which crates that forbid `unsafe_code` cannot have. Default: true.
    #[must_use]
    pub fn listed(mut self, is_listed: bool) -> Self {
        self.is_listed = is_listed;
        self
    }

    /// Sets the name of the module, by which programs and `rmlir unwrap` find it. Default: the name
    /// of the file without its extension.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Prepares a file, of any form, for `include_mlir!`, by the same path.
    ///
    /// # Errors
    ///
    /// If it cannot be read, has no operation, is not valid or cannot be stored, with the location
    /// of each error; if the path leaves the folder of the package; or if this is not run by a
    /// build script.
    pub fn embed(&self, file: impl AsRef<Path>) -> Result<(), Error> {
        let file = file.as_ref();
        let Some(name) = file.to_str() else {
            return Err(Error(format!("{}: the path is not UTF-8", file.display())));
        };
        let is_inside = file
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !is_inside {
            return Err(Error(format!(
                "{name}: the path must be inside of the package"
            )));
        }
        println(&format!("cargo::rerun-if-changed={name}"));
        let folder = std::env::var_os("OUT_DIR").map(PathBuf::from);
        let folder = folder
            .ok_or_else(|| Error("OUT_DIR is not set: this is for build scripts".to_owned()))?;
        let source = std::fs::read(file).map_err(|error| io(file, &error))?;
        if rmlir_embed::is_blank_text(&source) {
            return Err(Error(format!("{name}: the file has no operation")));
        }
        drop(source);
        let mut ir = rmlir::open_with(file, &self.read)?;
        let bytes = ir.to_bytes(self.form, &self.write)?;
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let module = Module {
            name: self.name.as_deref().or(stem).unwrap_or(name),
            bytes: &bytes,
        };
        debug_assert!(module.content() != Content::LlvmBitcode);
        let (record, log) =
            records_of(&[module]).map_err(|error| Error(format!("{name}: {error}")))?;

        let data = folder.join("rmlir").join(format!("{name}.record"));
        let code = folder.join("rmlir").join(format!("{name}.rs"));
        let parent = data.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent).map_err(|error| io(parent, &error))?;
        let section = match self.is_listed {
            true => {
                "    #[cfg_attr(target_vendor = \"apple\", unsafe(link_section = \"__DATA,__rmlir\"))]\n    \
                     #[cfg_attr(windows, unsafe(link_section = \".rmlir\"))]\n    \
                     #[cfg_attr(not(any(target_vendor = \"apple\", windows, target_family = \"wasm\")), unsafe(link_section = \"rmlir\"))]\n"
            }
            false => "",
        };
        // A file beside, because a literal of megabytes is slow to compile.
        let source = format!(
            "{{\n    #[repr(C, align({}))]\n    struct Aligned([u8; {}]);\n    #[used]\n{section}    \
             static RECORD: Aligned = Aligned(*include_bytes!({:?}));\n    &RECORD.0 as &'static [u8]\n}}\n",
            1u32 << log,
            record.len(),
            data.display().to_string(),
        );
        std::fs::write(&data, record).map_err(|error| io(&data, &error))?;
        std::fs::write(&code, source).map_err(|error| io(&code, &error))
    }
}

fn io(path: &Path, error: &std::io::Error) -> Error {
    Error(format!("{}: {error}", path.display()))
}

/// Prints an instruction for Cargo: build scripts do so on standard output.
#[allow(clippy::print_stdout)]
fn println(line: &str) {
    std::println!("{line}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "test code")]

    #[test]
    fn paths_outside_are_refused() {
        for path in ["/a.mlir", "../a.mlir", "a/../../b.mlir"] {
            let error = super::embed([path]).unwrap_err().to_string();
            assert!(error.contains("inside of the package"), "{error}");
        }
    }

    #[test]
    fn two_modules_of_one_name_are_refused() {
        let error = super::embed(["a/add.mlir", "b/mul.mlir", "b/add.mlirbc"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a/add.mlir and b/add.mlirbc: both modules are named 'add'; 'Builder::named' gives one another name"
        );
    }
}
