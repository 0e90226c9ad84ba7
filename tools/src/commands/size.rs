//! `rmlir size`: shows which parts of a file take how many bytes.

mod page;
mod sum;
pub(super) mod text;

use super::dump::dump_of;
use super::{ExitStatus, Run, print, table};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::Inspecting;
use crate::output::Output;
use crate::progress::{Progress, Watched};
use crate::symbols::shown;
use clap::Args;
use rmlir::Form;
use rmlir::text::{ParseOptions, parse_module_with_spans};
use serde_json::{Value, json};
pub(super) use sum::title;
use sum::{Sizes, sorted};

/// Show how many bytes of a file each part takes
///
/// Prints the bytes by section, dialect, operation, attribute, type, resource and symbol.
///
/// In bytecode, each byte counts where it is stored: shared attributes and types count as tables,
/// and a symbol counts with the operations nested in it, without tables. In text, each byte counts
/// for the innermost operation that contains it; aliases and resources at the top level are
/// separate.
#[derive(Args, Debug)]
pub struct Size {
    /// The input file; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    /// Print JSON: a tree of names, bytes and parts
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write a map of the bytes as a web page to this file
    #[arg(long, value_name = "OUTPUT")]
    html: Option<String>,
    /// The number of rows of each table
    #[arg(long, value_name = "N", default_value_t = 15)]
    top: usize,
    #[command(flatten)]
    load: Inspecting,
}

/// The sums, the sizes of symbols, and the total size.
type Counted = (Sizes, Vec<(String, u64)>, u64);

impl Run for Size {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        let (sizes, of_symbols, total) = match input.form() {
            Form::Text => self.of_text(&input.name, input.source()?)?,
            _ => {
                let progress = Progress::new(&input.name, input.byte_len());
                let mut sizes = Sizes::default();
                let mut visitor = Watched(&progress, &mut sizes);
                if let Some(error) = dump_of(&self.load, &input, &mut visitor)?.first() {
                    return Err(input.failure(error.clone()));
                }
                let total = input.byte_len();
                (sizes, self.symbols(&input)?, total)
            }
        };
        let tree = sizes.root.to_json(&input.name);
        if self.json {
            let symbols: Vec<Value> = of_symbols
                .iter()
                .map(|(name, bytes)| json!({"symbol": name, "bytes": bytes}))
                .collect();
            print(&format!("{}\n", json!({"tree": tree, "symbols": symbols})))?;
        } else if let Some(path) = &self.html {
            let page = page::page(&input.name, &tree, &of_symbols);
            Output::new(Some(path)).write(|out| {
                out.write_all(page.as_bytes())
                    .map_err(|e| Failure::io(path, &e))
            })?;
        } else {
            print(&self.tables(total, &sizes, of_symbols))?;
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
            ("symbol", of_symbols),
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

    /// Counts the bytes of a text.
    fn of_text(&self, name: &str, text: &[u8]) -> Result<Counted, Failure> {
        let mut options = ParseOptions::for_file(name);
        options.edition = self.load.edition;
        options.max_errors = self.load.max_errors;
        let mut context = self.load.context()?;
        let (module, spans) = parse_module_with_spans(&mut context, text, &options)
            .map_err(|e| Failure::Diagnostics(e.into_vec()))?;
        let len = text.len() as u64;
        let (sizes, symbols) = text::sizes(&context, &module, &spans, len);
        Ok((sizes, symbols, len))
    }

    /// Returns the size of each symbol's operation, with everything nested in it, largest first.
    /// Bodies are not read.
    fn symbols(&self, input: &Input) -> Result<Vec<(String, u64)>, Failure> {
        let Some(file) = self.load.open(input)? else {
            return Ok(Vec::new());
        };
        let symbols = file.as_lazy().symbols().map_err(|e| input.failure(e))?;
        let mut rows: Vec<(String, u64)> = symbols
            .iter()
            .map(|symbol| (shown(&symbol.path), symbol.bytes))
            .collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(rows)
    }
}
