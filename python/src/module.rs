//! `Module`: a file or a module in memory.

use crate::attributes::Attribute;
use crate::block::Block;
use crate::data::Array;
use crate::dialect::{Dialect, definitions};
use crate::diff::{Change, changes};
use crate::errors::Fault;
use crate::operation::Operation;
use crate::printing::{Format, print_to, threads};
use crate::shared_module::SharedModule;
use crate::types::Type;
use crate::walk::Walk;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};
use rmlir::ir::definition::Release;
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{
    self, EqualityOptions, FingerprintOptions, LinkOptions, StripOptions, VerifyOptions,
};
use rmlir::reader::lazy::SymbolPath;
use rmlir::{File, Form, Ir, ReadOptions, Source, WriteOptions};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A module, of a file or made in memory.
///
/// Bytecode is opened lazily: `symbols()`, `module["@f"]`, `operation_counts()` and `extract` read
/// what
/// they need; everything else reads the whole module first, as `load()` does. An operation that was
/// read alone is in a module of its own, and read-only.
///
/// >>> import rmlir
/// >>> module = rmlir.parse("func.func private @f()")
/// >>> module.symbols()
/// [<Symbol @f (func.func, private)>]
/// >>> "@f" in module, "@g" in module
/// (True, False)
/// >>> rmlir.open(module.to_bytes("mlirbc")).equals(module)
/// True
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Module {
    /// Set when the whole module is in memory.
    loaded: OnceLock<Arc<SharedModule>>,
    /// Bytecode that was opened.
    file: Option<File>,
    /// The file's name, for errors.
    name: Option<String>,
    /// Held while the file is read.
    loading: Mutex<()>,
}

impl Module {
    pub(crate) fn of(shared: Arc<SharedModule>) -> Self {
        Module {
            loaded: OnceLock::from(shared),
            file: None,
            name: None,
            loading: Mutex::new(()),
        }
    }

    pub(crate) fn new(ir: Ir) -> Self {
        Module::of(SharedModule::new(ir))
    }

    /// Returns an error with the name of the file.
    fn named(&self, error: impl Into<rmlir::Error>) -> Fault {
        Fault::Library(error.into(), self.name.clone())
    }

    /// Returns the module, and reads it first if necessary. Other Python threads run meanwhile.
    pub(crate) fn shared(&self, py: Python<'_>) -> PyResult<&Arc<SharedModule>> {
        if let Some(shared) = self.loaded.get() {
            return Ok(shared);
        }
        let loaded = py.detach(|| {
            let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(shared) = self.loaded.get() {
                return Ok(shared);
            }
            let file = self.file.as_ref();
            let file = file.ok_or_else(|| Fault::request("there is no file"))?;
            let ir = file.read_all().map_err(|error| self.named(error))?;
            Ok::<_, Fault>(self.loaded.get_or_init(|| SharedModule::new(ir)))
        });
        Ok(loaded?)
    }

    /// Returns the file, unless the whole module is in memory and may have been changed.
    fn lazy(&self) -> Option<&File> {
        match self.loaded.get() {
            Some(_) => None,
            None => self.file.as_ref(),
        }
    }

    /// Returns the operation of a symbol reference; `None` if there is none.
    fn find(&self, py: Python<'_>, reference: &str) -> PyResult<Option<Operation>> {
        let path = symbol_path(reference)?;
        if let Some(file) = self.lazy() {
            let read = py.detach(|| {
                let lazy = file.as_lazy();
                let symbol = lazy.symbol(&path).map_err(|error| self.named(error))?;
                let Some(symbol) = symbol else {
                    return Ok(None);
                };
                let read = file
                    .read_symbol(&symbol)
                    .map_err(|error| self.named(error))?;
                Ok::<_, Fault>(Some(read))
            })?;
            return Ok(read.map(|(ir, id)| Operation::new(&SharedModule::part(ir), id)));
        }
        let shared = self.shared(py)?;
        let found = shared.read(py, |ir| find_symbol(ir, &path));
        Ok(found.map(|id| Operation::new(shared, id)))
    }
}

