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

/// Work that remains to be visited.
enum Rest {
    /// An operation and those after it in its block.
    Operations(Operation),
    Region(Region),
    /// A block and those after it in its region.
    Blocks(Block),
    Leave(Operation),
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
    let mut stack = vec![Rest::Leave(top)];
    stack.extend(module.regions(top).rev().map(Rest::Region));
    while let Some(rest) = stack.pop() {
        match rest {
            Rest::Operations(first) => {
                let mut current = Some(first);
                while let Some(operation) = current {
                    visitor.operation(operation).map_err(within(operation))?;
                    visited = visited.saturating_add(1);
                    pass.at(visited);
                    current = module.next_operation(operation);
                    if module.region_count(operation) > 0 {
                        if let Some(next) = current.take() {
                            stack.push(Rest::Operations(next));
                        }
                        stack.push(Rest::Leave(operation));
                        for region in module.regions(operation).rev() {
                            stack.push(Rest::Region(region));
                        }
                    }
                }
            }
            Rest::Region(region) => {
                visitor.region(region)?;
                if let Some(first) = module.first_block(region) {
                    stack.push(Rest::Blocks(first));
                }
            }
            Rest::Blocks(block) => {
                visitor.block(block).map_err(|error| {
                    let region = module.block_region(block);
                    let owner = region.and_then(|region| module.region_parent(region));
                    within(owner.unwrap_or(top))(error)
                })?;
                if let Some(next) = module.next_block(block) {
                    stack.push(Rest::Blocks(next));
                }
                if let Some(first) = module.first_operation(block) {
                    stack.push(Rest::Operations(first));
                }
            }
            Rest::Leave(operation) => visitor.leave(operation)?,
        }
    }
    pass.end();
    Ok(())
}
