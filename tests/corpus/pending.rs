//! Folders of projects whose definitions are not complete yet: their failures are counted, and may
//! not become more.

use std::collections::BTreeMap;

/// Prefix of the path, `text` or `bytecode`, and the number of failures that are known.
const KNOWN: &str = include_str!("../corpus_pending.txt");

/// The failures in these folders.
pub(super) struct Pending {
    kind: &'static str,
    /// By folder: how many are known, how many were found.
    counts: BTreeMap<&'static str, (usize, usize)>,
}

impl Pending {
    /// `kind` is that of the files: `text` or `bytecode`.
    pub(super) fn new(kind: &'static str) -> Self {
        let rows = KNOWN.lines().filter(|line| !line.starts_with('#'));
        let rows = rows.filter_map(|row| {
            let [folder, of, known] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("malformed row: {row}");
            };
            (of == kind).then(|| (folder, (known.parse().unwrap(), 0)))
        });
        Pending {
            kind,
            counts: rows.collect(),
        }
    }

    /// Prints a failure, and returns whether it is one that counts: outside of these folders. Those
    /// in them are printed if `RMLIR_SHOW` is set.
    pub(super) fn fails(&mut self, name: &str, message: &str) -> bool {
        let mut folders = self.counts.iter_mut();
        match folders.find(|(folder, _)| name.starts_with(**folder)) {
            Some((_, (_, found))) => {
                *found += 1;
                if std::env::var_os("RMLIR_SHOW").is_some() {
                    println!("PENDING {name}: {message}");
                }
                false
            }
            None => {
                println!("FAILED {name}: {message}");
                true
            }
        }
    }

    /// Prints the counts, and returns whether there are no more failures than are known.
    pub(super) fn finish(&self) -> bool {
        let mut passed = true;
        for (folder, (known, found)) in &self.counts {
            println!(
                "pending: {folder} {}: {found} failures, {known} known",
                self.kind
            );
            if found > known {
                println!("FAILED {folder}: more failures than tests/corpus_pending.txt has");
                passed = false;
            }
        }
        passed
    }
}
