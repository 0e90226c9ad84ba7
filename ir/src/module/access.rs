//! Reading a module.

use super::{
    ARGUMENT, Block, Module, NOT_NESTED, Operation, PLACEHOLDER, Region, Use, Value,
    ValueDefinition,
};
use crate::equality::OperationIn;
use crate::{
    Attribute, Context, Identifier, Location, NamedAttribute, OperationName, OperationView, Type,
};
use std::borrow::Cow;

impl Module {
    // Operations.

    /// The operation's name.
    #[inline]
    pub fn name(&self, operation: Operation) -> OperationName {
        self.ops[operation.index()].name
    }

    /// Where the operation is from.
    #[inline]
    pub fn location(&self, operation: Operation) -> Location {
        self.ops[operation.index()].location
    }

    /// The operands in order.
    pub fn operands(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator {
        self.operands[self.ops[operation.index()].operands.range()]
            .iter()
            .map(|o| o.value)
    }

    /// The number of operands.
    pub fn operand_count(&self, operation: Operation) -> usize {
        self.ops[operation.index()].operands.len as usize
    }

    /// Operand `number`, if there is one.
    pub fn operand(&self, operation: Operation, number: usize) -> Option<Value> {
        self.operands[self.ops[operation.index()].operands.range()]
            .get(number)
            .map(|o| o.value)
    }

    /// The results in order.
    pub fn results(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        self.ops[operation.index()]
            .results
            .range()
            .map(Value::from_index)
    }

    /// The number of results.
    pub fn result_count(&self, operation: Operation) -> usize {
        self.ops[operation.index()].results.len as usize
    }

    /// Result `number`, if there is one.
    pub fn result(&self, operation: Operation, number: usize) -> Option<Value> {
        self.ops[operation.index()]
            .results
            .range()
            .nth(number)
            .map(Value::from_index)
    }

    /// The successors in order.
    pub fn successors(&self, operation: Operation) -> impl ExactSizeIterator<Item = Block> {
        self.lists[self.successor_list(operation)]
            .iter()
            .map(|&b| Block::from_index(b as usize))
    }

    /// The regions in order.
    pub fn regions(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Region> + DoubleEndedIterator {
        self.lists[self.region_list(operation)]
            .iter()
            .map(|&r| Region::from_index(r as usize))
    }

    /// Region `number`, if there is one.
    pub fn region(&self, operation: Operation, number: usize) -> Option<Region> {
        self.lists[self.region_list(operation)]
            .get(number)
            .map(|&r| Region::from_index(r as usize))
    }

    /// Where the successors are in `lists`.
    #[inline]
    pub(super) fn successor_list(&self, operation: Operation) -> std::ops::Range<usize> {
        let nested = self.ops[operation.index()].nested;
        if nested == NOT_NESTED {
            return 0..0;
        }
        let start = nested as usize + 2;
        start..start + self.lists[start - 2] as usize
    }

    /// Where the regions are in `lists`.
    #[inline]
    pub(super) fn region_list(&self, operation: Operation) -> std::ops::Range<usize> {
        let nested = self.ops[operation.index()].nested;
        if nested == NOT_NESTED {
            return 0..0;
        }
        let counts = nested as usize;
        let start = counts + 2 + self.lists[counts] as usize;
        start..start + self.lists[counts + 1] as usize
    }

    /// The discardable attributes as a dictionary attribute; `None` stands for no attributes.
    #[inline]
    pub fn attributes(&self, operation: Operation) -> Option<Attribute> {
        self.ops[operation.index()].attributes
    }

    /// The properties: a dictionary of the inherent attributes. An unregistered operation can have
    /// any attribute here, as upstream accepts `<"text">`.
    #[inline]
    pub fn properties(&self, operation: Operation) -> Option<Attribute> {
        self.ops[operation.index()].properties
    }

    /// The inherent attributes, sorted by name.
    pub fn inherent_attributes<'c>(
        &self,
        context: &'c Context,
        operation: Operation,
    ) -> &'c [NamedAttribute] {
        self.properties(operation)
            .map_or(&[], |p| context.dictionary_entries(p))
    }

