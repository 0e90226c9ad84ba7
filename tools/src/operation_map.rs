//! Values of the operations of a module.

use rmlir::ir::Operation;

/// A map from the operations of one module, whose handles are consecutive numbers.
#[derive(Clone, Debug)]
pub struct OperationMap<T>(Vec<Option<T>>);

impl<T> Default for OperationMap<T> {
    fn default() -> Self {
        OperationMap(Vec::new())
    }
}

impl<T: Copy> OperationMap<T> {
    /// Sets the value of an operation.
    pub fn insert(&mut self, operation: Operation, value: T) {
        let index = operation.index();
        if index >= self.0.len() {
            self.0.resize(index.saturating_add(1), None);
        }
        if let Some(slot) = self.0.get_mut(index) {
            *slot = Some(value);
        }
    }

    /// Returns the value of an operation.
    pub fn get(&self, operation: Operation) -> Option<T> {
        self.0.get(operation.index()).copied().flatten()
    }
}
