//! Dominance and isolation: checks that each use of a value is dominated by the value's definition.
//!
//! While an operation is visited, the regions that enclose it are *open*. Each open region records
//! its current block, and the traversal records the operations whose visit is complete. A value may
//! be used if its region is open and the value is defined by a completed operation of the current
//! block, or in a block that dominates the current block. Each use is therefore checked in constant
//! time, however deeply the use is nested below the definition.

use super::driver::{Place, Verifier};
use super::{Message, VerifyError, VerifyFailure, VerifyNote};
use crate::dominance::is_graph_region;
use crate::{Block, Module, Operation, OperationTraits, Region, Value, ValueDefinition};

/// The state of a region during the traversal.
#[derive(Clone, Copy, Default)]
pub(super) struct RegionState {
    /// The current block; `None` if the region is not open.
    pub(super) current: Option<Block>,
    /// The number of enclosing units when the region was entered. A different number at a use means
    /// that an isolated operation is in between.
    pub(super) unit: u32,
    /// Whether definitions must precede uses within a block, as in SSACFG regions.
    pub(super) is_ordered: bool,
    pub(super) was_entered: bool,
}

/// The classification of a use of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Good,
    NotDominated,
    /// The region of the value does not enclose the use.
    Elsewhere,
    /// The region of the value encloses the use, but an isolated operation is in between.
    Outside,
    /// The value is defined in a block without a region, or by an operation without a block.
    Detached,
    Placeholder,
}

