//! Builds IR: creates operations at an insertion point.

mod groups;
mod results;
mod values;

use crate::definition::SEGMENT_SIZES;
use crate::error::Invalid;
use crate::normalize::GivenAttributes;
use crate::{
    Attribute, Block, Context, Location, Mapping, Module, NamedAttribute, Operation, OperationName,
    OperationState, Region, Type, Value,
};
use groups::{Members, Side};
use results::Sources;
use std::sync::Arc;
pub use values::AttributeValue;
pub(crate) use values::given;

/// A position in the IR at which a [`Builder`] inserts operations: before an operation of a block,
/// or at the end of the block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InsertionPoint {
    block: Block,
    before: Option<Operation>,
}

impl InsertionPoint {
    /// Returns the end of a block.
    pub fn at_end(block: Block) -> Self {
        InsertionPoint {
            block,
            before: None,
        }
    }

    /// Returns the start of a block, before its present first operation. Operations inserted there
    /// are in the order in which they are built.
    pub fn at_start(module: &Module, block: Block) -> Self {
        InsertionPoint {
            block,
            before: module.first_operation(block),
        }
    }

    /// Returns the position before an operation.
    ///
    /// # Errors
    ///
    /// If the operation is in no block.
    pub fn before(module: &Module, operation: Operation) -> Result<Self, Invalid> {
        let block = block_of(module, operation)?;
        Ok(InsertionPoint {
            block,
            before: Some(operation),
        })
    }

    /// Returns the position after an operation, before its present successor in the block.
    /// Operations inserted there are in the order in which they are built.
    ///
    /// # Errors
    ///
    /// If the operation is in no block.
    pub fn after(module: &Module, operation: Operation) -> Result<Self, Invalid> {
        let block = block_of(module, operation)?;
        Ok(InsertionPoint {
            block,
            before: module.next_operation(operation),
        })
    }

    /// Returns the block.
    pub fn block(self) -> Block {
        self.block
    }

    /// Returns the operation before which operations are inserted; `None` at the end of the block.
    pub fn next_operation(self) -> Option<Operation> {
        self.before
    }
}

fn block_of(module: &Module, operation: Operation) -> Result<Block, Invalid> {
    module
        .parent_block(operation)
        .ok_or_else(|| Invalid::new("the operation is in no block"))
}

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
    pub fn insertion_point(&self) -> Option<InsertionPoint> {
        self.point
    }

    /// Sets the insertion point; `None` creates operations detached.
    pub fn set_insertion_point(&mut self, point: Option<InsertionPoint>) {
        self.point = point;
    }

    /// Sets the insertion point to the end of a block.
    pub fn set_insertion_point_to_end(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_end(block));
    }

    /// Sets the insertion point to the start of a block; operations are inserted in the order of
    /// building.
    pub fn set_insertion_point_to_start(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_start(self.module, block));
    }

    /// Sets the insertion point before an operation.
    ///
    /// # Errors
    ///
    /// If the operation is in no block. In this case the insertion point is not changed.
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
    pub fn location(&self) -> Location {
        self.location
    }

    /// Sets the location given to new operations and block arguments.
    pub fn set_location(&mut self, location: Location) {
        self.location = location;
    }

    // Operations, regions and blocks.

    /// Starts an operation with a full name such as `arith.addi`, at the builder's location.
    /// Nothing is created until [`build`](OperationBuilder::build).
    pub fn op(&mut self, name: impl AsRef<[u8]>) -> OperationBuilder<'_, 'a> {
        let name = self.context.operation_name(name);
        self.op_named(name)
    }

    /// Like [`op`](Self::op), for an interned name.
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
    pub fn create_region(&mut self) -> Region {
        self.module.create_region()
    }

    /// Creates a block with arguments of these types at the end of a region, and moves the
    /// insertion point to its end. The arguments get the builder's location.
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
    pub fn add_argument(&mut self, block: Block, ty: Type) -> Value {
        self.module.add_argument(block, ty, self.location)
    }

    /// Returns the arguments of a block that has exactly `N`.
    ///
    /// # Errors
    ///
    /// If the block has more or fewer.
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

