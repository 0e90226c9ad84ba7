//! Where a visit of a file was interrupted.

use crate::{mlirbc, rmbc};
use rmlir_format::{Error, ErrorKind};
use std::fmt;

/// An operation at which a visitor [interrupted](rmlir_ir::WalkResult::Interrupt) the visit of a
/// file. Another visit can go on from there: see
/// [`LazyFile::visit_repeatedly`](crate::lazy::LazyFile::visit_repeatedly).
///
/// It refers to nothing in a context, so the other visit may have another one. Memory is linear in
/// the operations and values that are in scope. O(1) to create.
#[derive(Clone)]
pub struct Pause(pub(crate) Paused);

/// The state of a visit, by format.
#[derive(Clone)]
pub(crate) enum Paused {
    /// Before everything.
    Start,
    Rmbc(Box<rmbc::Paused>),
    Mlirbc(Box<mlirbc::Paused>),
}

impl fmt::Debug for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pause").finish_non_exhaustive()
    }
}

/// Returns the error of a pause that is not of this file.
#[cold]
pub(crate) fn of_another_visit() -> Error {
    let message = "a visit cannot go on where another one was interrupted";
    Error::new(ErrorKind::Malformed, message)
}
