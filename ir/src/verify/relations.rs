//! Relations between the types of an operation's groups of operands and results and of its attributes
//! ("Operation Definition Specification", `AllTypesMatch`, `TypesMatchWith` and their kind).

use super::groups::Groups;
use super::same_types::{
    is_condition_of, same_element_counts, same_elements, same_ranks, same_shape, same_tensor_shapes,
};
use super::{VerifyFailure, VerifyResult};
use crate::definition::{OperationDefinition, Release, TypeFunction, TypeRelationKind};
use crate::equality::OperationIn;
use crate::{AttributeKind, Context, Type};

/// Something that has types.
#[derive(Clone, Copy)]
enum Typed<'c> {
    /// By number of the group.
    Operands(usize),
    Results(usize),
    Attribute(&'c str),
}

struct Relation<'c> {
    kind: TypeRelationKind,
    names: &'c [crate::definition::Text],
    groups: Box<[Typed<'c>]>,
    summary: &'c str,
}

struct Derivation<'c> {
    function: TypeFunction,
    target: Typed<'c>,
    source: Typed<'c>,
    names: (&'c str, &'c str),
    summary: &'c str,
}

/// The relations of an operation in a release.
pub(super) struct Relations<'c> {
    relations: Box<[Relation<'c>]>,
    derivations: Box<[Derivation<'c>]>,
}

impl<'c> Relations<'c> {
    pub(super) fn new<T>(
        definition: Option<&'c OperationDefinition>,
        release: Release,
        operands: &Groups<'c, T>,
        results: &Groups<'c, T>,
    ) -> Self {
        let find = |name: &'c str| {
            let operand = operands.position(name).map(Typed::Operands);
            let found = operand.or_else(|| results.position(name).map(Typed::Results));
            let attributes = definition.into_iter().flat_map(|d| d.attributes());
            found.or_else(|| {
                let mut attributes = attributes.map(|attribute| &*attribute.name);
                attributes.find(|&a| a == name).map(Typed::Attribute)
            })
        };
        let relations = definition.into_iter().flat_map(|d| d.relations_in(release));
        let relations = relations.filter_map(|relation| {
            let names = relation.groups.iter();
            let groups: Option<_> = names.map(|name| find(name)).collect();
            Some(Relation {
                kind: relation.kind,
                names: &relation.groups,
                groups: groups?,
                summary: &relation.summary,
            })
        });
        let derivations = definition.into_iter();
        let derivations = derivations.flat_map(|d| d.derivations_in(release));
        let derivations = derivations.filter_map(|derivation| {
            Some(Derivation {
                function: derivation.function,
                target: find(&derivation.target)?,
                source: find(&derivation.source)?,
                names: (&derivation.target, &derivation.source),
                summary: &derivation.summary,
            })
        });
        Relations {
            relations: relations.collect(),
            derivations: derivations.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.derivations.is_empty()
    }

    /// Whether all hold. The counts of operands and results, and the sizes of their groups, are those that there must be.
    pub(super) fn check<T>(
        &self,
        op: OperationIn<'_>,
        operands: &Groups<'_, T>,
        results: &Groups<'_, T>,
    ) -> VerifyResult {
        let types = TypesOf {
            op,
            operands,
            results,
        };
        for relation in &self.relations {
            if !types.related(relation) {
                let names: Vec<&str> = relation.names.iter().map(|name| &**name).collect();
                let message = match relation.summary {
                    "" => format!(
                        "failed to verify that all of {{{}}} have same {}",
                        names.join(", "),
                        relation.kind.subject()
                    ),
                    summary => format!("failed to verify that {summary}"),
                };
                return Err(VerifyFailure::op(message));
            }
        }
        for derivation in &self.derivations {
            if types.follow(derivation) == Some(false) {
                let message = match (derivation.summary, derivation.names) {
                    ("", (target, source)) => {
                        let function = derivation.function.name();
                        format!("failed to verify that type of '{target}' is {function}({source})")
                    }
                    (summary, _) => format!("failed to verify that {summary}"),
                };
                return Err(VerifyFailure::op(message));
            }
        }
        Ok(())
    }
}

/// The types of what an operation has.
struct TypesOf<'a, 'c, T> {
    op: OperationIn<'a>,
    operands: &'a Groups<'c, T>,
    results: &'a Groups<'c, T>,
}

impl<T> TypesOf<'_, '_, T> {
    /// None if it has none: of an attribute that is not there.
    fn of(&self, typed: Typed<'_>) -> Option<Vec<Type>> {
        let (module, operation) = (self.op.module, self.op.operation);
        match typed {
            Typed::Operands(group) => {
                let sizes = self.operands.sizes(self.op);
                let all = module.operands(operation);
                let range = self.operands.range(group, sizes.as_deref(), all.len())?;
                let members = all.skip(range.start).take(range.len());
                Some(members.map(|value| module.value_type(value)).collect())
            }
            Typed::Results(group) => {
                let sizes = self.results.sizes(self.op);
                let all = module.results(operation);
                let range = self.results.range(group, sizes.as_deref(), all.len())?;
                let members = all.skip(range.start).take(range.len());
                Some(members.map(|value| module.value_type(value)).collect())
            }
            Typed::Attribute(name) => {
                let attribute = module.attribute(self.op.context, operation, name)?;
                Some(vec![self.op.context.attribute_type(attribute)])
            }
        }
    }

    /// Whether a relation holds. A group that has no members is related to any.
    fn related(&self, relation: &Relation<'_>) -> bool {
        let context = self.op.context;
        let mut groups = relation.groups.iter().filter_map(|&group| self.of(group));
        let mut groups = groups.by_ref().filter(|types| !types.is_empty());
        let Some(first) = groups.next() else {
            return true;
        };
        let like: fn(&Context, Type, Type) -> bool = match relation.kind {
            TypeRelationKind::Types => return groups.all(|types| types == first),
            TypeRelationKind::ElementTypes => same_elements,
            TypeRelationKind::Shapes => same_shape,
            TypeRelationKind::Ranks => same_ranks,
            TypeRelationKind::ElementCounts => same_element_counts,
            TypeRelationKind::TensorShapes => same_tensor_shapes,
            TypeRelationKind::ConditionShape => is_condition_of,
        };
        groups.all(|types| match (first.first(), types.first()) {
            (Some(&a), Some(&b)) => a == b || like(context, a, b),
            _ => true,
        })
    }

    /// Whether a group's types follow; none if that is not known.
    fn follow(&self, derivation: &Derivation<'_>) -> Option<bool> {
        let context = self.op.context;
        let target = self.of(derivation.target)?;
        if let (TypeFunction::Value, Typed::Attribute(name)) =
            (derivation.function, derivation.source)
        {
            let module = self.op.module;
            let attribute = module.attribute(context, self.op.operation, name)?;
            let AttributeKind::Type(expected) = context.attribute_kind(attribute) else {
                return None;
            };
            return Some(target.iter().all(|ty| ty == expected));
        }
        let source = self.of(derivation.source)?;
        match derivation.function {
            TypeFunction::Each => Some(target == source),
            TypeFunction::I1Each => {
                let i1 = context.i1_type();
                Some(target.len() == source.len() && target.iter().all(|&ty| ty == i1))
            }
            // What is not there says no types.
            function => function.holds(context, *source.first()?, target.into_iter()),
        }
    }
}
