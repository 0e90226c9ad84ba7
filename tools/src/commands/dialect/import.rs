//! `rmlir dialect import`: imports definitions from other descriptions.

use crate::Failure;
use crate::commands::{ExitStatus, Run};
use crate::definitions::{self, DefinitionKind};
use crate::diagnostics::DiagnosticFormat;
use crate::output::Output;
use clap::Args;
use rmlir::ir::DialectDefinition;
use rmlir_import::Imported;
use rmlir_import::tablegen::ImportOptions;

const EXAMPLES: &str = "\
Examples:
  $ llvm-tblgen --dump-json -I include ToyOps.td > toy.json
  $ rmlir dialect import toy.json -o toy.dialect
  $ rmlir convert --dialect toy.dialect program.mlir

Facts that are C++ there or that a definition cannot hold, such as syntax in code, verifiers and memory effects, are
listed on standard error, one line each, with their number by kind. The definition has a hook or '?' in their place.
C++ that states no fact about the IR, such as builders, folders and canonicalization, is not listed.";

/// Make a definition of what describes a dialect elsewhere: the output of 'llvm-tblgen
/// --dump-json', MLIR with 'irdl.dialect', or the text of a definition, which becomes canonical.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// The inputs; `-` is standard input. Several dumps are taken together
    #[arg(required = true)]
    inputs: Vec<String>,
    /// The output; `-` or nothing is standard output
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    /// The dialect that is wanted, where an input has several
    #[arg(long, value_name = "DIALECT")]
    name: Option<String>,
    /// The dialect has more than the dumps: what they do not have is not refused
    #[arg(long)]
    partial: bool,
    /// Do not list what could not be taken over
    #[arg(long)]
    quiet: bool,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Import {
    /// Adds a definition if it is wanted, and prints what was not imported.
    fn add(&self, imported: Imported, found: &mut Vec<DialectDefinition>) {
        let name = &imported.definition.name;
        if self.name.as_ref().is_some_and(|wanted| wanted != name) {
            return;
        }
        if !self.quiet {
            for warning in &imported.warnings {
                let message = format!("dialect '{name}': {warning}");
                self.diagnostic_format.show_warning(&message);
            }
            let losses = imported.losses();
            if !losses.is_empty() {
                let counts = losses.iter();
                let counts = counts.map(|(kind, count)| format!("{} {count}", kind.name()));
                let message = format!(
                    "dialect '{name}': not taken over: {1}; {0} in all",
                    imported.warnings.len(),
                    counts.collect::<Vec<_>>().join(", ")
                );
                self.diagnostic_format.show_warning(&message);
            }
        }
        found.push(imported.definition);
    }
}

impl Run for Import {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut dumps = Vec::new();
        let mut found = Vec::new();
        for path in &self.inputs {
            let input = definitions::open(path)?;
            match DefinitionKind::of(&input)? {
                DefinitionKind::TableGen => dumps.push(input),
                DefinitionKind::Irdl => {
                    for imported in definitions::import_irdl(&input)? {
                        self.add(imported, &mut found);
                    }
                }
                DefinitionKind::Text => found.push(definitions::parse(&input)?),
            }
        }
        if !dumps.is_empty() {
            let options = ImportOptions {
                dialect: self.name.clone(),
                partial: self.partial,
            };
            let inputs: Vec<_> = dumps.iter().collect();
            self.add(definitions::import_tablegen(&inputs, &options)?, &mut found);
        }
        let [definition] = found.as_slice() else {
            let names = found.iter().map(|d| format!("'{}'", d.name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Failure::Input(match names.as_str() {
                "" => "error: there is nothing of that dialect in the input".to_owned(),
                _ => format!(
                    "error: several dialects are in the input: {names}; say which is wanted with '--name'"
                ),
            }));
        };
        let text = definition.to_string();
        Output::new(self.output.as_deref()).write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|e| Failure::unwritten(&e))
        })?;
        Ok(ExitStatus::Success)
    }
}
