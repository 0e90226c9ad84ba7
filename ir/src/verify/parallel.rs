//! Verification on several threads. It decides only whether a module is valid. If it is not, one
//! thread verifies the module again, so the errors and their order do not depend on the number of
//! threads.
//!
//! The caller's thread visits the root operation, except for the content of nested isolated
//! operations such as functions. It queues these, and idle threads take them in batches. As in the
//! sequential verifier, symbol references are checked last, once everything else is valid.

use super::driver::Verifier;
use super::names::Names;
use super::plan::{Plan, plans};
use super::requirements::Requirements;
use super::symbols::{check_references_of_attributes, refers_to_symbols};
use super::{RefusedEntries, VerifyOptions};
use crate::definition::OperationTraits;
use crate::op::Op;
use crate::{Context, Module, Operation, SymbolTableCollection, Threads};
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Modules with fewer operation slots are verified by one thread, because starting threads would
/// take longer than they save.
const WORTH_IT: usize = 1 << 13;

/// The number of operations in a batch.
const TAKEN: usize = 32;

/// Returns whether an operation and everything nested in it are known to be valid. False means that
/// the sequential verifier must decide.
pub(super) fn holds(
    context: &Context,
    module: &Module,
    root: Operation,
    (options, refused): (&VerifyOptions, &RefusedEntries),
) -> bool {
    if options.threads == Threads::ONE || module.operation_slots() < WORTH_IT {
        return false;
    }
    let queue = Queue::default();
    let users = Mutex::new(Vec::new());
    queue.share(options.threads, |is_caller| {
        let names = Names::new(context, module);
        let plans = plans(context, &names, options);
        let mut verifier = Verifier::new(context, module, (options, refused), &plans);
        if is_caller {
            verifier.go_around(root, &mut queue.filler());
        }
        while verifier.errors.is_empty()
            && let Some(taken) = queue.take()
        {
            for unit in taken {
                verifier.look_into(unit);
            }
        }
        if !verifier.errors.is_empty() {
            queue.fail();
        }
        lock(&users).append(&mut verifier.symbol_users);
    });
    let users = users.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.is_done() && symbols_hold(context, module, &users, options.threads)
}

/// Returns whether the root is valid, names in symbol tables are unique, and references to symbols
/// are right, where all else is known to be valid. False means that everything must be checked.
pub(super) fn symbols_are_valid(
    context: &Context,
    module: &Module,
    root: Operation,
    options: &VerifyOptions,
) -> bool {
    let refused = RefusedEntries::default();
    let names = Names::new(context, module);
    let plans = plans(context, &names, options);
    let (users, tables) = symbol_users_and_tables((context, module), root, &plans, options.threads);
    let verifier = Verifier::new(context, module, (options, &refused), &plans);
    verifier.check_names(root, &tables) && symbols_hold(context, module, &users, options.threads)
}

