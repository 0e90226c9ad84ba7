//! Diagnostics: errors and warnings about a text or a module, with their locations.

use crate::lexer::Lexer;
use crate::options::ParseOptions;
use rmlir_ir::asm::{AsmError, Place};
use rmlir_ir::{Context, LinkErrors, LinkInput, Module, VerifyError};
use std::fmt;

/// The result of the parser's functions.
pub(crate) type Result<T> = std::result::Result<T, AsmError>;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Severity {
    /// The input is invalid.
    Error,
    /// The input is suspicious.
    Warning,
    /// Information that may be of interest.
    Remark,
    /// Information that belongs to another diagnostic.
    Note,
}

impl Severity {
    /// Returns the severity as it is written: `error`, `warning`, `remark`, `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        }
    }
}

/// A message about a text or a module, with its location.
///
/// It has the source line if the text is available.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The file's name; empty if no file is known.
    pub file: String,
    /// The line, counted from 1; 0 if unknown.
    pub line: usize,
    /// The column in bytes, counted from 1; 0 if unknown.
    pub column: usize,
    /// The offset in bytes from the start of the text; `None` if it is not in the available text.
    pub offset: Option<usize>,
    /// The length in bytes of the text at the location, at most to the end of the line; 0 where
    /// something is missing.
    pub length: usize,
    /// The message.
    pub message: String,
    /// The source line, truncated if it is very long; empty if the text is not available.
    pub source_line: String,
    /// The notes that belong to it, without notes of their own: of severity [`Severity::Note`], or
    /// [`Severity::Error`] for errors about enclosing constructs, whose parsing the error ended.
    pub notes: Vec<Diagnostic>,
    /// The column at which `source_line` starts, counted from 1.
    pub(crate) first_column: usize,
}

/// The number of bytes of a line that are shown on each side of the location.
const SHOWN: usize = 120;

/// A text that diagnostics point into.
#[derive(Clone, Copy)]
pub struct SourceText<'a> {
    /// The text's name, and where in its file it starts.
    pub options: &'a ParseOptions,
    /// The text.
    pub bytes: &'a [u8],
}

impl SourceText<'_> {
    /// Returns a diagnostic at a byte offset of the text. Linear in the preceding text.
    pub fn diagnostic(&self, place: Place, severity: Severity, message: &str) -> Diagnostic {
        let before = self.bytes.get(..place).unwrap_or(self.bytes);
        let lines = memchr::memchr_iter(b'\n', before).count();
        let start = memchr::memrchr(b'\n', before).map_or(0, |n| n.saturating_add(1));
        self.diagnostic_in_line((lines, start), place, severity, message)
    }

    /// Returns a diagnostic at a byte offset in a known line of the text. Linear in the line.
    ///
    /// `lines` is the number of preceding lines, `start` the offset at which the line starts.
    pub fn diagnostic_in_line(
        &self,
        (lines, start): (usize, Place),
        place: Place,
        severity: Severity,
        message: &str,
    ) -> Diagnostic {
        let offset = place.min(self.bytes.len());
        let after = self.bytes.get(offset..).unwrap_or_default();
        let shown_start = start.max(offset.saturating_sub(SHOWN));
        let rest = memchr::memchr(b'\n', after).unwrap_or(after.len());
        let shown = self
            .bytes
            .get(shown_start..offset.saturating_add(rest.min(SHOWN)))
            .unwrap_or_default();
        let columns_before = match start {
            0 => self.options.columns_before as usize,
            _ => 0,
        };
        // The token at the offset, if one begins exactly there.
        let token = Lexer::new(after.get(..rest.min(SHOWN)).unwrap_or_default()).next_token();
        let length = match token.start {
            0 => token.end,
            _ => 0,
        };
        Diagnostic {
            severity,
            file: self.options.file_name.clone(),
            line: lines
                .saturating_add(1)
                .saturating_add(self.options.lines_before as usize),
            column: offset
                .saturating_sub(start)
                .saturating_add(1)
                .saturating_add(columns_before),
            offset: Some(offset),
            length,
            message: message.to_owned(),
            source_line: String::from_utf8_lossy(shown)
                .trim_end_matches('\r')
                .to_owned(),
            notes: Vec::new(),
            first_column: shown_start
                .saturating_sub(start)
                .saturating_add(1)
                .saturating_add(if shown_start == start {
                    0
                } else {
                    columns_before
                }),
        }
    }

    /// Returns the offset of a line and column, counted from 1, if they are in the text.
    pub(crate) fn offset(&self, line: u32, column: u32) -> Option<Place> {
        let line = line
            .checked_sub(self.options.lines_before)?
            .checked_sub(1)?;
        let column = match line {
            0 => column.checked_sub(self.options.columns_before)?,
            _ => column,
        };
        let start = match line.checked_sub(1) {
            None => 0,
            Some(newline) => memchr::memchr_iter(b'\n', self.bytes)
                .nth(newline as usize)?
                .checked_add(1)?,
        };
        let offset = start.checked_add(column.checked_sub(1)? as usize)?;
        let between = self.bytes.get(start..offset)?;
        (!between.contains(&b'\n')).then_some(offset)
    }
}

