//! The body of a dialect attribute or type: text with references to attributes and types.

use crate::error::Invalid;
use crate::symbol_text::{quoted, unescaped};
use crate::{Attribute, AttributeKind, Context, Type};
use std::borrow::Cow;

/// A reference in a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BodyReference {
    /// An attribute; printed by its alias if it has one.
    Attribute(Attribute),
    /// A type; printed by its alias if it has one.
    Type(Type),
}

/// The body of an attribute or type whose dialect is not built in, as the dialect spells it: the
/// text after `#dialect.`, or between the angle brackets of `#dialect<...>`.
///
/// Aliases, and attributes and types that are spelled out, are stored as references, so the text
/// does not depend on the alias names of one file. The two spellings `#d.m<...>` and `#d<m<...>>`
/// have the same body.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DialectBody {
    /// The text without the references.
    text: Box<[u8]>,
    /// The references, each with its byte offset in `text`, ascending.
    references: Box<[(u32, BodyReference)]>,
}

/// One piece of a [`DialectBody`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyPiece<'a> {
    /// Text that is printed verbatim.
    Text(&'a [u8]),
    /// A reference to an attribute or type.
    Reference(BodyReference),
}

impl BodyPiece<'_> {
    /// Returns whether the piece is text that would merge with an alias directly before it.
    pub fn continues_alias(&self) -> bool {
        match self {
            BodyPiece::Text(text) => text.first().is_some_and(|&b| in_suffix(b) || b == b'<'),
            BodyPiece::Reference(_) => false,
        }
    }
}

impl DialectBody {
    /// Creates a body of `text` without references; see [`check`](Self::check) for the allowed
    /// text.
    pub fn from_text(text: &[u8]) -> Self {
        DialectBody {
            text: text.into(),
            references: Box::default(),
        }
    }

    /// Returns the pieces in order. There are no adjacent text pieces and no empty ones.
    pub fn pieces(&self) -> impl Iterator<Item = BodyPiece<'_>> {
        (0..).map_while(|i| self.piece(i)).flatten()
    }

    /// Returns the piece numbered `2 * r` (the text before reference `r`, which may be empty:
    /// `Some(None)`) or `2 * r + 1` (reference `r`); `None` after the last piece. Constant time.
    pub fn piece(&self, index: usize) -> Option<Option<BodyPiece<'_>>> {
        let reference = index / 2;
        if reference > self.references.len() {
            return None;
        }
        if index % 2 == 1 {
            return self
                .references
                .get(reference)
                .map(|&(_, r)| Some(BodyPiece::Reference(r)));
        }
        let start = match reference.checked_sub(1) {
            Some(before) => self.references[before].0 as usize,
            None => 0,
        };
        let end = self
            .references
            .get(reference)
            .map_or(self.text.len(), |&(at, _)| at as usize);
        let text = self.text.get(start..end).unwrap_or_default();
        Some((!text.is_empty()).then_some(BodyPiece::Text(text)))
    }

    /// Returns the mnemonic: the name of the attribute or type in its dialect, unless the dialect
    /// has a syntax of its own.
    pub fn mnemonic(&self) -> &[u8] {
        // A reference also ends the mnemonic.
        let end = match self.references.first() {
            Some(&(at, _)) => at as usize,
            None => self.text.len(),
        };
        let text = self.text.get(..end).unwrap_or(&self.text);
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
        let len = text.iter().position(|b| !in_word(b)).unwrap_or(text.len());
        text.get(..len).unwrap_or_default()
    }

    /// Returns the string of a body that is a mnemonic with one string literal in angle brackets,
    /// as in `string_v1<"main">`. Linear in the length of the string.
    pub fn string_literal(&self) -> Option<Cow<'_, [u8]>> {
        let literal = self.text.strip_suffix(b"\">")?;
        if !self.references.is_empty() {
            return None;
        }
        let literal = literal.get(self.mnemonic().len()..)?.strip_prefix(b"<\"")?;
        // The first unescaped quotation mark ends the literal.
        let mut rest = literal.iter();
        while let Some(byte) = rest.next() {
            match byte {
                b'"' => return None,
                b'\\' => {
                    rest.next()?;
                }
                _ => {}
            }
        }
        Some(unescaped(literal))
    }

    /// Returns the body with its [`string_literal`](Self::string_literal) replaced.
    pub(crate) fn with_string_literal(&self, string: &[u8]) -> Self {
        let mut text = self.mnemonic().to_vec();
        text.push(b'<');
        text.extend(quoted(string));
        text.push(b'>');
        DialectBody::from_text(&text)
    }

    /// Returns the text without the references.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the references with their byte offsets in [`text`](Self::text), ascending.
    pub fn references(&self) -> &[(u32, BodyReference)] {
        &self.references
    }

    /// Returns the references mutably, for replacing them by equivalent ones.
    pub(crate) fn references_mut(&mut self) -> impl Iterator<Item = &mut BodyReference> {
        self.references.iter_mut().map(|(_, reference)| reference)
    }
}

