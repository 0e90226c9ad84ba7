//! Several definitions of one name.

use super::symbols::{Kind, Symbol, Symbols};
use super::{LinkError, Linker};
use crate::sets::Sets;
use crate::symbol_table::RootUses;
use crate::{
    EqualityOptions, Identifier, Operation, OperationTraits, semantic_difference, semantic_eq,
};
use foldhash::fast::RandomState;
use std::collections::HashSet;

impl Linker<'_> {
    /// Decides which of the symbols of a name stay.
    pub(super) fn resolve(&mut self, symbols: &mut Symbols) -> Result<(), LinkError> {
        for at in 0..symbols.by_name.len() {
            let Some((name, same)) = symbols.by_name.get(at) else {
                continue;
            };
            // Nearly all names have one symbol.
            if same.len() < 2 {
                continue;
            }
            let (name, same) = (*name, same.clone());
            let of_kind = |kind| {
                let same = same.iter().copied();
                same.filter(|&s| symbols.all.get(s).is_some_and(|s| s.kind == kind))
                    .collect::<Vec<usize>>()
            };
            let (public, declarations) = (of_kind(Kind::Public), of_kind(Kind::Declaration));
            let mut kept = public.first().copied();
            if !self.appends(symbols, name, &public)? {
                for &other in public.iter().skip(1) {
                    if let Some(first) = kept {
                        let joined = self.join_definitions(symbols, name, first, other);
                        kept = self.keep(joined)?.or(kept);
                    }
                }
            }
            let winner = kept.or_else(|| self.strongest(symbols, &declarations));
            let Some(winner) = winner.and_then(|winner| symbols.all.get(winner)) else {
                continue;
            };
            let winner = winner.item;
            for declaration in declarations {
                let item = symbols.all.get(declaration).map(|symbol| symbol.item);
                if let Some(item) = item.filter(|&item| item != winner) {
                    let checked = self.check_declaration(item, winner);
                    self.keep(checked)?;
                    self.drop_item(item);
                }
            }
        }
        self.merge_locals(symbols);
        Ok(())
    }

    /// Merges the local functions to which equal definitions refer. Other references to them, such
    /// as those of operations that describe them, are changed too, so they denote the same function
    /// as before.
    fn merge_locals(&mut self, symbols: &mut Symbols) {
        if self.same.is_empty() {
            return;
        }
        let mut sets = Sets::new(symbols.all.len());
        let mut pairs: Vec<(usize, usize)> = self.same.iter().copied().collect();
        pairs.sort_unstable();
        for (a, b) in pairs {
            sets.join(a, b);
        }
        for member in 0..symbols.all.len() {
            let first = sets.find(member);
            let is_merged = |symbol: &&mut Symbol| symbol.kind == Kind::Local && first != member;
            if let Some(symbol) = symbols.all.get_mut(member).filter(is_merged) {
                symbol.merged = Some(first);
                self.drop_item(symbol.item);
            }
        }
    }

    pub(super) fn drop_item(&mut self, item: usize) {
        if let Some(item) = self.items.get_mut(item) {
            item.kept = false;
        }
    }

    /// Returns the strength of a symbol, as a number.
    fn strength(&mut self, symbols: &Symbols, symbol: usize) -> usize {
        let item = symbols.all.get(symbol).and_then(|s| self.items.get(s.item));
        let Some(operation) = item.map(|item| item.operation) else {
            return usize::MAX;
        };
        let (rules, context) = (&mut self.rules, &mut self.context);
        let weakness = rules.weakness(context, &self.module, operation);
        weakness.unwrap_or(usize::MAX)
    }

    /// Returns the first of the strongest symbols.
    fn strongest(&mut self, symbols: &Symbols, all: &[usize]) -> Option<usize> {
        let mut found: Option<(usize, usize)> = None;
        for &symbol in all {
            let strength = self.strength(symbols, symbol);
            if found.is_none_or(|(best, _)| strength > best) {
                found = Some((strength, symbol));
            }
        }
        found.map(|(_, symbol)| symbol)
    }

    /// Makes one of two public definitions of a name, and returns which.
    fn join_definitions(
        &mut self,
        symbols: &Symbols,
        name: Identifier,
        first: usize,
        other: usize,
    ) -> Result<usize, LinkError> {
        let [mine, theirs] = [first, other].map(|symbol| self.strength(symbols, symbol));
        if mine.min(theirs) != usize::MAX {
            let (kept, dropped) = match theirs > mine {
                true => (other, first),
                false => (first, other),
            };
            let [kept_item, dropped_item] =
                [kept, dropped].map(|s| symbols.all.get(s).map_or(usize::MAX, |s| s.item));
            self.check_declaration(dropped_item, kept_item)?;
            self.drop_item(dropped_item);
            return Ok(kept);
        }
        let items = [first, other].map(|s| symbols.all.get(s).map_or(usize::MAX, |s| s.item));
        let [first_item, other_item] = items;
        let operation = |item: usize| self.items.get(item).map(|item| item.operation);
        let (Some(to), Some(from)) = (operation(first_item), operation(other_item)) else {
            return Ok(first);
        };
        if self.is_merged(to) && self.module.name(to) == self.module.name(from) {
            self.merge_tables(first_item, other_item)?;
        } else if !self.options.dedupe {
            return Err(self.redefinition(name, "", other_item, first_item));
        } else if let Err(why) = self.check_same_definition(symbols, first, other) {
            return Err(self.redefinition(name, &why, other_item, first_item));
        }
        self.drop_item(other_item);
        Ok(first)
    }

    pub(super) fn is_equal(&self, a: Operation, b: Operation) -> bool {
        let of = |operation| (&self.context, &self.module, operation);
        semantic_eq(of(a), of(b), &EqualityOptions::default())
    }

    /// Checks that two operations are equal.
    ///
    /// # Errors
    ///
    /// What differs.
    pub(super) fn check_equal(&self, a: Operation, b: Operation) -> Result<(), String> {
        if self.is_equal(a, b) {
            return Ok(());
        }
        let of = |operation| (&self.context, &self.module, operation);
        let difference = semantic_difference(of(a), of(b), &EqualityOptions::default());
        Err(difference.map_or_else(String::new, |difference| difference.to_string()))
    }

    /// Checks that two definitions of different modules are equal, with the functions of these
    /// modules that they refer to. References to other local symbols make them different: each
    /// module has its own.
    ///
    /// # Errors
    ///
    /// What differs.
    fn check_same_definition(
        &mut self,
        symbols: &Symbols,
        first: usize,
        other: usize,
    ) -> Result<(), String> {
        let mut open = vec![(first, other)];
        let mut met: HashSet<(usize, usize), RandomState> = open.iter().copied().collect();
        while let Some((a, b)) = open.pop() {
            let pair = [a, b].map(|s| symbols.all.get(s).and_then(|s| self.items.get(s.item)));
            let [Some(a), Some(b)] = pair else {
                continue;
            };
            self.check_equal(a.operation, b.operation)?;
            // Equal operations refer to equal names.
            let mut names: Vec<Identifier> = Vec::new();
            let mut uses = RootUses::default();
            uses.each(
                &self.context,
                &self.module,
                a.operation,
                |_| {},
                |path| names.extend(path.first()),
            );
            for name in names {
                let found = [a, b].map(|item| {
                    let scope = self.scope_of(item.input, name);
                    symbols.index_of(scope, name)
                });
                let kinds = found.map(|found| {
                    let symbol = symbols.all.get(found?)?;
                    Some((symbol.kind, self.items.get(symbol.item)?.operation))
                });
                match kinds {
                    [Some((Kind::Local, a)), Some((Kind::Local, b))] => {
                        if !self.is_function(a) || !self.is_function(b) {
                            return Err(self.of_one_module(name, "it is not a function"));
                        }
                        if let [Some(a), Some(b)] = found
                            && !self.same.contains(&(a, b))
                            && met.insert((a, b))
                        {
                            open.push((a, b));
                        }
                    }
                    [Some((Kind::Local, _)), _] | [_, Some((Kind::Local, _))] => {
                        return Err(self.of_one_module(name, "the other module has no such symbol"));
                    }
                    _ => {}
                }
            }
        }
        self.same.extend(met);
        Ok(())
    }

    /// The reason why definitions differ that refer to a local symbol.
    #[cold]
    fn of_one_module(&self, name: Identifier, why: &str) -> String {
        let name = self.context.str(name);
        format!("the definition refers to local symbol '{name}', and {why}")
    }

    fn is_function(&self, operation: Operation) -> bool {
        let traits = self.context.operation_traits(self.module.name(operation));
        traits.is_some_and(|traits| traits.contains(OperationTraits::FUNCTION))
    }
}
