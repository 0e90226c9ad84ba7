//! Names of local symbols that clash.

use super::symbols::{Kind, Symbols};
use super::{LinkError, Linker, RenamedSymbol};
use crate::symbol_table::{RootUses, mentioned_in_strings, rename_roots};
use crate::{Identifier, Operation};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// New names, by old ones.
type Renames = HashMap<Identifier, Identifier, RandomState>;

/// The names that the operations of the inputs use.
#[derive(Default)]
struct UsedNames {
    /// All of them, at any depth.
    all: HashSet<Identifier, RandomState>,
    /// Names that an input refers to and does not have, with the input.
    unresolved: HashMap<Identifier, HashSet<usize, RandomState>, RandomState>,
}

impl Linker<'_> {
    /// Renames local symbols whose names other inputs use.
    pub(super) fn rename(&mut self, symbols: &mut Symbols) -> Result<(), LinkError> {
        if !symbols.all.iter().any(|symbol| symbol.kind == Kind::Local) {
            return Ok(());
        }
        let used = self.used_names(symbols);
        let mut taken = used.all.clone();
        taken.extend(symbols.by_name.iter().map(|(name, _)| *name));
        let mut numbers: HashMap<Identifier, u64, RandomState> = HashMap::default();
        for at in 0..symbols.by_name.len() {
            let Some((name, same)) = symbols.by_name.get(at) else {
                continue;
            };
            let (name, same) = (*name, same.clone());
            let is_global = |&s: &usize| symbols.all.get(s).is_some_and(|s| s.kind != Kind::Local);
            let mut has_owner = same.iter().any(is_global);
            for index in same {
                let Some(symbol) = symbols.all.get(index).filter(|s| s.kind == Kind::Local) else {
                    continue;
                };
                let users = used.unresolved.get(&name);
                let scope = symbol.scope;
                let is_other =
                    |&input: &usize| self.scopes.get(input) != Some(&scope) && input != scope;
                let is_used_elsewhere = users.is_some_and(|users| users.iter().any(is_other));
                if !has_owner && !is_used_elsewhere {
                    has_owner = true;
                    continue;
                }
                let new = self.fresh_name(name, &mut taken, numbers.entry(name).or_default());
                if let Some(symbol) = symbols.all.get_mut(index) {
                    symbol.new_name = Some(new);
                }
            }
        }
        self.apply_renames(symbols)
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

    fn used_names(&self, symbols: &Symbols) -> UsedNames {
        let mut used = UsedNames::default();
        let mut uses = RootUses::default();
        let mut last = None;
        for item in &self.items {
            if last != Some(item.input) {
                uses.restart();
                last = Some(item.input);
            }
            let mut nested = Vec::new();
            uses.each(
                &self.context,
                &self.module,
                item.operation,
                |name| nested.push(name),
                |path| {
                    used.all.extend(path);
                    if let Some(&root) = path.first()
                        && symbols.get(self.scope_of(item.input, root), root).is_none()
                    {
                        let users = used.unresolved.entry(root).or_default();
                        users.insert(item.input);
                    }
                },
            );
            used.all.extend(nested);
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
            let operations: Vec<Operation> = operations.map(|item| item.operation).collect();
            self.check_strings(&operations, &renames, symbols)?;
            rename_roots(&mut self.context, &mut self.module, &operations, &renames)?;
        }
        for symbol in &symbols.all {
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
            .position(|item| Some(item.operation) == root);
        let symbol = context.find_identifier(&name).and_then(|name| {
            let input = self.items.get(at?)?.input;
            symbols.get(self.scope_of(input, name), name)
        });
        let message = format!(
            "symbol '{name}' must be renamed, since another module uses its name, and the body of an \
             attribute or type mentions it in a string"
        );
        let (at, other) = (
            at.unwrap_or(usize::MAX),
            symbol.map_or(usize::MAX, |s| s.item),
        );
        Err(self.clash(message, at, other, "the symbol is here"))
    }
}
