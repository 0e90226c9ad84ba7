//! The rows of operations, which a visitor makes as it receives them, parents first.

use super::columns::{Columns, EntryTexts, What};
use super::feed::{Batches, Stop};
use super::scope::Scope;
use super::survey::Found;
use crate::symbols::shown;
use rmlir::SymbolPath;
use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{
    Attribute, Context, Identifier, Invalid, Location, NamedAttribute, OperationName,
    StreamedFingerprints, StreamedValue, Visibility, WalkResult,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What the rows of a file have in common, and how far they are.
pub(super) struct Place {
    name: String,
    /// The producer, once it is known.
    pub(super) producer: Option<String>,
    /// The index of the next operation.
    pub(super) next_index: i64,
}

impl Place {
    pub(super) fn new(name: String) -> Self {
        Place {
            name,
            producer: None,
            next_index: 0,
        }
    }

    /// Returns whether an operation of the file was visited. In some tables it has no row.
    pub(super) fn has_rows(&self) -> bool {
        self.next_index > 0
    }
}

/// An operation, with its position. Of types, attributes and location, those are set that the table
/// needs.
pub(super) struct Row<'r> {
    pub(super) file: &'r str,
    pub(super) producer: Option<&'r str>,
    pub(super) context: &'r Context,
    pub(super) name: OperationName,
    pub(super) operands: &'r [StreamedValue],
    pub(super) results: &'r [StreamedValue],
    pub(super) attributes: &'r [NamedAttribute],
    pub(super) properties: &'r [NamedAttribute],
    pub(super) location: Location,
    /// What it declares, if it is a symbol and the rows are those of symbols.
    pub(super) declared: Option<Declared>,
    /// The number of the operation in the file, parents first.
    pub(super) index: i64,
    pub(super) parent: Option<i64>,
    pub(super) depth: i32,
    /// The reference of the innermost symbol that it is or is in.
    pub(super) symbol: Option<&'r str>,
    pub(super) fingerprints: Option<StreamedFingerprints>,
}

/// What a symbol declares.
pub(super) struct Declared {
    pub(super) name: Identifier,
    pub(super) visibility: Visibility,
    pub(super) is_declaration: bool,
    /// The number of operations, including itself.
    pub(super) operations: i64,
}

impl<'r> Row<'r> {
    /// Returns the name of the operation.
    pub(super) fn name(&self) -> Cow<'r, str> {
        let context = self.context;
        context.str(context.operation_name_identifier(self.name))
    }

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
    entries: EntryTexts,
    /// The names of symbols, each copied once.
    names: HashMap<Identifier, Arc<[u8]>>,
}

