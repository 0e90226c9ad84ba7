//! Tests upstream's bytecode in the corpus: each file is read and printed, and compared with the
//! text that the tool which wrote it prints for it, locations included. If the texts differ, as
//! they do if a dialect's alias names are unknown here, the content of the text must equal that of
//! the bytecode.

use super::entries::{self, Counts};
use super::pending::Pending;
use super::written::{self, Written};
use super::{alike, context, first_difference, lazy};
use rmlir::ir::{EqualityOptions, semantic_difference};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::{corpus, module_to_string};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Lines of a path and a reason, separated by a tab; `#` starts a comment.
const EXCEPTIONS: &str = include_str!("../mlirbc_exceptions.txt");

/// Files that are not written back to the same bytes, in the same format.
const REWRITTEN: &str = include_str!("../mlirbc_rewritten.txt");

#[derive(Default)]
struct Count {
    files: usize,
    /// The number of files that are read, with an identical text if there is one.
    identical: usize,
    /// Of the others: files whose text differs, but not the content.
    equal: usize,
    /// Files that are written back to the same bytes.
    same_bytes: usize,
    /// Of the others: files that are written back to the same content.
    same_content: usize,
}

#[derive(Default)]
struct Totals {
    folders: BTreeMap<String, Count>,
    /// The path and the failure.
    failed: BTreeMap<String, String>,
    /// The numbers of round-tripped entries, and by path the entries that the round-trip changed.
    entries: Counts,
    changed: BTreeMap<String, String>,
    /// Files that are not written back to the same bytes, and why.
    rewritten: BTreeMap<String, String>,
    /// The counts of lazily read files.
    lazy: lazy::Counts,
}

/// Returns whether a file is bytecode.
pub(super) fn is_bytecode(path: &str) -> bool {
    path.ends_with(".mlirbc") || path.ends_with(".mlir.bc")
}

/// Returns the text of a bytecode file; `None` for older targets of an export, for which no text
/// exists.
fn text_of(path: &str) -> Option<PathBuf> {
    let text = if let Some(stem) = path.strip_suffix(".mlir.bc") {
        format!("{stem}.mlir.bc.vhlo.loc.generic.mlir")
    } else {
        let stem = path.strip_suffix(".mlirbc")?;
        match stem.split_once(".bcv") {
            // One module in all versions of the container.
            Some((stem, _)) => format!("{}.loc.generic.mlir", stem.replace("/bcversions", "")),
            None => format!("{stem}.loc.generic.mlir"),
        }
    };
    Some(PathBuf::from(text)).filter(|text| text.exists())
}

/// Checks all files; returns whether all expectations are met. `whole` if no files were filtered
/// out.
pub(super) fn run(root: &Path, files: &[PathBuf], whole: bool) -> bool {
    let totals = Mutex::new(Totals::default());
    corpus::for_each(files, |file| check(root, file, &totals));
    let totals = totals.into_inner().unwrap();
    let refused = crashers(&root.join("../reference/mlirbc/crashers"));
    report(&totals, whole) && refused
}

/// Checks that files which crash or hang upstream's reader are rejected. A file that is only deeply
/// nested is a valid module.
fn crashers(root: &Path) -> bool {
    let mut passed = true;
    let mut count = 0;
    for folder in [root.to_owned(), root.join("hand_made")] {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        let paths = entries.flatten().map(|entry| entry.path());
        for path in paths.filter(|path| is_bytecode(&path.to_string_lossy())) {
            let bytes = std::fs::read(&path).expect("the file can be read");
            let read = read_module_from_slice(&mut context(""), &bytes, &ReadOptions::default());
            let is_deep = path.to_string_lossy().contains("nested");
            let good = match &read {
                Ok(_) => is_deep,
                Err(error) => !is_deep && error.offset().is_some() && error.section().is_some(),
            };
            if !good {
                passed = false;
                println!("FAILED {}: {:?}", path.display(), read.err());
            }
            count += 1;
        }
    }
    println!("{count} crashers");
    passed
}

fn check(root: &Path, file: &Path, totals: &Mutex<Totals>) {
    let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
    let mut counts = Ok(Counts::new());
    let mut written = None;
    let mut symbols = Ok(lazy::Counts::default());
    let result = compare((file, &name), &mut counts, &mut written, &mut symbols);
    let mut totals = totals.lock().unwrap();
    match symbols {
        Ok(symbols) => {
            totals.lazy.symbols += symbols.symbols;
            totals.lazy.units += symbols.units;
            totals.lazy.read += symbols.read;
            for (total, copied) in totals.lazy.copied.iter_mut().zip(symbols.copied) {
                *total += copied;
            }
        }
        Err(message) => {
            let message = format!("in parts: {message}");
            totals.changed.insert(name.clone().into_owned(), message);
        }
    }
    match counts {
        Ok(counts) => counts
            .into_iter()
            .for_each(|(what, count)| *totals.entries.entry(what).or_default() += count),
        Err(message) => drop(totals.changed.insert(name.clone().into_owned(), message)),
    }
    let mut parts = name.split('/');
    let mut folder = parts.next().unwrap_or_default().to_owned();
    // Parts of `jax` and `stablehlo` are counted separately.
    if let Some(second) = parts.next()
        && parts.next().is_some()
        && !matches!(folder.as_str(), "upstream" | "iree")
    {
        folder = format!("{folder}/{second}");
    }
    let totals = &mut *totals;
    let count = totals.folders.entry(folder).or_default();
    count.files += 1;
    let mut differs = None;
    match written {
        Some(Ok(Written::Identical)) => count.same_bytes += 1,
        Some(Ok(Written::Equal(section))) => {
            count.same_content += 1;
            differs = Some(section);
        }
        Some(Err(message)) => {
            let message = format!("written back: {message}");
            totals.changed.insert(name.clone().into_owned(), message);
        }
        None => {}
    }
    match result {
        Ok(Outcome::Identical) => count.identical += 1,
        Ok(Outcome::Equal) => count.equal += 1,
        Err(message) => drop(totals.failed.insert(name.clone().into_owned(), message)),
    }
    if let Some(message) = differs {
        totals.rewritten.insert(name.into_owned(), message);
    }
}

