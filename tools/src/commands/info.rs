//! `rmlir info`: describes a file.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::facts::Facts;
use crate::input::Input;
use crate::inputs::{Inputs, in_order};
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::rendered::printable;
use crate::signature::{Port, Signature, extent, shown_number, shown_size};
use crate::symbols::{Symbol, shown, symbols};
use clap::Args;
use rmlir::SymbolPath;
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{Context, LayoutChoice, LayoutReason, Module, Operation, Provenance, Visibility};
use rmlir::text::{attribute_to_string, type_to_string};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Describe files: producer, dialects, the main function, weights, operations
///
/// The main function is '@main', or the first public function, or the first one. Weights are
/// elements attributes and resources with more than one element that are not splats. 'attributes',
/// 'types' and 'locations' are the distinct ones that operations refer to; the counts do not depend
/// on the form of the file. 'unnamed operations' are operations directly in the top-level module
/// that are not symbols.
///
/// Of an mlirbc file with content in an unknown encoding, only content that does not depend on it
/// is counted.
#[derive(Args, Debug)]
pub struct Info {
    #[command(flatten)]
    inputs: Inputs,
    /// Print JSON, one object per file (spec/json.md)
    #[arg(long)]
    json: bool,
    /// Print all inputs, results, operations and dialects, not only the first ones
    #[arg(long, conflicts_with = "json")]
    all: bool,
    #[command(flatten)]
    load: Inspecting,
}

