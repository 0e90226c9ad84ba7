//! Decodes all of a file, to find whether it can be read.

use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::WalkResult;

/// A visitor that requests everything.
pub(super) struct Check;

impl Visitor for Check {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        event.dictionaries()?;
        event.result_types()?;
        event.location()?;
        Ok(WalkResult::Advance)
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        event.argument_types()?;
        event.argument_locations()?;
        Ok(())
    }
}
