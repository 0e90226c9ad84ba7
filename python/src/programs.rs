//! The programs `rmlir` and `rmlir-translate`, for the scripts of the wheel.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs a program with these arguments, the name first, and returns the exit status.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let translates = arguments.first().is_some_and(|name| {
        std::path::Path::new(name)
            .file_stem()
            .is_some_and(|stem| stem == "rmlir-translate")
    });
    let status = py.detach(|| match translates {
        true => rmlir_tools::translate::run(arguments),
        false => rmlir_tools::commands::run(arguments),
    });
    // The number in an exit code cannot be asked for.
    (0..=u8::MAX)
        .find(|&number| ExitCode::from(number) == status)
        .unwrap_or(1)
}
