//! Compares two modules, symbol by symbol.

use super::operations::{Item, Matching, Pair, matching};
use super::order;
use super::renamed::Renamed;
use super::side::{Content, Side};
use crate::Failure;
use crate::symbols::shown;
use rmlir::ir::{EqualityOptions, Operation, semantic_difference};
use rmlir::reader::lazy::SymbolPath;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Added,
    Removed,
    Changed,
    /// The name, or the symbol table, is another one.
    Renamed,
    /// The position in its symbol table is another one.
    Moved,
    Locations,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
            Kind::Renamed => "renamed",
            Kind::Moved => "moved",
            Kind::Locations => "locations",
        }
    }
}

/// A symbol, or the rest of a symbol table, that differs.
pub(super) struct Change {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The previous path of a renamed symbol.
    pub(super) from: Option<String>,
    pub(super) notes: Vec<String>,
    /// The operations on both sides; several ones of the rest of a symbol table.
    pub(super) left: Part,
    pub(super) right: Part,
    /// The differences in a changed symbol.
    pub(super) matching: Option<Matching>,
}

/// The part of a module that a change concerns.
#[derive(Default)]
pub(super) struct Part {
    pub(super) operations: Vec<Operation>,
    /// The symbol table, if it is the rest of one.
    pub(super) table: Option<Operation>,
    pub(super) items: Vec<Item>,
}

impl Part {
    fn of(operation: Operation) -> Self {
        Part {
            operations: vec![operation],
            ..Part::default()
        }
    }
}

/// The options of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) locations: bool,
    /// Whether the operations of changed symbols are matched.
    pub(super) operations: bool,
    /// Whether the operations of symbols that only one side has are listed.
    pub(super) lone: bool,
}

/// The operations of one path on both sides; `None` if a side does not have it.
struct Compared {
    path: SymbolPath,
    left: Option<Operation>,
    right: Option<Operation>,
}

/// The comparison of two modules. Each operation belongs to exactly one part: a symbol that is not
/// a symbol table, or the rest of a symbol table. So the comparison takes linear time.
pub(super) struct Comparison<'d, 's> {
    pub(super) wanted: Wanted,
    pub(super) left: Side<'s>,
    pub(super) right: Side<'s>,
    pub(super) renamed: &'d Renamed,
    /// Takes each change as soon as it is known.
    pub(super) found: &'d mut dyn FnMut(&Side<'s>, &Side<'s>, Change) -> Result<(), Failure>,
    pub(super) count: usize,
}

