//! Counts of hits, misses and damage, kept in a file to which each run appends a line.

use super::Store;
use crate::fs::Fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The statistics of a cache.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[non_exhaustive]
        pub struct Stats {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Stats {
            /// Returns the names of the counts, with their values.
            pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            fn add(&mut self, name: &str, value: u64) {
                match name {
                    $(stringify!($name) => self.$name = self.$name.saturating_add(value),)*
                    _ => {}
                }
            }
        }

        /// The counts of this process.
        #[derive(Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: AtomicU64,)*
        }

        impl Counters {
            pub(crate) fn current(&self) -> Stats {
                Stats { $($name: self.$name.load(Ordering::Relaxed),)* }
            }

            /// Returns the counts and resets them.
            fn take(&self) -> Stats {
                Stats { $($name: self.$name.swap(0, Ordering::Relaxed),)* }
            }
        }
    };
}

counters! {
    /// Actions whose result was found, as a whole or in parts.
    hits,
    /// Actions whose result was put together of stored results of functions and new ones.
    partial_hits,
    /// Actions whose result was not found.
    misses,
    /// Results that were stored.
    puts,
    /// Results that could not be stored.
    failed_puts,
    /// Records and contents that were damaged, cut off or unreadable.
    damaged,
    /// Records of a remote level without a valid authentication code.
    rejected,
    /// Results that a remote level had.
    remote_hits,
    /// Requests to a remote level that failed.
    remote_errors,
    /// Functions whose result was found.
    function_hits,
    /// Functions whose result was not found.
    function_misses,
    /// Runs of a tool.
    tool_runs,
    /// Results of parts that were discarded, so that the tool ran on the whole input.
    discarded,
    /// Stored results that a check computed anew and found to be different.
    check_failures,
    /// Bytes that were returned.
    bytes_read,
    /// Bytes that were stored.
    bytes_written,
}

impl Counters {
    pub(crate) fn count(counter: &AtomicU64, by: u64) {
        counter.fetch_add(by, Ordering::Relaxed);
    }

    /// Counts a result that was found as a whole.
    pub(crate) fn count_hit(&self, bytes: u64) {
        Counters::count(&self.hits, 1);
        Counters::count(&self.bytes_read, bytes);
    }

    /// Counts a result, of whose parts some were found.
    pub(crate) fn count_result(&self, hits: u64, misses: u64) {
        let counter = match (hits, misses) {
            (_, 0) => &self.hits,
            (0, _) => &self.misses,
            _ => &self.partial_hits,
        };
        Counters::count(counter, 1);
    }
}

/// The name of the file.
const FILE: &str = "stats";
/// The file is rewritten as one line when it has more bytes.
const MAX_BYTES: u64 = 1 << 20;

impl Store {
    /// Appends the counts of this process, if there are any.
    pub(crate) fn save_stats(&self) {
        let counts = self.stats.take();
        if self.is_read_only() || counts == Stats::default() {
            return;
        }
        // If this fails, only counts are lost.
        let _ = self
            .fs()
            .append(&self.root().join(FILE), line(&counts).as_bytes());
    }

    /// Returns the counts of all processes.
    pub(crate) fn all_stats(&self) -> Stats {
        let mut all = self.stats.current();
        read(self.fs(), &self.root().join(FILE), &mut all);
        all
    }

    /// Replaces many lines by one. Lines that others append meanwhile are lost.
    pub(crate) fn compact_stats(&self) {
        let path = self.root().join(FILE);
        if self.fs().info(&path).is_ok_and(|info| info.len > MAX_BYTES) {
            let mut all = Stats::default();
            read(self.fs(), &path, &mut all);
            let _ = self.publish(&path, &[line(&all).as_bytes()]);
        }
    }
}

fn line(counts: &Stats) -> String {
    let counts = counts.counts().filter(|(_, value)| *value != 0);
    let words: Vec<String> = counts
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{};\n", words.join(" "))
}

/// Adds the lines of a file. Lines without an end were cut off, and are skipped.
fn read(fs: &dyn Fs, path: &Path, all: &mut Stats) {
    let bytes = fs.read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    for line in text.lines().filter_map(|line| line.strip_suffix(';')) {
        for word in line.split(' ') {
            if let Some((name, value)) = word.split_once('=')
                && let Ok(value) = value.parse()
            {
                all.add(name, value);
            }
        }
    }
}
