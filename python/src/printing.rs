//! Options of printing.

use crate::errors::Fault;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rmlir::ir::Operation;
use rmlir::text::{PrintOptions, print_module, print_operation};
use rmlir::{Ir, Threads};

/// The keyword arguments of `to_text` and `print`.
#[derive(Default)]
pub(crate) struct Format {
    generic: bool,
    locations: bool,
    names: bool,
    local_scope: bool,
    elide: Option<u64>,
}

impl Format {
    /// Takes the keyword arguments.
    ///
    /// # Errors
    ///
    /// If one is unknown or has a wrong type.
    pub(crate) fn extract(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut format = Format::default();
        for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
            let name: String = name.extract()?;
            match name.as_str() {
                "generic" => format.generic = value.extract()?,
                "locations" => format.locations = value.extract()?,
                "names" => format.names = value.extract()?,
                "local_scope" => format.local_scope = value.extract()?,
                "elide" => format.elide = value.extract()?,
                _ => {
                    return Err(PyTypeError::new_err(format!(
                        "unexpected keyword argument '{name}'; expected generic, locations, names, \
                         local_scope or elide"
                    )));
                }
            }
        }
        Ok(format)
    }

    /// Returns the options of the library.
    pub(crate) fn options(&self) -> PrintOptions {
        let mut options = PrintOptions::default();
        options.generic = self.generic;
        options.debug_info = self.locations;
        options.keep_names = self.names;
        options.local_scope = self.local_scope;
        options.elide_elements_if_larger = self.elide;
        options.elide_resources_if_larger = self.elide;
        options.threads = threads(None);
        options
    }

    /// Returns the text of an operation: with resources if it is the top-level one.
    ///
    /// # Errors
    ///
    /// If the text gets too long.
    pub(crate) fn text(&self, ir: &Ir, operation: Operation) -> Result<String, Fault> {
        let (context, module) = ir.parts();
        let (mut out, options) = (Vec::new(), self.options());
        match operation == module.top() {
            true => print_module(context, module, &options, &mut out)?,
            false => print_operation(context, module, operation, &options, &mut out)?,
        }
        String::from_utf8(out).map_err(|_| Fault::request("the text is not UTF-8"))
    }
}

/// The maximum number of threads by default: each takes memory of its own.
const MOST_THREADS: usize = 8;

/// Returns a number of threads; by default that of the machine, at most 8.
pub(crate) fn threads(count: Option<usize>) -> Threads {
    match count {
        None | Some(0) => Threads::new(Threads::available().count().min(MOST_THREADS)),
        Some(count) => Threads::new(count),
    }
}

/// Writes text to a Python file, or to standard output.
///
/// # Errors
///
/// Those of the file.
pub(crate) fn print_to(py: Python<'_>, text: &str, file: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    let file = match file {
        Some(file) => file,
        None => py.import("sys")?.getattr("stdout")?,
    };
    file.call_method1("write", (text,))?;
    if !text.ends_with('\n') {
        file.call_method1("write", ("\n",))?;
    }
    Ok(())
}
