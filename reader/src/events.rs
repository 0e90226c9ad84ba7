//! Events: the operations of a module one after the other, without a module in memory.
//!
//! A [`Visitor`] receives each operation, region and block in file order, and decides what is
//! skipped and when to stop. The files of both bytecode formats drive it
//! ([`LazyFile::visit`](crate::lazy::LazyFile::visit)), and so does a module in memory
//! ([`visit_module`]), so a tool is written once.
//!
//! An event has numbers, and resolves types, attributes and locations when they are requested. What
//! is not requested is not decoded, and damage in it is not reported.
//!
//! ```
//! use rmlir_ir::{Context, Module, WalkResult};
//! use rmlir_reader::events::{OperationEvent, Visitor, visit_module};
//!
//! /// Counts the uses of values.
//! #[derive(Default)]
//! struct Uses(usize);
//!
//! impl Visitor for Uses {
//!     fn operation(&mut self, operation: &mut OperationEvent<'_>) -> rmlir_format::Result<WalkResult> {
//!         self.0 += operation.operands().len();
//!         Ok(WalkResult::Advance)
//!     }
//! }
//!
//! let mut context = Context::new();
//! let module = Module::new(&mut context);
//! let mut uses = Uses::default();
//! visit_module(&context, &module, &mut uses)?;
//! assert_eq!(uses.0, 0);
//! # Ok::<(), rmlir_format::Error>(())
//! ```

use crate::lookup;
pub use crate::value_map::ValueMap;
use rmlir_format::Result;
use rmlir_ir::{
    Attribute, Block, Context, Identifier, Location, Module, Operation, OperationName,
    OperationState, Region, Type, Value, Visibility, WalkResult, WalkStep,
};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A value: a number that is unique during one visit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub(crate) u64);

impl ValueId {
    /// Returns the number.
    pub fn index(self) -> u64 {
        self.0
    }
}

/// Receives the events of a module, in file order.
///
/// Each `operation` is followed by the events of its regions, unless these are skipped, and by
/// `end_operation`. Within a region, the operations that follow a `block` are those of that block.
///
/// An error that a method returns ends the visit, and is returned by it.
#[doc(alias = "SAX")]
#[doc(alias = "callback")]
pub trait Visitor {
    /// Begins an operation. Returns whether to visit its regions, to skip them, or to stop.
    ///
    /// # Errors
    /// Those of the event's methods, and of the visitor.
    fn operation(&mut self, operation: &mut OperationEvent<'_>) -> Result<WalkResult>;

    /// Ends an operation whose regions were visited or skipped.
    ///
    /// # Errors
    /// Those of the visitor.
    fn end_operation(&mut self) -> Result<()> {
        Ok(())
    }

    /// Begins a region with that number of blocks.
    ///
    /// # Errors
    /// Those of the visitor.
    fn region(&mut self, _blocks: u64) -> Result<()> {
        Ok(())
    }

    /// Ends a region.
    ///
    /// # Errors
    /// Those of the visitor.
    fn end_region(&mut self) -> Result<()> {
        Ok(())
    }

    /// Begins a block.
    ///
    /// # Errors
    /// Those of the event's methods, and of the visitor.
    fn block(&mut self, _block: &mut BlockEvent<'_>) -> Result<()> {
        Ok(())
    }
}

/// Attributes and properties of an operation.
pub(crate) type Dictionaries = (Option<Attribute>, Option<Attribute>);

/// Resolves the numbers of the current event.
pub(crate) trait EventSource {
    fn context(&self) -> &Context;

    /// Returns the current operation, if it is in a module.
    fn operation(&self) -> Option<Operation> {
        None
    }

    /// Returns a result of the current operation, or an argument of the current block.
    fn value(&self, number: u32) -> ValueId;

    /// Returns the operands of the current operation.
    fn operands(&self) -> &[ValueId];

    /// Returns the successors of the current operation: the numbers of blocks in its region.
    fn successors(&self) -> &[u64];

    fn dictionaries(&mut self) -> Result<Dictionaries>;

    /// Returns the types of the results of the current operation, or of the arguments of the
    /// current block.
    fn types(&mut self) -> Result<&[Type]>;

