//! Operations, blocks, regions and values, in arenas that a [`Module`] owns.

mod access;
mod clone;
mod copy;
mod edit;
mod erased;
mod join;
mod rewrite;

use crate::handle::{Owner, handle};
use crate::{Attribute, Context, Location, OperationName, Provenance, Type};

pub use clone::Mapping;
pub(crate) use copy::{Copier, CopyMap, SameContext};
pub use edit::InUse;

handle! {
    "module",
    /// An operation of a [`Module`].
    Operation
}
handle! {
    "module",
    /// A block of a [`Module`].
    Block
}
handle! {
    "module",
    /// A region of a [`Module`].
    Region
}
handle! {
    "module",
    /// A value of a [`Module`]: a result of an operation or an argument of a block.
    Value
}
handle! {
    "module",
    /// An operand of an operation, as an entry of the list of uses of its value.
    Use
}

/// IR in memory: one top-level operation and everything nested in it, plus detached operations.
///
/// Everything is stored in index-based arenas: a handle stays valid until its entity is erased, and
/// the handle of an erased entity is never reused. Types, attributes, names and locations belong to
/// the [`Context`] with which the module was created. Everything that reads the module needs that
/// context.
///
/// A module takes 48 bytes for each operation, 16 for each value, 16 for each operand, 32 for each
/// block, 12 for each region, and 4 for each successor and region of an operation, with 8 more if
/// there are any.
///
/// # Panics
///
/// Using a handle of another module, or of an entity that was erased, is a programming error, never
/// a consequence of input:
///
/// * Methods that change the module panic if they are given an operation, block, region or value
///   that was erased, by itself or with an enclosing entity. [`is_erased`](Self::is_erased) tests
///   for that. Methods that read may panic too; otherwise they return the last data of the entity.
/// * With a handle of another module, all methods panic in debug builds, with a message that names
///   both modules; in release builds they panic or treat the handle as one of this module. A clone
///   of a module accepts the handles of the original.
#[derive(Clone, Debug)]
pub struct Module {
    ops: Vec<OperationData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    operands: Vec<OperandData>,
    /// Lists of handles: successors and regions of operations, arguments (value, location) of
    /// blocks.
    lists: Vec<u32>,
    top: Operation,
    /// Whether the order of a value's uses was set, so that copies keep orders.
    has_use_orders: bool,
    /// Marks handles in debug builds.
    owner: Owner,
    /// The provenance: the metadata that the module has of its source file.
    pub provenance: Provenance,
}

/// A range of one of the arenas.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    len: u32,
}

