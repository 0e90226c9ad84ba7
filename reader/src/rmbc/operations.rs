//! Operations: one loop with a stack of the operations whose regions are being read.

use super::entries::Entry;
use super::tables::Tables;
use crate::place::{lookup, malformed, placed};
use rmlir_format::rmbc::{module_flag, operation_flag as flag};
use rmlir_format::{Limits, Reader, Result, check_limit};
use rmlir_ir::{
    Attribute, Block, Location, Module, Operation, OperationState, Region, Type, Value,
};

/// A module, and what its provenance may name.
pub(super) struct Contents {
    pub(super) module: Module,
    /// By number.
    pub(super) values: Vec<Option<Value>>,
    /// By number.
    pub(super) blocks: Vec<Block>,
}

/// Reads the section of operations.
pub(super) fn read(tables: &Tables<'_>, input: Reader<'_>, limits: &Limits) -> Result<Contents> {
    OperationReader::new(tables, input, limits)?.read()
}

/// An operation of which regions are still to be read.
struct Frame {
    /// How many of its regions were not begun; the last ones of [`OperationReader::regions`].
    regions: usize,
    /// Where the blocks of the current region begin in [`OperationReader::region_blocks`].
    blocks: usize,
    /// How many blocks of the current region were begun.
    begun: usize,
    /// The current block.
    block: Option<Block>,
    /// How many operations of the current block are still to be read.
    operations: usize,
}

/// How many of something the section has left to be read.
struct Left {
    what: &'static str,
    left: usize,
}

impl Left {
    /// Takes some; they were announced all in all, and the bytes pay for these.
    #[inline]
    fn take(&mut self, input: &Reader<'_>, at: u64, count: usize) -> Result<()> {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(malformed(
                input,
                at,
                format!("there are more {} than the section announces", self.what),
            )),
        }
    }

    fn expect_none(&self, input: &Reader<'_>) -> Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        Err(malformed(
            input,
            input.offset(),
            format!("{} announced {} are missing", self.left, self.what),
        ))
    }
}

struct OperationReader<'t, 'c, 'a> {
    tables: &'t Tables<'c>,
    input: Reader<'a>,
    module: Module,
    locations: bool,
    previous_location: i64,
    max_values_per_op: u64,
    max_depth: u64,
    operations_left: Left,
    regions_left: Left,
    blocks_left: Left,
    /// By number: what was defined, or a placeholder for what was only used so far.
    values: Vec<Option<Value>>,
    next_value: usize,
    blocks: Vec<Block>,
    stack: Vec<Frame>,
    /// Regions that are not begun, of all open operations; the next one last.
    regions: Vec<Region>,
    /// Blocks of all open regions.
    region_blocks: Vec<Block>,
    // Lists of the current operation, to be used again.
    operands: Vec<Value>,
    results: Vec<Type>,
    successors: Vec<Block>,
}

impl<'t, 'c, 'a> OperationReader<'t, 'c, 'a> {
    fn new(tables: &'t Tables<'c>, mut input: Reader<'a>, limits: &Limits) -> Result<Self> {
        let at = input.offset();
        let flags = input.u8()?;
        if flags & !module_flag::LOCATIONS != 0 {
            let message = format!("the flags {flags:#04x} of the module are not known");
            return Err(malformed(&input, at, message));
        }
        let at = input.offset();
        // Each is spelled out in so many bytes.
        let (operations, regions) = (input.count(2)?, input.count(1)?);
        let (blocks, values) = (input.count(2)?, input.count(1)?);
        // The module comes with an operation of its own, which the first one takes the place of.
        let name = lookup(&input, at, "operation name", &tables.names, 0)?;
        let module = Module::with_top(name, tables.context.unknown_location());
        let left = |what, left| Left { what, left };
        Ok(OperationReader {
            tables,
            input,
            module,
            locations: flags & module_flag::LOCATIONS != 0,
            previous_location: 0,
            max_values_per_op: limits.max_values_per_op,
            max_depth: limits.max_depth,
            operations_left: left("operations", operations),
            regions_left: left("regions", regions),
            blocks_left: left("blocks", blocks),
            values: vec![None; values],
            next_value: 0,
            blocks: Vec::new(),
            stack: Vec::new(),
            regions: Vec::new(),
            region_blocks: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            successors: Vec::new(),
        })
    }

