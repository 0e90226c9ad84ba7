//! The progress of writers, which pass over a module twice.

use rmlir_ir::{Module, ProgressCounter, Stretch};

/// Begins one of the two passes over the operations of a module: each counts half of them.
pub(crate) fn one_of_two_passes(module: &Module, progress: &ProgressCounter) -> Stretch {
    let operations = module.operation_slots() as u64;
    progress.stretch(0..operations, operations / 2)
}
