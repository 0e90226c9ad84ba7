//! Finds values whose use-list order differs from the default.
//!
//! The default order is: the last operation first, and of its operands the last first. A reader
//! that prepends each use to the list obtains this order.

use crate::numbers::Numbers;
use rmlir_ir::{Module, Operation, Use, Value};

/// Finds values without the default use-list order, on the first pass over a module.
pub(crate) struct UseOrderWatch {
    /// By value: the use that was visited last.
    last: Numbers,
    /// Values with a use that does not directly precede the use visited before it.
    unusual: Vec<Value>,
}

/// Replaces the last use of a value known not to have the default order; no use has that index.
const UNUSUAL: u32 = u32::MAX - 2;

impl UseOrderWatch {
    pub(crate) fn new(module: &Module) -> Self {
        UseOrderWatch {
            last: Numbers::with_len(module.value_slots()),
            unusual: Vec::new(),
        }
    }

    /// Visits the operands of the next operation.
    #[inline]
    pub(crate) fn operation(&mut self, module: &Module, operation: Operation) {
        for (operand, value) in module.operand_uses(operation) {
            self.operand(module, operand, value);
        }
    }

    /// Visits the next operand of the next operation.
    #[inline]
    pub(crate) fn operand(&mut self, module: &Module, operand: Use, value: Value) {
        let last = self.last.get(value.index());
        if last == Some(UNUSUAL) {
            return;
        }
        let before = module.next_use(operand).map(|before| before.index() as u32);
        if last == before {
            self.last.set(value.index(), operand.index() as u32);
        } else {
            self.unusual.push(value);
            self.last.set(value.index(), UNUSUAL);
        }
    }

    /// Returns these values, each once.
    pub(crate) fn finish(self) -> Vec<Value> {
        self.unusual
    }
}
