//! `rmlir hash`: fingerprints of content.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::load::LoadOptions;
use crate::symbols::symbols;
use clap::Args;
use rmlir::ir::{FingerprintOptions, Fingerprinter};

/// Print the fingerprint of a module's content: equal for equal content in whatever form and file
/// (spec/fingerprint.md).
#[derive(Args, Debug)]
pub struct Hash {
    /// The inputs; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Print a fingerprint for each symbol
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
            let loaded = Loaded::read(&self.load, input)?;
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
