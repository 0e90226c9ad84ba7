//! The checks of rmlir's fuzzers, as ordinary functions.
//!
//! Each function takes any bytes and panics if a promise is broken. The libFuzzer binaries in
//! `run/` call them, and so does the test `generators`, with inputs derived deterministically from
//! `seeds/`, so that `cargo test` covers them with any compiler.
#![allow(clippy::panic)]

mod builder;
mod definition;
mod differential;
mod lexer;
mod mlirbc;
mod parse;
mod rmbc;
mod text_fixpoint;
mod unwrap;
mod upstream_text;

pub use builder::builder;
pub use definition::{definition, definition_and_text};
pub use differential::{Comparison, compare_with_mlir_opt, mlirbc_differential};
pub use lexer::lexer;
pub use mlirbc::mlirbc_bytes;
pub use parse::{module, on_threads as parse_on_threads, options as parse_options, parse};
pub use rmbc::{rmbc_bytes, rmbc_repaired};
pub use text_fixpoint::text_fixpoint;
pub use unwrap::unwrap;

use rmlir::ir::{
    Context, EqualityOptions, FingerprintOptions, Module, VerifyOptions, fingerprint,
    semantic_difference, verify,
};
use rmlir::text::PrintOptions;
use std::sync::OnceLock;

/// Returns a context with all definitions.
pub fn context() -> Context {
    static REGISTERED: OnceLock<Context> = OnceLock::new();
    let registered = REGISTERED.get_or_init(|| {
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        context
    });
    registered.clone()
}

/// Checks that a module can be verified without a panic and round-trips: through text in generic
/// and custom form, with and without aliases and source names, and through both kinds of bytecode.
fn round_trip(context: &mut Context, module: &Module) {
    let errors = verify(context, module, module.top(), &VerifyOptions::default());
    let errors = errors.err().unwrap_or_default();
    for error in &errors {
        assert!(!error.message.to_string().is_empty());
    }
    for (generic, local_scope, keep_names, debug_info) in [
        (true, false, false, true),
        (false, false, true, false),
        (false, true, false, false),
        (false, false, false, true),
    ] {
        // Value names restart in each region, so text (as upstream's) cannot express uses from
        // outside of it, which are valid in unreachable blocks. Custom form is printed only for
        // valid modules.
        if !(upstream_text::uses_are_in_regions(module) && (generic || errors.is_empty())) {
            continue;
        }
        let mut options = PrintOptions::default();
        options.debug_info = debug_info;
        options.generic = generic;
        options.local_scope = local_scope;
        options.keep_names = keep_names;
        options.max_output = 1 << 20;
        text_fixpoint::check(context, module, &options);
    }
    rmbc::rmbc_round_trip(context, module);
    mlirbc::mlirbc_round_trip(context, module);
}

/// Asserts that two modules have the same content, including locations if requested.
fn assert_equal(
    a: &Context,
    module_a: &Module,
    b: &Context,
    module_b: &Module,
    locations: bool,
    text: impl Fn() -> String,
) {
    let options = EqualityOptions { locations };
    if let Some(difference) = semantic_difference((a, module_a), (b, module_b), &options) {
        panic!("the content differs: {difference}\n{}", text());
    }
    let options = FingerprintOptions { locations };
    assert!(
        fingerprint(a, module_a, module_a.top(), &options)
            == fingerprint(b, module_b, module_b.top(), &options),
        "the content is the same, the fingerprint differs\n{}",
        text()
    );
}
