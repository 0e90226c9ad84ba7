//! `rmlir dump`: describes every byte of a file.

use super::size::{text::title as span_title, title};
use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::Inputs;
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::progress::{Progress, Watched};
use clap::Args;
use rmlir::Form;
use rmlir::query::Glob;
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir::text::{ParseOptions, SpanKind, parse_module_with_spans};
use serde_json::{Value, json};
use std::io::{BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::str::FromStr;

/// Print every byte of a bytecode file with its offset and meaning
///
/// Each line is a field: its offset, its bytes in hexadecimal, its name and its value. A damaged
/// file is printed as far as it can be understood. For text, prints the offset and size of each
/// operation, location and alias and of the resources.
#[derive(Args, Debug)]
pub struct Dump {
    #[command(flatten)]
    inputs: Inputs,
    /// Only sections whose name matches this glob, in any case: 'String', 'attr*', 'operations';
    /// may be repeated
    #[arg(long, value_name = "GLOB", value_parser = any_case)]
    section: Vec<Glob>,
    /// Only fields in this range of offsets: '0x40..0x80', '64..', '..128'
    #[arg(long, value_name = "START..END")]
    range: Option<Offsets>,
    /// Print a line with its size for each part at this depth of nesting, instead of its fields and
    /// parts; 0 for sections
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Print JSON, one object per part and field (spec/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Inspecting,
}

/// Parses a glob that is compared with names in lower case.
fn any_case(text: &str) -> Result<Glob, std::convert::Infallible> {
    Ok(Glob::new(&text.to_ascii_lowercase()))
}

/// A range of offsets.
#[derive(Clone, Debug)]
struct Offsets(Range<u64>);

impl FromStr for Offsets {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (start, end) = text
            .split_once("..")
            .ok_or_else(|| "a range is START..END".to_owned())?;
        let offset = |text: &str, missing| match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None if text.is_empty() => Ok(missing),
            None => text.parse(),
        };
        let number = |text, missing| offset(text, missing).map_err(|error| error.to_string());
        let range = number(start, 0)?..number(end, u64::MAX)?;
        match range.is_empty() {
            true => Err("the range has no bytes: it ends where it begins, or before".to_owned()),
            false => Ok(Offsets(range)),
        }
    }
}

impl Run for Dump {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let paths = self.inputs.paths(&self.load)?;
        let (load, _) = self.load.for_files(paths.len());
        let several = paths.len() > 1;
        Failure::of_each(&paths, |path| self.dump(&load, path, several))?;
        Ok(ExitStatus::Success)
    }
}

/// Describes all bytes of a bytecode file and reports the errors in it.
pub(super) fn dump_of(
    load: &LoadOptions,
    input: &Input,
    visitor: &mut dyn Visitor,
) -> Result<Vec<rmlir::format::Error>, Failure> {
    Ok(match input.form() {
        Form::Rmbc => rmlir::rmbc::dump::dump(input.source()?, visitor),
        _ => rmlir::mlirbc::dump::dump(&load.context()?, input.source()?, visitor),
    })
}

impl Dump {
    fn dump(&self, load: &LoadOptions, path: &str, several: bool) -> Result<(), Failure> {
        let input = load.read(path)?;
        let progress = match std::io::stdout().is_terminal() || input.form() == Form::Text {
            // If the output goes to the terminal, it shows the progress itself.
            true => None,
            false => Some(Progress::new(&input.name, input.byte_len())),
        };
        let mut errors = Vec::new();
        let (mut found, mut sections) = (false, Vec::new());
        Output::Standard.write(|out| {
            let mut out = BufWriter::new(out);
            if several && !self.json {
                writeln!(out, "{}:", input.name).map_err(|e| Failure::unwritten(&e))?;
            }
            let mut printer = Printer {
                call: self,
                file: &input.name,
                bytes: input.source()?,
                out,
                open: Vec::new(),
                titled: 0,
                found: false,
                sections: Vec::new(),
                failed: None,
            };
            match (input.form(), &progress) {
                (Form::Text, _) => self.describe_text(load, &input, &mut printer)?,
                (_, Some(progress)) => {
                    let mut watched = Watched(progress, &mut printer);
                    errors = dump_of(load, &input, &mut watched)?;
                }
                (_, None) => errors = dump_of(load, &input, &mut printer)?,
            }
            let flushed = printer.out.flush();
            (found, sections) = (printer.found, printer.sections);
            printer
                .failed
                .map_or(flushed, Err)
                .map_err(|error| Failure::unwritten(&error))
        })?;
        if errors.is_empty() && !found && !self.section.is_empty() {
            let names = sections.join("', '");
            let message = match sections.is_empty() {
                true => "no section matches '--section': there are none".to_owned(),
                false => format!("no section matches '--section': there are '{names}'"),
            };
            return Err(Failure::file(&input.name, message));
        }
        let start = self.range.as_ref().map_or(0, |range| range.0.start);
        let len = input.byte_len();
        if start > 0 && start >= len {
            let message =
                format!("the range begins at {start:#x}, and the file has {len:#x} bytes");
            return Err(Failure::file(&input.name, message));
        }
        if errors.is_empty() {
            return Ok(());
        }
        let errors: Vec<String> = errors
            .iter()
            .map(|e| format!("{}: error: {e}", input.name))
            .collect();
        Err(Failure::Input(errors.join("\n")))
    }

