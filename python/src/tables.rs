//! `Tables`: modules as Arrow streams.

use crate::errors::Fault;
use crate::module::{Reading, bytes_of, path_of};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use rmlir::Source;
use rmlir_tools::tables::{TableInput, TableOptions, Tables as Batches, What};
use std::sync::{Arc, Mutex, PoisonError};

/// A table over files: an object with `__arrow_c_stream__`, which reads the files anew each time it
/// is asked for.
///
/// Memory is bounded by a batch and by what is read at once: a file of up to 16 MB; of larger
/// bytecode the types, attributes and locations of one top-level operation and 16 MiB of others, of
/// a larger text one top-level operation.
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Tables {
    inputs: Vec<TableInput>,
    options: TableOptions,
    errors: Errors,
}

/// The files that were left out, with the reasons.
type Errors = Arc<Mutex<Vec<(String, String)>>>;

/// The batches, which reports the files that were left out.
struct Reader {
    batches: Batches,
    errors: Errors,
    reported: usize,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next();
        let new = self.batches.errors().iter().skip(self.reported);
        let new: Vec<_> = new
            .map(|(name, error)| (name.clone(), error.to_string()))
            .collect();
        self.reported += new.len();
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(new);
        Some(batch?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

#[pymethods]
impl Tables {
    /// The files that were left out with `errors="skip"`, with the reasons. Complete when the last
    /// stream was read.
    #[getter]
    fn errors(&self) -> Vec<(String, String)> {
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns a capsule with an Arrow stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request is a hint that may be ignored.
        let _ = requested_schema;
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let reader = Reader {
            batches: Batches::new(self.inputs.clone().into(), self.options.clone()),
            errors: Arc::clone(&self.errors),
            reported: 0,
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Returns a capsule with the Arrow schema of the stream. No file is read.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = Batches::new(Default::default(), self.options.clone());
        let schema = FFI_ArrowSchema::try_from(batches.schema().as_ref())
            .map_err(|error| Fault::request(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        format!("<Tables of {} files>", self.inputs.len())
    }
}

/// Takes a file: a path, bytes, or a pair of name and bytes.
fn input(object: &Bound<'_, PyAny>) -> PyResult<TableInput> {
    if let Some(path) = path_of(object)? {
        return Ok(TableInput::Path(path));
    }
    let (name, bytes) = match object.cast::<PyTuple>() {
        Ok(pair) => {
            let (name, bytes): (String, Bound<'_, PyAny>) = pair.extract()?;
            (name, bytes_of(&bytes)?)
        }
        Err(_) => ("-".to_owned(), bytes_of(object)?),
    };
    Ok(TableInput::Bytes(name, Source::from(bytes)))
}

/// Returns files as a table of `operations`, `symbols`, `attributes`, `constants` or `locations`.
///
/// A file is a path, bytes, or a pair of a name and bytes. With `errors="skip"`, files that cannot
/// be read are left out, and `errors` of the table lists them. Otherwise the engine that reads the
/// table raises an error of its own class with the message that `open` would raise: streams of
/// Arrow have messages only. Fingerprints are those of symbols and modules, unless
/// `all_fingerprints=True`. The other arguments are those of `open`. The guide `data.md` has the
/// columns.
///
/// >>> import rmlir
/// >>> table = rmlir.tables([("f.mlir", b"func.func private @f()")], what="symbols")
/// >>> hasattr(table, "__arrow_c_stream__")
/// True
#[pyfunction]
#[pyo3(signature = (
    files, what = "operations", *, batch_rows = 16384, errors = "raise", all_fingerprints = false, **options
))]
pub(crate) fn tables(
    files: &Bound<'_, PyAny>,
    what: &str,
    batch_rows: usize,
    errors: &str,
    all_fingerprints: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Tables> {
    let what = match what {
        "operations" => What::Operations,
        "symbols" => What::Symbols,
        "attributes" => What::Attributes,
        "constants" => What::Constants,
        "locations" => What::Locations,
        _ => {
            return Err(PyValueError::new_err(format!(
                "unknown table '{what}': expected operations, symbols, attributes, constants or locations"
            )));
        }
    };
    let skip_errors = match errors {
        "raise" => false,
        "skip" => true,
        _ => return Err(PyValueError::new_err("errors is 'raise' or 'skip'")),
    };
    if batch_rows == 0 {
        return Err(Fault::request("a batch has at least one row").into());
    }
    let inputs = match path_of(files)?.is_some() || files.is_instance_of::<pyo3::types::PyBytes>() {
        true => vec![input(files)?],
        false => files
            .try_iter()?
            .map(|file| input(&file?))
            .collect::<PyResult<_>>()?,
    };
    Ok(Tables {
        inputs,
        options: TableOptions {
            what,
            batch_rows,
            read: Reading::extract(options)?.options,
            skip_errors,
            all_fingerprints,
            ..TableOptions::default()
        },
        errors: Errors::default(),
    })
}
