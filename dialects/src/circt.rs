//! Syntax of CIRCT's dialects.

pub(crate) mod arrays;
pub(crate) mod attributes;
pub(crate) mod directives;
pub(crate) mod fields;
pub(crate) mod firrtl;
pub(crate) mod functions;
pub(crate) mod handlers;
pub(crate) mod hierarchy;
pub(crate) mod infer;
pub(crate) mod literals;
pub(crate) mod module;
pub(crate) mod names;
pub(crate) mod operands;
pub(crate) mod parameters;
pub(crate) mod register;
pub(crate) mod ssp;
pub(crate) mod types;
