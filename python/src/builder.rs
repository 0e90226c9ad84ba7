//! `Builder`.

use crate::attributes::Given;
use crate::block::{Block, Region};
use crate::errors::Fault;
use crate::location::Location;
use crate::module::Module;
use crate::operation::Operation;
use crate::shared_module::{SharedModule, live, live_block, live_region, live_value};
use crate::types::GivenType;
use crate::value::{Value, given_values};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rmlir::Ir;
use rmlir::ir::{self, InsertionPoint, OperationName};
use std::sync::{Arc, Mutex, PoisonError};

/// Where operations are inserted: in a block, before an operation or at the end.
#[derive(Clone, Copy)]
struct Point {
    block: ir::Block,
    before: Option<ir::Operation>,
}

impl Point {
    /// Returns the position, if block and operation are still there.
    fn resolve(self, ir: &Ir) -> Result<InsertionPoint, Fault> {
        live_block(ir, self.block)?;
        match self.before {
            Some(before) => {
                live(ir, before)?;
                Ok(InsertionPoint::before(ir.parts().1, before)?)
            }
            None => Ok(InsertionPoint::at_end(self.block)),
        }
    }
}

#[derive(Clone, Copy)]
struct State {
    point: Option<Point>,
    location: ir::Location,
}

/// Creates operations at an insertion point, which stays after the one created last.
///
/// The definition of an operation supplies defaults, segment sizes and result types.
///
/// >>> import rmlir
/// >>> b = rmlir.Builder()
/// >>> named = {"sym_name": "double", "function_type": "(i32) -> i32"}
/// >>> f = b.op("func.func", attributes=named, regions=1)
/// >>> with b.body(f.regions[0], ["i32"]) as (x,):
/// ...     y = b.op("arith.addi", [x, x])
/// ...     ret = b.op("func.return", y)
/// >>> b.module.verify()
/// >>> b.module.print()
/// module {
///   func.func @double(%arg0: i32) -> i32 {
///     %0 = arith.addi %arg0, %arg0 : i32
///     return %0 : i32
///   }
/// }
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Builder {
    shared: Arc<SharedModule>,
    state: Mutex<State>,
}

impl Builder {
    fn at(py: Python<'_>, shared: &Arc<SharedModule>, point: Option<Point>) -> Self {
        let location = shared.read(py, |ir| ir.context().unknown_location());
        Builder {
            shared: Arc::clone(shared),
            state: Mutex::new(State { point, location }),
        }
    }