    /// Returns the location of the current operation, or those of the arguments of the current
    /// block.
    fn locations(&mut self) -> Result<&[Location]>;

    /// Returns the names of the results of the current operation, or of the arguments of the
    /// current block; empty if nothing has a name.
    fn names(&mut self) -> Result<&[Option<Identifier>]> {
        Ok(&[])
    }

    /// Returns the name of the current block.
    fn block_name(&mut self) -> Result<Option<Identifier>> {
        Ok(None)
    }
}

/// An operation of a [`Visitor`].
pub struct OperationEvent<'e> {
    pub(crate) name: OperationName,
    pub(crate) results: u32,
    pub(crate) regions: u32,
    pub(crate) source: &'e mut dyn EventSource,
}

impl fmt::Debug for OperationEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperationEvent")
            .field("name", &self.name)
            .field("results", &self.results)
            .field("regions", &self.regions)
            .finish_non_exhaustive()
    }
}

impl OperationEvent<'_> {
    /// Returns the name. O(1).
    #[inline]
    pub fn name(&self) -> OperationName {
        self.name
    }

    /// Returns the operation itself if a module in memory is visited, `None` of a file. O(1).
    pub fn operation(&self) -> Option<Operation> {
        self.source.operation()
    }

    /// Returns the context that has the entries which were requested so far. O(1).
    pub fn context(&self) -> &Context {
        self.source.context()
    }

    /// Returns the operands. An operand may be defined by a later operation. O(1).
    pub fn operands(&self) -> &[ValueId] {
        self.source.operands()
    }

    /// Returns the results. O(1).
    pub fn results(&self) -> impl ExactSizeIterator<Item = ValueId> {
        (0..self.results).map(|number| self.source.value(number))
    }

    /// Returns the number of results. O(1).
    #[inline]
    pub fn result_count(&self) -> usize {
        self.results as usize
    }

    /// Returns the number of regions. O(1).
    #[inline]
    pub fn region_count(&self) -> usize {
        self.regions as usize
    }

    /// Returns the successors: numbers of blocks in the region of the operation. O(1).
    pub fn successors(&self) -> &[u64] {
        self.source.successors()
    }

    /// Returns the types of the results. Decodes those that were not requested before.
    ///
    /// # Errors
    /// If a type is damaged, with offset and section.
    pub fn result_types(&mut self) -> Result<&[Type]> {
        self.source.types()
    }

    /// Returns the dictionary of discardable attributes; `None` if there are none.
    ///
    /// Decodes attributes that were not requested before.
    ///
    /// # Errors
    /// If an attribute is damaged or its encoding is not known, with offset and section.
    pub fn attributes(&mut self) -> Result<Option<Attribute>> {
        Ok(self.source.dictionaries()?.0)
    }

    /// Returns the [`attributes`](Self::attributes) and the [`properties`](Self::properties),
    /// which are decoded together.
    ///
    /// # Errors
    /// Those of [`attributes`](Self::attributes).
    #[inline]
    pub fn dictionaries(&mut self) -> Result<(Option<Attribute>, Option<Attribute>)> {
        self.source.dictionaries()
    }

    /// Returns the properties; see [`attributes`](Self::attributes).
    ///
    /// # Errors
    /// Those of [`attributes`](Self::attributes).
    pub fn properties(&mut self) -> Result<Option<Attribute>> {
        Ok(self.source.dictionaries()?.1)
    }

    /// Returns the attribute with a name, among the properties or else the discardable attributes.
    ///
    /// # Errors
    /// Those of [`attributes`](Self::attributes).
    pub fn attribute(&mut self, name: &str) -> Result<Option<Attribute>> {
        self.find(|_, _| name)
    }

    /// Returns the attribute with the name that `key` returns.
    #[inline]
    fn find<'c>(
        &'c mut self,
        key: impl FnOnce(&'c Context, OperationName) -> &'c str,
    ) -> Result<Option<Attribute>> {
        let (attributes, properties) = self.source.dictionaries()?;
        let context = self.source.context();
        let key = key(context, self.name).as_bytes();
        let mut dictionaries = [properties, attributes].into_iter().flatten();
        Ok(dictionaries.find_map(|dictionary| context.dictionary_get(dictionary, key)))
    }

    /// Returns the name of the symbol that the operation is, as
    /// [`Module::symbol_name`](rmlir_ir::Module::symbol_name) does; `None` if it is not a symbol.
    ///
    /// # Errors
    /// Those of [`attributes`](Self::attributes).
    pub fn symbol_name(&mut self) -> Result<Option<Identifier>> {
        let Some(value) = self.find(|context, name| context.symbol_attributes(name).name)? else {
            return Ok(None);
        };
        let context = self.context();
        Ok(context.symbol_string(context.symbol_attributes(self.name), value))
    }

    /// Returns the visibility of the symbol that the operation is, as
    /// [`Module::symbol_visibility`](rmlir_ir::Module::symbol_visibility) does.
    ///
    /// # Errors
    /// Those of [`attributes`](Self::attributes).
    pub fn symbol_visibility(&mut self) -> Result<Visibility> {
        let key = self.context().symbol_attributes(self.name).visibility;
        let value = match key.is_empty() {
            true => None,
            false => self.find(|context, name| context.symbol_attributes(name).visibility)?,
        };
        let context = self.context();
        let of = context.symbol_attributes(self.name);
        let string = |value| context.symbol_string(of, value).map(|s| context.bytes(s));
        Ok(of.rule.visibility(value.map(string)))
    }

    /// Returns the location.
    ///
    /// # Errors
    /// If it is damaged, with offset and section.
    pub fn location(&mut self) -> Result<Location> {
        let unknown = self.source.context().unknown_location();
        Ok(self.source.locations()?.first().copied().unwrap_or(unknown))
    }

    /// Returns the names of the results in the source, without `%`, as
    /// [`Provenance::value_names`](rmlir_ir::Provenance::value_names) stores them; an empty list if
    /// the module has no names. Skips the names of preceding values that were not requested.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module, WalkResult};
    /// use rmlir_reader::events::{OperationEvent, Visitor, visit_module};
    ///
    /// /// Counts named results.
    /// struct Named(usize);
    ///
    /// impl Visitor for Named {
    ///     fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir_format::Result<WalkResult> {
    ///         self.0 += event.result_names()?.iter().flatten().count();
    ///         Ok(WalkResult::Advance)
    ///     }
    /// }
    ///
    /// let mut context = Context::new();
    /// let module = Module::new(&mut context);
    /// let mut named = Named(0);
    /// visit_module(&context, &module, &mut named)?;
    /// assert_eq!(named.0, 0);
    /// # Ok::<(), rmlir_format::Error>(())
    /// ```
    ///
    /// # Errors
    /// If names are damaged, with offset and section.
    pub fn result_names(&mut self) -> Result<&[Option<Identifier>]> {
        self.source.names()
    }
}

