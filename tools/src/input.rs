//! Input: a file or standard input, as text or bytecode.

use crate::Failure;
use crate::compressed::Compression;
use crate::foreign;
use rmlir::embedded::{Unread, Unwrapped};
use rmlir::format::{ErrorKind, Limits, Source};
use rmlir::{Form, ReadOptions, embedded};
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Input that was opened. Clones share the bytes.
#[derive(Clone)]
pub struct Input {
    /// The bytes, once they are read.
    source: Arc<OnceLock<Source>>,
    form: Form,
    len: u64,
    /// The path, unless it is standard input.
    path: Option<PathBuf>,
    /// The name in messages and locations.
    pub name: String,
}

impl Input {
    fn new(name: &str, source: Source) -> Self {
        Input {
            form: Form::of(&source),
            len: source.len() as u64,
            source: Arc::new(OnceLock::from(source)),
            path: None,
            name: name.to_owned(),
        }
    }

    /// Returns the module that the options select in the files of a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or several.
    pub fn of_folder(path: &str, options: &ReadOptions) -> Result<Self, Failure> {
        let found = embedded::unwrap_folder(path, options)?;
        match embedded::choose(found, options.select.as_ref()) {
            Ok(artifact) => Ok(Input::new(path, artifact.source)),
            Err(error) => Err(unread_module(path, &error)),
        }
    }

    /// Returns the module that the options select in an input that wraps several, or the only one.
    /// Plain modules are returned as they are.
    ///
    /// # Errors
    ///
    /// If there is none, or several.
    pub fn unwrapped(self, options: &ReadOptions) -> Result<Self, Failure> {
        // Bytecode that is read by position is not read for this.
        if self.is_positioned() && options.select.is_none() {
            return Ok(self);
        }
        let source = match self.source.get() {
            Some(source) => source,
            None => &Source::read(&self.name).map_err(|e| unread(&self.name, &e))?,
        };
        if options.select.is_none() && !embedded::is_wrapped(source) {
            return Ok(self);
        }
        match embedded::resolve_file(source.clone(), self.path.as_deref(), options) {
            Ok(source) => Ok(Input {
                path: self.path.clone(),
                ..Input::new(&self.name, source)
            }),
            Err(unresolved) => {
                let found = unresolved.found;
                let has_nothing = found.is_some_and(|found| has_nothing(&found, source));
                match foreign::identify(source) {
                    Some(_) if has_nothing => self.clone().expect_mlir(),
                    _ => Err(unread_module(&self.name, &unresolved.error)),
                }
            }
        }
    }

    /// Returns the content of input that is compressed by gzip or zstd; other input as it is.
    ///
    /// # Errors
    ///
    /// If it is damaged, or larger than the limits allow.
    pub fn decompressed(self, limits: &Limits) -> Result<Self, Failure> {
        if self.is_positioned() {
            return Ok(self);
        }
        let source = self.source()?;
        let Some(compression) = Compression::of(source) else {
            return Ok(self);
        };
        let limit = limits.max_decompressed_bytes;
        let limit = limit.saturating_add((source.len() as u64).saturating_mul(256));
        let bytes = compression.decompress(source, limit, &self.name)?;
        Ok(Input {
            path: self.path.clone(),
            ..Input::new(&self.name, Source::from(bytes))
        })
    }

    /// Checks that a text is not a file of another kind.
    ///
    /// # Errors
    ///
    /// If it is, with its format and a remedy.
    pub fn expect_mlir(self) -> Result<Self, Failure> {
        if self.form == Form::Text
            && let Some(sentence) = foreign::identify(self.source()?)
        {
            return Err(Failure::Input(format!("{}: error: {sentence}", self.name)));
        }
        Ok(self)
    }