    /// Describes the parts of a text: those that have no parts are fields.
    fn describe_text<W: Write>(
        &self,
        load: &LoadOptions,
        input: &Input,
        printer: &mut Printer<'_, W>,
    ) -> Result<(), Failure> {
        let mut options = ParseOptions::for_file(&input.name);
        options.edition = load.edition;
        options.max_errors = load.max_errors;
        let mut context = load.context()?;
        let (module, spans) = parse_module_with_spans(&mut context, input.source()?, &options)
            .map_err(|e| Failure::Diagnostics(e.into_vec()))?;
        for span in &spans {
            while printer
                .open
                .last()
                .is_some_and(|open| open.end <= span.bytes.start)
            {
                printer.close(0);
            }
            let (section, text) = match span.kind {
                SpanKind::Operation(operation) => {
                    let name = context.operation_name_bytes(module.name(operation));
                    ("operations", name.escape_ascii().to_string())
                }
                kind => (span_title(kind), span_title(kind).to_owned()),
            };
            printer.part(span.bytes.clone(), section, text);
        }
        Ok(())
    }
}

/// The maximum number of bytes of a field that are shown.
const SHOWN: usize = 12;
/// The same in JSON.
const SHOWN_IN_JSON: usize = 64;
/// The maximum length of a text that is shown.
const SHOWN_TEXT: usize = 100;

struct Printer<'p, W: Write> {
    call: &'p Dump,
    file: &'p str,
    /// The file.
    bytes: &'p [u8],
    out: W,
    open: Vec<Open>,
    /// The outer parts whose titles are printed.
    titled: usize,
    /// Whether a section is wanted.
    found: bool,
    /// The names of the skipped sections, until one is wanted.
    sections: Vec<String>,
    /// The error that ended the output.
    failed: Option<std::io::Error>,
}

/// A part that has begun.
struct Open {
    offset: u64,
    /// Where a part of a text ends.
    end: u64,
    /// Whether it is in a section that is wanted.
    is_wanted: bool,
    /// Its title, until it is printed.
    title: Option<String>,
}

impl<W: Write> Printer<'_, W> {
    /// Returns whether the content of parts at a depth is printed, not summed.
    fn shows(&self, depth: usize) -> bool {
        self.call.depth.is_none_or(|most| depth < most)
    }

    fn is_in_range(&self, bytes: &Range<u64>) -> bool {
        let range = self.call.range.as_ref().map(|range| &range.0);
        range.is_none_or(|range| bytes.start < range.end && bytes.end > range.start)
    }

    fn is_section_wanted(&mut self, section: &str) -> bool {
        let lower = section.to_ascii_lowercase();
        let mut globs = self.call.section.iter();
        let is_wanted = self.call.section.is_empty() || globs.any(|glob| glob.matches(&lower));
        self.found |= is_wanted;
        // Of a text, each operation names its section.
        if !self.found && !self.sections.iter().any(|known| known == section) {
            self.sections.push(section.to_owned());
        }
        is_wanted
    }

    fn line(&mut self, offset: u64, depth: usize, bytes: &str, text: &str) {
        if self.failed.is_some() {
            return;
        }
        // Indentation is limited: with deep nesting it would dominate the output.
        let indent = "  ".repeat(depth.min(40));
        if let Err(error) = writeln!(self.out, "{offset:08x}  {bytes:<38}{indent}{text}") {
            self.failed = Some(error);
        }
    }

    fn json(&mut self, value: Value) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.out, "{value}")
        {
            self.failed = Some(error);
        }
    }

    /// Prints the titles of the open parts that are not printed yet.
    fn titles(&mut self) {
        let file = self.file;
        for depth in self.titled..self.open.len() {
            let shows = self.shows(depth);
            let is_first = depth.checked_sub(1).is_none_or(|outer| self.shows(outer));
            let Some(open) = self.open.get_mut(depth) else {
                break;
            };
            // Of a text, the size is known from the start.
            let is_shown = shows || (is_first && open.end > 0);
            if !is_shown {
                break;
            }
            self.titled = depth + 1;
            let Some(title) = open.title.take() else {
                continue;
            };
            let (offset, end) = (open.offset, open.end);
            if self.call.json {
                self.json(json!({
                    "schema": "dump/1",
                    "file": file,
                    "offset": offset,
                    "length": (end > 0).then(|| end.saturating_sub(offset)),
                    "depth": depth,
                    "part": title,
                }));
            } else if end > 0 {
                self.line(offset, depth, &length(end.saturating_sub(offset)), &title);
            } else {
                self.line(offset, depth, "", &format!("[{title}]"));
            }
        }
    }

    /// Begins a part of a text, which is printed with its length.
    fn part(&mut self, bytes: Range<u64>, section: &str, title: String) {
        let is_wanted = match self.open.first() {
            Some(outermost) => outermost.is_wanted,
            None => self.is_section_wanted(section),
        };
        self.open.push(Open {
            offset: bytes.start,
            end: bytes.end,
            is_wanted,
            title: Some(title),
        });
        if is_wanted && self.is_in_range(&bytes) {
            self.titles();
        }
    }

    /// Ends the innermost part. One that is too deep is printed now, since its size is known.
    fn close(&mut self, offset: u64) {
        let Some(open) = self.open.pop() else { return };
        let depth = self.open.len();
        self.titled = self.titled.min(depth);
        let bytes = open.offset..offset;
        let is_first = depth.checked_sub(1).is_none_or(|outer| self.shows(outer));
        if self.shows(depth)
            || !is_first
            || !open.is_wanted
            || !self.is_in_range(&bytes)
            || open.end > 0
        {
            return;
        }
        self.titles();
        let len = offset.saturating_sub(open.offset);
        let title = open.title.unwrap_or_default();
        if self.call.json {
            let file = self.file;
            self.json(json!({
                "schema": "dump/1",
                "file": file,
                "offset": open.offset,
                "length": len,
                "depth": depth,
                "part": title,
            }));
        } else {
            self.line(open.offset, depth, &length(len), &format!("[{title}]"));
        }
    }
}

