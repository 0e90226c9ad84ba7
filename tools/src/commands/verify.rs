//! `rmlir verify`: whether files are good.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::lazy;
use crate::load::LoadOptions;
use clap::Args;

/// Verify files: that they can be read, and that what is in them obeys the rules of the IR. Of native bytecode, every byte is
/// checked, blobs in other files too, and whether the index and the fingerprints are right.
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
        Failure::of_each(&self.inputs, |input| self.verify(input))?;
        Ok(ExitStatus::Success)
    }
}

impl Verify {
    fn verify(&self, input: &str) -> Result<(), Failure> {
        let loaded = Loaded::read(&self.load, input)?;
        let file = lazy::open(&self.load, &loaded.context, &loaded.input)?;
        if let Some(file) = file.as_ref().and_then(lazy::File::as_rmbc) {
            // Reading checks what it reads; these are all pages.
            file.verify()
                .and_then(|()| file.verify_index(&loaded.context, &loaded.module))
                .map_err(|e| lazy::failure(&loaded.input, &e))?;
        }
        Ok(())
    }
}
