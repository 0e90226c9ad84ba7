//! Matches the operations of two symbols: finds those that were removed, added and modified.

use super::side::Side;
use imara_diff::{Algorithm, Diff as LineDiff, InternedInput, TokenSource};
use rmlir::ir::{Block, Fingerprint, Operation, Value};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The maximum nesting depth that is shown by indentation.
const MAX_INDENT: usize = 100;

/// An operation without its operands and regions, or the arguments of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The fingerprint of the operation's name, attributes and types, or of the arguments.
    content: Fingerprint,
    /// How deeply it is nested.
    pub(super) depth: u8,
    pub(super) what: What,
}

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Operation(Operation),
    /// The arguments of a block.
    Block(Block),
}

impl Item {
    pub(super) fn new(content: Fingerprint, what: What, depth: usize) -> Self {
        Item {
            content,
            depth: depth.min(MAX_INDENT) as u8,
            what,
        }
    }

    /// Returns the operation; `None` for the arguments of a block.
    pub(super) fn operation(&self) -> Option<Operation> {
        match self.what {
            What::Operation(operation) => Some(operation),
            What::Block(_) => None,
        }
    }

    /// The name of the operation; empty for the arguments of a block.
    fn name<'s>(&self, side: &Side<'s>) -> &'s [u8] {
        let name = |operation| {
            side.context
                .operation_name_bytes(side.module.name(operation))
        };
        self.operation().map_or(&b""[..], name)
    }

    /// The values that it defines.
    fn values(&self, side: &Side<'_>) -> Vec<Value> {
        match self.what {
            What::Operation(operation) => side.module.results(operation).collect(),
            What::Block(block) => side
                .module
                .arguments(block)
                .map(|(value, _)| value)
                .collect(),
        }
    }
}

/// An item of one side or the other, or a pair of matched items; by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pair {
    Same(usize, usize),
    Modified(usize, usize),
    Removed(usize),
    Added(usize),
}

impl Pair {
    pub(super) fn left(self) -> Option<usize> {
        match self {
            Pair::Same(left, _) | Pair::Modified(left, _) | Pair::Removed(left) => Some(left),
            Pair::Added(_) => None,
        }
    }

    pub(super) fn right(self) -> Option<usize> {
        match self {
            Pair::Same(_, right) | Pair::Modified(_, right) | Pair::Added(right) => Some(right),
            Pair::Removed(_) => None,
        }
    }

    pub(super) fn is_change(self) -> bool {
        !matches!(self, Pair::Same(..))
    }
}

/// The matched items of two symbols.
pub(super) struct Matching {
    /// In the order of both sides; of a place that differs, the removed ones come first.
    pub(super) pairs: Vec<Pair>,
    /// The value of the right side that corresponds to one of the left side.
    pub(super) values: HashMap<Value, Value>,
}

/// Tokens that were made before.
struct Tokens<'t, T>(&'t [T]);

