//! The rows of operations, which a visitor makes as it receives them, parents first.

use super::columns::{Columns, TypeTexts, What};
use super::feed::{Batches, Stop};
use super::fingerprints::Fingerprints;
use super::held::Held;
use crate::symbols::shown;
use rmlir::SymbolPath;
use rmlir::events::{OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{
    Attribute, Context, Identifier, Location, Module, NamedAttribute, Op, Operation, WalkResult,
};
use std::collections::HashMap;
use std::sync::Arc;

/// What the rows of a file have in common, and how far they are.
pub(super) struct Place {
    name: String,
    /// The producer, once it is known.
    pub(super) producer: Option<String>,
    /// The index of the next operation.
    next_index: i64,
    /// The number of operations directly in the top-level one whose rows are made.
    parts: u64,
}

impl Place {
    pub(super) fn new(name: String) -> Self {
        Place {
            name,
            producer: None,
            next_index: 0,
            parts: 0,
        }
    }

    /// Returns whether an operation of the file was visited. In some tables it has no row.
    pub(super) fn has_rows(&self) -> bool {
        self.next_index > 0
    }
}

/// An operation, with its position. Of attributes and location, those are set that the table needs.
pub(super) struct Row<'r> {
    pub(super) file: &'r str,
    pub(super) producer: Option<&'r str>,
    pub(super) context: &'r Context,
    pub(super) name: &'r str,
    pub(super) attributes: &'r [NamedAttribute],
    pub(super) properties: &'r [NamedAttribute],
    pub(super) location: Location,
    /// The operation in memory, if it is there.
    pub(super) op: Option<Op<'r>>,
    /// The number of the operation in the file, parents first.
    pub(super) index: i64,
    pub(super) parent: Option<i64>,
    pub(super) depth: i32,
    /// The reference of the innermost symbol that it is or is in.
    pub(super) symbol: Option<&'r str>,
    pub(super) fingerprints: Option<&'r Fingerprints>,
    /// The number of operations of a symbol, including itself, if it was requested.
    pub(super) operations: Option<i64>,
}

impl<'r> Row<'r> {
    /// Returns the inherent and discardable attributes together, sorted by name, each with whether
    /// it is inherent.
    pub(super) fn all_attributes(&self) -> Vec<(NamedAttribute, bool)> {
        let inherent = self.properties.iter().map(|&entry| (entry, true));
        let discardable = self.attributes.iter().map(|&entry| (entry, false));
        let mut all: Vec<_> = inherent.chain(discardable).collect();
        if !self.attributes.is_empty() && !self.properties.is_empty() {
            all.sort_by_key(|&((name, _), _)| self.context.bytes(name));
        }
        all
    }
}

/// An operation whose content is visited.
struct Open {
    index: i64,
    symbol: Option<Arc<Symbol>>,
}

/// A symbol with the text of its path, which all operations in it have.
struct Symbol {
    path: SymbolPath,
    text: String,
}

/// Texts that all operations with one context share.
#[derive(Default)]
pub(super) struct Texts {
    types: TypeTexts,
    /// The names of symbols, each copied once.
    names: HashMap<Identifier, Arc<[u8]>>,
}

/// A module in memory, with what is computed of its operations beforehand.
pub(super) struct Computed<'m> {
    pub(super) module: &'m Module,
    pub(super) fingerprints: HashMap<Operation, Fingerprints>,
    /// By symbol: the number of its operations.
    pub(super) sizes: HashMap<Operation, i64>,
}

/// How a visit of a file ended.
pub(super) enum Visit {
    /// The visit ended with the file.
    Complete,
    /// Enough is held: a new visit with another context makes the other rows.
    Partial,
}

/// Makes the rows of the operations that it receives.
pub(super) struct Rows<'r> {
    place: &'r mut Place,
    texts: &'r mut Texts,
    columns: &'r mut Columns,
    batches: &'r Batches,
    computed: Option<&'r Computed<'r>>,
    open: Vec<Open>,
    /// The operations directly in the top-level one that were met.
    met: u64,
    /// Whether this visit made the rows of one of them.
    has_part: bool,
    /// If the visit may end early: what its context holds.
    held: Option<&'r mut Held>,
    /// Whether only the first operation has a row.
    is_alone: bool,
    outcome: std::result::Result<Visit, Stop>,
}

impl<'r> Rows<'r> {
    pub(super) fn new(
        place: &'r mut Place,
        texts: &'r mut Texts,
        columns: &'r mut Columns,
        batches: &'r Batches,
    ) -> Self {
        Rows {
            place,
            texts,
            columns,
            batches,
            computed: None,
            open: Vec::new(),
            met: 0,
            has_part: false,
            held: None,
            is_alone: false,
            outcome: Ok(Visit::Complete),
        }
    }

