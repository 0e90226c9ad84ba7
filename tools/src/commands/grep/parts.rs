//! Reads the top-level operations in which operations are found, a few at a time.
//!
//! A whole module that does not fit into the caches of the processor takes most of its time waiting
//! for memory. Parts of it fit, and what is not printed is not read.

use rmlir::events::{BlockEvent, ModuleBuilder, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, Module, Operation, WalkResult};
use std::ops::ControlFlow;

/// The number of operations from which a part is complete.
const PART: usize = 1 << 11;

/// The top-level operations of a file, and whether they can be printed without each other.
#[derive(Debug, Default)]
pub(super) struct TopLevel {
    /// The numbers of the operations directly in the outermost one, in the order of the events.
    starts: Vec<u64>,
    depth: usize,
    next: u64,
    /// Whether names and syntax inside of a top-level operation depend on others, which is so if
    /// these define values, or are not in the one block of a module.
    are_related: bool,
}

impl TopLevel {
    /// Returns whether the operations with these numbers can be read with
    /// [`Parts`]: they are in top-level operations that are independent.
    pub(super) fn are_independent(&self, numbers: &[u64]) -> bool {
        let first = self.starts.first();
        !self.are_related && first.is_some_and(|first| numbers.iter().all(|number| number >= first))
    }
}

/// Passes events on, and collects the [`TopLevel`] of the file.
pub(super) struct WithTopLevel<'t>(pub(super) &'t mut TopLevel, pub(super) &'t mut dyn Visitor);

impl Visitor for WithTopLevel<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let top = &mut *self.0;
        let number = top.next;
        top.next += 1;
        match top.depth {
            0 => {
                let name = event.context().operation_name_bytes(event.name());
                top.are_related |= name != b"builtin.module"
                    || event.result_count() > 0
                    || event.region_count() != 1;
            }
            1 => {
                top.are_related |= event.result_count() > 0;
                top.starts.push(number);
            }
            _ => {}
        }
        top.depth += 1;
        self.1.operation(event)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.0.depth -= 1;
        self.1.end_operation()
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.0.are_related |= self.0.depth == 1 && blocks != 1;
        self.1.region(blocks)
    }

    fn end_region(&mut self) -> Result<()> {
        self.1.end_region()
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        self.0.are_related |= self.0.depth == 1 && event.arguments().len() > 0;
        self.1.block(event)
    }
}

/// Receives a part of a module and the operations in it that were found, and returns whether to go
/// on. Only these operations have locations.
pub(super) type Receiver<'r> = dyn FnMut(&Context, &Module, &[Operation]) -> ControlFlow<()> + 'r;

/// Builds the top-level operations that contain operations which were found, and passes them on.
pub(super) struct Parts<'p> {
    starts: &'p [u64],
    /// The numbers of the operations that were found and not visited yet, ascending.
    found: &'p [u64],
    each: &'p mut Receiver<'p>,
    builder: ModuleBuilder,
    /// The builder before the first top-level operation.
    empty: Option<ModuleBuilder>,
    /// The operations that were found, in the module that is being built.
    operations: Vec<Operation>,
    depth: usize,
    next: u64,
    is_skipping: bool,
    /// See [`TopLevel::are_related`]. A search that stopped early has not seen all operations.
    are_related: bool,
}

impl<'p> Parts<'p> {
    /// Returns a visitor for the file that `top` has visited. `has_names` is whether the file has
    /// names of values and blocks, which the parts have too then.
    pub(super) fn new(
        top: &'p TopLevel,
        found: &'p [u64],
        has_names: bool,
        each: &'p mut Receiver<'p>,
    ) -> Self {
        let mut builder = ModuleBuilder::default();
        builder.keep_names(has_names);
        Parts {
            starts: &top.starts,
            found,
            each,
            builder,
            empty: None,
            operations: Vec::new(),
            depth: 0,
            next: 0,
            is_skipping: false,
            are_related: false,
        }
    }

    /// Passes on the remaining operations. Must be called after the visit. Breaks if the operations
    /// that were passed on depend on others.
    pub(super) fn finish(&mut self, context: &Context) -> ControlFlow<()> {
        match self.are_related {
            true => ControlFlow::Break(()),
            false => self.flush(context),
        }
    }

    /// Passes on the operations that were built since the last time.
    fn flush(&mut self, context: &Context) -> ControlFlow<()> {
        if self.operations.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut empty = self.empty.clone().unwrap_or_default();
        empty.reserve(PART);
        let built = std::mem::replace(&mut self.builder, empty);
        let passed = match built.finish() {
            Some(module) => (self.each)(context, &module, &self.operations),
            // An operand that is defined nowhere.
            None => ControlFlow::Break(()),
        };
        self.operations.clear();
        passed
    }

    /// Begins a top-level operation.
    fn top_level(&mut self, event: &OperationEvent<'_>) -> WalkResult {
        self.are_related |= event.result_count() > 0;
        if self.are_related {
            return WalkResult::Interrupt;
        }
        let Some((&start, starts)) = self.starts.split_first() else {
            return WalkResult::Skip;
        };
        self.starts = starts;
        self.next = start;
        let is_next = |&found| starts.first().is_none_or(|&next| found < next);
        if !self.found.first().is_some_and(is_next) {
            return WalkResult::Skip;
        }
        if self.empty.is_none() {
            self.empty = Some(self.builder.clone());
        }
        if self.builder.operation_count() >= PART && self.flush(event.context()).is_break() {
            return WalkResult::Interrupt;
        }
        WalkResult::Advance
    }
}

impl Visitor for Parts<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        if self.depth == 1 {
            let walk = self.top_level(event);
            if walk != WalkResult::Advance {
                self.is_skipping = true;
                return Ok(walk);
            }
        }
        let is_found = self.found.first() == Some(&self.next);
        self.builder.omit_locations(!is_found);
        self.builder.operation(event)?;
        if is_found {
            self.found = self.found.get(1..).unwrap_or_default();
            self.operations.extend(self.builder.current_operation());
        }
        self.next += 1;
        self.depth += 1;
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_skipping) {
            return Ok(());
        }
        self.depth -= 1;
        self.builder.end_operation()
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.builder.region(blocks)
    }

    fn end_region(&mut self) -> Result<()> {
        self.builder.end_region()
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        self.builder.omit_locations(true);
        self.builder.block(event)
    }
}
