//! What is wrong with a text, and where.

use crate::parser::ParseOptions;
use rmlir_ir::asm::AsmError;
use std::fmt;

/// What the parser's functions return.
pub(crate) type Result<T> = std::result::Result<T, AsmError>;

/// An error in a text, with its place and the line that it is in.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file's name.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in bytes, counted from 1.
    pub column: usize,
    /// The offset in bytes from the start of the file.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// The line itself, cut if it is very long.
    pub source_line: String,
    /// The column at which `source_line` starts, counted from 1.
    first_column: usize,
}

/// How much of a line is shown on each side of the place.
const SHOWN: usize = 120;

impl Diagnostic {
    /// Finds line and column of `error` in `source`.
    pub(crate) fn new(options: &ParseOptions, source: &[u8], error: &AsmError) -> Self {
        let offset = error.place().min(source.len());
        let (before, after) = source.split_at_checked(offset).unwrap_or((source, &[]));
        let line = memchr::memchr_iter(b'\n', before).count().saturating_add(1);
        let start = memchr::memrchr(b'\n', before).map_or(0, |n| n.saturating_add(1));
        let shown_start = start.max(offset.saturating_sub(SHOWN));
        let rest = memchr::memchr(b'\n', after)
            .unwrap_or(after.len())
            .min(SHOWN);
        let shown = source
            .get(shown_start..offset.saturating_add(rest))
            .unwrap_or_default();
        Diagnostic {
            file: options.file_name.clone(),
            line: line.saturating_add(options.lines_before as usize),
            column: offset
                .saturating_sub(start)
                .saturating_add(1)
                .saturating_add(if start == 0 {
                    options.columns_before as usize
                } else {
                    0
                }),
            offset,
            message: error.message().to_owned(),
            source_line: String::from_utf8_lossy(shown)
                .trim_end_matches('\r')
                .to_owned(),
            first_column: shown_start.saturating_sub(start).saturating_add(1),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:col: error: message`, the line, and a mark under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}:{}:{}: error: {}",
            self.file, self.line, self.column, self.message
        )?;
        writeln!(f, "{}", self.source_line)?;
        let indent: String = self
            .source_line
            .chars()
            .take(self.column.saturating_sub(self.first_column))
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "{indent}^")
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostic {}
