//! How the types are found that a text does not say.

use super::compile::Compiler;
use super::forms::{BUILTIN_KINDS, FixedType, find};
use super::plan::{NoPlan, Rule, TypesIn};
use rmlir_ir::OperationTraits;
use rmlir_ir::definition::{GroupKind, TypeFunction, TypeRelationKind};

impl Compiler<'_> {
    /// Finds a rule for every type that the format does not say.
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
        let mut known: Vec<TypesIn> = Vec::new();
        let (operands, results) = (self.plan.operands.len(), self.plan.results.len());
        for said in self.said.clone() {
            match said {
                TypesIn::AllOperands => known.extend((0..operands).map(TypesIn::Operands)),
                TypesIn::AllResults => known.extend((0..results).map(TypesIn::Results)),
                one => known.push(one),
            }
        }
        let all: Vec<TypesIn> = (0..operands)
            .map(TypesIn::Operands)
            .chain((0..results).map(TypesIn::Results))
            .collect();
        let relations = self.relations();
        self.follow(&all, &relations, &mut known);
        for &types in &all {
            if known.contains(&types) {
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
                known.push(types);
            }
        }
        self.follow(&all, &relations, &mut known);
        match all.iter().find(|types| !known.contains(types)) {
            None => Ok(()),
            Some(&types) => Err(self.untyped(types)),
        }
    }

    /// That types are open.
    fn untyped(&self, types: TypesIn) -> NoPlan {
        let (what, number, groups) = match types {
            TypesIn::Operands(group) => ("operands", group, &self.operand_groups),
            TypesIn::Results(group) => ("results", group, &self.result_groups),
            TypesIn::AllOperands => return "nothing says the types of operands".to_owned(),
            TypesIn::AllResults => return "nothing says the types of results".to_owned(),
        };
        match groups.get(number).map_or("", |group| &*group.name) {
            "" => format!("nothing says the types of {what} of group {number}"),
            name => format!("nothing says the types of {what} '{name}'"),
        }
    }

    /// The one type that keeps a constraint.
    fn fixed_type(&mut self, constraint: &str) -> Option<FixedType> {
        let namespace = self.plan.dialect.name.as_bytes();
        let constraint = self.context.type_constraint(namespace, constraint)?;
        let text = constraint.predicate.single_type()?;
        Some(FixedType::new(text, &mut self.plan.own_types))
    }

    /// Adds rules that follow from what is known, until nothing more does.
    fn follow(&mut self, all: &[TypesIn], relations: &[(TypesIn, Rule)], known: &mut Vec<TypesIn>) {
        loop {
            let before = known.len();
            for &types in all {
                if known.contains(&types) {
                    continue;
                }
                let usable = |rule: &&(TypesIn, Rule)| {
                    rule.0 == types
                        && match rule.1 {
                            Rule::Of(_, source) => known.contains(&source),
                            _ => true,
                        }
                };
                if let Some(&rule) = relations.iter().find(usable) {
                    self.plan.rules.push(rule);
                    known.push(types);
                }
            }
            if known.len() == before {
                return;
            }
        }
    }

    /// The rules that traits, relations and derivations say.
    fn relations(&self) -> Vec<(TypesIn, Rule)> {
        let release = self.context.release();
        let mut rules = Vec::new();
        let traits = self.definition.traits(release);
        let operands = (0..self.plan.operands.len()).map(TypesIn::Operands);
        let results = (0..self.plan.results.len()).map(TypesIn::Results);
        if traits.contains(OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE) {
            let groups: Vec<TypesIn> = operands.clone().chain(results).collect();
            all_same(&groups, &mut rules);
        }
        if traits.contains(OperationTraits::SAME_TYPE_OPERANDS) {
            all_same(&operands.collect::<Vec<_>>(), &mut rules);
        }
        let relations = self.definition.relations_in(release);
        for relation in relations.filter(|r| r.kind == TypeRelationKind::Types) {
            let names = relation.groups.iter();
            let groups: Vec<TypesIn> = names.clone().filter_map(|n| self.named(n)).collect();
            if groups.iter().all(|&group| self.is_variadic(group)) {
                all_follow(TypeFunction::Each, &groups, &mut rules);
            } else {
                all_same(&groups, &mut rules);
            }
            for attribute in names.filter_map(|name| self.attribute(name)) {
                let rule = Rule::OfAttribute(TypeFunction::Same, attribute);
                rules.extend(groups.iter().map(|&group| (group, rule)));
            }
        }
        for derivation in self.definition.derivations_in(release) {
            let function = derivation.function;
            let rule = match self.named(&derivation.source) {
                Some(source) => Some(Rule::Of(function, source)),
                None => self
                    .attribute(&derivation.source)
                    .map(|attribute| Rule::OfAttribute(function, attribute)),
            };
            if let (Some(target), Some(rule)) = (self.named(&derivation.target), rule) {
                rules.push((target, rule));
            }
        }
        rules
    }

    /// Whether a group can have several members.
    fn is_variadic(&self, group: TypesIn) -> bool {
        let kind = match group {
            TypesIn::Operands(group) => self.plan.operands.kind(group),
            TypesIn::Results(group) => self.plan.results.kind(group),
            TypesIn::AllOperands | TypesIn::AllResults => return true,
        };
        matches!(kind, GroupKind::Variadic | GroupKind::VariadicOfVariadic)
    }

    /// The group of operands or results of a name.
    fn named(&self, name: &str) -> Option<TypesIn> {
        let operands = self.operand_groups.iter().position(|g| g.name == name);
        let results = self.result_groups.iter().position(|g| g.name == name);
        operands
            .map(TypesIn::Operands)
            .or(results.map(TypesIn::Results))
    }
}

/// Each of some groups has the type of any other.
fn all_same(groups: &[TypesIn], rules: &mut Vec<(TypesIn, Rule)>) {
    all_follow(TypeFunction::Same, groups, rules);
}

/// The types of each of some groups follow so from those of any other.
fn all_follow(function: TypeFunction, groups: &[TypesIn], rules: &mut Vec<(TypesIn, Rule)>) {
    for &a in groups {
        let others = groups.iter().filter(|&&b| a != b);
        rules.extend(others.map(|&b| (a, Rule::Of(function, b))));
    }
}
