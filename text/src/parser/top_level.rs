//! Parses a text one top-level operation after the other, in memory that does not grow with their
//! number.
//!
//! The text is read twice: once for its [`Outline`], and then window by window. What is around the
//! operations is parsed first, so that all aliases and resources are known.

use super::operation::Operations;
use super::outline::{Outline, Run};
use super::{AttributeAlias, ParseOptions, Parser, diagnostics};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edition::Edition;
use crate::lexer::TokenKind;
use rmlir_ir::{
    Attribute, Block, Context, Identifier, Module, Operation, ProgressCounter, Provenance,
    Resource, Stretch, Type,
};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The bytes that are searched at once for the outline.
const PIECE: usize = 1 << 18;

/// The lexer looks at most at this many bytes after a token.
const LOOKAHEAD: usize = 16;

/// What follows an operation that [`visit_top_level`] has passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterOperation {
    /// The next operation is parsed.
    Continue,
    /// The next operation is parsed in a new context, so that the memory of this one is released.
    Renew,
    /// Nothing more is parsed.
    Stop,
}

/// An error of [`visit_top_level`].
#[derive(Debug)]
pub enum TopLevelError {
    /// The text cannot be read.
    Io(io::Error),
    /// The text is not valid. Only the first error is reported.
    Syntax(Diagnostics),
}

impl fmt::Display for TopLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TopLevelError::Io(error) => error.fmt(f),
            TopLevelError::Syntax(diagnostics) => diagnostics.fmt(f),
        }
    }
}

impl std::error::Error for TopLevelError {}

impl From<io::Error> for TopLevelError {
    fn from(error: io::Error) -> Self {
        TopLevelError::Io(error)
    }
}

/// Parses the operations of a file one after the other: those of its module, or of the implicit
/// one.
///
/// Each is passed on as a module whose top-level operation is that of the file, with this operation
/// alone in it. Memory is bounded by the largest of them and by what is around them: definitions of
/// aliases, and resources. So the memory does not grow with the number of operations, if `each`
/// [renews](AfterOperation::Renew) the context, which grows with the types, attributes and
/// locations that were met. `context` has the dialects; contexts of operations are copies of it,
/// with the aliases.
///
/// Returns false before anything was passed on if the text has to be
/// [parsed as a whole](super::parse_module): the file is empty, operations directly in the module
/// define or use values, aliases other than of locations are defined after operations, several
/// operations include a module at the start, the definitions have errors, or an older
/// [edition](ParseOptions::edition) is requested. [`threads`](ParseOptions::threads) and
/// [`keep_names`](ParseOptions::keep_names) have no effect.
///
/// Linear in the size of the text; a text with a large operation may be read twice. Before an error
/// is reported, the rest of the text is read.
///
/// # Errors
///
/// The first error in the order of the text, after the operations before it were passed on.
///
/// ```
/// use rmlir_ir::{Context, Module};
/// use rmlir_text::{AfterOperation, ParseOptions, visit_top_level};
///
/// let text = "\"a.b\"() : () -> ()\n\"a.c\"() : () -> ()";
/// let mut names = Vec::new();
/// let input = &mut std::io::Cursor::new(text);
/// let options = ParseOptions::default();
/// let mut each = |context: &mut Context, module: &mut Module, operation| {
///     names.push(context.operation_name_bytes(module.name(operation)).to_vec());
///     AfterOperation::Continue
/// };
/// assert!(visit_top_level(input, Context::new(), &options, &mut each)?);
/// assert_eq!(names, [b"a.b", b"a.c"]);
/// # Ok::<(), rmlir_text::TopLevelError>(())
/// ```
pub fn visit_top_level(
    input: &mut (impl Read + Seek),
    context: Context,
    options: &ParseOptions,
    each: &mut dyn FnMut(&mut Context, &mut Module, Operation) -> AfterOperation,
) -> Result<bool, TopLevelError> {
    if options.edition != Edition::Current || !options.implicit_module {
        return Ok(false);
    }
    input.seek(SeekFrom::Start(0))?;
    let piece = BufReader::with_capacity(PIECE, &mut *input);
    let Some(outline) = Outline::read(piece)? else {
        return Ok(false);
    };
    // Windows are counted, not what is parsed in them.
    let uncounted = ParseOptions {
        progress: ProgressCounter::default(),
        ..options.clone()
    };
    let Some(around) = Around::parse(context, &outline, &uncounted) else {
        return Ok(false);
    };
    let len = input.seek(SeekFrom::End(0))?;
    let mut reader = WindowReader {
        input,
        around: &around,
        options: &uncounted,
        progress: options.progress.stretch(0..len, len),
        // What is around takes time for each window.
        window: options
            .bytes_per_window
            .max(outline.around.len() as u64 / 4),
        shared_left: around.shared_left,
        bytes: Vec::new(),
    };
    let mut context = around.context.clone();
    for run in outline.operations.iter().cloned() {
        if reader.operations(run, &mut context, each)? == AfterOperation::Stop {
            break;
        }
    }
    reader.progress.end();
    Ok(true)
}

