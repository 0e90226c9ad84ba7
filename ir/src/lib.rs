//! MLIR in memory: context, types, attributes, operations, walks, equality.

pub mod apint;
pub mod float;
