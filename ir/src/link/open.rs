//! References to local symbols of parts that are not among the inputs.

use super::names::UsedNames;
use super::symbols::{Kind, Symbol, Symbols};
use super::{LinkError, Linker};
use crate::Identifier;
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

impl Linker<'_> {
    /// Returns the local symbols to which parts refer, and which no input defines: scopes and
    /// names, in the order of the inputs.
    fn open_locals(&self, symbols: &Symbols) -> Vec<(usize, Identifier)> {
        let mut open = Vec::new();
        if self.options.one_scope {
            return open;
        }
        let mut met: HashSet<(usize, Identifier), RandomState> = HashSet::default();
        for (input, part) in self.parts.iter().enumerate() {
            let (Some(part), Some(&scope)) = (part, self.scopes.get(input)) else {
                continue;
            };
            let mut names: Vec<Identifier> = part.local.iter().copied().collect();
            names.sort_unstable_by(|&a, &b| self.context.bytes(a).cmp(self.context.bytes(b)));
            for name in names {
                let symbol = symbols.get(scope, name);
                if symbol.is_none_or(|symbol| symbol.kind == Kind::Declaration)
                    && met.insert((scope, name))
                {
                    open.push((scope, name));
                }
            }
        }
        open
    }

    /// Checks that no other module would define local symbols of parts that are missing.
    pub(super) fn check_open_locals(
        &mut self,
        symbols: &Symbols,
        used: &UsedNames,
    ) -> Result<(), LinkError> {
        let open = self.open_locals(symbols);
        if open.is_empty() {
            return Ok(());
        }
        let mut owners: HashMap<(usize, Identifier), usize, RandomState> = HashMap::default();
        for (input, part) in self.parts.iter().enumerate() {
            let (Some(part), Some(&scope)) = (part, self.scopes.get(input)) else {
                continue;
            };
            owners.extend(part.symbols.keys().map(|&name| ((scope, name), input)));
        }
        let mut global: HashMap<Identifier, Vec<&Symbol>, RandomState> = HashMap::default();
        for symbol in symbols
            .all
            .iter()
            .filter(|symbol| symbol.kind != Kind::Local)
        {
            global.entry(symbol.name).or_default().push(symbol);
        }
        for (scope, name) in open {
            let Some(user) = used.place_in(scope, name) else {
                continue;
            };
            let spelled = self.context.str(name);
            if let Some(&owner) = owners.get(&(scope, name)) {
                let message = format!(
                    "symbol '{spelled}' is local to the module that was split, and is missing from \
                     its part: a pass may have erased it as unused"
                );
                let owner = self.top_of(owner);
                let error = Self::clash_of_places(message, Some(user), owner, "the part is here");
                self.keep(Err::<(), _>(error))?;
                continue;
            }
            let mut others = global.get(&name).into_iter().flatten();
            let other = others.find(|symbol| symbol.scope != scope);
            let other = other.and_then(|symbol| self.items.get(symbol.item));
            let other = other.map(|item| (item.input, item.from));
            if let Some(other) = other.or_else(|| used.place_outside(scope, name)) {
                let message = format!(
                    "symbol '{spelled}' is local to a module that was split, of which the part that \
                     defines it is missing, and another module uses its name"
                );
                let note = "the other use of the name is here";
                let error = Self::clash_of_places(message, Some(user), Some(other), note);
                self.keep(Err::<(), _>(error))?;
            }
        }
        Ok(())
    }
}