    fn state(&self) -> State {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_state(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn set_point(&self, point: Option<Point>) {
        let mut state = self.state();
        state.point = point;
        self.set_state(state);
    }
}

/// Takes a location: an object of the same module, or file, line and column.
fn given_location(object: &Bound<'_, PyAny>, shared: &Arc<SharedModule>) -> PyResult<ir::Location> {
    let py = object.py();
    if let Ok(location) = object.cast::<Location>() {
        let location = location.get();
        return match Arc::ptr_eq(&location.shared, shared) {
            true => Ok(location.id),
            false => Err(PyValueError::new_err(
                "the location belongs to another module",
            )),
        };
    }
    let Ok((file, line, column)) = object.extract::<(String, u32, u32)>() else {
        return Err(PyTypeError::new_err(
            "expected a Location or a tuple (file, line, column)",
        ));
    };
    let made = shared.write(py, |ir| {
        let context = ir.parts_mut().0;
        let file = context.identifier(file);
        Ok(context.file_location(file, line, column))
    });
    Ok(made?)
}

/// Takes a list of types.
fn given_types(
    object: Option<&Bound<'_, PyAny>>,
    shared: &Arc<SharedModule>,
) -> PyResult<Vec<GivenType>> {
    let Some(object) = object else {
        return Ok(Vec::new());
    };
    if object.is_instance_of::<pyo3::types::PyString>()
        || object.is_instance_of::<crate::types::Type>()
    {
        return Ok(vec![GivenType::extract(object, shared)?]);
    }
    let items = object.try_iter()?;
    items
        .map(|item| GivenType::extract(&item?, shared))
        .collect()
}

/// A group of operands or results by the name of its definition.
type Groups<T> = Vec<(String, T)>;

#[pymethods]
impl Builder {
    #[new]
    #[pyo3(signature = (module = None))]
    fn new(py: Python<'_>, module: Option<&Module>) -> PyResult<Self> {
        let shared = match module {
            Some(module) => Arc::clone(module.shared(py)?),
            None => SharedModule::new(Ir::new()),
        };
        let body = shared.read(py, |ir| ir.parts().1.body());
        let point = body.map(|block| Point {
            block,
            before: None,
        });
        Ok(Builder::at(py, &shared, point))
    }

    /// Returns a builder at the end of a block.
    #[staticmethod]
    fn at_end(py: Python<'_>, block: &Block) -> PyResult<Self> {
        block.shared.read(py, |ir| live_block(ir, block.id))?;
        let point = Point {
            block: block.id,
            before: None,
        };
        Ok(Builder::at(py, &block.shared, Some(point)))
    }

    /// Returns a builder at the start of a block.
    #[staticmethod]
    fn at_start(py: Python<'_>, block: &Block) -> PyResult<Self> {
        let before = block.shared.read(py, |ir| {
            live_block(ir, block.id)?;
            Ok::<_, Fault>(ir.parts().1.first_operation(block.id))
        })?;
        let point = Point {
            block: block.id,
            before,
        };
        Ok(Builder::at(py, &block.shared, Some(point)))
    }

    /// Returns a builder before an operation.
    #[staticmethod]
    fn before(py: Python<'_>, operation: &Operation) -> PyResult<Self> {
        let block = operation.get(py, |op| op.block())?;
        let block =
            block.ok_or_else(|| PyErr::from(Fault::request("the operation is in no block")))?;
        let point = Point {
            block,
            before: Some(operation.id),
        };
        Ok(Builder::at(py, &operation.shared, Some(point)))
    }

    /// Returns a builder after an operation.
    #[staticmethod]
    fn after(py: Python<'_>, operation: &Operation) -> PyResult<Self> {
        let (block, next) =
            operation.get(py, |op| (op.block(), op.module.next_operation(op.id())))?;
        let block =
            block.ok_or_else(|| PyErr::from(Fault::request("the operation is in no block")))?;
        let point = Point {
            block,
            before: next,
        };
        Ok(Builder::at(py, &operation.shared, Some(point)))
    }

    /// The module.
    #[getter]
    fn module(&self) -> Module {
        Module::of(Arc::clone(&self.shared))
    }

    /// The location of new operations: an object, or set as `(file, line, column)`.
    #[getter]
    fn location(&self) -> Location {
        Location::new(&self.shared, self.state().location)
    }

    #[setter]
    fn set_location(&self, location: &Bound<'_, PyAny>) -> PyResult<()> {
        let location = given_location(location, &self.shared)?;
        let mut state = self.state();
        state.location = location;
        self.set_state(state);
        Ok(())
    }

    /// Creates an operation.
    ///
    /// Types are objects or their text; those that the definition determines can be left out. An
    /// operation with one
    /// result can be used as a value. `operand_groups` and `result_groups` name groups of the
    /// definition.
    ///
    /// Raises `Error` if the operation contradicts its definition.
    #[pyo3(signature = (
        name, operands = None, *, attributes = None, results = None, regions = 0, successors = None,
        location = None, operand_groups = None, result_groups = None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn op(
        &self,
        py: Python<'_>,
        name: &str,
        operands: Option<&Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, PyDict>>,
        results: Option<&Bound<'_, PyAny>>,
        regions: usize,
        successors: Option<Vec<PyRef<'_, Block>>>,
        location: Option<&Bound<'_, PyAny>>,
        operand_groups: Option<&Bound<'_, PyDict>>,
        result_groups: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Operation> {
        let shared = &self.shared;
        let operands = operands
            .map(|operands| given_values(operands, shared))
            .transpose()?;
        let operands = operands.unwrap_or_default();
        let results = given_types(results, shared)?;
        let mut given: Groups<Given> = Vec::new();
        for (name, value) in attributes.into_iter().flat_map(|all| all.iter()) {
            given.push((name.extract()?, Given::extract(&value, shared)?));
        }
        let mut operand_sets: Groups<Vec<ir::Value>> = Vec::new();
        for (name, values) in operand_groups.into_iter().flat_map(|all| all.iter()) {
            operand_sets.push((name.extract()?, given_values(&values, shared)?));
        }
        let mut result_sets: Groups<Vec<GivenType>> = Vec::new();
        for (name, types) in result_groups.into_iter().flat_map(|all| all.iter()) {
            result_sets.push((name.extract()?, given_types(Some(&types), shared)?));
        }
        let successors = successors.unwrap_or_default();
        let successors = successors.iter().map(|block| block.of_module(shared));
        let successors = successors.collect::<PyResult<Vec<_>>>()?;
        let state = self.state();
        let location = match location {
            Some(location) => given_location(location, shared)?,
            None => state.location,
        };
        const MOST_REGIONS: usize = 1 << 16;
        if regions > MOST_REGIONS {
            return Err(PyValueError::new_err("too many regions"));
        }
        let built = shared.write(py, |ir| {
            let point = state.point.map(|point| point.resolve(ir)).transpose()?;
            for &value in operands
                .iter()
                .chain(operand_sets.iter().flat_map(|set| &set.1))
            {
                live_value(ir, value)?;
            }
            for &block in &successors {
                live_block(ir, block)?;
            }
            let operation: OperationName = {
                ir::OperationName::check(name.as_bytes())?;
                ir.parts_mut().0.operation_name(name)
            };
            let mut values = Vec::with_capacity(given.len());
            for (name, value) in &given {
                values.push((name, value.value_for(ir, operation, name)?));
            }
            let resolve = |ir: &mut Ir, types: &[GivenType]| {
                types
                    .iter()
                    .map(|ty| ty.resolve(ir))
                    .collect::<Result<Vec<_>, _>>()
            };
            let results = resolve(ir, &results)?;
            let mut sets = Vec::with_capacity(result_sets.len());
            for (name, types) in &result_sets {
                sets.push((name, resolve(ir, types)?));
            }
            let mut builder = ir.builder();
            builder.set_insertion_point(point);
            builder.set_location(location);
            let regions: Vec<ir::Region> = (0..regions).map(|_| builder.create_region()).collect();
            let mut op = builder.op_named(operation);
            op = op
                .operands(operands.iter().copied())
                .results(results)
                .successors(successors)
                .regions(regions);
            for (name, values) in &operand_sets {
                op = op.operand_group(name, values.iter().copied());
            }
            for (name, types) in sets {
                op = op.result_group(name, types);
            }
            for (name, value) in values {
                op = op.attr(name, value);
            }
            Ok(op.build()?)
        });
        Ok(Operation::new(shared, built?))
    }

    /// Creates a block with arguments of these types at the end of a region, and moves the
    /// insertion point to its end.
    #[pyo3(signature = (region, arguments = None))]
    fn block(
        &self,
        py: Python<'_>,
        region: &Region,
        arguments: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Block> {
        if !Arc::ptr_eq(&region.shared, &self.shared) {
            return Err(PyValueError::new_err(
                "the region belongs to another module",
            ));
        }
        let arguments = given_types(arguments, &self.shared)?;
        let location = self.state().location;
        let block = self.shared.write(py, |ir| {
            live_region(ir, region.id)?;
            let types = arguments
                .iter()
                .map(|ty| ty.resolve(ir))
                .collect::<Result<Vec<_>, _>>()?;
            let mut builder = ir.builder();
            builder.set_location(location);
            Ok(builder.add_block(region.id, &types))
        })?;
        self.set_point(Some(Point {
            block,
            before: None,
        }));
        Ok(Block::new(&self.shared, block))
    }

    /// Does what `block` does, for a `with` statement that yields the arguments and restores the
    /// insertion point.
    #[pyo3(signature = (region, arguments = None))]
    fn body(
        slf: &Bound<'_, Self>,
        region: &Region,
        arguments: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Body> {
        let builder = slf.get();
        let before = builder.state();
        let block = builder.block(slf.py(), region, arguments)?;
        Ok(Body {
            builder: slf.clone().unbind(),
            before,
            block: block.id,
        })
    }

    /// Moves the insertion point to the end of a block.
    fn move_to_end(&self, py: Python<'_>, block: &Block) -> PyResult<()> {
        let block = block.of_module(&self.shared)?;
        self.shared.read(py, |ir| live_block(ir, block))?;
        self.set_point(Some(Point {
            block,
            before: None,
        }));
        Ok(())
    }

    fn __repr__(&self) -> &'static str {
        "<Builder>"
    }
}

/// The context manager that `Builder.body` returns.
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Body {
    builder: Py<Builder>,
    /// The state to be restored.
    before: State,
    block: ir::Block,
}

#[pymethods]
impl Body {
    /// Returns the arguments of the block.
    fn __enter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shared = &self.builder.get().shared;
        let values = shared.read(py, |ir| {
            live_block(ir, self.block)?;
            let arguments = ir.parts().1.arguments(self.block);
            Ok::<_, Fault>(arguments.map(|(value, _)| value).collect::<Vec<_>>())
        })?;
        let values = values.into_iter().map(|id| Value::new(shared, id));
        PyTuple::new(py, values.collect::<Vec<_>>())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.builder.get().set_state(self.before);
    }
}
