//! Reads the properties of an operation known to its writer: values without names, in layout order.

use super::Tables;
use super::dialects::DialectVersions;
use super::entries::Entries;
use crate::lookup::malformed;
use rmlir_format::{Error, ErrorKind, Reader, Result};
use rmlir_ir::apint::ApInt;
use rmlir_ir::constraint::AttributeSort;
use rmlir_ir::definition::{PropertyBase, PropertyKind, PropertyWrapper, Release, SlotKind};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, Invalid, NamedAttribute, OperationName,
};

/// A layout of properties, prepared for reading.
pub(super) struct Layout {
    slots: Vec<Slot>,
}

/// Receives the name of a slot; for an attribute, its number if it is there; and the input before
/// and after the slot.
pub(super) type SlotVisitor<'v, 'a> =
    dyn FnMut(Identifier, Option<Option<u64>>, &Reader<'a>, &Reader<'a>) + 'v;

struct Slot {
    name: Identifier,
    kind: SlotKind,
    demand: Option<&'static AttributeSort>,
}

impl Layout {
    /// Returns the layout of an operation in the one of `releases` that is of its project, or that
    /// corresponds to the first; `None` if the operation is not known to exist in it.
    ///
    /// The versions are those of the container and of the dialects.
    pub(super) fn of(
        context: &mut Context,
        name: OperationName,
        releases: &[Release],
        (bytecode_version, versions): (u8, &DialectVersions),
    ) -> Option<Layout> {
        let bytes = context.operation_name_bytes(name);
        let dot = bytes.iter().position(|&byte| byte == b'.')?;
        let (namespace, mnemonic) = bytes.split_at_checked(dot)?;
        let dialect = context.dialect(namespace)?;
        let &first = releases.first()?;
        let definition = dialect.operation(mnemonic.get(1..)?, first)?;
        let own = releases
            .iter()
            .find(|release| release.family == definition.family);
        let layout = definition.layout(own.copied().unwrap_or(first))?;
        let slots = layout.slots(bytecode_version.into(), |dialect| versions.of(dialect));
        let slots = slots.map(|slot| Slot {
            name: context.identifier(slot.name.as_bytes()),
            demand: match &slot.kind {
                SlotKind::Attribute { constraint, .. } => AttributeSort::of(constraint),
                _ => None,
            },
            kind: slot.kind.clone(),
        });
        Some(Layout {
            slots: slots.collect(),
        })
    }

    /// Returns whether an operation with this layout has properties.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the numbers of the attributes in two slots, without decoding these attributes.
    ///
    /// # Errors
    /// If the blob does not have this layout.
    pub(super) fn find(
        &self,
        mut input: Reader<'_>,
        names: [Identifier; 2],
    ) -> Result<[Option<u64>; 2]> {
        let mut found = [None; 2];
        for slot in &self.slots {
            let number = slot.skip(&mut input)?;
            for (found, name) in found.iter_mut().zip(names) {
                if slot.name == name {
                    *found = number;
                }
            }
        }
        input.expect_end()?;
        Ok(found)
    }

    /// Passes each slot of a blob to `each`.
    ///
    /// # Errors
    /// If the blob does not have this layout.
    pub(super) fn slots<'a>(
        &self,
        mut input: Reader<'a>,
        each: &mut SlotVisitor<'_, 'a>,
    ) -> Result<()> {
        for slot in &self.slots {
            let before = input.clone();
            let number = slot.skip(&mut input)?;
            let is_attribute = matches!(
                slot.kind,
                SlotKind::Attribute { .. } | SlotKind::SegmentAttribute { .. }
            );
            each(slot.name, is_attribute.then_some(number), &before, &input);
        }
        input.expect_end()
    }

    /// Reads the properties of a blob, which must be consumed completely; `None` if there are none.
    pub(super) fn read<'a>(
        &self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        mut input: Reader<'a>,
    ) -> Result<Option<Attribute>> {
        let start = input.offset();
        let mut properties: Vec<NamedAttribute> = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            let at = input.offset();
            let value = slot.read(tables, entries, &mut input).map_err(|error| {
                let name = tables.context.str(slot.name).into_owned();
                error.with_offset(at).context(format!("reading '{name}'"))
            })?;
            if let Some(value) = value {
                properties.push((slot.name, value));
            }
        }
        input.expect_end()?;
        if properties.is_empty() {
            return Ok(None);
        }
        let dictionary = tables.context.dictionary_attribute(&properties);
        dictionary
            .map(Some)
            .map_err(|invalid| malformed(&input, start, invalid.message().to_owned()))
    }
}

