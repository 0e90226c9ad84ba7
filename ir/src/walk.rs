//! Walks over an operation and everything nested in it.

use crate::{Block, Module, Operation, Region};

/// The order in which a walk visits operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkOrder {
    /// Before the operations in its regions.
    PreOrder,
    /// After the operations in its regions.
    PostOrder,
}

/// How a walk continues; returned by the function that the walk calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkResult {
    /// Continues with the next operation.
    Advance,
    /// Continues with the next operation that is not nested in the visited one. In a post-order
    /// walk, where the nested operations were already visited, this is the same as
    /// [`Advance`](Self::Advance).
    Skip,
    /// Stops the walk.
    Interrupt,
}

impl WalkResult {
    /// Returns whether the walk that returned this was interrupted.
    pub fn was_interrupted(self) -> bool {
        self == WalkResult::Interrupt
    }
}

/// A step of a [`Traversal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkStep {
    /// An operation begins.
    EnterOperation(Operation),
    /// A region of the operation begins.
    EnterRegion(Region),
    /// A block of the region begins.
    EnterBlock(Block),
    /// The block's operations are over.
    LeaveBlock(Block),
    /// The region's blocks are over.
    LeaveRegion(Region),
    /// The operation's regions are over.
    LeaveOperation(Operation),
}

/// An iterator over the steps of traversing an operation and everything nested in it; see
/// [`Module::traverse`].
#[derive(Clone, Debug)]
pub struct Traversal<'m> {
    module: &'m Module,
    stack: Vec<Frame>,
    /// The operation to be entered first, until it is entered.
    start: Option<Operation>,
    /// The item that the last step entered; its content comes next, unless it is skipped.
    entered: Option<WalkStep>,
}

/// An entered item, with the next part of it to visit.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// The operation and the number of its next region.
    Operation(Operation, usize),
    Region(Region, Option<Block>),
    Block(Block, Option<Operation>),
}

impl<'m> Traversal<'m> {
    /// Skips the content of the operation, region or block that the last step entered: the next
    /// step leaves it. Does nothing after another step.
    pub fn skip_content(&mut self) {
        match self.entered.take() {
            Some(WalkStep::EnterOperation(operation)) => {
                self.stack.push(Frame::Operation(operation, usize::MAX));
            }
            Some(WalkStep::EnterRegion(region)) => self.stack.push(Frame::Region(region, None)),
            Some(WalkStep::EnterBlock(block)) => self.stack.push(Frame::Block(block, None)),
            _ => {}
        }
    }

    /// Returns the module that is traversed.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    fn enter(&mut self, step: WalkStep) -> Option<WalkStep> {
        self.entered = Some(step);
        Some(step)
    }
}

impl Iterator for Traversal<'_> {
    type Item = WalkStep;

    fn next(&mut self) -> Option<WalkStep> {
        if let Some(operation) = self.start.take() {
            return self.enter(WalkStep::EnterOperation(operation));
        }
        match self.entered.take() {
            Some(WalkStep::EnterOperation(operation)) => {
                // Most operations have no regions.
                if self.module.region_count(operation) == 0 {
                    return Some(WalkStep::LeaveOperation(operation));
                }
                self.stack.push(Frame::Operation(operation, 0))
            }
            Some(WalkStep::EnterRegion(region)) => {
                let first = self.module.first_block(region);
                self.stack.push(Frame::Region(region, first));
            }
            Some(WalkStep::EnterBlock(block)) => {
                let first = self.module.first_operation(block);
                self.stack.push(Frame::Block(block, first));
            }
            _ => {}
        }
        match self.stack.last_mut()? {
            Frame::Operation(operation, number) => {
                let operation = *operation;
                if let Some(region) = self.module.region(operation, *number) {
                    *number += 1;
                    return self.enter(WalkStep::EnterRegion(region));
                }
                self.stack.pop();
                Some(WalkStep::LeaveOperation(operation))
            }
            Frame::Region(region, next) => {
                let region = *region;
                if let Some(block) = *next {
                    *next = self.module.next_block(block);
                    return self.enter(WalkStep::EnterBlock(block));
                }
                self.stack.pop();
                Some(WalkStep::LeaveRegion(region))
            }
            Frame::Block(block, next) => {
                let block = *block;
                if let Some(operation) = *next {
                    *next = self.module.next_operation(operation);
                    return self.enter(WalkStep::EnterOperation(operation));
                }
                self.stack.pop();
                Some(WalkStep::LeaveBlock(block))
            }
        }
    }
}