impl Verifier<'_> {
    /// Checks the operands of an operation at `place`. Returns false if an operand is invalid for a
    /// reason other than dominance.
    #[inline]
    pub(super) fn check_operands(&mut self, operation: Operation, place: Place) -> bool {
        for (number, value) in self.module.operands(operation).enumerate() {
            let found = self.judge(value, place);
            if found != Use::Good && !self.report(operation, number, value, place, found) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn judge(&self, value: Value, place: Place) -> Use {
        match self.module.definition(value) {
            ValueDefinition::Result(operation, _) => {
                let block = self.module.parent_block(operation);
                if block == Some(place.block) {
                    if place.is_ordered
                        && place.is_reachable
                        && !self.done.contains(operation.index())
                    {
                        return Use::NotDominated;
                    }
                    return Use::Good;
                }
                self.judge_far(block, Some(operation), place)
            }
            ValueDefinition::Argument(block, _) => {
                if block == place.block {
                    return Use::Good;
                }
                self.judge_far(Some(block), None, place)
            }
            ValueDefinition::Placeholder => Use::Placeholder,
        }
    }

    /// Classifies a use in a block other than that of the value's definition.
    fn judge_far(&self, block: Option<Block>, definition: Option<Operation>, place: Place) -> Use {
        let Some(block) = block else {
            return Use::Detached;
        };
        let Some(region) = self.module.block_region(block) else {
            return Use::Detached;
        };
        let state = self
            .regions
            .get(region.index())
            .copied()
            .unwrap_or_default();
        let Some(current) = state.current else {
            return Use::Elsewhere;
        };
        if state.unit != self.units.len() as u32 {
            return Use::Outside;
        }
        let dominates = if current != block {
            self.dominators.dominates(block, current)
        } else {
            // The use is nested in the current operation of `block`. That operation is not
            // complete, so its own results do not dominate the use.
            definition.is_none_or(|op| !state.is_ordered || self.done.contains(op.index()))
        };
        if dominates || !place.is_reachable {
            Use::Good
        } else {
            Use::NotDominated
        }
    }

    /// Reports an invalid use. Returns true if dominance is the only problem.
    #[cold]
    #[inline(never)]
    fn report(
        &mut self,
        operation: Operation,
        number: usize,
        value: Value,
        place: Place,
        found: Use,
    ) -> bool {
        let Some((root, is_isolated)) = self.units.last().map(|u| (u.root, u.is_isolated)) else {
            return true;
        };
        let is_outside = match found {
            Use::Good => return true,
            Use::Placeholder => {
                return self.fail(operation, *VerifyFailure::plain("null operand found"));
            }
            Use::Detached if is_isolated => {
                return self.fail(
                    operation,
                    *VerifyFailure::plain("operation's operand is unlinked"),
                );
            }
            Use::Outside => is_isolated,
            Use::Elsewhere => is_isolated && !self.is_inside(value, root),
            Use::NotDominated | Use::Detached => false,
        };
        if is_outside {
            let location = self.module.location(root);
            let failure = VerifyFailure::op("using value defined outside the region")
                .note(location, "required by region isolation constraints");
            return self.fail(operation, *failure);
        }
        if place.is_reachable {
            let error = self.not_dominated(operation, number, value);
            self.fail_dominance(error);
        }
        true
    }

    /// Returns whether a value is defined in the open region of `root`.
    fn is_inside(&self, value: Value, root: Operation) -> bool {
        let mut region = region_of(self.module, value);
        while let Some(inner) = region {
            let parent = self.module.region_parent(inner);
            if parent == Some(root) {
                let state = self.regions.get(inner.index());
                return state.is_some_and(|state| state.current.is_some());
            }
            region = parent.and_then(|op| region_around(self.module, op));
        }
        false
    }

    fn not_dominated(&self, operation: Operation, number: usize, value: Value) -> VerifyError {
        let module = self.module;
        let mut notes = Vec::new();
        let block = module.parent_block(operation);
        let region = region_around(module, operation);
        let defined_in = region_of(module, value);
        let is_parent = || is_proper_ancestor(module, defined_in, region);
        let is_child = || is_proper_ancestor(module, region, defined_in);
        match module.definition(value) {
            ValueDefinition::Result(definition, _) => {
                let place = if defined_in.is_none() {
                    " (op without parent)"
                } else if module.parent_block(definition) == block {
                    " (op in the same block)"
                } else if region == defined_in {
                    " (op in the same region)"
                } else if is_parent() {
                    " (op in a parent region)"
                } else if is_child() {
                    " (op in a child region)"
                } else {
                    " (op is neither in a parent nor in a child region)"
                };
                notes.push(VerifyNote {
                    location: module.location(definition),
                    message: Message::from("operand defined here").text(place),
                });
            }
            ValueDefinition::Argument(block, _) => {
                let (location, message) = match defined_in {
                    None => (
                        self.context.unknown_location(),
                        Message::from(" (block without parent)"),
                    ),
                    Some(defined_in_region) => {
                        let index = module
                            .blocks(defined_in_region)
                            .take_while(|&b| b != block)
                            .count();
                        let place = if region == defined_in {
                            " in the same region)"
                        } else if is_parent() {
                            " in a parent region)"
                        } else if is_child() {
                            " in a child region)"
                        } else {
                            " neither in a parent nor in a child region)"
                        };
                        let parent = module.region_parent(defined_in_region);
                        let location = match parent {
                            Some(parent) => module.location(parent),
                            None => self.context.unknown_location(),
                        };
                        let text =
                            format!("operand defined as a block argument (block #{index}{place}");
                        (location, Message::from(text))
                    }
                };
                notes.push(VerifyNote { location, message });
            }
            ValueDefinition::Placeholder => {}
        }
        VerifyError {
            operation,
            location: module.location(operation),
            message: Message::from(format!("operand #{number} does not dominate this use")),
            notes,
        }
    }

    /// Opens the regions that enclose an operation, up to the nearest isolated operation, as if the
    /// traversal had reached the operation.
    pub(super) fn open_surroundings(&mut self, operation: Operation) {
        let module = self.module;
        let mut at = operation;
        while let Some(block) = module.parent_block(at)
            && let Some(region) = module.block_region(block)
        {
            let before = std::iter::successors(module.previous_operation(at), |&op| {
                module.previous_operation(op)
            });
            for op in before {
                self.done.insert(op.index());
            }
            let has_one_block = module.first_block(region) == module.last_block(region);
            if !has_one_block {
                self.dominators.build(module, region);
            }
            let parent = module.region_parent(region);
            let traits = parent.and_then(|op| self.context.operation_traits(module.name(op)));
            if let Some(state) = self.regions.get_mut(region.index()) {
                *state = RegionState {
                    current: Some(block),
                    unit: self.units.len() as u32,
                    is_ordered: !is_graph_region(traits, has_one_block),
                    was_entered: true,
                };
            }
            let is_isolated =
                |traits: OperationTraits| traits.contains(OperationTraits::ISOLATED_FROM_ABOVE);
            match parent {
                Some(parent) if !traits.is_some_and(is_isolated) => at = parent,
                _ => break,
            }
        }
    }
}

fn region_around(module: &Module, operation: Operation) -> Option<Region> {
    module.block_region(module.parent_block(operation)?)
}

fn region_of(module: &Module, value: Value) -> Option<Region> {
    module.block_region(module.defining_block(value)?)
}

/// Returns whether `inner` is nested in an operation of `outer`. Takes time linear in the nesting
/// depth.
fn is_proper_ancestor(module: &Module, outer: Option<Region>, inner: Option<Region>) -> bool {
    let around = |region: &Region| region_around(module, module.region_parent(*region)?);
    let Some((outer, inner)) = outer.zip(inner) else {
        return false;
    };
    std::iter::successors(around(&inner), around).any(|region| region == outer)
}
