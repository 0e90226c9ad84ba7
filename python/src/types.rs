//! `Type`.

use crate::attributes::{Attribute, Entity};
use crate::data::ElementType;
use crate::errors::Fault;
use crate::handles::text_of;
use crate::parameters::parameters;
use crate::shared_module::SharedModule;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rmlir::Ir;
use rmlir::ir::{self, DYNAMIC, Signedness, TypeKind};
use std::sync::Arc;

/// A type. Equal types of one module are one; types of different modules are compared by their
/// text.
///
/// >>> import rmlir
/// >>> ty = rmlir.Module().type("tensor<4x?xf32>")
/// >>> ty.kind, ty.shape, str(ty.element_type), ty.dtype
/// ('tensor', (4, None), 'f32', 'float32')
#[pyclass(frozen, module = "rmlir")]
pub(crate) struct Type {
    pub(crate) shared: Arc<SharedModule>,
    pub(crate) id: ir::Type,
}

impl Type {
    pub(crate) fn new(shared: &Arc<SharedModule>, id: ir::Type) -> Self {
        Type {
            shared: Arc::clone(shared),
            id,
        }
    }

    fn get<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Ir, &TypeKind) -> T + Send) -> T {
        self.shared
            .read(py, |ir| work(ir, ir.context().type_kind(self.id)))
    }

    /// Returns the text, shortened if it is very long.
    fn shown(&self, py: Python<'_>) -> String {
        self.shared
            .read(py, |ir| rmlir::text::type_to_string(ir.context(), self.id))
    }

    fn types<'py>(
        &self,
        py: Python<'py>,
        all: Option<Vec<ir::Type>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let all = all.map(|all| {
            let types = all.into_iter().map(|ty| Type::new(&self.shared, ty));
            PyTuple::new(py, types.collect::<Vec<_>>())
        });
        all.transpose()
    }
}

