//! Lays out properties as the target's release does.

use super::target::{Knowledge, Target};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::apint::ApInt;
use rmlir_ir::constraint::AttributeSort;
use rmlir_ir::definition::{
    OperationDefinition, PropertyBase, PropertyKind, PropertySlot, PropertyWrapper, SlotKind,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Identifier, IndexedMap, NamedAttribute, OperationName,
    TypeKind,
};
use rmlir_text::parse_attribute;
use std::ops::Range;
use std::sync::Arc;

/// A component of encoded properties.
#[derive(Clone, Copy)]
pub(super) enum Item {
    Attribute {
        attribute: Attribute,
        optional: bool,
    },
    Varint(u64),
    Byte(u8),
    String(Identifier),
}

/// The properties of all operations, each combination of name and properties once.
#[derive(Default)]
pub(super) struct PropertyTable {
    items: Vec<Item>,
    /// The end of the items of each entry, and the attributes that have no slot in the layout.
    entries: Vec<(usize, Vec<NamedAttribute>)>,
    places: HashMap<(OperationName, Option<Attribute>), u32, RandomState>,
    /// By index of the properties: the name they last occurred with, and their position.
    ///
    /// Most properties occur with one name only.
    last_places: IndexedMap<(Option<OperationName>, u32)>,
    /// By index of the name: the position of absent properties.
    bare_places: IndexedMap<u32>,
    names: HashMap<OperationName, Arc<Name>, RandomState>,
    dictionaries: HashMap<Parts, Option<Attribute>, RandomState>,
}

/// The sources of a dictionary: attributes, properties, position of properties to move from.
type Parts = (Option<Attribute>, Option<Attribute>, u32);

struct Name {
    knowledge: Knowledge,
    slots: Vec<Slot>,
}

/// A property of a layout, looked up once for all operations of a name.
struct Slot {
    property: PropertySlot,
    name: Identifier,
    /// The required sort of an attribute.
    sort: Option<&'static AttributeSort>,
}

impl Slot {
    fn new(context: &mut Context, property: PropertySlot) -> Self {
        Slot {
            name: context.identifier(property.name.as_bytes()),
            sort: match &property.kind {
                SlotKind::Attribute { constraint, .. } => AttributeSort::of(constraint),
                _ => None,
            },
            property,
        }
    }
}

impl PropertyTable {
    /// Creates an empty table, for a module with about `operations` operations.
    pub(super) fn new(context: &Context, operations: usize) -> Self {
        PropertyTable {
            last_places: IndexedMap::new(context.attribute_count(), operations),
            ..PropertyTable::default()
        }
    }

    /// Returns the items of the properties at a position: see [`Self::resolve`].
    pub(super) fn items(&self, place: u32) -> Range<usize> {
        let end = |place: Option<usize>| place.map_or(0, |place| self.entries[place].0);
        match (place as usize).checked_sub(1) {
            None => 0..0,
            Some(place) => end(place.checked_sub(1))..end(Some(place)),
        }
    }

    pub(super) fn item(&self, number: usize) -> Item {
        self.items[number]
    }

    /// Returns whether the target knows an operation.
    pub(super) fn is_registered(&self, name: OperationName) -> bool {
        let name = self.names.get(&name);
        name.is_some_and(|name| name.knowledge.registered)
    }

    fn name(&mut self, context: &mut Context, target: &Target, name: OperationName) -> Arc<Name> {
        let make = || {
            let knowledge = target.operation(context, name);
            let definition = knowledge.definition.as_ref();
            let slots = definition.map(|definition| target.slots(context, definition));
            let slots = slots.unwrap_or_default().into_iter();
            let slots = slots.map(|slot| Slot::new(context, slot)).collect();
            Arc::new(Name { knowledge, slots })
        };
        self.names.entry(name).or_insert_with(make).clone()
    }

