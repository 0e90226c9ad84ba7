//! A fixed-capacity bit set of small numbers, such as handle indices.

/// A set of numbers, stored as one bit for each number below the capacity.
#[derive(Clone, Debug, Default)]
pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Returns an empty set with a capacity for the numbers below `size`.
    pub(super) fn with_size(size: usize) -> Self {
        BitSet {
            words: vec![0; size.div_ceil(64)],
        }
    }

    /// Adds a number and returns whether it is new. A number beyond the capacity is not added.
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

    /// Returns whether a number is in the set.
    #[inline]
    pub(super) fn contains(&self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        self.words
            .get(number / 64)
            .is_some_and(|word| word & bit != 0)
    }
}
