//! Groups the operations of a module into parts.

use super::distincts::Distincts;
use super::{SplitBy, SplitOptions};
use crate::sets::Sets;
use crate::symbol_table::RootUses;
use crate::{Context, Identifier, Module, Operation, OperationName, Threads, ValueDefinition};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// The operations directly in the top-level one, by position.
pub(super) struct Units {
    operations: Vec<Operation>,
    names: Vec<Option<Identifier>>,
    by_name: HashMap<Identifier, usize, RandomState>,
    /// For each operation, the positions of the symbols that it refers to, in `referred`.
    starts: Vec<usize>,
    referred: Vec<usize>,
    /// For some operations, the positions of the symbols that must be definitions where they are.
    definitions: HashMap<usize, Vec<usize>, RandomState>,
    /// The positions of the symbols to which attributes of the top-level operation refer, each with
    /// whether it must be a definition.
    of_top: Vec<(usize, bool)>,
    /// How many operations each is, with those nested in it.
    sizes: Vec<usize>,
}

impl Units {
    /// Finds the operations of a module and what they refer to.
    pub(super) fn new(context: &Context, module: &Module, threads: Threads) -> Self {
        /// The minimum number of operations for which a thread is started.
        const CHUNK: usize = 1024;
        let body = module.body().into_iter();
        let operations: Vec<Operation> = body.flat_map(|body| module.operations(body)).collect();
        let names = operations.iter().map(|&op| module.symbol_name(context, op));
        let names: Vec<Option<Identifier>> = names.collect();
        let mut by_name = HashMap::default();
        for (position, name) in names.iter().enumerate() {
            if let Some(name) = *name {
                by_name.entry(name).or_insert(position);
            }
        }
        let needing = names_needing_definitions(context);
        let chunks = threads.map(operations.len().div_ceil(CHUNK), |chunk| {
            let start = chunk.saturating_mul(CHUNK);
            let end = operations.len().min(start.saturating_add(CHUNK));
            let mut uses = RootUses::default();
            let operations = operations.get(start..end).unwrap_or_default();
            let operations = (start..).zip(operations);
            let references = operations.map(|(position, &operation)| {
                uses.restart();
                let mut referred = Vec::new();
                // A declaration does not have what is inside a symbol.
                let mut definitions = Vec::new();
                let size = uses.each(
                    context,
                    module,
                    operation,
                    |_| {},
                    |path| {
                        let found = path.first().and_then(|name| by_name.get(name));
                        let found = found.filter(|&&found| found != position);
                        referred.extend(found);
                        definitions.extend(found.filter(|_| path.len() > 1));
                    },
                );
                referred.sort_unstable();
                referred.dedup();
                if !needing.is_empty() {
                    let inner = module.descendants(operation);
                    for inner in inner.filter(|&op| needing.contains(&module.name(op))) {
                        uses.restart();
                        let each = |path: &[Identifier]| {
                            let found = path.first().and_then(|name| by_name.get(name));
                            definitions.extend(found.filter(|&&found| found != position));
                        };
                        uses.each(context, module, inner, |_| {}, each);
                    }
                }
                (size, referred, definitions)
            });
            references.collect::<Vec<(usize, Vec<usize>, Vec<usize>)>>()
        });
        let mut units = Units {
            starts: Vec::with_capacity(operations.len().saturating_add(1)),
            referred: Vec::new(),
            definitions: HashMap::default(),
            of_top: Vec::new(),
            sizes: Vec::with_capacity(operations.len()),
            operations,
            names,
            by_name,
        };
        for (size, referred, mut definitions) in chunks.into_iter().flatten() {
            if !definitions.is_empty() {
                definitions.sort_unstable();
                definitions.dedup();
                units.definitions.insert(units.sizes.len(), definitions);
            }
            units.starts.push(units.referred.len());
            units.sizes.push(size);
            units.referred.extend(referred);
        }
        units.starts.push(units.referred.len());
        let by_name = &units.by_name;
        let mut of_top: Vec<(usize, bool)> = Vec::new();
        RootUses::default().of_attributes(context, module, module.top(), |path| {
            let found = path.first().and_then(|name| by_name.get(name));
            of_top.extend(found.map(|&found| (found, path.len() > 1)));
        });
        of_top.sort_unstable();
        of_top.dedup();
        units.of_top = of_top;
        units
    }

