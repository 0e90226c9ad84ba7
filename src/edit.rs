//! [`Edit`]: the methods that change a module.

use crate::ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Module, Op, Operation, Type,
    Value,
};
use crate::{Result, text};
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
    pub fn new(context: &'a mut Context, module: &'a mut Module) -> Self {
        Edit { context, module }
    }

    /// Returns the view of an operation, as it is now.
    pub fn op(&self, operation: Operation) -> Op<'_> {
        Op::from((&*self.context, &*self.module, operation))
    }

    /// Returns a builder at the end of the body of the top-level operation.
    #[doc(alias = "OpBuilder")]
    pub fn builder(&mut self) -> Builder<'_> {
        Builder::new(self.context, self.module)
    }

    /// Returns a builder that inserts before an operation, at its location.
    ///
    /// # Errors
    ///
    /// If the operation is in no block.
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
    #[doc(alias = "setInsertionPointAfter")]
    pub fn after(&mut self, operation: Operation) -> Result<Builder<'_>> {
        let point = InsertionPoint::after(self.module, operation)?;
        Ok(self.builder_at(point, self.module.location(operation)))
    }

    /// Returns a builder that appends to a block.
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
    #[doc(alias = "parseType")]
    pub fn ty(&mut self, text: &str) -> Result<Type> {
        Ok(text::parse_type(self.context, text.as_bytes())?)
    }

    /// Returns the attribute that a text denotes, such as `dense<1.0> : tensor<4xf32>`.
    ///
    /// # Errors
    ///
    /// If the text is not one attribute.
    #[doc(alias = "parseAttribute")]
    pub fn attr(&mut self, text: &str) -> Result<Attribute> {
        Ok(text::parse_attribute(self.context, text.as_bytes())?)
    }

    /// Changes the name of an operation; see [`Module::set_name`].
    ///
    /// # Errors
    ///
    /// If no operation can have the name.
    pub fn set_name(&mut self, operation: Operation, name: &str) -> Result<()> {
        Ok(self.module.set_name(self.context, operation, name)?)
    }

    /// Sets an attribute. The definition of the operation decides whether it is inherent or
    /// discardable; without a definition it is discardable, unless the operation has an inherent
    /// attribute of that name.
    ///
    /// # Errors
    ///
    /// If the attribute is inherent and the properties of the operation are not a dictionary.
    #[doc(alias = "setAttr")]
    pub fn set_attr(&mut self, operation: Operation, name: &str, value: Attribute) -> Result<()> {
        self.update_attr(operation, name, Some(value))
    }

    /// Removes an attribute, inherent or discardable. Does nothing if there is none.
    ///
    /// # Errors
    ///
    /// If the attribute is inherent and the properties of the operation are not a dictionary.
    #[doc(alias = "removeAttr")]
    pub fn remove_attr(&mut self, operation: Operation, name: &str) -> Result<()> {
        self.update_attr(operation, name, None)
    }

    fn update_attr(
        &mut self,
        operation: Operation,
        name: &str,
        value: Option<Attribute>,
    ) -> Result<()> {
        let operation_name = self.module.name(operation);
        let known = self
            .context
            .is_inherent_attribute(operation_name, name.as_bytes());
        let inherent = known.unwrap_or_else(|| {
            let properties = self.module.properties(operation);
            properties.is_some_and(|p| self.context.dictionary_get(p, name.as_bytes()).is_some())
        });
        let name = self.context.identifier(name);
        match inherent {
            true => {
                self.module
                    .set_inherent_attribute(self.context, operation, name, value)?;
            }
            false => {
                self.module
                    .set_discardable_attribute(self.context, operation, name, value)?;
            }
        }
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
    #[doc(alias = "replaceAllUsesWith")]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.module.replace_all_uses(from, to);
    }

    /// Makes those uses of `from` uses of `to` for which `keep` returns true, given the operation
    /// that uses it and the number of the operand.
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
    #[doc(alias = "eraseOp")]
    pub fn erase(&mut self, operation: Operation) -> Result<()> {
        Ok(self.module.erase_operation(operation)?)
    }

    /// Removes argument `number` of a block; see [`Module::erase_argument`].
    ///
    /// # Errors
    ///
    /// If there is no such argument, or it is in use.
    pub fn erase_argument(&mut self, block: Block, number: usize) -> Result<()> {
        Ok(self.module.erase_argument(block, number)?)
    }

    /// Splits a block before an operation; see [`Module::split_block`].
    ///
    /// # Errors
    ///
    /// If the operation is in no block, or its block in no region.
    pub fn split_block(&mut self, operation: Operation) -> Result<Block> {
        Ok(self.module.split_block(operation)?)
    }
}

impl fmt::Debug for Edit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit").finish_non_exhaustive()
    }
}
