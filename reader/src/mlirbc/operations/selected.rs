//! Some operations with those around them, and nothing else of their blocks.

use super::{OperationReader, new_reader};
use crate::lookup::{malformed, placed};
use crate::mlirbc::Tables;
use crate::mlirbc::entries::Entries;
use crate::mlirbc::properties::Properties;
use rmlir_format::{Input, Result, check_limit};
use rmlir_ir::{Block, Module, Operation};

/// An operation to be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::mlirbc) struct PathStep {
    /// The offset of the operation.
    pub(in crate::mlirbc) start: u64,
    /// How many steps are around it.
    pub(in crate::mlirbc) depth: u32,
    /// Whether the operation is read only up to its block, and the block only as far as the
    /// following steps require. It then has one region of one block without arguments. Other
    /// operations are read whole.
    pub(in crate::mlirbc) is_around: bool,
}

/// Reads operations, and returns them with the module, each after those around it and before it.
///
/// None has operands, results or successors. If the file has a top-level module, it is the first;
/// otherwise `top_is_made`. `None` if the operations use values of operations that are not read.
pub(in crate::mlirbc) fn read_selected<'a, I: Input>(
    tables: &mut Tables<'_, 'a>,
    entries: &mut Entries<'a>,
    properties: &mut Properties<'a>,
    input: I,
    steps: &[PathStep],
    top_is_made: bool,
) -> Result<Option<(Module, Vec<Operation>)>> {
    new_reader(tables, entries, properties, input).read_selected(steps, top_is_made)
}

/// A block of which some operations are read.
struct Open<I> {
    block: Option<Block>,
    /// The input somewhere before them.
    input: I,
    /// How many operations are open around it, and how many values and blocks were there.
    stack: usize,
    values: usize,
    blocks: usize,
}

impl<I: Input> OperationReader<'_, '_, '_, I> {
    fn read_selected(
        mut self,
        steps: &[PathStep],
        top_is_made: bool,
    ) -> Result<Option<(Module, Vec<Operation>)>> {
        let mut operations = Vec::with_capacity(steps.len());
        let mut open = vec![Open {
            block: self.module.body().filter(|_| top_is_made),
            input: self.input.clone(),
            stack: 0,
            values: 0,
            blocks: 0,
        }];
        for step in steps {
            while open.len() > (step.depth as usize).saturating_add(1) {
                if !self.close(open.pop()) {
                    return Ok(None);
                }
            }
            let Some(around) = open.last_mut() else { break };
            around
                .input
                .skip(step.start.saturating_sub(around.input.offset()))?;
            self.input = around.input.clone();
            let block = around.block;
            let depth = self.stack.len();
            let (values, blocks) = (self.values.len(), self.region_blocks.len());
            let operation = self.operation()?;
            operations.push(operation);
            match block {
                Some(block) => self.module.append_operation(block, operation),
                None => self.module.set_top(operation),
            }
            if step.is_around {
                let block = self.enter(depth)?;
                open.push(Open {
                    block: Some(block),
                    input: self.input.clone(),
                    stack: depth,
                    values,
                    blocks,
                });
            } else {
                self.nested(depth)?;
            }
        }
        while let Some(last) = open.pop() {
            if !self.close(Some(last)) {
                return Ok(None);
            }
        }
        self.use_lists.apply(&mut self.module)?;
        Ok(Some((self.module, operations)))
    }

    /// Enters the one block of the operation that was read last.
    fn enter(&mut self, depth: usize) -> Result<Block> {
        let at = self.input.offset();
        if self.stack.len() == depth {
            let message = "expected an operation with a region";
            return Err(malformed(&self.input, at, message));
        }
        self.region()?;
        // Of the values that the region declares, only those of the operations read are defined.
        // All open regions together have no more values than the file has bytes, as each would be
        // defined somewhere in it.
        self.undefined = 0;
        let values = self.values.len() as u64;
        let within = check_limit("bytes for values", values, self.end);
        placed(&self.input, at, within)?;
        let first = self.stack.last().map_or(0, |frame| frame.blocks);
        let Some(&block) = self.region_blocks.get(first) else {
            return Err(malformed(&self.input, at, "expected a block"));
        };
        self.block(block)?;
        Ok(block)
    }

    /// Leaves a block; false if a value was used there that has not been defined.
    fn close(&mut self, open: Option<Open<I>>) -> bool {
        let Some(open) = open else { return true };
        // Skipped operations have defined nothing, so the placeholders for their values were used.
        let values = self.values.get(open.values..).unwrap_or_default();
        let is_complete = values.iter().all(Option::is_none);
        self.values.truncate(open.values);
        self.region_blocks.truncate(open.blocks);
        self.stack.truncate(open.stack);
        is_complete
    }
}
