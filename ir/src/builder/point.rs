//! Positions at which operations are inserted.

use crate::error::Invalid;
use crate::{Block, Module, Operation};

/// A position in the IR at which a [`Builder`](super::Builder) inserts operations: before an
/// operation of a block, or at the end of the block.
///
/// ```
/// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
/// # let mut context = Context::new();
/// # let mut module = Module::new(&mut context);
/// # let mut b = Builder::new(&mut context, &mut module);
/// let last = b.op("toy.last").build()?;
/// b.set_insertion_point(Some(InsertionPoint::before(b.module, last)?));
/// let first = b.op("toy.first").build()?;
/// let body = module.body().unwrap();
/// assert_eq!(module.operations(body).collect::<Vec<_>>(), [first, last]);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InsertionPoint {
    pub(super) block: Block,
    pub(super) before: Option<Operation>,
}

impl InsertionPoint {
    /// Returns the end of a block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// b.set_insertion_point(Some(InsertionPoint::at_end(body)));
    /// let op = b.op("test.op").build()?;
    /// assert_eq!(module.parent_block(op), Some(body));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn at_end(block: Block) -> Self {
        InsertionPoint {
            block,
            before: None,
        }
    }

    /// Returns the start of a block, before its present first operation. Operations inserted there
    /// are in the order in which they are built.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// let last = b.op("test.last").build()?;
    /// let point = InsertionPoint::at_start(b.module, body);
    /// assert_eq!(point.next_operation(), Some(last));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let op = b.op("test.op").build()?;
    /// let point = InsertionPoint::before(b.module, op)?;
    /// assert_eq!(point.next_operation(), Some(op));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
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
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let op = b.op("test.op").build()?;
    /// let point = InsertionPoint::after(b.module, op)?;
    /// assert_eq!(point.next_operation(), None);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn after(module: &Module, operation: Operation) -> Result<Self, Invalid> {
        let block = block_of(module, operation)?;
        Ok(InsertionPoint {
            block,
            before: module.next_operation(operation),
        })
    }

    /// Returns the block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// assert_eq!(InsertionPoint::at_end(body).block(), body);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn block(self) -> Block {
        self.block
    }

    /// Returns the operation before which operations are inserted; `None` at the end of the block.
    ///
    /// ```
    /// # use rmlir_ir::{Builder, Context, InsertionPoint, Module};
    /// # let mut context = Context::new();
    /// # let mut module = Module::new(&mut context);
    /// # let mut b = Builder::new(&mut context, &mut module);
    /// let body = b.module.body().unwrap();
    /// assert_eq!(InsertionPoint::at_end(body).next_operation(), None);
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn next_operation(self) -> Option<Operation> {
        self.before
    }
}

fn block_of(module: &Module, operation: Operation) -> Result<Block, Invalid> {
    module
        .parent_block(operation)
        .ok_or_else(|| Invalid::new("the operation is in no block"))
}
