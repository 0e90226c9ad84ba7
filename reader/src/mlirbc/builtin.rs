//! Attributes, locations and types of the builtin dialect, built from the values of their fields.

use super::dialect_codecs::Built;
use rmlir_ir::builtin_codecs::{attribute as code, float_kind, ty as type_code};
use rmlir_ir::codec::{Codec, FieldValue, FieldValues, dense_elements};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, Invalid, Location, LocationKind, RangeForm,
    Signedness, Type, TypeKind,
};

/// Builds the attribute or location that a codec of [`rmlir_ir::builtin_codecs`] encodes.
pub(super) fn attribute(
    context: &mut Context,
    codec: &Codec,
    values: &FieldValues<'_>,
) -> Result<Built, Invalid> {
    use FieldValue as V;
    let kind = match (codec.code, values.fields.as_slice()) {
        // The most frequent kinds come first.
        (code::FILE_LINE_COL_LOC, &[V::String(file), V::Unsigned(line), V::Unsigned(column)]) => {
            let (line, column) = (place(line)?, place(column)?);
            return Ok(Built::Location(context.file_location(file, line, column)));
        }
        (code::ARRAY, [list]) => AttributeKind::Array(attributes(values, list)),
        (code::DICTIONARY, [list]) => {
            let entries = values.list(list).chunks_exact(2);
            let entries = entries.filter_map(|pair| match *pair {
                [V::String(name), V::Attribute(value)] => Some((name, value)),
                _ => None,
            });
            AttributeKind::Dictionary(entries.collect())
        }
        (code::STRING, &[V::String(value)]) => AttributeKind::String { value, ty: None },
        (code::STRING_WITH_TYPE, &[V::String(value), V::Type(ty)]) => AttributeKind::String {
            value,
            ty: Some(ty),
        },
        (code::FLAT_SYMBOL_REF, &[V::String(root)]) => AttributeKind::SymbolRef {
            root,
            nested: Box::default(),
        },
        (code::SYMBOL_REF, [V::String(root), nested]) => AttributeKind::SymbolRef {
            root: *root,
            nested: strings(values, nested),
        },
        (code::TYPE, &[V::Type(ty)]) => AttributeKind::Type(ty),
        (code::UNIT, []) => AttributeKind::Unit,
        (code::INTEGER, [V::Type(ty), V::Integer(value)]) => AttributeKind::Integer {
            ty: *ty,
            value: value.clone(),
        },
        (code::FLOAT, &[V::Type(ty), V::Float(bits)]) => AttributeKind::Float { ty, bits },
        (code::CALL_SITE_LOC, &[V::Location(callee), V::Location(caller)]) => {
            return Ok(located(context, LocationKind::CallSite { callee, caller }));
        }
        (code::FUSED_LOC, [list]) => {
            let location = context.fused_location(&locations(values, list), None);
            return Ok(Built::Location(location));
        }
        (code::FUSED_LOC_WITH_METADATA, [list, V::Attribute(metadata)]) => {
            let location = context.fused_location(&locations(values, list), Some(*metadata));
            return Ok(Built::Location(location));
        }
        (code::NAME_LOC, &[V::String(name), V::Location(child)]) => {
            return Ok(located(context, LocationKind::Name { name, child }));
        }
        (code::UNKNOWN_LOC, []) => return Ok(Built::Location(context.unknown_location())),
        (code::DENSE_RESOURCE, &[V::Type(ty), V::Resource(resource)]) => {
            AttributeKind::DenseResource { ty, resource }
        }
        (code::DENSE_ARRAY, [V::Type(element), V::Unsigned(size), V::Bytes(data)]) => {
            AttributeKind::DenseArray {
                element: *element,
                length: usize::try_from(*size).map_err(|_| too_large(*size))?,
                data: (&**data).into(),
            }
        }
        (code::DENSE_ELEMENTS, [V::Type(ty), V::Bytes(data)]) => {
            dense_elements(context, *ty, data)?
        }
        (code::DENSE_STRINGS, [V::Type(ty), V::Unsigned(splat @ 0..=1), list]) => {
            AttributeKind::DenseStrings {
                ty: *ty,
                splat: *splat == 1,
                values: strings(values, list),
            }
        }
        (code::SPARSE, &[V::Type(ty), V::Attribute(indices), V::Attribute(values)]) => {
            AttributeKind::Sparse {
                ty,
                indices,
                values,
            }
        }
        // Each is a new one: the context gives the identity.
        (code::DISTINCT, &[V::Attribute(referenced)]) => {
            return Ok(Built::Attribute(context.distinct_attribute(referenced)));
        }
        (code::FILE_LINE_COL_RANGE, [V::String(file), list]) => {
            return Ok(located(context, file_range(*file, values.list(list))?));
        }
        (code::AFFINE_MAP, [V::AffineMap(map)]) => AttributeKind::AffineMap(map.clone()),
        (code::INTEGER_SET, [V::IntegerSet(set)]) => AttributeKind::IntegerSet(set.clone()),
        (code::STRIDED_LAYOUT, [V::Signed(offset), list]) => AttributeKind::StridedLayout {
            offset: *offset,
            strides: sizes(values, list),
        },
        _ => return Err(mismatch()),
    };
    context.try_attribute(kind).map(Built::Attribute)
}