impl Comparison<'_, '_> {
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let mut open = vec![Compared {
            path: SymbolPath::default(),
            left: Some(self.left.module.top()),
            right: Some(self.right.module.top()),
        }];
        // Many symbols may have one long name.
        let mut shared: HashMap<(usize, usize), Arc<[u8]>> = HashMap::new();
        while let Some(compared) = open.pop() {
            let is_table = |side: &Side<'_>, operation: Option<Operation>| {
                operation.filter(|&operation| side.is_table(operation))
            };
            let tables = (
                is_table(&self.left, compared.left),
                is_table(&self.right, compared.right),
            );
            let path = &compared.path;
            match (compared.left, compared.right) {
                (Some(left), None) if self.renamed.gone.contains(&left) => continue,
                (Some(left), None) => {
                    let mut change =
                        change(shown(path), Kind::Removed, Part::of(left), Part::default());
                    if self.wanted.lone && tables.0.is_none() {
                        change.left.items = self.left.items(left);
                        let count = change.left.items.len();
                        change.matching = Some(Matching::lone((0..count).map(Pair::Removed)));
                    }
                    self.report(change)?;
                }
                (None, Some(right)) => {
                    let part = Part::of(right);
                    if let Some(from) = self.renamed.from.get(&right) {
                        let mut change = change(shown(path), Kind::Renamed, Part::default(), part);
                        change.from = Some(shown(from));
                        self.report(change)?;
                        continue;
                    }
                    let mut change = change(shown(path), Kind::Added, Part::default(), part);
                    if self.wanted.lone && tables.1.is_none() {
                        change.right.items = self.right.items(right);
                        let count = change.right.items.len();
                        change.matching = Some(Matching::lone((0..count).map(Pair::Added)));
                    }
                    self.report(change)?;
                }
                (Some(left), Some(right)) if tables.0.is_none() || tables.1.is_none() => {
                    self.symbols(path, left, right)?;
                }
                _ => {}
            }
            if tables.0.is_none() && tables.1.is_none() {
                continue;
            }
            let content = (
                tables.0.map(|t| self.left.content(t)).unwrap_or_default(),
                tables.1.map(|t| self.right.content(t)).unwrap_or_default(),
            );
            if let (Some(left), Some(right)) = tables {
                self.tables(path, (left, &content.0), (right, &content.1))?;
            }
            let names: BTreeSet<&[u8]> = (content.0.symbols.keys())
                .chain(content.1.symbols.keys())
                .copied()
                .collect();
            for name in names.into_iter().rev() {
                let address = (name.as_ptr().addr(), name.len());
                let copy = shared.entry(address).or_insert_with(|| name.into());
                open.push(Compared {
                    path: path.child(Arc::clone(copy)),
                    left: content.0.symbols.get(name).map(|&(_, operation)| operation),
                    right: content.1.symbols.get(name).map(|&(_, operation)| operation),
                });
            }
        }
        if self.count == 0 {
            // Differences that no symbol shows: how values connect unnamed operations, or the
            // locations of symbol tables.
            let tops = (self.left.module.top(), self.right.module.top());
            let name = MODULE.to_owned();
            let mut change = change(name, Kind::Changed, Part::default(), Part::default());
            change.notes = self.first_difference(tops.0, tops.1, self.wanted.locations);
            self.report(change)?;
        }
        Ok(())
    }

    fn report(&mut self, change: Change) -> Result<(), Failure> {
        self.count += 1;
        (self.found)(&self.left, &self.right, change)
    }

    /// Compares two symbols that are not both symbol tables, with everything nested in them.
    fn symbols(
        &mut self,
        path: &SymbolPath,
        left: Operation,
        right: Operation,
    ) -> Result<(), Failure> {
        let stored = (self.left.stored(path), self.right.stored(path));
        let is_same = match stored {
            (Some(left), Some(right)) => left == right,
            _ => self.left.fingerprint(left, false) == self.right.fingerprint(right, false),
        };
        let locations = is_same
            && self.wanted.locations
            && self.left.fingerprint(left, true) != self.right.fingerprint(right, true);
        if is_same && !locations {
            return Ok(());
        }
        let mut parts = (Part::of(left), Part::of(right));
        if self.wanted.operations {
            parts.0.items = self.left.items(left);
            parts.1.items = self.right.items(right);
        }
        let kind = match locations {
            true => Kind::Locations,
            false => Kind::Changed,
        };
        let mut change = change(shown(path), kind, parts.0, parts.1);
        if self.wanted.operations {
            self.compare_operations(&mut change, (left, right));
        }
        self.report(change)
    }

    /// Matches the operations of a change. Differences that are in no operation become notes.
    fn compare_operations(&mut self, change: &mut Change, whole: (Operation, Operation)) {
        let matching = matching(
            (&self.left, &change.left.items),
            (&self.right, &change.right.items),
        );
        let shows = matching.pairs.iter().any(|pair| pair.is_change());
        if !shows && change.kind == Kind::Changed {
            change.notes = self.first_difference(whole.0, whole.1, false);
        }
        change.matching = Some(matching);
    }

    /// Compares the rest of two symbol tables: the operations themselves, their unnamed operations,
    /// and the order.
    fn tables(
        &mut self,
        path: &SymbolPath,
        left: (Operation, &Content<'_>),
        right: (Operation, &Content<'_>),
    ) -> Result<(), Failure> {
        let rest = (
            self.left.rest(left.0, left.1),
            self.right.rest(right.0, right.1),
        );
        let differs = rest.0 != rest.1;
        let moved = order::moved(left.1, right.1);
        let unnamed_moved = !differs && moved.is_empty() && order::unnamed_moved(left.1, right.1);
        if differs || unnamed_moved {
            let name = match path.name() {
                None => MODULE.to_owned(),
                Some(_) => format!("{} itself", shown(path)),
            };
            let part = |(table, content): (Operation, &Content<'_>)| Part {
                operations: content.unnamed.clone(),
                table: Some(table),
                items: Vec::new(),
            };
            let mut change = change(name, Kind::Changed, part(left), part(right));
            if unnamed_moved {
                let note = "order of operations without a name and symbols differs";
                change.notes.push(note.to_owned());
            } else if self.wanted.operations {
                change.left.items = self.left.items_of_rest(left.0, left.1);
                change.right.items = self.right.items_of_rest(right.0, right.1);
                self.compare_operations(&mut change, (left.0, right.0));
            }
            self.report(change)?;
        }
        for moved in moved {
            let path_of_moved = path.child(moved.name.into());
            let parts = (Part::default(), Part::default());
            let mut change = change(shown(&path_of_moved), Kind::Moved, parts.0, parts.1);
            change.notes.push(moved.description(path));
            self.report(change)?;
        }
        Ok(())
    }

    fn first_difference(&self, left: Operation, right: Operation, locations: bool) -> Vec<String> {
        first_difference((&self.left, &self.right), (left, right), locations)
    }
}

/// Returns a note with the first difference of two operations, if there is one.
pub(super) fn first_difference(
    sides: (&Side<'_>, &Side<'_>),
    operations: (Operation, Operation),
    locations: bool,
) -> Vec<String> {
    let first = semantic_difference(
        (sides.0.context, sides.0.module, operations.0),
        (sides.1.context, sides.1.module, operations.1),
        &EqualityOptions { locations },
    );
    let first = first.iter();
    first.map(|d| format!("first difference: {d}")).collect()
}

/// The name of the content that is not in a symbol.
const MODULE: &str = "the module itself";

fn change(name: String, kind: Kind, left: Part, right: Part) -> Change {
    Change {
        name,
        kind,
        from: None,
        notes: Vec::new(),
        left,
        right,
        matching: None,
    }
}
