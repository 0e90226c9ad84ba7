//! Operations: one loop with a stack of the operations whose regions are being read.

use super::entry_source::{self, Direct, EntrySource};
use super::locations::LocationStream;
use super::segments::Segments;
use super::table_views::Totals;
use super::tables::Tables;
use super::templates::{ResultType, Templates};
use crate::lookup::{lookup, malformed, placed};
use rmlir_format::rmbc::index::{Chunk, ChunkList};
use rmlir_format::rmbc::region_flag as flag;
use rmlir_format::{ErrorKind, Reader, Result, Threads, check_limit};
use rmlir_ir::{
    Block, Location, Module, Operation, OperationState, Region, Stretch, Type, Value,
    ValueDefinition,
};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

/// A module, and the values and blocks that its provenance may name.
pub(super) struct Contents {
    pub(super) module: Module,
    /// The values by their numbers.
    pub(super) values: Vec<Value>,
    /// The blocks by their numbers.
    pub(super) blocks: Vec<Block>,
    pub(super) segments: Segments,
    pub(super) chunks: Chunks,
}

/// The chunks that were read.
pub(super) struct Chunks {
    pub(super) list: Vec<Chunk>,
    /// Whether their positions in the stream of locations are known.
    pub(super) has_locations: bool,
}

/// Reads the sections of operations and locations, on two threads if that many are allowed.
///
/// The calling thread then builds locations and dictionaries, the other one the module. The result
/// is the same.
pub(super) fn read(
    tables: &mut Tables<'_>,
    templates: &mut Templates,
    input: Reader<'_>,
    locations: LocationStream<'_>,
    threads: Threads,
    progress: impl Fn() -> Stretch + Sync,
) -> Result<Contents> {
    let announced = input.clone().count(1)?;
    let room = locations.remaining().min(announced);
    tables.context.reserve_locations(room);
    if threads.count() > 1 && input.remaining() >= WORTH_IT {
        let budget = tables.budget.clone();
        match read_on_two(
            tables,
            templates,
            input.clone(),
            locations.clone(),
            progress(),
        ) {
            Ok(contents) => return Ok(contents),
            // The single-threaded reader determines which error comes first.
            Err(_) => tables.budget = budget,
        }
    }
    let common = Common::of(tables);
    let supply = Direct {
        tables,
        templates,
        locations,
    };
    OperationReader::new(supply, common, input, progress())?
        .read()
        .1
}

/// With fewer bytes of operations, starting a thread costs more time than it saves.
const WORTH_IT: usize = 1 << 15;

fn read_on_two(
    tables: &mut Tables<'_>,
    templates: &Templates,
    input: Reader<'_>,
    locations: LocationStream<'_>,
    progress: Stretch,
) -> Result<Contents> {
    let common = Common::of(tables);
    let unknown = (!locations.is_there()).then_some(common.unknown);
    let (maker, supply) = entry_source::pair(templates, tables.budget.clone(), unknown);
    let (made, read) = thread::scope(|scope| {
        let read = move || {
            let (supply, contents) = OperationReader::new(supply, common, input, progress)?.read();
            Ok((supply.finish(), contents?))
        };
        let Ok(thread) = thread::Builder::new().spawn_scoped(scope, read) else {
            return (Err(entry_source::failed()), Err(entry_source::failed()));
        };
        let made = maker.make(tables, templates, locations);
        let read = thread.join();
        (made, read.unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let ((waiting, budget, begun), mut contents) = read?;
    let (made, restarts) = made?;
    entry_source::set(&mut contents.module, tables, waiting, made)?;
    entry_source::set_restarts(&mut contents.chunks, &begun, restarts)?;
    tables.budget = budget;
    Ok(contents)
}

/// An operation that is read alone, or of which only the head is read, for others to be put into
/// it.
pub(super) struct Step<'a> {
    /// The number of operations around it: deeper steps that follow are put into it.
    pub(super) depth: usize,
    pub(super) is_around: bool,
    pub(super) input: Reader<'a>,
    pub(super) locations: LocationStream<'a>,
    /// Its segment, and the numbers of the first value and block in it.
    pub(super) segments: Segments,
}

/// The result of reading one step.
pub(super) struct Piece {
    /// By number, from that of the first one on.
    pub(super) operation: Operation,
    pub(super) values: Vec<Value>,
    pub(super) blocks: Vec<Block>,
    pub(super) segments: Segments,
}

/// Reads some operations, the first of which encloses all others. `limit` is the maximum number of
/// operations.
pub(super) fn read_part<'a>(
    tables: &mut Tables<'_>,
    templates: &mut Templates,
    steps: impl IntoIterator<Item = Step<'a>>,
    totals: &Totals,
) -> Result<(Module, Vec<Piece>)> {
    let common = Common::of(tables);
    let name = tables.context.operation_name(b"builtin.module");
    let empty = || Module::with_top(name, common.unknown);
    let mut module = Some(empty());
    let mut pieces = Vec::new();
    // The blocks of the enclosing operations, outermost first.
    let mut blocks: Vec<Block> = Vec::new();
    for step in steps {
        let most = |what, count: u64| Left {
            what,
            left: usize::try_from(count).unwrap_or(usize::MAX),
        };
        let mut reader = OperationReader {
            module: module.take().unwrap_or_else(empty),
            common,
            supply: Direct {
                tables,
                templates,
                locations: step.locations,
            },
            input: step.input,
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
            segments: step.segments,
            progress: Stretch::default(),
            chunks: ChunkList::default(),
            has_locations: false,
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
            return Err(super::lazy_entries::inconsistent(&reader.input).with_offset(at));
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
            operation,
            values: reader.values,
            blocks: reader.blocks,
            segments: reader.segments,
        });
        module = Some(reader.module);
    }
    let module = module.unwrap_or_else(empty);
    Ok((module, pieces))
}

