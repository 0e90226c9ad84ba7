//! [`Op`]: an operation together with the module and context that it belongs to.

use crate::definition::{OperationDefinition, OperationTraits};
use crate::{
    Attribute, AttributeKind, Block, Context, Entry, EntryParameters, Location, Module,
    NamedAttribute, Operation, OperationView, Parameter, ParametersError, Region, Type, Value,
    ValueDefinition, Visibility, WalkStep,
};
use std::borrow::Cow;
use std::fmt;

/// A read-only view of an operation: the handle with the module and context that own it.
///
/// The view is `Copy`, and as large as two references and a handle. All methods take time in the
/// number of parts they return, unless documented otherwise. [`id`](Self::id) returns the 4-byte
/// handle, which has no lifetime: keep handles, not views, while the module is edited.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module, Op};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let i32 = builder.context.i32_type();
/// let x = builder.op("test.source").result(i32).build_value()?;
/// let user = builder.op("test.sink").operand(x).build()?;
///
/// let op = Op::from((&context, &module, user));
/// assert!(op.is("test.sink"));
/// assert_eq!(op.operands().collect::<Vec<_>>(), [x]);
/// assert_eq!(op.defining_op(x).unwrap().name(), "test.source");
/// assert_eq!(op.parent().unwrap().name(), "builtin.module");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Op<'a> {
    /// Owns the types and attributes.
    pub context: &'a Context,
    /// Owns the operation.
    pub module: &'a Module,
    /// The operation.
    pub operation: Operation,
}

impl fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Op").field(&self.operation).finish()
    }
}

impl<'a> From<(&'a Context, &'a Module, Operation)> for Op<'a> {
    fn from((context, module, operation): (&'a Context, &'a Module, Operation)) -> Self {
        Op {
            context,
            module,
            operation,
        }
    }
}

/// The top-level operation.
impl<'a> From<(&'a Context, &'a Module)> for Op<'a> {
    fn from((context, module): (&'a Context, &'a Module)) -> Self {
        Op {
            context,
            module,
            operation: module.top(),
        }
    }
}

/// The attributes that hold the value of an operation with the trait `ConstantLike`.
const CONSTANT_ATTRIBUTES: [&str; 2] = ["value", "values"];

