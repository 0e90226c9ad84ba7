//! Finds the symbols of a symbol table that were moved.

use super::side::Content;
use crate::symbols::shown;
use rmlir::reader::lazy::SymbolPath;

/// A symbol whose position among the common symbols changed.
pub(super) struct Moved<'s> {
    pub(super) name: &'s [u8],
    /// The common symbol that it follows on the right side; `None` if it is the first one.
    after: Option<&'s [u8]>,
}

impl Moved<'_> {
    /// Describes the move, given the path of the symbol table.
    pub(super) fn description(&self, table: &SymbolPath) -> String {
        match self.after {
            Some(name) => {
                let name = shown(&table.child(name.into()));
                format!("order of symbols differs: it now follows {name}")
            }
            None => "order of symbols differs: it is now the first".to_owned(),
        }
    }
}

/// Returns the fewest common symbols whose moves yield the right order, in that order. O(n log n).
pub(super) fn moved<'s>(left: &Content<'_>, right: &Content<'s>) -> Vec<Moved<'s>> {
    // The common symbols in the order of the right side, with their positions on the left.
    let names = right.order.iter().flatten();
    let common: Vec<(&'s [u8], usize)> = names
        .filter_map(|&name| Some((name, left.symbols.get(name)?.0)))
        .collect();
    if common.is_sorted_by_key(|&(_, position)| position) {
        return Vec::new();
    }
    // A longest increasing subsequence: `ends` are the last elements of the best ones of each
    // length.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(common.len());
    let position = |at: usize| common.get(at).map(|&(_, position)| position);
    for (at, &(_, place)) in common.iter().enumerate() {
        let len = ends.partition_point(|&end| position(end) < Some(place));
        before.push(len.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stays = vec![false; common.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        if let Some(stays) = stays.get_mut(at) {
            *stays = true;
        }
        next = before.get(at).copied().flatten();
    }
    let mut moved = Vec::new();
    let mut after = None;
    for (&(name, _), stays) in common.iter().zip(stays) {
        if !stays {
            moved.push(Moved { name, after });
        }
        after = Some(name);
    }
    moved
}

/// Returns whether unnamed operations have other positions among the common symbols, which are in
/// the same order.
pub(super) fn unnamed_moved(left: &Content<'_>, right: &Content<'_>) -> bool {
    let positions = |one: &Content<'_>, other: &Content<'_>| -> Vec<bool> {
        let of_both = |name: &Option<&[u8]>| name.is_none_or(|n| other.symbols.contains_key(n));
        let order = one.order.iter().filter(|name| of_both(name));
        order.map(Option::is_some).collect()
    };
    positions(left, right) != positions(right, left)
}
