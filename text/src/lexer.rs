//! Splits text into tokens.
//!
//! Tokens are produced on demand: MLIR's grammar depends on context (`4x8xf32`, bodies of
//! dialects), so the parser can set the lexer to any offset and read bytes itself.

/// The kind of a token (MLIR Language Reference, "Identifiers and keywords").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// The end of the input.
    Eof,
    /// Bytes that are not a token.
    Error(LexError),
    /// `foo`, `foo.bar`, `i32`.
    BareIdentifier,
    /// `@foo`, `@"foo"`.
    AtIdentifier,
    /// `#foo`, `#foo.bar`, `#1`.
    HashIdentifier,
    /// `!foo`, `!foo.bar`.
    ExclamationIdentifier,
    /// `%foo`, `%1`.
    PercentIdentifier,
    /// `^bb0`.
    CaretIdentifier,
    /// `12`, `0x1F`.
    Integer,
    /// `1.5e3`.
    Float,
    /// `"text"`.
    String,
    /// `->`.
    Arrow,
    /// `:`.
    Colon,
    /// `::`.
    ColonColon,
    /// `,`.
    Comma,
    /// `=`.
    Equal,
    /// `{`.
    LeftBrace,
    /// `}`.
    RightBrace,
    /// `(`.
    LeftParen,
    /// `)`.
    RightParen,
    /// `[`.
    LeftSquare,
    /// `]`.
    RightSquare,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `?`.
    Question,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Star,
    /// `/`.
    Slash,
    /// `|`.
    VerticalBar,
    /// `...`.
    Ellipsis,
    /// `{-#`.
    MetadataBegin,
    /// `#-}`.
    MetadataEnd,
}

/// The reason why bytes are not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexError {
    /// A byte that does not start any token.
    UnexpectedCharacter,
    /// `@` without a name.
    AtIdentifier,
    /// `#` without a name.
    AttributeName,
    /// `!` without a name.
    TypeName,
    /// `%` without a name.
    ValueName,
    /// `^` without a name.
    BlockName,
    /// No closing quote on the line.
    UnterminatedString,
    /// A backslash that does not start an escape.
    UnknownEscape,
    /// `..` or `.`.
    Ellipsis,
}

impl LexError {
    /// Returns the error message.
    pub fn message(self) -> &'static str {
        match self {
            LexError::UnexpectedCharacter => "unexpected character",
            LexError::AtIdentifier => "@ identifier expected to start with letter or '_'",
            LexError::AttributeName => "invalid attribute name",
            LexError::TypeName => "invalid type identifier",
            LexError::ValueName => "invalid SSA name",
            LexError::BlockName => "invalid block name",
            LexError::UnterminatedString => "expected '\"' in string literal",
            LexError::UnknownEscape => "unknown escape in string literal",
            LexError::Ellipsis => "expected three consecutive dots for an ellipsis",
        }
    }
}

/// A token and its byte range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The token's kind.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset just after its last byte.
    pub end: usize,
}

/// Reads tokens from bytes.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    source: &'a [u8],
    position: usize,
}

/// Byte classes.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const UNDERSCORE: u8 = 4;
const DOLLAR_DOT: u8 = 8;
const MINUS: u8 = 16;
const SPACE: u8 = 32;
/// Ends a run of plain text in a string: a quote, a backslash, or a byte not allowed in a string.
const STRING_END: u8 = 64;
/// May start a comment.
const SLASH: u8 = 128;
/// May follow in a bare identifier.
const BARE: u8 = LETTER | DIGIT | UNDERSCORE | DOLLAR_DOT;
/// May follow in an identifier with a prefix.
const SUFFIX: u8 = BARE | MINUS;

static CLASS: [u8; 256] = classes();

// Evaluated at compile time, where iterators are not available.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn classes() -> [u8; 256] {
    let mut table = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'$' | b'.' => DOLLAR_DOT,
            b'-' => MINUS,
            // As in upstream, null characters are white space.
            b'\n' => SPACE | STRING_END,
            // As in upstream, a null character in a string is part of the string.
            0 => SPACE,
            b' ' | b'\t' | b'\r' => SPACE,
            b'/' => SLASH,
            // Upstream ends a string at the last three as well.
            b'"' | b'\\' | 0x0b | 0x0c => STRING_END,
            _ => 0,
        };
        i += 1;
    }
    table
}

