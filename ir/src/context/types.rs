//! The methods of a context that intern and query types.

use super::Context;
use crate::error::Invalid;
use crate::float::FloatKind;
use crate::{Attribute, AttributeKind, Signedness, Type, TypeKind};
use std::mem::Discriminant;

impl Context {
    /// Returns the kind of a type.
    #[inline]
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.item(ty.index_in(self.owner))
    }

    /// Interns a type after checking the rules of the builtin dialect. Equal types that have
    /// several representations (an identity layout, memory space 0) are canonicalized.
    ///
    /// # Errors
    ///
    /// Returns a message that describes the violated rule.
    pub fn try_type(&mut self, kind: TypeKind) -> Result<Type, Invalid> {
        let kind = self.canonical_type(kind);
        let hash = self.types.hash(&kind);
        // Interned types are valid.
        let found = self.types.find_hashed(hash, &kind);
        Ok(Type::from_index(match found {
            Some(found) => found,
            None => {
                self.check_type(&kind)?;
                self.intern_names_of_type(&kind);
                self.types.push_hashed(hash, kind)
            }
        })
        .of(self.owner))
    }

    /// Interns a type that is known to be valid and canonical.
    pub(crate) fn intern_type(&mut self, kind: TypeKind) -> Type {
        self.intern_names_of_type(&kind);
        Type::from_index(self.types.intern(kind)).of(self.owner)
    }

    /// Interns the symbol names in the text of a dialect type.
    fn intern_names_of_type(&mut self, kind: &TypeKind) {
        if let TypeKind::Dialect { body, .. } = kind {
            self.intern_names(body);
        }
    }

    fn canonical_type(&self, mut kind: TypeKind) -> TypeKind {
        match &mut kind {
            TypeKind::MemRef {
                shape,
                layout,
                memory_space,
                ..
            } => {
                if let Some(attribute) = *layout
                    && let AttributeKind::AffineMap(map) = self.attribute_kind(attribute)
                    && map.num_dims as usize == shape.len()
                    && map.is_identity(&self.affine)
                {
                    *layout = None;
                }
                self.drop_default_memory_space(memory_space);
                // Only the dialect knows whether its attribute is a layout: a lone dialect
                // attribute is stored as the memory space, which prints the same.
                if memory_space.is_none()
                    && layout.is_some_and(|l| {
                        matches!(self.attribute_kind(l), AttributeKind::Dialect { .. })
                    })
                {
                    *memory_space = layout.take();
                }
            }
            TypeKind::UnrankedMemRef { memory_space, .. } => {
                self.drop_default_memory_space(memory_space)
            }
            _ => {}
        }
        kind
    }

    fn drop_default_memory_space(&self, memory_space: &mut Option<Attribute>) {
        if let Some(attribute) = *memory_space
            && let AttributeKind::Integer { value, .. } = self.attribute_kind(attribute)
            && value.is_zero()
        {
            *memory_space = None;
        }
    }

    /// Returns a signless integer type of `width` bits, clamped to the maximum width of MLIR.
    pub fn integer_type(&mut self, width: u32) -> Type {
        match width {
            1 => self.common.i1,
            32 => self.common.i32,
            64 => self.common.i64,
            _ => self.intern_type(TypeKind::Integer {
                width: width.min(crate::MAX_INTEGER_WIDTH),
                signedness: Signedness::Signless,
            }),
        }
    }

    /// Returns a float type.
    pub fn float_type(&mut self, kind: FloatKind) -> Type {
        self.intern_type(TypeKind::Float(kind))
    }

    /// Returns `index`.
    pub fn index_type(&self) -> Type {
        self.common.index
    }

    /// Returns `none`.
    pub fn none_type(&self) -> Type {
        self.common.none
    }

    /// Returns `i1`.
    pub fn i1_type(&self) -> Type {
        self.common.i1
    }

    /// Returns `i32`.
    pub fn i32_type(&self) -> Type {
        self.common.i32
    }

    /// Returns `i64`.
    pub fn i64_type(&self) -> Type {
        self.common.i64
    }

    /// Returns `f32`.
    pub fn f32_type(&self) -> Type {
        self.common.f32
    }

    /// Returns `f64`.
    pub fn f64_type(&self) -> Type {
        self.common.f64
    }

    /// Returns `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) -> Type {
        /// Hashes like the type's kind.
        #[derive(Hash)]
        struct Parts<'t>(Discriminant<TypeKind>, &'t [Type], &'t [Type]);
        Type::from_index(self.types.intern_parts(
            Parts(self.common.function, inputs, results),
            |kind| {
                matches!(kind, TypeKind::Function { inputs: i, results: r } if **i == *inputs && **r == *results)
            },
            || TypeKind::Function {
                inputs: inputs.into(),
                results: results.into(),
            },
        ))
        .of(self.owner)
    }

    /// Returns `token`.
    pub fn token_type(&mut self) -> Type {
        self.intern_type(TypeKind::Token)
    }

    /// Returns `tuple<types>`.
    pub fn tuple_type(&mut self, types: &[Type]) -> Type {
        self.intern_type(TypeKind::Tuple(types.into()))
    }
}