/// A block of a [`Visitor`].
pub struct BlockEvent<'e> {
    pub(crate) arguments: u32,
    pub(crate) source: &'e mut dyn EventSource,
}

impl fmt::Debug for BlockEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockEvent")
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

impl BlockEvent<'_> {
    /// Returns the context that has the entries which were requested so far. O(1).
    pub fn context(&self) -> &Context {
        self.source.context()
    }

    /// Returns the arguments. O(1).
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = ValueId> {
        (0..self.arguments).map(|number| self.source.value(number))
    }

    /// Returns the types of the arguments. Decodes those that were not requested before.
    ///
    /// # Errors
    /// If a type is damaged, with offset and section.
    pub fn argument_types(&mut self) -> Result<&[Type]> {
        self.source.types()
    }

    /// Returns the locations of the arguments.
    ///
    /// # Errors
    /// If a location is damaged, with offset and section.
    pub fn argument_locations(&mut self) -> Result<&[Location]> {
        self.source.locations()
    }

    /// Returns the names of the arguments in the source; see
    /// [`OperationEvent::result_names`].
    ///
    /// # Errors
    /// If names are damaged, with offset and section.
    pub fn argument_names(&mut self) -> Result<&[Option<Identifier>]> {
        self.source.names()
    }

    /// Returns the name of the block in the source, without `^`.
    ///
    /// # Errors
    /// If names are damaged, with offset and section.
    pub fn name(&mut self) -> Result<Option<Identifier>> {
        self.source.block_name()
    }
}

