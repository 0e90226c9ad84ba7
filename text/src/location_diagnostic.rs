//! Diagnostics at the locations of modules.

use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::printer::{PrintOptions, message_to_string, print_location};
use rmlir_ir::{Context, Location, LocationKind, Message, Module, VerifyError};
use std::collections::HashSet;

impl Diagnostic {
    /// Returns a diagnostic at a location of a module, with the line of `source` if it contains
    /// that.
    ///
    /// The location shown is the first file location nested in the given one, as in upstream; if
    /// there is none, the given location is printed before the message. A call site adds notes
    /// "called from", ten at most. Linear in the source's length and in the number of nested
    /// locations.
    pub fn at_location(
        context: &Context,
        location: Location,
        severity: Severity,
        message: &str,
        source: Option<SourceText<'_>>,
    ) -> Self {
        let mut diagnostic = at_shown(context, location, severity, message, source);
        let mut at = location;
        while diagnostic.notes.len() < 10 {
            let Some(caller) = caller(context, at) else {
                break;
            };
            at = caller;
            let note = at_shown(context, at, Severity::Note, "called from", source);
            diagnostic.notes.push(note);
        }
        diagnostic
    }

    /// Converts an error of the verifier with its notes.
    ///
    /// The diagnostic has the line of `source` where the location is in it. Types, attributes and
    /// operations in the messages are printed, and truncated if they are long. Linear in the
    /// source's length and in the length of the output.
    ///
    /// ```
    /// use rmlir_ir::{Context, DialectDefinition, VerifyOptions, verify};
    /// use rmlir_text::{Diagnostic, ParseOptions, SourceText, parse_module};
    ///
    /// let mut context = Context::new();
    /// context.register_dialect(DialectDefinition::parse("dialect toy\nop use(x: I64)\n", &())?);
    /// let options = ParseOptions::for_file("a.mlir");
    /// let text = b"%x = \"t.make\"() : () -> i32\n\"toy.use\"(%x) : (i32) -> ()";
    /// let module = parse_module(&mut context, text, &options)?;
    /// let errors = verify(&context, &module, module.top(), &VerifyOptions::default());
    /// let source = Some(SourceText { options: &options, bytes: text });
    /// let error = &errors.unwrap_err()[0];
    /// let diagnostic = Diagnostic::of_verify_error(&context, &module, error, source);
    /// assert_eq!((diagnostic.line, diagnostic.column), (2, 1));
    /// assert_eq!(diagnostic.source_line, "\"toy.use\"(%x) : (i32) -> ()");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_verify_error(
        context: &Context,
        module: &Module,
        error: &VerifyError,
        source: Option<SourceText<'_>>,
    ) -> Self {
        let at = |location, severity, message: &Message| {
            let message = message_to_string(context, module, message);
            Diagnostic::at_location(context, location, severity, &message, source)
        };
        let mut diagnostic = at(error.location, Severity::Error, &error.message);
        for note in &error.notes {
            let mut note = at(note.location, Severity::Note, &note.message);
            // Notes do not have notes of their own.
            let callers = std::mem::take(&mut note.notes);
            diagnostic.notes.push(note);
            diagnostic.notes.extend(callers);
        }
        diagnostic
    }
}

/// Returns the caller of the first call site in a location, outside of other call sites.
fn caller(context: &Context, location: Location) -> Option<Location> {
    let mut seen = HashSet::new();
    let mut open = vec![location];
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        match context.location_kind(location) {
            LocationKind::CallSite { caller, .. } => return Some(caller),
            LocationKind::Name { child, .. } => open.push(child),
            LocationKind::Fused { locations, .. } => open.extend(locations.iter().rev()),
            _ => {}
        }
    }
    None
}

/// Returns a diagnostic at the part of a location that is shown.
fn at_shown(
    context: &Context,
    location: Location,
    severity: Severity,
    message: &str,
    source: Option<SourceText<'_>>,
) -> Diagnostic {
    let mut diagnostic = Diagnostic {
        severity,
        file: String::new(),
        line: 0,
        column: 0,
        offset: None,
        length: 0,
        message: message.to_owned(),
        source_line: String::new(),
        notes: Vec::new(),
        first_column: 1,
    };
    let Some(position) = context.file_line_col(location) else {
        if !matches!(context.location_kind(location), LocationKind::Unknown) {
            let text = location_text(context, location);
            diagnostic.message = format!("{text}: {message}");
        }
        return diagnostic;
    };
    if let Some(source) = source.filter(|s| s.options.file_name == position.file)
        && let Some(offset) = source.offset(position.line, position.column)
    {
        return source.diagnostic(offset, severity, message);
    }
    diagnostic.file = position.file.into_owned();
    diagnostic.line = position.line as usize;
    diagnostic.column = position.column as usize;
    diagnostic
}

/// Returns a location as text, truncated if it is long.
fn location_text(context: &Context, location: Location) -> String {
    let options = PrintOptions {
        max_output: 1000,
        ..PrintOptions::default()
    };
    let mut text = Vec::new();
    match print_location(context, location, &options, &mut text) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        Err(_) => "loc(...)".to_owned(),
    }
}
