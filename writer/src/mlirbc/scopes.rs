//! Numbers of operations, blocks and values, and which operations are isolated.
//!
//! An operation with regions is isolated if nothing in them uses a value from outside of it. It begins a scope of
//! values. A region's values have the numbers behind those of the regions around it in its scope, in the order in
//! which they are defined: for each block its arguments, then the results of its operations.

use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Block, Module, Operation, Region, Step, Value};

const NONE: u32 = u32::MAX;

pub(super) struct Scopes {
    /// By operation: whether it has regions and is isolated.
    isolated: Vec<bool>,
    /// By operation: its place in pre-order.
    places: Vec<u32>,
    /// By block: its number in its region.
    blocks: Vec<u32>,
    /// By value: its number in its scope.
    values: Vec<u32>,
    /// By region: how many values it defines.
    counts: Vec<u32>,
}

impl Scopes {
    /// # Errors
    /// If an operation uses a value that is not defined around it, or a successor in another region.
    pub(super) fn of(module: &Module) -> Result<Scopes> {
        let mut scopes = Scopes {
            isolated: vec![false; module.operation_slots()],
            places: vec![NONE; module.operation_slots()],
            blocks: vec![NONE; module.block_slots()],
            values: vec![NONE; module.value_slots()],
            counts: vec![0; module.region_slots()],
        };
        scopes.find_isolated(module)?;
        scopes.number_values(module);
        Ok(scopes)
    }

    pub(super) fn is_isolated(&self, operation: Operation) -> bool {
        self.isolated[operation.index()]
    }

    pub(super) fn place(&self, operation: Operation) -> u32 {
        self.places[operation.index()]
    }

    pub(super) fn block(&self, block: Block) -> u32 {
        self.blocks[block.index()]
    }

    pub(super) fn value(&self, value: Value) -> u32 {
        self.values[value.index()]
    }

    pub(super) fn value_count(&self, region: Region) -> u32 {
        self.counts[region.index()]
    }

    fn find_isolated(&mut self, module: &Module) -> Result<()> {
        // The regions around the current place, and by region how many are around it.
        let mut open: Vec<Region> = Vec::new();
        let mut depths = vec![NONE; module.region_slots()];
        // For each open operation, how many regions are around the outermost value used in it.
        let mut outermost: Vec<u32> = Vec::new();
        let mut place = 0u32;
        for step in module.traverse(module.top()) {
            match step {
                Step::EnterOperation(operation) => {
                    self.places[operation.index()] = place;
                    place = place.checked_add(1).ok_or_else(too_many)?;
                    let mut lowest = NONE;
                    for value in module.operands(operation) {
                        let region = module
                            .defining_block(value)
                            .and_then(|block| module.block_region(block));
                        let depth = region.map_or(NONE, |region| depths[region.index()]);
                        if region.is_none() || open.get(depth as usize).copied() != region {
                            return Err(invalid(
                                "an operation uses a value that is not defined around it",
                            ));
                        }
                        lowest = lowest.min(depth);
                    }
                    for block in module.successors(operation) {
                        if module.block_region(block) != open.last().copied() {
                            return Err(invalid(
                                "a successor of an operation is in another region",
                            ));
                        }
                    }
                    if let Some(around) = outermost.last_mut() {
                        *around = lowest.min(*around);
                    }
                    outermost.push(NONE);
                }
                Step::LeaveOperation(operation) => {
                    let lowest = outermost.pop().unwrap_or(NONE);
                    self.isolated[operation.index()] =
                        module.region(operation, 0).is_some() && lowest as usize >= open.len();
                    if let Some(around) = outermost.last_mut() {
                        *around = lowest.min(*around);
                    }
                }
                Step::EnterRegion(region) => {
                    depths[region.index()] = u32::try_from(open.len()).map_err(|_| too_many())?;
                    open.push(region);
                    for (number, block) in (0..).zip(module.blocks(region)) {
                        self.blocks[block.index()] = number;
                    }
                }
                Step::LeaveRegion(_) => {
                    open.pop();
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn number_values(&mut self, module: &Module) {
        // Where the values of the open regions end.
        let mut ends: Vec<u32> = Vec::new();
        for step in module.traverse(module.top()) {
            match step {
                Step::EnterRegion(region) => {
                    let isolated = module
                        .region_parent(region)
                        .is_none_or(|parent| self.is_isolated(parent));
                    let first = match ends.last() {
                        Some(&end) if !isolated => end,
                        _ => 0,
                    };
                    let mut next = first;
                    let mut define = |value: Value| {
                        self.values[value.index()] = next;
                        next += 1;
                    };
                    for block in module.blocks(region) {
                        module.arguments(block).for_each(|(value, _)| define(value));
                        for operation in module.operations(block) {
                            module.results(operation).for_each(&mut define);
                        }
                    }
                    self.counts[region.index()] = next - first;
                    ends.push(next);
                }
                Step::LeaveRegion(_) => {
                    ends.pop();
                }
                _ => {}
            }
        }
    }
}

fn too_many() -> Error {
    Error::new(ErrorKind::Limit, "the module has too many operations")
}

fn invalid(message: &'static str) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}
