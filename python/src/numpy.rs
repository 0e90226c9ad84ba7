//! The functions behind `rmlir.Data`, which is a Python class that extends the buffer type.

use crate::buffer::{array_of, buffer_type, capsule, new_data};
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

#[pyfunction]
fn data_shape<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(data.py(), array_of(data)?.shape)
}

#[pyfunction]
fn data_strides<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(data.py(), array_of(data)?.strides)
}

#[pyfunction]
fn data_dtype(data: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    Ok(array_of(data)?.element.map(|element| element.numpy))
}

#[pyfunction]
fn data_element_type(data: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(array_of(data)?.element_text)
}

#[pyfunction]
fn data_item_size(data: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(array_of(data)?.item_size)
}

#[pyfunction]
fn data_is_splat(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(array_of(data)?.is_splat())
}

#[pyfunction]
fn data_has_format(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(array_of(data)?
        .element
        .is_some_and(|element| element.format.is_some()))
}

/// Returns the same memory as unsigned integers.
#[pyfunction]
fn data_raw<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    new_data(data.py(), array_of(data)?.raw())
}

#[pyfunction]
fn data_bytes<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let array = array_of(data)?;
    let py = data.py();
    match array.is_splat() {
        true => Ok(PyBytes::new(py, &py.detach(|| array.to_vec()))),
        false => Ok(PyBytes::new(py, array.bytes.as_slice())),
    }
}

/// Returns a DLPack capsule. Without a version, consumers cannot be told that the data is
/// read-only, so they get a copy unless they forbid it.
#[pyfunction]
fn data_dlpack<'py>(
    data: &Bound<'py, PyAny>,
    versioned: bool,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let array = array_of(data)?;
    let py = data.py();
    let is_aligned =
        (array.bytes.as_slice().as_ptr() as usize).is_multiple_of(array.item_size.max(1));
    match copy {
        Some(false) if !is_aligned => Err(PyBufferError::new_err(
            "the data is not aligned in the file, so it must be copied",
        )),
        Some(true) => capsule(py, py.detach(|| array.copied()), versioned, true),
        None if !is_aligned || !versioned => {
            capsule(py, py.detach(|| array.copied()), versioned, true)
        }
        _ => capsule(py, array, versioned, false),
    }
}

/// Adds the type and the functions.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Buffer", buffer_type(module.py())?)?;
    module.add_function(wrap_pyfunction!(data_shape, module)?)?;
    module.add_function(wrap_pyfunction!(data_strides, module)?)?;
    module.add_function(wrap_pyfunction!(data_dtype, module)?)?;
    module.add_function(wrap_pyfunction!(data_element_type, module)?)?;
    module.add_function(wrap_pyfunction!(data_item_size, module)?)?;
    module.add_function(wrap_pyfunction!(data_is_splat, module)?)?;
    module.add_function(wrap_pyfunction!(data_has_format, module)?)?;
    module.add_function(wrap_pyfunction!(data_raw, module)?)?;
    module.add_function(wrap_pyfunction!(data_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(data_dlpack, module)?)
}