/// Skips extensions of later versions, unless a reader must know them.
#[cold]
pub(super) fn extensions(input: &mut Reader<'_>, what: &str) -> Result<()> {
    let start = input.offset();
    let count = input.count(2)?;
    let mut next = 0u64;
    for _ in 0..count {
        let at = input.offset();
        let key = input.varint()?;
        if key < next {
            return Err(malformed(input, at, "the keys of extensions do not ascend"));
        }
        if key & 1 == 1 {
            let message = format!("{what} has the extension {key} of a later version");
            return Err(input.error(ErrorKind::Unsupported, message).with_offset(at));
        }
        next = key.saturating_add(1);
        let len = input.varint()?;
        input.skip(len)?;
    }
    match count {
        0 => Err(malformed(input, start, "a list of extensions is empty")),
        _ => Ok(()),
    }
}

/// An operation whose regions are not all read yet.
struct Frame {
    /// The number of its regions that were not begun; the last ones of
    /// [`OperationReader::regions`].
    regions: usize,
    /// The start of the current region's blocks in [`OperationReader::region_blocks`].
    blocks: usize,
    /// The number of blocks of the current region that were begun.
    begun: usize,
    /// The current block.
    block: Option<Block>,
    /// The number of operations of the current block that are still to be read.
    operations: usize,
    /// The number of chunks of the current block that are still to be read.
    chunks: usize,
    /// The flags of the current region.
    flags: u64,
    /// Whether the regions of the operation are divided into chunks, once one with blocks was
    /// begun.
    has_chunks: Option<bool>,
}

/// The number of items that the section has left to be read.
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

/// The state common to all readers of operations.
#[derive(Clone, Copy)]
struct Common {
    unknown: Location,
    none: Type,
    max_depth: u64,
}

impl Common {
    fn of(tables: &mut Tables<'_>) -> Self {
        Common {
            unknown: tables.context.unknown_location(),
            none: tables.context.none_type(),
            max_depth: tables.max_depth,
        }
    }
}

struct OperationReader<'a, S> {
    supply: S,
    common: Common,
    input: Reader<'a>,
    module: Module,
    operations_left: Left,
    regions_left: Left,
    blocks_left: Left,
    /// The total number of values.
    value_count: u64,
    operands_left: u64,
    /// The values by their numbers.
    values: Vec<Value>,
    /// Values that were used but are not defined yet, with placeholders.
    forward: BTreeMap<u64, Value>,
    blocks: Vec<Block>,
    stack: Vec<Frame>,
    /// Regions of all open operations that were not begun; the next one last.
    regions: Vec<Region>,
    /// Blocks of all open regions.
    region_blocks: Vec<Block>,
    // Reused lists of the current operation.
    operands: Vec<Value>,
    results: Vec<Type>,
    successors: Vec<Block>,
    segments: Segments,
    progress: Stretch,
    chunks: ChunkList,
    has_locations: bool,
}

impl<'a, S: EntrySource> OperationReader<'a, S> {
    fn new(supply: S, common: Common, mut input: Reader<'a>, progress: Stretch) -> Result<Self> {
        let at = input.offset();
        // Each operation, region and block takes at least one byte.
        let (operations, regions) = (input.count(1)?, input.count(1)?);
        let blocks = input.count(1)?;
        let (value_count, operands_left) = (input.varint()?, input.varint()?);
        // The module is created with a top-level operation, which the first one replaces.
        let Some(template) = supply.templates().templates.first() else {
            return Err(malformed(
                &input,
                at,
                "there are operations, and no templates",
            ));
        };
        let mut module = Module::with_top(template.name, common.unknown);
        // The capacity that the bytes justify.
        let fits = |count: u64| {
            usize::try_from(count).map_or(input.remaining(), |count| count.min(input.remaining()))
        };
        module.reserve(operations, fits(value_count), fits(operands_left));
        let left = |what, left| Left { what, left };
        Ok(OperationReader {
            values: Vec::with_capacity(fits(value_count)),
            supply,
            common,
            input,
            module,
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
            segments: Segments::new(0, 0, 0),
            progress,
            chunks: ChunkList::default(),
            has_locations: false,
        })
    }