/// The size of a part.
fn length(bytes: u64) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("({bytes} byte{plural})")
}

fn text(bytes: &[u8]) -> String {
    let shown = bytes.get(..SHOWN_TEXT).unwrap_or(bytes);
    let more = if shown.len() < bytes.len() { "..." } else { "" };
    format!("\"{}\"{more}", shown.escape_ascii())
}

fn hexadecimal(bytes: &[u8], separator: &str) -> String {
    let bytes: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
    bytes.join(separator)
}

impl<W: Write> Visitor for Printer<'_, W> {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        let title = title(&part);
        let is_wanted = match (self.open.first(), &part) {
            // The sections of a bundle are in it.
            (Some(_), DumpPart::Table(name)) if self.open.len() == 1 => {
                self.is_section_wanted(name)
            }
            (Some(_), _) => self.open.last().is_some_and(|open| open.is_wanted),
            (None, _) => {
                let name = title.strip_prefix("section ").unwrap_or(&title);
                self.is_section_wanted(name)
            }
        };
        self.open.push(Open {
            offset,
            end: 0,
            is_wanted,
            title: Some(title),
        });
        // With a range, titles wait for a field in it.
        if is_wanted && self.call.range.is_none() {
            self.titles();
        }
    }

    fn field(&mut self, range: Range<u64>, name: &str, content: FieldContent<'_>) {
        let depth = self.open.len();
        let is_wanted = self.open.last().is_none_or(|open| open.is_wanted);
        let is_shown = depth.checked_sub(1).is_none_or(|part| self.shows(part));
        if !is_wanted || !is_shown || !self.is_in_range(&range) {
            return;
        }
        self.titles();
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let raw = self.bytes.get(at(range.start)..at(range.end));
        let raw = raw.unwrap_or_default();
        let len = range.end.saturating_sub(range.start);
        if self.call.json {
            let (value, flag, reference) = values(content);
            let bytes = raw.get(..SHOWN_IN_JSON).unwrap_or(raw);
            let file = self.file;
            self.json(json!({
                "schema": "dump/1",
                "file": file,
                "offset": range.start,
                "length": len,
                "depth": depth,
                "field": name,
                "bytes": hexadecimal(bytes, ""),
                "value": value,
                "flag": flag,
                "reference": reference,
            }));
            return;
        }
        let shown = raw.get(..SHOWN).unwrap_or(raw);
        let mut bytes = hexadecimal(shown, " ");
        if shown.len() < raw.len() {
            bytes.push_str(" ..");
        }
        let value = match content {
            FieldContent::Unsigned(value) => value.to_string(),
            FieldContent::Signed(value) => value.to_string(),
            FieldContent::Flagged(value, flag) => {
                format!("{value}, {}", if flag { "yes" } else { "no" })
            }
            FieldContent::Reference(what, number, b"") => format!("{what} #{number}"),
            FieldContent::Reference(what, number, name) => {
                format!("{what} #{number} {}", text(name))
            }
            FieldContent::Text(bytes) => text(bytes),
            _ => format!("{len} byte{}", if len == 1 { "" } else { "s" }),
        };
        self.line(range.start, depth, &bytes, &format!("{name}: {value}"));
    }

    fn leave(&mut self, offset: u64) {
        self.close(offset);
    }
}

/// The value, the flag and the table of a field, for JSON.
fn values(content: FieldContent<'_>) -> (Value, Value, Value) {
    match content {
        FieldContent::Unsigned(value) => (json!(value), Value::Null, Value::Null),
        FieldContent::Signed(value) => (json!(value), Value::Null, Value::Null),
        FieldContent::Flagged(value, flag) => (json!(value), json!(flag), Value::Null),
        FieldContent::Reference(what, number, _) => (json!(number), Value::Null, json!(what)),
        FieldContent::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            (json!(text), Value::Null, Value::Null)
        }
        _ => (Value::Null, Value::Null, Value::Null),
    }
}
