//! `rmlir weights`: lists and exports constants and resources.

pub(in crate::commands) mod collect;
mod export;
mod list;

pub(super) const ABOUT: &str = "List and export constants and resources";

use super::subcommand::{Subcommand, row};

/// The subcommands.
pub(super) const SUBCOMMANDS: &[Subcommand] =
    &[row::<list::List>("list"), row::<export::Export>("export")];
