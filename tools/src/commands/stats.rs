//! `rmlir stats`: one row of counts per file.

use super::{ExitStatus, Loaded, Run, table};
use crate::Failure;
use crate::both::Both;
use crate::diagnostics::DiagnosticFormat;
use crate::facts::{FactCounter, Facts, Reachable};
use crate::inputs::{Inputs, in_order};
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use clap::Args;
use rmlir::events::{Visitor, visit_module};
use rmlir::ir::OperationName;
use rmlir::ir::sort::CompactSort as _;
use rmlir::query::{Query, find_events};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Count operations, types and parameters of files, one row per file
///
/// 'attributes', 'types' and 'locations' are the distinct ones that the operations refer to.
/// 'parameters' are the elements of weights: elements attributes and resources with more than one
/// element that are not splats; 'parameter bytes' is their size. The counts do not depend on
/// the form of a file.
#[derive(Args, Debug)]
pub struct Stats {
    #[command(flatten)]
    inputs: Inputs,
    /// Also count the operations that this predicate holds for (guide/predicates.md); with
    /// '--by-operation' and '--by-dialect', count only these
    #[arg(long = "where", value_name = "PREDICATE")]
    also: Option<Query>,
    /// Print the number of operations by name, of all files together
    #[arg(long, group = "by")]
    by_operation: bool,
    /// Print the number of operations by dialect, of all files together
    #[arg(long, group = "by")]
    by_dialect: bool,
    /// Print CSV (RFC 4180) with a header
    #[arg(long)]
    csv: bool,
    /// Print JSON, one object per row (spec/json.md)
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    #[command(flatten)]
    load: Inspecting,
}

/// The counts of a file.
struct Row {
    file: String,
    form: &'static str,
    bytes: u64,
    facts: Facts,
    /// The number of operations that the predicate holds for, by name.
    found: Option<BTreeMap<String, u64>>,
}

/// The columns with numbers.
const COLUMNS: [&str; 8] = [
    "bytes",
    "operations",
    "symbols",
    "attributes",
    "types",
    "locations",
    "parameters",
    "parameter_bytes",
];

impl Row {
    fn found_count(&self) -> Option<u64> {
        self.found.as_ref().map(|found| found.values().sum())
    }

    /// The numbers of [`COLUMNS`].
    fn numbers(&self) -> [u64; 8] {
        let Reachable {
            attributes,
            types,
            locations,
            weights,
        } = self.facts.reachable.unwrap_or_default();
        [
            self.bytes,
            self.facts.operation_count(),
            self.facts.symbols,
            attributes,
            types,
            locations,
            weights.elements,
            weights.bytes,
        ]
    }

    /// `func 3, arith 2`: the most used first.
    fn dialects(&self, separator: &str) -> String {
        let mut dialects: Vec<(&str, u64)> = self.facts.dialects().into_iter().collect();
        dialects.compact_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let dialects: Vec<&str> = dialects.into_iter().map(|(dialect, _)| dialect).collect();
        dialects.join(separator)
    }
}

