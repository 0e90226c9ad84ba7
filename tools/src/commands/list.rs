//! `rmlir list`: lists the symbols of a module, and the other top-level operations.

use super::{ExitStatus, Loaded, Run, print, table};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::LoadOptions;
use crate::symbols::{operation_counts, shown, shown_name, symbols};
use clap::Args;
use rmlir::ir::{Operation, Visibility, unnamed_operations};
use serde_json::{Value, json};

/// List symbols with operation, visibility and size
///
/// Operations directly in the top-level module that are not symbols come last, with '-' (null in
/// JSON) as name and visibility.
///
/// Sizes in bytecode are bytes of the operations, without the tables that they use. Function bodies
/// are skipped, so functions with a corrupt or undecodable body are listed. Sizes in text are
/// numbers of operations.
///
/// If the outer names of a symbol take more than 1,000 bytes, their number replaces the first ones:
/// '<7990 names>::@m::@f'.
#[derive(Args, Debug)]
pub struct List {
    /// The input file; `-` is standard input
    input: String,
    /// Print one JSON object per line
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
        if let Some(file) = self.load.open(&input)? {
            return self.list_file(&input, &file);
        }
        let loaded = Loaded::from_input(&self.load, input)?;
        let (context, module) = (&loaded.context, &loaded.module);
        let named = symbols(context, module);
        let unnamed: Vec<Operation> = unnamed_operations(context, module).collect();
        let operations: Vec<Operation> = named.iter().map(|symbol| symbol.operation).collect();
        let operations = [operations, unnamed].concat();
        let counts = operation_counts(module, &operations);
        let rows = operations.iter().zip(counts).enumerate();
        let rows = rows.map(|(place, (&operation, size))| {
            let symbol = named.get(place);
            Row {
                path: symbol.map(|symbol| shown(&symbol.path)),
                operation: context.operation_name_bytes(module.name(operation)),
                visibility: symbol.map(|symbol| symbol.visibility),
                size,
            }
        });
        self.print(rows.collect(), "operations")
    }
}

/// A line of the list.
struct Row<'r> {
    path: Option<String>,
    operation: &'r [u8],
    visibility: Option<Visibility>,
    size: u64,
}

impl Row<'_> {
    fn to_json(&self, unit: &str) -> Value {
        json!({
            "symbol": self.path,
            "operation": String::from_utf8_lossy(self.operation),
            "visibility": self.visibility.map(Visibility::as_str),
            unit: self.size,
        })
    }

    fn cells(&self) -> Vec<String> {
        vec![
            shown_name(self.operation),
            self.visibility.map_or("-", Visibility::as_str).to_owned(),
            self.size.to_string(),
            self.path.clone().unwrap_or_else(|| "-".to_owned()),
        ]
    }
}

impl List {
    /// Lists without reading bodies.
    fn list_file(&self, input: &Input, file: &rmlir::File) -> Result<ExitStatus, Failure> {
        let symbols = file.symbols().map_err(|e| input.failure(e))?;
        let unnamed = file.unnamed().map_err(|e| input.failure(e))?;
        let undecided = file.undecided().map_err(|e| input.failure(e))?;
        if undecided > 0 {
            self.load.diagnostic_format.show_message(&format!(
                "{}: warning: {undecided} operations may be symbols, but the layout of their properties is not known",
                input.name
            ));
        }
        let rows = symbols.iter().chain(&unnamed).map(|symbol| {
            let name = symbol.name();
            Row {
                path: name.map(|_| shown(&symbol.path)),
                operation: &symbol.operation,
                visibility: name.map(|_| symbol.visibility),
                size: symbol.bytes,
            }
        });
        self.print(rows.collect(), "bytes")
    }

    fn print(&self, rows: Vec<Row<'_>>, unit: &str) -> Result<ExitStatus, Failure> {
        if self.json {
            let lines: String = rows
                .iter()
                .map(|row| format!("{}\n", row.to_json(unit)))
                .collect();
            print(&lines)?;
            return Ok(ExitStatus::Success);
        }
        let rows: Vec<Vec<String>> = rows.iter().map(Row::cells).collect();
        print(&table(
            &["operation", "visibility", unit, "symbol"],
            &[false, false, true, false],
            &rows,
        ))?;
        Ok(ExitStatus::Success)
    }
}
