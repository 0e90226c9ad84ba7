//! Guesses the edition of a text that the current edition cannot read.

use super::Edition;
use super::names;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::{Lexer, TokenKind};
use crate::options::ParseOptions;

/// A construct of an older edition in a text that is read by a newer one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    /// The number of errors that were found before it.
    pub(crate) error: usize,
    /// The newest edition that has the construct.
    pub(crate) edition: Edition,
}

impl Hint {
    /// Adds a note to the error that the construct causes. Linear in the text.
    #[cold]
    pub(crate) fn note(self, options: &ParseOptions, source: &[u8], errors: &mut [Diagnostic]) {
        let edition = self.edition.min(newest(source));
        let last = errors.len().saturating_sub(1);
        let Some(error) = errors.get_mut(self.error.min(last)) else {
            return;
        };
        if edition >= options.edition {
            return;
        }
        let mut note = error.clone();
        note.severity = Severity::Note;
        note.notes = Vec::new();
        note.message = format!(
            "this looks like MLIR of {edition}: set the edition to read it (--edition {edition}, ParseOptions::edition)"
        );
        error.notes.push(note);
    }
}

/// Returns the newest edition that has all operation names of a text, as far as they can be
/// distinguished from other words: the first word of a line, or the word after `=`.
fn newest(source: &[u8]) -> Edition {
    let mut lexer = Lexer::new(source);
    let mut newest = Edition::Current;
    let (mut previous, mut end) = (TokenKind::Equal, 0);
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::Eof {
            return newest;
        }
        let between = source.get(end..token.start).unwrap_or_default();
        let begins = previous == TokenKind::Equal || between.contains(&b'\n');
        if begins
            && token.kind == TokenKind::BareIdentifier
            && let name = source.get(token.start..token.end).unwrap_or_default()
            && let Some(row) = names::find(name, Edition::V2018)
        {
            newest = newest.min(row.last);
        }
        (previous, end) = (token.kind, token.end);
    }
}
