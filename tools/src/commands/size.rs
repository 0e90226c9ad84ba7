//! `rmlir size`: shows which parts of a file take how many bytes.

mod compare;
mod measure;
mod owners;
mod page;
mod sum;
pub(super) mod text;

use super::{ExitStatus, Run, print, table};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::{Inputs, in_order};
use crate::load::Inspecting;
use crate::output::Output;
use crate::rendered::printable;
use crate::source_location::SourceLocation;
use clap::{Args, ValueEnum};
use measure::{ConstantSize, Measured};
use owners::SymbolSize;
use rmlir::ir::sort::CompactSort as _;
use rmlir::query::Glob;
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;
use sum::sorted;
pub(super) use sum::title;

/// Show how many bytes of a file each part takes
///
/// Prints the bytes by place: section, dialect, operation, kind of attribute and type; and by
/// owner: symbols, constants and other large attributes, resources.
///
/// In bytecode, each byte counts where it is stored: attributes and types are in tables, and a
/// symbol has the bytes of its operation with those nested in it. 'retained' adds the attributes,
/// types, locations, strings and resources that nothing outside of the symbol refers to: what the
/// file would lose with it, but for the tables of names and offsets. In compressed rmbc, symbols
/// and constants have the bytes that they take without compression. In text, each byte counts for
/// the innermost operation that contains it; aliases and resources at the top level are separate,
/// and resources are retained by the only symbol that refers to them.
#[derive(Args, Debug)]
pub struct Size {
    #[command(flatten)]
    inputs: Inputs,
    /// Compare two files: print what differs, with the bytes before and after
    #[arg(long)]
    diff: bool,
    /// Print JSON, one object per file or difference (spec/json.md)
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write maps of the bytes as a web page to this file; with '--diff', of both files
    #[arg(long, value_name = "OUTPUT")]
    html: Option<String>,
    /// Only symbols and constants whose name matches this glob
    #[arg(long, value_name = "GLOB", conflicts_with_all = ["html", "diff"])]
    name: Option<Glob>,
    /// The order of symbols
    #[arg(long, value_name = "KEY", default_value = "retained", conflicts_with_all = ["html", "diff"])]
    sort: Order,
    /// The number of rows of each table
    #[arg(long, value_name = "N", default_value_t = 15, conflicts_with_all = ["html", "json"])]
    top: usize,
    #[command(flatten)]
    load: Inspecting,
}

/// An order of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// By retained bytes, the largest first
    Retained,
    /// By own bytes, the largest first
    Bytes,
    /// By name
    Name,
    /// As in the file
    File,
}