/// Builds the type that a codec of [`rmlir_ir::builtin_codecs`] encodes.
pub(super) fn ty(
    context: &mut Context,
    codec: &Codec,
    values: &FieldValues<'_>,
) -> Result<Type, Invalid> {
    use FieldValue as V;
    let kind = match (codec.code, values.fields.as_slice()) {
        (type_code::INTEGER, &[V::Unsigned(value)]) => TypeKind::Integer {
            width: u32::try_from(value >> 2).map_err(|_| too_large(value >> 2))?,
            signedness: match value & 3 {
                0 => Signedness::Signless,
                1 => Signedness::Signed,
                2 => Signedness::Unsigned,
                _ => return Err(Invalid::new("there is no signedness 3")),
            },
        },
        (type_code::INDEX, []) => TypeKind::Index,
        (type_code::FUNCTION, [inputs, results]) => TypeKind::Function {
            inputs: types(values, inputs),
            results: types(values, results),
        },
        (type_code::COMPLEX, &[V::Type(element)]) => TypeKind::Complex(element),
        (type_code::MEMREF, [shape, V::Type(element), V::Attribute(layout)]) => TypeKind::MemRef {
            shape: sizes(values, shape),
            element: *element,
            layout: Some(*layout),
            memory_space: None,
        },
        (
            type_code::MEMREF_WITH_MEMORY_SPACE,
            [
                V::Attribute(space),
                shape,
                V::Type(element),
                V::Attribute(layout),
            ],
        ) => TypeKind::MemRef {
            shape: sizes(values, shape),
            element: *element,
            layout: Some(*layout),
            memory_space: Some(*space),
        },
        (type_code::NONE, []) => TypeKind::None,
        (type_code::TOKEN, []) => TypeKind::Token,
        (type_code::GRAPH, [inputs, results]) => TypeKind::Graph {
            inputs: types(values, inputs),
            results: types(values, results),
        },
        (type_code::RANKED_TENSOR, [shape, V::Type(element)]) => TypeKind::RankedTensor {
            shape: sizes(values, shape),
            element: *element,
            encoding: None,
        },
        (
            type_code::RANKED_TENSOR_WITH_ENCODING,
            [V::Attribute(encoding), shape, V::Type(element)],
        ) => TypeKind::RankedTensor {
            shape: sizes(values, shape),
            element: *element,
            encoding: Some(*encoding),
        },
        (type_code::TUPLE, [list]) => TypeKind::Tuple(types(values, list)),
        (type_code::UNRANKED_MEMREF, &[V::Type(element)]) => TypeKind::UnrankedMemRef {
            element,
            memory_space: None,
        },
        (
            type_code::UNRANKED_MEMREF_WITH_MEMORY_SPACE,
            &[V::Attribute(space), V::Type(element)],
        ) => TypeKind::UnrankedMemRef {
            element,
            memory_space: Some(space),
        },
        (type_code::UNRANKED_TENSOR, &[V::Type(element)]) => TypeKind::UnrankedTensor(element),
        (type_code::VECTOR, [shape, V::Type(element)]) => {
            let shape = sizes(values, shape);
            TypeKind::Vector {
                scalable: vec![false; shape.len()].into(),
                shape,
                element: *element,
            }
        }
        (type_code::VECTOR_WITH_SCALABLE_DIMS, [scalable, shape, V::Type(element)]) => {
            let shape = sizes(values, shape);
            let scalable: Box<[bool]> = match *scalable {
                V::Unsigned(count) => {
                    let fixed = (shape.len() as u64).checked_sub(count);
                    let fixed = fixed.ok_or_else(|| too_large(count))?;
                    (0..shape.len() as u64).map(|at| at >= fixed).collect()
                }
                _ => values
                    .list(scalable)
                    .iter()
                    .map(|flag| *flag == V::Unsigned(1))
                    .collect(),
            };
            TypeKind::Vector {
                shape,
                scalable,
                element: *element,
            }
        }
        (code, []) => TypeKind::Float(float_kind(code).ok_or_else(mismatch)?),
        _ => return Err(mismatch()),
    };
    context.try_type(kind)
}

