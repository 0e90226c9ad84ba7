//! Dominance of operations, blocks and values.

mod dominators;

pub(crate) use dominators::Dominators;

use crate::{Block, Module, Op, Operation, OperationTraits, Region, Value, ValueDefinition};

/// Dominance in an operation and everything nested in it.
///
/// The rules are those of MLIR's `DominanceInfo`. In a block, an operation dominates those after
/// it. A block dominates those that every path from the entry block reaches through it. A value
/// that dominates an operation dominates the operations nested in it. In graph regions, all
/// operations of a block dominate each other, and themselves. A block that is not reachable is
/// dominated by all blocks of its region.
///
/// The information describes the module as it was: build it again after blocks, successors or the
/// order of operations have changed. Queries take time in the difference of nesting depths.
///
/// ```
/// use rmlir_ir::{Builder, Context, Dominance, Module};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let region = builder.create_region();
/// builder.op("test.f").region(region).build()?;
/// let (first, second) = (builder.create_block(region, &[]), builder.create_block(region, &[]));
/// builder.set_insertion_point_to_end(first);
/// let i32 = builder.context.i32_type();
/// let value = builder.op("test.a").result(i32).build_value()?;
/// let branch = builder.op("test.branch").successor(second).build()?;
/// builder.set_insertion_point_to_end(second);
/// let end = builder.op("test.end").build()?;
///
/// let dominance = Dominance::new((&context, &module));
/// assert!(dominance.properly_dominates(branch, end) && !dominance.properly_dominates(end, branch));
/// assert!(dominance.dominates_block(first, second));
/// assert!(dominance.value_dominates(value, end));
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Debug)]
#[doc(alias = "DominanceInfo")]
pub struct Dominance<'a> {
    module: &'a Module,
    dominators: Dominators,
    /// The position of each operation in its block.
    positions: Vec<u32>,
    /// Whether values of each region may be used before they are defined.
    is_graph: Vec<bool>,
}

impl<'a> Dominance<'a> {
    /// Analyses an operation and everything nested in it. Takes O(n log n) in the number of
    /// operations and edges between blocks.
    pub fn new(top: impl Into<Op<'a>>) -> Self {
        let top = top.into();
        let module = top.module;
        let mut dominance = Dominance {
            module,
            dominators: Dominators::default(),
            positions: vec![0; module.operation_slots()],
            is_graph: vec![false; module.region_slots()],
        };
        for op in top.descendants() {
            let traits = op.context.operation_traits(module.name(op.id()));
            for region in op.regions() {
                let has_one_block = module.first_block(region) == module.last_block(region);
                if let Some(is_graph) = dominance.is_graph.get_mut(region.index()) {
                    *is_graph = is_graph_region(traits, has_one_block);
                }
                if !has_one_block {
                    dominance.dominators.build(module, region);
                }
                for block in module.blocks(region) {
                    for (number, operation) in module.operations(block).enumerate() {
                        if let Some(position) = dominance.positions.get_mut(operation.index()) {
                            *position = u32::try_from(number).unwrap_or(u32::MAX);
                        }
                    }
                }
            }
        }
        dominance
    }

    /// Returns whether `a` dominates `b`, or is `b`.
    pub fn dominates(&self, a: Operation, b: Operation) -> bool {
        a == b || self.properly_dominates(a, b)
    }

    /// Returns whether `a` dominates `b` and is not `b`, which in a graph region dominates itself.
    /// An operation dominates those nested in it. False if one of them is in no block.
    #[doc(alias = "properlyDominates")]
    pub fn properly_dominates(&self, a: Operation, b: Operation) -> bool {
        self.operation_dominates(a, b, true)
    }

    /// Returns whether `a` dominates `b`, or is `b`; see
    /// [`properly_dominates_block`](Self::properly_dominates_block).
    pub fn dominates_block(&self, a: Block, b: Block) -> bool {
        a == b || self.properly_dominates_block(a, b)
    }

    /// Returns whether `a` dominates `b` and is not `b`. If `b` is nested in an operation of the
    /// region of `a`, the block of that operation counts, and `a` dominates what is nested in it.
    pub fn properly_dominates_block(&self, a: Block, b: Block) -> bool {
        let Some(region) = self.module.block_region(a) else {
            return false;
        };
        if self.module.block_region(b) == Some(region) {
            return match a == b {
                true => self.is_graph_region(region),
                false => self.dominators.dominates(a, b),
            };
        }
        let around = self.parent(b).and_then(|op| self.lifted(op, region));
        match around.and_then(|op| self.module.parent_block(op)) {
            Some(block) => a == block || self.dominators.dominates(a, block),
            None => false,
        }
    }

    /// Returns whether `operation` may use `value`: its definition properly dominates the
    /// operation, and the operation is not nested in the definition.
    pub fn value_dominates(&self, value: Value, operation: Operation) -> bool {
        match self.module.definition(value) {
            ValueDefinition::Result(definition, _) => {
                self.operation_dominates(definition, operation, false)
            }
            ValueDefinition::Argument(block, _) => {
                let user = self.module.parent_block(operation);
                user.is_some_and(|user| self.dominates_block(block, user))
            }
            ValueDefinition::Placeholder => false,
        }
    }

    /// Returns whether a block can be reached from the entry block of its region.
    #[doc(alias = "isReachableFromEntry")]
    pub fn is_reachable(&self, block: Block) -> bool {
        match self.module.block_region(block) {
            Some(region) if self.module.first_block(region) == Some(block) => true,
            Some(_) => self.dominators.is_reachable(block),
            None => false,
        }
    }

    /// Returns whether a region is a graph region, in which values may be used before they are
    /// defined. A region of an operation without a known definition is one if it has one block.
    #[doc(alias = "hasSSADominance")]
    pub fn is_graph_region(&self, region: Region) -> bool {
        self.is_graph
            .get(region.index())
            .copied()
            .unwrap_or_default()
    }

    fn operation_dominates(&self, a: Operation, b: Operation, contains: bool) -> bool {
        let module = self.module;
        let Some(block) = module.parent_block(a) else {
            return false;
        };
        let Some(region) = module.block_region(block) else {
            return false;
        };
        let Some(around) = self.lifted(b, region) else {
            return false;
        };
        if around == a && b != a {
            return contains;
        }
        match module.parent_block(around) {
            Some(other) if other == block => {
                let position = |op: Operation| self.positions.get(op.index());
                self.is_graph_region(region) || position(a) < position(around)
            }
            Some(other) => self.dominators.dominates(block, other),
            None => false,
        }
    }

    /// Returns the operation of a region that is, or contains, `operation`.
    fn lifted(&self, operation: Operation, region: Region) -> Option<Operation> {
        let mut at = operation;
        loop {
            let block = self.module.parent_block(at)?;
            if self.module.block_region(block)? == region {
                return Some(at);
            }
            at = self.parent(block)?;
        }
    }

    /// Returns the operation around a block.
    fn parent(&self, block: Block) -> Option<Operation> {
        self.module.region_parent(self.module.block_region(block)?)
    }
}

/// Returns whether values of a region may be used before they are defined. `traits` are those of
/// the operation that it belongs to; `None` if that is not known.
pub(crate) fn is_graph_region(traits: Option<OperationTraits>, has_one_block: bool) -> bool {
    traits.map_or(has_one_block, |traits| {
        // Of some operations, code decides for each region.
        traits.contains(OperationTraits::GRAPH_REGION)
            || (has_one_block && traits.contains(OperationTraits::REGION_KIND))
    })
}
