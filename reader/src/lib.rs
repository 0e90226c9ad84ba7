//! Reads MLIR bytecode into memory.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

pub mod dump;
pub mod events;
pub mod lazy;
mod length;
mod lookup;
pub mod mlirbc;
mod pages;
mod pause;
pub mod rmbc;
mod symbol_path;
mod value_map;

pub use length::length;
