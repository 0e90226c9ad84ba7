//! What the rows of operations need that is known at the end of the operations only: fingerprints,
//! numbers of operations, whether symbols are declarations, and types of values that are used
//! before they are defined. A visit that precedes that of the rows finds it.
//!
//! Of a large file, the two take turns: a survey ends at an operation directly in the top-level
//! one, once it found much. So it covers whole ones, and what it found is that of one more at most.

use super::scope::{Mark, Scope};
use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::format::rmbc::MAX_HASHED_DEPTH;
use rmlir::ir::{
    Context, FingerprintStream, Invalid, StreamedFingerprints, StreamedOperation, WalkResult,
};

/// The number of operations inside of one another whose fingerprints one visit computes: all
/// symbols that have some, and the top-level operation.
const LEVELS: usize = MAX_HASHED_DEPTH as usize + 1;

/// What is found of an operation.
#[derive(Default)]
pub(super) struct Note {
    /// The number of the operation in the file.
    index: i64,
    pub(super) fingerprints: Option<StreamedFingerprints>,
    /// The number of operations, including itself.
    pub(super) operations: i64,
    /// The regions with blocks, a bit each.
    regions: u64,
}

impl Note {
    /// Returns whether the region with this number has blocks.
    pub(super) fn has_blocks(&self, region: usize) -> bool {
        let region = u32::try_from(region).ok();
        region.is_some_and(|region| self.regions.checked_shr(region).unwrap_or(0) & 1 == 1)
    }
}

/// What is found of some operations of a file.
#[derive(Default)]
pub(super) struct Found {
    notes: Vec<Note>,
    /// The first note that may be requested again.
    first: usize,
    /// The number of the operation that follows; `None` if it is not surveyed to an operation.
    pub(super) end: Option<i64>,
}

impl Found {
    /// Returns the note of an operation, if there is one. Operations ask in file order.
    pub(super) fn note(&mut self, index: i64) -> Option<&Note> {
        let notes = self.notes.get(self.first..).unwrap_or_default();
        let before = notes.iter().take_while(|note| note.index < index).count();
        self.first = self.first.saturating_add(before);
        let note = self.notes.get(self.first);
        note.filter(|note| note.index == index)
    }
}

/// An operation whose content is visited.
#[derive(Clone, Copy, Default)]
struct Open {
    note: Option<usize>,
    index: i64,
    is_symbol: bool,
    /// Whether its fingerprint is wanted, in this visit or another.
    is_wanted: bool,
    is_outside: bool,
    regions: u32,
}

/// The operations that are surveyed.
#[derive(Clone, Copy)]
pub(super) struct Surveyed {
    /// Whether fingerprints are computed for all operations.
    pub(super) all: bool,
    /// Whether the fingerprint of the top-level operation is computed.
    pub(super) with_top: bool,
    /// The number of operations around the first one, and its number in the file.
    pub(super) depth: usize,
    pub(super) first: i64,
    /// The number of notes, and of values that are used before they are defined, with which the
    /// survey ends before the file does.
    pub(super) most: u64,
}

/// Where the operations that are surveyed begin or end.
#[derive(Clone, Copy, Default)]
struct Border {
    index: i64,
    /// The operation around it.
    around: Option<Open>,
    mark: Mark,
    forwarded: u64,
}

/// A visitor that surveys operations. It may need [several](Survey::again) visits.
pub(super) struct Survey {
    surveyed: Surveyed,
    start: Border,
    /// Where it ended, if this is before the end of the file.
    end: Option<Border>,
    /// Whether the end was reached. Then only the types of values are still of interest.
    is_past: bool,
    scope: Scope,
    stream: FingerprintStream,
    notes: Vec<Note>,
    /// The number of notes so far in this visit.
    noted: usize,
    next_index: i64,
    open: Vec<Open>,
    /// The number of symbols, and of operations whose fingerprints are wanted, that are open.
    symbols: u32,
    wanted: usize,
    /// The number of outer operations whose fingerprints preceding visits computed.
    level: usize,
    /// Whether there are more in them.
    has_deeper: bool,
    /// Whether fingerprints are computed even if types are missing.
    is_repeated: bool,
}

