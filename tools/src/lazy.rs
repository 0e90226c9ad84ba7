//! Input that is read lazily.

use crate::Failure;
use crate::input::{Input, Kind};
use crate::load::LoadOptions;
use rmlir::format::ErrorKind;
use rmlir::ir::Context;
use rmlir::reader::lazy::LazyFile;
use rmlir::reader::{mlirbc, rmbc};

/// A lazily read file of either kind of bytecode.
pub enum File {
    /// Native bytecode.
    Rmbc(Box<rmbc::File>),
    /// Upstream's bytecode.
    Mlirbc(Box<mlirbc::File>),
}

impl File {
    /// Returns the file as a trait object.
    pub fn as_lazy(&self) -> &dyn LazyFile {
        match self {
            File::Rmbc(file) => file.as_ref(),
            File::Mlirbc(file) => file.as_ref(),
        }
    }

    /// Returns the file if it is native bytecode.
    pub fn as_rmbc(&self) -> Option<&rmbc::File> {
        match self {
            File::Rmbc(file) => Some(file),
            File::Mlirbc(_) => None,
        }
    }

    /// Returns the file if it is upstream's bytecode.
    pub fn as_mlirbc(&self) -> Option<&mlirbc::File> {
        match self {
            File::Rmbc(_) => None,
            File::Mlirbc(file) => Some(file),
        }
    }

    /// Passes the texts in the tables of the file to `each`, including those that nothing refers
    /// to.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn texts(&self, each: &mut dyn FnMut(&[u8])) -> rmlir::format::Result<()> {
        match self {
            File::Rmbc(file) => file.texts(each),
            File::Mlirbc(file) => file.texts(each),
        }
    }

    /// Returns the number of operations that may or may not be symbols.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn undecided(&self) -> rmlir::format::Result<u64> {
        match self {
            File::Rmbc(_) => Ok(0),
            File::Mlirbc(file) => file.undecided(),
        }
    }
}

/// Opens the input as a lazily read file; `None` if it is text, which cannot be read in parts.
///
/// # Errors
///
/// If it is too damaged to be opened.
pub fn open(load: &LoadOptions, context: &Context, input: &Input) -> Result<Option<File>, Failure> {
    let file = match input.kind() {
        Kind::Text => return Ok(None),
        Kind::Rmbc => {
            let options = input.rmbc_options(load.threads(), load.limits());
            let file = match input.is_positioned() {
                true => rmbc::File::open(context, &input.name, options),
                false => rmbc::File::new(context, input.source()?.clone(), options),
            };
            file.map(|file| File::Rmbc(Box::new(file)))
        }
        Kind::Mlirbc => {
            let mut options = mlirbc::ReadOptions::default();
            options.normalize = !load.no_normalize;
            options.producer_release = load.producer_release;
            options.limits = load.limits();
            let file = match input.is_positioned() {
                true => mlirbc::File::open(context, &input.name, options),
                false => mlirbc::File::new(context, input.source()?.clone(), options),
            };
            file.map(|file| File::Mlirbc(Box::new(file)))
        }
    };
    file.map(Some).map_err(|error| failure(input, &error))
}

/// Converts an error of reading an input. For undecodable content in upstream's bytecode, the
/// message says what is possible nevertheless.
pub fn failure(input: &Input, error: &rmlir::format::Error) -> Failure {
    let message = format!("{}: error: {error}", input.name);
    if input.kind() == Kind::Mlirbc && error.kind() == ErrorKind::Unsupported {
        return Failure::Undecoded(format!("{message}\n  = help: {HELP}"));
    }
    Failure::Input(message)
}

const HELP: &str = "definitions are loaded with '--dialect', '--producer-release' says which release wrote the file; 'info', 'list', \
                    'size' and 'dump' do without, and 'convert' and 'extract --no-references' copy to upstream's bytecode ('--to mlirbc')";
