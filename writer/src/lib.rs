//! Writes MLIR bytecode.

pub mod mlirbc;
pub mod rmbc;
