//! The table of types and attributes.

use super::encoder::{Encoder, write_bytes, write_option};
use super::numbers::{Numbers, Shared, next};
use super::table;
use rmlir_format::rmbc::{FLOAT_KEYWORDS, tag};
use rmlir_format::varint::{write_signed_varint, write_varint, zigzag};
use rmlir_format::{Error, ErrorKind, Result, check_limit};
use rmlir_ir::{
    Attribute, AttributeKind, BodyReference, Context, DYNAMIC, DialectBody, Identifier, Location,
    Signedness, Type, TypeKind,
};

/// What the table holds. Locations are here only if attributes refer to them.
#[derive(Clone, Copy)]
pub(super) enum Node {
    Type(Type),
    Attribute(Attribute),
    Location(Location),
}

/// Entries in post-order: what an entry refers to comes before it.
pub(super) struct Entries {
    types: Numbers,
    attributes: Numbers,
    locations: Numbers,
    /// Locations that were written, to write equal ones once.
    shared: Shared,
    /// By number; of equal locations the first.
    nodes: Vec<Node>,
    out: Vec<u8>,
    /// What waits for what it refers to.
    stack: Vec<Node>,
}

impl Entries {
    pub(super) fn new(context: &Context) -> Self {
        Entries {
            types: Numbers::with_len(context.type_count()),
            attributes: Numbers::with_len(context.attribute_count()),
            locations: Numbers::default(),
            shared: Shared::default(),
            nodes: Vec::new(),
            out: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// What was written, by number.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn finish(self) -> Vec<u8> {
        table(self.nodes.len() as u32, self.out)
    }

    #[inline]
    fn number(&self, node: Node) -> Option<u32> {
        match node {
            Node::Type(ty) => self.types.get(ty.index()),
            Node::Attribute(attribute) => self.attributes.get(attribute.index()),
            Node::Location(location) => self.locations.get(location.index()),
        }
    }

    fn numbers_mut(&mut self, node: Node) -> (&mut Numbers, usize) {
        match node {
            Node::Type(ty) => (&mut self.types, ty.index()),
            Node::Attribute(attribute) => (&mut self.attributes, attribute.index()),
            Node::Location(location) => (&mut self.locations, location.index()),
        }
    }

    /// The number of `node`, or anything if it has none yet; then it is put on the stack.
    fn reference(&mut self, node: Node) -> u64 {
        let number = self.number(node);
        if number.is_none() {
            self.stack.push(node);
        }
        number.unwrap_or_default().into()
    }

    fn ty(&mut self, ty: Type) -> u64 {
        self.reference(Node::Type(ty))
    }

    fn attribute(&mut self, attribute: Attribute) -> u64 {
        self.reference(Node::Attribute(attribute))
    }
}

impl Encoder<'_> {
    /// The number of a type, an attribute, or a location in one.
    #[inline]
    pub(super) fn entry(&mut self, node: Node) -> Result<u64> {
        match self.entries.number(node) {
            Some(number) => Ok(number.into()),
            None => self.new_entry(node),
        }
    }

    fn new_entry(&mut self, node: Node) -> Result<u64> {
        let mut out = std::mem::take(&mut self.entries.out);
        self.entries.stack.clear();
        self.entries.stack.push(node);
        let mut last = 0;
        while let Some(&top) = self.entries.stack.last() {
            if let Some(number) = self.entries.number(top) {
                last = number;
                self.entries.stack.pop();
                continue;
            }
            let (start, height) = (out.len(), self.entries.stack.len());
            match top {
                Node::Type(ty) => self.type_body(&mut out, ty)?,
                Node::Attribute(attribute) => self.attribute_body(&mut out, attribute)?,
                Node::Location(location) => {
                    self.location_body(&mut out, location, |encoder, node| {
                        Ok(encoder.entries.reference(node))
                    })?;
                }
            }
            let entries = &mut self.entries;
            if entries.stack.len() > height {
                // First what it refers to, in order; then once more.
                out.truncate(start);
                entries.stack[height..].reverse();
                let (numbers, index) = entries.numbers_mut(top);
                if !numbers.begin(index) {
                    return Err(containing_itself());
                }
                continue;
            }
            let new = entries.nodes.len() as u32;
            let number = match top {
                Node::Location(_) => entries.shared.find_or_add(&out, start, new),
                _ => new,
            };
            if number == new {
                next(number)?;
                entries.nodes.push(top);
            } else {
                out.truncate(start);
            }
            let (numbers, index) = entries.numbers_mut(top);
            numbers.set(index, number);
        }
        self.entries.out = out;
        Ok(last.into())
    }

    fn types(&mut self, out: &mut Vec<u8>, types: &[Type]) {
        write_varint(out, types.len() as u64);
        for &ty in types {
            write_varint(out, self.entries.ty(ty));
        }
    }

    fn optional_attribute(&mut self, out: &mut Vec<u8>, attribute: Option<Attribute>) {
        let number = attribute.map(|attribute| self.entries.attribute(attribute));
        write_option(out, number);
    }

    fn optional_type(&mut self, out: &mut Vec<u8>, ty: Option<Type>) {
        let number = ty.map(|ty| self.entries.ty(ty));
        write_option(out, number);
    }

