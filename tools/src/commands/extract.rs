//! `rmlir extract`: extracts symbols of a module.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::lazy;
use crate::load::{LoadOptions, Piece};
use crate::save::SaveOptions;
use crate::symbols::{find, find_in, symbols};
use clap::Args;
use rmlir::ir::{Context, Module, Operation, extract};
use rmlir::reader::lazy::{LazyFile, with_references};
use rmlir::reader::mlirbc;
use std::io::Write;

/// Extract symbols, with what they refer to and the modules around them.
///
/// Of upstream's bytecode (.mlirbc), no more is read and verified than what is extracted. With
/// '--no-references', what is in an encoding that is not known can become upstream's bytecode: the
/// symbols are copied as they are then, with all tables of the file.
#[derive(Args, Debug)]
pub struct Extract {
    /// The input; `-` is standard input
    input: String,
    /// The symbols: `@main`, `@outer::@inner`, or `main` for `@main`
    #[arg(required = true)]
    symbols: Vec<String>,
    /// Leave out what the symbols refer to, so that the references stay open
    #[arg(long)]
    no_references: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Extract {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        let mut context = self.load.context()?;
        if let Some(file) = lazy::open(&self.load, &context, &input)? {
            let module = match self.extract_from(&input, file.as_lazy(), &mut context) {
                Ok(module) => module,
                // The references of undecodable symbols are unknown.
                Err(failure) if self.no_references => {
                    return self.copy(&input, failure);
                }
                Err(failure) => return Err(failure),
            };
            self.save.save(&self.load, &input, &mut context, &module)?;
            return Ok(ExitStatus::Success);
        }
        let mut loaded = Loaded::from_input(&self.load, input)?;
        let all = symbols(&loaded.context, &loaded.module);
        let wanted = find(&all, &self.symbols)?;
        let wanted: Vec<Operation> = wanted.iter().map(|s| s.operation).collect();
        extract(
            &loaded.context,
            &mut loaded.module,
            &wanted,
            !self.no_references,
        );
        self.save.save(
            &self.load,
            &loaded.input,
            &mut loaded.context,
            &loaded.module,
        )?;
        Ok(ExitStatus::Success)
    }
}

impl Extract {
    /// Copies symbols that cannot be decoded.
    fn copy(&self, input: &Input, undecoded: Failure) -> Result<ExitStatus, Failure> {
        let failure = |error| lazy::failure(input, &error);
        let context = self.load.context()?;
        let wanted = match lazy::open(&self.load, &context, input)? {
            Some(file) => find_in(file.as_lazy(), &self.symbols, failure)?,
            None => Vec::new(),
        };
        let copy = |file: &mlirbc::File, out: &mut dyn Write| file.copy_symbols(&wanted, out);
        self.save
            .copy_undecoded(&self.load, input, undecoded, copy)?;
        Ok(ExitStatus::Success)
    }

    /// Returns the module of some symbols of a file, reading only these. A module with unresolved
    /// references is not verified, because rules for symbol references would fail.
    fn extract_from(
        &self,
        input: &Input,
        file: &dyn LazyFile,
        context: &mut Context,
    ) -> Result<Module, Failure> {
        let failure = |error| lazy::failure(input, &error);
        let mut wanted = find_in(file, &self.symbols, failure)?;
        if !self.no_references {
            wanted = with_references(file, context, &wanted).map_err(failure)?;
        }
        let module = file.read_together(context, &wanted).map_err(failure)?;
        if !self.no_references && !self.load.no_verify {
            self.load.verify(input, &Piece::WHOLE, context, &module)?;
        }
        Ok(module)
    }
}
