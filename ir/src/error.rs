//! [`Invalid`]: the reason why a type, attribute or edit is rejected.

use std::fmt;

/// A violated rule of the IR, as a message. One word wide.
#[derive(Clone, PartialEq, Eq)]
#[allow(clippy::box_collection)]
pub struct Invalid(Box<String>);

impl Invalid {
    /// Creates an error with this message.
    #[cold]
    #[inline(never)]
    pub fn new(message: impl Into<String>) -> Self {
        Invalid(Box::new(message.into()))
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Invalid({:?})", self.0)
    }
}

impl std::error::Error for Invalid {}