    /// Makes the rows of a module in memory.
    pub(super) fn of_module(mut self, computed: &'r Computed<'r>) -> Self {
        self.computed = Some(computed);
        self
    }

    /// The first operation that is visited is directly in the top-level one, whose row is made.
    pub(super) fn in_top(mut self) -> Self {
        self.open.push(Open {
            index: 0,
            symbol: None,
        });
        self
    }

    /// Makes only the row of the operation that is visited first.
    pub(super) fn without_content(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// Goes on with the operations whose rows are not made yet, until enough is held.
    pub(super) fn until(mut self, held: &'r mut Held) -> Self {
        self.held = Some(held);
        self
    }

    /// Returns how the visit ended.
    pub(super) fn finish(self) -> std::result::Result<Visit, Stop> {
        self.outcome
    }

    /// Returns whether an operation is left to another visit, or its rows are there.
    fn skip(&mut self, context: &Context) -> Option<WalkResult> {
        let held = self.held.as_deref_mut()?;
        match self.open.len() {
            0 => (self.place.parts > 0).then_some(WalkResult::Advance),
            1 => {
                self.met = self.met.saturating_add(1);
                if self.met <= self.place.parts {
                    return Some(WalkResult::Skip);
                }
                // Each visit makes the rows of one at least.
                if self.has_part && held.is_enough(context) {
                    self.outcome = Ok(Visit::Partial);
                    return Some(WalkResult::Interrupt);
                }
                self.has_part = true;
                self.place.parts = self.met;
                None
            }
            _ => None,
        }
    }

    /// Returns the innermost symbol that an operation is or is in.
    fn symbol(&mut self, event: &mut OperationEvent<'_>) -> Result<Option<Arc<Symbol>>> {
        let around = self.open.last().and_then(|open| open.symbol.as_ref());
        // The top-level operation is not part of references.
        let own = match self.open.is_empty() {
            true => None,
            false => event.symbol_name()?,
        };
        let Some(name) = own else {
            return Ok(around.map(Arc::clone));
        };
        let known = self.texts.names.entry(name);
        let name = known.or_insert_with(|| event.context().bytes(name).into());
        let path = around.map(|symbol| symbol.path.clone());
        let path = path.unwrap_or_default().child(Arc::clone(name));
        let text = shown(&path);
        Ok(Some(Arc::new(Symbol { path, text })))
    }
}

impl Visitor for Rows<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let around = self.open.last().map(|open| open.index);
        if let Some(result) = self.skip(event.context()) {
            self.open.push(Open {
                index: 0,
                symbol: None,
            });
            return Ok(result);
        }
        let symbol = self.symbol(event)?;
        let what = self.columns.what();
        let location = match what {
            What::Attributes | What::Constants => event.context().unknown_location(),
            _ => event.location()?,
        };
        let (attributes, properties) = match what {
            What::Locations | What::Symbols => (None, None),
            _ => event.dictionaries()?,
        };
        let index = self.place.next_index;
        self.place.next_index = index.saturating_add(1);
        let operation = event.operation();
        let context = event.context();
        let entries = |dictionary: Option<Attribute>| {
            dictionary.map_or(&[][..], |one| context.dictionary_entries(one))
        };
        let computed = self.computed;
        self.columns.push(
            &Row {
                file: &self.place.name,
                producer: self.place.producer.as_deref(),
                context,
                name: &context.str(context.operation_name_identifier(event.name())),
                attributes: entries(attributes),
                properties: entries(properties),
                location,
                op: computed
                    .zip(operation)
                    .map(|(one, operation)| Op::from((context, one.module, operation))),
                index,
                parent: around,
                depth: i32::try_from(self.open.len()).unwrap_or(i32::MAX),
                symbol: symbol.as_ref().map(|symbol| &*symbol.text),
                fingerprints: computed
                    .zip(operation)
                    .and_then(|(one, operation)| one.fingerprints.get(&operation)),
                operations: computed
                    .zip(operation)
                    .and_then(|(one, operation)| one.sizes.get(&operation).copied()),
            },
            &mut self.texts.types,
        );
        self.open.push(Open { index, symbol });
        match self.batches.flush(self.columns) {
            Ok(()) if self.is_alone => Ok(WalkResult::Skip),
            Ok(()) => Ok(WalkResult::Advance),
            Err(stop) => {
                self.outcome = Err(stop);
                Ok(WalkResult::Interrupt)
            }
        }
    }

    fn end_operation(&mut self) -> Result<()> {
        self.open.pop();
        Ok(())
    }
}
