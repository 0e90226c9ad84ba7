//! Tests the custom form by project: the share of texts that are read with the right content, and
//! that are printed identically; of the texts of the project's tool, only those that this tool
//! itself reads back with the same content, as the index of the corpus states.
//!
//! `RMLIR_CUSTOM_FAILURES` names a file to which each failure is written.

use super::Failure;
use rmlir_testing::corpus;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Lines of the prefix of paths, the minimum number of texts that are read with the right content,
/// of those printed identically, and of sources that are read with the right content, separated by
/// tabs; `#` starts a comment. The first prefix of a path counts.
const FLOOR: &str = include_str!("../custom_projects.txt");

/// The results of a text: whether its content is the right one, and whether it prints identically.
pub(super) type Results<'a> = (&'a Result<(), Failure>, &'a Result<(), Failure>);

#[derive(Default, Clone, Copy)]
struct Count {
    texts: usize,
    right: usize,
    identical: usize,
    sources: usize,
    equal: usize,
}

pub(super) struct Projects {
    /// The names of cases that the project's own tool does not read back, by the corpus's folder.
    lossy: BTreeSet<String>,
    counts: BTreeMap<&'static str, Count>,
    failures: String,
}

impl Projects {
    pub(super) fn new(root: &Path) -> Self {
        let mut lossy = BTreeSet::new();
        for index in corpus::files(root, |name| name.ends_with(".jsonl")) {
            let text = std::fs::read_to_string(&index).unwrap_or_default();
            let rows = text.lines();
            for row in rows.filter(|row| row.contains("\"text_roundtrip\":false")) {
                let name = row.split("\"name\":\"").nth(1);
                let name = name.and_then(|rest| rest.split('"').next());
                lossy.extend(name.map(str::to_owned));
            }
        }
        Projects {
            lossy,
            counts: BTreeMap::new(),
            failures: String::new(),
        }
    }

    /// Counts a case with this path, relative to the corpus.
    pub(super) fn add(
        &mut self,
        path: &str,
        text: Option<Results<'_>>,
        source: Option<&Result<(), Failure>>,
    ) {
        let Some((project, _)) = floors().find(|(project, _)| path.starts_with(project)) else {
            return;
        };
        let count = self.counts.entry(project).or_default();
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.strip_suffix(".generic.mlir").unwrap_or(name);
        let mut failed = |what: &str, result: &Result<(), Failure>| {
            if let Err((reason, details)) = result {
                let details = details.replace('\n', " | ");
                let _ = writeln!(self.failures, "{what}\t{path}\t{reason}\t{details}");
            }
        };
        if let Some((right, identical)) = text
            && !self.lossy.contains(name)
        {
            count.texts += 1;
            count.right += usize::from(right.is_ok());
            count.identical += usize::from(identical.is_ok());
            failed("read", right);
            failed("print", identical);
        }
        if let Some(result) = source {
            count.sources += 1;
            count.equal += usize::from(result.is_ok());
            failed("source", result);
        }
    }

    /// Prints the shares and returns whether none is below its floor.
    pub(super) fn report(&self, whole: bool) -> bool {
        if let Some(path) = std::env::var_os("RMLIR_CUSTOM_FAILURES") {
            std::fs::write(path, &self.failures).unwrap();
        }
        println!(
            "\n{:<14} {:>6} {:>6} {:>8} {:>6} {:>8} {:>8} {:>6} {:>8}",
            "project", "texts", "right", "", "alike", "", "sources", "same", ""
        );
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let mut passed = true;
        for (project, floor) in floors() {
            let c = self.counts.get(project).copied().unwrap_or_default();
            println!(
                "{project:<14} {:>6} {:>6} {:>7.2}% {:>6} {:>7.2}% {:>8} {:>6} {:>7.2}%",
                c.texts,
                c.right,
                share(c.right, c.texts),
                c.identical,
                share(c.identical, c.texts),
                c.sources,
                c.equal,
                share(c.equal, c.sources)
            );
            let found = [c.right, c.identical, c.equal];
            if whole && found.iter().zip(&floor).any(|(found, floor)| found < floor) {
                passed = false;
                println!("FAILED {project}: {found:?}; there were {floor:?}");
            }
        }
        passed
    }
}

/// Returns the rows of [`FLOOR`].
fn floors() -> impl Iterator<Item = (&'static str, [usize; 3])> {
    let rows = FLOOR.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let mut fields = row.split('\t');
        let project = fields.next().unwrap_or_default();
        (
            project,
            [(); 3].map(|()| fields.next().and_then(|n| n.parse().ok()).unwrap()),
        )
    })
}
