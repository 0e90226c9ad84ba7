//! Large modules on several threads.
//!
//! The caller's thread prints a module from its start to its end. Meanwhile others print operations that are far ahead, each some
//! that stand one below the other, and so does the caller's thread where it comes to operations that another is still printing. Their
//! texts are taken over when the caller's thread comes to the first of them. A text that depends on more than names of values and
//! aliases, which are given out beforehand, is not made ahead; so what is printed does not depend on threads.

use rmlir_ir::{Block, Module, Operation, Resource};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How long the text of a part may be, in bytes.
pub(super) const MOST_TEXT: usize = 4 << 20;

/// How many parts can be ahead for each thread.
const PARTS_AHEAD: usize = 4;

/// Operations that stand one below the other.
pub(super) struct Part {
    /// The operation around them.
    pub(super) parent: Operation,
    pub(super) first: Operation,
    /// The one behind the last of them.
    pub(super) end: Operation,
    /// How many operations are around them.
    pub(super) depth: usize,
}

/// What a part is as text.
pub(super) struct Printed {
    pub(super) text: Vec<u8>,
    /// The resources that it refers to, in order of the first reference.
    pub(super) resources: Vec<Resource>,
}

/// An operation in which parts are looked for.
struct Level {
    operation: Operation,
    regions: usize,
    block: Option<Block>,
    next: Option<Operation>,
    /// The first operation of the part that is being collected, and how many it has.
    first: Option<Operation>,
    collected: usize,
    /// How many operations were met, itself included.
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

    /// Adds an operation with `size` operations. The result is a part that is large enough with it.
    fn add(&mut self, operation: Operation, size: usize, least: usize) -> Option<[Operation; 2]> {
        self.size = self.size.saturating_add(size);
        self.collected = self.collected.saturating_add(size);
        let first = *self.first.get_or_insert(operation);
        // The last operation of a block could be left out.
        let end = self.next.filter(|_| self.collected >= least)?;
        self.first = None;
        self.collected = 0;
        self.has_parts = true;
        Some([first, end])
    }
}

/// The parts in an operation, in the order in which they are printed, each of at least so many operations. O(operations).
pub(super) fn parts(module: &Module, top: Operation, least: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut levels = vec![Level::new(top)];
    while let Some(level) = levels.last_mut() {
        let added = match level.next {
            Some(operation) => {
                level.next = module.next_operation(operation);
                if module.regions(operation).len() > 0 {
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
                    // Parts are not in each other.
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

/// Parts that threads share.
pub(super) struct Work {
    pub(super) parts: Vec<Part>,
    state: Mutex<State>,
    /// What threads wait for: a part that was printed, and that the caller's thread goes on.
    changed: Condvar,
    /// How many parts can be ahead.
    ahead: usize,
}

struct State {
    /// The first part that nobody has begun.
    next: usize,
    /// Where the caller's thread is.
    position: usize,
    /// Whether nothing more is needed.
    is_done: bool,
    /// By part.
    slots: Vec<Slot>,
}

enum Slot {
    Free,
    Begun,
    /// Its text, if it could be made ahead.
    Printed(Option<Printed>),
}

/// What the caller's thread is to do when it comes to a part.
pub(super) enum Arrival<'w> {
    /// To print it.
    Print,
    /// To take it over.
    Take(Printed),
    /// To print another one and to come again.
    Help(Claim<'w>),
}

/// A part that a thread prints. Without a text when this is dropped, it is not made ahead.
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

/// Says that nothing more is needed when it is dropped.
pub(super) struct Stop<'w>(&'w Work);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_done = true;
        self.0.changed.notify_all();
    }
}

impl Work {
    pub(super) fn new(parts: Vec<Part>, threads: usize) -> Self {
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
            ahead: threads.saturating_mul(PARTS_AHEAD),
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

    /// The next part that nobody has begun, if it is not too far ahead.
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

    /// The next part for another thread than the caller's, which waits for one; none if there will be no more.
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

    /// What the caller's thread is to do at a part.
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
