//! `rmlir size`: where the bytes of a file go.

mod page;
mod sum;

use super::{ExitStatus, Run, print, table};
use crate::Failure;
use crate::input::{Input, Kind};
use crate::lazy;
use crate::load::{LoadOptions, new_context};
use crate::output::Output;
use clap::Args;
use rmlir::reader::lazy::LazyFile;
use rmlir::reader::mlirbc::dump::dump;
use serde_json::{Value, json};
pub(super) use sum::title;
use sum::{Sizes, sorted};

/// Say where the bytes of a file go: sections, dialects, operations, attributes, texts of entries,
/// locations, resources, symbols.
#[derive(Args, Debug)]
pub struct Size {
    /// The input; `-` is standard input
    input: String,
    /// Print JSON: a tree of names, bytes and parts
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write a page with a map of the bytes, to be opened in a browser, into this file
    #[arg(long, value_name = "OUTPUT")]
    html: Option<String>,
    /// How many rows each table shows
    #[arg(long, value_name = "N", default_value_t = 15)]
    top: usize,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Size {
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        if Kind::of(&input.source) != Kind::Mlirbc {
            return Err(Failure::Input(format!(
                "{}: error: only of mlirbc it can be said where the bytes go",
                input.name
            )));
        }
        let mut sizes = Sizes::default();
        if let Some(error) = dump(&new_context(), &input.source, &mut sizes).first() {
            return Err(Failure::Input(format!("{}: error: {error}", input.name)));
        }
        let of_symbols = self.symbols(&input)?;
        let tree = sizes.root.to_json(&input.name);
        if self.json {
            let symbols: Vec<Value> = of_symbols
                .iter()
                .map(|(name, bytes)| json!({"symbol": name, "bytes": bytes}))
                .collect();
            print(&format!("{}\n", json!({"tree": tree, "symbols": symbols})))?;
        } else if let Some(path) = &self.html {
            let page = page::page(&input.name, &tree);
            Output::new(Some(path)).write(|out| {
                out.write_all(page.as_bytes())
                    .map_err(|e| Failure::io(path, &e))
            })?;
        } else {
            print(&self.tables(input.source.len() as u64, &sizes, of_symbols))?;
        }
        Ok(ExitStatus::Success)
    }
}

impl Size {
    fn tables(&self, total: u64, sizes: &Sizes, of_symbols: Vec<(String, u64)>) -> String {
        let mut text = String::new();
        for (title, rows) in [
            ("section", sizes.root.rows()),
            ("operations by dialect", sorted(&sizes.dialects)),
            ("operations", sorted(&sizes.operations)),
            ("attributes and types", sorted(&sizes.entries)),
            ("of these", sorted(&sizes.kinds)),
            ("resource", sorted(&sizes.resources)),
            ("symbol, without tables", of_symbols),
        ] {
            if rows.is_empty() {
                continue;
            }
            let left = rows.len().saturating_sub(self.top);
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .take(self.top)
                .map(|(name, bytes)| {
                    let share = bytes as f64 * 100.0 / total.max(1) as f64;
                    vec![bytes.to_string(), format!("{share:.1} %"), name]
                })
                .collect();
            text.push_str(&table(
                &["bytes", "share", title],
                &[true, true, false],
                &rows,
            ));
            if left > 0 {
                text.push_str(&format!("and {left} more\n"));
            }
            text.push('\n');
        }
        text
    }

    /// The bytes of each symbol's operation with all that is in it, largest first. Bodies are not read for that.
    fn symbols(&self, input: &Input) -> Result<Vec<(String, u64)>, Failure> {
        let Some(file) = lazy::open(&self.load, &new_context(), input)? else {
            return Ok(Vec::new());
        };
        let symbols = file.symbols().map_err(|e| lazy::failure(input, &e))?;
        let mut rows: Vec<(String, u64)> = symbols
            .iter()
            .map(|symbol| (symbol.path.to_string(), symbol.bytes))
            .collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(rows)
    }
}
