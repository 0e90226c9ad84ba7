//! [`Op`]: an operation together with the module and context that it belongs to.

use crate::definition::{OperationDefinition, OperationTraits};
use crate::{
    Attribute, AttributeKind, Block, Context, Location, Module, NamedAttribute, Operation,
    OperationView, Region, Type, Value, ValueDefinition, Visibility,
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
    pub fn id(self) -> Operation {
        self.operation
    }

    /// Returns the view of another operation of the same module.
    pub fn with_id(self, operation: Operation) -> Self {
        Op { operation, ..self }
    }

    /// Returns the full name, such as `arith.addi`. Bytes that are not UTF-8 are replaced.
    #[doc(alias = "getName")]
    pub fn name(self) -> Cow<'a, str> {
        let name = self.module.name(self.operation);
        self.context
            .str(self.context.operation_name_identifier(name))
    }

    /// Returns whether the full name is `name`. No string is built.
    #[doc(alias = "isa")]
    pub fn is(self, name: &str) -> bool {
        let own = self.module.name(self.operation);
        self.context.operation_name_bytes(own) == name.as_bytes()
    }

    /// Returns the namespace of the dialect, such as `arith`; empty for a name without a dot.
    #[doc(alias = "getDialect")]
    pub fn dialect(self) -> Cow<'a, str> {
        let name = self.module.name(self.operation);
        self.context.str(self.context.operation_dialect(name))
    }

    /// Returns the definition of the operation, if the context knows one.
    pub fn definition(self) -> Option<&'a OperationDefinition> {
        let name = self.module.name(self.operation);
        self.context.operation_definition(name).map(AsRef::as_ref)
    }

    /// Returns whether the operation has all of `traits`; false if it is not registered.
    #[doc(alias = "hasTrait")]
    pub fn has_trait(self, traits: OperationTraits) -> bool {
        let name = self.module.name(self.operation);
        let known = self.context.operation_traits(name);
        known.is_some_and(|known| known.contains(traits))
    }

    /// Returns the operands in order.
    #[doc(alias = "getOperands")]
    pub fn operands(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<'a> {
        self.module.operands(self.operation)
    }

    /// Returns operand `number`, counted from 0.
    #[doc(alias = "getOperand")]
    pub fn operand(self, number: usize) -> Option<Value> {
        self.module.operand(self.operation, number)
    }

    /// Returns the results in order.
    #[doc(alias = "getResults")]
    pub fn results(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        self.module.results(self.operation)
    }

    /// Returns result `number`, counted from 0.
    #[doc(alias = "getResult")]
    pub fn result(self, number: usize) -> Option<Value> {
        self.module.result(self.operation, number)
    }

    /// Returns the types of the operands in order.
    #[doc(alias = "getOperandTypes")]
    pub fn operand_types(self) -> impl ExactSizeIterator<Item = Type> + use<'a> {
        self.operands()
            .map(move |value| self.module.value_type(value))
    }

    /// Returns the types of the results in order.
    #[doc(alias = "getResultTypes")]
    pub fn result_types(self) -> impl ExactSizeIterator<Item = Type> + use<'a> {
        self.results()
            .map(move |value| self.module.value_type(value))
    }

    /// Returns the successors in order.
    #[doc(alias = "getSuccessors")]
    pub fn successors(self) -> impl ExactSizeIterator<Item = Block> + use<'a> {
        self.module.successors(self.operation)
    }

    /// Returns the regions in order.
    #[doc(alias = "getRegions")]
    pub fn regions(self) -> impl ExactSizeIterator<Item = Region> + use<'a> {
        self.module.regions(self.operation)
    }

    /// Returns the blocks of all regions in order.
    pub fn blocks(self) -> impl Iterator<Item = Block> + use<'a> {
        self.regions()
            .flat_map(move |region| self.module.blocks(region))
    }

    /// Returns the first block of the first region, such as the entry block of a function.
    pub fn entry_block(self) -> Option<Block> {
        let region = self.regions().next()?;
        self.module.first_block(region)
    }

    /// Returns the arguments of the first block of the first region, such as those of a function.
    #[doc(alias = "getArguments")]
    pub fn body_arguments(self) -> impl Iterator<Item = Value> + use<'a> {
        self.entry_block()
            .into_iter()
            .flat_map(move |block| self.module.arguments(block))
            .map(|(value, _)| value)
    }

    /// Returns the operations directly inside the regions, in order.
    pub fn children(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.blocks()
            .flat_map(move |block| self.module.operations(block))
            .map(move |operation| self.with_id(operation))
    }

    /// Returns this operation and all operations nested in it, in preorder.
    #[doc(alias = "walk")]
    pub fn descendants(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.module
            .descendants(self.operation)
            .map(move |operation| self.with_id(operation))
    }

    /// Returns the attribute `name`: the inherent one if there is one, otherwise the discardable
    /// one.
    #[doc(alias = "getAttr")]
    #[doc(alias = "property")]
    pub fn attr(self, name: &str) -> Option<Attribute> {
        self.module.attribute(self.context, self.operation, name)
    }

    /// Returns all attributes, inherent and discardable, sorted by name.
    #[doc(alias = "getAttrs")]
    pub fn attrs(self) -> Cow<'a, [NamedAttribute]> {
        self.module.all_attributes(self.context, self.operation)
    }

    /// Returns the operands of the group `name` of the definition, such as the `indices` of
    /// `memref.load`; `None` if the operation has no definition or the definition no such group.
    pub fn operand_group(
        self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        OperationView::new(self)?.operands(name)
    }

    /// Returns the operand that the definition calls `name`, such as the `lhs` of `arith.addi`;
    /// `None` as well for a group of zero or several operands.
    pub fn named_operand(self, name: &str) -> Option<Value> {
        OperationView::new(self)?.operand(name)
    }

    /// Returns the results of the group `name` of the definition.
    pub fn result_group(
        self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = Value> + use<'a>> {
        OperationView::new(self)?.results(name)
    }

    /// Returns the result that the definition calls `name`.
    pub fn named_result(self, name: &str) -> Option<Value> {
        OperationView::new(self)?.result(name)
    }

    /// Returns the region that the definition calls `name`, such as the `thenRegion` of `scf.if`.
    pub fn named_region(self, name: &str) -> Option<Region> {
        OperationView::new(self)?.region(name)
    }

    /// Returns the successor that the definition calls `name`, such as the `trueDest` of
    /// `cf.cond_br`.
    pub fn named_successor(self, name: &str) -> Option<Block> {
        OperationView::new(self)?.successor(name)
    }

    /// Returns the symbol name, without `@`. Bytes that are not UTF-8 are replaced.
    pub fn symbol_name(self) -> Option<Cow<'a, str>> {
        let name = self.module.symbol_name(self.context, self.operation)?;
        Some(self.context.str(name))
    }

    /// Returns the symbol visibility; public if there is no `sym_visibility`.
    pub fn visibility(self) -> Visibility {
        self.module.symbol_visibility(self.context, self.operation)
    }

    /// Returns the location.
    #[doc(alias = "getLoc")]
    pub fn location(self) -> Location {
        self.module.location(self.operation)
    }

    /// Returns the operation whose region contains this one.
    #[doc(alias = "getParentOp")]
    pub fn parent(self) -> Option<Op<'a>> {
        let parent = self.module.parent_operation(self.operation)?;
        Some(self.with_id(parent))
    }

    /// Returns the operations around this one, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        std::iter::successors(self.parent(), |op| op.parent())
    }

    /// Returns the block that contains this operation.
    #[doc(alias = "getBlock")]
    pub fn block(self) -> Option<Block> {
        self.module.parent_block(self.operation)
    }

    /// Returns the operations that use a result of this one, once for each use, the most recently
    /// added use of each result first.
    #[doc(alias = "getUsers")]
    pub fn users(self) -> impl Iterator<Item = Op<'a>> + use<'a> {
        self.results()
            .flat_map(move |result| self.module.uses(result))
            .map(move |operand| self.with_id(self.module.user(operand).0))
    }

    /// Returns the operation of the same module that defines `value`; `None` for a block argument.
    #[doc(alias = "getDefiningOp")]
    pub fn defining_op(self, value: Value) -> Option<Op<'a>> {
        match self.module.definition(value) {
            ValueDefinition::Result(operation, _) => Some(self.with_id(operation)),
            _ => None,
        }
    }

    /// Returns the attribute that a `ConstantLike` operation stores: `value` or `values`.
    /// `None` for other operations.
    #[doc(alias = "m_Constant")]
    pub fn constant_value(self) -> Option<Attribute> {
        if !self.has_trait(OperationTraits::CONSTANT_LIKE) {
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
    #[doc(alias = "getDefiningOp")]
    pub fn defining_op(&self, value: Value) -> Option<Operation> {
        match self.definition(value) {
            ValueDefinition::Result(operation, _) => Some(operation),
            _ => None,
        }
    }

    /// Returns the attribute stored by the constant operation that defines `value`; see
    /// [`Op::constant_value`].
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
