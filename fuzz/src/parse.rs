//! The text parser.

use crate::context;
use rmlir::ir::{Context, Module};
use rmlir::text::{ParseOptions, parse_attribute, parse_module, parse_type};

/// Any bytes are a module or an error with a place in them. So they are with no definitions at hand, and
/// as an attribute or a type.
pub fn parse(data: &[u8]) {
    drop(module(&mut context(), data));
    drop(module(&mut Context::new(), data));
    drop(parse_attribute(&mut context(), data));
    drop(parse_type(&mut context(), data));
}

/// The module that the bytes spell, if they do.
pub(crate) fn module(context: &mut Context, data: &[u8]) -> Option<Module> {
    let mut options = ParseOptions::default();
    options.keep_names = true;
    parse_module(context, data, &options)
        .map_err(|error| {
            // Showing an error reads the source again.
            assert!(!error.to_string().is_empty());
        })
        .ok()
}
