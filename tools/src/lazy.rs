//! Input of which no more is read than is asked for.

use crate::Failure;
use crate::input::{Input, Kind};
use crate::load::LoadOptions;
use rmlir::ir::Context;
use rmlir::reader::mlirbc::{File, ReadOptions};

/// The file that the input is, if it is of a form of which parts can be read: upstream's bytecode.
///
/// # Errors
///
/// If it is damaged so that it can't be opened.
pub fn open(load: &LoadOptions, context: &Context, input: &Input) -> Result<Option<File>, Failure> {
    if Kind::of(&input.source) != Kind::Mlirbc {
        return Ok(None);
    }
    let mut options = ReadOptions::default();
    options.normalize = !load.no_normalize;
    options.producer_release = load.producer_release;
    File::new(context, input.source.clone(), options)
        .map(Some)
        .map_err(|error| failure(input, &error))
}

/// What is wrong with the input.
pub fn failure(input: &Input, error: &rmlir::format::Error) -> Failure {
    Failure::Input(format!("{}: error: {error}", input.name))
}
