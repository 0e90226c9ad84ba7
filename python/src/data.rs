//! Element types, and arrays of dense data.

use crate::buffer::Bytes;
use crate::errors::Fault;
use crate::shared_module::SharedModule;
use pyo3::prelude::*;
use rmlir::ir::float::FloatKind;
use rmlir::ir::{self, AttributeKind, Blob, Context, DYNAMIC, ResourceValue, Signedness, TypeKind};
use std::ffi::CStr;
use std::sync::Arc;

/// How other libraries name a type of elements. The one table for NumPy, buffers and DLPack.
#[derive(Clone, Copy)]
pub(crate) struct ElementType {
    /// The name in NumPy, or in `ml_dtypes`.
    pub(crate) numpy: &'static str,
    /// The format of the buffer protocol; `None` if it has none.
    pub(crate) format: Option<&'static CStr>,
    /// The type code of DLPack.
    pub(crate) dlpack: u8,
    /// The width in bits, as DLPack counts it.
    pub(crate) bits: u8,
    /// The bytes of an element.
    pub(crate) size: usize,
}

impl ElementType {
    const fn new(
        numpy: &'static str,
        format: Option<&'static CStr>,
        dlpack: u8,
        bits: u8,
        size: usize,
    ) -> Self {
        ElementType {
            numpy,
            format,
            dlpack,
            bits,
            size,
        }
    }

