//! Input: a file or standard input, text or bytecode.

use crate::Failure;
use rmlir::format::{Limits, Source, Threads};
use rmlir::reader::rmbc;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What bytes are, as their first ones tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The native bytecode.
    Rmbc,
    /// Upstream's bytecode.
    Mlirbc,
    /// Text.
    Text,
}

/// The first bytes of upstream's bytecode.
const MLIRBC_MAGIC: &[u8] = b"ML\xefR";

impl Kind {
    /// Its name: `rmbc`, `mlirbc`, `text`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rmbc => "rmbc",
            Kind::Mlirbc => "mlirbc",
            Kind::Text => "text",
        }
    }

    /// Returns the kind of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&rmlir::format::section::MAGIC) {
            Kind::Rmbc
        } else if bytes.starts_with(MLIRBC_MAGIC) {
            Kind::Mlirbc
        } else {
            Kind::Text
        }
    }
}

/// Input that was opened. Clones share the bytes.
#[derive(Clone)]
pub struct Input {
    /// Its bytes, once they were read.
    source: Arc<OnceLock<Source>>,
    kind: Kind,
    len: u64,
    /// The name by which messages and locations call it.
    pub name: String,
}

impl Input {
    fn new(name: &str, source: Source) -> Self {
        Input {
            kind: Kind::of(&source),
            len: source.len() as u64,
            source: Arc::new(OnceLock::from(source)),
            name: name.to_owned(),
        }
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many bytes it has.
    pub fn byte_len(&self) -> u64 {
        self.len
    }

    /// Returns all its bytes.
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

    /// Returns whether it is a file of which nothing is in memory: it is to be read by position.
    pub fn is_positioned(&self) -> bool {
        self.source.get().is_none()
    }

    /// How it is read on so many threads if it is native bytecode: blobs may be in files beside it.
    pub fn rmbc_options(&self, threads: Threads, limits: Limits) -> rmbc::ReadOptions {
        let mut options = rmbc::ReadOptions::default();
        options.threads = threads;
        options.limits = limits;
        options.external = Some(rmbc::Resolver::beside(&self.name));
        options
    }
}

/// Reads a file, or standard input for `-`. With `map`, a file is mapped into memory, so that it
/// must not be changed while the program runs; without, bytecode is read by position, as far as it
/// is needed.
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

/// Returns a file with bytecode, of which no more is read here than shows that.
fn positioned(path: &str) -> Option<Input> {
    let mut file = File::open(path).ok()?;
    let metadata = file.metadata().ok().filter(Metadata::is_file)?;
    let mut first = [0; 8];
    file.read_exact(&mut first).ok()?;
    let kind = Kind::of(&first);
    (kind != Kind::Text).then(|| Input {
        source: Arc::default(),
        kind,
        len: metadata.len(),
        name: path.to_owned(),
    })
}

/// Maps a file; see [`read`] for what that asks of its user.
#[allow(unsafe_code)]
fn map_file(path: &Path) -> rmlir::format::Result<Source> {
    // SAFETY: the programs' help says that their input must not be changed while they run;
    // `--no-mmap` is there for files that others may change.
    unsafe { Source::map(path) }
}
