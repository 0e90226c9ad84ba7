//! `Operation`.

use crate::attribute_map::{AttributeMap, Which};
use crate::block::{Block, Region};
use crate::errors::Fault;
use crate::handles::identity;
use crate::location::Location;
use crate::printing::{Format, print_to};
use crate::shared_module::{SharedModule, live, live_block, live_value};
use crate::value::{Value, given_values};
use crate::walk::Walk;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use rmlir::Ir;
use rmlir::ir::{self, FingerprintOptions, Mapping, Op};
use std::sync::Arc;

/// An operation of a module. Access to one that was erased raises `StaleHandleError`.
///
/// >>> import rmlir
/// >>> module = rmlir.parse("func.func @f(%x: i32) -> i32 { return %x : i32 }")
/// >>> f = module["@f"]
/// >>> f.name, f.symbol_name, len(f.regions)
/// ('func.func', 'f', 1)
/// >>> ret = f.body.last
/// >>> ret.operands
/// (<Value argument 0 : i32>,)
/// >>> ret.parent == f
/// True
#[pyclass(frozen, eq, hash, module = "rmlir")]
pub(crate) struct Operation {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Operation,
}

impl Operation {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Operation) -> Self {
        Operation {
            shared: Arc::clone(shared),
            id,
        }
    }

    /// Reads the operation, if it was not erased.
    #[inline]
    pub(crate) fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Op<'_>) -> T + Send,
    ) -> PyResult<T> {
        let read = self.shared.read(py, |ir| live(ir, self.id).map(work));
        Ok(read?)
    }

    fn write<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Ir) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let written = self.shared.write(py, |ir| {
            live(ir, self.id)?;
            work(ir)
        });
        Ok(written?)
    }

    fn other(&self, id: Option<ir::Operation>) -> Option<Operation> {
        id.map(|id| Operation::new(&self.shared, id))
    }

    fn values<'py>(
        &self,
        py: Python<'py>,
        values: Vec<ir::Value>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let values = values.into_iter().map(|id| Value::new(&self.shared, id));
        PyTuple::new(py, values.collect::<Vec<_>>())
    }

    /// Returns another operation of the same module.
    fn same_module(&self, other: &Operation) -> PyResult<ir::Operation> {
        match Arc::ptr_eq(&self.shared, &other.shared) {
            true => Ok(other.id),
            false => Err(PyValueError::new_err(
                "the operation belongs to another module",
            )),
        }
    }
}

/// Checks that an operation can be erased or moved.
///
/// # Errors
///
/// If it is the top-level operation.
fn not_top(ir: &Ir, operation: ir::Operation) -> Result<(), Fault> {
    match ir.parts().1.top() == operation {
        true => Err(Fault::request(
            "the top-level operation can be neither erased nor moved",
        )),
        false => Ok(()),
    }
}

/// Checks that an operation can be moved next to or into a block of `to`.
///
/// # Errors
///
/// If it contains that place.
fn can_move(ir: &Ir, operation: ir::Operation, to: ir::Operation) -> Result<(), Fault> {
    not_top(ir, operation)?;
    match operation != to && ir.parts().1.is_ancestor(operation, to) {
        true => Err(Fault::request("an operation cannot be moved into itself")),
        false => Ok(()),
    }
}