/// Parses a reference: `@f`, `f`, `@a::@b`.
fn symbol_path(reference: &str) -> PyResult<SymbolPath> {
    let parsed = match reference.starts_with('@') {
        true => SymbolPath::parse(reference).map_err(|e| PyErr::from(Fault::from(e)))?,
        false => SymbolPath::new([reference]),
    };
    Ok(parsed)
}

/// Finds a symbol below the top-level operation.
fn find_symbol(ir: &Ir, path: &SymbolPath) -> Option<ir::Operation> {
    let mut table = ir.op();
    for name in path.names() {
        let mut children = table.children();
        table = children.find(|op| {
            let own = op.module.symbol_name(op.context, op.id());
            own.is_some_and(|own| op.context.bytes(own) == name)
        })?;
    }
    (path.len() > 0).then(|| table.id())
}

/// A symbol of a module, without its operation.
#[pyclass(frozen, get_all, module = "rmlir")]
pub(crate) struct Symbol {
    /// The reference, such as `@module::@function`.
    path: String,
    /// The name without `@`.
    name: String,
    /// The name of the operation.
    operation: String,
    /// `public`, `private` or `nested`.
    visibility: &'static str,
    /// The bytes in the file; `None` of a module in memory.
    bytes: Option<u64>,
}

#[pymethods]
impl Symbol {
    fn __repr__(&self) -> String {
        format!(
            "<Symbol {} ({}, {})>",
            self.path, self.operation, self.visibility
        )
    }

    fn __str__(&self) -> &str {
        &self.path
    }
}

/// The options of reading that all functions have.
pub(crate) struct Reading {
    pub(crate) options: ReadOptions,
}

impl Reading {
    /// Takes the keyword arguments.
    ///
    /// # Errors
    ///
    /// If one is unknown or has a wrong type, or a definition is invalid.
    pub(crate) fn extract(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = ReadOptions::default();
        options.threads = threads(None);
        for (name, value) in arguments.into_iter().flat_map(|arguments| arguments.iter()) {
            let name: String = name.extract()?;
            match name.as_str() {
                "dialects" => {
                    for item in value.try_iter()? {
                        options.dialects.extend(definitions(&item?)?);
                    }
                }
                "file_name" => options.file_name = value.extract()?,
                "verify" => options.verify = value.extract()?,
                "allow_unknown" => options.allow_unknown = value.extract()?,
                "keep_names" => options.keep_names = value.extract()?,
                "threads" => options.threads = threads(value.extract()?),
                "max_errors" => options.max_errors = value.extract()?,
                "producer_release" => options.producer_release = optional_release(&value)?,
                "release" => options.release = optional_release(&value)?,
                _ => {
                    let message = format!("unexpected keyword argument '{name}'");
                    return Err(PyTypeError::new_err(message));
                }
            }
        }
        Ok(Reading { options })
    }
}

/// Returns the release that an argument names; `None` for `None`.
fn optional_release(value: &Bound<'_, PyAny>) -> PyResult<Option<Release>> {
    let text: Option<String> = value.extract()?;
    text.map(|text| release(&text)).transpose()
}

fn release(text: &str) -> PyResult<Release> {
    let parsed = text.parse::<Release>();
    parsed.map_err(|_| {
        let known: Vec<String> = Release::known()
            .map(|release| release.to_string())
            .collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("unknown release '{text}'; known are {known}"))
    })
}

/// Returns a path given as `str` or `os.PathLike`; `None` for other objects.
pub(crate) fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    match object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
        true => object.extract().map(Some),
        false => Ok(None),
    }
}

/// Returns a copy of the bytes of an object.
pub(crate) fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    // Any other object with the buffer protocol.
    let view = object.py().import("builtins")?.getattr("memoryview")?;
    let bytes = view
        .call1((object,))
        .and_then(|view| object.py().get_type::<PyBytes>().call1((view,)));
    match bytes {
        Ok(bytes) => Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec()),
        Err(_) => {
            let ty = object.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "expected a path or bytes, found {ty}"
            )))
        }
    }
}

