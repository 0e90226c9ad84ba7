//! `rmlir extract`: extracts symbols of a module.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::inputs_and_symbols;
use crate::load::Verifying;
use crate::save::SaveOptions;
use crate::symbols::{find, find_in, symbols};
use crate::written::Written;
use clap::Args;
use rmlir::Ir;
use rmlir::ir::{Context, Module, Operation, extract, extract_with_declarations};
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
    /// The input file; `-` is standard input, also if only `@main` is given
    #[arg(value_name = "FILE", default_value = "-")]
    input: String,
    /// The symbols: `@main`, `@outer::@inner`, `main` for `@main`, or globs such as `relu*`; or
    /// further files
    ///
    /// The name of a file that exists is a file, unless it begins with '@'. The symbols are
    /// extracted from each file, and written to the folder that '-o' names.
    #[arg(value_name = "SYMBOL or FILE")]
    others: Vec<String>,
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
        let (inputs, symbols) = inputs_and_symbols(&self.input, &self.others)?;
        if symbols.is_empty() {
            let message = "no symbol is named: '@NAME' is one, even if a file has that name";
            return Err(Failure::Usage(message.to_owned()));
        }
        if inputs.len() > 1 {
            self.load.check_forms(&inputs)?;
        }
        let each = self.save.for_inputs(&inputs)?;
        for save in &each {
            save.form()?;
        }
        let mut failures = Vec::new();
        for (path, save) in inputs.iter().zip(&each) {
            let one = One {
                command: self,
                symbols: &symbols,
                save,
            };
            let extracted = self.load.read_among(path, inputs.len());
            if let Err(failure) = extracted.and_then(|input| one.extract(input)) {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

/// The extraction from one input.
struct One<'a> {
    command: &'a Extract,
    symbols: &'a [String],
    save: &'a SaveOptions,
}

impl One<'_> {
    fn extract(&self, input: Input) -> Result<(), Failure> {
        let Extract { load, .. } = self.command;
        let whole = self.command.declarations;
        if !whole && let Some(file) = load.open(&input)? {
            let context = load.context()?;
            let mut ir = match self.extract_from(&input, file.as_lazy(), context) {
                Ok(ir) => ir,
                // What they refer to can't be told.
                Err(failure) if self.command.no_references => {
                    return self.copy(&input, failure);
                }
                Err(failure) => return Err(failure),
            };
            let (context, module) = ir.parts_mut();
            self.save.save(load, &input, context, module)?;
            return self.report(&input, context, module);
        }
        let mut loaded = Loaded::from_input(load, input)?;
        let all = symbols(&loaded.context, &loaded.module);
        let wanted = find(&all, self.symbols).map_err(|f| f.in_input(&loaded.input.name))?;
        let wanted: Vec<Operation> = wanted.iter().map(|s| s.operation).collect();
        let (context, module) = (&mut loaded.context, &mut loaded.module);
        if self.command.declarations {
            extract_with_declarations(context, module, &wanted).map_err(|error| {
                Failure::Input(format!("{}: error: {error}", loaded.input.name))
            })?;
        } else {
            extract(context, module, &wanted, !self.command.no_references);
        }
        self.save.save(load, &loaded.input, context, module)?;
        self.report(&loaded.input, context, module)
    }

    fn report(&self, input: &Input, context: &Context, module: &Module) -> Result<(), Failure> {
        let written = Written {
            inputs: &[&input.name],
            module: Some((context, module)),
            lists_symbols: true,
        };
        written.report(self.save)
    }

    /// Copies symbols that cannot be decoded.
    fn copy(&self, input: &Input, undecoded: Failure) -> Result<(), Failure> {
        let failure = |error| input.failure(error);
        let wanted = match self.command.load.open(input)? {
            Some(file) => find_in(file.as_lazy(), self.symbols, failure)
                .map_err(|failure| failure.in_input(&input.name))?,
            None => Vec::new(),
        };
        let copy = |file: &mlirbc::File, out: &mut dyn Write| file.copy_symbols(&wanted, out);
        self.save
            .copy_undecoded(&self.command.load, input, undecoded, copy)
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
        let wanted = find_in(file, self.symbols, failure);
        let mut wanted = wanted.map_err(|failure| failure.in_input(&input.name))?;
        if !self.command.no_references {
            wanted = with_references(file, &mut context, &wanted).map_err(failure)?;
        }
        let module = file.read_together(&mut context, &wanted).map_err(failure)?;
        let mut ir = Ir::from_parts(context, module);
        if !self.command.no_references && !self.command.load.no_verify {
            let options = self.command.load.read_options(input)?.verify_options();
            ir.verify_with(&options)?;
        }
        Ok(ir)
    }
}
