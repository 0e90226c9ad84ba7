//! Syntax of CIRCT's dialects.

pub(crate) mod directives;
pub(crate) mod fields;
pub(crate) mod firrtl;
pub(crate) mod functions;
pub(crate) mod handlers;
pub(crate) mod infer;
pub(crate) mod module;
pub(crate) mod names;
pub(crate) mod parameters;
pub(crate) mod register;
pub(crate) mod small;
pub(crate) mod ssp;
pub(crate) mod two_way;
pub(crate) mod types;
