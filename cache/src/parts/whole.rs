//! [`WholeRun`]: a run of the tool on the whole input, beside other work.

use super::PartTool;
use std::thread::{Scope, ScopedJoinHandle};

/// A run on the whole input that starts when it is known to be needed.
pub(super) struct WholeRun<'scope, 'env, T: PartTool> {
    tool: &'env T,
    scope: &'scope Scope<'scope, 'env>,
    running: Option<ScopedJoinHandle<'scope, T::Whole>>,
}

impl<'scope, 'env, T: PartTool> WholeRun<'scope, 'env, T> {
    pub(super) fn new(tool: &'env T, scope: &'scope Scope<'scope, 'env>) -> Self {
        WholeRun {
            tool,
            scope,
            running: None,
        }
    }

    /// Starts the run, if it did not start.
    pub(super) fn start(&mut self)
    where
        T::Whole: 'scope,
    {
        if self.running.is_none() {
            let tool = self.tool;
            let thread = std::thread::Builder::new();
            // Without another thread, it runs when its result is needed.
            self.running = thread.spawn_scoped(self.scope, || tool.run_whole()).ok();
        }
    }

    /// Returns whether the run started.
    pub(super) fn is_started(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the result of the run, which starts now if it did not start.
    pub(super) fn finish(&mut self) -> T::Whole {
        let ran = self.running.take().and_then(|thread| thread.join().ok());
        ran.unwrap_or_else(|| self.tool.run_whole())
    }
}
