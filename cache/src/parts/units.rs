//! Units: the functions of a module whose results are stored apart, and what each depends on.

use super::placeholders::Features;
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{
    AttributeKind, Context, Identifier, Module, Operation, OperationTraits, Visibility,
    distinct_groups,
};
use std::collections::HashMap;

/// The operations that are stored together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granularity {
    /// The module.
    Module,
    /// Each function, with declarations of those that it refers to.
    Function,
    /// Each function, with the bodies of those that it refers to.
    Closure,
}

/// The operations directly in a module.
pub(crate) struct Units {
    pub(crate) granularity: Granularity,
    /// In order.
    pub(crate) operations: Vec<Operation>,
    names: Vec<Option<Identifier>>,
    /// The unit of each function; `None` for other operations.
    pub(crate) unit_of: Vec<Option<usize>>,
    /// The positions of the functions of each unit. Of the unit that is a whole module: none.
    pub(crate) units: Vec<Vec<usize>>,
    references: References,
    /// The positions of the operations that are not in units, which the tool must not change.
    pub(crate) context: Vec<usize>,
    pub(crate) features: Features,
}

/// The references between the operations of a module.
#[derive(Default)]
pub(crate) struct References {
    /// For each operation: the symbols that it refers to, sorted.
    all: Vec<Vec<usize>>,
    /// For each operation: those to which its own attributes refer.
    own: Vec<Vec<usize>>,
}

/// The symbols that a unit, or the context of all units, depends on.
#[derive(Default)]
pub(crate) struct Reached {
    /// Functions of which the declaration counts, by position, sorted.
    pub(crate) declared: Vec<usize>,
    /// Symbols that count as a whole, by position, sorted.
    pub(crate) whole: Vec<usize>,
}

/// The number of symbols that all units may reach together, for each operation of the module.
const MAX_REACHED: usize = 64;

impl Units {
    /// Finds the units of a module. `None` if results cannot be stored by function: names are not
    /// unique, or the module is not a list of operations.
    pub(crate) fn new(
        context: &Context,
        module: &Module,
        granularity: Granularity,
    ) -> Option<Self> {
        let mut found = Units {
            granularity,
            operations: Vec::new(),
            names: Vec::new(),
            unit_of: Vec::new(),
            units: Vec::new(),
            references: References::default(),
            context: Vec::new(),
            features: Features::default(),
        };
        if granularity == Granularity::Module {
            found.units.push(Vec::new());
            return Some(found);
        }
        let body = module.body()?;
        let mut by_name: HashMap<Identifier, usize> = HashMap::new();
        let mut functions: Vec<usize> = Vec::new();
        for operation in module.operations(body) {
            let position = found.operations.len();
            let name = module.symbol_name(context, operation);
            if let Some(name) = name
                && by_name.insert(name, position).is_some()
            {
                return None;
            }
            if name.is_some() && is_function(context, module, operation) {
                functions.push(position);
                if module.symbol_visibility(context, operation) != Visibility::Public {
                    found.features.add(Features::PRIVATE);
                }
            }
            found.operations.push(operation);
            found.names.push(name);
        }
        found.find_context(context, module, &functions);
        found.unit_of = vec![None; found.operations.len()];
        let operations = functions
            .iter()
            .filter_map(|&at| found.operations.get(at).copied());
        let operations: Vec<Operation> = operations.collect();
        let groups = found.groups(context, module, &functions, &operations);
        let mut units: HashMap<usize, usize> = HashMap::new();
        for (&position, group) in functions.iter().zip(groups) {
            let unit = *units.entry(group).or_insert_with(|| {
                found.units.push(Vec::new());
                found.units.len() - 1
            });
            if let Some(members) = found.units.get_mut(unit) {
                members.push(position);
            }
            if let Some(slot) = found.unit_of.get_mut(position) {
                *slot = Some(unit);
            }
        }
        Some(found)
    }

