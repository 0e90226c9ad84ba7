//! Error recovery: where the parser continues, and which further errors it suppresses.
//!
//! The operation (or alias definition) with the error is skipped, with all its content, up to where
//! the next one begins: at the start of a line, with all braces of the broken one closed. All names
//! in the skipped text count as defined from then on, so that no error is reported that only
//! follows from an earlier one.

use super::Parser;
use super::operation::Operations;
use crate::diagnostic::Result;
use crate::lexer::{Lexer, Token, TokenKind};
use rmlir_ir::asm::{AsmError, Place};
use std::collections::HashSet;

/// The errors found so far, and the state for continuing after them.
pub(super) struct Recovery<'s> {
    /// The errors to be reported.
    pub(super) errors: Vec<AsmError>,
    /// The number of errors after which parsing ends.
    pub(super) max_errors: usize,
    /// The start of the operation or definition that is being parsed.
    pub(super) start: usize,
    /// Aliases with their `#` or `!`, and blocks, that occur in skipped text.
    passed_over: HashSet<&'s [u8]>,
}

impl Recovery<'_> {
    pub(super) fn new(max_errors: usize) -> Self {
        Recovery {
            errors: Vec::new(),
            max_errors: max_errors.max(1),
            start: 0,
            passed_over: HashSet::new(),
        }
    }
}

/// Returns whether no token follows an offset.
pub(super) fn is_at_end(source: &[u8], place: Place) -> bool {
    let mut lexer = Lexer::new(source);
    lexer.set_position(place);
    lexer.next_token().kind == TokenKind::Eof
}

/// Returns the offset of the last bracket that is open at the end of a text. What closes another
/// bracket closes those inside of it, as a `<` need not be one. Linear in the text.
pub(super) fn unclosed_bracket(source: &[u8]) -> Option<Place> {
    let mut lexer = Lexer::new(source);
    let mut open: Vec<(TokenKind, Place)> = Vec::new();
    loop {
        let token = lexer.next_token();
        let opening = match token.kind {
            TokenKind::Eof => return open.last().map(|&(_, place)| place),
            TokenKind::LeftBrace
            | TokenKind::LeftParen
            | TokenKind::LeftSquare
            | TokenKind::Less
            | TokenKind::MetadataBegin => {
                open.push((token.kind, token.start));
                continue;
            }
            TokenKind::RightBrace => TokenKind::LeftBrace,
            TokenKind::RightParen => TokenKind::LeftParen,
            TokenKind::RightSquare => TokenKind::LeftSquare,
            TokenKind::MetadataEnd => TokenKind::MetadataBegin,
            TokenKind::Greater => {
                if open.last().is_some_and(|last| last.0 == TokenKind::Less) {
                    open.pop();
                }
                continue;
            }
            _ => continue,
        };
        // Inner ones are dropped, each once, so a stray bracket does not make this quadratic.
        while let Some((kind, _)) = open.pop() {
            if kind == opening {
                break;
            }
        }
    }
}

