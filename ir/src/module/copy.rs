//! Copies operations of one module to another.

use super::{Block, Module, Operation, OperationState, Region, Use, Value};
use crate::error::Invalid;
use crate::handle::Owner;
use crate::import::EntryImporter;
use crate::{Attribute, Identifier, IndexedMap, Location, OperationName, Type, ValueDefinition};

/// Translates what operations refer to in their context.
pub(crate) trait Translate {
    fn name(&mut self, name: OperationName) -> OperationName;
    fn identifier(&mut self, identifier: Identifier) -> Identifier;
    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid>;
    fn ty(&mut self, ty: Type) -> Result<Type, Invalid>;
    fn location(&mut self, location: Location) -> Result<Location, Invalid>;
}

/// Both modules belong to one context.
pub(crate) struct SameContext;

impl Translate for SameContext {
    fn name(&mut self, name: OperationName) -> OperationName {
        name
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        identifier
    }

    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        Ok(attribute)
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        Ok(ty)
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        Ok(location)
    }
}

impl Translate for EntryImporter<'_> {
    fn name(&mut self, name: OperationName) -> OperationName {
        self.operation_name(name)
    }

    fn identifier(&mut self, identifier: Identifier) -> Identifier {
        self.string(identifier)
    }

    fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Invalid> {
        self.copy_attribute(attribute)
    }

    fn ty(&mut self, ty: Type) -> Result<Type, Invalid> {
        self.copy_type(ty)
    }

    fn location(&mut self, location: Location) -> Result<Location, Invalid> {
        self.copy_location(location)
    }
}

/// Maps operations, blocks and values of one module to their copies in another.
#[derive(Clone, Default)]
pub(crate) struct CopyMap {
    pub(crate) operations: IndexedMap<u32>,
    pub(crate) blocks: IndexedMap<u32>,
    pub(crate) values: IndexedMap<u32>,
    /// Originals and copies that have no operands as yet, because they use values that are or may
    /// be copied later, and all that were copied after the first of these, so that the uses of each
    /// value are in the order of the operations.
    without_operands: Vec<(Operation, Operation)>,
    /// Originals and copies whose successors are not set as yet.
    without_successors: Vec<(Operation, Operation)>,
    /// By value, if the source has orders of uses: the use that was copied last.
    last_uses: IndexedMap<u32>,
    /// Values whose uses the source does not have in the order in which they were copied.
    unusual: Vec<Value>,
    /// The module of the copies, once it is known.
    pub(crate) owner: Owner,
    /// Whether each operation is copied once, so that a value in the map is the copy that later
    /// operations use.
    copies_once: bool,
}

impl CopyMap {
    /// Returns an empty map for operations of which none is copied twice: copying is faster.
    pub(crate) fn for_single_copies() -> Self {
        CopyMap {
            copies_once: true,
            ..CopyMap::default()
        }
    }

    /// Estimates the number of operations to copy from a module: all, or few.
    pub(crate) fn expected(&self, from: &Module) -> usize {
        match self.copies_once {
            true => from.operation_slots(),
            false => 0,
        }
    }
}

/// Part of a region's copy that is still to be made.
enum Step {
    /// This operation of a block and the following ones, to the end of a block.
    Operations(Option<Operation>, Block),
    /// This block of a region and the following ones, to the end of a region.
    Blocks(Option<Block>, Region),
    /// The regions of an operation, starting with this one, to those of its copy.
    Regions(Operation, Operation, usize),
}

/// Copies operations of a module to another one.
pub(crate) struct Copier<'a, T> {
    pub(crate) from: &'a Module,
    pub(crate) to: &'a mut Module,
    pub(crate) map: &'a mut CopyMap,
    pub(crate) translate: &'a mut T,
    /// Result types, operands and regions of the operation that is copied: allocated once.
    types: Vec<Type>,
    operands: Vec<Value>,
    regions: Vec<Region>,
}

