//! Properties that are no attributes, and the order in which upstream's bytecode has all of them.

use super::release::ReleaseRange;
use super::{InherentAttribute, OperationDefinition, Text};
use crate::{Attribute, AttributeKind, Context, TypeKind};
use std::fmt;

/// How a native property is stored in bytecode and shown as an attribute: wrappers around a base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyKind {
    /// From the outside in. Flat, so that nothing recurses on what a file says.
    pub wrappers: Vec<PropertyWrapper>,
    /// What is inside.
    pub base: PropertyBase,
}

/// What can be around a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyWrapper {
    /// `optional<T>`: a byte 0 or 1, then `T` for 1. As an attribute `[]` or `[T]`.
    Optional,
    /// `array<T>`: a varint count, then as many `T`. As an attribute an array.
    Array,
    /// `dense<T>`: stored like `array<T>`. As an attribute `array<T: ...>`.
    DenseArray,
}

/// What is inside of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyBase {
    /// `i8`, `i16`, `i32`, `i64`: a varint, of a negative number the 64 bits of its two's complement.
    /// As an attribute an integer of that type. Enumerations are stored so as well.
    Integer {
        /// How many bits the attribute's type has.
        width: u32,
    },
    /// `bool`: a byte 0 or 1. As an attribute `false` or `true`.
    Bool,
    /// `unit`: a byte 0 or 1. As an attribute `false` or `unit`.
    Unit,
    /// `string`: an index of the string section. As an attribute a string.
    String,
    /// `attribute`: the index of an attribute, which it is as an attribute as well.
    Attribute,
    /// `own`: code of the operation's own reads and writes it.
    Own,
}

/// The names of the wrappers, which take what they wrap in angle brackets.
pub(super) const WRAPPERS: &[(&str, PropertyWrapper)] = &[
    ("optional", PropertyWrapper::Optional),
    ("array", PropertyWrapper::Array),
    ("dense", PropertyWrapper::DenseArray),
];

/// The names of the bases.
pub(super) const BASES: &[(&str, PropertyBase)] = &[
    ("i8", PropertyBase::Integer { width: 8 }),
    ("i16", PropertyBase::Integer { width: 16 }),
    ("i32", PropertyBase::Integer { width: 32 }),
    ("i64", PropertyBase::Integer { width: 64 }),
    ("bool", PropertyBase::Bool),
    ("unit", PropertyBase::Unit),
    ("string", PropertyBase::String),
    ("attribute", PropertyBase::Attribute),
    ("own", PropertyBase::Own),
];

impl PropertyKind {
    /// A property without wrappers.
    pub fn plain(base: PropertyBase) -> Self {
        PropertyKind {
            wrappers: Vec::new(),
            base,
        }
    }

    /// Whether an attribute can show a value of the property. Linear in the elements of the attribute.
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let mut values = vec![attribute];
        for wrapper in &self.wrappers {
            if values.is_empty() {
                return true;
            }
            let mut inner = Vec::new();
            for value in values {
                match (wrapper, context.attribute_kind(value)) {
                    (PropertyWrapper::Optional, AttributeKind::Array(elements))
                        if elements.len() < 2 =>
                    {
                        inner.extend_from_slice(elements);
                    }
                    (PropertyWrapper::Array, AttributeKind::Array(elements)) => {
                        inner.extend_from_slice(elements);
                    }
                    // It holds integers itself.
                    (PropertyWrapper::DenseArray, AttributeKind::DenseArray { element, .. })
                        if matches!(context.type_kind(*element), TypeKind::Integer { .. }) => {}
                    _ => return false,
                }
            }
            values = inner;
        }
        values
            .into_iter()
            .all(|value| self.base.accepts(context, value))
    }

    /// The value of a property that has no default and was never set, as the text of an attribute:
    /// zero, false or empty. None for `attribute` and `own`.
    pub fn initial_value(&self) -> Option<Text> {
        let borrowed = match (self.wrappers.first(), self.base) {
            (None, PropertyBase::Integer { width }) => return Some(format!("0 : i{width}").into()),
            (None, PropertyBase::Bool | PropertyBase::Unit) => "false",
            (None, PropertyBase::String) => "\"\"",
            (None, PropertyBase::Attribute | PropertyBase::Own) => return None,
            (Some(PropertyWrapper::Optional | PropertyWrapper::Array), _) => "[]",
            (Some(PropertyWrapper::DenseArray), PropertyBase::Integer { width }) => {
                return Some(format!("array<i{width}>").into());
            }
            (Some(PropertyWrapper::DenseArray), _) => return None,
        };
        Some(Text::Borrowed(borrowed))
    }
}

/// As in a definition.
impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for wrapper in &self.wrappers {
            let found = WRAPPERS.iter().find(|w| w.1 == *wrapper);
            write!(f, "{}<", found.map_or("", |w| w.0))?;
        }
        let base = BASES.iter().find(|base| base.1 == self.base);
        f.write_str(base.map_or("", |base| base.0))?;
        self.wrappers.iter().try_for_each(|_| f.write_str(">"))
    }
}

