//! Tracks which bodies of attributes and types were checked against the definitions of their
//! dialects.
//!
//! Attributes and types are never removed and never change, so each is checked once: a context
//! records how many it has checked, and which ones were rejected.

use super::Context;
use super::identities::Identities;
use super::scratch::Scratch;
use crate::verify::RefusedEntries;
use crate::{Attribute, AttributeKind, Entry, Identifier, Invalid, Type, TypeKind};
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
    /// Protected by a lock, because verifying a module that threads share adds to it.
    checked: Mutex<Checked>,
}

#[derive(Clone, Default)]
struct Checked {
    /// The attributes and types before this mark are checked.
    until: EntryMark,
    identities: Identities,
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

    /// Creates an empty context with the definitions of this one: dialects, their source, the
    /// release, and how text is parsed and checked. O(registered dialects).
    pub fn new_with_same_definitions(&self) -> Self {
        let mut other = Context::new();
        other.dialects = self.dialects.clone();
        other.dialect_source = self.dialect_source.clone();
        other.textual_form = self.textual_form;
        other.release = self.release;
        other.bodies.checker = self.bodies.checker;
        other
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
        if self.bodies.checker.is_some() {
            let repeated = self.repeated_identities(&mut checked.identities);
            if !repeated.is_empty() {
                let all = Arc::make_mut(&mut checked.refused);
                for (entry, why) in repeated {
                    all.insert(entry, why);
                }
            }
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
        let mut scratch = Scratch::new(self);
        // Maps the index of a copy to the index of its original.
        let mut indices = Vec::with_capacity(entries.len());
        let mut copied = Vec::with_capacity(entries.len());
        for (index, &entry) in entries.iter().enumerate() {
            if let Ok(copy) = scratch.copy(self, entry) {
                indices.push(index);
                copied.push(copy);
            }
        }
        let refused = checker.check(&mut scratch.context, &copied).into_iter();
        refused
            .filter_map(|(at, why)| Some((*indices.get(at)?, why)))
            .collect()
    }
}