#[inline]
fn is_class(byte: u8, class: u8) -> bool {
    CLASS.get(byte as usize).is_some_and(|c| c & class != 0)
}

/// Returns whether a byte can start a bare identifier.
#[inline]
pub(crate) fn is_bare_start(byte: u8) -> bool {
    is_class(byte, LETTER | UNDERSCORE)
}

/// Returns whether a byte can appear inside a bare identifier.
#[inline]
pub(crate) fn is_bare(byte: u8) -> bool {
    is_class(byte, BARE)
}

/// Returns whether a byte can appear inside an identifier with a prefix.
#[inline]
pub(crate) fn is_suffix(byte: u8) -> bool {
    is_class(byte, SUFFIX)
}

impl<'a> Lexer<'a> {
    /// Returns a lexer at the start of `source`.
    pub fn new(source: &'a [u8]) -> Self {
        Lexer {
            source,
            position: 0,
        }
    }

    /// Returns the offset of the next byte to be read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Sets the offset of the next byte to be read.
    pub fn set_position(&mut self, position: usize) {
        self.position = position;
    }

    #[inline]
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.position.wrapping_add(ahead)).copied()
    }

    /// Returns the number of consecutive bytes from `from` on that are of a class.
    #[inline]
    fn run(&self, from: usize, class: u8) -> usize {
        let rest = self.source.get(from..).unwrap_or_default();
        // Four at a time: most runs are short, but few are shorter than that.
        let mut len = 0usize;
        for &[a, b, c, d] in rest.as_chunks::<4>().0 {
            if !is_class(a, class) {
                return len;
            }
            if !is_class(b, class) {
                return len.wrapping_add(1);
            }
            if !is_class(c, class) {
                return len.wrapping_add(2);
            }
            if !is_class(d, class) {
                return len.wrapping_add(3);
            }
            len = len.wrapping_add(4);
        }
        let tail = rest.get(len..).unwrap_or_default();
        let more = tail.iter().position(|&b| !is_class(b, class));
        len.wrapping_add(more.unwrap_or(tail.len()))
    }

    /// Returns the next token, skipping white space and comments.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        let mut first = self.peek(0);
        // Most tokens follow each other directly, or with one space between them.
        if first == Some(b' ') {
            self.position = self.position.wrapping_add(1);
            first = self.peek(0);
        }
        if first.is_some_and(|b| is_class(b, SPACE | SLASH)) {
            self.skip_space();
            first = self.peek(0);
        }
        let start = self.position;
        let Some(first) = first else {
            return Token {
                kind: TokenKind::Eof,
                start,
                end: start,
            };
        };
        let (kind, len) = self.scan(first);
        self.position = start.wrapping_add(len);
        Token {
            kind,
            start,
            end: self.position,
        }
    }

    /// Skips white space and comments.
    #[inline(never)]
    pub fn skip_space(&mut self) {
        loop {
            self.position = self.position.wrapping_add(self.run(self.position, SPACE));
            if self.peek(0) == Some(b'/') && self.peek(1) == Some(b'/') {
                let rest = self.source.get(self.position..).unwrap_or_default();
                let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                self.position = self.position.wrapping_add(len);
            } else {
                return;
            }
        }
    }

    /// Returns the kind and length of the token that starts with `first` here.
    #[inline]
    fn scan(&self, first: u8) -> (TokenKind, usize) {
        use TokenKind as K;
        let second = self.peek(1).unwrap_or(0);
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => (K::BareIdentifier, self.run(self.position, BARE)),
            b'%' => self.prefixed(K::PercentIdentifier),
            b'0'..=b'9' => self.number(),
            b'#' if second == b'-' && self.peek(2) == Some(b'}') => (K::MetadataEnd, 3),
            b'#' => self.prefixed(K::HashIdentifier),
            b'!' => self.prefixed(K::ExclamationIdentifier),
            b'^' => self.prefixed(K::CaretIdentifier),
            b'@' => self.at_identifier(),
            b'"' => self.string(),
            b'-' if second == b'>' => (K::Arrow, 2),
            b'-' => (K::Minus, 1),
            b':' if second == b':' => (K::ColonColon, 2),
            b':' => (K::Colon, 1),
            b',' => (K::Comma, 1),
            b'=' => (K::Equal, 1),
            b'{' if second == b'-' && self.peek(2) == Some(b'#') => (K::MetadataBegin, 3),
            b'{' => (K::LeftBrace, 1),
            b'}' => (K::RightBrace, 1),
            b'(' => (K::LeftParen, 1),
            b')' => (K::RightParen, 1),
            b'[' => (K::LeftSquare, 1),
            b']' => (K::RightSquare, 1),
            b'<' => (K::Less, 1),
            b'>' => (K::Greater, 1),
            b'?' => (K::Question, 1),
            b'+' => (K::Plus, 1),
            b'*' => (K::Star, 1),
            b'/' => (K::Slash, 1),
            b'|' => (K::VerticalBar, 1),
            b'.' if second == b'.' && self.peek(2) == Some(b'.') => (K::Ellipsis, 3),
            b'.' => (K::Error(LexError::Ellipsis), 1),
            _ => (K::Error(LexError::UnexpectedCharacter), 1),
        }
    }

    /// `#foo.bar`, `%12`: a prefix, then digits, or a letter or punctuation and more of both.
    #[inline]
    fn prefixed(&self, kind: TokenKind) -> (TokenKind, usize) {
        let body = self.position.wrapping_add(1);
        let class = if is_class(self.peek(1).unwrap_or(0), DIGIT) {
            DIGIT
        } else {
            SUFFIX
        };
        match self.run(body, class) {
            0 => {
                let error = match kind {
                    TokenKind::PercentIdentifier => LexError::ValueName,
                    TokenKind::CaretIdentifier => LexError::BlockName,
                    TokenKind::ExclamationIdentifier => LexError::TypeName,
                    _ => LexError::AttributeName,
                };
                (TokenKind::Error(error), 1)
            }
            len => (kind, len.wrapping_add(1)),
        }
    }

    fn at_identifier(&self) -> (TokenKind, usize) {
        match self.peek(1) {
            Some(b'"') => {
                let mut inner = self.clone();
                inner.position = self.position.wrapping_add(1);
                match inner.string() {
                    (TokenKind::String, len) => (TokenKind::AtIdentifier, len.wrapping_add(1)),
                    (error, len) => (error, len.wrapping_add(1)),
                }
            }
            Some(b) if is_class(b, LETTER | UNDERSCORE) => (
                TokenKind::AtIdentifier,
                self.run(self.position.wrapping_add(1), BARE)
                    .wrapping_add(1),
            ),
            _ => (TokenKind::Error(LexError::AtIdentifier), 1),
        }
    }

    #[inline]
    fn number(&self) -> (TokenKind, usize) {
        let at = |n: usize| self.peek(n).unwrap_or(0);
        // As in MLIR, `0xi32` is the integer `0` followed by an identifier.
        if at(0) == b'0' && at(1) == b'x' && at(2).is_ascii_hexdigit() {
            let rest = self
                .source
                .get(self.position.wrapping_add(2)..)
                .unwrap_or_default();
            let digits = rest
                .iter()
                .position(|b| !b.is_ascii_hexdigit())
                .unwrap_or(rest.len());
            return (TokenKind::Integer, digits.wrapping_add(2));
        }
        let mut len = self.run(self.position, DIGIT);
        if at(len) != b'.' {
            return (TokenKind::Integer, len);
        }
        len = len.wrapping_add(1);
        len = len.wrapping_add(self.run(self.position.wrapping_add(len), DIGIT));
        if matches!(at(len), b'e' | b'E') {
            let sign = usize::from(matches!(at(len.wrapping_add(1)), b'+' | b'-'));
            let exponent = len.wrapping_add(1).wrapping_add(sign);
            let digits = self.run(self.position.wrapping_add(exponent), DIGIT);
            // An `e` without digits begins the next token.
            if digits > 0 {
                len = exponent.wrapping_add(digits);
            }
        }
        (TokenKind::Float, len)
    }

    fn string(&self) -> (TokenKind, usize) {
        let body = self.position.wrapping_add(1);
        let rest = self.source.get(body..).unwrap_or_default();
        let mut at = 0usize;
        loop {
            at = at.wrapping_add(plain_text(rest.get(at..).unwrap_or_default()));
            match rest.get(at) {
                Some(b'"') => return (TokenKind::String, at.wrapping_add(2)),
                Some(b'\\') => {
                    let hex = |n: usize| {
                        rest.get(at.wrapping_add(n))
                            .is_some_and(u8::is_ascii_hexdigit)
                    };
                    at = at.wrapping_add(match rest.get(at.wrapping_add(1)) {
                        Some(b'"' | b'\\' | b'n' | b't') => 2,
                        _ if hex(1) && hex(2) => 3,
                        _ => {
                            return (
                                TokenKind::Error(LexError::UnknownEscape),
                                at.wrapping_add(1),
                            );
                        }
                    });
                }
                _ => {
                    return (
                        TokenKind::Error(LexError::UnterminatedString),
                        at.wrapping_add(1),
                    );
                }
            }
        }
    }
}

