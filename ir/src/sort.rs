//! Sorts whose code a program has once.
//!
//! The sorts of slices are compiled for each type and comparison, several kilobytes each time. They
//! are the right ones where sorting takes time; the ones here are for lists that are short or
//! sorted once.

use std::cmp::Ordering;

/// Sorts slices as their own methods do.
pub trait CompactSort<T> {
    /// Sorts like [`slice::sort_by`]: stable, O(n log n) comparisons. Takes two words of memory for
    /// each item.
    ///
    /// ```
    /// use rmlir_ir::sort::CompactSort as _;
    ///
    /// let mut rows = [("b", 1), ("a", 2), ("a", 1)];
    /// rows.compact_sort_by(|a, b| a.0.cmp(b.0));
    /// assert_eq!(rows, [("a", 2), ("a", 1), ("b", 1)]);
    /// ```
    fn compact_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts like [`slice::sort_by_key`], as [`compact_sort_by`](Self::compact_sort_by) does.
    /// Computes two keys for each comparison.
    ///
    /// ```
    /// use rmlir_ir::sort::CompactSort as _;
    ///
    /// let mut words = ["three", "one", "two"];
    /// words.compact_sort_by_key(|word| word.len());
    /// assert_eq!(words, ["one", "two", "three"]);
    /// ```
    fn compact_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.compact_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut sources: Vec<usize> = (0..self.len()).collect();
        sort_positions(&mut sources, &|a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        let mut targets = inverse(&sources);
        for position in 0..targets.len() {
            // Each swap moves one item to its place.
            while let Some(&target) = targets.get(position)
                && target != position
            {
                self.swap(position, target);
                targets.swap(position, target);
            }
        }
    }
}

#[inline(never)]
fn sort_positions(positions: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    positions.sort_by(|&a, &b| compare(a, b));
}

/// Returns the inverse of a permutation.
#[inline(never)]
fn inverse(sources: &[usize]) -> Vec<usize> {
    let mut targets = vec![0; sources.len()];
    for (target, &source) in sources.iter().enumerate() {
        if let Some(place) = targets.get_mut(source) {
            *place = target;
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_slices_do() {
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        for len in (0..50).chain([1_000]) {
            let items: Vec<_> = (0..len).map(|at| (next() % (1 + len / 3), at)).collect();
            let (mut ours, mut expected) = (items.clone(), items);
            ours.compact_sort_by_key(|item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(ours, expected);
        }
    }
}
