//! `rmlir hash`: prints fingerprints of content.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::load::Verifying;
use crate::symbols::{HasPath, shown, symbols as symbols_of};
use clap::Args;
use rmlir::Form;
use rmlir::format::Error;
use rmlir::ir::{Context, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation};
use rmlir::reader::lazy::{LazyFile, Symbol, SymbolPath};
use rmlir::reader::rmbc;
use serde_json::json;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Print the fingerprint of a module's content
///
/// Modules with equal content have equal fingerprints, whatever their form (spec/fingerprint.md).
/// Fingerprints are computed. 'rmlir verify' checks those that an rmbc file stores.
#[derive(Args, Debug)]
pub struct Hash {
    #[command(flatten)]
    inputs: Inputs,
    /// Print the fingerprint of each symbol
    ///
    /// Symbols of bytecode are read in batches and not verified. Errors of symbols that cannot be
    /// read follow the other fingerprints.
    #[arg(long)]
    symbols: bool,
    /// With '--symbols': skip symbols nested deeper than DEPTH, with a warning
    ///
    /// Each symbol is hashed with everything nested in it, so the time grows with the depth.
    #[arg(long, value_name = "DEPTH", default_value_t = 64, requires = "symbols")]
    max_depth: usize,
    /// Include locations
    #[arg(long)]
    locations: bool,
    /// Print stored fingerprints without computing them
    ///
    /// A file can store any fingerprint: use this for trusted files only.
    #[arg(long, conflicts_with = "locations")]
    trust_stored: bool,
    /// Print one JSON object per fingerprint (spec/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Hash {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        Failure::of_each(&paths, |input| self.hash(input, paths.len()))?;
        Ok(ExitStatus::Success)
    }
}

/// The number of bytes of symbols that are read at once.
const BATCH: u64 = 1 << 20;

impl Hash {
    /// Prints the fingerprints of one input.
    fn hash(&self, input: &str, count: usize) -> Result<(), Failure> {
        let input = self.load.read_among(input, count)?;
        let context = self.load.context()?;
        if self.symbols
            && let Some(file) = self.load.open(&input)?
        {
            self.hash_symbols(&input, file.as_lazy(), file.as_rmbc(), &context)?;
            return Ok(());
        }
        if !self.symbols
            && self.trust_stored
            && input.form() == Form::Rmbc
            && let Some(file) = self.load.open(&input)?
            && let Some(file) = file.as_rmbc()
        {
            let hash = file.module_fingerprint();
            if let Some(hash) = hash.map_err(|e| input.failure(e))? {
                print(&self.line(&hash, &input, None))?;
                return Ok(());
            }
        }
        let loaded = Loaded::from_input(&self.load, input)?;
        let (context, module) = (&loaded.context, &loaded.module);
        let options = FingerprintOptions {
            locations: self.locations,
        };
        let mut fingerprinter = Fingerprinter::new(context, &options);
        if self.symbols {
            let mut lines = String::new();
            let mut symbols = symbols_of(context, module);
            self.leave_out_deep(&loaded.input, &mut symbols);
            for symbol in symbols {
                let hash = fingerprinter.fingerprint(module, symbol.operation);
                lines.push_str(&self.line(&hash, &loaded.input, Some(&symbol.path)));
            }
            print(&lines)?;
        } else {
            let hash = fingerprinter.fingerprint(module, module.top());
            print(&self.line(&hash, &loaded.input, None))?;
        }
        Ok(())
    }

    /// Returns the line for the fingerprint of a symbol, or of the module.
    fn line(&self, hash: &Fingerprint, input: &Input, symbol: Option<&SymbolPath>) -> String {
        let symbol = symbol.map(shown);
        if self.json {
            let line = json!({
                "schema": "hash/1",
                "file": input.name,
                "symbol": symbol,
                "fingerprint": hash.to_string(),
            });
            return format!("{line}\n");
        }
        format!("{hash}  {}\n", symbol.as_ref().unwrap_or(&input.name))
    }

