//! Parses attributes and types of dialects: `#dialect.mnemonic<body>`, `!dialect<body>`.
//!
//! Where no definition specifies the meaning of a body, references in it are found lexically:
//! aliases, attributes and types that are spelled out, `distinct[n]<...>` and
//! `dense_resource<...>`. The rest is opaque text.

use super::Parser;
use super::entry::{Frame, Goal, Step};
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::lexer::{TokenKind, is_bare, is_suffix};
use crate::parser::entries::{Canonical, SelfType, canonical, length};
use crate::printer::{body_pieces, is_body_reference};
use rmlir_ir::asm::AsmError;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    AttributeKind, BodyBuilder, BodyReference, DialectBody, Entry, Identifier, Type, TypeKind,
};

/// A body of which a part is being parsed.
pub(super) struct BodyFrame {
    dialect: Identifier,
    builder: BodyBuilder,
    /// The brackets that are open, outermost first.
    open: Vec<u8>,
    /// The offset of the text that is not in the builder yet.
    text_start: usize,
    /// Whether the outermost `<` and `>` are not part of the body.
    strip: bool,
    is_type: bool,
    /// Whether `: type` may follow.
    with_type: bool,
    /// The offset at which the entry starts.
    start: usize,
    /// The offset of its mnemonic.
    mnemonic: usize,
    /// The offset of its `<`.
    bracket: usize,
    /// Pairs of the body's length where it continues with text of the source, and the offset of
    /// that text.
    marks: Vec<(usize, usize)>,
}

impl BodyFrame {
    /// Appends the text of the source up to `end`.
    fn append(&mut self, source: &[u8], end: usize) {
        let text = source.get(self.text_start..end).unwrap_or_default();
        self.builder.text(text);
        let before = self.builder.len().saturating_sub(text.len());
        self.marks.push((before, self.text_start));
    }

    /// Returns the error for brackets that do not match, or that are open where the text or the
    /// body ends.
    ///
    /// As in upstream, it names the innermost bracket, at the position of the outermost.
    #[cold]
    fn unbalanced(&self) -> AsmError {
        let innermost = self.open.last().copied().unwrap_or(b'<');
        let message = format!(
            "unbalanced '{}' character in pretty dialect name",
            char::from(innermost)
        );
        AsmError::new(self.bracket, message)
    }
}