impl std::iter::FusedIterator for Traversal<'_> {}

/// An iterator over an operation and all nested operations, in pre-order; see
/// [`Module::descendants`].
#[derive(Clone, Debug)]
pub struct Descendants<'m>(Traversal<'m>);

impl Descendants<'_> {
    /// Skips the operations nested in the one that was last returned.
    pub fn skip_regions(&mut self) {
        self.0.skip_content();
    }
}

impl Iterator for Descendants<'_> {
    type Item = Operation;

    fn next(&mut self) -> Option<Operation> {
        self.0.find_map(|step| match step {
            WalkStep::EnterOperation(operation) => Some(operation),
            _ => None,
        })
    }
}

impl std::iter::FusedIterator for Descendants<'_> {}

/// A pending task of [`Module::walk_mut`], with the parent that the item must still have.
#[derive(Clone, Copy)]
enum Work {
    /// Visit an operation, its regions and, in post-order, the operation itself.
    Enter(Operation, Option<Block>),
    /// Visit an operation whose regions were visited.
    Leave(Operation, Option<Block>),
    Region(Region, Operation),
    Block(Block, Region),
}

impl Module {
    /// Returns the steps of traversing `operation` and everything nested in it: every operation,
    /// region and block is entered, followed by its content, and then left.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module, WalkStep};
    ///
    /// let mut context = Context::new();
    /// let module = Module::new(&mut context);
    /// let mut depth = 0;
    /// for step in module.traverse(module.top()) {
    ///     match step {
    ///         WalkStep::EnterRegion(_) => depth += 1,
    ///         WalkStep::LeaveRegion(_) => depth -= 1,
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(depth, 0);
    /// ```
    pub fn traverse(&self, operation: Operation) -> Traversal<'_> {
        Traversal {
            module: self,
            stack: Vec::new(),
            start: Some(operation),
            entered: None,
        }
    }

    /// Returns `operation` itself and then all operations nested in it, in the order in which they
    /// are written (pre-order). The iterator is lazy: it does no work for operations that are not
    /// requested.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let a = builder.op("test.a").build()?;
    /// let b = builder.op("test.b").build()?;
    /// let all: Vec<_> = module.descendants(module.top()).collect();
    /// assert_eq!(all, [module.top(), a, b]);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn descendants(&self, operation: Operation) -> Descendants<'_> {
        Descendants(self.traverse(operation))
    }

    /// Calls `visit` for `operation` and all operations nested in it; see [`WalkOrder`] and
    /// [`WalkResult`]. Blocks and regions are walked in order. Returns
    /// [`Interrupt`](WalkResult::Interrupt) if `visit` did, else [`Advance`](WalkResult::Advance).
    ///
    /// | | order | the module may change | |
    /// |---|---|---|---|
    /// | [`descendants`](Self::descendants) | pre-order | no | an iterator of operations |
    /// | [`traverse`](Self::traverse) | both | no | an iterator of [`WalkStep`]s |
    /// | `walk` | pre- or post-order | no | calls a function |
    /// | [`walk_mut`](Self::walk_mut) | pre- or post-order | yes | calls a function |
    ///
    /// All of them keep their own stack, which grows with the nesting depth (for `walk_mut` also
    /// with the length of the blocks on the way down), and are linear in the size of the IR that
    /// they walk.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module, WalkOrder, WalkResult};
    ///
    /// let mut context = Context::new();
    /// let module = Module::new(&mut context);
    /// let mut count = 0;
    /// let result = module.walk(module.top(), WalkOrder::PostOrder, |_, _| {
    ///     count += 1;
    ///     WalkResult::Advance
    /// });
    /// assert!(!result.was_interrupted());
    /// assert_eq!(count, 1);
    /// ```
    pub fn walk(
        &self,
        operation: Operation,
        order: WalkOrder,
        mut visit: impl FnMut(&Module, Operation) -> WalkResult,
    ) -> WalkResult {
        let mut steps = self.traverse(operation);
        while let Some(step) = steps.next() {
            let result = match (step, order) {
                (WalkStep::EnterOperation(operation), WalkOrder::PreOrder)
                | (WalkStep::LeaveOperation(operation), WalkOrder::PostOrder) => {
                    visit(self, operation)
                }
                _ => WalkResult::Advance,
            };
            match result {
                WalkResult::Advance => {}
                WalkResult::Skip => steps.skip_content(),
                WalkResult::Interrupt => return WalkResult::Interrupt,
            }
        }
        WalkResult::Advance
    }

    /// Calls `visit` as [`walk`](Self::walk) does, and lets it change the module.
    ///
    /// # Visited items
    ///
    /// The walk records the regions of an operation when it reaches the operation, the blocks of a
    /// region when it reaches the region, and the operations of a block when it reaches the block.
    /// It visits a recorded item only if the item still has the same parent (the block of the
    /// operation, the region of the block) when its turn comes. So `visit` may
    ///
    /// - change names, operands, attributes, types, locations, successors of anything;
    /// - erase, detach or replace the visited operation: the walk continues after it, and does not
    ///   enter its regions in pre-order;
    /// - erase or detach any other operation or block that does not enclose the visited one: it is
    ///   not visited if it has not been;
    /// - insert operations and blocks anywhere. They are visited only if they are in a region or
    ///   block that the walk has not reached yet: in pre-order, operations that `visit` inserts
    ///   into the regions of the visited operation are visited; those that it inserts before or
    ///   after the visited operation in its block are not;
    /// - move an operation or block. An item that leaves its parent is visited only if the new
    ///   parent is a region or block that the walk reaches later, and may thus be visited twice; an
    ///   operation that stays in its block is visited once.
    ///
    /// Anything that encloses the visited operation may be moved, but must not be erased, unless
    /// `visit` returns [`Interrupt`](WalkResult::Interrupt): otherwise erased content might be
    /// visited. The same applies to `operation` itself, the root of the walk, if it is in no block.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module, WalkOrder, WalkResult};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// for _ in 0..3 {
    ///     builder.op("test.dead").build()?;
    /// }
    /// let dead = context.operation_name("test.dead");
    /// module.walk_mut(module.top(), WalkOrder::PostOrder, |module, operation| {
    ///     if module.name(operation) == dead {
    ///         assert!(module.erase_operation(operation).is_ok());
    ///     }
    ///     WalkResult::Advance
    /// });
    /// assert_eq!(module.descendants(module.top()).count(), 1);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn walk_mut(
        &mut self,
        operation: Operation,
        order: WalkOrder,
        mut visit: impl FnMut(&mut Module, Operation) -> WalkResult,
    ) -> WalkResult {
        let mut work = vec![Work::Enter(operation, self.parent_block(operation))];
        while let Some(next) = work.pop() {
            let start = work.len();
            match next {
                Work::Enter(operation, place) => {
                    if self.parent_block(operation) != place {
                        continue;
                    }
                    match order {
                        WalkOrder::PreOrder => match visit(self, operation) {
                            WalkResult::Advance if self.parent_block(operation) == place => {}
                            WalkResult::Advance | WalkResult::Skip => continue,
                            WalkResult::Interrupt => return WalkResult::Interrupt,
                        },
                        WalkOrder::PostOrder => work.push(Work::Leave(operation, place)),
                    }
                    let start = work.len();
                    work.extend(self.regions(operation).map(|r| Work::Region(r, operation)));
                    reverse(&mut work, start);
                }
                Work::Leave(operation, place) => {
                    if self.parent_block(operation) == place
                        && visit(self, operation).was_interrupted()
                    {
                        return WalkResult::Interrupt;
                    }
                }
                Work::Region(region, parent) => {
                    if self.region_parent(region) == Some(parent) {
                        work.extend(self.blocks(region).map(|block| Work::Block(block, region)));
                        reverse(&mut work, start);
                    }
                }
                Work::Block(block, region) => {
                    if self.block_region(block) == Some(region) {
                        work.extend(
                            self.operations(block)
                                .map(|op| Work::Enter(op, Some(block))),
                        );
                        reverse(&mut work, start);
                    }
                }
            }
        }
        WalkResult::Advance
    }
}

/// Reverses the pushed tasks, so that the first is popped first.
fn reverse(work: &mut [Work], start: usize) {
    if let Some(pushed) = work.get_mut(start..) {
        pushed.reverse();
    }
}