/// A visitor that builds a module from the operations that it receives.
///
/// Wrap it in another visitor to leave out bodies: a region that is not visited stays empty.
///
/// ```
/// use rmlir_ir::{Context, EqualityOptions, Module, semantic_eq};
/// use rmlir_reader::events::{ModuleBuilder, visit_module};
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let mut builder = ModuleBuilder::default();
/// visit_module(&context, &module, &mut builder)?;
/// let built = builder.finish().unwrap();
/// let (left, right) = ((&context, &module, module.top()), (&context, &built, built.top()));
/// assert!(semantic_eq(left, right, &EqualityOptions::default()));
/// # Ok::<(), rmlir_format::Error>(())
/// ```
///
/// A copy of a builder continues with the same enclosing operations, so that the parts of a file
/// can be built into modules of their own.
#[derive(Clone, Debug, Default)]
pub struct ModuleBuilder {
    module: Option<Module>,
    /// The values so far, and placeholders for those that are defined later, by their numbers after
    /// the first one.
    values: ValueMap<Value>,
    first_value: Option<u64>,
    undefined: HashSet<ValueId>,
    /// The operations that are not ended; the current region of each is the one that was begun
    /// last.
    open: Vec<OpenOperation>,
    /// The blocks of open regions.
    blocks: Vec<Block>,
    omits_locations: bool,
    keeps_names: bool,
    /// Lists of the current event, to be used again.
    lists: Lists,
}

#[derive(Clone, Debug, Default)]
struct Lists {
    operands: Vec<Value>,
    successors: Vec<Block>,
    regions: Vec<Region>,
}

/// An operation of a [`ModuleBuilder`] that is not ended.
#[derive(Clone, Debug)]
struct OpenOperation {
    operation: Operation,
    /// The number of regions that were begun.
    regions: usize,
    /// Where the blocks of the current region begin in [`ModuleBuilder::blocks`], and the number
    /// of those that were begun.
    blocks: usize,
    begun: usize,
}

impl ModuleBuilder {
    /// Returns the module; `None` if there was no operation, or a value was used and not defined,
    /// because its definition was skipped.
    pub fn finish(self) -> Option<Module> {
        self.module.filter(|_| self.undefined.is_empty())
    }

    /// Returns the operation that was begun last, if it is not ended.
    ///
    /// ```
    /// assert!(rmlir_reader::events::ModuleBuilder::default().current_operation().is_none());
    /// ```
    pub fn current_operation(&self) -> Option<Operation> {
        self.open.last().map(|open| open.operation)
    }

    /// Returns the number of operations that were begun.
    ///
    /// ```
    /// assert_eq!(rmlir_reader::events::ModuleBuilder::default().operation_count(), 0);
    /// ```
    pub fn operation_count(&self) -> usize {
        self.module.as_ref().map_or(0, Module::operation_slots)
    }

    /// Sets whether the operations and arguments that follow have unknown locations instead of
    /// their own, which are not decoded then.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module};
    /// use rmlir_reader::events::{ModuleBuilder, visit_module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let file = context.identifier("a.mlir");
    /// let location = context.file_location(file, 1, 2);
    /// module.set_location(module.top(), location);
    /// let mut builder = ModuleBuilder::default();
    /// builder.omit_locations(true);
    /// visit_module(&context, &module, &mut builder)?;
    /// let built = builder.finish().unwrap();
    /// assert_eq!(built.location(built.top()), context.unknown_location());
    /// # Ok::<(), rmlir_format::Error>(())
    /// ```
    pub fn omit_locations(&mut self, omits: bool) {
        self.omits_locations = omits;
    }

