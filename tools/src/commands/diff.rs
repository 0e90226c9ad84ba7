//! `rmlir diff`: what differs between two modules.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::{Input, Kind};
use crate::lazy;
use crate::load::LoadOptions;
use crate::symbols::{Symbol, symbols};
use clap::Args;
use imara_diff::{Algorithm, Diff as LineDiff, InternedInput};
use rmlir::ir::{
    Context, EqualityOptions, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation,
    Step as TraversalStep, Traversal, semantic_difference,
};
use rmlir::reader::lazy::LazyFile;
use rmlir::text::{PrintOptions, print_attribute, type_to_string};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Compare the content of two modules, in whatever form each is: symbols added, removed and changed,
/// and the changed operations.
///
/// Of native bytecode with fingerprints on both sides no more is read if these are equal, and locations are not looked at without
/// '--locations'. 'rmlir verify' says whether fingerprints are right.
///
/// Exit status: 0 if the content is the same, 1 if it differs, 2 if that can't be told.
#[derive(Args, Debug)]
pub struct Diff {
    /// The one input
    left: String,
    /// The other input
    right: String,
    /// Locations count
    #[arg(long)]
    locations: bool,
    /// Only list the symbols, not the operations in them
    #[arg(long)]
    brief: bool,
    /// Print a JSON object a line, for each symbol that differs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: LoadOptions,
}

/// A module with what is needed to compare it.
struct Side {
    loaded: Loaded,
    /// By path. Symbol tables are compared by what is in them.
    symbols: BTreeMap<String, Symbol>,
    said: Said,
}

/// The fingerprints without locations that a file says itself: of the module, and of symbols by path.
#[derive(Default)]
struct Said {
    module: Option<Fingerprint>,
    symbols: HashMap<String, Fingerprint>,
}

impl Said {
    fn read(load: &LoadOptions, input: &Input) -> Result<Self, Failure> {
        if input.kind() != Kind::Rmbc {
            return Ok(Said::default());
        }
        let Some(file) = lazy::open(load, &Context::new(), input)? else {
            return Ok(Said::default());
        };
        let Some(file) = file.as_rmbc() else {
            return Ok(Said::default());
        };
        let read = || {
            let mut said = Said {
                module: file.module_fingerprint()?,
                symbols: HashMap::new(),
            };
            if said.module.is_some() {
                for symbol in file.symbols()? {
                    let hash = file.fingerprint(&symbol)?;
                    said.symbols
                        .extend(hash.map(|hash| (symbol.path.to_string(), hash)));
                }
            }
            Ok(said)
        };
        read().map_err(|e| lazy::failure(input, &e))
    }
}

impl Side {
    fn read(load: &LoadOptions, input: Input, said: Said) -> Result<Self, Failure> {
        let loaded = Loaded::from_input(load, input)?;
        let symbols = symbols(&loaded.context, &loaded.module)
            .into_iter()
            .map(|s| (s.path.to_string(), s))
            .collect();
        Ok(Side {
            loaded,
            symbols,
            said,
        })
    }

    fn module(&self) -> &Module {
        &self.loaded.module
    }

    fn context(&self) -> &Context {
        &self.loaded.context
    }

    fn hash(&self, operation: Operation, locations: bool) -> Fingerprint {
        let options = FingerprintOptions { locations };
        Fingerprinter::new(self.context(), options).fingerprint(self.module(), operation)
    }

    fn is_table(&self, operation: Operation) -> bool {
        self.module().is_symbol_table(self.context(), operation)
    }

