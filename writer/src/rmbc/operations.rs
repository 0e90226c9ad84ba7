//! The second pass over a module: operations, their locations, and the positions of symbols.

use super::collect::{Child, Large, Numbering, Symbol, Totals};
use super::encoder::Encoder;
use super::locations::LocationStream;
use super::segments::Segments;
use super::templates::Templates;
use super::walk::Visitor;
use crate::numbers::Numbers;
use rmlir_format::rmbc::index::{ChunkList, Index};
use rmlir_format::rmbc::{GROUP, region_flag};
use rmlir_format::varint::write_varint;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Block, Location, Module, Operation, Region};

/// The sections that are written in parallel streams.
pub(super) struct OperationWriter<'a, 'c> {
    encoder: &'a Encoder<'c>,
    module: &'a Module,
    numbering: &'a Numbering,
    templates: &'a mut Templates,
    out: Vec<u8>,
    /// The number of bytes before the operations.
    start: u64,
    locations: Option<LocationStream>,
    /// The symbols to be indexed, in the order of writing.
    symbols: std::iter::Peekable<std::vec::IntoIter<Symbol>>,
    /// The offsets of symbols.
    places: Vec<(u64, Operation)>,
    /// The operations whose blocks are divided into chunks, in the order of writing.
    large: std::iter::Peekable<std::vec::IntoIter<Large>>,
    /// Large operations that were entered and not left.
    open: Vec<Cut>,
    chunks: ChunkList,
    index: Index,
    segments: Segments,
    /// Numbers of the next operation, value and block.
    operation: u32,
    value: u32,
    block: u32,
    /// The numbers of operations, if requested.
    order: Option<Numbers>,
    /// The minimum number of operations of a chunk.
    least: u32,
}

/// An operation whose blocks are divided into chunks.
struct Cut {
    operation: Operation,
    /// Its region that is written.
    region: Option<Region>,
    /// The operations of the blocks that were not begun.
    children: std::vec::IntoIter<Child>,
    /// The block that is written.
    block: Option<Block>,
    /// The numbers of operations of the chunks that were not begun, the next one last.
    counts: Vec<u32>,
    /// The number of operations that the current chunk lacks.
    left: u32,
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
    pub(super) segments: Segments,
}

impl<'a, 'c> OperationWriter<'a, 'c> {
    pub(super) fn new(
        encoder: &'a Encoder<'c>,
        module: &'a Module,
        numbering: &'a Numbering,
        templates: &'a mut Templates,
        totals: &Totals,
        (symbols, large): (Vec<Symbol>, Vec<Large>),
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
            templates,
            start: out.len() as u64,
            out,
            locations: locations.then(LocationStream::default),
            places: Vec::new(),
            symbols: symbols.into_iter().peekable(),
            large: large.into_iter().peekable(),
            open: Vec::new(),
            chunks: ChunkList::default(),
            index: Index::default(),
            segments: Segments::default(),
            operation: 0,
            value: 0,
            block: 0,
            order: None,
            least: GROUP,
        }
    }

    /// Divides operations into chunks of at least that many operations.
    pub(super) fn with_chunks(mut self, least: u32) -> Self {
        self.least = least;
        self
    }

    /// Requests the numbers of operations.
    pub(super) fn with_order(mut self) -> Self {
        self.order = Some(Numbers::with_len(self.module.operation_slots()));
        self
    }

    pub(super) fn finish(mut self) -> Written {
        let locations = self.locations.filter(|stream| stream.any);
        self.index.chunks = self.chunks.finish();
        if locations.is_none() {
            for chunk in &mut self.index.chunks {
                chunk.location = 0;
            }
        }
        Written {
            operations: self.out,
            locations: locations.map(|stream| stream.out).unwrap_or_default(),
            index: self.index,
            start: self.start,
            places: self.places,
            order: self.order,
            segments: self.segments,
        }
    }

    #[inline]
    fn location(&mut self, location: Location) -> Result<()> {
        match &mut self.locations {
            Some(stream) => stream.add(self.encoder, location),
            None => Ok(()),
        }
    }

    /// Counts the next operation, of a block that is divided into chunks; begins a chunk with it if
    /// the current one is complete.
    #[cold]
    fn count(&mut self) {
        let Some(cut) = self.open.last_mut() else {
            return;
        };
        if cut.left == 0 {
            let Some(count) = cut.counts.pop() else {
                debug_assert!(false, "a block has more operations than its chunks");
                return;
            };
            cut.left = count;
            let location = self.locations.as_mut().map_or(0, LocationStream::restart);
            self.chunks.begin(self.out.len() as u64, location);
            self.segments
                .begin([self.operation, self.value, self.block]);
            write_varint(&mut self.out, count.into());
        }
        cut.left -= 1;
    }

    /// Divides the operations of a block into chunks, and returns the sizes of these, the first one
    /// last. `children` has these operations.
    ///
    /// A chunk ends when it has [`least`](Self::least) operations, nested ones included, or with a
    /// large operation.
    fn divide(least: u32, children: impl ExactSizeIterator<Item = Child>) -> Vec<u32> {
        let mut counts = Vec::new();
        let (mut direct, mut all) = (0u32, 0u32);
        let len = children.len();
        for (child, before) in children.zip(1..) {
            direct += 1;
            all = all.saturating_add(child.size);
            if all >= least || before == len || child.is_large {
                counts.push(direct);
                (direct, all) = (0, 0);
            }
        }
        counts.reverse();
        counts
    }
}