    /// Returns the dictionary and the position of the properties of an operation in the file.
    ///
    /// The position is 0 if there are no properties.
    ///
    /// # Errors
    /// If there is content that the target cannot represent.
    pub(super) fn resolve(
        &mut self,
        context: &mut Context,
        target: &Target,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<(Option<Attribute>, u32)> {
        let own = attributes.filter(|&own| own != context.empty_dictionary());
        if !target.version.has_properties() {
            return Ok((self.merged(context, target, name, own, properties)?, 0));
        }
        let place = match self.known_place(name, properties) {
            Some(place) => place,
            None => self.place(context, target, name, properties)?,
        };
        let moved = match (place & MOVED, (place & !MOVED) as usize) {
            (MOVED, at) => &self.entries[at.saturating_sub(1)].1,
            _ => return Ok((own, place)),
        };
        // The table's last entry also keeps attributes moved from properties that have no items.
        let at = place & !MOVED;
        let has_items = !self.items(at).is_empty();
        let key = (own, None, at);
        let dictionary = match self.dictionaries.get(&key) {
            Some(&known) => known,
            None => {
                let entries = own.map_or(&[][..], |own| context.dictionary_entries(own));
                let all = [entries, moved].concat();
                let made = context.dictionary_attribute(&all);
                let made = made.map_err(|invalid| {
                    Error::new(ErrorKind::InvalidRequest, invalid.message().to_owned())
                })?;
                self.dictionaries.insert(key, Some(made));
                Some(made)
            }
        };
        Ok((dictionary, if has_items { at } else { 0 }))
    }

    #[inline]
    fn known_place(&self, name: OperationName, properties: Option<Attribute>) -> Option<u32> {
        match properties {
            Some(properties) => match self.last_places.get(properties.index()) {
                (Some(last), place) if last == name => Some(place),
                _ => None,
            },
            None => self.bare_places.get(name.index()).checked_sub(1),
        }
    }

    /// Returns the position of properties, which may be new.
    fn place(
        &mut self,
        context: &mut Context,
        target: &Target,
        name: OperationName,
        properties: Option<Attribute>,
    ) -> Result<u32> {
        let place = match self.places.get(&(name, properties)) {
            Some(&place) => place,
            None => {
                let place = self.new_place(context, target, name, properties)?;
                self.places.insert((name, properties), place);
                place
            }
        };
        match properties {
            Some(properties) => {
                *self.last_places.get_mut(properties.index()) = (Some(name), place);
            }
            None => self.bare_places.set_position(name.index(), place as usize),
        }
        Ok(place)
    }

    /// Merges all attributes into one dictionary, as before the introduction of properties.
    fn merged(
        &mut self,
        context: &mut Context,
        target: &Target,
        name: OperationName,
        own: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<Option<Attribute>> {
        let Some(properties) = properties.filter(|&own| own != context.empty_dictionary()) else {
            return Ok(own);
        };
        let key = (own, Some(properties), 0);
        if let Some(&known) = self.dictionaries.get(&key) {
            return Ok(known);
        }
        let fail = |message: &str| {
            let message = message.to_owned();
            Err(Error::new(ErrorKind::InvalidRequest, message))
        };
        if !matches!(
            context.attribute_kind(properties),
            AttributeKind::Dictionary(_)
        ) {
            let message = "properties that are not a dictionary need version 5 of bytecode";
            return fail(message);
        }
        // Readers with a definition distinguish them from discardable attributes.
        if context.operation_definition(name).is_none() && !target.lossy {
            let message = "versions of bytecode before 5 do not distinguish properties from discardable attributes, and \
                           the operation has no definition that does";
            return fail(message);
        }
        let entries = own.map_or(&[][..], |own| context.dictionary_entries(own));
        let all = [entries, context.dictionary_entries(properties)].concat();
        let made = match context.dictionary_attribute(&all) {
            Ok(made) => Some(made),
            Err(invalid) => return fail(invalid.message()),
        };
        self.dictionaries.insert(key, made);
        Ok(made)
    }

    /// Lays out the properties of an operation at a new position.
    ///
    /// The position has the bit [`MOVED`] if some attributes have no slot in the layout.
    fn new_place(
        &mut self,
        context: &mut Context,
        target: &Target,
        name: OperationName,
        properties: Option<Attribute>,
    ) -> Result<u32> {
        let start = self.items.len();
        let known = self.name(context, target, name);
        let Some(definition) = &known.knowledge.definition else {
            return match properties {
                None => Ok(0),
                Some(_) if known.knowledge.registered => Err(Error::new(
                    ErrorKind::Unsupported,
                    "the target's layout of the properties is unknown",
                )),
                Some(attribute) => {
                    self.items.push(Item::Attribute {
                        attribute,
                        optional: false,
                    });
                    self.add(Vec::new())
                }
            };
        };
        let entries = match properties {
            None => Vec::new(),
            Some(properties) => {
                if !matches!(
                    context.attribute_kind(properties),
                    AttributeKind::Dictionary(_)
                ) {
                    let message = "the properties are not a dictionary";
                    return Err(Error::new(ErrorKind::InvalidRequest, message));
                }
                context.dictionary_entries(properties).to_vec()
            }
        };
        // The writer of the file defined the operation without its properties, so it wrote none.
        let is_required = |slot: &Slot| match slot.property.kind {
            SlotKind::Attribute { optional, .. } => !optional,
            SlotKind::SegmentAttribute { .. } | SlotKind::SegmentArray { .. } => true,
            SlotKind::Native(_) => false,
        };
        if entries.is_empty() && target.is_writer() && known.slots.iter().any(is_required) {
            return Ok(0);
        }
        for slot in &known.slots {
            let value = entries.iter().find(|entry| entry.0 == slot.name);
            let value = value.map(|entry| entry.1);
            slot_items(context, definition, slot, value, &mut self.items)
                .map_err(|error| error.about(format_args!("property '{}'", slot.property.name)))?;
        }
        let mut moved = Vec::new();
        for entry in entries {
            let has_slot = known.slots.iter().any(|slot| slot.name == entry.0);
            if has_slot || is_default(context, definition, entry) {
                continue;
            }
            if !target.lossy {
                let message = format!(
                    "{} has no property '{}'",
                    target.release(definition.family),
                    context.str(entry.0)
                );
                return Err(Error::new(ErrorKind::InvalidRequest, message));
            }
            moved.push(entry);
        }
        let has_moved = !moved.is_empty();
        if self.items.len() == start && !has_moved {
            return Ok(0);
        }
        let place = self.add(moved)?;
        Ok(if has_moved { place | MOVED } else { place })
    }

    fn add(&mut self, moved: Vec<NamedAttribute>) -> Result<u32> {
        self.entries.push((self.items.len(), moved));
        u32::try_from(self.entries.len())
            .ok()
            .filter(|&place| place < MOVED)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Limit,
                    "the module has too many different properties",
                )
            })
    }
}

