//! Appends one module to another.

use super::erased::{ERASED_OPERATION, ERASED_VALUE};
use super::{
    ARGUMENT, Block, BlockData, List, Module, NOT_NESTED, OperandData, Operation, OperationData,
    PLACEHOLDER, Region, RegionData, Use, Value, ValueData,
};
use crate::handle::Owner;
use crate::{Attribute, Location, Translation};

/// The offsets by which the entities of a module move in the arenas of the module that they are
/// appended to.
struct Offsets {
    operations: usize,
    blocks: usize,
    regions: usize,
    values: usize,
    operands: usize,
    lists: u32,
    /// The module that they are appended to.
    owner: Owner,
}

impl Offsets {
    #[inline]
    fn operation(&self, operation: Operation) -> Operation {
        Operation::from_index(operation.index() + self.operations).of(self.owner)
    }

    #[inline]
    fn block(&self, block: Block) -> Block {
        Block::from_index(block.index() + self.blocks).of(self.owner)
    }

    #[inline]
    fn region(&self, region: Region) -> Region {
        Region::from_index(region.index() + self.regions).of(self.owner)
    }

    #[inline]
    fn value(&self, value: Value) -> Value {
        Value::from_index(value.index() + self.values).of(self.owner)
    }

    #[inline]
    fn operand(&self, operand: Use) -> Use {
        Use::from_index(operand.index() + self.operands).of(self.owner)
    }

    /// Moves a range of an arena by `offset`. An empty range may begin anywhere.
    #[inline]
    fn list(list: List, offset: usize) -> List {
        List {
            start: list.start.wrapping_add(offset as u32),
            len: list.len,
        }
    }
}

/// Moves entities to the end of an arena.
fn append<T: Copy>(to: &mut Vec<T>, from: Vec<T>, moved: impl Fn(T) -> T) {
    // More may be appended later, but this is most of the final size.
    to.reserve_exact(from.len());
    to.extend(from.into_iter().map(moved));
}

impl Module {
    /// Moves all operations in the body of another module to the end of a block of this one.
    ///
    /// `translation` maps the entries of the other module's context to those of this one: see
    /// [`Context::fork`](crate::Context::fork). The names of values and blocks are preserved; the
    /// other provenance of the other module is dropped. Linear in the size of the other module.
    #[track_caller]
    pub fn append_body(&mut self, block: Block, mut other: Module, translation: &Translation) {
        self.expect_block(block);
        let by = Offsets {
            operations: self.ops.len(),
            blocks: self.blocks.len(),
            regions: self.regions.len(),
            values: self.values.len(),
            operands: self.operands.len(),
            lists: self.lists.len() as u32,
            owner: self.owner,
        };
        let body = other.body();
        let ends = body.and_then(|body| {
            let data = &mut other.blocks[body.index()];
            data.first.take().zip(data.last.take())
        });
        other.move_lists(translation, &by);
        self.has_use_orders |= other.has_use_orders;
        append(&mut self.lists, std::mem::take(&mut other.lists), |entry| {
            entry
        });
        append(&mut self.ops, std::mem::take(&mut other.ops), |operation| {
            OperationData {
                name: translation.operation_name(operation.name),
                location: translation.location(operation.location),
                block: operation.block.map(|block| by.block(block)),
                previous: operation.previous.map(|previous| by.operation(previous)),
                next: operation.next.map(|next| by.operation(next)),
                attributes: attribute(translation, operation.attributes),
                properties: attribute(translation, operation.properties),
                operands: Offsets::list(operation.operands, by.operands),
                results: Offsets::list(operation.results, by.values),
                nested: match operation.nested {
                    NOT_NESTED => NOT_NESTED,
                    ERASED_OPERATION => ERASED_OPERATION,
                    nested => nested.wrapping_add(by.lists),
                },
            }
        });
        append(
            &mut self.values,
            std::mem::take(&mut other.values),
            |value| ValueData {
                ty: translation.ty(value.ty),
                owner: match value.number {
                    PLACEHOLDER | ERASED_VALUE => value.owner,
                    number if number & ARGUMENT != 0 => value.owner.wrapping_add(by.blocks as u32),
                    _ => value.owner.wrapping_add(by.operations as u32),
                },
                number: value.number,
                first_use: value.first_use.map(|first| by.operand(first)),
            },
        );
        append(
            &mut self.operands,
            std::mem::take(&mut other.operands),
            |operand| OperandData {
                value: by.value(operand.value),
                owner: by.operation(operand.owner),
                previous: operand.previous.map(|previous| by.operand(previous)),
                next: operand.next.map(|next| by.operand(next)),
            },
        );
        append(
            &mut self.blocks,
            std::mem::take(&mut other.blocks),
            |block| BlockData {
                region: block.region.map(|region| by.region(region)),
                previous: block.previous.map(|previous| by.block(previous)),
                next: block.next.map(|next| by.block(next)),
                first: block.first.map(|first| by.operation(first)),
                last: block.last.map(|last| by.operation(last)),
                arguments: Offsets::list(block.arguments, by.lists as usize),
                was_successor: block.was_successor,
                is_erased: block.is_erased,
            },
        );
        append(
            &mut self.regions,
            std::mem::take(&mut other.regions),
            |region| RegionData {
                parent: region.parent.map(|parent| by.operation(parent)),
                first: region.first.map(|first| by.block(first)),
                last: region.last.map(|last| by.block(last)),
            },
        );
        let names = other.provenance.value_names.iter();
        let names = names.map(|(value, name)| (by.value(value), translation.identifier(name)));
        self.provenance.value_names.extend(names);
        let names = other.provenance.block_names.iter();
        let names = names.map(|(block, name)| (by.block(block), translation.identifier(name)));
        self.provenance.block_names.extend(names);
        if let Some((first, last)) = ends {
            self.append_chain(block, by.operation(first), by.operation(last));
        }
    }

    /// Moves and translates the lists of operations and blocks of another module. No two entities
    /// share a part of a list.
    fn move_lists(&mut self, translation: &Translation, by: &Offsets) {
        for index in 0..self.ops.len() {
            let operation = Operation::from_index(index);
            if matches!(self.ops[index].nested, NOT_NESTED | ERASED_OPERATION) {
                continue;
            }
            let (successors, regions) =
                (self.successor_list(operation), self.region_list(operation));
            for block in &mut self.lists[successors] {
                *block = block.wrapping_add(by.blocks as u32);
            }
            for region in &mut self.lists[regions] {
                *region = region.wrapping_add(by.regions as u32);
            }
        }
        for block in &self.blocks {
            for argument in self.lists[block.arguments.range()].chunks_exact_mut(2) {
                if let [value, location] = argument {
                    *value = value.wrapping_add(by.values as u32);
                    let moved = translation.location(Location::from_bits(*location));
                    *location = moved.bits();
                }
            }
        }
    }

    /// Appends consecutive operations of another block, from `first` to `last`, to a block.
    fn append_chain(&mut self, block: Block, first: Operation, last: Operation) {
        let before = self.blocks[block.index()].last.replace(last);
        match before {
            Some(before) => self.ops[before.index()].next = Some(first),
            None => self.blocks[block.index()].first = Some(first),
        }
        self.ops[first.index()].previous = before;
        let mut next = Some(first);
        while let Some(operation) = next {
            let data = &mut self.ops[operation.index()];
            data.block = Some(block);
            next = data.next;
        }
    }
}

fn attribute(translation: &Translation, attribute: Option<Attribute>) -> Option<Attribute> {
    attribute.map(|attribute| translation.attribute(attribute))
}
