//! The body of an attribute or type of a dialect: text with references to other entries.

use crate::error::Invalid;
use crate::symbol_text::{quoted, unescaped};
use crate::{Attribute, AttributeKind, Context, Type};
use std::borrow::Cow;

/// What a body refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BodyReference {
    /// An attribute; printed by its alias where it has one.
    Attribute(Attribute),
    /// A type; printed by its alias where it has one.
    Type(Type),
}

/// The body of an attribute or type whose dialect is not built in, as the dialect itself spells it:
/// what stands behind `#dialect.` or between the angle brackets of `#dialect<...>`.
///
/// Aliases, and attributes and types that are spelled out, are references, so that nothing in the
/// text is bound to the names that one file happens to use. Two spellings, `#d.m<...>` and
/// `#d<m<...>>`, have one body.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DialectBody {
    /// The text without the references.
    text: Box<[u8]>,
    /// Where in `text` a reference stands (a byte offset, ascending), and to what.
    references: Box<[(u32, BodyReference)]>,
}

/// One piece of a [`DialectBody`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyPiece<'a> {
    /// Text that is printed as it is.
    Text(&'a [u8]),
    /// A reference to another entry.
    Reference(BodyReference),
}

impl DialectBody {
    /// A body of `text` alone, without references; see [`check`](Self::check) for what it may hold.
    pub fn from_text(text: &[u8]) -> Self {
        DialectBody {
            text: text.into(),
            references: Box::default(),
        }
    }

    /// The pieces in order. Adjacent text pieces do not occur, nor do empty ones.
    pub fn pieces(&self) -> impl Iterator<Item = BodyPiece<'_>> {
        (0..).map_while(|i| self.piece(i)).flatten()
    }

    /// The piece numbered `2 * r` (the text before reference `r`, which may be empty: `Some(None)`)
    /// or `2 * r + 1` (reference `r`); `None` behind the last. Constant time.
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

    /// What it starts with: the name of the attribute or type in its dialect, unless the dialect has a syntax of its
    /// own.
    pub fn mnemonic(&self) -> &[u8] {
        // A reference ends a word as well.
        let end = match self.references.first() {
            Some(&(at, _)) => at as usize,
            None => self.text.len(),
        };
        let text = self.text.get(..end).unwrap_or(&self.text);
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
        let len = text.iter().position(|b| !in_word(b)).unwrap_or(text.len());
        text.get(..len).unwrap_or_default()
    }

    /// The string of a body that is a mnemonic with one string literal in angle brackets, as in
    /// `string_v1<"main">`. Linear in the string.
    pub fn string_literal(&self) -> Option<Cow<'_, [u8]>> {
        let literal = self.text.strip_suffix(b"\">")?;
        if !self.references.is_empty() {
            return None;
        }
        let literal = literal.get(self.mnemonic().len()..)?.strip_prefix(b"<\"")?;
        // A quotation mark that is not escaped ends the literal.
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

    /// The body with another string in the place of its [`string_literal`](Self::string_literal).
    pub(crate) fn with_string_literal(&self, string: &[u8]) -> Self {
        let mut text = self.mnemonic().to_vec();
        text.push(b'<');
        text.extend(quoted(string));
        text.push(b'>');
        DialectBody::from_text(&text)
    }

    /// The text with the references left out.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The references with their byte offsets in [`text`](Self::text), ascending.
    pub fn references(&self) -> &[(u32, BodyReference)] {
        &self.references
    }

    /// The references, to be replaced by such as stand for the same.
    pub(crate) fn references_mut(&mut self) -> impl Iterator<Item = &mut BodyReference> {
        self.references.iter_mut().map(|(_, reference)| reference)
    }
}

impl DialectBody {
    /// Checks that the body can be written and read again: that brackets are balanced and strings are
    /// closed, and that no reference hides in the text. Linear in the body's own size.
    ///
    /// # Errors
    ///
    /// The rule that is broken.
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
        // A bracket behind it would make an arrow of it.
        let alone = self.references.is_empty() && self.text.iter().all(|&b| in_suffix(b));
        if self.text.last() == Some(&b'-') && !alone {
            return Err(Invalid::new("the body of a dialect symbol ends in '-'"));
        }
        Ok(())
    }
}

/// Reads the text of a body up to the next reference.
struct Scan<'a> {
    text: &'a [u8],
    /// Those that were not passed.
    references: &'a [(u32, BodyReference)],
    at: usize,
}

impl<'a> Scan<'a> {
    /// The next byte, beyond references if there are any before it.
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

    /// Where the next reference or the end is.
    fn end(&self) -> usize {
        let next = self.references.first().map(|&(at, _)| at as usize);
        next.unwrap_or(self.text.len()).min(self.text.len())
    }

    /// The next byte if no reference stands before it.
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at..self.end())?.first().copied()
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Passes over bytes of a class, up to the next reference.
    fn run(&mut self, class: fn(u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.at..self.end()).unwrap_or_default();
        let len = rest.iter().position(|&b| !class(b)).unwrap_or(rest.len());
        self.skip(len);
        rest.get(..len).unwrap_or_default()
    }

    /// Passes over a string behind its opening quote.
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

/// Whether a byte can stand inside an identifier with a prefix.
fn in_suffix(byte: u8) -> bool {
    in_word(byte) || byte == b'-'
}

/// Whether a byte can stand inside a bare identifier.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Whether an entry is printed as a word and more (`affine_map<...>`, `distinct[...]`), if not by an alias,
/// instead of behind `#` or `!`.
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

/// How the text of a body ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Tail {
    /// In nothing that goes on.
    #[default]
    Open,
    /// In an identifier with a prefix, or the prefix.
    Prefixed,
    /// In a reference.
    Reference,
}

/// Collects the pieces of a [`DialectBody`].
///
/// References are printed spelled out or by an alias. Where the text beside one would run together with
/// either, a blank comes between.
#[derive(Default, Debug)]
pub struct BodyBuilder {
    text: Vec<u8>,
    references: Vec<(u32, BodyReference)>,
    tail: Tail,
}

impl BodyBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        BodyBuilder::default()
    }

    /// How many bytes of text there are, and references.
    pub fn len(&self) -> usize {
        self.text.len().saturating_add(self.references.len())
    }

    /// The text before the first reference.
    pub fn first_text(&self) -> &[u8] {
        let end = match self.references.first() {
            Some(reference) => reference.0 as usize,
            None => self.text.len(),
        };
        self.text.get(..end).unwrap_or_default()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends text.
    pub fn text(&mut self, text: &[u8]) {
        let Some(&first) = text.first() else { return };
        if self.tail == Tail::Reference && (in_suffix(first) || first == b'<') {
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
            Tail::Reference => word,
            Tail::Open => word && self.text.last().is_some_and(|&b| in_word(b)),
        };
        if apart {
            self.text.push(b' ');
        }
        let at = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.references.push((at, reference));
        self.tail = Tail::Reference;
    }

    /// Appends an entity that was spelled out by another builder.
    pub fn append(&mut self, other: BodyBuilder) {
        let first = other.text.first().copied();
        let apart = match self.tail {
            Tail::Prefixed => true,
            Tail::Reference => first.is_some_and(|b| in_suffix(b) || b == b'<'),
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

    /// The body.
    pub fn finish(self) -> DialectBody {
        DialectBody {
            text: self.text.into(),
            references: self.references.into(),
        }
    }
}