impl DialectBody {
    /// Checks that the body round-trips through text: that brackets are balanced, strings are
    /// closed, and no reference is hidden in the text. Linear in the size of the body itself.
    ///
    /// # Errors
    ///
    /// The violated rule.
    pub fn check(&self) -> Result<(), Invalid> {
        let mut scan = Scan {
            text: &self.text,
            references: &self.references,
            at: 0,
        };
        let mut open = Vec::new();
        while let Some(byte) = scan.next() {
            match byte {
                b'<' | b'[' | b'(' | b'{' => open.push(byte),
                b'-' if scan.peek() == Some(b'>') => scan.skip(1),
                b'>' | b']' | b')' | b'}' => {
                    let opening = match byte {
                        b'>' => b'<',
                        b']' => b'[',
                        b')' => b'(',
                        _ => b'{',
                    };
                    if open.pop() != Some(opening) {
                        return Err(unbalanced(byte));
                    }
                }
                b'"' => scan.string()?,
                b'#' | b'!'
                    if scan
                        .peek()
                        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_') =>
                {
                    let name = scan.run(in_suffix);
                    if name.contains(&b'.') || scan.peek() == Some(b'<') {
                        return Err(hidden(name));
                    }
                }
                _ if in_word(byte) => {
                    let start = scan.at.saturating_sub(1);
                    scan.run(in_word);
                    let word = self.text.get(start..scan.at).unwrap_or_default();
                    let behind = scan.peek();
                    if (word == b"distinct" && behind == Some(b'['))
                        || (word == b"dense_resource" && behind == Some(b'<'))
                    {
                        return Err(hidden(word));
                    }
                }
                b'@' | b'%' | b'^' => drop(scan.run(in_suffix)),
                0 => {
                    return Err(Invalid::new(
                        "a null character in the body of a dialect symbol",
                    ));
                }
                _ => {}
            }
        }
        if let Some(&left) = open.last() {
            return Err(unbalanced(left));
        }
        // A following bracket would form an arrow with it.
        let alone = self.references.is_empty() && self.text.iter().all(|&b| in_suffix(b));
        if self.text.last() == Some(&b'-') && !alone {
            return Err(Invalid::new("the body of a dialect symbol ends in '-'"));
        }
        Ok(())
    }
}

/// Scans the text of a body up to the next reference.
struct Scan<'a> {
    text: &'a [u8],
    /// The references at or after the current position.
    references: &'a [(u32, BodyReference)],
    at: usize,
}

impl<'a> Scan<'a> {
    /// Returns the next byte, skipping references before it.
    fn next(&mut self) -> Option<u8> {
        while let Some((&(at, _), rest)) = self.references.split_first()
            && at as usize <= self.at
        {
            self.references = rest;
        }
        let byte = self.text.get(self.at).copied();
        self.at = self.at.saturating_add(1);
        byte
    }

    /// Returns the offset of the next reference or of the end.
    fn end(&self) -> usize {
        let next = self.references.first().map(|&(at, _)| at as usize);
        next.unwrap_or(self.text.len()).min(self.text.len())
    }

    /// Returns the next byte if there is no reference before it.
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at..self.end())?.first().copied()
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Skips bytes of a class, up to the next reference.
    fn run(&mut self, class: fn(u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.at..self.end()).unwrap_or_default();
        let len = rest.iter().position(|&b| !class(b)).unwrap_or(rest.len());
        self.skip(len);
        rest.get(..len).unwrap_or_default()
    }

    /// Skips a string after its opening quote.
    fn string(&mut self) -> Result<(), Invalid> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.skip(1);
                    return Ok(());
                }
                Some(b'\\') => {
                    self.skip(1);
                    match self.peek() {
                        Some(b'"' | b'\\' | b'n' | b't') => self.skip(1),
                        _ => {
                            for _ in 0..2 {
                                if !self.peek().is_some_and(|b| b.is_ascii_hexdigit()) {
                                    return Err(Invalid::new("unknown escape in string literal"));
                                }
                                self.skip(1);
                            }
                        }
                    }
                }
                None | Some(b'\n' | 0 | 0x0b | 0x0c) => {
                    return Err(Invalid::new("expected '\"' in string literal"));
                }
                Some(_) => self.skip(1),
            }
        }
    }
}

#[cold]
fn unbalanced(bracket: u8) -> Invalid {
    Invalid::new(format!(
        "unbalanced '{}' character in pretty dialect name",
        char::from(bracket)
    ))
}