impl Survey {
    pub(super) fn new(surveyed: Surveyed) -> Self {
        Survey {
            surveyed,
            start: Border {
                index: surveyed.first,
                ..Border::default()
            },
            end: None,
            is_past: false,
            scope: Scope::default(),
            stream: FingerprintStream::default(),
            notes: Vec::new(),
            noted: 0,
            next_index: surveyed.first,
            open: Vec::new(),
            symbols: 0,
            wanted: 0,
            level: 0,
            has_deeper: false,
            is_repeated: false,
        }
    }

    /// Prepares another visit of the same operations, if it is needed: types that were used before
    /// they were known are known now, or fingerprints of inner operations are missing.
    pub(super) fn again(&mut self) -> bool {
        let is_incomplete = self.scope.is_incomplete() && !self.is_repeated;
        if !is_incomplete && !self.has_deeper {
            return false;
        }
        if !is_incomplete {
            self.level = self.level.saturating_add(LEVELS);
        }
        self.is_repeated = true;
        self.restart();
        true
    }

    /// Returns to the start.
    fn restart(&mut self) {
        self.has_deeper = false;
        self.is_past = false;
        self.scope.rewind(self.start.mark);
        self.stream = FingerprintStream::default();
        self.open.clear();
        self.open.extend(self.start.around);
        self.next_index = self.start.index;
        (self.noted, self.symbols, self.wanted) = (0, 0, 0);
    }

    /// Returns what was found, and the scope at the start if `with_scope`.
    pub(super) fn finish(&mut self, with_scope: bool) -> (Found, Option<Scope>) {
        let scope = match with_scope {
            true => {
                self.scope.rewind(self.start.mark);
                Some(std::mem::take(&mut self.scope))
            }
            false => None,
        };
        let found = Found {
            notes: std::mem::take(&mut self.notes),
            first: 0,
            end: self.end.map(|end| end.index),
        };
        (found, scope)
    }

    /// Goes on with the operations that follow those that were surveyed, in the scope that was
    /// given away, if it was.
    pub(super) fn go_on(&mut self, scope: Option<Scope>) {
        let Some(end) = self.end.take() else {
            return;
        };
        self.start = end;
        match scope {
            Some(scope) => {
                self.scope = scope;
                self.start.mark = self.scope.mark();
            }
            None => {
                self.scope.rewind(end.mark);
                self.scope.forget_forward();
            }
        }
        self.start.forwarded = self.scope.forwarded();
        (self.level, self.is_repeated) = (0, false);
        self.restart();
    }

    /// Returns whether another context can take the place of this one.
    pub(super) fn can_change_context(&self, context: &Context) -> bool {
        let is_numbering = self.is_hashing() && self.stream.has_distincts();
        !is_numbering && !self.scope.has_distincts(context)
    }

    /// Goes on with another context.
    ///
    /// # Errors
    ///
    /// Those of [`Scope::change_context`].
    pub(super) fn change_context(
        &mut self,
        from: &Context,
        to: &mut Context,
    ) -> std::result::Result<(), Invalid> {
        self.stream.change_context();
        self.scope.change_context(from, to)
    }

    /// Returns whether the operation that follows was reached, which is directly in the top-level
    /// one: there if much is found, and at the same one in each visit.
    fn is_at_end(&mut self) -> bool {
        if let Some(end) = &self.end {
            return end.index == self.next_index;
        }
        let forwarded = self.scope.forwarded().saturating_sub(self.start.forwarded);
        let found = (self.notes.len() as u64).saturating_add(forwarded);
        // What is found is counted in the first visit.
        let is_enough = found >= self.surveyed.most && !self.is_repeated;
        if !is_enough || self.next_index == self.start.index {
            return false;
        }
        self.end = Some(Border {
            index: self.next_index,
            around: self.open.last().copied(),
            mark: self.scope.mark(),
            forwarded: 0,
        });
        true
    }

