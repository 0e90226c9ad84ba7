//! `Attribute`, and attributes given by the user.

use crate::data::Array;
use crate::errors::Fault;
use crate::handles::text_of;
use crate::location::Location;
use crate::parameters::parameters;
use crate::shared_module::SharedModule;
use crate::types::{GivenType, Type};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use rmlir::Ir;
use rmlir::ir::{
    self, AttributeKind, AttributeValue, Context, Entry, ImportMap, OperationName, Signedness,
    TypeKind, float::to_f64,
};
use std::sync::Arc;

/// An attribute. `value` is the Python value, where there is one.
///
/// >>> import rmlir
/// >>> module = rmlir.Module()
/// >>> module.attribute("[1 : i8, true, \"text\"]").value
/// [Attribute(1 : i8), Attribute(true), Attribute("text")]
/// >>> [item.value for item in module.attribute("[1 : i8, true, \"text\"]")]
/// [1, True, 'text']
/// >>> module.attribute("#gpu.address_space<workgroup>").mnemonic
/// 'address_space'
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Attribute {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Attribute,
}

/// The value of an attribute, apart from the module.
enum Content {
    Nothing,
    Bool(bool),
    Integer(i64),
    /// Decimal digits.
    BigInteger(String),
    Float(f64),
    Text(Vec<u8>),
    Type(ir::Type),
    Location(ir::Location),
    Attribute(ir::Attribute),
    Array(Vec<ir::Attribute>),
    Dictionary(Vec<(String, ir::Attribute)>),
    Scalars(Vec<Content>),
    Texts(Vec<Vec<u8>>),
    Data,
}

impl Content {
    fn of(context: &Context, kind: &AttributeKind) -> Self {
        let text = |identifier: &ir::Identifier| context.bytes(*identifier).to_vec();
        match kind {
            AttributeKind::Integer { ty, value } => {
                let unsigned = match context.type_kind(*ty) {
                    TypeKind::Integer {
                        width: 1,
                        signedness: Signedness::Signless,
                    } => {
                        return Content::Bool(!value.is_zero());
                    }
                    TypeKind::Integer { signedness, .. } => *signedness == Signedness::Unsigned,
                    _ => false,
                };
                match unsigned {
                    false => match value.to_i64() {
                        Some(value) => Content::Integer(value),
                        None => Content::BigInteger(value.to_decimal_string(true)),
                    },
                    true => Content::BigInteger(value.to_decimal_string(false)),
                }
            }
            AttributeKind::Float { ty, bits } => match context.type_kind(*ty) {
                TypeKind::Float(kind) => Content::Float(to_f64(*kind, *bits)),
                _ => Content::Nothing,
            },
            AttributeKind::String { value, .. } => Content::Text(text(value)),
            AttributeKind::SymbolRef { root, nested } => {
                let mut path = b"@".to_vec();
                path.extend(context.bytes(*root));
                for name in nested {
                    path.extend(b"::@");
                    path.extend(context.bytes(*name));
                }
                Content::Text(path)
            }
            AttributeKind::Type(ty) => Content::Type(*ty),
            AttributeKind::Array(items) => Content::Array(items.to_vec()),
            AttributeKind::Dictionary(entries) => {
                let entries = entries.iter();
                let entries = entries.map(|&(name, value)| (context.str(name).into_owned(), value));
                Content::Dictionary(entries.collect())
            }
            AttributeKind::DenseArray { element, data, .. } => scalars(context, *element, data),
            AttributeKind::DenseElements { .. } | AttributeKind::DenseResource { .. } => {
                Content::Data
            }
            AttributeKind::DenseStrings { values, .. } => {
                Content::Texts(values.iter().map(text).collect())
            }
            AttributeKind::Distinct { referenced, .. } => Content::Attribute(*referenced),
            AttributeKind::Location(location) => Content::Location(*location),
            AttributeKind::Dialect { body, .. } => match body.string_literal() {
                Some(text) => Content::Text(text.into_owned()),
                None => Content::Nothing,
            },
            AttributeKind::Unit
            | AttributeKind::DenseText { .. }
            | AttributeKind::Sparse { .. }
            | AttributeKind::AffineMap(_)
            | AttributeKind::IntegerSet(_)
            | AttributeKind::StridedLayout { .. } => Content::Nothing,
        }
    }

