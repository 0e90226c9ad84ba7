//! Reads MLIR bytecode into memory.
