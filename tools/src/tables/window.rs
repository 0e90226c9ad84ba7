//! The part of a file that is visited with one context.

use super::held::Held;
use rmlir::ir::{Context, WalkResult};

/// A number of operations directly in the top-level one of a file, which are visited with one
/// context. Those before are skipped.
pub(super) struct Window<'h> {
    /// The number of those whose rows are made.
    before: u64,
    /// Those that were met.
    met: u64,
    /// The number of operations before the end, if it is known.
    end: Option<u64>,
    /// What the context holds, if this determines the end.
    held: Option<&'h mut Held>,
}

/// What to do about an operation.
pub(super) enum Turn {
    /// It is visited.
    Visited,
    /// It is outside of the window: only its result values count, and the operations in the
    /// top-level one.
    Outside(WalkResult),
    /// It is the first one after the window.
    After,
}

impl<'h> Window<'h> {
    /// A window that follows `before` operations, and ends where enough is held.
    pub(super) fn until(before: u64, held: &'h mut Held) -> Self {
        Window {
            held: Some(held),
            ..Window::between(before, None)
        }
    }

    /// A window between two numbers of operations.
    pub(super) fn between(before: u64, end: Option<u64>) -> Self {
        Window {
            before,
            met: 0,
            end,
            held: None,
        }
    }

    /// Returns the number of operations before the end, once it is known.
    pub(super) fn end(&self) -> Option<u64> {
        self.end
    }

    /// Returns the turn of the next operation, in this number of others.
    pub(super) fn turn(&mut self, depth: usize, context: &Context) -> Turn {
        match depth {
            0 if self.before > 0 => Turn::Outside(WalkResult::Advance),
            1 => {
                let before = self.met;
                self.met = before.saturating_add(1);
                if before < self.before {
                    return Turn::Outside(WalkResult::Skip);
                }
                // Each visit makes the rows of one at least.
                if before > self.before
                    && self.end.is_none()
                    && self
                        .held
                        .as_mut()
                        .is_some_and(|held| held.is_enough(context))
                {
                    self.end = Some(before);
                }
                match self.end.is_some_and(|end| before >= end) {
                    true => Turn::After,
                    false => Turn::Visited,
                }
            }
            _ => Turn::Visited,
        }
    }
}
