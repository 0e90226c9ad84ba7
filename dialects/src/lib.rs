//! Definitions of MLIR dialects as data, and hooks for the parts that data cannot express.
//!
//! The definitions are files in `definitions/`, in the format of `spec/dialect-definitions.md`: one
//! set for LLVM 19, 22 and 24, and definitions of StableHLO, Shardy, IREE, CIRCT and torch-mlir.
//! They are embedded in the library. Each is parsed when a context first encounters the dialect. An
//! operation has custom syntax if its definition has a format or names a hook.
//!
//! ```
//! let mut context = rmlir_ir::Context::new();
//! rmlir_dialects::register_all(&mut context);
//! let name = context.operation_name("func.func");
//! assert!(context.operation_traits(name).is_some());
//! ```

mod acc;
mod affine;
mod arith;
mod async_dialect;
mod bufferization;
mod builtin;
mod bundled;
mod circt;
mod complex;
mod control;
mod derived;
mod dimensions;
mod directive;
mod dlti;
mod func;
mod function;
mod gpu;
mod helpers;
mod hooks;
mod irdl;
mod iree;
mod iterators;
mod linalg;
mod llvm;
mod memref;
mod ml_program;
mod names;
mod nvvm;
mod omp;
mod pdl;
pub mod portable;
mod quant;
mod regions;
mod scf;
mod sdy;
mod shape;
mod shard;
mod smt;
mod sparse_tensor;
mod spirv;
mod stablehlo;
mod stablehlo_syntax;
mod switch;
mod test;
mod torch;
mod tosa;
mod transform;
mod triton;
mod two_way;
mod vector;
mod vhlo;
mod wasmssa;

pub use bundled::{BundledDialects, texts};
pub use hooks::Hooks;

use rmlir_ir::Context;
use std::sync::Arc;

/// Registers all definitions of this crate with a context. Each is parsed on first use.
pub fn register_all(context: &mut Context) {
    context.set_dialect_source(Arc::new(BundledDialects));
}
