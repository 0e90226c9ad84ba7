//! Text to memory.
//!
//! Nothing here recurses on the input: types, attributes and locations are parsed by one loop with
//! a stack of frames ([`entity`]), operations and regions by another ([`operation`]).

mod affine;
mod ahead;
mod body;
mod cache;
mod custom;
mod dense;
mod entity;
mod file;
mod format;
mod lines;
mod location;
mod operation;
mod recovery;
mod resources;
mod scope;
mod shared;
mod statics;
mod types;

use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::entries::Canonical;
use crate::formats::SyntaxTable;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::spans::{Span, SpanKind};
use ahead::Ahead;
use entity::{Entity, Frame, Goal};
use lines::Lines;
use recovery::Recovery;
use rmlir_ir::Normalizer;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{
    Attribute, BodyReference, Context, DialectBody, Identifier, Location, Module, Resource, Type,
};
pub(crate) use shared::Shared;
use std::collections::HashMap;
use std::thread;

/// How a text is to be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The file's name, as errors and the locations of operations show it.
    pub file_name: String,
    /// Keep the names of values and blocks in the module's provenance.
    pub keep_names: bool,
    /// Bring operations whose definition is known into the form that the definition asks for:
    /// inherent attributes are properties, wherever the text has them, and have their defaults; see [`Normalizer`]. On by
    /// default.
    pub normalize: bool,
    /// With that, refuse inherent attributes that an operation cannot hold, as upstream's parser does. The verifier refuses
    /// them, too: without, what is not to be verified is read. On by default.
    pub check_properties: bool,
    /// With [`normalize`](Self::normalize), refuse attributes and types of dialects that are not as their definition says,
    /// as upstream's parser does; those of families other than the release's may be of other versions. Without, they are kept as they are
    /// spelled. On by default.
    pub check_entries: bool,
    /// How many lines of the file come before the text, for errors and the locations of operations.
    pub lines_before: u32,
    /// How many bytes of the text's first line come before it.
    pub columns_before: u32,
    /// How many errors are reported before the parser gives up, 20 if nothing is said. With 1 it stops
    /// at the first, otherwise it goes on at the next operation.
    pub max_errors: usize,
    /// How much a text may make out of what it says once and refers to again, above one for each of its
    /// bytes. A unit is
    ///
    /// - a result of an operation whose function type is an alias,
    /// - a location in a fused location that is in another,
    /// - a quarter of a step in simplifying an affine expression behind the first,
    /// - 64 dimensions of the type of a literal,
    /// - an element of a default of an attribute's or type's parameter,
    /// - 4 bytes of what an alias stands for in the body of an attribute or type of a dialect, where it is spelled out,
    /// - a byte of an integer beyond 128 for each byte of its digits.
    ///
    /// 2^24 if nothing is said, which bounds memory to some 1 GiB beyond what the text spells out.
    pub max_shared_entities: u64,
    /// On how many threads a large text is read; 0 is one, too, which is the default. What is read is the same, and so are errors. Others
    /// than the caller's help where many operations stand one below the other at the beginning of lines, as they are printed, and
    /// take memory of their own for what they read until it becomes part of the module.
    pub threads: usize,
    /// Of how many bytes a text is at least for each thread beside the caller's; 2^18 if nothing is said. With less than a thread can
    /// read in a millisecond, it takes longer to begin than it saves.
    pub bytes_per_thread: usize,
}

/// Default of [`ParseOptions::max_shared_entities`].
pub(crate) const DEFAULT_MAX_SHARED_ENTITIES: u64 = 1 << 24;

/// Default of [`ParseOptions::bytes_per_thread`].
const DEFAULT_BYTES_PER_THREAD: usize = 1 << 18;

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            file_name: "<stdin>".to_owned(),
            keep_names: false,
            normalize: true,
            check_properties: true,
            check_entries: true,
            lines_before: 0,
            columns_before: 0,
            max_errors: 20,
            max_shared_entities: DEFAULT_MAX_SHARED_ENTITIES,
            threads: 1,
            bytes_per_thread: DEFAULT_BYTES_PER_THREAD,
        }
    }
}

