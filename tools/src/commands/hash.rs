//! `rmlir hash`: fingerprints of content.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::input::Input;
use crate::lazy;
use crate::load::{LoadOptions, new_context};
use crate::symbols::symbols;
use clap::Args;
use rmlir::ir::{Context, FingerprintOptions, Fingerprinter, nested_symbols};
use rmlir::reader::lazy::{LazyFile, SymbolPath};
use std::ops::ControlFlow;

/// Print the fingerprint of a module's content: equal for equal content in whatever form and file
/// (spec/fingerprint.md).
#[derive(Args, Debug)]
pub struct Hash {
    /// The inputs; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Print a fingerprint for each symbol. Symbols of upstream's bytecode (.mlirbc) are read one at a time, and not
    /// verified
    #[arg(long)]
    symbols: bool,
    /// Locations count
    #[arg(long)]
    locations: bool,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Hash {
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        for input in &self.inputs {
            let input = self.load.read(input)?;
            let mut context = new_context();
            if self.symbols
                && let Some(file) = lazy::open(&self.load, &context, &input)?
            {
                self.hash_symbols(&input, &file, &mut context)?;
                continue;
            }
            let loaded = Loaded::from_input(&self.load, input)?;
            let (context, module) = (&loaded.context, &loaded.module);
            let options = FingerprintOptions {
                locations: self.locations,
            };
            let mut fingerprinter = Fingerprinter::new(context, options);
            if self.symbols {
                let mut lines = String::new();
                for symbol in symbols(context, module) {
                    let hash = fingerprinter.fingerprint(module, symbol.operation);
                    lines.push_str(&format!("{hash}  {}\n", symbol.path));
                }
                print(&lines)?;
            } else {
                let hash = fingerprinter.fingerprint(module, module.top());
                print(&format!("{hash}  {}\n", loaded.input.name))?;
            }
        }
        Ok(ExitStatus::Success)
    }
}

impl Hash {
    /// Reads one symbol at a time.
    fn hash_symbols(
        &self,
        input: &Input,
        file: &dyn LazyFile,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let symbols = file.symbols().map_err(|e| lazy::failure(input, &e))?;
        let options = FingerprintOptions {
            locations: self.locations,
        };
        let mut lines = String::new();
        let mut failed = None;
        let read = file.read_symbols(context, &symbols, &mut |context, symbol, read| {
            let hashed = read.map(|module| {
                let all = nested_symbols(context, &module);
                let named = all.iter().find(|found| {
                    let names = found.path.iter().map(|&name| context.bytes(name));
                    SymbolPath::new(names) == symbol.path
                });
                let operation = named.map_or(module.top(), |found| found.operation);
                Fingerprinter::new(context, options).fingerprint(&module, operation)
            });
            match hashed {
                Ok(hash) => {
                    lines.push_str(&format!("{hash}  {}\n", symbol.path));
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match read.err().or(failed) {
            None => print(&lines),
            Some(error) => Err(lazy::failure(input, &error)),
        }
    }
}
