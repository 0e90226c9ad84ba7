//! `Dialect`: definitions from files.

use crate::errors::Fault;
use crate::module::path_of;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rmlir::dialects::{open_definitions, parse_definition};
use rmlir::ir::DialectDefinition;
use std::sync::Arc;

/// The definition of a dialect, for the argument `dialects` of `open` and `parse`.
///
/// >>> import rmlir
/// >>> toy = rmlir.Dialect("dialect toy\nop answer() -> I32\n")
/// >>> toy.name, toy.operations
/// ('toy', ['answer'])
/// >>> rmlir.parse('%0 = "toy.answer"() : () -> i32', dialects=[toy]).verify()
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Dialect {
    definition: Arc<DialectDefinition>,
}

#[pymethods]
impl Dialect {
    /// Parses the text of a definition.
    #[new]
    #[pyo3(signature = (text, *, file_name = "-"))]
    fn new(py: Python<'_>, text: &str, file_name: &str) -> PyResult<Self> {
        let parsed =
            py.detach(|| parse_definition(text.as_bytes(), file_name).map_err(Fault::from));
        Ok(Dialect {
            definition: Arc::new(parsed?),
        })
    }

    /// Reads the definitions in a file: text of `spec/dialect-definitions.md`, a TableGen dump in
    /// JSON, or MLIR with IRDL.
    #[staticmethod]
    fn open(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Vec<Dialect>> {
        let read = py.detach(|| open_definitions(&path).map_err(Fault::from));
        let dialects = read?.into_iter().map(|definition| Dialect {
            definition: Arc::new(definition),
        });
        Ok(dialects.collect())
    }

    /// The namespace.
    #[getter]
    fn name(&self) -> &str {
        &self.definition.name
    }

    /// The names of the operations, without the namespace.
    #[getter]
    fn operations(&self) -> Vec<String> {
        let operations = self.definition.operations().iter();
        operations
            .map(|operation| operation.mnemonic.to_string())
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("<Dialect {}>", self.definition.name)
    }
}

/// Takes definitions: an object, or the path of a file.
///
/// # Errors
///
/// If it is neither, or the file cannot be read.
pub(crate) fn definitions(object: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<DialectDefinition>>> {
    if let Ok(dialect) = object.cast::<Dialect>() {
        return Ok(vec![Arc::clone(&dialect.get().definition)]);
    }
    match path_of(object)? {
        Some(path) => {
            let dialects = Dialect::open(object.py(), path)?;
            Ok(dialects
                .into_iter()
                .map(|dialect| dialect.definition)
                .collect())
        }
        None => {
            let ty = object.get_type();
            Err(PyTypeError::new_err(format!(
                "expected a Dialect or the path of a file, found {ty}"
            )))
        }
    }
}
