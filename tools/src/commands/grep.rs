//! `rmlir grep`: finds operations.

use super::{ExitStatus, Loaded, Run, table};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::{Inputs, in_order};
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::rendered::{Rendered, naming_scope};
use crate::source_location::SourceLocation;
use crate::style::{Style, has_colors};
use crate::symbols::{shown_name, symbol_paths};
use clap::{Args, ValueEnum};
use rmlir::events::{OperationEvent, Visitor, visit_module};
use rmlir::ir::{Context, Module, Operation};
use rmlir::query::{Query, find_events};
use rmlir::text::{SpanDetail, type_to_string};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::io::IsTerminal;
use std::ops::ControlFlow;

/// Find operations
///
/// Prints, for each operation that PREDICATE holds for, its symbol, its text up to the first region
/// and its source location. Large constants are elided.
///
/// A predicate is an operation name, or tests such as 'result ~ bf16', 'attr.value = 1', 'in =
/// @main', 'loc ~ model.py:35', 'constant > 1KiB', combined with 'and', 'or', 'not' and
/// parentheses. guide/predicates.md has all of them.
///
/// Exit status: 0 if an operation was found, 1 if not, 2 on an error.
#[derive(Args, Debug)]
pub struct Grep {
    /// The predicate: 'stablehlo.dot*', 'arith.constant and constant > 1MiB'
    predicate: Query,
    #[command(flatten)]
    inputs: Inputs,
    /// Another predicate, which must hold too; may be repeated
    #[arg(long = "where", value_name = "PREDICATE")]
    also: Vec<Query>,
    /// Print the number of operations found in each file
    #[arg(short, long, group = "what")]
    count: bool,
    /// Print the names of files in which operations are found
    #[arg(short = 'l', long, group = "what")]
    files_with_matches: bool,
    /// Print a table of the operations found, by this
    #[arg(long, value_name = "KEY", group = "what")]
    by: Option<Key>,
    /// Stop after this number of operations in each file
    #[arg(short, long, value_name = "N", conflicts_with = "files_with_matches")]
    max_count: Option<usize>,
    /// Print JSON, one object per operation, file or row (spec/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Inspecting,
}

/// The key by which operations are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Key {
    /// By name of the operation
    Operation,
    /// By dialect
    Dialect,
    /// By the symbol that they are in
    Symbol,
    /// By source file
    File,
    /// By the types of their results
    Type,
}

/// An operation that was found.
struct Found {
    symbol: Option<String>,
    name: String,
    text: String,
    place: Option<SourceLocation>,
    /// The types of operands and results, for JSON.
    types: [Vec<String>; 2],
}

/// The operations that are found: their numbers in the file, parents first, and their keys.
#[derive(Default)]
struct Matches {
    numbers: Vec<u64>,
    keys: Vec<String>,
}

/// The matches in a file.
enum Answer {
    Operations(String, Vec<Found>),
    Count(String, usize),
    Keys(Vec<String>),
}

impl Run for Grep {
    fn failure_status(&self) -> u8 {
        2
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        let (load, threads) = self.load.for_files(paths.len());
        let several = paths.len() > 1;
        let mut failures = Vec::new();
        let mut any = false;
        let mut keys: BTreeMap<String, u64> = BTreeMap::new();
        Output::Standard.write(|out| {
            let colors = has_colors(std::io::stdout().is_terminal());
            in_order(
                &paths,
                threads,
                |path| self.grep(&load, path),
                |answer| {
                    let text = match answer {
                        Ok(Answer::Operations(file, found)) => {
                            any |= !found.is_empty();
                            let line = |found: &Found| self.line(&file, several, colors, found);
                            found.iter().map(line).collect::<String>()
                        }
                        Ok(Answer::Count(file, count)) => {
                            any |= count > 0;
                            self.count_line(&file, several, colors, count)
                        }
                        Ok(Answer::Keys(found)) => {
                            any |= !found.is_empty();
                            for key in found {
                                *keys.entry(key).or_default() += 1;
                            }
                            String::new()
                        }
                        Err(failure) => {
                            Failure::keep(&mut failures, failure)?;
                            String::new()
                        }
                    };
                    out.write_all(text.as_bytes())
                        .map_err(|e| Failure::unwritten(&e))
                },
            )?;
            let text = self.key_table(&keys);
            out.write_all(text.as_bytes())
                .map_err(|e| Failure::unwritten(&e))
        })?;
        Failure::all(failures)?;
        Ok(match any {
            true => ExitStatus::Success,
            false => ExitStatus::Different,
        })
    }
}