/// Returns the number of bytes at the start of `text` that denote themselves in a string.
#[inline]
fn plain_text(text: &[u8]) -> usize {
    // Nearly all strings are names. Hex data can be long.
    const SHORT: usize = 64;
    let short = text.get(..SHORT).unwrap_or(text);
    match short.iter().position(|&b| is_class(b, STRING_END)) {
        Some(at) => at,
        None if short.len() == text.len() => text.len(),
        None => long_plain_text(text),
    }
}

#[cold]
fn long_plain_text(text: &[u8]) -> usize {
    let end = memchr::memchr3(b'"', b'\\', b'\n', text).unwrap_or(text.len());
    let before = text.get(..end).unwrap_or_default();
    memchr::memchr2(0x0b, 0x0c, before).unwrap_or(end)
}

/// Returns the bytes that a string token, including its quotes, denotes.
pub fn unescape(token: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let quoted = token
        .strip_prefix(b"\"")
        .and_then(|t| t.strip_suffix(b"\""));
    // Without quotes there are no escapes.
    let Some(inner) = quoted else {
        return token.into();
    };
    if memchr::memchr(b'\\', inner).is_none() {
        return inner.into();
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner.iter().copied();
    let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16)).unwrap_or(0) as u8;
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(c @ (b'"' | b'\\')) => out.push(c),
            high => out.push(digit(high) << 4 | digit(rest.next())),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| {
            let token = lexer.next_token();
            (token.kind != TokenKind::Eof).then(|| (token.kind, &text[token.start..token.end]))
        })
        .collect()
    }

    #[test]
    fn tokens() {
        use TokenKind as K;
        assert_eq!(
            kinds("%0#1 @\"a b\"::@c 0x 0x1F 1.5e3 1.e -> // end\n{-# #-}"),
            [
                (K::PercentIdentifier, "%0"),
                (K::HashIdentifier, "#1"),
                (K::AtIdentifier, "@\"a b\""),
                (K::ColonColon, "::"),
                (K::AtIdentifier, "@c"),
                (K::Integer, "0"),
                (K::BareIdentifier, "x"),
                (K::Integer, "0x1F"),
                (K::Float, "1.5e3"),
                (K::Float, "1."),
                (K::BareIdentifier, "e"),
                (K::Arrow, "->"),
                (K::MetadataBegin, "{-#"),
                (K::MetadataEnd, "#-}"),
            ]
        );
    }

    #[test]
    fn strings() {
        assert_eq!(
            kinds(r#""a\"\\\n\t\0A""#),
            [(TokenKind::String, r#""a\"\\\n\t\0A""#)]
        );
        assert_eq!(&*unescape(br#""a\"\\\n\t\0A\ff""#), b"a\"\\\n\t\n\xff");
        assert_eq!(kinds("\"a\0\0b\""), [(TokenKind::String, "\"a\0\0b\"")]);
        for bad in ["\"abc", "\"abc\0", "\"a\nb\"", "\"a\\q\"", "\"\\"] {
            assert!(matches!(kinds(bad)[0].0, TokenKind::Error(_)), "{bad}");
        }
    }
}
