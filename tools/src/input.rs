//! Input: a file or standard input, text or bytecode.

use crate::Failure;
use rmlir::format::{ErrorKind, Source};
use rmlir::{Form, ReadOptions};
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Input that was opened. Clones share the bytes.
#[derive(Clone)]
pub struct Input {
    /// Its bytes, once they were read.
    source: Arc<OnceLock<Source>>,
    form: Form,
    len: u64,
    /// The name by which messages and locations call it.
    pub name: String,
}

impl Input {
    fn new(name: &str, source: Source) -> Self {
        Input {
            form: Form::of(&source),
            len: source.len() as u64,
            source: Arc::new(OnceLock::from(source)),
            name: name.to_owned(),
        }
    }

    /// The form of its content.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How many bytes it has.
    pub fn byte_len(&self) -> u64 {
        self.len
    }

    /// All its bytes.
    ///
    /// # Errors
    ///
    /// If it is a file that is read now, and can't be read.
    pub fn source(&self) -> Result<&Source, Failure> {
        if let Some(source) = self.source.get() {
            return Ok(source);
        }
        let source = Source::read(&self.name).map_err(|e| unread(&self.name, &e))?;
        Ok(self.source.get_or_init(|| source))
    }

    /// Whether it is a file of which nothing is in memory: it is to be read by position.
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
    /// comes with what can be done nevertheless.
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

/// Reads a file, or standard input for `-`. With `map`, a file is mapped into memory, so that it must not
/// be changed while the program runs; without, bytecode is read by position, as far as it is needed.
///
/// # Errors
///
/// If it can't be read.
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
        return Ok(Input::new(path, source));
    }
    if let Some(input) = positioned(path) {
        return Ok(input);
    }
    let source = Source::read(path).map_err(|e| unread(path, &e))?;
    Ok(Input::new(path, source))
}

fn unread(path: &str, error: &rmlir::format::Error) -> Failure {
    let message = error.message();
    Failure::Input(format!("error: {path}: {}", crate::without_code(message)))
}

/// A file with bytecode, of which no more is read here than shows that.
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
        name: path.to_owned(),
    })
}

/// Maps a file; see [`read`] for what that asks of its user.
#[allow(unsafe_code)]
fn map_file(path: &Path) -> rmlir::format::Result<Source> {
    // SAFETY: the programs' help says that their input must not be changed while they run; `--no-mmap`
    // is there for files that others may change.
    unsafe { Source::map(path) }
}
