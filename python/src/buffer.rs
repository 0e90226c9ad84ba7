//! Dense data without copies: the buffer protocol and DLPack. The only module with `unsafe` code.
//!
//! The stable ABI of Python 3.10 does not declare the buffer protocol, although the interpreter has
//! had the slots, numbered 1 and 2, and the struct in this layout since 3.9. So the type is made by
//! hand here, from its slots; `rmlir.Data` is a Python class that extends it.
#![allow(unsafe_code)]

use crate::data::Array;
use crate::shared_module::SharedModule;
use pyo3::exceptions::{PyBufferError, PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyType};
use rmlir::ir::Blob;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

/// Bytes that something else owns and that never change or move while it lives.
#[derive(Clone)]
pub(crate) struct Bytes {
    pointer: *const u8,
    length: usize,
    /// Keeps the bytes alive.
    _owner: Owner,
}

#[derive(Clone)]
enum Owner {
    Module(#[allow(dead_code)] Arc<SharedModule>),
    Blob(#[allow(dead_code)] Arc<Blob>),
    Vector(#[allow(dead_code)] Arc<Vec<u8>>),
}

// SAFETY: the bytes are only read, and the owners can be sent and shared.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Bytes {
    /// Bytes of an attribute in the context of the module. The context never drops, changes or
    /// moves the data of an attribute, and the module never gets another context.
    pub(crate) fn of_context(shared: &Arc<SharedModule>, data: &Box<[u8]>) -> Self {
        Bytes {
            pointer: data.as_ptr(),
            length: data.len(),
            _owner: Owner::Module(Arc::clone(shared)),
        }
    }

    /// Bytes of a resource: a clone of the blob keeps the buffer or mapped file alive.
    pub(crate) fn of_blob(blob: &Blob) -> Self {
        let owner = Arc::new(blob.clone());
        let data = owner.data();
        Bytes {
            pointer: data.as_ptr(),
            length: data.len(),
            _owner: Owner::Blob(Arc::clone(&owner)),
        }
    }

    pub(crate) fn of_vec(bytes: Vec<u8>) -> Self {
        let owner = Arc::new(bytes);
        Bytes {
            pointer: owner.as_ptr(),
            length: owner.len(),
            _owner: Owner::Vector(Arc::clone(&owner)),
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: the owner keeps the bytes alive, and nothing changes them.
        unsafe { std::slice::from_raw_parts(self.pointer, self.length) }
    }
}

/// `Py_buffer`.
#[repr(C)]
struct PyBuffer {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: isize,
    itemsize: isize,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

const PY_BF_GETBUFFER: c_int = 1;
const PYBUF_WRITABLE: c_int = 1;
const PYBUF_FORMAT: c_int = 4;
const PYBUF_ND: c_int = 8;
const PYBUF_STRIDES: c_int = 0x10 | PYBUF_ND;
const PYBUF_C_CONTIGUOUS: c_int = 0x20 | PYBUF_STRIDES;
const PYBUF_F_CONTIGUOUS: c_int = 0x40 | PYBUF_STRIDES;
const PYBUF_ANY_CONTIGUOUS: c_int = 0x80 | PYBUF_STRIDES;

/// An instance of the type. Memory is allocated with zeros, so `array` is `None` (a null pointer)
/// in an instance that Python made.
#[repr(C)]
struct Object {
    head: ffi::PyObject,
    array: Option<Box<Array>>,
}

/// Returns the type `rmlir._rmlir.Buffer`.
pub(crate) fn buffer_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let ty = TYPE.get_or_try_init(py, || {
        let mut slots = [
            ffi::PyType_Slot {
                slot: ffi::Py_tp_dealloc,
                pfunc: dealloc as *mut c_void,
            },
            ffi::PyType_Slot {
                slot: PY_BF_GETBUFFER,
                pfunc: get_buffer as *mut c_void,
            },
            ffi::PyType_Slot {
                slot: 0,
                pfunc: ptr::null_mut(),
            },
        ];
        let mut spec = ffi::PyType_Spec {
            name: c"rmlir._rmlir.Buffer".as_ptr(),
            basicsize: size_of::<Object>() as c_int,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as _,
            slots: slots.as_mut_ptr(),
        };
        // SAFETY: the spec is complete, and Python copies what it keeps of it; the name is static.
        unsafe {
            let ty = Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&mut spec))?;
            Ok::<_, PyErr>(ty.cast_into::<PyType>().map_err(PyErr::from)?.unbind())
        }
    })?;
    Ok(ty.bind(py))
}

/// Frees an instance, and of a class that extends the type everything but the instance.
unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, for an instance of the type, with the interpreter attached.
    // The type is a heap type, so each instance holds a reference to it.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        drop((*object.cast::<Object>()).array.take());
        let free = ffi::PyType_GetSlot(ty, ffi::Py_tp_free);
        if !free.is_null() {
            let free: ffi::freefunc = std::mem::transmute(free);
            free(object.cast());
        }
        ffi::Py_DecRef(ty.cast());
    }
}

