//! The outline of a text: where its top-level operations are, and the text around them.
//!
//! It is found by brackets, strings, comments and the starts of lines alone, without the syntax of
//! operations. What such a search cannot tell apart has no outline.

use std::io::{self, BufRead};

/// The longest word that is compared.
const LONGEST: usize = 32;

/// A part of a text that consists of operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The offsets of its first byte and after its last one.
    pub(super) start: u64,
    pub(super) end: u64,
    /// The newlines before it, and the bytes between the last one and it.
    pub(super) lines: u32,
    pub(super) columns: u32,
}

/// What a text is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// The text without its operations: definitions of aliases, metadata, and the enclosing module
    /// if the text is one.
    pub(super) around: Vec<u8>,
    /// The operations: of the file, or of the module that encloses everything.
    pub(super) operations: Vec<Run>,
}

/// What is read between strings and comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lexical {
    Code,
    Slash,
    Comment,
    String,
    Escape,
}

/// What the current statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    /// Nothing but definitions and space so far, since the last operation.
    Definitions,
    /// The start of the first operation, which may be a module.
    First,
    /// The text of a module before its operations.
    Header,
    /// The operations in it.
    Body,
    /// The text after them.
    Footer,
    /// Operations without a module around them.
    Operations,
}

/// The start of a line that may define an alias.
struct Alias {
    /// The bytes, and where they begin.
    text: Vec<u8>,
    place: (u64, u32, u32),
    /// Whether the equals sign was read, after which the first word is compared.
    has_equals: bool,
    has_space: bool,
}

struct Scanner {
    outline: Outline,
    lexical: Lexical,
    statement: Statement,
    alias: Option<Alias>,
    /// The open brackets, and how many there are in the body of the module.
    depth: usize,
    body_depth: usize,
    /// The last word before the current byte, whether it goes on, and the last byte that is not
    /// space.
    word: Vec<u8>,
    in_word: bool,
    last: u8,
    offset: u64,
    line: u32,
    column: u32,
    has_content_on_line: bool,
    /// The offset of the preceding byte, if it is a brace that starts a line between operations.
    brace_on_line: Option<u64>,
    has_operations: bool,
}

/// The text has no outline.
struct Unclear;

impl Outline {
    /// Reads a text to its end; `None` if the operations cannot be found by brackets and lines
    /// alone, as where values are defined outside of all regions.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub(super) fn read(mut input: impl BufRead) -> io::Result<Option<Self>> {
        let mut scanner = Scanner::new();
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let mut rest = bytes;
            loop {
                rest = rest.get(scanner.skip(rest)..).unwrap_or_default();
                let Some((&byte, after)) = rest.split_first() else {
                    break;
                };
                if scanner.byte(byte).is_err() {
                    return Ok(None);
                }
                rest = after;
            }
            let len = bytes.len();
            input.consume(len);
        }
        Ok(scanner.finish().ok())
    }
}

impl Scanner {
    fn new() -> Self {
        Scanner {
            outline: Outline::default(),
            lexical: Lexical::Code,
            statement: Statement::Definitions,
            alias: None,
            depth: 0,
            body_depth: 0,
            word: Vec::new(),
            in_word: false,
            last: b'\n',
            offset: 0,
            line: 0,
            column: 0,
            has_content_on_line: false,
            brace_on_line: None,
            has_operations: false,
        }
    }

    fn finish(mut self) -> Result<Outline, Unclear> {
        let is_open = matches!(self.statement, Statement::First | Statement::Header);
        let in_string = matches!(self.lexical, Lexical::String | Lexical::Escape);
        if is_open || in_string || self.alias.is_some() || self.depth > 0 {
            return Err(Unclear);
        }
        if self.statement == Statement::Operations {
            self.end_run(self.offset);
        }
        match self.outline.operations.is_empty() {
            true => Err(Unclear),
            false => Ok(self.outline),
        }
    }

    /// Returns whether the current statement is around the operations.
    fn is_around(&self) -> bool {
        !matches!(self.statement, Statement::Body | Statement::Operations)
    }

    /// Returns the current position.
    fn place(&self) -> (u64, u32, u32) {
        (self.offset, self.line, self.column)
    }

    fn begin_run(&mut self, (start, lines, columns): (u64, u32, u32)) {
        self.outline.operations.push(Run {
            start,
            end: start,
            lines,
            columns,
        });
        self.has_operations = true;
    }

    fn end_run(&mut self, end: u64) {
        if let Some(run) = self.outline.operations.last_mut() {
            run.end = end;
        }
    }

