//! Runs work on several threads, with the results of a single thread, and counts its progress.

mod progress;

pub use progress::{ProgressCounter, Steps, Stretch};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of threads that work on something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Threads(usize);

impl Default for Threads {
    fn default() -> Self {
        Threads::ONE
    }
}

impl Threads {
    /// The caller's thread only.
    pub const ONE: Self = Threads(1);

    /// Returns `count` threads, including the caller's; 0 is treated as 1.
    pub fn new(count: usize) -> Self {
        Threads(count.max(1))
    }

    /// Returns the number of threads that the machine can run in parallel.
    pub fn available() -> Self {
        Threads::new(thread::available_parallelism().map_or(1, usize::from))
    }

    /// Returns the number of threads: at least one.
    pub fn count(self) -> usize {
        self.0
    }

    /// Returns the results of `work` for each number below `count`, in order.
    ///
    /// If no threads can be started, the caller's thread does all the work.
    pub fn map<T: Send>(self, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let threads = self.0.min(count);
        if threads <= 1 {
            return (0..count).map(work).collect();
        }
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
        let run = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return;
                }
                let result = work(number);
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.push((number, result));
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // A thread that cannot be started is not needed.
                let _ = thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|&(number, _)| number);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Threads;

    #[test]
    fn results_are_in_order() {
        for threads in [0, 1, 2, 7] {
            for count in [0, 1, 5, 1000] {
                let squares = Threads::new(threads).map(count, |number| number * number);
                assert!(squares.into_iter().eq((0..count).map(|n| n * n)));
            }
        }
    }
}
