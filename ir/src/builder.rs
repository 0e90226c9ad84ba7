//! Builds IR: creates operations at an insertion point.

mod groups;
mod operation;
mod point;
mod results;
mod values;

use crate::error::Invalid;
use crate::normalize::GivenAttributes;
use crate::{
    AttributeKind, Block, Context, Location, Mapping, Module, Operation, OperationName, Region,
    Type, Value,
};
use groups::Members;
pub use operation::OperationBuilder;
pub use point::InsertionPoint;
pub use values::AttributeValue;
pub(crate) use values::given;

/// Creates operations and blocks at an insertion point.
///
/// The insertion point stays after the most recently created operation, so operations are in the
/// order in which they are built. Without an insertion point, operations are created detached.
/// Context and module are public fields that can be used while building.
///
/// Operations whose definition the context knows are normalized: see
/// [`OperationBuilder::build`].
///
/// ```
/// use rmlir_ir::{Builder, Context, Module};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context); // An empty `builtin.module`.
/// let mut builder = Builder::new(&mut context, &mut module); // At the end of its body.
///
/// // func.func @add(%x: i32, %y: i32) -> i32
/// let i32 = builder.context.i32_type();
/// let ty = builder.context.function_type(&[i32, i32], &[i32]);
/// let ty = builder.context.type_attribute(ty);
/// let name = builder.context.string_attribute("add");
/// let body = builder.create_region();
/// let function = builder
///     .op("func.func")
///     .property("sym_name", name)
///     .property("function_type", ty)
///     .region(body)
///     .build()?;
///
/// // Its body. Creating a block moves the insertion point to its end.
/// let outside = builder.insertion_point();
/// let entry = builder.create_block(body, &[i32, i32]);
/// let [x, y] = builder.arguments(entry)?;
/// let sum = builder.op("arith.addi").operands([x, y]).result(i32).build_value()?;
/// builder.op("func.return").operand(sum).build()?;
/// builder.set_insertion_point(outside);
///
/// assert_eq!(module.parent_operation(function), Some(module.top()));
/// assert_eq!(module.operations(entry).count(), 2);
/// assert_eq!(module.value_type(sum), i32);
/// assert_eq!(module.uses(x).count(), 1);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub struct Builder<'a> {
    /// The context that the module belongs to.
    pub context: &'a mut Context,
    /// The module being built.
    pub module: &'a mut Module,
    point: Option<InsertionPoint>,
    location: Location,
}