/// What is parsed of the text around the operations.
struct Around<'o> {
    context: Context,
    /// The top-level operation without content.
    module: Module,
    body: Block,
    attribute_aliases: HashMap<&'o [u8], AttributeAlias>,
    type_aliases: HashMap<&'o [u8], Type>,
    distincts: HashMap<&'o [u8], Attribute>,
    resources: HashMap<(Identifier, Identifier), Resource>,
    shared_left: u64,
}

impl<'o> Around<'o> {
    /// Parses the text around the operations; `None` if it has errors or is not what it seemed.
    fn parse(mut context: Context, outline: &'o Outline, options: &ParseOptions) -> Option<Self> {
        let mut parser = Parser::new(&mut context, &outline.around, options);
        let mut module = parser.file().ok()?;
        let body = match module.body() {
            Some(body) => body,
            // The generic form of an operation without content has no block.
            None => {
                let region = module.region(module.top(), 0)?;
                module.append_block(region)
            }
        };
        if !parser.recovery.errors.is_empty() || module.first_operation(body).is_some() {
            return None;
        }
        module.provenance = Provenance::default();
        Some(Around {
            module,
            body,
            attribute_aliases: std::mem::take(&mut parser.attribute_aliases),
            type_aliases: std::mem::take(&mut parser.type_aliases),
            distincts: std::mem::take(&mut parser.distincts),
            resources: std::mem::take(&mut parser.resources),
            shared_left: parser.shared.left,
            context,
        })
    }
}

/// Parses runs of operations window by window.
struct WindowReader<'a, R> {
    input: &'a mut R,
    around: &'a Around<'a>,
    options: &'a ParseOptions,
    progress: Stretch,
    /// The usual size of a window.
    window: u64,
    /// What is left of [`ParseOptions::max_shared_entities`].
    shared_left: u64,
    bytes: Vec<u8>,
}