    /// Removes symbols that are nested too deeply, and warns with their number.
    fn leave_out_deep<S: HasPath>(&self, input: &Input, symbols: &mut Vec<S>) {
        let all = symbols.len();
        symbols.retain(|symbol| symbol.path().len() <= self.max_depth);
        let left_out = all.saturating_sub(symbols.len());
        if left_out > 0 {
            self.load.diagnostic_format.show_warning(&format!(
                "{}: {left_out} symbols are nested more than {} deep and left out; '--max-depth' includes them",
                input.name, self.max_depth
            ));
        }
    }

    /// Hashes the symbols in batches of top-level ones with those nested in them. Reads nothing if
    /// the stored fingerprints are trusted and complete.
    fn hash_symbols(
        &self,
        input: &Input,
        file: &dyn LazyFile,
        known: Option<&rmbc::File>,
        context: &Context,
    ) -> Result<(), Failure> {
        let failure = |error| input.failure(error);
        let options = FingerprintOptions {
            locations: self.locations,
        };
        let mut symbols = file.symbols().map_err(failure)?;
        self.leave_out_deep(input, &mut symbols);
        if let Some(known) = known.filter(|_| self.trust_stored) {
            let line = |symbol: &Symbol| {
                let hash = known.fingerprint(symbol).ok()??;
                Some(self.line(&hash, input, Some(&symbol.path)))
            };
            if let Some(lines) = symbols.iter().map(line).collect::<Option<String>>() {
                return print(&lines);
            }
        }
        symbols.retain(|symbol| symbol.path.len() == 1);
        // A symbol is listed before those nested in it.
        let (mut lines, mut inner) = (String::new(), String::new());
        let (mut failures, mut more) = (Vec::new(), 0u64);
        let mut rest = symbols.as_slice();
        while !rest.is_empty() {
            let mut bytes = 0;
            let batch = rest.iter().take_while(|symbol| {
                let starts = bytes < BATCH;
                bytes += symbol.bytes;
                starts
            });
            let (batch, behind) = rest.split_at(batch.count());
            rest = behind;
            let mut hash = |context: &Context, module: &Module, read: &[Symbol]| {
                let mut kept: HashSet<SymbolPath> = read.iter().map(|s| s.path.clone()).collect();
                let mut fingerprinter = Fingerprinter::new(context, &options);
                let mut found = symbols_of(context, module);
                // The operations that define values which they use may be symbols as well.
                found.retain(|symbol| match symbol.path.parent() {
                    // Paths of nested symbols share the storage of this one.
                    None => kept.replace(symbol.path.clone()).is_some(),
                    Some(parent) => {
                        let is_kept = symbol.path.len() <= self.max_depth && kept.contains(&parent);
                        if is_kept {
                            kept.insert(symbol.path.clone());
                        }
                        is_kept
                    }
                });
                for symbol in found {
                    let hash = fingerprinter.fingerprint(module, symbol.operation);
                    let lines = match symbol.path.len() {
                        1 => &mut lines,
                        _ => &mut inner,
                    };
                    lines.push_str(&self.line(&hash, input, Some(&symbol.path)));
                }
            };
            let mut context = context.clone();
            if let Ok(module) = file.read_together(&mut context, batch) {
                hash(&context, &module, batch);
                continue;
            }
            // An unreadable symbol does not affect the others.
            let mut one = |context: &mut Context,
                           symbol: &Symbol,
                           read: Result<(Module, Operation), Error>| {
                match read {
                    Ok((module, _)) => hash(context, &module, std::slice::from_ref(symbol)),
                    Err(error) if failures.len() < self.load.max_errors => {
                        failures.push(failure(error));
                    }
                    Err(_) => more += 1,
                }
                ControlFlow::Continue(())
            };
            file.read_symbols(&mut context, &mut batch.iter().cloned(), &mut one)
                .map_err(failure)?;
        }
        if more > 0 {
            failures.push(Failure::Input(format!(
                "error: {more} other symbols can't be read"
            )));
        }
        print(&lines)?;
        print(&inner)?;
        Failure::all(failures)
    }
}
