//! `rmlir dialect import`: definitions from other forms.

use crate::Failure;
use crate::commands::{ExitStatus, Run};
use crate::definitions::{self, DefinitionKind};
use crate::diagnostics::DiagnosticFormat;
use crate::output::Output;
use clap::Args;
use rmlir_import::tablegen::ImportOptions;

const EXAMPLES: &str = "\
Examples:
  $ llvm-tblgen --dump-json -I include ToyOps.td > toy.json
  $ rmlir dialect import toy.json -o toy.dialect
  $ rmlir convert --dialect toy.dialect program.mlir

What is C++ there, such as syntax and rules that are code, is named on standard error; the definition names a hook in
its place, or '?'.";

/// Make a definition of what describes a dialect elsewhere: the output of 'llvm-tblgen --dump-json', or the text of a
/// definition, which becomes canonical.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// The inputs; `-` is standard input. Several dumps are taken together
    #[arg(required = true)]
    inputs: Vec<String>,
    /// The output; `-` or nothing is standard output
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    /// The dialect that is wanted, where a dump has several
    #[arg(long, value_name = "DIALECT")]
    name: Option<String>,
    /// The dialect has more than the dumps: what they do not have is not refused
    #[arg(long)]
    partial: bool,
    /// Do not say what could not be taken over
    #[arg(long)]
    quiet: bool,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Run for Import {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut dumps = Vec::new();
        let mut text = String::new();
        for path in &self.inputs {
            let input = definitions::open(path)?;
            match DefinitionKind::of(&input) {
                DefinitionKind::TableGen => dumps.push(input),
                DefinitionKind::Text => text.push_str(&definitions::parse(&input)?.to_string()),
            }
        }
        if !dumps.is_empty() {
            let options = ImportOptions {
                dialect: self.name.clone(),
                partial: self.partial,
            };
            let inputs: Vec<_> = dumps.iter().collect();
            let imported = definitions::import_tablegen(&inputs, &options)?;
            if !self.quiet {
                let name = &imported.definition.name;
                for warning in &imported.warnings {
                    self.diagnostic_format
                        .show_warning(&format!("dialect '{name}': {warning}"));
                }
            }
            text.push_str(&imported.definition.to_string());
        }
        Output::new(self.output.as_deref()).write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|e| Failure::io("writing", &e))
        })?;
        Ok(ExitStatus::Success)
    }
}