    /// What a symbol table holds besides symbols: itself and its operations without a name.
    fn rest(&self, table: Operation) -> Vec<String> {
        let (context, module) = (self.context(), self.module());
        let mut lines = vec![line(context, module, table, 0)];
        for region in module.regions(table) {
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    if module.symbol_name(context, operation).is_none() {
                        lines.extend(self.lines(operation));
                    }
                }
            }
        }
        lines
    }

    /// An operation and what is in it, a line each.
    fn lines(&self, operation: Operation) -> Vec<String> {
        let module = self.module();
        let mut depth = 0usize;
        let mut lines = Vec::new();
        let mut steps: Traversal<'_> = module.traverse(operation);
        for step in &mut steps {
            match step {
                TraversalStep::EnterOperation(operation) => {
                    lines.push(line(self.context(), module, operation, depth));
                    depth += 1;
                }
                TraversalStep::LeaveOperation(_) => depth -= 1,
                TraversalStep::EnterBlock(block) if module.argument_count(block) > 0 => {
                    let types: Vec<String> = module
                        .arguments(block)
                        .map(|(v, _)| type_to_string(self.context(), module.value_type(v)))
                        .collect();
                    lines.push(format!("{}^({})", "  ".repeat(depth), types.join(", ")));
                }
                _ => {}
            }
        }
        lines
    }
}

