//! Tracks erased operations, blocks, regions and values.
//!
//! Arenas never reuse a slot, so a handle of an erased entity denotes its old slot forever. A mark
//! in the slot makes each method that would put the entity back into the module panic, in release
//! builds too.

use super::{Block, Module, Operation, OperationData, Region, Use, Value, ValueData};

/// In [`OperationData::nested`]: the operation was erased.
pub(super) const ERASED_OPERATION: u32 = u32::MAX;
/// In [`ValueData::number`]: the value was erased. Greater than all numbers of results and
/// arguments, as [`PLACEHOLDER`](super::PLACEHOLDER) is.
pub(super) const ERASED_VALUE: u32 = u32::MAX - 1;

#[cold]
#[inline(never)]
#[track_caller]
#[allow(clippy::panic)] // A programming error, documented for `Module`.
pub(super) fn erased(what: &str, handle: &dyn std::fmt::Debug) -> ! {
    panic!("{what} was erased: {handle:?}")
}

impl OperationData {
    #[inline]
    pub(super) fn is_erased(&self) -> bool {
        self.nested == ERASED_OPERATION
    }
}

impl ValueData {
    #[inline]
    pub(super) fn is_erased(&self) -> bool {
        self.number == ERASED_VALUE
    }
}

impl Module {
    /// Returns whether an operation was erased, by itself or with an enclosing operation or block.
    /// O(1).
    #[inline]
    pub fn is_erased(&self, operation: Operation) -> bool {
        self.op(operation).is_erased()
    }

    /// Returns whether a block was erased, by itself or with an enclosing operation. O(1).
    #[inline]
    pub fn is_block_erased(&self, block: Block) -> bool {
        self.block_data(block).is_erased
    }

    /// Returns whether a region was erased, that is, whether its operation was. O(1).
    #[inline]
    pub fn is_region_erased(&self, region: Region) -> bool {
        let parent = self.region_data(region).parent;
        parent.is_some_and(|parent| self.op(parent).is_erased())
    }

    /// Returns whether a value was erased with the operation or block that defines it. O(1).
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let i32 = builder.context.i32_type();
    /// let value = builder.op("test.value").result(i32).build_value()?;
    /// assert!(!module.is_value_erased(value));
    /// module.erase_operation(module.defining_op(value).unwrap()).unwrap();
    /// assert!(module.is_value_erased(value));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[inline]
    pub fn is_value_erased(&self, value: Value) -> bool {
        self.value_data(value).is_erased()
    }

    /// Panics if the operation was erased.
    #[inline]
    #[track_caller]
    pub(super) fn expect_operation(&self, operation: Operation) {
        if self.op(operation).is_erased() {
            erased("operation", &operation);
        }
    }

    /// Panics if the block was erased.
    #[inline]
    #[track_caller]
    pub(super) fn expect_block(&self, block: Block) {
        if self.is_block_erased(block) {
            erased("block", &block);
        }
    }

    /// Panics if the region was erased, that is, if its operation was.
    #[inline]
    #[track_caller]
    pub(super) fn expect_region(&self, region: Region) {
        if self.is_region_erased(region) {
            erased("region", &region);
        }
    }

    /// Panics if the value was erased.
    #[inline]
    #[track_caller]
    pub(super) fn expect_value(&self, value: Value) {
        if self.is_value_erased(value) {
            erased("value", &value);
        }
    }

    /// Marks operations as erased, with their blocks and values, and removes their operands from
    /// the use lists.
    pub(super) fn mark_erased(&mut self, operations: &[Operation]) {
        for &operation in operations {
            self.unlink_operands(operation);
            for value in self.ops[operation.index()].results.range() {
                self.values[value].number = ERASED_VALUE;
            }
            for slot in self.region_list(operation) {
                let mut next = self.regions[self.lists[slot] as usize].first;
                while let Some(block) = next {
                    next = self.blocks[block.index()].next;
                    self.mark_block_erased(block);
                }
            }
        }
        // The region lists are no longer read.
        for &operation in operations {
            let data = &mut self.ops[operation.index()];
            data.nested = ERASED_OPERATION;
            data.block = None;
        }
    }

    /// Marks a block and its arguments as erased.
    pub(super) fn mark_block_erased(&mut self, block: Block) {
        let data = &mut self.blocks[block.index()];
        data.is_erased = true;
        let arguments = data.arguments.range();
        for pair in self.lists[arguments].chunks_exact(2) {
            self.values[pair[0] as usize].number = ERASED_VALUE;
        }
    }

    /// Removes the operands from the use lists and clears them.
    pub(super) fn unlink_operands(&mut self, operation: Operation) {
        let operands = self.ops[operation.index()].operands;
        for slot in operands.range() {
            self.unlink_use(Use::from_index(slot).of(self.owner));
        }
        self.ops[operation.index()].operands.len = 0;
    }
}