impl ParseOptions {
    /// Options for a file of that name, with the defaults otherwise.
    pub fn for_file(name: impl Into<String>) -> Self {
        ParseOptions {
            file_name: name.into(),
            ..ParseOptions::default()
        }
    }
}

/// Parses a whole file.
///
/// As in upstream, a file of one `builtin.module` is that module; anything else is put into an
/// implicit one. Time is linear in the size of the text and in what
/// [`max_shared_entities`](ParseOptions::max_shared_entities) allows.
///
/// # Errors
///
/// What is wrong, with its place: the first error, and, behind the operation that it is in, others that
/// it did not cause.
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

/// What is noted while a file is read, beside what is in it.
#[derive(Default)]
pub(crate) struct Notes {
    /// Where things stand, if that is wanted.
    pub(crate) spans: Option<Vec<Span>>,
    /// How many parts other threads have read.
    pub(crate) parts: usize,
}

/// [`parse_module`], with notes.
pub(crate) fn parse_noting(
    context: &mut Context,
    source: &[u8],
    options: &ParseOptions,
    notes: &mut Notes,
) -> std::result::Result<Module, Diagnostics> {
    crate::register(context);
    let mark = options.check_entries.then(|| context.entry_mark());
    let (parsed, errors) = thread::scope(|scope| {
        let entries = context.entry_count();
        let mut parser = Parser::new(context, source, options);
        parser.spans = notes.spans.take();
        // Helpers take no notes.
        if parser.spans.is_none() {
            parser.ahead = Ahead::new(scope, source, options, entries);
        }
        let parsed = parser.file();
        notes.spans = parser.spans.take();
        notes.parts = parser.ahead.as_ref().map_or(0, Ahead::taken);
        (parsed, std::mem::take(&mut parser.recovery.errors))
    });
    let diagnostics = errors
        .iter()
        .chain(parsed.as_ref().err())
        .map(|error| Diagnostic::new(options, source, error))
        .collect();
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

/// Parses one attribute, with nothing behind it. Aliases are not known.
///
/// # Errors
///
/// What is wrong, with its place.
pub fn parse_attribute(
    context: &mut Context,
    source: &[u8],
) -> std::result::Result<Attribute, Diagnostics> {
    FileResources::default().parse_alone(context, source, true, |parser| parser.attribute())
}

/// Parses one type, with nothing behind it. Aliases are not known.
///
/// # Errors
///
/// What is wrong, with its place.
pub fn parse_type(context: &mut Context, source: &[u8]) -> std::result::Result<Type, Diagnostics> {
    FileResources::default().parse_alone(context, source, true, |parser| parser.ty())
}

/// The resources of a file whose attributes and types are parsed one by one, as bytecode holds them: equal
/// handles in several texts are the same resource.
#[derive(Clone, Debug, Default)]
pub struct FileResources(HashMap<(Identifier, Identifier), Resource>);

impl FileResources {
    /// Says what the handle `key` of a dialect stands for.
    pub fn insert(&mut self, dialect: Identifier, key: Identifier, resource: Resource) {
        self.0.insert((dialect, key), resource);
    }

    /// [`parse_attribute`] for an attribute of this file, which is kept as it is spelled where its definition says
    /// [otherwise](ParseOptions::check_entries).
    ///
    /// # Errors
    ///
    /// What is wrong, with its place.
    pub fn parse_attribute(
        &mut self,
        context: &mut Context,
        source: &[u8],
    ) -> std::result::Result<Attribute, Diagnostics> {
        self.parse_alone(context, source, false, |parser| parser.attribute())
    }

    /// [`parse_type`] for a type of this file, in the same way.
    ///
    /// # Errors
    ///
    /// What is wrong, with its place.
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
        crate::register(context);
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

/// Checks that `literal` can stand between `dense<` and `>`, as [`AttributeKind::DenseText`] holds it.
///
/// # Errors
///
/// What is wrong, with its place.
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

/// What `#name` stands for.
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
    /// The offset behind the token before the current one.
    previous_end: usize,
    /// Entities that wait for a part of theirs.
    frames: Vec<Frame<'s>>,
    attribute_aliases: HashMap<&'s [u8], AttributeAlias>,
    type_aliases: HashMap<&'s [u8], Type>,
    /// Location aliases that are used but not defined yet, with the place of the first use.
    forward_locations: HashMap<&'s [u8], (Location, usize)>,
    /// Other locations that stand for some of them: what was read on several threads has several.
    same_locations: HashMap<&'s [u8], Vec<Location>>,
    /// What is read on other threads, and where the next part of that begins.
    ahead: Option<Ahead<'s>>,
    next_part: usize,
    /// Bodies of dialects' entries, and what their definitions make of them.
    canonical: HashMap<(Identifier, DialectBody, bool), Canonical>,
    distincts: HashMap<&'s [u8], Attribute>,
    resources: HashMap<(Identifier, Identifier), Resource>,
    lines: Lines,
    /// Attributes that hooks have asked for by their text, and a text to look them up with.
    words: foldhash::HashMap<Box<[u8]>, Attribute>,
    /// The same for what they ask for by texts of the program.
    statics: statics::Statics,
    word_text: Vec<u8>,
    /// What was parsed before, by its text.
    caches: cache::Caches,
    /// How many entities in bodies are being looked into, one in another.
    inline_depth: u32,
    recovery: Recovery<'s>,
    pub(crate) shared: Shared,
    file: Identifier,
    keep_names: bool,
    /// The custom syntax of operations.
    syntaxes: SyntaxTable,
    /// None if operations are to be left as they are.
    normalizer: Option<Normalizer>,
    /// See [`ParseOptions::check_entries`].
    checks_entries: bool,
    /// Where things stand, if that is to be noted.
    spans: Option<Vec<Span>>,
    lines_before: u32,
    columns_before: u32,
}

impl<'s, 'c> Parser<'s, 'c> {
    pub(crate) fn new(context: &'c mut Context, source: &'s [u8], options: &ParseOptions) -> Self {
        crate::register(context);
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
            statics: statics::Statics::default(),
            word_text: Vec::new(),
            caches: cache::Caches::default(),
            inline_depth: 0,
            recovery: Recovery::new(options.max_errors),
            shared: Shared::of(source, options),
            file,
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

    /// Notes that something stands from `start` to before the current token.
    #[inline]
    fn note(&mut self, kind: SpanKind, start: usize) {
        if let Some(spans) = &mut self.spans {
            let bytes = start as u64..self.previous_end as u64;
            spans.push(Span { kind, bytes });
        }
    }

    /// What somebody needs who reads for this parser.
    pub(crate) fn context_and_shared(&mut self) -> (&mut Context, &mut Shared) {
        (self.context, &mut self.shared)
    }

    /// Reads something for somebody else, with what is shared with them.
    pub(crate) fn sharing<T>(
        mut self,
        shared: &mut Shared,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        std::mem::swap(&mut self.shared, shared);
        let read = read(&mut self);
        std::mem::swap(&mut self.shared, shared);
        read
    }

    /// Takes what so many bytes of text cost that stand for something shared.
    pub(crate) fn spend_bytes(&mut self, place: usize, count: usize) -> Result<()> {
        self.spend(place, count / shared::BYTES_OF_A_UNIT)
    }

    /// Takes `count` units of [`ParseOptions::max_shared_entities`]; to be called before they are made.
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

    /// It would go on like this: no other errors are looked for.
    #[cold]
    fn stop_soon(&mut self) {
        self.recovery.max_errors = 1;
    }

    // Tokens.

    /// The bytes of a token.
    #[inline]
    pub(crate) fn text(&self, token: Token) -> &'s [u8] {
        self.source.get(token.start..token.end).unwrap_or_default()
    }

    /// The bytes of the current token.
    #[inline]
    fn current(&self) -> &'s [u8] {
        self.text(self.token)
    }

    /// Goes to the next token and returns the one that was current.
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

    /// Whether the current token is this keyword.
    #[inline]
    fn at_keyword(&self, keyword: &[u8]) -> bool {
        self.token.kind == TokenKind::BareIdentifier && self.current() == keyword
    }

    /// Passes over the current token if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Passes over the current token if it is this keyword.
    fn eat_keyword(&mut self, keyword: &[u8]) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Passes over a token that must be there; `what` says what is expected.
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

    /// An error at the current token: `what` was expected. A token that is none says why.
    #[cold]
    #[inline(never)]
    fn unexpected(&self, what: &str) -> AsmError {
        match self.token.kind {
            TokenKind::Error(error) => self.error(error.message()),
            _ => AsmError::new(self.unexpected_place(), format!("expected {what}")),
        }
    }

    /// Where something is missing: as in upstream, right behind the token before.
    fn unexpected_place(&self) -> usize {
        match self.previous_end {
            0 => self.token.start,
            end => end,
        }
    }

    /// An error at the current token.
    #[cold]
    #[inline(never)]
    fn error(&self, message: impl Into<String>) -> AsmError {
        AsmError::new(self.token.start, message)
    }

    /// The value of an unsigned integer token, decimal or hexadecimal.
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

    /// Interns what a string token stands for.
    pub(crate) fn string_identifier(&mut self, token: Token) -> Identifier {
        let bytes = crate::lexer::unescape(self.text(token));
        self.context.identifier(bytes)
    }

    // For hooks and definitions.

    /// Whether the current token is this punctuation or keyword.
    #[inline]
    pub(crate) fn at_token(&self, token: &str) -> bool {
        let (start, token) = (self.token.start, token.as_bytes());
        // Most that are asked for are of one byte, or are not there.
        if self.token.end.wrapping_sub(start) != token.len()
            || self.source.get(start) != token.first()
        {
            return false;
        }
        // A token of the same text is of the same kind, if it is one.
        (token.len() == 1 || self.current() == token)
            && !matches!(self.token.kind, TokenKind::Error(_))
    }

    /// Passes over the current token if it is this punctuation or keyword.
    #[inline]
    pub(crate) fn eat_token(&mut self, token: &str) -> bool {
        let found = self.at_token(token);
        if found {
            self.advance();
        }
        found
    }

    /// Passes over this punctuation or keyword.
    pub(crate) fn expect_token(&mut self, token: &str) -> Result<()> {
        if self.eat_token(token) {
            return Ok(());
        }
        Err(self.missing(token))
    }

    /// That punctuation or a keyword is not there: as in upstream, punctuation is missing right behind the token before,
    /// a keyword where another thing is.
    #[cold]
    fn missing(&self, token: &str) -> AsmError {
        let is_keyword = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        match self.token.kind {
            TokenKind::Error(_) => self.unexpected(token),
            _ if is_keyword => self.error(format!("expected '{token}'")),
            _ => self.unexpected(&format!("'{token}'")),
        }
    }

    /// The identifier of a text that is part of the program.
    #[inline]
    fn name(&mut self, text: &'static str) -> Identifier {
        self.statics.name(self.context, text)
    }

    pub(crate) fn token_kind(&self) -> TokenKind {
        self.token.kind
    }

    /// Where the current token is.
    pub(crate) fn token_place(&self) -> usize {
        self.token.start
    }

    pub(crate) fn context(&self) -> &Context {
        self.context
    }

    pub(crate) fn context_mut(&mut self) -> &mut Context {
        self.context
    }

    /// Makes a name, without `#` or `!`, stand for an entry.
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

    // Entities.

    /// An attribute.
    pub(crate) fn attribute(&mut self) -> Result<Attribute> {
        match self.entity(Goal::Attribute)? {
            Entity::Attribute(attribute) => Ok(attribute),
            Entity::Type(_) | Entity::Location(_) => Err(self.unexpected("attribute value")),
        }
    }

    /// A type.
    #[inline]
    pub(crate) fn ty(&mut self) -> Result<Type> {
        // Most need no frame.
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
        match self.entity(Goal::Type)? {
            Entity::Type(ty) => Ok(ty),
            Entity::Attribute(_) | Entity::Location(_) => Err(self.unexpected("non-function type")),
        }
    }

    /// A location, without `loc(` and `)`.
    fn location(&mut self) -> Result<Location> {
        match self.entity(Goal::Location)? {
            Entity::Location(location) => Ok(location),
            Entity::Attribute(_) | Entity::Type(_) => Err(self.unexpected("location")),
        }
    }
}