impl Visitor for OperationWriter<'_, '_> {
    #[inline]
    fn operation(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        if let Some(cut) = self.open.last()
            && cut.block.is_some()
            && cut.block == module.parent_block(operation)
        {
            self.count();
        }
        // `next_if` would move the symbol for each operation.
        let next = self.symbols.peek();
        if next.is_some_and(|symbol| symbol.operation == self.operation)
            && let Some(symbol) = self.symbols.next()
        {
            if let Some(chunk) = self.chunks.len().checked_sub(1) {
                let name = self.encoder.strings.get(symbol.name);
                self.index.names.push((name, chunk));
                let number = |&at: &u32| self.encoder.entries.attribute_number_at(at as usize);
                let references = symbol.references.map(|references| {
                    let mut numbers: Vec<u64> = references.iter().map(number).collect();
                    numbers.sort_unstable();
                    numbers.dedup();
                    numbers
                });
                if references.as_ref().is_none_or(|found| !found.is_empty()) {
                    let offset = self.out.len() as u64;
                    self.index.references.push((chunk, offset, references));
                }
            }
            self.places.push((self.out.len() as u64, symbol.handle));
        }
        let number = self.operation;
        if let Some(large) = self.large.next_if(|large| large.number == number) {
            self.chunks.enter();
            self.open.push(Cut {
                operation,
                region: None,
                children: large.children.into_iter(),
                block: None,
                counts: Vec::new(),
                left: 0,
            });
        }
        let template = self.templates.write(&mut self.out, self.operation as usize);
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
        self.templates
            .write_inline(&mut self.out, self.encoder, template);
        self.value += module.result_count(operation) as u32;
        if module.successor_count(operation) > 0 {
            let region = module.parent_block(operation);
            let region = region.and_then(|block| module.block_region(block));
            for successor in module.successors(operation) {
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
        let mut is_cut = false;
        if let Some(cut) = self.open.last_mut()
            && blocks > 0
            && module.region_parent(region) == Some(cut.operation)
        {
            is_cut = true;
            cut.region = Some(region);
        }
        let bit = |flag: u64, set: bool| if set { flag } else { 0 };
        write_varint(
            &mut self.out,
            blocks << region_flag::SHIFT
                | bit(region_flag::ARGUMENTS, arguments)
                | bit(region_flag::CHUNKED, is_cut),
        );
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<()> {
        self.block += 1;
        let module = self.module;
        let has_arguments = module.argument_count(block) > 0;
        if module.is_entry_block(block) {
            if has_arguments {
                let list = self.templates.arguments();
                write_varint(&mut self.out, list);
            }
        } else {
            let list = if has_arguments {
                self.templates.arguments() + 1
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
        let length = self.numbering.block_length(block);
        if let Some(cut) = self.open.last_mut()
            && cut.region.is_some()
            && cut.region == module.block_region(block)
        {
            let children = cut.children.by_ref().take(length as usize);
            cut.counts = Self::divide(self.least, children);
            (cut.block, cut.left) = (Some(block), 0);
            write_varint(&mut self.out, cut.counts.len() as u64);
        } else {
            write_varint(&mut self.out, length.into());
        }
        Ok(())
    }

    fn leave(&mut self, operation: Operation) -> Result<()> {
        if self.open.pop_if(|cut| cut.operation == operation).is_some() {
            self.chunks.leave();
        }
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
