//! Copies operations of one module to another.

use super::{Block, Module, Operation, OperationState, Region, Use, Value};
use crate::dense_map::DenseMap;
use crate::error::Invalid;
use crate::handle::Owner;
use crate::import::EntryImporter;
use crate::{Attribute, Identifier, Location, OperationName, Type, ValueDefinition};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

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
    pub(crate) operations: DenseMap,
    pub(crate) blocks: DenseMap,
    pub(crate) values: DenseMap,
    /// Copies without operands and successors as yet: these may refer to what is copied later.
    open: Vec<(Operation, Operation)>,
    /// The module of the copies, once it is known.
    pub(crate) owner: Owner,
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
}

impl<'a, T: Translate> Copier<'a, T> {
    pub(crate) fn new(
        from: &'a Module,
        to: &'a mut Module,
        map: &'a mut CopyMap,
        translate: &'a mut T,
    ) -> Self {
        map.owner = to.owner;
        map.operations.reserve(from.operation_slots());
        map.blocks.reserve(from.block_slots());
        map.values.reserve(from.value_slots());
        Copier {
            from,
            to,
            map,
            translate,
        }
    }

    /// Copies an operation with everything nested in it; the copy is detached. Without `content`
    /// the regions of the copy are empty. [`finish`](Self::finish) must follow.
    pub(crate) fn copy(
        &mut self,
        operation: Operation,
        content: bool,
    ) -> Result<Operation, Invalid> {
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
                    if self.from.regions(operation).len() != 0 {
                        steps.push(Step::Regions(operation, copy, 0));
                    }
                }
                Step::Blocks(None, _) | Step::Operations(None, _) => {}
            }
        }
        Ok(copy)
    }

    /// Sets the operands and successors of the copies.
    ///
    /// # Errors
    ///
    /// If one was not copied.
    pub(crate) fn finish(&mut self) -> Result<(), Invalid> {
        let mut operands = Vec::new();
        let open = std::mem::take(&mut self.map.open);
        for &(from, to) in &open {
            operands.clear();
            for value in self.from.operands(from) {
                operands.push(self.value(value)?);
            }
            self.to.push_operands(to, &operands);
            let successors = self.from.successors(from).zip(self.to.successor_list(to));
            for (block, at) in successors {
                let Some(copy) = self.map.blocks.get(block.index()) else {
                    return Err(Invalid::new(
                        "an operation branches to a block that is not copied with it",
                    ));
                };
                self.to.blocks[copy].was_successor = true;
                self.to.lists[at] = copy as u32;
            }
        }
        if self.from.has_use_orders {
            self.copy_use_orders(&open)?;
        }
        Ok(())
    }

    /// Gives values whose users were all copied the order of uses that the originals have. Linear
    /// in the number of uses.
    fn copy_use_orders(&mut self, copied: &[(Operation, Operation)]) -> Result<(), Invalid> {
        let mut seen: HashSet<Value, RandomState> = HashSet::default();
        for value in copied
            .iter()
            .flat_map(|&(from, _)| self.from.operands(from))
        {
            let copy = self.map.values.get(value.index()).map(Value::from_index);
            let Some(copy) = copy.filter(|_| seen.insert(value)) else {
                continue;
            };
            let uses: Vec<Use> = self.to.uses(copy).collect();
            if uses.len() < 2 {
                continue;
            }
            let by_user = uses.iter().map(|&used| (self.to.user(used), used));
            let by_user: HashMap<(Operation, usize), Use, RandomState> = by_user.collect();
            let of_copy = |used: Use| {
                let (user, number) = self.from.user(used);
                let user = self.map.operations.get(user.index())?;
                by_user.get(&(Operation::from_index(user), number)).copied()
            };
            let order: Option<Vec<Use>> = self.from.uses(value).map(of_copy).collect();
            if let Some(order) = order.filter(|order| *order != uses && order.len() == uses.len()) {
                self.to.reorder_uses(copy, &order)?;
            }
        }
        Ok(())
    }

    /// Returns the copy of a value. A placeholder, which incomplete modules have, becomes one.
    fn value(&mut self, value: Value) -> Result<Value, Invalid> {
        if let Some(copy) = self.map.values.get(value.index()) {
            return Ok(Value::from_index(copy).of(self.to.owner));
        }
        if self.from.definition(value) != ValueDefinition::Placeholder {
            return Err(Invalid::new(
                "an operation uses a value that is not copied with it",
            ));
        }
        let ty = self.translate.ty(self.from.value_type(value))?;
        let copy = self.to.create_placeholder(ty);
        self.map.values.insert(value.index(), copy.index());
        Ok(copy)
    }

    fn copy_block(&mut self, block: Block, region: Region) -> Result<Block, Invalid> {
        let copy = self.to.append_block(region);
        self.map.blocks.insert(block.index(), copy.index());
        if let Some(&name) = self.from.provenance.block_names.get(&block) {
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

    /// Copies an operation without operands and with empty regions.
    fn copy_shell(&mut self, operation: Operation) -> Result<Operation, Invalid> {
        let (from, translate) = (self.from, &mut *self.translate);
        let types = from.results(operation).map(|v| from.value_type(v));
        let types = types.map(|ty| translate.ty(ty));
        let types = types.collect::<Result<Vec<Type>, Invalid>>()?;
        let mut optional = |attribute: Option<Attribute>| match attribute {
            Some(attribute) => translate.attribute(attribute).map(Some),
            None => Ok(None),
        };
        let properties = optional(from.properties(operation))?;
        let attributes = optional(from.attributes(operation))?;
        let count = from.regions(operation).len();
        let regions: Vec<Region> = (0..count).map(|_| self.to.create_region()).collect();
        let name = translate.name(from.name(operation));
        let location = translate.location(from.location(operation))?;
        let state = OperationState {
            result_types: &types,
            attributes,
            properties,
            regions: &regions,
            ..OperationState::new(name, location)
        };
        let successors = from.successors(operation).len();
        let copy = self.to.create_operation(&state);
        if successors != 0 {
            self.to.reserve_successors(copy, successors);
        }
        for (value, result) in from.results(operation).zip(self.to.results(copy)) {
            self.map_value(value, result);
        }
        if successors != 0 || from.operand_count(operation) != 0 {
            self.map.open.push((operation, copy));
        }
        let operations = &mut self.map.operations;
        operations.insert(operation.index(), copy.index());
        Ok(copy)
    }

    fn map_value(&mut self, value: Value, copy: Value) {
        self.map.values.insert(value.index(), copy.index());
        let names = &self.from.provenance.value_names;
        if !names.is_empty()
            && let Some(&name) = names.get(&value)
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
