//! The rules of builtin types and attributes, as upstream's `verify` methods define them.
//!
//! Parser, bytecode readers and builders all construct through [`Context::try_type`] and
//! [`Context::try_attribute`], so each rule is stated once, here.

use crate::dense::ElementLayout;
use crate::error::Invalid;
use crate::{
    Attribute, AttributeKind, Context, DYNAMIC, DialectBody, Identifier, MAX_INTEGER_WIDTH, Type,
    TypeKind,
};

/// Returns sizes as a list for a message.
fn listed(sizes: &[i64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    sizes.join(", ")
}

/// Returns an error unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(Invalid::new(format!($($message)+)));
        }
    };
}

impl Context {
    /// Checks the rules of the Builtin dialect for a type.
    ///
    /// # Errors
    ///
    /// The violated rule.
    pub fn check_type(&self, kind: &TypeKind) -> Result<(), Invalid> {
        match kind {
            TypeKind::Integer { width, .. } => {
                ensure!(
                    *width <= MAX_INTEGER_WIDTH,
                    "integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits"
                );
            }
            TypeKind::Complex(element) => {
                ensure!(
                    matches!(
                        self.type_kind(*element),
                        TypeKind::Integer { .. } | TypeKind::Float(_)
                    ),
                    "invalid element type for complex"
                );
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                ensure!(
                    self.is_vector_element(*element),
                    "failed to verify 'elementType': VectorElementTypeInterface instance"
                );
                ensure!(
                    shape.iter().all(|&d| d > 0),
                    "vector types must have positive constant sizes but got {}",
                    listed(shape)
                );
                ensure!(
                    shape.len() == scalable.len(),
                    "number of dims must match, got {} and {}",
                    scalable.len(),
                    shape.len()
                );
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                ensure!(
                    shape.iter().all(|&d| d >= 0 || d == DYNAMIC),
                    "invalid tensor dimension size"
                );
                ensure!(
                    self.is_tensor_element(*element),
                    "invalid tensor element type"
                );
                if let Some(encoding) = *encoding {
                    self.check_encoding(encoding, shape.len())?;
                }
            }
            TypeKind::UnrankedTensor(element) => {
                ensure!(
                    self.is_tensor_element(*element),
                    "invalid tensor element type"
                );
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                ensure!(
                    self.is_memref_element(*element),
                    "invalid memref element type"
                );
                ensure!(
                    shape.iter().all(|&d| d >= 0 || d == DYNAMIC),
                    "invalid memref size"
                );
                if let Some(layout) = *layout {
                    self.check_memref_layout(layout, shape.len())?;
                }
                self.check_memory_space(*memory_space)?;
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                ensure!(
                    self.is_memref_element(*element),
                    "invalid memref element type"
                );
                self.check_memory_space(*memory_space)?;
            }
            TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::None
            | TypeKind::Token
            | TypeKind::Tuple(_)
            | TypeKind::Function { .. }
            | TypeKind::Graph { .. } => {}
            TypeKind::Dialect { dialect, body } => self.check_dialect_symbol(*dialect, body)?,
        }
        Ok(())
    }

