//! Writes MLIR bytecode.

pub mod mlirbc;
mod numbers;
mod operation_error;
mod passes;
pub mod rmbc;
mod use_order;
