//! Prints large modules on several threads.
//!
//! The calling thread prints a module from its start to its end. Meanwhile other threads print
//! *parts* ahead of it: runs of consecutive operations. When the calling thread reaches the first
//! operation of a part, it adopts the part's text; if another thread is still printing the part, it
//! prints a later part in the meantime. A text that depends on more than names of values and
//! aliases, which are assigned beforehand, is not printed ahead, so the output does not depend on
//! threads.

use rmlir_ir::{Block, Module, Operation, Resource, Threads};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum length of the text of a part, in bytes.
pub(super) const MOST_TEXT: usize = 4 << 20;

/// The maximum number of parts printed ahead for each thread.
const PARTS_AHEAD: usize = 4;

/// Operations that follow each other.
pub(super) struct Part {
    /// The operation around them.
    pub(super) parent: Operation,
    pub(super) first: Operation,
    /// The operation after the last of them.
    pub(super) end: Operation,
    /// The number of operations around them.
    pub(super) depth: usize,
}

/// The text of a part, printed by a helper.
pub(super) struct Printed {
    pub(super) text: Vec<u8>,
    /// The resources that it refers to, in the order of the first reference.
    pub(super) resources: Vec<Resource>,
}

/// An operation in which parts are searched.
struct Level {
    operation: Operation,
    regions: usize,
    block: Option<Block>,
    next: Option<Operation>,
    /// The first operation of the part that is being collected, and its number of operations.
    first: Option<Operation>,
    collected: usize,
    /// The number of operations walked, including itself.
    size: usize,
    has_parts: bool,
}

impl Level {
    fn new(operation: Operation) -> Self {
        Level {
            operation,
            regions: 0,
            block: None,
            next: None,
            first: None,
            collected: 0,
            size: 1,
            has_parts: false,
        }
    }

    /// Goes to the next block, if there is one.
    fn next_block(&mut self, module: &Module) -> bool {
        let mut block = self.block.and_then(|block| module.next_block(block));
        while block.is_none() {
            let Some(region) = module.region(self.operation, self.regions) else {
                return false;
            };
            self.regions = self.regions.saturating_add(1);
            block = module.first_block(region);
        }
        self.block = block;
        self.next = block.and_then(|block| module.first_operation(block));
        self.first = None;
        self.collected = 0;
        true
    }

    /// Adds an operation with `size` operations; returns the part if it is now large enough.
    fn add(&mut self, operation: Operation, size: usize, least: usize) -> Option<[Operation; 2]> {
        self.size = self.size.saturating_add(size);
        self.collected = self.collected.saturating_add(size);
        let first = *self.first.get_or_insert(operation);
        // The last operation of a block could be omitted when printing.
        let end = self.next.filter(|_| self.collected >= least)?;
        self.first = None;
        self.collected = 0;
        self.has_parts = true;
        Some([first, end])
    }
}

/// Returns the parts in an operation, in print order, each of at least `least` operations.
///
/// O(operations).
pub(super) fn parts(module: &Module, top: Operation, least: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut levels = vec![Level::new(top)];
    while let Some(level) = levels.last_mut() {
        let added = match level.next {
            Some(operation) => {
                level.next = module.next_operation(operation);
                if module.region_count(operation) > 0 {
                    levels.push(Level::new(operation));
                    continue;
                }
                (operation, 1)
            }
            None => {
                if level.next_block(module) {
                    continue;
                }
                let (operation, size) = (level.operation, level.size);
                let has_parts = level.has_parts;
                levels.pop();
                let Some(outer) = levels.last_mut() else {
                    break;
                };
                if has_parts {
                    // Parts are not nested in each other.
                    outer.has_parts = true;
                    outer.first = None;
                    outer.collected = 0;
                    continue;
                }
                (operation, size)
            }
        };
        let depth = levels.len();
        let Some(level) = levels.last_mut() else {
            break;
        };
        let parent = level.operation;
        if let Some([first, end]) = level.add(added.0, added.1, least) {
            parts.push(Part {
                parent,
                first,
                end,
                depth,
            });
        }
    }
    parts
}

