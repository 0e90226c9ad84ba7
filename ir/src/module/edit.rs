//! Edits a module: inserts, moves, changes and erases operations and blocks.

use super::{Block, Module, OperandData, Operation, Region, Use, Value};
use crate::builder::given;
use crate::error::Invalid;
use crate::normalize::AttributePlace;
use crate::{Attribute, AttributeValue, Context, Identifier, Location, NamedAttribute, Type};
use foldhash::fast::RandomState;
use std::collections::HashSet;
use std::fmt;

/// The reason why an entity was not erased: a value that it defines is used outside of it.
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

    /// Inserts an operation at the end of a block. An operation that is in a block is moved.
    ///
    /// Inserting an operation into a region of its own, by this method or one of the methods below,
    /// is a programming error: nothing could reach the operation any more, and walking outwards
    /// from it would not terminate.
    #[track_caller]
    pub fn append_operation(&mut self, block: Block, operation: Operation) {
        self.expect_block(block);
        self.detach_operation(operation);
        let last = self.blocks[block.index()].last;
        self.link_operation(block, operation, last, None);
    }

    /// Inserts an operation at the start of a block. An operation that is in a block is moved.
    #[track_caller]
    pub fn prepend_operation(&mut self, block: Block, operation: Operation) {
        self.expect_block(block);
        self.detach_operation(operation);
        let first = self.blocks[block.index()].first;
        self.link_operation(block, operation, None, first);
    }

    /// Inserts an operation before another, which must be in a block. An operation that is in a
    /// block is moved. Does nothing if both are the same.
    ///
    /// # Errors
    ///
    /// If `before` is in no block.
    #[track_caller]
    pub fn insert_before(
        &mut self,
        before: Operation,
        operation: Operation,
    ) -> Result<(), Invalid> {
        let block = self.block_of(before)?;
        if before != operation {
            self.detach_operation(operation);
            let previous = self.ops[before.index()].previous;
            self.link_operation(block, operation, previous, Some(before));
        }
        Ok(())
    }

    /// Inserts an operation after another, which must be in a block. An operation that is in a
    /// block is moved. Does nothing if both are the same.
    ///
    /// # Errors
    ///
    /// If `after` is in no block.
    #[track_caller]
    pub fn insert_after(&mut self, after: Operation, operation: Operation) -> Result<(), Invalid> {
        let block = self.block_of(after)?;
        if after != operation {
            self.detach_operation(operation);
            let next = self.ops[after.index()].next;
            self.link_operation(block, operation, Some(after), next);
        }
        Ok(())
    }

    #[track_caller]
    fn block_of(&self, operation: Operation) -> Result<Block, Invalid> {
        self.expect_operation(operation);
        self.parent_block(operation)
            .ok_or_else(|| Invalid::new("the operation is in no block"))
    }

    /// Links a detached operation between two neighbours. The caller has checked it and detached
    /// it.
    #[track_caller]
    fn link_operation(
        &mut self,
        block: Block,
        operation: Operation,
        previous: Option<Operation>,
        next: Option<Operation>,
    ) {
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

    /// Removes an operation from its block, if it is in one; its operands and uses stay.
    #[inline]
    #[track_caller]
    pub fn detach_operation(&mut self, operation: Operation) {
        self.expect_operation(operation);
        // A new operation is in no block.
        if let Some(block) = self.ops[operation.index()].block.take() {
            self.detach_from(block, operation);
        }
    }

    #[track_caller]
    fn detach_from(&mut self, block: Block, operation: Operation) {
        let data = &mut self.ops[operation.index()];
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

    /// Erases an operation and everything nested in it. Linear in the number of erased entities and
    /// their uses.
    ///
    /// Handles of erased entities are no longer valid; see [`Module`]. The caller must update
    /// successor lists that refer to an erased block.
    ///
    /// # Panics
    ///
    /// If it is the top-level operation: [set](Self::set_top) another one first.
    ///
    /// # Errors
    ///
    /// If a value defined by the operation or in it is used by an operation that is not erased with
    /// it. In this case nothing is changed.
    #[track_caller]
    pub fn erase_operation(&mut self, operation: Operation) -> Result<(), InUse> {
        self.expect_operation(operation);
        assert!(
            operation != self.top,
            "the top-level operation cannot be erased: {operation:?}"
        );
        let erased: Vec<Operation> = self.descendants(operation).collect();
        self.check_unused(&[], &erased)?;
        self.detach_operation(operation);
        self.mark_erased(&erased);
        Ok(())
    }

    /// Returns whether only `operations` use the values that `operations` and their blocks define,
    /// and the arguments of `blocks`.
    fn check_unused(&self, blocks: &[Block], operations: &[Operation]) -> Result<(), InUse> {
        let mut set: HashSet<Operation, RandomState> = HashSet::default();
        if operations.len() > 1 {
            set.extend(operations);
        }
        let is_inside = |operation: Operation| match operations {
            [one] => *one == operation,
            _ => set.contains(&operation),
        };
        let check = |value: Value| match self.uses(value).all(|u| is_inside(self.user(u).0)) {
            true => Ok(()),
            false => Err(InUse { value }),
        };
        for &block in blocks {
            self.arguments(block)
                .try_for_each(|(value, _)| check(value))?;
        }
        for &operation in operations {
            self.results(operation).try_for_each(check)?;
            for block in self
                .regions(operation)
                .flat_map(|region| self.blocks(region))
            {
                self.arguments(block)
                    .try_for_each(|(value, _)| check(value))?;
            }
        }
        Ok(())
    }

    /// Returns whether `inner` is `outer` or is nested in it. Linear in the nesting depth.
    pub fn is_ancestor(&self, outer: Operation, inner: Operation) -> bool {
        std::iter::successors(Some(inner), |&op| self.parent_operation(op)).any(|op| op == outer)
    }

    // Blocks and regions.

    /// Inserts a block at the end of a region. A block that is in a region is moved.
    #[track_caller]
    pub fn insert_block_at_end(&mut self, region: Region, block: Block) {
        self.expect_region(region);
        self.detach_block(block);
        let last = self.regions[region.index()].last;
        self.link_block(region, block, last, None);
    }

    /// Inserts a block before another, which must be in a region. A block that is in a region is
    /// moved. Does nothing if both are the same.
    ///
    /// # Errors
    ///
    /// If `before` is in no region.
    #[track_caller]
    pub fn insert_block_before(&mut self, before: Block, block: Block) -> Result<(), Invalid> {
        self.expect_block(before);
        let region = self
            .block_region(before)
            .ok_or_else(|| Invalid::new("the block is in no region"))?;
        if before != block {
            self.detach_block(block);
            let previous = self.blocks[before.index()].previous;
            self.link_block(region, block, previous, Some(before));
        }
        Ok(())
    }

    /// Links a detached block between two neighbours.
    #[track_caller]
    fn link_block(
        &mut self,
        region: Region,
        block: Block,
        previous: Option<Block>,
        next: Option<Block>,
    ) {
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

    /// Removes a block from its region, if it is in one.
    #[track_caller]
    pub fn detach_block(&mut self, block: Block) {
        self.expect_block(block);
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

    /// Erases a block and everything nested in it. Linear in the number of erased entities and
    /// their uses. The caller must update successor lists that refer to the block.
    ///
    /// # Errors
    ///
    /// If a value defined in the block, at any depth, is used outside of it. In this case nothing
    /// is changed.
    #[track_caller]
    pub fn erase_block(&mut self, block: Block) -> Result<(), InUse> {
        self.expect_block(block);
        let erased: Vec<Operation> = self
            .operations(block)
            .flat_map(|operation| self.descendants(operation))
            .collect();
        self.check_unused(&[block], &erased)?;
        while let Some(operation) = self.first_operation(block) {
            self.detach_operation(operation);
        }
        self.mark_erased(&erased);
        self.detach_block(block);
        self.mark_block_erased(block);
        Ok(())
    }

    /// Moves all blocks of `from` to the end of `to`. Does nothing if both are the same.
    #[track_caller]
    pub fn take_blocks(&mut self, to: Region, from: Region) {
        self.expect_region(to);
        self.expect_region(from);
        if to == from {
            return;
        }
        while let Some(block) = self.first_block(from) {
            self.insert_block_at_end(to, block);
        }
    }

    // Operands, results, values.

    /// Replaces one operand.
    ///
    /// # Errors
    ///
    /// If there is no operand of that number.
    #[track_caller]
    pub fn set_operand(
        &mut self,
        operation: Operation,
        number: usize,
        value: Value,
    ) -> Result<(), Invalid> {
        self.expect_operation(operation);
        self.expect_value(value);
        let operands = self.ops[operation.index()].operands;
        if number >= operands.len as usize {
            return Err(Invalid::new(format!(
                "the operation has no operand {number}"
            )));
        }
        let slot = Use::from_index(operands.start as usize + number).of(self.owner);
        self.unlink_use(slot);
        self.link_use(slot, value);
        Ok(())
    }

    /// Replaces all operands. Linear in their number.
    #[track_caller]
    pub fn set_operands(&mut self, operation: Operation, values: &[Value]) {
        self.expect_operation(operation);
        for &value in values {
            self.expect_value(value);
        }
        let mut operands = self.ops[operation.index()].operands;
        self.unlink_operands(operation);
        // Slots at the end of the arena grow in place.
        if values.len() > operands.len as usize && operands.range().end != self.operands.len() {
            self.push_operands(operation, values);
            return;
        }
        for (slot, &value) in (operands.start as usize..).zip(values) {
            if slot == self.operands.len() {
                self.operands.push(OperandData {
                    value,
                    owner: operation,
                    previous: None,
                    next: None,
                });
            }
            self.link_use(Use::from_index(slot).of(self.owner), value);
        }
        operands.len = values.len() as u32;
        self.ops[operation.index()].operands = operands;
    }

    pub(super) fn unlink_use(&mut self, slot: Use) {
        let data = self.operands[slot.index()];
        match data.previous {
            Some(previous) => self.operands[previous.index()].next = data.next,
            None => self.values[data.value.index()].first_use = data.next,
        }
        if let Some(next) = data.next {
            self.operands[next.index()].previous = data.previous;
        }
    }

    pub(super) fn link_use(&mut self, slot: Use, value: Value) {
        let head = self.values[value.index()].first_use.replace(slot);
        let data = &mut self.operands[slot.index()];
        data.value = value;
        data.previous = None;
        data.next = head;
        if let Some(head) = head {
            self.operands[head.index()].previous = Some(slot);
        }
    }

    /// Replaces every use of `from` with a use of `to`. Linear in the number of uses.
    #[track_caller]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.expect_value(from);
        self.expect_value(to);
        if from == to {
            return;
        }
        while let Some(slot) = self.values[from.index()].first_use {
            self.unlink_use(slot);
            self.link_use(slot, to);
        }
    }

    /// Transfers all uses of `from`, a value used so far in place of `to`, to `to`.
    ///
    /// Unlike [`replace_all_uses`](Self::replace_all_uses) this keeps their order; they precede the
    /// existing uses of `to`. Linear in the number of uses.
    #[track_caller]
    pub fn move_uses(&mut self, from: Value, to: Value) {
        self.expect_value(from);
        self.expect_value(to);
        if from == to {
            return;
        }
        let uses: Vec<Use> = self.uses(from).collect();
        for &slot in uses.iter().rev() {
            self.unlink_use(slot);
            self.link_use(slot, to);
        }
    }

    /// Reorders the uses of a value: `order` contains each of them exactly once, the front first.
    ///
    /// # Errors
    ///
    /// If it does not; nothing is changed in this case.
    #[track_caller]
    pub fn reorder_uses(&mut self, value: Value, order: &[Use]) -> Result<(), Invalid> {
        self.expect_value(value);
        let have: Vec<Use> = self.uses(value).collect();
        // A use that `order` has not listed yet is marked by being its own predecessor.
        for &slot in &have {
            self.operands[slot.index()].previous = Some(slot);
        }
        let mut last = None;
        let each_once = have.len() == order.len()
            && order.iter().all(|&slot| {
                let operand = self.operands.get_mut(slot.index());
                let Some(operand) = operand.filter(|o| o.previous == Some(slot)) else {
                    return false;
                };
                operand.previous = last.replace(slot);
                true
            });
        let linked = if each_once { order } else { &have };
        self.has_use_orders |= linked != have;
        let mut previous = None;
        let mut slots = linked.iter().copied().peekable();
        self.values[value.index()].first_use = slots.peek().copied();
        while let Some(slot) = slots.next() {
            let operand = &mut self.operands[slot.index()];
            operand.previous = previous.replace(slot);
            operand.next = slots.peek().copied();
        }
        match each_once {
            true => Ok(()),
            false => Err(Invalid::new("the order does not have each use once")),
        }
    }

    /// Reverses the order of the uses of a value: the use added first comes first. O(uses).
    #[track_caller]
    pub fn reverse_uses(&mut self, value: Value) {
        self.expect_value(value);
        let mut last = None;
        let mut next = self.values[value.index()].first_use;
        while let Some(slot) = next {
            let operand = &mut self.operands[slot.index()];
            next = operand.next;
            operand.next = last;
            operand.previous = next;
            last = Some(slot);
        }
        self.values[value.index()].first_use = last;
    }

    /// Changes the type of a value.
    #[track_caller]
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        self.expect_value(value);
        self.values[value.index()].ty = ty;
    }

    /// Replaces successor `number`.
    ///
    /// # Errors
    ///
    /// If there is no successor of that number.
    #[track_caller]
    pub fn set_successor(
        &mut self,
        operation: Operation,
        number: usize,
        block: Block,
    ) -> Result<(), Invalid> {
        self.expect_block(block);
        let list = self.successor_list(operation);
        match self.lists[list].get_mut(number) {
            Some(slot) => *slot = block.index() as u32,
            None => {
                return Err(Invalid::new(format!(
                    "the operation has no successor {number}"
                )));
            }
        }
        self.blocks[block.index()].was_successor = true;
        Ok(())
    }

    // Attributes and locations.

    /// Sets the location of an operation.
    #[track_caller]
    pub fn set_location(&mut self, operation: Operation, location: Location) {
        self.expect_operation(operation);
        self.ops[operation.index()].location = location;
    }

    /// Normalizes an operation by its definition, as [`Builder`](crate::Builder) normalizes those
    /// that it creates: moves inherent attributes to the properties, and adds defaults for missing
    /// ones. Call this after edits, which change exactly what they name. See
    /// [`Normalizer`](crate::Normalizer).
    ///
    /// # Errors
    ///
    /// If the properties of an operation with a definition are not a dictionary, or a default of
    /// the definition cannot be parsed. In this case nothing is changed.
    pub fn normalize_operation(
        &mut self,
        context: &mut Context,
        operation: Operation,
    ) -> Result<(), Invalid> {
        let (attributes, properties) = (self.attributes(operation), self.properties(operation));
        let mut normalizer = std::mem::take(&mut context.normalizer);
        let name = self.name(operation);
        let normal = normalizer.normalize(context, name, attributes, properties);
        context.normalizer = normalizer;
        let data = &mut self.ops[operation.index()];
        (data.attributes, data.properties) = normal?;
        Ok(())
    }

    /// Sets all discardable attributes; `attributes` must be a dictionary. The operation is not
    /// [normalized](Self::normalize_operation).
    ///
    /// # Errors
    ///
    /// If `attributes` is not a dictionary.
    #[track_caller]
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
        self.expect_operation(operation);
        let empty = context.empty_dictionary();
        self.ops[operation.index()].attributes = attributes.filter(|&a| a != empty);
        Ok(())
    }

    /// Sets all properties. The operation is not [normalized](Self::normalize_operation).
    #[track_caller]
    pub fn set_properties(&mut self, operation: Operation, properties: Option<Attribute>) {
        self.expect_operation(operation);
        self.ops[operation.index()].properties = properties;
    }

    /// Sets one inherent attribute, or removes it if the value is `None`. Linear in the number of
    /// attributes. The operation is not [normalized](Self::normalize_operation): a removed
    /// attribute does not get its default.
    ///
    /// # Errors
    ///
    /// If the operation's properties are not a dictionary.
    #[track_caller]
    pub fn set_inherent_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        self.expect_operation(operation);
        let old = self.properties(operation);
        let new = update(context, old, name, value)?;
        self.ops[operation.index()].properties = new;
        Ok(())
    }

    /// Sets one discardable attribute, or removes it if the value is `None`. Linear in the number
    /// of attributes. The operation is not [normalized](Self::normalize_operation): the attribute
    /// is discardable even if a definition declares its name.
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    #[track_caller]
    pub fn set_discardable_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        self.expect_operation(operation);
        let old = self.attributes(operation);
        let new = update(context, old, name, value)?;
        self.ops[operation.index()].attributes = new;
        Ok(())
    }

    /// Sets an attribute as [`OperationBuilder::attr`](crate::OperationBuilder::attr) does: the
    /// definition of the operation decides whether it is inherent or discardable, and the meaning
    /// of text and numbers. Without a definition it is discardable, unless the operation has an
    /// inherent attribute of that name. Linear in the number of attributes.
    ///
    /// # Errors
    ///
    /// If the definition does not declare the name, and the name has no dialect prefix; if the
    /// definition does not give the value a meaning; or if the attribute is inherent and the
    /// properties of the operation are not a dictionary.
    #[track_caller]
    pub fn set_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: impl AsRef<[u8]>,
        value: impl Into<AttributeValue>,
    ) -> Result<(), Invalid> {
        let name = name.as_ref();
        let key = context.identifier(name);
        let place = context.attribute_place(self.name(operation), key)?;
        let value = given(context, self.name(operation), name, value.into())?;
        let place = place.unwrap_or_else(|| self.present_place(context, operation, key));
        self.update_attribute(context, operation, (place, key), Some(value))
    }

    /// Removes an attribute, inherent or discardable. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    #[track_caller]
    pub fn remove_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: impl AsRef<[u8]>,
    ) -> Result<bool, Invalid> {
        let name = name.as_ref();
        if self.attribute(context, operation, name).is_none() {
            return Ok(false);
        }
        let key = context.identifier(name);
        let place = self.present_place(context, operation, key);
        self.update_attribute(context, operation, (place, key), None)?;
        Ok(true)
    }

    /// Returns where an operation has an attribute, or would have it without a definition.
    fn present_place(
        &self,
        context: &Context,
        operation: Operation,
        key: Identifier,
    ) -> AttributePlace {
        let properties = self.properties(operation);
        let is_there = |p| context.dictionary_get_identifier(p, key).is_some();
        match properties.is_some_and(is_there) {
            true => AttributePlace::Inherent(key),
            false => AttributePlace::Discardable,
        }
    }

    #[track_caller]
    fn update_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        (place, key): (AttributePlace, Identifier),
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        match place {
            AttributePlace::Inherent(key) => {
                self.set_inherent_attribute(context, operation, key, value)
            }
            AttributePlace::Discardable => {
                self.set_discardable_attribute(context, operation, key, value)
            }
        }
    }

    /// Sets the location of argument `number` of a block.
    ///
    /// # Errors
    ///
    /// If there is no argument of that number.
    #[track_caller]
    pub fn set_argument_location(
        &mut self,
        block: Block,
        number: usize,
        location: Location,
    ) -> Result<(), Invalid> {
        self.expect_block(block);
        let list = self.blocks[block.index()].arguments;
        match self.lists[list.range()].chunks_exact_mut(2).nth(number) {
            Some(pair) => pair[1] = location.bits(),
            None => return Err(Invalid::new(format!("the block has no argument {number}"))),
        }
        Ok(())
    }
}

/// Returns the dictionary `old` with `name` set to `value` or removed; `None` for an empty one.
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
