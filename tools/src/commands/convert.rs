//! `rmlir convert`: from one form into another.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::LoadOptions;
use crate::save::SaveOptions;
use clap::Args;

/// Convert between text and bytecode. What the input is, its first bytes tell.
#[derive(Args, Debug)]
pub struct Convert {
    /// The input; `-` is standard input
    input: String,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Convert {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut loaded = Loaded::read(&self.load, &self.input)?;
        self.save.save(&mut loaded.context, &loaded.module)?;
        Ok(ExitStatus::Success)
    }
}
