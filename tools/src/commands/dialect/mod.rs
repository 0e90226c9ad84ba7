//! `rmlir dialect`: definitions of dialects.

mod import;

use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Subcommand;
pub use import::Import;

/// Make and check definitions of dialects, for '--dialect'.
#[derive(Subcommand, Debug)]
pub enum Dialect {
    /// Make a definition of what describes a dialect elsewhere
    Import(Import),
}

impl Dialect {
    fn inner(&self) -> &dyn Run {
        match self {
            Dialect::Import(command) => command,
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
