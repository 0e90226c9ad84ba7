//! Definitions of MLIR dialects as data, and hooks for the parts that data cannot express.
//!
//! The definitions are files in `definitions/`, in the format of `spec/dialect-definitions.md`: one
//! set for LLVM 19 to 24, and definitions of StableHLO, Shardy, IREE, CIRCT and torch-mlir.
//! They are embedded in the library. Each is parsed when a context first encounters the dialect. An
//! operation has custom syntax if its definition has a format or names a hook.
//!
//! ```
//! let mut context = rmlir_ir::Context::new();
//! rmlir_dialects::register_all(&mut context);
//! let name = context.operation_name("func.func");
//! assert!(context.operation_traits(name).is_some());
//! ```

// Helpers that hooks share are there without the hooks, too; they are not compiled then.
#![cfg_attr(
    not(all(
        feature = "upstream",
        feature = "stablehlo",
        feature = "iree",
        feature = "circt",
        feature = "torch",
        feature = "triton",
    )),
    allow(
        dead_code,
        unused_imports,
        reason = "no enabled set of definitions uses it"
    )
)]

mod builtin;
mod bundled;
#[cfg(feature = "circt")]
mod circt;
mod control;
mod dimensions;
mod directive;
mod entry;
mod enumeration;
mod func;
mod function;
mod helpers;
mod hooks;
mod index_list;
mod inferred;
#[cfg(feature = "iree")]
mod iree;
mod names;
#[cfg(feature = "stablehlo")]
pub mod portable;
#[cfg(feature = "stablehlo")]
mod sdy;
#[cfg(feature = "stablehlo")]
mod stablehlo;
#[cfg(feature = "stablehlo")]
mod stablehlo_syntax;
#[cfg(feature = "torch")]
mod torch;
#[cfg(feature = "triton")]
mod triton;
mod two_way;
#[cfg(feature = "upstream")]
mod upstream;
#[cfg(feature = "stablehlo")]
mod vhlo;

pub use bundled::{BundledDialects, texts};
pub use hooks::Hooks;

use rmlir_ir::Context;
use std::sync::Arc;

/// Registers all definitions of this crate with a context. Each is parsed on first use.
pub fn register_all(context: &mut Context) {
    context.set_dialect_source(Arc::new(BundledDialects));
}