/// Fills a view of the data.
unsafe extern "C" fn get_buffer(
    object: *mut ffi::PyObject,
    view: *mut PyBuffer,
    flags: c_int,
) -> c_int {
    // SAFETY: Python calls this with an instance of the type and a view to fill, and holds the
    // reference that is stored in the view until it is released. Shape and strides live in the
    // array, as long as the instance.
    unsafe {
        if view.is_null() {
            ffi::PyErr_SetString(ffi::PyExc_BufferError, c"no view was given".as_ptr());
            return -1;
        }
        (*view).obj = ptr::null_mut();
        let refuse = |message: &CStr| {
            ffi::PyErr_SetString(ffi::PyExc_BufferError, message.as_ptr());
            -1
        };
        let Some(array) = (*object.cast::<Object>()).array.as_deref() else {
            return refuse(c"the data is empty: it comes from attributes, not from a constructor");
        };
        let Some((element, format)) = array.element.and_then(|e| Some((e, e.format?))) else {
            return refuse(c"the buffer protocol has no format for the type of the elements: use numpy() or __dlpack__");
        };
        if flags & PYBUF_WRITABLE != 0 {
            return refuse(c"the data is read-only");
        }
        let is_splat = array.is_splat();
        let wants = |flag| flags & flag == flag;
        let needs_contiguous = !wants(PYBUF_STRIDES)
            || wants(PYBUF_C_CONTIGUOUS)
            || wants(PYBUF_F_CONTIGUOUS)
            || wants(PYBUF_ANY_CONTIGUOUS);
        if is_splat && needs_contiguous {
            return refuse(c"the data is a splat, one element that is repeated: use numpy(), or copy it with tobytes()");
        }
        let is_vector = array.shape.iter().filter(|&&size| size != 1).count() <= 1;
        if wants(PYBUF_F_CONTIGUOUS) && !is_vector {
            return refuse(c"the data is in row-major order");
        }
        let ndim = array.shape.len();
        let pointer_to = |list: &[i64]| list.as_ptr().cast_mut().cast::<isize>();
        *view = PyBuffer {
            buf: array.bytes.pointer.cast_mut().cast(),
            obj: object,
            len: (array.count() * element.size) as isize,
            itemsize: element.size as isize,
            readonly: 1,
            ndim: if wants(PYBUF_ND) { ndim as c_int } else { 1 },
            format: if wants(PYBUF_FORMAT) {
                format.as_ptr().cast_mut()
            } else {
                ptr::null_mut()
            },
            shape: if wants(PYBUF_ND) {
                pointer_to(&array.shape)
            } else {
                ptr::null_mut()
            },
            strides: if wants(PYBUF_STRIDES) {
                pointer_to(&array.strides)
            } else {
                ptr::null_mut()
            },
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        };
        ffi::Py_IncRef(object);
        0
    }
}

// Shape and strides are handed out as `isize`.
const _: () = assert!(
    size_of::<isize>() == size_of::<i64>(),
    "32-bit targets need a conversion"
);

