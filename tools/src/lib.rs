//! What the programs share: where input comes from, where output goes, and how they end.

pub mod commands;
pub mod definitions;
pub mod diagnostics;
pub mod input;
pub mod lazy;
pub mod load;
pub mod output;
pub mod progress;
pub mod revealed;
pub mod save;
pub mod symbols;
pub mod verify_diagnostics;

use diagnostics::DiagnosticFormat;
use rmlir::text::Diagnostic;
use std::process::ExitCode;

/// Why a program stops.
#[derive(Debug)]
pub enum Failure {
    /// The input is bad, or could not be read, or the output not written: exit status 1.
    Input(String),
    /// The input has content in an encoding that is not known: exit status 1.
    Undecoded(String),
    /// The input is bad, with places in it.
    Diagnostics(Vec<Diagnostic>),
    /// The output could not be written, for this reason: exit status 1.
    /// [`Output::write`](output::Output::write) names it.
    Output(String),
    /// The program was called wrongly: exit status 2.
    Usage(String),
    /// Who read the output no longer does: a silent end with status 0.
    BrokenPipe,
}

impl Failure {
    /// Returns a failure of reading or writing `what`.
    pub fn io(what: &str, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Input(format!(
                "error: {what}: {}",
                without_code(&error.to_string())
            )),
        }
    }

    /// Returns a failure of writing the output.
    pub fn unwritten(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Output(without_code(&error.to_string()).to_owned()),
        }
    }

    /// Runs `run` for each input. A bad input does not keep the others from being looked at.
    ///
    /// # Errors
    ///
    /// Those of all inputs that are bad; any other failure at once.
    pub fn of_each(
        inputs: &[String],
        mut run: impl FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut failures = Vec::new();
        for input in inputs {
            match run(input) {
                Ok(()) => {}
                Err(
                    failure @ (Failure::Input(_) | Failure::Undecoded(_) | Failure::Diagnostics(_)),
                ) => failures.push(failure),
                Err(failure) => return Err(failure),
            }
        }
        Failure::all(failures)
    }

    /// Several failures of reading as one; none is none.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub fn all(failures: Vec<Failure>) -> Result<(), Failure> {
        let mut messages = Vec::new();
        let mut diagnostics = Vec::new();
        for failure in failures {
            match failure {
                Failure::Input(message) | Failure::Undecoded(message) => messages.push(message),
                Failure::Diagnostics(found) => diagnostics.extend(found),
                other => return Err(other),
            }
        }
        match (messages.is_empty(), diagnostics.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(Failure::Diagnostics(diagnostics)),
            (false, _) => {
                messages.extend(diagnostics.iter().map(ToString::to_string));
                Err(Failure::Input(messages.join("\n")))
            }
        }
    }

    /// Says it on standard error and gives the exit status.
    pub fn report(&self, format: DiagnosticFormat) -> ExitCode {
        match self {
            Failure::Input(message) | Failure::Undecoded(message) => {
                format.show_message(message);
                ExitCode::from(1)
            }
            Failure::Diagnostics(diagnostics) => {
                format.show(diagnostics);
                ExitCode::from(1)
            }
            Failure::Output(reason) => {
                format.show_message(&format!("error: {reason}"));
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

/// Returns a message of the operating system without its number: "(os error 2)".
pub fn without_code(message: &str) -> &str {
    match message.rfind(" (os error ") {
        Some(at) if message.ends_with(')') => message.get(..at).unwrap_or(message),
        _ => message,
    }
}
