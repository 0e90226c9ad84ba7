//! `rmlir verify`: verifies files.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::LoadOptions;
use crate::output::Output;
use clap::Args;
use rmlir::ir::{VerifierCode, unchecked_operations};
use std::io::{self, Write};

/// Verify that files are intact and their modules valid
///
/// Checks structure, dominance and symbols, and the attributes, types, traits and parts of
/// operations that have definitions. Verifiers that a dialect implements in C++ are checked as far
/// as this program implements them; '--verbose' counts the other operations.
///
/// Of rmbc, checks every byte, including blobs in other files, and the index and stored
/// fingerprints.
#[derive(Args, Debug)]
pub struct Verify {
    /// The input files; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Count the operations whose rules are not all checked
    #[arg(long)]
    verbose: bool,
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
        let file = self.load.open(&loaded.input)?;
        if let Some(file) = file.as_ref().and_then(rmlir::File::as_rmbc) {
            // Reading checks what it reads; these are all pages.
            file.verify()
                .and_then(|()| file.verify_index(&loaded.context, &loaded.module))
                .map_err(|e| loaded.input.failure(e))?;
        }
        if self.verbose {
            Output::Standard.write(|out| {
                report_unchecked(&loaded, out).map_err(|e| Failure::io("<stdout>", &e))
            })?;
        }
        Ok(())
    }
}

/// Writes the operations that were not checked completely, one per line.
fn report_unchecked(loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    let (context, module) = (&loaded.context, &loaded.module);
    let found = unchecked_operations(context, module, module.top());
    let name = &loaded.input.name;
    for (code, what) in [
        (
            VerifierCode::Missing,
            "operations with rules in C++, which were not checked",
        ),
        (
            VerifierCode::Unknown,
            "operations that may have rules in C++, which were not checked",
        ),
        (
            VerifierCode::Undefined,
            "operations without a definition, of which the structure was checked",
        ),
    ] {
        let of_code = found.iter().filter(|of| of.code == code);
        let total: usize = of_code.clone().map(|of| of.count).sum();
        if total == 0 {
            continue;
        }
        writeln!(out, "{name}: {what}: {total}")?;
        for of in of_code {
            let operation = context.operation_name_bytes(of.name).escape_ascii();
            writeln!(out, "{:>8} {operation}", of.count)?;
        }
    }
    if found.is_empty() {
        writeln!(out, "{name}: all rules of all operations were checked")?;
    }
    Ok(())
}