impl Run for Info {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        let (load, threads) = self.load.for_files(paths.len());
        let mut failures = Vec::new();
        let mut first = true;
        Output::Standard.write(|out| {
            in_order(
                &paths,
                threads,
                |path| self.describe(&load, path),
                |text| match text {
                    Err(failure) => Failure::keep(&mut failures, failure),
                    Ok(text) => {
                        let blank = if first || self.json { "" } else { "\n" };
                        first = false;
                        out.write_all(format!("{blank}{text}").as_bytes())
                            .map_err(|e| Failure::unwritten(&e))
                    }
                },
            )
        })?;
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

/// The properties of a file.
struct Described {
    name: String,
    form: &'static str,
    bytes: u64,
    facts: Facts,
    provenance: Provenance,
    producer: Option<String>,
    versions: BTreeMap<String, String>,
    /// The sections of bytecode with their sizes.
    sections: Vec<(&'static str, u64)>,
    main: Option<Main>,
    /// Why the content could not be decoded.
    undecoded: Option<String>,
}

/// The main function.
struct Main {
    symbol: String,
    inputs: Vec<Shown>,
    results: Vec<Shown>,
}

/// An input or result as it is shown.
struct Shown {
    name: Option<String>,
    ty: String,
    attributes: Option<String>,
    /// The number of elements and of bytes.
    extent: Option<(u64, u64)>,
}

/// The number of inputs, results, operations and dialects that are shown at first.
const FIRST: usize = 12;

impl Info {
    fn describe(&self, load: &LoadOptions, path: &str) -> Result<String, Failure> {
        let input = load.read(path)?;
        let (load, _progress) = load.watched(&input);
        let load = &*load;
        let file = load.open(&input)?;
        let sections = file.as_ref().map(rmlir::File::sections).transpose();
        let sections = sections.map_err(|error| input.failure(error))?;
        let described = match &file {
            None => {
                let loaded = Loaded::from_input_quietly(load, input.clone())?;
                of_module(&input, &loaded.context, &loaded.module)?
            }
            Some(file) => match of_file(&input, load.context()?, file) {
                Err(Failure::Undecoded(reason)) => {
                    of_undecoded(&input, load.context()?, file, &reason)?
                }
                described => described?,
            },
        };
        let described = Described {
            sections: sections.unwrap_or_default(),
            ..described
        };
        Ok(match self.json {
            true => format!("{}\n", described.to_json()),
            false => described.to_text(self.all),
        })
    }
}

/// Of a file of bytecode: only the main function is read into memory.
fn of_file(input: &Input, mut context: Context, file: &rmlir::File) -> Result<Described, Failure> {
    let facts = Facts::of_file(&mut context, file);
    let (facts, provenance) = facts.map_err(|error| input.failure(error))?;
    let main = main_of_file(&mut context, file).map_err(|error| input.failure(error))?;
    Ok(described(input, &context, facts, provenance, main))
}

/// Of a file whose content cannot be decoded.
fn of_undecoded(
    input: &Input,
    mut context: Context,
    file: &rmlir::File,
    reason: &str,
) -> Result<Described, Failure> {
    let survey = file.survey(&mut context);
    let survey = survey.map_err(|error| input.failure(error))?;
    let contents = survey.contents;
    let operations = survey.operations.iter().filter(|(_, count)| *count > 0);
    let facts = Facts {
        operations: operations
            .map(|(name, count)| (name.escape_ascii().to_string(), *count))
            .collect(),
        regions: survey.regions,
        blocks: survey.blocks,
        values: survey.values,
        symbols: contents.symbols as u64,
        unnamed: contents.unnamed as u64,
        undecided: contents.undecided,
        reachable: None,
        resources: contents.resources,
        resource_bytes: contents.blob_bytes,
    };
    let prefix = format!("{}: error: ", input.name);
    let reason = reason.lines().next().unwrap_or_default();
    let mut described = described(input, &context, facts, contents.provenance, None);
    described.undecoded = Some(reason.strip_prefix(&prefix).unwrap_or(reason).to_owned());
    Ok(described)
}

fn of_module(input: &Input, context: &Context, module: &Module) -> Result<Described, Failure> {
    let facts = Facts::of(context, module).map_err(|error| input.failure(error))?;
    let main = main_function(context, module);
    let provenance = module.provenance.clone();
    Ok(described(input, context, facts, provenance, main))
}

fn described(
    input: &Input,
    context: &Context,
    facts: Facts,
    provenance: Provenance,
    main: Option<Main>,
) -> Described {
    let producer = provenance.producer;
    let versions = provenance.dialect_versions.iter();
    let versions = versions.map(|(dialect, bytes)| {
        let bytes: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
        (context.str(*dialect).into_owned(), bytes.join(" "))
    });
    Described {
        name: input.name.clone(),
        form: input.form().name(),
        bytes: input.byte_len(),
        facts,
        producer: producer.map(|producer| context.str(producer).into_owned()),
        versions: versions.collect(),
        provenance,
        sections: Vec::new(),
        main,
        undecoded: None,
    }
}

/// Returns the rank of a symbol as the main function, the lowest first: `@main`, else a public
/// function, else any.
fn rank(path: &SymbolPath, visibility: Visibility) -> u8 {
    match visibility {
        _ if path.name().is_some_and(|name| &**name == b"main") => 0,
        Visibility::Public => 1,
        _ => 2,
    }
}

/// Returns the main function of a module.
fn main_function(context: &Context, module: &Module) -> Option<Main> {
    let mut all = symbols(context, module);
    all.compact_sort_by_key(|symbol| rank(&symbol.path, symbol.visibility));
    let is_function = |symbol: &&Symbol| is_function(context, module, symbol.operation);
    let symbol = all.iter().find(is_function)?;
    Main::of(context, module, symbol.operation, &symbol.path)
}

fn is_function(context: &Context, module: &Module, operation: Operation) -> bool {
    module
        .attribute(context, operation, "function_type")
        .is_some()
}

/// Returns the main function of a file. Symbols are read one after the other until one is a
/// function.
fn main_of_file(context: &mut Context, file: &rmlir::File) -> rmlir::Result<Option<Main>> {
    let mut all = file.symbols()?;
    all.compact_sort_by_key(|symbol| rank(&symbol.path, symbol.visibility));
    let (mut main, mut outcome) = (None, Ok(()));
    // Names of operations that are not functions: one of each is read.
    let others: RefCell<HashSet<Arc<[u8]>>> = RefCell::default();
    let mut candidates = all
        .into_iter()
        .filter(|symbol| !others.borrow().contains(&symbol.operation));
    let mut each =
        |context: &mut Context, symbol: &rmlir::Symbol, read: rmlir::format::Result<_>| {
            match read {
                Ok((module, operation)) if is_function(context, &module, operation) => {
                    main = Main::of(context, &module, operation, &symbol.path);
                }
                Ok(_) => {
                    others.borrow_mut().insert(symbol.operation.clone());
                    return ControlFlow::Continue(());
                }
                Err(error) => outcome = Err(error),
            }
            ControlFlow::Break(())
        };
    file.as_lazy()
        .read_symbols(context, &mut candidates, &mut each)?;
    outcome?;
    Ok(main)
}

impl Described {
    fn to_text(&self, all: bool) -> String {
        let mut text = String::new();
        let version = match self.provenance.bytecode_version {
            Some(version) => format!(" version {version}"),
            None => String::new(),
        };
        // Native bytecode preserves the version of the file that it was converted from.
        let (version, origin) = match self.form == rmlir::Form::Mlirbc.name() || version.is_empty()
        {
            true => (version, String::new()),
            false => (String::new(), format!(", from mlirbc{version}")),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{}: {}{version}, {} ({} bytes){origin}",
            self.name,
            self.form,
            shown_size(self.bytes),
            shown_number(self.bytes)
        );
        if let Some(producer) = &self.producer {
            let _ = writeln!(text, "producer: {}", printable(producer.as_bytes()));
        }
        if let Some(reason) = &self.undecoded {
            let _ = writeln!(text, "not decoded: {reason}");
        }
        let mut dialects: Vec<(&str, u64)> = self.facts.dialects().into_iter().collect();
        dialects.compact_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let dialects = dialects
            .iter()
            .map(|(name, count)| format!("{name} {count}"));
        let _ = writeln!(
            text,
            "dialects: {}",
            dialects.collect::<Vec<_>>().join(", ")
        );
        if let Some(main) = &self.main {
            main.write(all, &mut text);
        }
        if let Some(reachable) = self.facts.reachable {
            let weights = reachable.weights;
            let _ = match weights.count {
                0 => writeln!(text, "weights: none"),
                count => writeln!(
                    text,
                    "weights: {count}, {} elements, {}",
                    shown_number(weights.elements),
                    shown_size(weights.bytes)
                ),
            };
        }
        let mut operations: Vec<(&String, &u64)> = self.facts.operations.iter().collect();
        operations.compact_sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let names = operations.len();
        let _ = writeln!(
            text,
            "operations: {} of {names} name{}",
            shown_number(self.facts.operation_count()),
            if names == 1 { "" } else { "s" }
        );
        let first = if all { names } else { FIRST };
        for (name, count) in operations.iter().take(first) {
            let _ = writeln!(text, "{count:>8}  {name}");
        }
        rest(names, first, "names", &mut text);
        for (what, count) in [
            ("symbols", Some(self.facts.symbols)),
            ("unnamed operations", Some(self.facts.unnamed)),
            (
                "operations that may be symbols",
                Some(self.facts.undecided).filter(|&count| count > 0),
            ),
            ("regions", Some(self.facts.regions)),
            ("blocks", Some(self.facts.blocks)),
            ("values", Some(self.facts.values)),
            ("attributes", self.facts.reachable.map(|r| r.attributes)),
            ("types", self.facts.reachable.map(|r| r.types)),
            ("locations", self.facts.reachable.map(|r| r.locations)),
        ] {
            if let Some(count) = count {
                let _ = writeln!(text, "{what}: {}", shown_number(count));
            }
        }
        if self.facts.resources > 0 {
            let _ = writeln!(
                text,
                "resources: {}, {}",
                self.facts.resources,
                shown_size(self.facts.resource_bytes)
            );
        }
        if let Some(layouts) = &self.provenance.layouts {
            let _ = writeln!(
                text,
                "property layouts: {} ({})",
                releases(layouts).join(", "),
                reason(layouts).1
            );
        }
        for (dialect, version) in &self.versions {
            let _ = writeln!(text, "version of {dialect}: {version}");
        }
        if !self.sections.is_empty() {
            let _ = writeln!(text, "bytes by section:");
            for (name, bytes) in &self.sections {
                let _ = writeln!(text, "{bytes:>8}  {name}");
            }
        }
        text
    }