impl std::fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("point", &self.point)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl<'a> Builder<'a> {
    /// Creates a builder at the end of the module's body (if it has one) and at an unknown
    /// location.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// Builder::new(&mut context, &mut module).op("test.op").build()?;
    /// assert_eq!(module.descendants(module.top()).count(), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn new(context: &'a mut Context, module: &'a mut Module) -> Self {
        Builder {
            point: module.body().map(InsertionPoint::at_end),
            location: context.unknown_location(),
            context,
            module,
        }
    }

    // Insertion points and locations.

    /// Returns the insertion point, which [`set_insertion_point`](Self::set_insertion_point) can
    /// restore; `None` if operations are created detached.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// assert_eq!(b.insertion_point(), Some(InsertionPoint::at_end(body)));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn insertion_point(&self) -> Option<InsertionPoint> {
        self.point
    }

    /// Sets the insertion point; `None` creates operations detached.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// b.set_insertion_point(None);
    /// let detached = b.op("test.op").build()?;
    /// assert_eq!(module.parent_block(detached), None);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_insertion_point(&mut self, point: Option<InsertionPoint>) {
        self.point = point;
    }

    /// Sets the insertion point to the end of a block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let region = b.create_region();
    /// let block = b.add_block(region, &[]);
    /// b.set_insertion_point_to_end(block);
    /// let op = b.op("test.op").build()?;
    /// assert_eq!(module.parent_block(op), Some(block));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_insertion_point_to_end(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_end(block));
    }

    /// Sets the insertion point to the start of a block; operations are inserted in the order of
    /// building.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// let second = b.op("test.second").build()?;
    /// b.set_insertion_point_to_start(body);
    /// let first = b.op("test.first").build()?;
    /// assert_eq!(module.next_operation(first), Some(second));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_insertion_point_to_start(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_start(self.module, block));
    }

    /// Sets the insertion point before an operation.
    ///
    /// # Errors
    ///
    /// If the operation is in no block. In this case the insertion point is not changed.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let second = b.op("test.second").build()?;
    /// b.set_insertion_point_before(second)?;
    /// let first = b.op("test.first").build()?;
    /// assert_eq!(module.next_operation(first), Some(second));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_insertion_point_before(&mut self, operation: Operation) -> Result<(), Invalid> {
        self.point = Some(InsertionPoint::before(self.module, operation)?);
        Ok(())
    }

    /// Sets the insertion point after an operation; operations are inserted in the order of
    /// building.
    ///
    /// # Errors
    ///
    /// If the operation is in no block. In this case the insertion point is not changed.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let first = b.op("test.first").build()?;
    /// let third = b.op("test.third").build()?;
    /// b.set_insertion_point_after(first)?;
    /// let second = b.op("test.second").build()?;
    /// assert_eq!(module.next_operation(second), Some(third));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_insertion_point_after(&mut self, operation: Operation) -> Result<(), Invalid> {
        self.point = Some(InsertionPoint::after(self.module, operation)?);
        Ok(())
    }

    /// Calls `build`, and then restores the insertion point and the location.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let region = builder.create_region();
    /// builder.restoring(|builder| {
    ///     builder.create_block(region, &[]);
    ///     builder.op("test.inner").build()
    /// })?;
    /// let outer = builder.op("test.outer").region(region).build()?;
    /// assert_eq!(module.parent_operation(outer), Some(module.top()));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn restoring<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let (point, location) = (self.point, self.location);
        let result = build(self);
        (self.point, self.location) = (point, location);
        result
    }

    /// Returns the location given to new operations and block arguments.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let location = b.set_file_location("a.py", 3, 1);
    /// assert_eq!(b.location(), location);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn location(&self) -> Location {
        self.location
    }

    /// Sets the location given to new operations and block arguments.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let location = b.context.unknown_location();
    /// b.set_location(location);
    /// let op = b.op("test.op").build()?;
    /// assert_eq!(module.location(op), location);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_location(&mut self, location: Location) {
        self.location = location;
    }

    // Operations, regions and blocks.

    /// Starts an operation with a full name such as `arith.addi`, at the builder's location.
    /// Nothing is created until [`build`](OperationBuilder::build).
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let x = b.op("test.make").result(i32).build_value()?;
    /// let op = b.op("test.use").operands([x, x]).attr("note", "twice").build()?;
    /// assert_eq!(module.operand_count(op), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn op(&mut self, name: impl AsRef<[u8]>) -> OperationBuilder<'_, 'a> {
        let name = self.context.operation_name(name);
        self.op_named(name)
    }

    /// Like [`op`](Self::op), for an interned name.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let name = b.context.operation_name("test.op");
    /// for _ in 0..3 {
    ///     b.op_named(name).build()?;
    /// }
    /// assert_eq!(module.operations(module.body().unwrap()).count(), 3);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn op_named(&mut self, name: OperationName) -> OperationBuilder<'_, 'a> {
        OperationBuilder {
            location: self.location,
            builder: self,
            name,
            operands: Members::default(),
            results: Members::default(),
            attributes: GivenAttributes::default(),
            error: None,
            successors: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Sets the location to `loc("file":line:column)`, and returns it.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// builder.set_file_location("a.toy", 3, 7);
    /// let op = builder.op("test.a").build()?;
    /// let (_, line, column) = context.place_in_file(module.location(op)).unwrap();
    /// assert_eq!((line, column), (3, 7));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn set_file_location(
        &mut self,
        file: impl AsRef<[u8]>,
        line: u32,
        column: u32,
    ) -> Location {
        let file = self.context.identifier(file);
        self.location = self.context.file_location(file, line, column);
        self.location
    }

    /// Creates a region without blocks, to be attached to an operation.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let region = b.create_region();
    /// let op = b.op("test.op").region(region).build()?;
    /// assert_eq!(module.region(op, 0), Some(region));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn create_region(&mut self) -> Region {
        self.module.create_region()
    }

    /// Creates a block with arguments of these types at the end of a region, and moves the
    /// insertion point to its end. The arguments get the builder's location.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let region = b.create_region();
    /// let block = b.create_block(region, &[i32]);
    /// let [x] = b.arguments(block)?;
    /// b.op("test.use").operand(x).build()?; // In the new block.
    /// assert_eq!(module.operations(block).count(), 1);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn create_block(&mut self, region: Region, arguments: &[Type]) -> Block {
        let block = self.add_block(region, arguments);
        self.set_insertion_point_to_end(block);
        block
    }

    /// Creates a block with arguments of these types at the end of a region, and leaves the
    /// insertion point where it is. The arguments get the builder's location.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let region = builder.create_region();
    /// let [yes, no] = [(); 2].map(|()| builder.add_block(region, &[]));
    /// builder.op("test.if").region(region).build()?; // In the body of the module.
    /// assert_eq!(module.blocks(region).collect::<Vec<_>>(), [yes, no]);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn add_block(&mut self, region: Region, arguments: &[Type]) -> Block {
        let block = self.module.append_block(region);
        self.add_arguments(block, arguments);
        block
    }

    /// Creates a block with arguments of these types at the end of the region that has the
    /// insertion point, which stays where it is. The arguments get the builder's location.
    ///
    /// # Errors
    ///
    /// If there is no insertion point, or its block is in no region.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// builder
    ///     .op("test.loop")
    ///     .body([], |b, []| {
    ///         let next = b.append_block(&[])?;
    ///         b.op("test.br").successor(next).build()
    ///     })
    ///     .build()?;
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn append_block(&mut self, arguments: &[Type]) -> Result<Block, Invalid> {
        let region = self
            .point
            .and_then(|point| self.module.block_region(point.block));
        match region {
            Some(region) => Ok(self.add_block(region, arguments)),
            None => Err(Invalid::new("the insertion point is in no region")),
        }
    }

    /// Moves the insertion point to the end of a block, and returns the arguments of the block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let region = b.create_region();
    /// let block = b.add_block(region, &[i32, i32]);
    /// let arguments = b.enter_block(block);
    /// b.op("test.use").operands(arguments).build()?; // In the block.
    /// assert_eq!(module.operations(block).count(), 1);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn enter_block(&mut self, block: Block) -> Vec<Value> {
        self.set_insertion_point_to_end(block);
        self.module
            .arguments(block)
            .map(|(value, _)| value)
            .collect()
    }

    /// Creates the entry block of a function, with an argument for each input of its
    /// `function_type`, and moves the insertion point to its end. Returns the arguments, which get
    /// the location of the function.
    ///
    /// # Errors
    ///
    /// If the operation has no such type, has not one region, or has a body already.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut b = Builder::new(&mut context, &mut module);
    /// let i32 = b.context.i32_type();
    /// let ty = b.context.function_type(&[i32], &[]);
    /// let body = b.create_region();
    /// let function = b.op("func.func").attr("function_type", ty).region(body).build()?;
    /// let arguments = b.add_entry_block(function)?;
    /// b.op("func.return").operands(arguments).build()?;
    /// assert_eq!(module.descendants(function).count(), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[doc(alias = "addEntryBlock")]
    pub fn add_entry_block(&mut self, function: Operation) -> Result<Vec<Value>, Invalid> {
        let regions: Vec<Region> = self.module.regions(function).collect();
        let [body] = regions[..] else {
            return Err(Invalid::new("a function has one region"));
        };
        if self.module.first_block(body).is_some() {
            return Err(Invalid::new("the function has a body"));
        }
        let inputs = self.function_inputs(function);
        let inputs = inputs.ok_or_else(|| {
            Invalid::new("the operation has no 'function_type' with known inputs")
        })?;
        let outer = std::mem::replace(&mut self.location, self.module.location(function));
        let block = self.add_block(body, &inputs);
        self.location = outer;
        Ok(self.enter_block(block))
    }

    /// Returns the types of a function's inputs: of `function_type`, a builtin function type, or a
    /// dialect's type with a parameter `params`, such as LLVM's.
    fn function_inputs(&self, function: Operation) -> Option<Vec<Type>> {
        let ty = self
            .module
            .attribute(self.context, function, "function_type")?;
        let AttributeKind::Type(ty) = *self.context.attribute_kind(ty) else {
            return None;
        };
        if let Some((inputs, _)) = self.context.type_kind(ty).signature() {
            return Some(inputs.to_vec());
        }
        let parameters = self.context.parameter(ty, "params")?;
        parameters.items().map(|input| input.ty()).collect()
    }

    fn add_arguments(&mut self, block: Block, types: &[Type]) {
        for &ty in types {
            self.module.add_argument(block, ty, self.location);
        }
    }

    /// Like [`create_block`](Self::create_block), before another block.
    ///
    /// # Errors
    ///
    /// If that block is in no region.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let region = b.create_region();
    /// let last = b.create_block(region, &[]);
    /// let first = b.create_block_before(last, &[i32])?;
    /// assert_eq!(module.blocks(region).collect::<Vec<_>>(), [first, last]);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn create_block_before(
        &mut self,
        before: Block,
        arguments: &[Type],
    ) -> Result<Block, Invalid> {
        if self.module.block_region(before).is_none() {
            return Err(Invalid::new("the block is in no region"));
        }
        let block = self.module.create_block();
        self.module.insert_block_before(before, block)?;
        self.add_arguments(block, arguments);
        self.set_insertion_point_to_end(block);
        Ok(block)
    }

    /// Adds an argument to a block, at the builder's location.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let region = b.create_region();
    /// let block = b.create_block(region, &[]);
    /// let x = b.add_argument(block, i32);
    /// assert_eq!(b.arguments(block)?, [x]);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn add_argument(&mut self, block: Block, ty: Type) -> Value {
        self.module.add_argument(block, ty, self.location)
    }

    /// Returns the arguments of a block that has exactly `N`.
    ///
    /// # Errors
    ///
    /// If the block has more or fewer.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let region = b.create_region();
    /// let block = b.create_block(region, &[i32, i32]);
    /// let [x, y] = b.arguments(block)?;
    /// b.op("test.add").operands([x, y]).build()?;
    /// assert!(b.arguments::<3>(block).is_err());
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn arguments<const N: usize>(&self, block: Block) -> Result<[Value; N], Invalid> {
        let values: Vec<Value> = self
            .module
            .arguments(block)
            .map(|(value, _)| value)
            .collect();
        values.try_into().map_err(|values: Vec<Value>| {
            Invalid::new(format!("the block has {} arguments, not {N}", values.len()))
        })
    }

    /// Inserts a detached operation at the insertion point; leaves it detached if there is none.
    ///
    /// # Errors
    ///
    /// If the operation is in a block, or the operation before which it should be inserted is no
    /// longer in its block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// b.set_insertion_point(None);
    /// let detached = b.op("test.op").build()?;
    /// let body = b.module.body().unwrap();
    /// b.set_insertion_point_to_end(body);
    /// b.insert(detached)?;
    /// assert_eq!(module.parent_block(detached), Some(body));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn insert(&mut self, operation: Operation) -> Result<(), Invalid> {
        if self.module.parent_block(operation).is_some() {
            return Err(Invalid::new("the operation is in a block already"));
        }
        self.check_point()?;
        self.place(operation);
        Ok(())
    }

    /// Copies an operation with everything nested in it to the insertion point; see
    /// [`Module::clone_operation`].
    ///
    /// # Errors
    ///
    /// If the operation before which the copy should be inserted is no longer in its block.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Mapping, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut b = Builder::new(&mut context, &mut module);
    /// let op = b.op("test.op").attr("note", 1).build()?;
    /// let copy = b.clone_op(op, &mut Mapping::new())?;
    /// assert_eq!(module.attributes(copy), module.attributes(op));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn clone_op(
        &mut self,
        operation: Operation,
        mapping: &mut Mapping,
    ) -> Result<Operation, Invalid> {
        self.check_point()?;
        let copy = self.module.clone_operation(operation, mapping);
        self.place(copy);
        Ok(copy)
    }

    fn check_point(&self) -> Result<(), Invalid> {
        match self.point {
            Some(InsertionPoint {
                block,
                before: Some(before),
            }) if self.module.parent_block(before) != Some(block) => Err(Invalid::new(
                "the operation at the insertion point is in its block no more",
            )),
            _ => Ok(()),
        }
    }

    /// Inserts an operation at a checked insertion point.
    fn place(&mut self, operation: Operation) {
        if let Some(point) = self.point {
            let placed = match point.before {
                Some(before) => self.module.insert_before(before, operation).is_ok(),
                None => false,
            };
            if !placed {
                self.module.append_operation(point.block, operation);
            }
        }
    }
}
