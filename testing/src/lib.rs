//! Helpers for the tests of several crates: reproducible random numbers, and the files of the
//! corpus.
//!
//! ```
//! use rmlir_testing::Prng;
//!
//! assert!(Prng::new(1).below(10) < 10);
//! ```

mod content;
pub mod corpus;
pub mod hostile;
mod implied;
mod mlir_opt;
mod names;
mod printing;
mod prng;
pub mod python;
pub mod wrapped;

pub use content::has_content;
pub use implied::remove_implied;
pub use mlir_opt::{dialects_of, mlir_opt, mlir_opt_by, mlir_opt_dialects};
pub use names::value_and_block_names;
pub use printing::{module_to_string, print_with_buffers};
pub use prng::Prng;

/// The dialects whose operations, attributes and types must all have custom syntax where upstream
/// has it, and whose files must parse and print as upstream does.
pub const GOAL_DIALECTS: &[&str] = &[
    "affine",
    "arith",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "chlo",
    "complex",
    "func",
    "gpu",
    "index",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "quant",
    "scf",
    "shape",
    "sparse_tensor",
    "stablehlo",
    "tensor",
    "tosa",
    "transform",
    "ub",
    "vector",
];

/// Returns whether this is an optimized build. If not, prints to standard output that the suite is
/// skipped, and the command that runs it.
#[allow(clippy::print_stdout)]
pub fn is_optimised(command: &str) -> bool {
    if cfg!(debug_assertions) {
        println!("SKIPPED: the suite runs in release builds: {command}");
        return false;
    }
    true
}