    /// An input with this name and content.
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Input::new(name, Source::from(bytes))
    }

    /// An input without content, which is an empty module.
    pub fn empty(name: &str) -> Self {
        Input::new(name, Source::default())
    }

    /// The form of its content.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the number of bytes: once they are read, of the module alone.
    pub fn byte_len(&self) -> u64 {
        self.source
            .get()
            .map_or(self.len, |source| source.len() as u64)
    }

    /// Returns the modules in it.
    ///
    /// # Errors
    ///
    /// Those of [`source`](Self::source).
    pub fn search(&self, options: &ReadOptions) -> Result<Unwrapped, Failure> {
        let source = match self.source.get() {
            Some(source) => source,
            None => &Source::read(&self.name).map_err(|e| unread(&self.name, &e))?,
        };
        Ok(match &self.path {
            Some(path) => embedded::unwrap_file(source, path, options),
            None => embedded::unwrap(source, options),
        })
    }

    /// Returns all bytes.
    ///
    /// # Errors
    ///
    /// If the input is a file that must be read now, and that fails.
    pub fn source(&self) -> Result<&Source, Failure> {
        if let Some(source) = self.source.get() {
            return Ok(source);
        }
        let source = Source::read(&self.name).map_err(|e| unread(&self.name, &e))?;
        // Only now it is known whether other bytes follow the module.
        let source = embedded::resolve(source, &ReadOptions::default())
            .map_err(|error| unread_module(&self.name, &error))?;
        Ok(self.source.get_or_init(|| source))
    }

    /// Returns whether nothing of the input is in memory, so that it is to be read by position.
    pub fn is_positioned(&self) -> bool {
        self.source.get().is_none()
    }

    /// Opens bytecode, of which parts can be read; `None` for text.
    ///
    /// # Errors
    ///
    /// If it is damaged so that it cannot be opened.
    pub fn open(&self, options: &ReadOptions) -> Result<Option<rmlir::File>, Failure> {
        if self.form == Form::Text {
            return Ok(None);
        }
        let file = match self.is_positioned() {
            true => rmlir::File::open_with(&self.name, options),
            false => rmlir::File::from_bytes(self.source()?.clone(), options),
        };
        file.map(Some).map_err(|error| self.failure(error))
    }

    /// Returns the failure of reading this input. If upstream's bytecode cannot be decoded, it
    /// lists the commands that work nevertheless.
    pub fn failure(&self, error: impl Into<rmlir::Error>) -> Failure {
        let error = error.into();
        let Some(cause) = error.as_format() else {
            return Failure::from(error);
        };
        let message = format!("{}: error: {cause}", self.name);
        if self.form == Form::Mlirbc && cause.kind() == ErrorKind::Unsupported {
            return Failure::Undecoded(format!("{message}\n  = help: {UNDECODED}"));
        }
        Failure::Input(message)
    }
}

const UNDECODED: &str = "definitions are loaded with '--dialect', '--producer-release' says which release wrote the file; 'info', 'list', \
                         'size' and 'dump' do without, and 'convert' and 'extract --no-references' copy to upstream's bytecode ('--to mlirbc')";

/// Reads a file, or standard input for `-`. With `map`, a file is mapped into memory, so that it
/// must not be changed while the program runs; without, bytecode is read by position, as far as it
/// is needed.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(path: &str, map: bool) -> Result<Input, Failure> {
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|e| Failure::io("<stdin>", &e))?;
        return Ok(Input::new("<stdin>", Source::from(bytes)));
    }
    if map {
        let source = map_file(Path::new(path)).map_err(|e| unread(path, &e))?;
        return Ok(of_file(path, source));
    }
    if let Some(input) = positioned(path) {
        return Ok(input);
    }
    let source = Source::read(path).map_err(|e| unread(path, &e))?;
    Ok(of_file(path, source))
}

fn of_file(path: &str, source: Source) -> Input {
    Input {
        path: Some(path.into()),
        ..Input::new(path, source)
    }
}

fn unread(path: &str, error: &rmlir::format::Error) -> Failure {
    let message = error.message();
    Failure::file(path, crate::without_code(message))
}

/// Returns a file if it contains bytecode, reading only its first bytes.
fn positioned(path: &str) -> Option<Input> {
    let mut file = File::open(path).ok()?;
    let metadata = file.metadata().ok().filter(Metadata::is_file)?;
    let mut first = [0; 8];
    file.read_exact(&mut first).ok()?;
    let form = Form::of(&first);
    (form != Form::Text).then(|| Input {
        source: Arc::default(),
        form,
        len: metadata.len(),
        path: Some(path.into()),
        name: path.to_owned(),
    })
}

/// Maps a file; see [`read`] for the requirement on users.
#[allow(unsafe_code)]
fn map_file(path: &Path) -> rmlir::format::Result<Source> {
    // SAFETY: the programs' help requires that their input is not changed while they run;
    // `--no-mmap` is available for files that others may change.
    unsafe { Source::map(path) }
}

/// The failure of choosing a module of an input.
fn unread_module(name: &str, error: &rmlir::Error) -> Failure {
    Failure::file(name, error.cause().to_string())
}

/// Returns whether nothing is wrapped in bytes; what they are as a whole does not count.
fn has_nothing(found: &Unwrapped, source: &Source) -> bool {
    let mut artifacts = found.artifacts.iter();
    found.unread.iter().all(Unread::is_whole)
        && artifacts.all(|artifact| artifact.source.len() == source.len())
}
