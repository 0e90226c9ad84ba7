//! `rmlir completions`: completions for shells.

use super::{ExitStatus, Run, print_bytes, program};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;

/// Print completions for a shell
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

impl Run for Completions {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        DiagnosticFormat::Auto
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program(), "rmlir", &mut script);
        print_bytes(&script)?;
        Ok(ExitStatus::Success)
    }
}