impl Run for Size {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        if let Some(page) = &self.html {
            check_page(page)?;
        }
        if self.diff {
            let [before, after] = paths.as_slice() else {
                let message = format!("'--diff' compares two files, {} are given", paths.len());
                return Err(Failure::Usage(message));
            };
            let before = Measured::read(&self.load, before, true)?;
            self.compare(&before, &Measured::read(&self.load, after, true)?)?;
            return Ok(ExitStatus::Success);
        }
        if let Some(path) = &self.html {
            let [input] = paths.as_slice() else {
                let message = "'--html' is for one file, or for two with '--diff'";
                return Err(Failure::Usage(message.to_owned()));
            };
            write_page(path, &[&Measured::read(&self.load, input, true)?])?;
            return Ok(ExitStatus::Success);
        }
        let (load, threads) = self.load.for_files(paths.len());
        let several = paths.len() > 1;
        let mut failures = Vec::new();
        Output::Standard.write(|out| {
            in_order(
                &paths,
                threads,
                |path| Measured::read(&load, path, !several),
                |measured| match measured {
                    Err(failure) => Failure::keep(&mut failures, failure),
                    Ok(measured) => {
                        let text = match self.json {
                            true => format!("{}\n", self.to_json(&measured)),
                            false => self.tables(&measured, several),
                        };
                        if text.is_empty() && self.name.is_some() && self.top > 0 {
                            let reason = "no symbol or constant matches '--name'";
                            let failure = Failure::file(&measured.name, reason);
                            return Failure::keep(&mut failures, failure);
                        }
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

/// Refuses to replace a file that is not a page: `--html FILE` with the name of a module would
/// destroy it.
fn check_page(path: &str) -> Result<(), Failure> {
    let has_content = |path: &Path| {
        path.metadata()
            .is_ok_and(|file| file.is_file() && file.len() > 0)
    };
    if path == "-" || !has_content(Path::new(path)) {
        return Ok(());
    }
    let mut start = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // A file that cannot be read is not a page that was written here.
        let _ = file.take(PAGE_START.len() as u64).read_to_end(&mut start);
    }
    if !start.eq_ignore_ascii_case(PAGE_START) {
        let message = format!("'{path}' exists and is not a page: '--html' names the output");
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// The first bytes of a page.
const PAGE_START: &[u8] = b"<!DOCTYPE html";

fn write_page(path: &str, files: &[&Measured]) -> Result<(), Failure> {
    let page = page::page(files);
    Output::new(Some(path)).write(|out| {
        out.write_all(page.as_bytes())
            .map_err(|e| Failure::unwritten(&e))
    })
}

/// The line that follows a table of `shown` rows at most.
fn and_more(rows: usize, shown: usize) -> String {
    match rows.saturating_sub(shown) {
        0 => String::new(),
        left => format!("and {left} more\n"),
    }
}

impl Size {
    fn compare(&self, before: &Measured, after: &Measured) -> Result<(), Failure> {
        if let Some(path) = &self.html {
            return write_page(path, &[before, after]);
        }
        let differences = compare::differences(before, after);
        let text: Vec<String> = differences
            .iter()
            .map(|table| match self.json {
                true => table.to_json(),
                false => format!("{}\n", table.to_text(self.top)),
            })
            .collect();
        print(&text.concat())
    }

    fn tables(&self, measured: &Measured, several: bool) -> String {
        let mut text = match several {
            true => format!("{}:\n", measured.name),
            false => String::new(),
        };
        if self.name.is_none() {
            self.push_places(measured, &mut text);
        }
        self.push_owners(measured, &mut text);
        text
    }

    fn push_places(&self, measured: &Measured, text: &mut String) {
        let sizes = &measured.sizes;
        for (title, rows) in [
            ("section", sizes.root.rows()),
            ("operations by dialect", sorted(&sizes.dialects)),
            ("operations", sorted(&sizes.operations)),
            ("attributes and types", sorted(&sizes.entries)),
            ("of these", sorted(&sizes.kinds)),
            ("resource", sorted(&sizes.resources)),
        ] {
            let count = rows.len();
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .take(self.top)
                .map(|(name, bytes)| vec![bytes.to_string(), share(bytes, measured.bytes), name])
                .collect();
            self.push_table(&["bytes", "share", title], 2, count, &rows, text);
        }
    }

    fn push_owners(&self, measured: &Measured, text: &mut String) {
        let symbols = self.symbols(measured);
        let rows: Vec<Vec<String>> = symbols
            .iter()
            .take(self.top)
            .map(|symbol| {
                let retained = symbol.retained.map(|bytes| bytes.to_string());
                vec![
                    symbol.bytes.to_string(),
                    retained.unwrap_or_else(|| "-".to_owned()),
                    share(symbol.size(), measured.uncompressed),
                    symbol.path.clone(),
                ]
            })
            .collect();
        let header = ["bytes", "retained", "share", "symbol"];
        self.push_table(&header, 3, symbols.len(), &rows, text);
        let is_decoded = symbols.iter().any(|symbol| symbol.retained.is_some());
        if is_decoded && measured.form != "text" && self.name.is_none() {
            let owners = &measured.owners;
            let rows = [
                (owners.shared, "shared by symbols"),
                (owners.unreferenced, "not referred to by operations"),
            ];
            let rows = rows.map(|(bytes, what)| {
                let share = share(bytes, measured.uncompressed);
                vec![bytes.to_string(), share, what.to_owned()]
            });
            let header = ["bytes", "share", "other items of tables"];
            self.push_table(&header, 2, 2, &rows, text);
        }
        let constants = self.constants(measured);
        let rows: Vec<Vec<String>> = constants
            .iter()
            .take(self.top)
            .map(|constant| constant_cells(constant, measured))
            .collect();
        let header = ["bytes", "share", "constant", "type", "uses", "first user"];
        self.push_table(&header, 2, constants.len(), &rows, text);
    }

    /// Appends a table in which the first columns, `numbers` of them, are numbers.
    fn push_table(
        &self,
        header: &[&str],
        numbers: usize,
        count: usize,
        rows: &[Vec<String>],
        text: &mut String,
    ) {
        if rows.is_empty() {
            return;
        }
        let right: Vec<bool> = (0..header.len()).map(|column| column < numbers).collect();
        text.push_str(&table(header, &right, rows));
        text.push_str(&and_more(count, self.top));
        text.push('\n');
    }

    /// Returns the symbols that are wanted, in the order that is wanted.
    fn symbols<'m>(&self, measured: &'m Measured) -> Vec<&'m SymbolSize> {
        let selects = |symbol: &&SymbolSize| {
            let glob = self.name.as_ref();
            glob.is_none_or(|glob| {
                let last = symbol.path.rsplit("::@").next().unwrap_or_default();
                glob.matches(&symbol.path) || glob.matches(last.trim_start_matches('@'))
            })
        };
        let mut symbols: Vec<&SymbolSize> =
            measured.owners.symbols.iter().filter(selects).collect();
        match self.sort {
            Order::Retained => symbols.compact_sort_by(|a, b| {
                let size = b.size().cmp(&a.size());
                size.then_with(|| a.path.cmp(&b.path))
            }),
            Order::Bytes => {
                symbols.compact_sort_by(|a, b| {
                    b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path))
                });
            }
            Order::Name => symbols.compact_sort_by(|a, b| a.path.cmp(&b.path)),
            Order::File => {}
        }
        symbols
    }

    fn constants<'m>(&self, measured: &'m Measured) -> Vec<&'m ConstantSize> {
        let selects = |constant: &&ConstantSize| {
            let glob = self.name.as_ref();
            glob.is_none_or(|glob| glob.matches(&constant.name))
        };
        measured.constants.iter().filter(selects).collect()
    }

    fn to_json(&self, measured: &Measured) -> Value {
        let symbols: Vec<Value> = self
            .symbols(measured)
            .iter()
            .map(|symbol| {
                json!({
                    "symbol": symbol.path,
                    "operation": symbol.operation,
                    "bytes": symbol.bytes,
                    "retained": symbol.retained,
                })
            })
            .collect();
        let constants: Vec<Value> = self
            .constants(measured)
            .iter()
            .map(|constant| {
                let users = constant.users.iter().map(|user| {
                    json!({
                        "symbol": user.symbol.as_deref(),
                        "operation": user.operation,
                        "location": user.place.as_ref().map(SourceLocation::to_json),
                    })
                });
                json!({
                    "name": constant.name,
                    "kind": constant.kind,
                    "type": constant.type_text,
                    "content": constant.content,
                    "elements": constant.elements,
                    "bytes": constant.bytes,
                    "uses": constant.uses,
                    "users": users.collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "schema": "size/1",
            "file": measured.name,
            "form": measured.form,
            "bytes": measured.bytes,
            "uncompressed": measured.uncompressed,
            "tree": measured.sizes.root.to_json(&measured.name),
            "symbols": symbols,
            "shared": measured.owners.shared,
            "unreferenced": measured.owners.unreferenced,
            "constants": constants,
        })
    }
}

fn share(bytes: u64, of: u64) -> String {
    let share = bytes as f64 * 100.0 / of.max(1) as f64;
    format!("{share:.1} %")
}

fn constant_cells(constant: &ConstantSize, measured: &Measured) -> Vec<String> {
    let type_text = constant.type_text.as_deref().unwrap_or(constant.kind);
    vec![
        constant.bytes.to_string(),
        share(constant.bytes, measured.uncompressed),
        printable(constant.name.as_bytes()),
        match constant.content {
            Some(content) => format!("{type_text}, {content}"),
            None => type_text.to_owned(),
        },
        constant.uses.to_string(),
        constant.first_user().unwrap_or_else(|| "-".to_owned()),
    ]
}