    fn into_python<'py>(
        self,
        py: Python<'py>,
        attribute: &Attribute,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shared = &attribute.shared;
        match self {
            Content::Nothing => Ok(py.None().into_bound(py)),
            Content::Bool(value) => value.into_bound_py_any(py),
            Content::Integer(value) => value.into_bound_py_any(py),
            Content::BigInteger(digits) => py.get_type::<PyInt>().call1((digits,)),
            Content::Float(value) => value.into_bound_py_any(py),
            Content::Text(bytes) => text_or_bytes(py, &bytes),
            Content::Type(ty) => Type::new(shared, ty).into_bound_py_any(py),
            Content::Location(id) => Location::new(shared, id).into_bound_py_any(py),
            Content::Attribute(id) => Attribute::new(shared, id).into_bound_py_any(py),
            Content::Array(items) => {
                let items = items.into_iter().map(|id| Attribute::new(shared, id));
                items.collect::<Vec<_>>().into_bound_py_any(py)
            }
            Content::Dictionary(entries) => {
                let dict = PyDict::new(py);
                for (name, id) in entries {
                    dict.set_item(name, Attribute::new(shared, id))?;
                }
                Ok(dict.into_any())
            }
            Content::Scalars(items) => {
                let list = PyList::empty(py);
                for item in items {
                    list.append(item.into_python(py, attribute)?)?;
                }
                Ok(list.into_any())
            }
            Content::Texts(texts) => {
                let list = PyList::empty(py);
                for text in texts {
                    list.append(text_or_bytes(py, &text)?)?;
                }
                Ok(list.into_any())
            }
            Content::Data => attribute.data(py),
        }
    }
}

/// Returns a string, or the bytes if they are not UTF-8.
fn text_or_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => Ok(PyBytes::new(py, bytes).into_any()),
    }
}

/// Returns the elements of a dense array.
fn scalars(context: &Context, element: ir::Type, data: &[u8]) -> Content {
    use rmlir::ir::apint::ApInt;
    let bits = |chunk: &[u8]| {
        let bytes = chunk.iter().rev();
        bytes.fold(0u128, |bits, &byte| bits << 8 | u128::from(byte))
    };
    let Ok(layout) = context.dense_array_layout(element) else {
        return Content::Nothing;
    };
    let chunks = data.chunks_exact(layout.element_size().max(1));
    match *context.type_kind(element) {
        TypeKind::Integer { width: 1, .. } => {
            Content::Scalars(chunks.map(|chunk| Content::Bool(chunk != [0])).collect())
        }
        TypeKind::Integer { width, signedness } => {
            let items = chunks.map(|chunk| {
                let value = ApInt::from_le_bytes(width, chunk);
                match (signedness == Signedness::Unsigned, value.to_i64()) {
                    (false, Some(value)) => Content::Integer(value),
                    (unsigned, _) => Content::BigInteger(value.to_decimal_string(!unsigned)),
                }
            });
            Content::Scalars(items.collect())
        }
        TypeKind::Float(kind) => {
            let items = chunks.map(|chunk| Content::Float(to_f64(kind, bits(chunk))));
            Content::Scalars(items.collect())
        }
        _ => Content::Nothing,
    }
}

impl Attribute {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Attribute) -> Self {
        Attribute {
            shared: Arc::clone(shared),
            id,
        }
    }

    /// Returns the text, shortened if it is very long.
    fn shown(&self, py: Python<'_>) -> String {
        self.shared.read(py, |ir| {
            rmlir::text::attribute_to_string(ir.context(), self.id)
        })
    }

    fn get<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Context, &AttributeKind) -> T + Send,
    ) -> T {
        self.shared.read(py, |ir| {
            let context = ir.context();
            work(context, context.attribute_kind(self.id))
        })
    }
}