    fn read(mut self) -> Result<Contents> {
        let top = self.operation()?;
        self.module.set_top(top);
        while let Some(frame) = self.stack.last_mut() {
            if let Some(left) = frame.operations.checked_sub(1) {
                frame.operations = left;
                let block = frame.block;
                let operation = self.operation()?;
                if let Some(block) = block {
                    self.module.append_operation(block, operation);
                }
                continue;
            }
            let next = frame.blocks.saturating_add(frame.begun);
            if let Some(&block) = self.region_blocks.get(next) {
                frame.begun = frame.begun.saturating_add(1);
                frame.block = Some(block);
                self.block(block)?;
                continue;
            }
            self.region_blocks.truncate(frame.blocks);
            match frame.regions.checked_sub(1) {
                Some(left) => {
                    frame.regions = left;
                    frame.begun = 0;
                    self.region()?;
                }
                None => drop(self.stack.pop()),
            }
        }
        self.input.expect_end()?;
        self.operations_left.expect_none(&self.input)?;
        self.regions_left.expect_none(&self.input)?;
        self.blocks_left.expect_none(&self.input)?;
        if self.next_value != self.values.len() {
            let values = Left {
                what: "values",
                left: self.values.len().saturating_sub(self.next_value),
            };
            values.expect_none(&self.input)?;
        }
        Ok(Contents {
            module: self.module,
            values: self.values,
            blocks: self.blocks,
        })
    }

    /// An operation up to its regions, which wait on the stack.
    fn operation(&mut self) -> Result<Operation> {
        let tables = self.tables;
        let at = self.input.offset();
        self.operations_left.take(&self.input, at, 1)?;
        let name = self.input.varint()?;
        let name = lookup(&self.input, at, "operation name", &tables.names, name)?;
        let flags = self.input.u8()?;
        let location = self.location()?;
        let (mut attributes, mut properties) = (None, None);
        if flags & flag::ATTRIBUTES != 0 {
            attributes = Some(self.dictionary()?);
        }
        if flags & flag::PROPERTIES != 0 {
            properties = Some(self.attribute()?);
        }
        self.operands(flags)?;
        self.results(flags)?;
        self.successors.clear();
        if flags & flag::SUCCESSORS != 0 {
            self.successors()?;
        }
        let first_region = self.regions.len();
        if flags & flag::REGIONS != 0 {
            let at = self.input.offset();
            let count = self.some("regions")?;
            self.regions_left.take(&self.input, at, count)?;
            for _ in 0..count {
                self.regions.push(self.module.create_region());
            }
        }
        let state = OperationState {
            name,
            location,
            operands: &self.operands,
            result_types: &self.results,
            attributes,
            properties,
            successors: &self.successors,
            regions: self.regions.get(first_region..).unwrap_or_default(),
        };
        let operation = self.module.create_operation(&state);
        for value in self.module.results(operation) {
            self.define(at, value)?;
        }
        let regions = self.regions.len().saturating_sub(first_region);
        if regions > 0 {
            if let Some(regions) = self.regions.get_mut(first_region..) {
                regions.reverse();
            }
            self.stack.push(Frame {
                regions,
                blocks: self.region_blocks.len(),
                begun: 0,
                block: None,
                operations: 0,
            });
            let depth = self.stack.len() as u64;
            let within = check_limit("levels of nesting", depth, self.max_depth);
            placed(&self.input, at, within)?;
        }
        Ok(operation)
    }

    /// The number of operands or results: two bits of the flags, or a number if it is large.
    #[inline]
    fn few_or_many(&mut self, flags: u8, shift: u32, what: &'static str) -> Result<usize> {
        let few = flags >> shift & flag::MANY;
        if few < flag::MANY {
            return Ok(few.into());
        }
        let at = self.input.offset();
        let count = self.some(what)?;
        if count < flag::MANY.into() {
            let message = format!("{count} {what} are counted in more bytes than they need");
            return Err(malformed(&self.input, at, message));
        }
        Ok(count)
    }

    /// A number of things, at least one, that take a byte or more each.
    fn some(&mut self, what: &'static str) -> Result<usize> {
        let at = self.input.offset();
        let count = self.input.count(1)?;
        if count == 0 {
            return Err(malformed(&self.input, at, format!("a list of no {what}")));
        }
        let within = check_limit(what, count as u64, self.max_values_per_op);
        placed(&self.input, at, within)?;
        Ok(count)
    }

