//! Shared by all readers: numbers that denote entries of tables, and errors with their positions.

use rmlir_format::{Error, ErrorKind, Input, Result, ResultExt};

#[inline]
pub(crate) fn get<T: Copy>(table: &[T], number: u64) -> Option<T> {
    usize::try_from(number)
        .ok()
        .and_then(|number| table.get(number))
        .copied()
}

/// Returns entry `number` of a table, where `at` is the offset of the number.
#[inline]
pub(crate) fn lookup<T: Copy>(
    input: &impl Input,
    at: u64,
    what: &'static str,
    table: &[T],
    number: u64,
) -> Result<T> {
    match get(table, number) {
        Some(item) => Ok(item),
        None => Err(no_such(input, at, what, number, table.len())),
    }
}

#[cold]
#[inline(never)]
fn no_such(input: &impl Input, at: u64, what: &str, number: u64, count: usize) -> Error {
    malformed(
        input,
        at,
        format!("{what} #{number} is not there: {count} come before"),
    )
}

/// Returns the error about a number beyond the `count` entries of a table, in upstream's words.
#[cold]
#[inline(never)]
pub(crate) fn invalid_index(
    input: &impl Input,
    at: u64,
    what: &str,
    number: u64,
    count: usize,
) -> Error {
    malformed(
        input,
        at,
        format!("invalid {what} index: {number}, there are {count}"),
    )
}

/// Returns an error about the byte `at` of the file.
#[cold]
#[inline(never)]
pub(crate) fn malformed(
    input: &impl Input,
    at: u64,
    message: impl Into<std::borrow::Cow<'static, str>>,
) -> Error {
    Error::at(ErrorKind::Malformed, at, message).with_section(input.section())
}

/// Adds the position to an error of a limit.
pub(crate) fn placed<T>(input: &impl Input, at: u64, result: Result<T>) -> Result<T> {
    result
        .map_err(|error| error.with_offset(at))
        .in_section(input.section())
}
