//! Tracks which bodies of attributes and types were checked against the definitions of their
//! dialects.
//!
//! Attributes and types are never removed and never change, so each is checked once: a context
//! records how many it has checked, and which ones were rejected.

use super::Context;
use crate::substitution::Substitution;
use crate::verify::RefusedEntries;
use crate::{
    Attribute, AttributeKind, DialectBody, Entry, EntryWalker, Identifier, Invalid, Location, Type,
    TypeKind, WalkOrder, WalkResult,
};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Checks bodies of attributes and types of dialects against their definitions.
///
/// A body is text, which this crate does not parse. `rmlir_text` does, and registers its checker in
/// every context that it, or a bytecode reader, receives.
pub trait BodyChecker: fmt::Debug + Send + Sync {
    /// Returns the indices of those `entries` that do not follow their definitions, with the
    /// reasons. May add attributes and types to the context.
    fn check(&self, context: &mut Context, entries: &[Entry]) -> Vec<(usize, Invalid)>;
}

/// The numbers of attributes and types of a context at one time; see
/// [`Context::bodies_checked_since`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EntryMark {
    attributes: usize,
    types: usize,
}

/// The results of checking bodies.
#[derive(Default)]
pub(super) struct Bodies {
    checker: Option<&'static dyn BodyChecker>,
    /// Behind a lock, because verifying a module that threads share adds to it.
    checked: Mutex<Checked>,
}

#[derive(Clone, Default)]
struct Checked {
    /// The attributes and types before this mark are checked.
    until: EntryMark,
    refused: Arc<RefusedEntries>,
}

impl Clone for Bodies {
    fn clone(&self) -> Self {
        Bodies {
            checker: self.checker,
            checked: Mutex::new(
                self.checked
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone(),
            ),
        }
    }
}

impl Bodies {
    /// Discards all results, because definitions have changed.
    pub(super) fn forget(&mut self) {
        *self.checked_mut() = Checked::default();
    }

