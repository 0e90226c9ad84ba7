//! Changing a module.

use super::{Block, Module, Operation, Region, Use, Value};
use crate::error::Invalid;
use crate::{Attribute, Context, Identifier, Location, NamedAttribute, Type};
use std::fmt;

/// Why something was not erased: a value that it defines is used from outside of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InUse {
    /// The value that is still used.
    pub value: Value,
}

impl fmt::Display for InUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that it defines is still in use")
    }
}

impl std::error::Error for InUse {}

impl Module {
    // Placing operations.

    /// Puts a detached operation at the end of a block.
    pub fn append_operation(&mut self, block: Block, operation: Operation) {
        let last = self.blocks[block.index()].last;
        self.link_operation(block, operation, last, None);
    }

    /// Puts a detached operation at the start of a block.
    pub fn prepend_operation(&mut self, block: Block, operation: Operation) {
        let first = self.blocks[block.index()].first;
        self.link_operation(block, operation, None, first);
    }

    /// Puts a detached operation before another, which must be in a block.
    ///
    /// # Errors
    ///
    /// If `before` is in no block.
    pub fn insert_before(
        &mut self,
        before: Operation,
        operation: Operation,
    ) -> Result<(), Invalid> {
        let block = self.block_of(before)?;
        let previous = self.ops[before.index()].previous;
        self.link_operation(block, operation, previous, Some(before));
        Ok(())
    }

    /// Puts a detached operation behind another, which must be in a block.
    ///
    /// # Errors
    ///
    /// If `after` is in no block.
    pub fn insert_after(&mut self, after: Operation, operation: Operation) -> Result<(), Invalid> {
        let block = self.block_of(after)?;
        let next = self.ops[after.index()].next;
        self.link_operation(block, operation, Some(after), next);
        Ok(())
    }

    fn block_of(&self, operation: Operation) -> Result<Block, Invalid> {
        self.parent_block(operation)
            .ok_or_else(|| Invalid::new("the operation is in no block"))
    }

    fn link_operation(
        &mut self,
        block: Block,
        operation: Operation,
        previous: Option<Operation>,
        next: Option<Operation>,
    ) {
        self.detach_operation(operation);
        match previous {
            Some(previous) => self.ops[previous.index()].next = Some(operation),
            None => self.blocks[block.index()].first = Some(operation),
        }
        match next {
            Some(next) => self.ops[next.index()].previous = Some(operation),
            None => self.blocks[block.index()].last = Some(operation),
        }
        let data = &mut self.ops[operation.index()];
        data.block = Some(block);
        data.previous = previous;
        data.next = next;
    }

