//! `rmlir view`: prints modules for reading.

mod highlight;
mod pager;

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::inputs_and_symbols;
use crate::load::Inspecting;
use crate::rendered::{ELIDED, has_names, printable};
use crate::save::write_text;
use crate::source_location::SourceLocation;
use crate::style::has_colors;
use crate::symbols::{Symbol, find, find_in, shown, symbols as all_symbols};
use clap::Args;
use highlight::Highlighter;
use pager::Pager;
use rmlir::SymbolPath;
use rmlir::format::text_budget;
use rmlir::ir::{Context, Module, Operation};
use rmlir::text::{
    PrintOptions, SpanDetail, SpanKind, print_operation, print_operations_with_spans,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

/// Print a module or some of its symbols for reading
///
/// Prints custom syntax with the names of the source. Elements of large constants and resources are
/// elided: the text is for people, 'rmlir convert' writes one that can be read back. On a terminal,
/// it is colored and shown by a pager: RMLIR_PAGER, PAGER, or 'less -FRX'.
#[derive(Args, Debug)]
pub struct View {
    /// The input file; `-` is standard input, also if only `@main` is given
    #[arg(value_name = "FILE", default_value = "-")]
    input: String,
    /// Symbols: `@main`, `main`, `@outer::@inner`, or a glob such as `relu*`; or further files
    ///
    /// By default the whole module. The name of a file that exists is a file, unless it begins with
    /// '@'. Symbols are those of all files.
    #[arg(value_name = "SYMBOL or FILE")]
    others: Vec<String>,
    /// Print the source location of each operation in a comment
    #[arg(short, long)]
    locations: bool,
    /// Print generic form
    #[arg(short, long)]
    generic: bool,
    /// Elide elements attributes with more elements than this
    #[arg(long, value_name = "N", default_value_t = ELIDED)]
    elide: u64,
    /// Print constants and resources in full
    #[arg(long, conflicts_with = "elide")]
    full: bool,
    /// Print one JSON object per symbol, or for the module (spec/json.md)
    #[arg(long, conflicts_with = "no_pager")]
    json: bool,
    /// Write to the terminal without a pager
    #[arg(long)]
    no_pager: bool,
    #[command(flatten)]
    load: Inspecting,
}

impl Run for View {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let (inputs, symbols) = inputs_and_symbols(&self.input, &self.others)?;
        if inputs.len() > 1 {
            self.load.check_forms(&inputs)?;
        }
        let mut views = Vec::new();
        let mut failures = Vec::new();
        for path in &inputs {
            match self.read(path, &symbols) {
                Ok(view) => views.push(view),
                Err(failure) => Failure::keep(&mut failures, failure)?,
            }
        }
        if self.json {
            for view in &views {
                self.print_lines(view)?;
            }
        } else if !views.is_empty() {
            self.show(|out| {
                for (number, view) in views.iter().enumerate() {
                    separate(number, out)?;
                    if inputs.len() > 1 {
                        writeln!(out, "// {}", printable(view.input.name.as_bytes()))
                            .map_err(|e| Failure::unwritten(&e))?;
                    }
                    self.print_view(view, out)?;
                }
                Ok(())
            })?;
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

/// What is shown of a file.
struct Shown {
    input: Input,
    what: What,
}

enum What {
    Module(Box<(Context, Module)>),
    /// These symbols of a module.
    Operations(Box<(Context, Module)>, Vec<Symbol>),
    /// These symbols of bytecode, each of which is read alone.
    Symbols(Box<rmlir::File>, Vec<rmlir::Symbol>),
}

/// Writes an empty line between symbols.
fn separate(number: usize, out: &mut dyn Write) -> Result<(), Failure> {
    match number {
        0 => Ok(()),
        _ => out.write_all(b"\n").map_err(|e| Failure::unwritten(&e)),
    }
}

impl View {
    fn read(&self, path: &str, symbols: &[String]) -> Result<Shown, Failure> {
        let input = self.load.read(path)?;
        if !symbols.is_empty()
            && let Some(file) = self.load.open(&input)?
        {
            let failure = |error| input.failure(error);
            let wanted = find_in(file.as_lazy(), symbols, failure);
            let wanted = wanted.map_err(|failure| failure.in_input(&input.name))?;
            let what = What::Symbols(Box::new(file), wanted);
            return Ok(Shown { input, what });
        }
        let loaded = Loaded::from_input(&self.load, input)?;
        let Loaded {
            input,
            context,
            module,
        } = loaded;
        if symbols.is_empty() {
            let what = What::Module(Box::new((context, module)));
            return Ok(Shown { input, what });
        }
        let wanted = find(&all_symbols(&context, &module), symbols);
        let wanted = wanted.map_err(|failure| failure.in_input(&input.name))?;
        let what = What::Operations(Box::new((context, module)), wanted);
        Ok(Shown { input, what })
    }

    fn print_view(&self, view: &Shown, out: &mut dyn Write) -> Result<(), Failure> {
        let len = view.input.byte_len();
        match &view.what {
            What::Module(ir) => self.print(&ir.0, &ir.1, None, len, out),
            What::Operations(ir, operations) => {
                for (number, symbol) in operations.iter().enumerate() {
                    separate(number, out)?;
                    self.print(&ir.0, &ir.1, Some(symbol.operation), len, out)?;
                }
                Ok(())
            }
            What::Symbols(file, symbols) => {
                for (number, symbol) in symbols.iter().enumerate() {
                    let (ir, operation) = file
                        .read_symbol(symbol)
                        .map_err(|error| view.input.failure(error))?;
                    let (context, module) = ir.parts();
                    separate(number, out)?;
                    self.print(context, module, Some(operation), len, out)?;
                }
                Ok(())
            }
        }
    }

    /// Prints a line of JSON for each symbol, or one for the module.
    fn print_lines(&self, view: &Shown) -> Result<(), Failure> {
        let name = &view.input.name;
        let len = view.input.byte_len();
        let line = |ir: (&Context, &Module), symbol: Option<&SymbolPath>, operation| {
            let (context, module) = ir;
            let mut text = Vec::new();
            self.print(context, module, operation, len, &mut text)?;
            let location = module.location(operation.unwrap_or(module.top()));
            let line = json!({
                "schema": "view/1",
                "file": name,
                "symbol": symbol.map(shown),
                "location": SourceLocation::of(context, location).map(|place| place.to_json()),
                "text": String::from_utf8_lossy(&text),
            });
            print(&format!("{line}\n"))
        };
        match &view.what {
            What::Module(ir) => line((&ir.0, &ir.1), None, None),
            What::Operations(ir, found) => found.iter().try_for_each(|symbol| {
                line((&ir.0, &ir.1), Some(&symbol.path), Some(symbol.operation))
            }),
            What::Symbols(file, symbols) => symbols.iter().try_for_each(|symbol| {
                let read = file.read_symbol(symbol);
                let (ir, operation) = read.map_err(|error| view.input.failure(error))?;
                line(ir.parts(), Some(&symbol.path), Some(operation))
            }),
        }
    }

    /// Shows what `print` prints, with colors and a pager if it goes to a terminal.
    fn show(
        &self,
        print: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<ExitStatus, Failure> {
        let terminal = std::io::stdout().is_terminal();
        let mut pager = Pager::start(terminal && !self.no_pager);
        let colors = has_colors(terminal);
        pager.write(|out| match colors {
            true => {
                let mut highlighter = Highlighter::new(out);
                print(&mut highlighter)?;
                highlighter.finish().map_err(|e| Failure::unwritten(&e))
            }
            false => print(out),
        })?;
        Ok(ExitStatus::Success)
    }

    fn options(&self, module: &Module, input_len: u64) -> PrintOptions {
        let mut options = PrintOptions::default();
        options.generic = self.generic;
        options.keep_names = has_names(module);
        options.max_output = text_budget(input_len);
        options.threads = self.load.threads();
        if self.full {
            // Blobs are printed in hexadecimal.
            options.max_output = u64::MAX;
        } else {
            options.elide_elements_if_larger = Some(self.elide);
            options.elide_resources_if_larger = Some(0);
        }
        options
    }

    /// Prints an operation, or the whole module.
    fn print(
        &self,
        context: &Context,
        module: &Module,
        operation: Option<Operation>,
        input_len: u64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let options = self.options(module, input_len);
        if self.locations {
            let operation = operation.unwrap_or(module.top());
            return with_locations(context, module, operation, &options, out);
        }
        match operation {
            None => write_text(context, module, &options, out),
            Some(operation) => print_operation(context, module, operation, &options, out)
                .map_err(|error| crate::save::unprinted(&error)),
        }
    }
}

/// Prints an operation with the locations of operations in comments.
fn with_locations(
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &PrintOptions,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    let spans = print_operations_with_spans(
        context,
        module,
        &[operation],
        SpanDetail::Operations,
        options,
        &mut text,
    )
    .map_err(|error| crate::save::unprinted(&error))?;
    // By the end of the line in which the operation begins.
    let mut comments: BTreeMap<usize, Operation> = BTreeMap::new();
    for span in &spans {
        if let SpanKind::Operation(operation) = span.kind {
            let start = usize::try_from(span.bytes.start).unwrap_or(usize::MAX);
            let rest = text.get(start..).unwrap_or_default();
            let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            comments.entry(end).or_insert(operation);
        }
    }
    let mut written = 0;
    for (end, operation) in comments {
        let line = text.get(written..end).unwrap_or_default();
        out.write_all(line).map_err(|e| Failure::unwritten(&e))?;
        written = end;
        if let Some(place) = SourceLocation::of(context, module.location(operation)) {
            let comment = format!("  // {place}");
            out.write_all(comment.as_bytes())
                .map_err(|e| Failure::unwritten(&e))?;
        }
    }
    let rest = text.get(written..).unwrap_or_default();
    out.write_all(rest).map_err(|e| Failure::unwritten(&e))
}
