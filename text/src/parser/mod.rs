//! Parses text into memory.
//!
//! Nothing here recurses on the input: types, attributes and locations are parsed by one loop with
//! a stack of frames ([`entry`]), operations and regions by another ([`operation`]).

mod affine;
mod body;
mod cache;
mod custom;
mod dense;
pub(crate) mod entries;
mod entry;
mod file;
mod format;
mod lines;
mod location;
mod older;
mod operation;
mod outline;
mod parallel;
mod recovery;
mod register;
mod releases;
mod resources;
mod scope;
mod shared_state;
mod static_texts;
mod top_level;
mod types;

use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::edition::Edition;
use crate::formats::SyntaxTable;
use crate::lexer::{Lexer, Token, TokenKind};
pub(crate) use crate::options::ParseOptions;
use crate::parser::entries::Canonical;
use crate::spans::{Span, SpanKind};
pub use entries::{
    EncodedEntry, decode_attribute, decode_type, encode_attribute, encode_type, entry_body,
    entry_parameters,
};
use entry::{Frame, Goal};
use lines::Lines;
use older::guess::Hint;
use parallel::ReadAhead;
use recovery::Recovery;
pub use register::register;
use releases::Failed;
use rmlir_ir::Normalizer;
use rmlir_ir::Stretch;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::AsmError;
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{
    Attribute, BodyReference, Context, DialectBody, Entry, Identifier, Location, Module, Resource,
    Type,
};
pub(crate) use shared_state::SharedState;
use std::collections::HashMap;
use std::thread;
pub use top_level::{AfterOperation, TopLevelError, visit_top_level};

/// Parses a whole file.
///
/// As in upstream, a file of one `builtin.module` is that module; anything else is put into an
/// implicit one. Time is linear in the size of the text and in the budget
/// [`max_shared_entities`](ParseOptions::max_shared_entities).
///
/// # Errors
///
/// The errors, with their locations: the first error, and further errors after the operation that
/// contains it, unless the first error caused them.
///
/// ```
/// use rmlir_ir::Context;
/// use rmlir_text::{ParseOptions, parse_module};
///
/// let mut context = Context::new();
/// let text = br#""test.op"() {value = 42 : i32} : () -> ()"#;
/// let module = parse_module(&mut context, text, &ParseOptions::for_file("a.mlir"))?;
/// assert_eq!(module.operations(module.body().unwrap()).count(), 1);
/// # Ok::<(), rmlir_text::Diagnostics>(())
/// ```
pub fn parse_module(
    context: &mut Context,
    source: &[u8],
    options: &ParseOptions,
) -> std::result::Result<Module, Diagnostics> {
    parse_noting(context, source, options, &mut Notes::default())
}

/// [`parse_module`], and the locations of the parts of the text.
///
/// Spans are in the order of their starts, with an enclosing span before the spans it contains. Of
/// any two, either one contains the other, or they are disjoint.
///
/// # Errors
///
/// Those of [`parse_module`].
///
/// ```
/// use rmlir_ir::Context;
/// use rmlir_text::{ParseOptions, SpanKind, parse_module_with_spans};
///
/// let text = b"\"t.a\"() : () -> () loc(\"a\")\n#a = 1 : i32";
/// let options = ParseOptions::default();
/// let (module, spans) = parse_module_with_spans(&mut Context::new(), text, &options)?;
/// let spans: Vec<_> = spans.into_iter().map(|span| (span.kind, span.bytes)).collect();
/// let operation = module.body().and_then(|body| module.first_operation(body)).unwrap();
/// assert_eq!(spans[0], (SpanKind::Operation(operation), 0..27));
/// assert_eq!(spans[1], (SpanKind::Location, 19..27));
/// assert_eq!(spans[2], (SpanKind::AttributeAlias, 28..40));
/// # Ok::<(), rmlir_text::Diagnostics>(())
/// ```
pub fn parse_module_with_spans(
    context: &mut Context,
    source: &[u8],
    options: &ParseOptions,
) -> std::result::Result<(Module, Vec<Span>), Diagnostics> {
    let mut notes = Notes {
        spans: Some(Vec::new()),
        ..Default::default()
    };
    let module = parse_noting(context, source, options, &mut notes)?;
    let mut spans = notes.spans.unwrap_or_default();
    spans.compact_sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
    Ok((module, spans))
}