impl<'t, T: Copy + Eq + Hash> TokenSource for Tokens<'t, T> {
    type Token = T;
    type Tokenizer = std::iter::Copied<std::slice::Iter<'t, T>>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().copied()
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

/// Aligns two sequences: returns pairs of equal elements, and the elements of one side only.
pub(super) fn align<T: Copy + Eq + Hash>(left: &[T], right: &[T]) -> Vec<Pair> {
    let input = InternedInput::new(Tokens(left), Tokens(right));
    let diff = LineDiff::compute(Algorithm::Histogram, &input);
    let mut pairs = Vec::with_capacity(left.len().max(right.len()));
    let (mut l, mut r) = (0, 0);
    let equal = |pairs: &mut Vec<Pair>, l: &mut usize, r: &mut usize, to: usize| {
        while *l < to {
            pairs.push(Pair::Same(*l, *r));
            (*l, *r) = (*l + 1, *r + 1);
        }
    };
    for hunk in diff.hunks() {
        equal(&mut pairs, &mut l, &mut r, hunk.before.start as usize);
        while l < hunk.before.end as usize {
            pairs.push(Pair::Removed(l));
            l += 1;
        }
        while r < hunk.after.end as usize {
            pairs.push(Pair::Added(r));
            r += 1;
        }
    }
    equal(&mut pairs, &mut l, &mut r, left.len());
    pairs
}

/// Matches the items of two symbols: those of equal content first, then, between them, those of
/// equal name. A pair of equal content whose operands do not correspond is modified. O(n log n).
pub(super) fn matching(
    (left_side, left): (&Side<'_>, &[Item]),
    (right_side, right): (&Side<'_>, &[Item]),
) -> Matching {
    let key = |item: &Item| (item.content, item.depth);
    let keys = |items: &[Item]| items.iter().map(key).collect::<Vec<_>>();
    let pairs = align(&keys(left), &keys(right));
    let mut matching = Matching {
        pairs: Vec::with_capacity(pairs.len()),
        values: HashMap::new(),
    };
    let mut rest = pairs.as_slice();
    while let Some(first) = rest.first() {
        let changes = rest.iter().take_while(|pair| pair.is_change()).count();
        let (hunk, others) = rest.split_at_checked(changes).unwrap_or((rest, &[]));
        if hunk.is_empty() {
            matching.pairs.push(*first);
            rest = rest.get(1..).unwrap_or_default();
        } else {
            modified(
                (left_side, left),
                (right_side, right),
                hunk,
                &mut matching.pairs,
            );
            rest = others;
        }
    }
    matching.relate((left_side, left), (right_side, right));
    matching
}

/// Joins runs of removed and added elements of one length: each was replaced by another.
fn replaced(pairs: &[Pair]) -> Vec<Pair> {
    let mut joined = Vec::with_capacity(pairs.len());
    for run in pairs.chunk_by(|a, b| a.is_change() && b.is_change()) {
        // Removed ones come first.
        let count = run
            .iter()
            .take_while(|pair| matches!(pair, Pair::Removed(_)))
            .count();
        let (removed, added) = run.split_at_checked(count).unwrap_or((run, &[]));
        let both = removed
            .iter()
            .zip(added)
            .filter_map(|(l, r)| Some((l.left()?, r.right()?)));
        let both: Vec<Pair> = both.map(|(l, r)| Pair::Modified(l, r)).collect();
        match removed.len() == added.len() {
            true => joined.extend(both),
            false => joined.extend_from_slice(run),
        }
    }
    joined
}

fn tokens(names: &[Vec<u8>]) -> Vec<&[u8]> {
    names.iter().map(Vec::as_slice).collect()
}

/// Pairs removed and added items of one name and depth.
fn modified(
    (left_side, left): (&Side<'_>, &[Item]),
    (right_side, right): (&Side<'_>, &[Item]),
    hunk: &[Pair],
    pairs: &mut Vec<Pair>,
) {
    let removed: Vec<usize> = hunk.iter().filter_map(|pair| pair.left()).collect();
    let added: Vec<usize> = hunk.iter().filter_map(|pair| pair.right()).collect();
    let names = |side: &Side<'_>, items: &[Item], numbers: &[usize]| -> Vec<Vec<u8>> {
        let item = |&number: &usize| items.get(number);
        let items = numbers.iter().filter_map(item);
        items
            .map(|item| [&[item.depth], item.name(side)].concat())
            .collect()
    };
    let names = (
        names(left_side, left, &removed),
        names(right_side, right, &added),
    );
    let left_number = |at: usize| removed.get(at).copied().unwrap_or_default();
    let right_number = |at: usize| added.get(at).copied().unwrap_or_default();
    let aligned = replaced(&align(&tokens(&names.0), &tokens(&names.1)));
    pairs.extend(aligned.into_iter().map(|pair| match pair {
        Pair::Same(l, r) | Pair::Modified(l, r) => Pair::Modified(left_number(l), right_number(r)),
        Pair::Removed(l) => Pair::Removed(left_number(l)),
        Pair::Added(r) => Pair::Added(right_number(r)),
    }));
}

impl Matching {
    /// Relates the values and blocks of both sides, and finds pairs whose operands, successors or
    /// blocks do not correspond.
    fn relate(
        &mut self,
        (left_side, left): (&Side<'_>, &[Item]),
        (right_side, right): (&Side<'_>, &[Item]),
    ) {
        let (left_module, right_module) = (left_side.module, right_side.module);
        let mut blocks: HashMap<Block, Block> = HashMap::new();
        // The values of items without counterpart, which correspond to none.
        let mut lone: (HashSet<Value>, HashSet<Value>) = Default::default();
        for pair in &self.pairs {
            let l = pair.left().and_then(|number| left.get(number));
            let r = pair.right().and_then(|number| right.get(number));
            let values = (
                l.map(|item| item.values(left_side)).unwrap_or_default(),
                r.map(|item| item.values(right_side)).unwrap_or_default(),
            );
            let common = values.0.len().min(values.1.len());
            let of_both = values.0.iter().zip(&values.1);
            self.values.extend(of_both.map(|(&l, &r)| (l, r)));
            lone.0.extend(values.0.iter().skip(common));
            lone.1.extend(values.1.iter().skip(common));
            let (Some(l), Some(r)) = (l, r) else { continue };
            match (l.what, r.what) {
                (What::Block(l), What::Block(r)) => drop(blocks.entry(l).or_insert(r)),
                (What::Operation(l), What::Operation(r)) => {
                    for (l, r) in left_module.regions(l).zip(right_module.regions(r)) {
                        let of_left = left_module.blocks(l);
                        for (l, r) in of_left.zip(right_module.blocks(r)) {
                            blocks.entry(l).or_insert(r);
                        }
                    }
                }
                _ => {}
            }
        }
        let corresponds = |l: Value, r: Value| match self.values.get(&l) {
            Some(&value) => value == r,
            // Values from outside of the symbols.
            None => !lone.0.contains(&l) && !lone.1.contains(&r),
        };
        for pair in &mut self.pairs {
            let Pair::Same(l, r) = *pair else { continue };
            let operation = |items: &[Item], number: usize| items.get(number)?.operation();
            let (Some(left), Some(right)) = (operation(left, l), operation(right, r)) else {
                continue;
            };
            let (operands, others) = (left_module.operands(left), right_module.operands(right));
            let same_count = operands.len() == others.len();
            let same_operands = operands.zip(others).all(|(l, r)| corresponds(l, r));
            let successors = (left_module.successors(left)).zip(right_module.successors(right));
            let same_successors = successors
                .into_iter()
                .all(|(l, r)| blocks.get(&l).is_none_or(|&block| block == r));
            let block = left_module.parent_block(left);
            let block = block.and_then(|block| blocks.get(&block).copied());
            let same_block = block.is_none() || block == right_module.parent_block(right);
            if !(same_count && same_operands && same_successors && same_block) {
                *pair = Pair::Modified(l, r);
            }
        }
    }
}