    /// Returns whether fingerprints are computed.
    fn is_hashing(&self) -> bool {
        self.is_repeated || !self.scope.is_incomplete()
    }

    /// Visits an operation after those that are surveyed, for the types of its results: it may
    /// define a value that these use.
    fn outside(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        if !self.scope.has_unknown() {
            return Ok(WalkResult::Interrupt);
        }
        self.scope.results(event)?;
        self.open.push(Open {
            is_outside: true,
            ..Open::default()
        });
        Ok(WalkResult::Skip)
    }

    /// Returns the position of the note of the next operation.
    fn add_note(&mut self, index: i64) -> usize {
        let note = self.noted;
        self.noted = note.saturating_add(1);
        if note == self.notes.len() {
            self.notes.push(Note {
                index,
                ..Note::default()
            });
        }
        note
    }
}

impl Visitor for Survey {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let depth = self.surveyed.depth.saturating_add(self.open.len());
        if self.is_past || depth == 1 && self.is_at_end() {
            self.is_past = true;
            return self.outside(event);
        }
        let index = self.next_index;
        self.next_index = index.saturating_add(1);
        let is_named = event.symbol_name()?.is_some();
        let is_symbol = is_named && depth > 0;
        self.symbols = self.symbols.saturating_add(u32::from(is_symbol));
        let Surveyed { all, with_top, .. } = self.surveyed;
        let is_wanted = match depth {
            0 => with_top,
            _ => all || is_symbol,
        } && self.symbols <= MAX_HASHED_DEPTH;
        let note = (is_wanted || is_symbol).then(|| self.add_note(index));
        self.scope.operands(event);
        self.scope.results(event)?;
        if self.is_hashing() {
            let level = self.wanted.checked_sub(self.level);
            let is_here = is_wanted && level.is_some_and(|level| level < LEVELS);
            self.has_deeper |= is_wanted && level.is_some_and(|level| level >= LEVELS);
            let (attributes, properties) = event.dictionaries()?;
            let (operands, results) = self.scope.current();
            let operation = StreamedOperation {
                name: event.name(),
                operands,
                results,
                attributes,
                properties,
                successors: event.successors(),
                regions: event.region_count() as u64,
            };
            let context = event.context();
            self.stream.operation(context, &operation, is_here);
        }
        self.wanted = self.wanted.saturating_add(usize::from(is_wanted));
        self.open.push(Open {
            note,
            index,
            is_symbol,
            is_wanted,
            is_outside: false,
            regions: 0,
        });
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        if open.is_outside {
            return Ok(());
        }
        self.symbols = self.symbols.saturating_sub(u32::from(open.is_symbol));
        self.wanted = self.wanted.saturating_sub(usize::from(open.is_wanted));
        let fingerprints = match self.is_hashing() {
            true => self.stream.end_operation(),
            false => None,
        };
        let note = open.note.and_then(|note| self.notes.get_mut(note));
        if let Some(note) = note {
            note.operations = self.next_index.saturating_sub(open.index);
            note.fingerprints = fingerprints.or(note.fingerprints);
        }
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.scope.region();
        self.stream.region(blocks);
        if let Some(open) = self.open.last_mut() {
            let bit = 1u64.checked_shl(open.regions).unwrap_or(0);
            open.regions = open.regions.saturating_add(1);
            let note = open.note.and_then(|note| self.notes.get_mut(note));
            if let Some(note) = note.filter(|_| blocks > 0) {
                note.regions |= bit;
            }
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        self.stream.end_region();
        if self.open.len() == 1 {
            // Another visit may begin in it.
            return Ok(());
        }
        let stream = &mut self.stream;
        self.scope.end_region(|slot| stream.release(slot));
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        let arguments = self.scope.arguments(event)?;
        self.stream.block(event.context(), arguments);
        Ok(())
    }
}
