//! Relations between the types of an operation's operands, results, region arguments and attributes
//! ("Operation Definition Specification", `AllTypesMatch`, `TypesMatchWith` and the like).

use super::groups::Groups;
use super::regions::{Argument, RegionRule, at_argument};
use super::same_types::{
    is_condition_of, same_element_counts, same_elements, same_ranks, same_shape, same_tensor_shapes,
};
use super::{Message, VerifyFailure, VerifyResult};
use crate::definition::{OperationDefinition, Release, TypeFunction, TypeRelationKind};
use crate::op::Op;
use crate::{AttributeKind, Context, Type};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// A part of an operation that has types.
#[derive(Clone, Copy)]
enum Typed<'c> {
    /// The index of the group.
    Operands(usize),
    Results(usize),
    Attribute(&'c str),
    /// An argument of a region's entry block: the index of the region's group, and its own index.
    Argument(usize, usize),
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

/// The type relations of an operation in a release.
pub(super) struct Relations<'c> {
    relations: Box<[Relation<'c>]>,
    derivations: Box<[Derivation<'c>]>,
    /// The relations and derivations of each region argument.
    arguments: HashMap<(usize, usize), OfArgument>,
}

/// The indices of the relations and derivations that name a region argument.
#[derive(Default)]
struct OfArgument {
    /// Each with the argument's position in the relation.
    relations: Vec<(usize, usize)>,
    derivations: Vec<usize>,
}

impl<'c> Relations<'c> {
    pub(super) fn new<T>(
        definition: Option<&'c OperationDefinition>,
        release: Release,
        operands: &Groups<'c, T>,
        results: &Groups<'c, T>,
        regions: &Groups<'c, RegionRule<'c>>,
    ) -> Self {
        let with_arguments = regions.groups.iter().enumerate();
        let with_arguments = with_arguments.filter(|(_, r)| r.constraint.has_arguments());
        let with_arguments: HashMap<&str, usize> =
            with_arguments.map(|(group, r)| (r.name, group)).collect();
        let argument = |name: &str| {
            let &group = with_arguments.get(name.rsplit_once('#')?.0)?;
            let region = regions.groups.get(group)?;
            let number = region.constraint.definition.argument(name)?;
            Some(Typed::Argument(group, number))
        };
        let is_related = definition.is_some_and(|definition| {
            let mut relations = definition.relations_in(release);
            relations.next().is_some() || definition.derivations_in(release).next().is_some()
        });
        // Operands before results before attributes, and the first of a name.
        let mut by_name: HashMap<&str, Typed<'c>> = HashMap::new();
        if is_related {
            let attributes = definition.into_iter().flat_map(|d| d.attributes());
            for name in attributes.map(|attribute| &*attribute.name) {
                by_name.insert(name, Typed::Attribute(name));
            }
            for (group, result) in results.groups.iter().enumerate().rev() {
                by_name.insert(result.name, Typed::Results(group));
            }
            for (group, operand) in operands.groups.iter().enumerate().rev() {
                by_name.insert(operand.name, Typed::Operands(group));
            }
        }
        let find = |name: &'c str| by_name.get(name).copied().or_else(|| argument(name));
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
        let mut all = Relations {
            relations: relations.collect(),
            derivations: derivations.collect(),
            arguments: HashMap::new(),
        };
        for (number, relation) in all.relations.iter().enumerate() {
            for (place, typed) in relation.groups.iter().enumerate() {
                if let Typed::Argument(group, argument) = *typed {
                    let of = all.arguments.entry((group, argument)).or_default();
                    of.relations.push((number, place));
                }
            }
        }
        for (number, derivation) in all.derivations.iter().enumerate() {
            if let Typed::Argument(group, argument) = derivation.target {
                let of = all.arguments.entry((group, argument)).or_default();
                of.derivations.push(number);
            }
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.relations.is_empty() && self.derivations.is_empty()
    }

    /// Returns, for each relation, the type that region arguments are compared with: that of the
    /// first operand, result or attribute of the relation that has a type. Empty if no relation
    /// names an argument.
    pub(super) fn known<T>(
        &self,
        op: Op<'_>,
        operands: &Groups<'_, T>,
        results: &Groups<'_, T>,
    ) -> Vec<Option<Type>> {
        if self.arguments.is_empty() {
            return Vec::new();
        }
        let types = TypesOf::new(op, operands, results);
        let first = |relation: &Relation<'_>| {
            let mut groups = relation.groups.iter();
            groups.find_map(|&group| types.of(group)?.first().copied())
        };
        self.relations.iter().map(first).collect()
    }

    /// Checks the relations and derivations that name a region argument. If the type of a relation
    /// is not [known](Self::known) yet, the argument's type becomes the one that further arguments
    /// are compared with.
    pub(super) fn check_argument<T>(
        &self,
        op: Op<'_>,
        (operands, results): (&Groups<'_, T>, &Groups<'_, T>),
        argument: Argument,
        known: &mut [Option<Type>],
    ) -> VerifyResult {
        let Some(of) = self.arguments.get(&argument.key) else {
            return Ok(());
        };
        let types = TypesOf::new(op, operands, results);
        let derivations = of.derivations.iter();
        for derivation in derivations.filter_map(|&number| self.derivations.get(number)) {
            types.check_derived(derivation, argument)?;
        }
        for &(number, place) in &of.relations {
            let (Some(relation), Some(known)) = (self.relations.get(number), known.get_mut(number))
            else {
                continue;
            };
            let other = *known.get_or_insert(argument.ty);
            let (first, second) = match place {
                0 => (argument.ty, other),
                _ => (other, argument.ty),
            };
            if first == second || alike(relation.kind)(op.context, first, second) {
                continue;
            }
            let message = match (relation.kind, relation.summary) {
                (TypeRelationKind::Types, "") => {
                    expected(Message::from("expected '").ty(other), argument.ty)
                }
                _ => relation.message(),
            };
            return Err(at_argument(op, argument.location, message));
        }
        Ok(())
    }

    /// Checks all relations, except for region arguments. The numbers of operands and results and
    /// the sizes of their groups must be checked already.
    pub(super) fn check<T>(
        &self,
        op: Op<'_>,
        operands: &Groups<'_, T>,
        results: &Groups<'_, T>,
    ) -> VerifyResult {
        let types = TypesOf::new(op, operands, results);
        for relation in &self.relations {
            if !types.related(relation) {
                return Err(VerifyFailure::op(relation.message()));
            }
        }
        for derivation in &self.derivations {
            if types.follow(derivation) == Some(false) {
                return Err(VerifyFailure::op(derivation.message()));
            }
        }
        Ok(())
    }
}

impl Relation<'_> {
    /// Returns the error message for a violation.
    #[cold]
    fn message(&self) -> Message {
        let names: Vec<&str> = self.names.iter().map(|name| &**name).collect();
        let message = match self.summary {
            "" => format!(
                "failed to verify that all of {{{}}} have same {}",
                names.join(", "),
                self.kind.subject()
            ),
            summary => format!("failed to verify that {summary}"),
        };
        message.into()
    }
}

impl Derivation<'_> {
    /// Returns the error message for a violation.
    #[cold]
    fn message(&self) -> Message {
        let message = match (self.summary, self.names) {
            ("", (target, source)) => {
                let function = self.function.name();
                format!("failed to verify that type of '{target}' is {function}({source})")
            }
            (summary, _) => format!("failed to verify that {summary}"),
        };
        message.into()
    }
}

