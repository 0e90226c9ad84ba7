//! Prints errors: for people, in upstream's format, or as JSON.

use crate::style::has_colors;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use clap::ValueEnum;
use rmlir::text::{Diagnostic, Severity};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

/// The form in which errors are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum DiagnosticFormat {
    /// `pretty` on a terminal, otherwise `mlir`
    #[default]
    Auto,
    /// With the source line, the location marked in it, and notes
    Pretty,
    /// `file:line:col: error: message`, as `mlir-opt` prints it
    Mlir,
    /// One JSON object per line: severity, file, line, column, offset, length, message and notes;
    /// null if unknown
    Json,
}

impl DiagnosticFormat {
    /// Writes diagnostics to standard error.
    pub fn show(self, diagnostics: &[Diagnostic]) {
        let terminal = std::io::stderr().is_terminal();
        let text = match self {
            DiagnosticFormat::Auto if terminal => pretty(diagnostics, has_colors(terminal)),
            DiagnosticFormat::Pretty => pretty(diagnostics, has_colors(terminal)),
            // Columns stay what they are.
            DiagnosticFormat::Mlir if terminal => without_controls(&mlir(diagnostics)),
            DiagnosticFormat::Auto | DiagnosticFormat::Mlir => mlir(diagnostics),
            DiagnosticFormat::Json => diagnostics
                .iter()
                .map(|d| format!("{}\n", to_json(d)))
                .collect(),
        };
        // A failure to write to standard error cannot be reported anywhere.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// Writes an error without a location to standard error.
    pub fn show_message(self, message: &str) {
        match self {
            DiagnosticFormat::Json => show_json(messages(message, "error"), None),
            _ => {
                let _ = writeln!(std::io::stderr(), "{message}");
            }
        }
    }

    /// Writes an error of the file at `path` to standard error.
    pub fn show_file_message(self, path: &str, reason: &str) {
        match self {
            DiagnosticFormat::Json => show_json(messages(reason, "error"), Some(path)),
            _ => self.show_message(&format!("error: {path}: {reason}")),
        }
    }

    /// Writes a warning about the file at `path` to standard error.
    pub fn show_file_warning(self, path: &str, message: &str) {
        match self {
            DiagnosticFormat::Json => show_json(messages(message, "warning"), Some(path)),
            _ => self.show_warning(&format!("{path}: {message}")),
        }
    }

    /// Writes a warning without a location to standard error.
    pub fn show_warning(self, message: &str) {
        let line = match self {
            DiagnosticFormat::Json => message_to_json(message, "warning").to_string(),
            _ => format!("warning: {message}"),
        };
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Writes objects to standard error. `file` is the file of those that name none.
fn show_json(values: Vec<Value>, file: Option<&str>) {
    let mut text = String::new();
    for mut value in values {
        if let (Some(name), Some(file)) = (value.get_mut("file"), file)
            && name.is_null()
        {
            *name = file.into();
        }
        text.push_str(&format!("{value}\n"));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Formats diagnostics as upstream prints them.
fn mlir(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| format!("{d}\n")).collect()
}

/// Returns text in which each control character that could change a terminal is replaced.
fn without_controls(text: &str) -> String {
    let replaced = |c: char| match c.is_control() && c != '\n' && c != '\t' {
        true => char::REPLACEMENT_CHARACTER,
        false => c,
    };
    text.chars().map(replaced).collect()
}

/// Formats diagnostics for people.
fn pretty(diagnostics: &[Diagnostic], colors: bool) -> String {
    let renderer = if colors {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        let mut report = vec![group(diagnostic)];
        report.extend(diagnostic.notes.iter().map(group));
        text.push_str(&renderer.render(&report));
        text.push_str("\n\n");
    }
    let errors = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    if errors > 1 {
        let end = Group::with_title(Level::ERROR.primary_title(format!("{errors} errors")));
        text.push_str(&renderer.render(&[end]));
        text.push('\n');
    }
    text
}

/// Returns a diagnostic without its notes.
fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let message = diagnostic.message.as_str();
    let title = match diagnostic.severity {
        Severity::Warning => Level::WARNING.primary_title(message),
        Severity::Remark => Level::INFO.primary_title(message),
        Severity::Note => Level::NOTE.secondary_title(message),
        _ => Level::ERROR.primary_title(message),
    };
    if diagnostic.line == 0 && diagnostic.file.is_empty() {
        return Group::with_title(title);
    }
    if diagnostic.line == 0 {
        return title.element(Origin::path(diagnostic.file.as_str()));
    }
    let origin = || {
        Origin::path(diagnostic.file.as_str())
            .line(diagnostic.line)
            .char_column(diagnostic.column)
    };
    if diagnostic.offset.is_none() {
        return title.element(origin());
    }
    let line = diagnostic.source_line.as_str();
    let start = floor_boundary(line, diagnostic.shown_column());
    let end = floor_boundary(line, start.saturating_add(diagnostic.length.max(1)));
    let snippet = Snippet::source(line)
        .line_start(diagnostic.line)
        .annotation(AnnotationKind::Primary.span(start..end.max(start)));
    if diagnostic.shown_column() + 1 == diagnostic.column {
        title.element(snippet.path(diagnostic.file.as_str()))
    } else {
        // The shown line is truncated, so its columns differ from those in the file.
        title.element(origin()).element(snippet)
    }
}

/// Returns the greatest character boundary that is at most `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the objects of a message without a location in a text, which may be several ones in
/// lines. Lines that are indented are notes of the preceding one.
fn messages(message: &str, severity: &str) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for line in message.lines().filter(|line| !line.trim().is_empty()) {
        let note = line.trim_start().strip_prefix("= ");
        let last = values
            .last_mut()
            .and_then(|value| value["notes"].as_array_mut());
        match (note, last) {
            (Some(note), Some(notes)) => notes.push(message_to_json(note, "note")),
            _ => values.push(message_to_json(line, severity)),
        }
    }
    values
}

/// Returns the object of a message `FILE: error: REASON`, `error: FILE: REASON` or `REASON`, with
/// the offset in bytecode that it names.
fn message_to_json(message: &str, severity: &str) -> Value {
    let (file, reason) = match message.split_once(": error: ") {
        Some((file, reason)) if !file.starts_with("error: ") => (Some(file), reason),
        _ => (None, message.strip_prefix("error: ").unwrap_or(message)),
    };
    let offset = reason.split_once("offset 0x").and_then(|(_, rest)| {
        let end = rest
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(rest.len());
        u64::from_str_radix(rest.get(..end)?, 16).ok()
    });
    json!({
        "severity": severity,
        "file": file,
        "line": null,
        "column": null,
        "offset": offset,
        "length": null,
        "message": reason,
        "notes": [],
    })
}

fn to_json(diagnostic: &Diagnostic) -> Value {
    let known = |number: usize| (number > 0).then_some(number);
    json!({
        "severity": diagnostic.severity.name(),
        "file": (!diagnostic.file.is_empty()).then_some(&diagnostic.file),
        "line": known(diagnostic.line),
        "column": known(diagnostic.column),
        "offset": diagnostic.offset,
        "length": diagnostic.offset.map(|_| diagnostic.length),
        "message": diagnostic.message,
        "notes": diagnostic.notes.iter().map(to_json).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::without_controls;

    #[test]
    fn controls_do_not_reach_a_terminal() {
        let text = "a.mlir:1:9: error: x\n\t\u{1b}]0;title\u{7}\u{9b}31m\r é\n";
        let shown = without_controls(text);
        assert_eq!(
            shown,
            "a.mlir:1:9: error: x\n\t\u{fffd}]0;title\u{fffd}\u{fffd}31m\u{fffd} é\n"
        );
        assert_eq!(shown.chars().count(), text.chars().count());
    }
}
