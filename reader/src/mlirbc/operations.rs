//! Operations: one loop with a stack of the operations whose regions are being read.
//!
//! Values have numbers in a scope. An isolated operation opens one; its regions, and those of the
//! operations in them that are not isolated, share it. A region that declares n values has the next
//! n numbers from its start to its end, in the order in which the values are defined. All but
//! top-level operations may use any declared value, even before its definition.

use super::Tables;
use super::entries::Entries;
use super::properties::Properties;
use super::use_lists::UseLists;
use crate::lookup::{lookup, malformed, placed};
use rmlir_format::mlirbc::{Version, operation_mask as mask, read_section, section};
use rmlir_format::{Input, Result, check_limit};
use rmlir_ir::{
    Attribute, Block, Location, Module, Operation, OperationState, Region, Stretch, Type, Value,
};

mod selected;

pub(super) use selected::{PathStep, read_selected};

/// Reads the section of operations.
pub(super) fn read<'a, I: Input>(
    tables: &mut Tables<'_, 'a>,
    entries: &mut Entries<'a>,
    properties: &mut Properties<'a>,
    input: I,
    progress: Stretch,
) -> Result<Module> {
    let mut reader = new_reader(tables, entries, properties, input);
    reader.progress = progress;
    reader.read()
}

fn new_reader<'t, 'c, 'a, I: Input>(
    tables: &'t mut Tables<'c, 'a>,
    entries: &'t mut Entries<'a>,
    properties: &'t mut Properties<'a>,
    input: I,
) -> OperationReader<'t, 'c, 'a, I> {
    let name = tables.context.operation_name("builtin.module");
    // The module is created with a top-level operation, which the file's top-level module replaces.
    let module = Module::with_top(name, tables.context.unknown_location());
    let end = input.offset().saturating_add(input.remaining());
    OperationReader {
        tables,
        entries,
        properties,
        input,
        end,
        module,
        values: Vec::new(),
        undefined: 0,
        stack: Vec::new(),
        regions: Vec::new(),
        region_blocks: Vec::new(),
        use_lists: UseLists::default(),
        progress: Stretch::default(),
        operands: Vec::new(),
        results: Vec::new(),
        successors: Vec::new(),
    }
}

/// Reads which parts an operation has.
pub(super) fn read_mask(input: &mut impl Input, version: Version) -> Result<u8> {
    let at = input.offset();
    let flags = input.u8()?;
    let mut known =
        mask::ATTRIBUTES | mask::RESULTS | mask::OPERANDS | mask::SUCCESSORS | mask::REGIONS;
    if version.has_use_list_orders() {
        known |= mask::USE_LIST_ORDERS;
    }
    if version.has_properties() {
        known |= mask::PROPERTIES;
    }
    if flags & !known != 0 {
        let message = format!(
            "the mask {flags:#04x} of an operation has bits that version {} does not know",
            version.number()
        );
        return Err(malformed(&*input, at, message));
    }
    Ok(flags)
}

/// An operation whose regions are not all read yet.
struct Frame<I> {
    /// How many of its regions were not begun; the last ones of [`OperationReader::regions`].
    regions: usize,
    /// Where the blocks of the current region begin in [`OperationReader::region_blocks`].
    blocks: usize,
    /// How many blocks of the current region were begun.
    begun: usize,
    /// The current block.
    block: Option<Block>,
    /// How many operations of the current block are still to be read.
    operations: u64,
    /// Where value 0 of the scope is in [`OperationReader::values`].
    scope: usize,
    /// Where the values of the current region begin there.
    values: usize,
    /// Where the next value of the current region goes.
    next_value: usize,
    /// The bytes that follow the section of its regions.
    outside: Option<I>,
}

