//! `Block` and `Region`.

use crate::errors::Fault;
use crate::handles::identity;
use crate::operation::Operation;
use crate::shared_module::{SharedModule, live_block, live_region};
use crate::types::GivenType;
use crate::value::Value;
use crate::walk::Walk;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rmlir::Ir;
use rmlir::ir;
use std::sync::Arc;

/// A block of a region. Iteration yields its operations.
#[pyclass(frozen, eq, hash, module = "rmlir")]
pub(crate) struct Block {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Block,
}

impl Block {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Block) -> Self {
        Block {
            shared: Arc::clone(shared),
            id,
        }
    }

    fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&ir::Module) -> T + Send,
    ) -> PyResult<T> {
        let read = self.shared.read(py, |ir| {
            live_block(ir, self.id)?;
            Ok::<_, Fault>(work(ir.parts().1))
        });
        Ok(read?)
    }

    /// Returns the block if it belongs to the module.
    pub(crate) fn of_module(&self, shared: &Arc<SharedModule>) -> PyResult<ir::Block> {
        match Arc::ptr_eq(&self.shared, shared) {
            true => Ok(self.id),
            false => Err(PyValueError::new_err("the block belongs to another module")),
        }
    }

    fn operation(&self, id: Option<ir::Operation>) -> Option<Operation> {
        id.map(|id| Operation::new(&self.shared, id))
    }
}

#[pymethods]
impl Block {
    /// The arguments.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = self.get(py, |module| {
            module
                .arguments(self.id)
                .map(|(value, _)| value)
                .collect::<Vec<_>>()
        })?;
        let arguments = arguments.into_iter().map(|id| Value::new(&self.shared, id));
        PyTuple::new(py, arguments.collect::<Vec<_>>())
    }

    /// The operations.
    #[getter]
    fn operations(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        let all = self.get(py, |module| module.operations(self.id).collect::<Vec<_>>())?;
        Ok(all
            .into_iter()
            .map(|id| Operation::new(&self.shared, id))
            .collect())
    }

    /// The first operation.
    #[getter]
    fn first(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let first = self.get(py, |module| module.first_operation(self.id))?;
        Ok(self.operation(first))
    }

    /// The last operation.
    #[getter]
    fn last(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let last = self.get(py, |module| module.last_operation(self.id))?;
        Ok(self.operation(last))
    }

    /// The region that the block is in.
    #[getter]
    fn region(&self, py: Python<'_>) -> PyResult<Option<Region>> {
        let region = self.get(py, |module| module.block_region(self.id))?;
        Ok(region.map(|id| Region::new(&self.shared, id)))
    }

    /// The operation that the block is in.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.get(py, |module| {
            module.region_parent(module.block_region(self.id)?)
        })?;
        Ok(self.operation(parent))
    }

    /// The next block of the region.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        let next = self.get(py, |module| module.next_block(self.id))?;
        Ok(next.map(|id| Block::new(&self.shared, id)))
    }

    /// The blocks that branch to this one.
    #[getter]
    fn predecessors(&self, py: Python<'_>) -> PyResult<Vec<Block>> {
        let all = self.get(py, |module| {
            module.predecessors(self.id).collect::<Vec<_>>()
        })?;
        Ok(all
            .into_iter()
            .map(|id| Block::new(&self.shared, id))
            .collect())
    }

    /// Whether the block was erased. Never raises.
    #[getter]
    fn is_erased(&self, py: Python<'_>) -> bool {
        self.shared
            .read(py, |ir| ir.parts().1.is_block_erased(self.id))
    }

    /// Appends an argument.
    fn add_argument(&self, py: Python<'_>, r#type: &Bound<'_, PyAny>) -> PyResult<Value> {
        let ty = GivenType::extract(r#type, &self.shared)?;
        let added = self.shared.write(py, |ir| {
            live_block(ir, self.id)?;
            let ty = ty.resolve(ir)?;
            let unknown = ir.context().unknown_location();
            Ok(ir.parts_mut().1.add_argument(self.id, ty, unknown))
        });
        Ok(Value::new(&self.shared, added?))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Walk> {
        let all = self.get(py, |module| module.operations(self.id).collect::<Vec<_>>())?;
        Ok(Walk::over(&self.shared, all))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |module| module.operations(self.id).count())
    }

    // An empty block is not false.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.get(py, |module| {
            (
                module.argument_count(self.id),
                module.operations(self.id).count(),
            )
        }) {
            Ok((arguments, operations)) => {
                format!("<Block: {arguments} arguments, {operations} operations>")
            }
            Err(_) => "<Block (erased)>".to_owned(),
        }
    }
}

identity!(Block);

/// A region of an operation. Iteration yields its blocks.
#[pyclass(frozen, eq, hash, module = "rmlir")]
pub(crate) struct Region {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Region,
}

impl Region {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Region) -> Self {
        Region {
            shared: Arc::clone(shared),
            id,
        }
    }

    pub(crate) fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Ir) -> T + Send,
    ) -> PyResult<T> {
        let read = self.shared.read(py, |ir| {
            live_region(ir, self.id)?;
            Ok::<_, Fault>(work(ir))
        });
        Ok(read?)
    }
}

#[pymethods]
impl Region {
    /// The blocks.
    #[getter]
    fn blocks(&self, py: Python<'_>) -> PyResult<Vec<Block>> {
        let all = self.get(py, |ir| ir.parts().1.blocks(self.id).collect::<Vec<_>>())?;
        Ok(all
            .into_iter()
            .map(|id| Block::new(&self.shared, id))
            .collect())
    }

    /// The operation that the region belongs to.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.get(py, |ir| ir.parts().1.region_parent(self.id))?;
        Ok(parent.map(|id| Operation::new(&self.shared, id)))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let blocks = PyTuple::new(py, self.blocks(py)?)?;
        Ok(blocks.try_iter()?.into_any())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.get(py, |ir| ir.parts().1.blocks(self.id).count())
    }

    // An empty region is not false.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.__len__(py) {
            Ok(blocks) => format!("<Region: {blocks} blocks>"),
            Err(_) => "<Region (erased)>".to_owned(),
        }
    }
}

identity!(Region);