impl<'s> Parser<'s, '_> {
    /// Parses `#...` or `!...` at the current token: an alias, or an attribute or type of a
    /// dialect.
    ///
    /// `with_type` specifies whether `: type` after an attribute belongs to it.
    pub(super) fn dialect_symbol(&mut self, with_type: bool) -> Result<Step<'s>> {
        let is_type = self.at(TokenKind::ExclamationIdentifier);
        let token = self.advance();
        let name = self.text(token).get(1..).unwrap_or_default();
        let has_body = self.at(TokenKind::Less) && self.token.start == token.end;
        let dot = memchr::memchr(b'.', name);
        let Some(dot) = dot else {
            if !has_body {
                return self.alias(name, is_type, token.start);
            }
            if is_type && name == b"llvm" && self.at_older_llvm_type() {
                return self.older_llvm_type();
            }
            let frame = BodyFrame {
                strip: true,
                is_type,
                with_type,
                ..self.body_frame(name, token.start, self.token.start.saturating_add(1))
            };
            return self.start_body(frame, &[]);
        };
        let (dialect, rest) = name.split_at_checked(dot).unwrap_or((name, &[]));
        let mnemonic = rest.get(1..).unwrap_or_default();
        let start = token.end.saturating_sub(mnemonic.len());
        if has_body {
            let frame = BodyFrame {
                is_type,
                with_type,
                ..self.body_frame(dialect, token.start, start)
            };
            return self.start_body(frame, mnemonic);
        }
        if self.edition != Edition::Current
            && is_type
            && let Some(&ty) = self.type_aliases.get(name)
        {
            return Ok(Step::Done(Entry::Type(ty)));
        }
        let frame = BodyFrame {
            is_type,
            with_type,
            ..self.body_frame(dialect, token.start, start)
        };
        self.finish_word(frame, mnemonic)
    }

    /// Returns the frame of an empty body at the current token.
    fn body_frame(&mut self, dialect: &[u8], start: usize, mnemonic: usize) -> BodyFrame {
        BodyFrame {
            dialect: self.context.identifier(dialect),
            builder: BodyBuilder::new(),
            open: Vec::new(),
            text_start: self.token.start,
            strip: false,
            is_type: true,
            with_type: false,
            start,
            mnemonic,
            bracket: self.token.start,
            marks: Vec::new(),
        }
    }

    /// Parses a type of a dialect that is spelled without the dialect's name, `mnemonic<body>`, or
    /// without the mnemonic as well, `<body>`, where that is given.
    ///
    /// Any body is a type that is one after `!dialect.`.
    pub(super) fn type_without_dialect(
        &mut self,
        dialect: &str,
        mnemonic: Option<&str>,
    ) -> Result<Type> {
        let start = self.token.start;
        let mnemonic = match mnemonic {
            Some(mnemonic) => mnemonic.as_bytes(),
            None => {
                let token = self.expect(TokenKind::BareIdentifier, "a type")?;
                self.text(token)
            }
        };
        let entry = self.entry_from(|parser| {
            let offset = parser.token.start.saturating_sub(mnemonic.len());
            let frame = parser.body_frame(dialect.as_bytes(), start, offset);
            match parser.at(TokenKind::Less) {
                true => parser.start_body(frame, mnemonic),
                false => parser.finish_word(frame, mnemonic),
            }
        });
        match entry? {
            Entry::Type(ty) => Ok(ty),
            _ => Err(AsmError::new(start, "expected a type")),
        }
    }

    fn alias(&mut self, name: &'s [u8], is_type: bool, start: usize) -> Result<Step<'s>> {
        if is_type {
            return match self.type_aliases.get(name) {
                Some(&ty) => Ok(Step::Done(Entry::Type(ty))),
                None => Err(self.undefined_alias(start, name)),
            };
        }
        match self.attribute_alias(name) {
            Some(attribute) => Ok(Step::Done(Entry::Attribute(attribute))),
            None => Err(self.undefined_alias(start, name)),
        }
    }

    /// Begins the body whose `<` is the current token.
    fn start_body(&mut self, mut frame: BodyFrame, mnemonic: &[u8]) -> Result<Step<'s>> {
        frame.builder.text(mnemonic);
        let from = self.token.start;
        self.scan_body(frame, from)
    }

    /// Finishes an attribute or type that consists of its mnemonic.
    fn finish_word(&mut self, mut frame: BodyFrame, mnemonic: &[u8]) -> Result<Step<'s>> {
        frame.builder.text(mnemonic);
        self.finish_symbol(frame)
    }

    /// Continues a body after a reference.
    pub(super) fn resume_body(&mut self, mut frame: BodyFrame, entry: Entry) -> Result<Step<'s>> {
        self.refer(&mut frame.builder, entry)?;
        frame.text_start = self.previous_end;
        let from = self.previous_end;
        self.scan_body(frame, from)
    }

    /// Appends what an alias or a spelled-out entry denotes to a body: a reference, or the text as
    /// if it were spelled out there, so that the names of a file make no difference.
    ///
    /// The text is charged to the expansion budget; text that exceeds it is an error.
    fn refer(&mut self, builder: &mut BodyBuilder, entry: Entry) -> Result<()> {
        let reference = match entry {
            Entry::Attribute(attribute) => BodyReference::Attribute(attribute),
            Entry::Type(ty) => BodyReference::Type(ty),
            Entry::Location(location) => {
                BodyReference::Attribute(self.context.location_attribute(location))
            }
        };
        if is_body_reference(self.context, reference) {
            builder.reference(self.context, reference);
            return Ok(());
        }
        match body_pieces(self.context, entry, self.shared.longest(0)) {
            Some(pieces) => {
                self.spend_bytes(self.token.start, pieces.len())?;
                builder.append(pieces);
                Ok(())
            }
            None => Err(self.too_much(self.token.start)),
        }
    }

    /// Parses a map, set or location of the builtin dialect that is spelled out at `start`; returns
    /// it and where it ends.
    ///
    /// `None` if the dialect uses the word with another meaning.
    fn inline_entry(&mut self, start: usize) -> Option<(Entry, usize)> {
        // A location can hold a body that holds a location. Text that fails late is examined once
        // more at each level, so the number of levels is small.
        const DEEPEST: u32 = 2;
        if self.inline_depth >= DEEPEST {
            return None;
        }
        self.reset_to(start);
        self.inline_depth = self.inline_depth.saturating_add(1);
        let entry = self.entry(Goal::Attribute);
        self.inline_depth = self.inline_depth.saturating_sub(1);
        entry.ok().map(|entry| (entry, self.previous_end))
    }

    /// Reads a body from byte `at` up to its end or to the next reference that needs parsing.
    fn scan_body(&mut self, mut frame: BodyFrame, mut at: usize) -> Result<Step<'s>> {
        let source = self.source;
        loop {
            let rest = source.get(at..).unwrap_or_default();
            // A null character ends a body, as the end of the text does.
            let Some(&byte) = rest.first().filter(|&&byte| byte != 0) else {
                return Err(frame.unbalanced());
            };
            let next = rest.get(1).copied();
            at = at.wrapping_add(1);
            match byte {
                b'<' | b'[' | b'(' | b'{' => {
                    if frame.open.is_empty() && frame.strip {
                        frame.text_start = at;
                    }
                    frame.open.push(byte);
                }
                b'-' if next == Some(b'>') => at = at.wrapping_add(1),
                b'>' | b']' | b')' | b'}' => {
                    let opening = match byte {
                        b'>' => b'<',
                        b']' => b'[',
                        b')' => b'(',
                        _ => b'{',
                    };
                    if frame.open.last() != Some(&opening) {
                        return Err(frame.unbalanced());
                    }
                    frame.open.pop();
                    if frame.open.is_empty() {
                        let end = if frame.strip { at.wrapping_sub(1) } else { at };
                        frame.append(source, end);
                        self.previous_end = at;
                        self.reset_to(at);
                        return self.finish_symbol(frame);
                    }
                }
                b'"' => {
                    self.lexer.set_position(at.wrapping_sub(1));
                    let token = self.lexer.next_token();
                    if let TokenKind::Error(error) = token.kind {
                        return Err(AsmError::new(token.start, error.message()));
                    }
                    // Bytecode ends the text of an entry with a null character.
                    if let Some(null) = memchr::memchr(0, self.text(token)) {
                        return Err(AsmError::new(
                            token.start.wrapping_add(null),
                            "a null character in the body of a dialect symbol",
                        ));
                    }
                    at = token.end;
                }
                b'#' | b'!' if next.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_') => {
                    let start = at.wrapping_sub(1);
                    self.reset_to(start);
                    if self.is_reference() {
                        frame.append(source, start);
                        return Ok(Step::Need(Goal::Symbol, Frame::Body(Box::new(frame))));
                    }
                    at = self.token.end;
                }
                // A namespace may start with any character of identifiers; if this is not a
                // reference, the scan continues as before.
                b'#' | b'!' if matches!(next, Some(b'$' | b'.' | b'-' | b'0'..=b'9')) => {
                    let start = at.wrapping_sub(1);
                    self.reset_to(start);
                    if self.is_reference() {
                        frame.append(source, start);
                        return Ok(Step::Need(Goal::Symbol, Frame::Body(Box::new(frame))));
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | b'$' | b'.' => {
                    let start = at.wrapping_sub(1);
                    let len = rest.iter().position(|&b| !is_bare(b)).unwrap_or(rest.len());
                    at = start.wrapping_add(len);
                    let word = rest.get(..len).unwrap_or_default();
                    let behind = rest.get(len).copied();
                    let keyword = (word == b"distinct" && behind == Some(b'['))
                        || (word == b"dense_resource" && behind == Some(b'<'));
                    if keyword {
                        frame.append(source, start);
                        self.reset_to(start);
                        return Ok(Step::Need(Goal::Attribute, Frame::Body(Box::new(frame))));
                    }
                    let inline = ((word == b"affine_map" || word == b"affine_set")
                        && behind == Some(b'<'))
                        || (word == b"loc" && behind == Some(b'('));
                    if inline && let Some((entry, end)) = self.inline_entry(start) {
                        frame.append(source, start);
                        self.refer(&mut frame.builder, entry)?;
                        frame.text_start = end;
                        at = end;
                    }
                }
                // Names of values, blocks and symbols are not references to entries.
                b'@' | b'%' | b'^' => {
                    let rest = source.get(at..).unwrap_or_default();
                    at = at.wrapping_add(
                        rest.iter()
                            .position(|&b| !is_suffix(b))
                            .unwrap_or(rest.len()),
                    );
                }
                _ => {}
            }
        }
    }

    /// Returns whether the current token, `#...` or `!...`, refers to an entry: an attribute or
    /// type of a dialect, or a defined alias.
    fn is_reference(&self) -> bool {
        let name = self.current().get(1..).unwrap_or_default();
        let has_body = self.source.get(self.token.end) == Some(&b'<');
        match self.token.kind {
            TokenKind::HashIdentifier | TokenKind::ExclamationIdentifier
                if has_body || name.contains(&b'.') =>
            {
                // A dialect has a name.
                !name.starts_with(b".")
            }
            TokenKind::HashIdentifier => self.attribute_aliases.contains_key(name),
            TokenKind::ExclamationIdentifier => self.type_aliases.contains_key(name),
            _ => false,
        }
    }

    /// Returns whether a type follows the colon that is the current token.
    ///
    /// In a body, where a colon could have another meaning, the type is then taken as that of the
    /// preceding attribute, which prints the same.
    fn is_type_behind_colon(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let token = ahead.next_token();
        let text = self.text(token);
        let has_body = self.source.get(token.end) == Some(&b'<');
        match token.kind {
            TokenKind::ExclamationIdentifier => {
                let name = text.get(1..).unwrap_or_default();
                has_body || name.contains(&b'.') || self.type_aliases.contains_key(name)
            }
            TokenKind::BareIdentifier => match text {
                b"tensor" | b"vector" | b"memref" | b"tuple" | b"complex" => has_body,
                b"index" | b"none" => !has_body,
                b"token" => !has_body && self.has_tokens(),
                _ => is_number_type(text) && !has_body,
            },
            _ => false,
        }
    }

    /// Returns whether a comma comes next, followed by a keyword and `=`.
    pub(crate) fn at_comma_and_name(&self) -> bool {
        if self.token.kind != TokenKind::Comma {
            return false;
        }
        let mut ahead = self.lexer.clone();
        ahead.next_token().kind == TokenKind::BareIdentifier
            && ahead.next_token().kind == TokenKind::Equal
    }

    /// Returns a body in the form in which its definition prints it, with the type of an attribute.
    ///
    /// Most bodies occur often: results are memoized.
    fn canonical(
        &mut self,
        dialect: Identifier,
        body: DialectBody,
        is_type: bool,
    ) -> Result<(DialectBody, SelfType)> {
        /// The longest text of a body that is memoized.
        const LONGEST: usize = 1024;
        if body.text().len() > LONGEST {
            let made = self.made_canonical(dialect, &body, None, is_type)?;
            return Ok((made.body.unwrap_or(body), made.ty));
        }
        let key = (dialect, body, is_type);
        if let Some(Canonical { body, ty }) = self.canonical.get(&key) {
            return Ok((body.clone().unwrap_or(key.1), *ty));
        }
        let made = self.made_canonical(dialect, &key.1, None, is_type)?;
        let body = made.body.clone().unwrap_or_else(|| key.1.clone());
        let ty = made.ty;
        self.canonical.insert(key, made);
        Ok((body, ty))
    }

    /// `ty` is the type of an attribute, if it has one and that is known yet.
    pub(super) fn made_canonical(
        &mut self,
        dialect: Identifier,
        body: &DialectBody,
        ty: Option<Type>,
        is_type: bool,
    ) -> Result<Canonical> {
        let checked = self.checks_entries;
        let entry = (dialect, body, ty, is_type);
        let made = canonical(self.context, &mut self.shared, entry, checked);
        if self.shared.is_exceeded {
            return Err(self.too_much(0));
        }
        let made = made?;
        if let Some(longer) = &made.body {
            self.spend_bytes(0, length(longer).saturating_sub(length(body)))?;
        }
        Ok(made)
    }

    fn finish_symbol(&mut self, frame: BodyFrame) -> Result<Step<'s>> {
        let BodyFrame {
            dialect,
            builder,
            is_type,
            with_type,
            start,
            mnemonic,
            marks,
            ..
        } = frame;
        let body = builder.finish();
        let (body, ty) = match self.normalizer.is_some() {
            true => self
                .canonical(dialect, body, is_type)
                .map_err(|error| in_source(error, &marks, mnemonic))?,
            false => (body, SelfType::Behind),
        };
        if is_type {
            let made = self
                .context
                .try_type(TypeKind::Dialect { dialect, body })
                .map_err(|e| AsmError::new(start, e.message()))?;
            // What is spelled without the dialect's name means something else elsewhere.
            if self.source.get(start) == Some(&b'!') {
                self.remember_symbol(start, made);
            }
            return Ok(Step::Done(Entry::Type(made)));
        }
        if self.at(TokenKind::Colon) && (with_type || self.is_type_behind_colon()) {
            self.advance();
            let frame = Frame::DialectType {
                dialect,
                body,
                ty,
                start,
            };
            return Ok(Step::Need(Goal::Type, frame));
        }
        let kind = AttributeKind::Dialect {
            dialect,
            body,
            ty: ty.of(None),
        };
        match self.context.try_attribute(kind) {
            Ok(attribute) => Ok(Step::Done(Entry::Attribute(attribute))),
            Err(invalid) => Err(AsmError::new(start, invalid.message())),
        }
    }
}

/// Converts the position of an error in a body to one in the source.
#[cold]
fn in_source(error: AsmError, marks: &[(usize, usize)], mnemonic: usize) -> AsmError {
    let place = error.place();
    let mark = marks.iter().rev().find(|mark| mark.0 <= place);
    // The mnemonic precedes the first mark.
    let place = mark.map_or(mnemonic.saturating_add(place), |&(before, start)| {
        start.saturating_add(place.saturating_sub(before))
    });
    error.moved_to(place)
}

/// Returns whether a word is an integer or float type.
fn is_number_type(word: &[u8]) -> bool {
    is_integer_type(word) || FloatKind::from_keyword(word).is_some()
}

/// Returns whether a word is an integer type, such as `i32`.
pub(super) fn is_integer_type(word: &[u8]) -> bool {
    let digits = match word {
        [b's' | b'u', b'i', digits @ ..] | [b'i', digits @ ..] => digits,
        _ => return false,
    };
    !digits.is_empty() && digits.len() < 9 && digits.iter().all(u8::is_ascii_digit)
}
