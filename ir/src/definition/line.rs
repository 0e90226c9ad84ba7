//! A line of the text of definitions, and errors in it.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::operation::GroupKind;
use super::release::{Family, ReleaseRange};
use crate::nearest_name;
use std::fmt;

/// An error in a definition, with its position. One word wide.
pub struct DefinitionError(Box<(u32, u32, String)>);

impl DefinitionError {
    #[cold]
    pub(super) fn new(line: u32, column: u32, message: impl Into<String>) -> Self {
        DefinitionError(Box::new((line, column, message.into())))
    }

    /// Returns an error at an offset of a separate text.
    #[cold]
    pub(super) fn in_text(text: &str, at: usize, message: String) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let line = before.matches('\n').count().saturating_add(1);
        let column = at.saturating_sub(start).saturating_add(1);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self::new(number(line), number(column), message)
    }

    /// Returns the line, from 1.
    pub fn line(&self) -> u32 {
        self.0.0
    }

    /// Returns the column in bytes, from 1.
    pub fn column(&self) -> u32 {
        self.0.1
    }

    /// Returns the error message.
    pub fn message(&self) -> &str {
        &self.0.2
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line(), self.column(), self.message())
    }
}

impl fmt::Debug for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for DefinitionError {}

pub(super) type Result<T> = std::result::Result<T, DefinitionError>;

/// Returns the message for an unknown word, with a suggestion if a known word is similar.
#[cold]
pub(super) fn unknown<'n>(
    what: &str,
    word: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> String {
    let meant = nearest_name(word.as_bytes(), known);
    let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
    let word = word.escape_debug();
    format!("unknown {what} '{word}'{}", meant.unwrap_or_default())
}

/// A line and the current position in it.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) number: u32,
}

impl<'a> Line<'a> {
    /// Skips white space and returns the offset of the next token.
    pub(super) fn place(&mut self) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        self.at = self.text.len().saturating_sub(trimmed.len());
        self.at
    }

    fn remaining(&mut self) -> &'a str {
        let at = self.place();
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn is_end(&mut self) -> bool {
        self.remaining().is_empty()
    }

    /// Returns the rest of the line.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = self.remaining().trim_end();
        self.at = self.text.len();
        rest
    }

    /// Returns the rest of the line after one space, verbatim, without trailing white space.
    pub(super) fn raw_rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at = self.text.len();
        rest.strip_prefix(' ').unwrap_or(rest).trim_end()
    }

    /// Returns the next word; empty if the next token is punctuation or there is none.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.remaining();
        let end = rest
            .bytes()
            .position(|b| {
                matches!(
                    b,
                    b' ' | b'\t' | b'\r' | b',' | b':' | b'(' | b')' | b'=' | b'"'
                )
            })
            .unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    /// Returns the next word, which is required.
    pub(super) fn name(&mut self) -> Result<&'a str> {
        match self.word() {
            "" => Err(self.error("expected a name")),
            name => Ok(name),
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let start = self.place();
        let found = self.word() == word;
        if !found {
            self.at = start;
        }
        found
    }

    /// Takes a word that text in quotation marks follows.
    pub(super) fn eat_before_quote(&mut self, word: &str) -> bool {
        let start = self.place();
        let found = self.eat_word(word) && self.remaining().starts_with('"');
        if !found {
            self.at = start;
        }
        found
    }

    pub(super) fn keyword(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.error(format!("expected '{word}'")))
        }
    }

    pub(super) fn starts_with(&mut self, punctuation: char) -> bool {
        self.remaining().starts_with(punctuation)
    }

    pub(super) fn eat(&mut self, punctuation: char) -> bool {
        let found = self.remaining().starts_with(punctuation);
        if found {
            self.at = self.at.saturating_add(punctuation.len_utf8());
        }
        found
    }

    pub(super) fn expect(&mut self, punctuation: char) -> Result<()> {
        if self.eat(punctuation) {
            Ok(())
        } else {
            Err(self.error(format!("expected '{punctuation}'")))
        }
    }

    /// Reads `(...)`, and returns it with the parentheses.
    pub(super) fn in_parentheses(&mut self) -> Result<&'a str> {
        let rest = self.remaining();
        let mut depth = 0usize;
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth = depth.saturating_add(1),
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0).then_some(at.saturating_add(c.len_utf8()))
        });
        match end.and_then(|end| rest.get(..end)) {
            Some(text) => {
                self.at = self.at.saturating_add(text.len());
                Ok(text)
            }
            None => Err(self.error("expected ')' after this")),
        }
    }

    /// Returns the text up to the next comma outside of brackets and quotes.
    pub(super) fn item(&mut self) -> Result<&'a str> {
        let rest = self.remaining();
        let (mut depth, mut quoted, mut before) = (0usize, false, ' ');
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '"' if before != '\\' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' | '<' => depth = depth.saturating_add(1),
                // The `>` of `->` closes no bracket.
                '>' if before == '-' => {}
                ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => return Some(at),
                _ => {}
            }
            before = c;
            None
        });
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if text.trim_end().is_empty() {
            return Err(self.error("expected a value"));
        }
        self.at = self.at.saturating_add(text.len());
        Ok(text.trim_end())
    }

    /// Reads `"..."`, without escapes.
    pub(super) fn string(&mut self) -> Result<&'a str> {
        self.expect('"')?;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some((string, _)) = rest.split_once('"') else {
            return Err(self.error("expected '\"' at the end of the string"));
        };
        self.at = self.at.saturating_add(string.len()).saturating_add(1);
        Ok(string)
    }

    pub(super) fn integer(&mut self) -> Result<i64> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected an integer of 64 bits"))
    }

    /// Reads a number of elements.
    pub(super) fn size(&mut self) -> Result<u32> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected an integer of 32 bits without sign"))
    }

    /// Reads a number of a version.
    pub(super) fn version(&mut self) -> Result<u64> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected an integer of 64 bits without sign"))
    }

    pub(super) fn family(&mut self) -> Result<Family> {
        let start = self.place();
        Family::from_name(self.word()).ok_or_else(|| self.error_at(start, "unknown family"))
    }

    /// Reads `[since N] [until N]`.
    pub(super) fn releases(&mut self) -> Result<ReleaseRange> {
        let start = self.place();
        let mut range = ReleaseRange::ALL;
        if self.eat_word("since") {
            range.first = self.release()?;
        }
        if self.eat_word("until") {
            range.last = self.release()?;
        }
        if range.first > range.last {
            return Err(self.error_at(start, "no release is in this range"));
        }
        Ok(range)
    }

    fn release(&mut self) -> Result<u32> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected the number of a release"))
    }

    pub(super) fn group_kind(&mut self) -> Option<GroupKind> {
        const KINDS: [(&str, GroupKind); 3] = [
            ("variadic", GroupKind::Variadic),
            ("optional", GroupKind::Optional),
            ("variadic_of_variadic", GroupKind::VariadicOfVariadic),
        ];
        let start = self.place();
        let word = self.word();
        let found = KINDS.iter().find(|k| k.0 == word).map(|k| k.1);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    #[cold]
    pub(super) fn error(&mut self, message: impl Into<String>) -> DefinitionError {
        let place = self.place();
        self.error_at(place, message)
    }

    #[cold]
    pub(super) fn error_at(&self, place: usize, message: impl Into<String>) -> DefinitionError {
        let column = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
        DefinitionError::new(self.number, column, message)
    }
}
