//! Dominance and isolation: where values may be used.
//!
//! On the way through an operation, the regions around are open, each at one of its blocks, and in
//! that at one operation. A value may be used where its region is open, and its definition was
//! left, or its block dominates the one at which the region is. So no use takes longer for being
//! deep inside of what its value is defined in.

use super::driver::{Place, Verifier};
use super::{Message, VerifyError, VerifyFailure, VerifyNote};
use crate::{Block, Module, Operation, OperationTraits, Region, Value, ValueDefinition};

/// What is known of a region.
#[derive(Clone, Copy, Default)]
pub(super) struct RegionState {
    /// The block at which it is; none if it is not open.
    pub(super) current: Option<Block>,
    /// How many units were around when it was entered.
    pub(super) unit: u32,
    /// Whether values come before their uses in a block.
    pub(super) is_ordered: bool,
    pub(super) was_entered: bool,
}

/// How a value may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Good,
    NotDominated,
    /// Its region is not open.
    Elsewhere,
    /// Its region is open, outside of an isolated operation.
    Outside,
    /// Its definition is in no block.
    Detached,
    Placeholder,
}

impl Verifier<'_> {
    /// Checks the operands of an operation at `place`. Returns false if one is worse than not
    /// dominated by its definition.
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

    /// A value that is not defined in the block of its use.
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
            // The operation around the use is not left yet.
            definition.is_none_or(|op| !state.is_ordered || self.done.contains(op.index()))
        };
        if dominates || !place.is_reachable {
            Use::Good
        } else {
            Use::NotDominated
        }
    }

    /// Reports a use that is not good. Returns whether it is at most not dominated.
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

    /// Whether a value is defined in the region of `root` that is open.
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

    /// Opens the regions around an operation at it, out to an isolated operation.
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

/// Whether values of a region may be used before they are defined. `traits` are those of the
/// operation that it belongs to, none if that is not known.
pub(super) fn is_graph_region(traits: Option<OperationTraits>, has_one_block: bool) -> bool {
    traits.map_or(has_one_block, |traits| {
        // Of some operations code says it of each region.
        traits.contains(OperationTraits::GRAPH_REGION)
            || (has_one_block && traits.contains(OperationTraits::REGION_KIND))
    })
}

fn region_around(module: &Module, operation: Operation) -> Option<Region> {
    module.block_region(module.parent_block(operation)?)
}

fn region_of(module: &Module, value: Value) -> Option<Region> {
    module.block_region(module.defining_block(value)?)
}

/// Whether `inner` lies in an operation of `outer`. Takes time in the depth of nesting.
fn is_proper_ancestor(module: &Module, outer: Option<Region>, inner: Option<Region>) -> bool {
    let around = |region: &Region| region_around(module, module.region_parent(*region)?);
    let Some((outer, inner)) = outer.zip(inner) else {
        return false;
    };
    std::iter::successors(around(&inner), around).any(|region| region == outer)
}
