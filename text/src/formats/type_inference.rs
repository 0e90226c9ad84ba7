//! Computes which types can be inferred from which.

use super::plan::{Rule, TypesIn};
use rmlir_ir::definition::TypeFunction;
use std::collections::BTreeSet;

/// The inference of types: the groups with known types, and the types that determine others.
///
/// Takes memory linear in the definition, not in the number of pairs of groups.
pub(super) struct TypeInference {
    operands: usize,
    groups: Vec<Group>,
    alike: Vec<Alike>,
    /// Groups that are not known and have a way that can be gone.
    ready: BTreeSet<usize>,
}

#[derive(Clone, Default)]
struct Group {
    is_known: bool,
    /// The ways to infer its types, in the order in which they were added.
    ways: Vec<Way>,
    /// The groups whose types it determines.
    followers: Vec<usize>,
    /// The lists of mutually related groups that contain it, with its index in each.
    alike: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum Way {
    Rule(Rule),
    /// From any other group of a list.
    Alike(usize),
}

/// Groups each of which follows so from any other.
struct Alike {
    function: TypeFunction,
    members: Vec<TypesIn>,
    /// The index of the first member with known types.
    known: Option<usize>,
}

impl TypeInference {
    pub(super) fn new(operands: usize, results: usize) -> Self {
        TypeInference {
            operands,
            groups: vec![Group::default(); operands.saturating_add(results)],
            alike: Vec::new(),
            ready: BTreeSet::new(),
        }
    }

    /// Returns all groups.
    pub(super) fn all(&self) -> impl Iterator<Item = TypesIn> + use<> {
        let operands = self.operands;
        (0..self.groups.len()).map(move |number| match number.checked_sub(operands) {
            Some(result) => TypesIn::Results(result),
            None => TypesIn::Operands(number),
        })
    }

    fn number(&self, types: TypesIn) -> Option<usize> {
        match types {
            TypesIn::Operands(group) => Some(group),
            TypesIn::Results(group) => group.checked_add(self.operands),
            TypesIn::AllOperands | TypesIn::AllResults => None,
        }
    }

    fn group(&mut self, types: TypesIn) -> Option<(usize, &mut Group)> {
        let number = self.number(types)?;
        Some((number, self.groups.get_mut(number)?))
    }

    pub(super) fn is_known(&self, types: TypesIn) -> bool {
        let group = self
            .number(types)
            .and_then(|number| self.groups.get(number));
        group.is_some_and(|group| group.is_known)
    }

    /// Records how the types of a group are found.
    pub(super) fn rule(&mut self, target: TypesIn, rule: Rule) {
        let source = match rule {
            Rule::Of(_, source) => Some(source),
            Rule::Fixed(_) | Rule::OfAttribute(..) => None,
        };
        let is_ready = source.is_none_or(|source| self.is_known(source));
        let Some((number, group)) = self.group(target) else {
            return;
        };
        group.ways.push(Way::Rule(rule));
        if is_ready && !group.is_known {
            self.ready.insert(number);
        }
        if let Some((_, source)) = source.and_then(|source| self.group(source)) {
            source.followers.push(number);
        }
    }

    /// Adds the rule that `function` infers each of some groups from any other. Must precede the
    /// first known group.
    pub(super) fn alike(&mut self, function: TypeFunction, members: &[TypesIn]) {
        let list = self.alike.len();
        self.alike.push(Alike {
            function,
            members: members.to_vec(),
            known: None,
        });
        for (place, &member) in members.iter().enumerate() {
            if let Some((_, group)) = self.group(member) {
                group.ways.push(Way::Alike(list));
                group.alike.push((list, place));
            }
        }
    }

    /// Records that the types of a group are known.
    pub(super) fn know(&mut self, types: TypesIn) {
        let Some((number, group)) = self.group(types).filter(|group| !group.1.is_known) else {
            return;
        };
        group.is_known = true;
        let followers = std::mem::take(&mut group.followers);
        let alike = std::mem::take(&mut group.alike);
        self.ready.remove(&number);
        for follower in followers {
            self.make_ready(follower);
        }
        for (list, place) in alike {
            let Some(list) = self.alike.get_mut(list) else {
                continue;
            };
            let before = list.known;
            list.known = Some(before.map_or(place, |before| before.min(place)));
            if before.is_none() {
                for member in list.members.clone() {
                    if let Some(member) = self.number(member) {
                        self.make_ready(member);
                    }
                }
            }
        }
    }

    fn make_ready(&mut self, number: usize) {
        if self.groups.get(number).is_some_and(|group| !group.is_known) {
            self.ready.insert(number);
        }
    }

    /// Adds the rules that follow from the known ones: visits the groups in order until nothing
    /// more follows.
    pub(super) fn follow(&mut self, rules: &mut Vec<(TypesIn, Rule)>) {
        let all: Vec<TypesIn> = self.all().collect();
        let mut from = 0usize;
        while !self.ready.is_empty() {
            let Some(number) = self.ready.range(from..).next().copied() else {
                from = 0;
                continue;
            };
            from = number.saturating_add(1);
            self.ready.remove(&number);
            let rule = self.groups.get(number).and_then(|group| self.way(group));
            if let Some((rule, &types)) = rule.zip(all.get(number)) {
                rules.push((types, rule));
                self.know(types);
            }
        }
    }

    /// Returns the first way that can be gone.
    fn way(&self, group: &Group) -> Option<Rule> {
        group.ways.iter().find_map(|way| match *way {
            Way::Rule(rule) => match rule {
                Rule::Of(_, source) if !self.is_known(source) => None,
                rule => Some(rule),
            },
            Way::Alike(list) => {
                let list = self.alike.get(list)?;
                let source = list.members.get(list.known?)?;
                Some(Rule::Of(list.function, *source))
            }
        })
    }
}