/// Data recorded while a file is parsed, in addition to its content.
#[derive(Default)]
pub(crate) struct Notes {
    /// The spans of parts of the text, if requested.
    pub(crate) spans: Option<Vec<Span>>,
    /// The number of parts that other threads parsed.
    pub(crate) parts: usize,
    /// Whether the text is parsed again for a note about its release.
    pub(crate) is_retry: bool,
    /// The operation in whose syntax the first error is.
    pub(crate) failed: Option<Box<Failed>>,
}

/// [`parse_module`], recording notes.
pub(crate) fn parse_noting(
    context: &mut Context,
    source: &[u8],
    options: &ParseOptions,
    notes: &mut Notes,
) -> std::result::Result<Module, Diagnostics> {
    crate::parser::register(context);
    let mark = options.check_entries.then(|| context.entry_mark());
    let (parsed, errors, hint, failed) = thread::scope(|scope| {
        let entries = context.entry_count();
        let mut parser = Parser::new(context, source, options);
        parser.spans = notes.spans.take();
        // Helper threads do not record notes.
        if parser.spans.is_none() && options.edition == Edition::Current {
            parser.ahead = ReadAhead::new(scope, source, options, entries);
        }
        let parsed = parser.file();
        parser.progress.end();
        notes.spans = parser.spans.take();
        notes.parts = parser.ahead.as_ref().map_or(0, ReadAhead::taken);
        let errors = std::mem::take(&mut parser.recovery.errors);
        (parsed, errors, parser.hint.take(), parser.failed.take())
    });
    let errors = errors.iter().chain(parsed.as_ref().err());
    let mut diagnostics = diagnostics(options, source, errors, hint);
    match failed {
        Some(failed) if notes.is_retry => notes.failed = Some(failed),
        Some(failed) => failed.note(context, source, options, &mut diagnostics),
        None => {}
    }
    match (Diagnostics::from_vec(diagnostics), parsed) {
        (Some(diagnostics), _) => Err(diagnostics),
        (None, Ok(module)) => {
            if let Some(mark) = mark {
                context.bodies_checked_since(mark);
            }
            Ok(module)
        }
        // An error was found, so there is a diagnostic.
        (None, Err(error)) => Err(Diagnostic::new(options, source, &error).into()),
    }
}

/// Returns the diagnostics of the errors of a text, with a note about its edition, and one about
/// the bracket inside of which the text ends, if an error is at its end.
fn diagnostics<'e>(
    options: &ParseOptions,
    source: &[u8],
    errors: impl Iterator<Item = &'e AsmError>,
    hint: Option<Hint>,
) -> Vec<Diagnostic> {
    let mut is_noted = false;
    let diagnostic = |error: &AsmError| {
        let mut diagnostic = Diagnostic::new(options, source, error);
        if !is_noted && recovery::is_at_end(source, error.place()) {
            is_noted = true;
            let opened = recovery::unclosed_bracket(source);
            diagnostic.note(
                options,
                source,
                opened,
                "the text ends before this is closed",
            );
        }
        diagnostic
    };
    let mut diagnostics: Vec<Diagnostic> = errors.map(diagnostic).collect();
    if let Some(hint) = hint {
        hint.note(options, source, &mut diagnostics);
    }
    diagnostics
}

/// Parses one attribute, with nothing following it. Aliases are not known.
///
/// # Errors
///
/// The errors, with their locations.
pub fn parse_attribute(
    context: &mut Context,
    source: &[u8],
) -> std::result::Result<Attribute, Diagnostics> {
    FileResources::default().parse_alone(context, source, true, |parser| parser.attribute())
}

/// Parses one type, with nothing following it. Aliases are not known.
///
/// # Errors
///
/// The errors, with their locations.
pub fn parse_type(context: &mut Context, source: &[u8]) -> std::result::Result<Type, Diagnostics> {
    FileResources::default().parse_alone(context, source, true, |parser| parser.ty())
}

