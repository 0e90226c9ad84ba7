//! Operations, in the order in which they are written: an operation comes before what is in its regions.

use super::encoder::Encoder;
use super::entries::Node;
use super::numbers::{Numbers, next};
use super::{WriteOptions, numbers};
use rmlir_format::rmbc::{module_flag, operation_flag as flag};
use rmlir_format::varint::{write_signed_varint, write_varint};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Block, Location, Module, Operation, Region, Value};

/// What is met on the way through a module.
trait Visitor {
    fn operation(&mut self, operation: Operation) -> Result<()>;
    fn region(&mut self, region: Region) -> Result<()>;
    fn block(&mut self, block: Block) -> Result<()>;
}

/// What is still to be visited.
enum Rest {
    /// An operation and those behind it in its block.
    Operations(Operation),
    Region(Region),
    /// A block and those behind it in its region.
    Blocks(Block),
}

fn visit(module: &Module, visitor: &mut impl Visitor) -> Result<()> {
    let top = module.top();
    visitor.operation(top)?;
    let mut stack: Vec<Rest> = module.regions(top).rev().map(Rest::Region).collect();
    while let Some(rest) = stack.pop() {
        match rest {
            Rest::Operations(first) => {
                let mut current = Some(first);
                while let Some(operation) = current {
                    visitor.operation(operation)?;
                    current = module.next_operation(operation);
                    let mut regions = module.regions(operation).rev().peekable();
                    if regions.peek().is_some() {
                        stack.extend(current.take().map(Rest::Operations));
                        stack.extend(regions.map(Rest::Region));
                    }
                }
            }
            Rest::Region(region) => {
                visitor.region(region)?;
                stack.extend(module.first_block(region).map(Rest::Blocks));
            }
            Rest::Blocks(block) => {
                visitor.block(block)?;
                stack.extend(module.next_block(block).map(Rest::Blocks));
                stack.extend(module.first_operation(block).map(Rest::Operations));
            }
        }
    }
    Ok(())
}

/// The numbers of values and blocks, by position in the order of writing.
pub(super) struct Numbering<'m> {
    module: &'m Module,
    operations: u32,
    regions: u32,
    blocks: u32,
    values: u32,
    value_numbers: Numbers,
    block_numbers: Numbers,
    /// By block: its position in its region.
    positions: Numbers,
}

impl<'m> Numbering<'m> {
    pub(super) fn new(module: &'m Module) -> Result<Self> {
        let mut numbering = Numbering {
            module,
            operations: 0,
            regions: 0,
            blocks: 0,
            values: 0,
            value_numbers: Numbers::with_len(module.value_slots()),
            block_numbers: Numbers::with_len(module.block_slots()),
            positions: Numbers::with_len(module.block_slots()),
        };
        visit(module, &mut numbering)?;
        Ok(numbering)
    }

    /// The number of a value; none if it is not defined in the module.
    pub(super) fn value(&self, value: Value) -> Option<u32> {
        self.value_numbers.get(value.index())
    }

    /// The number of a block; none if it is not in the module.
    pub(super) fn block(&self, block: Block) -> Option<u32> {
        self.block_numbers.get(block.index())
    }

    fn define(&mut self, value: Value) -> Result<()> {
        self.value_numbers.set(value.index(), self.values);
        self.values = next(self.values)?;
        Ok(())
    }
}

