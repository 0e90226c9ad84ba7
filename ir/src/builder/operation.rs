//! Collects the parts of an operation and creates it.

use super::Builder;
use super::groups::{Members, Side};
use super::results::Sources;
use super::values::{self, AttributeValue};
use crate::definition::{GroupKind, SEGMENT_SIZES};
use crate::error::Invalid;
use crate::normalize::GivenAttributes;
use crate::{
    Attribute, Block, Location, NamedAttribute, Operation, OperationName, OperationState, Region,
    Type, Value,
};
use std::sync::Arc;

/// Collects the parts of an operation; see [`Builder::op`](super::Builder::op).
///
/// Methods that take several parts add to those given before.
///
/// ```
/// # use rmlir_ir::{Builder, Context, Module};
/// # let mut context = Context::new();
/// # let mut module = Module::new(&mut context);
/// # let mut b = Builder::new(&mut context, &mut module);
/// let i32 = b.context.i32_type();
/// let x = b.op("toy.constant").attr("value", 1).result(i32).build_value()?;
/// let sum = b.op("toy.add").operand(x).operand(x).result(i32).build()?;
/// assert_eq!(module.operands(sum).collect::<Vec<_>>(), [x, x]);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[must_use = "nothing is created before `build`"]
pub struct OperationBuilder<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    pub(super) name: OperationName,
    pub(super) location: Location,
    pub(super) operands: Members<Value>,
    pub(super) results: Members<Type>,
    pub(super) attributes: GivenAttributes,
    /// The first value that is not an attribute.
    pub(super) error: Option<Invalid>,
    pub(super) successors: Vec<Block>,
    pub(super) regions: Vec<Region>,
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let x = b.op("test.make").result(i32).build_value()?;
    /// let op = b.op("test.use").operand(x).build()?;
    /// assert_eq!(module.operands(op).collect::<Vec<_>>(), [x]);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn operand(mut self, value: Value) -> Self {
        self.operands.unnamed.push(value);
        self
    }

    /// Adds operands by position: they fill, in order, the groups that are not given by
    /// [`operand_group`](Self::operand_group).
    ///
    /// If the operation stores segment sizes, [`build`](Self::build) computes them. It returns an
    /// error if several groups can have the operands.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let x = b.op("test.make").result(i32).build_value()?;
    /// let op = b.op("test.use").operands([x, x, x]).build()?;
    /// assert_eq!(module.operand_count(op), 3);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    /// let text = "dialect toy
    /// op store(value: AnyType, from: variadic Index, to: variadic Index)
    ///   traits AttrSizedOperandSegments
    /// ";
    /// context.register_dialect(DialectDefinition::parse(text, &())?);
    /// let mut module = Module::new(&mut context);
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// let index = builder.context.index_type();
    /// let i = builder.op("test.make").result(index).build_value()?;
    /// let store = builder.op("toy.store").operand(i);
    /// let store = store.operand_group("to", [i, i]).operand_group("from", []).build()?;
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let x = b.op("test.make").result(i32).build_value()?;
    /// assert_eq!(module.value_type(x), i32);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn result(mut self, ty: Type) -> Self {
        self.results.unnamed.push(ty);
        self
    }

    /// Adds results of these types by position, like [`operands`](Self::operands).
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let op = b.op("test.make").results([i32, i32]).build()?;
    /// assert_eq!(module.result_count(op), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn results(mut self, types: impl IntoIterator<Item = Type>) -> Self {
        self.results.unnamed.extend(types);
        self
    }

    /// Adds results to the group that the operation's definition calls `name`, like
    /// [`operand_group`](Self::operand_group).
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// # let text = "dialect toy\nop pair -> (a: AnyType, b: AnyType)\n";
    /// # b.context.register_dialect(rmlir_ir::DialectDefinition::parse(text, &()).unwrap());
    /// // The definition: `op pair -> (a: AnyType, b: AnyType)`
    /// let i64 = b.context.i64_type();
    /// let op = b.op("toy.pair").result_group("b", [i64]).result_group("a", [i32]).build()?;
    /// assert_eq!(module.value_type(module.result(op, 0).unwrap()), i32);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let op = b
    ///     .op("test.op")
    ///     .attr("note", "text")
    ///     .attr("count", 3)
    ///     .attr("width", (8, i32))
    ///     .attr("type", i32)
    ///     .build()?;
    /// let width = module.attribute(&context, op, "width").unwrap();
    /// assert_eq!(context.integer_value(width), Some(8));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let unit = b.context.unit_attribute();
    /// let op = b.op("test.op").attribute("my.flag", unit).build()?;
    /// assert_eq!(module.attribute(&context, op, "my.flag"), Some(unit));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn attribute(mut self, name: impl AsRef<[u8]>, value: Attribute) -> Self {
        let name = self.builder.context.identifier(name);
        self.attributes.attributes.push((name, value));
        self
    }

    /// Adds discardable attributes; see [`attribute`](Self::attribute).
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let unit = b.context.unit_attribute();
    /// let names = ["my.a", "my.b"].map(|name| b.context.identifier(name));
    /// let op = b.op("test.op").attributes(names.map(|name| (name, unit))).build()?;
    /// assert_eq!(module.attribute(&context, op, "my.b"), Some(unit));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn attributes(mut self, attributes: impl IntoIterator<Item = NamedAttribute>) -> Self {
        self.attributes.attributes.extend(attributes);
        self
    }

    /// Adds an inherent attribute (`sym_name`, `value`), which is stored in the properties. If the
    /// operation's definition does not declare the name, [`build`](Self::build) returns an error.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let unit = b.context.unit_attribute();
    /// let op = b.op("test.op").property("flag", unit).build()?;
    /// assert!(module.properties(op).is_some());
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn property(mut self, name: impl AsRef<[u8]>, value: Attribute) -> Self {
        let name = self.builder.context.identifier(name);
        self.attributes.properties.push((name, value));
        self
    }

    /// Adds inherent attributes; see [`property`](Self::property).
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let unit = b.context.unit_attribute();
    /// let name = b.context.identifier("flag");
    /// let op = b.op("test.op").properties([(name, unit)]).build()?;
    /// assert!(module.properties(op).is_some());
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn properties(mut self, attributes: impl IntoIterator<Item = NamedAttribute>) -> Self {
        self.attributes.properties.extend(attributes);
        self
    }

    /// Adds a successor.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let region = b.create_region();
    /// let entry = b.create_block(region, &[]);
    /// let next = b.add_block(region, &[]);
    /// let branch = b.op("test.br").successor(next).build()?;
    /// assert_eq!(module.successors(branch).collect::<Vec<_>>(), [next]);
    /// # let _ = entry;
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn successor(mut self, block: Block) -> Self {
        self.successors.push(block);
        self
    }

    /// Adds successors.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let region = b.create_region();
    /// let entry = b.create_block(region, &[]);
    /// let [yes, no] = [(); 2].map(|()| b.add_block(region, &[]));
    /// let branch = b.op("test.cond_br").successors([yes, no]).build()?;
    /// assert_eq!(module.successors(branch).len(), 2);
    /// # let _ = entry;
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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

    /// Adds a region that is not attached to an operation. If none is added, the operation has the
    /// regions that its definition requires, without blocks.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let region = b.create_region();
    /// b.op("test.op").region(region).build()?;
    /// assert!(b.op("test.op").region(region).build().is_err()); // It belongs to the first.
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds regions that are not attached to an operation.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let regions = [(); 2].map(|()| b.create_region());
    /// let op = b.op("test.if").regions(regions).build()?;
    /// assert_eq!(module.regions(op).len(), 2);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn regions(mut self, regions: impl IntoIterator<Item = Region>) -> Self {
        self.regions.extend(regions);
        self
    }

    /// Sets the location; the default is the builder's location.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let outer = b.set_file_location("a.py", 1, 1);
    /// let unknown = b.context.unknown_location();
    /// let op = b.op("test.op").location(unknown).build()?;
    /// assert_eq!(b.location(), outer);
    /// assert_eq!(module.location(op), unknown);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let op = b.op("test.op").result(i32).build()?;
    /// assert_eq!(module.result_count(op), 1);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn build(self) -> Result<Operation, Invalid> {
        self.create(false).map(|(operation, _)| operation)
    }

    /// Like [`build`](Self::build), and returns the operation's only result.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build), or if it has not exactly one result; nothing is created then.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// # let i32 = b.context.i32_type();
    /// let x = b.op("test.make").result(i32).build_value()?;
    /// assert!(b.op("test.use").operand(x).build_value().is_err()); // It has no result.
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
        let mut regions = self.regions;
        if regions.is_empty()
            && let Some(definition) = definition
        {
            let groups = definition.groups_in(&definition.regions, builder.context.release());
            let single = groups.filter(|group| group.kind == GroupKind::Single);
            regions.extend(single.map(|_| builder.module.create_region()));
        }
        let operation = builder.module.create_operation(&OperationState {
            name,
            location: self.location,
            operands: &operands,
            result_types: &results,
            attributes,
            properties,
            successors: &self.successors,
            regions: &regions,
        });
        builder.place(operation);
        Ok((operation, builder.module.result(operation, 0)))
    }
}