impl Slot {
    /// Skips the slot; the number of its attribute, if it is one.
    fn skip(&self, input: &mut Reader<'_>) -> Result<Option<u64>> {
        match &self.kind {
            SlotKind::Attribute { optional: true, .. } => {
                let (number, present) = input.prefix_flagged_varint()?;
                Ok(present.then_some(number))
            }
            SlotKind::Attribute { .. } | SlotKind::SegmentAttribute { .. } => {
                input.prefix_varint().map(Some)
            }
            SlotKind::SegmentArray { len } => sparse_array(input, *len).map(|_| None),
            SlotKind::Native(kind) => skip_native(input, kind, 0).map(|()| None),
        }
    }

    fn read<'a>(
        &self,
        tables: &mut Tables<'_, 'a>,
        entries: &mut Entries<'a>,
        input: &mut Reader<'a>,
    ) -> Result<Option<Attribute>> {
        let at = input.offset();
        match &self.kind {
            SlotKind::Attribute { optional, .. } => {
                let (number, present) = match optional {
                    true => input.prefix_flagged_varint()?,
                    false => (input.prefix_varint()?, true),
                };
                if !present {
                    return match number {
                        0 => Ok(None),
                        _ => Err(malformed(input, at, "an absent attribute has a number")),
                    };
                }
                let attribute = entries.attribute(tables, input, at, number)?;
                let kind = tables.context.attribute_kind(attribute);
                match self.demand {
                    Some(demand) if !(demand.holds)(tables.context, kind) => {
                        let message = format!("attribute #{number} is not {}", demand.what);
                        Err(malformed(input, at, message))
                    }
                    _ => Ok(Some(attribute)),
                }
            }
            SlotKind::SegmentAttribute { len } => {
                let number = input.prefix_varint()?;
                let attribute = entries.attribute(tables, input, at, number)?;
                match tables.context.attribute_kind(attribute) {
                    AttributeKind::DenseArray {
                        element, length, ..
                    } if *element == tables.context.i32_type() && length == len => {
                        Ok(Some(attribute))
                    }
                    _ => {
                        let message = format!("attribute #{number} does not have {len} sizes");
                        Err(malformed(input, at, message))
                    }
                }
            }
            SlotKind::SegmentArray { len } => {
                let data = sparse_array(input, *len)?;
                let kind = AttributeKind::DenseArray {
                    element: tables.context.i32_type(),
                    length: *len,
                    data: data.iter().flat_map(|size| size.to_le_bytes()).collect(),
                };
                made(tables.context.try_attribute(kind), input, at).map(Some)
            }
            SlotKind::Native(kind) => native(tables, entries, input, kind, 0).map(Some),
        }
    }
}

fn made(made: Result<Attribute, Invalid>, input: &Reader<'_>, at: u64) -> Result<Attribute> {
    made.map_err(|invalid| malformed(input, at, invalid.message().to_owned()))
}

/// Returns a native property as the attribute that shows it in generic form, from wrapper `depth`
/// on.
///
/// Recurses on the definition, not on the input.
fn native<'a>(
    tables: &mut Tables<'_, 'a>,
    entries: &mut Entries<'a>,
    input: &mut Reader<'a>,
    kind: &PropertyKind,
    depth: usize,
) -> Result<Attribute> {
    let at = input.offset();
    let inner = depth.saturating_add(1);
    match kind.wrappers.get(depth) {
        Some(PropertyWrapper::Optional) => {
            let item = match flag(input)? {
                true => Some(native(tables, entries, input, kind, inner)?),
                false => None,
            };
            Ok(tables.context.array_attribute(item.as_slice()))
        }
        Some(PropertyWrapper::Array) => {
            let count = input.prefix_count(1)?;
            let items = (0..count)
                .map(|_| native(tables, entries, input, kind, inner))
                .collect::<Result<Vec<Attribute>>>()?;
            Ok(tables.context.array_attribute(&items))
        }
        Some(PropertyWrapper::DenseArray) => {
            let PropertyBase::Integer { width } = kind.base else {
                return Err(own_encoding(input, at));
            };
            let count = input.prefix_count(1)?;
            let mut data = Vec::new();
            for _ in 0..count {
                let value = input.prefix_varint()?;
                ApInt::from_u64(width, value).to_le_bytes(&mut data, width.div_ceil(8) as usize);
            }
            let array = AttributeKind::DenseArray {
                element: tables.context.integer_type(width),
                length: count,
                data: data.into(),
            };
            made(tables.context.try_attribute(array), input, at)
        }
        None => match kind.base {
            PropertyBase::Integer { width } => {
                let value = input.prefix_varint()?.cast_signed();
                let bits = ApInt::from_i64(width, value);
                if bits.to_i64() != Some(value) && bits.to_u64() != Some(value.cast_unsigned()) {
                    let message = format!("the integer does not fit its type of {width} bits");
                    return Err(malformed(input, at, message));
                }
                let ty = tables.context.integer_type(width);
                made(
                    tables.context.wrapping_integer_attribute(ty, value),
                    input,
                    at,
                )
            }
            PropertyBase::Bool => flag(input).map(|value| tables.context.bool_attribute(value)),
            PropertyBase::Unit => flag(input).map(|value| match value {
                true => tables.context.unit_attribute(),
                false => tables.context.bool_attribute(false),
            }),
            PropertyBase::String => {
                let value = tables.string(input)?;
                Ok(tables.context.string_attribute_of(value))
            }
            PropertyBase::Attribute => {
                let number = input.prefix_varint()?;
                entries.attribute(tables, input, at, number)
            }
            PropertyBase::Own => Err(own_encoding(input, at)),
        },
    }
}

