//! The order in which a module is written: an operation precedes the content of its regions.

use crate::operation_error::in_operation;
use crate::passes::one_of_two_passes;
use rmlir_format::Result;
use rmlir_ir::{Block, Context, Module, Operation, ProgressCounter, Region};

/// Callbacks of a pass over a module.
pub(super) trait Visitor {
    fn operation(&mut self, operation: Operation) -> Result<()>;
    fn region(&mut self, region: Region) -> Result<()>;
    fn block(&mut self, block: Block) -> Result<()>;
    /// Called after the whole content of an operation with regions was visited.
    fn leave(&mut self, operation: Operation) -> Result<()>;
}

/// An operation with regions that was entered, and not left.
struct Frame {
    operation: Operation,
    /// The number of its regions that were begun.
    regions: usize,
    /// The next block of the current region.
    block: Option<Block>,
}

impl Frame {
    fn new(operation: Operation) -> Self {
        Frame {
            operation,
            regions: 0,
            block: None,
        }
    }
}

/// Visits the whole content of a module in one of two passes, which `progress` counts. Does not
/// recurse. Errors name the visited operation.
pub(super) fn visit(
    context: &Context,
    module: &Module,
    progress: &ProgressCounter,
    visitor: &mut impl Visitor,
) -> Result<()> {
    let mut pass = one_of_two_passes(module, progress);
    let mut visited = 0u64;
    let top = module.top();
    let within = |operation| move |error| in_operation(error, (context, module, operation));
    visitor.operation(top).map_err(within(top))?;
    let mut stack = vec![Frame::new(top)];
    // The next operation of the current block.
    let mut next = None;
    loop {
        while let Some(operation) = next {
            visitor.operation(operation).map_err(within(operation))?;
            visited = visited.saturating_add(1);
            pass.at(visited);
            if module.region_count(operation) > 0 {
                stack.push(Frame::new(operation));
                break;
            }
            next = module.next_operation(operation);
        }
        let Some(frame) = stack.last_mut() else {
            break;
        };
        if let Some(block) = frame.block {
            visitor.block(block).map_err(within(frame.operation))?;
            frame.block = module.next_block(block);
            next = module.first_operation(block);
        } else if let Some(region) = module.region(frame.operation, frame.regions) {
            frame.regions += 1;
            visitor.region(region)?;
            frame.block = module.first_block(region);
            next = None;
        } else {
            let operation = frame.operation;
            visitor.leave(operation)?;
            stack.pop();
            // Nothing follows the top-level operation.
            next = match stack.is_empty() {
                true => None,
                false => module.next_operation(operation),
            };
        }
    }
    pass.end();
    Ok(())
}
