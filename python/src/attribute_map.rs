//! `AttributeMap`: the attributes of an operation as a mapping.

use crate::attributes::{Attribute, Given};
use crate::shared_module::{SharedModule, live};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};
use rmlir::ir::{self, NamedAttribute, Op};
use std::sync::Arc;

/// The attributes that a map shows.
#[derive(Clone, Copy)]
pub(crate) enum Which {
    All,
    /// Those that the definition of the operation declares.
    Inherent,
}

/// The attributes of an operation: a mutable mapping that shows the present state.
///
/// Text and numbers that are set mean what the definition of the operation says: the keyword of an
/// enumeration, a symbol, a string, or the text of an attribute. Without a definition, text is a
/// string, integers are `i64`, floats `f64`, `None` is `unit`.
///
/// >>> import rmlir
/// >>> op = rmlir.parse("func.func private @f()")["@f"]
/// >>> op.attributes["my.note"] = "hot"
/// >>> op.attributes["my.note"].value
/// 'hot'
/// >>> list(op.attributes)
/// ['function_type', 'my.note', 'sym_name', 'sym_visibility']
#[pyclass(frozen, mapping, module = "rmlir")]
pub(crate) struct AttributeMap {
    shared: Arc<SharedModule>,
    operation: ir::Operation,
    which: Which,
}

impl AttributeMap {
    pub(crate) fn new(shared: &Arc<SharedModule>, operation: ir::Operation, which: Which) -> Self {
        AttributeMap {
            shared: Arc::clone(shared),
            operation,
            which,
        }
    }

    fn entries<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Op<'_>, &[NamedAttribute]) -> T + Send,
    ) -> PyResult<T> {
        let read = self.shared.read(py, |ir| {
            let op = live(ir, self.operation)?;
            Ok::<_, crate::errors::Fault>(match self.which {
                Which::All => work(op, &op.attrs()),
                Which::Inherent => work(op, op.module.inherent_attributes(op.context, op.id())),
            })
        });
        Ok(read?)
    }

    fn pairs(&self, py: Python<'_>) -> PyResult<Vec<(String, Attribute)>> {
        let pairs = self.entries(py, |op, entries| {
            let pairs = entries.iter();
            let pairs = pairs.map(|&(name, value)| (op.context.str(name).into_owned(), value));
            pairs.collect::<Vec<_>>()
        })?;
        let pairs = pairs.into_iter();
        Ok(pairs
            .map(|(name, id)| (name, Attribute::new(&self.shared, id)))
            .collect())
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Attribute>> {
        let found = self.entries(py, |op, entries| {
            let mut entries = entries.iter();
            let found = entries.find(|entry| op.context.bytes(entry.0) == name.as_bytes());
            found.map(|entry| entry.1)
        })?;
        Ok(found.map(|id| Attribute::new(&self.shared, id)))
    }
}

#[pymethods]
impl AttributeMap {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Attribute> {
        let found = self.find(py, name)?;
        found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Given::extract(value, &self.shared)?;
        let done = self.shared.write(py, |ir| {
            let op = live(ir, self.operation)?;
            let operation = op.module.name(op.id());
            let value = value.value_for(ir, operation, name)?;
            Ok(ir.edit().set_attr(self.operation, name, value)?)
        });
        Ok(done?)
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        if self.find(py, name)?.is_none() {
            return Err(PyKeyError::new_err(name.to_owned()));
        }
        let done = self.shared.write(py, |ir| {
            live(ir, self.operation)?;
            Ok(ir.edit().remove_attr(self.operation, name)?)
        });
        Ok(done?)
    }

    fn __contains__(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        match name.extract::<String>() {
            Ok(name) => Ok(self.find(py, &name)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.entries(py, |_, entries| entries.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys(py)?)?.try_iter()?.into_any())
    }

    /// Returns the names.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.pairs(py)?.into_iter().map(|pair| pair.0).collect())
    }

    /// Returns the attributes.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Attribute>> {
        Ok(self.pairs(py)?.into_iter().map(|pair| pair.1).collect())
    }

    /// Returns pairs of name and attribute.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Attribute)>> {
        self.pairs(py)
    }

    /// Returns the attribute, or `default` if there is none.
    #[pyo3(signature = (name, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.find(py, name)? {
            Some(attribute) => attribute.into_bound_py_any(py),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.entries(py, |op, entries| {
            let shown = entries.iter().map(|&(name, value)| {
                let value = rmlir::text::attribute_to_string(op.context, value);
                format!("{} = {value}", op.context.str(name))
            });
            shown.collect::<Vec<_>>().join(", ")
        });
        Ok(match shown {
            Ok(shown) => format!("AttributeMap({{{shown}}})"),
            Err(_) => "AttributeMap(erased)".to_owned(),
        })
    }
}