    fn to_json(&self) -> Value {
        let reachable = self.facts.reachable;
        let sections: BTreeMap<&str, u64> = self.sections.iter().copied().collect();
        json!({
            "schema": "info/1",
            "file": self.name,
            "form": self.form,
            "bytes": self.bytes,
            "producer": self.producer,
            "bytecode_version": self.provenance.bytecode_version,
            "property_layouts": self.provenance.layouts.as_ref().map(|layouts| json!({
                "releases": releases(layouts),
                "reason": reason(layouts).0,
            })),
            "dialect_versions": self.versions,
            "bytes_by_section": sections,
            "undecoded": self.undecoded,
            "main": self.main.as_ref().map(Main::to_json),
            "weights": reachable.map(|r| json!({
                "count": r.weights.count,
                "elements": r.weights.elements,
                "bytes": r.weights.bytes,
            })),
            "operations": self.facts.operation_count(),
            "operations_by_name": self.facts.operations,
            "operations_by_dialect": self.facts.dialects(),
            "regions": self.facts.regions,
            "blocks": self.facts.blocks,
            "values": self.facts.values,
            "symbols": self.facts.symbols,
            "unnamed_operations": self.facts.unnamed,
            "undecided_operations": self.facts.undecided,
            "attributes": reachable.map(|r| r.attributes),
            "types": reachable.map(|r| r.types),
            "locations": reachable.map(|r| r.locations),
            "resources": self.facts.resources,
            "resource_bytes": self.facts.resource_bytes,
        })
    }
}

/// Returns the number of the `count` items that are not shown.
fn rest(count: usize, shown: usize, what: &str, text: &mut String) {
    if count > shown {
        let _ = writeln!(text, "     ... {} more {what} ('--all')", count - shown);
    }
}

impl Main {
    fn of(
        context: &Context,
        module: &Module,
        operation: Operation,
        path: &SymbolPath,
    ) -> Option<Self> {
        let signature = Signature::of(context, module, operation)?;
        let show = |port: &Port| Shown {
            name: port.name.clone(),
            ty: type_to_string(context, port.ty),
            attributes: port.attributes.map(|a| attribute_to_string(context, a)),
            extent: extent(context, port.ty),
        };
        Some(Main {
            symbol: shown(path),
            inputs: signature.inputs.iter().map(show).collect(),
            results: signature.results.iter().map(show).collect(),
        })
    }