/// Returns the operations in a root whose hooks check references to symbols, and the symbol tables,
/// the root among them, each in order.
fn symbol_users_and_tables(
    (context, module): (&Context, &Module),
    root: Operation,
    plans: &[Plan<'_>],
    threads: Threads,
) -> (Vec<Operation>, Vec<Operation>) {
    /// The minimum number of operations directly in the root for which a thread is started.
    const CHUNK: usize = 512;
    // Whether operations of each name refer to symbols, and are symbol tables.
    let rules = plans.iter().map(|plan| {
        let is_table = plan.has(OperationTraits::SYMBOL_TABLE);
        (plan.uses_symbols(), is_table)
    });
    let rules: Vec<(bool, bool)> = rules.collect();
    let rules = |operation: Operation| rules[module.name(operation).index()];
    let blocks = module
        .regions(root)
        .flat_map(|region| module.blocks(region));
    let children: Vec<Operation> = blocks.flat_map(|block| module.operations(block)).collect();
    let found = threads.map(children.len().div_ceil(CHUNK), |chunk| {
        let start = chunk.saturating_mul(CHUNK);
        let end = children.len().min(start.saturating_add(CHUNK));
        let (mut users, mut tables) = (Vec::new(), Vec::new());
        let children = children.get(start..end).unwrap_or_default();
        for operation in children.iter().flat_map(|&child| module.descendants(child)) {
            let (uses_symbols, is_table) = rules(operation);
            let attributes = module.attributes(operation);
            if uses_symbols
                || attributes.is_some_and(|attributes| refers_to_symbols(context, attributes))
            {
                users.push(operation);
            }
            if is_table {
                tables.push(operation);
            }
        }
        (users, tables)
    });
    let (mut users, mut tables) = (Vec::new(), Vec::new());
    if let (_, true) = rules(root) {
        tables.push(root);
    }
    for (more_users, more_tables) in found {
        users.extend(more_users);
        tables.extend(more_tables);
    }
    (users, tables)
}

/// Whether the references of these operations to symbols are right, where all else is.
fn symbols_hold(context: &Context, module: &Module, users: &[Operation], threads: Threads) -> bool {
    let queue = Queue::default();
    let mut filler = queue.filler();
    users.iter().for_each(|&user| filler.push(user));
    drop(filler);
    queue.share(threads, |_| {
        let mut symbols = SymbolTableCollection::new();
        let mut rules = HashMap::new();
        let mut holds = |user: Operation| {
            let name = module.name(user);
            let definition = context.operation_definition(name).map(|d| &**d);
            let verifier = definition.and_then(|definition| definition.verifier);
            let view = Op::from((context, module, user));
            let rules = rules.entry(name);
            let rules = rules.or_insert_with(|| Requirements::new(context, definition));
            rules.check_symbols(view, &mut symbols).is_ok()
                && verifier
                    .is_none_or(|verifier| verifier.verify_symbol_uses(view, &mut symbols).is_ok())
                && check_references_of_attributes(view, &mut symbols).is_ok()
        };
        while let Some(taken) = queue.take() {
            if !taken.into_iter().all(&mut holds) {
                queue.fail();
            }
        }
    });
    queue.is_done()
}

/// A queue of batches of operations. It closes as soon as a thread reports a failure.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Signals that a batch was added or that the queue was closed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queued: Vec<Vec<Operation>>,
    is_full: bool,
    has_failed: bool,
}

impl Queue {
    /// Returns the handle that fills the queue. Dropping it closes the queue.
    fn filler(&self) -> Filler<'_> {
        Filler {
            queue: self,
            next: Vec::new(),
        }
    }

    /// Waits for the next batch. Returns `None` if the queue is drained and closed, or a thread has
    /// failed.
    fn take(&self) -> Option<Vec<Operation>> {
        let mut state = lock(&self.state);
        loop {
            if state.has_failed {
                return None;
            }
            match state.queued.pop() {
                None if !state.is_full => {
                    let waited = self.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
                taken => return taken,
            }
        }
    }

    fn fail(&self) {
        lock(&self.state).has_failed = true;
        self.changed.notify_all();
    }

    /// Returns whether no thread has failed. Call it after all threads have ended.
    fn is_done(&self) -> bool {
        !lock(&self.state).has_failed
    }

    /// Runs a function on the caller's thread and on others; its argument states whether it is the
    /// caller's. Where no threads can be had, the caller's does all.
    fn share(&self, threads: Threads, work: impl Fn(bool) + Sync) {
        thread::scope(|scope| {
            for _ in 1..threads.count() {
                let _ = thread::Builder::new().spawn_scoped(scope, || work(false));
            }
            work(true);
        });
    }
}

/// Fills a [`Queue`]. Dropping it marks the queue as full, also on an early return, so that no
/// thread waits forever.
pub(super) struct Filler<'q> {
    queue: &'q Queue,
    next: Vec<Operation>,
}

impl Filler<'_> {
    pub(super) fn push(&mut self, operation: Operation) {
        self.next.push(operation);
        if self.next.len() == TAKEN {
            self.hand_over(false);
        }
    }

    fn hand_over(&mut self, is_full: bool) {
        let next = std::mem::replace(&mut self.next, Vec::with_capacity(TAKEN));
        let mut state = lock(&self.queue.state);
        state.is_full = is_full;
        if !next.is_empty() {
            state.queued.push(next);
        }
        drop(state);
        match is_full {
            true => self.queue.changed.notify_all(),
            false => self.queue.changed.notify_one(),
        }
    }
}

impl Drop for Filler<'_> {
    fn drop(&mut self) {
        self.hand_over(true);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