impl<'a> Op<'a> {
    /// Returns the handle.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.id(), sum);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn id(self) -> Operation {
        self.operation
    }

    /// Returns the view of another operation of the same module.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.with_id(sum), add);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_id(self, operation: Operation) -> Self {
        Op { operation, ..self }
    }

    /// Returns the full name, such as `arith.addi`. Bytes that are not UTF-8 are replaced.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.name(), "toy.add");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getName")]
    pub fn name(self) -> Cow<'a, str> {
        let name = self.module.name(self.operation);
        self.context
            .str(self.context.operation_name_identifier(name))
    }

    /// Returns whether the full name is `name`. No string is built.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.is("toy.add") && !add.is("toy.sub"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "isa")]
    pub fn is(self, name: &str) -> bool {
        let own = self.module.name(self.operation);
        self.context.operation_name_bytes(own) == name.as_bytes()
    }

    /// Returns the namespace of the dialect, such as `arith`; empty for a name without a dot.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.dialect(), "toy");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getDialect")]
    pub fn dialect(self) -> Cow<'a, str> {
        let name = self.module.name(self.operation);
        self.context.str(self.context.operation_dialect(name))
    }

    /// Returns the definition of the operation, if the context knows one.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.definition().unwrap().mnemonic, "add");
    /// assert!(add.defining_op(x).unwrap().definition().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn definition(self) -> Option<&'a OperationDefinition> {
        let name = self.module.name(self.operation);
        self.context.operation_definition(name).map(AsRef::as_ref)
    }

    /// Returns whether the operation has the trait or interface of that name, which is MLIR's:
    /// `Pure`, `IsTerminator`, `MemoryEffectOpInterface`. False if no
    /// [definition](Self::definition) is known. Linear in the traits;
    /// [`has_traits`](Self::has_traits) takes constant time.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.has_trait("Pure") && add.has_trait("NoMemoryEffect"));
    /// assert!(!add.has_trait("IsTerminator"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "hasTrait")]
    pub fn has_trait(self, name: &str) -> bool {
        let release = self.context.release();
        let definition = self.definition();
        definition.is_some_and(|definition| definition.has_trait_named(name, release))
    }

    /// Returns whether the operation has the interface of that name. See
    /// [`has_trait`](Self::has_trait).
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.has_interface("MemoryEffectOpInterface")); // `Pure` implies it.
    /// assert!(!add.has_interface("Pure"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getInterface")]
    pub fn has_interface(self, name: &str) -> bool {
        let release = self.context.release();
        let definition = self.definition();
        definition.is_some_and(|definition| definition.has_interface(name, release))
    }

    /// Returns whether the operation has all of `traits`; false if no definition is known. O(1).
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// use rmlir_ir::OperationTraits;
    ///
    /// assert!(add.has_traits(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_traits(self, traits: OperationTraits) -> bool {
        let name = self.module.name(self.operation);
        let known = self.context.operation_traits(name);
        known.is_some_and(|known| known.contains(traits))
    }

    /// Returns whether the operation is known to have no memory effects: it has the trait
    /// `NoMemoryEffect`, or it has `HasRecursiveMemoryEffects` and all operations nested in it are
    /// known to have none. Effects that only C++ code declares are not known, so such an operation
    /// counts as having some. Linear in the number of nested operations.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.is_memory_effect_free());
    /// assert!(!outer.is_memory_effect_free()); // It has neither trait.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "isMemoryEffectFree")]
    pub fn is_memory_effect_free(self) -> bool {
        self.is_recursively("NoMemoryEffect", "HasRecursiveMemoryEffects")
    }

    /// Returns whether the operation is known to be pure: without memory effects, and without
    /// undefined behaviour when it is executed speculatively. See
    /// [`is_memory_effect_free`](Self::is_memory_effect_free).
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.is_pure());
    /// assert!(!add.defining_op(x).unwrap().is_pure()); // Nothing is known of it.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "isPure")]
    pub fn is_pure(self) -> bool {
        self.is_memory_effect_free()
            && self.is_recursively("AlwaysSpeculatable", "RecursivelySpeculatable")
    }

    /// Returns whether the operation can be erased without consequences: its results are unused, it
    /// is not a terminator or symbol, and it is known to have no
    /// [memory effects](Self::is_memory_effect_free). Linear in the number of nested operations.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.is_trivially_dead());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "isOpTriviallyDead")]
    pub fn is_trivially_dead(self) -> bool {
        let mut results = self.results();
        results.all(|result| self.module.uses(result).next().is_none())
            && !self.has_traits(OperationTraits::TERMINATOR)
            && !self.has_traits(OperationTraits::SYMBOL)
            && self.is_memory_effect_free()
    }

    /// Returns whether the operation has the first trait, or the second one and so do the
    /// operations nested in it.
    fn is_recursively(self, of_its_own: &str, of_the_nested: &str) -> bool {
        let mut steps = self.module.traverse(self.operation);
        while let Some(step) = steps.next() {
            if let WalkStep::EnterOperation(operation) = step {
                let op = self.with_id(operation);
                // MLIR looks into the regions whenever the second trait is there.
                if !op.has_trait(of_the_nested) {
                    if !op.has_trait(of_its_own) {
                        return false;
                    }
                    steps.skip_content();
                }
            }
        }
        true
    }

    /// Returns the operands in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.operands().collect::<Vec<_>>(), [x, x]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getOperands")]
    pub fn operands(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<'a> {
        self.module.operands(self.operation)
    }

    /// Returns operand `number`, counted from 0.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!((add.operand(0), add.operand(2)), (Some(x), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getOperand")]
    pub fn operand(self, number: usize) -> Option<Value> {
        self.module.operand(self.operation, number)
    }

    /// Returns the results in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.results().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getResults")]
    pub fn results(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        self.module.results(self.operation)
    }

    /// Returns result `number`, counted from 0.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.result(0).is_some() && add.result(1).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getResult")]
    pub fn result(self, number: usize) -> Option<Value> {
        self.module.result(self.operation, number)
    }

    /// Returns the types of the operands in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.operand_types().collect::<Vec<_>>(), [i32, i32]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getOperandTypes")]
    pub fn operand_types(self) -> impl ExactSizeIterator<Item = Type> + use<'a> {
        self.operands()
            .map(move |value| self.module.value_type(value))
    }

    /// Returns the types of the results in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.result_types().collect::<Vec<_>>(), [i32]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getResultTypes")]
    pub fn result_types(self) -> impl ExactSizeIterator<Item = Type> + use<'a> {
        self.results()
            .map(move |value| self.module.value_type(value))
    }

    /// Returns the successors in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.successors().len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getSuccessors")]
    pub fn successors(self) -> impl ExactSizeIterator<Item = Block> + use<'a> {
        self.module.successors(self.operation)
    }

    /// Returns the regions in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.regions().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getRegions")]
    pub fn regions(self) -> impl ExactSizeIterator<Item = Region> + use<'a> {
        self.module.regions(self.operation)
    }

    /// Returns the blocks of all regions in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.blocks().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(self) -> impl Iterator<Item = Block> + use<'a> {
        self.regions()
            .flat_map(move |region| self.module.blocks(region))
    }

    /// Returns the first block of the first region, such as the entry block of a function.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.entry_block(), outer.blocks().next());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entry_block(self) -> Option<Block> {
        let region = self.regions().next()?;
        self.module.first_block(region)
    }

    /// Returns the arguments of the first block of the first region, such as those of a function.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.body_arguments().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getArguments")]
    pub fn body_arguments(self) -> impl Iterator<Item = Value> + use<'a> {
        self.entry_block()
            .into_iter()
            .flat_map(move |block| self.module.arguments(block))
            .map(|(value, _)| value)
    }

    /// Returns the operations directly inside the regions, in order.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// let names: Vec<_> = outer.children().map(|op| op.name()).collect();
    /// assert_eq!(names, ["toy.add"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn children(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.blocks()
            .flat_map(move |block| self.module.operations(block))
            .map(move |operation| self.with_id(operation))
    }

    /// Returns this operation and all operations nested in it, each before what it contains.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.descendants().count(), 2); // Itself and `toy.add`.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "walk")]
    pub fn descendants(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.module
            .descendants(self.operation)
            .map(move |operation| self.with_id(operation))
    }

    /// Returns the attribute `name`: the inherent one if there is one, otherwise the discardable
    /// one.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// let note = add.attr("test.note").unwrap();
    /// assert_eq!(context.string_value(note), Some(&b"n"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getAttr")]
    #[doc(alias = "property")]
    pub fn attr(self, name: &str) -> Option<Attribute> {
        self.module.attribute(self.context, self.operation, name)
    }

    /// Returns all attributes, inherent and discardable, sorted by name.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.attrs().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getAttrs")]
    pub fn attrs(self) -> Cow<'a, [NamedAttribute]> {
        self.module.all_attributes(self.context, self.operation)
    }

    /// Returns the parameters of an attribute or type of a dialect; see [`Context::parameters`].
    ///
    /// # Errors
    ///
    /// If nothing is known of the parameters, or the body does not match its definition.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// // The type is builtin.
    /// assert_eq!(add.parameters(i32).err(), Some(rmlir_ir::ParametersError::Builtin));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameters(
        self,
        entry: impl Into<Entry>,
    ) -> Result<EntryParameters<'a>, ParametersError> {
        self.context.parameters(entry)
    }

    /// Returns a parameter of an attribute or type of a dialect; see [`Context::parameter`].
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.parameter(i32, "width").is_none()); // The type is builtin.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parameter(self, entry: impl Into<Entry>, name: &str) -> Option<Parameter<'a>> {
        self.context.parameter(entry, name)
    }

    /// Returns the operands of the group `name` of the definition, such as the `indices` of
    /// `memref.load`; `None` if the operation has no definition or the definition no such group.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.operand_group("bounds").unwrap().len(), 1);
    /// assert!(outer.operand_group("steps").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn operand_group(
        self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        OperationView::new(self)?.operands(name)
    }

    /// Returns the operand that the definition calls `name`, such as the `lhs` of `arith.addi`;
    /// `None` as well for a group of zero or several operands.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.named_operand("lhs"), Some(x));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named_operand(self, name: &str) -> Option<Value> {
        OperationView::new(self)?.operand(name)
    }

    /// Returns the results of the group `name` of the definition.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.result_group("result").unwrap().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn result_group(
        self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        OperationView::new(self)?.results(name)
    }

    /// Returns the result that the definition calls `name`.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.named_result("result"), add.result(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named_result(self, name: &str) -> Option<Value> {
        OperationView::new(self)?.result(name)
    }

    /// Returns the region that the definition calls `name`, such as the `thenRegion` of `scf.if`.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.named_region("body"), outer.regions().next());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named_region(self, name: &str) -> Option<Region> {
        OperationView::new(self)?.region(name)
    }

    /// Returns the successor that the definition calls `name`, such as the `trueDest` of
    /// `cf.cond_br`.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.named_successor("trueDest").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named_successor(self, name: &str) -> Option<Block> {
        OperationView::new(self)?.successor(name)
    }

    /// Returns the symbol name, without `@`. Bytes that are not UTF-8 are replaced.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.symbol_name().is_none()); // There is no `sym_name`.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn symbol_name(self) -> Option<Cow<'a, str>> {
        let name = self.module.symbol_name(self.context, self.operation)?;
        Some(self.context.str(name))
    }

    /// Returns the symbol visibility; public if there is no `sym_visibility`.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.visibility(), rmlir_ir::Visibility::Public);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visibility(self) -> Visibility {
        self.module.symbol_visibility(self.context, self.operation)
    }

    /// Returns the location.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.location(), context.unknown_location());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getLoc")]
    pub fn location(self) -> Location {
        self.module.location(self.operation)
    }

    /// Returns the operation whose region contains this one.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(outer.children().next().unwrap().parent(), Some(outer));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getParentOp")]
    pub fn parent(self) -> Option<Op<'a>> {
        let parent = self.module.parent_operation(self.operation)?;
        Some(self.with_id(parent))
    }

    /// Returns the operations around this one, innermost first.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// let inner = outer.children().next().unwrap();
    /// let names: Vec<_> = inner.ancestors().map(|op| op.name()).collect();
    /// assert_eq!(names, ["toy.loop", "builtin.module"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ancestors(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        std::iter::successors(self.parent(), |op| op.parent())
    }

    /// Returns the block that contains this operation.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.block(), module.body());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getBlock")]
    pub fn block(self) -> Option<Block> {
        self.module.parent_block(self.operation)
    }

    /// Returns the operations that use a result of this one, once for each use, the most recently
    /// added use of each result first.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// let source = add.defining_op(x).unwrap();
    /// assert_eq!(source.users().count(), 4); // Two are operands of `add`.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getUsers")]
    pub fn users(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.results()
            .flat_map(move |result| self.module.uses(result))
            .map(move |operand| self.with_id(self.module.user(operand).0))
    }

    /// Returns the operation of the same module that defines `value`; `None` for a block argument.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(add.defining_op(x).unwrap().name(), "test.source");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getDefiningOp")]
    pub fn defining_op(self, value: Value) -> Option<Op<'a>> {
        match self.module.definition(value) {
            ValueDefinition::Result(operation, _) => Some(self.with_id(operation)),
            _ => None,
        }
    }

    /// Returns the attribute that a `ConstantLike` operation stores: `value` or `values`.
    /// `None` for other operations.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(add.constant_value().is_none()); // It is not a constant.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "m_Constant")]
    pub fn constant_value(self) -> Option<Attribute> {
        if !self.has_traits(OperationTraits::CONSTANT_LIKE) {
            return None;
        }
        CONSTANT_ATTRIBUTES.iter().find_map(|name| self.attr(name))
    }
}

