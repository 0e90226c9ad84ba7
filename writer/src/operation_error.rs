//! Errors of writing an operation, with the operation's name, path and location.

use rmlir_format::{Error, ErrorKind};
use rmlir_ir::{LocationKind, Op};
use rmlir_text::{PrintOptions, print_location};

/// The maximum length of a location in an error.
const LONGEST: u64 = 512;

/// Adds the path and the location of the operation that cannot be written.
///
/// Errors with another cause, such as limits of the whole file, are unchanged.
#[cold]
#[inline(never)]
pub(crate) fn in_operation<'a>(error: Error, operation: impl Into<Op<'a>>) -> Error {
    if !matches!(
        error.kind(),
        ErrorKind::InvalidRequest | ErrorKind::Unsupported
    ) {
        return error;
    }
    let operation = operation.into();
    let path = operation.path();
    let location = operation.module.location(operation.operation);
    if matches!(
        operation.context.location_kind(location),
        LocationKind::Unknown
    ) {
        return error.about(format_args!("cannot write {path}"));
    }
    let mut options = PrintOptions::default();
    options.max_output = LONGEST;
    let mut shown = Vec::new();
    // A location that is too long is truncated.
    let _ = print_location(operation.context, location, &options, &mut shown);
    let shown = String::from_utf8_lossy(&shown);
    error.about(format_args!("cannot write {path} at {shown}"))
}
