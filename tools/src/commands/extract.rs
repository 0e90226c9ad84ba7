//! `rmlir extract`: some symbols of a module.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::load::LoadOptions;
use crate::save::SaveOptions;
use crate::symbols::{find, symbols};
use clap::Args;
use rmlir::ir::{Operation, extract};

/// Extract symbols, with what they refer to and the modules around them.
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
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut loaded = Loaded::read(&self.load, &self.input)?;
        let all = symbols(&loaded.context, &loaded.module);
        let wanted = find(&all, &self.symbols)?;
        let wanted: Vec<Operation> = wanted.iter().map(|s| s.operation).collect();
        extract(
            &loaded.context,
            &mut loaded.module,
            &wanted,
            !self.no_references,
        );
        self.save.save(&loaded.context, &loaded.module)?;
        Ok(ExitStatus::Success)
    }
}
