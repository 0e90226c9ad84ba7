//! Types, attributes and locations: one loop with an explicit stack.
//!
//! [`start`](Parser::start) begins an entry at the current token. It either finishes it at once,
//! or returns which part is needed first and leaves a [`Frame`]; [`resume`](Parser::resume)
//! continues that frame once the part is parsed.

use super::body::BodyFrame;
use super::dense::DenseLiteral;
use super::older::OlderElements;
use super::types::TypeFrame;
use super::{AttributeAlias, Parser};
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::lexer::{Token, TokenKind};
use crate::parser::entries::SelfType;
use rmlir_ir::apint::{self};
use rmlir_ir::asm::AsmError;
use rmlir_ir::float;
use rmlir_ir::{
    Attribute, AttributeKind, DialectBody, Entry, Identifier, Location, NamedAttribute, Resource,
    Signedness, Type, TypeKind,
};

/// The kind of entry to be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    Attribute,
    Type,
    /// A type that is not a function type, such as a result without parentheses.
    NonFunctionType,
    /// A location without `loc(` and `)`.
    Location,
    /// `#dialect...` without a type following it, as in bodies.
    Symbol,
}

/// The next step.
pub(super) enum Step<'s> {
    Done(Entry),
    /// Parse a part, then continue the frame.
    Need(Goal, Frame<'s>),
}

/// An entry that waits for a part of it. Frames move often, so large data is boxed.
pub(super) enum Frame<'s> {
    Type(TypeFrame),
    /// A type as an attribute.
    TypeAttribute,
    Array(Vec<Attribute>),
    Dictionary {
        entries: Vec<NamedAttribute>,
        key: Identifier,
        start: usize,
    },
    /// A number, whose type follows.
    Number {
        negative: bool,
        literal: Token,
    },
    StringType(Identifier),
    Dense {
        literal: Box<DenseLiteral>,
        start: usize,
    },
    Sparse {
        /// Indices and values.
        literals: Box<(DenseLiteral, DenseLiteral)>,
        start: usize,
    },
    DenseResource {
        resource: Resource,
        start: usize,
    },
    DenseArray {
        start: usize,
    },
    Distinct {
        key: &'s [u8],
        start: usize,
    },
    /// `)` closes a location attribute.
    LocationAttribute,
    /// Elements of an older edition, whose type precedes them.
    OlderElements {
        elements: OlderElements,
        start: usize,
    },
    /// A symbol of an older edition, whose type is not part of it, and the frame that it is for.
    OlderSymbol(Attribute, Box<Frame<'s>>),
    Body(Box<BodyFrame>),
    /// The type that follows an attribute of a dialect.
    DialectType {
        dialect: Identifier,
        body: DialectBody,
        ty: SelfType,
        start: usize,
    },
    /// An attribute of a dialect that is a location.
    DialectLocation,
    LocationChild(Identifier),
    Callee,
    Caller(Location),
    FusedMetadata,
    Fused {
        metadata: Option<Attribute>,
        locations: Vec<Location>,
    },
}

