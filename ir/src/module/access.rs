//! Queries on a module: the parts of its operations, blocks and regions.

use super::erased::{ERASED_OPERATION, ERASED_VALUE, erased};
use super::{ARGUMENT, Block, Module, NOT_NESTED, Operation, Region, Use, Value, ValueDefinition};
use crate::op::Op;
use crate::{
    Attribute, Context, Identifier, Location, NamedAttribute, OperationName, OperationView, Type,
};
use std::borrow::Cow;

impl Module {
    // Operations.

    /// Returns the operation's name.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn name(&self, operation: Operation) -> OperationName {
        self.op(operation).name
    }

    /// Returns the location of the operation.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn location(&self, operation: Operation) -> Location {
        self.op(operation).location
    }

    /// Returns the operands in order.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn operands(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator {
        self.operands[self.op(operation).operands.range()]
            .iter()
            .map(|o| o.value)
    }

    /// Returns the number of operands.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn operand_count(&self, operation: Operation) -> usize {
        self.op(operation).operands.len as usize
    }

    /// Returns operand `number`, if there is one.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn operand(&self, operation: Operation, number: usize) -> Option<Value> {
        self.operands[self.op(operation).operands.range()]
            .get(number)
            .map(|o| o.value)
    }

    /// Returns the results in order.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn results(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        let owner = self.owner;
        let range = self.op(operation).results.range();
        range.map(move |value| Value::from_index(value).of(owner))
    }

    /// Returns the number of results.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn result_count(&self, operation: Operation) -> usize {
        self.op(operation).results.len as usize
    }

    /// Returns result `number`, if there is one.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn result(&self, operation: Operation, number: usize) -> Option<Value> {
        self.op(operation)
            .results
            .range()
            .nth(number)
            .map(|value| Value::from_index(value).of(self.owner))
    }

    /// Returns the successors in order.
    #[inline]
    #[track_caller]
    pub fn successors(&self, operation: Operation) -> impl ExactSizeIterator<Item = Block> {
        self.lists[self.successor_list(operation)]
            .iter()
            .map(|&b| Block::from_index(b as usize).of(self.owner))
    }

    /// Returns the number of successors. O(1).
    #[inline]
    #[track_caller]
    pub fn successor_count(&self, operation: Operation) -> usize {
        self.successor_list(operation).len()
    }

    /// Returns the regions in order.
    #[inline]
    #[track_caller]
    pub fn regions(
        &self,
        operation: Operation,
    ) -> impl ExactSizeIterator<Item = Region> + DoubleEndedIterator {
        self.lists[self.region_list(operation)]
            .iter()
            .map(|&r| Region::from_index(r as usize).of(self.owner))
    }

    /// Returns the number of regions. O(1).
    #[inline]
    #[track_caller]
    pub fn region_count(&self, operation: Operation) -> usize {
        self.region_list(operation).len()
    }

    /// Returns region `number`, if there is one.
    #[inline]
    #[track_caller]
    pub fn region(&self, operation: Operation, number: usize) -> Option<Region> {
        self.lists[self.region_list(operation)]
            .get(number)
            .map(|&r| Region::from_index(r as usize).of(self.owner))
    }

    /// Returns the range of `lists` that holds the successors.
    #[inline]
    #[track_caller]
    pub(super) fn successor_list(&self, operation: Operation) -> std::ops::Range<usize> {
        let nested = self.op(operation).nested;
        if nested == NOT_NESTED {
            return 0..0;
        }
        if nested == ERASED_OPERATION {
            erased("operation", &operation);
        }
        let start = nested as usize + 2;
        start..start + self.lists[start - 2] as usize
    }

    /// Returns the range of `lists` that holds the regions.
    #[inline]
    #[track_caller]
    pub(super) fn region_list(&self, operation: Operation) -> std::ops::Range<usize> {
        let nested = self.op(operation).nested;
        if nested == NOT_NESTED {
            return 0..0;
        }
        if nested == ERASED_OPERATION {
            erased("operation", &operation);
        }
        let counts = nested as usize;
        let start = counts + 2 + self.lists[counts] as usize;
        start..start + self.lists[counts + 1] as usize
    }

    /// Returns the discardable attributes as a dictionary attribute; `None` if there are none.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn attributes(&self, operation: Operation) -> Option<Attribute> {
        self.op(operation).attributes
    }

    /// Returns the properties: a dictionary of the inherent attributes. The properties of an
    /// unregistered operation can be any attribute, as upstream accepts `<"text">`.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn properties(&self, operation: Operation) -> Option<Attribute> {
        self.op(operation).properties
    }

    /// Returns the inherent attributes, sorted by name.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn inherent_attributes<'c>(
        &self,
        context: &'c Context,
        operation: Operation,
    ) -> &'c [NamedAttribute] {
        self.properties(operation)
            .map_or(&[], |p| context.dictionary_entries(p))
    }

    /// Returns the discardable attributes, sorted by name.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn discardable_attributes<'c>(
        &self,
        context: &'c Context,
        operation: Operation,
    ) -> &'c [NamedAttribute] {
        self.attributes(operation)
            .map_or(&[], |a| context.dictionary_entries(a))
    }

    /// Returns inherent and discardable attributes together, sorted by name; an inherent attribute
    /// precedes a discardable one of the same name.
    #[cfg_attr(debug_assertions, track_caller)]
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

    /// Returns the attribute called `name`: the inherent one if there is one, else the discardable
    /// one.
    #[cfg_attr(debug_assertions, track_caller)]
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

    /// Like [`attribute`](Self::attribute), for an interned name; `None` denotes a name that no
    /// attribute has.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
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

    /// Returns a view of the operation's parts by the names in its definition; `None` if no
    /// definition is known. O(1).
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn view<'a>(
        &'a self,
        context: &'a Context,
        operation: Operation,
    ) -> Option<OperationView<'a>> {
        OperationView::new(Op {
            context,
            module: self,
            operation,
        })
    }

    /// Returns the block that holds the operation; `None` for a detached or top-level operation.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn parent_block(&self, operation: Operation) -> Option<Block> {
        self.op(operation).block
    }

    /// Returns the operation whose region holds this one.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn parent_operation(&self, operation: Operation) -> Option<Operation> {
        let region = self.block_region(self.parent_block(operation)?)?;
        self.region_parent(region)
    }

    /// Returns the next operation in the block.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn next_operation(&self, operation: Operation) -> Option<Operation> {
        self.op(operation).next
    }

    /// Returns the previous operation in the block.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn previous_operation(&self, operation: Operation) -> Option<Operation> {
        self.op(operation).previous
    }

    // Blocks.

    /// Prefetches the memory of the operation that is `distance` slots after this one in the arena,
    /// where operations that were created later are stored. This affects performance only. O(1).
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn prefetch_operation(&self, operation: Operation, distance: usize) {
        if let Some(data) = self.ops.get(operation.index().saturating_add(distance)) {
            std::hint::black_box(data.name);
        }
    }

    /// Returns the operations of a block in order.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn operations(&self, block: Block) -> impl Iterator<Item = Operation> {
        std::iter::successors(self.first_operation(block), |&op| self.next_operation(op))
    }

    /// Returns the first operation of a block.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn first_operation(&self, block: Block) -> Option<Operation> {
        self.block_data(block).first
    }

    /// Returns the last operation of a block, its terminator if it has one.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn last_operation(&self, block: Block) -> Option<Operation> {
        self.block_data(block).last
    }

    /// Returns the arguments of a block with their locations.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn arguments(&self, block: Block) -> impl ExactSizeIterator<Item = (Value, Location)> {
        let range = self.block_data(block).arguments.range();
        self.lists[range].chunks_exact(2).map(|pair| {
            (
                Value::from_index(pair[0] as usize).of(self.owner),
                Location::from_bits(pair[1]),
            )
        })
    }

    /// Returns the number of arguments of a block.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn argument_count(&self, block: Block) -> usize {
        self.block_data(block).arguments.len as usize / 2
    }

    /// Returns argument `number`, if there is one.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn argument(&self, block: Block, number: usize) -> Option<Value> {
        let range = self.block_data(block).arguments.range();
        self.lists[range]
            .get(number.checked_mul(2)?)
            .map(|&v| Value::from_index(v as usize).of(self.owner))
    }

    /// Returns whether an operation ever had the block as a successor, even if none has it now. If
    /// this returns `false`, a search for predecessors is unnecessary. O(1).
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn was_successor(&self, block: Block) -> bool {
        self.block_data(block).was_successor
    }

    /// Returns the region that holds a block.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_region(&self, block: Block) -> Option<Region> {
        self.block_data(block).region
    }

    /// Returns the next block in the region.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.block_data(block).next
    }

    /// Returns the previous block in the region.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn previous_block(&self, block: Block) -> Option<Block> {
        self.block_data(block).previous
    }

    /// Returns whether the block is the first of its region.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn is_entry_block(&self, block: Block) -> bool {
        self.block_region(block)
            .is_some_and(|region| self.first_block(region) == Some(block))
    }

    // Regions.

    /// Returns the blocks of a region in order.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn blocks(&self, region: Region) -> impl Iterator<Item = Block> {
        std::iter::successors(self.first_block(region), |&block| self.next_block(block))
    }

    /// Returns the entry block of a region.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn first_block(&self, region: Region) -> Option<Block> {
        self.region_data(region).first
    }

    /// Returns the last block of a region.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn last_block(&self, region: Region) -> Option<Block> {
        self.region_data(region).last
    }

    /// Returns the operation that owns a region.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn region_parent(&self, region: Region) -> Option<Operation> {
        self.region_data(region).parent
    }

    // Values.

    /// Returns the type of a value.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn value_type(&self, value: Value) -> Type {
        self.value_data(value).ty
    }

    /// Returns what defines a value.
    #[track_caller]
    pub fn definition(&self, value: Value) -> ValueDefinition {
        let data = self.value_data(value);
        if data.number >= ERASED_VALUE {
            if data.is_erased() {
                erased("value", &value);
            }
            ValueDefinition::Placeholder
        } else if data.number & ARGUMENT != 0 {
            ValueDefinition::Argument(
                Block::from_index(data.owner as usize).of(self.owner),
                data.number & !ARGUMENT,
            )
        } else {
            let operation = Operation::from_index(data.owner as usize).of(self.owner);
            ValueDefinition::Result(operation, data.number)
        }
    }

    /// Returns the location of a value: that of its operation or of the argument; `None` for a
    /// placeholder.
    #[cfg_attr(debug_assertions, track_caller)]
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

    /// Returns the block in which a value is defined.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn defining_block(&self, value: Value) -> Option<Block> {
        match self.definition(value) {
            ValueDefinition::Result(operation, _) => self.parent_block(operation),
            ValueDefinition::Argument(block, _) => Some(block),
            ValueDefinition::Placeholder => None,
        }
    }

    /// Returns the uses of a value, the most recently added first.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> {
        std::iter::successors(self.value_data(value).first_use, |&u| {
            self.operands[u.index()].next
        })
    }

    /// Returns the use of the same value that was added before this one: the next in
    /// [`uses`](Self::uses).
    #[inline]
    pub fn next_use(&self, operand: Use) -> Option<Use> {
        self.operands[operand.index_in(self.owner)].next
    }

    /// Returns the operands of an operation as uses, each with its value.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn operand_uses(&self, operation: Operation) -> impl Iterator<Item = (Use, Value)> {
        let range = self.op(operation).operands.range();
        range.map(|slot| {
            let operand = Use::from_index(slot).of(self.owner);
            (operand, self.operands[slot].value)
        })
    }

    /// Returns whether a value has a use.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn has_uses(&self, value: Value) -> bool {
        self.value_data(value).first_use.is_some()
    }

    /// Returns the operation that a use belongs to, and the operand number.
    pub fn user(&self, operand: Use) -> (Operation, usize) {
        let owner = self.operands[operand.index_in(self.owner)].owner;
        (
            owner,
            operand.index() - self.ops[owner.index()].operands.start as usize,
        )
    }

    // Sizes.

    /// Returns the number of operations ever created in this module; the indices of their handles
    /// are less than this.
    pub fn operation_slots(&self) -> usize {
        self.ops.len()
    }

    /// Returns the number of values ever created in this module; the indices of their handles are
    /// less than this.
    pub fn value_slots(&self) -> usize {
        self.values.len()
    }

    /// Returns the number of blocks ever created in this module; the indices of their handles are
    /// less than this.
    pub fn block_slots(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the number of regions ever created in this module; the indices of their handles are
    /// less than this.
    pub fn region_slots(&self) -> usize {
        self.regions.len()
    }
}

impl Value {
    /// Returns the value `number` positions after this one among the results of one operation.
    pub fn offset(self, number: u32) -> Value {
        self.advanced(number)
    }
}
