//! `rmlir weights list`: lists constants and resources.

use super::collect::{Wanted, Weight, collect};
use crate::Failure;
use crate::commands::{ExitStatus, Loaded, Run, table};
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::{Inputs, in_order};
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::rendered::printable;
use crate::signature::{shown_number, shown_size};
use crate::source_location::SourceLocation;
use clap::{Args, ValueEnum};
use rmlir::ir::sort::CompactSort as _;
use rmlir::query::Glob;
use serde_json::json;

/// List constants and resources by size, with type and users
///
/// 'group' numbers those of the same type and data. A splat takes the bytes of one element.
/// Constants of less than '--min-size' bytes are left out.
#[derive(Args, Debug)]
pub(super) struct List {
    #[command(flatten)]
    inputs: Inputs,
    /// Only names that match this glob; may be repeated
    #[arg(long, value_name = "GLOB")]
    name: Vec<Glob>,
    /// The smallest size in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16)]
    min_size: u64,
    /// Include splats
    #[arg(long)]
    splats: bool,
    /// The order
    #[arg(long, value_name = "KEY", default_value = "size")]
    sort: Order,
    /// Print one JSON object per line (spec/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Inspecting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// The largest first
    Size,
    /// By name
    Name,
    /// In the order of their first users
    File,
}

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
                |path| self.list(&load, path, several),
                |text| match text {
                    Err(failure) => Failure::keep(&mut failures, failure),
                    Ok(text) => out
                        .write_all(text.as_bytes())
                        .map_err(|e| Failure::unwritten(&e)),
                },
            )
        })?;
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl List {
    fn list(&self, load: &LoadOptions, path: &str, several: bool) -> Result<String, Failure> {
        let loaded = Loaded::read_quietly(load, path)?;
        let wanted = Wanted {
            min_size: self.min_size,
            names: &self.name,
            splats: self.splats,
            others: false,
        };
        let mut weights = collect(&loaded.context, &loaded.module, &wanted);
        match self.sort {
            Order::Size => {
                weights.compact_sort_by_key(|weight| std::cmp::Reverse(weight.data.len()))
            }
            Order::Name => weights.compact_sort_by(|a, b| a.name.cmp(&b.name)),
            Order::File => {}
        }
        let file = loaded.input.name.as_str();
        if self.json {
            return Ok(weights.iter().map(|weight| to_json(file, weight)).collect());
        }
        let mut text = match several {
            true => format!("{file}:\n"),
            false => String::new(),
        };
        let rows: Vec<Vec<String>> = weights.iter().map(cells).collect();
        text.push_str(&table(
            &[
                "bytes",
                "elements",
                "type",
                "name",
                "group",
                "uses",
                "first user",
            ],
            &[true, true, false, false, true, true, false],
            &rows,
        ));
        let bytes: u64 = weights.iter().map(|weight| weight.data.len() as u64).sum();
        let elements = weights.iter().filter_map(|weight| weight.elements);
        let elements = elements.fold(0, u64::saturating_add);
        text.push_str(&format!(
            "{} weight{}, {} element{}, {}\n",
            weights.len(),
            plural(weights.len() as u64),
            shown_number(elements),
            plural(elements),
            shown_size(bytes)
        ));
        Ok(text)
    }
}

/// The ending of a noun after a number.
fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn cells(weight: &Weight<'_>) -> Vec<String> {
    let none = || "-".to_owned();
    let ty = weight.type_text.clone().unwrap_or_else(none);
    let user = weight.users.first().map_or_else(none, |user| {
        let symbol = user.symbol.as_deref().unwrap_or("-");
        let place = user.place.as_ref().map(SourceLocation::to_string);
        format!("{symbol} {} {}", user.operation, place.unwrap_or_default())
    });
    vec![
        weight.data.len().to_string(),
        weight
            .elements
            .map_or_else(none, |elements| elements.to_string()),
        match weight.splat {
            true => format!("{ty} splat"),
            false => ty,
        },
        printable(weight.name.as_bytes()),
        weight.group.map_or_else(none, |group| group.to_string()),
        weight.uses.to_string(),
        user,
    ]
}

fn to_json(file: &str, weight: &Weight<'_>) -> String {
    let users: Vec<_> = weight
        .users
        .iter()
        .map(|user| {
            json!({
                "symbol": user.symbol.as_deref(),
                "operation": user.operation,
                "location": user.place.as_ref().map(SourceLocation::to_json),
            })
        })
        .collect();
    let line = json!({
        "schema": "weights/1",
        "file": file,
        "name": weight.name,
        "kind": weight.kind.name(),
        "type": weight.type_text,
        "elements": weight.elements,
        "bytes": weight.data.len(),
        "splat": weight.splat,
        "group": weight.group,
        "uses": weight.uses,
        "users": users,
    });
    format!("{line}\n")
}
