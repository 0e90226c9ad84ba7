//! Reads the table of types, attributes and locations.

use super::table_views::{Class, class_of};
use super::tables::{FREE_WORK, Tables, bytes, table_data};
use crate::lazy::TableItems;
use crate::lookup::{malformed, placed};
use rmlir_format::rmbc::{FLOAT_KEYWORDS, fragments, opaque, tag};
use rmlir_format::varint::unzigzag;
use rmlir_format::{Reader, Result, ResultExt, check_limit};
use rmlir_ir::affine::{AffineMap, IntegerSet};
use rmlir_ir::apint::ApInt;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyReference, DYNAMIC, DialectBody, Entry, Identifier,
    Invalid, Location, LocationKind, RangeForm, Signedness, Type, TypeKind,
};

/// Reads entries; see [`Tables`] for their references.
pub(super) struct EntryReader<'t, 'c, 'a> {
    pub(super) tables: &'t mut Tables<'c>,
    pub(super) input: Reader<'a>,
    /// The maximum depth of the entries that the current one refers to.
    pub(super) depth: u32,
}

impl Tables<'_> {
    /// Reads all types, attributes and locations, each of which follows those it refers to.
    pub(super) fn read_entries(&mut self, mut input: Reader<'_>) -> Result<()> {
        let runs = read_runs(&mut input)?;
        let (mut total, mut attributes) = (0u64, 0u64);
        for &(_, tag, count) in &runs {
            total = total.saturating_add(count);
            if is_attribute(tag) {
                attributes = attributes.saturating_add(count);
            }
        }
        self.attribute_count = attributes;
        let (data, mut offsets) = table_data(&mut input, total)?;
        input.expect_end()?;
        let mut reader = EntryReader {
            tables: self,
            input: data,
            depth: 0,
        };
        let mut number = 0u64;
        for (at, tag, count) in runs {
            for _ in 0..count {
                offsets.begin(number, &reader.input)?;
                reader
                    .entry(at, tag)
                    .with_context(|| format!("reading entry #{number}"))?;
                number = number.saturating_add(1);
            }
        }
        reader.input.expect_end()
    }
}

impl Tables<'_> {
    /// Returns what strings and the entries of the section `input` became.
    pub(super) fn items(&self, mut input: Reader<'_>) -> Result<TableItems> {
        let mut entries = Vec::new();
        let mut numbers = [0u64; 3];
        for (_, tag, count) in read_runs(&mut input)? {
            for _ in 0..count {
                let [types, attributes, locations] = &mut numbers;
                let next = |number: &mut u64| {
                    let own = *number;
                    *number = own.saturating_add(1);
                    own
                };
                entries.push(match class_of(tag) {
                    Class::Type => self.types.get(next(types)).map(Entry::Type),
                    Class::Attribute => {
                        let attribute = self.attributes.get(next(attributes));
                        attribute.map(Entry::Attribute)
                    }
                    Class::Location => self.locations.get(next(locations)).map(Entry::Location),
                });
            }
        }
        Ok(TableItems {
            entries,
            strings: self.strings().iter().copied().map(Some).collect(),
            resources: Vec::new(),
        })
    }
}

/// Reads the runs of entries: the offset at which each is listed, the tag, and the number of
/// entries.
pub(super) fn read_runs(input: &mut Reader<'_>) -> Result<Vec<(u64, u8, u64)>> {
    let mut runs: Vec<(u64, u8, u64)> = Vec::new();
    let mut others = false;
    for _ in 0..input.count(2)? {
        let (at, tag, count) = (input.offset(), input.u8()?, input.varint()?);
        if count == 0 {
            return Err(malformed(input, at, "a run of no entries"));
        }
        if count > 1 && is_alone(tag) {
            let message = format!("{count} entries of the kind {tag} are all equal");
            return Err(malformed(input, at, message));
        }
        others |= !is_number_type(tag);
        if others && is_number_type(tag) {
            let message = "a type of integers, floats or indices follows another entry";
            return Err(malformed(input, at, message));
        }
        runs.push((at, tag, count));
    }
    Ok(runs)
}

/// Returns whether entries are integer, float or index types, which come first.
pub(super) fn is_number_type(tag: u8) -> bool {
    tag <= tag::INDEX_TYPE
}

fn is_attribute(tag: u8) -> bool {
    (tag::FIRST_ATTRIBUTE..tag::FIRST_LOCATION).contains(&tag)
}