/// Makes the rows of the operations that it receives. It is interrupted after those that were
/// surveyed.
pub(super) struct Rows<'r> {
    place: &'r mut Place,
    texts: &'r mut Texts,
    columns: &'r mut Columns,
    batches: &'r Batches,
    /// What a survey found.
    found: Found,
    /// The values, if the rows have types of operands.
    scope: Option<Scope>,
    open: Vec<Open>,
    /// Whether only the first operation has a row.
    is_alone: bool,
    outcome: std::result::Result<(), Stop>,
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
            found: Found::default(),
            scope: None,
            open: Vec::new(),
            is_alone: false,
            outcome: Ok(()),
        }
    }

    /// Receives what was found of the operations that follow. The scope is the one in which they
    /// are, if the rows [need](Self::needs_scope) it.
    pub(super) fn surveyed(&mut self, found: Found, scope: Option<Scope>) {
        (self.found, self.scope) = (found, scope);
    }

    /// Returns whether the rows have types of operands.
    pub(super) fn needs_scope(&self) -> bool {
        self.columns.what() == What::Operations
    }

    /// Gives away the scope of the operation that follows.
    pub(super) fn take_scope(&mut self) -> Option<Scope> {
        self.scope.take()
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

    /// Takes what the rest of the rows need over to another context.
    ///
    /// # Errors
    ///
    /// Those of [`Scope::change_context`].
    pub(super) fn change_context(
        &mut self,
        from: &Context,
        to: &mut Context,
    ) -> std::result::Result<(), Invalid> {
        *self.texts = Texts::default();
        match &mut self.scope {
            Some(scope) => scope.change_context(from, to),
            None => Ok(()),
        }
    }

    /// Returns whether another context can take the place of this one.
    pub(super) fn can_change_context(&self, context: &Context) -> bool {
        let scope = self.scope.as_ref();
        scope.is_none_or(|scope| !scope.has_distincts(context))
    }

    /// Returns whether the rows end early.
    pub(super) fn is_stopped(&self) -> bool {
        self.outcome.is_err()
    }

    /// Returns why the rows end early, if they do.
    pub(super) fn finish(self) -> std::result::Result<(), Stop> {
        self.outcome
    }

    /// Returns the name of the symbol that an operation is, if it is one that references can have:
    /// the top-level operation is not part of them.
    fn own_name(&self, event: &mut OperationEvent<'_>) -> Result<Option<Identifier>> {
        match self.open.is_empty() {
            true => Ok(None),
            false => event.symbol_name(),
        }
    }

    /// Returns what a symbol declares.
    fn declared(&mut self, event: &mut OperationEvent<'_>, name: Identifier) -> Result<Declared> {
        let visibility = event.symbol_visibility()?;
        let (attributes, properties) = event.dictionaries()?;
        let context = event.context();
        let has = |name: &str| {
            let mut dictionaries = [attributes, properties].into_iter().flatten();
            dictionaries.any(|one| context.dictionary_get(one, name.as_bytes()).is_some())
        };
        let note = self.found.note(self.place.next_index);
        let has_blocks = |region| note.is_some_and(|note| note.has_blocks(region));
        Ok(Declared {
            name,
            visibility,
            is_declaration: context.is_declaration(event.name(), has, has_blocks),
            operations: note.map_or(0, |note| note.operations),
        })
    }

    /// Returns the innermost symbol that an operation is or is in.
    fn symbol(&mut self, context: &Context, own: Option<Identifier>) -> Option<Arc<Symbol>> {
        let around = self.open.last().and_then(|open| open.symbol.as_ref());
        let Some(name) = own else {
            return around.map(Arc::clone);
        };
        let known = self.texts.names.entry(name);
        let name = known.or_insert_with(|| context.bytes(name).into());
        let path = around.map(|symbol| symbol.path.clone());
        let path = path.unwrap_or_default().child(Arc::clone(name));
        let text = shown(&path);
        Some(Arc::new(Symbol { path, text }))
    }
}

impl Visitor for Rows<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let around = self.open.last().map(|open| open.index);
        if self.found.end == Some(self.place.next_index) {
            return Ok(WalkResult::Interrupt);
        }
        let own = self.own_name(event)?;
        let symbol = self.symbol(event.context(), own);
        let what = self.columns.what();
        let location = match what {
            What::Attributes | What::Constants => event.context().unknown_location(),
            What::Symbols if own.is_none() => event.context().unknown_location(),
            _ => event.location()?,
        };
        let (attributes, properties) = match what {
            What::Locations | What::Symbols => (None, None),
            _ => event.dictionaries()?,
        };
        if let Some(scope) = &mut self.scope {
            scope.operands(event);
            scope.results(event)?;
        }
        let declared = match own.filter(|_| what == What::Symbols) {
            Some(name) => Some(self.declared(event, name)?),
            None => None,
        };
        let index = self.place.next_index;
        self.place.next_index = index.saturating_add(1);
        let note = self.found.note(index);
        let context = event.context();
        let entries = |dictionary: Option<Attribute>| {
            dictionary.map_or(&[][..], |one| context.dictionary_entries(one))
        };
        let (operands, results) = self
            .scope
            .as_ref()
            .map_or((&[][..], &[][..]), Scope::current);
        self.columns.push(
            &Row {
                file: &self.place.name,
                producer: self.place.producer.as_deref(),
                context,
                name: event.name(),
                operands,
                results,
                attributes: entries(attributes),
                properties: entries(properties),
                location,
                declared,
                index,
                parent: around,
                depth: i32::try_from(self.open.len()).unwrap_or(i32::MAX),
                symbol: symbol.as_ref().map(|symbol| &*symbol.text),
                fingerprints: note.and_then(|note| note.fingerprints),
            },
            &mut self.texts.entries,
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

    fn region(&mut self, _: u64) -> Result<()> {
        if let Some(scope) = &mut self.scope {
            scope.region();
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        if let Some(scope) = &mut self.scope {
            scope.end_last_region();
        }
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        if let Some(scope) = &mut self.scope {
            scope.arguments(event)?;
        }
        Ok(())
    }

    fn end_operation(&mut self) -> Result<()> {
        self.open.pop();
        Ok(())
    }
}
