//! The parts of entries, in the order in which upstream visits them.

use rmlir_ir::{
    Attribute, AttributeKind, BodyReference, Context, Entry, LocationKind, Type, TypeKind,
};

/// Returns a location as an attribute is that location, and a dialect's location is that attribute.
pub(super) fn same_entry(context: &Context, entry: Entry) -> Entry {
    match entry {
        Entry::Attribute(attribute) => match *context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Entry::Location(location),
            _ => entry,
        },
        Entry::Location(location) => match context.location_kind(location) {
            LocationKind::Dialect(attribute) => Entry::Attribute(attribute),
            _ => entry,
        },
        Entry::Type(_) => entry,
    }
}

/// A component of an attribute, type or location.
pub(super) enum Child {
    Entry(Entry),
    /// This part is not an entry.
    Nothing,
    End,
}

impl From<Option<Entry>> for Child {
    fn from(entry: Option<Entry>) -> Self {
        entry.map_or(Child::End, Child::Entry)
    }
}

/// Returns whether an entry has no parts that could have aliases.
#[inline]
pub(super) fn is_leaf(context: &Context, entry: Entry) -> bool {
    match entry {
        Entry::Type(ty) => matches!(
            context.type_kind(ty),
            TypeKind::Integer { .. }
                | TypeKind::Float(_)
                | TypeKind::Index
                | TypeKind::None
                | TypeKind::Token
        ),
        Entry::Attribute(attribute) => matches!(
            context.attribute_kind(attribute),
            AttributeKind::Unit
                | AttributeKind::Integer { .. }
                | AttributeKind::Float { .. }
                | AttributeKind::String { ty: None, .. }
                | AttributeKind::SymbolRef { .. }
                | AttributeKind::DenseArray { .. }
                | AttributeKind::AffineMap(_)
                | AttributeKind::IntegerSet(_)
                | AttributeKind::StridedLayout { .. }
        ),
        Entry::Location(location) => {
            matches!(
                context.location_kind(location),
                LocationKind::Unknown | LocationKind::FileLineColRange { .. }
            )
        }
    }
}

/// Returns part number `part` of an entry, in the order in which upstream visits the parts.
pub(super) fn child(context: &Context, entry: Entry, part: usize) -> Child {
    let attribute = |a: Option<Attribute>| a.map(Entry::Attribute);
    let ty = |t: Option<Type>| t.map(Entry::Type);
    let only = |e: Option<Entry>| {
        if part == 0 {
            Child::from(e)
        } else {
            Child::End
        }
    };
    match entry {
        Entry::Attribute(a) => match context.attribute_kind(a) {
            AttributeKind::String { ty: t, .. } => only(ty(*t)),
            AttributeKind::Type(t) => only(ty(Some(*t))),
            AttributeKind::Array(items) => attribute(items.get(part).copied()).into(),
            AttributeKind::Dictionary(entries) => attribute(entries.get(part).map(|e| e.1)).into(),
            AttributeKind::DenseElements { ty: t, .. }
            | AttributeKind::DenseStrings { ty: t, .. }
            | AttributeKind::DenseText { ty: t, .. }
            | AttributeKind::DenseResource { ty: t, .. }
            | AttributeKind::Sparse { ty: t, .. } => only(ty(Some(*t))),
            AttributeKind::Distinct { referenced, .. } => only(attribute(Some(*referenced))),
            AttributeKind::Dialect { body, ty: t, .. } => match body.references().get(part) {
                Some(&(_, reference)) => Child::Entry(referenced(reference)),
                None if part == body.references().len() => ty(*t).into(),
                None => Child::End,
            },
            // Upstream does not look into the types of numbers, or into affine maps and locations.
            AttributeKind::Unit
            | AttributeKind::Integer { .. }
            | AttributeKind::Float { .. }
            | AttributeKind::SymbolRef { .. }
            | AttributeKind::DenseArray { .. }
            | AttributeKind::AffineMap(_)
            | AttributeKind::IntegerSet(_)
            | AttributeKind::StridedLayout { .. }
            | AttributeKind::Location(_) => Child::End,
        },
        Entry::Type(t) => match context.type_kind(t) {
            TypeKind::Complex(element)
            | TypeKind::UnrankedTensor(element)
            | TypeKind::Vector { element, .. } => only(ty(Some(*element))),
            TypeKind::Tuple(types) => ty(types.get(part).copied()).into(),
            TypeKind::Function { inputs, results } | TypeKind::Graph { inputs, results } => {
                ty(inputs.iter().chain(results).nth(part).copied()).into()
            }
            TypeKind::RankedTensor {
                element, encoding, ..
            } => match part {
                0 => Child::Entry(Entry::Type(*element)),
                1 => attribute(*encoding).into(),
                _ => Child::End,
            },
            TypeKind::MemRef {
                element,
                layout,
                memory_space,
                ..
            } => match part {
                0 => Child::Entry(Entry::Type(*element)),
                1 => attribute(*layout).map_or(Child::Nothing, Child::Entry),
                2 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => match part {
                0 => Child::Entry(Entry::Type(*element)),
                1 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::Dialect { body, .. } => match body.references().get(part) {
                Some(&(_, reference)) => Child::Entry(referenced(reference)),
                None => Child::End,
            },
            TypeKind::Integer { .. }
            | TypeKind::Float(_)
            | TypeKind::Index
            | TypeKind::None
            | TypeKind::Token => Child::End,
        },
        Entry::Location(l) => match context.location_kind(l) {
            LocationKind::Name { child, .. } => match context.location_kind(child) {
                LocationKind::Unknown => Child::End,
                _ => only(Some(Entry::Location(child))),
            },
            LocationKind::CallSite { callee, caller } => match part {
                0 => Child::Entry(Entry::Location(callee)),
                1 => Child::Entry(Entry::Location(caller)),
                _ => Child::End,
            },
            LocationKind::Dialect(location) => only(attribute(Some(location))),
            LocationKind::Fused {
                locations,
                metadata,
            } => match part.checked_sub(1) {
                None => attribute(metadata).map_or(Child::Nothing, Child::Entry),
                Some(part) => locations.get(part).copied().map(Entry::Location).into(),
            },
            LocationKind::Unknown | LocationKind::FileLineColRange { .. } => Child::End,
        },
    }
}

fn referenced(reference: BodyReference) -> Entry {
    match reference {
        BodyReference::Attribute(attribute) => Entry::Attribute(attribute),
        BodyReference::Type(ty) => Entry::Type(ty),
    }
}
