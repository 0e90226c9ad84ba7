//! Selects the rules that infer the types which a text omits.

use super::compile::Compiler;
use super::forms::{BUILTIN_KINDS, FixedType, find};
use super::plan::{NoPlan, Rule, TypesIn, VerifiedTypes};
use super::type_inference::TypeInference;
use rmlir_ir::OperationTraits;
use rmlir_ir::definition::{GroupKind, TypeFunction, TypeRelationKind};
use std::cell::Cell;
use std::collections::HashMap;

impl Compiler<'_> {
    /// Selects a rule for every type that the format does not cover.
    pub(super) fn types(&mut self) -> Result<(), NoPlan> {
        for (groups, types) in [
            (
                &self.operand_groups,
                TypesIn::Operands as fn(usize) -> TypesIn,
            ),
            (&self.result_groups, TypesIn::Results),
        ] {
            let kinds = groups.iter().enumerate().filter_map(|(number, group)| {
                Some((types(number), find(BUILTIN_KINDS, &group.constraint)?))
            });
            self.plan.builtin_kinds.extend(kinds);
        }
        let mut following = self.relations();
        let (operands, results) = (self.plan.operands.len(), self.plan.results.len());
        for said in self.said.clone() {
            match said {
                TypesIn::AllOperands => {
                    (0..operands).for_each(|group| following.know(TypesIn::Operands(group)));
                }
                TypesIn::AllResults => {
                    (0..results).for_each(|group| following.know(TypesIn::Results(group)));
                }
                one => following.know(one),
            }
        }
        following.follow(&mut self.plan.rules);
        for types in following.all() {
            if following.is_known(types) {
                continue;
            }
            let constraint = match types {
                TypesIn::Operands(group) => self.operand_groups.get(group),
                TypesIn::Results(group) => self.result_groups.get(group),
                _ => None,
            };
            let constraint = constraint.map_or("", |group| &*group.constraint);
            if let Some(fixed) = self.fixed_type(constraint) {
                self.plan.rules.push((types, Rule::Fixed(fixed)));
                following.know(types);
            }
        }
        following.follow(&mut self.plan.rules);
        self.verified_types();
        let open = following.all().find(|&types| !following.is_known(types));
        open.map_or(Ok(()), |types| Err(self.untyped(types)))
    }

    /// Adds the groups from whose types upstream's `TypesMatchWith` computes others.
    fn verified_types(&mut self) {
        let named = self.named();
        let derivations = self.definition.derivations_in(self.context.release());
        // Those without a summary come from code that infers types.
        let computed = derivations.filter(|derivation| !derivation.summary.is_empty());
        let mut verified: Vec<VerifiedTypes> = Vec::new();
        for derivation in computed {
            let (Some(&target), Some(&source)) = (
                named.get(&*derivation.target),
                named.get(&*derivation.source),
            ) else {
                continue;
            };
            let rule = (target, Rule::Of(derivation.function, source));
            if !self.plan.rules.contains(&rule) || verified.iter().any(|one| one.types == source) {
                continue;
            }
            let group = match source {
                TypesIn::Operands(group) => self.operand_groups.get(group),
                TypesIn::Results(group) => self.result_groups.get(group),
                TypesIn::AllOperands | TypesIn::AllResults => None,
            };
            let namespace = self.plan.dialect.name.as_bytes();
            let constraint =
                group.and_then(|group| self.context.type_constraint(namespace, &group.constraint));
            if let Some(constraint) = constraint {
                verified.push(VerifiedTypes {
                    types: source,
                    name: derivation.source.clone(),
                    constraint,
                    accepted: Cell::new(None),
                });
            }
        }
        self.plan.verified = verified;
    }

    /// That types are open.
    fn untyped(&self, types: TypesIn) -> NoPlan {
        let (what, number, groups) = match types {
            TypesIn::Operands(group) => ("operands", group, &self.operand_groups),
            TypesIn::Results(group) => ("results", group, &self.result_groups),
            TypesIn::AllOperands => return "nothing determines the types of operands".to_owned(),
            TypesIn::AllResults => return "nothing determines the types of results".to_owned(),
        };
        match groups.get(number).map_or("", |group| &*group.name) {
            "" => format!("nothing determines the types of {what} of group {number}"),
            name => format!("nothing determines the types of {what} '{name}'"),
        }
    }

    /// Returns the only type that satisfies a constraint.
    fn fixed_type(&mut self, constraint: &str) -> Option<FixedType> {
        let namespace = self.plan.dialect.name.as_bytes();
        let constraint = self.context.type_constraint(namespace, constraint)?;
        let text = constraint.predicate.single_type()?;
        Some(FixedType::new(text, &mut self.plan.own_types))
    }

    /// Returns the relations between types that traits, relations and derivations declare.
    fn relations(&self) -> TypeInference {
        let release = self.context.release();
        let (operands, results) = (self.plan.operands.len(), self.plan.results.len());
        let mut following = TypeInference::new(operands, results);
        let traits = self.definition.traits(release);
        let operands = (0..operands).map(TypesIn::Operands);
        let results = (0..results).map(TypesIn::Results);
        let same = TypeFunction::Same;
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE) {
            let groups: Vec<TypesIn> = operands.clone().chain(results).collect();
            following.alike(same, &groups);
        }
        if traits.contains(OperationTraits::SAME_TYPE_OPERANDS) {
            following.alike(same, &operands.collect::<Vec<_>>());
        }
        let named = self.named();
        let relations = self.definition.relations_in(release);
        for relation in relations.filter(|r| r.kind == TypeRelationKind::Types) {
            let names = relation.groups.iter();
            let groups = names.clone().filter_map(|name| named.get(&**name));
            let groups: Vec<TypesIn> = groups.copied().collect();
            let function = match groups.iter().all(|&group| self.is_variadic(group)) {
                true => TypeFunction::Each,
                false => same,
            };
            following.alike(function, &groups);
            for attribute in names.filter_map(|name| self.attribute(name)) {
                let rule = Rule::OfAttribute(same, attribute);
                groups.iter().for_each(|&group| following.rule(group, rule));
            }
        }
        for derivation in self.definition.derivations_in(release) {
            let function = derivation.function;
            let rule = match named.get(&*derivation.source) {
                Some(source) => Some(Rule::Of(function, *source)),
                None => self
                    .attribute(&derivation.source)
                    .map(|attribute| Rule::OfAttribute(function, attribute)),
            };
            if let (Some(target), Some(rule)) = (named.get(&*derivation.target), rule) {
                following.rule(*target, rule);
            }
        }
        following
    }

    /// Returns whether a group can have several members.
    fn is_variadic(&self, group: TypesIn) -> bool {
        let kind = match group {
            TypesIn::Operands(group) => self.plan.operands.kind(group),
            TypesIn::Results(group) => self.plan.results.kind(group),
            TypesIn::AllOperands | TypesIn::AllResults => return true,
        };
        matches!(kind, GroupKind::Variadic | GroupKind::VariadicOfVariadic)
    }

    /// Returns the groups of operands and results by name, the first of each.
    fn named(&self) -> HashMap<&str, TypesIn> {
        let mut named = HashMap::new();
        let operands = self.operand_groups.iter().enumerate();
        let operands = operands.map(|(number, group)| (group, TypesIn::Operands(number)));
        let results = self.result_groups.iter().enumerate();
        let results = results.map(|(number, group)| (group, TypesIn::Results(number)));
        for (group, types) in operands.chain(results) {
            named.entry(&*group.name).or_insert(types);
        }
        named
    }
}
