//! Writes MLIR bytecode.

pub mod rmbc;