/// Returns how many locations a fused location takes from others: one in another of the same
/// metadata is dissolved in it.
pub(super) fn dissolved(context: &Context, codec: &Codec, values: &FieldValues<'_>) -> usize {
    let (list, metadata) = match (codec.code, values.fields.as_slice()) {
        (code::FUSED_LOC, [list]) => (list, None),
        (code::FUSED_LOC_WITH_METADATA, [list, FieldValue::Attribute(metadata)]) => {
            (list, Some(*metadata))
        }
        _ => return 0,
    };
    let count = |location: &Location| match context.location_kind(*location) {
        LocationKind::Fused {
            locations,
            metadata: m,
        } if m == metadata => locations.len(),
        _ => 0,
    };
    locations(values, list).iter().map(count).sum()
}

fn located(context: &mut Context, kind: LocationKind) -> Built {
    Built::Location(context.location(kind))
}

/// Returns a range by its number of positions: nothing; a line; line and column; a line and two
/// columns; or two positions.
fn file_range(
    file: Identifier,
    numbers: &[FieldValue<'_>],
) -> Result<LocationKind<'static>, Invalid> {
    let mut places = [0; 4];
    if numbers.len() > places.len() {
        let message = format!("a range in a file has no {} numbers", numbers.len());
        return Err(Invalid::new(message));
    }
    for (to, from) in places.iter_mut().zip(numbers) {
        if let FieldValue::Unsigned(number) = *from {
            *to = place(number)?;
        }
    }
    let [start_line, start_column, third, fourth] = places;
    let (end_line, end_column) = match numbers.len() {
        4 => (third, fourth),
        3 => (start_line, third),
        _ => (start_line, start_column),
    };
    Ok(LocationKind::FileLineColRange {
        file,
        start_line,
        start_column,
        end_line,
        end_column,
        // If the numbers are those of a position, their number still determines the form.
        form: RangeForm::of_place(numbers.len()),
    })
}

fn place(number: u64) -> Result<u32, Invalid> {
    u32::try_from(number).map_err(|_| too_large(number))
}

fn attributes(values: &FieldValues<'_>, list: &FieldValue<'_>) -> Box<[Attribute]> {
    let items = values.list(list).iter();
    let items = items.filter_map(|item| match *item {
        FieldValue::Attribute(attribute) => Some(attribute),
        _ => None,
    });
    items.collect()
}

fn types(values: &FieldValues<'_>, list: &FieldValue<'_>) -> Box<[Type]> {
    let items = values.list(list).iter();
    let items = items.filter_map(|item| match *item {
        FieldValue::Type(ty) => Some(ty),
        _ => None,
    });
    items.collect()
}

fn locations(values: &FieldValues<'_>, list: &FieldValue<'_>) -> Box<[Location]> {
    let items = values.list(list).iter();
    let items = items.filter_map(|item| match *item {
        FieldValue::Location(location) => Some(location),
        _ => None,
    });
    items.collect()
}

fn strings(values: &FieldValues<'_>, list: &FieldValue<'_>) -> Box<[Identifier]> {
    let items = values.list(list).iter();
    let items = items.filter_map(|item| match *item {
        FieldValue::String(string) => Some(string),
        _ => None,
    });
    items.collect()
}

fn sizes(values: &FieldValues<'_>, list: &FieldValue<'_>) -> Box<[i64]> {
    let items = values.list(list).iter();
    let items = items.filter_map(|item| match *item {
        FieldValue::Signed(size) => Some(size),
        _ => None,
    });
    items.collect()
}

#[cold]
fn too_large(number: u64) -> Invalid {
    Invalid::new(format!("the number {number} is too large"))
}

/// Returns the error for fields that are not those of the code: the table and this file contradict
/// each other, or a value is out of range.
#[cold]
fn mismatch() -> Invalid {
    Invalid::new("the fields have values that it cannot have")
}