    /// Takes an operation out of its block, if it is in one; its operands and uses stay.
    pub fn detach_operation(&mut self, operation: Operation) {
        let data = &mut self.ops[operation.index()];
        let Some(block) = data.block.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.ops[previous.index()].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(next) => self.ops[next.index()].previous = previous,
            None => self.blocks[block.index()].last = previous,
        }
    }

    /// Erases an operation and all that is in it. Takes time in what is erased.
    ///
    /// # Errors
    ///
    /// If a result is used by an operation that is not erased with it; nothing is changed then.
    pub fn erase_operation(&mut self, operation: Operation) -> Result<(), InUse> {
        if let Some(value) = self.results(operation).find(|&value| {
            self.uses(value)
                .any(|u| !self.is_ancestor(operation, self.user(u).0))
        }) {
            return Err(InUse { value });
        }
        self.detach_operation(operation);
        self.drop_operands(operation);
        Ok(())
    }

    /// Whether `inner` is `outer` or lies in it. Takes time in the depth of nesting.
    pub fn is_ancestor(&self, outer: Operation, inner: Operation) -> bool {
        std::iter::successors(Some(inner), |&op| self.parent_operation(op)).any(|op| op == outer)
    }

    /// Unlinks the operands of an operation and of all in it from the uses.
    fn drop_operands(&mut self, operation: Operation) {
        let mut work = vec![operation];
        while let Some(operation) = work.pop() {
            self.unlink_operands(operation);
            for region in self.regions(operation) {
                work.extend(self.blocks(region).flat_map(|block| self.operations(block)));
            }
        }
    }

    // Blocks and regions.

    /// Puts a detached block at the end of a region.
    pub fn insert_block_at_end(&mut self, region: Region, block: Block) {
        let last = self.regions[region.index()].last;
        self.link_block(region, block, last, None);
    }

    /// Puts a block before another, which must be in a region.
    ///
    /// # Errors
    ///
    /// If `before` is in no region.
    pub fn insert_block_before(&mut self, before: Block, block: Block) -> Result<(), Invalid> {
        let region = self
            .block_region(before)
            .ok_or_else(|| Invalid::new("the block is in no region"))?;
        let previous = self.blocks[before.index()].previous;
        self.link_block(region, block, previous, Some(before));
        Ok(())
    }

    fn link_block(
        &mut self,
        region: Region,
        block: Block,
        previous: Option<Block>,
        next: Option<Block>,
    ) {
        self.detach_block(block);
        match previous {
            Some(previous) => self.blocks[previous.index()].next = Some(block),
            None => self.regions[region.index()].first = Some(block),
        }
        match next {
            Some(next) => self.blocks[next.index()].previous = Some(block),
            None => self.regions[region.index()].last = Some(block),
        }
        let data = &mut self.blocks[block.index()];
        data.region = Some(region);
        data.previous = previous;
        data.next = next;
    }

    /// Takes a block out of its region, if it is in one.
    pub fn detach_block(&mut self, block: Block) {
        let data = &mut self.blocks[block.index()];
        let Some(region) = data.region.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.blocks[previous.index()].next = next,
            None => self.regions[region.index()].first = next,
        }
        match next {
            Some(next) => self.blocks[next.index()].previous = previous,
            None => self.regions[region.index()].last = previous,
        }
    }

    /// Erases a block and all that is in it. Successor lists that name it are the caller's matter.
    ///
    /// # Errors
    ///
    /// If a value defined in the block is used from outside of it; nothing is changed then.
    pub fn erase_block(&mut self, block: Block) -> Result<(), InUse> {
        let arguments = self.arguments(block).map(|(value, _)| value);
        let results = self.operations(block).flat_map(|op| self.results(op));
        let outside = |value: &Value| {
            self.uses(*value)
                .any(|u| !self.is_in_block(block, self.user(u).0))
        };
        if let Some(value) = arguments.chain(results).find(outside) {
            return Err(InUse { value });
        }
        while let Some(operation) = self.first_operation(block) {
            self.detach_operation(operation);
            self.drop_operands(operation);
        }
        self.detach_block(block);
        Ok(())
    }

    fn is_in_block(&self, block: Block, operation: Operation) -> bool {
        std::iter::successors(Some(operation), |&op| self.parent_operation(op))
            .any(|op| self.parent_block(op) == Some(block))
    }

    /// Moves all blocks of `from` to the end of `to`.
    pub fn take_blocks(&mut self, to: Region, from: Region) {
        while let Some(block) = self.first_block(from) {
            self.detach_block(block);
            self.insert_block_at_end(to, block);
        }
    }

    // Operands, results, values.

    /// Sets one operand.
    ///
    /// # Errors
    ///
    /// If there is no operand of that number.
    pub fn set_operand(
        &mut self,
        operation: Operation,
        number: usize,
        value: Value,
    ) -> Result<(), Invalid> {
        let operands = self.ops[operation.index()].operands;
        if number >= operands.len as usize {
            return Err(Invalid::new(format!(
                "the operation has no operand {number}"
            )));
        }
        let slot = Use::from_index(operands.start as usize + number);
        self.unlink_use(slot);
        self.link_use(slot, value);
        Ok(())
    }

    /// Sets all operands. Takes time in their number.
    pub fn set_operands(&mut self, operation: Operation, values: &[Value]) {
        let operands = self.ops[operation.index()].operands;
        self.unlink_operands(operation);
        if values.len() > operands.len as usize {
            self.push_operands(operation, values);
            return;
        }
        self.ops[operation.index()].operands.len = values.len() as u32;
        for (slot, &value) in operands.range().zip(values) {
            self.link_use(Use::from_index(slot), value);
        }
    }

    /// Takes the operands off the uses and leaves none.
    fn unlink_operands(&mut self, operation: Operation) {
        let operands = self.ops[operation.index()].operands;
        for slot in operands.range() {
            self.unlink_use(Use::from_index(slot));
        }
        self.ops[operation.index()].operands.len = 0;
    }

    fn unlink_use(&mut self, slot: Use) {
        let data = self.operands[slot.index()];
        match data.previous {
            Some(previous) => self.operands[previous.index()].next = data.next,
            None => self.values[data.value.index()].first_use = data.next,
        }
        if let Some(next) = data.next {
            self.operands[next.index()].previous = data.previous;
        }
    }

    fn link_use(&mut self, slot: Use, value: Value) {
        let head = self.values[value.index()].first_use.replace(slot);
        let data = &mut self.operands[slot.index()];
        data.value = value;
        data.previous = None;
        data.next = head;
        if let Some(head) = head {
            self.operands[head.index()].previous = Some(slot);
        }
    }

    /// Makes every use of `from` a use of `to`. Takes time in the number of uses.
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        if from == to {
            return;
        }
        while let Some(slot) = self.values[from.index()].first_use {
            self.unlink_use(slot);
            self.link_use(slot, to);
        }
    }

    /// Changes the type of a value.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Replaces successor `number`.
    ///
    /// # Errors
    ///
    /// If there is no successor of that number.
    pub fn set_successor(
        &mut self,
        operation: Operation,
        number: usize,
        block: Block,
    ) -> Result<(), Invalid> {
        let list = self.ops[operation.index()].successors;
        match self.lists[list.range()].get_mut(number) {
            Some(slot) => *slot = block.index() as u32,
            None => {
                return Err(Invalid::new(format!(
                    "the operation has no successor {number}"
                )));
            }
        }
        Ok(())
    }

    // Attributes and locations.

    /// Sets where an operation is from.
    pub fn set_location(&mut self, operation: Operation, location: Location) {
        self.ops[operation.index()].location = location;
    }

    /// Sets all discardable attributes; `attributes` must be a dictionary.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn set_attributes(
        &mut self,
        context: &Context,
        operation: Operation,
        attributes: Option<Attribute>,
    ) -> Result<(), Invalid> {
        if let Some(attributes) = attributes
            && !matches!(
                context.attribute_kind(attributes),
                crate::AttributeKind::Dictionary(_)
            )
        {
            return Err(Invalid::new(
                "the attributes of an operation are a dictionary",
            ));
        }
        let empty = context.empty_dictionary();
        self.ops[operation.index()].attributes = attributes.filter(|&a| a != empty);
        Ok(())
    }

    /// Sets the properties as a whole.
    pub fn set_properties(&mut self, operation: Operation, properties: Option<Attribute>) {
        self.ops[operation.index()].properties = properties;
    }

    /// Sets, or with `None` removes, one inherent attribute. Takes time in the number of attributes.
    ///
    /// # Errors
    ///
    /// If the operation's properties are not a dictionary.
    pub fn set_inherent_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        let old = self.properties(operation);
        let new = update(context, old, name, value)?;
        self.ops[operation.index()].properties = new;
        Ok(())
    }

    /// Sets, or with `None` removes, one discardable attribute. Takes time in the number of
    /// attributes.
    ///
    /// # Errors
    ///
    /// None in a module that keeps its invariants.
    pub fn set_discardable_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        let old = self.attributes(operation);
        let new = update(context, old, name, value)?;
        self.ops[operation.index()].attributes = new;
        Ok(())
    }

    /// Sets where argument `number` of a block is from.
    ///
    /// # Errors
    ///
    /// If there is no argument of that number.
    pub fn set_argument_location(
        &mut self,
        block: Block,
        number: usize,
        location: Location,
    ) -> Result<(), Invalid> {
        let list = self.blocks[block.index()].arguments;
        match self.lists[list.range()].chunks_exact_mut(2).nth(number) {
            Some(pair) => pair[1] = location.index() as u32,
            None => return Err(Invalid::new(format!("the block has no argument {number}"))),
        }
        Ok(())
    }
}

/// The dictionary `old` with `name` set to `value` or removed; `None` for an empty one.
fn update(
    context: &mut Context,
    old: Option<Attribute>,
    name: Identifier,
    value: Option<Attribute>,
) -> Result<Option<Attribute>, Invalid> {
    if let Some(old) = old
        && !matches!(
            context.attribute_kind(old),
            crate::AttributeKind::Dictionary(_)
        )
    {
        return Err(Invalid::new(
            "the operation's properties are not a dictionary",
        ));
    }
    let entries = old.map_or(&[][..], |old| context.dictionary_entries(old));
    let mut entries: Vec<NamedAttribute> = entries
        .iter()
        .copied()
        .filter(|&(n, _)| n != name)
        .collect();
    entries.extend(value.map(|value| (name, value)));
    if entries.is_empty() {
        return Ok(None);
    }
    context.dictionary_attribute(&entries).map(Some)
}
