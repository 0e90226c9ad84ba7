//! Properties that are not attributes, and the order of all properties in upstream's bytecode.

use super::release::ReleaseRange;
use super::{InherentAttribute, OperationDefinition, Text};
use crate::sort::CompactSort as _;
use crate::{Attribute, AttributeKind, Context, TypeKind};
use std::fmt;

/// The encoding of a native property in bytecode and its form as an attribute: wrappers around a
/// base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyKind {
    /// From the outside in. The list is flat, so nothing recurses on input.
    pub wrappers: Vec<PropertyWrapper>,
    /// The innermost encoding.
    pub base: PropertyBase,
}

/// A wrapper around a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyWrapper {
    /// `optional<T>`: a byte 0 or 1, then `T` for 1. As an attribute `[]` or `[T]`.
    Optional,
    /// `array<T>`: a varint count `n`, then `n` times `T`. As an attribute an array.
    Array,
    /// `dense<T>`: stored like `array<T>`. As an attribute `array<T: ...>`.
    DenseArray,
}

/// The innermost encoding of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyBase {
    /// `i8`, `i16`, `i32`, `i64`: a varint; a negative number is stored as the 64 bits of its two's
    /// complement. As an attribute an integer of that type. Enumerations are also stored in this
    /// way.
    Integer {
        /// The width of the attribute's type in bits.
        width: u32,
    },
    /// `bool`: a byte 0 or 1. As an attribute `false` or `true`.
    Bool,
    /// `unit`: a byte 0 or 1. As an attribute `false` or `unit`.
    Unit,
    /// `string`: an index of the string section. As an attribute a string.
    String,
    /// `attribute`: the index of an attribute, which is also its form as an attribute.
    Attribute,
    /// `own`: read and written by code of the operation.
    Own,
}

/// The names of the wrappers; the wrapped encoding follows in angle brackets.
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
    /// Creates a property without wrappers.
    pub fn plain(base: PropertyBase) -> Self {
        PropertyKind {
            wrappers: Vec::new(),
            base,
        }
    }

    /// Returns whether an attribute can represent a value of the property. Linear in the elements
    /// of the attribute.
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
                    // A dense array holds integers itself.
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

    /// Returns the value of a property that has no default and was never set, as the text of an
    /// attribute: zero, false or empty. Returns `None` for `attribute` and `own`.
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

/// Prints the encoding as in a definition.
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
            // A member of an enumeration can be represented by an attribute of its dialect.
            (PropertyBase::Integer { .. }, AttributeKind::Dialect { .. }) => true,
            (PropertyBase::Unit, AttributeKind::Unit)
            | (PropertyBase::String, AttributeKind::String { .. })
            | (PropertyBase::Attribute | PropertyBase::Own, _) => true,
            _ => false,
        }
    }
}

/// A property that is not an attribute, but is stored natively and represented as an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeProperty {
    /// The name.
    pub name: Text,
    /// Its encoding and its form as an attribute.
    pub kind: PropertyKind,
    /// The enumeration of an integer, as in [`InherentAttribute::enumeration`]; empty if it has
    /// none.
    pub enumeration: Text,
    /// The default value, as the text of an attribute.
    pub default: Option<Text>,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// `operandSegmentSizes`.
pub const OPERAND_SEGMENT_SIZES: &str = "operandSegmentSizes";
/// `resultSegmentSizes`.
pub const RESULT_SEGMENT_SIZES: &str = "resultSegmentSizes";

/// The attributes that count the members of groups, with their names in LLVM 16, which determine
/// their position in bytecode before version 6.
pub const SEGMENT_SIZES: [(&str, &str); 2] = [
    (OPERAND_SEGMENT_SIZES, "operand_segment_sizes"),
    (RESULT_SEGMENT_SIZES, "result_segment_sizes"),
];

/// A property in bytecode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertySlot {
    /// The name of its attribute in generic form.
    pub name: Text,
    /// The encoding.
    pub kind: SlotKind,
    /// The bytecode that has it, if that depends on the version of a dialect.
    pub version: Option<VersionBound>,
}

/// The first version of a dialect whose bytecode has a property.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct VersionBound {
    /// The namespace of the dialect.
    pub dialect: Text,
    /// The first number of its version: see [`DialectVersion`](super::DialectVersion).
    pub first: u64,
    /// Whether the property follows all others, as in an operation whose own code encodes its
    /// properties.
    pub appended: bool,
}

/// Prints the bound as in a definition.
impl fmt::Display for VersionBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} {}", self.dialect, self.first)?;
        f.write_str(if self.appended { " appended" } else { "" })
    }
}

/// The encoding of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlotKind {
    /// An inherent attribute. A required one is `varint(index)`; an optional one is `varint(0)` or
    /// `varint(index << 1 | 1)`.
    Attribute {
        /// Whether it is optional.
        optional: bool,
        /// The name of its constraint.
        constraint: Text,
    },
    /// Segment sizes before version 6: `varint(index)` of an `array<i32: ...>` of `len` numbers.
    SegmentAttribute {
        /// The number of groups.
        len: usize,
    },
    /// A native property.
    Native(PropertyKind),
    /// Segment sizes from version 6 on: a sparse array of `len` numbers.
    SegmentArray {
        /// The number of groups.
        len: usize,
    },
}

/// The properties of an operation in the order of a release's bytecode.
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
                let slot = PropertySlot {
                    name,
                    kind,
                    version: None,
                };
                slots.push((legacy, slot));
            }
        }
        slots.compact_sort_by_key(|s| s.0);
        let mut slots: Vec<PropertySlot> = slots.into_iter().map(|s| s.1).collect();
        let natives = definition.properties.iter();
        slots.extend(
            natives
                .filter(|p| p.releases.contains(number))
                .map(|property| PropertySlot {
                    name: property.name.clone(),
                    kind: SlotKind::Native(property.kind.clone()),
                    version: None,
                }),
        );
        for (&(name, _), len) in SEGMENT_SIZES.iter().zip(segments) {
            if let Some(len) = len {
                let kind = SlotKind::SegmentArray { len };
                let name = Text::Borrowed(name);
                slots.push(PropertySlot {
                    name,
                    kind,
                    version: None,
                });
            }
        }
        // Appended ones follow the others, in the order of their versions.
        let appended = |slot: &PropertySlot| {
            let bound = slot.version.as_ref().filter(|bound| bound.appended);
            bound.map(|bound| bound.first)
        };
        slots.compact_sort_by_key(appended);
        PropertyLayout { slots }
    }

    /// Returns the properties in bytecode of that container version, which is at least 5: before
    /// version 5, all are entries of the attribute dictionary.
    ///
    /// `dialect_version` returns the first number of the version that the bytecode states for a
    /// dialect, 0 if it states none: see [`DialectVersion`](super::DialectVersion).
    pub fn slots(
        &self,
        bytecode_version: u64,
        dialect_version: impl Fn(&str) -> u64,
    ) -> impl Iterator<Item = &PropertySlot> {
        let slots = self.slots.iter().filter(move |slot| match &slot.version {
            Some(bound) => dialect_version(&bound.dialect) >= bound.first,
            None => true,
        });
        slots.filter(move |slot| match slot.kind {
            SlotKind::SegmentAttribute { .. } => bytecode_version < 6,
            SlotKind::SegmentArray { .. } => bytecode_version >= 6,
            _ => true,
        })
    }

    /// Returns whether the operation has no properties: then bytecode stores none.
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
        version: attribute.version.clone(),
    }
}