/// An operation without its operands and regions: name, properties, attributes, types.
fn line(context: &Context, module: &Module, operation: Operation, depth: usize) -> String {
    let name = context.operation_name_bytes(module.name(operation));
    let mut text = format!("{}\"{}\"", "  ".repeat(depth.min(100)), name.escape_ascii());
    let mut options = PrintOptions::default();
    options.max_output = 100_000;
    for (open, attribute, close) in [
        (" <", module.properties(operation), ">"),
        (" ", module.attributes(operation), ""),
    ] {
        let Some(attribute) = attribute else { continue };
        let mut written = Vec::new();
        let written = match print_attribute(context, attribute, &options, &mut written) {
            Ok(()) => String::from_utf8_lossy(&written).into_owned(),
            Err(_) => "{...}".to_owned(),
        };
        text.push_str(&format!("{open}{written}{close}"));
    }
    let types = |values: &mut dyn Iterator<Item = rmlir::ir::Value>| {
        values
            .map(|v| type_to_string(context, module.value_type(v)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let operands = types(&mut module.operands(operation));
    let results = types(&mut module.results(operation));
    text.push_str(&format!(" : ({operands}) -> ({results})"));
    text
}

/// A symbol, or the rest of a symbol table, that differs.
struct Change {
    name: String,
    kind: &'static str,
    /// What differs in it, for people.
    details: Vec<String>,
}

impl Run for Diff {
    fn failure_status(&self) -> u8 {
        2
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        if self.left == "-" && self.right == "-" {
            let message = "standard input cannot be both sides: name a file for one of them";
            return Err(Failure::Usage(message.to_owned()));
        }
        let inputs = (self.load.read(&self.left)?, self.load.read(&self.right)?);
        let said = (
            Said::read(&self.load, &inputs.0)?,
            Said::read(&self.load, &inputs.1)?,
        );
        if !self.locations && said.0.module.is_some() && said.0.module == said.1.module {
            return Ok(ExitStatus::Success);
        }
        // What is the same byte for byte need not be decoded for that.
        let is_copy = || Ok(inputs.0.source()?.as_slice() == inputs.1.source()?.as_slice());
        let left = match Side::read(&self.load, inputs.0.clone(), said.0) {
            Err(Failure::Undecoded(_)) if is_copy()? => return Ok(ExitStatus::Success),
            left => left?,
        };
        let right = Side::read(&self.load, inputs.1, said.1)?;
        let tops = (left.module().top(), right.module().top());
        let same = |locations| left.hash(tops.0, locations) == right.hash(tops.1, locations);
        if same(self.locations) {
            if !self.locations && !self.json && !same(true) {
                print("only locations differ\n")?;
            }
            return Ok(ExitStatus::Success);
        }
        let changes = self.changes(&left, &right);
        let mut text = String::new();
        for change in &changes {
            if self.json {
                let line = json!({
                    "symbol": change.name,
                    "change": change.kind,
                    "details": change.details,
                });
                text.push_str(&format!("{line}\n"));
                continue;
            }
            text.push_str(&format!("{} {}\n", change.kind, change.name));
            for detail in &change.details {
                text.push_str(&format!("  {detail}\n"));
            }
        }
        print(&text)?;
        Ok(ExitStatus::Different)
    }
}

impl Diff {
    fn changes(&self, left: &Side, right: &Side) -> Vec<Change> {
        let mut changes = Vec::new();
        let names: BTreeSet<&String> = left.symbols.keys().chain(right.symbols.keys()).collect();
        let tops = (left.module().top(), right.module().top());
        let tables = std::iter::once((String::new(), Some(tops.0), Some(tops.1)));
        let symbols = names.into_iter().map(|name| {
            let of = |side: &Side| side.symbols.get(name).map(|s| s.operation);
            (name.clone(), of(left), of(right))
        });
        for (name, l, r) in tables.chain(symbols) {
            let change = |kind, details| Change {
                name: name.clone(),
                kind,
                details,
            };
            match (l, r) {
                (None, None) => {}
                (Some(_), None) => changes.push(change("removed", Vec::new())),
                (None, Some(_)) => changes.push(change("added", Vec::new())),
                (Some(l), Some(r)) if left.is_table(l) && right.is_table(r) => {
                    let (a, b) = (left.rest(l), right.rest(r));
                    if a != b {
                        let name = match name.as_str() {
                            "" => "the module itself".to_owned(),
                            name => format!("{name} itself"),
                        };
                        let details = self.details(&a, &b);
                        changes.push(Change {
                            name,
                            kind: "changed",
                            details,
                        });
                    }
                }
                (Some(l), Some(r)) => {
                    let said = (left.said.symbols.get(&name), right.said.symbols.get(&name));
                    let is_same = match said {
                        (Some(l), Some(r)) => l == r,
                        _ => left.hash(l, false) == right.hash(r, false),
                    };
                    if !is_same {
                        let mut details = Vec::new();
                        if !self.brief {
                            let sides = (
                                (left.context(), left.module(), l),
                                (right.context(), right.module(), r),
                            );
                            let options = EqualityOptions { locations: false };
                            let first = semantic_difference(sides.0, sides.1, options);
                            details.extend(first.map(|d| format!("first difference: {d}")));
                            details.extend(self.details(&left.lines(l), &right.lines(r)));
                        }
                        changes.push(change("changed", details));
                    } else if self.locations && left.hash(l, true) != right.hash(r, true) {
                        changes.push(change("changed locations of", Vec::new()));
                    }
                }
            }
        }
        if changes.is_empty() {
            // What no symbol shows: the order of symbols, or how values connect what has no name.
            let first = semantic_difference(
                (left.context(), left.module(), tops.0),
                (right.context(), right.module(), tops.1),
                EqualityOptions {
                    locations: self.locations,
                },
            );
            changes.push(Change {
                name: "the module itself".to_owned(),
                kind: "changed",
                details: first
                    .iter()
                    .map(|d| format!("first difference: {d}"))
                    .collect(),
            });
        }
        changes
    }

    /// The operations of which one side has more, `-` the left one and `+` the right one.
    fn details(&self, left: &[String], right: &[String]) -> Vec<String> {
        if self.brief {
            return Vec::new();
        }
        let (before, after) = (left.join("\n"), right.join("\n"));
        let input = InternedInput::new(before.as_str(), after.as_str());
        let diff = LineDiff::compute(Algorithm::Histogram, &input);
        let mut details = Vec::new();
        for hunk in diff.hunks() {
            for (sign, lines, range) in [("-", left, hunk.before), ("+", right, hunk.after)] {
                let range = range.start as usize..range.end as usize;
                let lines = lines.get(range).unwrap_or_default();
                details.extend(lines.iter().map(|line| format!("{sign} {line}")));
            }
        }
        details
    }
}
