//! Clones operations within a module.

use super::{Block, Module, Operation, OperationState, Region, Value};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Maps values and blocks of an original to those of its copy.
///
/// Before cloning, outer values and blocks can be mapped to replacements, which the copy then uses;
/// afterwards the mapping also contains the copied ones.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    values: HashMap<Value, Value, RandomState>,
    blocks: HashMap<Block, Block, RandomState>,
}

impl Mapping {
    /// Creates an empty mapping: the copy uses the same outer values as the original.
    pub fn new() -> Self {
        Mapping::default()
    }

    /// Maps the value `from` to `to`.
    pub fn map_value(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }

    /// Maps the block `from` to `to`.
    pub fn map_block(&mut self, from: Block, to: Block) {
        self.blocks.insert(from, to);
    }

    /// Returns the value that a value is mapped to; the value itself if it is not mapped.
    pub fn value(&self, from: Value) -> Value {
        self.values.get(&from).copied().unwrap_or(from)
    }

    /// Returns the block that a block is mapped to; the block itself if it is not mapped.
    pub fn block(&self, from: Block) -> Block {
        self.blocks.get(&from).copied().unwrap_or(from)
    }
}

impl Module {
    /// Copies an operation with everything nested in it; the copy is detached. Linear in the size
    /// of the copied IR.
    ///
    /// Values and blocks from outside that the original refers to are looked up in `mapping`; the
    /// copied ones are entered there, replacing earlier mappings. The uses of the copy's values are
    /// in the order that reading its text gives.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Mapping, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let i32 = context.i32_type();
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let x = builder.op("test.x").result(i32).build_value()?;
    /// let y = builder.op("test.y").result(i32).build_value()?;
    /// let use_x = builder.op("test.use").operand(x).build()?;
    ///
    /// let mut mapping = Mapping::new();
    /// mapping.map_value(x, y);
    /// let use_y = module.clone_operation(use_x, &mut mapping);
    /// assert_eq!(module.operand(use_y, 0), Some(y));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[track_caller]
    pub fn clone_operation(&mut self, operation: Operation, mapping: &mut Mapping) -> Operation {
        let copy = self.clone_shell(operation, mapping);
        let mut work = vec![(operation, copy)];
        while let Some((from, to)) = work.pop() {
            let pairs: Vec<(Region, Region)> = self.regions(from).zip(self.regions(to)).collect();
            for (from, to) in pairs {
                self.clone_blocks(from, to, mapping, &mut work);
            }
        }
        // Operands and successors are set in a second pass: they may refer to entities that are
        // copied later.
        let copied: Vec<(Operation, Operation)> = self
            .descendants(operation)
            .zip(self.descendants(copy))
            .collect();
        for (from, to) in copied {
            let operands: Vec<Value> = self.operands(from).map(|v| mapping.value(v)).collect();
            self.push_operands(to, &operands);
            let successors = self.successor_list(from).zip(self.successor_list(to));
            for (from, to) in successors {
                let block =
                    mapping.block(Block::from_index(self.lists[from] as usize).of(self.owner));
                self.blocks[block.index()].was_successor = true;
                self.lists[to] = block.index() as u32;
            }
        }
        copy
    }

    /// Copies the blocks of a region with their operations to the end of another region. The
    /// regions of these operations stay empty.
    fn clone_blocks(
        &mut self,
        from: Region,
        to: Region,
        mapping: &mut Mapping,
        work: &mut Vec<(Operation, Operation)>,
    ) {
        let blocks: Vec<Block> = self.blocks(from).collect();
        for block in blocks {
            let new = self.append_block(to);
            mapping.map_block(block, new);
            let arguments: Vec<_> = self.arguments(block).collect();
            for (value, location) in arguments {
                let argument = self.add_argument(new, self.value_type(value), location);
                mapping.map_value(value, argument);
            }
            let mut next = self.first_operation(block);
            while let Some(operation) = next {
                next = self.next_operation(operation);
                let copy = self.clone_shell(operation, mapping);
                self.append_operation(new, copy);
                if self.regions(operation).len() != 0 {
                    work.push((operation, copy));
                }
            }
        }
    }

    /// Copies an operation without operands and with empty regions; its successors are those of the
    /// original.
    fn clone_shell(&mut self, operation: Operation, mapping: &mut Mapping) -> Operation {
        let types: Vec<_> = self
            .results(operation)
            .map(|v| self.value_type(v))
            .collect();
        let count = self.regions(operation).len();
        let regions: Vec<Region> = (0..count).map(|_| self.create_region()).collect();
        let successors: Vec<Block> = self.successors(operation).collect();
        let state = OperationState {
            result_types: &types,
            successors: &successors,
            attributes: self.attributes(operation),
            properties: self.properties(operation),
            regions: &regions,
            ..OperationState::new(self.name(operation), self.location(operation))
        };
        let copy = self.create_operation(&state);
        for (from, to) in self.results(operation).zip(self.results(copy)) {
            mapping.map_value(from, to);
        }
        copy
    }
}
