//! Tests the corpus of real files: each is parsed, verified, printed and compared byte for byte,
//! then stored as bytecode, read back, compared in content (locations included) and printed again.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. It is in
//! `RMLIR_CORPUS`, else in `../shared/corpus`. `RMLIR_CORPUS_FILTER` selects only paths that
//! contain it. It runs in release builds.
//!
//! Files whose text differs from upstream's are listed in `corpus_exceptions.txt` with the reason.
//! The suite fails on any other difference, on a listed file that is identical after all, and if
//! the bytecode loses anything.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

#[path = "corpus/entries.rs"]
mod entries;
#[path = "corpus/lazy.rs"]
mod lazy;
#[path = "corpus/mlirbc.rs"]
mod mlirbc;
#[path = "corpus/pending.rs"]
mod pending;
#[path = "corpus/written.rs"]
mod written;

use pending::Pending;
use rmlir::ir::{Context, EqualityOptions, Module, VerifyOptions, semantic_difference, verify};
use rmlir::reader::rmbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, message_to_string, parse_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::{corpus, module_to_string};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Lines of a path and a reason, separated by a tab; `#` starts a comment.
const EXCEPTIONS: &str = include_str!("corpus_exceptions.txt");

/// The minimum number of upstream's texts that are written as upstream's bytecode with the bytes of
/// `mlir-opt`. The other texts have registered operations whose definitions are unknown, or
/// attributes nested in the text of another that are spelled differently.
const LEAST_WRITTEN: usize = 6_750;

#[derive(Default, Clone, Copy)]
struct Count {
    files: usize,
    identical: usize,
}

#[derive(Default)]
struct Totals {
    folders: BTreeMap<String, Count>,
    dialects: BTreeMap<String, Count>,
    /// The path and the difference.
    differ: BTreeMap<String, String>,
    /// The path and a more serious failure: rejected, or changed by the bytecode.
    broken: BTreeMap<String, String>,
    /// The number of texts that were written as upstream's bytecode with the bytes of `mlir-opt`,
    /// and the others.
    written: usize,
    not_written: BTreeMap<String, String>,
}

fn main() {
    if !rmlir_testing::is_optimised("cargo test --release --test corpus") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let filter = corpus::filter();
    let wanted = |name: &str| name.ends_with(".generic.mlir") || mlirbc::is_bytecode(name);
    let mut files = corpus::files(&root, wanted);
    files.retain(|f| f.to_string_lossy().contains(&filter));

    let (bytecode, files): (Vec<PathBuf>, Vec<PathBuf>) = files
        .into_iter()
        .partition(|f| mlirbc::is_bytecode(&f.to_string_lossy()));
    let whole = filter.is_empty();
    let bytecode_passed = mlirbc::run(&root, &bytecode, whole);

    let totals = Mutex::new(Totals::default());
    corpus::for_each(&files, |file| check(&root, file, &totals));
    let totals = totals.into_inner().unwrap();
    let passed = report(&totals, whole) && bytecode_passed;
    println!(
        "{} passed, {} failed",
        files.len() - totals.broken.len(),
        totals.broken.len()
    );
    assert!(passed, "the corpus suite failed");
}

fn row(name: &str, count: &Count) {
    let share = 100.0 * count.identical as f64 / count.files.max(1) as f64;
    println!(
        "{name:<20} {:>7} {:>10} {share:>7.2}%",
        count.files, count.identical
    );
}

/// Returns a context with the dialects of the tool that made a file, given by its path in the
/// corpus.
fn context(path: &str) -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    corpus::limit_dialects(&mut context, path);
    context
}

/// Returns an empty context with the same dialects.
fn alike(context: &Context) -> Context {
    let mut other = Context::new();
    if let Some(source) = context.dialect_source() {
        other.set_dialect_source(Arc::clone(source));
    }
    other
}