struct OperationReader<'t, 'c, 'a, I> {
    tables: &'t mut Tables<'c, 'a>,
    entries: &'t mut Entries<'a>,
    properties: &'t mut Properties<'a>,
    input: I,
    /// Where the outermost section ends.
    end: u64,
    module: Module,
    /// Values of the open regions: the defined one, or a placeholder for one that was only used so
    /// far.
    values: Vec<Option<Value>>,
    /// How many values of the open regions were declared and not defined yet.
    undefined: u64,
    stack: Vec<Frame<I>>,
    /// Regions that are not begun, of all open operations; the next one last.
    regions: Vec<Region>,
    /// Blocks of all open regions.
    region_blocks: Vec<Block>,
    use_lists: UseLists,
    progress: Stretch,
    // Lists of the current operation, to be used again.
    operands: Vec<Value>,
    results: Vec<Type>,
    successors: Vec<Block>,
}

impl<I: Input> OperationReader<'_, '_, '_, I> {
    fn read(mut self) -> Result<Module> {
        let at = self.input.offset();
        let (count, has_arguments) = self.input.prefix_flagged_varint()?;
        if has_arguments {
            let message = "the block of the top-level operations has arguments";
            return Err(malformed(&self.input, at, message));
        }
        for number in 0..count {
            let operation = self.operation()?;
            self.nested(0)?;
            if self.module.result_count(operation) > 0 {
                let message = "a top-level operation has results";
                return Err(malformed(&self.input, at, message));
            }
            let is_module = self.module.name(operation) == self.module.name(self.module.top());
            if count == 1 && is_module {
                self.module.set_top(operation);
            } else if let Some(body) = self.module.body() {
                debug_assert!(number < count);
                self.module.append_operation(body, operation);
            }
        }
        self.input.expect_end()?;
        self.progress.end();
        self.use_lists.apply(&mut self.module)?;
        Ok(self.module)
    }

    /// Reads the regions of the operation that was read last, above which `depth` others are open.
    fn nested(&mut self, depth: usize) -> Result<()> {
        while self.stack.len() > depth {
            let Some(frame) = self.stack.last_mut() else {
                break;
            };
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
            if frame.next_value != self.values.len() {
                let missing = self.values.len().saturating_sub(frame.next_value);
                let message = format!("{missing} values that a region declares are not defined");
                return Err(malformed(&self.input, self.input.offset(), message));
            }
            self.values.truncate(frame.values);
            match frame.regions.checked_sub(1) {
                Some(left) => {
                    frame.regions = left;
                    frame.begun = 0;
                    frame.next_value = frame.values;
                    self.region()?;
                }
                None => {
                    if let Some(outside) = frame.outside.take() {
                        self.input.expect_end()?;
                        self.input = outside;
                    }
                    self.stack.pop();
                }
            }
        }
        Ok(())
    }

    /// Reads an operation up to its regions, which are left to the stack.
    fn operation(&mut self) -> Result<Operation> {
        let at = self.input.offset();
        self.progress.at(at);
        let name_number = self.input.prefix_varint()?;
        let names = &self.tables.names;
        let name = lookup(&self.input, at, "operation name", names, name_number)?.name;
        let flags = read_mask(&mut self.input, self.tables.version)?;
        let location = self.location()?;
        let (mut attributes, mut properties) = (None, None);
        if flags & mask::ATTRIBUTES != 0 {
            attributes = self.dictionary()?;
        }
        let mut undecided = None;
        if flags & mask::PROPERTIES != 0 {
            let at = self.input.offset();
            let number = self.input.prefix_varint()?;
            // It is the number of one of the names, of which there are fewer than 2^32.
            let name_number = u32::try_from(name_number).unwrap_or(u32::MAX);
            let key = (name_number, number);
            (properties, undecided) =
                self.properties
                    .get(self.tables, self.entries, &self.input, at, key)?;
        }
        let normalized = self.tables.normalized(name, attributes, properties);
        (attributes, properties) = normalized
            .map_err(|invalid| malformed(&self.input, at, invalid.message().to_owned()))?;
        self.results.clear();
        if flags & mask::RESULTS != 0 {
            for _ in 0..self.some("results")? {
                let ty = self.ty()?;
                self.results.push(ty);
            }
        }
        self.operands.clear();
        if flags & mask::OPERANDS != 0 {
            self.operands()?;
        }
        self.successors.clear();
        if flags & mask::SUCCESSORS != 0 {
            self.successors()?;
        }
        let use_lists = match flags & mask::USE_LIST_ORDERS {
            0 => None,
            _ => Some(self.use_lists.read(&mut self.input, self.results.len())?),
        };
        let first_region = self.regions.len();
        let mut isolated = false;
        if flags & mask::REGIONS != 0 {
            let at = self.input.offset();
            let (count, flag) = self.input.prefix_flagged_varint()?;
            isolated = flag;
            let within =
                check_limit("regions", count, self.tables.max_values_per_op).and_then(|()| {
                    let left = self.input.remaining();
                    check_limit("bytes left for regions", count, left)
                });
            placed(&self.input, at, within)?;
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
        if let Some(place) = undecided {
            self.properties.undecided(operation, at, place);
        }
        if !self.stack.is_empty() {
            for value in self.module.results(operation) {
                self.define(at, value)?;
            }
        }
        if let Some(first) = use_lists {
            let results = self.module.results(operation).collect::<Vec<Value>>();
            self.use_lists.bind(first, &results);
        }
        if flags & mask::REGIONS != 0 {
            self.open(at, first_region, isolated)?;
        }
        Ok(operation)
    }

    /// Pushes an operation whose regions are the last ones created, from `first_region` on.
    fn open(&mut self, at: u64, first_region: usize, isolated: bool) -> Result<()> {
        let regions = self.regions.len().saturating_sub(first_region);
        if let Some(regions) = self.regions.get_mut(first_region..) {
            regions.reverse();
        }
        let mut outside = None;
        if isolated && self.tables.version.has_isolated_sections() && regions > 0 {
            let at = self.input.offset();
            let (id, inside) = read_section(&mut self.input)?;
            if id != section::IR {
                let message = format!("expected regions, found section {}", inside.section());
                return Err(malformed(&self.input, at, message));
            }
            outside = Some(std::mem::replace(&mut self.input, inside));
        }
        let scope = match self.stack.last() {
            Some(frame) if !isolated => frame.scope,
            _ => self.values.len(),
        };
        self.stack.push(Frame {
            regions,
            blocks: self.region_blocks.len(),
            begun: 0,
            block: None,
            operations: 0,
            scope,
            values: self.values.len(),
            next_value: self.values.len(),
            outside,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.tables.max_depth);
        placed(&self.input, at, within)
    }

    /// Reads a number of items that take at least one byte each.
    #[inline]
    fn some(&mut self, what: &'static str) -> Result<usize> {
        let at = self.input.offset();
        let count = self.input.prefix_count(1)?;
        if count as u64 > self.tables.max_values_per_op {
            let within = check_limit(what, count as u64, self.tables.max_values_per_op);
            placed(&self.input, at, within)?;
        }
        Ok(count)
    }

    #[inline]
    fn operands(&mut self) -> Result<()> {
        let count = self.some("operands")?;
        let scope = self.stack.last().map_or(0, |frame| frame.scope);
        for _ in 0..count {
            let at = self.input.offset();
            let number = self.input.prefix_varint()?;
            let slot = usize::try_from(number)
                .ok()
                .and_then(|number| number.checked_add(scope))
                .and_then(|at| self.values.get_mut(at));
            let value = match slot {
                Some(Some(value)) => *value,
                Some(slot) => {
                    // Its type will be that of the definition.
                    let ty = self.tables.context.none_type();
                    *slot.insert(self.module.create_placeholder(ty))
                }
                None => {
                    let message = format!("value {number} is not declared here");
                    return Err(malformed(&self.input, at, message));
                }
            };
            self.operands.push(value);
        }
        Ok(())
    }

    fn successors(&mut self) -> Result<()> {
        let count = self.some("successors")?;
        let first = self.stack.last().map(|frame| frame.blocks);
        let first = first.unwrap_or(self.region_blocks.len());
        for _ in 0..count {
            let at = self.input.offset();
            let number = self.input.prefix_varint()?;
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
        let Some(region) = self.regions.pop() else {
            return Ok(());
        };
        let count = self.input.prefix_count(1)?;
        if count == 0 {
            return Ok(());
        }
        let at = self.input.offset();
        let values = self.input.prefix_varint()?;
        // Each is an argument or a result that follows, and takes a byte or more.
        let left = self.end.saturating_sub(self.input.offset());
        self.undefined = self.undefined.saturating_add(values);
        let within = check_limit("bytes left for values", self.undefined, left);
        placed(&self.input, at, within)?;
        let values = usize::try_from(values).unwrap_or(0);
        let len = self.values.len().saturating_add(values);
        self.values.resize(len, None);
        for _ in 0..count {
            self.region_blocks.push(self.module.append_block(region));
        }
        Ok(())
    }

    /// Reads the head of a block: its arguments and its number of operations.
    fn block(&mut self, block: Block) -> Result<()> {
        let at = self.input.offset();
        let (operations, has_arguments) = self.input.prefix_flagged_varint()?;
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        if !has_arguments {
            return Ok(());
        }
        let count = self.input.prefix_count(1)?;
        if count == 0 {
            return Err(malformed(&self.input, at, "a list of no arguments"));
        }
        for _ in 0..count {
            let at = self.input.offset();
            let (ty, location) = self.argument()?;
            let value = self.module.add_argument(block, ty, location);
            self.define(at, value)?;
        }
        if self.tables.version.has_use_list_orders() {
            let at = self.input.offset();
            match self.input.u8()? {
                0 => {}
                mask::USE_LIST_ORDERS => {
                    let first = self.use_lists.read(&mut self.input, count)?;
                    let arguments = self.module.arguments(block).map(|(value, _)| value);
                    let arguments = arguments.collect::<Vec<Value>>();
                    self.use_lists.bind(first, &arguments);
                }
                byte => {
                    let message = format!("the mask {byte:#04x} of a block has unknown bits");
                    return Err(malformed(&self.input, at, message));
                }
            }
        }
        Ok(())
    }

    fn argument(&mut self) -> Result<(Type, Location)> {
        if !self.tables.version.has_argument_flags() {
            return Ok((self.ty()?, self.location()?));
        }
        let at = self.input.offset();
        let (number, has_location) = self.input.prefix_flagged_varint()?;
        let ty = self.entries.ty(self.tables, &self.input, at, number)?;
        let location = match has_location {
            true => self.location()?,
            false => self.tables.context.unknown_location(),
        };
        Ok((ty, location))
    }

    /// Gives the next number of the current region to a value.
    #[inline]
    fn define(&mut self, at: u64, value: Value) -> Result<()> {
        let frame = self.stack.last_mut();
        let slot = frame.and_then(|frame| {
            let slot = self.values.get_mut(frame.next_value)?;
            frame.next_value = frame.next_value.saturating_add(1);
            Some(slot)
        });
        let Some(slot) = slot else {
            let message = "a region defines more values than it declares";
            return Err(malformed(&self.input, at, message));
        };
        self.undefined = self.undefined.saturating_sub(1);
        if let Some(placeholder) = slot.replace(value) {
            self.module.move_uses(placeholder, value);
        }
        Ok(())
    }

    #[inline]
    fn location(&mut self) -> Result<Location> {
        let at = self.input.offset();
        let number = self.input.prefix_varint()?;
        self.entries.location(self.tables, &self.input, at, number)
    }

    #[inline]
    fn ty(&mut self) -> Result<Type> {
        let at = self.input.offset();
        let number = self.input.prefix_varint()?;
        self.entries.ty(self.tables, &self.input, at, number)
    }

    /// Reads the attributes of an operation; `None` if they are empty.
    fn dictionary(&mut self) -> Result<Option<Attribute>> {
        let at = self.input.offset();
        let number = self.input.prefix_varint()?;
        let attribute = self
            .entries
            .attribute(self.tables, &self.input, at, number)?;
        let kind = self.tables.context.attribute_kind(attribute);
        if !matches!(kind, rmlir_ir::AttributeKind::Dictionary(_)) {
            let message = "the attributes of an operation are not a dictionary";
            return Err(malformed(&self.input, at, message));
        }
        Ok(Some(attribute).filter(|&a| a != self.tables.context.empty_dictionary()))
    }
}
