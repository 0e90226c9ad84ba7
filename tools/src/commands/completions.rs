//! `rmlir completions`: completions for shells.

use super::{ExitStatus, Program, Run, print_bytes};
use crate::Failure;
use crate::completion;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;

/// Print a script for completions in a shell
///
/// The shell asks the program for them: also symbols of files, dialects, operations and releases
/// are completed. Bash: 'source <(rmlir completions bash)' in ~/.bashrc; zsh: the same in ~/.zshrc;
/// fish: 'rmlir completions fish | source' in config.fish. '--program rmlir-translate' is for that
/// program.
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
        let command = self.program.command();
        let shell = self.shell.to_string();
        let written = completion::write_script(&shell, command.get_name(), &mut script);
        written
            .ok_or_else(|| Failure::Usage(format!("there are no completions for '{shell}'")))?
            .map_err(|e| Failure::unwritten(&e))?;
        print_bytes(&script)?;
        Ok(ExitStatus::Success)
    }
}
