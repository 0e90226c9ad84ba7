//! `rmlir info`: what a file is.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::load::LoadOptions;
use crate::symbols::symbols;
use clap::Args;
use rmlir::format::mlirbc::{Container, section};
use rmlir::ir::{LayoutChoice, LayoutReason, ResourceValue, Step};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Say what a file is: form, producer, dialects, counts.
#[derive(Args, Debug)]
pub struct Info {
    /// The input; `-` is standard input
    input: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Info {
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let loaded = Loaded::read(&self.load, &self.input)?;
        let info = info(&loaded);
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

fn info(loaded: &Loaded) -> Value {
    let (context, module) = (&loaded.context, &loaded.module);
    let mut dialects: BTreeMap<String, usize> = BTreeMap::new();
    let (mut operations, mut regions, mut blocks, mut values) = (0usize, 0usize, 0usize, 0usize);
    for step in module.traverse(module.top()) {
        match step {
            Step::EnterOperation(operation) => {
                operations += 1;
                values += module.result_count(operation);
                let dialect = context.operation_dialect(module.name(operation));
                *dialects
                    .entry(context.str(dialect).into_owned())
                    .or_default() += 1;
            }
            Step::EnterRegion(_) => regions += 1,
            Step::EnterBlock(block) => {
                blocks += 1;
                values += module.argument_count(block);
            }
            _ => {}
        }
    }
    let provenance = &module.provenance;
    let blob_bytes: usize = provenance
        .resources
        .iter()
        .map(|&r| match &context.resource(r).value {
            Some(ResourceValue::Blob(blob)) => blob.data().len(),
            _ => 0,
        })
        .sum();
    json!({
        "file": loaded.input.name,
        "form": loaded.form(),
        "bytes": loaded.input.source.len(),
        "producer": provenance.producer.map(|p| context.str(p).into_owned()),
        "bytecode version": provenance.bytecode_version,
        "property layouts": provenance.layouts.as_ref().map(layouts),
        "dialect versions": versions(loaded),
        "bytes by section": sections(loaded),
        "operations": operations,
        "regions": regions,
        "blocks": blocks,
        "values": values,
        "symbols": symbols(context, module).len(),
        "types": context.type_count(),
        "attributes": context.attribute_count(),
        "resources": provenance.resources.len(),
        "resource bytes": blob_bytes,
        "operations by dialect": dialects,
    })
}

/// The releases whose layouts of properties the file has, and how that is known.
fn layouts(choice: &LayoutChoice) -> String {
    let releases: Vec<String> = choice.releases.iter().map(ToString::to_string).collect();
    let releases = releases.join(", ");
    match choice.reason {
        LayoutReason::Asked => format!("{releases} (as asked)"),
        LayoutReason::Producer => format!("{releases} (as the producer says)"),
        LayoutReason::Fit => format!("{releases} (as the properties fit)"),
    }
}

/// What the dialects say of their versions: bytes that belong to them.
fn versions(loaded: &Loaded) -> Option<Value> {
    let versions = &loaded.module.provenance.dialect_versions;
    let versions: BTreeMap<String, String> = versions
        .iter()
        .map(|(dialect, bytes)| {
            let bytes: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
            (loaded.context.str(*dialect).into_owned(), bytes.join(" "))
        })
        .collect();
    (!versions.is_empty()).then(|| json!(versions))
}

/// The sections of upstream's bytecode with their sizes.
fn sections(loaded: &Loaded) -> Option<Value> {
    let container = Container::parse(&loaded.input.source).ok()?;
    let sections: BTreeMap<&str, usize> = section::NAMES
        .iter()
        .zip(0..)
        .filter_map(|(name, id)| Some((*name, container.section(id)?.remaining())))
        .collect();
    Some(json!(sections))
}