impl List {
    fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start + self.len as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct OperationData {
    name: OperationName,
    location: Location,
    block: Option<Block>,
    previous: Option<Operation>,
    next: Option<Operation>,
    /// A dictionary of the discardable attributes; `None` is empty.
    attributes: Option<Attribute>,
    /// The inherent attributes; a dictionary for operations that upstream knows.
    properties: Option<Attribute>,
    operands: List,
    results: List,
    /// The offset in `lists` of the successors and regions, which few operations have: their
    /// counts, then the handles. [`ERASED_OPERATION`](erased::ERASED_OPERATION) if the operation
    /// was erased.
    nested: u32,
}

const _: () = assert!(
    size_of::<OperationData>() == 48,
    "what is documented of Module"
);

/// The offset of an operation that has neither successors nor regions.
const NOT_NESTED: u32 = 0;

#[derive(Clone, Copy, Debug)]
struct BlockData {
    region: Option<Region>,
    previous: Option<Block>,
    next: Option<Block>,
    first: Option<Operation>,
    last: Option<Operation>,
    /// Pairs of value and location in `lists`.
    arguments: List,
    /// Whether it ever was a successor.
    was_successor: bool,
    is_erased: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct RegionData {
    parent: Option<Operation>,
    first: Option<Block>,
    last: Option<Block>,
}

#[derive(Clone, Copy, Debug)]
struct ValueData {
    ty: Type,
    /// Index of the operation or block that defines it.
    owner: u32,
    /// Number of the result, or of the argument with [`ARGUMENT`] set.
    number: u32,
    first_use: Option<Use>,
}

/// Marks the number of a value that is a block argument.
const ARGUMENT: u32 = 1 << 31;
/// The number of a placeholder for a value that is not defined yet. The preceding number marks an
/// erased value.
const PLACEHOLDER: u32 = u32::MAX;

const _: () = assert!(size_of::<ValueData>() == 16);

#[derive(Clone, Copy, Debug)]
struct OperandData {
    value: Value,
    owner: Operation,
    previous: Option<Use>,
    next: Option<Use>,
}

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDefinition {
    /// Result `number` of an operation.
    Result(Operation, u32),
    /// Argument `number` of a block.
    Argument(Block, u32),
    /// Nothing yet: see [`Module::create_placeholder`].
    Placeholder,
}

/// The parts of an operation to be created; see [`Module::create_operation`].
#[derive(Clone, Copy, Debug)]
pub struct OperationState<'a> {
    /// Its name.
    pub name: OperationName,
    /// Its location.
    pub location: Location,
    /// Its operands.
    pub operands: &'a [Value],
    /// The types of its results.
    pub result_types: &'a [Type],
    /// The discardable attributes, a dictionary.
    pub attributes: Option<Attribute>,
    /// The properties, that is, the inherent attributes; a dictionary for all but some unregistered
    /// operations.
    pub properties: Option<Attribute>,
    /// Its successors.
    pub successors: &'a [Block],
    /// Its regions, created with [`Module::create_region`] and not attached to another operation.
    pub regions: &'a [Region],
}

impl<'a> OperationState<'a> {
    /// Creates a state of a name and a location, with nothing else.
    pub fn new(name: OperationName, location: Location) -> Self {
        OperationState {
            name,
            location,
            operands: &[],
            result_types: &[],
            attributes: None,
            properties: None,
            successors: &[],
            regions: &[],
        }
    }
}

impl Module {
    /// Creates a module that holds an empty `builtin.module` at an unknown location.
    pub fn new(context: &mut Context) -> Self {
        let name = context.operation_name("builtin.module");
        Self::with_top(name, context.unknown_location())
    }

    /// Creates a module whose top-level operation is called `name` and has one region of one empty
    /// block.
    pub fn with_top(name: OperationName, location: Location) -> Self {
        let mut module = Module {
            ops: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            values: Vec::new(),
            operands: Vec::new(),
            lists: vec![0, 0],
            top: Operation::from_index(0),
            has_use_orders: false,
            owner: Owner::new(),
            provenance: Provenance::default(),
        };
        let region = module.create_region();
        module.append_block(region);
        let regions = [region];
        let state = OperationState {
            regions: &regions,
            ..OperationState::new(name, location)
        };
        module.top = module.create_operation(&state);
        module
    }

    /// Returns the top-level operation.
    pub fn top(&self) -> Operation {
        self.top
    }

    /// Makes a detached operation the top-level one.
    #[track_caller]
    pub fn set_top(&mut self, operation: Operation) {
        self.expect_operation(operation);
        self.top = operation;
    }

    /// Returns the only block of the top-level operation's first region, which holds a module's
    /// operations.
    pub fn body(&self) -> Option<Block> {
        self.regions(self.top)
            .next()
            .and_then(|region| self.first_block(region))
    }

    /// Reserves capacity for more operations, values and operands.
    pub fn reserve(&mut self, operations: usize, values: usize, operands: usize) {
        self.ops.reserve(operations);
        self.values.reserve(values);
        self.operands.reserve(operands);
    }

    /// Creates an operation that is in no block yet. Linear in the size of `state`.
    ///
    /// The operation has exactly the attributes and properties of `state`.
    /// [`Builder`](crate::Builder) normalizes by the operation's definition; after this function
    /// [`normalize_operation`](Self::normalize_operation) does it.
    #[track_caller]
    pub fn create_operation(&mut self, state: &OperationState<'_>) -> Operation {
        let operation = Operation::from_index(self.ops.len()).of(self.owner);
        let results = self.create_results(operation, state.result_types);
        let nested = self.push_nested(operation, state.successors, state.regions);
        self.ops.push(OperationData {
            name: state.name,
            location: state.location,
            block: None,
            previous: None,
            next: None,
            attributes: state.attributes,
            properties: state.properties,
            operands: List::default(),
            results,
            nested,
        });
        self.push_operands(operation, state.operands);
        operation
    }