impl Grep {
    /// Finds operations by their events. Only the texts and symbols of operations that are found
    /// need a module.
    fn grep(&self, load: &LoadOptions, path: &str) -> Result<Answer, Failure> {
        let input = load.read(path)?;
        let name = input.name.clone();
        let (loaded, matches) = match load.open(&input)? {
            Some(file) => {
                let mut context = load.context()?;
                let matches = self.matches(&mut |visitor| {
                    let visited = file.visit(&mut context, visitor);
                    visited.map_err(|error| input.failure(error))
                })?;
                (None, matches)
            }
            None => {
                let is_printed = !self.count && !self.files_with_matches && self.by.is_none();
                let loaded = match is_printed {
                    true => Loaded::from_input_quietly(load, input.clone())?,
                    false => Loaded::from_input_nameless(load, input.clone())?,
                };
                let matches = self.matches(&mut |visitor| {
                    let visited = visit_module(&loaded.context, &loaded.module, visitor);
                    visited.map_err(|error| input.failure(error))
                })?;
                (Some(loaded), matches)
            }
        };
        if self.count || self.files_with_matches {
            return Ok(Answer::Count(name, matches.numbers.len()));
        }
        if self.by.is_some_and(|key| key != Key::Symbol) {
            return Ok(Answer::Keys(matches.keys));
        }
        if matches.numbers.is_empty() {
            return Ok(match self.by {
                Some(_) => Answer::Keys(Vec::new()),
                None => Answer::Operations(name, Vec::new()),
            });
        }
        let loaded = match loaded {
            Some(loaded) => loaded,
            None => Loaded::from_input_quietly(load, input)?,
        };
        let (context, module) = (&loaded.context, &loaded.module);
        let mut numbers = matches.numbers.into_iter().peekable();
        let found: Vec<Operation> = (0..)
            .zip(module.descendants(module.top()))
            .filter_map(|(number, operation)| {
                numbers.next_if_eq(&number)?;
                Some(operation)
            })
            .collect();
        if self.by.is_some() {
            let paths = symbol_paths(context, module, &found).into_iter();
            let keys = paths.map(|path| path.unwrap_or_else(nothing));
            return Ok(Answer::Keys(keys.collect()));
        }
        let input_len = loaded.input.byte_len();
        let found = describe(context, module, &found, input_len, self.json);
        Ok(Answer::Operations(name, found))
    }

    fn matches(
        &self,
        visit: &mut dyn FnMut(&mut dyn Visitor) -> Result<(), Failure>,
    ) -> Result<Matches, Failure> {
        let queries: Vec<&Query> = std::iter::once(&self.predicate).chain(&self.also).collect();
        let most = match self.files_with_matches {
            true => 1,
            false => self.max_count.unwrap_or(usize::MAX),
        };
        let mut matches = Matches::default();
        if most == 0 {
            return Ok(matches);
        }
        find_events(&queries, visit, &mut |number, event| {
            matches.numbers.push(number);
            if let Some(key) = self.by {
                matches.keys.push(key.of(event)?);
            }
            Ok(match matches.numbers.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        })?;
        Ok(matches)
    }

    fn line(&self, file: &str, several: bool, colors: bool, found: &Found) -> String {
        if self.json {
            let [operands, results] = &found.types;
            let line = json!({
                "schema": "grep/1",
                "file": file,
                "symbol": found.symbol,
                "operation": found.name,
                "text": found.text,
                "location": found.place.as_ref().map(SourceLocation::to_json),
                "operand_types": operands,
                "result_types": results,
            });
            return format!("{line}\n");
        }
        let mut line = String::new();
        if several {
            Style::File.paint(colors, file, &mut line);
            line.push_str(": ");
        }
        if let Some(symbol) = &found.symbol {
            Style::Symbol.paint(colors, symbol, &mut line);
            line.push_str(": ");
        }
        line.push_str(&found.text);
        if let Some(place) = &found.place {
            line.push_str("  ");
            Style::Comment.paint(colors, &format!("// {place}"), &mut line);
        }
        line.push('\n');
        line
    }

    fn count_line(&self, file: &str, several: bool, colors: bool, count: usize) -> String {
        if self.files_with_matches && count == 0 {
            return String::new();
        }
        if self.json {
            let count = self.count.then_some(count);
            let line = json!({"schema": "grep/1", "file": file, "count": count});
            return format!("{line}\n");
        }
        let file = Style::File.painted(colors, file);
        match (self.files_with_matches, several) {
            (true, _) => format!("{file}\n"),
            (false, true) => format!("{file}: {count}\n"),
            (false, false) => format!("{count}\n"),
        }
    }

    fn key_table(&self, keys: &BTreeMap<String, u64>) -> String {
        let Some(by) = self.by else {
            return String::new();
        };
        let mut rows: Vec<(&String, &u64)> = keys.iter().collect();
        rows.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        if self.json {
            let line = |(key, count): &(&String, &u64)| {
                let line = json!({"schema": "grep/1", "key": key, "count": count});
                format!("{line}\n")
            };
            return rows.iter().map(line).collect();
        }
        if rows.is_empty() {
            return String::new();
        }
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|(key, count)| vec![count.to_string(), key.clone()])
            .collect();
        table(&["count", by.name()], &[true, false], &rows)
    }
}

