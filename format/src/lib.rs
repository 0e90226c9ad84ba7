//! The wire level of rmlir's binary formats: cursors, variable-length integers, sections, checksums.

#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        clippy::expect_used
    )
)]

pub mod cursor;
pub mod error;
pub mod limits;
pub mod prefix_varint;
#[cfg(test)]
mod prng;
pub mod varint;

pub use cursor::Reader;
pub use error::{Error, ErrorKind, Result, ResultExt};
pub use limits::Limits;