    fn read(mut self) -> (S, Result<Contents>) {
        let read = self.read_all();
        let contents = read.map(|()| Contents {
            module: self.module,
            values: self.values,
            blocks: self.blocks,
            segments: self.segments,
            chunks: Chunks {
                list: self.chunks.finish(),
                has_locations: self.has_locations,
            },
        });
        (self.supply, contents)
    }

    fn read_all(&mut self) -> Result<()> {
        let top = self.operation()?;
        self.module.set_top(top);
        self.rest()?;
        self.input.expect_end()?;
        self.progress.end();
        self.operations_left.expect_none(&self.input)?;
        self.regions_left.expect_none(&self.input)?;
        self.blocks_left.expect_none(&self.input)?;
        self.supply.expect_end()?;
        let values = self.value_count.saturating_sub(self.values.len() as u64);
        if values > 0 || self.operands_left > 0 {
            let message = format!(
                "{values} announced values and {} operands are missing",
                self.operands_left
            );
            return Err(malformed(&self.input, self.input.offset(), message));
        }
        Ok(())
    }

    /// Reads the content of the operation that was read.
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
            if let Some(left) = frame.chunks.checked_sub(1) {
                frame.chunks = left;
                self.chunk()?;
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
                None => {
                    if self
                        .stack
                        .pop()
                        .is_some_and(|frame| frame.has_chunks == Some(true))
                    {
                        self.chunks.leave();
                    }
                }
            }
        }
        Ok(())
    }

    /// Begins a chunk of the current block.
    #[cold]
    fn chunk(&mut self) -> Result<()> {
        let position = self.input.position() as u64;
        let location = self.supply.restart()?;
        self.has_locations |= location.is_some();
        self.chunks.begin(position, location.unwrap_or_default());
        self.segments.begin(self.values.len(), self.blocks.len());
        let operations = self.operation_count()?;
        if operations == 0 {
            let at = self.input.offset();
            return Err(malformed(&self.input, at, "a chunk has no operations"));
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        Ok(())
    }

    /// Notes whether a region with blocks is divided into chunks, and checks that this is allowed:
    /// all regions of the operation are or none, and the operation is the last one of its chunk.
    #[inline]
    fn note_chunks(&mut self, at: u64, has_chunks: bool) -> Result<()> {
        let Some((frame, around)) = self.stack.split_last_mut() else {
            return Ok(());
        };
        let is_allowed = match frame.has_chunks {
            Some(known) => known == has_chunks,
            None => {
                frame.has_chunks = Some(has_chunks);
                if !has_chunks {
                    return Ok(());
                }
                self.chunks.enter();
                around.last().is_none_or(|around| {
                    around.flags & flag::CHUNKED != 0 && around.operations == 0
                })
            }
        };
        match is_allowed {
            true => Ok(()),
            false => {
                let message = "an operation with chunks is not the last one of a chunk, or has \
                               regions without chunks";
                Err(malformed(&self.input, at, message))
            }
        }
    }

    /// Reads the number of operations of a block or chunk.
    fn operation_count(&mut self) -> Result<usize> {
        let at = self.input.offset();
        let operations = self.input.varint()?;
        let fitting = usize::try_from(operations).ok();
        match fitting.filter(|&count| count <= self.operations_left.left) {
            Some(operations) => Ok(operations),
            None => {
                let message =
                    format!("a block has {operations} operations, more than the section announces");
                Err(malformed(&self.input, at, message))
            }
        }
    }

    /// Reads an operation up to its regions, which are pushed on the stack.
    #[inline]
    fn operation(&mut self) -> Result<Operation> {
        let at = self.input.offset();
        self.progress.at(at);
        self.operations_left.take(&self.input, at, 1)?;
        let number = self.input.varint()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let loaded;
        let template = match self.supply.templates().templates.get(index) {
            Some(template) => template,
            None => {
                loaded = self.supply.missing_template(&self.input, at, number)?;
                &loaded
            }
        };
        let (name, inline, regions) = (template.name, template.inline, template.regions as usize);
        let is_extended = template.is_extended;
        let (mut attributes, mut properties) = (template.attributes, template.properties);
        let (operands, successors) = (template.operands, template.successors);
        let results = template.results.start as usize..template.results.end as usize;
        self.operands(operands)?;
        self.results(at, results)?;
        if let Some(signature) = inline {
            (attributes, properties) = self.supply.inline(&mut self.input, signature)?;
        }
        self.successors.clear();
        if successors > 0 {
            self.successors(successors)?;
        }
        if is_extended {
            extensions(&mut self.input, "an operation")?;
        }
        let first_region = self.regions.len();
        if regions > 0 {
            self.regions_left.take(&self.input, at, regions)?;
            for _ in 0..regions {
                self.regions.push(self.module.create_region());
            }
        }
        let location = self.supply.location()?;
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
        if inline.is_some() {
            self.supply.made(operation);
        }
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

    /// Continues with the regions of the operation that was read.
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
            chunks: 0,
            flags: 0,
            has_chunks: None,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.common.max_depth);
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

    /// Returns a placeholder for a value that is defined later, or an error.
    #[cold]
    fn forward(&mut self, at: u64, back: u64) -> Result<Value> {
        if back > 0 {
            let message = format!("the value {back} before the next one is not there");
            return Err(malformed(&self.input, at, message));
        }
        let distance = self.input.varint()?;
        let number = (self.values.len() as u64).saturating_add(distance);
        if number >= self.value_count {
            let message = format!("the value {distance} after the next one is never defined");
            return Err(malformed(&self.input, at, message));
        }
        // It will get the type of the definition.
        let (module, none) = (&mut self.module, self.common.none);
        let entry = self.forward.entry(number);
        Ok(*entry.or_insert_with(|| module.create_placeholder(none)))
    }

    /// Adds the results. One is free; more are charged to the budget, because the template creates
    /// them, not the bytes.
    #[inline]
    fn results(&mut self, at: u64, range: std::ops::Range<usize>) -> Result<()> {
        self.results.clear();
        if range.len() > 1 {
            let spent = self.supply.budget().spend(range.len() as u64);
            placed(&self.input, at, spent)?;
        }
        let results = &self.supply.templates().results;
        for result in results.get(range).unwrap_or_default() {
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

    /// Begins the next region of the operation on the top of the stack.
    ///
    /// Its blocks are created at once, so that successors can refer to them.
    fn region(&mut self) -> Result<()> {
        let at = self.input.offset();
        let head = self.input.varint()?;
        let count = usize::try_from(head >> flag::SHIFT).unwrap_or(usize::MAX);
        self.blocks_left.take(&self.input, at, count)?;
        if count == 0 && head & (flag::ARGUMENTS | flag::CHUNKED) != 0 {
            let message = "a region without blocks has no arguments and no chunks";
            return Err(malformed(&self.input, at, message));
        }
        if head & flag::EXTENDED != 0 {
            extensions(&mut self.input, "a region")?;
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.flags = head;
        }
        if count > 0 {
            self.note_chunks(at, head & flag::CHUNKED != 0)?;
        }
        if let Some(region) = self.regions.pop() {
            for _ in 0..count {
                self.region_blocks.push(self.module.append_block(region));
            }
        }
        Ok(())
    }

    /// Reads the head of a block: its arguments, and the number of operations that follow.
    fn block(&mut self, block: Block, entry: bool) -> Result<()> {
        self.blocks.push(block);
        let flags = self.stack.last().map_or(0, |frame| frame.flags);
        if flags & flag::EXTENDED != 0 {
            extensions(&mut self.input, "a block")?;
        }
        let at = self.input.offset();
        let list = match (entry, flags & flag::ARGUMENTS != 0) {
            (true, false) => None,
            (true, true) => Some(self.input.varint()?),
            (false, _) => self.input.varint()?.checked_sub(1),
        };
        if let Some(number) = list {
            self.arguments(at, block, number)?;
        }
        // Each chunk has an operation.
        let count = self.operation_count()?;
        if let Some(frame) = self.stack.last_mut() {
            match flags & flag::CHUNKED {
                0 => frame.operations = count,
                _ => frame.chunks = count,
            }
        }
        Ok(())
    }

    /// Adds arguments with the types of a list, which are not spelled out.
    fn arguments(&mut self, at: u64, block: Block, number: u64) -> Result<()> {
        let lists = &self.supply.templates().lists;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let range = match lists.get(index) {
            Some(range) => range.clone(),
            None => self.supply.missing_list(&self.input, at, number)?,
        };
        let spent = self.supply.budget().spend(range.len() as u64);
        placed(&self.input, at, spent)?;
        for place in range {
            let Some(&ty) = self.supply.templates().types.get(place) else {
                break;
            };
            let location = self.supply.location()?;
            let value = self.module.add_argument(block, ty, location);
            self.define(at, value)?;
        }
        Ok(())
    }

    /// Assigns the next number to a value.
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
