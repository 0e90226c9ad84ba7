//! `rmlir completions`: completions for shells.

use super::{ExitStatus, Program, Run, print_bytes};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;

/// Print shell completions
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
    /// The program
    #[arg(long, value_name = "PROGRAM", default_value = "rmlir")]
    program: Program,
}

impl Run for Completions {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        DiagnosticFormat::Auto
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        let mut command = self.program.command();
        let name = command.get_name().to_owned();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print_bytes(&script)?;
        Ok(ExitStatus::Success)
    }
}
