//! Writes MLIR bytecode.

pub mod mlirbc;
mod numbers;
mod operation_error;
pub mod rmbc;
mod use_order;