/// Opens a file, or bytes in memory, of any form; the form is recognized by content.
///
/// Bytecode is read lazily, see `Module`; a file of bytecode is mapped into memory, so it must not
/// be
/// changed while it is in use, unless `mmap=False`. `dialects` are definitions: `Dialect` objects
/// or
/// paths of files. `verify` checks the module. `allow_unknown` accepts operations that a complete
/// definition does not declare. `keep_names` keeps names of values. `threads` is the number of
/// threads
/// that work on it, by default that of the machine, at most 8. `max_errors` limits diagnostics.
/// `producer_release` says which release wrote upstream's bytecode, if the file does not. `release`
/// is the one whose formats text is read and printed by, such as "llvm-24".
///
/// Raises `ParseError`, `CorruptError`, `UnsupportedError`, `LimitError`, `VerifyError` or
/// `OSError`.
///
/// >>> import rmlir
/// >>> rmlir.open(b"func.func private @f()").symbols()
/// [<Symbol @f (func.func, private)>]
#[pyfunction]
#[pyo3(signature = (source, *, mmap = true, **options))]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    mmap: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Module> {
    let mut options = Reading::extract(options)?.options;
    let path = path_of(source)?;
    let bytes = match path {
        Some(_) => None,
        None => Some(bytes_of(source)?),
    };
    if let Some(path) = &path {
        options = options.for_path(path);
    }
    let name = path.is_some().then(|| options.file_name.clone());
    let opened = py.detach(|| {
        let fault = |error: rmlir::Error| Fault::Library(error, name.clone());
        let source = match (&path, bytes) {
            (Some(path), _) if mmap && !is_text(path).map_err(fault)? => {
                crate::buffer::map_file(path)
            }
            (Some(path), _) => Source::read(path),
            (None, bytes) => Ok(Source::from(bytes.unwrap_or_default())),
        };
        let source = source.map_err(|error| fault(error.into()))?;
        if Form::of(&source) == Form::Text || options.verify {
            return Ok(Module::new(
                rmlir::read_with(source, &options).map_err(fault)?,
            ));
        }
        let file = File::from_bytes(source, &options).map_err(fault)?;
        Ok::<_, Fault>(Module {
            loaded: OnceLock::new(),
            file: Some(file),
            name: name.clone(),
            loading: Mutex::new(()),
        })
    });
    Ok(opened?)
}

fn is_text(path: &std::path::Path) -> rmlir::Result<bool> {
    Ok(Form::of_file(path)? == Form::Text)
}

