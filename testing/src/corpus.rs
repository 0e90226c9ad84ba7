//! The corpus: files of other tools with the results of upstream's tools on them. It is not part of
//! the repository.

use rmlir_ir::{Context, DialectDefinition, DialectSource};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the folder of the corpus: `RMLIR_CORPUS`, or `../shared/corpus` beside the repository.
/// If there is none, prints to standard output that the suite is skipped.
#[allow(clippy::print_stdout)]
pub fn root() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let root = std::env::var_os("RMLIR_CORPUS").map_or_else(beside, PathBuf::from);
    if root.is_dir() {
        return Some(root);
    }
    println!("SKIPPED: no corpus at {}", root.display());
    None
}

/// Returns the text that paths must contain to be tested, `RMLIR_CORPUS_FILTER`; empty for all.
pub fn filter() -> String {
    std::env::var("RMLIR_CORPUS_FILTER").unwrap_or_default()
}

/// Returns the files of a folder and its subfolders whose names are `wanted`, sorted by path.
/// Unreadable folders are skipped.
pub fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if wanted(&entry.file_name().to_string_lossy()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Calls `check` for each item, on all processors.
pub fn for_each<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(item);
                }
            });
        }
    });
}

/// By folder: the dialects that rmlir defines and that the folder's tool does not know. That tool
/// prints operations of these in generic form, and their attributes as they were written.
const UNKNOWN: &[(&str, &[&str])] = &[
    ("circt/", &["axi4", "interop", "moore", "probe"]),
    // IREE's `check`, not StableHLO's dialect of the same name.
    ("stablehlo/", &["check", "interpreter", "sparse_tensor"]),
];

/// Removes the dialects from a context that the tool does not know which printed a file with this
/// path, relative to the corpus.
pub fn limit_dialects(context: &mut Context, path: &str) {
    let unknown = UNKNOWN.iter().find(|(folder, _)| path.starts_with(folder));
    if let (Some(&(_, unknown)), Some(source)) = (unknown, context.dialect_source()) {
        let source = Arc::clone(source);
        context.set_dialect_source(Arc::new(Without { source, unknown }));
    }
}

/// The dialects of a source without some of them.
struct Without {
    source: Arc<dyn DialectSource>,
    unknown: &'static [&'static str],
}

impl DialectSource for Without {
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let is_unknown = self.unknown.iter().any(|name| name.as_bytes() == namespace);
        (!is_unknown)
            .then(|| self.source.dialect(namespace))
            .flatten()
    }

    fn namespaces(&self) -> Vec<Cow<'static, str>> {
        let mut names = self.source.namespaces();
        names.retain(|name| !self.unknown.contains(&&**name));
        names
    }
}
