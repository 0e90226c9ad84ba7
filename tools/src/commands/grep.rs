//! `rmlir grep`: finds operations.

mod parts;

use super::{ExitStatus, Loaded, Run, table};
use crate::Failure;
use crate::both::Both;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::{Inputs, in_order};
use crate::listed::{SharedTracker, SymbolTracker};
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::rendered::{Heads, has_names, most_text};
use crate::source_location::{Positions, SourceLocation, SourcePosition};
use crate::style::{Style, has_colors};
use crate::symbols::{InnermostSymbols, shown, shown_name};
use clap::{Args, ValueEnum};
use parts::{Parts, TopLevel, WithTopLevel};
use rmlir::events::{OperationEvent, Visitor, visit_module};
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{Context, Module, Operation};
use rmlir::query::{Query, find_events};
use rmlir::text::type_to_string;
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

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

/// How lines are printed.
#[derive(Clone, Copy)]
struct Lines {
    /// Whether lines contain the name of the file.
    several: bool,
    colors: bool,
}

/// The operations that are found.
#[derive(Default)]
struct Matches {
    count: usize,
    /// The operations, if a module is searched whose operations are printed.
    operations: Vec<Operation>,
    /// The numbers of the operations of a file that are printed.
    numbers: Vec<u64>,
    /// The operations of this file that others are in.
    top_level: TopLevel,
    /// The number of the innermost symbol of each operation, if it is wanted.
    symbols: Vec<Option<usize>>,
    /// The symbols that were visited, if they are wanted.
    tracker: SymbolTracker,
    keys: Vec<String>,
}

impl Matches {
    /// Returns the path of the innermost symbol of each operation, as the programs print it.
    fn paths(&self, context: &Context) -> Vec<Option<Arc<str>>> {
        let paths = self.tracker.paths(context);
        let mut texts: Vec<Option<Arc<str>>> = vec![None; paths.len()];
        let text = |&symbol: &Option<usize>| {
            let (path, text) = (paths.get(symbol?)?, texts.get_mut(symbol?)?);
            Some(Arc::clone(text.get_or_insert_with(|| shown(path).into())))
        };
        self.symbols.iter().map(text).collect()
    }
}

/// What a search collects besides the number of operations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Nothing,
    Symbols,
    /// Numbers of operations of a file.
    Numbers,
}