impl<'s> Parser<'s, '_> {
    /// Records an error after which parsing can continue.
    ///
    /// # Errors
    ///
    /// The error itself, if it is the last one to be reported.
    pub(super) fn report(&mut self, error: AsmError) -> Result<()> {
        if error.follows() {
            return Ok(());
        }
        if self.recovery.errors.len().saturating_add(1) >= self.recovery.max_errors {
            return Err(error);
        }
        self.recovery.errors.push(error);
        Ok(())
    }

    /// Records an error and goes to where the next operation, label or definition begins, or to the
    /// `}` of the open region, or to the end.
    ///
    /// # Errors
    ///
    /// The error itself, if it is the last one to be reported.
    pub(super) fn recover(&mut self, ops: &mut Operations<'s>, error: AsmError) -> Result<()> {
        let place = error.place();
        self.report(error)?;
        self.inline_depth = 0;
        self.pass_over(ops, place);
        ops.settle();
        Ok(())
    }

    /// Returns the error for an alias that is not defined.
    #[cold]
    pub(super) fn undefined_alias(&self, place: usize, name: &[u8]) -> AsmError {
        let message = format!(
            "undefined symbol alias id '{}'",
            String::from_utf8_lossy(name)
        );
        let end = place.saturating_add(1).saturating_add(name.len());
        let written = self.source.get(place..end).unwrap_or_default();
        AsmError::new(place, message).following(self.is_passed_over(written))
    }

    /// Returns whether a name of an alias or block occurs in skipped text.
    pub(super) fn is_passed_over(&self, name: &[u8]) -> bool {
        self.recovery.passed_over.contains(name)
    }

    /// Skips the text from `recovery.start` at least up to `place`.
    fn pass_over(&mut self, ops: &mut Operations<'s>, place: usize) {
        let start = self.recovery.start;
        let top_level = ops.is_at_top_level();
        let mut lexer = Lexer::new(self.source);
        lexer.set_position(start);
        let mut depth = 0usize;
        let mut last_end = start;
        loop {
            let token = lexer.next_token();
            let first_on_line = self
                .source
                .get(last_end..token.start)
                .is_some_and(|between| between.contains(&b'\n'));
            let behind = token.start > start && token.start >= place;
            match token.kind {
                TokenKind::Eof => break,
                TokenKind::RightBrace if depth == 0 && behind && !top_level => break,
                TokenKind::LeftBrace | TokenKind::MetadataBegin => {
                    if token.kind == TokenKind::MetadataBegin
                        && behind
                        && depth == 0
                        && top_level
                        && first_on_line
                    {
                        break;
                    }
                    depth = depth.saturating_add(1);
                }
                TokenKind::RightBrace | TokenKind::MetadataEnd => depth = depth.saturating_sub(1),
                _ if behind
                    && depth == 0
                    && first_on_line
                    && self.begins_item(ops, token, top_level) =>
                {
                    break;
                }
                TokenKind::PercentIdentifier => ops.scopes.pass_over(self.text(token)),
                TokenKind::CaretIdentifier
                | TokenKind::HashIdentifier
                | TokenKind::ExclamationIdentifier => {
                    let name = self.text(token);
                    self.recovery.passed_over.insert(name);
                }
                _ => {}
            }
            last_end = token.end;
        }
        self.previous_end = last_end;
        self.reset_to(last_end);
    }

    /// Returns whether an operation, label or definition begins with this token, the first one on
    /// its line.
    fn begins_item(&mut self, ops: &Operations<'s>, token: Token, top_level: bool) -> bool {
        let mut lexer = Lexer::new(self.source);
        lexer.set_position(token.end);
        let next = lexer.next_token();
        match token.kind {
            TokenKind::String => next.kind == TokenKind::LeftParen,
            TokenKind::BareIdentifier => {
                let name = self.text(token);
                name.contains(&b'.')
                    || self.is_known_operation(ops, name)
                    || self.is_older_operation(name)
            }
            // `%a =`, `%a:2 =`, `%a, %b =`, but not operands in a list that goes on.
            TokenKind::PercentIdentifier => {
                let mut next = next;
                loop {
                    match next.kind {
                        TokenKind::Equal => return true,
                        TokenKind::Comma
                        | TokenKind::Colon
                        | TokenKind::Integer
                        | TokenKind::PercentIdentifier => next = lexer.next_token(),
                        _ => return false,
                    }
                }
            }
            // `^a:` or `^a(...):`, but not a successor.
            TokenKind::CaretIdentifier => {
                let mut next = next;
                let mut depth = 0usize;
                loop {
                    match next.kind {
                        TokenKind::LeftParen => depth = depth.saturating_add(1),
                        TokenKind::RightParen => depth = depth.saturating_sub(1),
                        TokenKind::Colon if depth == 0 => return true,
                        TokenKind::Eof | TokenKind::LeftBrace | TokenKind::RightBrace => {
                            return false;
                        }
                        _ if depth == 0 => return false,
                        _ => {}
                    }
                    next = lexer.next_token();
                }
            }
            TokenKind::HashIdentifier | TokenKind::ExclamationIdentifier => {
                top_level && next.kind == TokenKind::Equal
            }
            _ => false,
        }
    }

    /// Returns whether a name without a dialect denotes an operation here.
    fn is_known_operation(&mut self, ops: &Operations<'s>, name: &[u8]) -> bool {
        let full = self.full_name(ops.default_dialect(), name);
        self.context
            .find_operation_name(&full)
            .and_then(|name| self.context.operation_definition(name))
            .is_some()
    }
}
