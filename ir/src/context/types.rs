//! Types of a context.

use super::Context;
use crate::error::Invalid;
use crate::float::FloatKind;
use crate::{Attribute, AttributeKind, Signedness, Type, TypeKind};
use std::mem::Discriminant;

impl Context {
    /// What a type is.
    #[inline]
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.item(ty.index_in(self.owner))
    }

    /// Interns a type after checking the rules of the builtin dialect; equal types that can be said
    /// in several ways (an identity layout, memory space 0) get one form.
    ///
    /// # Errors
    ///
    /// The rule that is broken, as a sentence.
    pub fn try_type(&mut self, kind: TypeKind) -> Result<Type, Invalid> {
        let kind = self.canonical_type(kind);
        let hash = self.types.hash(&kind);
        // What is there is valid.
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

    /// Interns the names of symbols in the text of a dialect's type.
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
                // Whether a dialect's attribute is a layout only the dialect knows: one that stands alone
                // is held as the memory space, which prints the same.
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

    /// A signless integer type of `width` bits, cut to the largest width that MLIR has.
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

    /// A float type.
    pub fn float_type(&mut self, kind: FloatKind) -> Type {
        self.intern_type(TypeKind::Float(kind))
    }

    /// `index`.
    pub fn index_type(&self) -> Type {
        self.common.index
    }

    /// `none`.
    pub fn none_type(&self) -> Type {
        self.common.none
    }

    /// `i1`.
    pub fn i1_type(&self) -> Type {
        self.common.i1
    }

    /// `i32`.
    pub fn i32_type(&self) -> Type {
        self.common.i32
    }

    /// `i64`.
    pub fn i64_type(&self) -> Type {
        self.common.i64
    }

    /// `f32`.
    pub fn f32_type(&self) -> Type {
        self.common.f32
    }

    /// `f64`.
    pub fn f64_type(&self) -> Type {
        self.common.f64
    }

    /// `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) -> Type {
        /// Hashes as the kind does.
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

    /// `tuple<types>`.
    pub fn tuple_type(&mut self, types: &[Type]) -> Type {
        self.intern_type(TypeKind::Tuple(types.into()))
    }
}
