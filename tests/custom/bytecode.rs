//! The custom form of bytecode: `NAME.mlirbc` is printed as `NAME.mlir` and `NAME.nodebug.mlir`, which
//! the tool that wrote the bytecode printed of the same module.

use super::{context, printed_alike, prints_alike};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir_testing::corpus;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// Paths of texts that differ though they are read and printed as they are, and reasons, a tab between
/// them; `#` starts a comment.
const EXCEPTIONS: &str = include_str!("../custom_bytecode_exceptions.txt");

/// By folder: texts, and how many of them are printed of the bytecode. The others are listed as
/// exceptions, or are not printed alike if they are read as text.
const COUNTS: &[(&str, usize, usize)] = &[];

#[derive(Default)]
struct Totals {
    folders: BTreeMap<String, (usize, usize)>,
    /// Path and what differs, of texts that are printed alike if they are read.
    differ: BTreeMap<String, String>,
}

/// Checks all files. Returns whether the counts and exceptions are those that are expected; `whole` if no
/// files were left out.
pub(super) fn run(root: &Path, filter: &str, whole: bool) -> bool {
    let mut files = corpus::files(root, |name| name.ends_with(".mlirbc"));
    files.retain(|f| f.to_string_lossy().contains(filter));
    let totals = Mutex::new(Totals::default());
    corpus::for_each(&files, |file| check(root, file, &totals));
    report(&totals.into_inner().unwrap(), whole)
}

fn check(root: &Path, file: &Path, totals: &Mutex<Totals>) {
    let name = file.to_string_lossy();
    let stem = name.strip_suffix(".mlirbc").unwrap_or(&name);
    // A module in all versions of the container.
    let stem = match stem.split_once(".bcv") {
        Some((stem, _)) => stem.replace("/bcversions", ""),
        None => stem.to_owned(),
    };
    let bytes = std::fs::read(file).expect("the file can be read");
    for suffix in ["", ".nodebug"] {
        let Ok(text) = std::fs::read(format!("{stem}{suffix}.mlir")) else {
            continue;
        };
        let mut context = context();
        let read = read_module_from_slice(&mut context, &bytes, &ReadOptions::default());
        let result = match read {
            Ok(module) => printed_alike(&context, &module, &text),
            Err(error) => Err(("refused".to_owned(), error.to_string())),
        };
        let differs = result.err().filter(|_| prints_alike(&text).is_ok());
        let mut totals = totals.lock().unwrap();
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
        let folder = path.split('/').next().unwrap_or_default().to_owned();
        let count = totals.folders.entry(folder).or_default();
        count.0 += 1;
        count.1 += usize::from(differs.is_none());
        if let Some((reason, details)) = differs {
            let message = format!("{reason}\n{details}");
            totals.differ.insert(format!("{path}{suffix}"), message);
        }
    }
}

fn report(totals: &Totals, whole: bool) -> bool {
    let exceptions: BTreeMap<&str, &str> = EXCEPTIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut passed = true;
    for (name, message) in &totals.differ {
        if !exceptions.contains_key(name.as_str()) {
            passed = false;
            println!("FAILED {name}: {message}");
        }
    }
    for name in exceptions.keys() {
        if whole && !totals.differ.contains_key(*name) {
            passed = false;
            println!("FAILED {name}: listed as an exception, but alike or gone");
        }
    }
    println!("\n{:<20} {:>7} {:>7}", "bytecode", "prints", "alike");
    for (folder, &(texts, alike)) in &totals.folders {
        println!("{folder:<20} {texts:>7} {alike:>7}");
        let expected = COUNTS.iter().find(|c| c.0 == folder);
        if whole && expected.is_none_or(|&(_, t, a)| (t, a) != (texts, alike)) {
            passed = false;
            println!("FAILED {folder}: expected {expected:?}");
        }
    }
    passed
}
