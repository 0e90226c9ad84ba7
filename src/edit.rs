//! [`Edit`]: the methods that change a module.

use crate::ir::{
    Attribute, AttributeValue, Block, Builder, Context, InsertionPoint, Location, Mapping, Module,
    Op, Operation, Type, Value,
};
use crate::{Error, Result, text};
use std::fmt;

/// An edit of an [`Ir`](crate::Ir): it borrows context and module together.
///
/// Operations, blocks and values are named by their handles, which are `Copy` and borrow nothing:
/// collect them first, then edit. Code may go back and forth between reading, with
/// [`op`](Self::op), and changing. Each change is made at once; nothing is undone when an edit is
/// dropped.
///
/// ```
/// let mut ir = rmlir::parse("
///     func.func @f(%x: i32) -> i32 {
///       %y = arith.addi %x, %x : i32
///       return %y : i32
///     }")?;
/// let adds: Vec<_> = ir.ops().filter(|op| op.is("arith.addi")).map(|op| op.id()).collect();
/// let mut edit = ir.edit();
/// for add in adds {
///     edit.set_name(add, "arith.subi")?;
/// }
/// assert!(ir.to_string().contains("arith.subi %arg0, %arg0 : i32"));
/// # Ok::<(), rmlir::Error>(())
/// ```
#[doc(alias = "RewriterBase")]
#[doc(alias = "PatternRewriter")]
pub struct Edit<'a> {
    /// The types, attributes and strings.
    pub context: &'a mut Context,
    /// The operations, blocks, regions and values.
    pub module: &'a mut Module,
}

impl<'a> Edit<'a> {
    /// Edits a module in its context.
    ///
    /// ```
    /// use rmlir::ir::{Context, Module};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let edit = rmlir::Edit::new(&mut context, &mut module);
    /// assert!(edit.module.body().is_some());
    /// ```
    pub fn new(context: &'a mut Context, module: &'a mut Module) -> Self {
        Edit { context, module }
    }

