//! Input of which no more is read than is asked for.

use crate::Failure;
use crate::input::{Input, Kind};
use crate::load::LoadOptions;
use rmlir::format::ErrorKind;
use rmlir::ir::Context;
use rmlir::reader::lazy::LazyFile;
use rmlir::reader::{mlirbc, rmbc};

/// A file of either form of bytecode.
pub enum File {
    /// The native one.
    Rmbc(Box<rmbc::File>),
    /// Upstream's.
    Mlirbc(Box<mlirbc::File>),
}

impl File {
    /// Returns the file, whatever it is.
    pub fn as_lazy(&self) -> &dyn LazyFile {
        match self {
            File::Rmbc(file) => file.as_ref(),
            File::Mlirbc(file) => file.as_ref(),
        }
    }

    /// Returns the file of native bytecode, if it is one.
    pub fn as_rmbc(&self) -> Option<&rmbc::File> {
        match self {
            File::Rmbc(file) => Some(file),
            File::Mlirbc(_) => None,
        }
    }

    /// Returns the file of upstream's bytecode, if it is one.
    pub fn as_mlirbc(&self) -> Option<&mlirbc::File> {
        match self {
            File::Rmbc(_) => None,
            File::Mlirbc(file) => Some(file),
        }
    }

    /// Hands out what the tables of the file have of text, whether or not anything refers to it.
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

    /// How many operations may be symbols, which is not known.
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

/// The file that the input is, if it is of a form of which parts can be read: bytecode.
///
/// # Errors
///
/// If it is damaged so that it can't be opened.
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

/// What is wrong with the input. What can't be decoded of upstream's bytecode comes with what can
/// be done nevertheless.
pub fn failure(input: &Input, error: &rmlir::format::Error) -> Failure {
    let message = format!("{}: error: {error}", input.name);
    if input.kind() == Kind::Mlirbc && error.kind() == ErrorKind::Unsupported {
        return Failure::Undecoded(format!("{message}\n  = help: {HELP}"));
    }
    Failure::Input(message)
}

const HELP: &str = "definitions are loaded with '--dialect', '--producer-release' says which release wrote the file; 'info', 'list', \
                    'size' and 'dump' do without, and 'convert' and 'extract --no-references' copy to upstream's bytecode ('--to mlirbc')";