impl Run for Stats {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        let (load, threads) = self.load.for_files(paths.len());
        let mut failures = Vec::new();
        let mut rows = Vec::new();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        Output::Standard.write(|out| {
            let mut write = |text: &str| {
                out.write_all(text.as_bytes())
                    .map_err(|e| Failure::unwritten(&e))
            };
            let by = self.by_operation || self.by_dialect;
            if self.csv && !by {
                write(&self.csv_header())?;
            }
            in_order(
                &paths,
                threads,
                |path| self.count(&load, path),
                |row| match row {
                    Err(failure) => Failure::keep(&mut failures, failure),
                    Ok(row) if by => {
                        self.add(&row, &mut counts);
                        Ok(())
                    }
                    Ok(row) if self.csv => write(&self.csv_row(&row)),
                    Ok(row) if self.json => write(&self.json_row(&row)),
                    Ok(row) => {
                        rows.push(row);
                        Ok(())
                    }
                },
            )?;
            if by {
                return write(&self.histogram(counts));
            }
            if self.csv || self.json {
                return Ok(());
            }
            write(&self.table(&rows))
        })?;
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl Stats {
    fn count(&self, load: &LoadOptions, path: &str) -> Result<Row, Failure> {
        let input = load.read(path)?;
        let (load, _progress) = load.watched(&input);
        let load = &*load;
        let failure = |error: rmlir::Error| input.failure(error);
        let mut counter = FactCounter::default();
        let (facts, found) = match load.open(&input)? {
            Some(file) => {
                let mut context = load.context()?;
                let mut visit = |visitor: &mut dyn Visitor| file.visit(&mut context, visitor);
                let found = self.visit(&mut counter, &mut visit).map_err(failure)?;
                let facts = counter.facts_of_file(&mut context, &file);
                (facts.map_err(failure)?.0, found)
            }
            None => {
                let loaded = Loaded::from_input_nameless(load, input.clone())?;
                let (context, module) = (&loaded.context, &loaded.module);
                let mut visit = |visitor: &mut dyn Visitor| {
                    visit_module(context, module, visitor).map_err(rmlir::Error::from)
                };
                let found = self.visit(&mut counter, &mut visit).map_err(failure)?;
                (counter.facts_of_module(context, module), found)
            }
        };
        Ok(Row {
            file: input.name.clone(),
            form: input.form().name(),
            bytes: input.byte_len(),
            facts,
            found,
        })
    }

    /// Counts the content. Returns the number of operations that the predicate holds for, by name.
    fn visit(
        &self,
        counter: &mut FactCounter,
        visit: &mut dyn FnMut(&mut dyn Visitor) -> rmlir::Result<()>,
    ) -> rmlir::Result<Option<BTreeMap<String, u64>>> {
        let Some(query) = &self.also else {
            visit(counter)?;
            return Ok(None);
        };
        let mut counter = Some(counter);
        let mut found: HashMap<OperationName, (String, u64)> = HashMap::new();
        // Some predicates need two visits. The counts take part in the first one.
        let mut visit = |visitor: &mut dyn Visitor| match counter.take() {
            Some(counter) => visit(&mut Both(counter, visitor)),
            None => visit(visitor),
        };
        find_events(&[query], &mut visit, &mut |_, event| {
            let name = event.name();
            let (_, count) = found.entry(name).or_insert_with(|| {
                let name = event.context().operation_name_bytes(name).escape_ascii();
                (name.to_string(), 0)
            });
            *count += 1;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Some(found.into_values().collect()))
    }

    fn add(&self, row: &Row, counts: &mut BTreeMap<String, u64>) {
        for (name, count) in row.found.as_ref().unwrap_or(&row.facts.operations) {
            let key = match self.by_operation {
                true => name.as_str(),
                false => name.split_once('.').map_or("", |(dialect, _)| dialect),
            };
            *counts.entry(key.to_owned()).or_default() += count;
        }
    }

    fn histogram(&self, counts: BTreeMap<String, u64>) -> String {
        let key = match self.by_operation {
            true => "operation",
            false => "dialect",
        };
        let mut rows: Vec<(String, u64)> = counts.into_iter().collect();
        rows.compact_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if self.json {
            let line = |(name, count): &(String, u64)| {
                let line = json!({"schema": "stats/1", key: name, "count": count});
                format!("{line}\n")
            };
            return rows.iter().map(line).collect();
        }
        if self.csv {
            let lines = rows
                .iter()
                .map(|(name, count)| format!("{},{count}\r\n", csv(name)));
            return format!("{key},count\r\n{}", lines.collect::<String>());
        }
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|(name, count)| vec![count.to_string(), name])
            .collect();
        table(&["count", key], &[true, false], &rows)
    }

    fn table(&self, rows: &[Row]) -> String {
        let names = COLUMNS.map(|name| name.replace('_', " "));
        let mut header: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut right = vec![true; header.len()];
        if self.also.is_some() {
            header.push("found");
            right.push(true);
        }
        header.extend(["dialects", "file"]);
        right.extend([false, false]);
        let mut total = [0u64; 8];
        let mut total_found = 0;
        let mut lines: Vec<Vec<String>> = Vec::with_capacity(rows.len() + 1);
        for row in rows {
            let numbers = row.numbers();
            for (total, number) in total.iter_mut().zip(numbers) {
                *total = total.saturating_add(number);
            }
            let mut line: Vec<String> = numbers.iter().map(u64::to_string).collect();
            line.extend(row.found_count().map(|found| found.to_string()));
            total_found += row.found_count().unwrap_or(0);
            line.extend([row.dialects(","), row.file.clone()]);
            lines.push(line);
        }
        if rows.len() > 1 {
            // Attributes, types and locations of several files have no meaningful sum.
            let summed = [
                "bytes",
                "operations",
                "symbols",
                "parameters",
                "parameter_bytes",
            ];
            let mut line: Vec<String> = COLUMNS
                .iter()
                .zip(total)
                .map(|(name, total)| match summed.contains(name) {
                    true => total.to_string(),
                    false => "-".to_owned(),
                })
                .collect();
            line.extend(self.also.as_ref().map(|_| total_found.to_string()));
            line.extend(["-".to_owned(), format!("{} files", rows.len())]);
            lines.push(line);
        }
        table(&header, &right, &lines)
    }

    fn csv_header(&self) -> String {
        let found = match self.also {
            Some(_) => "found,",
            None => "",
        };
        format!("file,form,{},{found}dialects\r\n", COLUMNS.join(","))
    }

    fn csv_row(&self, row: &Row) -> String {
        let numbers = row.numbers().map(|number| number.to_string());
        let found = row.found_count().map(|found| format!("{found},"));
        format!(
            "{},{},{},{}{}\r\n",
            csv(&row.file),
            row.form,
            numbers.join(","),
            found.unwrap_or_default(),
            csv(&row.dialects(" "))
        )
    }

    fn json_row(&self, row: &Row) -> String {
        let mut line = json!({
            "schema": "stats/1",
            "file": row.file,
            "form": row.form,
            "operations_by_dialect": row.facts.dialects(),
            "regions": row.facts.regions,
            "blocks": row.facts.blocks,
            "values": row.facts.values,
            "found": row.found_count(),
        });
        for (name, number) in COLUMNS.iter().zip(row.numbers()) {
            if let Some(fields) = line.as_object_mut() {
                fields.insert((*name).to_owned(), number.into());
            }
        }
        format!("{line}\n")
    }
}

/// Returns a field of CSV, in quotes where that is necessary.
fn csv(field: &str) -> String {
    match field.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
