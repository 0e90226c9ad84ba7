//! The parts of entries, in the order in which upstream visits them.

use crate::printer::entity::Entity;
use rmlir_ir::{Attribute, AttributeKind, BodyReference, Context, LocationKind, Type, TypeKind};

/// Returns a location as an attribute is that location, and a dialect's location is that attribute.
pub(super) fn same_entity(context: &Context, entity: Entity) -> Entity {
    match entity {
        Entity::Attribute(attribute) => match *context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Entity::Location(location),
            _ => entity,
        },
        Entity::Location(location) => match context.location_kind(location) {
            LocationKind::Dialect(attribute) => Entity::Attribute(attribute),
            _ => entity,
        },
        Entity::Type(_) => entity,
    }
}

/// A component of an attribute, type or location.
pub(super) enum Child {
    Entity(Entity),
    /// This part is not an entity.
    Nothing,
    End,
}

impl From<Option<Entity>> for Child {
    fn from(entity: Option<Entity>) -> Self {
        entity.map_or(Child::End, Child::Entity)
    }
}

/// Returns whether an entry has no parts that could have aliases.
#[inline]
pub(super) fn is_leaf(context: &Context, entity: Entity) -> bool {
    match entity {
        Entity::Type(ty) => matches!(
            context.type_kind(ty),
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None
        ),
        Entity::Attribute(attribute) => matches!(
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
        Entity::Location(location) => {
            matches!(
                context.location_kind(location),
                LocationKind::Unknown | LocationKind::FileLineColRange { .. }
            )
        }
    }
}

/// Returns part number `part` of an entry, in the order in which upstream visits the parts.
pub(super) fn child(context: &Context, entity: Entity, part: usize) -> Child {
    let attribute = |a: Option<Attribute>| a.map(Entity::Attribute);
    let ty = |t: Option<Type>| t.map(Entity::Type);
    let only = |e: Option<Entity>| {
        if part == 0 {
            Child::from(e)
        } else {
            Child::End
        }
    };
    match entity {
        Entity::Attribute(a) => match context.attribute_kind(a) {
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
                Some(&(_, reference)) => Child::Entity(referenced(reference)),
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
        Entity::Type(t) => match context.type_kind(t) {
            TypeKind::Complex(element)
            | TypeKind::UnrankedTensor(element)
            | TypeKind::Vector { element, .. } => only(ty(Some(*element))),
            TypeKind::Tuple(types) => ty(types.get(part).copied()).into(),
            TypeKind::Function { inputs, results } => {
                ty(inputs.iter().chain(results).nth(part).copied()).into()
            }
            TypeKind::RankedTensor {
                element, encoding, ..
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*encoding).into(),
                _ => Child::End,
            },
            TypeKind::MemRef {
                element,
                layout,
                memory_space,
                ..
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*layout).map_or(Child::Nothing, Child::Entity),
                2 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => match part {
                0 => Child::Entity(Entity::Type(*element)),
                1 => attribute(*memory_space).into(),
                _ => Child::End,
            },
            TypeKind::Dialect { body, .. } => match body.references().get(part) {
                Some(&(_, reference)) => Child::Entity(referenced(reference)),
                None => Child::End,
            },
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None => {
                Child::End
            }
        },
        Entity::Location(l) => match context.location_kind(l) {
            LocationKind::Name { child, .. } => match context.location_kind(child) {
                LocationKind::Unknown => Child::End,
                _ => only(Some(Entity::Location(child))),
            },
            LocationKind::CallSite { callee, caller } => match part {
                0 => Child::Entity(Entity::Location(callee)),
                1 => Child::Entity(Entity::Location(caller)),
                _ => Child::End,
            },
            LocationKind::Dialect(location) => only(attribute(Some(location))),
            LocationKind::Fused {
                locations,
                metadata,
            } => match part.checked_sub(1) {
                None => attribute(metadata).map_or(Child::Nothing, Child::Entity),
                Some(part) => locations.get(part).copied().map(Entity::Location).into(),
            },
            LocationKind::Unknown | LocationKind::FileLineColRange { .. } => Child::End,
        },
    }
}

fn referenced(reference: BodyReference) -> Entity {
    match reference {
        BodyReference::Attribute(attribute) => Entity::Attribute(attribute),
        BodyReference::Type(ty) => Entity::Type(ty),
    }
}