    /// Sets whether the values and blocks that follow keep their names of the source.
    ///
    /// ```
    /// use rmlir_ir::{Context, Module, OperationState};
    /// use rmlir_reader::events::{ModuleBuilder, visit_module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let state = OperationState {
    ///     result_types: &[context.index_type()],
    ///     ..OperationState::new(context.operation_name("test.op"), context.unknown_location())
    /// };
    /// let operation = module.create_operation(&state);
    /// module.append_operation(module.body().unwrap(), operation);
    /// let value = module.result(operation, 0).unwrap();
    /// module.provenance.value_names.insert(value, context.identifier("x"));
    /// let mut builder = ModuleBuilder::default();
    /// builder.keep_names(true);
    /// visit_module(&context, &module, &mut builder)?;
    /// assert_eq!(builder.finish().unwrap().provenance.value_names.len(), 1);
    /// # Ok::<(), rmlir_format::Error>(())
    /// ```
    pub fn keep_names(&mut self, keeps: bool) {
        self.keeps_names = keeps;
    }

    /// Reserves memory for a number of operations.
    ///
    /// ```
    /// rmlir_reader::events::ModuleBuilder::default().reserve(100);
    /// ```
    pub fn reserve(&mut self, operations: usize) {
        if let Some(module) = &mut self.module {
            // About as many of each is usual.
            module.reserve(operations, operations, operations.saturating_mul(2));
        }
    }

    /// Defines a value.
    #[inline]
    fn define(&mut self, id: ValueId, value: Value) {
        let key = key(&mut self.first_value, id);
        if let Some(placeholder) = self.values.get(key) {
            self.undefined.remove(&id);
            if let Some(module) = &mut self.module {
                module.move_uses(placeholder, value);
            }
        }
        self.values.insert(key, value);
    }
}

/// Returns the key of a value in [`ModuleBuilder::values`]. Lower ones follow the highest.
#[inline]
fn key(first: &mut Option<u64>, id: ValueId) -> ValueId {
    ValueId(id.0.wrapping_sub(*first.get_or_insert(id.0)))
}

impl Visitor for ModuleBuilder {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let unknown = event.context().unknown_location();
        let location = match self.omits_locations {
            true => unknown,
            false => event.location()?,
        };
        let (attributes, properties) = event.source.dictionaries()?;
        let none = event.context().none_type();
        let name = event.name();
        let is_top = self.module.is_none();
        let module = self
            .module
            .get_or_insert_with(|| Module::with_top(name, unknown));
        let around = self.open.last();
        let first_block = around.map_or(0, |open| open.blocks);
        let operand = |&id: &ValueId| {
            let key = key(&mut self.first_value, id);
            self.values.get(key).unwrap_or_else(|| {
                self.undefined.insert(id);
                let placeholder = module.create_placeholder(none);
                self.values.insert(key, placeholder);
                placeholder
            })
        };
        let lists = &mut self.lists;
        lists.operands.clear();
        lists.operands.extend(event.operands().iter().map(operand));
        lists.successors.clear();
        lists.regions.clear();
        // Most operations have neither.
        if !event.successors().is_empty() {
            let blocks = self.blocks.get(first_block..).unwrap_or_default();
            let successors = event.successors().iter();
            let successors = successors.filter_map(|&number| lookup::get(blocks, number));
            lists.successors.extend(successors);
        }
        for _ in 0..event.region_count() {
            lists.regions.push(module.create_region());
        }
        let operation = module.create_operation(&OperationState {
            name,
            location,
            operands: &lists.operands,
            result_types: event.result_types()?,
            attributes,
            properties,
            successors: &lists.successors,
            regions: &lists.regions,
        });
        let block = around.and_then(|open| {
            let current = open.begun.checked_sub(1)?.saturating_add(open.blocks);
            self.blocks.get(current).copied()
        });
        match block {
            _ if is_top => module.set_top(operation),
            Some(block) => module.append_operation(block, operation),
            None => {}
        }
        for (number, id) in event.results().enumerate() {
            let module = self.module.as_ref();
            if let Some(value) = module.and_then(|module| module.result(operation, number)) {
                self.define(id, value);
            }
        }
        if self.keeps_names
            && event.results > 0
            && let Some(module) = &mut self.module
        {
            for (number, name) in event.result_names()?.iter().enumerate() {
                if let Some((value, &name)) = module.result(operation, number).zip(name.as_ref()) {
                    module.provenance.value_names.insert(value, name);
                }
            }
        }
        self.open.push(OpenOperation {
            operation,
            regions: 0,
            blocks: self.blocks.len(),
            begun: 0,
        });
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.open.pop();
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        let (Some(open), Some(module)) = (self.open.last_mut(), &mut self.module) else {
            return Ok(());
        };
        let region = module.region(open.operation, open.regions);
        open.regions = open.regions.saturating_add(1);
        open.begun = 0;
        if let Some(region) = region {
            for _ in 0..blocks {
                self.blocks.push(module.append_block(region));
            }
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        if let Some(open) = self.open.last_mut() {
            self.blocks.truncate(open.blocks);
            open.begun = 0;
        }
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let place = open.blocks.saturating_add(open.begun);
        open.begun = open.begun.saturating_add(1);
        let Some(&block) = self.blocks.get(place) else {
            return Ok(());
        };
        if self.keeps_names
            && let (Some(name), Some(module)) = (event.name()?, &mut self.module)
        {
            module.provenance.block_names.insert(block, name);
        }
        if event.arguments == 0 {
            return Ok(());
        }
        let types = event.argument_types()?.to_vec();
        let locations = match self.omits_locations {
            true => vec![event.context().unknown_location(); types.len()],
            false => event.argument_locations()?.to_vec(),
        };
        for ((id, ty), location) in event.arguments().zip(types).zip(locations) {
            if let Some(module) = &mut self.module {
                let value = module.add_argument(block, ty, location);
                self.define(id, value);
            }
        }
        if self.keeps_names
            && let Some(module) = &mut self.module
        {
            for (number, name) in event.argument_names()?.iter().enumerate() {
                if let Some((value, &name)) = module.argument(block, number).zip(name.as_ref()) {
                    module.provenance.value_names.insert(value, name);
                }
            }
        }
        Ok(())
    }
}

