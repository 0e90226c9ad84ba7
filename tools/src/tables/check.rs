//! Decodes all of a file, to find whether it can be read.

use super::survey::Survey;
use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, WalkResult};

/// A visitor that requests everything, and passes events to a survey that covers the whole file, if
/// there is one.
pub(super) struct Check<'s>(pub(super) Option<&'s mut Survey>);

impl Check<'_> {
    /// Returns whether another context can take the place of this one.
    pub(super) fn can_change_context(&self, context: &Context) -> bool {
        let survey = self.0.as_ref();
        survey.is_none_or(|survey| survey.can_change_context(context))
    }
}

impl Visitor for Check<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        event.dictionaries()?;
        event.result_types()?;
        event.location()?;
        match &mut self.0 {
            Some(survey) => survey.operation(event),
            None => Ok(WalkResult::Advance),
        }
    }

    fn end_operation(&mut self) -> Result<()> {
        match &mut self.0 {
            Some(survey) => survey.end_operation(),
            None => Ok(()),
        }
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        match &mut self.0 {
            Some(survey) => survey.region(blocks),
            None => Ok(()),
        }
    }

    fn end_region(&mut self) -> Result<()> {
        match &mut self.0 {
            Some(survey) => survey.end_region(),
            None => Ok(()),
        }
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        event.argument_types()?;
        event.argument_locations()?;
        match &mut self.0 {
            Some(survey) => survey.block(event),
            None => Ok(()),
        }
    }
}