#[pymethods]
impl Operation {
    /// The full name, such as `arith.addi`. It can be set.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        // The bytes of short names are copied to the stack while the lock is held.
        let name = self.get(py, |op| {
            let bytes = op.context.operation_name_bytes(op.module.name(op.id()));
            let mut short = [0u8; 64];
            match short.get_mut(..bytes.len()) {
                Some(prefix) => {
                    prefix.copy_from_slice(bytes);
                    Ok((short, bytes.len()))
                }
                None => Err(op.name().into_owned()),
            }
        })?;
        Ok(match name {
            Ok((bytes, length)) => PyString::new(
                py,
                &String::from_utf8_lossy(bytes.get(..length).unwrap_or_default()),
            ),
            Err(name) => PyString::new(py, &name),
        })
    }

    #[setter]
    fn set_name(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.write(py, |ir| Ok(ir.edit().set_name(self.id, name)?))
    }

    /// The namespace of the dialect.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> PyResult<String> {
        self.get(py, |op| op.dialect().into_owned())
    }

    /// Whether a definition of the operation is known.
    #[getter]
    fn is_registered(&self, py: Python<'_>) -> PyResult<bool> {
        self.get(py, |op| op.definition().is_some())
    }

    /// Whether the operation was erased. Never raises.
    #[getter]
    fn is_erased(&self, py: Python<'_>) -> bool {
        self.shared.read(py, |ir| ir.parts().1.is_erased(self.id))
    }

    /// The operands.
    #[getter]
    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values = self.get(py, |op| op.operands().collect::<Vec<_>>())?;
        self.values(py, values)
    }

    /// The results.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values = self.get(py, |op| op.results().collect::<Vec<_>>())?;
        self.values(py, values)
    }

    /// The only result.
    ///
    /// Raises `ValueError` if there is not exactly one.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Value> {
        let (first, count) = self.get(py, |op| (op.result(0), op.results().len()))?;
        match first {
            Some(id) if count == 1 => Ok(Value::new(&self.shared, id)),
            _ => Err(PyValueError::new_err(format!(
                "the operation has {count} results, not one"
            ))),
        }
    }

    /// Returns the operand that the definition calls `name`; `None` if it is absent or not a single
    /// one.
    fn operand(&self, py: Python<'_>, name: &str) -> PyResult<Option<Value>> {
        let found = self.get(py, |op| op.named_operand(name))?;
        Ok(found.map(|id| Value::new(&self.shared, id)))
    }

    /// Returns the operands that the definition calls `name`; `None` if there is no such group.
    fn operand_group<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.get(py, |op| Some(op.operand_group(name)?.collect::<Vec<_>>()))?;
        found.map(|values| self.values(py, values)).transpose()
    }

    /// Replaces one operand.
    fn set_operand(&self, py: Python<'_>, index: usize, value: &Value) -> PyResult<()> {
        let value = value.of_module(&self.shared)?;
        self.write(py, |ir| {
            live_value(ir, value)?;
            Ok(ir.parts_mut().1.set_operand(self.id, index, value)?)
        })
    }

    /// All attributes, inherent and discardable.
    #[getter]
    fn attributes(&self) -> AttributeMap {
        AttributeMap::new(&self.shared, self.id, Which::All)
    }

    /// The inherent attributes: those that the definition declares.
    #[getter]
    fn properties(&self) -> AttributeMap {
        AttributeMap::new(&self.shared, self.id, Which::Inherent)
    }

    /// The regions.
    #[getter]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let regions = self.get(py, |op| op.regions().collect::<Vec<_>>())?;
        let regions = regions.into_iter().map(|id| Region::new(&self.shared, id));
        PyTuple::new(py, regions.collect::<Vec<_>>())
    }

    /// The first block of the first region; `None` if there is none.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        let block = self.get(py, |op| op.entry_block())?;
        Ok(block.map(|id| Block::new(&self.shared, id)))
    }

    /// The blocks that a terminator can branch to.
    #[getter]
    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let blocks = self.get(py, |op| op.successors().collect::<Vec<_>>())?;
        let blocks = blocks.into_iter().map(|id| Block::new(&self.shared, id));
        PyTuple::new(py, blocks.collect::<Vec<_>>())
    }

    /// The location.
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Location> {
        let id = self.get(py, |op| op.location())?;
        Ok(Location::new(&self.shared, id))
    }

    /// The operation around this one.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let parent = self.get(py, |op| op.parent().map(|op| op.id()))?;
        Ok(self.other(parent))
    }

    /// The block that the operation is in; `None` of the top-level operation.
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        let block = self.get(py, |op| op.block())?;
        Ok(block.map(|id| Block::new(&self.shared, id)))
    }

    /// The next operation of the block.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let next = self.get(py, |op| op.module.next_operation(op.id()))?;
        Ok(self.other(next))
    }

    /// The previous operation of the block.
    #[getter]
    fn previous(&self, py: Python<'_>) -> PyResult<Option<Operation>> {
        let previous = self.get(py, |op| op.module.previous_operation(op.id()))?;
        Ok(self.other(previous))
    }

    /// The name without `@`, of a symbol.
    #[getter]
    fn symbol_name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.get(py, |op| op.symbol_name().map(|name| name.into_owned()))
    }

    /// `public`, `private` or `nested`, of a symbol.
    #[getter]
    fn visibility(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.get(py, |op| {
            op.symbol_name()?;
            Some(op.visibility().as_str())
        })
    }

    /// The path from the top-level operation, for messages.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        self.get(py, |op| op.path())
    }

    /// The operations that use a result.
    #[getter]
    fn users(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        let users = self.get(py, |op| op.users().map(|op| op.id()).collect::<Vec<_>>())?;
        Ok(users
            .into_iter()
            .map(|id| Operation::new(&self.shared, id))
            .collect())
    }

    /// Returns whether the definition has a trait, by its name in C++ such as `Commutative`.
    fn has_trait(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.get(py, |op| op.has_trait(name))
    }

    /// Returns whether the definition has an interface, by its name in C++ such as
    /// `InferTypeOpInterface`.
    fn has_interface(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        self.get(py, |op| op.has_interface(name))
    }

    /// Whether the operation has no side effects, as far as its definition tells.
    #[getter]
    fn is_pure(&self, py: Python<'_>) -> PyResult<bool> {
        self.get(py, |op| op.is_pure())
    }

    /// Iterates over the operation and everything in it: parents first (`pre`) or last (`post`).
    #[pyo3(signature = (order = "pre"))]
    fn walk(&self, py: Python<'_>, order: &str) -> PyResult<Walk> {
        Walk::of(py, &self.shared, self.id, order)
    }

    /// The operations directly in the operation, of all regions and blocks.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        let children = self.get(py, |op| op.children().map(|op| op.id()).collect::<Vec<_>>())?;
        Ok(children
            .into_iter()
            .map(|id| Operation::new(&self.shared, id))
            .collect())
    }

    /// Returns the hash of the content as 64 hexadecimal digits.
    #[pyo3(signature = (*, locations = false))]
    fn fingerprint(&self, py: Python<'_>, locations: bool) -> PyResult<String> {
        let hash = self.shared.read_detached(py, |ir| {
            let op = live(ir, self.id)?;
            let options = FingerprintOptions { locations };
            Ok::<_, Fault>(ir::fingerprint(op.context, op.module, self.id, &options).to_string())
        });
        Ok(hash?)
    }

    /// Returns the text. `generic`: generic form; `locations`: with locations; `names`: names of
    /// values as in the
    /// source; `local_scope`: without aliases; `elide`: leave out constants of more elements.
    #[pyo3(signature = (**options))]
    fn to_text(
        &self,
        py: Python<'_>,
        options: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> PyResult<String> {
        let format = Format::extract(options)?;
        self.text(py, &format)
    }

    /// Prints the text to `file`, by default `sys.stdout`. The other arguments are those of
    /// `to_text`.
    #[pyo3(signature = (*, file = None, **options))]
    fn print(
        &self,
        py: Python<'_>,
        file: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> PyResult<()> {
        let format = Format::extract(options)?;
        print_to(py, &self.text(py, &format)?, file)
    }

    /// Erases the operation and everything in it.
    ///
    /// Raises `Error` if a result is still in use.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        self.write(py, |ir| {
            not_top(ir, self.id)?;
            Ok(ir.edit().erase(self.id)?)
        })
    }

    /// Erases the operation and uses these values instead of its results.
    fn replace_with(&self, py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = given_values(values, &self.shared)?;
        self.write(py, |ir| {
            not_top(ir, self.id)?;
            let own = live(ir, self.id)?.results().collect::<Vec<_>>();
            for &value in &values {
                live_value(ir, value)?;
                if own.contains(&value) {
                    return Err(Fault::request(
                        "an operation cannot be replaced by its own results",
                    ));
                }
                let inside = |owner| ir.parts().1.is_ancestor(self.id, owner);
                let module = ir.parts().1;
                let owner = module.defining_op(value).or_else(|| {
                    let region = module.block_region(module.defining_block(value)?)?;
                    module.region_parent(region)
                });
                if owner.is_some_and(inside) {
                    return Err(Fault::request(
                        "a value of an operation's own body cannot replace it",
                    ));
                }
            }
            Ok(ir.edit().replace_op(self.id, &values)?)
        })
    }

    /// Moves the operation before another.
    fn move_before(&self, py: Python<'_>, other: &Operation) -> PyResult<()> {
        let other = self.same_module(other)?;
        self.write(py, |ir| {
            live(ir, other)?;
            can_move(ir, self.id, other)?;
            Ok(ir.parts_mut().1.insert_before(other, self.id)?)
        })
    }

    /// Moves the operation after another.
    fn move_after(&self, py: Python<'_>, other: &Operation) -> PyResult<()> {
        let other = self.same_module(other)?;
        self.write(py, |ir| {
            live(ir, other)?;
            can_move(ir, self.id, other)?;
            Ok(ir.parts_mut().1.insert_after(other, self.id)?)
        })
    }

    /// Moves the operation to the end of a block.
    fn move_to_end(&self, py: Python<'_>, block: &Block) -> PyResult<()> {
        let block = block.of_module(&self.shared)?;
        self.write(py, |ir| {
            live_block(ir, block)?;
            let module = ir.parts().1;
            let region = module.block_region(block);
            match region.and_then(|region| module.region_parent(region)) {
                Some(owner) if owner == self.id => {
                    return Err(Fault::request("an operation cannot be moved into itself"));
                }
                Some(owner) => can_move(ir, self.id, owner)?,
                None => not_top(ir, self.id)?,
            }
            ir.parts_mut().1.append_operation(block, self.id);
            Ok(())
        })
    }

    /// Inserts a copy after the operation, and returns it.
    fn clone(&self, py: Python<'_>) -> PyResult<Operation> {
        let id = self.write(py, |ir| {
            not_top(ir, self.id)?;
            let mut mapping = Mapping::new();
            Ok(ir.edit().after(self.id)?.clone_op(self.id, &mut mapping)?)
        })?;
        Ok(Operation::new(&self.shared, id))
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Operation> {
        let child = self.get(py, |op| {
            let children: Vec<_> = op.children().map(|op| op.id()).collect();
            let index = match index {
                0.. => Some(index as usize),
                _ => children.len().checked_add_signed(index),
            };
            index.and_then(|index| children.get(index).copied())
        })?;
        match self.other(child) {
            Some(child) => Ok(child),
            None => Err(PyIndexError::new_err("index out of range")),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, &Format::default())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let shown = self.get(py, |op| {
            let name = op.name().into_owned();
            (name, op.symbol_name().map(|symbol| symbol.into_owned()))
        });
        match shown {
            Ok((name, Some(symbol))) => format!("<Operation {name} @{symbol}>"),
            Ok((name, None)) => format!("<Operation {name}>"),
            Err(_) => "<Operation (erased)>".to_owned(),
        }
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let html = self.shared.read_detached(py, |ir| {
            live(ir, self.id)?;
            Ok::<_, Fault>(crate::html::page(ir, self.id))
        });
        Ok(html?)
    }
}

impl Operation {
    fn text(&self, py: Python<'_>, format: &Format) -> PyResult<String> {
        let text = self.shared.read_detached(py, |ir| {
            live(ir, self.id)?;
            format.text(ir, self.id)
        });
        Ok(text?)
    }
}

identity!(Operation);
