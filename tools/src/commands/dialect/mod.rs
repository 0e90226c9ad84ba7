//! `rmlir dialect`: subcommands for dialect definitions.

mod check;
mod import;
mod merge;
mod show;

use super::{Subcommand, subcommand::row};

/// The subcommands of `rmlir dialect`.
pub(super) const SUBCOMMANDS: &[Subcommand] = &[
    row::<import::Import>("import"),
    row::<merge::Merge>("merge"),
    row::<check::Check>("check"),
    row::<show::List>("list"),
    row::<show::Show>("show"),
];

pub(super) const ABOUT: &str = "Import, merge, check and show dialect definitions";
