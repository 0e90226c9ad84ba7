//! Output: a file that appears whole or not at all, or standard output.

use crate::Failure;
use rmlir::format::{Error, write_atomically};
use std::io::{IsTerminal, Write};

/// Where output goes.
pub enum Output {
    /// Standard output.
    Standard,
    /// A file.
    File(String),
}

impl Output {
    /// The output that `-o` names: `-` or nothing is standard output.
    pub fn new(path: Option<&str>) -> Self {
        match path {
            None | Some("-") => Output::Standard,
            Some(path) => Output::File(path.to_owned()),
        }
    }

    /// Refuses to write bytes to a terminal.
    ///
    /// # Errors
    ///
    /// If output goes to one.
    pub fn check_binary(&self) -> Result<(), Failure> {
        match self {
            Output::Standard if std::io::stdout().is_terminal() => Err(Failure::Usage(
                "bytecode is not written to a terminal; name a file with '-o' or redirect the output".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Writes what `produce` writes. A file is replaced only when all of it was written.
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
                produce(&mut out)?;
                out.flush().map_err(|e| Failure::io("<stdout>", &e))
            }
            Output::File(path) => {
                let mut failure = None;
                let result = write_atomically(path, |out| {
                    produce(out).map_err(|f| {
                        failure = Some(f);
                        Error::new(rmlir::format::ErrorKind::Io, "the output was given up")
                    })
                });
                match (failure, result) {
                    (Some(failure), _) => Err(failure),
                    (None, Err(error)) => {
                        Err(Failure::Input(format!("{path}: {}", error.message())))
                    }
                    (None, Ok(())) => Ok(()),
                }
            }
        }
    }
}
