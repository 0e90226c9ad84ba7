//! Input: a file or standard input, as text or bytecode.

use crate::Failure;
use rmlir::format::{Limits, Source, Threads};
use rmlir::reader::rmbc;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The kind of an input, determined by its first bytes.
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
    /// Returns its name: `rmbc`, `mlirbc` or `text`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rmbc => "rmbc",
            Kind::Mlirbc => "mlirbc",
            Kind::Text => "text",
        }
    }

    /// Returns the kind of an input with these bytes.
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

/// An opened input. Clones share the bytes.
#[derive(Clone)]
pub struct Input {
    /// The bytes, once they are read.
    source: Arc<OnceLock<Source>>,
    kind: Kind,
    len: u64,
    /// The name in messages and locations.
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

    /// Returns the kind of the input.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the number of bytes.
    pub fn byte_len(&self) -> u64 {
        self.len
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
        Ok(self.source.get_or_init(|| source))
    }

    /// Returns whether nothing of the input is in memory, so that it is to be read by position.
    pub fn is_positioned(&self) -> bool {
        self.source.get().is_none()
    }

    /// Returns the options for reading it as native bytecode with these threads. Blobs may be in
    /// files beside it.
    pub fn rmbc_options(&self, threads: Threads, limits: Limits) -> rmbc::ReadOptions {
        let mut options = rmbc::ReadOptions::default();
        options.threads = threads;
        options.limits = limits;
        options.external = Some(rmbc::Resolver::beside(&self.name));
        options
    }
}

/// Reads a file, or standard input for `-`. With `map`, a file is mapped into memory and must not
/// be changed while the program runs; without, bytecode is read by position, as far as it is
/// needed.
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

/// Returns a file if it contains bytecode, reading only its first bytes.
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

/// Maps a file; see [`read`] for the requirement on users.
#[allow(unsafe_code)]
fn map_file(path: &Path) -> rmlir::format::Result<Source> {
    // SAFETY: the programs' help requires that their input is not changed while they run;
    // `--no-mmap` is available for files that others may change.
    unsafe { Source::map(path) }
}
