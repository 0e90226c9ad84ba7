//! Exceptions, and diagnostics with locations.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use rmlir::text;

create_exception!(
    rmlir,
    Error,
    PyException,
    "The base of all errors of rmlir, except `OSError`."
);
create_exception!(
    rmlir,
    ParseError,
    Error,
    "The text is not valid MLIR. `file`, `line` and `column` are those of the first error, `diagnostics` lists all."
);
create_exception!(
    rmlir,
    VerifyError,
    Error,
    "The module breaks rules of the IR or of its dialects. Attributes as of `ParseError`."
);
create_exception!(
    rmlir,
    CorruptError,
    Error,
    "The bytecode is damaged or truncated. `offset` is the byte offset, if it is known."
);
create_exception!(
    rmlir,
    UnsupportedError,
    Error,
    "The file is of an unknown version, or has content in an unknown encoding."
);
create_exception!(
    rmlir,
    LimitError,
    Error,
    "The input would expand beyond the limits on memory and work."
);
create_exception!(
    rmlir,
    StaleHandleError,
    Error,
    "The operation, block, region or value was erased."
);

/// The reason why a call failed; it becomes an exception.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A handle of this kind denotes something that was erased.
    Stale(&'static str),
    /// An error of the library, with the file that was read.
    Library(rmlir::Error, Option<String>),
    /// The request cannot be fulfilled.
    Request(String),
}

impl Fault {
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Fault::Request(message.into())
    }
}

impl<E: Into<rmlir::Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Fault::Library(error.into(), None)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Stale(what) => StaleHandleError::new_err(format!("the {what} was erased")),
            Fault::Request(message) => Error::new_err(message),
            Fault::Library(error, file) => library_error(&error, file.as_deref()),
        }
    }
}

/// Returns the exception of an error of the library.
fn library_error(error: &rmlir::Error, file: Option<&str>) -> PyErr {
    let message = match (error.path(), file) {
        // An empty path, which the message begins with.
        (Some(""), _) => format!("''{error}"),
        (None, Some("")) => format!("'': {error}"),
        (None, Some(file)) if error.diagnostics().next().is_none() => format!("{file}: {error}"),
        _ => error.to_string(),
    };
    let diagnostics: Vec<Diagnostic> = error.diagnostics().map(Diagnostic::new).collect();
    if !diagnostics.is_empty() {
        return Python::attach(|py| {
            let exception = match error.is_syntax() {
                true => ParseError::new_err(message),
                false => VerifyError::new_err(message),
            };
            let set = || -> PyResult<()> {
                let value = exception.value(py);
                if let Some(first) = diagnostics.first() {
                    value.setattr("file", &first.file)?;
                    value.setattr("line", first.line)?;
                    value.setattr("column", first.column)?;
                }
                value.setattr("diagnostics", diagnostics.clone())
            };
            set().err().unwrap_or(exception)
        });
    }
    if let Some(kind) = error.io_kind() {
        let failed = std::io::Error::new(kind, message.clone());
        return match kind {
            std::io::ErrorKind::Other => PyOSError::new_err(message),
            _ => failed.into(),
        };
    }
    if error.is_corrupt() {
        let exception = CorruptError::new_err(message);
        return Python::attach(|py| {
            let set = exception.value(py).setattr("offset", error.offset());
            set.err().unwrap_or(exception)
        });
    }
    if error.is_unsupported() {
        return UnsupportedError::new_err(message);
    }
    if error.is_limit() {
        return LimitError::new_err(message);
    }
    Error::new_err(message)
}

/// An error, warning or note with its location. Lines and columns begin at 1.
#[pyclass(frozen, module = "rmlir")]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    severity: &'static str,
    message: String,
    file: String,
    line: usize,
    column: usize,
    length: usize,
    source_line: String,
    notes: Vec<Diagnostic>,
    text: String,
}

impl Diagnostic {
    /// Notes have no notes of their own, so this does not recurse further.
    fn new(diagnostic: &text::Diagnostic) -> Self {
        let mut own = Self::without_notes(diagnostic);
        own.notes = diagnostic.notes.iter().map(Self::without_notes).collect();
        own
    }

    fn without_notes(diagnostic: &text::Diagnostic) -> Self {
        Diagnostic {
            severity: diagnostic.severity.name(),
            message: diagnostic.message.clone(),
            file: diagnostic.file.clone(),
            line: diagnostic.line,
            column: diagnostic.column,
            length: diagnostic.length,
            source_line: diagnostic.source_line.clone(),
            notes: Vec::new(),
            text: diagnostic.to_string(),
        }
    }
}

#[pymethods]
impl Diagnostic {
    /// `error`, `warning`, `remark` or `note`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.severity
    }

    /// The message.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    /// The file.
    #[getter]
    fn file(&self) -> &str {
        &self.file
    }

    /// The line, from 1; 0 if it is not known.
    #[getter]
    fn line(&self) -> usize {
        self.line
    }

    /// The column, from 1, in bytes.
    #[getter]
    fn column(&self) -> usize {
        self.column
    }

    /// The number of bytes that are meant.
    #[getter]
    fn length(&self) -> usize {
        self.length
    }

    /// The line of the source, if it is known.
    #[getter]
    fn source_line(&self) -> &str {
        &self.source_line
    }

    /// The notes that belong to it.
    #[getter]
    fn notes(&self) -> Vec<Diagnostic> {
        self.notes.clone()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let Diagnostic {
            severity,
            file,
            line,
            column,
            message,
            ..
        } = self;
        format!("<Diagnostic {file}:{line}:{column}: {severity}: {message}>")
    }
}

/// Adds the exceptions and the class to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("ParseError", py.get_type::<ParseError>())?;
    module.add("VerifyError", py.get_type::<VerifyError>())?;
    module.add("CorruptError", py.get_type::<CorruptError>())?;
    module.add("UnsupportedError", py.get_type::<UnsupportedError>())?;
    module.add("LimitError", py.get_type::<LimitError>())?;
    module.add("StaleHandleError", py.get_type::<StaleHandleError>())?;
    module.add_class::<Diagnostic>()
}
