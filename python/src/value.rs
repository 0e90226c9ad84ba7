//! `Value`.

use crate::block::Block;
use crate::errors::Fault;
use crate::handles::identity;
use crate::location::Location;
use crate::operation::Operation;
use crate::shared_module::{SharedModule, live_value};
use crate::types::Type;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rmlir::ir::{self, ValueDefinition};
use std::sync::Arc;

/// A result of an operation or an argument of a block.
#[pyclass(frozen, eq, hash, module = "rmlir")]
pub(crate) struct Value {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Value,
}

impl Value {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Value) -> Self {
        Value {
            shared: Arc::clone(shared),
            id,
        }
    }

    fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&rmlir::Ir) -> T + Send,
    ) -> PyResult<T> {
        let read = self.shared.read(py, |ir| {
            live_value(ir, self.id)?;
            Ok::<_, Fault>(work(ir))
        });
        Ok(read?)
    }

    /// Returns the value if it belongs to the module.
    pub(crate) fn of_module(&self, shared: &Arc<SharedModule>) -> PyResult<ir::Value> {
        match Arc::ptr_eq(&self.shared, shared) {
            true => Ok(self.id),
            false => Err(PyValueError::new_err("the value belongs to another module")),
        }
    }
}

#[pymethods]
impl Value {
    /// The type.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Type> {
        let id = self.get(py, |ir| ir.parts().1.value_type(self.id))?;
        Ok(Type::new(&self.shared, id))
    }

    /// The operation that has the result, or the block that has the argument.
    #[getter]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.get(py, |ir| ir.parts().1.definition(self.id))? {
            ValueDefinition::Result(id, _) => {
                Operation::new(&self.shared, id).into_bound_py_any(py)
            }
            ValueDefinition::Argument(id, _) => Block::new(&self.shared, id).into_bound_py_any(py),
            ValueDefinition::Placeholder => Ok(py.None().into_bound(py)),
        }
    }

    /// The number of the result or argument.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<u32> {
        self.get(py, |ir| match ir.parts().1.definition(self.id) {
            ValueDefinition::Result(_, index) | ValueDefinition::Argument(_, index) => index,
            ValueDefinition::Placeholder => 0,
        })
    }

    /// Whether it is an argument of a block.
    #[getter]
    fn is_argument(&self, py: Python<'_>) -> PyResult<bool> {
        self.get(py, |ir| {
            matches!(
                ir.parts().1.definition(self.id),
                ValueDefinition::Argument(..)
            )
        })
    }

    /// Whether the value was erased. Never raises.
    #[getter]
    fn is_erased(&self, py: Python<'_>) -> bool {
        self.shared
            .read(py, |ir| ir.parts().1.is_value_erased(self.id))
    }

    /// The location.
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Option<Location>> {
        let id = self.get(py, |ir| ir.parts().1.value_location(self.id))?;
        Ok(id.map(|id| Location::new(&self.shared, id)))
    }

    /// The operations that use the value, each with the number of the operand.
    #[getter]
    fn uses(&self, py: Python<'_>) -> PyResult<Vec<(Operation, usize)>> {
        let uses = self.get(py, |ir| {
            let module = ir.parts().1;
            module
                .uses(self.id)
                .map(|one| module.user(one))
                .collect::<Vec<_>>()
        })?;
        let uses = uses.into_iter();
        Ok(uses
            .map(|(id, number)| (Operation::new(&self.shared, id), number))
            .collect())
    }

    /// Uses another value instead of this one everywhere.
    fn replace_all_uses_with(&self, py: Python<'_>, value: &Value) -> PyResult<()> {
        let to = value.of_module(&self.shared)?;
        let done = self.shared.write(py, |ir| {
            live_value(ir, self.id)?;
            live_value(ir, to)?;
            if to != self.id {
                ir.edit().replace_all_uses(self.id, to);
            }
            Ok(())
        });
        Ok(done?)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let shown = self.get(py, |ir| {
            let (context, module) = ir.parts();
            let ty = rmlir::text::type_to_string(context, module.value_type(self.id));
            match module.definition(self.id) {
                ValueDefinition::Result(operation, number) => {
                    format!(
                        "<Value result {number} of {} : {ty}>",
                        ir.get(operation).name()
                    )
                }
                ValueDefinition::Argument(_, number) => format!("<Value argument {number} : {ty}>"),
                ValueDefinition::Placeholder => format!("<Value : {ty}>"),
            }
        });
        shown.unwrap_or_else(|_| "<Value (erased)>".to_owned())
    }
}

identity!(Value);

/// Takes values: a `Value`, an operation with one result, or a sequence of them.
///
/// # Errors
///
/// If it is anything else, or of another module.
pub(crate) fn given_values(
    object: &Bound<'_, PyAny>,
    shared: &Arc<SharedModule>,
) -> PyResult<Vec<ir::Value>> {
    if let Some(value) = one_value(object, shared)? {
        return Ok(vec![value]);
    }
    let mut values = Vec::new();
    for item in object.try_iter()? {
        let item = item?;
        match one_value(&item, shared)? {
            Some(value) => values.push(value),
            None => {
                let ty = item.get_type();
                return Err(PyTypeError::new_err(format!(
                    "expected a Value or Operation, found {ty}"
                )));
            }
        }
    }
    Ok(values)
}

fn one_value(object: &Bound<'_, PyAny>, shared: &Arc<SharedModule>) -> PyResult<Option<ir::Value>> {
    if let Ok(value) = object.cast::<Value>() {
        return value.get().of_module(shared).map(Some);
    }
    let Ok(operation) = object.cast::<Operation>() else {
        return Ok(None);
    };
    let operation = operation.get();
    let (first, count) = operation.get(object.py(), |op| (op.result(0), op.results().len()))?;
    match first {
        Some(id) if count == 1 => Value::new(&operation.shared, id)
            .of_module(shared)
            .map(Some),
        _ => {
            let message = format!("an operation used as a value has one result, not {count}");
            Err(PyValueError::new_err(message))
        }
    }
}