/// Completes the message `expected '...' but got '...'`, whose part up to the second quote is
/// given.
#[cold]
fn expected(expected: Message, found: Type) -> Message {
    expected.text("' but got '").ty(found).text("'")
}

/// Returns the predicate that a kind of relation requires of two types.
fn alike(kind: TypeRelationKind) -> fn(&Context, Type, Type) -> bool {
    match kind {
        TypeRelationKind::Types => |_, first, second| first == second,
        TypeRelationKind::ElementTypes => same_elements,
        TypeRelationKind::Shapes => same_shape,
        TypeRelationKind::Ranks => same_ranks,
        TypeRelationKind::ElementCounts => same_element_counts,
        TypeRelationKind::TensorShapes => same_tensor_shapes,
        TypeRelationKind::ConditionShape => is_condition_of,
    }
}

/// The types of an operation's parts.
struct TypesOf<'a, 'c, T> {
    op: Op<'a>,
    operands: &'a Groups<'c, T>,
    results: &'a Groups<'c, T>,
    /// The ranges of the groups of operands, and of results, computed when first used.
    ranges: [OnceCell<Box<[Range<usize>]>>; 2],
}

impl<'a, 'c, T> TypesOf<'a, 'c, T> {
    fn new(op: Op<'a>, operands: &'a Groups<'c, T>, results: &'a Groups<'c, T>) -> Self {
        TypesOf {
            op,
            operands,
            results,
            ranges: [OnceCell::new(), OnceCell::new()],
        }
    }

