//! JSON about the files that commands write.

use crate::Failure;
use crate::commands::print;
use crate::save::{OutputFormat, SaveOptions};
use crate::symbols::{shown, symbols};
use rmlir::ir::{Context, Module};
use serde_json::{Value, json};

/// Checks that an output is a file, which `--json` describes on standard output. `remedy` names the
/// options for it.
///
/// # Errors
///
/// If the output is standard output.
pub fn check_file(output: Option<&str>, remedy: &str) -> Result<(), Failure> {
    match output {
        None | Some("-") => Err(Failure::Usage(format!(
            "'--json' describes files that are written: {remedy}"
        ))),
        Some(_) => Ok(()),
    }
}

/// An output that was written, for `--json`.
pub struct Written<'w> {
    /// The inputs it was made from.
    pub inputs: &'w [&'w str],
    /// Its module; `None` if it was copied without being decoded.
    pub module: Option<(&'w Context, &'w Module)>,
    /// Whether its symbols are listed, because they are what the command chose.
    pub lists_symbols: bool,
}

impl Written<'_> {
    /// Prints the line of JSON about the output that these options name, if they ask for it.
    ///
    /// # Errors
    ///
    /// If the size of the output cannot be determined, or printing fails.
    pub fn report(&self, save: &SaveOptions) -> Result<(), Failure> {
        let Some(output) = save.output.as_deref().filter(|_| save.json) else {
            return Ok(());
        };
        let metadata = std::fs::metadata(output).map_err(|error| Failure::io(output, &error))?;
        let form = match save.form()? {
            OutputFormat::Text | OutputFormat::Generic => "text",
            OutputFormat::Rmbc => "rmbc",
            OutputFormat::Mlirbc => "mlirbc",
        };
        let operations = self
            .module
            .map(|(_, module)| module.descendants(module.top()).count());
        let listed = self.module.filter(|_| self.lists_symbols);
        let listed = listed.map(|(context, module)| {
            let all = symbols(context, module);
            let top = all.iter().filter(|symbol| symbol.path.len() == 1);
            top.map(|symbol| Value::from(shown(&symbol.path)))
                .collect::<Vec<_>>()
        });
        let line = json!({
            "schema": "written/1",
            "inputs": self.inputs,
            "output": output,
            "form": form,
            "bytes": metadata.len(),
            "operations": operations,
            "symbols": listed,
        });
        print(&format!("{line}\n"))
    }
}
