//! The values in scope during visits, with their types.

use super::type_table::TypeTable;
use foldhash::fast::RandomState;
use rmlir::events::{BlockEvent, OperationEvent, ValueId, ValueMap};
use rmlir::format::Result;
use rmlir::ir::{Context, Invalid, StreamedValue, Type};
use std::collections::HashMap;

/// The values of open regions. The memory of those of closed ones is used again.
#[derive(Default)]
pub(super) struct Scope {
    values: ValueMap<Value>,
    types: TypeTable,
    /// The numbers below `slots` that no value has.
    free: Vec<u32>,
    slots: u32,
    /// The values of open regions, and where those of each region begin.
    defined: Vec<ValueId>,
    regions: Vec<usize>,
    /// The types of values that are used before they are defined; `None` until the definition.
    forward: HashMap<ValueId, Option<u32>, RandomState>,
    /// How many of them are not known, and how many were added to them.
    unknown: u64,
    forwarded: u64,
    /// Whether a type was not known where it was used.
    is_incomplete: bool,
    /// Of the current event.
    ids: Vec<ValueId>,
    operands: Vec<StreamedValue>,
    results: Vec<StreamedValue>,
}

/// A value in scope.
#[derive(Clone, Copy)]
struct Value {
    slot: u32,
    /// The number of the type.
    ty: u32,
}

/// A position in a file, to which a scope can be [rewound](Scope::rewind).
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    defined: usize,
    regions: usize,
}

impl Scope {
    /// Returns whether a type was used before it was known, since the scope was rewound last.
    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Returns whether values were used whose types are not known so far.
    pub(super) fn has_unknown(&self) -> bool {
        self.unknown > 0
    }

    /// Returns how many values were used before they were defined, counted when they were met
    /// first.
    pub(super) fn forwarded(&self) -> u64 {
        self.forwarded
    }

    /// Returns whether the type of a value refers to a distinct attribute.
    pub(super) fn has_distincts(&self, context: &Context) -> bool {
        self.types.has_distincts(context)
    }

    /// Takes the types over to another context.
    ///
    /// # Errors
    ///
    /// Those of [`Context::import_type`].
    pub(super) fn change_context(
        &mut self,
        from: &Context,
        to: &mut Context,
    ) -> std::result::Result<(), Invalid> {
        self.types.change_context(from, to)
    }

    /// Returns the operands of an operation; the type is `none` if it is not known.
    pub(super) fn operands(&mut self, event: &OperationEvent<'_>) -> &[StreamedValue] {
        self.operands.clear();
        let none = event.context().none_type();
        for &id in event.operands() {
            let value = match self.values.get(id) {
                Some(Value { slot, ty }) => {
                    let ty = self.types.get(ty).unwrap_or(none);
                    StreamedValue { slot, ty }
                }
                None => {
                    let ty = self.forward(id);
                    self.insert(id, ty.unwrap_or(none))
                }
            };
            self.operands.push(value);
        }
        &self.operands
    }

    /// Returns the type of a value that is not defined so far, if it is known.
    fn forward(&mut self, id: ValueId) -> Option<Type> {
        let known = self.forward.entry(id).or_insert_with(|| {
            self.unknown = self.unknown.saturating_add(1);
            self.forwarded = self.forwarded.saturating_add(1);
            None
        });
        self.is_incomplete |= known.is_none();
        known.and_then(|number| self.types.get(number))
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
                    self.types.remove(used.ty);
                    let slot = used.slot;
                    let number = self.types.add(ty);
                    self.values.insert(id, Value { slot, ty: number });
                    if let Some(known @ None) = self.forward.get_mut(&id) {
                        *known = Some(self.types.add(ty));
                        self.unknown = self.unknown.saturating_sub(1);
                    }
                    StreamedValue { slot, ty }
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
        let number = self.types.add(ty);
        self.values.insert(id, Value { slot, ty: number });
        StreamedValue { slot, ty }
    }

    pub(super) fn region(&mut self) {
        self.regions.push(self.defined.len());
    }

    /// Forgets the values of a region.
    pub(super) fn end_region(&mut self, release: impl FnMut(u32)) {
        let start = self.regions.pop().unwrap_or_default();
        self.forget(start, release);
    }

    /// Forgets the values of a region, which is not visited again.
    pub(super) fn end_last_region(&mut self) {
        let start = self.regions.last().copied().unwrap_or_default();
        if !self.forward.is_empty() {
            for id in self.defined.get(start..).unwrap_or_default() {
                if let Some(Some(number)) = self.forward.remove(id) {
                    self.types.remove(number);
                }
            }
        }
        self.end_region(|_| {});
    }

    /// Forgets the values that were defined from a position on.
    fn forget(&mut self, start: usize, mut release: impl FnMut(u32)) {
        for id in self.defined.drain(start.min(self.defined.len())..) {
            if let Some(value) = self.values.remove(id) {
                release(value.slot);
                self.free.push(value.slot);
                self.types.remove(value.ty);
            }
        }
    }

    /// Returns the current position.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            defined: self.defined.len(),
            regions: self.regions.len(),
        }
    }

    /// Returns to a position, whose regions are still open, for another visit from there on. What
    /// is known of values that are used before they are defined stays known.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.regions.truncate(mark.regions);
        self.forget(mark.defined, |_| {});
        self.is_incomplete = false;
    }

    /// Forgets the types of values that are used before they are defined, except for those that are
    /// in scope: if the scope is rewound before a definition, another visit needs them.
    pub(super) fn forget_forward(&mut self) {
        self.unknown = 0;
        self.forward.retain(|&id, known| {
            let is_kept = self.values.get(id).is_some();
            match *known {
                Some(number) if !is_kept => self.types.remove(number),
                None if is_kept => self.unknown = self.unknown.saturating_add(1),
                _ => {}
            }
            is_kept
        });
    }
}
