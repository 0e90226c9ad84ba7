//! The tokens of the toy language: words, numbers and punctuation.
//!
//! ```text
//! program    = { "fn" name "(" [ name { "," name } ] ")" block }
//! block      = "{" { statement } "}"
//! statement  = "return" expression ";" | "let" name "=" expression ";" | name "=" expression ";"
//!            | "while" expression block | "if" expression block [ "else" block ]
//! ```

use std::error::Error;

/// A token with its line and column.
type Word<'s> = (u32, u32, &'s str);

/// The tokens of a file, and the next one.
pub(crate) struct Lexer<'s> {
    pub(crate) file: &'s str,
    tokens: Vec<Word<'s>>,
    at: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(file: &'s str, source: &'s str) -> Self {
        let mut tokens = Vec::new();
        for (line, text) in (1..).zip(source.lines()) {
            let mut rest = text;
            while let Some(first) = rest.chars().next() {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let len = match first {
                    _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                    _ if ["==", "!=", "<=", ">="]
                        .iter()
                        .any(|two| rest.starts_with(two)) =>
                    {
                        2
                    }
                    _ => first.len_utf8(),
                };
                let (token, behind) = rest.split_at(len);
                if !first.is_whitespace() {
                    tokens.push((line, (text.len() - rest.len() + 1) as u32, token));
                }
                rest = behind;
            }
        }
        Lexer {
            file,
            tokens,
            at: 0,
        }
    }

    fn token(&self) -> Word<'s> {
        self.tokens.get(self.at).copied().unwrap_or((0, 0, ""))
    }

    /// Returns the next token; it is empty at the end.
    pub(crate) fn peek(&self) -> &'s str {
        self.token().2
    }

    /// Returns the line and column of the next token.
    pub(crate) fn position(&self) -> (u32, u32) {
        let (line, column, _) = self.token();
        (line, column)
    }

    /// Skips the next token and returns it.
    pub(crate) fn next(&mut self) -> &'s str {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Skips a token if it is next.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips a token that must be next.
    pub(crate) fn expect(&mut self, token: &str) -> Result<(), Box<dyn Error>> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.error(&format!("expected '{token}'"))),
        }
    }

    /// Skips a comma, unless a list ends here.
    pub(crate) fn separator(&mut self, end: &str) -> Result<(), Box<dyn Error>> {
        match self.peek() == end {
            true => Ok(()),
            false => self.expect(","),
        }
    }

    /// Returns an error at the next token.
    pub(crate) fn error(&self, message: &str) -> Box<dyn Error> {
        let (line, column, token) = self.token();
        format!(
            "{}:{line}:{column}: error: {message}, found '{token}'",
            self.file
        )
        .into()
    }
}
