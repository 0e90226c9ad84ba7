//! The second pass over a module: operations, their locations, and the positions of symbols.

use super::collect::{Numbering, Symbol, Totals};
use super::encoder::Encoder;
use super::locations::LocationStream;
use super::shapes::Shapes;
use super::walk::Visitor;
use crate::numbers::Numbers;
use rmlir_format::rmbc::index::{Index, IndexBuilder, Point};
use rmlir_format::varint::write_varint;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Block, Location, Module, Operation, Region};

/// The sections that are written in parallel streams.
pub(super) struct OperationWriter<'a, 'c> {
    encoder: &'a Encoder<'c>,
    module: &'a Module,
    numbering: &'a Numbering,
    shapes: &'a mut Shapes,
    out: Vec<u8>,
    /// The number of bytes before the operations.
    start: u64,
    locations: Option<LocationStream>,
    /// The symbols to be indexed, in the order of writing.
    symbols: std::iter::Peekable<std::vec::IntoIter<Symbol>>,
    /// The offsets of symbols.
    places: Vec<(u64, Operation)>,
    /// Operations whose blocks the index splits into groups, in the order of writing.
    large: std::iter::Peekable<std::vec::IntoIter<u32>>,
    index: IndexBuilder<Block, Operation>,
    /// Numbers of the next operation, value and block.
    operation: u32,
    value: u32,
    block: u32,
    /// The numbers of operations, if requested.
    order: Option<Numbers>,
}

/// The result of the second pass: the sections of operations and locations, and the index.
pub(super) struct Written {
    pub(super) operations: Vec<u8>,
    pub(super) locations: Vec<u8>,
    pub(super) index: Index,
    /// The offset of the top-level operation in the section of operations.
    pub(super) start: u64,
    /// The offsets of symbols in the section of operations.
    pub(super) places: Vec<(u64, Operation)>,
    /// The numbers of operations, if requested.
    pub(super) order: Option<Numbers>,
}

impl<'a, 'c> OperationWriter<'a, 'c> {
    pub(super) fn new(
        encoder: &'a Encoder<'c>,
        module: &'a Module,
        numbering: &'a Numbering,
        shapes: &'a mut Shapes,
        totals: &Totals,
        (symbols, large): (Vec<Symbol>, Vec<u32>),
        locations: bool,
    ) -> Self {
        let mut out = Vec::with_capacity(totals.operations as usize * 4);
        for total in [
            totals.operations,
            totals.regions,
            totals.blocks,
            totals.values,
            totals.operands,
        ] {
            write_varint(&mut out, total.into());
        }
        OperationWriter {
            encoder,
            module,
            numbering,
            shapes,
            start: out.len() as u64,
            out,
            locations: locations.then(LocationStream::default),
            places: Vec::new(),
            symbols: symbols.into_iter().peekable(),
            large: large.into_iter().peekable(),
            index: IndexBuilder::default(),
            operation: 0,
            value: 0,
            block: 0,
            order: None,
        }
    }

    /// Requests the numbers of operations.
    pub(super) fn with_order(mut self) -> Self {
        self.order = Some(Numbers::with_len(self.module.operation_slots()));
        self
    }

    pub(super) fn finish(self) -> Written {
        let locations = self.locations.filter(|stream| stream.any);
        Written {
            operations: self.out,
            locations: locations.map(|stream| stream.out).unwrap_or_default(),
            index: self.index.finish(),
            start: self.start,
            places: self.places,
            order: self.order,
        }
    }

    #[inline]
    fn location(&mut self, location: Location) -> Result<()> {
        match &mut self.locations {
            Some(stream) => stream.add(self.encoder, location),
            None => Ok(()),
        }
    }

    /// Begins a group of the index with the next operation.
    #[cold]
    fn begin_group(&mut self) {
        let (location, state) = match &mut self.locations {
            Some(stream) => {
                stream.restart();
                (stream.out.len() as u64, stream.start())
            }
            None => (0, [0; 4]),
        };
        let point = Point {
            offset: self.out.len() as u64,
            location,
            values: self.value.into(),
            blocks: self.block.into(),
            state,
        };
        self.index.begin_group(self.operation.into(), point);
    }
}

impl Visitor for OperationWriter<'_, '_> {
    #[inline]
    fn operation(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        if self
            .index
            .begins_group(module.parent_block(operation), self.operation.into())
        {
            self.begin_group();
        }
        if let Some(symbol) = self
            .symbols
            .next_if(|symbol| symbol.operation == self.operation)
        {
            self.index.add(self.encoder.strings.get(symbol.name));
            self.places.push((self.out.len() as u64, symbol.handle));
        }
        if self.large.next_if_eq(&self.operation).is_some() {
            self.index.enter(operation, self.out.len() as u64);
        }
        let shape = self.shapes.write(&mut self.out, self.operation as usize);
        if let Some(order) = &mut self.order {
            order.set(operation.index(), self.operation);
        }
        self.operation += 1;
        for operand in module.operands(operation) {
            let Some(number) = self.numbering.value(operand) else {
                return Err(undefined());
            };
            match self.value.checked_sub(number) {
                Some(back) if back > 0 => write_varint(&mut self.out, back.into()),
                _ => {
                    self.out.push(0);
                    write_varint(&mut self.out, u64::from(number - self.value));
                }
            }
        }
        self.shapes.write_inline(&mut self.out, self.encoder, shape);
        self.value += module.result_count(operation) as u32;
        let successors = module.successors(operation);
        if successors.len() > 0 {
            let region = module.parent_block(operation);
            let region = region.and_then(|block| module.block_region(block));
            for successor in successors {
                let position = self.numbering.position(successor);
                let inside = region.is_some() && module.block_region(successor) == region;
                let position = position.filter(|_| inside).ok_or_else(|| {
                    Error::new(
                        ErrorKind::InvalidRequest,
                        "a successor is in another region",
                    )
                })?;
                write_varint(&mut self.out, position.into());
            }
        }
        self.location(module.location(operation))
    }

    fn region(&mut self, region: Region) -> Result<()> {
        let module = self.module;
        let blocks = module.blocks(region).count() as u64;
        let first = module.first_block(region);
        let arguments = first.is_some_and(|block| module.argument_count(block) > 0);
        write_varint(&mut self.out, blocks << 1 | u64::from(arguments));
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<()> {
        self.block += 1;
        let module = self.module;
        let region = module.block_region(block);
        self.index.block(
            block,
            region.and_then(|region| module.region_parent(region)),
        );
        let has_arguments = module.argument_count(block) > 0;
        if module.is_entry_block(block) {
            if has_arguments {
                let list = self.shapes.arguments();
                write_varint(&mut self.out, list);
            }
        } else {
            let list = if has_arguments {
                self.shapes.arguments() + 1
            } else {
                0
            };
            write_varint(&mut self.out, list);
        }
        if has_arguments {
            self.value += module.argument_count(block) as u32;
            for (_, location) in module.arguments(block) {
                self.location(location)?;
            }
        }
        write_varint(&mut self.out, self.numbering.block_length(block).into());
        Ok(())
    }

    fn leave(&mut self, operation: Operation) -> Result<()> {
        self.index
            .leave(operation, self.module.parent_block(operation));
        Ok(())
    }
}

#[cold]
fn undefined() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "an operand is not defined in the module",
    )
}