    fn checked_mut(&mut self) -> &mut Checked {
        self.checked
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checked {
    /// Adds the verdicts on `entries`, which were all the unchecked ones up to `until`.
    fn add(&mut self, until: EntryMark, entries: &[Entry], refused: Vec<(usize, Invalid)>) {
        self.until = until;
        if refused.is_empty() {
            return;
        }
        let all = Arc::make_mut(&mut self.refused);
        for (at, why) in refused {
            if let Some(&entry) = entries.get(at) {
                all.insert(entry, why);
            }
        }
    }
}

impl Context {
    /// Sets the checker of attribute and type bodies, unless one is already set.
    pub fn set_body_checker(&mut self, checker: &'static dyn BodyChecker) {
        if self.bodies.checker.is_none() {
            self.bodies.checker = Some(checker);
            self.bodies.forget();
        }
    }

    /// Checks the bodies that are not checked yet, so that [`verify`](crate::verify()) need not.
    ///
    /// `verify` cannot change the context, so it copies the attributes and types that it checks to
    /// another context. Calling this first avoids the copies. Linear in the attributes and types
    /// added since the last check, and in the lengths of their bodies.
    pub fn check_bodies(&mut self) {
        let Some(checker) = self.bodies.checker else {
            return;
        };
        let since = self.bodies.checked_mut().until;
        let until = self.entry_mark();
        let entries = self.entries_with_definitions(since);
        let refused = match entries.is_empty() {
            true => Vec::new(),
            false => checker.check(self, &entries),
        };
        self.bodies.checked_mut().add(until, &entries, refused);
    }

    /// Returns the numbers of attributes and types, for
    /// [`bodies_checked_since`](Self::bodies_checked_since).
    pub fn entry_mark(&self) -> EntryMark {
        EntryMark {
            attributes: self.attributes.len(),
            types: self.types.len(),
        }
    }

    /// Records that the bodies of all attributes and types added since `mark` follow their
    /// definitions, as a parser that has checked them knows.
    pub fn bodies_checked_since(&mut self, mark: EntryMark) {
        if self.bodies.checker.is_none() {
            return;
        }
        let since = self.bodies.checked_mut().until;
        let before = self
            .entries_with_definitions(since)
            .into_iter()
            .any(|entry| match entry {
                Entry::Attribute(attribute) => attribute.index() < mark.attributes,
                Entry::Type(ty) => ty.index() < mark.types,
                Entry::Location(_) => false,
            });
        if !before {
            self.bodies.checked_mut().until = self.entry_mark();
        }
    }

    /// Returns the attributes and types whose bodies do not follow their definitions, after
    /// checking the unchecked ones.
    pub(crate) fn refused_entries(&self) -> Arc<RefusedEntries> {
        let checked = self.bodies.checked.lock();
        let mut checked = checked.unwrap_or_else(PoisonError::into_inner);
        let until = self.entry_mark();
        if let Some(checker) = self.bodies.checker
            && checked.until != until
        {
            let entries = self.entries_with_definitions(checked.until);
            let refused = match entries.is_empty() {
                true => Vec::new(),
                false => self.check_copies(checker, &entries),
            };
            checked.add(until, &entries, refused);
        }
        Arc::clone(&checked.refused)
    }

    /// Returns the attributes and types after a mark whose dialects have a definition.
    fn entries_with_definitions(&self, since: EntryMark) -> Vec<Entry> {
        let mut known: HashMap<Identifier, bool, RandomState> = HashMap::default();
        let mut has_definition = |dialect: Identifier| {
            let find = || self.dialect(self.bytes(dialect)).is_some();
            *known.entry(dialect).or_insert_with(find)
        };
        let mut entries = Vec::new();
        for attribute in (since.attributes..self.attributes.len()).map(Attribute::from_index) {
            if let AttributeKind::Dialect { dialect, .. } = self.attribute_kind(attribute)
                && has_definition(*dialect)
            {
                entries.push(Entry::Attribute(attribute));
            }
        }
        for ty in (since.types..self.types.len()).map(Type::from_index) {
            if let TypeKind::Dialect { dialect, .. } = self.type_kind(ty)
                && has_definition(*dialect)
            {
                entries.push(Entry::Type(ty));
            }
        }
        entries
    }

    /// Checks copies of some attributes and types in another context.
    fn check_copies(
        &self,
        checker: &'static dyn BodyChecker,
        entries: &[Entry],
    ) -> Vec<(usize, Invalid)> {
        let mut other = Context::with_owner(self.owner);
        other.strings = self.strings.clone();
        other.resources = self.resources.clone();
        other.affine = self.affine.clone();
        other.dialects = self.dialects.clone();
        other.dialect_source = self.dialect_source.clone();
        other.release = self.release;
        let mut copies = Copies {
            attributes: HashMap::default(),
            types: HashMap::default(),
            location: other.unknown_location(),
        };
        let mut walker = EntryWalker::new();
        // Maps the index of a copy to the index of its original.
        let mut indices = Vec::with_capacity(entries.len());
        let mut copied = Vec::with_capacity(entries.len());
        for (index, &entry) in entries.iter().enumerate() {
            walker.walk(self, entry, WalkOrder::PostOrder, |entry| {
                copies.copy(self, &mut other, entry);
                WalkResult::Advance
            });
            let copy = match entry {
                Entry::Attribute(attribute) => copies
                    .attributes
                    .get(&attribute)
                    .map(|&copy| Entry::Attribute(copy)),
                Entry::Type(ty) => copies.types.get(&ty).map(|&copy| Entry::Type(copy)),
                Entry::Location(_) => None,
            };
            if let Some(copy) = copy {
                indices.push(index);
                copied.push(copy);
            }
        }
        let refused = checker.check(&mut other, &copied).into_iter();
        refused
            .filter_map(|(at, why)| Some((*indices.get(at)?, why)))
            .collect()
    }
}

/// Copies of attributes and types in another context that has the same strings, resources and
/// affine expressions. Locations are not copied: no definition constrains them.
struct Copies {
    attributes: HashMap<Attribute, Attribute, RandomState>,
    types: HashMap<Type, Type, RandomState>,
    location: Location,
}

impl Copies {
    /// Copies an attribute or type whose references were copied before.
    fn copy(&mut self, from: &Context, to: &mut Context, entry: Entry) {
        match entry {
            Entry::Attribute(attribute) => {
                let mut kind = from.attribute_kind(attribute).clone();
                if self.in_attribute(&mut kind).is_ok() {
                    self.attributes.insert(attribute, to.intern_attribute(kind));
                }
            }
            Entry::Type(ty) => {
                let mut kind = from.type_kind(ty).clone();
                if self.in_type(&mut kind).is_ok() {
                    self.types.insert(ty, to.intern_type(kind));
                }
            }
            Entry::Location(_) => {}
        }
    }
}

/// Returns the error for an attribute or type that refers to itself, directly or indirectly.
#[cold]
fn not_copied() -> Invalid {
    Invalid::new("an attribute or type contains itself")
}

impl Substitution for Copies {
    fn attribute(&self, attribute: Attribute) -> Result<Attribute, Invalid> {
        self.attributes
            .get(&attribute)
            .copied()
            .ok_or_else(not_copied)
    }

    fn ty(&self, ty: Type) -> Result<Type, Invalid> {
        self.types.get(&ty).copied().ok_or_else(not_copied)
    }

    fn location(&self, _: Location) -> Result<Location, Invalid> {
        Ok(self.location)
    }

    fn body(&self, body: &mut DialectBody) -> Result<(), Invalid> {
        for reference in body.references_mut() {
            *reference = self.reference(*reference)?;
        }
        Ok(())
    }
}
