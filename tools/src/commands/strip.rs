//! `rmlir strip`: removes or reports content that does not affect a module's meaning.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::leaks::{self, Leak};
use crate::load::Verifying;
use crate::nested::strip_nested;
use crate::output::Output;
use crate::save::{OutputFormat, SaveOptions};
use crate::written::Written;
use clap::{Args, Command, Id};
use rmlir::Form;
use rmlir::format::rmbc::section;
use rmlir::format::{Container, Limits};
use rmlir::ir::{StripOptions, strip};
use rmlir::reader::mlirbc;
use serde_json::json;
use std::io::Write;

/// Remove locations, names or the data of resources
///
/// Debug information in attributes loses its folders, and modules in attributes, such as kernels of
/// other compilers, are stripped too: bytecode in strings, and in base64 within them. '--report'
/// lists what remains. Several inputs are written to the folder that '-o' names. Without
/// '--locations', '--names' and '--resources', removes locations and names.
#[derive(Args, Debug)]
pub struct Strip {
    #[command(flatten)]
    inputs: Inputs,
    /// Make the locations of operations and block arguments unknown
    #[arg(long)]
    locations: bool,
    /// Remove the names of values, blocks and aliases
    #[arg(long)]
    names: bool,
    /// Remove the data of resources, and external resources
    #[arg(long)]
    resources: bool,
    /// Only list the strings that the file leaks: paths, hosts, users, sources
    ///
    /// Of bytecode, this includes unused strings in its tables.
    #[arg(long, conflicts_with_all = ["locations", "names", "resources", "sections"])]
    report: bool,
    /// Drop whole sections of an rmbc file without decoding it
    ///
    /// The other sections are copied. Table entries that only the dropped sections used remain,
    /// such as file names. Stored fingerprints are dropped as well, since they are not checked;
    /// 'convert --fingerprints' computes them.
    #[arg(long, conflicts_with = "resources")]
    sections: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Strip {
    fn adjust(command: Command) -> Command {
        // Options of what is written have no effect on what is not.
        let ids = |kept: &[&str]| -> Vec<Id> {
            let save = SaveOptions::augment_args(Command::new(""));
            let ids = save
                .get_arguments()
                .map(|argument| argument.get_id().clone());
            ids.filter(|id| !kept.contains(&id.as_str())).collect()
        };
        command
            .mut_arg("report", |report| report.conflicts_with_all(ids(&["json"])))
            .mut_arg("sections", |sections| {
                sections.conflicts_with_all(ids(&["output", "to", "json"]))
            })
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        if self.report {
            Failure::of_each(&paths, |path| {
                let several = paths.len() > 1;
                self.report(&self.load.read_among(path, paths.len())?, several)
            })?;
            return Ok(ExitStatus::Success);
        }
        let each = self.save.for_inputs(&paths)?;
        for save in &each {
            save.form()?;
        }
        let mut failures = Vec::new();
        for (path, save) in paths.iter().zip(&each) {
            let input = self.load.read_among(path, paths.len())?;
            let stripped = match self.sections {
                true => self.drop_sections(&input, save),
                false => self.strip(&input, save),
            };
            if let Err(failure) = stripped {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl Strip {
    /// Whether locations and names are removed, since nothing else is said.
    fn says_nothing(&self) -> bool {
        !self.locations && !self.names && !self.resources
    }

    fn strip(&self, input: &Input, save: &SaveOptions) -> Result<(), Failure> {
        let mut loaded = match Loaded::from_input(&self.load, input.clone()) {
            Ok(loaded) => loaded,
            // Upstream's bytecode has no names, so there is nothing to remove.
            Err(failure) if self.names && !self.locations && !self.resources => {
                let copy = |file: &mlirbc::File, out: &mut dyn Write| file.copy(out);
                return save.copy_undecoded(&self.load, input, failure, copy);
            }
            Err(failure) => return Err(failure),
        };
        let mut options = StripOptions::default();
        options.locations = self.locations || self.says_nothing();
        options.names = self.names || self.says_nothing();
        options.resources = self.resources;
        strip(&mut loaded.context, &mut loaded.module, &options);
        strip_nested(&mut loaded.context, &mut loaded.module, &options);
        loaded.save(&self.load, save)
    }

    /// Reports the strings that a file leaks. If the file cannot be decoded, only its tables are
    /// searched.
    fn report(&self, input: &Input, several: bool) -> Result<(), Failure> {
        let loaded = match Loaded::from_input(&self.load, input.clone()) {
            Err(Failure::Undecoded(reason)) => {
                let reason = reason.lines().next().unwrap_or_default();
                let warning = format!("only the tables of the file are looked at: {reason}");
                self.load.diagnostic_format.show_warning(&warning);
                None
            }
            loaded => Some(loaded?),
        };
        let file = self.load.open(input)?;
        let module = loaded.as_ref().map(|l| (&l.context, &l.module));
        let found = leaks::find(module, file.as_ref());
        let found = found.map_err(|e| input.failure(e))?;
        self.print_report(input, several, &found)
    }

    /// Copies native bytecode without some of its sections.
    fn drop_sections(&self, input: &Input, save: &SaveOptions) -> Result<(), Failure> {
        let both = self.says_nothing();
        if input.form() != Form::Rmbc || save.form()? != OutputFormat::Rmbc {
            let message = "'--sections' is for native bytecode that becomes native bytecode";
            return Err(Failure::Usage(message.to_owned()));
        }
        let output = Output::new(save.output.as_deref());
        output.check_binary()?;
        let failure = |error| input.failure(error);
        let (bytes, limits) = (input.source()?, Limits::default());
        let container = Container::parse(bytes, &limits, section::name).map_err(failure)?;
        let keep = |kind| match kind {
            section::LOCATIONS => !self.locations && !both,
            section::NAMES | section::ALIAS_NAMES => !self.names && !both,
            section::HASHES => false,
            _ => true,
        };
        output.write(|out| {
            let copied = container.copy(|section| keep(section.kind()), out);
            copied.map_err(failure)
        })?;
        let written = Written {
            inputs: &[&input.name],
            module: None,
            lists_symbols: false,
        };
        written.report(save)
    }

    fn print_report(&self, input: &Input, several: bool, found: &[Leak]) -> Result<(), Failure> {
        let mut text = String::new();
        for item in found {
            if self.save.json {
                let line = json!({
                    "schema": "strip/1",
                    "file": input.name,
                    "kind": item.kind.name(),
                    "text": item.text,
                    "where": item.place,
                    "count": item.count,
                });
                text.push_str(&format!("{line}\n"));
            } else {
                if several {
                    text.push_str(&format!("{}: ", input.name));
                }
                text.push_str(&format!(
                    "{}: {} ({}, {} time{})\n",
                    item.kind.name(),
                    item.text,
                    item.place,
                    item.count,
                    if item.count == 1 { "" } else { "s" }
                ));
            }
        }
        print(&text)
    }
}
