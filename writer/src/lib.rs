//! Writes MLIR bytecode.

pub mod mlirbc;
mod numbers;
pub mod rmbc;
mod use_order;
