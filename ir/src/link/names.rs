//! Names of local symbols that clash.

use super::symbols::{Kind, Symbol, Symbols};
use super::{LinkError, Linker, Place, RenamedSymbol};
use crate::symbol_table::{RootUses, mentioned_in_strings, rename_roots};
use crate::{Identifier, Operation};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// New names, by old ones.
type Renames = HashMap<Identifier, Identifier, RandomState>;

/// The names that the operations of the inputs use.
#[derive(Default)]
pub(super) struct UsedNames {
    /// All of them, at any depth.
    all: HashSet<Identifier, RandomState>,
    /// For each scope and each name that is referred to and not defined there: the first operation
    /// that refers to it.
    open: HashMap<(usize, Identifier), Place, RandomState>,
    /// Those that are not declared either, by name: the first two scopes.
    unresolved: HashMap<Identifier, Vec<(usize, Place)>, RandomState>,
}

impl UsedNames {
    fn add(&mut self, name: Identifier, scope: usize, place: Place, is_declared: bool) {
        if self.open.contains_key(&(scope, name)) {
            return;
        }
        self.open.insert((scope, name), place);
        if !is_declared {
            let scopes = self.unresolved.entry(name).or_default();
            if scopes.len() < 2 {
                scopes.push((scope, place));
            }
        }
    }

    /// Returns an operation that refers to a name that its scope does not define.
    pub(super) fn place_in(&self, scope: usize, name: Identifier) -> Option<Place> {
        self.open.get(&(scope, name)).copied()
    }

    /// Returns an operation outside a scope that refers to a name that its own scope has not.
    pub(super) fn place_outside(&self, scope: usize, name: Identifier) -> Option<Place> {
        let mut scopes = self.unresolved.get(&name)?.iter();
        scopes.find(|found| found.0 != scope).map(|found| found.1)
    }
}