/// Parses text. The arguments are those of `open`; `file_name` is for diagnostics.
///
/// >>> import rmlir
/// >>> try:
/// ...     rmlir.parse("func.func @f( {", file_name="a.mlir")
/// ... except rmlir.ParseError as error:
/// ...     print(error.file, error.line, error.column)
/// a.mlir 1 15
#[pyfunction]
#[pyo3(signature = (text, **options))]
pub(crate) fn parse(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Module> {
    let options = Reading::extract(options)?.options;
    let text = match text.cast::<PyString>() {
        Ok(text) => text.extract::<String>()?.into_bytes(),
        Err(_) => bytes_of(text)?,
    };
    let parsed = py.detach(|| rmlir::parse_with(&text, &options).map_err(Fault::from));
    Ok(Module::new(parsed?))
}

/// Links modules: declarations meet definitions, private symbols of equal names are renamed.
/// `dedupe` merges private symbols of equal content.
///
/// Raises `VerifyError` if a symbol is defined twice or declarations do not match.
///
/// >>> import rmlir
/// >>> one, two = rmlir.parse("func.func private @g()"), rmlir.parse("func.func @g() { return }")
/// >>> print([symbol.path for symbol in rmlir.link([one, two]).symbols()])
/// ['@g']
#[pyfunction]
#[pyo3(signature = (modules, *, dedupe = false))]
pub(crate) fn link(
    py: Python<'_>,
    modules: Vec<PyRef<'_, Module>>,
    dedupe: bool,
) -> PyResult<Module> {
    let mut options = LinkOptions::default();
    options.dedupe = dedupe;
    let shared = modules.iter().map(|module| module.shared(py));
    let shared = shared.collect::<PyResult<Vec<_>>>()?;
    let linked = with_all(py, &shared, |modules| Ok(rmlir::link(modules, &options)?));
    Ok(Module::new(linked?))
}

/// Reads several modules together. The locks are taken in the order of their addresses, so that
/// two threads never wait for each other.
fn with_all<T: Send>(
    py: Python<'_>,
    modules: &[&Arc<SharedModule>],
    work: impl FnOnce(&[&Ir]) -> Result<T, Fault> + Send,
) -> Result<T, Fault> {
    py.detach(|| {
        let mut order: Vec<usize> = (0..modules.len()).collect();
        order.compact_sort_by_key(|&index| Arc::as_ptr(modules[index]) as usize);
        let mut guards = BTreeMap::new();
        for index in order {
            let address = Arc::as_ptr(modules[index]) as usize;
            guards
                .entry(address)
                .or_insert_with(|| modules[index].lock());
        }
        let all = modules.iter();
        let all = all.filter_map(|shared| {
            guards
                .get(&(Arc::as_ptr(shared) as usize))
                .map(|guard| &**guard)
        });
        work(&all.collect::<Vec<_>>())
    })
}

/// The keyword arguments of `to_bytes` and `save`.
fn write_options(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<WriteOptions> {
    let mut options = WriteOptions::default();
    options.rmbc.threads = threads(None);
    options.text.threads = threads(None);
    for (name, value) in arguments.into_iter().flat_map(|arguments| arguments.iter()) {
        let name: String = name.extract()?;
        match name.as_str() {
            "target" => {
                let target: Option<String> = value.extract()?;
                options.mlirbc.target = target.map(|text| release(&text)).transpose()?;
            }
            "producer" => {
                let producer: Option<String> = value.extract()?;
                options.mlirbc.producer = producer.map(String::into_bytes);
            }
            "version" => options.mlirbc.version = value.extract()?,
            "compression" => options.rmbc.compression = value.extract()?,
            "locations" => {
                let locations = value.extract()?;
                options.rmbc.locations = locations;
                options.text.debug_info = locations;
            }
            "names" => {
                let names = value.extract()?;
                options.rmbc.names = names;
                options.text.keep_names = names;
            }
            "fingerprints" => options.rmbc.hashes = value.extract()?,
            "generic" => options.text.generic = value.extract()?,
            "threads" => {
                options.rmbc.threads = threads(value.extract()?);
                options.text.threads = options.rmbc.threads;
            }
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "unexpected keyword argument '{name}'"
                )));
            }
        }
    }
    Ok(options)
}

fn form_of(name: &str) -> PyResult<Form> {
    match name {
        "rmbc" => Ok(Form::Rmbc),
        "mlirbc" => Ok(Form::Mlirbc),
        "mlir" | "text" => Ok(Form::Text),
        _ => {
            let message = format!("unknown form '{name}': expected 'rmbc', 'mlirbc' or 'mlir'");
            Err(PyValueError::new_err(message))
        }
    }
}

#[pymethods]
impl Module {
    #[new]
    #[pyo3(signature = (*, dialects = None))]
    fn py_new(py: Python<'_>, dialects: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let arguments = PyDict::new(py);
        if let Some(dialects) = dialects {
            arguments.set_item("dialects", dialects)?;
        }
        let options = Reading::extract(Some(&arguments))?.options;
        Ok(Module::new(Ir::with_context(options.context())))
    }

    /// Reads the whole module now, and returns it.
    fn load(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        slf.shared(slf.py())?;
        Ok(slf)
    }

    /// Whether the whole module is in memory.
    #[getter]
    fn is_loaded(&self) -> bool {
        self.loaded.get().is_some()
    }

