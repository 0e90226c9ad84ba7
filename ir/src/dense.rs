//! The memory layout of dense elements.

use crate::float::FloatKind;
use crate::{Context, Type, TypeKind};

/// The scalars of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarKind {
    /// An integer type.
    Integer {
        /// Width in bits.
        width: u32,
        /// Whether it is printed as a negative number when its top bit is set: true for all but
        /// `ui` types.
        signed: bool,
    },
    /// `index`: 64 bits, signed.
    Index,
    /// A float.
    Float(FloatKind),
}

/// The memory layout of dense elements; see [`AttributeKind`](crate::AttributeKind) for the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementLayout {
    /// The kind of each scalar.
    pub scalar: ScalarKind,
    /// The size of a scalar in bytes, at least 1.
    pub scalar_size: usize,
    /// Whether an element consists of two scalars, as a complex number does.
    pub complex: bool,
}

impl ElementLayout {
    /// Returns the layout for an element type; `None` if it is not an integer, `index`, a float or
    /// a complex type of these.
    pub fn of(context: &Context, element: Type) -> Option<Self> {
        let (scalar, complex) = match *context.type_kind(element) {
            TypeKind::Complex(inner) => (Self::scalar(context, inner)?, true),
            _ => (Self::scalar(context, element)?, false),
        };
        Some(ElementLayout {
            scalar,
            scalar_size: scalar.size(),
            complex,
        })
    }

    fn scalar(context: &Context, ty: Type) -> Option<ScalarKind> {
        Some(match *context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => ScalarKind::Integer {
                width,
                signed: signedness != crate::Signedness::Unsigned,
            },
            TypeKind::Index => ScalarKind::Index,
            TypeKind::Float(kind) => ScalarKind::Float(kind),
            _ => return None,
        })
    }

    /// Returns the size of an element in bytes.
    pub fn element_size(&self) -> usize {
        if self.complex {
            self.scalar_size * 2
        } else {
            self.scalar_size
        }
    }

    /// Returns whether elements are `i1`, which upstream's text packs eight to a byte.
    pub fn is_bool(&self) -> bool {
        !self.complex && matches!(self.scalar, ScalarKind::Integer { width: 1, .. })
    }

    /// Returns the element that `data` repeats, if all elements are equal.
    pub fn find_splat<'a>(&self, data: &'a [u8]) -> Option<&'a [u8]> {
        let size = self.element_size();
        if data.is_empty() || !data.len().is_multiple_of(size) {
            return None;
        }
        // Each byte equals the corresponding byte of the next element.
        (data.get(size..)? == data.get(..data.len() - size)?)
            .then(|| data.get(..size))
            .flatten()
    }
}

impl ScalarKind {
    /// Returns the width in bits.
    pub fn width(self) -> u32 {
        match self {
            ScalarKind::Integer { width, .. } => width,
            ScalarKind::Index => 64,
            ScalarKind::Float(kind) => kind.width(),
        }
    }

    /// Returns the size of a scalar in bytes, at least 1.
    pub fn size(self) -> usize {
        (self.width() as usize).div_ceil(8).max(1)
    }
}
