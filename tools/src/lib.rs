//! What the programs share: where input comes from, where output goes, and how they end.

pub mod input;
pub mod output;

use std::io::Write;
use std::process::ExitCode;

/// Why a program stops.
#[derive(Debug)]
pub enum Failure {
    /// The input is bad, or could not be read, or the output not written: exit status 1.
    Input(String),
    /// The program was called wrongly: exit status 2.
    Usage(String),
    /// Who read the output no longer does: a silent end with status 0.
    BrokenPipe,
}

impl Failure {
    /// A failure of reading or writing `what`.
    pub fn io(what: &str, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Input(format!("{what}: {error}")),
        }
    }

    /// Says it on standard error and gives the exit status.
    pub fn report(&self) -> ExitCode {
        // Nobody is left to tell if this fails.
        match self {
            Failure::Input(message) => {
                let _ = writeln!(std::io::stderr(), "{message}");
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                let _ = writeln!(
                    std::io::stderr(),
                    "error: {message}\n\nFor more information, try '--help'."
                );
                ExitCode::from(2)
            }
            Failure::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}