impl Diagnostic {
    /// Returns the diagnostic of an error that the parser found.
    pub(crate) fn new(options: &ParseOptions, bytes: &[u8], error: &AsmError) -> Self {
        let source = SourceText { options, bytes };
        let mut diagnostic = source.diagnostic(error.place(), Severity::Error, error.message());
        let notes = error
            .notes()
            .iter()
            .map(|(place, message)| source.diagnostic(*place, Severity::Note, message));
        let place = error.place();
        let consequences = error
            .consequences()
            .iter()
            .map(|message| source.diagnostic(place, Severity::Error, message));
        diagnostic.notes = notes.chain(consequences).collect();
        diagnostic
    }

    /// Adds a note at an offset of the text, if there is one.
    pub(crate) fn note(
        &mut self,
        options: &ParseOptions,
        bytes: &[u8],
        place: Option<Place>,
        message: &str,
    ) {
        let source = SourceText { options, bytes };
        let note = place.map(|place| source.diagnostic(place, Severity::Note, message));
        self.notes.extend(note);
    }

    /// Returns the column of the location in `source_line`, in bytes from 0.
    pub fn shown_column(&self) -> usize {
        self.column.saturating_sub(self.first_column)
    }
}

impl fmt::Display for Diagnostic {
    /// Writes it as upstream prints it: `file:line:col: error: message`, the line, and a mark under
    /// the location; then the notes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_alone(f)?;
        for note in &self.notes {
            writeln!(f)?;
            note.fmt_alone(f)?;
        }
        Ok(())
    }
}

impl Diagnostic {
    /// Writes it without the notes.
    fn fmt_alone(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) if self.file.is_empty() => write!(f, "<unknown>:0")?,
            (line, column) => write!(f, "{}:{line}:{column}", self.file)?,
        }
        write!(f, ": {}: {}", self.severity.name(), self.message)?;
        if self.offset.is_none() {
            return Ok(());
        }
        let indent: String = self
            .source_line
            .bytes()
            .take(self.shown_column())
            // The mark is aligned in characters, so only the first byte of each is counted.
            .filter(|b| b & 0xC0 != 0x80)
            .map(|b| if b == b'\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "\n{}\n{indent}^", self.source_line)
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostic {}

/// The diagnostics of a text: one or more, in the order in which they were found.
///
/// Takes one machine word.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics(Box<(Diagnostic, Vec<Diagnostic>)>);

impl Diagnostics {
    /// Converts a list; `None` if it is empty.
    pub fn from_vec(diagnostics: Vec<Diagnostic>) -> Option<Self> {
        let mut diagnostics = diagnostics.into_iter();
        let first = diagnostics.next()?;
        Some(Diagnostics(Box::new((first, diagnostics.collect()))))
    }

    /// Converts the errors of the verifier with [`Diagnostic::of_verify_error`]; `None` if there
    /// are none.
    pub fn of_verify_errors(
        context: &Context,
        module: &Module,
        errors: &[VerifyError],
        source: Option<SourceText<'_>>,
    ) -> Option<Self> {
        let diagnostics = errors
            .iter()
            .map(|error| Diagnostic::of_verify_error(context, module, error, source));
        Diagnostics::from_vec(diagnostics.collect())
    }

    /// Converts the errors of [`link`](rmlir_ir::link()) with [`Diagnostic::of_link_error`]; `None`
    /// if there are none.
    pub fn of_link_errors(
        errors: &LinkErrors,
        inputs: &[LinkInput<'_>],
        sources: &[Option<SourceText<'_>>],
    ) -> Option<Self> {
        let errors = errors.errors().iter();
        let diagnostics = errors.map(|error| Diagnostic::of_link_error(error, inputs, sources));
        Diagnostics::from_vec(diagnostics.collect())
    }

    /// Returns the diagnostic that was found first.
    pub fn first(&self) -> &Diagnostic {
        &self.0.0
    }

    /// Iterates over all diagnostics, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&self.0.0).chain(&self.0.1)
    }

    /// Returns all diagnostics as a list.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        let (first, others) = *self.0;
        let mut all = vec![first];
        all.extend(others);
        all
    }
}

impl fmt::Display for Diagnostics {
    /// Writes one after another, each as [`Diagnostic`] is displayed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first())?;
        for diagnostic in &self.0.1 {
            write!(f, "\n{diagnostic}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(first: Diagnostic) -> Self {
        Diagnostics(Box::new((first, Vec::new())))
    }
}