impl<R: Read + Seek> WindowReader<'_, R> {
    /// Parses the operations of a run.
    fn operations(
        &mut self,
        mut rest: Run,
        context: &mut Context,
        each: &mut dyn FnMut(&mut Context, &mut Module, Operation) -> AfterOperation,
    ) -> Result<AfterOperation, TopLevelError> {
        let mut size = self.window;
        while rest.start < rest.end {
            self.progress.at(rest.start);
            let len = size.min(rest.end.saturating_sub(rest.start));
            self.read(rest.start, len)?;
            let is_last = rest.start.saturating_add(len) == rest.end;
            let bytes = std::mem::take(&mut self.bytes);
            let parsed = self.parse(&bytes, &rest, is_last, context, each);
            self.bytes = bytes;
            let (used, after) = parsed?;
            match used {
                // The operation is longer.
                0 => size = size.saturating_mul(2),
                _ => size = self.window,
            }
            rest.advance(self.bytes.get(..used).unwrap_or_default());
            match after {
                AfterOperation::Continue => {}
                AfterOperation::Renew => *context = self.around.context.clone(),
                AfterOperation::Stop => return Ok(after),
            }
        }
        Ok(AfterOperation::Continue)
    }

    /// Reads the bytes of a window.
    fn read(&mut self, start: u64, len: u64) -> io::Result<()> {
        self.bytes.clear();
        self.input.seek(SeekFrom::Start(start))?;
        let read = (&mut *self.input).take(len).read_to_end(&mut self.bytes)?;
        match read as u64 == len {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Parses operations as far as they are whole in a window; returns how many bytes they take,
    /// and what follows them.
    fn parse(
        &mut self,
        bytes: &[u8],
        at: &Run,
        is_last: bool,
        context: &mut Context,
        each: &mut dyn FnMut(&mut Context, &mut Module, Operation) -> AfterOperation,
    ) -> Result<(usize, AfterOperation), TopLevelError> {
        let mut options = self.options.clone();
        let lines = &mut options.lines_before;
        *lines = lines.saturating_add(at.lines);
        options.columns_before = at.columns;
        let around = self.around;
        let mark = options.check_entries.then(|| context.entry_mark());
        let mut parser = Parser::new(context, bytes, &options);
        parser.attribute_aliases = around.attribute_aliases.clone();
        parser.type_aliases = around.type_aliases.clone();
        parser.distincts = around.distincts.clone();
        parser.resources = around.resources.clone();
        parser.shared.left = self.shared_left;
        parser.recovery.max_errors = 1;
        let dialect = Some(parser.context.builtin_namespace());
        let mut ops = Operations::new(around.module.clone(), around.body, dialect);
        let mut used = 0;
        let mut after = AfterOperation::Continue;
        while after == AfterOperation::Continue && !parser.at(TokenKind::Eof) {
            let read = parser.top_level_operation(&mut ops);
            let seen = parser.lexer.position().saturating_add(LOOKAHEAD);
            if !is_last && (read.is_err() || seen >= bytes.len()) {
                // It is read again with what follows: the end of the window may be the error.
                return Ok((used, after));
            }
            let undefined = || {
                let names = ops.scopes.undefined();
                names.into_iter().chain(parser.undefined_locations()).next()
            };
            if let Some(error) = read.err().or_else(undefined) {
                let hint = parser.hint.take();
                let all = diagnostics(&options, bytes, [&error].into_iter(), hint);
                return Err(at.syntax_error(Diagnostic::new(&options, bytes, &error), all));
            }
            let mut module = std::mem::replace(&mut ops.module, around.module.clone());
            used = parser.token.start;
            self.shared_left = parser.shared.left;
            if let Some(operation) = module.first_operation(around.body) {
                after = each(parser.context, &mut module, operation);
            }
        }
        if after == AfterOperation::Continue && is_last {
            used = bytes.len();
        }
        drop(parser);
        if let Some(mark) = mark {
            context.bodies_checked_since(mark);
        }
        Ok((used, after))
    }
}

impl Run {
    /// Returns diagnostics of a text that starts here, with their places in the whole text.
    fn syntax_error(&self, first: Diagnostic, mut all: Vec<Diagnostic>) -> TopLevelError {
        for diagnostic in &mut all {
            let start = usize::try_from(self.start).unwrap_or(usize::MAX);
            diagnostic.offset = diagnostic.offset.map(|offset| start.saturating_add(offset));
        }
        TopLevelError::Syntax(Diagnostics::from_vec(all).unwrap_or_else(|| first.into()))
    }

    /// Moves the start after these bytes.
    fn advance(&mut self, bytes: &[u8]) {
        let newlines = memchr::memchr_iter(b'\n', bytes).count();
        let since = match memchr::memrchr(b'\n', bytes) {
            Some(last) => {
                self.columns = 0;
                bytes.len().saturating_sub(last).saturating_sub(1)
            }
            None => bytes.len(),
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.columns = self.columns.saturating_add(count(since));
        self.lines = self.lines.saturating_add(count(newlines));
        self.start = self.start.saturating_add(bytes.len() as u64);
    }
}

#[cfg(test)]
mod tests;
