//! `rmlir info`: describes a file.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::LoadOptions;
use crate::symbols::symbols;
use clap::Args;
use rmlir::ir::{
    Context, LayoutChoice, LayoutReason, Provenance, Resource, ResourceValue, Step,
    unnamed_operations, used_resources,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// Show form, producer, dialects and statistics of a file
///
/// Operations, regions, blocks, values, symbols and resources are counted in the module, whatever
/// the form of the file. 'values' are results and block arguments. 'unnamed operations' are
/// operations directly in the top-level module that are not symbols. 'resources' are declared or
/// used.
///
/// 'table entries' and 'bytes by section' describe a bytecode file. In mlirbc, 'attributes'
/// includes locations; in rmbc, it does not include strings.
#[derive(Args, Debug)]
pub struct Info {
    /// The input file; `-` is standard input
    input: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Info {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        let mut context = self.load.context()?;
        let info = match self.load.open(&input)? {
            Some(file) => {
                let facts = Facts::of_file(&file, &mut context);
                let facts = facts.map_err(|e| input.failure(e))?;
                info(&input, &context, &facts, Some(&file))
            }
            None => {
                let loaded = Loaded::from_input(&self.load, input)?;
                info(
                    &loaded.input,
                    &loaded.context,
                    &Facts::of_module(&loaded),
                    None,
                )
            }
        };
        if self.json {
            print(&format!("{info}\n"))?;
            return Ok(ExitStatus::Success);
        }
        let mut text = String::new();
        if let Value::Object(fields) = &info {
            for (name, value) in fields {
                match value {
                    Value::Null => {}
                    Value::Object(counts) => {
                        text.push_str(&format!("{name}:\n"));
                        for (key, count) in counts {
                            text.push_str(&format!("  {key}: {count}\n"));
                        }
                    }
                    Value::String(value) => text.push_str(&format!("{name}: {value}\n")),
                    value => text.push_str(&format!("{name}: {value}\n")),
                }
            }
        }
        print(&text)?;
        Ok(ExitStatus::Success)
    }
}

/// The counts and properties to print.
struct Facts {
    operations: u64,
    dialects: BTreeMap<String, u64>,
    regions: u64,
    blocks: u64,
    values: u64,
    symbols: usize,
    /// The number of top-level operations that are not symbols.
    unnamed: usize,
    /// The number of operations that may or may not be symbols.
    undecided: Option<u64>,
    /// The numbers of types and attributes in the tables of the file, if its form has such tables.
    table_entries: Option<[u64; 2]>,
    resources: u64,
    /// The total size of the blobs of resources.
    blob_bytes: u64,
    provenance: Provenance,
}

impl Facts {
    /// Of a file of which no module is made.
    fn of_file(file: &rmlir::File, context: &mut Context) -> rmlir::Result<Self> {
        let survey = file.survey(context)?;
        let mut facts = Facts {
            operations: 0,
            dialects: BTreeMap::new(),
            regions: survey.regions,
            blocks: survey.blocks,
            values: survey.values,
            symbols: survey.symbols,
            unnamed: survey.unnamed,
            undecided: (survey.undecided > 0).then_some(survey.undecided),
            table_entries: Some([survey.types, survey.attributes]),
            resources: survey.resources,
            blob_bytes: survey.blob_bytes,
            provenance: survey.provenance,
        };
        for (name, count) in &survey.operations {
            let dot = name.iter().position(|&byte| byte == b'.').unwrap_or(0);
            let dialect = name.get(..dot).unwrap_or_default();
            if *count > 0 {
                let dialect = String::from_utf8_lossy(dialect).into_owned();
                *facts.dialects.entry(dialect).or_default() += count;
            }
        }
        facts.operations = facts.dialects.values().sum();
        Ok(facts)
    }

    fn of_module(loaded: &Loaded) -> Self {
        let (context, module) = (&loaded.context, &loaded.module);
        let mut resources = used_resources(context, module);
        resources.extend(&module.provenance.resources);
        let mut facts = Facts {
            operations: 0,
            dialects: BTreeMap::new(),
            regions: 0,
            blocks: 0,
            values: 0,
            symbols: symbols(context, module).len(),
            unnamed: unnamed_operations(context, module).count(),
            undecided: None,
            table_entries: None,
            resources: resources.len() as u64,
            blob_bytes: blob_bytes(context, &resources),
            provenance: module.provenance.clone(),
        };
        for step in module.traverse(module.top()) {
            match step {
                Step::EnterOperation(operation) => {
                    facts.operations += 1;
                    facts.values += module.result_count(operation) as u64;
                    let dialect = context.operation_dialect(module.name(operation));
                    let dialect = context.str(dialect).into_owned();
                    *facts.dialects.entry(dialect).or_default() += 1;
                }
                Step::EnterRegion(_) => facts.regions += 1,
                Step::EnterBlock(block) => {
                    facts.blocks += 1;
                    facts.values += module.argument_count(block) as u64;
                }
                _ => {}
            }
        }
        facts
    }
}

/// Returns the total size of the blobs of resources in bytes.
fn blob_bytes(context: &Context, resources: &HashSet<Resource>) -> u64 {
    let bytes = |&resource| match &context.resource(resource).value {
        Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
        _ => 0,
    };
    resources.iter().map(bytes).sum()
}

fn info(input: &Input, context: &Context, facts: &Facts, file: Option<&rmlir::File>) -> Value {
    let provenance = &facts.provenance;
    json!({
        "file": input.name,
        "form": input.form().name(),
        "bytes": input.byte_len(),
        "producer": provenance.producer.map(|p| context.str(p).into_owned()),
        "bytecode version": provenance.bytecode_version,
        "property layouts": provenance.layouts.as_ref().map(layouts),
        "dialect versions": versions(context, provenance),
        "bytes by section": sections(file),
        "operations": facts.operations,
        "regions": facts.regions,
        "blocks": facts.blocks,
        "values": facts.values,
        "symbols": facts.symbols,
        "unnamed operations": facts.unnamed,
        "operations that may be symbols": facts.undecided,
        "table entries": facts.table_entries.map(|[types, attributes]| {
            json!({"types": types, "attributes": attributes})
        }),
        "resources": facts.resources,
        "resource bytes": facts.blob_bytes,
        "operations by dialect": facts.dialects,
    })
}

/// Returns the releases whose property layouts the file has, and how they were determined.
fn layouts(choice: &LayoutChoice) -> String {
    let releases: Vec<String> = choice.releases.iter().map(ToString::to_string).collect();
    let releases = releases.join(", ");
    match choice.reason {
        LayoutReason::Asked => format!("{releases} (as asked)"),
        LayoutReason::Producer => format!("{releases} (as the producer says)"),
        LayoutReason::Fit => format!("{releases} (as the properties fit)"),
    }
}

/// Returns the encoded versions of the dialects.
fn versions(context: &Context, provenance: &Provenance) -> Option<Value> {
    let versions = &provenance.dialect_versions;
    let versions: BTreeMap<String, String> = versions
        .iter()
        .map(|(dialect, bytes)| {
            let bytes: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
            (context.str(*dialect).into_owned(), bytes.join(" "))
        })
        .collect();
    (!versions.is_empty()).then(|| json!(versions))
}

/// The sections of bytecode with their sizes.
fn sections(file: Option<&rmlir::File>) -> Option<Value> {
    let sections: BTreeMap<&str, u64> = file?.sections().ok()?.into_iter().collect();
    Some(json!(sections))
}
