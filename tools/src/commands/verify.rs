//! `rmlir verify`: whether files are good.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::LoadOptions;
use clap::Args;

/// Verify files: that they can be read, and that what is in them obeys the rules of the IR.
#[derive(Args, Debug)]
pub struct Verify {
    /// The inputs; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Verify {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut failures = Vec::new();
        for input in &self.inputs {
            match Loaded::read(&self.load, input) {
                Ok(_) => {}
                Err(failure @ (Failure::Input(_) | Failure::Diagnostics(_))) => {
                    failures.push(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}
