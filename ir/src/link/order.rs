//! The operations of the result.

use super::{LinkError, Linker};
use crate::Operation;
use crate::sort::CompactSort as _;
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

impl Linker<'_> {
    /// Puts the operations that are kept in the body of the result, and erases the others.
    pub(super) fn assemble(&mut self) -> Result<(), LinkError> {
        let order = self.order();
        let body = super::body(&self.module).map_err(LinkError::new)?;
        for operation in order {
            self.module.append_operation(body, operation);
        }
        let dropped = self.items.iter().filter(|item| !item.kept);
        let mut dropped: Vec<Operation> = dropped.map(|item| item.operation).collect();
        dropped.reverse();
        for operation in dropped {
            self.module
                .erase_operation(operation)
                .map_err(|_| LinkError::new("a value of a dropped symbol is used"))?;
        }
        Ok(())
    }

    /// Returns the operations of the result in order: that of the inputs; the parts of one module
    /// are where the first of them is, in the order of that module.
    fn order(&mut self) -> Vec<Operation> {
        let keys = self.keys();
        // The items of each module that was split.
        let mut of_split: HashMap<usize, Vec<(i64, Operation)>, RandomState> = HashMap::default();
        for (item, &key) in self.items.iter().zip(&keys) {
            let scope = self.scopes.get(item.input).copied().unwrap_or(item.input);
            if item.kept && scope != item.input {
                of_split
                    .entry(scope)
                    .or_default()
                    .push((key, item.operation));
            }
        }
        let mut emitted: HashSet<usize, RandomState> = HashSet::default();
        let mut order = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let scope = self.scopes.get(item.input).copied().unwrap_or(item.input);
            if scope == item.input {
                order.extend(item.kept.then_some(item.operation));
            } else if emitted.insert(scope) {
                let mut parts = of_split.remove(&scope).unwrap_or_default();
                parts.compact_sort_by_key(|&(key, _)| key);
                order.extend(parts.into_iter().map(|(_, operation)| operation));
            }
        }
        order
    }

    /// Returns the position of each item in the module that was split. One that is new follows the
    /// one before it.
    fn keys(&self) -> Vec<i64> {
        let mut keys = Vec::with_capacity(self.items.len());
        let mut start = 0;
        for (input, part) in self.parts.iter().enumerate() {
            let items = self.items.get(start..).unwrap_or_default();
            let count = items.iter().take_while(|item| item.input == input).count();
            let items = items.get(..count).unwrap_or_default();
            start = start.saturating_add(count);
            let Some(part) = part else {
                keys.extend(items.iter().map(|_| 0));
                continue;
            };
            let unnamed = items.iter().filter(|item| item.name.is_none()).count();
            // After an edit it is not known which is which.
            let mut others = match unnamed == part.others.len() {
                true => part.others.iter(),
                false => [].iter(),
            };
            let mut last = -1;
            for item in items {
                let key = match item.name {
                    Some(name) => part.symbols.get(&name).or(part.references.get(&name)),
                    None => others.next(),
                };
                last = key.copied().unwrap_or(last);
                keys.push(last);
            }
        }
        keys
    }
}