    fn operands(&mut self, flags: u8) -> Result<()> {
        self.operands.clear();
        let count = self.few_or_many(flags, flag::OPERANDS_SHIFT, "operands")?;
        for _ in 0..count {
            let at = self.input.offset();
            let back = self.input.signed_varint()?;
            let number = (self.next_value as i64).checked_sub(back);
            let number = number.and_then(|number| usize::try_from(number).ok());
            let slot = number.and_then(|number| self.values.get_mut(number));
            let value = match slot {
                Some(Some(value)) => *value,
                Some(slot) => {
                    // Its type will be that of the definition.
                    let ty = self.tables.context.none_type();
                    *slot.insert(self.module.create_placeholder(ty))
                }
                None => {
                    let message = format!("the value {back} before the next one is never defined");
                    return Err(malformed(&self.input, at, message));
                }
            };
            self.operands.push(value);
        }
        Ok(())
    }

    fn results(&mut self, flags: u8) -> Result<()> {
        self.results.clear();
        let count = self.few_or_many(flags, flag::RESULTS_SHIFT, "results")?;
        for _ in 0..count {
            let ty = self.ty()?;
            self.results.push(ty);
        }
        Ok(())
    }

    fn successors(&mut self) -> Result<()> {
        let count = self.some("successors")?;
        let first = self.stack.last().map(|frame| frame.blocks);
        let first = first.unwrap_or(self.region_blocks.len());
        for _ in 0..count {
            let at = self.input.offset();
            let number = self.input.varint()?;
            let blocks = self.region_blocks.get(first..).unwrap_or_default();
            let block = lookup(&self.input, at, "block", blocks, number)?;
            self.successors.push(block);
        }
        Ok(())
    }

    /// Begins the next region of the operation on the top of the stack. Its blocks are made at once, for
    /// successors to refer to.
    fn region(&mut self) -> Result<()> {
        let at = self.input.offset();
        let count = self.input.count(2)?;
        self.blocks_left.take(&self.input, at, count)?;
        if let Some(region) = self.regions.pop() {
            for _ in 0..count {
                self.region_blocks.push(self.module.append_block(region));
            }
        }
        Ok(())
    }

    /// The head of a block: its arguments, and how many operations follow.
    fn block(&mut self, block: Block) -> Result<()> {
        self.blocks.push(block);
        let arguments = self.input.count(1)?;
        for _ in 0..arguments {
            let at = self.input.offset();
            let ty = self.ty()?;
            let location = self.location()?;
            let value = self.module.add_argument(block, ty, location);
            self.define(at, value)?;
        }
        let operations = self.input.count(2)?;
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        Ok(())
    }

    /// Gives the next number to a value.
    #[inline]
    fn define(&mut self, at: u64, value: Value) -> Result<()> {
        let Some(slot) = self.values.get_mut(self.next_value) else {
            let message = "there are more values than the section announces";
            return Err(malformed(&self.input, at, message));
        };
        self.next_value = self.next_value.saturating_add(1);
        if let Some(placeholder) = slot.replace(value) {
            self.module.replace_all_uses(placeholder, value);
        }
        Ok(())
    }

    #[inline]
    fn location(&mut self) -> Result<Location> {
        if !self.locations {
            return Ok(self.tables.context.unknown_location());
        }
        let at = self.input.offset();
        let difference = self.input.signed_varint()?;
        let number = self.previous_location.wrapping_add(difference);
        let table = &self.tables.locations;
        let location = lookup(&self.input, at, "location", table, number as u64)?;
        self.previous_location = number;
        Ok(location)
    }

    #[inline]
    fn entry(&mut self) -> Result<(u64, Entry)> {
        let at = self.input.offset();
        let number = self.input.varint()?;
        let entry = lookup(&self.input, at, "entry", &self.tables.entries, number)?;
        Ok((at, entry))
    }

    #[inline]
    fn ty(&mut self) -> Result<Type> {
        match self.entry()? {
            (_, Entry::Type(ty)) => Ok(ty),
            (at, _) => Err(malformed(&self.input, at, "the type of a value is no type")),
        }
    }

    fn dictionary(&mut self) -> Result<Attribute> {
        match self.entry()? {
            (_, Entry::Dictionary(dictionary)) => Ok(dictionary),
            (at, _) => Err(malformed(
                &self.input,
                at,
                "the attributes of an operation are no dictionary",
            )),
        }
    }

    fn attribute(&mut self) -> Result<Attribute> {
        match self.entry()? {
            (_, Entry::Dictionary(attribute) | Entry::Attribute(attribute)) => Ok(attribute),
            (at, _) => Err(malformed(
                &self.input,
                at,
                "the properties of an operation are no attribute",
            )),
        }
    }
}
