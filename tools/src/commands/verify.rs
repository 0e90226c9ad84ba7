//! `rmlir verify`: verifies files.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::{ALWAYS, Loading};
use crate::output::Output;
use clap::Args;
use rmlir::ir::{VerifierCode, unchecked_entries, unchecked_operations};
use rmlir::writer::rmbc::check_canonical;
use std::io::{self, Write};

/// Verify that files are intact and their modules valid
///
/// Checks structure, dominance and symbols, and the attributes, types, traits and parts of
/// operations that have definitions. Verifiers and constraints that a dialect implements in C++
/// are checked as far as this program implements them; '--verbose' counts the operations,
/// attributes and types of which it does not check all rules.
///
/// Of rmbc, checks every byte, including blobs in other files, and the index and stored
/// fingerprints.
#[derive(Args, Debug)]
pub struct Verify {
    /// The input files; `-` is standard input
    #[arg(default_value = "-")]
    inputs: Vec<String>,
    /// Count the operations, attributes and types whose rules are not all checked, by name
    ///
    /// Either their dialect has rules in C++ that this program does not have, or it is not known
    /// whether it has such rules, or they have no definition.
    #[arg(long)]
    verbose: bool,
    /// Refuse rmbc that is not canonical: other bytes than this program writes
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    load: Loading<ALWAYS>,
}

impl Run for Verify {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut failures = Vec::new();
        for input in &self.inputs {
            if let Err(failure) = self.verify(input) {
                Failure::keep(&mut failures, failure)?;
            }
        }
        let (bad, all) = (failures.len(), self.inputs.len());
        if bad == 0 {
            return Ok(ExitStatus::Success);
        }
        let format = self.load.diagnostic_format;
        for failure in &failures {
            failure.report(format);
        }
        if all > 1 {
            let verb = if bad == 1 { "is" } else { "are" };
            format.show_message(&format!("error: {bad} of {all} files {verb} not valid"));
        }
        Ok(ExitStatus::Different)
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
            if self.canonical {
                let (context, module) = (&loaded.context, &loaded.module);
                let (limits, threads) = (self.load.limits.of_bytecode(), self.load.threads());
                let source = loaded.input.source()?;
                check_canonical(context, module, source, &limits, threads)
                    .map_err(|e| loaded.input.failure(e))?;
            }
        }
        if self.verbose {
            Output::Standard.write(|out| {
                report_unchecked(&loaded, out).map_err(|e| Failure::io("<stdout>", &e))
            })?;
        }
        Ok(())
    }
}

/// Writes the names of operations, attributes and types that were not checked completely, one per
/// line.
fn report_unchecked(loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    let (context, module) = (&loaded.context, &loaded.module);
    let found = unchecked_operations(context, module, module.top());
    let name = &loaded.input.name;
    for (code, what) in [
        (
            VerifierCode::Missing,
            "operations with verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Constraint,
            "operations with constraints in C++, which were not checked",
        ),
        (
            VerifierCode::Unknown,
            "operations that may have verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Undefined,
            "operations without a definition, of which only the structure was checked",
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
    let entries = unchecked_entries(context, module, module.top());
    for (code, what) in [
        (
            VerifierCode::Missing,
            "attributes and types with verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Undefined,
            "attributes and types without a definition, which were not checked",
        ),
    ] {
        let of_code = entries.iter().filter(|of| of.code == code);
        let total: usize = of_code.clone().map(|of| of.count).sum();
        if total == 0 {
            continue;
        }
        writeln!(out, "{name}: {what}: {total}")?;
        for of in of_code {
            writeln!(out, "{:>8} {}", of.count, of.name)?;
        }
    }
    if found.is_empty() && entries.is_empty() {
        writeln!(
            out,
            "{name}: all rules of all operations, attributes and types were checked"
        )?;
    }
    Ok(())
}
