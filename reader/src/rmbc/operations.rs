//! Operations: one loop with a stack of the operations whose regions are being read.

use super::locations::LocationStream;
use super::shapes::{ResultType, Shapes};
use super::tables::Tables;
use super::views::Totals;
use crate::place::{lookup, malformed, placed};
use rmlir_format::{Limits, Reader, Result, check_limit};
use rmlir_ir::{Block, Module, Operation, OperationState, Region, Type, Value, ValueDefinition};
use std::collections::BTreeMap;

/// A module, and what its provenance may name.
pub(super) struct Contents {
    pub(super) module: Module,
    /// By number.
    pub(super) values: Vec<Value>,
    /// By number.
    pub(super) blocks: Vec<Block>,
}

/// Reads the sections of operations and locations.
pub(super) fn read(
    tables: &mut Tables<'_>,
    shapes: &mut Shapes,
    input: Reader<'_>,
    locations: LocationStream<'_>,
    limits: &Limits,
) -> Result<Contents> {
    OperationReader::new(tables, shapes, input, locations, limits)?.read()
}

/// An operation that is read alone, or of which only the head is read, for others to be put into it.
pub(super) struct Step<'a> {
    /// Around how many operations it is: what is deeper, and comes next, is put into it.
    pub(super) depth: usize,
    pub(super) is_around: bool,
    pub(super) input: Reader<'a>,
    pub(super) locations: LocationStream<'a>,
}

/// What was read of one step.
pub(super) struct Piece {
    /// By number, from that of the first one on.
    pub(super) values: Vec<Value>,
    pub(super) blocks: Vec<Block>,
}