#[cold]
fn hidden(name: &[u8]) -> Invalid {
    Invalid::new(format!(
        "the body of a dialect symbol has '{}' as text, which is a reference",
        name.escape_ascii()
    ))
}

/// Returns whether a byte can occur in an identifier with a prefix.
fn in_suffix(byte: u8) -> bool {
    in_word(byte) || byte == b'-'
}

/// Returns whether a byte can occur in a bare identifier.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Returns whether an attribute or type without an alias is printed starting with a word
/// (`affine_map<...>`, `distinct[...]`) rather than with `#` or `!`.
fn starts_as_word(context: &Context, reference: BodyReference) -> bool {
    match reference {
        BodyReference::Attribute(attribute) => !matches!(
            context.attribute_kind(attribute),
            AttributeKind::Dialect { .. }
        ),
        BodyReference::Type(ty) => {
            !matches!(context.type_kind(ty), crate::TypeKind::Dialect { .. })
        }
    }
}

/// Returns whether an attribute or type without an alias is printed with a bracket at its end.
fn ends_closed(context: &Context, reference: BodyReference) -> bool {
    let body = match reference {
        BodyReference::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Dialect { body, ty: None, .. } => body,
            _ => return false,
        },
        BodyReference::Type(ty) => match context.type_kind(ty) {
            crate::TypeKind::Dialect { body, .. } => body,
            _ => return false,
        },
    };
    let last = body.references.last().map_or(0, |last| last.0 as usize);
    body.text.ends_with(b">") && last < body.text.len()
}

/// How the text of a body ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Tail {
    /// With a complete token.
    #[default]
    Open,
    /// In an identifier with a prefix, or after the prefix.
    Prefixed,
    /// With a reference.
    Reference,
    /// With a reference that ends with a bracket, unless it is printed by an alias.
    Closed,
}

/// Collects the pieces of a [`DialectBody`].
///
/// References are printed in full or by an alias. A space separates a reference from adjacent text
/// that would otherwise merge with its spelling in full; printers separate aliases.
#[derive(Default, Debug)]
pub struct BodyBuilder {
    text: Vec<u8>,
    references: Vec<(u32, BodyReference)>,
    tail: Tail,
}

impl BodyBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        BodyBuilder::default()
    }

    /// Returns the numbers of text bytes and of references.
    pub fn len(&self) -> usize {
        self.text.len().saturating_add(self.references.len())
    }

    /// Returns the text before the first reference.
    pub fn first_text(&self) -> &[u8] {
        let end = match self.references.first() {
            Some(reference) => reference.0 as usize,
            None => self.text.len(),
        };
        self.text.get(..end).unwrap_or_default()
    }

    /// Returns whether there are neither text nor references.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends text.
    pub fn text(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        if self.tail == Tail::Reference && BodyPiece::Text(text).continues_alias() {
            self.text.push(b' ');
        }
        self.text.extend_from_slice(text);
        match text.iter().rposition(|&b| !in_suffix(b)) {
            Some(last) if text.get(last).is_some_and(|b| b"@#!%^".contains(b)) => {
                self.tail = Tail::Prefixed;
            }
            None if self.tail == Tail::Prefixed => {}
            _ => self.tail = Tail::Open,
        }
    }

    /// Appends a reference.
    pub fn reference(&mut self, context: &Context, reference: BodyReference) {
        let word = starts_as_word(context, reference);
        let apart = match self.tail {
            Tail::Prefixed => true,
            Tail::Reference | Tail::Closed => word,
            Tail::Open => word && self.text.last().is_some_and(|&b| in_word(b)),
        };
        if apart {
            self.text.push(b' ');
        }
        let at = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.references.push((at, reference));
        self.tail = match ends_closed(context, reference) {
            true => Tail::Closed,
            false => Tail::Reference,
        };
    }

    /// Appends an attribute or type that another builder spelled out.
    pub fn append(&mut self, other: BodyBuilder) {
        let first = other.text.first().copied();
        let apart = match self.tail {
            Tail::Prefixed => true,
            Tail::Reference | Tail::Closed => first.is_some_and(|b| in_suffix(b) || b == b'<'),
            Tail::Open => first == Some(b'[') && self.text.ends_with(b"distinct"),
        };
        if apart {
            self.text.push(b' ');
        }
        let base = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let moved = |(at, reference): (u32, _)| (at.saturating_add(base), reference);
        self.references
            .extend(other.references.into_iter().map(moved));
        self.text.extend(other.text);
        self.tail = other.tail;
    }

    /// Returns the body.
    pub fn finish(self) -> DialectBody {
        DialectBody {
            text: self.text.into(),
            references: self.references.into(),
        }
    }
}