    fn strings(&mut self, out: &mut Vec<u8>, strings: &[Identifier]) -> Result<()> {
        write_varint(out, strings.len() as u64);
        for &string in strings {
            write_varint(out, self.string(string)?);
        }
        Ok(())
    }

    fn type_body(&mut self, out: &mut Vec<u8>, ty: Type) -> Result<()> {
        let context: &Context = self.context;
        match context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                out.push(match signedness {
                    Signedness::Signless => tag::SIGNLESS_TYPE,
                    Signedness::Signed => tag::SIGNED_TYPE,
                    Signedness::Unsigned => tag::UNSIGNED_TYPE,
                });
                write_varint(out, (*width).into());
            }
            TypeKind::Float(kind) => {
                let keyword = kind.keyword();
                let position = FLOAT_KEYWORDS.iter().position(|&known| known == keyword);
                let position = position.ok_or_else(|| unknown_kind("float type"))?;
                out.extend([tag::FLOAT_TYPE, position as u8]);
            }
            TypeKind::Index => out.push(tag::INDEX_TYPE),
            TypeKind::None => out.push(tag::NONE_TYPE),
            TypeKind::Complex(element) => {
                out.push(tag::COMPLEX_TYPE);
                write_varint(out, self.entries.ty(*element));
            }
            TypeKind::Tuple(types) => {
                out.push(tag::TUPLE_TYPE);
                self.types(out, types);
            }
            TypeKind::Function { inputs, results } => {
                out.push(tag::FUNCTION_TYPE);
                self.types(out, inputs);
                self.types(out, results);
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                let any = scalable.contains(&true);
                out.push(if any {
                    tag::SCALABLE_VECTOR_TYPE
                } else {
                    tag::VECTOR_TYPE
                });
                write_varint(out, self.entries.ty(*element));
                write_shape(out, shape)?;
                if any {
                    out.extend(scalable.chunks(8).map(|bits| {
                        bits.iter()
                            .rev()
                            .fold(0, |byte, &bit| byte << 1 | u8::from(bit))
                    }));
                }
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                out.push(tag::RANKED_TENSOR_TYPE);
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *encoding);
                write_shape(out, shape)?;
            }
            TypeKind::UnrankedTensor(element) => {
                out.push(tag::UNRANKED_TENSOR_TYPE);
                write_varint(out, self.entries.ty(*element));
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                out.push(tag::MEMREF_TYPE);
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *layout);
                self.optional_attribute(out, *memory_space);
                write_shape(out, shape)?;
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                out.push(tag::UNRANKED_MEMREF_TYPE);
                write_varint(out, self.entries.ty(*element));
                self.optional_attribute(out, *memory_space);
            }
            TypeKind::Dialect { dialect, body } => {
                out.push(tag::DIALECT_TYPE);
                write_varint(out, self.string(*dialect)?);
                self.body(out, body)?;
            }
            _ => return Err(unknown_kind("type")),
        }
        Ok(())
    }

    fn attribute_body(&mut self, out: &mut Vec<u8>, attribute: Attribute) -> Result<()> {
        let context: &Context = self.context;
        match context.attribute_kind(attribute) {
            AttributeKind::Unit => out.push(tag::UNIT),
            AttributeKind::Integer { ty, value } => {
                out.push(tag::INTEGER);
                write_varint(out, self.entries.ty(*ty));
                match value.to_i64() {
                    Some(small) if value.width() <= 64 => write_signed_varint(out, small),
                    // As many bytes as the value has in memory, so that nothing small stands for much.
                    _ => value.to_le_bytes(out, value.width().div_ceil(8) as usize),
                }
            }
            AttributeKind::Float { ty, bits } => {
                out.push(tag::FLOAT);
                write_varint(out, self.entries.ty(*ty));
                let TypeKind::Float(kind) = context.type_kind(*ty) else {
                    return Err(unknown_kind("float attribute"));
                };
                let len = kind.width().div_ceil(8) as usize;
                out.extend(bits.to_le_bytes().into_iter().take(len));
            }
            AttributeKind::String { value, ty } => {
                out.push(tag::STRING);
                write_varint(out, self.string(*value)?);
                self.optional_type(out, *ty);
            }
            AttributeKind::SymbolRef { root, nested } => {
                out.push(tag::SYMBOL_REF);
                write_varint(out, self.string(*root)?);
                self.strings(out, nested)?;
            }
            AttributeKind::Type(ty) => {
                out.push(tag::TYPE);
                write_varint(out, self.entries.ty(*ty));
            }
            AttributeKind::Array(elements) => {
                out.push(tag::ARRAY);
                write_varint(out, elements.len() as u64);
                for &element in elements {
                    write_varint(out, self.entries.attribute(element));
                }
            }
            AttributeKind::Dictionary(attributes) => {
                out.push(tag::DICTIONARY);
                write_varint(out, attributes.len() as u64);
                for &(name, value) in attributes {
                    write_varint(out, self.string(name)?);
                    write_varint(out, self.entries.attribute(value));
                }
            }
            AttributeKind::DenseElements { ty, splat, data } => {
                out.push(if *splat {
                    tag::DENSE_SPLAT
                } else {
                    tag::DENSE_ELEMENTS
                });
                self.data(out, *ty, data);
            }
            AttributeKind::DenseStrings { ty, splat, values } => {
                out.push(if *splat {
                    tag::DENSE_STRING_SPLAT
                } else {
                    tag::DENSE_STRINGS
                });
                write_varint(out, self.entries.ty(*ty));
                self.strings(out, values)?;
            }
            AttributeKind::DenseText { ty, literal } => {
                out.push(tag::DENSE_TEXT);
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.string(*literal)?);
            }
            AttributeKind::DenseArray { element, data, .. } => {
                out.push(tag::DENSE_ARRAY);
                self.data(out, *element, data);
            }
            AttributeKind::DenseResource { ty, resource } => {
                out.push(tag::DENSE_RESOURCE);
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.resource(*resource)?);
            }
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            } => {
                out.push(tag::SPARSE);
                write_varint(out, self.entries.ty(*ty));
                write_varint(out, self.entries.attribute(*indices));
                write_varint(out, self.entries.attribute(*values));
            }
            AttributeKind::AffineMap(map) => {
                out.push(tag::AFFINE_MAP);
                write_varint(out, map.num_dims.into());
                write_varint(out, map.num_symbols.into());
                write_varint(out, map.results.len() as u64);
                for &result in &map.results {
                    write_varint(out, self.affine(result)?);
                }
            }
            AttributeKind::IntegerSet(set) => {
                out.push(tag::INTEGER_SET);
                write_varint(out, set.num_dims.into());
                write_varint(out, set.num_symbols.into());
                write_varint(out, set.constraints.len() as u64);
                for &(constraint, equality) in &set.constraints {
                    write_varint(out, self.affine(constraint)? << 1 | u64::from(equality));
                }
            }
            AttributeKind::StridedLayout { offset, strides } => {
                out.push(tag::STRIDED_LAYOUT);
                write_stride(out, *offset);
                write_varint(out, strides.len() as u64);
                for &stride in strides {
                    write_stride(out, stride);
                }
            }
            AttributeKind::Distinct { referenced, .. } => {
                // Its place in the table is its identity.
                out.push(tag::DISTINCT);
                write_varint(out, self.entries.attribute(*referenced));
            }
            AttributeKind::Location(location) => {
                out.push(tag::LOCATION);
                write_varint(out, self.entries.reference(Node::Location(*location)));
            }
            AttributeKind::Dialect { dialect, body, ty } => {
                out.push(tag::DIALECT_ATTRIBUTE);
                write_varint(out, self.string(*dialect)?);
                self.body(out, body)?;
                self.optional_type(out, *ty);
            }
            _ => return Err(unknown_kind("attribute")),
        }
        Ok(())
    }

    /// A type and dense data of it.
    fn data(&mut self, out: &mut Vec<u8>, ty: Type, data: &[u8]) {
        let height = self.entries.stack.len();
        write_varint(out, self.entries.ty(ty));
        // Data is not copied in vain if the type has to be written first.
        if self.entries.stack.len() == height {
            write_bytes(out, data);
        }
    }

    fn body(&mut self, out: &mut Vec<u8>, body: &DialectBody) -> Result<()> {
        // Offsets of references take 32 bits.
        check_limit(
            "bytes of the body of a type or attribute",
            body.text().len() as u64,
            u32::MAX.into(),
        )?;
        write_bytes(out, body.text());
        write_varint(out, body.references().len() as u64);
        let mut before = 0;
        for &(offset, reference) in body.references() {
            write_varint(out, u64::from(offset - before));
            before = offset;
            let node = match reference {
                BodyReference::Attribute(attribute) => Node::Attribute(attribute),
                BodyReference::Type(ty) => Node::Type(ty),
            };
            write_varint(out, self.entries.reference(node));
        }
        Ok(())
    }
}

/// The sizes of dimensions: 0 for a dynamic one, else the size plus one.
fn write_shape(out: &mut Vec<u8>, shape: &[i64]) -> Result<()> {
    write_varint(out, shape.len() as u64);
    for &size in shape {
        let code = match u64::try_from(size) {
            Ok(size) => size + 1,
            Err(_) if size == DYNAMIC => 0,
            Err(_) => {
                return Err(Error::new(
                    ErrorKind::InvalidRequest,
                    format!("a type has a dimension of size {size}"),
                ));
            }
        };
        write_varint(out, code);
    }
    Ok(())
}

/// 0 for a dynamic stride or offset, else the zigzag plus one, which fits: the one number whose zigzag is the
/// largest stands for dynamic.
fn write_stride(out: &mut Vec<u8>, stride: i64) {
    let code = if stride == DYNAMIC {
        0
    } else {
        zigzag(stride).wrapping_add(1)
    };
    write_varint(out, code);
}

#[cold]
pub(super) fn unknown_kind(what: &str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("this writer does not know a {what} that the module uses"),
    )
}

#[cold]
pub(super) fn containing_itself() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "a location of the module contains itself",
    )
}
