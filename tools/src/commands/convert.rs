//! `rmlir convert`: converts between text and bytecode.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::Inputs;
use crate::load::Verifying;
use crate::save::{Conversion, SaveOptions, To, ToParser};
use clap::{ArgAction, Args, Command};
use rmlir::reader::mlirbc;
use rmlir::{Ir, stablehlo};
use std::io::Write;

/// Convert between text, rmbc and mlirbc, and between StableHLO and VHLO
///
/// The form of the input is recognized by its content. Several inputs are written to the folder
/// that '-o' names, each under its own name. An mlirbc file with attributes or types in an unknown
/// encoding can be converted to mlirbc only: it is copied.
///
/// '--to stablehlo' converts VHLO, the dialect of portable artifacts, to StableHLO. '--to vhlo' and
/// '--to vhlo=X.Y.Z' convert StableHLO, or VHLO of another version, to VHLO: written as mlirbc, a
/// portable artifact for StableHLO X.Y.Z and later. A second '--to' chooses the form.
#[derive(Args, Debug)]
pub struct Convert {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    save: SaveOptions,
    /// Keep operations, attributes and types of other dialects in '--to vhlo'
    ///
    /// JAX does so for Shardy. By default they are errors: StableHLO guarantees nothing for them.
    #[arg(long)]
    allow_other_dialects: bool,
    #[command(flatten)]
    load: Verifying,
}

impl Convert {
    /// Returns the options of saving, after checking those of conversions.
    fn save_options(&self) -> Result<SaveOptions, Failure> {
        let count = |wanted: fn(&&To) -> bool| self.save.to.iter().filter(wanted).count();
        if count(|to| matches!(to, To::Form(_))) > 1 {
            let message = "'--to' names more than one form of the output";
            return Err(Failure::Usage(message.to_owned()));
        }
        if count(|to| matches!(to, To::Dialect(_))) > 1 {
            let message = "'--to' names more than one dialect of the output";
            return Err(Failure::Usage(message.to_owned()));
        }
        let conversion = self.save.conversion();
        if self.allow_other_dialects && !matches!(conversion, Some(Conversion::Vhlo(_))) {
            let message = "'--allow-other-dialects' has an effect on '--to vhlo' only";
            return Err(Failure::Usage(message.to_owned()));
        }
        let mut save = self.save.clone();
        save.mlirbc.conversion = conversion;
        Ok(save)
    }

    /// Converts a module between dialects, if that is asked for.
    fn convert(&self, ir: &mut Ir) -> Result<(), Failure> {
        match self.save.conversion() {
            None => return Ok(()),
            Some(Conversion::Stablehlo) => stablehlo::to_stablehlo(ir)?,
            Some(Conversion::Vhlo(version)) => {
                let mut options = stablehlo::Options::default();
                options.version = version;
                options.allow_other_dialects = self.allow_other_dialects;
                stablehlo::to_vhlo(ir, &options)?;
            }
        }
        Ok(())
    }
}

impl Run for Convert {
    fn adjust(command: Command) -> Command {
        command.mut_arg("to", |to| {
            to.value_parser(ToParser::DIALECTS)
                .action(ArgAction::Append)
        })
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        // Before anything is read.
        let save = self.save_options()?;
        let paths = self.inputs.paths(&self.load)?;
        let each = save.for_inputs(&paths)?;
        for save in &each {
            save.form()?;
        }
        let mut failures = Vec::new();
        for (path, save) in paths.iter().zip(&each) {
            if let Err(failure) = self.convert_file(path, paths.len(), save) {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl Convert {
    fn convert_file(&self, path: &str, count: usize, save: &SaveOptions) -> Result<(), Failure> {
        let input = self.load.read_among(path, count)?;
        let convert = |ir: &mut Ir| self.convert(ir);
        let mut loaded = match Loaded::from_input_with(&self.load, input.clone(), convert) {
            Ok(loaded) => loaded,
            Err(failure) if save.conversion().is_some() => return Err(failure),
            Err(failure) => {
                let copy = |file: &mlirbc::File, out: &mut dyn Write| file.copy(out);
                return save.copy_undecoded(&self.load, &input, failure, copy);
            }
        };
        loaded.save(&self.load, save)
    }
}