enum Outcome {
    Identical,
    Equal,
}

/// Reads and prints a file, and compares the text with the one beside it, if there is one.
fn compare(
    (file, name): (&Path, &str),
    counts: &mut Result<Counts, String>,
    written: &mut Option<Result<Written, String>>,
    symbols: &mut Result<lazy::Counts, String>,
) -> Result<Outcome, String> {
    let bytes = std::fs::read(file).expect("the file can be read");
    let mut context = context(name);
    let module = read_module_from_slice(&mut context, &bytes, &ReadOptions::default())
        .map_err(|error| format!("refused: {error}"))?;
    *counts = entries::check(&mut context, &module);
    *symbols = lazy::check(&bytes, &context, &module);
    *written = Some(written::check(&mut context, &module, &bytes));
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let mut printed = module_to_string(&context, &module, &options).map_err(|e| e.to_string())?;
    let Some(text) = text_of(&file.to_string_lossy()) else {
        return Ok(Outcome::Identical);
    };
    let text = std::fs::read(text).expect("the file can be read");
    if text.ends_with(b"\n\n") {
        printed.push(b'\n');
    }
    let Some(difference) = first_difference(&printed, &text) else {
        return Ok(Outcome::Identical);
    };
    let mut other = alike(&context);
    let parsed = parse_module(&mut other, &text, &ParseOptions::for_file("text"))
        .map_err(|error| format!("the text is refused: {error}"))?;
    let equality = EqualityOptions { locations: true };
    match semantic_difference((&other, &parsed), (&context, &module), &equality) {
        None => Ok(Outcome::Equal),
        Some(content) => Err(format!(
            "the text differs at {difference}\n    content: {content}"
        )),
    }
}

/// Parses lines of paths and reasons.
fn listed(table: &'static str) -> BTreeMap<&'static str, &'static str> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect()
}

fn report(totals: &Totals, whole: bool) -> bool {
    let exceptions: BTreeMap<&str, &str> = listed(EXCEPTIONS);
    let mut passed = true;
    let mut pending = Pending::new("bytecode");
    for (name, message) in &totals.changed {
        passed &= !pending.fails(name, message);
    }
    for (what, count) in &totals.entries {
        println!("{what:<44} {count:>8} taken apart and put together");
    }
    let listed: BTreeMap<&str, &str> = listed(REWRITTEN);
    for (name, message) in &totals.rewritten {
        if !listed.contains_key(name.as_str()) {
            passed &= !pending.fails(name, &format!("written back, it differs: {message}"));
        }
    }
    for name in listed.keys() {
        if whole && !totals.rewritten.contains_key(*name) {
            passed = false;
            println!("FAILED {name}: listed as one that is written differently, but is not");
        }
    }
    for (name, message) in &totals.failed {
        if !exceptions.contains_key(name.as_str()) {
            passed &= !pending.fails(name, message);
        }
    }
    passed &= pending.finish();
    for name in exceptions.keys() {
        if whole && !totals.failed.contains_key(*name) {
            passed = false;
            println!("FAILED {name}: listed as an exception, but identical or gone");
        }
    }
    println!(
        "{} symbols, {} of them units; {} were read alone",
        totals.lazy.symbols, totals.lazy.units, totals.lazy.read
    );
    let [copied, refused] = totals.lazy.copied;
    println!("copied undecoded: {copied} choices of symbols, {refused} can't be cut out");
    println!(
        "\n{:<20} {:>7} {:>10} {:>10} {:>9} {:>10} {:>10} {:>9}",
        "mlirbc", "files", "identical", "same", "read", "same bytes", "same", "bytes"
    );
    for (name, count) in &totals.folders {
        let read = count.identical + count.equal;
        let share = 100.0 * read as f64 / count.files.max(1) as f64;
        println!(
            "{name:<20} {:>7} {:>10} {:>10} {share:>8.2}% {:>10} {:>10} {:>8.2}%",
            count.files,
            count.identical,
            count.equal,
            count.same_bytes,
            count.same_content,
            100.0 * count.same_bytes as f64 / count.files.max(1) as f64
        );
    }
    println!("{} files are listed as exceptions.", exceptions.len());
    passed
}
