//! `rmlir list`: lists the symbols of modules, and the other top-level operations.

mod rows;

use super::{ExitStatus, Run, table};
use crate::Failure;
use crate::both::Both;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::{Inputs, in_order};
use crate::load::{Inspecting, LoadOptions};
use crate::operation_map::OperationMap;
use crate::output::Output;
use crate::symbols::{matches_path, shown, shown_name};
use clap::{Args, ValueEnum};
use rmlir::events::{Visitor, visit_module};
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{Operation, Visibility};
use rmlir::query::{Glob, Query, find_events};
use rmlir::text::{SpanKind, parse_module_with_spans};
use rmlir::{Form, SymbolPath};
use rows::Rows;
use serde_json::json;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

/// List symbols with operation, visibility and size
///
/// Operations directly in the top-level module that are not symbols come last, with '-' (null in
/// JSON) as name and visibility.
///
/// Sizes are those of the operations in the file, with everything nested in them and without the
/// tables that they use. Function bodies of bytecode are skipped, so functions with a corrupt or
/// undecodable body are listed; '--signature', '--where' and numbers of operations need the whole
/// file.
///
/// If the outer names of a symbol take more than 1,000 bytes, their number replaces the first ones:
/// '<7990 names>::@m::@f'.
#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    inputs: Inputs,
    /// Only symbols whose name matches this glob; one with '::' is compared with the whole path
    #[arg(long, value_name = "GLOB")]
    name: Option<Glob>,
    /// Only operations whose name matches this glob, such as 'func.*'
    #[arg(long, value_name = "GLOB")]
    kind: Option<Glob>,
    /// Only operations that this predicate holds for (guide/predicates.md)
    #[arg(long = "where", value_name = "PREDICATE")]
    also: Option<Query>,
    /// Print the types of inputs and results of functions
    #[arg(short, long)]
    signature: bool,
    /// The order
    #[arg(long, value_name = "KEY", default_value = "file")]
    sort: Order,
    /// Print the numbers of symbols and operations and the sum of sizes in a last line
    #[arg(long, conflicts_with = "json")]
    total: bool,
    /// Print one JSON object per line (spec/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Inspecting,
}

/// An order of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// As in the file
    File,
    /// By path
    Name,
    /// The largest first
    Size,
    /// By operation, then as in the file
    Kind,
}

/// A line of the list.
struct Row {
    path: Option<SymbolPath>,
    operation: Vec<u8>,
    visibility: Option<Visibility>,
    /// The size in the file.
    bytes: Option<u64>,
    /// The number of operations in it, itself included.
    operations: Option<u64>,
    signature: Option<String>,
}

/// The longest signature in a table, in characters.
const MOST_SIGNATURE: usize = 120;

