//! Verification on several threads. It says whether all rules are kept, and no more: which one is
//! not, and where, is found by one thread afterwards, so that errors are the same and come in the
//! same order whoever looks.
//!
//! The caller's thread goes through the operation, but does not look into isolated operations, such
//! as functions: these are queued, and who is free takes the next few. References to symbols are
//! looked at when all else is right, as they are by one thread.

use super::driver::Verifier;
use super::names::Names;
use super::plan::plans;
use super::{RefusedEntries, VerifyOptions};
use crate::op::Op;
use crate::{Context, Module, Operation, SymbolTableCollection};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// With fewer operations a thread takes longer to begin than it saves.
const WORTH_IT: usize = 1 << 13;

/// How many operations are taken at a time.
const TAKEN: usize = 32;

/// Whether it is known that an operation and all that is in it keep the rules. If not, one thread
/// has to find out.
pub(super) fn holds(
    context: &Context,
    module: &Module,
    root: Operation,
    (options, refused): (&VerifyOptions, &RefusedEntries),
) -> bool {
    if options.threads < 2 || module.operation_slots() < WORTH_IT {
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

/// Whether the references of these operations to symbols are right, where all else is.
fn symbols_hold(context: &Context, module: &Module, users: &[Operation], threads: usize) -> bool {
    let queue = Queue::default();
    let mut filler = queue.filler();
    users.iter().for_each(|&user| filler.push(user));
    drop(filler);
    queue.share(threads, |_| {
        let mut symbols = SymbolTableCollection::new();
        let mut holds = |user: Operation| {
            let definition = context.operation_definition(module.name(user));
            let verifier = definition.and_then(|definition| definition.verifier);
            verifier.is_none_or(|verifier| {
                let view = Op::from((context, module, user));
                verifier.verify_symbol_uses(view, &mut symbols).is_ok()
            })
        };
        while let Some(taken) = queue.take() {
            if !taken.into_iter().all(&mut holds) {
                queue.fail();
            }
        }
    });
    queue.is_done()
}

/// Operations that threads take from, until one of them has failed.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Something was queued, or nothing will be any more.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queued: Vec<Vec<Operation>>,
    is_full: bool,
    has_failed: bool,
}

impl Queue {
    /// Who fills the queue, until it is dropped.
    fn filler(&self) -> Filler<'_> {
        Filler {
            queue: self,
            next: Vec::new(),
        }
    }

    /// The next few, when they are there; none if no more will be, or if it does not matter any
    /// more.
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

    /// Whether all was right, after the threads ended.
    fn is_done(&self) -> bool {
        !lock(&self.state).has_failed
    }

    /// Lets the caller's thread and others work, which are told whether they are the caller's.
    /// Where no threads can be had, the caller's does all.
    fn share(&self, threads: usize, work: impl Fn(bool) + Sync) {
        thread::scope(|scope| {
            for _ in 1..threads {
                let _ = thread::Builder::new().spawn_scoped(scope, || work(false));
            }
            work(true);
        });
    }
}

/// Fills a [`Queue`]. That is done when this is dropped, and no sooner, so that nobody waits for
/// what does not come.
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