impl Linker<'_> {
    /// Renames local symbols whose names other inputs use.
    pub(super) fn rename(
        &mut self,
        symbols: &mut Symbols,
        used: &UsedNames,
    ) -> Result<(), LinkError> {
        if !symbols.all.iter().any(|symbol| symbol.kind == Kind::Local) {
            return Ok(());
        }
        let pinned = self.pinned_scopes();
        let mut taken = used.all.clone();
        taken.extend(symbols.by_name.iter().map(|(name, _)| *name));
        let mut numbers: HashMap<Identifier, u64, RandomState> = HashMap::default();
        for at in 0..symbols.by_name.len() {
            let Some((name, same)) = symbols.by_name.get(at) else {
                continue;
            };
            let (name, same) = (*name, same.clone());
            let find = |wanted: &dyn Fn(&Symbol) -> bool| {
                let mut same = same.iter().copied();
                same.find(|&s| symbols.all.get(s).is_some_and(wanted))
            };
            // Those that others are merged into have the name of these, too.
            let mut pinned_symbols: HashSet<usize, RandomState> = HashSet::default();
            for &index in &same {
                let symbol = symbols.all.get(index);
                if let Some(symbol) = symbol.filter(|symbol| pinned.contains(&symbol.scope)) {
                    pinned_symbols.insert(symbol.merged.unwrap_or(index));
                }
            }
            let mut owner = find(&|symbol| symbol.kind != Kind::Local)
                .or_else(|| same.iter().copied().find(|s| pinned_symbols.contains(s)));
            for index in same {
                let is_own =
                    |symbol: &&Symbol| symbol.kind == Kind::Local && symbol.merged.is_none();
                let Some(symbol) = symbols.all.get(index).filter(is_own) else {
                    continue;
                };
                let user = used.place_outside(symbol.scope, name);
                let other = owner.filter(|&owner| owner != index);
                if other.is_none() && user.is_none() {
                    owner = Some(index);
                    continue;
                }
                if pinned_symbols.contains(&index) {
                    let error = self.pinned(symbols, index, other, user);
                    self.keep(Err::<(), _>(error))?;
                    continue;
                }
                let new = self.fresh_name(name, &mut taken, numbers.entry(name).or_default());
                if let Some(symbol) = symbols.all.get_mut(index) {
                    symbol.new_name = Some(new);
                }
            }
        }
        if !self.errors.is_empty() {
            return Ok(());
        }
        for index in 0..symbols.all.len() {
            let merged = symbols.all.get(index).and_then(|symbol| symbol.merged);
            let Some(first) = merged.and_then(|first| symbols.all.get(first)) else {
                continue;
            };
            let new_name = first.new_name;
            if let Some(symbol) = symbols.all.get_mut(index) {
                symbol.new_name = new_name;
            }
        }
        self.apply_renames(symbols)
    }

    /// Returns the modules that were split of which parts are missing: these may refer to the local
    /// symbols.
    fn pinned_scopes(&self) -> HashSet<usize, RandomState> {
        if self.options.one_scope {
            return HashSet::default();
        }
        let incomplete = self.incomplete();
        let inputs = incomplete.iter().flatten().map(|&(input, _)| input);
        inputs
            .filter_map(|input| self.scopes.get(input).copied())
            .collect()
    }

    #[cold]
    fn pinned(
        &self,
        symbols: &Symbols,
        index: usize,
        other: Option<usize>,
        user: Option<Place>,
    ) -> LinkError {
        let place = |symbol: usize| {
            let symbol = symbols.all.get(symbol)?;
            let item = self.items.get(symbol.item)?;
            Some((item.input, item.from))
        };
        let name = symbols
            .all
            .get(index)
            .map(|s| self.context.str(s.name).into_owned());
        let message = format!(
            "local symbol '{}' cannot be renamed, since parts of its module are missing, and \
             another module uses its name",
            name.unwrap_or_default()
        );
        let other = other.and_then(place).or(user);
        let note = "the other use of the name is here";
        Self::clash_of_places(message, place(index), other, note)
    }

    /// Returns a name that nothing uses: `_` and a number are appended.
    fn fresh_name(
        &mut self,
        name: Identifier,
        taken: &mut HashSet<Identifier, RandomState>,
        number: &mut u64,
    ) -> Identifier {
        loop {
            let mut candidate = self.context.bytes(name).to_vec();
            candidate.extend_from_slice(format!("_{number}").as_bytes());
            *number = number.saturating_add(1);
            let candidate = self.context.identifier(candidate);
            if taken.insert(candidate) {
                return candidate;
            }
        }
    }

    /// Returns the names that the operations of the inputs use, if it matters: if there are local
    /// symbols.
    pub(super) fn used_names(&self, symbols: &Symbols) -> UsedNames {
        let mut used = UsedNames::default();
        let mut parts = self.parts.iter().flatten();
        if !symbols.all.iter().any(|symbol| symbol.kind == Kind::Local)
            && parts.all(|part| part.local.is_empty())
        {
            return used;
        }
        let mut uses = RootUses::default();
        let mut items = self.items.iter().peekable();
        for (input, &top) in self.tops.iter().enumerate() {
            uses.restart();
            let mut look_at = |operation: Operation, place: Operation| {
                let mut nested = Vec::new();
                uses.each(
                    &self.context,
                    &self.module,
                    operation,
                    |name| nested.push(name),
                    |path| {
                        used.all.extend(path);
                        let Some(&root) = path.first() else { return };
                        let scope = self.scope_of(input, root);
                        let symbol = symbols.get(scope, root);
                        if symbol.is_none_or(|symbol| symbol.kind == Kind::Declaration) {
                            used.add(root, scope, (input, place), symbol.is_some());
                        }
                    },
                );
                used.all.extend(nested);
            };
            while let Some(item) = items.next_if(|item| item.input == input) {
                if item.kept {
                    look_at(item.operation, item.from);
                }
            }
            if let Some((_, place)) = self.top_of(input) {
                look_at(top, place);
            }
        }
        used
    }

    /// Changes the names of symbols and the references to them.
    fn apply_renames(&mut self, symbols: &Symbols) -> Result<(), LinkError> {
        if !symbols.all.iter().any(|symbol| symbol.new_name.is_some()) {
            return Ok(());
        }
        let mut start = 0;
        for input in 0..self.inputs.len() {
            let items = self.items.get(start..).unwrap_or_default();
            let count = items.iter().take_while(|item| item.input == input).count();
            let items = items.get(..count).unwrap_or_default();
            start = start.saturating_add(count);
            let mut renames = Renames::default();
            let mut add = |name: Identifier| {
                let symbol = symbols.get(self.scope_of(input, name), name);
                if let Some(new) = symbol.and_then(|symbol| symbol.new_name) {
                    renames.insert(name, new);
                }
            };
            items.iter().filter_map(|item| item.name).for_each(&mut add);
            // Symbols of other parts to which references are open.
            if let Some(Some(part)) = self.parts.get(input) {
                part.references.keys().copied().for_each(&mut add);
            }
            if renames.is_empty() {
                continue;
            }
            let operations = items.iter().filter(|item| item.kept);
            let mut operations: Vec<Operation> = operations.map(|item| item.operation).collect();
            operations.extend(self.tops.get(input));
            self.check_strings(&operations, &renames, symbols)?;
            rename_roots(&mut self.context, &mut self.module, &operations, &renames)?;
        }
        for symbol in symbols.all.iter().filter(|symbol| symbol.merged.is_none()) {
            let (Some(new), Some(item)) = (symbol.new_name, self.items.get(symbol.item)) else {
                continue;
            };
            self.module
                .set_symbol_name(&mut self.context, item.operation, new)?;
            self.renamed.push(RenamedSymbol {
                input: item.input,
                old: symbol.name,
                new,
            });
        }
        Ok(())
    }

    /// Checks that no body mentions a name that is to change where it cannot be replaced.
    fn check_strings(
        &self,
        operations: &[Operation],
        renames: &Renames,
        symbols: &Symbols,
    ) -> Result<(), LinkError> {
        let (context, module) = (&self.context, &self.module);
        let is_renamed = |name: &[u8]| {
            let name = context.find_identifier(name);
            name.is_some_and(|name| renames.contains_key(&name))
        };
        let Some((operation, name)) = mentioned_in_strings(context, module, operations, is_renamed)
        else {
            return Ok(());
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        let root = operations.iter().copied();
        let root = root
            .into_iter()
            .find(|&root| module.is_ancestor(root, operation));
        let at = self
            .items
            .iter()
            .find(|item| Some(item.operation) == root)
            .map(|item| (item.input, item.from));
        let top = self.tops.iter().position(|&top| Some(top) == root);
        let at = at.or_else(|| self.top_of(top?));
        let symbol = context.find_identifier(&name).and_then(|name| {
            let symbol = symbols.get(self.scope_of(at?.0, name), name)?;
            let item = self.items.get(symbol.item)?;
            Some((item.input, item.from))
        });
        let message = format!(
            "symbol '{name}' must be renamed, since another module uses its name, and the body of an \
             attribute or type mentions it in a string"
        );
        Err(Self::clash_of_places(
            message,
            at,
            symbol,
            "the symbol is here",
        ))
    }
}
