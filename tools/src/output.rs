//! Output: a file that is written atomically, or standard output.

use crate::diagnostics::DiagnosticFormat;
use crate::process::{check_standard_output, remove_temporary_files_on_signals};
use crate::{Failure, without_code};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use rmlir::format::{Error, create_atomically, write_atomically};
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// The destination of output.
pub enum Output {
    /// Standard output.
    Standard,
    /// A file.
    File(String),
    /// A file that does not exist, or may be replaced; links are not followed. For names that the
    /// input has.
    New {
        /// The path.
        path: String,
        /// Whether it may exist.
        replaces: bool,
    },
}

impl Output {
    /// Returns the output that `-o` names: `-` or nothing is standard output.
    pub fn new(path: Option<&str>) -> Self {
        match path {
            None | Some("-") => Output::Standard,
            Some(path) => Output::File(path.to_owned()),
        }
    }

    /// Checks that binary output does not go to a terminal.
    ///
    /// # Errors
    ///
    /// If the output is standard output and a terminal.
    pub fn check_binary(&self) -> Result<(), Failure> {
        match self {
            Output::Standard if std::io::stdout().is_terminal() => Err(Failure::Usage(
                "bytecode is not written to a terminal; name a file with '-o' or redirect the output".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Checks that an output of another kind than the inputs does not replace one of them.
    ///
    /// # Errors
    ///
    /// If the output is one of these files.
    pub fn check_replaces_none(
        &self,
        inputs: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<(), Failure> {
        let (Output::File(output) | Output::New { path: output, .. }) = self else {
            return Ok(());
        };
        let Ok(real) = Path::new(output).canonicalize() else {
            return Ok(());
        };
        let mut inputs = inputs.into_iter();
        let is_output = |input: &Path| input.canonicalize().is_ok_and(|input| input == real);
        match inputs.any(|input| is_output(input.as_ref())) {
            true => Err(Failure::Usage(format!(
                "'{output}' is an input and the output: it would be replaced"
            ))),
            false => Ok(()),
        }
    }

    /// Adds the name of the output to a failure of writing it.
    fn named(&self, failure: Failure) -> Failure {
        let name = match self {
            Output::Standard => "<stdout>",
            Output::File(path) | Output::New { path, .. } => path,
        };
        match failure {
            Failure::Output(reason) => Failure::file(name, reason),
            other => other,
        }
    }

    /// Writes the output of `produce`. A file is replaced only when everything was written.
    ///
    /// # Errors
    ///
    /// That of `produce`, or if writing fails.
    pub fn write(
        &self,
        produce: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Output::Standard => {
                let mut out = std::io::stdout().lock();
                let write = || {
                    check_standard_output().map_err(|e| Failure::unwritten(&e))?;
                    produce(&mut out)?;
                    out.flush().map_err(|e| Failure::unwritten(&e))
                };
                write().map_err(|failure| self.named(failure))
            }
            Output::File(path) | Output::New { path, .. } => {
                remove_temporary_files_on_signals();
                let mut failure = None;
                let produce = |out: &mut dyn Write| {
                    produce(out).map_err(|f| {
                        failure = Some(f);
                        Error::new(rmlir::format::ErrorKind::Io, "the output was given up")
                    })
                };
                let result = match self {
                    Output::New { replaces, .. } => create_atomically(path, *replaces, produce),
                    _ => write_atomically(path, produce),
                };
                match (failure, result) {
                    // The reader of a named pipe is not the next command of a shell pipeline, so
                    // its end is an error.
                    (Some(Failure::BrokenPipe), _) => {
                        Err(self.named(Failure::Output("broken pipe".to_owned())))
                    }
                    (Some(failure), _) => Err(self.named(failure)),
                    (None, Err(error)) => {
                        let reason = without_code(error.message()).to_owned();
                        Err(self.named(Failure::Output(reason)))
                    }
                    (None, Ok(())) => Ok(()),
                }
            }
        }
    }
}

/// Removes the tip to pass an unknown option as a value: nobody has a file of that name.
fn remove_tip_of_values(answer: &mut clap::Error) {
    let Some(ContextValue::StyledStrs(tips)) = answer.get(ContextKind::Suggested) else {
        return;
    };
    let is_of_values = |tip: &&StyledStr| tip.to_string().contains("as a value, use");
    let tips: Vec<StyledStr> = tips
        .iter()
        .filter(|tip| !is_of_values(tip))
        .cloned()
        .collect();
    answer.remove(ContextKind::Suggested);
    if !tips.is_empty() {
        answer.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Ends the program without running it, as the command line requires: prints help, the version, or
/// the error in the command line.
pub fn finish_call(mut answer: clap::Error) -> ExitCode {
    remove_tip_of_values(&mut answer);
    let open = match answer.use_stderr() {
        true => Ok(()),
        false => check_standard_output(),
    };
    let printed = open
        .and_then(|()| answer.print())
        .and_then(|()| std::io::stdout().flush());
    match printed {
        Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
            let failure = Output::Standard.named(Failure::unwritten(&error));
            failure.report(DiagnosticFormat::Auto)
        }
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
    }
}