    /// The discardable attributes, sorted by name.
    pub fn discardable_attributes<'c>(
        &self,
        context: &'c Context,
        operation: Operation,
    ) -> &'c [NamedAttribute] {
        self.attributes(operation)
            .map_or(&[], |a| context.dictionary_entries(a))
    }

    /// Inherent and discardable attributes together, by name; an inherent one comes before a
    /// discardable one of the same name.
    pub fn all_attributes<'c>(
        &self,
        context: &'c Context,
        operation: Operation,
    ) -> Cow<'c, [NamedAttribute]> {
        let inherent = self.inherent_attributes(context, operation);
        let discardable = self.discardable_attributes(context, operation);
        if discardable.is_empty() {
            return Cow::Borrowed(inherent);
        }
        if inherent.is_empty() {
            return Cow::Borrowed(discardable);
        }
        let mut all = [inherent, discardable].concat();
        all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        Cow::Owned(all)
    }

    /// The attribute called `name`: the inherent one if there is one, else the discardable one.
    pub fn attribute(
        &self,
        context: &Context,
        operation: Operation,
        name: impl AsRef<[u8]>,
    ) -> Option<Attribute> {
        let name = name.as_ref();
        let get = |dictionary: Attribute| context.dictionary_get(dictionary, name);
        self.properties(operation)
            .and_then(get)
            .or_else(|| self.attributes(operation).and_then(get))
    }

    /// As [`attribute`](Self::attribute), for a name that is interned; none stands for one that nothing has.
    #[inline]
    pub(crate) fn attribute_by_identifier(
        &self,
        context: &Context,
        operation: Operation,
        name: Option<Identifier>,
    ) -> Option<Attribute> {
        let name = name?;
        let get = |dictionary: Attribute| context.dictionary_get_identifier(dictionary, name);
        self.properties(operation)
            .and_then(get)
            .or_else(|| self.attributes(operation).and_then(get))
    }

    /// The operation's parts by the names that its definition gives them; none if no definition of it is known. O(1).
    pub fn view<'a>(
        &'a self,
        context: &'a Context,
        operation: Operation,
    ) -> Option<OperationView<'a>> {
        OperationView::new(OperationIn {
            context,
            module: self,
            operation,
        })
    }

    /// The block that holds the operation; `None` for a detached or top-level one.
    #[inline]
    pub fn parent_block(&self, operation: Operation) -> Option<Block> {
        self.ops[operation.index()].block
    }

    /// The operation whose region holds this one.
    pub fn parent_operation(&self, operation: Operation) -> Option<Operation> {
        let region = self.block_region(self.parent_block(operation)?)?;
        self.region_parent(region)
    }

    /// The next operation of the block.
    #[inline]
    pub fn next_operation(&self, operation: Operation) -> Option<Operation> {
        self.ops[operation.index()].next
    }

    /// The operation before this one in the block.
    #[inline]
    pub fn previous_operation(&self, operation: Operation) -> Option<Operation> {
        self.ops[operation.index()].previous
    }

    // Blocks.

    /// Asks for the memory of the operation that lies `distance` slots behind one, where those that were made after it
    /// lie. Has no effect but that it may be there sooner. O(1).
    #[inline]
    pub fn prefetch_operation(&self, operation: Operation, distance: usize) {
        if let Some(data) = self.ops.get(operation.index().saturating_add(distance)) {
            std::hint::black_box(data.name);
        }
    }

    /// The operations of a block in order.
    pub fn operations(&self, block: Block) -> impl Iterator<Item = Operation> {
        std::iter::successors(self.first_operation(block), |&op| self.next_operation(op))
    }

    /// The first operation of a block.
    #[inline]
    pub fn first_operation(&self, block: Block) -> Option<Operation> {
        self.blocks[block.index()].first
    }

    /// The last operation of a block, its terminator if it has one.
    #[inline]
    pub fn last_operation(&self, block: Block) -> Option<Operation> {
        self.blocks[block.index()].last
    }

    /// The arguments of a block with their locations.
    pub fn arguments(&self, block: Block) -> impl ExactSizeIterator<Item = (Value, Location)> {
        let range = self.blocks[block.index()].arguments.range();
        self.lists[range].chunks_exact(2).map(|pair| {
            (
                Value::from_index(pair[0] as usize),
                Location::from_index(pair[1] as usize),
            )
        })
    }

    /// The number of arguments of a block.
    pub fn argument_count(&self, block: Block) -> usize {
        self.blocks[block.index()].arguments.len as usize / 2
    }

    /// Argument `number`, if there is one.
    pub fn argument(&self, block: Block, number: usize) -> Option<Value> {
        let range = self.blocks[block.index()].arguments.range();
        self.lists[range]
            .get(number.checked_mul(2)?)
            .map(|&v| Value::from_index(v as usize))
    }

    /// Whether an operation ever had the block as a successor, even if none has it any more: if not, there is no need to
    /// look for one. O(1).
    #[inline]
    pub fn was_successor(&self, block: Block) -> bool {
        self.blocks[block.index()].was_successor
    }

    /// The region that holds a block.
    pub fn block_region(&self, block: Block) -> Option<Region> {
        self.blocks[block.index()].region
    }

    /// The next block of the region.
    #[inline]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block.index()].next
    }

    /// The block before this one in the region.
    pub fn previous_block(&self, block: Block) -> Option<Block> {
        self.blocks[block.index()].previous
    }

    /// Whether the block is the first of its region.
    pub fn is_entry_block(&self, block: Block) -> bool {
        self.block_region(block)
            .is_some_and(|region| self.first_block(region) == Some(block))
    }

    // Regions.

    /// The blocks of a region in order.
    pub fn blocks(&self, region: Region) -> impl Iterator<Item = Block> {
        std::iter::successors(self.first_block(region), |&block| self.next_block(block))
    }

    /// The entry block of a region.
    #[inline]
    pub fn first_block(&self, region: Region) -> Option<Block> {
        self.regions[region.index()].first
    }

    /// The last block of a region.
    pub fn last_block(&self, region: Region) -> Option<Block> {
        self.regions[region.index()].last
    }

    /// The operation that a region belongs to.
    pub fn region_parent(&self, region: Region) -> Option<Operation> {
        self.regions[region.index()].parent
    }

    // Values.

    /// The type of a value.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value.index()].ty
    }

    /// What defines a value.
    pub fn definition(&self, value: Value) -> ValueDefinition {
        let data = self.values[value.index()];
        if data.number == PLACEHOLDER {
            ValueDefinition::Placeholder
        } else if data.number & ARGUMENT != 0 {
            ValueDefinition::Argument(
                Block::from_index(data.owner as usize),
                data.number & !ARGUMENT,
            )
        } else {
            ValueDefinition::Result(Operation::from_index(data.owner as usize), data.number)
        }
    }

    /// Where a value is from: its operation, or its declaration as an argument; none for a placeholder.
    pub fn value_location(&self, value: Value) -> Option<Location> {
        match self.definition(value) {
            ValueDefinition::Result(operation, _) => Some(self.location(operation)),
            ValueDefinition::Argument(block, number) => {
                let argument = self.arguments(block).nth(number as usize);
                argument.map(|(_, location)| location)
            }
            ValueDefinition::Placeholder => None,
        }
    }

    /// The block in which a value is defined.
    pub fn defining_block(&self, value: Value) -> Option<Block> {
        match self.definition(value) {
            ValueDefinition::Result(operation, _) => self.parent_block(operation),
            ValueDefinition::Argument(block, _) => Some(block),
            ValueDefinition::Placeholder => None,
        }
    }

    /// The uses of a value, the most recently added first.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> {
        std::iter::successors(self.values[value.index()].first_use, |&u| {
            self.operands[u.index()].next
        })
    }

    /// The use of the same value that was added before this one, as [`uses`](Self::uses) has them.
    #[inline]
    pub fn next_use(&self, operand: Use) -> Option<Use> {
        self.operands[operand.index()].next
    }

    /// The operands of an operation as uses, each with its value.
    #[inline]
    pub fn operand_uses(&self, operation: Operation) -> impl Iterator<Item = (Use, Value)> {
        let range = self.ops[operation.index()].operands.range();
        range.map(|slot| (Use::from_index(slot), self.operands[slot].value))
    }

    /// Whether a value has a use.
    pub fn has_uses(&self, value: Value) -> bool {
        self.values[value.index()].first_use.is_some()
    }

    /// The operation that a use belongs to, and the number of the operand.
    pub fn user(&self, operand: Use) -> (Operation, usize) {
        let owner = self.operands[operand.index()].owner;
        (
            owner,
            operand.index() - self.ops[owner.index()].operands.start as usize,
        )
    }

    // Sizes.

    /// How many operations were ever created in this module; handles' indices are below it.
    pub fn operation_slots(&self) -> usize {
        self.ops.len()
    }

    /// How many values were ever created in this module; handles' indices are below it.
    pub fn value_slots(&self) -> usize {
        self.values.len()
    }

    /// How many blocks were ever created in this module; handles' indices are below it.
    pub fn block_slots(&self) -> usize {
        self.blocks.len()
    }

    /// How many regions were ever created in this module; handles' indices are below it.
    pub fn region_slots(&self) -> usize {
        self.regions.len()
    }
}

impl Value {
    /// The value `number` places behind this one among the results of one operation.
    pub fn offset(self, number: u32) -> Value {
        Value::from_index(self.index() + number as usize)
    }
}
