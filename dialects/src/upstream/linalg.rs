//! The `linalg` dialect: structured operations whose custom syntax omits the region that they
//! compute.

pub(crate) mod body;
pub(crate) mod inputs_outputs;
pub(crate) mod named;
pub(crate) mod shaped;
