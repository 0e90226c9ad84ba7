//! The body of an attribute or type of a dialect: text with references to other entries.

use crate::{Attribute, Type};

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
    /// A body of `text` alone.
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

    /// The text with the references left out.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The references with their byte offsets in [`text`](Self::text), ascending.
    pub fn references(&self) -> &[(u32, BodyReference)] {
        &self.references
    }
}

/// Collects the pieces of a [`DialectBody`].
#[derive(Default, Debug)]
pub struct BodyBuilder {
    text: Vec<u8>,
    references: Vec<(u32, BodyReference)>,
}

impl BodyBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        BodyBuilder::default()
    }

    /// Appends text.
    pub fn text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Appends a reference.
    pub fn reference(&mut self, reference: BodyReference) {
        let at = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.references.push((at, reference));
    }

    /// Appends what another builder has collected.
    pub fn append(&mut self, other: BodyBuilder) {
        let base = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let moved = |(at, reference): (u32, _)| (at.saturating_add(base), reference);
        self.references
            .extend(other.references.into_iter().map(moved));
        self.text.extend(other.text);
    }

    /// The body.
    pub fn finish(self) -> DialectBody {
        DialectBody {
            text: self.text.into(),
            references: self.references.into(),
        }
    }
}
