//! Attributes, locations and types of the builtin dialect as fields of their codecs.

use super::entries::AttributeEntry;
use super::target::Target;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::builtin_codecs::{self, CODECS, attribute as code, first_release, ty as type_code};
use rmlir_ir::codec::{Codec, FieldValue, FieldValues, dense_blob, find};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, LocationKind, Signedness, Type, TypeKind,
};
use std::borrow::Cow;

/// An entry as fields.
pub(super) struct Form<'c> {
    pub(super) codec: &'c Codec,
    pub(super) values: FieldValues<'c>,
}

/// The values of an entry that is being assembled.
#[derive(Default)]
struct Fields<'c>(FieldValues<'c>);

impl<'c> Fields<'c> {
    fn with(mut self, value: FieldValue<'c>) -> Self {
        self.0.fields.push(value);
        self
    }

    fn list(mut self, items: impl IntoIterator<Item = FieldValue<'c>>) -> Self {
        self.0.push_list(items);
        self
    }
}

fn types<'c>(types: &[Type]) -> impl Iterator<Item = FieldValue<'c>> {
    types.iter().map(|&ty| FieldValue::Type(ty))
}

fn sizes<'c>(sizes: &[i64]) -> impl Iterator<Item = FieldValue<'c>> {
    sizes.iter().map(|&size| FieldValue::Signed(size))
}

fn strings<'c>(strings: &[Identifier]) -> impl Iterator<Item = FieldValue<'c>> {
    strings.iter().map(|&string| FieldValue::String(string))
}

fn optional<'c>(attribute: Option<Attribute>) -> FieldValue<'c> {
    attribute.map_or(FieldValue::Absent, FieldValue::Attribute)
}

/// Returns a code with its fields, if the target has it.
fn form<'c>(is_type: bool, code: u64, fields: Fields<'c>, target: &Target) -> Option<Form<'c>> {
    if first_release(is_type, code) > target.llvm() {
        return None;
    }
    let table = match is_type {
        true => CODECS.types,
        false => CODECS.attributes,
    };
    // The first layout is the newest.
    let codec = find(table, code).first()?;
    let values = fields.0;
    Some(Form { codec, values })
}

/// Returns the fields of an attribute or location; `None` if it is written as text.
///
/// # Errors
/// If the target cannot represent it.
pub(super) fn entry<'c>(
    context: &'c Context,
    entry: AttributeEntry,
    target: &Target,
) -> Result<Option<Form<'c>>> {
    match entry {
        AttributeEntry::Attribute(attribute) => self::attribute(context, attribute, target),
        AttributeEntry::Location(location) => {
            self::location(context.location_kind(location), target)
        }
    }
}