/// Skips a native property, from wrapper `depth` on. Recurses on the definition, not on the input.
fn skip_native(input: &mut Reader<'_>, kind: &PropertyKind, depth: usize) -> Result<()> {
    let at = input.offset();
    let inner = depth.saturating_add(1);
    match kind.wrappers.get(depth) {
        Some(PropertyWrapper::Optional) => match flag(input)? {
            true => skip_native(input, kind, inner),
            false => Ok(()),
        },
        Some(PropertyWrapper::Array) => {
            let count = input.prefix_count(1)?;
            (0..count).try_for_each(|_| skip_native(input, kind, inner))
        }
        Some(PropertyWrapper::DenseArray) => {
            let count = input.prefix_count(1)?;
            (0..count).try_for_each(|_| input.prefix_varint().map(drop))
        }
        None => match kind.base {
            PropertyBase::Integer { .. } | PropertyBase::String | PropertyBase::Attribute => {
                input.prefix_varint().map(drop)
            }
            PropertyBase::Bool | PropertyBase::Unit => flag(input).map(drop),
            PropertyBase::Own => Err(own_encoding(input, at)),
        },
    }
}

#[cold]
fn own_encoding(input: &Reader<'_>, at: u64) -> Error {
    let message = "the property has an encoding of the operation's own, which is not known";
    Error::at(ErrorKind::Unsupported, at, message).with_section(input.section())
}

/// Reads a byte that must be 0 or 1.
fn flag(input: &mut Reader<'_>) -> Result<bool> {
    let at = input.offset();
    match input.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        byte => {
            let message = format!("a truth value is 0 or 1, not {byte}");
            Err(malformed(input, at, message))
        }
    }
}

/// Reads an array of `len` numbers: all of them, or, if most are zero, the indices and values of
/// the others.
fn sparse_array(input: &mut Reader<'_>, len: usize) -> Result<Vec<i32>> {
    let start = input.offset();
    let fail = |input: &Reader<'_>, message: String| Err(malformed(input, start, message));
    let (count, sparse) = input.prefix_flagged_varint()?;
    let mut values = vec![0; len];
    if count > len as u64 {
        return fail(input, format!("{count} sizes for {len} groups"));
    }
    if !sparse {
        for value in values
            .iter_mut()
            .take(usize::try_from(count).unwrap_or(len))
        {
            let size = input.prefix_varint()?;
            match i32::try_from(size) {
                Ok(size) => *value = size,
                Err(_) => return fail(input, format!("{size} is not the size of a group")),
            }
        }
        return Ok(values);
    }
    if count == 0 {
        return Ok(values);
    }
    let bits = input.prefix_varint()?;
    if bits > 8 {
        return fail(input, format!("places of {bits} bits"));
    }
    for _ in 0..count {
        let number = input.prefix_varint()?;
        // At most eight bits.
        let place = number & !(u64::MAX << bits);
        let size = i32::try_from(number >> bits);
        let slot = usize::try_from(place)
            .ok()
            .and_then(|at| values.get_mut(at));
        match (slot, size) {
            (Some(value), Ok(size)) => *value = size,
            _ => {
                return fail(
                    input,
                    format!("{number} is not a valid index and size for {len} groups"),
                );
            }
        }
    }
    Ok(values)
}