/// Visits a module in memory, from its top-level operation on. O(operations that are visited).
///
/// # Errors
/// Those of `visitor`.
pub fn visit_module(context: &Context, module: &Module, visitor: &mut dyn Visitor) -> Result<()> {
    visit_operation(context, module, module.top(), visitor)
}

/// Visits an operation of a module in memory, with everything in it. O(operations that are
/// visited).
///
/// # Errors
/// Those of `visitor`.
pub fn visit_operation(
    context: &Context,
    module: &Module,
    operation: Operation,
    visitor: &mut dyn Visitor,
) -> Result<()> {
    let mut source = ModuleSource::new(context, module);
    let mut steps = module.traverse(operation);
    while let Some(step) = steps.next() {
        match step {
            WalkStep::EnterOperation(operation) => {
                source.enter_operation(operation);
                let mut event = OperationEvent {
                    name: module.name(operation),
                    results: module.result_count(operation) as u32,
                    regions: module.region_count(operation) as u32,
                    source: &mut source,
                };
                match visitor.operation(&mut event)? {
                    WalkResult::Advance => {}
                    WalkResult::Skip => steps.skip_content(),
                    WalkResult::Interrupt => return Ok(()),
                }
            }
            WalkStep::EnterRegion(region) => {
                visitor.region(module.blocks(region).count() as u64)?;
            }
            WalkStep::EnterBlock(block) => {
                source.block = Some(block);
                visitor.block(&mut BlockEvent {
                    arguments: module.argument_count(block) as u32,
                    source: &mut source,
                })?;
            }
            WalkStep::LeaveBlock(_) => {}
            WalkStep::LeaveRegion(_) => visitor.end_region()?,
            WalkStep::LeaveOperation(_) => visitor.end_operation()?,
        }
    }
    Ok(())
}

/// The source of a module in memory. Lists are filled when they are requested.
struct ModuleSource<'m> {
    context: &'m Context,
    module: &'m Module,
    operation: Operation,
    /// The current block, if the current event is of one.
    block: Option<Block>,
    /// The numbers of blocks in their regions, for the regions in which successors were requested.
    region_blocks: RefCell<HashMap<Block, u64>>,
    operands: Lazy<ValueId>,
    successors: Lazy<u64>,
    types: Vec<Type>,
    locations: Vec<Location>,
    names: Vec<Option<Identifier>>,
}

