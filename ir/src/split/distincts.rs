//! Distinct attributes that several operations share.

use super::for_each_root;
use crate::attribute_walk::push_children;
use crate::{AttributeKind, Context, Entry, EntryWalker, Module, Operation, WalkOrder, WalkResult};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// Finds operations that share distinct attributes.
#[derive(Default)]
pub(super) struct Distincts {
    walker: EntryWalker,
    /// The entries that are or reach a distinct attribute.
    holders: HashSet<Entry, RandomState>,
    /// For each distinct attribute, the number with which it was found first.
    first: HashMap<Entry, usize, RandomState>,
}

impl Distincts {
    /// Looks at an operation and what is nested in it. Calls `each` with the number of the
    /// operation in which a distinct attribute was found first, for each of them. Linear in the
    /// number of operations, of entries, and of the entries through which distinct attributes are
    /// reached from this operation.
    pub(super) fn each(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        number: usize,
        mut each: impl FnMut(usize),
    ) {
        if !context.has_distincts() {
            return;
        }
        let mut seen: HashSet<Entry, RandomState> = HashSet::default();
        for inner in module.descendants(operation) {
            for_each_root(module, inner, |root| {
                self.look_at(context, root);
                let mut stack = vec![(root, ())];
                while let Some((entry, ())) = stack.pop() {
                    if !self.holders.contains(&entry) || !seen.insert(entry) {
                        continue;
                    }
                    if is_distinct(context, entry) {
                        each(*self.first.entry(entry).or_insert(number));
                    }
                    push_children(context, entry, &mut stack, ());
                }
            });
        }
    }

    /// Records which entries reach a distinct attribute.
    fn look_at(&mut self, context: &Context, root: Entry) {
        let holders = &mut self.holders;
        self.walker
            .walk(context, root, WalkOrder::PostOrder, |entry| {
                let mut holds = is_distinct(context, entry);
                context.for_each_child(entry, |child| holds |= holders.contains(&child));
                if holds {
                    holders.insert(entry);
                }
                WalkResult::Advance
            });
    }
}

fn is_distinct(context: &Context, entry: Entry) -> bool {
    let Entry::Attribute(attribute) = entry else {
        return false;
    };
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::Distinct { .. }
    )
}
