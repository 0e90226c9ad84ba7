//! The extension module `rmlir._rmlir`.
//!
//! The Python package beside it documents all classes and functions: `rmlir/__init__.pyi`.

mod attribute_map;
mod attributes;
mod block;
mod buffer;
mod builder;
mod cache;
mod data;
mod dialect;
mod diff;
mod errors;
mod handles;
mod html;
mod location;
mod module;
mod numpy;
mod operation;
mod parameters;
mod printing;
mod programs;
mod shared_module;
mod tables;
mod types;
mod value;
mod walk;

use pyo3::prelude::*;

#[pymodule]
fn _rmlir(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    module::register(module)?;
    numpy::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<operation::Operation>()?;
    module.add_class::<block::Block>()?;
    module.add_class::<block::Region>()?;
    module.add_class::<value::Value>()?;
    module.add_class::<types::Type>()?;
    module.add_class::<attributes::Attribute>()?;
    module.add_class::<attribute_map::AttributeMap>()?;
    module.add_class::<location::Location>()?;
    module.add_class::<walk::Walk>()?;
    module.add_class::<builder::Builder>()?;
    module.add_class::<builder::Body>()?;
    module.add_class::<cache::Cache>()?;
    module.add_class::<tables::Tables>()?;
    module.add_function(wrap_pyfunction!(tables::tables, module)?)?;
    module.add_function(wrap_pyfunction!(programs::run_program, module)?)?;
    // The list of the package is the one that counts.
    module.delattr("__all__")
}