/// Returns whether all entries with that tag are equal, because the tag is their only content.
fn is_alone(tag: u8) -> bool {
    matches!(
        tag,
        tag::INDEX_TYPE | tag::NONE_TYPE | tag::TOKEN_TYPE | tag::UNIT | tag::UNKNOWN_LOCATION
    )
}

impl EntryReader<'_, '_, '_> {
    /// Reads the next entry, whose kind is `tag`. `run` is the offset at which the kind is listed.
    pub(super) fn entry(&mut self, run: u64, tag: u8) -> Result<()> {
        self.depth = 0;
        let at = self.input.offset();
        match tag {
            tag::SIGNLESS_TYPE..=tag::DIALECT_TYPE | tag::TOKEN_TYPE | tag::GRAPH_TYPE => {
                let kind = self.type_kind(at, tag)?;
                let ty = self.tables.context.try_type(kind);
                let ty = ty.map_err(|invalid| self.invalid(at, &invalid))?;
                let depth = self.deepen(at)?;
                self.tables.types.push(ty, depth);
            }
            tag::UNIT..=tag::DENSE_TEXT => {
                let attribute = match self.attribute_kind(at, tag)? {
                    // Each is a new one: the context gives the identity.
                    AttributeKind::Distinct { referenced, .. } => {
                        self.tables.context.distinct_attribute(referenced)
                    }
                    kind => {
                        let attribute = self.tables.context.try_attribute(kind);
                        attribute.map_err(|invalid| self.invalid(at, &invalid))?
                    }
                };
                let depth = self.deepen(at)?;
                self.tables.attributes.push(attribute, depth);
            }
            tag::UNKNOWN_LOCATION..=tag::SHORT_RANGE => {
                let location = self.location_entry(at, tag)?;
                let depth = self.deepen(at)?;
                self.tables.locations.push(location, depth);
            }
            _ if tag::is_opaque(tag) => self.opaque(at, tag)?,
            _ => {
                let message = format!("no entry is of the kind {tag}");
                return Err(malformed(&self.input, run, message));
            }
        }
        Ok(())
    }

    /// Reads an entry of a kind that later versions define, and preserves it; see [`opaque`].
    fn opaque(&mut self, at: u64, tag: u8) -> Result<()> {
        let data = bytes(&mut self.input)?;
        let mut builder = BodyBuilder::new();
        builder.text(opaque::head(tag, data).as_bytes());
        for _ in 0..self.input.count(1)? {
            builder.text(b", ");
            let reference = self.body_reference()?;
            builder.reference(self.tables.context, reference);
        }
        builder.text(b">");
        let (body, context) = (builder.finish(), &mut *self.tables.context);
        let dialect = context.identifier(opaque::DIALECT);
        if tag < tag::FIRST_ATTRIBUTE {
            let ty = context.try_type(TypeKind::Dialect { dialect, body });
            let ty = ty.map_err(|invalid| self.invalid(at, &invalid))?;
            let depth = self.deepen(at)?;
            self.tables.types.push(ty, depth);
            return Ok(());
        }
        let ty = None;
        let attribute = context.try_attribute(AttributeKind::Dialect { dialect, body, ty });
        let attribute = attribute.map_err(|invalid| self.invalid(at, &invalid))?;
        let depth = self.deepen(at)?;
        if tag < tag::FIRST_LOCATION {
            self.tables.attributes.push(attribute, depth);
        } else {
            let kind = LocationKind::Dialect(attribute);
            let location = self.tables.context.location(kind);
            self.tables.locations.push(location, depth);
        }
        Ok(())
    }

    /// Returns the depth of the current entry, checked against the limit.
    fn deepen(&mut self, at: u64) -> Result<u32> {
        self.depth = self.depth.saturating_add(1);
        let max = self.tables.max_depth;
        let within = check_limit("levels of nesting", self.depth.into(), max);
        placed(&self.input, at, within)?;
        Ok(self.depth)
    }

    fn invalid(&self, at: u64, invalid: &Invalid) -> rmlir_format::Error {
        malformed(&self.input, at, invalid.message().to_owned())
    }

    // References.

    fn type_of(&mut self, at: u64, number: u64) -> Result<Type> {
        let ty = self.tables.ty(&self.input, at, number)?;
        self.depth = self.depth.max(self.tables.types.depth(number));
        Ok(ty)
    }

    fn attribute_of(&mut self, at: u64, number: u64) -> Result<Attribute> {
        let attribute = self.tables.attribute(&self.input, at, number)?;
        self.depth = self.depth.max(self.tables.attributes.depth(number));
        Ok(attribute)
    }

    fn ty(&mut self) -> Result<Type> {
        let at = self.input.offset();
        let number = self.input.varint()?;
        self.type_of(at, number)
    }

    fn attribute(&mut self) -> Result<Attribute> {
        let at = self.input.offset();
        let number = self.input.varint()?;
        self.attribute_of(at, number)
    }

    /// Reads an optional type: its number plus one, or 0 for none.
    fn optional_type(&mut self) -> Result<Option<Type>> {
        let at = self.input.offset();
        let number = self.input.varint()?.checked_sub(1);
        number.map(|number| self.type_of(at, number)).transpose()
    }

    /// Reads an optional attribute: its number plus one, or 0 for none.
    fn optional_attribute(&mut self) -> Result<Option<Attribute>> {
        let at = self.input.offset();
        let number = self.input.varint()?.checked_sub(1);
        number
            .map(|number| self.attribute_of(at, number))
            .transpose()
    }

    fn location_of(&mut self, at: u64, number: u64) -> Result<Location> {
        let location = self.tables.location(&self.input, at, number)?;
        self.depth = self.depth.max(self.tables.locations.depth(number));
        Ok(location)
    }

    fn referenced_location(&mut self) -> Result<Location> {
        let at = self.input.offset();
        let number = self.input.varint()?;
        self.location_of(at, number)
    }

    fn string(&mut self) -> Result<Identifier> {
        self.tables.string(&mut self.input)
    }

    /// Reads a number and that number of items, each of at least one byte.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T>) -> Result<Box<[T]>> {
        let count = self.input.count(1)?;
        (0..count).map(|_| item(self)).collect()
    }

    /// Takes work on something shared from the budget, as far as it is not small.
    fn spend(&mut self, at: u64, work: usize) -> Result<()> {
        let spent = self.tables.budget.spend(work as u64 / FREE_WORK);
        placed(&self.input, at, spent)
    }

    // Types.

    fn type_kind(&mut self, at: u64, tag: u8) -> Result<TypeKind> {
        let integer = |reader: &mut Self, signedness| {
            let width = reader.input.varint_u32()?;
            Ok(TypeKind::Integer { width, signedness })
        };
        Ok(match tag {
            tag::SIGNLESS_TYPE => return integer(self, Signedness::Signless),
            tag::SIGNED_TYPE => return integer(self, Signedness::Signed),
            tag::UNSIGNED_TYPE => return integer(self, Signedness::Unsigned),
            tag::FLOAT_TYPE => {
                let position = self.input.u8()?;
                let keyword = FLOAT_KEYWORDS.get(usize::from(position));
                let kind = keyword.and_then(|word| FloatKind::from_keyword(word.as_bytes()));
                TypeKind::Float(kind.ok_or_else(|| {
                    malformed(
                        &self.input,
                        at,
                        format!("there is no float type #{position}"),
                    )
                })?)
            }
            tag::INDEX_TYPE => TypeKind::Index,
            tag::NONE_TYPE => TypeKind::None,
            tag::TOKEN_TYPE => TypeKind::Token,
            tag::COMPLEX_TYPE => TypeKind::Complex(self.ty()?),
            tag::TUPLE_TYPE => TypeKind::Tuple(self.list(Self::ty)?),
            tag::FUNCTION_TYPE => TypeKind::Function {
                inputs: self.list(Self::ty)?,
                results: self.list(Self::ty)?,
            },
            tag::GRAPH_TYPE => TypeKind::Graph {
                inputs: self.list(Self::ty)?,
                results: self.list(Self::ty)?,
            },
            tag::VECTOR_TYPE => {
                let element = self.ty()?;
                let shape = self.list(Self::size)?;
                TypeKind::Vector {
                    scalable: vec![false; shape.len()].into(),
                    shape,
                    element,
                }
            }
            tag::SCALABLE_VECTOR_TYPE => {
                let element = self.ty()?;
                let shape = self.list(Self::size)?;
                let scalable = self.bits(at, shape.len())?;
                TypeKind::Vector {
                    shape,
                    scalable,
                    element,
                }
            }
            tag::RANKED_TENSOR_TYPE => TypeKind::RankedTensor {
                element: self.ty()?,
                encoding: self.optional_attribute()?,
                shape: self.list(Self::size)?,
            },
            tag::UNRANKED_TENSOR_TYPE => TypeKind::UnrankedTensor(self.ty()?),
            tag::MEMREF_TYPE => TypeKind::MemRef {
                element: self.ty()?,
                layout: self.optional_attribute()?,
                memory_space: self.optional_attribute()?,
                shape: self.list(Self::size)?,
            },
            tag::UNRANKED_MEMREF_TYPE => TypeKind::UnrankedMemRef {
                element: self.ty()?,
                memory_space: self.optional_attribute()?,
            },
            _ => TypeKind::Dialect {
                dialect: self.string()?,
                body: self.body()?,
            },
        })
    }

    /// Reads the size of a dimension: 0 for a dynamic one, else the size plus one.
    fn size(&mut self) -> Result<i64> {
        let at = self.input.offset();
        match self.input.varint()?.checked_sub(1) {
            None => Ok(DYNAMIC),
            Some(size) => i64::try_from(size).map_err(|_| {
                malformed(
                    &self.input,
                    at,
                    format!("a dimension cannot have the size {size}"),
                )
            }),
        }
    }

    /// As many bits, of which one at least is set, from the lowest of each byte on.
    fn bits(&mut self, at: u64, count: usize) -> Result<Box<[bool]>> {
        let bytes = self.input.bytes(count.div_ceil(8) as u64)?;
        let mut bits: Vec<bool> = bytes
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1))
            .collect();
        if bits.drain(count..).any(|bit| bit) || !bits.contains(&true) {
            return Err(malformed(
                &self.input,
                at,
                "the bits of the scalable dimensions are none, or more than there are dimensions",
            ));
        }
        Ok(bits.into())
    }

    fn body(&mut self) -> Result<DialectBody> {
        let at = self.input.offset();
        let len = self.input.varint()?;
        let tables = &mut *self.tables;
        let has_dictionary = tables.has_dictionary;
        let decoded = fragments::decode(
            &mut self.input,
            len,
            has_dictionary,
            &mut |place, number, each| {
                let blob = tables.blob(place, place.offset(), number)?;
                each(blob.data());
                Ok(())
            },
        )?;
        // Text beyond its encoded length is charged to the budget as shared.
        self.spend(at, decoded.len())?;
        let mut text = decoded.as_slice();
        let count = self.input.count(2)?;
        if count == 0 {
            return Ok(DialectBody::from_text(text));
        }
        let mut builder = BodyBuilder::new();
        for _ in 0..count {
            let at = self.input.offset();
            let len = self.input.varint()?;
            let split = usize::try_from(len)
                .ok()
                .and_then(|len| text.split_at_checked(len));
            let Some((before, after)) = split else {
                return Err(malformed(
                    &self.input,
                    at,
                    "the position of a reference is after the end of the text",
                ));
            };
            builder.text(before);
            text = after;
            let reference = self.body_reference()?;
            builder.reference(self.tables.context, reference);
        }
        builder.text(text);
        Ok(builder.finish())
    }

    /// Reads a reference to a type or an attribute, distinguished by the lowest bit.
    fn body_reference(&mut self) -> Result<BodyReference> {
        let at = self.input.offset();
        let number = self.input.varint()?;
        Ok(match number & 1 {
            1 => BodyReference::Type(self.type_of(at, number >> 1)?),
            _ => BodyReference::Attribute(self.attribute_of(at, number >> 1)?),
        })
    }

    // Attributes.

    fn attribute_kind(&mut self, at: u64, tag: u8) -> Result<AttributeKind> {
        Ok(match tag {
            tag::UNIT => AttributeKind::Unit,
            tag::INTEGER => self.integer(at)?,
            tag::FLOAT => {
                let ty = self.ty()?;
                let TypeKind::Float(kind) = *self.tables.context.type_kind(ty) else {
                    return Err(malformed(&self.input, at, "a float needs a float type"));
                };
                let len = kind.width().div_ceil(8);
                let bytes = self.input.bytes(len.into())?;
                let bits = bytes
                    .iter()
                    .rev()
                    .fold(0, |bits, &byte| bits << 8 | u128::from(byte));
                AttributeKind::Float { ty, bits }
            }
            tag::STRING => AttributeKind::String {
                value: self.string()?,
                ty: self.optional_type()?,
            },
            tag::SYMBOL_REF => AttributeKind::SymbolRef {
                root: self.string()?,
                nested: self.list(Self::string)?,
            },
            tag::TYPE => AttributeKind::Type(self.ty()?),
            tag::ARRAY => AttributeKind::Array(self.list(Self::attribute)?),
            tag::DICTIONARY => self.dictionary()?,
            tag::DENSE_ELEMENTS | tag::DENSE_SPLAT => AttributeKind::DenseElements {
                ty: self.shaped(at)?,
                splat: tag == tag::DENSE_SPLAT,
                data: self.data()?,
            },
            tag::DENSE_STRINGS | tag::DENSE_STRING_SPLAT => AttributeKind::DenseStrings {
                ty: self.shaped(at)?,
                splat: tag == tag::DENSE_STRING_SPLAT,
                values: self.list(Self::string)?,
            },
            tag::DENSE_TEXT => {
                let (ty, literal) = (self.ty()?, self.string()?);
                let text = self.tables.context.bytes(literal).to_vec();
                self.spend(at, text.len())?;
                rmlir_text::check_dense_literal(self.tables.context, &text)
                    .map_err(|error| malformed(&self.input, at, error.to_string()))?;
                AttributeKind::DenseText { ty, literal }
            }
            tag::DENSE_ARRAY => {
                let element = self.ty()?;
                let layout = self.tables.context.dense_array_layout(element);
                let layout = layout.map_err(|invalid| self.invalid(at, &invalid))?;
                let data = self.data()?;
                // The context rejects a length that is not a multiple of the element's.
                let length = data.len().checked_div(layout.scalar_size);
                AttributeKind::DenseArray {
                    element,
                    length: length.unwrap_or_default(),
                    data,
                }
            }
            tag::DENSE_RESOURCE => {
                let ty = self.ty()?;
                let at = self.input.offset();
                let number = self.input.varint()?;
                let resource = self.tables.resource(&self.input, at, number)?;
                AttributeKind::DenseResource { ty, resource }
            }
            tag::SPARSE => AttributeKind::Sparse {
                ty: self.shaped(at)?,
                indices: self.attribute()?,
                values: self.attribute()?,
            },
            tag::AFFINE_MAP => AttributeKind::AffineMap(AffineMap {
                num_dims: self.input.varint_u32()?,
                num_symbols: self.input.varint_u32()?,
                results: self.list(|reader| {
                    let at = reader.input.offset();
                    let number = reader.input.varint()?;
                    reader.affine(at, number)
                })?,
            }),
            tag::INTEGER_SET => AttributeKind::IntegerSet(IntegerSet {
                num_dims: self.input.varint_u32()?,
                num_symbols: self.input.varint_u32()?,
                constraints: self.list(|reader| {
                    let at = reader.input.offset();
                    let code = reader.input.varint()?;
                    Ok((reader.affine(at, code >> 1)?, code & 1 == 1))
                })?,
            }),
            tag::STRIDED_LAYOUT => AttributeKind::StridedLayout {
                offset: self.stride()?,
                strides: self.list(Self::stride)?,
            },
            tag::DISTINCT => AttributeKind::Distinct {
                id: 0,
                referenced: self.attribute()?,
            },
            tag::LOCATION => AttributeKind::Location(self.referenced_location()?),
            _ => AttributeKind::Dialect {
                dialect: self.string()?,
                body: self.body()?,
                ty: self.optional_type()?,
            },
        })
    }

    /// Reads the data of elements, which is here or in a blob.
    fn data(&mut self) -> Result<Box<[u8]>> {
        let at = self.input.offset();
        let code = self.input.varint()?;
        if code & 1 == 0 {
            return Ok(self.input.bytes(code >> 1)?.into());
        }
        let blob = self.tables.blob(&self.input, at, code >> 1)?;
        Ok(blob.data().into())
    }

    fn integer(&mut self, at: u64) -> Result<AttributeKind> {
        let ty = self.ty()?;
        let width = match *self.tables.context.type_kind(ty) {
            TypeKind::Integer { width, .. } => width,
            TypeKind::Index => 64,
            _ => {
                let message = "an integer needs an integer type or index";
                return Err(malformed(&self.input, at, message));
            }
        };
        let (value, fits) = if width <= 64 {
            let small = self.input.signed_varint()?;
            let value = ApInt::from_i64(width, small);
            let fits = value.to_i64() == Some(small);
            (value, fits)
        } else {
            let bytes = self.input.bytes(width.div_ceil(8).into())?;
            let value = ApInt::from_le_bytes(width, bytes);
            // Bits above the width: only the last byte has room for some.
            let used = width.wrapping_sub(1) % 8;
            let fits = bytes.last().is_none_or(|&last| last >> used >> 1 == 0);
            (value, fits)
        };
        if !fits {
            let message = format!("the value of an integer does not fit in {width} bits");
            return Err(malformed(&self.input, at, message));
        }
        Ok(AttributeKind::Integer { ty, value })
    }

    /// Reads a dictionary. Its names must be ascending: sorting many names that share a few long
    /// strings would take too long.
    fn dictionary(&mut self) -> Result<AttributeKind> {
        let count = self.input.count(2)?;
        let mut entries = Vec::with_capacity(count);
        let mut before: Option<Identifier> = None;
        for _ in 0..count {
            let at = self.input.offset();
            let name = self.string()?;
            if let Some(before) = before {
                self.tables.check_ascending(&self.input, at, before, name)?;
            }
            before = Some(name);
            entries.push((name, self.attribute()?));
        }
        Ok(AttributeKind::Dictionary(entries.into()))
    }

    /// Reads a type whose dimensions will be multiplied.
    fn shaped(&mut self, at: u64) -> Result<Type> {
        let ty = self.ty()?;
        let rank = self.tables.context.shape(ty).map_or(0, <[i64]>::len);
        self.spend(at, rank)?;
        Ok(ty)
    }

    fn affine(&mut self, at: u64, number: u64) -> Result<rmlir_ir::affine::AffineExpr> {
        self.tables.affine_expr(&self.input, at, number)
    }

    /// 0 for a dynamic stride or offset, else its zigzag plus one.
    fn stride(&mut self) -> Result<i64> {
        let code = self.input.varint()?.checked_sub(1);
        Ok(code.map_or(DYNAMIC, unzigzag))
    }

    // Locations.

    /// Reads a file location with at most two numbers.
    fn short_range(&mut self) -> Result<LocationKind<'static>> {
        let file = self.string()?;
        let at = self.input.offset();
        let count = self.input.count(1)?;
        let mut numbers = [0; 2];
        for number in numbers.iter_mut().take(count) {
            *number = self.input.varint_u32()?;
        }
        let [line, column] = numbers;
        match count {
            0..=2 => Ok(LocationKind::FileLineColRange {
                file,
                start_line: line,
                start_column: column,
                end_line: line,
                end_column: column,
                form: RangeForm::of_place(count),
            }),
            _ => Err(malformed(
                &self.input,
                at,
                format!("a file position stored as a range has {count} numbers"),
            )),
        }
    }

    fn location_entry(&mut self, at: u64, tag: u8) -> Result<Location> {
        let list;
        let kind = match tag {
            tag::UNKNOWN_LOCATION => LocationKind::Unknown,
            tag::FILE_PLACE | tag::FILE_RANGE => {
                let file = self.string()?;
                let (start_line, start_column) =
                    (self.input.varint_u32()?, self.input.varint_u32()?);
                let (mut end_line, mut end_column) = (start_line, start_column);
                if tag == tag::FILE_RANGE {
                    end_line = self.moved(start_line)?;
                    end_column = self.moved(start_column)?;
                    if (start_line, start_column) == (end_line, end_column) {
                        let message = "a range of a file ends where it starts";
                        return Err(malformed(&self.input, at, message));
                    }
                }
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form: RangeForm::Full,
                }
            }
            tag::SHORT_RANGE => self.short_range()?,
            tag::NAMED_LOCATION => {
                let name = self.string()?;
                let at = self.input.offset();
                let child = match self.input.varint()?.checked_sub(1) {
                    Some(number) => self.location_of(at, number)?,
                    None => self.tables.context.unknown_location(),
                };
                LocationKind::Name { name, child }
            }
            tag::CALL_SITE => LocationKind::CallSite {
                callee: self.referenced_location()?,
                caller: self.referenced_location()?,
            },
            tag::DIALECT_LOCATION => LocationKind::Dialect(self.attribute()?),
            _ => {
                let metadata = self.optional_attribute()?;
                list = self.list(Self::referenced_location)?;
                LocationKind::Fused {
                    locations: &list,
                    metadata,
                }
            }
        };
        Ok(self.tables.context.location(kind))
    }

    /// Reads a line or column as its distance from another.
    fn moved(&mut self, from: u32) -> Result<u32> {
        let at = self.input.offset();
        let distance = self.input.signed_varint()?;
        let to = i64::from(from).checked_add(distance);
        to.and_then(|to| u32::try_from(to).ok()).ok_or_else(|| {
            let message = format!("{distance} from {from} is not a line or column");
            malformed(&self.input, at, message)
        })
    }
}
