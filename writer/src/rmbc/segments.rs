//! Segments: the parts of a file between the starts of chunks, in which values and blocks are
//! numbered.

/// The numbers of the first operation, value and block of each segment except the first.
#[derive(Debug, Default)]
pub(super) struct Segments(Vec<[u32; 3]>);

/// The items that are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Value = 1,
    Block = 2,
}

impl Segments {
    /// Begins a segment with the operation, value and block of these numbers.
    pub(super) fn begin(&mut self, first: [u32; 3]) {
        self.0.push(first);
    }

    /// Returns the segment of an item, and its number in the segment. O(log n).
    pub(super) fn locate(&self, item: Item, number: u32) -> (u32, u32) {
        let start = |first: &[u32; 3]| first[item as usize];
        let segment = self.0.partition_point(|first| start(first) <= number);
        let before = segment.checked_sub(1).and_then(|at| self.0.get(at));
        (segment as u32, number - before.map_or(0, start))
    }
}