fn attribute<'c>(
    context: &'c Context,
    attribute: Attribute,
    target: &Target,
) -> Result<Option<Form<'c>>> {
    use FieldValue as V;
    let fields = Fields::default();
    let kind = context.attribute_kind(attribute);
    let (code, fields) = match kind {
        AttributeKind::Unit => (code::UNIT, fields),
        AttributeKind::Integer { ty, value } => (
            code::INTEGER,
            fields.with(V::Type(*ty)).with(V::Integer(value.clone())),
        ),
        AttributeKind::Float { ty, bits } => {
            (code::FLOAT, fields.with(V::Type(*ty)).with(V::Float(*bits)))
        }
        AttributeKind::String { value, ty: None } => (code::STRING, fields.with(V::String(*value))),
        AttributeKind::String {
            value,
            ty: Some(ty),
        } => (
            code::STRING_WITH_TYPE,
            fields.with(V::String(*value)).with(V::Type(*ty)),
        ),
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            (code::FLAT_SYMBOL_REF, fields.with(V::String(*root)))
        }
        AttributeKind::SymbolRef { root, nested } => (
            code::SYMBOL_REF,
            fields.with(V::String(*root)).list(strings(nested)),
        ),
        AttributeKind::Type(ty) => (code::TYPE, fields.with(V::Type(*ty))),
        AttributeKind::Array(elements) => (
            code::ARRAY,
            fields.list(elements.iter().map(|&element| V::Attribute(element))),
        ),
        AttributeKind::Dictionary(entries) => (
            code::DICTIONARY,
            fields.list(
                entries
                    .iter()
                    .flat_map(|&(name, value)| [V::String(name), V::Attribute(value)]),
            ),
        ),
        AttributeKind::DenseElements { ty, .. } => {
            let data = dense_blob(context, kind);
            debug_assert!(data.is_some(), "dense elements have bytes");
            let mut data = data.unwrap_or_default();
            // A single `i1` is written as a splat.
            if *data == [1]
                && context.element_type(*ty) == Some(context.i1_type())
                && context.element_count(*ty) == Some(1)
            {
                data = Cow::Borrowed(&[0xFF]);
            }
            (
                code::DENSE_ELEMENTS,
                fields.with(V::Type(*ty)).with(V::Bytes(data)),
            )
        }
        AttributeKind::DenseStrings { ty, splat, values } => (
            code::DENSE_STRINGS,
            fields
                .with(V::Type(*ty))
                .with(V::Unsigned((*splat).into()))
                .list(strings(values)),
        ),
        AttributeKind::DenseArray {
            element,
            length,
            data,
        } => (
            code::DENSE_ARRAY,
            fields
                .with(V::Type(*element))
                .with(V::Unsigned(*length as u64))
                .with(V::Bytes(Cow::Borrowed(data))),
        ),
        AttributeKind::DenseResource { ty, resource } => (
            code::DENSE_RESOURCE,
            fields.with(V::Type(*ty)).with(V::Resource(*resource)),
        ),
        AttributeKind::Sparse {
            ty,
            indices,
            values,
        } => (
            code::SPARSE,
            fields
                .with(V::Type(*ty))
                .with(V::Attribute(*indices))
                .with(V::Attribute(*values)),
        ),
        AttributeKind::AffineMap(map) => (code::AFFINE_MAP, fields.with(V::AffineMap(map.clone()))),
        AttributeKind::IntegerSet(set) => {
            (code::INTEGER_SET, fields.with(V::IntegerSet(set.clone())))
        }
        AttributeKind::StridedLayout { offset, strides } => (
            code::STRIDED_LAYOUT,
            fields.with(V::Signed(*offset)).list(sizes(strides)),
        ),
        AttributeKind::Distinct { referenced, .. } => {
            (code::DISTINCT, fields.with(V::Attribute(*referenced)))
        }
        AttributeKind::DenseText { .. }
        | AttributeKind::Location(_)
        | AttributeKind::Dialect { .. } => return Ok(None),
    };
    Ok(form(false, code, fields, target))
}

pub(super) fn location<'c>(kind: LocationKind<'_>, target: &Target) -> Result<Option<Form<'c>>> {
    use FieldValue as V;
    let fields = Fields::default();
    let (code, fields) = match kind {
        LocationKind::Unknown => (code::UNKNOWN_LOC, fields),
        LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
            form,
        } => {
            let fields = fields.with(V::String(file));
            let number = |number: u32| V::Unsigned(number.into());
            let is_place = (start_line, start_column) == (end_line, end_column);
            if !is_place && !target.has_file_ranges() && !target.lossy {
                let message = format!(
                    "llvm-{} has no locations that are ranges in a file",
                    target.llvm()
                );
                return Err(Error::new(ErrorKind::InvalidRequest, message));
            }
            let numbers = form.numbers(start_line, start_column);
            if let Some(numbers) = numbers.filter(|_| is_place && target.has_file_ranges()) {
                (code::FILE_LINE_COL_RANGE, fields.list(numbers.map(number)))
            } else if is_place || !target.has_file_ranges() {
                let fields = fields.with(number(start_line)).with(number(start_column));
                (code::FILE_LINE_COL_LOC, fields)
            } else if start_line == end_line {
                let places = [start_line, start_column, end_column].map(number);
                (code::FILE_LINE_COL_RANGE, fields.list(places))
            } else {
                let places = [start_line, start_column, end_line, end_column].map(number);
                (code::FILE_LINE_COL_RANGE, fields.list(places))
            }
        }
        LocationKind::Name { name, child } => (
            code::NAME_LOC,
            fields.with(V::String(name)).with(V::Location(child)),
        ),
        LocationKind::CallSite { callee, caller } => (
            code::CALL_SITE_LOC,
            fields.with(V::Location(callee)).with(V::Location(caller)),
        ),
        LocationKind::Fused {
            locations,
            metadata,
        } => {
            let fields = fields.list(locations.iter().map(|&location| V::Location(location)));
            match metadata {
                None => (code::FUSED_LOC, fields),
                Some(metadata) => (
                    code::FUSED_LOC_WITH_METADATA,
                    fields.with(V::Attribute(metadata)),
                ),
            }
        }
        LocationKind::Dialect(_) => return Ok(None),
    };
    Ok(form(false, code, fields, target))
}

