//! Definitions of MLIR dialects as data, and the hooks that data cannot say.
//!
//! The definitions are files in `definitions/`, in the format of `spec/dialect-definitions.md`:
//! those of LLVM 19, 22 and 24 at once, and of StableHLO, Shardy, IREE, CIRCT and torch-mlir. They
//! are part of the program, and each is read when the dialect is first met. Custom syntax is there
//! where a definition has a format, or names a hook.
//!
//! ```
//! let mut context = rmlir_ir::Context::new();
//! rmlir_dialects::register_all(&mut context);
//! let name = context.operation_name("func.func");
//! assert!(context.operation_traits(name).is_some());
//! ```

mod affine;
mod arith;
mod async_dialect;
mod bufferization;
mod builtin;
mod bundled;
mod complex;
mod control;
mod derived;
mod dimensions;
mod dlti;
mod func;
mod function;
mod gpu;
mod helpers;
mod hooks;
mod irdl;
mod iterators;
mod linalg;
mod llvm;
mod memref;
mod ml_program;
mod pdl;
mod quant;
mod regions;
mod scf;
mod sdy;
mod shape;
mod shard;
mod sparse_tensor;
mod spirv;
mod stablehlo;
mod stablehlo_syntax;
mod switch;
mod tosa;
mod transform;
mod vector;
mod vhlo;

pub use bundled::{BundledDialects, texts};
pub use hooks::Hooks;

use rmlir_ir::Context;
use std::sync::Arc;

/// Makes all definitions of this crate known to a context. Nothing is read before it is met.
pub fn register_all(context: &mut Context) {
    context.set_dialect_source(Arc::new(BundledDialects));
}