    /// Returns the view of an operation, as it is now.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let mut edit = ir.edit();
    /// edit.set_name(add, "arith.muli")?;
    /// assert_eq!(edit.op(add).name(), "arith.muli");
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn op(&self, operation: Operation) -> Op<'_> {
        Op::from((&*self.context, &*self.module, operation))
    }

    /// Returns a builder at the end of the body of the top-level operation.
    ///
    /// ```
    /// let mut ir = rmlir::Ir::new();
    /// let mut edit = ir.edit();
    /// let module = edit.builder().op("builtin.module").body([], |_, []| Ok(())).build()?;
    /// assert!(edit.op(module).parent().is_some());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "OpBuilder")]
    pub fn builder(&mut self) -> Builder<'_> {
        Builder::new(self.context, self.module)
    }

    /// Returns a builder that inserts before an operation, at its location.
    ///
    /// # Errors
    ///
    /// If the operation is in no block.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let mut edit = ir.edit();
    /// let zero = edit.before(add)?.op("arith.constant").attr("value", "0 : i32").build_value()?;
    /// edit.module.set_operand(add, 1, zero)?;
    /// assert!(ir.to_string().contains("arith.addi %arg0, %c0_i32"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "setInsertionPoint")]
    pub fn before(&mut self, operation: Operation) -> Result<Builder<'_>> {
        let point = InsertionPoint::before(self.module, operation)?;
        Ok(self.builder_at(point, self.module.location(operation)))
    }

    /// Returns a builder that inserts after an operation, at its location.
    ///
    /// # Errors
    ///
    /// If the operation is in no block.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let mut edit = ir.edit();
    /// let sum = edit.op(add).result(0).unwrap();
    /// edit.after(add)?.op("arith.muli").operands([sum, sum]).build()?;
    /// assert!(ir.to_string().contains("arith.muli %0, %0 : i32"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "setInsertionPointAfter")]
    pub fn after(&mut self, operation: Operation) -> Result<Builder<'_>> {
        let point = InsertionPoint::after(self.module, operation)?;
        Ok(self.builder_at(point, self.module.location(operation)))
    }

    /// Returns a builder that appends to a block.
    ///
    /// ```
    /// let mut ir = rmlir::parse("func.func @f() { ^bb0: return }")?;
    /// let block = ir.symbol("f").unwrap().entry_block().unwrap();
    /// let mut edit = ir.edit();
    /// let last = edit.at_end(block).op("test.last").build()?;
    /// assert_eq!(edit.op(last).block(), Some(block));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "setInsertionPointToEnd")]
    pub fn at_end(&mut self, block: Block) -> Builder<'_> {
        let unknown = self.context.unknown_location();
        self.builder_at(InsertionPoint::at_end(block), unknown)
    }

    fn builder_at(&mut self, point: InsertionPoint, location: Location) -> Builder<'_> {
        let mut builder = Builder::new(self.context, self.module);
        builder.set_insertion_point(Some(point));
        builder.set_location(location);
        builder
    }

    /// Returns the type that a text denotes, such as `tensor<4x?xf32>`.
    ///
    /// # Errors
    ///
    /// If the text is not one type.
    ///
    /// ```
    /// let mut ir = rmlir::Ir::new();
    /// let mut edit = ir.edit();
    /// let tensor = edit.ty("tensor<4x?xf32>")?;
    /// assert_eq!(edit.ty("tensor<4 x ? x f32>")?, tensor);
    /// assert!(edit.ty("tensor<4x?xf32").is_err());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "parseType")]
    pub fn ty(&mut self, text: &str) -> Result<Type> {
        Ok(text::parse_type(self.context, text.as_bytes())?)
    }

    /// Returns the attribute that a text denotes, such as `dense<1.0> : tensor<4xf32>`.
    ///
    /// # Errors
    ///
    /// If the text is not one attribute.
    ///
    /// ```
    /// let mut ir = rmlir::Ir::new();
    /// let mut edit = ir.edit();
    /// let value = edit.attr("[1 : i8, @symbol]")?;
    /// assert_eq!(edit.attr("[1 : i8,@symbol]")?, value);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "parseAttribute")]
    pub fn attr(&mut self, text: &str) -> Result<Attribute> {
        Ok(text::parse_attribute(self.context, text.as_bytes())?)
    }

    /// Changes the name of an operation; see [`Module::set_name`].
    ///
    /// # Errors
    ///
    /// If no operation can have the name.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// ir.edit().set_name(add, "arith.xori")?;
    /// assert!(ir.to_string().contains("arith.xori"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn set_name(&mut self, operation: Operation, name: &str) -> Result<()> {
        Ok(self.module.set_name(self.context, operation, name)?)
    }

    /// Sets an attribute as [`OperationBuilder::attr`](crate::ir::OperationBuilder::attr) does: the
    /// definition of the operation decides whether it is inherent or discardable, and the meaning
    /// of text and numbers. See [`Module::set_attribute`].
    ///
    /// # Errors
    ///
    /// If the operation cannot have the attribute, or the value has no meaning for it.
    ///
    /// ```
    /// let mut ir = rmlir::parse("
    ///     func.func @f(%x: i32) -> i1 {
    ///       %y = arith.cmpi slt, %x, %x : i32
    ///       return %y : i1
    ///     }")?;
    /// let compare = ir.ops().find(|op| op.is("arith.cmpi")).unwrap().id();
    /// let mut edit = ir.edit();
    /// edit.set_attr(compare, "predicate", "sge")?;
    /// edit.set_attr(compare, "my.note", 7)?;
    /// assert!(edit.set_attr(compare, "predicat", "sge").is_err());
    /// assert!(ir.to_string().contains("arith.cmpi sge, %arg0, %arg0 {my.note = 7 : i64} : i32"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "setAttr")]
    pub fn set_attr(
        &mut self,
        operation: Operation,
        name: &str,
        value: impl Into<AttributeValue>,
    ) -> Result<()> {
        Ok(self
            .module
            .set_attribute(self.context, operation, name, value)?)
    }

    /// Removes an attribute, inherent or discardable. Does nothing if there is none.
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    ///
    /// ```
    /// let mut ir = rmlir::parse("module attributes {a.b = 1} {}")?;
    /// let top = ir.op().id();
    /// ir.edit().remove_attr(top, "a.b")?;
    /// assert_eq!(ir.to_string(), "module {\n}\n");
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "removeAttr")]
    pub fn remove_attr(&mut self, operation: Operation, name: &str) -> Result<()> {
        self.module
            .remove_attribute(self.context, operation, name)?;
        Ok(())
    }

    /// Replaces the uses of an operation's results by `values`, and erases it; see
    /// [`Module::replace_operation`].
    ///
    /// # Errors
    ///
    /// If the counts differ, or the operation is still in use.
    ///
    /// ```
    /// let mut ir = rmlir::parse("
    ///     func.func @f(%x: i32) -> i32 {
    ///       %y = arith.addi %x, %x : i32
    ///       return %y : i32
    ///     }")?;
    /// let add = ir.ops().find(|op| op.is("arith.addi")).unwrap();
    /// let (id, operands): (_, Vec<_>) = (add.id(), add.operands().collect());
    /// let mut edit = ir.edit();
    /// let i32 = edit.ty("i32")?;
    /// let product = edit.before(id)?.op("arith.muli").operands(operands).result(i32).build_value()?;
    /// edit.replace_op(id, &[product])?;
    /// assert!(ir.to_string().contains("arith.muli %arg0, %arg0"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "replaceOp")]
    pub fn replace_op(&mut self, operation: Operation, values: &[Value]) -> Result<()> {
        Ok(self.module.replace_operation(operation, values)?)
    }

    /// Makes all uses of one value uses of another.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let sum = ir.get(add).result(0).unwrap();
    /// let x = ir.get(add).operand(0).unwrap();
    /// let mut edit = ir.edit();
    /// edit.replace_all_uses(sum, x);
    /// edit.erase(add)?;
    /// assert!(ir.to_string().contains("return %arg0 : i32"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "replaceAllUsesWith")]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.module.replace_all_uses(from, to);
    }

    /// Makes those uses of `from` uses of `to` for which `keep` returns true, given the operation
    /// that uses it and the number of the operand.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let sum = ir.get(add).result(0).unwrap();
    /// let x = ir.get(add).operand(0).unwrap();
    /// ir.edit().replace_uses_if(sum, x, |user, _| user.is("func.return"));
    /// assert!(ir.get(add).is_trivially_dead());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "replaceUsesWithIf")]
    pub fn replace_uses_if(
        &mut self,
        from: Value,
        to: Value,
        mut keep: impl FnMut(Op<'_>, usize) -> bool,
    ) {
        let context = &*self.context;
        self.module
            .replace_uses_if(from, to, |module, user, number| {
                keep(Op::from((context, module, user)), number)
            });
    }

    /// Erases an operation and its nested operations.
    ///
    /// # Errors
    ///
    /// If a value that it defines is used elsewhere; nothing is changed then.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let function = ir.symbol("f").unwrap().id();
    /// let mut edit = ir.edit();
    /// assert!(edit.erase(add).is_err()); // Its result is in use.
    /// edit.erase(function)?;
    /// assert_eq!(ir.to_string(), "module {\n}\n");
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "eraseOp")]
    pub fn erase(&mut self, operation: Operation) -> Result<()> {
        Ok(self.module.erase_operation(operation)?)
    }

    /// Replaces a call by a copy of the body of `callee`, which has one block: its arguments become
    /// the operands of the call, and the operands of its terminator the results. The callee stays.
    ///
    /// # Errors
    ///
    /// If the callee does not have one block with a terminator, the numbers of arguments or results
    /// differ, or the call is in no block; nothing is changed then.
    ///
    /// ```
    /// let mut ir = rmlir::parse("
    ///     func.func @square(%x: i32) -> i32 {
    ///       %y = arith.muli %x, %x : i32
    ///       return %y : i32
    ///     }
    ///     func.func @f(%a: i32) -> i32 {
    ///       %b = call @square(%a) : (i32) -> i32
    ///       return %b : i32
    ///     }")?;
    /// let square = ir.symbol("square").unwrap().id();
    /// let call = ir.ops().find(|op| op.is("func.call")).unwrap().id();
    /// let mut edit = ir.edit();
    /// edit.inline_call(call, square)?;
    /// edit.erase(square)?;
    /// assert!(ir.to_string().contains("%0 = arith.muli %arg0, %arg0 : i32\n    return %0"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    #[doc(alias = "inlineCall")]
    #[doc(alias = "inlineRegion")]
    #[doc(alias = "inlineBlockBefore")]
    pub fn inline_call(&mut self, call: Operation, callee: Operation) -> Result<()> {
        let (call_view, callee) = (self.op(call), self.op(callee));
        if callee.blocks().count() != 1 {
            return Err(Error::request("a callee that is inlined has one block"));
        }
        let body: Vec<Operation> = callee.children().map(Op::id).collect();
        let Some((&end, body)) = body.split_last() else {
            return Err(Error::request("a callee that is inlined has a terminator"));
        };
        let end = self.op(end);
        let arguments = callee.body_arguments().count();
        if arguments != call_view.operands().len()
            || end.operands().len() != call_view.results().len()
            || call_view.block().is_none()
        {
            let message = "the call and the body of the callee do not fit together";
            return Err(Error::request(message));
        }
        let mut mapping = Mapping::new();
        for (argument, operand) in callee.body_arguments().zip(call_view.operands()) {
            mapping.map_value(argument, operand);
        }
        let returned: Vec<Value> = end.operands().collect();
        for &inner in body {
            self.before(call)?.clone_op(inner, &mut mapping)?;
        }
        let values: Vec<Value> = returned.iter().map(|&value| mapping.value(value)).collect();
        self.replace_op(call, &values)
    }

    /// Removes argument `number` of a block; see [`Module::erase_argument`].
    ///
    /// # Errors
    ///
    /// If there is no such argument, or it is in use.
    ///
    /// ```
    /// let mut ir = rmlir::parse("\"t.op\"() ({\n^bb0(%a: i32, %b: i64):\n  \"t.use\"(%b) : (i64) -> ()\n}) : () -> ()")?;
    /// let block = ir.ops().find(|op| op.is("t.op")).unwrap().entry_block().unwrap();
    /// let mut edit = ir.edit();
    /// edit.erase_argument(block, 0)?;
    /// assert!(edit.erase_argument(block, 0).is_err()); // It is in use.
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn erase_argument(&mut self, block: Block, number: usize) -> Result<()> {
        Ok(self.module.erase_argument(block, number)?)
    }

    /// Splits a block before an operation; see [`Module::split_block`].
    ///
    /// # Errors
    ///
    /// If the operation is in no block, or its block in no region.
    ///
    /// ```
    /// # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
    /// #   %y = arith.addi %x, %x : i32
    /// #   return %y : i32
    /// # }")?;
    /// # let add = ir.ops().find(|op| op.is("arith.addi")).unwrap().id();
    /// let ret = ir.ops().find(|op| op.is("func.return")).unwrap().id();
    /// let mut edit = ir.edit();
    /// let rest = edit.split_block(ret)?;
    /// let first = edit.op(add).block().unwrap();
    /// edit.at_end(first).op("cf.br").successor(rest).build()?;
    /// assert!(ir.to_string().contains("cf.br ^bb1"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn split_block(&mut self, operation: Operation) -> Result<Block> {
        Ok(self.module.split_block(operation)?)
    }
}

impl fmt::Debug for Edit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit").finish_non_exhaustive()
    }
}