impl Visitor for Numbering<'_> {
    fn operation(&mut self, operation: Operation) -> Result<()> {
        self.operations = next(self.operations)?;
        for value in self.module.results(operation) {
            self.define(value)?;
        }
        Ok(())
    }

    fn region(&mut self, region: Region) -> Result<()> {
        self.regions = next(self.regions)?;
        let mut position = 0;
        for block in self.module.blocks(region) {
            self.positions.set(block.index(), position);
            position = next(position)?;
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<()> {
        self.block_numbers.set(block.index(), self.blocks);
        self.blocks = next(self.blocks)?;
        for (value, _) in self.module.arguments(block) {
            self.define(value)?;
        }
        Ok(())
    }
}

/// The section of operations.
pub(super) fn encode(
    encoder: &mut Encoder<'_>,
    module: &Module,
    numbering: &Numbering<'_>,
    options: &WriteOptions,
) -> Result<Vec<u8>> {
    let mut out = vec![if options.locations {
        module_flag::LOCATIONS
    } else {
        0
    }];
    for total in [
        numbering.operations,
        numbering.regions,
        numbering.blocks,
        numbering.values,
    ] {
        write_varint(&mut out, total.into());
    }
    let mut operations = OperationWriter {
        encoder,
        module,
        numbering,
        out,
        locations: options.locations,
        previous_location: 0,
        next_value: 0,
    };
    visit(module, &mut operations)?;
    Ok(operations.out)
}

struct OperationWriter<'a, 'c> {
    encoder: &'a mut Encoder<'c>,
    module: &'a Module,
    numbering: &'a Numbering<'a>,
    out: Vec<u8>,
    locations: bool,
    previous_location: i64,
    /// The number of the value that is defined next.
    next_value: u32,
}

impl OperationWriter<'_, '_> {
    fn location(&mut self, location: Location) -> Result<()> {
        if self.locations {
            let number = self.encoder.location(location)? as i64;
            write_signed_varint(&mut self.out, number - self.previous_location);
            self.previous_location = number;
        }
        Ok(())
    }

    fn entry(&mut self, node: Node) -> Result<()> {
        write_varint(&mut self.out, self.encoder.entry(node)?);
        Ok(())
    }

    fn count(&mut self, count: usize) {
        write_varint(&mut self.out, count as u64);
    }
}

impl Visitor for OperationWriter<'_, '_> {
    fn operation(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        let name = self.encoder.operation_name(module.name(operation))?;
        write_varint(&mut self.out, name);

        let empty = self.encoder.context.empty_dictionary();
        let attributes = module.attributes(operation).filter(|&a| a != empty);
        let properties = module.properties(operation);
        let (results, operands) = (
            module.result_count(operation),
            module.operand_count(operation),
        );
        let (successors, regions) = (module.successors(operation), module.regions(operation));
        let few = |count: usize| count.min(flag::MANY.into()) as u8;
        let bit = |flag: u8, set: bool| if set { flag } else { 0 };
        self.out.push(
            bit(flag::ATTRIBUTES, attributes.is_some())
                | bit(flag::PROPERTIES, properties.is_some())
                | bit(flag::SUCCESSORS, successors.len() > 0)
                | bit(flag::REGIONS, regions.len() > 0)
                | few(results) << flag::RESULTS_SHIFT
                | few(operands) << flag::OPERANDS_SHIFT,
        );
        self.location(module.location(operation))?;
        for attribute in attributes.into_iter().chain(properties) {
            self.entry(Node::Attribute(attribute))?;
        }
        if operands >= flag::MANY.into() {
            self.count(operands);
        }
        for operand in module.operands(operation) {
            let number = self.numbering.value(operand).ok_or_else(|| {
                let name = self
                    .encoder
                    .context
                    .operation_name_bytes(module.name(operation));
                Error::new(
                    ErrorKind::InvalidRequest,
                    format!(
                        "an operand of an operation '{}' is not defined in the module",
                        name.escape_ascii()
                    ),
                )
            })?;
            let back = i64::from(self.next_value) - i64::from(number);
            write_signed_varint(&mut self.out, back);
        }
        if results >= flag::MANY.into() {
            self.count(results);
        }
        for result in module.results(operation) {
            self.entry(Node::Type(module.value_type(result)))?;
            self.next_value = numbers::next(self.next_value)?;
        }
        if successors.len() > 0 {
            self.count(successors.len());
            let region = module.parent_block(operation);
            let region = region.and_then(|block| module.block_region(block));
            for successor in successors {
                let position = self.numbering.positions.get(successor.index());
                let inside = region.is_some() && module.block_region(successor) == region;
                let position = position.filter(|_| inside).ok_or_else(|| {
                    Error::new(
                        ErrorKind::InvalidRequest,
                        "a successor is not a block of the operation's region",
                    )
                })?;
                write_varint(&mut self.out, position.into());
            }
        }
        if regions.len() > 0 {
            self.count(regions.len());
        }
        Ok(())
    }

    fn region(&mut self, region: Region) -> Result<()> {
        let blocks = self.module.blocks(region).count();
        self.count(blocks);
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<()> {
        self.count(self.module.argument_count(block));
        for (value, location) in self.module.arguments(block) {
            self.entry(Node::Type(self.module.value_type(value)))?;
            self.location(location)?;
            self.next_value = numbers::next(self.next_value)?;
        }
        let operations = self.module.operations(block).count();
        self.count(operations);
        Ok(())
    }
}
