use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of completed work, in bytes of an input or in operations, for a display on another
/// thread.
///
/// Clones share the count. The default counter does not count, which costs nothing.
///
/// ```
/// use rmlir_threads::ProgressCounter;
///
/// let counter = ProgressCounter::new();
/// let mut stretch = counter.stretch(0..1000, 500);
/// stretch.at(500);
/// assert_eq!(counter.count(), 250);
/// stretch.end();
/// assert_eq!(counter.count(), 500);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProgressCounter(Option<Arc<AtomicU64>>);

impl PartialEq for ProgressCounter {
    /// Returns whether both share one count, or neither counts.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for ProgressCounter {}

impl ProgressCounter {
    /// Creates a counter that starts at zero.
    pub fn new() -> Self {
        ProgressCounter(Some(Arc::default()))
    }

    /// Returns the count so far; 0 for a counter that does not count.
    pub fn count(&self) -> u64 {
        let count = self.0.as_ref();
        count.map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Adds completed work.
    pub fn add(&self, work: u64) {
        if let Some(count) = &self.0 {
            count.fetch_add(work, Ordering::Relaxed);
        }
    }

    /// Begins work that is counted by steps, such as operations.
    pub fn steps(&self) -> Steps {
        Steps {
            counter: self.clone(),
            pending: 0,
        }
    }

    /// Begins work that moves through `positions` and processes `bytes` bytes of the input on the
    /// way.
    pub fn stretch(&self, positions: Range<u64>, bytes: u64) -> Stretch {
        let len = positions.end.saturating_sub(positions.start);
        Stretch {
            counter: self.clone(),
            next: match self.0 {
                Some(_) => positions.start,
                None => u64::MAX,
            },
            interval: (len / STEPS).max(LEAST_INTERVAL),
            positions,
            bytes,
            counted: 0,
        }
    }
}

/// The maximum number of updates of a stretch.
const STEPS: u64 = 1000;

/// The minimum distance between the positions of updates.
const LEAST_INTERVAL: u64 = 1 << 12;

/// Work that moves through a range of positions; see [`ProgressCounter::stretch`].
#[derive(Debug)]
pub struct Stretch {
    counter: ProgressCounter,
    /// The position of the next update.
    next: u64,
    interval: u64,
    positions: Range<u64>,
    bytes: u64,
    /// The counted bytes.
    counted: u64,
}

impl Default for Stretch {
    /// Returns a stretch that does not count.
    fn default() -> Self {
        ProgressCounter::default().stretch(0..0, 0)
    }
}

impl Stretch {
    /// Counts the work before a position if the position is far enough from the last one; otherwise
    /// costs one comparison.
    #[inline]
    pub fn at(&mut self, position: u64) {
        if position >= self.next {
            self.count(position);
        }
    }

    /// Counts the remaining work.
    pub fn end(&mut self) {
        let end = self.positions.end;
        self.at(end.max(self.next));
    }

    #[cold]
    fn count(&mut self, position: u64) {
        if self.counter.0.is_none() {
            return;
        }
        let len = self.positions.end.saturating_sub(self.positions.start);
        let done = position.saturating_sub(self.positions.start).min(len);
        let share = u128::from(self.bytes).saturating_mul(done.into());
        // No more than `bytes`, since `done` is at most `len`.
        let share = share
            .checked_div(len.into())
            .map_or(self.bytes, |share| share as u64);
        self.counter.add(share.saturating_sub(self.counted));
        self.counted = self.counted.max(share);
        self.next = position.saturating_add(self.interval);
    }
}

/// Work that is counted by steps; see [`ProgressCounter::steps`].
#[derive(Debug, Default)]
pub struct Steps {
    counter: ProgressCounter,
    pending: u64,
}

impl Steps {
    /// Counts a step. The counter is changed every few thousand steps, and when this is dropped.
    #[inline]
    pub fn step(&mut self) {
        self.pending = self.pending.wrapping_add(1);
        if self.pending >= LEAST_INTERVAL {
            self.count();
        }
    }

    #[cold]
    fn count(&mut self) {
        self.counter.add(std::mem::take(&mut self.pending));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_counts_its_bytes() {
        for (len, bytes) in [(0, 7), (1, 7), (100_000, 7), (1 << 40, 1 << 50), (50, 0)] {
            let counter = ProgressCounter::new();
            let mut stretch = counter.stretch(10..10 + len, bytes);
            let mut before = 0;
            for tenth in 0..11 {
                stretch.at(10 + len / 10 * tenth);
                assert!((before..=bytes).contains(&counter.count()));
                before = counter.count();
            }
            stretch.end();
            assert_eq!(counter.count(), bytes);
            stretch.end();
            assert_eq!(counter.count(), bytes);
        }
    }

    #[test]
    fn nothing_is_counted_by_default() {
        let counter = ProgressCounter::default();
        let mut stretch = counter.stretch(0..10, 10);
        stretch.at(5);
        stretch.end();
        counter.add(3);
        assert_eq!(counter.count(), 0);
        Stretch::default().end();
        counter.steps().step();
        assert_eq!(counter.count(), 0);
    }

    #[test]
    fn steps_are_counted() {
        let counter = ProgressCounter::new();
        let mut steps = counter.steps();
        (0..LEAST_INTERVAL + 1).for_each(|_| steps.step());
        assert_eq!(counter.count(), LEAST_INTERVAL);
        drop(steps);
        assert_eq!(counter.count(), LEAST_INTERVAL + 1);
    }
}
