//! Writes MLIR bytecode.
