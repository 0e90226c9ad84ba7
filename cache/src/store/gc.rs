//! The garbage collector: removes what was not used for long, and merges packs.

use super::{Store, named};
use crate::Digest;
use crate::fs::FileInfo;
use crate::record::Record;
use rmlir::ir::sort::CompactSort as _;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How long each file is kept at least: builds that run may still need it.
const MIN_AGE: Duration = Duration::from_secs(3600);
/// Temporary files of this age were left by processes that are gone.
const TEMPORARY_AGE: Duration = Duration::from_secs(3600);

/// The file whose time is that of the last collection.
const STAMP: &str = "gc";

/// Options of [`Cache::gc`](crate::Cache::gc).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GcOptions {
    /// The number of bytes that the cache should have at most. Default: 10 GiB.
    pub max_bytes: u64,
    /// Entries that were not used for this time are removed. Default: 90 days.
    pub max_age: Duration,
    /// Merge packs if a stage has more of them. Default: 32.
    pub max_packs: usize,
}

impl Default for GcOptions {
    fn default() -> Self {
        GcOptions {
            max_bytes: 10 << 30,
            max_age: Duration::from_secs(90 * 24 * 3600),
            max_packs: 32,
        }
    }
}

/// The changes made by [`Cache::gc`](crate::Cache::gc).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GcReport {
    /// The number of files before.
    pub files_before: u64,
    /// The number of bytes before.
    pub bytes_before: u64,
    /// The number of files that were removed.
    pub files_removed: u64,
    /// The number of bytes that were removed.
    pub bytes_removed: u64,
    /// The number of packs that were merged into others.
    pub packs_merged: u64,
}

/// A thing that is removed as a whole: a record, with contents that only it refers to, or a pack.
struct Candidate {
    file: FileInfo,
    contents: Vec<Digest>,
}

impl Store {
    /// Removes entries. Several processes may do so at once, and others may read and write.
    pub(crate) fn gc(&self, options: &GcOptions) -> GcReport {
        let mut report = GcReport::default();
        if !self.is_cache() || self.is_read_only() {
            return report;
        }
        let stamp = self.root().join(STAMP);
        let _ = self.publish(&stamp, &[]);
        self.merge_packs(options.max_packs, &mut report);
        let now = self.now();
        let age = |file: &FileInfo| now.duration_since(file.modified).unwrap_or_default();
        for file in self.files("tmp") {
            if age(&file) > TEMPORARY_AGE {
                self.remove(&file, &mut report);
            }
        }
        let mut contents: HashMap<Digest, FileInfo> = HashMap::new();
        for file in self.files("cas") {
            if let Some(digest) = named(&file.path) {
                contents.insert(digest, file);
            }
        }
        let mut users: HashMap<Digest, usize> = HashMap::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        for file in self.files("ac") {
            let record = self.read(&file.path).ok();
            let record = record.and_then(|bytes| Record::parse(&bytes));
            let outputs = record.map(|record| record.outputs).unwrap_or_default();
            let digests: HashSet<Digest> = outputs.into_iter().map(|one| one.digest).collect();
            let mut digests: Vec<Digest> = digests.into_iter().collect();
            digests.sort_unstable();
            for digest in &digests {
                *users.entry(*digest).or_default() += 1;
            }
            candidates.push(Candidate {
                file,
                contents: digests,
            });
        }
        for folder in [
            "packs", "state", "units", "memo", "down", "http-ac", "http-cas",
        ] {
            candidates.extend(self.files(folder).into_iter().map(|file| Candidate {
                file,
                contents: Vec::new(),
            }));
        }
        let all = contents
            .values()
            .chain(candidates.iter().map(|one| &one.file));
        let (files, bytes) = all.fold((0u64, 0u64), |(files, bytes), file| {
            (files + 1, bytes.saturating_add(file.len))
        });
        (report.files_before, report.bytes_before) = (files, bytes);
        // A clock that was wrong made these: they would never get old.
        let known = candidates.iter().map(|one| &one.file);
        for file in known.chain(contents.values()) {
            if file.modified > now.checked_add(MIN_AGE).unwrap_or(now) {
                self.touch(&file.path);
            }
        }
        let mut left = bytes;
        candidates.compact_sort_by_key(|one| one.file.modified);
        for candidate in candidates {
            let is_old = age(&candidate.file) > options.max_age;
            if age(&candidate.file) < MIN_AGE || (!is_old && left <= options.max_bytes) {
                continue;
            }
            // The record first: a record without its contents is a miss, but a useless one.
            left = left.saturating_sub(self.remove(&candidate.file, &mut report));
            for digest in candidate.contents {
                let users = users.entry(digest).or_default();
                *users = users.saturating_sub(1);
                if *users == 0
                    && let Some(file) = contents.remove(&digest)
                {
                    left = left.saturating_sub(self.remove_old(&file, &mut report));
                }
            }
        }
        // Contents that no record refers to: their writer was killed, or the record replaced.
        let mut unused: Vec<(Digest, FileInfo)> = contents.into_iter().collect();
        unused.compact_sort_by_key(|(digest, _)| *digest);
        for (digest, file) in unused {
            if !users.contains_key(&digest) {
                self.remove_old(&file, &mut report);
            }
        }
        self.compact_stats();
        report
    }

    /// Returns whether garbage was not collected for a time. The first time is when a cache has
    /// that age.
    pub(crate) fn is_gc_due(&self, interval: Duration) -> bool {
        let stamp = self.root().join(STAMP);
        if self.is_read_only() {
            return false;
        }
        let Ok(info) = self.fs().info(&stamp) else {
            let _ = self.publish(&stamp, &[]);
            return false;
        };
        let age = SystemTime::now().duration_since(info.modified);
        age.unwrap_or_default() > interval
    }

    /// Removes a file unless it is new, which is looked up again: a writer may have found it and
    /// touched it since it was listed.
    fn remove_old(&self, file: &FileInfo, report: &mut GcReport) -> u64 {
        let now = self.now();
        match self.fs().info(&file.path) {
            Ok(info) if now.duration_since(info.modified).unwrap_or_default() >= MIN_AGE => {
                self.remove(&info, report)
            }
            _ => 0,
        }
    }

    fn remove(&self, file: &FileInfo, report: &mut GcReport) -> u64 {
        if self.fs().remove(&file.path).is_err() {
            return 0;
        }
        report.files_removed += 1;
        report.bytes_removed = report.bytes_removed.saturating_add(file.len);
        file.len
    }

    /// Merges the packs of each stage that has too many.
    fn merge_packs(&self, max_packs: usize, report: &mut GcReport) {
        let mut folders: Vec<PathBuf> = Vec::new();
        for info in self
            .fs()
            .list(&self.root().join("packs"))
            .unwrap_or_default()
        {
            if info.is_directory {
                folders.push(info.path);
            }
        }
        for folder in folders {
            report.packs_merged += self.merge_packs_in(&folder, max_packs);
        }
    }
}
