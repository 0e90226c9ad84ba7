//! Input: a file or standard input, text or bytecode.

use crate::Failure;
use rmlir::format::Source;
use rmlir::reader::rmbc;
use std::io::Read;
use std::path::Path;

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

    /// The kind of these bytes.
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

/// Input that was read. Clones share the bytes.
#[derive(Clone)]
pub struct Input {
    /// Its bytes.
    pub source: Source,
    /// The name by which messages and locations call it.
    pub name: String,
}

impl Input {
    /// How it is read if it is native bytecode: blobs may be in files beside it.
    pub fn rmbc_options(&self) -> rmbc::ReadOptions {
        let mut options = rmbc::ReadOptions::default();
        options.external = Some(rmbc::Resolver::beside(&self.name));
        options
    }
}

/// Reads a file, or standard input for `-`. With `map`, a file is mapped into memory, so that it must not
/// be changed while the program runs.
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
        return Ok(Input {
            source: Source::from(bytes),
            name: "<stdin>".to_owned(),
        });
    }
    let source = if map {
        map_file(Path::new(path))
    } else {
        Source::read(path)
    };
    let source = source.map_err(|e| Failure::Input(format!("{path}: {}", e.message())))?;
    Ok(Input {
        source,
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
