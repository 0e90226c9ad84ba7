//! Definitions of MLIR dialects as data, and the hooks that data cannot say.
//!
//! What is here so far: `builtin` and `func` with their custom syntax, and the alias names of the
//! dialects that upstream's `mlir-opt` registers.
//!
//! ```
//! let mut context = rmlir_ir::Context::new();
//! rmlir_dialects::register_all(&mut context);
//! let name = context.operation_name("func.func");
//! assert!(context.operation_traits(name).is_some());
//! ```

mod aliases;
pub mod builtin;
pub mod func;

use rmlir_ir::Context;

/// Makes all definitions of this crate known to a context. Costs no more than a few pointers.
pub fn register_all(context: &mut Context) {
    context.register_dialect(&builtin::DIALECT);
    context.register_dialect(&func::DIALECT);
    for definition in aliases::DIALECTS {
        context.register_dialect(definition);
    }
}
