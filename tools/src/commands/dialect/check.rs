//! `rmlir dialect check`: checks definitions.

use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use crate::input;
use clap::Args;
use rmlir::dialects::{BundledDialects, Hooks, definition_text};
use rmlir::ir::definition::DialectSource;
use rmlir::text::{Diagnostic, Severity, check_definition};
use serde_json::json;
use std::sync::Arc;

const HELP: &str = "\
Warnings are about definitions that work, but probably not as intended: formats that do not print a part, missing
hooks, optional groups that the following text makes ambiguous, releases without content, unused declarations.

Exit status: 0 if there are no errors and warnings, 1 otherwise, 2 if the command line is invalid.";

/// Check dialect definitions for errors and suspicious parts
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct Check {
    /// The definitions; `-` is standard input
    #[arg(default_value = "-")]
    inputs: Vec<String>,
    /// Also report constraints that are not checked
    #[arg(long)]
    remarks: bool,
    /// Print one JSON object per file (spec/json.md); diagnostics are on standard error as always
    #[arg(long)]
    json: bool,
    /// The format of diagnostics
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Run for Check {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let bundled: Arc<dyn DialectSource> = Arc::new(BundledDialects);
        let mut found = Vec::new();
        for path in &self.inputs {
            let input = input::read(path, false)?;
            let text = definition_text(input.source()?, &input.name)?;
            let of_file = check_definition(text, &input.name, &Hooks, Some(&bundled));
            if self.json {
                print(&line(&input.name, &of_file))?;
            }
            found.extend(of_file);
        }
        let is_bad = |severity| matches!(severity, Severity::Error | Severity::Warning);
        let bad = found.iter().any(|diagnostic| is_bad(diagnostic.severity));
        found.retain(|diagnostic| self.remarks || is_bad(diagnostic.severity));
        self.diagnostic_format.show(&found);
        Ok(match bad {
            true => ExitStatus::Different,
            false => ExitStatus::Success,
        })
    }
}

/// The line of JSON of a file.
fn line(file: &str, found: &[Diagnostic]) -> String {
    let count = |severity| found.iter().filter(|one| one.severity == severity).count();
    let line = json!({
        "schema": "dialect-check/1",
        "file": file,
        "errors": count(Severity::Error),
        "warnings": count(Severity::Warning),
        "remarks": count(Severity::Remark),
    });
    format!("{line}\n")
}
