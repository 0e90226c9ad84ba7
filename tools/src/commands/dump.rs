//! `rmlir dump`: describes every byte of a file.

use super::size::{text::title as span_title, title};
use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::{Inspecting, LoadOptions};
use crate::output::Output;
use crate::progress::{Progress, Watched};
use clap::Args;
use rmlir::Form;
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir::text::{ParseOptions, SpanKind, parse_module_with_spans};
use std::io::{BufWriter, IsTerminal, Write};
use std::ops::Range;

/// Print every byte of a bytecode file with its offset and meaning
///
/// A damaged file is printed as far as it can be understood. For text, prints the offset and size
/// of each operation, location and alias and of the resources.
#[derive(Args, Debug)]
pub struct Dump {
    /// The input file; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    load: Inspecting,
}

impl Run for Dump {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let input = self.load.read(&self.input)?;
        if input.form() == Form::Text {
            return self.dump_text(&input);
        }
        let progress = match std::io::stdout().is_terminal() {
            // If the output goes to the terminal, it shows the progress itself.
            true => None,
            false => Some(Progress::new(&input.name, input.byte_len())),
        };
        let mut errors = Vec::new();
        Output::Standard.write(|out| {
            let mut printer = Printer {
                out: BufWriter::new(out),
                depth: 0,
                failed: None,
            };
            errors = match &progress {
                Some(progress) => {
                    let mut watched = Watched(progress, &mut printer);
                    dump_of(&self.load, &input, &mut watched)?
                }
                None => dump_of(&self.load, &input, &mut printer)?,
            };
            let flushed = printer.out.flush();
            printer
                .failed
                .map_or(flushed, Err)
                .map_err(|error| Failure::unwritten(&error))
        })?;
        if errors.is_empty() {
            return Ok(ExitStatus::Success);
        }
        let errors: Vec<String> = errors
            .iter()
            .map(|e| format!("{}: error: {e}", input.name))
            .collect();
        Err(Failure::Input(errors.join("\n")))
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
    fn dump_text(&self, input: &Input) -> Result<ExitStatus, Failure> {
        let mut options = ParseOptions::for_file(&input.name);
        options.edition = self.load.edition;
        options.max_errors = self.load.max_errors;
        let mut context = self.load.context()?;
        let (module, spans) = parse_module_with_spans(&mut context, input.source()?, &options)
            .map_err(|e| Failure::Diagnostics(e.into_vec()))?;
        Output::Standard.write(|out| {
            let mut out = BufWriter::new(out);
            let mut ends: Vec<u64> = Vec::new();
            let mut line = |start: u64, end: u64, text: &str| {
                while ends.last().is_some_and(|&outer| outer <= start) {
                    ends.pop();
                }
                let indent = "  ".repeat(ends.len().min(40));
                ends.push(end);
                let len = format!("({} bytes)", end.saturating_sub(start));
                writeln!(out, "{start:08x}  {len:<20}{indent}{text}")
            };
            spans
                .iter()
                .try_for_each(|span| match span.kind {
                    SpanKind::Operation(operation) => {
                        let name = context.operation_name_bytes(module.name(operation));
                        let name = name.escape_ascii().to_string();
                        line(span.bytes.start, span.bytes.end, &name)
                    }
                    kind => line(span.bytes.start, span.bytes.end, span_title(kind)),
                })
                .and_then(|()| out.flush())
                .map_err(|error| Failure::unwritten(&error))
        })?;
        Ok(ExitStatus::Success)
    }
}

/// The maximum number of bytes of a field that are shown.
const SHOWN: usize = 12;
/// The maximum length of a text that is shown.
const SHOWN_TEXT: usize = 100;

struct Printer<W: Write> {
    out: W,
    depth: usize,
    /// The error that ended the output.
    failed: Option<std::io::Error>,
}

impl<W: Write> Printer<W> {
    fn line(&mut self, offset: u64, bytes: &str, text: &str) {
        if self.failed.is_some() {
            return;
        }
        // Indentation is limited: with deep nesting it would dominate the output.
        let indent = "  ".repeat(self.depth.min(40));
        if let Err(error) = writeln!(self.out, "{offset:08x}  {bytes:<38}{indent}{text}") {
            self.failed = Some(error);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    let shown = bytes.get(..SHOWN_TEXT).unwrap_or(bytes);
    let more = if shown.len() < bytes.len() { "..." } else { "" };
    format!("\"{}\"{more}", shown.escape_ascii())
}

impl<W: Write> Visitor for Printer<W> {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        self.line(offset, "", &format!("[{}]", title(&part)));
        self.depth += 1;
    }

    fn field(&mut self, range: Range<u64>, name: &str, content: FieldContent<'_>) {
        let raw: &[u8] = match content {
            FieldContent::Bytes(bytes)
            | FieldContent::Damaged(bytes)
            | FieldContent::Text(bytes) => bytes,
            _ => &[],
        };
        let len = range.end.saturating_sub(range.start);
        let plural = if len == 1 { "" } else { "s" };
        let shown = raw.get(..SHOWN).unwrap_or(raw);
        let mut bytes: Vec<String> = shown.iter().map(|b| format!("{b:02x}")).collect();
        if raw.is_empty() {
            bytes = vec![format!("({len} byte{plural})")];
        } else if shown.len() < raw.len() {
            bytes.push("..".to_owned());
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
            _ => format!("{len} byte{plural}"),
        };
        self.line(range.start, &bytes.join(" "), &format!("{name}: {value}"));
    }

    fn leave(&mut self, _: u64) {
        self.depth = self.depth.saturating_sub(1);
    }
}
