//! The path of an operation, for messages: the operations around it, outermost first.

use crate::op::Op;
use crate::{Block, Operation, Value, ValueDefinition};
use std::fmt::Write as _;

/// The maximum number of operations that are named at each end of a long path.
const ENDS: usize = 16;

impl Op<'_> {
    /// Returns the path from the outermost operation to this one, such as
    /// `builtin.module / func.func @f / block 1 / operation 3 (arith.addi)`, for messages.
    ///
    /// Regions and blocks are named where there are several; the middle of a long path is left out.
    /// Linear in the depth of nesting and in the operations that precede those of the path in their
    /// blocks.
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, Module, Op};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let operation = Builder::new(&mut context, &mut module).op("test.a").build()?;
    /// let path = Op::from((&context, &module, operation)).path();
    /// assert_eq!(path, "builtin.module / operation 0 (test.a)");
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn path(&self) -> String {
        let parent = |&op: &Operation| self.module.parent_operation(op);
        let outermost = std::iter::successors(Some(self.operation), parent).last();
        let root = Op {
            operation: outermost.unwrap_or(self.operation),
            ..*self
        };
        path(root, self.operation)
    }
}

/// Returns the path from `root` to an operation nested in it. See [`Op::path`].
pub(crate) fn path(root: Op<'_>, operation: Operation) -> String {
    let module = root.module;
    let mut chain = vec![operation];
    let mut at = operation;
    while at != root.operation {
        let Some(parent) = module.parent_operation(at) else {
            break;
        };
        chain.push(parent);
        at = parent;
    }
    chain.reverse();
    let mut out = String::new();
    for (depth, &operation) in chain.iter().enumerate() {
        if depth >= ENDS && depth + ENDS < chain.len() {
            if depth == ENDS {
                let _ = write!(out, " / … {} more …", chain.len() - 2 * ENDS);
            }
            continue;
        }
        if depth > 0 {
            step(root, operation, &mut out);
        } else {
            out.push_str(&name(root, operation));
        }
    }
    out
}

/// Appends one operation of a path, with its region and block if there are several.
fn step(root: Op<'_>, operation: Operation, out: &mut String) {
    let module = root.module;
    if let Some(block) = module.parent_block(operation) {
        if let Some(region) = module.block_region(block)
            && let Some(parent) = module.region_parent(region)
            && module.regions(parent).len() > 1
            && let Some(number) = module.regions(parent).position(|r| r == region)
        {
            let _ = write!(out, " / region {number}");
        }
        if module.previous_block(block).is_some() || module.next_block(block).is_some() {
            let _ = write!(out, " / block {}", block_number(root, block));
        }
    }
    let name = name(root, operation);
    if symbol(root, operation).is_some() {
        let _ = write!(out, " / {name}");
    } else {
        let before =
            std::iter::successors(Some(operation), |&op| module.previous_operation(op)).count() - 1;
        let _ = write!(out, " / operation {before} ({name})");
    }
}

fn block_number(root: Op<'_>, block: Block) -> usize {
    std::iter::successors(Some(block), |&b| root.module.previous_block(b)).count() - 1
}

/// Returns the name of an operation, and its symbol if it has one.
fn name(root: Op<'_>, operation: Operation) -> String {
    let name = root
        .context
        .operation_name_bytes(root.module.name(operation));
    let name = clean(name);
    match symbol(root, operation) {
        Some(symbol) => format!("{name} @{}", clean(symbol)),
        None => name,
    }
}

fn symbol(root: Op<'_>, operation: Operation) -> Option<&[u8]> {
    let name = root.module.symbol_name(root.context, operation)?;
    Some(root.context.bytes(name))
}

/// Describes a value: the result or argument that it is.
pub(crate) fn value(root: Op<'_>, value: Value) -> String {
    match root.module.definition(value) {
        ValueDefinition::Result(operation, number) => {
            format!("result {number} of {}", name(root, operation))
        }
        ValueDefinition::Argument(block, number) => {
            format!("argument {number} of block {}", block_number(root, block))
        }
        ValueDefinition::Placeholder => "a value without definition".to_owned(),
    }
}

/// Quotes a name.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    format!("`{}`", clean(bytes))
}

/// Bytes as text that fits in a line.
fn clean(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).escape_debug().to_string()
}