    /// Returns whether a type can be an element of a vector.
    fn is_vector_element(&self, ty: Type) -> bool {
        match self.type_kind(ty) {
            TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) => true,
            TypeKind::Dialect { dialect, body } => {
                self.may_implement(*dialect, body, "VectorElementTypeInterface")
            }
            _ => false,
        }
    }

    /// Returns whether a type of a dialect may implement an interface: it does so, or the
    /// interfaces of the dialect's types are not known.
    fn may_implement(&self, dialect: Identifier, body: &DialectBody, name: &str) -> bool {
        let Some(dialect) = self.dialect(self.bytes(dialect)) else {
            return true;
        };
        if !dialect.interfaces_complete || !self.release().covers(dialect.family) {
            return true;
        }
        let number = self.release().number_in(dialect.family);
        let entry = dialect.types.entry_of(body, number);
        entry.is_some_and(|entry| {
            let mut traits = entry.traits.iter();
            traits.any(|one| one.name == name && one.releases.contains(number))
        })
    }

    /// Checks that a tensor of a rank can have an encoding, if the definition of the encoding
    /// determines the rank.
    fn check_encoding(&self, encoding: Attribute, rank: usize) -> Result<(), Invalid> {
        let AttributeKind::Dialect { dialect, body, .. } = self.attribute_kind(encoding) else {
            return Ok(());
        };
        let Some(dialect) = self.dialect(self.bytes(*dialect)) else {
            return Ok(());
        };
        let number = self.release().number_in(dialect.family);
        let entry = dialect.attributes.entry_of(body, number);
        let Some(entry) = entry.filter(|entry| !entry.dimensions.is_empty()) else {
            return Ok(());
        };
        let Some(dimensions) = self.parameter(encoding, &entry.dimensions) else {
            return Ok(());
        };
        let count = dimensions.items().len();
        ensure!(
            count == rank,
            "expected an encoding of a tensor of rank {rank}, but got one of rank {count}"
        );
        Ok(())
    }

    fn is_tensor_element(&self, ty: Type) -> bool {
        matches!(
            self.type_kind(ty),
            TypeKind::Complex(_)
                | TypeKind::Float(_)
                | TypeKind::Integer { .. }
                | TypeKind::Vector { .. }
                | TypeKind::Index
                | TypeKind::Dialect { .. }
        )
    }

    fn is_memref_element(&self, ty: Type) -> bool {
        match self.type_kind(ty) {
            TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. } => true,
            TypeKind::Dialect { dialect, body } => {
                self.may_implement(*dialect, body, "MemRefElementTypeInterface")
            }
            _ => self.is_tensor_element(ty),
        }
    }

    fn check_memref_layout(&self, layout: Attribute, rank: usize) -> Result<(), Invalid> {
        match self.attribute_kind(layout) {
            AttributeKind::AffineMap(map) => ensure!(
                map.num_dims as usize == rank,
                "memref layout mismatch between rank and affine map: {rank} != {}",
                map.num_dims
            ),
            AttributeKind::StridedLayout { strides, .. } => ensure!(
                strides.len() == rank,
                "expected the number of strides to match the rank"
            ),
            AttributeKind::Dialect { .. } => {}
            _ => return Err(Invalid::new("expected a memref layout attribute")),
        }
        Ok(())
    }

    fn check_memory_space(&self, space: Option<Attribute>) -> Result<(), Invalid> {
        let supported = space.is_none_or(|space| {
            matches!(
                self.attribute_kind(space),
                AttributeKind::Integer { .. }
                    | AttributeKind::String { .. }
                    | AttributeKind::Dictionary(_)
                    | AttributeKind::Dialect { .. }
            )
        });
        ensure!(supported, "unsupported memory space Attribute");
        Ok(())
    }

    /// Checks the rules of the Builtin dialect for an attribute.
    ///
    /// # Errors
    ///
    /// The violated rule.
    pub fn check_attribute(&self, kind: &AttributeKind) -> Result<(), Invalid> {
        match kind {
            AttributeKind::Integer { ty, value } => {
                let width = match self.type_kind(*ty) {
                    TypeKind::Integer { width, .. } => *width,
                    TypeKind::Index => 64,
                    _ => return Err(Invalid::new("expected integer or index type")),
                };
                ensure!(
                    value.width() == width,
                    "integer type bit width ({width}) doesn't match value bit width ({})",
                    value.width()
                );
            }
            AttributeKind::Float { ty, bits } => {
                let TypeKind::Float(float) = self.type_kind(*ty) else {
                    return Err(Invalid::new("expected floating point type"));
                };
                let width = float.width();
                ensure!(
                    width == 128 || bits >> width == 0,
                    "float value does not fit its type"
                );
            }
            AttributeKind::Dictionary(entries) => {
                ensure!(
                    entries.iter().all(|entry| !self.bytes(entry.0).is_empty()),
                    "expected valid attribute name"
                );
                for pair in entries.windows(2) {
                    if let [a, b] = pair {
                        let (a, b) = (self.bytes(a.0), self.bytes(b.0));
                        ensure!(
                            a != b,
                            "duplicate key '{}' in dictionary attribute",
                            String::from_utf8_lossy(a)
                        );
                        ensure!(a < b, "dictionary attribute is not sorted");
                    }
                }
            }
            AttributeKind::DenseElements { ty, splat, data } => {
                let (layout, count) = self.dense_layout(*ty)?;
                let expected = if *splat { 1 } else { count };
                let size = layout.element_size() as u64;
                ensure!(
                    expected.checked_mul(size) == Some(data.len() as u64),
                    "dense data size doesn't match the type: {} bytes for {expected} elements of {size}",
                    data.len()
                );
                self.check_dense_bits(layout, data)?;
            }
            AttributeKind::DenseStrings { ty, splat, values } => {
                let count = self.dense_count(*ty)?;
                let element = self.element_type(*ty);
                ensure!(
                    element.is_some_and(|e| ElementLayout::of(self, e).is_none()),
                    "elements of this type are numbers, not strings"
                );
                let expected = if *splat { 1 } else { count };
                ensure!(
                    expected == values.len() as u64,
                    "expected {expected} string elements, got {}",
                    values.len()
                );
            }
            AttributeKind::DenseArray {
                element,
                length,
                data,
            } => {
                let layout = self.dense_array_layout(*element)?;
                ensure!(
                    length.checked_mul(layout.scalar_size) == Some(data.len()),
                    "data size doesn't match element size and count"
                );
                self.check_dense_bits(layout, data)?;
            }
            AttributeKind::DenseResource { ty, .. } => {
                ensure!(
                    self.element_type(*ty).is_some(),
                    "`dense_resource` expected a shaped type"
                );
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => self.check_sparse(*ty, *indices, *values)?,
            AttributeKind::AffineMap(map) => map
                .check(self.affine())
                .map_err(|error| Invalid::new(format!("affine map: {error}")))?,
            AttributeKind::IntegerSet(set) => {
                set.check(self.affine())
                    .map_err(|error| Invalid::new(format!("integer set: {error}")))?;
                ensure!(
                    !set.constraints.is_empty(),
                    "integer set without constraints"
                );
            }
            AttributeKind::DenseText { ty, .. } => ensure!(
                matches!(self.type_kind(*ty), TypeKind::Dialect { .. }),
                "elements literal must be a ranked tensor or vector type"
            ),
            AttributeKind::Unit
            | AttributeKind::SymbolRef { .. }
            | AttributeKind::String { .. }
            | AttributeKind::Type(_)
            | AttributeKind::Array(_)
            | AttributeKind::StridedLayout { .. }
            | AttributeKind::Distinct { .. }
            | AttributeKind::Location(_) => {}
            AttributeKind::Dialect { dialect, body, .. } => {
                self.check_dialect_symbol(*dialect, body)?;
            }
        }
        Ok(())
    }

    /// Checks that the name is valid after `#` or `!`, and the body after the name.
    fn check_dialect_symbol(&self, dialect: Identifier, body: &DialectBody) -> Result<(), Invalid> {
        let name = self.bytes(dialect);
        let in_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'-');
        let numeric = name.first().is_some_and(u8::is_ascii_digit);
        ensure!(
            !name.is_empty()
                && name.iter().all(in_name)
                && (!numeric || name.iter().all(u8::is_ascii_digit)),
            "'{}' cannot be the name of a dialect",
            name.escape_ascii()
        );
        body.check()
    }

    /// Returns the number of elements of dense data of type `ty`.
    ///
    /// # Errors
    ///
    /// If `ty` is not a vector, ranked tensor or memref type of static shape.
    pub fn dense_count(&self, ty: Type) -> Result<u64, Invalid> {
        ensure!(
            self.shape(ty).is_some(),
            "elements literal must be a ranked tensor or vector type"
        );
        // Upstream's count overflows without a word, so that 2^32 times 2^32 elements are none.
        let is_static = |size: &i64| *size != DYNAMIC;
        self.element_count(ty).ok_or_else(|| {
            let shape = self.shape(ty).unwrap_or_default();
            Invalid::new(match shape.iter().all(is_static) {
                true => "elements literal type must have fewer than 2^64 elements",
                false => "elements literal type must have static shape",
            })
        })
    }

    /// Returns the layout and the number of elements of dense data of type `ty`.
    ///
    /// # Errors
    ///
    /// If the type cannot have dense data.
    pub fn dense_layout(&self, ty: Type) -> Result<(ElementLayout, u64), Invalid> {
        let count = self.dense_count(ty)?;
        let layout = self
            .element_type(ty)
            .and_then(|e| ElementLayout::of(self, e))
            .ok_or_else(|| {
                Invalid::new("expected integer, index, floating point or complex element type")
            })?;
        Ok((layout, count))
    }

    /// Returns the layout of the elements of a dense array.
    ///
    /// # Errors
    ///
    /// If a dense array cannot have elements of that type.
    pub fn dense_array_layout(&self, element: Type) -> Result<ElementLayout, Invalid> {
        let layout = match self.type_kind(element) {
            TypeKind::Integer { .. } | TypeKind::Float(_) => ElementLayout::of(self, element),
            _ => None,
        };
        let layout =
            layout.ok_or_else(|| Invalid::new("expected integer or floating point type"))?;
        ensure!(
            layout.is_bool() || (layout.scalar.width() % 8 == 0 && layout.scalar.width() > 0),
            "element type bitwidth must be a multiple of 8"
        );
        Ok(layout)
    }

    /// Bits above the width of a scalar are zero.
    fn check_dense_bits(&self, layout: ElementLayout, data: &[u8]) -> Result<(), Invalid> {
        let used = layout.scalar.width() % 8;
        let empty = layout.scalar.width() == 0;
        if used == 0 && !empty {
            return Ok(());
        }
        let mask = !((1u32 << used) - 1) as u8;
        let clean = data
            .chunks_exact(layout.scalar_size)
            .all(|scalar| scalar.last().is_none_or(|&b| b & mask == 0));
        ensure!(
            clean,
            "dense data has bits set above the width of its element type"
        );
        Ok(())
    }

    fn check_sparse(&self, ty: Type, indices: Attribute, values: Attribute) -> Result<(), Invalid> {
        self.dense_count(ty)?;
        let rank = self.shape(ty).map_or(0, <[i64]>::len) as i64;
        let dense_type = |attribute| match *self.attribute_kind(attribute) {
            AttributeKind::DenseElements { ty, .. } | AttributeKind::DenseStrings { ty, .. } => {
                Some(ty)
            }
            _ => None,
        };
        let index_elements = indices;
        let (Some(indices), Some(values)) = (dense_type(indices), dense_type(values)) else {
            return Err(Invalid::new("expected dense indices and values"));
        };
        ensure!(
            self.element_type(indices) == Some(self.i64_type()),
            "expected sparse indices to be 64-bit integers"
        );
        ensure!(
            self.element_type(values) == self.element_type(ty),
            "expected sparse values to have the element type of the attribute"
        );
        let value_shape = self.shape(values).unwrap_or_default();
        ensure!(
            value_shape.len() == 1,
            "expected 1-d tensor for sparse element values"
        );
        let index_shape = self.shape(indices).unwrap_or_default();
        let count = value_shape.first().copied().unwrap_or(0);
        let matches = match *index_shape {
            [n] => n == count && rank == 1,
            [n, r] => n == count && r == rank,
            _ => false,
        };
        ensure!(
            matches,
            "sparse index shape does not match the number of values and the rank of the type"
        );
        ensure!(
            self.are_indices_inside(index_elements, self.shape(ty).unwrap_or_default()),
            "sparse index is not contained within the value shape"
        );
        Ok(())
    }

    /// Returns whether 64-bit indices are in bounds: groups of `sizes.len()` integers, each less
    /// than the size of its dimension.
    fn are_indices_inside(&self, indices: Attribute, sizes: &[i64]) -> bool {
        let AttributeKind::DenseElements { splat, data, .. } = self.attribute_kind(indices) else {
            return false;
        };
        let mut numbers = data
            .chunks_exact(8)
            .map(|bytes| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
        let is_inside = |(number, &size): (u64, &i64)| number < size.cast_unsigned();
        if *splat {
            let number = numbers.next().unwrap_or(0);
            return sizes.iter().all(|size| is_inside((number, size)));
        }
        numbers.zip(sizes.iter().cycle()).all(is_inside)
    }
}
