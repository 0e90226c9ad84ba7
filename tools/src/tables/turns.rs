//! The visits of a file of bytecode that make its rows: a survey and the rows take turns, and each
//! goes on with another context where one holds enough.

use super::check::Check;
use super::feed::Stop;
use super::held::Held;
use super::rows::Rows;
use super::survey::Survey;
use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, Invalid, WalkResult};
use rmlir::{Pause, Visit};

/// The visits of a file, and how far they are.
pub(super) struct Turns<'r> {
    survey: Option<Survey>,
    rows: Rows<'r>,
    /// Whether the survey is visiting.
    is_surveying: bool,
    /// What a context may hold.
    held: Held,
    /// Whether everything is decoded before the first row, by the first survey if there is one, and
    /// this was not done yet.
    is_checking: bool,
    /// Where the operations begin that are surveyed, and where the next visit goes on.
    start: Option<Pause>,
    at: Option<Pause>,
}

impl<'r> Turns<'r> {
    /// With `is_checked`, the file has no rows if it cannot be read.
    pub(super) fn new(
        survey: Option<Survey>,
        rows: Rows<'r>,
        held: Held,
        is_checked: bool,
    ) -> Self {
        Turns {
            is_surveying: survey.is_some(),
            is_checking: is_checked,
            survey,
            rows,
            held,
            start: None,
            at: None,
        }
    }

    /// Visits the file with one context. Returns whether this is done: otherwise another context
    /// [takes](Self::change_context) its place.
    pub(super) fn visit(&mut self, visit: &mut Visit<'_>) -> Result<bool> {
        loop {
            let from = self.at.take();
            let held = &mut self.held;
            let (paused, is_enough) = match &mut self.survey {
                survey if self.is_checking => {
                    let mut check = Check(survey.as_mut());
                    visit_within(visit, &mut check, held, from, &Check::can_change_context)?
                }
                Some(survey) if self.is_surveying => {
                    visit_within(visit, survey, held, from, &Survey::can_change_context)?
                }
                survey => {
                    let survey = survey.as_ref();
                    let can_change = |rows: &Rows<'_>, context: &Context| {
                        rows.can_change_context(context)
                            && survey.is_none_or(|survey| survey.can_change_context(context))
                    };
                    visit_within(visit, &mut self.rows, held, from, &can_change)?
                }
            };
            if is_enough {
                self.at = paused;
                return Ok(false);
            }
            let is_checked = std::mem::take(&mut self.is_checking);
            if is_checked && self.survey.is_none() {
                continue;
            }
            if !self.next(paused) {
                return Ok(true);
            }
        }
    }

    /// Prepares the next visit. Returns false if there is none.
    fn next(&mut self, paused: Option<Pause>) -> bool {
        let Some(survey) = &mut self.survey else {
            return false;
        };
        if self.is_surveying {
            self.at = self.start.clone();
            if !survey.again() {
                let (found, scope) = survey.finish(self.rows.needs_scope());
                self.rows.surveyed(found, scope);
                self.is_surveying = false;
            }
            return true;
        }
        if paused.is_none() || self.rows.is_stopped() {
            return false;
        }
        survey.go_on(self.rows.take_scope());
        self.is_surveying = true;
        (self.start, self.at) = (paused.clone(), paused);
        true
    }

    /// Goes on with another context.
    ///
    /// # Errors
    ///
    /// If it cannot take over a type.
    pub(super) fn change_context(
        &mut self,
        from: &Context,
        to: &mut Context,
    ) -> std::result::Result<(), Invalid> {
        if let Some(survey) = &mut self.survey {
            survey.change_context(from, to)?;
        }
        self.rows.change_context(from, to)
    }

    /// Returns why the rows end early, if they do.
    pub(super) fn finish(self) -> std::result::Result<(), Stop> {
        self.rows.finish()
    }
}