/// The resources of a file whose attributes and types are parsed one by one, as in bytecode.
///
/// Equal handles in several texts denote the same resource.
#[derive(Clone, Debug, Default)]
pub struct FileResources(HashMap<(Identifier, Identifier), Resource>);

impl FileResources {
    /// Sets the resource that the handle `key` of a dialect denotes.
    pub fn insert(&mut self, dialect: Identifier, key: Identifier, resource: Resource) {
        self.0.insert((dialect, key), resource);
    }

    /// [`parse_attribute`] for an attribute of this file.
    ///
    /// An attribute that does not match its definition is [kept as
    /// spelled](ParseOptions::check_entries).
    ///
    /// # Errors
    ///
    /// The errors, with their locations.
    pub fn parse_attribute(
        &mut self,
        context: &mut Context,
        source: &[u8],
    ) -> std::result::Result<Attribute, Diagnostics> {
        self.parse_alone(context, source, false, |parser| parser.attribute())
    }

    /// [`parse_type`] for a type of this file, with the same treatment of mismatches.
    ///
    /// # Errors
    ///
    /// The errors, with their locations.
    pub fn parse_type(
        &mut self,
        context: &mut Context,
        source: &[u8],
    ) -> std::result::Result<Type, Diagnostics> {
        self.parse_alone(context, source, false, |parser| parser.ty())
    }

    fn parse_alone<T>(
        &mut self,
        context: &mut Context,
        source: &[u8],
        check_entries: bool,
        parse: impl FnOnce(&mut Parser<'_, '_>) -> Result<T>,
    ) -> std::result::Result<T, Diagnostics> {
        let options = ParseOptions {
            file_name: "<text>".to_owned(),
            check_entries,
            ..ParseOptions::default()
        };
        crate::parser::register(context);
        let mut parser = Parser::new(context, source, &options);
        parser.resources = std::mem::take(&mut self.0);
        let parsed = parse(&mut parser).and_then(|value| {
            parser.expect_end()?;
            Ok(value)
        });
        self.0 = std::mem::take(&mut parser.resources);
        parsed.map_err(|e| Diagnostic::new(&options, source, &e).into())
    }
}

/// Checks that `literal` is valid between `dense<` and `>`, as [`AttributeKind::DenseText`] holds
/// it.
///
/// # Errors
///
/// The errors, with their locations.
///
/// [`AttributeKind::DenseText`]: rmlir_ir::AttributeKind::DenseText
pub fn check_dense_literal(
    context: &mut Context,
    literal: &[u8],
) -> std::result::Result<(), Diagnostics> {
    FileResources::default().parse_alone(context, literal, true, |parser| {
        if parser.at(TokenKind::Eof) {
            return Ok(());
        }
        parser.dense_literal().map(drop)
    })
}

/// The meaning of `#name`.
#[derive(Clone, Copy)]
enum AttributeAlias {
    Attribute(Attribute),
    Location(Location),
}

pub(crate) struct Parser<'s, 'c> {
    context: &'c mut Context,
    source: &'s [u8],
    lexer: Lexer<'s>,
    token: Token,
    /// The offset just after the token that precedes the current one.
    previous_end: usize,
    /// Attributes, types and locations that wait for one of their parts.
    frames: Vec<Frame<'s>>,
    attribute_aliases: HashMap<&'s [u8], AttributeAlias>,
    type_aliases: HashMap<&'s [u8], Type>,
    /// Location aliases that are used but not defined yet, with the offset of the first use.
    forward_locations: HashMap<&'s [u8], (Location, usize)>,
    /// Further placeholders for some of them: text parsed on several threads has several.
    same_locations: HashMap<&'s [u8], Vec<Location>>,
    /// The text that is parsed on other threads, and where its next part begins.
    ahead: Option<ReadAhead<'s>>,
    next_part: usize,
    /// Canonical forms, by their definitions, of bodies of dialect attributes and types.
    canonical: HashMap<(Identifier, DialectBody, bool), Canonical>,
    distincts: HashMap<&'s [u8], Attribute>,
    resources: HashMap<(Identifier, Identifier), Resource>,
    lines: Lines,
    /// Attributes that hooks requested by their text, and a text to look them up with.
    words: foldhash::HashMap<Box<[u8]>, Attribute>,
    /// The same for attributes requested by static texts of the program.
    statics: static_texts::StaticTexts,
    word_text: Vec<u8>,
    /// Memoizes parsed entries by their text.
    caches: cache::Caches,
    /// The nesting depth of bodies that are currently being parsed.
    inline_depth: u32,
    recovery: Recovery<'s>,
    progress: Stretch,
    pub(crate) shared: SharedState,
    file: Identifier,
    edition: Edition,
    implicit_module: bool,
    /// The first construct of an older edition that the text has where it is not valid.
    hint: Option<Hint>,
    failed: Option<Box<Failed>>,
    keep_names: bool,
    /// The custom syntax of operations.
    syntaxes: SyntaxTable,
    /// `None` if operations are to be left as they are.
    normalizer: Option<Normalizer>,
    /// See [`ParseOptions::check_entries`].
    checks_entries: bool,
    /// The spans of parts of the text, if they are recorded.
    spans: Option<Vec<Span>>,
    lines_before: u32,
    columns_before: u32,
}

