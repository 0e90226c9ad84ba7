//! Distinct attributes that several operations share.

use super::{SplitPart, for_each_root, number};
use crate::attribute_walk::push_children;
use crate::link::PartAttribute;
use crate::{
    Attribute, AttributeKind, Context, Entry, EntryWalker, Module, Operation, WalkOrder, WalkResult,
};
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

/// Numbers the distinct attributes that several parts of a module contain: by their order in the
/// module, so that the numbers do not depend on the grouping. Linear in the size of the module and
/// of the parts.
pub(super) fn number_shared(
    context: &Context,
    module: &Module,
    parts: &[SplitPart],
    attributes: &mut [PartAttribute],
) {
    if !context.has_distincts() {
        return;
    }
    let found: Vec<Vec<Attribute>> = parts.iter().map(|p| all_in(context, &p.module)).collect();
    let mut counts: HashMap<Attribute, usize, RandomState> = HashMap::default();
    for &distinct in found.iter().flatten() {
        let count = counts.entry(distinct).or_default();
        *count = count.saturating_add(1);
    }
    if counts.values().all(|&count| count < 2) {
        return;
    }
    let numbers = (0..).zip(all_in(context, module));
    let numbers: HashMap<Attribute, usize, RandomState> = numbers.map(|(n, d)| (d, n)).collect();
    for (found, part) in found.iter().zip(attributes) {
        for &distinct in found {
            if let Some(&at) = numbers.get(&distinct)
                && counts.get(&distinct).is_some_and(|&count| count > 1)
            {
                part.distincts.insert(number(at), distinct);
            }
        }
    }
}

/// Returns the distinct attributes of a module, each once: one to which another refers is before
/// it.
fn all_in(context: &Context, module: &Module) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut walker = EntryWalker::new();
    for operation in module.descendants(module.top()) {
        for_each_root(module, operation, |root| {
            walker.walk(context, root, WalkOrder::PostOrder, |entry| {
                if let Entry::Attribute(attribute) = entry
                    && is_distinct(context, entry)
                {
                    found.push(attribute);
                }
                WalkResult::Advance
            });
        });
    }
    found
}

/// Returns, for each operation, the position in `operations` of the first one with which it shares
/// a distinct attribute, directly or through others; its own if it shares none.
///
/// A distinct attribute that two files contain is two: operations that share one belong into one
/// file. Linear in the number of operations and of the entries they reach, except for those that
/// reach a distinct attribute, which are visited once for each operation.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module, distinct_groups};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let unit = context.unit_attribute();
/// let id = context.distinct_attribute(unit);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let a = builder.op("test.a").attribute("id", id).build()?;
/// let b = builder.op("test.b").build()?;
/// let c = builder.op("test.c").attribute("id", id).build()?;
/// assert_eq!(distinct_groups(&context, &module, &[a, b, c]), [0, 1, 0]);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub fn distinct_groups(context: &Context, module: &Module, operations: &[Operation]) -> Vec<usize> {
    let mut sets = crate::sets::Sets::new(operations.len());
    let mut distincts = Distincts::default();
    for (number, &operation) in operations.iter().enumerate() {
        distincts.each(context, module, operation, number, |other| {
            sets.join(number, other);
        });
    }
    (0..operations.len())
        .map(|number| sets.find(number))
        .collect()
}
