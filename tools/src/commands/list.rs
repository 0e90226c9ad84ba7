//! `rmlir list`: the symbols of a module.

use super::{ExitStatus, Loaded, Run, print, table};
use crate::Failure;
use crate::load::LoadOptions;
use crate::symbols::symbols;
use clap::Args;
use serde_json::json;

/// List symbols: kind, visibility, size in operations, name.
#[derive(Args, Debug)]
pub struct List {
    /// The input; `-` is standard input
    input: String,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for List {
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let loaded = Loaded::read(&self.load, &self.input)?;
        let (context, module) = (&loaded.context, &loaded.module);
        let symbols = symbols(context, module);
        if self.json {
            let lines: String = symbols
                .iter()
                .map(|s| {
                    let name = context.operation_name_bytes(module.name(s.operation));
                    let line = json!({
                        "symbol": s.path.to_string(),
                        "operation": String::from_utf8_lossy(name),
                        "visibility": s.visibility.as_str(),
                        "operations": s.operations(module),
                    });
                    format!("{line}\n")
                })
                .collect();
            print(&lines)?;
            return Ok(ExitStatus::Success);
        }
        let rows: Vec<Vec<String>> = symbols
            .iter()
            .map(|s| {
                let name = context.operation_name_bytes(module.name(s.operation));
                vec![
                    name.escape_ascii().to_string(),
                    s.visibility.as_str().to_owned(),
                    s.operations(module).to_string(),
                    s.path.to_string(),
                ]
            })
            .collect();
        print(&table(
            &["operation", "visibility", "operations", "symbol"],
            &[false, false, true, false],
            &rows,
        ))?;
        Ok(ExitStatus::Success)
    }
}
