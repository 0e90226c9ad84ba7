//! Iterators over operations.

use crate::errors::Fault;
use crate::operation::Operation;
use crate::shared_module::{SharedModule, live};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rmlir::ir::{self, WalkOrder, WalkResult};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An iterator over operations: those that were there when the walk began, except those that are
/// erased meanwhile. So a module may be changed during a walk.
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Walk {
    shared: Arc<SharedModule>,
    operations: Vec<ir::Operation>,
    next: AtomicUsize,
}

impl Walk {
    /// Walks an operation and everything in it.
    ///
    /// # Errors
    ///
    /// If it was erased, or the order is neither `pre` nor `post`.
    pub(crate) fn of(
        py: Python<'_>,
        shared: &Arc<SharedModule>,
        operation: ir::Operation,
        order: &str,
    ) -> PyResult<Self> {
        let order = match order {
            "pre" => WalkOrder::PreOrder,
            "post" => WalkOrder::PostOrder,
            _ => {
                let message = format!("unknown order '{order}': expected 'pre' or 'post'");
                return Err(PyValueError::new_err(message));
            }
        };
        let operations = shared.read_detached(py, |ir| {
            live(ir, operation)?;
            let mut operations = Vec::new();
            let module = ir.parts().1;
            module.walk(operation, order, |_, operation| {
                operations.push(operation);
                WalkResult::Advance
            });
            Ok::<_, Fault>(operations)
        });
        Ok(Walk::over(shared, operations?))
    }

    pub(crate) fn over(shared: &Arc<SharedModule>, operations: Vec<ir::Operation>) -> Self {
        Walk {
            shared: Arc::clone(shared),
            operations,
            next: AtomicUsize::new(0),
        }
    }
}

#[pymethods]
impl Walk {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Option<Operation> {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&id) = self.operations.get(next) else {
                // An iterator that was exhausted stays so.
                self.next.store(self.operations.len(), Ordering::Relaxed);
                return None;
            };
            if !self.shared.read(py, |ir| ir.parts().1.is_erased(id)) {
                return Some(Operation::new(&self.shared, id));
            }
        }
    }

    fn __length_hint__(&self) -> usize {
        let next = self.next.load(Ordering::Relaxed);
        self.operations.len().saturating_sub(next)
    }
}
