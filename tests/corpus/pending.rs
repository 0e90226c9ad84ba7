//! Folders of projects whose definitions are incomplete: their failures are counted, and must not
//! increase.

use std::collections::BTreeMap;

/// The prefix of the path, `text` or `bytecode`, and the number of known failures.
const KNOWN: &str = include_str!("../corpus_pending.txt");

/// The failures in these folders.
pub(super) struct Pending {
    kind: &'static str,
    /// The known and the found number of failures, by folder.
    counts: BTreeMap<&'static str, (usize, usize)>,
}

impl Pending {
    /// `kind` is the kind of the files: `text` or `bytecode`.
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

    /// Prints a failure, and returns whether it counts, that is, whether it is outside of these
    /// folders. Failures within them are printed if `RMLIR_SHOW` is set.
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

    /// Prints the counts, and returns whether there are no more failures than known.
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
