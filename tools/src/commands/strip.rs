//! `rmlir strip`: what a module says besides its meaning, taken out or reported.

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::LoadOptions;
use crate::revealed::{self, Revealed};
use crate::save::SaveOptions;
use clap::Args;
use rmlir::ir::{Context, Module};
use serde_json::json;

/// Strip locations, names or the data of resources; without any of these flags, locations and names.
#[derive(Args, Debug)]
pub struct Strip {
    /// The input; `-` is standard input
    input: String,
    /// Make all locations of operations and block arguments unknown
    #[arg(long)]
    locations: bool,
    /// Drop the names of values, blocks and aliases
    #[arg(long)]
    names: bool,
    /// Drop the data of resources, and what tools have left in external resources
    #[arg(long)]
    resources: bool,
    /// Write nothing, but say what the file gives away: paths, hosts, names of users, sources
    #[arg(long, conflicts_with_all = ["locations", "names", "resources", "output", "to"])]
    report: bool,
    /// The report as a JSON object a line
    #[arg(long, requires = "report")]
    json: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Strip {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut loaded = Loaded::read(&self.load, &self.input)?;
        if self.report {
            self.print_report(&revealed::find(&loaded.context, &loaded.module))?;
            return Ok(ExitStatus::Success);
        }
        let nothing_said = !self.locations && !self.names && !self.resources;
        if self.locations || nothing_said {
            strip_locations(&loaded.context, &mut loaded.module);
        }
        if self.names || nothing_said {
            let provenance = &mut loaded.module.provenance;
            provenance.value_names.clear();
            provenance.block_names.clear();
            provenance.attribute_stems.clear();
            provenance.type_stems.clear();
        }
        if self.resources {
            for resource in loaded.module.provenance.resources.clone() {
                loaded.context.resource_mut(resource).value = None;
            }
            loaded.module.provenance.external_resources.clear();
        }
        self.save.save(&mut loaded.context, &loaded.module)?;
        Ok(ExitStatus::Success)
    }
}

impl Strip {
    fn print_report(&self, found: &[Revealed]) -> Result<(), Failure> {
        let mut text = String::new();
        for item in found {
            if self.json {
                let line = json!({
                    "kind": item.kind.name(),
                    "text": item.text,
                    "where": item.place,
                    "count": item.count,
                });
                text.push_str(&format!("{line}\n"));
            } else {
                text.push_str(&format!(
                    "{}: {} ({}, {} time{})\n",
                    item.kind.name(),
                    item.text,
                    item.place,
                    item.count,
                    if item.count == 1 { "" } else { "s" }
                ));
            }
        }
        print(&text)
    }
}

/// Makes all locations unknown.
fn strip_locations(context: &Context, module: &mut Module) {
    let unknown = context.unknown_location();
    let operations: Vec<_> = module.descendants(module.top()).collect();
    for operation in operations {
        module.set_location(operation, unknown);
        let blocks: Vec<_> = module
            .regions(operation)
            .flat_map(|region| module.blocks(region))
            .collect();
        for block in blocks {
            for number in 0..module.argument_count(block) {
                // There are so many arguments.
                let _ = module.set_argument_location(block, number, unknown);
            }
        }
    }
}
