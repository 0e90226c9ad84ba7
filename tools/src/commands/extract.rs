//! `rmlir extract`: extracts symbols of a module.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::Verifying;
use crate::save::SaveOptions;
use crate::symbols::{find, find_in, symbols};
use clap::Args;
use rmlir::Ir;
use rmlir::ir::{Context, Operation, extract, extract_with_declarations};
use rmlir::reader::lazy::{LazyFile, with_references};
use rmlir::reader::mlirbc;
use std::io::Write;

/// Extract symbols with everything that they refer to
///
/// The operations around the symbols are kept. Of bytecode, only the extracted symbols are read and
/// verified. With '--no-references', symbols of an mlirbc file in an unknown encoding can be
/// extracted to mlirbc: they are copied with all tables of the file.
#[derive(Args, Debug)]
pub struct Extract {
    /// The input file; `-` is standard input
    input: String,
    /// The symbols: `@main`, `@outer::@inner`, `main` for `@main`, or globs such as `relu*`
    #[arg(required = true)]
    symbols: Vec<String>,
    /// Do not extract the symbols that they refer to
    #[arg(long)]
    no_references: bool,
    /// Declare the symbols that these refer to, instead of extracting them with all that they refer
    /// to. A symbol without a known form of declaration is extracted. The whole input is read
    #[arg(long, conflicts_with = "no_references")]
    declarations: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Extract {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        let whole = self.declarations;
        if !whole && let Some(file) = self.load.open(&input)? {
            let context = self.load.context()?;
            let mut ir = match self.extract_from(&input, file.as_lazy(), context) {
                Ok(ir) => ir,
                // What they refer to can't be told.
                Err(failure) if self.no_references => {
                    return self.copy(&input, failure);
                }
                Err(failure) => return Err(failure),
            };
            let (context, module) = ir.parts_mut();
            self.save.save(&self.load, &input, context, module)?;
            return Ok(ExitStatus::Success);
        }
        let mut loaded = Loaded::from_input(&self.load, input)?;
        let all = symbols(&loaded.context, &loaded.module);
        let wanted = find(&all, &self.symbols).map_err(|f| f.in_input(&loaded.input.name))?;
        let wanted: Vec<Operation> = wanted.iter().map(|s| s.operation).collect();
        let (context, module) = (&mut loaded.context, &mut loaded.module);
        if self.declarations {
            extract_with_declarations(context, module, &wanted).map_err(|error| {
                Failure::Input(format!("{}: error: {error}", loaded.input.name))
            })?;
        } else {
            extract(context, module, &wanted, !self.no_references);
        }
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
        let failure = |error| input.failure(error);
        let wanted = match self.load.open(input)? {
            Some(file) => find_in(file.as_lazy(), &self.symbols, failure)
                .map_err(|failure| failure.in_input(&input.name))?,
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
        mut context: Context,
    ) -> Result<Ir, Failure> {
        let failure = |error| input.failure(error);
        let wanted = find_in(file, &self.symbols, failure);
        let mut wanted = wanted.map_err(|failure| failure.in_input(&input.name))?;
        if !self.no_references {
            wanted = with_references(file, &mut context, &wanted).map_err(failure)?;
        }
        let module = file.read_together(&mut context, &wanted).map_err(failure)?;
        let mut ir = Ir::from_parts(context, module);
        if !self.no_references && !self.load.no_verify {
            let options = self.load.read_options(input)?.verify_options();
            ir.verify_with(&options)?;
        }
        Ok(ir)
    }
}