    /// Returns the group of each function: functions of one group are one unit.
    fn groups(
        &mut self,
        context: &Context,
        module: &Module,
        functions: &[usize],
        operations: &[Operation],
    ) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..functions.len()).collect();
        let has_distincts = context
            .all_attributes()
            .any(|one| matches!(context.attribute_kind(one), AttributeKind::Distinct { .. }));
        if has_distincts {
            groups = distinct_groups(context, module, operations);
            if groups.iter().enumerate().any(|(own, &group)| own != group) {
                self.features.add(Features::DISTINCTS);
            }
        }
        groups
    }

    /// Finds the references between operations, which [`reached`](Self::reached) follows.
    pub(crate) fn find_references(&self, context: &Context, module: &Module) -> References {
        if self.granularity == Granularity::Module {
            return References::default();
        }
        let names = self.names.iter().enumerate();
        let by_name: HashMap<Identifier, usize> = names
            .filter_map(|(at, name)| Some(((*name)?, at)))
            .collect();
        let count = self.operations.len();
        let positions = self.operations.iter().enumerate();
        let positions: HashMap<Operation, usize> = positions.map(|(at, &op)| (op, at)).collect();
        let mut references = References {
            all: vec![Vec::new(); count],
            own: vec![Vec::new(); count],
        };
        for one in module.symbol_uses(context, module.top()) {
            let Some(&to) = one.path.first().and_then(|name| by_name.get(name)) else {
                continue;
            };
            let mut at = one.operation;
            while let Some(parent) = module.parent_operation(at)
                && parent != module.top()
            {
                at = parent;
            }
            let Some(&from) = positions.get(&at) else {
                continue;
            };
            if let Some(list) = references.all.get_mut(from) {
                list.push(to);
            }
            if at == one.operation
                && let Some(list) = references.own.get_mut(from)
            {
                list.push(to);
            }
        }
        for list in references.all.iter_mut().chain(&mut references.own) {
            list.sort_unstable();
            list.dedup();
        }
        references
    }

    /// Sets the result of [`find_references`](Self::find_references).
    pub(crate) fn set_references(&mut self, references: References) {
        self.references = references;
    }

    /// Returns the operations of a unit.
    pub(crate) fn operations_of(&self, module: &Module, unit: usize) -> Vec<Operation> {
        if self.granularity == Granularity::Module {
            return vec![module.top()];
        }
        let members = self.units.get(unit).into_iter().flatten();
        members
            .filter_map(|&at| self.operations.get(at).copied())
            .collect()
    }

    /// Returns the name of an operation, if it is a symbol.
    pub(crate) fn name(&self, position: usize) -> Option<Identifier> {
        self.names.get(position).copied().flatten()
    }

    fn is_function(&self, position: usize) -> bool {
        self.unit_of.get(position).copied().flatten().is_some()
    }

    fn list(lists: &[Vec<usize>], position: usize) -> &[usize] {
        lists.get(position).map(Vec::as_slice).unwrap_or_default()
    }

    /// Finds the operations that are not functions.
    fn find_context(&mut self, context: &Context, module: &Module, functions: &[usize]) {
        let mut functions = functions.iter().copied().peekable();
        for (position, &operation) in self.operations.iter().enumerate() {
            if functions.next_if_eq(&position).is_some() {
                continue;
            }
            self.context.push(position);
            // Passes may change operations that have a body or are not symbols without being asked.
            let has_body = module
                .regions(operation)
                .any(|region| module.first_block(region).is_some());
            if has_body || module.symbol_name(context, operation).is_none() {
                self.features.add(Features::CONTEXT);
            }
        }
    }

    /// Returns the symbols that each unit depends on, and those that the context does; `None` if
    /// they are too many to be listed.
    pub(crate) fn reached(&mut self) -> Option<(Vec<Reached>, Reached)> {
        let mut search = Search {
            // Most units reach few symbols, so a stamp is faster than a set.
            stamps: vec![usize::MAX; self.operations.len()],
            left: self
                .operations
                .len()
                .saturating_mul(MAX_REACHED)
                .max(1 << 16),
        };
        let mut all = Vec::with_capacity(self.units.len());
        for unit in 0..self.units.len() {
            let members = self.units.get(unit).cloned().unwrap_or_default();
            all.push(self.reach(&members, unit, &mut search)?);
        }
        let around = self.context.clone();
        let features = self.features;
        let context = self.reach(&around, self.units.len(), &mut search)?;
        // A function does not depend on symbols that only the context refers to.
        self.features = features;
        Some((all, context))
    }

    fn reach(&mut self, members: &[usize], stamp: usize, search: &mut Search) -> Option<Reached> {
        let mut reached = Reached::default();
        let mut open: Vec<usize> = Vec::new();
        for &member in members {
            set(&mut search.stamps, member, stamp);
        }
        for &member in members {
            open.extend(Self::list(&self.references.all, member));
        }
        while let Some(position) = open.pop() {
            if search.stamps.get(position) == Some(&stamp) {
                continue;
            }
            set(&mut search.stamps, position, stamp);
            search.left = search.left.checked_sub(1)?;
            let is_declared =
                self.is_function(position) && self.granularity == Granularity::Function;
            if is_declared {
                self.features.add(Features::REFERENCES);
                reached.declared.push(position);
                open.extend(Self::list(&self.references.own, position));
            } else {
                self.features.add(Features::OTHER_SYMBOLS);
                reached.whole.push(position);
                open.extend(Self::list(&self.references.all, position));
            }
        }
        reached.declared.sort_unstable();
        reached.whole.sort_unstable();
        Some(reached)
    }

    /// Makes one unit of units that reach each other. Returns whether there were any.
    pub(crate) fn join_recursive(&mut self, reached: &[Reached]) -> bool {
        let reaches = |from: usize, unit: usize| {
            let members = self.units.get(unit).into_iter().flatten();
            let whole = reached.get(from).map(|one| one.whole.as_slice());
            let whole = whole.unwrap_or_default();
            members
                .into_iter()
                .any(|at| whole.binary_search(at).is_ok())
        };
        let mut joined: Vec<usize> = (0..self.units.len()).collect();
        let mut is_joined = false;
        for unit in 0..self.units.len() {
            for other in self.neighbours(unit, reached) {
                if other < unit && reaches(other, unit) {
                    let first = joined.get(other).copied().unwrap_or(other);
                    // Reaching each other is transitive, so the least member names the group.
                    let least = joined.get(unit).map_or(first, |&own| own.min(first));
                    set(&mut joined, unit, least);
                    is_joined = true;
                }
            }
        }
        if !is_joined {
            return false;
        }
        let old = std::mem::take(&mut self.units);
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (members, group) in old.into_iter().zip(joined) {
            let number = *numbers.entry(group).or_insert_with(|| {
                self.units.push(Vec::new());
                self.units.len() - 1
            });
            for &member in &members {
                if let Some(slot) = self.unit_of.get_mut(member) {
                    *slot = Some(number);
                }
            }
            if let Some(unit) = self.units.get_mut(number) {
                unit.extend(members);
                unit.sort_unstable();
            }
        }
        true
    }

    /// Returns the other units whose functions a unit reaches.
    fn neighbours(&self, unit: usize, reached: &[Reached]) -> Vec<usize> {
        let Some(reached) = reached.get(unit) else {
            return Vec::new();
        };
        let positions = reached.declared.iter().chain(&reached.whole);
        let units = positions.filter_map(|&at| self.unit_of.get(at).copied().flatten());
        let mut units: Vec<usize> = units.filter(|&other| other != unit).collect();
        units.compact_sort_by(Ord::cmp);
        units.dedup();
        units
    }

    /// Splits units into groups of which none reaches another one of its group, the largest first:
    /// compiled apart, no function sees more than its key tells. If that takes more than
    /// `most` groups, the last one has all others.
    pub(crate) fn separate(&self, reached: &[Reached], most: usize) -> Vec<Vec<usize>> {
        let mut adjacent: Vec<Vec<usize>> = vec![Vec::new(); self.units.len()];
        for unit in 0..self.units.len() {
            for other in self.neighbours(unit, reached) {
                for (from, to) in [(unit, other), (other, unit)] {
                    if let Some(list) = adjacent.get_mut(from) {
                        list.push(to);
                    }
                }
            }
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: Vec<Option<usize>> = vec![None; self.units.len()];
        for (unit, adjacent) in adjacent.iter().enumerate() {
            let mut is_taken = vec![false; most];
            for &other in adjacent {
                if let Some(group) = group_of.get(other).copied().flatten()
                    && let Some(slot) = is_taken.get_mut(group)
                {
                    *slot = true;
                }
            }
            let free = is_taken.iter().position(|taken| !taken);
            let group = free.unwrap_or(most.saturating_sub(1));
            if let Some(slot) = group_of.get_mut(unit) {
                *slot = Some(group);
            }
            while groups.len() <= group {
                groups.push(Vec::new());
            }
            if let Some(members) = groups.get_mut(group) {
                members.push(unit);
            }
        }
        groups.compact_sort_by_key(|members| std::cmp::Reverse(members.len()));
        groups
    }
}

/// The state of a search for what units reach.
struct Search {
    /// For each operation: the unit that reached it last.
    stamps: Vec<usize>,
    /// The number of symbols that may still be reached.
    left: usize,
}

fn set(list: &mut [usize], at: usize, value: usize) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}

/// Returns whether an operation is a function with a body, which can be declared and uses nothing
/// around it.
fn is_function(context: &Context, module: &Module, operation: Operation) -> bool {
    let name = module.name(operation);
    let Some(definition) = context.operation_definition(name) else {
        return false;
    };
    let release = context.release();
    let is_isolated = context
        .operation_traits(name)
        .is_some_and(|traits| traits.contains(OperationTraits::ISOLATED_FROM_ABOVE));
    definition.has_interface("FunctionOpInterface", release)
        && is_isolated
        && definition.declaration_in(release).is_some()
        && !module.is_declaration(context, operation)
        && module.result_count(operation) == 0
        && module.operand_count(operation) == 0
}
