//! What the fuzzers of rmlir check, as ordinary functions.
//!
//! Each function takes any bytes and panics if a promise is broken. The libFuzzer binaries in `run/` call
//! them, and so does a test here, with inputs made from `seeds/` in the same way each time, so that
//! `cargo test` covers them with any compiler.
#![allow(clippy::panic)]

mod builder;
mod lexer;
mod mlirbc;
mod parse;
mod rmbc;
mod text_fixpoint;

pub use builder::builder;
pub use lexer::lexer;
pub use mlirbc::mlirbc_bytes;
pub use parse::parse;
pub use rmbc::{rmbc_bytes, rmbc_repaired};
pub use text_fixpoint::text_fixpoint;

use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::text::PrintOptions;

/// A context with all definitions.
fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

/// A module survives the way through text, in generic and custom form, with aliases and without, and the
/// way through bytecode.
fn round_trip(context: &mut Context, module: &Module) {
    for (generic, local_scope) in [(true, false), (false, false), (true, true)] {
        let mut options = PrintOptions::default();
        options.debug_info = true;
        options.generic = generic;
        options.local_scope = local_scope;
        options.max_output = 1 << 20;
        text_fixpoint::check(context, module, &options);
    }
    rmbc::rmbc_round_trip(context, module);
}

/// Two modules have the same content, locations included.
fn assert_equal(
    a: &Context,
    module_a: &Module,
    b: &Context,
    module_b: &Module,
    text: impl Fn() -> String,
) {
    let options = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference((a, module_a), (b, module_b), options) {
        panic!("the content differs: {difference}\n{}", text());
    }
}

#[cfg(test)]
mod tests;