/// The bit of a position whose entry has attributes that are moved to the dictionary.
const MOVED: u32 = 1 << 31;

/// Returns whether an attribute is equivalent to its absence, in some release.
fn is_default(
    context: &mut Context,
    definition: &OperationDefinition,
    (name, value): NamedAttribute,
) -> bool {
    let bytes = context.bytes(name);
    let attributes = definition.attributes().iter();
    let attributes = attributes
        .filter(|attribute| attribute.name.as_bytes() == bytes)
        .filter_map(|attribute| attribute.default.clone());
    let properties = definition.properties.iter();
    let properties = properties
        .filter(|property| property.name.as_bytes() == bytes)
        .filter_map(|property| property.default.clone().or(property.kind.initial_value()));
    let defaults: Vec<_> = attributes.chain(properties).collect();
    defaults
        .iter()
        .any(|text| parse_attribute(context, text.as_bytes()).is_ok_and(|default| default == value))
}

/// Appends the items of a slot.
fn slot_items(
    context: &mut Context,
    definition: &OperationDefinition,
    Slot { property, sort, .. }: &Slot,
    value: Option<Attribute>,
    items: &mut Vec<Item>,
) -> Result<()> {
    let slot = property;
    match (&slot.kind, value) {
        (SlotKind::Attribute { optional, .. }, Some(attribute)) => {
            let optional = *optional;
            if let Some(sort) = sort
                && !(sort.holds)(context, context.attribute_kind(attribute))
            {
                let message = format!("expected {}", sort.what);
                return Err(Error::new(ErrorKind::InvalidRequest, message));
            }
            items.push(Item::Attribute {
                attribute,
                optional,
            });
        }
        (SlotKind::Attribute { optional: true, .. }, None) => items.push(Item::Varint(0)),
        (SlotKind::SegmentAttribute { len }, Some(attribute)) => {
            segments(context, attribute, *len)?;
            items.push(Item::Attribute {
                attribute,
                optional: false,
            });
        }
        (SlotKind::SegmentArray { len }, Some(attribute)) => {
            let sizes = segments(context, attribute, *len)?;
            items.extend(sparse_array(&sizes).into_iter().map(Item::Varint));
        }
        (SlotKind::Native(kind), Some(attribute)) => native(context, kind, 0, attribute, items)?,
        (SlotKind::Native(kind), None) => {
            let properties = definition.properties.iter();
            let mut own =
                properties.filter(|property| property.name == slot.name && property.kind == *kind);
            let default = own.find_map(|property| property.default.clone());
            let text = default.or(kind.initial_value()).ok_or_else(missing)?;
            let value = parse_attribute(context, text.as_bytes()).map_err(|_| missing())?;
            native(context, kind, 0, value, items)?;
        }
        _ => return Err(missing()),
    }
    Ok(())
}

