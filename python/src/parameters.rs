//! Parameters of attributes and types of dialects, as Python values.

use crate::attributes::Attribute;
use crate::shared_module::SharedModule;
use crate::types::Type;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rmlir::ir::{self, Entry, Parameter};
use std::sync::Arc;

/// A parameter's value, apart from the module.
enum Value {
    Absent,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Attribute(ir::Attribute),
    Type(ir::Type),
    List(Vec<Value>),
}

impl Value {
    /// Lists nest as deep as the definition declares.
    fn of(parameter: Parameter<'_>) -> Self {
        use rmlir::ir::codec::FieldValue;
        if let Some(value) = parameter.bool() {
            return Value::Bool(value);
        }
        match parameter.value() {
            FieldValue::Absent => Value::Absent,
            FieldValue::Attribute(attribute) => Value::Attribute(*attribute),
            FieldValue::Type(ty) => Value::Type(*ty),
            FieldValue::List(_) => Value::List(parameter.items().map(Value::of).collect()),
            value => {
                if let Some(text) = parameter.str() {
                    return Value::Text(text.into_owned());
                }
                if let Some(value) = parameter.integer() {
                    return Value::Integer(value);
                }
                if let Some(value) = parameter.float() {
                    return Value::Float(value);
                }
                match (parameter.bytes(), value) {
                    (Some(bytes), _) => Value::Bytes(bytes.to_vec()),
                    (None, value) => Value::Text(format!("{value:?}")),
                }
            }
        }
    }

    fn into_python<'py>(
        self,
        py: Python<'py>,
        shared: &Arc<SharedModule>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Value::Absent => Ok(py.None().into_bound(py)),
            Value::Bool(value) => value.into_bound_py_any(py),
            Value::Integer(value) => value.into_bound_py_any(py),
            Value::Float(value) => value.into_bound_py_any(py),
            Value::Text(text) => text.into_bound_py_any(py),
            Value::Bytes(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
            Value::Attribute(attribute) => Attribute::new(shared, attribute).into_bound_py_any(py),
            Value::Type(ty) => Type::new(shared, ty).into_bound_py_any(py),
            Value::List(items) => {
                let list = PyList::empty(py);
                for item in items {
                    list.append(item.into_python(py, shared)?)?;
                }
                Ok(list.into_any())
            }
        }
    }
}

/// Returns the parameters by name; `None` if nothing is known of them.
pub(crate) fn parameters<'py>(
    py: Python<'py>,
    shared: &Arc<SharedModule>,
    entry: impl Into<Entry>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let entry = entry.into();
    let found = shared.read(py, |ir| {
        let found = ir.parameters(entry).ok()?;
        let all = found.iter().map(|p| (p.name().to_owned(), Value::of(p)));
        Some(all.collect::<Vec<_>>())
    });
    let Some(found) = found else {
        return Ok(None);
    };
    let dict = PyDict::new(py);
    for (name, value) in found {
        dict.set_item(name, value.into_python(py, shared)?)?;
    }
    Ok(Some(dict))
}
