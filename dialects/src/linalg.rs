//! The `linalg` dialect: structured operations whose custom syntax does not show what they compute.

pub(crate) mod body;
pub(crate) mod named;
pub(crate) mod parts;
pub(crate) mod shaped;