    /// `rmbc` or `mlirbc`, of bytecode that was opened; `None` otherwise.
    #[getter]
    fn form(&self) -> Option<&'static str> {
        self.file.as_ref().map(|file| file.form().name())
    }

    /// The top-level operation, usually a `builtin.module`.
    #[getter]
    fn op(&self, py: Python<'_>) -> PyResult<Operation> {
        let shared = self.shared(py)?;
        let top = shared.read(py, |ir| ir.op().id());
        Ok(Operation::new(shared, top))
    }

    /// The first block of the top-level operation.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        let shared = self.shared(py)?;
        let body = shared.read(py, |ir| ir.parts().1.body());
        Ok(body.map(|id| Block::new(shared, id)))
    }

    /// The producer that bytecode names, such as `MLIR22.1.8`.
    #[getter]
    fn producer(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let shared = self.shared(py)?;
        Ok(shared.read(py, |ir| {
            let producer = ir.parts().1.provenance.producer.as_ref();
            producer.map(|&text| ir.context().str(text).into_owned())
        }))
    }

    /// Iterates over all operations, the top-level one included: parents first (`pre`) or last
    /// (`post`).
    #[pyo3(signature = (order = "pre"))]
    fn walk(&self, py: Python<'_>, order: &str) -> PyResult<Walk> {
        let shared = self.shared(py)?;
        let top = shared.read(py, |ir| ir.op().id());
        Walk::of(py, shared, top, order)
    }

    /// Returns all operations, or those with one of these names, parents first.
    ///
    /// >>> import rmlir
    /// >>> rmlir.parse("func.func private @f()").ops("func.func")
    /// [<Operation func.func @f>]
    #[pyo3(signature = (*names))]
    fn ops(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<Operation>> {
        let shared = self.shared(py)?;
        let found = shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            // Each name is compared once for all operations.
            let mut wanted: Vec<Option<bool>> = Vec::new();
            let mut is_wanted = |name: ir::OperationName| {
                if names.is_empty() {
                    return true;
                }
                if wanted.len() <= name.index() {
                    wanted.resize(name.index() + 1, None);
                }
                *wanted[name.index()].get_or_insert_with(|| {
                    let bytes = context.operation_name_bytes(name);
                    names.iter().any(|wanted| wanted.as_bytes() == bytes)
                })
            };
            let all = module.descendants(module.top());
            all.filter(|&id| is_wanted(module.name(id)))
                .collect::<Vec<_>>()
        });
        Ok(found
            .into_iter()
            .map(|id| Operation::new(shared, id))
            .collect())
    }

    /// Returns the number of operations of each name. Faster than a walk; a lazy module is not
    /// loaded.
    fn operation_counts(&self, py: Python<'_>) -> PyResult<BTreeMap<String, u64>> {
        if let Some(file) = self.lazy() {
            let survey = py.detach(|| {
                let mut context = ReadOptions::default().context();
                file.survey(&mut context).map_err(|error| self.named(error))
            })?;
            // Files with isolated operations in unknown encodings are counted in memory.
            if survey.contents.undecided == 0 {
                let counts = survey.operations.iter();
                let counts = counts
                    .map(|(name, count)| (String::from_utf8_lossy(name).into_owned(), *count));
                return Ok(counts.collect());
            }
        }
        let shared = self.shared(py)?;
        Ok(shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            let mut counts: Vec<(Option<ir::OperationName>, u64)> = Vec::new();
            for operation in module.descendants(module.top()) {
                let name = module.name(operation);
                if counts.len() <= name.index() {
                    counts.resize(name.index() + 1, (None, 0));
                }
                let count = &mut counts[name.index()];
                *count = (Some(name), count.1 + 1);
            }
            let counts = counts.into_iter();
            let counts = counts.filter_map(|(name, count)| {
                let bytes = context.operation_name_bytes(name?);
                Some((String::from_utf8_lossy(bytes).into_owned(), count))
            });
            counts.collect()
        }))
    }

    /// Lists all symbols, nested ones too. A lazy module is not loaded.
    fn symbols(&self, py: Python<'_>) -> PyResult<Vec<Symbol>> {
        if let Some(file) = self.lazy() {
            let symbols = py.detach(|| file.symbols().map_err(|error| self.named(error)))?;
            let symbols = symbols.into_iter().map(|symbol| Symbol {
                path: symbol.path.to_string(),
                name: symbol
                    .name()
                    .map(|name| String::from_utf8_lossy(name).into_owned())
                    .unwrap_or_default(),
                operation: String::from_utf8_lossy(&symbol.operation).into_owned(),
                visibility: symbol.visibility.as_str(),
                bytes: Some(symbol.bytes),
            });
            return Ok(symbols.collect());
        }
        let shared = self.shared(py)?;
        Ok(shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            let all = ir::nested_symbols(context, module);
            let mut symbols: Vec<Symbol> = Vec::with_capacity(all.len());
            for symbol in &all {
                let parent = symbol.parent.and_then(|parent| symbols.get(parent));
                let own = SymbolPath::new([context.bytes(symbol.name)]).to_string();
                symbols.push(Symbol {
                    path: match parent {
                        Some(parent) => format!("{}::{own}", parent.path),
                        None => own,
                    },
                    name: context.str(symbol.name).into_owned(),
                    operation: ir.get(symbol.operation).name().into_owned(),
                    visibility: symbol.visibility.as_str(),
                    bytes: None,
                });
            }
            symbols
        }))
    }

    fn __getitem__(&self, py: Python<'_>, reference: &str) -> PyResult<Operation> {
        let found = self.find(py, reference)?;
        found.ok_or_else(|| PyKeyError::new_err(reference.to_owned()))
    }

    fn __contains__(&self, py: Python<'_>, reference: &str) -> PyResult<bool> {
        let path = symbol_path(reference)?;
        if let Some(file) = self.lazy() {
            let found = py.detach(|| {
                file.as_lazy()
                    .symbol(&path)
                    .map_err(|error| self.named(error))
            })?;
            return Ok(found.is_some());
        }
        Ok(self.find(py, reference)?.is_some())
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Walk> {
        let shared = self.shared(py)?;
        let all = shared.read(py, |ir| ir.op().children().map(|op| op.id()).collect());
        Ok(Walk::over(shared, all))
    }

    // A module without operations is not false.
    fn __bool__(&self) -> bool {
        true
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let shared = self.shared(py)?;
        Ok(shared.read(py, |ir| ir.op().children().count()))
    }

    /// Returns the data of resources by their keys, as bytes, without a copy.
    fn resources<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shared = self.shared(py)?;
        let found = shared.read(py, |ir| {
            let (context, module) = ir.parts();
            let all = module.provenance.resources.iter().filter_map(|&resource| {
                let entry = context.resource(resource);
                match &entry.value {
                    Some(ir::ResourceValue::Blob(blob)) => {
                        Some((context.str(entry.key).into_owned(), Array::of_blob(blob)))
                    }
                    _ => None,
                }
            });
            all.collect::<Vec<_>>()
        });
        let dict = PyDict::new(py);
        for (key, array) in found {
            dict.set_item(key, crate::buffer::new_data(py, array)?)?;
        }
        Ok(dict)
    }

    /// Returns the type that a text denotes.
    fn r#type(&self, py: Python<'_>, text: &str) -> PyResult<Type> {
        let shared = self.shared(py)?;
        let parsed = shared.write_detached(py, |ir| ir.edit().ty(text).map_err(Fault::from));
        Ok(Type::new(shared, parsed?))
    }

    /// Returns the attribute that a text denotes.
    fn attribute(&self, py: Python<'_>, text: &str) -> PyResult<Attribute> {
        let shared = self.shared(py)?;
        let parsed = shared.write_detached(py, |ir| ir.edit().attr(text).map_err(Fault::from));
        Ok(Attribute::new(shared, parsed?))
    }

    /// Returns the text. `generic`: generic form; `locations`: with locations; `names`: names of
    /// values as in the
    /// source (of modules read with `keep_names`); `local_scope`: without aliases; `elide`: leave
    /// out constants of more elements.
    #[pyo3(signature = (**options))]
    fn to_text(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let format = Format::extract(options)?;
        let shared = self.shared(py)?;
        let text = shared.read_detached(py, |ir| format.text(ir, ir.op().id()));
        Ok(text?)
    }

    /// Prints the text to `file`, by default `sys.stdout`. The other arguments are those of
    /// `to_text`.
    #[pyo3(signature = (*, file = None, **options))]
    fn print(
        &self,
        py: Python<'_>,
        file: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        print_to(py, &self.to_text(py, options)?, file)
    }

    /// Returns the module as `rmbc`, `mlirbc` or `mlir`.
    ///
    /// Of `mlirbc`: `target`, a release such as `llvm-22`, `stablehlo-1.8` as `rmlir convert
    /// --help` lists them,
    /// `producer` and `version`. Of `rmbc`: `compression` (a zstd level), `locations`, `names`,
    /// `fingerprints`. Of `mlir`: `generic`, `locations`, `names`.
    #[pyo3(signature = (form = "rmbc", **options))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let form = form_of(form)?;
        let options = write_options(options)?;
        let shared = self.shared(py)?;
        let bytes = match form {
            // The writer of upstream's bytecode adds entries to the context.
            Form::Mlirbc => {
                shared.write_detached(py, |ir| ir.to_bytes(form, &options).map_err(Fault::from))
            }
            _ => shared.read_detached(py, |ir| shared_bytes(ir, form, &options)),
        };
        Ok(PyBytes::new(py, &bytes?))
    }

    /// Saves the module; the extension decides on the form unless it is given. The file is replaced
    /// as a whole or not at all. The other arguments are those of `to_bytes`.
    #[pyo3(signature = (path, form = None, **options))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        form: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut options = write_options(options)?;
        options.form = form.map(form_of).transpose()?;
        let shared = self.shared(py)?;
        let saved =
            shared.write_detached(py, |ir| ir.save_with(&path, &options).map_err(Fault::from));
        Ok(saved?)
    }

    /// Checks the rules of the IR and of the definitions.
    ///
    /// Raises `VerifyError` with up to `max_errors` diagnostics.
    #[pyo3(signature = (*, max_errors = 20, allow_unknown = false))]
    fn verify(&self, py: Python<'_>, max_errors: usize, allow_unknown: bool) -> PyResult<()> {
        let shared = self.shared(py)?;
        let mut options = VerifyOptions::default();
        options.limit = max_errors;
        options.allow_unknown = allow_unknown;
        options.threads = threads(None);
        let verified =
            shared.write_detached(py, |ir| ir.verify_with(&options).map_err(Fault::from));
        Ok(verified?)
    }

    /// Returns the symbols that differ, with the first difference of each.
    ///
    /// >>> import rmlir
    /// >>> text = "func.func @f() { \"d.%s\"() : () -> () return }"
    /// >>> one, two = rmlir.parse(text % "a"), rmlir.parse(text % "b")
    /// >>> print(*one.diff(two))
    /// changed @f: func.func @f / operation 0 (d.a): name differs: `d.a` and `d.b`
    #[pyo3(signature = (other, *, locations = false))]
    fn diff(&self, py: Python<'_>, other: &Module, locations: bool) -> PyResult<Vec<Change>> {
        let both = [self.shared(py)?, other.shared(py)?];
        let changes = with_all(py, &both, |modules| match modules {
            [left, right] => Ok(changes(left, right, locations)),
            _ => Ok(Vec::new()),
        });
        Ok(changes?)
    }

    /// Returns whether two modules have the same content, whatever their forms, names of values and
    /// aliases.
    #[pyo3(signature = (other, *, locations = false))]
    fn equals(&self, py: Python<'_>, other: &Module, locations: bool) -> PyResult<bool> {
        let both = [self.shared(py)?, other.shared(py)?];
        let options = EqualityOptions { locations };
        let equal = with_all(py, &both, |modules| match modules {
            [left, right] => Ok(ir::semantic_eq(left.parts(), right.parts(), &options)),
            _ => Ok(false),
        });
        Ok(equal?)
    }

    /// Returns the hash of the content as 64 hexadecimal digits. Equal modules have the same, in
    /// each form.
    #[pyo3(signature = (*, locations = false))]
    fn fingerprint(&self, py: Python<'_>, locations: bool) -> PyResult<String> {
        let shared = self.shared(py)?;
        let options = FingerprintOptions { locations };
        Ok(shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            ir::fingerprint(context, module, module.top(), &options).to_string()
        }))
    }

    /// Removes locations and names, and on request the data of resources, in place.
    #[pyo3(signature = (*, locations = true, names = true, resources = false))]
    fn strip(&self, py: Python<'_>, locations: bool, names: bool, resources: bool) -> PyResult<()> {
        let shared = self.shared(py)?;
        let mut options = StripOptions::default();
        options.locations = locations;
        options.names = names;
        options.resources = resources;
        shared.write_detached(py, |ir| {
            let (context, module) = ir.parts_mut();
            ir::strip(context, module, &options);
        });
        Ok(())
    }

    /// Returns a module with these symbols and, unless `references=False`, all that they refer to.
    #[pyo3(signature = (symbols, *, references = true))]
    fn extract(
        &self,
        py: Python<'_>,
        symbols: &Bound<'_, PyAny>,
        references: bool,
    ) -> PyResult<Module> {
        let wanted: Vec<String> = match symbols.extract::<String>() {
            Ok(one) => vec![one],
            Err(_) => symbols.extract()?,
        };
        let paths = wanted
            .iter()
            .map(|one| symbol_path(one))
            .collect::<PyResult<Vec<_>>>()?;
        let missing = |index: usize| PyKeyError::new_err(wanted.get(index).cloned());
        if let Some(file) = self.lazy().filter(|_| references) {
            let mut found = Vec::new();
            for (index, path) in paths.iter().enumerate() {
                let symbol = py.detach(|| {
                    file.as_lazy()
                        .symbol(path)
                        .map_err(|error| self.named(error))
                })?;
                found.push(symbol.ok_or_else(|| missing(index))?);
            }
            let ir = py.detach(|| {
                file.read_with_references(&found)
                    .map_err(|error| self.named(error))
            });
            return Ok(Module::new(ir?));
        }
        let shared = self.shared(py)?;
        let extracted = shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            let mut operations = Vec::new();
            for (index, path) in paths.iter().enumerate() {
                match find_symbol(ir, path) {
                    Some(operation) => operations.push(operation),
                    None => return Ok(Err(index)),
                }
            }
            let mut part = module.clone();
            ir::extract(context, &mut part, &operations, references);
            copy_of(context, &part).map(Ok)
        })?;
        Ok(Module::new(extracted.map_err(missing)?))
    }

    /// Returns a copy that shares nothing with this module.
    fn copy(&self, py: Python<'_>) -> PyResult<Module> {
        let shared = self.shared(py)?;
        let copied = shared.read_detached(py, |ir| {
            let (context, module) = ir.parts();
            copy_of(context, module)
        });
        Ok(Module::new(copied?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Module> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Module> {
        self.copy(py)
    }

    /// Modules are pickled as native bytecode.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let open = py.import("rmlir")?.getattr("open")?;
        Ok((open, (self.to_bytes(py, "rmbc", None)?,)))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.to_text(py, None)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.loaded.get() {
            Some(shared) => {
                let shown = shared.read(py, |ir| {
                    let top = ir.op();
                    let name = top
                        .symbol_name()
                        .map(|name| format!(" @{name}"))
                        .unwrap_or_default();
                    (name, top.children().count())
                });
                format!(
                    "<Module{}: {} operations at the top level>",
                    shown.0, shown.1
                )
            }
            None => format!(
                "<Module {}: not loaded>",
                self.name.as_deref().unwrap_or("of bytes")
            ),
        }
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let shared = self.shared(py)?;
        Ok(shared.read_detached(py, |ir| crate::html::page(ir, ir.op().id())))
    }
}

/// Returns a copy of a module in a context of its own.
fn copy_of(context: &ir::Context, module: &ir::Module) -> Result<Ir, Fault> {
    let mut own = context.new_with_same_definitions();
    let module = module.copy_to(context, &mut own)?;
    Ok(Ir::from_parts(own, module))
}

fn shared_bytes(ir: &Ir, form: Form, options: &WriteOptions) -> Result<Vec<u8>, Fault> {
    let (context, module) = ir.parts();
    match form {
        Form::Rmbc => Ok(rmlir::rmbc::write_module(context, module, &options.rmbc)?),
        _ => Ok(ir.to_text(options)?.into_bytes()),
    }
}

/// Adds the classes and functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Module>()?;
    module.add_class::<Symbol>()?;
    module.add_class::<Dialect>()?;
    module.add_class::<Change>()?;
    module.add_function(wrap_pyfunction!(open, module)?)?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(link, module)?)
}
