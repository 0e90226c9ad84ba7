//! What the fuzzers of rmlir check, as ordinary functions.
//!
//! Each function takes any bytes and panics if a promise is broken. The libFuzzer binaries in `run/` call
//! them, and so does a test here, with inputs made from `seeds/` in the same way each time, so that
//! `cargo test` covers them with any compiler.
#![allow(clippy::panic)]

mod lexer;
mod parse;
mod text_fixpoint;

pub use lexer::lexer;
pub use parse::parse;
pub use text_fixpoint::text_fixpoint;

use rmlir::ir::{Context, Module};

/// A context with all definitions.
fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn assert_equal(
    _a: &mut Context,
    _module_a: &Module,
    _b: &mut Context,
    _module_b: &Module,
    _text: impl Fn() -> String,
) {
}

#[cfg(test)]
mod tests;