/// Collects the parts of an operation; see [`Builder::op`].
///
/// Methods that take several parts add to those given before.
#[must_use = "nothing is created before `build`"]
pub struct OperationBuilder<'b, 'a> {
    builder: &'b mut Builder<'a>,
    name: OperationName,
    location: Location,
    operands: Members<Value>,
    results: Members<Type>,
    attributes: GivenAttributes,
    /// The first value that is not an attribute.
    error: Option<Invalid>,
    successors: Vec<Block>,
    regions: Vec<Region>,
}

impl std::fmt::Debug for OperationBuilder<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OperationBuilder")
            .field("name", &self.name)
            .field("operands", &self.operands)
            .field("results", &self.results)
            .finish_non_exhaustive()
    }
}

impl<'a> OperationBuilder<'_, 'a> {
    /// Adds an operand by position; see [`operands`](Self::operands).
    pub fn operand(mut self, value: Value) -> Self {
        self.operands.unnamed.push(value);
        self
    }

    /// Adds operands by position: they fill, in order, the groups that are not given by
    /// [`operand_group`](Self::operand_group).
    ///
    /// If the operation stores segment sizes, [`build`](Self::build) computes them. It returns an
    /// error if several groups can have the operands.
    pub fn operands(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.operands.unnamed.extend(values);
        self
    }

    /// Adds operands to the group that the operation's definition calls `name`, in any order of
    /// groups. [`build`](Self::build) computes the segment sizes if the operation stores them.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, DialectDefinition, Module};
    ///
    /// let mut context = Context::new();
    /// let text = "dialect toy\nop store(value: AnyType, from: variadic Index, to: variadic Index)\n  traits AttrSizedOperandSegments\n";
    /// context.register_dialect(DialectDefinition::parse(text, &())?);
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let index = builder.context.index_type();
    /// let i = builder.op("test.make").result(index).build_value()?;
    /// let store = builder.op("toy.store").operand(i).operand_group("to", [i, i]).operand_group("from", []);
    /// let store = store.build()?;
    ///
    /// let sizes = context.i32_array_attribute([1, 0, 2]);
    /// assert_eq!(module.attribute(&context, store, "operandSegmentSizes"), Some(sizes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operand_group(
        mut self,
        name: impl AsRef<[u8]>,
        values: impl IntoIterator<Item = Value>,
    ) -> Self {
        let name = self.builder.context.identifier(name);
        self.operands.extend_group(name, values.into_iter());
        self
    }

    /// Adds a result of type `ty` by position.
    pub fn result(mut self, ty: Type) -> Self {
        self.results.unnamed.push(ty);
        self
    }

    /// Adds results of these types by position, like [`operands`](Self::operands).
    pub fn results(mut self, types: impl IntoIterator<Item = Type>) -> Self {
        self.results.unnamed.extend(types);
        self
    }

    /// Adds results to the group that the operation's definition calls `name`, like
    /// [`operand_group`](Self::operand_group).
    pub fn result_group(
        mut self,
        name: impl AsRef<[u8]>,
        types: impl IntoIterator<Item = Type>,
    ) -> Self {
        let name = self.builder.context.identifier(name);
        self.results.extend_group(name, types.into_iter());
        self
    }

    /// Adds an attribute: an inherent one if the operation's definition declares the name, else a
    /// discardable one.
    ///
    /// The value is an [`Attribute`], a type, a number or a boolean, or text: the keyword of an
    /// enumeration (`"slt"`), the name of a symbol, a string, or an attribute as MLIR spells it,
    /// whichever the definition declares; see [`AttributeValue`]. Errors are those of
    /// [`build`](Self::build).
    ///
    /// A discardable attribute of a defined operation must have a dialect prefix, as in
    /// `llvm.emit_c_interface`, so that a misspelt name is an error. An operation without a
    /// definition gets discardable attributes of any name.
    pub fn attr(mut self, name: impl AsRef<[u8]>, value: impl Into<AttributeValue>) -> Self {
        let name = name.as_ref();
        match values::given(self.builder.context, self.name, name, value.into()) {
            Ok(value) => {
                let name = self.builder.context.identifier(name);
                self.attributes.unsorted.push((name, value));
            }
            Err(error) => self.error = self.error.or(Some(error)),
        }
        self
    }

    /// Adds a discardable attribute of any name. It becomes an inherent one if the operation's
    /// definition declares the name, as in MLIR's textual form.
    pub fn attribute(mut self, name: impl AsRef<[u8]>, value: Attribute) -> Self {
        let name = self.builder.context.identifier(name);
        self.attributes.attributes.push((name, value));
        self
    }

    /// Adds discardable attributes; see [`attribute`](Self::attribute).
    pub fn attributes(mut self, attributes: impl IntoIterator<Item = NamedAttribute>) -> Self {
        self.attributes.attributes.extend(attributes);
        self
    }

    /// Adds an inherent attribute (`sym_name`, `value`), which is stored in the properties. If the
    /// operation's definition does not declare the name, [`build`](Self::build) returns an error.
    pub fn property(mut self, name: impl AsRef<[u8]>, value: Attribute) -> Self {
        let name = self.builder.context.identifier(name);
        self.attributes.properties.push((name, value));
        self
    }

    /// Adds inherent attributes; see [`property`](Self::property).
    pub fn properties(mut self, attributes: impl IntoIterator<Item = NamedAttribute>) -> Self {
        self.attributes.properties.extend(attributes);
        self
    }

    /// Adds a successor.
    pub fn successor(mut self, block: Block) -> Self {
        self.successors.push(block);
        self
    }

    /// Adds successors.
    pub fn successors(mut self, blocks: impl IntoIterator<Item = Block>) -> Self {
        self.successors.extend(blocks);
        self
    }

    /// Adds a region of one block with arguments of these types. `build` creates the operations in
    /// it; the insertion point of the builder is restored afterwards. Its error is returned by
    /// [`build`](Self::build).
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let mut b = Builder::new(&mut context, &mut module);
    /// let i32 = b.context.i32_type();
    /// let outer = b
    ///     .op("test.outer")
    ///     .body([i32], |b, [x]| b.op("test.inner").operand(x).build())
    ///     .build()?;
    /// assert_eq!(module.descendants(outer).count(), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[doc(alias = "bodyBuilder")]
    pub fn body<const N: usize, T>(
        mut self,
        arguments: [Type; N],
        build: impl FnOnce(&mut Builder<'a>, [Value; N]) -> Result<T, Invalid>,
    ) -> Self {
        let location = self.location;
        let region = self.builder.create_region();
        let built = self.builder.restoring(|builder| {
            builder.set_location(location);
            let block = builder.create_block(region, &arguments);
            let arguments = builder.arguments(block)?;
            build(builder, arguments)
        });
        if let Err(error) = built {
            self.error = self.error.or(Some(error));
        }
        self.region(region)
    }

    /// Adds a region that is not attached to an operation.
    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds regions that are not attached to an operation.
    pub fn regions(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions.extend(regions);
        self
    }

    /// Sets the location; the default is the builder's location.
    pub fn location(mut self, location: Location) -> Self {
        self.location = location;
        self
    }

    /// Creates the operation at the insertion point. Linear in the number of its parts.
    ///
    /// If the operation's definition is known in the context, the operation is normalized as by the
    /// parser and the readers: inherent attributes are stored in the properties, defaults are
    /// added, and segment sizes are computed. Therefore reading the text of a module back yields a
    /// semantically equal module. The verifier checks whether attributes and types satisfy the
    /// definition.
    ///
    /// If no result is given, the operation gets the results that its definition requires, provided
    /// that their types follow from it: from `SameOperandsAndResultType`, `AllTypesMatch`, a
    /// `types` statement, or a constraint that only one type satisfies.
    ///
    /// # Errors
    ///
    /// * The name is empty or contains a null character.
    /// * An attribute is given twice, or [`property`](Self::property) or [`attr`](Self::attr) name
    ///   an attribute that the definition does not declare.
    /// * Text given to [`attr`](Self::attr) is not what the definition declares.
    /// * The members of a group do not fit the definition, or [segment sizes](Self::operands) are
    ///   ambiguous.
    /// * No result is given, and the type of one does not follow from the definition.
    /// * A default of the definition cannot be parsed. The context needs
    ///   `rmlir_text::register`; see [`TextualForm`](crate::TextualForm).
    /// * A region belongs to an operation already or is given twice, or the operation at the
    ///   insertion point was moved or erased.
    ///
    /// Nothing is created then.
    pub fn build(self) -> Result<Operation, Invalid> {
        self.create(false).map(|(operation, _)| operation)
    }

    /// Like [`build`](Self::build), and returns the operation's only result.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build), or if it has not exactly one result; nothing is created then.
    pub fn build_value(self) -> Result<Value, Invalid> {
        match self.create(true)? {
            (_, Some(value)) => Ok(value),
            (_, None) => Err(Invalid::new("the operation has no result")),
        }
    }

    /// Returns the operation and its first result; optionally requires that it is the only one.
    fn create(self, only_one: bool) -> Result<(Operation, Option<Value>), Invalid> {
        let builder = self.builder;
        if let Some(error) = self.error {
            return Err(error);
        }
        OperationName::check(builder.context.operation_name_bytes(self.name))?;
        if self
            .regions
            .iter()
            .any(|&r| builder.module.region_parent(r).is_some())
        {
            return Err(Invalid::new("a region belongs to another operation"));
        }
        let mut regions = self.regions.clone();
        regions.sort_unstable();
        if regions.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(Invalid::new("a region is given twice"));
        }
        builder.check_point()?;
        let (name, mut given) = (self.name, self.attributes);
        let [has_operand_sizes, has_result_sizes] =
            SEGMENT_SIZES.map(|names| given.has(builder.context, names));
        let definition = builder.context.operation_definition(name).map(Arc::clone);
        let definition = definition.as_deref();
        let context = &mut *builder.context;
        let (operands, operand_sizes) =
            self.operands
                .arrange(context, definition, Side::Operands, has_operand_sizes)?;
        let (results, result_sizes) = match definition {
            Some(definition) if self.results.is_empty() && !has_result_sizes => {
                let namespace = context.bytes(context.operation_dialect(name)).to_vec();
                let sources = Sources {
                    definition,
                    namespace: &namespace,
                    module: builder.module,
                    operands: &operands,
                    operand_sizes: operand_sizes.as_deref(),
                    attributes: &given,
                };
                let mut inferred = Members::default();
                inferred.unnamed = sources.results(context)?;
                inferred.arrange(context, Some(definition), Side::Results, false)?
            }
            _ => self
                .results
                .arrange(context, definition, Side::Results, has_result_sizes)?,
        };
        if only_one && results.len() != 1 {
            return Err(Invalid::new(format!(
                "the operation has {} results, not one",
                results.len()
            )));
        }
        for (side, sizes) in [
            (Side::Operands, operand_sizes),
            (Side::Results, result_sizes),
        ] {
            if let Some(sizes) = sizes {
                let value = context.i32_array_attribute(sizes);
                let name = context.identifier(side.segment_sizes());
                given.properties.push((name, value));
            }
        }
        let mut normalizer = std::mem::take(&mut context.normalizer);
        let normal = normalizer.normalize_built(context, name, given);
        context.normalizer = normalizer;
        let (attributes, properties) = normal?;
        let operation = builder.module.create_operation(&OperationState {
            name,
            location: self.location,
            operands: &operands,
            result_types: &results,
            attributes,
            properties,
            successors: &self.successors,
            regions: &self.regions,
        });
        builder.place(operation);
        Ok((operation, builder.module.result(operation, 0)))
    }
}