/// Two views are equal if they show the same operation of the same module. To compare content, see
/// [`semantic_eq`](crate::semantic_eq).
impl PartialEq for Op<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.module, other.module) && self.operation == other.operation
    }
}

impl Eq for Op<'_> {}

impl Module {
    /// Returns the operation that defines `value`; `None` for a block argument or a placeholder.
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert_eq!(module.defining_op(add.result(0).unwrap()), Some(sum));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "getDefiningOp")]
    pub fn defining_op(&self, value: Value) -> Option<Operation> {
        match self.definition(value) {
            ValueDefinition::Result(operation, _) => Some(operation),
            _ => None,
        }
    }

    /// Returns the attribute stored by the constant operation that defines `value`; see
    /// [`Op::constant_value`].
    ///
    /// ```
    #[doc = include_str!("op_example.txt")]
    /// assert!(module.constant_value(&context, x).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "matchPattern")]
    pub fn constant_value(&self, context: &Context, value: Value) -> Option<Attribute> {
        let operation = self.defining_op(value)?;
        Op::from((context, self, operation)).constant_value()
    }
}

impl Context {
    /// Returns the value of an integer, index or boolean attribute, sign-extended unless its type
    /// is unsigned; `None` if the attribute is of another kind or the value does not fit.
    ///
    /// A boolean is 0 or 1.
    ///
    /// ```
    /// let mut context = rmlir_ir::Context::new();
    /// let i8 = context.integer_type(8);
    /// let minus_one = context.integer_attribute(i8, -1)?;
    /// assert_eq!(context.integer_value(minus_one), Some(-1));
    /// assert_eq!(context.integer_value(context.bool_attribute(true)), Some(1));
    /// assert_eq!(context.integer_value(context.unit_attribute()), None);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    #[doc(alias = "getInt")]
    pub fn integer_value(&self, attribute: Attribute) -> Option<i64> {
        let AttributeKind::Integer { ty, value } = self.attribute_kind(attribute) else {
            return None;
        };
        if *ty == self.i1_type() {
            return Some(i64::from(!value.is_zero()));
        }
        match self.type_kind(*ty) {
            crate::TypeKind::Integer {
                signedness: crate::Signedness::Unsigned,
                ..
            } => value.to_u64().and_then(|value| i64::try_from(value).ok()),
            _ => value.to_i64(),
        }
    }
}