    /// Returns the range of a group among `count` members.
    fn range(
        &self,
        groups: &Groups<'c, T>,
        ranges: &OnceCell<Box<[Range<usize>]>>,
        group: usize,
        count: usize,
    ) -> Option<Range<usize>> {
        let all = ranges.get_or_init(|| {
            let sizes = groups.sizes(self.op);
            let ranges = groups.ranges(sizes.as_deref(), count);
            ranges.map(|(_, range)| range).collect()
        });
        all.get(group).filter(|range| range.end <= count).cloned()
    }

    /// Returns the types of a part. `None` for an absent attribute, and for a region argument,
    /// which is checked on its own.
    fn of(&self, typed: Typed<'_>) -> Option<Vec<Type>> {
        let (module, operation) = (self.op.module, self.op.operation);
        let [of_operands, of_results] = &self.ranges;
        match typed {
            Typed::Operands(group) => {
                let all = module.operands(operation);
                let range = self.range(self.operands, of_operands, group, all.len())?;
                let members = all.skip(range.start).take(range.len());
                Some(members.map(|value| module.value_type(value)).collect())
            }
            Typed::Results(group) => {
                let all = module.results(operation);
                let range = self.range(self.results, of_results, group, all.len())?;
                let members = all.skip(range.start).take(range.len());
                Some(members.map(|value| module.value_type(value)).collect())
            }
            Typed::Attribute(name) => {
                let attribute = module.attribute(self.op.context, operation, name)?;
                Some(vec![self.op.context.attribute_type(attribute)])
            }
            Typed::Argument(..) => None,
        }
    }

    /// Returns whether a relation holds. Groups without members satisfy every relation.
    fn related(&self, relation: &Relation<'_>) -> bool {
        let context = self.op.context;
        // In this relation the first part is the condition. If that is a region argument, it is
        // checked on its own.
        if relation.kind == TypeRelationKind::ConditionShape
            && matches!(relation.groups.first(), Some(Typed::Argument(..)))
        {
            return true;
        }
        let mut groups = relation.groups.iter().filter_map(|&group| self.of(group));
        let mut groups = groups.by_ref().filter(|types| !types.is_empty());
        let Some(first) = groups.next() else {
            return true;
        };
        if relation.kind == TypeRelationKind::Types {
            return groups.all(|types| types == first);
        }
        let like = alike(relation.kind);
        groups.all(|types| match (first.first(), types.first()) {
            (Some(&a), Some(&b)) => a == b || like(context, a, b),
            _ => true,
        })
    }

    /// Checks that the type of a region argument is the derived one.
    fn check_derived(&self, derivation: &Derivation<'_>, argument: Argument) -> VerifyResult {
        let op = self.op;
        let says_type = derivation.summary.is_empty();
        let message = match (derivation.function, derivation.source) {
            (TypeFunction::Value, Typed::Attribute(name)) => {
                let Some(attribute) = op.module.attribute(op.context, op.operation, name) else {
                    return Ok(());
                };
                if *op.context.attribute_kind(attribute) == AttributeKind::Type(argument.ty) {
                    return Ok(());
                }
                says_type.then(|| Message::from("expected '").attribute(attribute))
            }
            (function, source) => {
                let source = match source {
                    Typed::Argument(group, number) => self.argument(group, number),
                    source => self.of(source).and_then(|types| types.first().copied()),
                };
                let Some(source) = source else {
                    return Ok(());
                };
                let mut types = std::iter::once(argument.ty);
                if function.holds(op.context, source, &mut types) != Some(false) {
                    return Ok(());
                }
                let says_type = says_type && function == TypeFunction::Same;
                says_type.then(|| Message::from("expected '").ty(source))
            }
        };
        let message = match message {
            Some(message) => expected(message, argument.ty),
            None => derivation.message(),
        };
        Err(at_argument(op, argument.location, message))
    }

    /// Returns the type of argument `number` of the first region of a group; the region's index
    /// equals the group's.
    fn argument(&self, group: usize, number: usize) -> Option<Type> {
        let module = self.op.module;
        let block = module.first_block(module.region(self.op.operation, group)?)?;
        Some(module.value_type(module.argument(block, number)?))
    }

    /// Returns whether the types of a group are the derived ones; `None` if the source is absent.
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
            // An absent source determines no types.
            function => function.holds(context, *source.first()?, target.into_iter()),
        }
    }
}
