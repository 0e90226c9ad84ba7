//! A set of small numbers.

/// A set of numbers, a bit for each up to the largest.
#[derive(Clone, Debug, Default)]
pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// An empty set with room for the numbers below `size`.
    pub(super) fn with_size(size: usize) -> Self {
        BitSet {
            words: vec![0; size.div_ceil(64)],
        }
    }

    /// Adds a number and says whether it is new. One for which there is no room is never added.
    #[inline]
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        match self.words.get_mut(number / 64) {
            Some(word) => {
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            None => false,
        }
    }

    /// Whether a number is in the set.
    #[inline]
    pub(super) fn contains(&self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        self.words
            .get(number / 64)
            .is_some_and(|word| word & bit != 0)
    }
}