    /// Returns the row for a type of scalars or complex numbers; `None` if no library has it, such
    /// as `i7` and `f80`. Signless integers are signed, as in JAX.
    pub(crate) fn of(context: &Context, ty: ir::Type) -> Option<Self> {
        let row = ElementType::new;
        Some(match context.type_kind(ty) {
            TypeKind::Index => row("int64", Some(c"q"), 0, 64, 8),
            TypeKind::Integer { width, signedness } => {
                match (width, *signedness == Signedness::Unsigned) {
                    (1, _) => row("bool", Some(c"?"), 6, 8, 1),
                    (2, false) => row("int2", None, 0, 2, 1),
                    (2, true) => row("uint2", None, 1, 2, 1),
                    (4, false) => row("int4", None, 0, 4, 1),
                    (4, true) => row("uint4", None, 1, 4, 1),
                    (8, false) => row("int8", Some(c"b"), 0, 8, 1),
                    (8, true) => row("uint8", Some(c"B"), 1, 8, 1),
                    (16, false) => row("int16", Some(c"h"), 0, 16, 2),
                    (16, true) => row("uint16", Some(c"H"), 1, 16, 2),
                    (32, false) => row("int32", Some(c"i"), 0, 32, 4),
                    (32, true) => row("uint32", Some(c"I"), 1, 32, 4),
                    (64, false) => row("int64", Some(c"q"), 0, 64, 8),
                    (64, true) => row("uint64", Some(c"Q"), 1, 64, 8),
                    _ => return None,
                }
            }
            TypeKind::Float(kind) => match kind {
                FloatKind::F16 => row("float16", Some(c"e"), 2, 16, 2),
                FloatKind::F32 => row("float32", Some(c"f"), 2, 32, 4),
                FloatKind::F64 => row("float64", Some(c"d"), 2, 64, 8),
                FloatKind::BF16 => row("bfloat16", None, 4, 16, 2),
                FloatKind::F8E3M4 => row("float8_e3m4", None, 7, 8, 1),
                FloatKind::F8E4M3 => row("float8_e4m3", None, 8, 8, 1),
                FloatKind::F8E4M3B11FNUZ => row("float8_e4m3b11fnuz", None, 9, 8, 1),
                FloatKind::F8E4M3FN => row("float8_e4m3fn", None, 10, 8, 1),
                FloatKind::F8E4M3FNUZ => row("float8_e4m3fnuz", None, 11, 8, 1),
                FloatKind::F8E5M2 => row("float8_e5m2", None, 12, 8, 1),
                FloatKind::F8E5M2FNUZ => row("float8_e5m2fnuz", None, 13, 8, 1),
                FloatKind::F8E8M0FNU => row("float8_e8m0fnu", None, 14, 8, 1),
                FloatKind::F6E2M3FN => row("float6_e2m3fn", None, 15, 6, 1),
                FloatKind::F6E3M2FN => row("float6_e3m2fn", None, 16, 6, 1),
                FloatKind::F4E2M1FN => row("float4_e2m1fn", None, 17, 4, 1),
                FloatKind::TF32 | FloatKind::F80 | FloatKind::F128 => return None,
            },
            TypeKind::Complex(inner) => match context.type_kind(*inner) {
                TypeKind::Float(FloatKind::F32) => row("complex64", Some(c"Zf"), 5, 64, 8),
                TypeKind::Float(FloatKind::F64) => row("complex128", Some(c"Zd"), 5, 128, 16),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Elements in memory: bytes that something else owns, with a shape.
#[derive(Clone)]
pub(crate) struct Array {
    pub(crate) bytes: Bytes,
    /// Fits in `isize`.
    pub(crate) shape: Vec<i64>,
    /// In bytes; zeros for a splat.
    pub(crate) strides: Vec<i64>,
    /// `None` if no library knows the type.
    pub(crate) element: Option<ElementType>,
    /// The bytes of an element.
    pub(crate) item_size: usize,
    /// The MLIR type of the elements.
    pub(crate) element_text: String,
}

impl Array {
    /// Returns the data of dense elements, a dense array or a resource; `None` of any other
    /// attribute, and of a resource without data.
    ///
    /// # Errors
    ///
    /// If the size of a resource does not match its type.
    pub(crate) fn of_attribute(
        py: Python<'_>,
        shared: &Arc<SharedModule>,
        attribute: ir::Attribute,
    ) -> Result<Option<Self>, Fault> {
        shared.read(py, |ir| {
            let context = ir.context();
            match context.attribute_kind(attribute) {
                AttributeKind::DenseElements { ty, splat, data } => {
                    let bytes = Bytes::of_context(shared, data);
                    Array::new(context, bytes, *ty, *splat).map(Some)
                }
                AttributeKind::DenseArray {
                    element,
                    length,
                    data,
                } => {
                    let bytes = Bytes::of_context(shared, data);
                    let shape = vec![*length as i64];
                    Array::shaped(context, bytes, *element, shape, false).map(Some)
                }
                AttributeKind::DenseResource { ty, resource } => {
                    match &context.resource(*resource).value {
                        Some(ResourceValue::Blob(blob)) => {
                            Array::new(context, Bytes::of_blob(blob), *ty, false).map(Some)
                        }
                        _ => Ok(None),
                    }
                }
                _ => Ok(None),
            }
        })
    }

    /// Returns the bytes of a resource, whose type is not known.
    pub(crate) fn of_blob(blob: &Blob) -> Self {
        let bytes = Bytes::of_blob(blob);
        Array {
            shape: vec![bytes.as_slice().len() as i64],
            bytes,
            strides: vec![1],
            element: Some(ElementType::new("uint8", Some(c"B"), 1, 8, 1)),
            item_size: 1,
            element_text: "ui8".to_owned(),
        }
    }

    fn new(context: &Context, bytes: Bytes, ty: ir::Type, splat: bool) -> Result<Self, Fault> {
        let element = context.element_type(ty).unwrap_or(ty);
        let shape = context.shape(ty).unwrap_or_default().to_vec();
        Array::shaped(context, bytes, element, shape, splat)
    }

    fn shaped(
        context: &Context,
        bytes: Bytes,
        element: ir::Type,
        shape: Vec<i64>,
        splat: bool,
    ) -> Result<Self, Fault> {
        let element_text = rmlir::text::type_to_string(context, element);
        let layout = ir::dense::ElementLayout::of(context, element);
        let Some(item_size) = layout.map(|layout| layout.element_size()) else {
            let message = format!("elements of type {element_text} have no known layout");
            return Err(Fault::Request(message));
        };
        let mut strides = vec![0; shape.len()];
        let mut step = item_size as i64;
        for (stride, &size) in strides.iter_mut().zip(&shape).rev() {
            *stride = if splat { 0 } else { step };
            let next = (size != DYNAMIC).then(|| step.checked_mul(size)).flatten();
            step = next
                .filter(|&next| next >= 0 && isize::try_from(next).is_ok())
                .ok_or_else(|| Fault::request("the shape is dynamic or too large"))?;
        }
        let expected = if splat { item_size } else { step as usize };
        let found = bytes.as_slice().len();
        if found != expected {
            let message = format!("{found} bytes do not match the type, which has {expected}");
            return Err(Fault::Request(message));
        }
        Ok(Array {
            bytes,
            shape,
            strides,
            element: ElementType::of(context, element).filter(|row| row.size == item_size),
            item_size,
            element_text,
        })
    }

    /// Returns whether one element is stored for all.
    pub(crate) fn is_splat(&self) -> bool {
        self.count() > 1 && self.strides.iter().all(|&stride| stride == 0)
    }

    /// Returns the number of elements.
    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Returns the same bytes as unsigned integers of the same size, for types that the buffer
    /// protocol has no format for.
    pub(crate) fn raw(&self) -> Self {
        let row = ElementType::new;
        let element = match self.item_size {
            1 => Some(row("uint8", Some(c"B"), 1, 8, 1)),
            2 => Some(row("uint16", Some(c"H"), 1, 16, 2)),
            4 => Some(row("uint32", Some(c"I"), 1, 32, 4)),
            8 => Some(row("uint64", Some(c"Q"), 1, 64, 8)),
            _ => None,
        };
        Array {
            element,
            ..self.clone()
        }
    }

    /// Returns a copy of all elements in row-major order.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        match self.is_splat() {
            true => self.bytes.as_slice().repeat(self.count()),
            false => self.bytes.as_slice().to_vec(),
        }
    }

    /// Returns a copy that owns its bytes, without a stride of zero.
    pub(crate) fn copied(&self) -> Self {
        let mut step = self.item_size as i64;
        let mut strides = self.strides.clone();
        for (stride, &size) in strides.iter_mut().zip(&self.shape).rev() {
            *stride = step;
            step *= size;
        }
        Array {
            bytes: Bytes::of_vec(self.to_vec()),
            strides,
            ..self.clone()
        }
    }
}