    /// Skips what is inside of operations; returns the number of bytes. They end where a string or
    /// comment begins that may go on after `bytes`, or where the outermost bracket is closed.
    #[inline]
    fn skip(&mut self, bytes: &[u8]) -> usize {
        let outside = match self.statement {
            Statement::Body => self.body_depth,
            Statement::Operations => 0,
            _ => return 0,
        };
        let is_inside = self.depth > outside && self.lexical == Lexical::Code;
        if !is_inside || self.alias.is_some() || self.brace_on_line.is_some() {
            return 0;
        }
        let mut at = 0usize;
        while let Some(rest) = bytes.get(at..) {
            let Some(plain) = rest.iter().position(|&byte| is_special(byte)) else {
                at = bytes.len();
                break;
            };
            at = at.saturating_add(plain);
            let rest = rest.get(plain..).unwrap_or_default();
            let len = match rest {
                [b'"', ..] => string_length(rest),
                [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
                [b'/'] => None,
                [b'(' | b'[' | b'{', ..] => {
                    self.depth = self.depth.saturating_add(1);
                    Some(1)
                }
                [b')' | b']' | b'}', ..] if self.depth.saturating_sub(1) > outside => {
                    self.depth = self.depth.saturating_sub(1);
                    Some(1)
                }
                [b')' | b']' | b'}', ..] => None,
                _ => Some(1),
            };
            let Some(len) = len else { break };
            at = at.saturating_add(len);
        }
        let skipped = bytes.get(..at).unwrap_or_default();
        if at > 0 {
            self.in_word = false;
            self.go_on(skipped);
        }
        at
    }

    /// Counts bytes that were read.
    fn go_on(&mut self, bytes: &[u8]) {
        let len = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.offset = self.offset.saturating_add(bytes.len() as u64);
        let newlines = memchr::memchr_iter(b'\n', bytes).count();
        self.line = self.line.saturating_add(len(newlines));
        self.column = match memchr::memrchr(b'\n', bytes) {
            Some(last) => len(bytes.len().saturating_sub(last).saturating_sub(1)),
            None => self.column.saturating_add(len(bytes.len())),
        };
    }

    /// Reads one byte.
    #[inline]
    fn byte(&mut self, byte: u8) -> Result<(), Unclear> {
        match self.lexical {
            Lexical::Code => self.code(byte)?,
            Lexical::Comment if byte == b'\n' => self.lexical = Lexical::Code,
            Lexical::Comment => {}
            Lexical::String => match byte {
                b'"' => self.lexical = Lexical::Code,
                b'\\' => self.lexical = Lexical::Escape,
                b'\n' => return Err(Unclear),
                _ => self.extend_word(byte),
            },
            Lexical::Escape => self.lexical = Lexical::String,
            Lexical::Slash => {
                self.lexical = match byte {
                    b'/' => Lexical::Comment,
                    _ => Lexical::Code,
                };
                if byte != b'/' {
                    self.code(byte)?;
                }
            }
        }
        if let Some(alias) = &mut self.alias {
            alias.text.push(byte);
        } else if self.is_around() {
            self.outline.around.push(byte);
        }
        self.offset = self.offset.saturating_add(1);
        self.column = self.column.saturating_add(1);
        if byte == b'\n' {
            self.line = self.line.saturating_add(1);
            self.column = 0;
            self.has_content_on_line = false;
        }
        Ok(())
    }

    fn extend_word(&mut self, byte: u8) {
        if self.word.len() < LONGEST {
            self.word.push(byte);
        }
    }

    /// Reads a byte outside of strings and comments.
    #[inline]
    fn code(&mut self, byte: u8) -> Result<(), Unclear> {
        if let Some(brace) = self.brace_on_line.take()
            && byte == b'-'
        {
            // Metadata.
            self.end_run(brace);
            self.outline.around.push(b'{');
            self.statement = Statement::Definitions;
        }
        let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
        if is_word {
            if !self.in_word {
                self.word.clear();
                self.in_word = true;
                self.starts(byte)?;
            }
            self.extend_word(byte);
            self.last = byte;
            return Ok(());
        }
        if self.in_word {
            self.in_word = false;
            self.word_ends()?;
        }
        if byte.is_ascii_whitespace() || byte == 0 {
            if let Some(alias) = &mut self.alias {
                alias.has_space = true;
            }
            return Ok(());
        }
        if byte == b'/' {
            self.lexical = Lexical::Slash;
            return Ok(());
        }
        self.starts(byte)?;
        match byte {
            b'"' => {
                self.lexical = Lexical::String;
                self.word.clear();
                // The name of an operation in generic form is a word in quotes.
                self.in_word = true;
            }
            b'{' => self.brace()?,
            b'(' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b')' | b']' => self.close()?,
            b'%' | b'^' => {
                let is_outside = match self.statement {
                    Statement::Body => self.depth == self.body_depth,
                    _ => self.depth == 0,
                };
                if is_outside {
                    return Err(Unclear);
                }
            }
            _ => {}
        }
        self.last = byte;
        Ok(())
    }

    /// A token starts. On a new line outside of everything it can start a statement.
    #[inline]
    fn starts(&mut self, byte: u8) -> Result<(), Unclear> {
        if self.alias.is_some() {
            self.alias_goes_on(byte)?;
        }
        if self.has_content_on_line {
            return Ok(());
        }
        self.has_content_on_line = true;
        if self.depth > 0 {
            return Ok(());
        }
        match (byte, self.statement) {
            (b'#' | b'!', Statement::Definitions | Statement::Footer | Statement::Operations) => {
                self.alias = Some(Alias {
                    text: Vec::new(),
                    place: self.place(),
                    has_equals: false,
                    has_space: false,
                });
            }
            // Metadata.
            (b'{', Statement::Definitions | Statement::Footer) => {}
            (b'{', Statement::Operations) => self.brace_on_line = Some(self.offset),
            (_, Statement::Definitions) if !self.has_operations => {
                self.begin_run(self.place());
                self.statement = Statement::First;
            }
            (_, Statement::Definitions) => {
                self.begin_run(self.place());
                self.statement = Statement::Operations;
            }
            (_, Statement::Footer) => return Err(Unclear),
            _ => {}
        }
        Ok(())
    }

    /// A token of a line that may define an alias starts.
    fn alias_goes_on(&mut self, byte: u8) -> Result<(), Unclear> {
        let Some(alias) = &mut self.alias else {
            return Ok(());
        };
        if !alias.has_equals {
            if byte == b'=' {
                alias.has_equals = true;
                return Ok(());
            }
            // The name of the alias.
            if alias.text.len() == 1 && !alias.has_space {
                return Ok(());
            }
            // The line goes on with an attribute or type that an operation has.
            return match self.statement {
                Statement::Operations => {
                    self.alias = None;
                    Ok(())
                }
                _ => Err(Unclear),
            };
        }
        // What follows operations must not be usable in them, as locations are.
        let is_type = alias.text.first() == Some(&b'!');
        if self.has_operations && (is_type || byte != b'l') {
            return Err(Unclear);
        }
        if self.has_operations {
            // The word is compared when it ends.
            return Ok(());
        }
        self.end_alias();
        Ok(())
    }

    /// The line is the definition of an alias.
    fn end_alias(&mut self) {
        let Some(alias) = self.alias.take() else {
            return;
        };
        if self.statement == Statement::Operations {
            self.end_run(alias.place.0);
            self.statement = Statement::Definitions;
        }
        self.outline.around.extend_from_slice(&alias.text);
    }

    fn word_ends(&mut self) -> Result<(), Unclear> {
        if let Some(alias) = &self.alias {
            if alias.has_equals {
                if self.word != b"loc" {
                    return Err(Unclear);
                }
                self.end_alias();
            }
            return Ok(());
        }
        if self.statement != Statement::First {
            return Ok(());
        }
        if matches!(&self.word[..], b"module" | b"builtin.module") {
            self.outline.operations.clear();
            self.statement = Statement::Header;
            return Ok(());
        }
        // The operations begin here; what was kept of the first one is its start.
        let start = self.outline.operations.first().map(|first| first.start);
        let kept = self.offset.saturating_sub(start.unwrap_or(self.offset));
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        let len = self.outline.around.len().saturating_sub(kept);
        self.outline.around.truncate(len);
        self.statement = Statement::Operations;
        Ok(())
    }

    fn brace(&mut self) -> Result<(), Unclear> {
        let opens_body = self.statement == Statement::Header
            && match self.depth {
                // `module @name attributes {...} {`.
                0 => self.last != b'<' && (self.last == b'}' || self.word != b"attributes"),
                // `"builtin.module"() ({`.
                1 => self.last == b'(',
                _ => false,
            };
        self.depth = self.depth.saturating_add(1);
        if opens_body {
            self.statement = Statement::Body;
            self.body_depth = self.depth;
            self.outline.around.push(b'{');
            let (start, lines, columns) = self.place();
            let after = (start.saturating_add(1), lines, columns.saturating_add(1));
            self.begin_run(after);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Unclear> {
        if self.statement == Statement::Body && self.depth == self.body_depth {
            self.end_run(self.offset);
            self.statement = Statement::Footer;
        }
        self.depth = self.depth.checked_sub(1).ok_or(Unclear)?;
        Ok(())
    }
}

/// Returns whether a byte begins or ends something that brackets are not counted in, or is one.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'/' | b'(' | b')' | b'[' | b']' | b'{' | b'}')
}

/// Returns the length of the string at the start of a text; `None` if it does not end in the text
/// or on its line.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1usize;
    loop {
        let found = memchr::memchr3(b'"', b'\\', b'\n', text.get(at..)?)?;
        at = at.saturating_add(found);
        match text.get(at)? {
            b'"' => return Some(at.saturating_add(1)),
            b'\\' => at = at.saturating_add(2),
            _ => return None,
        }
    }
}