fn missing() -> Error {
    Error::new(ErrorKind::InvalidRequest, "required, but absent")
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::InvalidRequest, format!("expected {what}"))
}

/// Returns the error for a value that the native property cannot represent.
fn mismatch(kind: &PropertyKind) -> Error {
    wrong(&kind.to_string())
}

/// Returns the segment sizes stored in an attribute.
fn segments(context: &Context, attribute: Attribute, len: usize) -> Result<Vec<u32>> {
    match context.attribute_kind(attribute) {
        AttributeKind::DenseArray {
            element,
            length,
            data,
        } if *element == context.i32_type() && *length == len => Ok(data
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect()),
        _ => Err(wrong(&format!("an array of {len} sizes"))),
    }
}

/// Encodes numbers as upstream's sparse array: the count with a flag, then all numbers, or, if at
/// most half of them are nonzero, the nonzero ones, each with its index in its lowest bits, after
/// the number of these bits. As upstream, indices above 256 are not packed.
fn sparse_array(values: &[u32]) -> Vec<u64> {
    let set = values.iter().filter(|&&value| value != 0).count();
    let last = values.iter().rposition(|&value| value != 0).unwrap_or(0);
    let all = values.iter().map(|&value| u64::from(value));
    if last > 256 || set > values.len() / 2 {
        return std::iter::once((values.len() as u64) << 1)
            .chain(all)
            .collect();
    }
    let mut out = vec![(set as u64) << 1 | 1];
    if set > 0 {
        let bits = usize::BITS - last.leading_zeros();
        out.push(bits.into());
        let placed = all.zip(0u64..).filter(|pair| pair.0 != 0);
        out.extend(placed.map(|(value, place)| value << bits | place));
    }
    out
}

/// Converts the attribute that represents a native property in generic form.
///
/// Starts at the wrapper `depth`. Recurses over the definition.
fn native(
    context: &Context,
    kind: &PropertyKind,
    depth: usize,
    value: Attribute,
    items: &mut Vec<Item>,
) -> Result<()> {
    let attribute = context.attribute_kind(value);
    match (kind.wrappers.get(depth), attribute) {
        (Some(PropertyWrapper::Optional), AttributeKind::Array(elements)) if elements.len() < 2 => {
            items.push(Item::Byte(u8::from(!elements.is_empty())));
            for &element in elements {
                native(context, kind, depth + 1, element, items)?;
            }
        }
        (Some(PropertyWrapper::Array), AttributeKind::Array(elements)) => {
            items.push(Item::Varint(elements.len() as u64));
            for &element in elements {
                native(context, kind, depth + 1, element, items)?;
            }
        }
        (
            Some(PropertyWrapper::DenseArray),
            AttributeKind::DenseArray {
                element,
                length,
                data,
            },
        ) => {
            let TypeKind::Integer { width, .. } = *context.type_kind(*element) else {
                return Err(wrong("an array of integers"));
            };
            items.push(Item::Varint(*length as u64));
            for bytes in data.chunks_exact(width.div_ceil(8).max(1) as usize) {
                let number = ApInt::from_le_bytes(width, bytes);
                items.push(Item::Varint(extended(&number)?));
            }
        }
        (None, attribute) => match (kind.base, attribute) {
            (PropertyBase::Integer { .. }, AttributeKind::Integer { value, .. }) => {
                items.push(Item::Varint(extended(value)?));
            }
            (PropertyBase::Bool | PropertyBase::Unit, AttributeKind::Integer { ty, value })
                if *ty == context.i1_type() =>
            {
                items.push(Item::Byte(u8::from(value.to_u64() == Some(1))));
            }
            (PropertyBase::Unit, AttributeKind::Unit) => items.push(Item::Byte(1)),
            (PropertyBase::String, AttributeKind::String { value, .. }) => {
                items.push(Item::String(*value));
            }
            (PropertyBase::Attribute, _) => items.push(Item::Attribute {
                attribute: value,
                optional: false,
            }),
            (PropertyBase::Own, _) => {
                let message = "its encoding is the operation's own, and unknown";
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            _ => return Err(mismatch(kind)),
        },
        _ => return Err(mismatch(kind)),
    }
    Ok(())
}

/// Returns the 64 bits of a number in two's complement.
fn extended(number: &ApInt) -> Result<u64> {
    let signed = number.to_i64().map(i64::cast_unsigned);
    signed.ok_or_else(|| wrong("an integer of 64 bits"))
}