impl Run for List {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        let (load, threads) = self.load.for_files(paths.len());
        let several = paths.len() > 1;
        let mut failures = Vec::new();
        Output::Standard.write(|out| {
            in_order(
                &paths,
                threads,
                |path| self.list(&load, path),
                |rows| match rows {
                    Err(failure) => Failure::keep(&mut failures, failure),
                    Ok((file, rows)) => {
                        let text = match self.json {
                            true => json_lines(&file, &rows),
                            false => self.table(&file, several, &rows),
                        };
                        out.write_all(text.as_bytes())
                            .map_err(|e| Failure::unwritten(&e))
                    }
                },
            )
        })?;
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl List {
    fn list(&self, load: &LoadOptions, path: &str) -> Result<(String, Vec<Row>), Failure> {
        let input = load.read(path)?;
        let (load, _progress) = load.watched(&input);
        let load = &*load;
        let name = input.name.clone();
        let needs_module = self.signature || self.also.is_some();
        let mut rows = match load.open(&input)? {
            Some(file) if !needs_module => self.of_file(load, &input, &file)?,
            Some(file) => {
                let mut context = load.context()?;
                let rows = self.visited(&mut |visitor| {
                    let visited = file.visit(&mut context, visitor);
                    visited.map_err(|error| input.failure(error))
                })?;
                let listed = file.symbols().map_err(|error| input.failure(error))?;
                rows.finish(&context, |symbol, _| {
                    let (position, path) = symbol?;
                    let listed = listed.get(position)?;
                    (listed.name() == path.name().map(AsRef::as_ref)).then_some(listed.bytes)
                })
            }
            None => of_text(self, load, &input)?,
        };
        rows.retain(|row| self.selects(row));
        match self.sort {
            Order::File => {}
            Order::Name => rows.sort_by_cached_key(|row| row.path.as_ref().map(shown)),
            Order::Size => {
                let size = |row: &Row| row.bytes.or(row.operations).unwrap_or(0);
                rows.compact_sort_by_key(|row| std::cmp::Reverse(size(row)));
            }
            Order::Kind => rows.compact_sort_by(|a, b| a.operation.cmp(&b.operation)),
        }
        Ok((name, rows))
    }

    fn selects(&self, row: &Row) -> bool {
        let kind = self.kind.as_ref();
        let name = |glob: &Glob| {
            let path = row.path.as_ref();
            path.is_some_and(|path| matches_path(glob, path))
        };
        kind.is_none_or(|glob| glob.matches(&row.operation)) && self.name.as_ref().is_none_or(name)
    }

    /// Lists without reading bodies.
    fn of_file(
        &self,
        load: &LoadOptions,
        input: &Input,
        file: &rmlir::File,
    ) -> Result<Vec<Row>, Failure> {
        let symbols = file.symbols().map_err(|e| input.failure(e))?;
        let unnamed = file.unnamed().map_err(|e| input.failure(e))?;
        let undecided = file.undecided().map_err(|e| input.failure(e))?;
        if undecided > 0 {
            let message = format!(
                "{undecided} operations may be symbols, but the layout of their properties is not known"
            );
            let format = load.diagnostic_format;
            format.show_file_warning(&input.name, &message);
        }
        let rows = symbols.into_iter().chain(unnamed).map(|symbol| {
            let is_symbol = symbol.name().is_some();
            Row {
                operation: symbol.operation.to_vec(),
                visibility: is_symbol.then_some(symbol.visibility),
                bytes: Some(symbol.bytes),
                path: is_symbol.then_some(symbol.path),
                operations: None,
                signature: None,
            }
        });
        Ok(rows.collect())
    }

    /// Lists with the content of operations.
    fn visited(
        &self,
        visit: &mut dyn FnMut(&mut dyn Visitor) -> Result<(), Failure>,
    ) -> Result<Rows, Failure> {
        let Some(query) = &self.also else {
            let mut rows = Rows::new(self.signature, None);
            visit(&mut rows)?;
            return Ok(rows);
        };
        let matched = Rc::new(Cell::new(None));
        let new = || Rows::new(self.signature, Some(Rc::clone(&matched)));
        let mut rows = new();
        find_events(
            &[query],
            &mut |visitor| {
                // Some predicates need two visits; the last one finds the operations.
                rows = new();
                visit(&mut Both(visitor, &mut rows))
            },
            &mut |number, _| {
                matched.set(Some(number));
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(rows)
    }

    fn table(&self, file: &str, several: bool, rows: &[Row]) -> String {
        let has = |has: fn(&Row) -> bool| rows.iter().any(has);
        // Numbers of operations are known if the whole file was read.
        let counts = self.signature || self.also.is_some();
        let columns = (
            has(|row| row.bytes.is_some()),
            counts && has(|row| row.operations.is_some()),
        );
        let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let mut header = vec!["operation", "visibility"];
        let mut right = vec![false, false];
        for (shown, name) in [(columns.0, "bytes"), (columns.1, "operations")] {
            if shown {
                header.push(name);
                right.push(true);
            }
        }
        header.push("symbol");
        right.push(false);
        if self.signature {
            header.push("signature");
            right.push(false);
        }
        let cells = |row: &Row| {
            let visibility = row.visibility.map_or("-", Visibility::as_str);
            let mut cells = vec![shown_name(&row.operation), visibility.to_owned()];
            cells.extend(columns.0.then(|| number(row.bytes)));
            cells.extend(columns.1.then(|| number(row.operations)));
            cells.push(row.path.as_ref().map_or_else(|| "-".to_owned(), shown));
            if self.signature {
                let signature = row.signature.clone().unwrap_or_default();
                cells.push(match signature.char_indices().nth(MOST_SIGNATURE) {
                    Some((end, _)) => format!("{}...", signature.get(..end).unwrap_or_default()),
                    None => signature,
                });
            }
            cells
        };
        let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let mut text = match several {
            true => format!("{file}:\n"),
            false => String::new(),
        };
        text.push_str(&table(&header, &right, &cells));
        if self.total {
            text.push_str(&total(rows));
        }
        text
    }
}

/// The last line of a table. Symbols that are nested in another row are not counted twice.
fn total(rows: &[Row]) -> String {
    let symbols = rows.iter().filter(|row| row.path.is_some()).count();
    let is_outer = |row: &&Row| row.path.as_ref().is_none_or(|path| path.len() == 1);
    let sum = |size: fn(&Row) -> Option<u64>| -> Option<u64> {
        rows.iter().filter(is_outer).map(size).sum()
    };
    let mut text = format!("{symbols} symbols, {} others", rows.len() - symbols);
    for (what, sum) in [
        ("bytes", sum(|row| row.bytes)),
        ("operations", sum(|row| row.operations)),
    ] {
        if let Some(sum) = sum {
            text.push_str(&format!(", {sum} {what}"));
        }
    }
    text.push('\n');
    text
}

/// Lists a text, with the bytes that each operation takes.
fn of_text(list: &List, load: &LoadOptions, input: &Input) -> Result<Vec<Row>, Failure> {
    debug_assert_eq!(input.form(), Form::Text);
    let options = load.read_options(input)?;
    let mut context = options.context();
    let parsed = parse_module_with_spans(&mut context, input.source()?, &options.parse_options());
    let (module, spans) = parsed.map_err(|errors| input.failure(errors))?;
    let mut sizes = OperationMap::default();
    for span in &spans {
        if let SpanKind::Operation(operation) = span.kind {
            let size = span.bytes.end.saturating_sub(span.bytes.start);
            sizes.insert(operation, size);
        }
    }
    let rows = list.visited(&mut |visitor| {
        let visited = visit_module(&context, &module, visitor);
        visited.map_err(|error| input.failure(error))
    })?;
    let operations: Vec<Operation> = module.descendants(module.top()).collect();
    Ok(rows.finish(&context, |_, number| {
        let operation = operations.get(usize::try_from(number).ok()?)?;
        sizes.get(*operation)
    }))
}

fn json_lines(file: &str, rows: &[Row]) -> String {
    let line = |row: &Row| {
        let line = json!({
            "schema": "list/1",
            "file": file,
            "symbol": row.path.as_ref().map(shown),
            "operation": String::from_utf8_lossy(&row.operation),
            "visibility": row.visibility.map(Visibility::as_str),
            "bytes": row.bytes,
            "operations": row.operations,
            "signature": row.signature,
        });
        format!("{line}\n")
    };
    rows.iter().map(line).collect()
}
