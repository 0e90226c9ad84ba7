//! One operation with those around it, and nothing else of their blocks.

use super::{OperationReader, new_reader};
use crate::mlirbc::Tables;
use crate::mlirbc::entries::Entries;
use crate::mlirbc::properties::Properties;
use crate::place::malformed;
use rmlir_format::{Reader, Result};
use rmlir_ir::{Block, Module};

/// The way to an operation.
pub(in crate::mlirbc) struct Way<'w> {
    /// The offset of the operation.
    pub(in crate::mlirbc) target: u64,
    /// Offsets of the operations around it, outermost first. Each has one region of one block without arguments, and
    /// neither operands nor results nor successors.
    pub(in crate::mlirbc) around: Vec<u64>,
    /// What else is kept of the blocks on the way, outermost first: offsets of operations without operands, results,
    /// and regions. The first block is that of the top-level operations if `top_is_made`, else that of the first in
    /// `around`.
    pub(in crate::mlirbc) kept: Vec<&'w [u64]>,
    /// The file has no top-level module of its own.
    pub(in crate::mlirbc) top_is_made: bool,
}

/// Reads the operation at the end of a way. None if it uses values of operations that are not read.
pub(in crate::mlirbc) fn read_part<'a>(
    tables: &mut Tables<'_, 'a>,
    entries: &mut Entries<'a>,
    properties: &mut Properties<'a>,
    input: Reader<'a>,
    way: &Way<'_>,
) -> Result<Option<Module>> {
    new_reader(tables, entries, properties, input).read_part(way)
}

impl<'a> OperationReader<'_, '_, 'a> {
    fn read_part(mut self, way: &Way<'_>) -> Result<Option<Module>> {
        // The block that is open, and where what is kept of it lies.
        let mut block = None;
        let mut kept = way.kept.iter().copied();
        let mut before = [].as_slice();
        let mut behind = Vec::new();
        if way.top_is_made {
            block = self.module.body();
            before = kept.next().unwrap_or_default();
        }
        for &start in way.around.iter().chain([&way.target]) {
            let outside = self.input.clone();
            let (first, last) = before
                .split_at_checked(before.partition_point(|&other| other < start))
                .unwrap_or_default();
            self.kept(block, &outside, first)?;
            behind.push((
                block,
                outside.clone(),
                last.strip_prefix(&[start]).unwrap_or(last),
            ));
            self.jump(&outside, start)?;
            let depth = self.stack.len();
            let operation = self.operation()?;
            match block {
                Some(block) => self.module.append_operation(block, operation),
                None => self.module.set_top(operation),
            }
            if start == way.target {
                self.nested(depth)?;
            } else {
                block = self.enter(depth)?;
                before = kept.next().unwrap_or_default();
            }
        }
        for (block, outside, last) in behind {
            self.kept(block, &outside, last)?;
        }
        // What is not read has defined nothing; what stands for its values was used.
        if self.values.iter().any(Option::is_some) {
            return Ok(None);
        }
        self.use_lists.apply(&mut self.module)?;
        Ok(Some(self.module))
    }

    /// Goes to an operation of the block in which `outside` is.
    fn jump(&mut self, outside: &Reader<'a>, start: u64) -> Result<()> {
        self.input = outside.clone();
        self.input.skip(start.saturating_sub(outside.offset()))
    }

    /// Enters the one block of the operation that was read last.
    fn enter(&mut self, depth: usize) -> Result<Option<Block>> {
        let at = self.input.offset();
        if self.stack.len() == depth {
            return Err(malformed(
                &self.input,
                at,
                "expected an operation with a region",
            ));
        }
        self.region()?;
        // Of the values that the region declares, only those of what is read are defined.
        self.undefined = 0;
        let first = self.stack.last().map_or(0, |frame| frame.blocks);
        let Some(&block) = self.region_blocks.get(first) else {
            return Err(malformed(&self.input, at, "expected a block"));
        };
        self.block(block)?;
        Ok(Some(block))
    }

    /// Reads operations of a block that stand alone.
    fn kept(&mut self, block: Option<Block>, outside: &Reader<'a>, starts: &[u64]) -> Result<()> {
        for &start in starts {
            self.jump(outside, start)?;
            let operation = self.operation()?;
            if let Some(block) = block {
                self.module.append_operation(block, operation);
            }
        }
        Ok(())
    }
}
