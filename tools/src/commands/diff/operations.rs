//! Matches the operations of two symbols: finds those that were removed, added and modified.

use super::side::Side;
use imara_diff::{Algorithm, Diff as LineDiff, InternedInput, TokenSource};
use rmlir::ir::{Block, Fingerprint, Operation, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
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

/// Aligns the arguments of pairs of blocks that have different numbers of them: those are the same
/// that matched operations use in the same place. Arguments between these correspond in order.
/// Returns each argument with its counterpart. O(n log n).
fn aligned_arguments(
    blocks: &[[Vec<Value>; 2]],
    uses: impl Iterator<Item = (Value, Value)>,
) -> Vec<(Option<Value>, Option<Value>)> {
    let places = |side: usize| -> HashMap<Value, (usize, usize)> {
        let blocks = blocks.iter().enumerate();
        let arguments = blocks.flat_map(|(block, sides)| {
            let arguments = sides.get(side).into_iter().flatten().enumerate();
            arguments.map(move |(at, &value)| (value, (block, at)))
        });
        arguments.collect()
    };
    let (left, right) = (places(0), places(1));
    // How often an argument of the left side is used where one of the right side is.
    let mut votes: BTreeMap<(usize, usize), BTreeMap<usize, usize>> = BTreeMap::new();
    for (l, r) in uses {
        if let (Some(&l), Some(&r)) = (left.get(&l), right.get(&r))
            && l.0 == r.0
        {
            *votes.entry(l).or_default().entry(r.1).or_default() += 1;
        }
    }
    let mut aligned = Vec::new();
    for (block, [left, right]) in blocks.iter().enumerate() {
        let voted = votes.range((block, 0)..(block + 1, 0));
        let anchors: Vec<(usize, usize)> = voted
            .filter_map(|(&(_, l), votes)| {
                let most = votes.iter().max_by_key(|&(&r, &count)| (count, Reverse(r)));
                most.map(|(&r, _)| (l, r))
            })
            .collect();
        let (mut l, mut r) = (0, 0);
        let end = (left.len(), right.len());
        for (to_left, to_right) in ascending(&anchors).into_iter().chain([end]) {
            while l < to_left || r < to_right {
                let of = |values: &[Value], at: usize, end: usize| match at < end {
                    true => values.get(at).copied(),
                    false => None,
                };
                aligned.push((of(left, l, to_left), of(right, r, to_right)));
                (l, r) = ((l + 1).min(to_left), (r + 1).min(to_right));
            }
            if let (Some(&one), Some(&other)) = (left.get(to_left), right.get(to_right)) {
                aligned.push((Some(one), Some(other)));
                (l, r) = (to_left + 1, to_right + 1);
            }
        }
    }
    aligned
}

/// Returns a longest subsequence whose second numbers ascend, of pairs whose first numbers ascend.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best subsequence of each length, and the pair before each one.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |at: usize| pairs.get(at).map(|pair| pair.1);
    for (number, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| second(end) < Some(pair.1));
        before.push(len.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(len) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        found.extend(pairs.get(at));
        next = before.get(at).copied().flatten();
    }
    found.reverse();
    found
}

impl Matching {
    /// Returns the matching of a symbol that only one side has.
    pub(super) fn lone(pairs: impl Iterator<Item = Pair>) -> Self {
        Matching {
            pairs: pairs.collect(),
            values: HashMap::new(),
        }
    }

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
        // Blocks with arguments that were added or removed.
        let mut uneven: Vec<[Vec<Value>; 2]> = Vec::new();
        for pair in &self.pairs {
            let l = pair.left().and_then(|number| left.get(number));
            let r = pair.right().and_then(|number| right.get(number));
            let values = (
                l.map(|item| item.values(left_side)).unwrap_or_default(),
                r.map(|item| item.values(right_side)).unwrap_or_default(),
            );
            let is_uneven = matches!(
                (l.map(|l| l.what), r.map(|r| r.what)),
                (Some(What::Block(_)), Some(What::Block(_)))
            ) && values.0.len() != values.1.len();
            if is_uneven {
                uneven.push([values.0, values.1]);
            } else {
                let common = values.0.len().min(values.1.len());
                let of_both = values.0.iter().zip(&values.1);
                self.values.extend(of_both.map(|(&l, &r)| (l, r)));
                lone.0.extend(values.0.iter().skip(common));
                lone.1.extend(values.1.iter().skip(common));
            }
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
        if !uneven.is_empty() {
            let users = self.pairs.iter().filter_map(|pair| {
                let l = left.get(pair.left()?)?.operation()?;
                let r = right.get(pair.right()?)?.operation()?;
                Some((left_module.operands(l), right_module.operands(r)))
            });
            let used = users.filter(|(l, r)| l.len() == r.len());
            for (l, r) in aligned_arguments(&uneven, used.flat_map(|(l, r)| l.zip(r))) {
                match (l, r) {
                    (Some(l), Some(r)) => drop(self.values.insert(l, r)),
                    (l, r) => {
                        lone.0.extend(l);
                        lone.1.extend(r);
                    }
                }
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

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn a_longest_ascending_subsequence_is_found() {
        let pairs = |seconds: &[usize]| -> Vec<(usize, usize)> {
            seconds.iter().copied().enumerate().collect()
        };
        let found = ascending(&pairs(&[9, 1, 2, 0, 5, 3, 3, 4]));
        let seconds: Vec<usize> = found.iter().map(|pair| pair.1).collect();
        assert_eq!(seconds, [1, 2, 3, 4]);
        assert_eq!(ascending(&pairs(&[])), []);
        assert_eq!(ascending(&pairs(&[7, 7])), [(1, 7)]);
    }
}
