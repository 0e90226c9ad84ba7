//! Numbers operations, blocks and values, and determines the isolated operations.
//!
//! An operation with regions is isolated if its regions do not use values from outside. It begins a
//! scope of values. The values of a region are numbered after those of the enclosing regions in its
//! scope, in the order of definition: for each block its arguments, then the results of its
//! operations.

use crate::operation_error::in_operation;
use crate::use_order::UseOrderWatch;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Block, Context, Module, Operation, Region, Value, WalkStep};

const NONE: u32 = u32::MAX;

pub(super) struct Scopes {
    /// By operation: its pre-order position, with the bit [`ISOLATED`] if it has regions and is
    /// isolated.
    operations: Vec<u32>,
    /// By block: its number in its region, and its number of operations.
    blocks: Vec<(u32, u32)>,
    /// By value: its number in its scope.
    values: Vec<u32>,
    /// By region: the number of values that it defines.
    counts: Vec<u32>,
    /// By value: whether its uses may differ from the reference order; empty if none do.
    reordered: Vec<bool>,
}

const ISOLATED: u32 = 1 << 31;

/// An enclosing region of the current position.
struct Open {
    region: Region,
    /// The number of values defined so far.
    values: u32,
    /// The number of blocks entered, and the last of them.
    blocks: u32,
    block: Option<Block>,
}

impl Scopes {
    /// # Errors
    /// If an operation uses a value that is not defined around it, or a successor in another
    /// region.
    pub(super) fn of(context: &Context, module: &Module) -> Result<Scopes> {
        let mut scopes = Scopes {
            operations: vec![0; module.operation_slots()],
            blocks: vec![(NONE, 0); module.block_slots()],
            values: vec![NONE; module.value_slots()],
            counts: vec![0; module.region_slots()],
            reordered: Vec::new(),
        };
        let nested = scopes.number(context, module)?;
        scopes.shift(module, nested)?;
        Ok(scopes)
    }

    pub(super) fn is_isolated(&self, operation: Operation) -> bool {
        self.operations[operation.index()] & ISOLATED != 0
    }

    pub(super) fn place(&self, operation: Operation) -> u32 {
        self.operations[operation.index()] & !ISOLATED
    }

    pub(super) fn block(&self, block: Block) -> u32 {
        self.blocks[block.index()].0
    }

    pub(super) fn operation_count(&self, block: Block) -> u32 {
        self.blocks[block.index()].1
    }

    pub(super) fn value(&self, value: Value) -> u32 {
        self.values[value.index()]
    }

    /// Returns whether the uses of a value may differ from the reference order.
    pub(super) fn may_be_reordered(&self, value: Value) -> bool {
        self.reordered.get(value.index()).is_some_and(|&is| is)
    }

    pub(super) fn value_count(&self, region: Region) -> u32 {
        self.counts[region.index()]
    }

