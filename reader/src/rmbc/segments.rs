//! Segments: the parts of a file between the starts of chunks, in which values and blocks are
//! numbered.

use std::ops::Range;

/// The positions of the first value and block of each segment of the content that was read, which
/// may begin inside of a segment.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    /// The number of the first segment, and the numbers of the first value and block in it.
    first: (u64, [u64; 2]),
    /// The positions of the first value and block of the segments that follow.
    starts: Vec<[u64; 2]>,
}

/// The items that are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Value = 0,
    Block = 1,
}

impl Segments {
    /// Returns the segments of something that begins in segment `segment`, with the value and the
    /// block of these numbers.
    pub(super) fn new(segment: u64, values: u64, blocks: u64) -> Self {
        Segments {
            first: (segment, [values, blocks]),
            starts: Vec::new(),
        }
    }

    /// Begins a segment at the value and the block at these positions.
    pub(super) fn begin(&mut self, values: usize, blocks: usize) {
        self.starts.push([values as u64, blocks as u64]);
    }

    /// Returns the number of the first segment and of the one after the last.
    pub(super) fn numbers(&self) -> Range<u64> {
        let first = self.first.0;
        first
            ..first
                .saturating_add(self.starts.len() as u64)
                .saturating_add(1)
    }

    /// Returns the position of an item; `None` if it is not in the segment. `count` is the number
    /// of all items.
    pub(super) fn position(
        &self,
        item: Item,
        (segment, number): (u64, u64),
        count: usize,
    ) -> Option<u64> {
        let range = self.range(item, segment, count)?;
        let start = self.start(item, segment)?;
        let (base, skipped) = start;
        let position = base.checked_add(number.checked_sub(skipped)?)?;
        range.contains(&number).then_some(position)
    }

    /// Returns the position of the first item of a segment that was read, and its number.
    fn start(&self, item: Item, segment: u64) -> Option<(u64, u64)> {
        let (first, skipped) = self.first;
        match segment.checked_sub(first)?.checked_sub(1) {
            None => Some((0, skipped.get(item as usize).copied()?)),
            Some(at) => {
                let start = self.starts.get(usize::try_from(at).ok()?)?;
                Some((start.get(item as usize).copied()?, 0))
            }
        }
    }

    /// Returns the numbers of the items of a segment that were read.
    pub(super) fn range(&self, item: Item, segment: u64, count: usize) -> Option<Range<u64>> {
        let (base, skipped) = self.start(item, segment)?;
        let next = segment.saturating_add(1);
        let end = match self.start(item, next) {
            Some((end, _)) => end,
            None => count as u64,
        };
        let len = end.saturating_sub(base);
        Some(skipped..skipped.saturating_add(len))
    }
}