impl Key {
    fn name(self) -> &'static str {
        match self {
            Key::Operation => "operation",
            Key::Dialect => "dialect",
            Key::Symbol => "symbol",
            Key::File => "source file",
            Key::Type => "result types",
        }
    }

    /// Returns the key of an operation, except for [`Key::Symbol`], which needs a module.
    fn of(self, event: &mut OperationEvent<'_>) -> rmlir::format::Result<String> {
        Ok(match self {
            Key::Operation => shown_name(event.context().operation_name_bytes(event.name())),
            Key::Dialect => {
                let context = event.context();
                let dialect = context.operation_dialect(event.name());
                shown_name(context.bytes(dialect))
            }
            Key::Symbol => nothing(),
            Key::File => {
                let location = event.location()?;
                let place = SourceLocation::of(event.context(), location);
                let position = place.and_then(|place| place.position);
                position.map_or_else(nothing, |(file, _, _)| shown_name(file.as_bytes()))
            }
            Key::Type => {
                let types = event.result_types()?.to_vec();
                let text = |&ty| type_to_string(event.context(), ty);
                match types.iter().map(text).collect::<Vec<_>>().join(", ") {
                    types if types.is_empty() => nothing(),
                    types => types,
                }
            }
        })
    }
}

/// The key of an operation that has none.
fn nothing() -> String {
    "-".to_owned()
}

fn operation_name(context: &Context, module: &Module, operation: Operation) -> String {
    shown_name(context.operation_name_bytes(module.name(operation)))
}

fn types(
    context: &Context,
    module: &Module,
    values: impl Iterator<Item = rmlir::Value>,
) -> Vec<String> {
    let ty = |value| type_to_string(context, module.value_type(value));
    values.map(ty).collect()
}

/// Describes operations, in their order, with types if they are asked for. Each scope of names is
/// printed once.
fn describe(
    context: &Context,
    module: &Module,
    operations: &[Operation],
    input_len: u64,
    with_types: bool,
) -> Vec<Found> {
    // The scopes of names that are printed, each once. An operation that is a scope is printed
    // without its content.
    let mut scopes: Vec<Operation> = Vec::new();
    let mut known: HashSet<Operation> = HashSet::new();
    let mut heads: Vec<Operation> = Vec::new();
    let mut found: Vec<Found> = Vec::with_capacity(operations.len());
    let paths = symbol_paths(context, module, operations);
    for (&operation, symbol) in operations.iter().zip(paths) {
        let scope = naming_scope(context, module, operation);
        if scope == operation {
            heads.push(operation);
        } else if known.insert(scope) {
            scopes.push(scope);
        }
        found.push(Found {
            symbol,
            name: operation_name(context, module, operation),
            text: String::new(),
            place: SourceLocation::of(context, module.location(operation)),
            types: match with_types {
                true => [
                    types(context, module, module.operands(operation)),
                    types(context, module, module.results(operation)),
                ],
                false => Default::default(),
            },
        });
    }
    let render = |operations: &[Operation], detail| match operations.is_empty() {
        true => None,
        false => Rendered::new((context, module), operations, detail, input_len),
    };
    let rendered = [
        render(&heads, SpanDetail::Heads),
        render(&scopes, SpanDetail::Operations),
    ];
    for (found, &operation) in found.iter_mut().zip(operations) {
        let mut texts = rendered.iter().flatten();
        let head = texts.find_map(|text| text.head(operation));
        // Of operations that custom syntax does not show, or whose text is too long.
        found.text = head.unwrap_or_else(|| found.name.clone());
    }
    found
}