/// The matches in a file.
enum Answer {
    /// The lines of the operations.
    Operations(String),
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
        self.check_predicate(&paths)?;
        let (load, threads) = self.load.for_files(paths.len());
        let mut failures = Vec::new();
        let mut any = false;
        let mut keys: BTreeMap<String, u64> = BTreeMap::new();
        Output::Standard.write(|out| {
            let lines = Lines {
                several: paths.len() > 1,
                colors: has_colors(std::io::stdout().is_terminal()),
            };
            in_order(
                &paths,
                threads,
                |path| self.grep(&load, path, lines),
                |answer| {
                    let text = match answer {
                        Ok(Answer::Operations(text)) => {
                            any |= !text.is_empty();
                            text
                        }
                        Ok(Answer::Count(file, count)) => {
                            any |= count > 0;
                            self.count_line(&file, lines, count)
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
        if !any {
            self.warn_of_short_name();
        }
        Ok(match any {
            true => ExitStatus::Success,
            false => ExitStatus::Different,
        })
    }
}

impl Grep {
    /// Refuses the name of a file as the predicate. It is one, the name of an operation, so that
    /// standard input would be searched.
    fn check_predicate(&self, paths: &[String]) -> Result<(), Failure> {
        let predicate = self.predicate.to_string();
        let path = Path::new(&predicate);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_named = matches!(extension, Some("mlir" | "mlirbc" | "rmbc"));
        if is_named && matches!(paths, [path] if path == "-") && path.exists() {
            let message = format!("'{predicate}' is a file: the predicate precedes it");
            return Err(Failure::Usage(message));
        }
        Ok(())
    }

    /// Warns if the predicate is a name without a dialect, which nobody means.
    fn warn_of_short_name(&self) {
        let name = self.predicate.to_string();
        let is_short = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if self.also.is_empty() && name.chars().all(is_short) {
            let warning = format!("no operation is named '{name}': did you mean '*.{name}'?");
            self.load.diagnostic_format.show_warning(&warning);
        }
    }

    /// Finds operations by their events. The parts of a file whose operations are printed are read
    /// after that.
    fn grep(&self, load: &LoadOptions, path: &str, lines: Lines) -> Result<Answer, Failure> {
        let input = load.read(path)?;
        let (load, progress) = load.watched(&input);
        let load = &*load;
        let name = input.name.clone();
        let is_printed = !self.count && !self.files_with_matches && self.by.is_none();
        let most = match self.files_with_matches {
            true => 1,
            false => self.max_count.unwrap_or(usize::MAX),
        };
        let wanted = match self.by {
            Some(Key::Symbol) => Wanted::Symbols,
            _ => Wanted::Nothing,
        };
        let begin = |phase| {
            if let Some(progress) = &progress {
                progress.phase(phase, &input.name, input.byte_len());
            }
        };
        if let Some(file) = load.open(&input)? {
            begin("searching");
            let mut context = load.context()?;
            let sections = file.sections().map_err(|error| input.failure(error))?;
            let has_names = sections.iter().any(|&(section, _)| section == "names");
            let wanted = match is_printed {
                true => Wanted::Numbers,
                false => wanted,
            };
            let matches = self.matches(most, wanted, &mut |visitor| {
                let visited = file.visit(&mut context, visitor);
                visited.map_err(|error| input.failure(error))
            })?;
            if !is_printed || matches.count == 0 {
                return Ok(self.answer(name, &context, matches));
            }
            begin("printing");
            let found = (&input, &file);
            let text = self.lines_of_file(found, context, &matches, has_names, lines)?;
            if let Some(text) = text {
                return Ok(Answer::Operations(text));
            }
        }
        begin("reading");
        let loaded = match is_printed {
            true => Loaded::from_input_quietly(load, input)?,
            false => Loaded::from_input_nameless(load, input)?,
        };
        let (context, module) = (&loaded.context, &loaded.module);
        let matches = self.matches(most, wanted, &mut |visitor| {
            let visited = visit_module(context, module, visitor);
            visited.map_err(|error| loaded.input.failure(error))
        })?;
        if is_printed {
            let operations = matches.operations.as_slice();
            let most = most_text(loaded.input.byte_len());
            // Without heads, the text of all operations is too long.
            let keep_names = has_names(module);
            let heads = Heads::new((context, module), operations, keep_names, most);
            let mut text = String::new();
            let found = (context, module, operations);
            self.lines(&loaded.input.name, found, heads, lines, &mut text);
            return Ok(Answer::Operations(text));
        }
        Ok(self.answer(name, context, matches))
    }

    /// Returns the lines of the operations that were found in a file, of which only the parts with
    /// these operations are read. Returns `None` if the text depends on more than these parts.
    fn lines_of_file(
        &self,
        (input, file): (&Input, &rmlir::File),
        mut context: Context,
        matches: &Matches,
        has_names: bool,
        lines: Lines,
    ) -> Result<Option<String>, Failure> {
        let failure = |error| input.failure(error);
        let numbers = matches.numbers.as_slice();
        if !matches.top_level.are_independent(numbers) {
            return Ok(None);
        }
        let mut text = String::new();
        let mut left = most_text(input.byte_len());
        let mut is_complete = true;
        let mut each = |context: &Context, module: &Module, operations: &[Operation]| {
            let heads = Heads::new((context, module), operations, has_names, left);
            let Some(heads) = heads else {
                is_complete = false;
                return ControlFlow::Break(());
            };
            left = left.saturating_sub(heads.byte_len());
            let found = (context, module, operations);
            self.lines(&input.name, found, Some(heads), lines, &mut text);
            ControlFlow::Continue(())
        };
        let mut parts = Parts::new(&matches.top_level, numbers, has_names, &mut each);
        file.visit(&mut context, &mut parts).map_err(failure)?;
        let finished = parts.finish(&context);
        is_complete &= finished.is_continue();
        // Distinct attributes are numbered in the order of the whole text.
        Ok((is_complete && !context.has_distincts()).then_some(text))
    }

    /// Returns the answer without texts of operations.
    fn answer(&self, name: String, context: &Context, matches: Matches) -> Answer {
        match self.by {
            _ if self.count || self.files_with_matches => Answer::Count(name, matches.count),
            Some(Key::Symbol) => {
                let key = |path: Option<Arc<str>>| path.map_or_else(nothing, |path| (*path).into());
                Answer::Keys(matches.paths(context).into_iter().map(key).collect())
            }
            Some(_) => Answer::Keys(matches.keys),
            None => Answer::Operations(String::new()),
        }
    }

    /// Finds at most `most` operations, and collects what is wanted.
    fn matches(
        &self,
        most: usize,
        wanted: Wanted,
        visit: &mut dyn FnMut(&mut dyn Visitor) -> Result<(), Failure>,
    ) -> Result<Matches, Failure> {
        let queries: Vec<&Query> = std::iter::once(&self.predicate).chain(&self.also).collect();
        let mut matches = Matches::default();
        if most == 0 {
            return Ok(matches);
        }
        let tracker = RefCell::<SymbolTracker>::default();
        let mut top_level = TopLevel::default();
        let mut visit = |visitor: &mut dyn Visitor| {
            // Some predicates need two visits; the last one finds the operations.
            match wanted {
                Wanted::Nothing => visit(visitor),
                Wanted::Symbols => {
                    tracker.take();
                    visit(&mut Both(&mut SharedTracker(&tracker), visitor))
                }
                Wanted::Numbers => {
                    top_level = TopLevel::default();
                    visit(&mut WithTopLevel(&mut top_level, visitor))
                }
            }
        };
        find_events(&queries, &mut visit, &mut |number, event| {
            matches.count += 1;
            matches.operations.extend(event.operation());
            match wanted {
                Wanted::Nothing => {}
                Wanted::Symbols => matches.symbols.push(tracker.borrow().innermost()),
                Wanted::Numbers => matches.numbers.push(number),
            }
            if let Some(key) = self.by.filter(|&key| key != Key::Symbol) {
                matches.keys.push(key.of(event)?);
            }
            Ok(match matches.count < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        })?;
        matches.tracker = tracker.into_inner();
        matches.top_level = top_level;
        Ok(matches)
    }

    /// Appends the lines of operations, in the order of the operations.
    fn lines(
        &self,
        file: &str,
        (context, module, operations): (&Context, &Module, &[Operation]),
        mut heads: Option<Heads>,
        lines: Lines,
        out: &mut String,
    ) {
        let mut text = String::new();
        let mut symbols = InnermostSymbols::new(context, module);
        let mut positions = Positions::new(context);
        for &operation in operations {
            let symbol = symbols.path(operation);
            let name = || shown_name(context.operation_name_bytes(module.name(operation)));
            text.clear();
            let heads = heads.as_mut();
            if !heads.is_some_and(|heads| heads.append_next(operation, &mut text)) {
                text.push_str(&name());
            }
            if self.json {
                let place = SourceLocation::of(context, module.location(operation));
                let line = json!({
                    "schema": "grep/1",
                    "file": file,
                    "symbol": symbol.as_deref(),
                    "operation": name(),
                    "text": text,
                    "location": place.as_ref().map(SourceLocation::to_json),
                    "operand_types": types(context, module, module.operands(operation)),
                    "result_types": types(context, module, module.results(operation)),
                });
                // Writing to a string does not fail.
                let _ = writeln!(out, "{line}");
                continue;
            }
            if lines.several {
                Style::File.paint(lines.colors, file, out);
                out.push_str(": ");
            }
            if let Some(symbol) = &symbol {
                Style::Symbol.paint(lines.colors, symbol, out);
                out.push_str(": ");
            }
            out.push_str(&text);
            if let Some(place) = SourcePosition::of(context, module.location(operation)) {
                text.clear();
                text.push_str("// ");
                positions.write(place, &mut text);
                out.push_str("  ");
                Style::Comment.paint(lines.colors, &text, out);
            }
            out.push('\n');
        }
    }

    fn count_line(&self, file: &str, lines: Lines, count: usize) -> String {
        if self.files_with_matches && count == 0 {
            return String::new();
        }
        if self.json {
            let count = self.count.then_some(count);
            let line = json!({"schema": "grep/1", "file": file, "count": count});
            return format!("{line}\n");
        }
        let file = Style::File.painted(lines.colors, file);
        match (self.files_with_matches, lines.several) {
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
        rows.compact_sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
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

fn types(
    context: &Context,
    module: &Module,
    values: impl Iterator<Item = rmlir::Value>,
) -> Vec<String> {
    let ty = |value| type_to_string(context, module.value_type(value));
    values.map(ty).collect()
}