impl<'a, T: Translate> Copier<'a, T> {
    pub(crate) fn new(
        from: &'a Module,
        to: &'a mut Module,
        map: &'a mut CopyMap,
        translate: &'a mut T,
    ) -> Self {
        map.owner = to.owner;
        let expected = map.expected(from);
        map.operations.reserve(from.operation_slots(), expected);
        map.blocks.reserve(from.block_slots(), expected);
        map.values.reserve(from.value_slots(), expected);
        if from.has_use_orders {
            map.last_uses.reserve(from.value_slots(), expected);
        }
        Copier {
            from,
            to,
            map,
            translate,
            types: Vec::new(),
            operands: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Copies an operation with everything nested in it; the copy is detached. Without `content`
    /// the regions of the copy are empty. [`finish`](Self::finish) must follow.
    pub(crate) fn copy(
        &mut self,
        operation: Operation,
        content: bool,
    ) -> Result<Operation, Invalid> {
        if self.map.operations.position(operation.index()).is_some() {
            // The operation is copied again: earlier copies use the values that exist by now.
            self.set_known_operands();
        }
        let copy = self.copy_shell(operation)?;
        if !content {
            return Ok(copy);
        }
        let mut steps = vec![Step::Regions(operation, copy, 0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Regions(from, to, number) => {
                    if let Some((region, target)) = self
                        .from
                        .region(from, number)
                        .zip(self.to.region(to, number))
                    {
                        steps.push(Step::Regions(from, to, number + 1));
                        steps.push(Step::Blocks(self.from.first_block(region), target));
                    }
                }
                Step::Blocks(Some(block), region) => {
                    steps.push(Step::Blocks(self.from.next_block(block), region));
                    let copy = self.copy_block(block, region)?;
                    steps.push(Step::Operations(self.from.first_operation(block), copy));
                }
                Step::Operations(Some(operation), block) => {
                    let next = self.from.next_operation(operation);
                    steps.push(Step::Operations(next, block));
                    let copy = self.copy_shell(operation)?;
                    self.to.append_operation(block, copy);
                    if !self.regions.is_empty() {
                        steps.push(Step::Regions(operation, copy, 0));
                    }
                }
                Step::Blocks(None, _) | Step::Operations(None, _) => {}
            }
        }
        Ok(copy)
    }

    /// Sets the operands and successors that copies do not have yet.
    ///
    /// # Errors
    ///
    /// If one was not copied.
    pub(crate) fn finish(&mut self) -> Result<(), Invalid> {
        for (from, to) in std::mem::take(&mut self.map.without_operands) {
            self.operands.clear();
            for value in self.from.operands(from) {
                let copy = self.value(value)?;
                self.operands.push(copy);
            }
            self.to.push_operands(to, &self.operands);
        }
        for (from, to) in std::mem::take(&mut self.map.without_successors) {
            let successors = self.from.successors(from).zip(self.to.successor_list(to));
            for (block, at) in successors {
                let Some(copy) = self.map.blocks.position(block.index()) else {
                    return Err(Invalid::new(
                        "an operation branches to a block that is not copied with it",
                    ));
                };
                self.to.blocks[copy].was_successor = true;
                self.to.lists[at] = copy as u32;
            }
        }
        self.copy_use_orders()
    }

    /// Sets the operands of copies whose operands are all copied.
    fn set_known_operands(&mut self) {
        let mut open = std::mem::take(&mut self.map.without_operands);
        open.retain(|&(from, to)| {
            self.operands.clear();
            for value in self.from.operands(from) {
                let Some(copy) = self.map.values.position(value.index()) else {
                    return true;
                };
                self.operands
                    .push(Value::from_index(copy).of(self.to.owner));
            }
            self.to.push_operands(to, &self.operands);
            false
        });
        if self.from.has_use_orders {
            // Later operations have their operands before these.
            let values = open.iter().flat_map(|&(from, _)| self.from.operands(from));
            self.map.unusual.extend(values);
        }
        self.map.without_operands = open;
    }

    /// Finds values whose uses are not in the usual order, in which each use precedes the one
    /// before it. Each operation is visited when it is copied.
    fn watch_use_orders(&mut self, operation: Operation) {
        let (from, last_uses) = (self.from, &mut self.map.last_uses);
        for (operand, value) in from.operand_uses(operation) {
            let before = from.next_use(operand).map(|before| before.index());
            if last_uses.position(value.index()) != before {
                self.map.unusual.push(value);
            }
            last_uses.set_position(value.index(), operand.index());
        }
    }

    /// Gives values whose users were all copied the order of uses that the originals have. Linear
    /// in the number of uses.
    fn copy_use_orders(&mut self) -> Result<(), Invalid> {
        let mut unusual = std::mem::take(&mut self.map.unusual);
        unusual.sort_unstable();
        unusual.dedup();
        let mut order = Vec::new();
        for &value in &unusual {
            self.copy_use_order(value, &mut order)?;
        }
        // Reused, so that many small parts allocate it once.
        unusual.clear();
        self.map.unusual = unusual;
        Ok(())
    }

    /// Gives the copy of a value the order of its uses, unless users are not copied; `order` is
    /// allocated once.
    fn copy_use_order(&mut self, value: Value, order: &mut Vec<Use>) -> Result<(), Invalid> {
        let Some(copy) = self.map.values.position(value.index()) else {
            return Ok(());
        };
        let copy = Value::from_index(copy).of(self.to.owner);
        order.clear();
        let mut is_same = true;
        let mut uses = self.to.uses(copy);
        for used in self.from.uses(value) {
            let (user, number) = self.from.user(used);
            let Some(user) = self.map.operations.position(user.index()) else {
                return Ok(());
            };
            let operands = self.to.ops[user].operands.range();
            let slot = operands.start.saturating_add(number);
            if !operands.contains(&slot) || self.to.operands[slot].value != copy {
                return Ok(());
            }
            let used = Use::from_index(slot).of(self.to.owner);
            is_same &= uses.next() == Some(used);
            order.push(used);
        }
        drop(uses);
        if is_same || self.to.uses(copy).count() != order.len() {
            return Ok(());
        }
        self.to.reorder_uses(copy, order)
    }

    /// Returns the copy of a value. A placeholder, which incomplete modules have, becomes one.
    fn value(&mut self, value: Value) -> Result<Value, Invalid> {
        if let Some(copy) = self.map.values.position(value.index()) {
            return Ok(Value::from_index(copy).of(self.to.owner));
        }
        if self.from.definition(value) != ValueDefinition::Placeholder {
            return Err(Invalid::new(
                "an operation uses a value that is not copied with it",
            ));
        }
        let ty = self.translate.ty(self.from.value_type(value))?;
        let copy = self.to.create_placeholder(ty);
        self.map.values.set_position(value.index(), copy.index());
        Ok(copy)
    }

    fn copy_block(&mut self, block: Block, region: Region) -> Result<Block, Invalid> {
        let copy = self.to.append_block(region);
        self.map.blocks.set_position(block.index(), copy.index());
        if let Some(name) = self.from.provenance.block_names.get(block) {
            let name = self.translate.identifier(name);
            self.to.provenance.block_names.insert(copy, name);
        }
        for (value, location) in self.from.arguments(block) {
            let ty = self.translate.ty(self.from.value_type(value))?;
            let location = self.translate.location(location)?;
            let argument = self.to.add_argument(copy, ty, location);
            self.map_value(value, argument);
        }
        Ok(copy)
    }

    /// Copies an operation with empty regions, which are in `self.regions` afterwards. It has its
    /// operands if these are copied, and no successors.
    fn copy_shell(&mut self, operation: Operation) -> Result<Operation, Invalid> {
        let (from, translate) = (self.from, &mut *self.translate);
        self.types.clear();
        for value in from.results(operation) {
            self.types.push(translate.ty(from.value_type(value))?);
        }
        let mut optional = |attribute: Option<Attribute>| match attribute {
            Some(attribute) => translate.attribute(attribute).map(Some),
            None => Ok(None),
        };
        let properties = optional(from.properties(operation))?;
        let attributes = optional(from.attributes(operation))?;
        let name = translate.name(from.name(operation));
        let location = translate.location(from.location(operation))?;
        self.regions.clear();
        for _ in from.regions(operation) {
            self.regions.push(self.to.create_region());
        }
        let has_operands = self.find_operands(operation);
        let state = OperationState {
            result_types: &self.types,
            operands: &self.operands,
            attributes,
            properties,
            regions: &self.regions,
            ..OperationState::new(name, location)
        };
        let copy = self.to.create_operation(&state);
        if !has_operands {
            self.map.without_operands.push((operation, copy));
        }
        let successors = from.successors(operation).len();
        if successors != 0 {
            self.to.reserve_successors(copy, successors);
            self.map.without_successors.push((operation, copy));
        }
        if from.has_use_orders {
            self.watch_use_orders(operation);
        }
        for (value, result) in from.results(operation).zip(self.to.results(copy)) {
            self.map_value(value, result);
        }
        let operations = &mut self.map.operations;
        operations.set_position(operation.index(), copy.index());
        Ok(copy)
    }

    /// Finds the copies of an operation's operands, for `self.operands`; false, and none, if they
    /// must be set later.
    fn find_operands(&mut self, operation: Operation) -> bool {
        self.operands.clear();
        let mut operands = self.from.operands(operation);
        if !self.map.copies_once || !self.map.without_operands.is_empty() {
            return operands.next().is_none();
        }
        for value in operands {
            let Some(copy) = self.map.values.position(value.index()) else {
                self.operands.clear();
                return false;
            };
            let copy = Value::from_index(copy).of(self.to.owner);
            self.operands.push(copy);
        }
        true
    }

    fn map_value(&mut self, value: Value, copy: Value) {
        self.map.values.set_position(value.index(), copy.index());
        let names = &self.from.provenance.value_names;
        if !names.is_empty()
            && let Some(name) = names.get(value)
        {
            let name = self.translate.identifier(name);
            self.to.provenance.value_names.insert(copy, name);
        }
    }
}

impl Module {
    /// Gives a new operation slots for successors, which are invalid until they are set.
    fn reserve_successors(&mut self, operation: Operation, count: usize) {
        let regions: Vec<u32> = self.lists[self.region_list(operation)].to_vec();
        let start = self.lists.len() as u32;
        self.lists.extend([count as u32, regions.len() as u32]);
        self.lists.extend(std::iter::repeat_n(0, count));
        self.lists.extend(regions);
        self.ops[operation.index()].nested = start;
    }
}