/// Visits as far as a context takes it, if it can be changed there. Returns where the visit was
/// interrupted, and whether the context holds enough.
fn visit_within<V: Visitor>(
    visit: &mut Visit<'_>,
    visitor: &mut V,
    held: &mut Held,
    from: Option<Pause>,
    can_change: &dyn Fn(&V, &Context) -> bool,
) -> Result<(Option<Pause>, bool)> {
    let mut within = Within {
        visitor,
        held,
        can_change,
        is_enough: false,
    };
    let paused = visit(&mut within, from)?;
    Ok((paused, within.is_enough))
}

/// Passes events to a visitor until the context holds enough.
struct Within<'v, V> {
    visitor: &'v mut V,
    held: &'v mut Held,
    can_change: &'v dyn Fn(&V, &Context) -> bool,
    is_enough: bool,
}

impl<V: Visitor> Visitor for Within<'_, V> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let (visitor, context) = (&*self.visitor, event.context());
        let can_release = || (self.can_change)(visitor, context);
        if self.held.is_enough(context, can_release) {
            self.is_enough = true;
            return Ok(WalkResult::Interrupt);
        }
        self.visitor.operation(event)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.visitor.end_operation()
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.visitor.region(blocks)
    }

    fn end_region(&mut self) -> Result<()> {
        self.visitor.end_region()
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        self.visitor.block(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::What;
    use crate::tables::columns::Columns;
    use crate::tables::feed::Batches;
    use crate::tables::rows::{Place, Texts};
    use crate::tables::survey::Surveyed;
    use rmlir::{File, Form, ReadOptions, WriteOptions};
    use std::fmt::Write;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_context_holds_a_part_of_one_operation() {
        let mut text = String::from("\"d.f\"() ({\n");
        for n in 0..2000 {
            let _ = write!(text, "\"d.o\"() {{a = {n} : i32}} : () -> () ");
            let _ = writeln!(text, "loc(\"f.py\":{}:1)", n + 1);
        }
        text += "}) {sym_name = \"f\"} : () -> ()";
        for form in [Form::Rmbc, Form::Mlirbc] {
            let mut ir = rmlir::parse(&text).unwrap();
            let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
            let whats = [What::Operations, What::Symbols, What::Locations];
            let cases = whats.map(|what| [(what, false), (what, true)]);
            for (what, is_checked) in cases.into_iter().flatten() {
                let options = ReadOptions::default();
                let file = File::from_bytes(bytes.clone(), &options).unwrap();
                let (sender, _receiver) = sync_channel(1);
                let batches = Batches::new(sender, usize::MAX);
                let mut columns = Columns::new(what, false);
                let (mut place, mut texts) = (Place::new("f".to_owned()), Texts::default());
                let rows = Rows::new(&mut place, &mut texts, &mut columns, &batches);
                let survey = Survey::new(Surveyed {
                    all: false,
                    with_top: false,
                    depth: 0,
                    first: 0,
                    most: if is_checked { u64::MAX } else { 0 },
                });
                let survey = Some(survey).filter(|_| what != What::Locations);
                let held = Held::new(1 << 30).with_most(10_000);
                let mut turns = Turns::new(survey, rows, held, is_checked);
                let (mut context, mut contexts) = (options.context(), 1);
                let start = (context.attribute_count(), context.location_count());
                loop {
                    let mut is_done = false;
                    let visits = &mut |visit: &mut Visit<'_>| {
                        is_done = turns.visit(visit)?;
                        Ok(())
                    };
                    file.as_lazy()
                        .visit_repeatedly(&mut context, visits)
                        .unwrap();
                    assert!(
                        context.attribute_count() < start.0 + 200,
                        "{form:?} {what:?}"
                    );
                    assert!(
                        context.location_count() < start.1 + 200,
                        "{form:?} {what:?}"
                    );
                    if is_done {
                        break;
                    }
                    let mut other = options.context();
                    turns.change_context(&context, &mut other).unwrap();
                    (context, contexts) = (other, contexts + 1);
                }
                assert!(contexts > 10, "{form:?} {what:?} {contexts}");
                assert!(turns.finish().is_ok());
                let expected = if what == What::Symbols { 1 } else { 2002 };
                assert_eq!(columns.rows(), expected, "{form:?} {what:?}");
            }
        }
    }
}