fn check(root: &Path, file: &Path, totals: &Mutex<Totals>) {
    let name = file
        .strip_prefix(root)
        .unwrap_or(file)
        .to_string_lossy()
        .into_owned();
    let text = std::fs::read(file).expect("the file can be read");
    let mut context = context(&name);
    let module = match parse_module(&mut context, &text, &ParseOptions::for_file(name.as_str())) {
        Ok(module) => module,
        Err(error) => {
            totals
                .lock()
                .unwrap()
                .broken
                .insert(name, format!("refused: {error}"));
            return;
        }
    };
    let good = verify(&context, &module, module.top(), &VerifyOptions::default());
    if let Err(errors) = good {
        let message = message_to_string(&context, &module, &errors[0].message);
        let mut totals = totals.lock().unwrap();
        totals
            .broken
            .insert(name, format!("does not verify: {message}"));
        return;
    }
    let mut options = PrintOptions::generic();
    options.debug_info = name.ends_with(".loc.generic.mlir");
    let mut printed = module_to_string(&context, &module, &options).unwrap();
    // `mlir-opt` ends its output with an empty line, the tools of JAX and StableHLO do not.
    if text.ends_with(b"\n\n") {
        printed.push(b'\n');
    }
    let difference = first_difference(&printed, &text);
    let broken = through_bytecode(
        &context,
        &module,
        &options,
        &printed,
        text.ends_with(b"\n\n"),
    );

    let written = name
        .strip_suffix(".loc.generic.mlir")
        .filter(|stem| stem.starts_with("upstream/"))
        .map(|stem| {
            written::from_text(&mut context, &module, &root.join(format!("{stem}.mlirbc")))
        });

    let mut totals = totals.lock().unwrap();
    match written {
        None => {}
        Some(Ok(())) => totals.written += 1,
        Some(Err(message)) => drop(totals.not_written.insert(name.clone(), message)),
    }
    let identical = usize::from(difference.is_none());
    let count = |map: &mut BTreeMap<String, Count>, key: &str| {
        let count = map.entry(key.to_owned()).or_default();
        count.files += 1;
        count.identical += identical;
    };
    count(
        &mut totals.folders,
        name.split('/').next().unwrap_or_default(),
    );
    for dialect in dialects(&context, &module) {
        count(&mut totals.dialects, &dialect);
    }
    if let Some(difference) = difference {
        totals.differ.insert(name.clone(), difference);
    }
    if let Err(message) = broken {
        totals.broken.insert(name, message);
    }
}

/// Returns the dialects of a module's operations.
fn dialects(context: &Context, module: &Module) -> BTreeSet<String> {
    module
        .descendants(module.top())
        .map(|op| context.operation_dialect(module.name(op)))
        .map(|dialect| context.str(dialect).into_owned())
        .collect()
}

/// Round-trips a module through bytecode: the content, the text and the bytes must be the same.
fn through_bytecode(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
    printed: &[u8],
    empty_line: bool,
) -> Result<(), String> {
    let write = |context: &Context, module: &Module| {
        write_module(context, module, &WriteOptions::default()).map_err(|e| e.to_string())
    };
    let bytes = write(context, module)?;
    let mut other = alike(context);
    let read = read_module_from_slice(&mut other, &bytes, &ReadOptions::default())
        .map_err(|e| format!("bytecode: {e}"))?;
    let equality = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference((context, module), (&other, &read), &equality) {
        return Err(format!("content differs behind bytecode: {difference}"));
    }
    let mut again = module_to_string(&other, &read, options).unwrap();
    if empty_line {
        again.push(b'\n');
    }
    if let Some(difference) = first_difference(&again, printed) {
        return Err(format!("text differs behind bytecode: {difference}"));
    }
    if write(&other, &read)? != bytes {
        return Err("the bytecode of what was read differs".to_owned());
    }
    Ok(())
}

fn first_difference(ours: &[u8], theirs: &[u8]) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let lines = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text);
        text.lines().map(str::to_owned).collect()
    };
    let (ours, theirs) = (lines(ours), lines(theirs));
    let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let shown = |line: Option<&String>| {
        line.map_or("<end>".to_owned(), |line| line.chars().take(160).collect())
    };
    let (ours, theirs) = (shown(ours.get(same)), shown(theirs.get(same)));
    Some(format!(
        "line {}\n    ours   {ours}\n    theirs {theirs}",
        same + 1
    ))
}

/// Prints the counts and returns whether all expectations are met.
fn report(totals: &Totals, whole: bool) -> bool {
    let mut passed = true;
    if whole && totals.written < LEAST_WRITTEN {
        passed = false;
        for (name, message) in &totals.not_written {
            println!("FAILED {name}: as upstream's bytecode it differs: {message}");
        }
    }
    println!(
        "{} of {} texts written as upstream's bytecode with the same bytes",
        totals.written,
        totals.written + totals.not_written.len()
    );
    let exceptions: BTreeMap<&str, &str> = EXCEPTIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut pending = Pending::new("text");
    for (name, message) in &totals.broken {
        passed &= !pending.fails(name, message);
    }
    for (name, message) in &totals.differ {
        if !exceptions.contains_key(name.as_str()) {
            passed &= !pending.fails(name, &format!("the text differs at {message}"));
        }
    }
    passed &= pending.finish();
    for name in exceptions.keys() {
        if whole && !totals.differ.contains_key(*name) {
            passed = false;
            println!("FAILED {name}: listed as an exception, but identical or gone");
        }
    }
    println!(
        "\n{:<20} {:>7} {:>10} {:>8}",
        "folder", "files", "identical", ""
    );
    totals
        .folders
        .iter()
        .for_each(|(name, count)| row(name, count));
    println!("\n{:<20} {:>7} {:>10}", "dialect", "files", "identical");
    totals
        .dialects
        .iter()
        .for_each(|(name, count)| row(name, count));
    println!("\n{} files are listed as exceptions.", exceptions.len());
    passed
}
