//! `rmlir dialect`: subcommands for dialect definitions.

mod check;
mod import;
mod show;

use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
pub use check::Check;
use clap::Subcommand;
pub use import::Import;
pub use show::{List, Show};

/// Make and check definitions of dialects, for '--dialect'.
#[derive(Subcommand, Debug)]
pub enum Dialect {
    /// Make a definition of what describes a dialect elsewhere
    Import(Import),
    /// Check definitions of dialects: that they can be read, and what is wrong or suspicious in
    /// them
    Check(Check),
    /// List the bundled definitions, or those in files, with how much they have
    List(List),
    /// Print a definition, or one operation, attribute or type of it, as canonical text
    Show(Show),
}

impl Dialect {
    fn inner(&self) -> &dyn Run {
        match self {
            Dialect::Import(command) => command,
            Dialect::Check(command) => command,
            Dialect::List(command) => command,
            Dialect::Show(command) => command,
        }
    }
}

impl Run for Dialect {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.inner().diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        self.inner().run()
    }
}