    /// Returns the positions of the symbols to which attributes of the top-level operation refer,
    /// each with whether it must be a definition.
    pub(super) fn references_of_top(&self) -> &[(usize, bool)] {
        &self.of_top
    }

    /// Returns the number of operations.
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }

    pub(super) fn operation(&self, position: usize) -> Option<Operation> {
        self.operations.get(position).copied()
    }

    /// Returns the number of operations that one is, with those nested in it.
    pub(super) fn size(&self, position: usize) -> usize {
        self.sizes.get(position).copied().unwrap_or_default()
    }

    pub(super) fn name(&self, position: usize) -> Option<Identifier> {
        self.names.get(position).copied().flatten()
    }

    /// Returns the position of the symbol of a name.
    pub(super) fn position(&self, name: Identifier) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    /// Returns the positions of the symbols that an operation refers to, without its own.
    pub(super) fn references(&self, position: usize) -> &[usize] {
        let end = position.saturating_add(1);
        let ends = self.starts.get(position).zip(self.starts.get(end));
        let range = ends.and_then(|(&start, &end)| self.referred.get(start..end));
        range.unwrap_or_default()
    }

    /// Returns the positions of the symbols that must be definitions where an operation is.
    pub(super) fn definitions(&self, position: usize) -> &[usize] {
        self.definitions.get(&position).map_or(&[], Vec::as_slice)
    }

    /// Returns the positions of the operations of each part. They ascend, and the parts are in the
    /// order of their first ones.
    pub(super) fn groups(
        &self,
        context: &Context,
        module: &Module,
        options: &SplitOptions,
    ) -> Vec<Vec<usize>> {
        let mut sets = Sets::new(self.len());
        let tied = self.join_unnamed(module, &mut sets);
        self.join_users(&tied, &mut sets);
        if options.by == SplitBy::Group {
            self.join_cycles(&mut sets);
            let mut distincts = Distincts::default();
            for (position, &operation) in self.operations.iter().enumerate() {
                distincts.each(context, module, operation, position, |other| {
                    sets.join(position, other);
                });
            }
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: HashMap<usize, usize, RandomState> = HashMap::default();
        for position in 0..self.len() {
            let set = sets.find(position);
            let group = *group_of.entry(set).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.push(position),
                None => groups.push(vec![position]),
            }
        }
        if groups.is_empty() {
            groups.push(Vec::new());
        }
        match options.max_parts {
            Some(most) if most < groups.len() => self.joined(groups, most.max(1)),
            _ => groups,
        }
    }

    /// Joins operations that are not symbols, those that use their values, and symbols of one name.
    /// Returns the symbols that use values of other operations.
    fn join_unnamed(&self, module: &Module, sets: &mut Sets) -> Vec<usize> {
        let mut unnamed = None;
        let mut positions: HashMap<Operation, usize, RandomState> = HashMap::default();
        for (position, name) in self.names.iter().enumerate() {
            let same = match name {
                None => Some(*unnamed.get_or_insert(position)),
                Some(name) => self.position(*name),
            };
            if let Some(same) = same {
                sets.join(position, same);
            }
            if let Some(&operation) = self.operations.get(position)
                && module.result_count(operation) != 0
            {
                positions.insert(operation, position);
            }
        }
        let mut tied = Vec::new();
        if positions.is_empty() {
            return tied;
        }
        for (position, &operation) in self.operations.iter().enumerate() {
            for inner in module.descendants(operation) {
                for value in module.operands(inner) {
                    if let ValueDefinition::Result(from, _) = module.definition(value)
                        && let Some(&other) = positions.get(&from)
                    {
                        sets.join(position, other);
                        if other != position && self.name(position).is_some() {
                            tied.push(position);
                        }
                    }
                }
            }
        }
        tied
    }

    /// Joins symbols that use values of others with all that refers to them, directly or through
    /// others: a copy of such a symbol would need copies of operations that are not symbols.
    fn join_users(&self, tied: &[usize], sets: &mut Sets) {
        if tied.is_empty() {
            return;
        }
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for position in 0..self.len() {
            for &to in self.references(position) {
                if let Some(users) = users.get_mut(to) {
                    users.push(position);
                }
            }
        }
        let mut open = tied.to_vec();
        while let Some(at) = open.pop() {
            for user in users.get_mut(at).map(std::mem::take).unwrap_or_default() {
                sets.join(at, user);
                open.push(user);
            }
        }
    }

    /// Joins operations that refer to each other: the strongly connected components, by Tarjan's
    /// algorithm.
    fn join_cycles(&self, sets: &mut Sets) {
        /// Not met yet.
        const NEW: usize = usize::MAX;
        let count = self.len();
        let (mut numbers, mut lows) = (vec![NEW; count], vec![NEW; count]);
        let mut is_open = vec![false; count];
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0usize;
        for root in 0..count {
            if numbers.get(root) != Some(&NEW) {
                continue;
            }
            // Operations whose references are being followed, each with the number of the next one.
            let mut path = vec![(root, 0usize)];
            while let Some((at, edge)) = path.pop() {
                if edge == 0 {
                    set(&mut numbers, at, next);
                    set(&mut lows, at, next);
                    next = next.saturating_add(1);
                    open.push(at);
                    set(&mut is_open, at, true);
                }
                if let Some(&to) = self.references(at).get(edge) {
                    path.push((at, edge.saturating_add(1)));
                    if numbers.get(to) == Some(&NEW) {
                        path.push((to, 0));
                    } else if is_open.get(to) == Some(&true) {
                        lower(&mut lows, at, numbers.get(to).copied());
                    }
                    continue;
                }
                let low = lows.get(at).copied();
                if let Some(&(outer, _)) = path.last() {
                    lower(&mut lows, outer, low);
                }
                if low == numbers.get(at).copied() {
                    while let Some(member) = open.pop() {
                        set(&mut is_open, member, false);
                        sets.join(at, member);
                        if member == at {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Joins consecutive groups until there are `most`.
    fn joined(&self, groups: Vec<Vec<usize>>, most: usize) -> Vec<Vec<usize>> {
        let size = |group: &[usize]| {
            let sizes = group
                .iter()
                .filter_map(|&position| self.sizes.get(position));
            sizes.fold(0, |sum: usize, &size| sum.saturating_add(size))
        };
        let sizes: Vec<usize> = groups.iter().map(|group| size(group)).collect();
        let total = sizes
            .iter()
            .fold(0usize, |sum, &size| sum.saturating_add(size));
        let mut joined: Vec<Vec<usize>> = Vec::with_capacity(most);
        let mut before = 0usize;
        let mut last_part = None;
        for (group, size) in groups.into_iter().zip(sizes) {
            // The part in which the middle of the group is.
            let middle = before.saturating_add(size / 2);
            let part = middle.saturating_mul(most) / total.max(1);
            before = before.saturating_add(size);
            match joined.last_mut() {
                Some(last) if last_part == Some(part) => last.extend(group),
                _ => joined.push(group),
            }
            last_part = Some(part);
        }
        for group in &mut joined {
            group.sort_unstable();
        }
        joined
    }
}

/// Returns the names of operations that must refer to definitions.
fn names_needing_definitions(context: &Context) -> HashSet<OperationName, RandomState> {
    let needs = |&name: &OperationName| {
        let definition = context.operation_definition(name);
        definition.is_some_and(|one| one.refers_to_definitions_in(context.release()))
    };
    context.operation_names().filter(needs).collect()
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}

fn lower(lows: &mut [usize], at: usize, to: Option<usize>) {
    if let (Some(low), Some(to)) = (lows.get_mut(at), to) {
        *low = to.min(*low);
    }
}
