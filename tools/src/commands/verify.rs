//! `rmlir verify`: verifies files.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::Inputs;
use crate::load::{ALWAYS, Loading};
use crate::output::Output;
use clap::Args;
use rmlir::Form;
use rmlir::ir::{VerifierCode, unchecked_entries, unchecked_operations};
use rmlir::writer::rmbc::check_canonical;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

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
    #[command(flatten)]
    inputs: Inputs,
    /// Count the operations, attributes and types whose rules are not all checked, by name
    ///
    /// Either their dialect has rules in C++ that this program does not have, or it is not known
    /// whether it has such rules, or they have no definition.
    #[arg(long)]
    verbose: bool,
    /// Refuse rmbc that is not canonical: other bytes than this program writes
    #[arg(long)]
    canonical: bool,
    /// Print one JSON object per file (spec/json.md); errors are on standard error as always
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Loading<ALWAYS>,
}

impl Run for Verify {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut failures = Vec::new();
        let paths = self.inputs.paths(&self.load)?;
        for path in &paths {
            if let Err(failure) = self.verify(path) {
                if self.json {
                    let errors = match &failure {
                        Failure::Diagnostics(errors) => errors.len(),
                        _ => 1,
                    };
                    print(&line(path, errors, None))?;
                }
                Failure::keep(&mut failures, failure)?;
            }
        }
        let (bad, all) = (failures.len(), paths.len());
        if bad == 0 {
            return Ok(ExitStatus::Success);
        }
        let format = self.load.diagnostic_format;
        for failure in &failures {
            failure.report(format);
        }
        if all > 1 {
            let verb = if bad == 1 { "is" } else { "are" };
            // A folder without files of MLIR is one input.
            let has_folder = paths.iter().any(|path| Path::new(path).is_dir());
            let what = if has_folder { "inputs" } else { "files" };
            format.show_message(&format!("error: {bad} of {all} {what} {verb} not valid"));
        }
        Ok(ExitStatus::Different)
    }
}

impl Verify {
    fn verify(&self, input: &str) -> Result<(), Failure> {
        let loaded = Loaded::read(&self.load, input)?;
        if self.canonical && loaded.input.form() != Form::Rmbc {
            let name = &loaded.input.name;
            let message = format!("{name}: error: '--canonical' is for rmbc, which this is not");
            return Err(Failure::Input(message));
        }
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
        if self.json {
            let unchecked = self.verbose.then(|| unchecked(&loaded));
            print(&line(&loaded.input.name, 0, unchecked.as_deref()))?;
        } else if self.verbose {
            Output::Standard.write(|out| {
                report_unchecked(&loaded, out).map_err(|e| Failure::io("<stdout>", &e))
            })?;
        }
        Ok(())
    }
}

/// The line of JSON of a file.
fn line(file: &str, errors: usize, unchecked: Option<&[Unchecked]>) -> String {
    let names = |unchecked: &Unchecked| -> Vec<Value> {
        let names = unchecked.names.iter();
        let entry = |(name, count): &(String, usize)| {
            json!({
                "kind": unchecked.kind,
                "reason": unchecked.reason,
                "name": name,
                "count": count,
            })
        };
        names.map(entry).collect()
    };
    let unchecked = unchecked.map(|all| all.iter().flat_map(names).collect::<Vec<_>>());
    let line = json!({
        "schema": "verify/1",
        "file": file,
        "valid": errors == 0,
        "errors": errors,
        "unchecked": unchecked,
    });
    format!("{line}\n")
}

/// What was not checked completely for one reason.
struct Unchecked {
    /// `operation` or `entry`, an attribute or type.
    kind: &'static str,
    /// The reason in JSON.
    reason: &'static str,
    /// The description for people.
    title: &'static str,
    /// The names, and how often they occur.
    names: Vec<(String, usize)>,
}

/// Returns what was not checked completely, by kind and reason.
fn unchecked(loaded: &Loaded) -> Vec<Unchecked> {
    let (context, module) = (&loaded.context, &loaded.module);
    let operations = unchecked_operations(context, module, module.top());
    let entries = unchecked_entries(context, module, module.top());
    let mut all = Vec::new();
    for (code, reason, title) in [
        (
            VerifierCode::Missing,
            "verifier",
            "operations with verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Constraint,
            "constraint",
            "operations with constraints in C++, which were not checked",
        ),
        (
            VerifierCode::Unknown,
            "unknown",
            "operations that may have verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Undefined,
            "undefined",
            "operations without a definition, of which only the structure was checked",
        ),
    ] {
        let of_code = operations.iter().filter(|of| of.code == code);
        let named = of_code.map(|of| {
            let name = context.operation_name_bytes(of.name).escape_ascii();
            (name.to_string(), of.count)
        });
        all.push(Unchecked {
            kind: "operation",
            reason,
            title,
            names: named.collect(),
        });
    }
    for (code, reason, title) in [
        (
            VerifierCode::Missing,
            "verifier",
            "attributes and types with verifiers in C++, which were not run",
        ),
        (
            VerifierCode::Undefined,
            "undefined",
            "attributes and types without a definition, which were not checked",
        ),
    ] {
        let of_code = entries.iter().filter(|of| of.code == code);
        all.push(Unchecked {
            kind: "entry",
            reason,
            title,
            names: of_code.map(|of| (of.name.to_string(), of.count)).collect(),
        });
    }
    all
}

/// Writes the names of operations, attributes and types that were not checked completely, one per
/// line.
fn report_unchecked(loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    let name = &loaded.input.name;
    let unchecked = unchecked(loaded);
    for of in &unchecked {
        let total: usize = of.names.iter().map(|(_, count)| count).sum();
        if total == 0 {
            continue;
        }
        writeln!(out, "{name}: {}: {total}", of.title)?;
        for (operation, count) in &of.names {
            writeln!(out, "{count:>8} {operation}")?;
        }
    }
    if unchecked.iter().all(|of| of.names.is_empty()) {
        writeln!(
            out,
            "{name}: no operation, attribute or type has a rule that is known to be unchecked"
        )?;
    }
    Ok(())
}