impl PropertyBase {
    fn accepts(self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        match (self, kind) {
            (PropertyBase::Integer { .. }, AttributeKind::Integer { value, .. }) => {
                value.to_i64().is_some() || value.to_u64().is_some()
            }
            (PropertyBase::Bool | PropertyBase::Unit, AttributeKind::Integer { ty, .. }) => {
                *ty == context.i1_type()
            }
            (PropertyBase::Unit, AttributeKind::Unit)
            | (PropertyBase::String, AttributeKind::String { .. })
            | (PropertyBase::Attribute | PropertyBase::Own, _) => true,
            _ => false,
        }
    }
}

/// A property that is no attribute, but stored natively and shown as an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeProperty {
    /// The name.
    pub name: Text,
    /// How it is stored and shown.
    pub kind: PropertyKind,
    /// The enumeration that an integer is of, as [`InherentAttribute::enumeration`]; empty if of none.
    pub enumeration: Text,
    /// The value that it has when none is given, as the text of an attribute.
    pub default: Option<Text>,
    /// When it is so.
    pub releases: ReleaseRange,
}

/// `operandSegmentSizes`.
pub const OPERAND_SEGMENT_SIZES: &str = "operandSegmentSizes";
/// `resultSegmentSizes`.
pub const RESULT_SEGMENT_SIZES: &str = "resultSegmentSizes";

/// The attributes that count the members of groups, with the names that they had in LLVM 16 and by
/// which their place in bytecode before version 6 is found.
pub const SEGMENT_SIZES: [(&str, &str); 2] = [
    (OPERAND_SEGMENT_SIZES, "operand_segment_sizes"),
    (RESULT_SEGMENT_SIZES, "result_segment_sizes"),
];

/// A property in bytecode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertySlot {
    /// The name that its attribute has in generic form.
    pub name: Text,
    /// What is stored.
    pub kind: SlotKind,
}

/// What is stored of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlotKind {
    /// An inherent attribute. A required one is `varint(index)`; one that may be absent is `varint(0)`
    /// or `varint(index << 1 | 1)`.
    Attribute {
        /// Whether it may be absent.
        optional: bool,
        /// The name of what it must satisfy.
        constraint: Text,
    },
    /// Segment sizes before version 6: `varint(index)` of an `array<i32: ...>` of `len` numbers.
    SegmentAttribute {
        /// How many groups there are.
        len: usize,
    },
    /// A native property.
    Native(PropertyKind),
    /// Segment sizes from version 6 on: a sparse array of `len` numbers.
    SegmentArray {
        /// How many groups there are.
        len: usize,
    },
}

/// The properties of an operation in the order in which a release's bytecode has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertyLayout {
    slots: Vec<PropertySlot>,
}

impl PropertyLayout {
    pub(super) fn of(definition: &OperationDefinition, number: u32) -> Self {
        let mut slots: Vec<(&str, PropertySlot)> = Vec::new();
        let attributes = definition.attributes().iter();
        for attribute in attributes.filter(|a| a.releases.contains(number)) {
            slots.push((&attribute.name, attribute_slot(attribute)));
        }
        let segments = definition.segments(number);
        for (&(name, legacy), len) in SEGMENT_SIZES.iter().zip(segments) {
            if let Some(len) = len {
                let kind = SlotKind::SegmentAttribute { len };
                let name = Text::Borrowed(name);
                slots.push((legacy, PropertySlot { name, kind }));
            }
        }
        slots.sort_by_key(|s| s.0);
        let mut slots: Vec<PropertySlot> = slots.into_iter().map(|s| s.1).collect();
        let natives = definition.properties.iter();
        slots.extend(
            natives
                .filter(|p| p.releases.contains(number))
                .map(|property| PropertySlot {
                    name: property.name.clone(),
                    kind: SlotKind::Native(property.kind.clone()),
                }),
        );
        for (&(name, _), len) in SEGMENT_SIZES.iter().zip(segments) {
            if let Some(len) = len {
                let kind = SlotKind::SegmentArray { len };
                let name = Text::Borrowed(name);
                slots.push(PropertySlot { name, kind });
            }
        }
        PropertyLayout { slots }
    }

    /// The properties in bytecode of that container version, which is at least 5: before, all are
    /// entries of the attribute dictionary.
    pub fn slots(&self, bytecode_version: u64) -> impl Iterator<Item = &PropertySlot> {
        self.slots.iter().filter(move |slot| match slot.kind {
            SlotKind::SegmentAttribute { .. } => bytecode_version < 6,
            SlotKind::SegmentArray { .. } => bytecode_version >= 6,
            _ => true,
        })
    }

    /// Whether the operation has no properties: then bytecode has none of it.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

fn attribute_slot(attribute: &InherentAttribute) -> PropertySlot {
    PropertySlot {
        name: attribute.name.clone(),
        kind: SlotKind::Attribute {
            optional: attribute.presence != super::Presence::Required,
            constraint: attribute.constraint.clone(),
        },
    }
}
