//! [`Misaligned`]: the error of a module whose blobs cannot be used in place.

use std::fmt;

/// A module is at an address that is not a multiple of the alignment of its blobs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Misaligned {
    /// The name of the module.
    pub name: &'static str,
    /// The address of its first byte.
    pub address: usize,
    /// The alignment that is needed, in bytes.
    pub alignment: usize,
}

impl fmt::Display for Misaligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misaligned {
            name,
            address,
            alignment,
        } = self;
        write!(
            f,
            "the embedded module '{name}' is at the address {address:#x}, which is not a multiple of {alignment}: \
             its blobs cannot be used in place, and a copy of the module is needed"
        )
    }
}

impl std::error::Error for Misaligned {}