/// Reads some operations, the first of which is around all others. `limit` is how many operations there can be.
pub(super) fn read_part<'a>(
    tables: &mut Tables<'_>,
    shapes: &mut Shapes,
    steps: impl IntoIterator<Item = Step<'a>>,
    totals: &Totals,
) -> Result<(Module, Vec<Piece>)> {
    let unknown = tables.context.unknown_location();
    let name = tables.context.operation_name(b"builtin.module");
    let mut module = Some(Module::with_top(name, unknown));
    let mut pieces = Vec::new();
    // The blocks of operations around, outermost first.
    let mut blocks: Vec<Block> = Vec::new();
    for step in steps {
        let most = |what, count: u64| Left {
            what,
            left: usize::try_from(count).unwrap_or(usize::MAX),
        };
        let mut reader = OperationReader {
            module: module
                .take()
                .unwrap_or_else(|| Module::with_top(name, unknown)),
            max_depth: tables.max_depth,
            tables,
            shapes,
            input: step.input,
            locations: step.locations,
            operations_left: most("operations", totals.operations),
            regions_left: most("regions", totals.regions),
            blocks_left: most("blocks", totals.blocks),
            value_count: totals.values,
            operands_left: totals.operands,
            values: Vec::new(),
            forward: BTreeMap::new(),
            blocks: Vec::new(),
            stack: Vec::new(),
            regions: Vec::new(),
            region_blocks: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            successors: Vec::new(),
        };
        let at = reader.input.offset();
        let operation = reader.operation()?;
        if step.is_around {
            reader.region()?;
            if let [block] = reader.region_blocks.as_slice() {
                blocks.truncate(step.depth);
                blocks.push(*block);
            }
        } else {
            reader.rest()?;
        }
        let expected = match step.is_around {
            true => step.depth.saturating_add(1),
            false => step.depth,
        };
        if !reader.forward.is_empty() || blocks.len() < expected {
            return Err(super::part::inconsistent(&reader.input).with_offset(at));
        }
        let around = step
            .depth
            .checked_sub(1)
            .and_then(|outer| blocks.get(outer));
        match around {
            Some(&around) => reader.module.append_operation(around, operation),
            None => reader.module.set_top(operation),
        }
        pieces.push(Piece {
            values: reader.values,
            blocks: reader.blocks,
        });
        module = Some(reader.module);
    }
    let module = module.unwrap_or_else(|| Module::with_top(name, unknown));
    Ok((module, pieces))
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
    /// Whether the entry block of the current region has arguments.
    arguments: bool,
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
    tables: &'t mut Tables<'c>,
    shapes: &'t mut Shapes,
    input: Reader<'a>,
    locations: LocationStream<'a>,
    module: Module,
    max_depth: u64,
    operations_left: Left,
    regions_left: Left,
    blocks_left: Left,
    /// How many values there are all in all.
    value_count: u64,
    operands_left: u64,
    /// By number.
    values: Vec<Value>,
    /// What was used and is not defined yet, with a placeholder for it.
    forward: BTreeMap<u64, Value>,
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
    fn new(
        tables: &'t mut Tables<'c>,
        shapes: &'t mut Shapes,
        mut input: Reader<'a>,
        locations: LocationStream<'a>,
        limits: &Limits,
    ) -> Result<Self> {
        let at = input.offset();
        // Each operation, region and block is spelled out in so many bytes.
        let (operations, regions) = (input.count(1)?, input.count(1)?);
        let blocks = input.count(1)?;
        let (value_count, operands_left) = (input.varint()?, input.varint()?);
        // The module comes with an operation of its own, which the first one takes the place of.
        let Some(shape) = shapes.shapes.first() else {
            return Err(malformed(&input, at, "there are operations, and no shapes"));
        };
        let mut module = Module::with_top(shape.name, tables.context.unknown_location());
        // What the bytes pay for.
        let fits = |count: u64| {
            usize::try_from(count).map_or(input.remaining(), |count| count.min(input.remaining()))
        };
        module.reserve(operations, fits(value_count), fits(operands_left));
        tables
            .context
            .reserve_locations(locations.remaining().min(operations));
        let left = |what, left| Left { what, left };
        Ok(OperationReader {
            values: Vec::with_capacity(fits(value_count)),
            tables,
            shapes,
            input,
            locations,
            module,
            max_depth: limits.max_depth,
            operations_left: left("operations", operations),
            regions_left: left("regions", regions),
            blocks_left: left("blocks", blocks),
            value_count,
            operands_left,
            forward: BTreeMap::new(),
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
        self.rest()?;
        self.input.expect_end()?;
        self.operations_left.expect_none(&self.input)?;
        self.regions_left.expect_none(&self.input)?;
        self.blocks_left.expect_none(&self.input)?;
        self.locations.expect_end()?;
        let values = self.value_count.saturating_sub(self.values.len() as u64);
        if values > 0 || self.operands_left > 0 {
            let message = format!(
                "{values} announced values and {} operands are missing",
                self.operands_left
            );
            return Err(malformed(&self.input, self.input.offset(), message));
        }
        Ok(Contents {
            module: self.module,
            values: self.values,
            blocks: self.blocks,
        })
    }

    /// Reads what is in the operation that was read.
    fn rest(&mut self) -> Result<()> {
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
                let entry = frame.begun == 0;
                frame.begun = frame.begun.saturating_add(1);
                frame.block = Some(block);
                self.block(block, entry)?;
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
        Ok(())
    }

    /// An operation up to its regions, which wait on the stack.
    #[inline]
    fn operation(&mut self) -> Result<Operation> {
        let at = self.input.offset();
        self.operations_left.take(&self.input, at, 1)?;
        let number = self.input.varint()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let loaded;
        let shape = match self.shapes.shapes.get(index) {
            Some(shape) => shape,
            None => {
                let (tables, input) = (&mut *self.tables, &self.input);
                loaded = self.shapes.missing_shape(tables, input, at, number)?;
                &loaded
            }
        };
        let (name, inline, regions) = (shape.name, shape.inline, shape.regions as usize);
        let (mut attributes, mut properties) = (shape.attributes, shape.properties);
        let (operands, successors) = (shape.operands, shape.successors);
        let results = shape.results.start as usize..shape.results.end as usize;
        self.operands(operands)?;
        self.results(at, results)?;
        if let Some(form) = inline {
            (attributes, properties) = self.shapes.inline(self.tables, &mut self.input, form)?;
        }
        self.successors.clear();
        if successors > 0 {
            self.successors(successors)?;
        }
        let first_region = self.regions.len();
        if regions > 0 {
            self.regions_left.take(&self.input, at, regions)?;
            for _ in 0..regions {
                self.regions.push(self.module.create_region());
            }
        }
        let location = self.locations.next(self.tables)?;
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
        if !self.results.is_empty() {
            for value in self.module.results(operation) {
                self.define(at, value)?;
            }
        }
        if regions > 0 {
            self.enter(first_region)?;
        }
        Ok(operation)
    }

    /// What is in the regions of the operation that was read comes next.
    fn enter(&mut self, first_region: usize) -> Result<()> {
        if let Some(regions) = self.regions.get_mut(first_region..) {
            regions.reverse();
        }
        self.stack.push(Frame {
            regions: self.regions.len().saturating_sub(first_region),
            blocks: self.region_blocks.len(),
            begun: 0,
            block: None,
            operations: 0,
            arguments: false,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.max_depth);
        placed(&self.input, self.input.offset(), within)
    }

    #[inline]
    fn operands(&mut self, count: u32) -> Result<()> {
        self.operands.clear();
        if count == 0 {
            return Ok(());
        }
        let at = self.input.offset();
        match self.operands_left.checked_sub(count.into()) {
            Some(left) => self.operands_left = left,
            None => {
                let message = "there are more operands than the section announces";
                return Err(malformed(&self.input, at, message));
            }
        }
        let next = self.values.len() as u64;
        for _ in 0..count {
            let at = self.input.offset();
            let back = self.input.varint()?;
            let number = next.wrapping_sub(back);
            let value = match usize::try_from(number)
                .ok()
                .and_then(|n| self.values.get(n))
            {
                Some(&value) => value,
                None => self.forward(at, back)?,
            };
            self.operands.push(value);
        }
        Ok(())
    }

    /// The value of a number that is defined later, or an error.
    #[cold]
    fn forward(&mut self, at: u64, back: u64) -> Result<Value> {
        if back > 0 {
            let message = format!("the value {back} before the next one is not there");
            return Err(malformed(&self.input, at, message));
        }
        let distance = self.input.varint()?;
        let number = (self.values.len() as u64).saturating_add(distance);
        if number >= self.value_count {
            let message = format!("the value {distance} behind the next one is never defined");
            return Err(malformed(&self.input, at, message));
        }
        // Its type will be that of the definition.
        let (module, none) = (&mut self.module, self.tables.context.none_type());
        let entry = self.forward.entry(number);
        Ok(*entry.or_insert_with(|| module.create_placeholder(none)))
    }

    /// The types of results. One is free; more are made by the shape, not spelled out.
    #[inline]
    fn results(&mut self, at: u64, range: std::ops::Range<usize>) -> Result<()> {
        self.results.clear();
        if range.len() > 1 {
            let spent = self.tables.budget.spend(range.len() as u64);
            placed(&self.input, at, spent)?;
        }
        for result in self.shapes.results.get(range).unwrap_or_default() {
            self.results.push(match *result {
                ResultType::Type(ty) => ty,
                ResultType::Operand(number) => {
                    let operand = self.operands.get(number);
                    let known = operand.filter(|&&value| {
                        !matches!(self.module.definition(value), ValueDefinition::Placeholder)
                    });
                    match known {
                        Some(&value) => self.module.value_type(value),
                        None => {
                            let message = format!("a result has the type of operand {number}, which is not defined yet");
                            return Err(malformed(&self.input, at, message));
                        }
                    }
                }
            });
        }
        Ok(())
    }

    fn successors(&mut self, count: u32) -> Result<()> {
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
        let head = self.input.varint()?;
        let count = usize::try_from(head >> 1).unwrap_or(usize::MAX);
        self.blocks_left.take(&self.input, at, count)?;
        if head == 1 {
            let message = "a region without blocks has no arguments";
            return Err(malformed(&self.input, at, message));
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.arguments = head & 1 == 1;
        }
        if let Some(region) = self.regions.pop() {
            for _ in 0..count {
                self.region_blocks.push(self.module.append_block(region));
            }
        }
        Ok(())
    }

    /// The head of a block: its arguments, and how many operations follow.
    fn block(&mut self, block: Block, entry: bool) -> Result<()> {
        self.blocks.push(block);
        let at = self.input.offset();
        let list = match (
            entry,
            self.stack.last().is_some_and(|frame| frame.arguments),
        ) {
            (true, false) => None,
            (true, true) => Some(self.input.varint()?),
            (false, _) => self.input.varint()?.checked_sub(1),
        };
        if let Some(number) = list {
            self.arguments(at, block, number)?;
        }
        let at = self.input.offset();
        let operations = self.input.varint()?;
        let Some(operations) = usize::try_from(operations)
            .ok()
            .filter(|&count| count <= self.operations_left.left)
        else {
            let message =
                format!("a block has {operations} operations, more than the section announces");
            return Err(malformed(&self.input, at, message));
        };
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        Ok(())
    }

    /// Arguments of the types of a list, which are not spelled out.
    fn arguments(&mut self, at: u64, block: Block, number: u64) -> Result<()> {
        let lists = &self.shapes.lists;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let range = match lists.get(index) {
            Some(range) => range.clone(),
            None => {
                let (tables, input) = (&mut *self.tables, &self.input);
                self.shapes.missing_list(tables, input, at, number)?
            }
        };
        let spent = self.tables.budget.spend(range.len() as u64);
        placed(&self.input, at, spent)?;
        for place in range {
            let Some(&ty) = self.shapes.types.get(place) else {
                break;
            };
            let location = self.locations.next(self.tables)?;
            let value = self.module.add_argument(block, ty, location);
            self.define(at, value)?;
        }
        Ok(())
    }

    /// Gives the next number to a value.
    #[inline]
    fn define(&mut self, at: u64, value: Value) -> Result<()> {
        let number = self.values.len() as u64;
        if number >= self.value_count {
            let message = "there are more values than the section announces";
            return Err(malformed(&self.input, at, message));
        }
        self.values.push(value);
        if !self.forward.is_empty()
            && let Some(placeholder) = self.forward.remove(&number)
        {
            self.module.move_uses(placeholder, value);
        }
        Ok(())
    }
}