impl<'s, 'c> Parser<'s, 'c> {
    pub(crate) fn new(context: &'c mut Context, source: &'s [u8], options: &ParseOptions) -> Self {
        crate::parser::register(context);
        let mut lexer = Lexer::new(source);
        let token = lexer.next_token();
        let file = context.identifier(&options.file_name);
        Parser {
            context,
            source,
            lexer,
            token,
            previous_end: 0,
            frames: Vec::new(),
            attribute_aliases: HashMap::new(),
            type_aliases: HashMap::new(),
            forward_locations: HashMap::new(),
            same_locations: HashMap::new(),
            ahead: None,
            next_part: usize::MAX,
            canonical: HashMap::new(),
            distincts: HashMap::new(),
            resources: HashMap::new(),
            lines: Lines::default(),
            words: foldhash::HashMap::default(),
            statics: static_texts::StaticTexts::default(),
            word_text: Vec::new(),
            caches: cache::Caches::default(),
            inline_depth: 0,
            recovery: Recovery::new(options.max_errors),
            progress: options
                .progress
                .stretch(0..source.len() as u64, source.len() as u64),
            shared: SharedState::of(source, options),
            file,
            edition: options.edition,
            implicit_module: options.implicit_module,
            hint: None,
            failed: None,
            keep_names: options.keep_names,
            syntaxes: SyntaxTable::default(),
            checks_entries: options.check_entries,
            normalizer: options.normalize.then(|| match options.check_properties {
                true => Normalizer::checking(),
                false => Normalizer::new(),
            }),
            spans: None,
            lines_before: options.lines_before,
            columns_before: options.columns_before,
        }
    }

    /// Records a span from `start` to the end of the token that precedes the current one.
    #[inline]
    fn note(&mut self, kind: SpanKind, start: usize) {
        if let Some(spans) = &mut self.spans {
            let bytes = start as u64..self.previous_end as u64;
            spans.push(Span { kind, bytes });
        }
    }

    /// Returns the state that a nested parser needs from this one.
    pub(crate) fn context_and_shared(&mut self) -> (&mut Context, &mut SharedState) {
        (self.context, &mut self.shared)
    }

    /// Parses with state shared with another parser or printer.
    pub(crate) fn sharing<T>(
        mut self,
        shared: &mut SharedState,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        std::mem::swap(&mut self.shared, shared);
        let read = read(&mut self);
        std::mem::swap(&mut self.shared, shared);
        read
    }

    /// Spends the cost of `count` bytes of text that a reference to shared content denotes.
    pub(crate) fn spend_bytes(&mut self, place: usize, count: usize) -> Result<()> {
        self.spend(place, count / shared_state::BYTES_OF_A_UNIT)
    }

    /// Spends `count` units of [`ParseOptions::max_shared_entities`]; call it before creating them.
    #[inline]
    fn spend(&mut self, place: usize, count: usize) -> Result<()> {
        let spent = self.shared.spend(place, count);
        if spent.is_err() {
            self.stop_soon();
        }
        spent
    }

