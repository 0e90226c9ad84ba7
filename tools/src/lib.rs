//! Shared code of the programs: input, output, and exit status.

pub mod blobs;
pub mod both;
pub mod commands;
pub mod completion;
pub mod compressed;
pub mod dashes;
pub mod definitions;
pub mod diagnostics;
pub mod facts;
pub mod foreign;
pub mod input;
pub mod inputs;
pub mod leaks;
pub mod limits;
pub mod listed;
pub mod load;
pub mod nested;
pub mod operation_map;
pub mod output;
#[cfg(feature = "arrow")]
mod parquet;
pub mod process;
pub mod progress;
pub mod rendered;
pub mod save;
pub mod signature;
pub mod source_location;
pub mod style;
pub mod symbols;
#[cfg(feature = "tables")]
pub mod tables;
pub mod translate;
pub mod verify_diagnostics;
pub mod written;

use diagnostics::DiagnosticFormat;
use rmlir::text::Diagnostic;
use std::process::ExitCode;

/// The reason why a program stops.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid or unreadable, or the output cannot be written: exit status 1.
    Input(String),
    /// An input is unreadable or lacks the requested items, or an output cannot be written: exit
    /// status 1.
    File {
        /// Its name.
        path: String,
        /// Why.
        reason: String,
    },
    /// Several failures of inputs: exit status 1.
    Several(Vec<Failure>),
    /// The input has content in an unknown encoding: exit status 1.
    Undecoded(String),
    /// The input is invalid; with locations.
    Diagnostics(Vec<Diagnostic>),
    /// The output could not be written, for this reason: exit status 1.
    /// [`Output::write`](output::Output::write) names it.
    Output(String),
    /// The command line is invalid: exit status 2.
    Usage(String),
    /// The reader of the output has closed it: ends silently with status 0.
    BrokenPipe,
}

impl Failure {
    /// Returns a failure of the file at `path`.
    pub fn file(path: &str, reason: impl Into<String>) -> Self {
        Failure::File {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    /// Returns a failure of reading or writing the file at `path`.
    pub fn io(path: &str, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::file(path, without_code(&error.to_string())),
        }
    }

    /// Returns a failure of writing the output.
    pub fn unwritten(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Output(without_code(&error.to_string()).to_owned()),
        }
    }

    /// Returns the failure with the name of the input that it is of, unless the message has it.
    #[must_use]
    pub fn in_input(self, name: &str) -> Self {
        match self {
            Failure::Input(message) => Failure::Input(match message.strip_prefix("error: ") {
                Some(reason) => format!("{name}: error: {reason}"),
                None => message,
            }),
            other => other,
        }
    }

    /// Runs `run` for each input. A bad input does not affect the others.
    ///
    /// # Errors
    ///
    /// Those of all bad inputs; any other failure immediately.
    pub fn of_each(
        inputs: &[String],
        mut run: impl FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut failures = Vec::new();
        for input in inputs {
            if let Err(failure) = run(input) {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)
    }

    /// Adds a failure of reading to those that are reported when all inputs were tried.
    ///
    /// # Errors
    ///
    /// Any other failure, which ends the work.
    pub fn keep(failures: &mut Vec<Failure>, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Input(_)
            | Failure::File { .. }
            | Failure::Several(_)
            | Failure::Undecoded(_)
            | Failure::Diagnostics(_) => {
                failures.push(failure);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Combines several failures of reading into one; an empty list is a success.
    ///
    /// # Errors
    ///
    /// If there is a failure.
    pub fn all(mut failures: Vec<Failure>) -> Result<(), Failure> {
        let diagnostics = |failure: &Failure| match failure {
            Failure::Diagnostics(diagnostics) => Some(diagnostics.clone()),
            _ => None,
        };
        if failures.len() < 2 {
            return failures.pop().map_or(Ok(()), Err);
        }
        // They are counted together.
        match failures.iter().map(diagnostics).collect::<Option<Vec<_>>>() {
            Some(diagnostics) => Err(Failure::Diagnostics(diagnostics.concat())),
            None => Err(Failure::Several(failures)),
        }
    }

    /// Returns the message, for callers that are not a program.
    pub fn message(&self) -> String {
        match self {
            Failure::Input(message)
            | Failure::Undecoded(message)
            | Failure::Output(message)
            | Failure::Usage(message) => message.clone(),
            Failure::File { path, reason } => format!("error: {path}: {reason}"),
            Failure::Several(failures) => {
                let messages: Vec<String> = failures.iter().map(Failure::message).collect();
                messages.join("\n")
            }
            Failure::Diagnostics(diagnostics) => {
                let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                lines.join("\n")
            }
            Failure::BrokenPipe => "broken pipe".to_owned(),
        }
    }

    /// Reports the failure on standard error and gives the exit status.
    pub fn report(&self, format: DiagnosticFormat) -> ExitCode {
        match self {
            Failure::Input(message) | Failure::Undecoded(message) => {
                format.show_message(&limits::with_options(message));
                ExitCode::from(1)
            }
            Failure::File { path, reason } => {
                format.show_file_message(path, &limits::with_options(reason));
                ExitCode::from(1)
            }
            Failure::Several(failures) => {
                for failure in failures {
                    failure.report(format);
                }
                ExitCode::from(1)
            }
            Failure::Diagnostics(diagnostics) => {
                let mut diagnostics = diagnostics.clone();
                for diagnostic in &mut diagnostics {
                    diagnostic.message = limits::with_options(&diagnostic.message).into_owned();
                }
                format.show(&diagnostics);
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

impl From<rmlir::Error> for Failure {
    fn from(error: rmlir::Error) -> Self {
        let diagnostics: Vec<Diagnostic> = error.diagnostics().cloned().collect();
        if !diagnostics.is_empty() {
            return Failure::Diagnostics(diagnostics);
        }
        let cause = error.cause();
        Failure::Input(match error.path() {
            Some(path) => format!("{path}: error: {cause}"),
            None => format!("error: {cause}"),
        })
    }
}

/// A message of the operating system without its number: "(os error 2)".
pub fn without_code(message: &str) -> &str {
    match message.rfind(" (os error ") {
        Some(at) if message.ends_with(')') => message.get(..at).unwrap_or(message),
        _ => message,
    }
}