impl<'s> Parser<'s, '_> {
    /// Parses an entry at the current token. Linear in its text; no recursion.
    pub(super) fn entry(&mut self, goal: Goal) -> Result<Entry> {
        self.entry_from(|parser| parser.start(goal))
    }

    /// Parses an entry that begins with this step.
    #[inline]
    pub(super) fn entry_from(
        &mut self,
        first: impl FnOnce(&mut Self) -> Result<Step<'s>>,
    ) -> Result<Entry> {
        let base = self.frames.len();
        let result = self.entry_loop(first, base);
        self.frames.truncate(base);
        result
    }

    #[inline]
    fn entry_loop(
        &mut self,
        first: impl FnOnce(&mut Self) -> Result<Step<'s>>,
        base: usize,
    ) -> Result<Entry> {
        let mut step = first(self)?;
        loop {
            step = match step {
                Step::Done(entry) => {
                    if self.frames.len() == base {
                        return Ok(entry);
                    }
                    match self.frames.pop() {
                        Some(frame) => self.resume(frame, entry)?,
                        None => return Ok(entry),
                    }
                }
                Step::Need(goal, frame) => {
                    self.frames.push(frame);
                    self.start(goal)?
                }
            };
        }
    }

    fn start(&mut self, goal: Goal) -> Result<Step<'s>> {
        match goal {
            Goal::Attribute => self.start_attribute(),
            Goal::Type => self.start_type(true),
            Goal::NonFunctionType => self.start_type(false),
            Goal::Location => self.start_location(),
            Goal::Symbol => self.start_symbol(),
        }
    }

    fn resume(&mut self, frame: Frame<'s>, entry: Entry) -> Result<Step<'s>> {
        match (frame, entry) {
            (Frame::Type(frame), entry) => self.resume_type(frame, entry),
            (Frame::Body(frame), entry) => self.resume_body(*frame, entry),
            (Frame::TypeAttribute, Entry::Type(ty)) => self.done(AttributeKind::Type(ty)),
            (Frame::Array(mut items), Entry::Attribute(item)) => {
                items.push(item);
                if self.eat(TokenKind::Comma) {
                    return Ok(Step::Need(Goal::Attribute, Frame::Array(items)));
                }
                if !self.at(TokenKind::RightSquare) && self.at_type_of_symbol(item) {
                    items.pop();
                    return Ok(self.type_of_symbol(item, Frame::Array(items)));
                }
                self.expect(TokenKind::RightSquare, "',' or ']'")?;
                self.done(AttributeKind::Array(items.into()))
            }
            (
                Frame::Dictionary {
                    mut entries,
                    key,
                    start,
                },
                Entry::Attribute(value),
            ) => {
                entries.push((key, value));
                if self.eat(TokenKind::Comma) {
                    return self.dictionary_entry(entries, start);
                }
                if !self.at(TokenKind::RightBrace) && self.at_type_of_symbol(value) {
                    entries.pop();
                    let frame = Frame::Dictionary {
                        entries,
                        key,
                        start,
                    };
                    return Ok(self.type_of_symbol(value, frame));
                }
                self.finish_dictionary(entries, start)
            }
            (Frame::Number { negative, literal }, Entry::Type(ty)) => {
                self.number(negative, literal, ty)
            }
            (Frame::StringType(value), Entry::Type(ty)) => self.done(AttributeKind::String {
                value,
                ty: Some(ty),
            }),
            (Frame::Dense { literal, start }, Entry::Type(ty)) => {
                let attribute = self.dense_elements(&literal, ty, start)?;
                Ok(Step::Done(Entry::Attribute(attribute)))
            }
            (Frame::Sparse { literals, start }, Entry::Type(ty)) => {
                let attribute = self.sparse_elements(&literals.0, &literals.1, ty, start)?;
                Ok(Step::Done(Entry::Attribute(attribute)))
            }
            (Frame::DenseResource { resource, start }, Entry::Type(ty)) => {
                self.intern_at(start, AttributeKind::DenseResource { ty, resource })
            }
            (Frame::OlderElements { elements, start }, Entry::Type(ty)) => {
                self.finish_older_elements(elements, ty, start)
            }
            (Frame::OlderSymbol(symbol, frame), Entry::Type(_)) => {
                self.resume(*frame, Entry::Attribute(symbol))
            }
            (Frame::DenseArray { start }, Entry::Type(ty)) => self.dense_array(ty, start),
            (Frame::Distinct { key, start }, Entry::Attribute(referenced)) => {
                self.expect(TokenKind::Greater, "'>' to close distinct attribute")?;
                self.distinct(key, referenced, start)
            }
            (Frame::LocationAttribute, Entry::Location(location)) => {
                self.expect(TokenKind::RightParen, "')' in inline location")?;
                Ok(Step::Done(Entry::Attribute(
                    self.context.location_attribute(location),
                )))
            }
            (
                Frame::DialectType {
                    dialect,
                    body,
                    ty,
                    start,
                },
                Entry::Type(behind),
            ) => {
                let body = match ty {
                    SelfType::Determines => {
                        let made = self.made_canonical(dialect, &body, Some(behind), false);
                        let made = made.map_err(|error| error.moved_to(start))?;
                        made.body.unwrap_or(body)
                    }
                    _ => body,
                };
                self.done(AttributeKind::Dialect {
                    dialect,
                    body,
                    ty: ty.of(Some(behind)),
                })
            }
            (
                frame @ (Frame::DialectLocation
                | Frame::LocationChild(_)
                | Frame::Callee
                | Frame::Caller(_)
                | Frame::FusedMetadata
                | Frame::Fused { .. }),
                entry,
            ) => self.resume_location(frame, entry),
            // A goal yields its own kind of entry, so the other combinations cannot occur.
            (_, Entry::Type(_)) => Err(self.error("unexpected type")),
            (_, Entry::Attribute(_)) => Err(self.error("unexpected attribute")),
            (_, Entry::Location(_)) => Err(self.error("unexpected location")),
        }
    }

    /// Finishes an attribute; errors are placed after it.
    fn done(&mut self, kind: AttributeKind) -> Result<Step<'s>> {
        let place = self.token.start;
        self.intern_at(place, kind)
    }

    /// Finishes an attribute; errors are placed at `place`.
    pub(super) fn intern_at(&mut self, place: usize, kind: AttributeKind) -> Result<Step<'s>> {
        match self.context.try_attribute(kind) {
            Ok(attribute) => Ok(Step::Done(Entry::Attribute(attribute))),
            Err(invalid) => Err(AsmError::new(place, invalid.message())),
        }
    }

    fn start_attribute(&mut self) -> Result<Step<'s>> {
        match self.token.kind {
            TokenKind::Integer | TokenKind::Float => {
                let literal = self.advance();
                self.after_number(false, literal)
            }
            TokenKind::Minus => {
                self.advance();
                if !matches!(self.token.kind, TokenKind::Integer | TokenKind::Float) {
                    return Err(self.unexpected("constant integer or floating point value"));
                }
                let literal = self.advance();
                self.after_number(true, literal)
            }
            TokenKind::String => {
                let token = self.advance();
                let value = self.string_identifier(token);
                if self.eat(TokenKind::Colon) {
                    return Ok(Step::Need(Goal::Type, Frame::StringType(value)));
                }
                self.done(AttributeKind::String { value, ty: None })
            }
            TokenKind::AtIdentifier => self.symbol_ref(),
            TokenKind::LeftSquare => {
                self.advance();
                if self.eat(TokenKind::RightSquare) {
                    return self.done(AttributeKind::Array(Box::default()));
                }
                Ok(Step::Need(Goal::Attribute, Frame::Array(Vec::new())))
            }
            TokenKind::LeftBrace => {
                if let Some(known) = self.known_dictionary() {
                    return Ok(Step::Done(Entry::Attribute(known)));
                }
                let start = self.advance().start;
                if self.eat(TokenKind::RightBrace) {
                    return Ok(Step::Done(Entry::Attribute(
                        self.context.empty_dictionary(),
                    )));
                }
                self.dictionary_entry(Vec::new(), start)
            }
            TokenKind::HashIdentifier => self.start_symbol_with_type(),
            TokenKind::LeftParen if self.edition != Edition::Current && self.at_bare_map() => {
                self.bare_map()
            }
            TokenKind::ExclamationIdentifier | TokenKind::LeftParen => {
                Ok(Step::Need(Goal::Type, Frame::TypeAttribute))
            }
            TokenKind::BareIdentifier => self.keyword_attribute(),
            _ => Err(self.unexpected("attribute value")),
        }
    }

    fn keyword_attribute(&mut self) -> Result<Step<'s>> {
        let start = self.token.start;
        match self.current() {
            b"true" | b"false" => {
                let value = self.current() == b"true";
                self.advance();
                Ok(Step::Done(Entry::Attribute(
                    self.context.bool_attribute(value),
                )))
            }
            b"unit" => {
                self.advance();
                Ok(Step::Done(Entry::Attribute(self.context.unit_attribute())))
            }
            b"dense" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' after 'dense'")?;
                if self.at_type_in_elements() {
                    return Ok(self.older_elements(OlderElements::Dense, start));
                }
                let literal = self.dense_literal()?;
                self.expect(TokenKind::Greater, "'>'")?;
                self.expect(TokenKind::Colon, "':'")?;
                let literal = Box::new(literal);
                Ok(Step::Need(Goal::Type, Frame::Dense { literal, start }))
            }
            b"sparse" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' after 'sparse'")?;
                if self.at_type_in_elements() {
                    return Ok(self.older_elements(OlderElements::Sparse, start));
                }
                let indices = self.dense_literal()?;
                // An empty text denotes no indices and no values.
                if !self.at(TokenKind::Greater) {
                    self.expect(TokenKind::Comma, "','")?;
                }
                let literals = Box::new((indices, self.dense_literal()?));
                self.expect(TokenKind::Greater, "'>'")?;
                self.expect(TokenKind::Colon, "':'")?;
                Ok(Step::Need(Goal::Type, Frame::Sparse { literals, start }))
            }
            b"dense_resource" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' after 'dense_resource'")?;
                let namespace = self.context.builtin_namespace();
                let resource = self.resource_handle(namespace)?;
                self.expect(TokenKind::Greater, "'>'")?;
                self.expect(TokenKind::Colon, "':'")?;
                Ok(Step::Need(
                    Goal::Type,
                    Frame::DenseResource { resource, start },
                ))
            }
            b"array" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' after 'array'")?;
                let start = self.token.start;
                Ok(Step::Need(Goal::Type, Frame::DenseArray { start }))
            }
            b"affine_map" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' in affine map")?;
                let map = self.affine_map()?;
                self.expect(TokenKind::Greater, "'>' in affine map")?;
                self.intern_at(start, AttributeKind::AffineMap(map))
            }
            b"affine_set" => {
                self.advance();
                self.expect(TokenKind::Less, "'<' in integer set")?;
                let set = self.integer_set()?;
                self.expect(TokenKind::Greater, "'>' in integer set")?;
                self.intern_at(start, AttributeKind::IntegerSet(set))
            }
            b"strided" => self.strided_layout(),
            b"distinct" => {
                self.advance();
                self.expect(TokenKind::LeftSquare, "'[' after 'distinct'")?;
                let key = self.expect(TokenKind::Integer, "distinct ID")?;
                self.unsigned(key, "distinct ID")?;
                let key = self.text(key);
                self.expect(TokenKind::RightSquare, "']' to close distinct ID")?;
                self.expect(TokenKind::Less, "'<' after distinct ID")?;
                if self.eat(TokenKind::Greater) {
                    let unit = self.context.unit_attribute();
                    return self.distinct(key, unit, start);
                }
                Ok(Step::Need(Goal::Attribute, Frame::Distinct { key, start }))
            }
            b"loc" => {
                self.advance();
                self.expect(TokenKind::LeftParen, "'(' in inline location")?;
                Ok(Step::Need(Goal::Location, Frame::LocationAttribute))
            }
            _ => match self.simple_type() {
                // Most types need no frame.
                Some(ty) => {
                    let ty = ty?;
                    self.done(AttributeKind::Type(ty))
                }
                None if self.is_type_keyword() => Ok(Step::Need(Goal::Type, Frame::TypeAttribute)),
                None => self.older_attribute(),
            },
        }
    }

    // Numbers.

    /// Parses an attribute of a type that the text omits: a number is of that type.
    pub(crate) fn attribute_of_type(&mut self, ty: Type) -> Result<Attribute> {
        let negative = self.at(TokenKind::Minus);
        if !negative && !matches!(self.token.kind, TokenKind::Integer | TokenKind::Float) {
            return self.attribute();
        }
        if negative {
            self.advance();
        }
        if !matches!(self.token.kind, TokenKind::Integer | TokenKind::Float) {
            return Err(self.unexpected("constant integer or floating point value"));
        }
        let literal = self.advance();
        match self.number(negative, literal, ty)? {
            Step::Done(Entry::Attribute(attribute)) => Ok(attribute),
            _ => Err(self.unexpected("attribute value")),
        }
    }

    /// Parses elements of a shaped type that the text omits, or any other attribute.
    pub(super) fn elements_of_type(&mut self, ty: Type) -> Result<Attribute> {
        let start = self.token.start;
        if self.eat_keyword(b"dense") {
            self.expect(TokenKind::Less, "'<' after 'dense'")?;
            let literal = self.dense_literal()?;
            self.expect(TokenKind::Greater, "'>'")?;
            return self.dense_elements(&literal, ty, start);
        }
        if self.eat_keyword(b"dense_resource") {
            self.expect(TokenKind::Less, "'<' after 'dense_resource'")?;
            let namespace = self.context.builtin_namespace();
            let resource = self.resource_handle(namespace)?;
            self.expect(TokenKind::Greater, "'>'")?;
            let made = self
                .context
                .try_attribute(AttributeKind::DenseResource { ty, resource });
            return made.map_err(|invalid| AsmError::new(start, invalid.message()));
        }
        self.attribute()
    }

    #[inline]
    fn after_number(&mut self, negative: bool, literal: Token) -> Result<Step<'s>> {
        if self.eat(TokenKind::Colon) {
            return match self.simple_type() {
                Some(ty) => {
                    let ty = ty?;
                    self.number(negative, literal, ty)
                }
                None => Ok(Step::Need(Goal::Type, Frame::Number { negative, literal })),
            };
        }
        let ty = match literal.kind {
            TokenKind::Float => self.context.f64_type(),
            _ => self.context.i64_type(),
        };
        self.number(negative, literal, ty)
    }

    fn number(&mut self, negative: bool, literal: Token, ty: Type) -> Result<Step<'s>> {
        let kind = match *self.context.type_kind(ty) {
            TypeKind::Float(kind) => AttributeKind::Float {
                ty,
                bits: self.float_bits(kind, negative, literal)?,
            },
            TypeKind::Integer { width, signedness } if literal.kind == TokenKind::Integer => {
                let signed = signedness == Signedness::Signed;
                if negative && signedness == Signedness::Unsigned {
                    return Err(AsmError::new(
                        literal.start,
                        "negative integer literal not valid for unsigned integer type",
                    ));
                }
                self.spend_on_integer(width, literal)?;
                AttributeKind::Integer {
                    ty,
                    value: self.integer_value(width, signed, negative, literal)?,
                }
            }
            TypeKind::Index if literal.kind == TokenKind::Integer => AttributeKind::Integer {
                ty,
                value: self.integer_value(64, true, negative, literal)?,
            },
            _ if literal.kind == TokenKind::Float => {
                return Err(AsmError::new(
                    literal.start,
                    "floating point value not valid for specified type",
                ));
            }
            _ => {
                return Err(AsmError::new(
                    literal.start,
                    "integer literal not valid for specified type",
                ));
            }
        };
        self.intern_at(literal.start, kind)
    }

    /// Charges the budget for the size of an integer beyond what its digits pay for.
    #[inline]
    pub(super) fn spend_on_integer(&mut self, width: u32, literal: Token) -> Result<()> {
        if width <= 1024 {
            return Ok(());
        }
        let digits = literal.end.saturating_sub(literal.start);
        let paid = digits.saturating_mul(128);
        self.spend(literal.start, (width as usize / 8).saturating_sub(paid))
    }

    /// Returns the value of an integer literal for a type of `width` bits.
    pub(super) fn integer_value(
        &self,
        width: u32,
        signed_or_index: bool,
        negative: bool,
        literal: Token,
    ) -> Result<apint::ApInt> {
        let text = self.text(literal);
        let (digits, radix) = match text.strip_prefix(b"0x") {
            Some(digits) => (digits, 16),
            None => (text, 10),
        };
        apint::parse_integer(width, signed_or_index, negative, digits, radix).ok_or_else(|| {
            AsmError::new(literal.start, "integer constant out of range for attribute")
        })
    }

    /// Returns the bits of a float literal, decimal or hexadecimal.
    pub(super) fn float_bits(
        &self,
        kind: float::FloatKind,
        negative: bool,
        literal: Token,
    ) -> Result<u128> {
        let text = self.text(literal);
        if literal.kind == TokenKind::Integer {
            let Some(digits) = text.strip_prefix(b"0x") else {
                return Err(AsmError::new(
                    literal.start,
                    "unexpected decimal integer literal for a floating point value",
                ));
            };
            if negative {
                return Err(AsmError::new(
                    literal.start,
                    "hexadecimal float literal should not have a leading minus",
                ));
            }
            return float::parse_hex(kind, digits).ok_or_else(|| {
                AsmError::new(
                    literal.start,
                    "hexadecimal float constant out of range for type",
                )
            });
        }
        let mut signed = Vec::with_capacity(text.len().saturating_add(1));
        let text = if negative {
            signed.push(b'-');
            signed.extend_from_slice(text);
            &signed
        } else {
            text
        };
        float::parse_decimal(kind, text).ok_or_else(|| {
            AsmError::new(
                literal.start,
                "floating point value too large for attribute",
            )
        })
    }

    // Names and containers.

    fn symbol_ref(&mut self) -> Result<Step<'s>> {
        let root = self.symbol_name()?;
        let mut nested = Vec::new();
        while self.eat(TokenKind::ColonColon) {
            if !self.at(TokenKind::AtIdentifier) {
                return Err(self.unexpected("nested symbol reference identifier"));
            }
            nested.push(self.symbol_name()?);
        }
        self.done(AttributeKind::SymbolRef {
            root,
            nested: nested.into(),
        })
    }

    /// Parses `@name`, without the `@` and quotes.
    pub(super) fn symbol_name(&mut self) -> Result<Identifier> {
        let token = self.expect(
            TokenKind::AtIdentifier,
            "valid '@'-identifier for symbol name",
        )?;
        let text = self.text(token).get(1..).unwrap_or_default();
        let name = crate::lexer::unescape(text);
        Ok(self.context.identifier(name))
    }

    /// Parses the next key of a dictionary, and its value if it is not `unit`.
    fn dictionary_entry(
        &mut self,
        mut entries: Vec<NamedAttribute>,
        start: usize,
    ) -> Result<Step<'s>> {
        loop {
            let key = match self.token.kind {
                TokenKind::BareIdentifier => {
                    let token = self.advance();
                    self.context.identifier(self.text(token))
                }
                TokenKind::String => {
                    let token = self.advance();
                    let key = self.string_identifier(token);
                    if self.context.bytes(key).is_empty() {
                        return Err(AsmError::new(token.start, "expected valid attribute name"));
                    }
                    key
                }
                _ => return Err(self.unexpected("attribute name")),
            };
            if self.eat(TokenKind::Equal) || self.eat_colon_after_key() {
                return Ok(Step::Need(
                    Goal::Attribute,
                    Frame::Dictionary {
                        entries,
                        key,
                        start,
                    },
                ));
            }
            entries.push((key, self.context.unit_attribute()));
            if !self.eat(TokenKind::Comma) {
                return self.finish_dictionary(entries, start);
            }
        }
    }

    fn finish_dictionary(
        &mut self,
        entries: Vec<NamedAttribute>,
        start: usize,
    ) -> Result<Step<'s>> {
        self.expect(TokenKind::RightBrace, "'}' in attribute dictionary")?;
        let step = self.intern_at(start, AttributeKind::Dictionary(entries.into()))?;
        if let Step::Done(Entry::Attribute(dictionary)) = step {
            self.remember_dictionary(start, dictionary);
        }
        Ok(step)
    }

    fn strided_layout(&mut self) -> Result<Step<'s>> {
        let start = self.advance().start;
        self.expect(TokenKind::Less, "'<' after 'strided'")?;
        self.expect(TokenKind::LeftSquare, "'['")?;
        let mut strides = Vec::new();
        if !self.at(TokenKind::RightSquare) {
            loop {
                strides.push(self.stride()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RightSquare, "']'")?;
        let mut offset = 0;
        if self.eat(TokenKind::Comma) {
            let found = self.expect_keyword("offset");
            found.map_err(|error| error.saying("expected 'offset' after comma"))?;
            self.expect(TokenKind::Colon, "':' after 'offset'")?;
            offset = self.stride()?;
        }
        self.expect(TokenKind::Greater, "'>'")?;
        self.intern_at(
            start,
            AttributeKind::StridedLayout {
                offset,
                strides: strides.into(),
            },
        )
    }

    /// Parses an integer or `?`.
    pub(super) fn stride(&mut self) -> Result<i64> {
        if self.eat(TokenKind::Question) {
            return Ok(rmlir_ir::DYNAMIC);
        }
        let negative = self.eat(TokenKind::Minus);
        let token = self.expect(TokenKind::Integer, "a 64-bit signed integer or '?'")?;
        let value = i64::try_from(self.unsigned(token, "stride")?)
            .map_err(|_| AsmError::new(token.start, "expected a 64-bit signed integer or '?'"))?;
        Ok(if negative {
            value.wrapping_neg()
        } else {
            value
        })
    }

    /// `distinct[key]<referenced>`: one attribute for each key of the file.
    fn distinct(&mut self, key: &'s [u8], referenced: Attribute, start: usize) -> Result<Step<'s>> {
        let zeros = key.iter().take_while(|&&b| b == b'0').count();
        let key = key.get(zeros..).unwrap_or_default();
        let attribute = match self.distincts.get(key) {
            Some(&known) => {
                let same = matches!(
                    self.context.attribute_kind(known),
                    AttributeKind::Distinct { referenced: r, .. } if *r == referenced
                );
                if !same {
                    return Err(AsmError::new(
                        start,
                        "referenced attribute does not match previous definition",
                    ));
                }
                known
            }
            None => {
                let new = self.context.distinct_attribute(referenced);
                self.distincts.insert(key, new);
                new
            }
        };
        Ok(Step::Done(Entry::Attribute(attribute)))
    }

    // Attributes of dialects and aliases.

    fn start_symbol_with_type(&mut self) -> Result<Step<'s>> {
        self.dialect_symbol(true)
    }

    fn start_symbol(&mut self) -> Result<Step<'s>> {
        self.dialect_symbol(false)
    }

    /// Returns the attribute that an alias denotes.
    pub(super) fn attribute_alias(&mut self, name: &'s [u8]) -> Option<Attribute> {
        Some(match *self.attribute_aliases.get(name)? {
            AttributeAlias::Attribute(attribute) => attribute,
            AttributeAlias::Location(location) => self.context.location_attribute(location),
        })
    }
}

const _: () = assert!(size_of::<Frame<'_>>() <= 80, "frames move often");