/// Returns an instance of `rmlir.Data`.
pub(crate) fn new_data(py: Python<'_>, array: Array) -> PyResult<Bound<'_, PyAny>> {
    static DATA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let ty = DATA.import(py, "rmlir._data", "Data")?;
    if !ty.is_subclass(buffer_type(py)?)? {
        return Err(PyTypeError::new_err("rmlir.Data was replaced"));
    }
    // SAFETY: the type extends ours, so an instance begins with an `Object`, whose memory is zero.
    unsafe {
        let instance = ffi::PyType_GenericAlloc(ty.as_type_ptr(), 0);
        let instance = Bound::from_owned_ptr_or_err(py, instance)?;
        ptr::write(
            &raw mut (*instance.as_ptr().cast::<Object>()).array,
            Some(Box::new(array)),
        );
        Ok(instance)
    }
}

/// Returns a copy of the array of an instance; the bytes are shared.
///
/// # Errors
///
/// If the object is not an instance, or one that Python made.
pub(crate) fn array_of(object: &Bound<'_, PyAny>) -> PyResult<Array> {
    if !object.is_instance(buffer_type(object.py())?)? {
        return Err(PyTypeError::new_err("expected rmlir.Data"));
    }
    // SAFETY: it is an instance of the type, and nothing changes the array.
    let array = unsafe {
        (*object.as_ptr().cast::<Object>())
            .array
            .as_deref()
            .cloned()
    };
    array.ok_or_else(|| {
        PyBufferError::new_err(
            "the data is empty: it comes from attributes, not from a constructor",
        )
    })
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`, of versions before 1.0.
#[repr(C)]
struct Unversioned {
    tensor: DlTensor,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Unversioned)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

const FLAG_READ_ONLY: u64 = 1;
const FLAG_IS_COPIED: u64 = 2;
/// Elements of less than a byte take a byte each.
const FLAG_PADDED: u64 = 4;
const CPU: i32 = 1;

const UNVERSIONED: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";

/// The data that a capsule keeps alive: the array, and its strides in elements.
struct Manager {
    array: Array,
    strides: Vec<i64>,
}

/// Returns a capsule with the data, which is never copied here.
///
/// # Errors
///
/// If DLPack has no type for the elements.
pub(crate) fn capsule(
    py: Python<'_>,
    array: Array,
    versioned: bool,
    copied: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let Some(element) = array.element else {
        let message = format!(
            "DLPack has no type for elements of type {}",
            array.element_text
        );
        return Err(PyBufferError::new_err(message));
    };
    if !versioned && (element.dlpack > 6 || element.bits < 8) {
        let message = format!("DLPack before 1.0 has no type for {}", array.element_text);
        return Err(PyBufferError::new_err(message));
    }
    let item_size = array.item_size as i64;
    let manager = Box::new(Manager {
        strides: array
            .strides
            .iter()
            .map(|stride| stride / item_size)
            .collect(),
        array,
    });
    let tensor = DlTensor {
        data: manager.array.bytes.pointer.cast_mut().cast(),
        device_type: CPU,
        device_id: 0,
        ndim: manager.array.shape.len() as i32,
        code: element.dlpack,
        bits: element.bits,
        lanes: 1,
        shape: manager.array.shape.as_ptr().cast_mut(),
        strides: manager.strides.as_ptr().cast_mut(),
        byte_offset: 0,
    };
    let manager = Box::into_raw(manager).cast();
    // SAFETY: the capsule owns the tensor until a consumer renames it; then the consumer calls the
    // deleter. Either way the deleter is called once, and frees both boxes.
    unsafe {
        let capsule = if versioned {
            let read_only = if copied {
                FLAG_IS_COPIED
            } else {
                FLAG_READ_ONLY
            };
            let padded = if element.bits < 8 { FLAG_PADDED } else { 0 };
            let managed = Box::into_raw(Box::new(Versioned {
                major: 1,
                minor: 1,
                manager,
                deleter: Some(delete_versioned),
                flags: read_only | padded,
                tensor,
            }));
            ffi::PyCapsule_New(managed.cast(), VERSIONED.as_ptr(), Some(drop_versioned))
        } else {
            let managed = Box::into_raw(Box::new(Unversioned {
                tensor,
                manager,
                deleter: Some(delete_unversioned),
            }));
            ffi::PyCapsule_New(managed.cast(), UNVERSIONED.as_ptr(), Some(drop_unversioned))
        };
        let capsule = Bound::from_owned_ptr_or_err(py, capsule)?;
        match capsule.is_instance_of::<PyCapsule>() {
            true => Ok(capsule),
            false => Err(PyRuntimeError::new_err("no capsule")),
        }
    }
}

/// Frees a tensor. Consumers may call it from any thread, with or without the interpreter.
unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: both were made by `capsule`, and this is called once.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.manager.cast::<Manager>()));
    }
}

unsafe extern "C" fn delete_unversioned(managed: *mut Unversioned) {
    // SAFETY: as above.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.manager.cast::<Manager>()));
    }
}

/// Frees the tensor of a capsule that nobody consumed.
unsafe extern "C" fn drop_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: a consumer renames the capsule, so a valid name means that nobody took the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn drop_unversioned(capsule: *mut ffi::PyObject) {
    // SAFETY: as above.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, UNVERSIONED.as_ptr()) == 1 {
            delete_unversioned(ffi::PyCapsule_GetPointer(capsule, UNVERSIONED.as_ptr()).cast());
        }
    }
}

/// Returns a file mapped into memory.
///
/// The caller of `rmlir.open` is told that a mapped file must not be changed while it is in use, as
/// for `numpy.memmap`.
///
/// # Errors
///
/// If the file cannot be opened or mapped.
pub(crate) fn map_file(path: &std::path::Path) -> rmlir::format::Result<rmlir::Source> {
    // SAFETY: documented of `rmlir.open`.
    unsafe { rmlir::Source::map(path) }
}