/// The parts that threads share.
pub(super) struct Work {
    pub(super) parts: Vec<Part>,
    state: Mutex<State>,
    /// Signals that a part was printed, or that the calling thread advanced.
    changed: Condvar,
    /// The maximum number of parts printed ahead.
    ahead: usize,
}

struct State {
    /// The first part that no thread has begun.
    next: usize,
    /// The calling thread's position.
    position: usize,
    /// Whether nothing more is needed.
    is_done: bool,
    /// The state of each part.
    slots: Vec<Slot>,
}

enum Slot {
    Free,
    Begun,
    /// Its text, if it could be printed ahead.
    Printed(Option<Printed>),
}

/// The action of the calling thread when it reaches a part.
pub(super) enum Arrival<'w> {
    /// Prints it.
    Print,
    /// Adopts the text that a helper printed.
    Take(Printed),
    /// Prints another one, and tries again.
    Help(Claim<'w>),
}

/// A part that a thread prints. If this is dropped without a text, the part is not printed ahead.
pub(super) struct Claim<'w> {
    work: &'w Work,
    number: usize,
    pub(super) printed: Option<Printed>,
}

impl Claim<'_> {
    pub(super) fn part(&self) -> Option<&Part> {
        self.work.parts.get(self.number)
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut state = self.work.lock();
        if let Some(slot) = state.slots.get_mut(self.number) {
            *slot = Slot::Printed(self.printed.take());
        }
        drop(state);
        self.work.changed.notify_all();
    }
}

/// Signals, when it is dropped, that nothing more is needed.
pub(super) struct Stop<'w>(&'w Work);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_done = true;
        self.0.changed.notify_all();
    }
}

impl Work {
    pub(super) fn new(parts: Vec<Part>, threads: Threads) -> Self {
        let slots = parts.iter().map(|_| Slot::Free).collect();
        Work {
            parts,
            state: Mutex::new(State {
                next: 0,
                position: 0,
                is_done: false,
                slots,
            }),
            changed: Condvar::new(),
            ahead: threads.count().saturating_mul(PARTS_AHEAD),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// For the caller's thread.
    pub(super) fn stop(&self) -> Stop<'_> {
        Stop(self)
    }

    /// Returns the next part that no thread has begun, if it is not too far ahead.
    fn begin(&self, state: &mut State) -> Option<Claim<'_>> {
        let number = state.next.max(state.position);
        if number >= state.position.saturating_add(self.ahead) {
            return None;
        }
        *state.slots.get_mut(number)? = Slot::Begun;
        state.next = number.saturating_add(1);
        Some(Claim {
            work: self,
            number,
            printed: None,
        })
    }

    /// Returns the next part for a helper thread, waiting for one; `None` if there will be no more.
    pub(super) fn claim(&self) -> Option<Claim<'_>> {
        let mut state = self.lock();
        loop {
            if state.is_done || state.next >= self.parts.len() {
                return None;
            }
            if let Some(claim) = self.begin(&mut state) {
                return Some(claim);
            }
            state = self.wait(state);
        }
    }

    /// Returns the action of the calling thread at a part.
    pub(super) fn arrive(&self, number: usize) -> Arrival<'_> {
        let mut state = self.lock();
        if state.position != number {
            state.position = number;
            self.changed.notify_all();
        }
        loop {
            match state.slots.get_mut(number) {
                Some(slot @ Slot::Free) => {
                    *slot = Slot::Begun;
                    state.next = state.next.max(number.saturating_add(1));
                    return Arrival::Print;
                }
                Some(Slot::Printed(printed)) => {
                    return printed.take().map_or(Arrival::Print, Arrival::Take);
                }
                Some(Slot::Begun) => {}
                None => return Arrival::Print,
            }
            if let Some(claim) = self.begin(&mut state) {
                return Arrival::Help(claim);
            }
            state = self.wait(state);
        }
    }
}