#[pymethods]
impl Attribute {
    /// `unit`, `integer`, `float`, `string`, `symbol_ref`, `type`, `array`, `dictionary`,
    /// `dense_elements`, `dense_array`,
    /// `dense_resource`, `dense_strings`, `dense_text`, `sparse`, `affine_map`, `integer_set`,
    /// `strided_layout`, `distinct`, `location` or `dialect`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> &'static str {
        self.get(py, |_, kind| kind.name())
    }

    /// The Python value: bool (of `i1`), int, float, str (bytes if it is not UTF-8; of a symbol
    /// reference with `@`),
    /// `Type`, `Location`, a list of attributes or a dict of them, a list of numbers of a dense
    /// array, `Data` of dense elements; `None` for all others, whose text is `str(attribute)`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, Content::of).into_python(py, self)
    }

    /// The elements of dense elements, of a dense array or of a resource as `Data`; `None` of other
    /// attributes.
    ///
    /// Raises `Error` if the type has no known layout, or a resource has another size than its
    /// type.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match Array::of_attribute(py, &self.shared, self.id)? {
            Some(array) => crate::buffer::new_data(py, array),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// The type of a typed attribute; of a dense array that of its elements.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> Option<Type> {
        let ty = self.get(py, |context, kind| match kind {
            AttributeKind::Type(_) => None,
            AttributeKind::DenseArray { element, .. } => Some(*element),
            _ => Some(context.attribute_type(self.id)).filter(|&ty| ty != context.none_type()),
        });
        ty.map(|ty| Type::new(&self.shared, ty))
    }

    /// The namespace of the dialect; `builtin` for builtin attributes.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> String {
        self.get(py, |context, kind| match kind {
            AttributeKind::Dialect { dialect, .. } => context.str(*dialect).into_owned(),
            _ => "builtin".to_owned(),
        })
    }

    /// The name in the dialect, of an attribute that is not builtin.
    #[getter]
    fn mnemonic(&self, py: Python<'_>) -> Option<String> {
        self.get(py, |_, kind| match kind {
            AttributeKind::Dialect { body, .. } => {
                Some(String::from_utf8_lossy(body.mnemonic()).into_owned())
            }
            _ => None,
        })
    }

    /// The parameters by the names of the definition, of an attribute that is not builtin; `None`
    /// if nothing is known of them.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        parameters(py, &self.shared, self.id)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let length = self.get(py, |context, kind| match kind {
            AttributeKind::Array(items) => Ok(items.len()),
            AttributeKind::Dictionary(entries) => Ok(entries.len()),
            AttributeKind::DenseArray { length, .. } => Ok(*length),
            AttributeKind::DenseElements { ty, .. } | AttributeKind::DenseResource { ty, .. } => {
                let count = context.element_count(*ty);
                Ok(count
                    .and_then(|count| usize::try_from(count).ok())
                    .unwrap_or_default())
            }
            kind => Err(kind.name()),
        });
        length.map_err(|kind| {
            PyTypeError::new_err(format!("an attribute of kind '{kind}' has no length"))
        })
    }

    // An attribute without elements is not false.
    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        enum Found {
            Attribute(Option<ir::Attribute>),
            Value,
            Nothing(&'static str),
        }
        if let Ok(name) = key.extract::<String>() {
            let found = self.get(py, |context, kind| match kind {
                AttributeKind::Dictionary(_) => {
                    Found::Attribute(context.dictionary_get(self.id, name.as_bytes()))
                }
                kind => Found::Nothing(kind.name()),
            });
            return match found {
                Found::Attribute(Some(id)) => {
                    Attribute::new(&self.shared, id).into_bound_py_any(py)
                }
                Found::Nothing(kind) => Err(no_item(kind)),
                _ => Err(PyKeyError::new_err(name)),
            };
        }
        let index: isize = key.extract()?;
        let found = self.get(py, |_, kind| match kind {
            AttributeKind::Array(items) => {
                let index = match index {
                    0.. => Some(index as usize),
                    _ => items.len().checked_add_signed(index),
                };
                Found::Attribute(index.and_then(|index| items.get(index).copied()))
            }
            AttributeKind::DenseArray { .. } => Found::Value,
            kind => Found::Nothing(kind.name()),
        });
        match found {
            Found::Attribute(Some(id)) => Attribute::new(&self.shared, id).into_bound_py_any(py),
            Found::Attribute(None) => Err(PyIndexError::new_err("index out of range")),
            Found::Value => self.value(py)?.get_item(index),
            Found::Nothing(kind) => Err(no_item(kind)),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let kind = self.get(py, |_, kind| kind.name());
        match kind {
            "array" | "dictionary" | "dense_array" | "dense_strings" => {
                Ok(self.value(py)?.try_iter()?.into_any())
            }
            kind => Err(PyTypeError::new_err(format!(
                "an attribute of kind '{kind}' is not iterable"
            ))),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.shared.read(py, |ir| text_of(ir.context(), self.id));
        Ok(text?)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let text = self.shown(py);
        match text.char_indices().nth(200) {
            Some((end, _)) => format!("Attribute({}...)", text.get(..end).unwrap_or_default()),
            None => format!("Attribute({text})"),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Attribute>() else {
            return Ok(false);
        };
        let other = other.get();
        Ok(match Arc::ptr_eq(&self.shared, &other.shared) {
            true => self.id == other.id,
            false => self.__str__(py)? == other.__str__(py)?,
        })
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        crate::handles::hash_of(&self.shown(py))
    }
}

fn no_item(kind: &str) -> PyErr {
    PyTypeError::new_err(format!("an attribute of kind '{kind}' has no such items"))
}

/// An attribute or type in a context of its own, on the way from one module to another. The two
/// modules are never locked together.
pub(crate) struct Entity {
    context: Context,
    entry: Entry,
}

impl Entity {
    /// Copies an attribute or type out of a module.
    ///
    /// # Errors
    ///
    /// If it cannot be copied.
    pub(crate) fn copy(py: Python<'_>, shared: &SharedModule, entry: Entry) -> Result<Self, Fault> {
        shared.read(py, |ir| {
            let from = ir.context();
            let mut context = from.new_with_same_definitions();
            let entry = import(&mut context, from, entry)?;
            Ok(Entity { context, entry })
        })
    }

    pub(crate) fn type_in(&self, ir: &mut Ir) -> Result<ir::Type, Fault> {
        match import(ir.parts_mut().0, &self.context, self.entry)? {
            Entry::Type(ty) => Ok(ty),
            _ => Err(Fault::request("not a type")),
        }
    }

    fn attribute_in(&self, context: &mut Context) -> Result<ir::Attribute, Fault> {
        match import(context, &self.context, self.entry)? {
            Entry::Attribute(attribute) => Ok(attribute),
            _ => Err(Fault::request("not an attribute")),
        }
    }
}

fn import(to: &mut Context, from: &Context, entry: Entry) -> Result<Entry, Fault> {
    let mut map = ImportMap::new();
    Ok(match entry {
        Entry::Attribute(attribute) => to.import_attribute(from, attribute, &mut map)?.into(),
        Entry::Type(ty) => to.import_type(from, ty, &mut map)?.into(),
        Entry::Location(location) => to.import_location(from, location, &mut map)?.into(),
    })
}

/// A value that the user gives for an attribute.
pub(crate) enum Given {
    Own(ir::Attribute),
    Foreign(Box<Entity>),
    Type(GivenType),
    Text(String),
    Bool(bool),
    Integer(i64),
    /// Beyond 64 bits: decimal digits.
    BigInteger(String),
    Float(f64),
    Unit,
    List(Vec<Given>),
    Dictionary(Vec<(String, Given)>),
}

/// The maximum depth of nested lists and dictionaries.
const MAX_DEPTH: usize = 100;

impl Given {
    /// Takes an object for use in a module.
    ///
    /// # Errors
    ///
    /// If the object has no meaning as an attribute.
    pub(crate) fn extract(object: &Bound<'_, PyAny>, shared: &Arc<SharedModule>) -> PyResult<Self> {
        Self::nested(object, shared, 0)
    }

    fn nested(
        object: &Bound<'_, PyAny>,
        shared: &Arc<SharedModule>,
        depth: usize,
    ) -> PyResult<Self> {
        if depth > MAX_DEPTH {
            return Err(PyValueError::new_err(
                "lists and dictionaries are nested too deeply",
            ));
        }
        if let Ok(attribute) = object.cast::<Attribute>() {
            let attribute = attribute.get();
            if Arc::ptr_eq(&attribute.shared, shared) {
                return Ok(Given::Own(attribute.id));
            }
            let entity = Entity::copy(object.py(), &attribute.shared, attribute.id.into())?;
            return Ok(Given::Foreign(Box::new(entity)));
        }
        if object.is_instance_of::<Type>() {
            return Ok(Given::Type(GivenType::extract(object, shared)?));
        }
        if object.is_none() {
            return Ok(Given::Unit);
        }
        if let Ok(value) = object.cast::<PyBool>() {
            return Ok(Given::Bool(value.is_true()));
        }
        if object.is_instance_of::<PyInt>() {
            return match object.extract::<i64>() {
                Ok(value) => Ok(Given::Integer(value)),
                Err(_) => Ok(Given::BigInteger(object.str()?.extract()?)),
            };
        }
        if let Ok(value) = object.cast::<PyFloat>() {
            return Ok(Given::Float(value.value()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Given::Text(text.extract()?));
        }
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let items = object.try_iter()?;
            let items = items.map(|item| Self::nested(&item?, shared, depth + 1));
            return Ok(Given::List(items.collect::<PyResult<_>>()?));
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            let entries = dict.iter().map(|(name, value)| {
                Ok((name.extract()?, Self::nested(&value, shared, depth + 1)?))
            });
            return Ok(Given::Dictionary(entries.collect::<PyResult<_>>()?));
        }
        let ty = object.get_type();
        Err(PyTypeError::new_err(format!(
            "expected an Attribute, Type, str, bool, int, float, list, dict or None, found {ty}"
        )))
    }

    /// Returns the value for an attribute `name` of an operation. The definition of the operation
    /// determines the meaning of text and numbers.
    ///
    /// # Errors
    ///
    /// If the value does not fit.
    pub(crate) fn value_for(
        &self,
        ir: &mut Ir,
        operation: OperationName,
        name: &str,
    ) -> Result<AttributeValue, Fault> {
        let context = ir.context();
        let is_declared = context.is_inherent_attribute(operation, name.as_bytes()) == Some(true);
        Ok(match self {
            Given::Text(text) => AttributeValue::Text(text.clone()),
            Given::Integer(value) => AttributeValue::Integer(*value),
            Given::Bool(value) if is_declared => AttributeValue::from(*value),
            Given::Float(value) if is_declared => {
                let definition = context.operation_definition(operation);
                let attribute = definition.and_then(|d| d.attribute(name, context.release()));
                let is_f32 = attribute.is_some_and(|a| a.constraint.contains("F32"));
                let ty = match is_f32 {
                    true => context.f32_type(),
                    false => context.f64_type(),
                };
                AttributeValue::Attribute(ir.parts_mut().0.float_attribute(ty, *value)?)
            }
            other => AttributeValue::Attribute(other.attribute(ir)?),
        })
    }

    /// Returns the attribute itself, where no definition says more: text is a string, integers are
    /// `i64`, floats `f64`. Recurses as deep as [`extract`](Self::extract) allows.
    ///
    /// # Errors
    ///
    /// If the value does not fit.
    pub(crate) fn attribute(&self, ir: &mut Ir) -> Result<ir::Attribute, Fault> {
        let context = ir.parts_mut().0;
        Ok(match self {
            Given::Own(attribute) => *attribute,
            Given::Foreign(entity) => entity.attribute_in(context)?,
            Given::Type(ty) => {
                let ty = ty.resolve(ir)?;
                ir.parts_mut().0.type_attribute(ty)
            }
            Given::Text(text) => context.string_attribute(text),
            Given::Bool(value) => context.bool_attribute(*value),
            Given::Integer(value) => {
                let ty = context.i64_type();
                context.integer_attribute(ty, *value)?
            }
            Given::BigInteger(digits) => {
                return Err(Fault::request(format!(
                    "{digits} does not fit in 64 bits: parse an attribute such as '{digits} : i128'"
                )));
            }
            Given::Float(value) => {
                let ty = context.f64_type();
                context.float_attribute(ty, *value)?
            }
            Given::Unit => context.unit_attribute(),
            Given::List(items) => {
                let items = items.iter().map(|item| item.attribute(ir));
                let items = items.collect::<Result<Vec<_>, _>>()?;
                ir.parts_mut().0.array_attribute(&items)
            }
            Given::Dictionary(entries) => {
                let mut own = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    let value = value.attribute(ir)?;
                    own.push((ir.parts_mut().0.identifier(name), value));
                }
                ir.parts_mut().0.dictionary_attribute(&own)?
            }
        })
    }
}
