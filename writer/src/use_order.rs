//! Which values have uses that are not in the usual order: the last operation first, of its operands the last first, which
//! is what a reader has that puts each use to the front.

use crate::numbers::Numbers;
use rmlir_ir::{Module, Operation, Value};

/// Finds the values whose uses are not in the usual order, on the first way through a module.
pub(crate) struct UseOrderWatch {
    /// By value: the use that was met last.
    last: Numbers,
    /// Values with a use that is not before the one met before.
    unusual: Vec<Value>,
}

/// In place of the last use of a value that is known not to be in the usual order; no use has that index.
const UNUSUAL: u32 = u32::MAX - 2;

impl UseOrderWatch {
    pub(crate) fn new(module: &Module) -> Self {
        UseOrderWatch {
            last: Numbers::with_len(module.value_slots()),
            unusual: Vec::new(),
        }
    }

    /// The operands of the next operation.
    #[inline]
    pub(crate) fn operation(&mut self, module: &Module, operation: Operation) {
        for (operand, value) in module.operand_uses(operation) {
            let last = self.last.get(value.index());
            if last == Some(UNUSUAL) {
                continue;
            }
            let before = module.next_use(operand).map(|before| before.index() as u32);
            if last == before {
                self.last.set(value.index(), operand.index() as u32);
            } else {
                self.unusual.push(value);
                self.last.set(value.index(), UNUSUAL);
            }
        }
    }

    /// These values, each once.
    pub(crate) fn finish(self) -> Vec<Value> {
        self.unusual
    }
}
