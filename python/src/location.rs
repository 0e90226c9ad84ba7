//! `Location`.

use crate::attributes::Attribute;
use crate::handles::text_of;
use crate::shared_module::SharedModule;
use pyo3::prelude::*;
use rmlir::Ir;
use rmlir::ir::{self, LocationKind};
use std::sync::Arc;

/// A location in a source.
///
/// >>> import rmlir
/// >>> op = rmlir.parse('"d.op"() : () -> () loc("a.py":3:7)').body.first
/// >>> op.location.file, op.location.line, op.location.column
/// ('a.py', 3, 7)
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Location {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Location,
}

impl Location {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Location) -> Self {
        Location {
            shared: Arc::clone(shared),
            id,
        }
    }

    fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Ir, LocationKind<'_>) -> T + Send,
    ) -> T {
        self.shared
            .read(py, |ir| work(ir, ir.context().location_kind(self.id)))
    }

    fn other(&self, id: Option<ir::Location>) -> Option<Location> {
        id.map(|id| Location::new(&self.shared, id))
    }

    /// Returns the first file, line and column: of a fused or named location that of a part.
    fn place(&self, py: Python<'_>) -> Option<(String, u32, u32)> {
        self.shared.read(py, |ir| {
            let (file, line, column) = ir.context().place_in_file(self.id)?;
            Some((ir.context().str(file).into_owned(), line, column))
        })
    }
}

#[pymethods]
impl Location {
    /// `file`, `name`, `callsite`, `fused`, `dialect` or `unknown`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> &'static str {
        self.get(py, |_, kind| kind.name())
    }

    /// The file; of a named, fused or call-site location that of its first part that has one.
    #[getter]
    fn file(&self, py: Python<'_>) -> Option<String> {
        self.place(py).map(|place| place.0)
    }

    /// The line, from 1.
    #[getter]
    fn line(&self, py: Python<'_>) -> Option<u32> {
        self.place(py).map(|place| place.1)
    }

    /// The column, from 1.
    #[getter]
    fn column(&self, py: Python<'_>) -> Option<u32> {
        self.place(py).map(|place| place.2)
    }

    /// The name of a named location.
    #[getter]
    fn name(&self, py: Python<'_>) -> Option<String> {
        self.get(py, |ir, kind| match kind {
            LocationKind::Name { name, .. } => Some(ir.context().str(name).into_owned()),
            _ => None,
        })
    }

    /// The location that a named location wraps.
    #[getter]
    fn child(&self, py: Python<'_>) -> Option<Location> {
        self.other(self.get(py, |_, kind| match kind {
            LocationKind::Name { child, .. } => Some(child),
            _ => None,
        }))
    }

    /// The callee of a call site.
    #[getter]
    fn callee(&self, py: Python<'_>) -> Option<Location> {
        self.other(self.get(py, |_, kind| match kind {
            LocationKind::CallSite { callee, .. } => Some(callee),
            _ => None,
        }))
    }

    /// The caller of a call site.
    #[getter]
    fn caller(&self, py: Python<'_>) -> Option<Location> {
        self.other(self.get(py, |_, kind| match kind {
            LocationKind::CallSite { caller, .. } => Some(caller),
            _ => None,
        }))
    }

    /// The parts of a fused location.
    #[getter]
    fn locations(&self, py: Python<'_>) -> Vec<Location> {
        let all = self.get(py, |_, kind| match kind {
            LocationKind::Fused { locations, .. } => locations.to_vec(),
            _ => Vec::new(),
        });
        all.into_iter()
            .map(|id| Location::new(&self.shared, id))
            .collect()
    }

    /// The metadata of a fused location, or the attribute of a dialect's location.
    #[getter]
    fn metadata(&self, py: Python<'_>) -> Option<Attribute> {
        let found = self.get(py, |_, kind| match kind {
            LocationKind::Fused { metadata, .. } => metadata,
            LocationKind::Dialect(attribute) => Some(attribute),
            _ => None,
        });
        found.map(|id| Attribute::new(&self.shared, id))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.shared.read(py, |ir| text_of(ir.context(), self.id));
        Ok(text?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Location({})", self.__str__(py)?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Location>() else {
            return Ok(false);
        };
        let other = other.get();
        Ok(
            (Arc::ptr_eq(&self.shared, &other.shared) && self.id == other.id)
                || self.__str__(py)? == other.__str__(py)?,
        )
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(crate::handles::hash_of(&self.__str__(py)?))
    }
}
