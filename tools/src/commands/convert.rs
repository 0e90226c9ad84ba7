//! `rmlir convert`: converts between text and bytecode.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::Verifying;
use crate::save::SaveOptions;
use clap::Args;
use rmlir::reader::mlirbc;
use std::io::Write;

/// Convert between text, rmbc and mlirbc
///
/// The form of the input is recognized by its content. An mlirbc file with attributes or types in
/// an unknown encoding can be converted to mlirbc only: it is copied.
#[derive(Args, Debug)]
pub struct Convert {
    /// The input file; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Convert {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        // Before anything is read.
        self.save.form()?;
        let input = self.load.read(&self.input)?;
        let mut loaded = match Loaded::from_input(&self.load, input.clone()) {
            Ok(loaded) => loaded,
            Err(failure) => {
                let copy = |file: &mlirbc::File, out: &mut dyn Write| file.copy(out);
                self.save
                    .copy_undecoded(&self.load, &input, failure, copy)?;
                return Ok(ExitStatus::Success);
            }
        };
        self.save.save(
            &self.load,
            &loaded.input,
            &mut loaded.context,
            &loaded.module,
        )?;
        Ok(ExitStatus::Success)
    }
}
