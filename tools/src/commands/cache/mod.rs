//! `rmlir cache`: runs compiler stages through a cache of their results.

mod maintain;
mod options;
mod run;
mod serve;
mod why;

use super::{Subcommand, subcommand::row};
use crate::Failure;
use rmlir_cache::Cache;
use std::path::PathBuf;

/// The subcommands of `rmlir cache`.
pub(super) const SUBCOMMANDS: &[Subcommand] = &[
    row::<run::RunStage>("run"),
    row::<run::Key>("key"),
    row::<why::Why>("why"),
    row::<maintain::ShowStats>("stats"),
    row::<maintain::Gc>("gc"),
    row::<maintain::Verify>("verify"),
    row::<maintain::Clear>("clear"),
    row::<serve::Serve>("serve"),
];

pub(super) const ABOUT: &str =
    "Run compiler stages through a cache: unchanged modules and functions are not compiled again";

/// Opens the cache as the subcommands do: settings that are not given are those of the environment
/// variables and of `rmlir.toml`.
///
/// # Errors
///
/// If the directory cannot be used, or the settings are invalid.
pub fn open(
    directory: Option<PathBuf>,
    remote: Option<String>,
    read_only: bool,
) -> Result<Cache, Failure> {
    options::CacheArguments::new(directory, remote, read_only).open()
}
