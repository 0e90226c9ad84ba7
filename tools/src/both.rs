//! Two visitors in one visit.

use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::WalkResult;

/// Passes each event to two visitors, neither of which skips regions. The visit ends when one of
/// them stops.
pub struct Both<'v>(pub &'v mut dyn Visitor, pub &'v mut dyn Visitor);

impl Visitor for Both<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let walk = [self.0.operation(event)?, self.1.operation(event)?];
        debug_assert!(!walk.contains(&WalkResult::Skip));
        Ok(match walk.contains(&WalkResult::Interrupt) {
            true => WalkResult::Interrupt,
            false => WalkResult::Advance,
        })
    }

    fn end_operation(&mut self) -> Result<()> {
        self.0.end_operation()?;
        self.1.end_operation()
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.0.region(blocks)?;
        self.1.region(blocks)
    }

    fn end_region(&mut self) -> Result<()> {
        self.0.end_region()?;
        self.1.end_region()
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        self.0.block(event)?;
        self.1.block(event)
    }
}
