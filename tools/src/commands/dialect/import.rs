//! `rmlir dialect import`: imports definitions from other descriptions.

use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use crate::input::{self, Input};
use crate::load::{LoadOptions, Piece};
use crate::output::Output;
use crate::written::check_file;
use clap::Args;
use rmlir::dialects::{DefinitionForm, Hooks, parse_definition};
use rmlir::import::tablegen::{self, ImportOptions};
use rmlir::import::{ImportError, Imported, irdl};
use rmlir::ir::DialectDefinition;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  $ llvm-tblgen --dump-json -I include ToyOps.td > toy.json
  $ rmlir dialect import toy.json -o toy.dialect
  $ rmlir convert --dialect toy.dialect program.mlir

Facts that are not imported because they are C++ or a definition cannot hold them, such as syntax in code, verifiers
and memory effects, are listed on standard error, with their number by kind. The definition has a hook or '?' in their
place. C++ without facts about the IR, such as builders, folders and canonicalization, is not listed.";

/// Make a definition from TableGen, IRDL or another definition
///
/// The inputs are dumps of 'llvm-tblgen --dump-json', MLIR with 'irdl.dialect', or the text of a
/// definition, which is printed in canonical form.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Import {
    /// The inputs; `-` is standard input. Several TableGen dumps are combined
    #[arg(default_value = "-")]
    inputs: Vec<String>,
    /// The output file; `-` or none is standard output
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    #[command(flatten)]
    sources: Sources,
    /// Print a JSON object about the definition (spec/json.md); '-o' is needed
    #[arg(long)]
    json: bool,
}

/// The numbers of facts that were not imported, by kind.
pub(super) type Losses = serde_json::Map<String, serde_json::Value>;

/// The options of importing.
#[derive(Args, Debug)]
pub(super) struct Sources {
    /// The dialect to import, if an input has several
    #[arg(long, value_name = "DIALECT")]
    name: Option<String>,
    /// The dialect has more operations, attributes and types than the dumps declare
    #[arg(long)]
    partial: bool,
    /// Do not list facts that are not imported
    #[arg(long)]
    quiet: bool,
    /// The format of error messages
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

impl Sources {
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    /// Adds a definition if it is wanted, with the numbers of facts that were not imported, and
    /// prints these facts.
    fn add(&self, imported: Imported, found: &mut Vec<(DialectDefinition, Losses)>) {
        let name = &imported.definition.name;
        if self.name.as_ref().is_some_and(|wanted| wanted != name) {
            return;
        }
        let losses = imported.losses();
        if !self.quiet {
            for warning in &imported.warnings {
                let message = format!("dialect '{name}': {warning}");
                self.diagnostic_format.show_warning(&message);
            }
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
        let losses = losses.into_iter();
        let losses = losses.map(|(kind, count)| (kind.name().to_owned(), count.into()));
        found.push((imported.definition, losses.collect()));
    }

    /// Returns the only definition of the inputs.
    pub(super) fn import(&self, inputs: &[String]) -> Result<(DialectDefinition, Losses), Failure> {
        let mut dumps = Vec::new();
        let mut found = Vec::new();
        for path in inputs {
            let input = input::read(path, false)?;
            match DefinitionForm::of(&input.name, input.source()?) {
                DefinitionForm::TableGen => dumps.push(input),
                DefinitionForm::Irdl => {
                    for imported in import_irdl(&input)? {
                        self.add(imported, &mut found);
                    }
                }
                _ => {
                    let definition = parse_definition(input.source()?, &input.name)?;
                    found.push((definition, Losses::new()));
                }
            }
        }
        if !dumps.is_empty() {
            let options = ImportOptions {
                dialect: self.name.clone(),
                partial: self.partial,
            };
            self.add(import_tablegen(&dumps, &options)?, &mut found);
        }
        if found.len() > 1 {
            let names = found.iter().map(|(d, _)| format!("'{}'", d.name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Failure::Input(format!(
                "error: the input has several dialects: {names}; select one with '--name'"
            )));
        }
        found.pop().ok_or_else(|| {
            Failure::Input("error: there is nothing of that dialect in the input".to_owned())
        })
    }
}

impl Run for Import {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.sources.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        if self.json {
            check_file(self.output.as_deref(), "'-o' names one")?;
        }
        let output = Output::new(self.output.as_deref());
        output.check_replaces_none(&self.inputs)?;
        let (definition, losses) = self.sources.import(&self.inputs)?;
        let text = definition.to_string();
        output.write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|e| Failure::unwritten(&e))
        })?;
        if self.json {
            let line = json!({
                "schema": "dialect-import/1",
                "inputs": self.inputs,
                "output": self.output,
                "dialect": &*definition.name,
                "operations": definition.operations().len(),
                "attributes_and_types": definition.attributes.entries().len() + definition.types.entries().len(),
                "not_imported": losses,
            });
            print(&format!("{line}\n"))?;
        }
        Ok(ExitStatus::Success)
    }
}

/// Dumps of TableGen's as a definition.
fn import_tablegen(inputs: &[Input], options: &ImportOptions) -> Result<Imported, Failure> {
    let dumps = inputs.iter().map(|input| Ok(&**input.source()?));
    let dumps: Vec<&[u8]> = dumps.collect::<Result<_, Failure>>()?;
    tablegen::import(&dumps, options, &Hooks).map_err(|error| failure(inputs.first(), &error))
}

/// Definitions of the dialects that operations of `irdl` describe.
fn import_irdl(input: &Input) -> Result<Vec<Imported>, Failure> {
    let load = LoadOptions {
        max_errors: 20,
        ..LoadOptions::default()
    };
    let ir = load.load(input, &Piece::WHOLE, false)?;
    let (context, module) = ir.parts();
    irdl::import(context, module).map_err(|error| failure(Some(input), &error))
}

fn failure(input: Option<&Input>, error: &ImportError) -> Failure {
    let name = input.map_or("", |input| &input.name);
    Failure::Input(format!("{name}: error: {error}"))
}