    fn create_results(&mut self, operation: Operation, types: &[Type]) -> List {
        let start = self.values.len() as u32;
        let owner = operation.index() as u32;
        self.values
            .extend(types.iter().enumerate().map(|(number, &ty)| ValueData {
                ty,
                owner,
                number: number as u32,
                first_use: None,
            }));
        List {
            start,
            len: types.len() as u32,
        }
    }

    #[track_caller]
    fn push_nested(
        &mut self,
        operation: Operation,
        successors: &[Block],
        regions: &[Region],
    ) -> u32 {
        if successors.is_empty() && regions.is_empty() {
            return NOT_NESTED;
        }
        let start = self.lists.len() as u32;
        self.lists
            .extend([successors.len() as u32, regions.len() as u32]);
        for &block in successors {
            self.expect_block(block);
            self.blocks[block.index()].was_successor = true;
            self.lists.push(block.index() as u32);
        }
        for &region in regions {
            self.expect_region(region);
            self.regions[region.index()].parent = Some(operation);
            self.lists.push(region.index() as u32);
        }
        start
    }

    /// Appends operand slots for `values` and links them into the use lists.
    #[track_caller]
    fn push_operands(&mut self, operation: Operation, values: &[Value]) {
        let list = List {
            start: self.operands.len() as u32,
            len: values.len() as u32,
        };
        self.ops[operation.index()].operands = list;
        for &value in values {
            let slot = Use::from_index(self.operands.len()).of(self.owner);
            self.expect_value(value);
            let head = self.values[value.index()].first_use.replace(slot);
            self.operands.push(OperandData {
                value,
                owner: operation,
                previous: None,
                next: head,
            });
            if let Some(head) = head {
                self.operands[head.index()].previous = Some(slot);
            }
        }
    }

    /// Creates a region without blocks, to be attached to an operation.
    pub fn create_region(&mut self) -> Region {
        let region = Region::from_index(self.regions.len()).of(self.owner);
        self.regions.push(RegionData::default());
        region
    }

    /// Creates a block without arguments that is in no region yet.
    pub fn create_block(&mut self) -> Block {
        let block = Block::from_index(self.blocks.len()).of(self.owner);
        self.blocks.push(BlockData {
            region: None,
            previous: None,
            next: None,
            first: None,
            last: None,
            arguments: List::default(),
            was_successor: false,
            is_erased: false,
        });
        block
    }

    /// Creates a block at the end of `region`.
    #[track_caller]
    pub fn append_block(&mut self, region: Region) -> Block {
        let block = self.create_block();
        self.insert_block_at_end(region, block);
        block
    }

    /// Adds an argument to a block. Takes O(1) for the block to which arguments were last added,
    /// otherwise linear time in the number of its arguments.
    #[track_caller]
    pub fn add_argument(&mut self, block: Block, ty: Type, location: Location) -> Value {
        self.expect_block(block);
        let mut arguments = self.blocks[block.index()].arguments;
        if arguments.range().end != self.lists.len() {
            let start = self.lists.len() as u32;
            self.lists.extend_from_within(arguments.range());
            arguments.start = start;
        }
        let value = Value::from_index(self.values.len()).of(self.owner);
        let number = (arguments.len / 2) | ARGUMENT;
        self.values.push(ValueData {
            ty,
            owner: block.index() as u32,
            number,
            first_use: None,
        });
        self.lists.extend([value.index() as u32, location.bits()]);
        arguments.len += 2;
        self.blocks[block.index()].arguments = arguments;
        value
    }

    /// Creates a placeholder for a value that is not defined yet; parsers and readers need these
    /// for forward references. A complete module does not use placeholders; see
    /// [`replace_all_uses`](Self::replace_all_uses).
    pub fn create_placeholder(&mut self, ty: Type) -> Value {
        let value = Value::from_index(self.values.len()).of(self.owner);
        self.values.push(ValueData {
            ty,
            owner: 0,
            number: PLACEHOLDER,
            first_use: None,
        });
        value
    }

    // Data by handle. In debug builds a handle of another module panics.

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn op(&self, operation: Operation) -> &OperationData {
        &self.ops[operation.index_in(self.owner)]
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn block_data(&self, block: Block) -> &BlockData {
        &self.blocks[block.index_in(self.owner)]
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn region_data(&self, region: Region) -> &RegionData {
        &self.regions[region.index_in(self.owner)]
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn value_data(&self, value: Value) -> &ValueData {
        &self.values[value.index_in(self.owner)]
    }
}