/// A list that is filled when it is requested, and whose memory is used again.
struct Lazy<T> {
    list: OnceCell<Vec<T>>,
    spare: Cell<Vec<T>>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy {
            list: OnceCell::new(),
            spare: Cell::default(),
        }
    }
}

impl<T> Lazy<T> {
    fn get(&self, items: impl Iterator<Item = T>) -> &[T] {
        self.list.get_or_init(|| {
            let mut list = self.spare.take();
            list.extend(items);
            list
        })
    }

    #[inline]
    fn clear(&mut self) {
        if let Some(mut list) = self.list.take() {
            list.clear();
            self.spare.set(list);
        }
    }
}

fn id(value: Value) -> ValueId {
    ValueId(value.index() as u64)
}

impl<'m> ModuleSource<'m> {
    fn new(context: &'m Context, module: &'m Module) -> Self {
        ModuleSource {
            context,
            module,
            operation: module.top(),
            block: None,
            region_blocks: RefCell::default(),
            operands: Lazy::default(),
            successors: Lazy::default(),
            types: Vec::new(),
            locations: Vec::new(),
            names: Vec::new(),
        }
    }

    #[inline]
    fn enter_operation(&mut self, operation: Operation) {
        (self.operation, self.block) = (operation, None);
        self.operands.clear();
        self.successors.clear();
    }

    /// Returns the number of a block in its region. The first request numbers the whole region, so
    /// all requests together are linear in the blocks.
    fn block_number(&self, block: Block) -> u64 {
        let mut numbers = self.region_blocks.borrow_mut();
        if !numbers.contains_key(&block)
            && let Some(region) = self.module.block_region(block)
        {
            numbers.extend(self.module.blocks(region).zip(0u64..));
        }
        numbers.get(&block).copied().unwrap_or_default()
    }
}

impl EventSource for ModuleSource<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn operation(&self) -> Option<Operation> {
        Some(self.operation)
    }

    fn value(&self, number: u32) -> ValueId {
        let number = number as usize;
        let value = match self.block {
            None => self.module.result(self.operation, number),
            Some(block) => self.module.argument(block, number),
        };
        value.map_or(ValueId(u64::MAX), id)
    }

    fn operands(&self) -> &[ValueId] {
        let operands = self.module.operands(self.operation);
        self.operands.get(operands.map(id))
    }

    fn successors(&self) -> &[u64] {
        let successors = self.module.successors(self.operation);
        let number = |block| self.block_number(block);
        self.successors.get(successors.map(number))
    }

    fn dictionaries(&mut self) -> Result<Dictionaries> {
        let module = self.module;
        Ok((
            module.attributes(self.operation),
            module.properties(self.operation),
        ))
    }

    fn types(&mut self) -> Result<&[Type]> {
        let module = self.module;
        let ty = |value| module.value_type(value);
        self.types.clear();
        match self.block {
            None => self.types.extend(module.results(self.operation).map(ty)),
            Some(block) => {
                let arguments = module.arguments(block).map(|(value, _)| value);
                self.types.extend(arguments.map(ty));
            }
        }
        Ok(&self.types)
    }

    fn locations(&mut self) -> Result<&[Location]> {
        self.locations.clear();
        match self.block {
            None => self.locations.push(self.module.location(self.operation)),
            Some(block) => {
                let arguments = self.module.arguments(block);
                self.locations.extend(arguments.map(|(_, at)| at));
            }
        }
        Ok(&self.locations)
    }

    fn names(&mut self) -> Result<&[Option<Identifier>]> {
        self.names.clear();
        let names = &self.module.provenance.value_names;
        if names.is_empty() {
            return Ok(&[]);
        }
        let name = |value| names.get(value);
        match self.block {
            None => self
                .names
                .extend(self.module.results(self.operation).map(name)),
            Some(block) => {
                let arguments = self.module.arguments(block).map(|(value, _)| value);
                self.names.extend(arguments.map(name));
            }
        }
        Ok(&self.names)
    }

    fn block_name(&mut self) -> Result<Option<Identifier>> {
        let names = &self.module.provenance.block_names;
        Ok(self.block.and_then(|block| names.get(block)))
    }
}
