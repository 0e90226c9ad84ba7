//! Infers result types from an operation's definition.

use crate::definition::{
    GroupDefinition, GroupKind, OperationDefinition, TypeFunction, TypeRelationKind,
};
use crate::error::Invalid;
use crate::normalize::GivenAttributes;
use crate::{Attribute, AttributeKind, Context, Module, OperationTraits, Type, Value};

/// The inputs of result type inference.
pub(super) struct Sources<'s> {
    pub(super) definition: &'s OperationDefinition,
    /// The namespace of the operation's dialect.
    pub(super) namespace: &'s [u8],
    pub(super) module: &'s Module,
    pub(super) operands: &'s [Value],
    pub(super) operand_sizes: Option<&'s [i32]>,
    pub(super) attributes: &'s GivenAttributes,
}

impl Sources<'_> {
    /// Returns the types of the results that an operation must have, where none is given. Optional
    /// and variadic groups are empty then. Linear in the size of the definition.
    ///
    /// # Errors
    ///
    /// If the type of a result does not follow from the definition.
    pub(super) fn results(&self, context: &mut Context) -> Result<Vec<Type>, Invalid> {
        let release = context.release();
        let definition = self.definition;
        let groups: Vec<&GroupDefinition> =
            definition.groups_in(&definition.results, release).collect();
        let mut types: Vec<Option<Type>> = vec![None; groups.len()];
        // A type may follow from the type of another result.
        for _ in 0..groups.len() {
            let before = types.clone();
            for (at, group) in groups.iter().enumerate() {
                if group.kind != GroupKind::Single || before.get(at).is_some_and(Option::is_some) {
                    continue;
                }
                let known = |name: &str| {
                    let of_result = groups.iter().position(|group| group.name == name);
                    before.get(of_result?).copied().flatten()
                };
                let found = self.result(context, group, &known);
                if let Some(slot) = types.get_mut(at) {
                    *slot = found;
                }
            }
            if types == before {
                break;
            }
        }
        let mut results = Vec::new();
        for (group, ty) in groups.into_iter().zip(types) {
            match (group.kind, ty) {
                (GroupKind::Single, Some(ty)) => results.push(ty),
                (GroupKind::Single, None) => {
                    let name = &group.name;
                    return Err(Invalid::new(format!(
                        "the type of result '{name}' does not follow from the definition: give it"
                    )));
                }
                _ => {}
            }
        }
        Ok(results)
    }

    fn result(
        &self,
        context: &mut Context,
        group: &GroupDefinition,
        known: &impl Fn(&str) -> Option<Type>,
    ) -> Option<Type> {
        let release = context.release();
        let traits = self.definition.traits(release);
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            && let Some(&first) = self.operands.first()
        {
            return Some(self.module.value_type(first));
        }
        let source = |context: &Context, name: &str| {
            let operand = || self.operand(context, name);
            let attribute = || Some(context.attribute_type(self.attribute(context, name)?));
            known(name).or_else(operand).or_else(attribute)
        };
        let relations = self.definition.relations_in(release);
        for relation in relations.filter(|r| r.kind == TypeRelationKind::Types) {
            if relation.groups.contains(&group.name) {
                let mut others = relation.groups.iter().filter(|name| **name != group.name);
                let found = others.find_map(|name| source(context, name));
                if found.is_some() {
                    return found;
                }
            }
        }
        for derivation in self.definition.derivations_in(release) {
            if derivation.target != group.name {
                continue;
            }
            let found = match derivation.function {
                TypeFunction::Value => {
                    let value = self.attribute(context, &derivation.source);
                    match context.attribute_kind(value?) {
                        AttributeKind::Type(ty) => Some(*ty),
                        _ => None,
                    }
                }
                function => {
                    let from = source(context, &derivation.source)?;
                    function.apply(context, from)
                }
            };
            if found.is_some() {
                return found;
            }
        }
        let constraint = context.type_constraint(self.namespace, &group.constraint)?;
        let text = constraint.predicate.single_type()?;
        let only = context.parse_attribute(&text).ok()?;
        match context.attribute_kind(only) {
            AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Returns the type of the first operand of a group.
    fn operand(&self, context: &Context, name: &str) -> Option<Type> {
        let release = context.release();
        let definition = self.definition;
        let groups = definition.groups_in(&definition.operands, release);
        let at = groups.clone().position(|group| group.name == name)?;
        let single = |group: &&GroupDefinition| group.kind == GroupKind::Single;
        let count = self.operands.len();
        let (start, len) = match self.operand_sizes {
            Some(sizes) => {
                let size = |&size: &i32| usize::try_from(size).unwrap_or(0);
                let before = sizes.get(..at)?.iter().map(size);
                (before.fold(0, usize::saturating_add), size(sizes.get(at)?))
            }
            None => {
                let singles = groups.clone().filter(single).count();
                let open = groups.clone().count().checked_sub(singles)?;
                let len = count.checked_sub(singles)?;
                let before = groups
                    .clone()
                    .take(at)
                    .filter(|group| !single(group))
                    .count();
                let own = groups.clone().nth(at).as_ref().is_some_and(single);
                match (open, before) {
                    (_, 0) if own => (at, 1),
                    (1, 0) => (at, len),
                    (1, 1) => (at.checked_sub(1)?.checked_add(len)?, 1),
                    _ => return None,
                }
            }
        };
        let first = self.operands.get(start).filter(|_| len > 0)?;
        Some(self.module.value_type(*first))
    }

    fn attribute(&self, context: &Context, name: &str) -> Option<Attribute> {
        self.attributes.find(context, name)
    }
}
