//! `rmlir dialect check`: checks definitions.

use crate::Failure;
use crate::commands::{ExitStatus, Run};
use crate::definitions;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use rmlir::dialects::{BundledDialects, Hooks};
use rmlir::ir::definition::DialectSource;
use rmlir::text::{Severity, check_definition};
use std::sync::Arc;

const HELP: &str = "\
Errors are what cannot work; warnings what works, but hardly as it was meant: formats that say too little, code that
is missing, groups that cannot be told from what follows them, releases in which nothing is, what nothing uses.

Exit status: 0 if there is nothing to say but remarks, 1 otherwise, 2 if the program is called wrongly.";

/// Check definitions of dialects: that they can be read, and what is wrong or suspicious in them.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Check {
    /// The definitions; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Say also which constraints nobody checks
    #[arg(long)]
    remarks: bool,
    /// How what is found is shown
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
            let input = definitions::open(path)?;
            let text = definitions::text(&input)?;
            found.extend(check_definition(text, &input.name, &Hooks, Some(&bundled)));
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
