//! Building IR: operations are created where an insertion point says.

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

/// Where a [`Builder`] puts operations: in a block, before one of its operations or at its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InsertionPoint {
    block: Block,
    before: Option<Operation>,
}

impl InsertionPoint {
    /// The end of a block.
    pub fn at_end(block: Block) -> Self {
        InsertionPoint {
            block,
            before: None,
        }
    }

    /// The start of a block, as it is now: what is inserted comes before its present first
    /// operation, one after the other.
    pub fn at_start(module: &Module, block: Block) -> Self {
        InsertionPoint {
            block,
            before: module.first_operation(block),
        }
    }

    /// Before an operation.
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

    /// Behind an operation, as it is now: what is inserted comes before its present successor, one
    /// after the other.
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

    /// The block.
    pub fn block(self) -> Block {
        self.block
    }

    /// The operation before which operations are inserted; none at the end of the block.
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
/// The insertion point stays after the operation created last, so that operations are in the order in
/// which they are built. Without an insertion point, operations are created detached. Context and
/// module are fields, and can be used while building.
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
    /// The module that is built.
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
    /// A builder at the end of the module's body (if it has one) and at an unknown location.
    pub fn new(context: &'a mut Context, module: &'a mut Module) -> Self {
        Builder {
            point: module.body().map(InsertionPoint::at_end),
            location: context.unknown_location(),
            context,
            module,
        }
    }

    // Where.

    /// Where operations are put, to be given to [`set_insertion_point`](Self::set_insertion_point)
    /// again later; `None` if they are created detached.
    pub fn insertion_point(&self) -> Option<InsertionPoint> {
        self.point
    }

    /// Sets where operations are put.
    pub fn set_insertion_point(&mut self, point: Option<InsertionPoint>) {
        self.point = point;
    }

    /// Puts operations at the end of a block from now on.
    pub fn set_insertion_point_to_end(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_end(block));
    }

    /// Puts operations at the start of a block from now on, one after the other.
    pub fn set_insertion_point_to_start(&mut self, block: Block) {
        self.point = Some(InsertionPoint::at_start(self.module, block));
    }

    /// Puts operations before another from now on.
    ///
    /// # Errors
    ///
    /// If that is in no block; the insertion point is not changed then.
    pub fn set_insertion_point_before(&mut self, operation: Operation) -> Result<(), Invalid> {
        self.point = Some(InsertionPoint::before(self.module, operation)?);
        Ok(())
    }

    /// Puts operations behind another from now on, one after the other.
    ///
    /// # Errors
    ///
    /// If that is in no block; the insertion point is not changed then.
    pub fn set_insertion_point_after(&mut self, operation: Operation) -> Result<(), Invalid> {
        self.point = Some(InsertionPoint::after(self.module, operation)?);
        Ok(())
    }

    /// Calls `build`, and sets insertion point and location back to what they were.
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

    /// The location that operations and block arguments get.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Sets the location that operations and block arguments get from now on.
    pub fn set_location(&mut self, location: Location) {
        self.location = location;
    }

    // What.

    /// Starts an operation of that full name, such as `arith.addi`, at the present location.
    /// Nothing is created before [`build`](OperationBuilder::build).
    pub fn op(&mut self, name: impl AsRef<[u8]>) -> OperationBuilder<'_, 'a> {
        let name = self.context.operation_name(name);
        self.op_named(name)
    }

    /// Like [`op`](Self::op) for a name that was interned before.
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

    /// Creates a region without blocks, to be given to an operation.
    pub fn create_region(&mut self) -> Region {
        self.module.create_region()
    }

    /// Creates a block with arguments of these types at the end of a region, and moves the insertion
    /// point to its end. The arguments get the present location.
    pub fn create_block(&mut self, region: Region, arguments: &[Type]) -> Block {
        let block = self.module.append_block(region);
        self.enter_new_block(block, arguments);
        block
    }

    /// Like [`create_block`](Self::create_block), before another block.
    ///
    /// # Errors
    ///
    /// If that is in no region.
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
        self.enter_new_block(block, arguments);
        Ok(block)
    }

    fn enter_new_block(&mut self, block: Block, arguments: &[Type]) {
        for &ty in arguments {
            self.module.add_argument(block, ty, self.location);
        }
        self.set_insertion_point_to_end(block);
    }

    /// Adds an argument to a block, at the present location.
    pub fn add_argument(&mut self, block: Block, ty: Type) -> Value {
        self.module.add_argument(block, ty, self.location)
    }

    /// The arguments of a block that has exactly `N`.
    ///
    /// # Errors
    ///
    /// If it has more or less.
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

    /// Puts a detached operation where the insertion point is; leaves it detached if there is none.
    ///
    /// # Errors
    ///
    /// If the operation is in a block, or the operation before which it should go is in that block
    /// no more.
    pub fn insert(&mut self, operation: Operation) -> Result<(), Invalid> {
        if self.module.parent_block(operation).is_some() {
            return Err(Invalid::new("the operation is in a block already"));
        }
        self.check_point()?;
        self.place(operation);
        Ok(())
    }

    /// Copies an operation with all that is in it to the insertion point; see
    /// [`Module::clone_operation`].
    ///
    /// # Errors
    ///
    /// If the operation before which it should go is in the block no more.
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

    /// Inserts at an insertion point that was checked.
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
    /// The first value that is no attribute.
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

impl OperationBuilder<'_, '_> {
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
    /// The value is an [`Attribute`], or text: the keyword of an enumeration (`"slt"`), the name of a
    /// symbol, or a string, whichever the definition declares. Errors are those of
    /// [`build`](Self::build).
    ///
    /// A discardable attribute of a defined operation must have a dialect prefix, as in
    /// `llvm.emit_c_interface`, so that a misspelt name is an error. An operation without a definition
    /// gets discardable attributes of any name.
    pub fn attr(mut self, name: impl AsRef<[u8]>, value: impl Into<AttributeValue>) -> Self {
        let name = name.as_ref();
        let value = match value.into() {
            AttributeValue::Attribute(attribute) => Ok(attribute),
            AttributeValue::Text(text) => {
                values::attribute_of(self.builder.context, self.name, name, &text)
            }
        };
        match value {
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

    /// Adds a region that belongs to no operation yet.
    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds regions that belong to no operation yet.
    pub fn regions(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions.extend(regions);
        self
    }

    /// Sets the location; the builder's present one otherwise.
    pub fn location(mut self, location: Location) -> Self {
        self.location = location;
        self
    }

    /// Creates the operation at the insertion point. Takes time in the number of its parts.
    ///
    /// If the operation's definition is known in the context, the operation is normalized as the
    /// parser and the readers do it: inherent attributes are stored in the properties, defaults are
    /// added, and segment sizes are computed. So a module is semantically equal to its own text, read
    /// again. Whether attributes and types satisfy the definition is left to the verifier.
    ///
    /// If no result is given, the operation gets the results that its definition requires, provided
    /// that their types follow from it: from `SameOperandsAndResultType`, `AllTypesMatch`, a `types`
    /// statement, or a constraint that only one type satisfies.
    ///
    /// # Errors
    ///
    /// * The name is empty or has a null character.
    /// * An attribute is given twice, or [`property`](Self::property) or [`attr`](Self::attr) name an
    ///   attribute that the definition does not declare.
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

    /// The operation and its first result, which may have to be the only one.
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