    fn write(&self, all: bool, text: &mut String) {
        let sum = |ports: &[Shown]| {
            let known = ports.iter().filter_map(|port| port.extent);
            known.fold((0u64, 0u64), |sum, (elements, bytes)| {
                (sum.0.saturating_add(elements), sum.1.saturating_add(bytes))
            })
        };
        let described = |ports: &[Shown], what: &str| {
            let count = ports.len();
            let plural = if count == 1 { "" } else { "s" };
            match sum(ports) {
                (0, _) => format!("{count} {what}{plural}"),
                (elements, bytes) => format!(
                    "{count} {what}{plural} ({} elements, {})",
                    shown_number(elements),
                    shown_size(bytes)
                ),
            }
        };
        let _ = writeln!(
            text,
            "{}: {}, {}",
            self.symbol,
            described(&self.inputs, "input"),
            described(&self.results, "result")
        );
        for (what, ports) in [("input", &self.inputs), ("result", &self.results)] {
            let shown = if all { ports.len() } else { FIRST };
            for (number, port) in ports.iter().take(shown).enumerate() {
                let name = port.name.as_deref().unwrap_or_default();
                let name = match name {
                    "" => String::new(),
                    name => format!("  {}", printable(name.as_bytes())),
                };
                let attributes = port.attributes.as_deref().unwrap_or_default();
                let attributes = match attributes {
                    "" => String::new(),
                    attributes => format!("  {attributes}"),
                };
                let _ = writeln!(text, "{what:>8} {number}: {}{name}{attributes}", port.ty);
            }
            rest(ports.len(), shown, &format!("{what}s"), text);
        }
    }

    fn to_json(&self) -> Value {
        let ports = |ports: &[Shown]| -> Vec<Value> {
            let port = |port: &Shown| {
                json!({
                    "name": port.name,
                    "type": port.ty,
                    "attributes": port.attributes,
                    "elements": port.extent.map(|(elements, _)| elements),
                    "bytes": port.extent.map(|(_, bytes)| bytes),
                })
            };
            ports.iter().map(port).collect()
        };
        json!({
            "symbol": self.symbol,
            "inputs": ports(&self.inputs),
            "results": ports(&self.results),
        })
    }
}

fn releases(choice: &LayoutChoice) -> Vec<String> {
    choice.releases.iter().map(ToString::to_string).collect()
}

/// How the releases whose property layouts a file has were determined: in JSON, and for people.
fn reason(choice: &LayoutChoice) -> (&'static str, &'static str) {
    match choice.reason {
        LayoutReason::Asked => ("asked", "as asked"),
        LayoutReason::Producer => ("producer", "as the producer declares"),
        LayoutReason::Fit => ("fit", "as the properties fit"),
    }
}
