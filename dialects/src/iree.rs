//! Syntax of IREE's dialects.

pub(crate) mod assume;
pub(crate) mod bodies;
pub(crate) mod calls;
pub(crate) mod elements;
pub(crate) mod encoded;
pub(crate) mod external;
pub(crate) mod function;
pub(crate) mod lists;
pub(crate) mod names;
pub(crate) mod parts;
pub(crate) mod shaped;
pub(crate) mod symbols;
pub(crate) mod tolerances;
pub(crate) mod values;
