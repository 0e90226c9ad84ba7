//! `rmlir list`: the symbols of a module.

use super::{ExitStatus, Loaded, Run, print, table};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::lazy;
use crate::load::LoadOptions;
use crate::symbols::{operation_counts, shown, shown_name, symbols};
use clap::Args;
use serde_json::json;

/// List symbols: kind, visibility, size, name.
///
/// Sizes of upstream's bytecode (.mlirbc) are the bytes of the operations in the file, without what they use of its
/// tables; bodies of functions are not read for that, so that damaged ones, and those in encodings that are not known, are
/// listed all the same. Sizes of other forms are numbers of operations.
///
/// Of a name whose outer names take more than 1,000 bytes, the first ones are replaced by their number:
/// '<7990 names>::@m::@f'.
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
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        if let Some(file) = lazy::open(&self.load, &self.load.context()?, &input)? {
            return self.list_file(&input, &file);
        }
        let loaded = Loaded::from_input(&self.load, input)?;
        let (context, module) = (&loaded.context, &loaded.module);
        let symbols = symbols(context, module);
        let counts = operation_counts(module, &symbols);
        let counted = symbols.iter().zip(counts);
        if self.json {
            let lines: String = counted
                .map(|(s, count)| {
                    let name = context.operation_name_bytes(module.name(s.operation));
                    let line = json!({
                        "symbol": shown(&s.path),
                        "operation": String::from_utf8_lossy(name),
                        "visibility": s.visibility.as_str(),
                        "operations": count,
                    });
                    format!("{line}\n")
                })
                .collect();
            print(&lines)?;
            return Ok(ExitStatus::Success);
        }
        let rows: Vec<Vec<String>> = counted
            .map(|(s, count)| {
                let name = context.operation_name_bytes(module.name(s.operation));
                vec![
                    shown_name(name),
                    s.visibility.as_str().to_owned(),
                    count.to_string(),
                    shown(&s.path),
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

impl List {
    /// Lists without reading bodies.
    fn list_file(&self, input: &Input, file: &lazy::File) -> Result<ExitStatus, Failure> {
        let symbols = file
            .as_lazy()
            .symbols()
            .map_err(|e| lazy::failure(input, &e))?;
        let unnamed = file.unnamed().map_err(|e| lazy::failure(input, &e))?;
        if unnamed > 0 {
            self.load.diagnostic_format.show_message(&format!(
                "{}: warning: {unnamed} operations may be symbols, but the layout of their properties is not known",
                input.name
            ));
        }
        if self.json {
            let lines: String = symbols
                .iter()
                .map(|s| {
                    let line = json!({
                        "symbol": shown(&s.path),
                        "operation": String::from_utf8_lossy(&s.operation),
                        "visibility": s.visibility.as_str(),
                        "bytes": s.bytes,
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
                vec![
                    shown_name(&s.operation),
                    s.visibility.as_str().to_owned(),
                    s.bytes.to_string(),
                    shown(&s.path),
                ]
            })
            .collect();
        print(&table(
            &["operation", "visibility", "bytes", "symbol"],
            &[false, false, true, false],
            &rows,
        ))?;
        Ok(ExitStatus::Success)
    }
}
