//! MLIR as text, in memory and as bytecode, without LLVM.

pub use rmlir_dialects as dialects;
pub use rmlir_format as format;
pub use rmlir_ir as ir;
pub use rmlir_reader as reader;
pub use rmlir_text as text;
pub use rmlir_writer as writer;