#[pymethods]
impl Type {
    /// `integer`, `index`, `float`, `complex`, `none`, `tuple`, `function`, `vector`, `tensor`,
    /// `unranked_tensor`, `memref`, `unranked_memref` or `dialect`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> &'static str {
        self.get(py, |_, kind| kind.name())
    }

    /// The width of an integer or float in bits.
    #[getter]
    fn width(&self, py: Python<'_>) -> Option<u32> {
        self.get(py, |_, kind| match kind {
            TypeKind::Integer { width, .. } => Some(*width),
            TypeKind::Float(kind) => Some(kind.width()),
            _ => None,
        })
    }

    /// `signless`, `signed` or `unsigned`, of an integer.
    #[getter]
    fn signedness(&self, py: Python<'_>) -> Option<&'static str> {
        self.get(py, |_, kind| match kind {
            TypeKind::Integer { signedness, .. } => Some(match signedness {
                Signedness::Signless => "signless",
                Signedness::Signed => "signed",
                Signedness::Unsigned => "unsigned",
            }),
            _ => None,
        })
    }

    /// The sizes of a shaped type, `None` where dynamic; `None` if the type has no shape.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let shape = self
            .shared
            .read(py, |ir| ir.context().shape(self.id).map(<[i64]>::to_vec));
        let shape = shape.map(|shape| {
            let sizes = shape
                .into_iter()
                .map(|size| (size != DYNAMIC).then_some(size));
            PyTuple::new(py, sizes.collect::<Vec<_>>())
        });
        shape.transpose()
    }

    /// The number of dimensions.
    #[getter]
    fn rank(&self, py: Python<'_>) -> Option<usize> {
        self.shared
            .read(py, |ir| ir.context().shape(self.id).map(<[i64]>::len))
    }

    /// The type of the elements of a shaped or complex type.
    #[getter]
    fn element_type(&self, py: Python<'_>) -> Option<Type> {
        let element = self.get(py, |ir, kind| match kind {
            TypeKind::Complex(element) => Some(*element),
            _ => ir.context().element_type(self.id),
        });
        element.map(|ty| Type::new(&self.shared, ty))
    }

    /// The encoding of a ranked tensor.
    #[getter]
    fn encoding(&self, py: Python<'_>) -> Option<Attribute> {
        let found = self.get(py, |_, kind| match kind {
            TypeKind::RankedTensor { encoding, .. } => *encoding,
            _ => None,
        });
        found.map(|id| Attribute::new(&self.shared, id))
    }

    /// The layout of a memref; `None` if it is the identity.
    #[getter]
    fn layout(&self, py: Python<'_>) -> Option<Attribute> {
        let found = self.get(py, |_, kind| match kind {
            TypeKind::MemRef { layout, .. } => *layout,
            _ => None,
        });
        found.map(|id| Attribute::new(&self.shared, id))
    }

    /// The memory space of a memref.
    #[getter]
    fn memory_space(&self, py: Python<'_>) -> Option<Attribute> {
        let found = self.get(py, |_, kind| match kind {
            TypeKind::MemRef { memory_space, .. }
            | TypeKind::UnrankedMemRef { memory_space, .. } => *memory_space,
            _ => None,
        });
        found.map(|id| Attribute::new(&self.shared, id))
    }

    /// Which dimensions of a vector are scalable.
    #[getter]
    fn scalable<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.get(py, |_, kind| match kind {
            TypeKind::Vector { scalable, .. } => Some(scalable.to_vec()),
            _ => None,
        });
        found.map(|scalable| PyTuple::new(py, scalable)).transpose()
    }

    /// The types of the arguments of a function or graph type.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.get(py, |_, kind| {
            kind.signature().map(|(inputs, _)| inputs.to_vec())
        });
        self.types(py, found)
    }

    /// The types of the results of a function or graph type.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.get(py, |_, kind| {
            kind.signature().map(|(_, results)| results.to_vec())
        });
        self.types(py, found)
    }

    /// The types of a tuple.
    #[getter(types)]
    fn types_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let found = self.get(py, |_, kind| match kind {
            TypeKind::Tuple(types) => Some(types.to_vec()),
            _ => None,
        });
        self.types(py, found)
    }

    /// The namespace of the dialect; `builtin` for builtin types.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> String {
        self.get(py, |ir, kind| match kind {
            TypeKind::Dialect { dialect, .. } => ir.context().str(*dialect).into_owned(),
            _ => "builtin".to_owned(),
        })
    }

    /// The name in the dialect, of a type that is not builtin.
    #[getter]
    fn mnemonic(&self, py: Python<'_>) -> Option<String> {
        self.get(py, |_, kind| match kind {
            TypeKind::Dialect { body, .. } => {
                Some(String::from_utf8_lossy(body.mnemonic()).into_owned())
            }
            _ => None,
        })
    }

    /// The parameters by the names of the definition, of a type that is not builtin; `None` if
    /// nothing is known of them.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        parameters(py, &self.shared, self.id)
    }

    /// The name of the type, or of its elements, in NumPy or `ml_dtypes`; `None` if neither has it.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> Option<&'static str> {
        self.shared.read(py, |ir| {
            let context = ir.context();
            let element = context.element_type(self.id).unwrap_or(self.id);
            ElementType::of(context, element).map(|element| element.numpy)
        })
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.shared.read(py, |ir| text_of(ir.context(), self.id));
        Ok(text?)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Type({})", self.shown(py))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Type>() else {
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

/// A type given by the user: an object, or its text.
pub(crate) enum GivenType {
    /// Of the same module.
    Own(ir::Type),
    /// Of another module.
    Foreign(Box<Entity>),
    /// Text.
    Text(String),
}

impl GivenType {
    /// Takes an object for use in a module.
    ///
    /// # Errors
    ///
    /// If it is neither a `Type` nor a string.
    pub(crate) fn extract(object: &Bound<'_, PyAny>, shared: &Arc<SharedModule>) -> PyResult<Self> {
        if let Ok(ty) = object.cast::<Type>() {
            let ty = ty.get();
            if Arc::ptr_eq(&ty.shared, shared) {
                return Ok(GivenType::Own(ty.id));
            }
            let entity = Entity::copy(object.py(), &ty.shared, ty.id.into())?;
            return Ok(GivenType::Foreign(Box::new(entity)));
        }
        Ok(GivenType::Text(object.extract()?))
    }

    /// Returns the type in the module.
    ///
    /// # Errors
    ///
    /// If the text is not a type.
    pub(crate) fn resolve(&self, ir: &mut Ir) -> Result<ir::Type, Fault> {
        match self {
            GivenType::Own(ty) => Ok(*ty),
            GivenType::Foreign(entity) => entity.type_in(ir),
            GivenType::Text(text) => Ok(ir.edit().ty(text)?),
        }
    }
}
