//! What the programs share: where input comes from, where output goes, and how they end.

pub mod diagnostics;
pub mod input;
pub mod load;
pub mod output;
pub mod verify_diagnostics;

use diagnostics::DiagnosticFormat;
use rmlir::text::Diagnostic;
use std::process::ExitCode;

/// Why a program stops.
#[derive(Debug)]
pub enum Failure {
    /// The input is bad, or could not be read, or the output not written: exit status 1.
    Input(String),
    /// The same, with places in the input.
    Diagnostics(Vec<Diagnostic>),
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
    pub fn report(&self, format: DiagnosticFormat) -> ExitCode {
        match self {
            Failure::Input(message) => {
                format.show_message(message);
                ExitCode::from(1)
            }
            Failure::Diagnostics(diagnostics) => {
                format.show(diagnostics);
                ExitCode::from(1)
            }
            Failure::Usage(message) => {
                format.show_message(&format!(
                    "error: {message}\n\nFor more information, try '--help'."
                ));
                ExitCode::from(2)
            }
            Failure::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}