/// Returns the fields of a type; `None` if it is written as text.
///
/// An identity layout of a memref is absent in memory, but must be written.
pub(super) fn ty<'c>(context: &'c Context, ty: Type, target: &Target) -> Option<Form<'c>> {
    use FieldValue as V;
    let fields = Fields::default();
    let (code, fields) = match context.type_kind(ty) {
        TypeKind::Integer { width, signedness } => {
            let sign = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            let both = u64::from(*width) << 2 | sign;
            (type_code::INTEGER, fields.with(V::Unsigned(both)))
        }
        TypeKind::Float(kind) => (builtin_codecs::float_code(*kind)?, fields),
        TypeKind::Index => (type_code::INDEX, fields),
        TypeKind::None => (type_code::NONE, fields),
        TypeKind::Token => (type_code::TOKEN, fields),
        TypeKind::Complex(element) => (type_code::COMPLEX, fields.with(V::Type(*element))),
        TypeKind::Tuple(list) => (type_code::TUPLE, fields.list(types(list))),
        TypeKind::Function { inputs, results } => (
            type_code::FUNCTION,
            fields.list(types(inputs)).list(types(results)),
        ),
        TypeKind::Graph { inputs, results } => (
            type_code::GRAPH,
            fields.list(types(inputs)).list(types(results)),
        ),
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => {
            let (code, fields) = match scalable.contains(&true) {
                true => {
                    let scalable = scalable.iter().map(|&flag| V::Unsigned(flag.into()));
                    (type_code::VECTOR_WITH_SCALABLE_DIMS, fields.list(scalable))
                }
                false => (type_code::VECTOR, fields),
            };
            (code, fields.list(sizes(shape)).with(V::Type(*element)))
        }
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            let (code, fields) = match encoding {
                None => (type_code::RANKED_TENSOR, fields),
                Some(encoding) => (
                    type_code::RANKED_TENSOR_WITH_ENCODING,
                    fields.with(V::Attribute(*encoding)),
                ),
            };
            (code, fields.list(sizes(shape)).with(V::Type(*element)))
        }
        TypeKind::UnrankedTensor(element) => {
            (type_code::UNRANKED_TENSOR, fields.with(V::Type(*element)))
        }
        TypeKind::MemRef {
            shape,
            element,
            layout,
            memory_space,
        } => {
            let (code, fields) = match memory_space {
                None => (type_code::MEMREF, fields),
                Some(space) => (
                    type_code::MEMREF_WITH_MEMORY_SPACE,
                    fields.with(V::Attribute(*space)),
                ),
            };
            let fields = fields.list(sizes(shape)).with(V::Type(*element));
            (code, fields.with(optional(*layout)))
        }
        TypeKind::UnrankedMemRef {
            element,
            memory_space,
        } => {
            let (code, fields) = match memory_space {
                None => (type_code::UNRANKED_MEMREF, fields),
                Some(space) => (
                    type_code::UNRANKED_MEMREF_WITH_MEMORY_SPACE,
                    fields.with(V::Attribute(*space)),
                ),
            };
            (code, fields.with(V::Type(*element)))
        }
        TypeKind::Dialect { .. } => return None,
    };
    form(true, code, fields, target)
}