    #[cold]
    fn too_much(&mut self, place: usize) -> AsmError {
        self.stop_soon();
        self.shared.too_much(place)
    }

    /// Stops the search for further errors: they would be consequences of this one.
    #[cold]
    fn stop_soon(&mut self) {
        self.recovery.max_errors = 1;
    }

    // Tokens.

    /// Returns the bytes of a token.
    #[inline]
    pub(crate) fn text(&self, token: Token) -> &'s [u8] {
        self.source.get(token.start..token.end).unwrap_or_default()
    }

    /// Returns the bytes of the current token.
    #[inline]
    fn current(&self) -> &'s [u8] {
        self.text(self.token)
    }

    /// Advances to the next token and returns the one that was current.
    #[inline]
    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token;
        self.previous_end = token.end;
        self.token = self.lexer.next_token();
        token
    }

    /// Makes the token at `offset` the current one.
    pub(crate) fn reset_to(&mut self, offset: usize) {
        self.lexer.set_position(offset);
        self.token = self.lexer.next_token();
    }

    #[inline]
    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Returns whether the current token is this keyword.
    #[inline]
    fn at_keyword(&self, keyword: &[u8]) -> bool {
        self.token.kind == TokenKind::BareIdentifier && self.current() == keyword
    }

    /// Consumes the current token if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes the current token if it is this keyword.
    fn eat_keyword(&mut self, keyword: &[u8]) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a required token; `what` names what is expected.
    #[inline]
    fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token> {
        if self.at(kind) {
            Ok(self.advance())
        } else {
            Err(self.unexpected(what))
        }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Result<Token> {
        if self.at_keyword(keyword.as_bytes()) {
            Ok(self.advance())
        } else {
            Err(self.unexpected(&format!("'{keyword}'")))
        }
    }

    pub(crate) fn expect_end(&mut self) -> Result<()> {
        if self.at(TokenKind::Eof) {
            Ok(())
        } else {
            Err(self.unexpected("end of text"))
        }
    }

    /// Returns the error that `what` was expected at the current token; an invalid token states
    /// why.
    #[cold]
    #[inline(never)]
    fn unexpected(&self, what: &str) -> AsmError {
        match self.token.kind {
            TokenKind::Error(error) => self.error(error.message()),
            _ => AsmError::new(self.unexpected_place(), format!("expected {what}")),
        }
    }

    /// Returns the offset at which something is missing: as in upstream, just after the preceding
    /// token.
    fn unexpected_place(&self) -> usize {
        match self.previous_end {
            0 => self.token.start,
            end => end,
        }
    }

    /// Returns an error at the current token.
    #[cold]
    #[inline(never)]
    fn error(&self, message: impl Into<String>) -> AsmError {
        AsmError::new(self.token.start, message)
    }

    /// Returns the value of an unsigned integer token, decimal or hexadecimal.
    fn unsigned(&self, token: Token, what: &str) -> Result<u64> {
        let text = self.text(token);
        let value = match text.strip_prefix(b"0x") {
            Some(digits) => std::str::from_utf8(digits)
                .ok()
                .and_then(|d| u64::from_str_radix(d, 16).ok()),
            None => std::str::from_utf8(text).ok().and_then(|d| d.parse().ok()),
        };
        value.ok_or_else(|| AsmError::new(token.start, format!("{what} is too large")))
    }

    /// Parses an integer of any size with its sign, if one is next, to one bit more than its
    /// magnitude needs.
    fn optional_big_integer(&mut self) -> Result<Option<ApInt>> {
        let negative = self.eat(TokenKind::Minus);
        if !negative && !self.at(TokenKind::Integer) {
            return Ok(None);
        }
        let token = self.expect(TokenKind::Integer, "integer value")?;
        let text = self.text(token);
        let magnitude = match text.strip_prefix(b"0x") {
            Some(digits) => ApInt::parse_digits(digits, 16),
            None => ApInt::parse_digits(text, 10),
        };
        let magnitude =
            magnitude.ok_or_else(|| AsmError::new(token.start, "integer value too large"))?;
        Ok(Some(ApInt::from_magnitude(negative, &magnitude)))
    }

    /// Interns the string that a string token denotes.
    pub(crate) fn string_identifier(&mut self, token: Token) -> Identifier {
        let bytes = crate::lexer::unescape(self.text(token));
        self.context.identifier(bytes)
    }

    // For hooks and definitions.

    /// Returns whether the current token is this punctuation or keyword.
    #[inline]
    pub(crate) fn at_token(&self, token: &str) -> bool {
        let (start, token) = (self.token.start, token.as_bytes());
        // Most requested tokens are one byte long, or are not present.
        if self.token.end.wrapping_sub(start) != token.len()
            || self.source.get(start) != token.first()
        {
            return false;
        }
        // A valid token with the same text is of the same kind.
        (token.len() == 1 || self.current() == token)
            && !matches!(self.token.kind, TokenKind::Error(_))
    }

    /// Consumes the current token if it is this punctuation or keyword.
    #[inline]
    pub(crate) fn eat_token(&mut self, token: &str) -> bool {
        let found = self.at_token(token);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes this punctuation or keyword, which is required.
    pub(crate) fn expect_token(&mut self, token: &str) -> Result<()> {
        if self.eat_token(token) {
            return Ok(());
        }
        Err(self.missing(token))
    }

    /// Returns an error about missing punctuation or a missing keyword.
    ///
    /// As in upstream, missing punctuation is reported just after the preceding token, a missing
    /// keyword at the current token.
    #[cold]
    fn missing(&self, token: &str) -> AsmError {
        let is_keyword = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        match self.token.kind {
            TokenKind::Error(_) => self.unexpected(token),
            _ if is_keyword => self.error(format!("expected '{token}'")),
            _ => self.unexpected(&format!("'{token}'")),
        }
    }

    /// Returns the identifier of a text that is part of the program.
    #[inline]
    fn name(&mut self, text: &'static str) -> Identifier {
        self.statics.name(self.context, text)
    }

    pub(crate) fn token_kind(&self) -> TokenKind {
        self.token.kind
    }

    /// Returns the offset of the current token.
    pub(crate) fn token_place(&self) -> usize {
        self.token.start
    }

    pub(crate) fn context(&self) -> &Context {
        self.context
    }

    pub(crate) fn context_mut(&mut self) -> &mut Context {
        self.context
    }

    /// Defines a name, without `#` or `!`, as an alias of an attribute or type.
    pub(crate) fn define_alias(&mut self, name: &'s [u8], reference: BodyReference) {
        match reference {
            BodyReference::Attribute(attribute) => {
                let alias = AttributeAlias::Attribute(attribute);
                self.attribute_aliases.insert(name, alias);
            }
            BodyReference::Type(ty) => {
                self.type_aliases.insert(name, ty);
            }
        }
    }

    // Attributes, types and locations.

    /// Parses an attribute.
    pub(crate) fn attribute(&mut self) -> Result<Attribute> {
        match self.entry(Goal::Attribute)? {
            Entry::Attribute(attribute) => Ok(attribute),
            Entry::Type(_) | Entry::Location(_) => Err(self.unexpected("attribute value")),
        }
    }

    /// Parses a type.
    #[inline]
    pub(crate) fn ty(&mut self) -> Result<Type> {
        // Most types need no frame.
        if self.at(TokenKind::BareIdentifier)
            && matches!(self.current(), b"memref" | b"tensor" | b"vector")
            && let Some(known) = self.known_type()
        {
            return Ok(known);
        }
        if self.at(TokenKind::ExclamationIdentifier)
            && let Some(known) = self.known_symbol()
        {
            return Ok(known);
        }
        if let Some(ty) = self.simple_type() {
            return ty;
        }
        match self.entry(Goal::Type)? {
            Entry::Type(ty) => Ok(ty),
            Entry::Attribute(_) | Entry::Location(_) => Err(self.unexpected("non-function type")),
        }
    }

    /// Parses a location, without `loc(` and `)`.
    fn location(&mut self) -> Result<Location> {
        match self.entry(Goal::Location)? {
            Entry::Location(location) => Ok(location),
            Entry::Attribute(_) | Entry::Type(_) => Err(self.unexpected("location")),
        }
    }
}
