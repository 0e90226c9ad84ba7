//! The values in scope during a visit, with their types.

use foldhash::fast::RandomState;
use rmlir::events::{BlockEvent, OperationEvent, ValueId, ValueMap};
use rmlir::format::Result;
use rmlir::ir::{StreamedValue, Type};
use std::collections::HashMap;

/// The types of values that are used before they are defined; `None` until the definition.
pub(super) type Forward = HashMap<ValueId, Option<Type>, RandomState>;

/// The values of open regions. The memory of those of closed ones is used again.
#[derive(Default)]
pub(super) struct Scope {
    values: ValueMap<StreamedValue>,
    /// The numbers below `slots` that no value has.
    free: Vec<u32>,
    slots: u32,
    /// The values of open regions, and where those of each region begin.
    defined: Vec<ValueId>,
    regions: Vec<usize>,
    forward: Forward,
    /// How many values were used and not defined so far.
    undefined: u64,
    /// Whether a type was not known where it was used.
    is_incomplete: bool,
    /// Of the current event.
    ids: Vec<ValueId>,
    operands: Vec<StreamedValue>,
    results: Vec<StreamedValue>,
}

impl Scope {
    /// Creates the scope of another visit, which knows the types of values that are used before
    /// they are defined.
    pub(super) fn with_forward(forward: Forward) -> Self {
        Scope {
            forward,
            ..Scope::default()
        }
    }

    pub(super) fn into_forward(self) -> Forward {
        self.forward
    }

    /// Returns whether a value was used before the type was known.
    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Returns whether values were used that are not defined so far.
    pub(super) fn has_undefined(&self) -> bool {
        self.undefined > 0
    }

    /// Returns the operands of an operation; the type is `none` if it is not known.
    pub(super) fn operands(&mut self, event: &OperationEvent<'_>) -> &[StreamedValue] {
        self.operands.clear();
        let none = event.context().none_type();
        for &id in event.operands() {
            let value = match self.values.get(id) {
                Some(value) => value,
                None => {
                    let known = *self.forward.entry(id).or_insert(None);
                    self.is_incomplete |= known.is_none();
                    self.undefined = self.undefined.saturating_add(1);
                    self.insert(id, known.unwrap_or(none))
                }
            };
            self.operands.push(value);
        }
        &self.operands
    }

    /// Defines the results of an operation.
    pub(super) fn results(&mut self, event: &mut OperationEvent<'_>) -> Result<()> {
        self.results.clear();
        if event.result_count() > 0 {
            self.ids.clear();
            self.ids.extend(event.results());
            self.define(event.result_types()?);
        }
        Ok(())
    }

    /// Defines the arguments of a block.
    pub(super) fn arguments(&mut self, event: &mut BlockEvent<'_>) -> Result<&[StreamedValue]> {
        self.results.clear();
        if event.arguments().len() > 0 {
            self.ids.clear();
            self.ids.extend(event.arguments());
            self.define(event.argument_types()?);
        }
        Ok(&self.results)
    }

    /// Returns the operands and results of the current event.
    pub(super) fn current(&self) -> (&[StreamedValue], &[StreamedValue]) {
        (&self.operands, &self.results)
    }

    fn define(&mut self, types: &[Type]) {
        for (at, &ty) in types.iter().enumerate() {
            let Some(&id) = self.ids.get(at) else { break };
            self.defined.push(id);
            let value = match self.values.get(id) {
                None => self.insert(id, ty),
                Some(used) => {
                    let value = StreamedValue { ty, ..used };
                    self.values.insert(id, value);
                    self.undefined = self.undefined.saturating_sub(1);
                    self.forward.insert(id, Some(ty));
                    value
                }
            };
            self.results.push(value);
        }
    }

    fn insert(&mut self, id: ValueId, ty: Type) -> StreamedValue {
        let slot = self.free.pop().unwrap_or_else(|| {
            let slot = self.slots;
            self.slots = slot.saturating_add(1);
            slot
        });
        let value = StreamedValue { slot, ty };
        self.values.insert(id, value);
        value
    }

    pub(super) fn region(&mut self) {
        self.regions.push(self.defined.len());
    }

    /// Forgets the values of a region.
    pub(super) fn end_region(&mut self, mut release: impl FnMut(u32)) {
        let start = self.regions.pop().unwrap_or_default();
        for id in self.defined.drain(start..) {
            if let Some(value) = self.values.remove(id) {
                release(value.slot);
                self.free.push(value.slot);
            }
        }
    }
}