    /// Numbers the values of each region from 0 on.
    ///
    /// Returns the regions that are not a scope of their own, each with its enclosing region. An
    /// outer region comes after those nested in it.
    fn number(&mut self, context: &Context, module: &Module) -> Result<Vec<(Region, Region)>> {
        let mut nested = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        // By region: the number of enclosing regions.
        let mut depths = vec![NONE; module.region_slots()];
        // For each open operation: the number of regions around the outermost value used in it.
        let mut outermost: Vec<u32> = Vec::new();
        let mut place = 0u32;
        let mut uses = UseOrderWatch::new(module);
        for step in module.traverse(module.top()) {
            match step {
                WalkStep::EnterOperation(operation) => {
                    self.operations[operation.index()] = place;
                    place += 1;
                    if place >= ISOLATED {
                        return Err(too_many());
                    }
                    uses.operation(module, operation);
                    let mut lowest = NONE;
                    let here = open.last().and_then(|open| open.block);
                    for value in module.operands(operation) {
                        let block = module.defining_block(value);
                        if block.is_some() && block == here {
                            lowest = lowest.min(open.len() as u32 - 1);
                            continue;
                        }
                        let region = block.and_then(|block| module.block_region(block));
                        let depth = region.map_or(NONE, |region| depths[region.index()]);
                        let around = open.get(depth as usize).map(|open| open.region);
                        if region.is_none() || around != region {
                            let message = "an operand is not defined in the operations around it";
                            return Err(invalid(context, module, operation, message));
                        }
                        lowest = lowest.min(depth);
                    }
                    for block in module.successors(operation) {
                        if module.block_region(block) != open.last().map(|open| open.region) {
                            let message = "a successor is in another region";
                            return Err(invalid(context, module, operation, message));
                        }
                    }
                    if let Some(region) = open.last_mut() {
                        if let Some(block) = region.block {
                            self.blocks[block.index()].1 += 1;
                        }
                        for value in module.results(operation) {
                            self.define(value, &mut region.values)?;
                        }
                    }
                    if let Some(around) = outermost.last_mut() {
                        *around = lowest.min(*around);
                    }
                    outermost.push(NONE);
                }
                WalkStep::LeaveOperation(operation) => {
                    let lowest = outermost.pop().unwrap_or(NONE);
                    if module.region(operation, 0).is_some() {
                        let isolated = lowest as usize >= open.len();
                        if isolated {
                            self.operations[operation.index()] |= ISOLATED;
                        } else if let Some(around) = open.last() {
                            let regions = module.regions(operation);
                            nested.extend(regions.map(|region| (region, around.region)));
                        }
                    }
                    if let Some(around) = outermost.last_mut() {
                        *around = lowest.min(*around);
                    }
                }
                WalkStep::EnterRegion(region) => {
                    depths[region.index()] = u32::try_from(open.len()).map_err(|_| too_many())?;
                    open.push(Open {
                        region,
                        values: 0,
                        blocks: 0,
                        block: None,
                    });
                }
                WalkStep::EnterBlock(block) => {
                    if let Some(region) = open.last_mut() {
                        self.blocks[block.index()].0 = region.blocks;
                        region.blocks += 1;
                        region.block = Some(block);
                        for (value, _) in module.arguments(block) {
                            self.define(value, &mut region.values)?;
                        }
                    }
                }
                WalkStep::LeaveBlock(_) => {}
                WalkStep::LeaveRegion(region) => {
                    if let Some(open) = open.pop() {
                        self.counts[region.index()] = open.values;
                    }
                }
            }
        }
        let reordered = uses.finish();
        if !reordered.is_empty() {
            self.reordered = vec![false; module.value_slots()];
            for value in reordered {
                self.reordered[value.index()] = true;
            }
        }
        Ok(nested)
    }

    #[inline]
    fn define(&mut self, value: Value, next: &mut u32) -> Result<()> {
        self.values[value.index()] = *next;
        *next = next.checked_add(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Numbers the values of nested regions after those of the enclosing regions.
    fn shift(&mut self, module: &Module, nested: Vec<(Region, Region)>) -> Result<()> {
        // By region: the number of its first value.
        let mut starts = vec![0u32; module.region_slots()];
        for (region, around) in nested.into_iter().rev() {
            let start = starts[around.index()].checked_add(self.counts[around.index()]);
            let start = start.ok_or_else(too_many)?;
            starts[region.index()] = start;
            let mut next = start;
            for block in module.blocks(region) {
                for (value, _) in module.arguments(block) {
                    self.define(value, &mut next)?;
                }
                for operation in module.operations(block) {
                    for value in module.results(operation) {
                        self.define(value, &mut next)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn too_many() -> Error {
    Error::new(ErrorKind::Limit, "the module has too many operations")
}

#[cold]
fn invalid(
    context: &Context,
    module: &Module,
    operation: Operation,
    message: &'static str,
) -> Error {
    let error = Error::new(ErrorKind::InvalidRequest, message);
    in_operation(error, (context, module, operation))
}
