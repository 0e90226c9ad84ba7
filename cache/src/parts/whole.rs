//! [`WholeRun`]: a run of the tool on the whole input, beside other work.

use super::{OutputForm, PartTool};
use crate::command::Priority;
use rmlir::{Form, Ir, Threads};
use std::thread::{Scope, ScopedJoinHandle};

/// A run on the whole input that starts when it is known to be needed.
pub(super) struct WholeRun<'scope, 'env, T: PartTool> {
    tool: &'env T,
    scope: &'scope Scope<'scope, 'env>,
    running: Option<ScopedJoinHandle<'scope, (T::Whole, ReadOutput)>>,
    /// The output of the finished run, if it is in bytecode.
    output: ReadOutput,
}

/// An output that was read, with its form.
pub(super) type ReadOutput = Option<(Ir, OutputForm)>;

impl<'scope, 'env, T: PartTool> WholeRun<'scope, 'env, T> {
    pub(super) fn new(tool: &'env T, scope: &'scope Scope<'scope, 'env>) -> Self {
        WholeRun {
            tool,
            scope,
            running: None,
            output: None,
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
            let run = || {
                // The run on parts starts later, and its results are compared and stored.
                let ran = tool.run_whole(Priority::Low);
                // Stored and read at once, while the tool runs on parts.
                let bytes = tool.output(&ran);
                if let Some(bytes) = bytes {
                    tool.expect_to_store(bytes);
                }
                let bytes = bytes.filter(|bytes| Form::of(bytes) != Form::Text);
                let output = bytes.and_then(|one| OutputForm::read(one.to_vec(), Threads::ONE));
                (ran, output)
            };
            self.running = thread.spawn_scoped(self.scope, run).ok();
        }
    }

    /// Returns whether the run started.
    pub(super) fn is_started(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the result of the run, which starts now if it did not start.
    pub(super) fn finish(&mut self) -> T::Whole {
        let ran = self.running.take().and_then(|thread| thread.join().ok());
        match ran {
            Some((ran, output)) => {
                self.output = output;
                ran
            }
            None => self.tool.run_whole(Priority::Normal),
        }
    }

    /// Returns the output of the finished run, if it is in bytecode.
    pub(super) fn take_output(&mut self) -> ReadOutput {
        self.output.take()
    }
}
