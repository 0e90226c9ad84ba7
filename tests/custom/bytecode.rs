//! Tests the custom form of bytecode: `NAME.mlirbc` must print as `NAME.mlir` and
//! `NAME.nodebug.mlir`, which the tool that wrote the bytecode printed for the same module.
//! Bytecode does not store alias names: if a dialect's definition does not provide them, the texts
//! without aliases are compared.

use super::{context, printed_alike, prints_alike};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::{corpus, module_to_string};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Lines of the path of a text that differs although it parses and prints identically, and a
/// reason, separated by a tab; `#` starts a comment.
const EXCEPTIONS: &str = include_str!("../custom_bytecode_exceptions.txt");

/// By folder: the minimum number of texts that print identically, and that do so except for
/// aliases. The others are listed as exceptions, or do not print identically when parsed either.
const FLOOR: &[(&str, [usize; 2])] = &[
    ("iree", [2_967, 1_159]),
    ("jax", [178, 0]),
    ("stablehlo", [1_884, 0]),
    ("upstream", [6_062, 1]),
];

#[derive(Default)]
struct Totals {
    folders: BTreeMap<String, [usize; 3]>,
    /// The path and the difference, of texts that print identically when parsed.
    differ: BTreeMap<String, String>,
}

/// Checks all files. Returns whether the counts and exceptions are as expected; `whole` if no files
/// were filtered out.
pub(super) fn run(root: &Path, filter: &str, whole: bool) -> bool {
    let folders = ["upstream", "jax", "stablehlo", "iree"].map(|folder| root.join(folder));
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| corpus::files(folder, |name| name.ends_with(".mlirbc")))
        .collect();
    files.retain(|f| f.to_string_lossy().contains(filter));
    let totals = Mutex::new(Totals::default());
    corpus::for_each(&files, |file| check(root, file, &totals));
    report(&totals.into_inner().unwrap(), whole)
}

fn check(root: &Path, file: &Path, totals: &Mutex<Totals>) {
    let name = file.to_string_lossy();
    let stem = name.strip_suffix(".mlirbc").unwrap_or(&name);
    // One module in all versions of the container.
    let stem = match stem.split_once(".bcv") {
        Some((stem, _)) => stem.replace("/bcversions", ""),
        None => stem.to_owned(),
    };
    let bytes = std::fs::read(file).expect("the file can be read");
    let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
    for suffix in ["", ".nodebug"] {
        let Ok(text) = std::fs::read(format!("{stem}{suffix}.mlir")) else {
            continue;
        };
        let mut context = context(&path);
        let read = read_module_from_slice(&mut context, &bytes, &ReadOptions::default());
        let result = match read {
            Ok(module) => printed_alike(&context, &module, &text),
            Err(_) => Err(Default::default()),
        };
        let is_known = || prints_alike(&path, &text).is_ok();
        let outcome = match result {
            Ok(()) => Outcome::Alike,
            Err(_) if !is_known() => Outcome::Unknown,
            Err(_) => match difference_without_aliases(&path, (&bytes, &text)) {
                None => Outcome::OtherAliases,
                Some(difference) => Outcome::Differs(difference),
            },
        };
        let mut totals = totals.lock().unwrap();
        let folder = path.split('/').next().unwrap_or_default().to_owned();
        let count = totals.folders.entry(folder).or_default();
        count[0] += 1;
        match outcome {
            Outcome::Alike => count[1] += 1,
            Outcome::OtherAliases => count[2] += 1,
            Outcome::Unknown => {}
            Outcome::Differs(message) => {
                totals.differ.insert(format!("{path}{suffix}"), message);
            }
        }
    }
}

enum Outcome {
    Alike,
    OtherAliases,
    /// The text does not print identically when parsed either.
    Unknown,
    Differs(String),
}

/// Returns the difference between the outputs, without aliases, for the module in bytecode and the
/// one in a text.
fn difference_without_aliases(path: &str, (bytes, text): (&[u8], &[u8])) -> Option<String> {
    let mut options = PrintOptions::default();
    options.local_scope = true;
    let mut context = context(path);
    let read = read_module_from_slice(&mut context, bytes, &ReadOptions::default());
    let ours = match read {
        Ok(module) => module_to_string(&context, &module, &options).unwrap(),
        Err(error) => return Some(format!("refused: {error}")),
    };
    let mut context = self::context(path);
    let read = parse_module(&mut context, text, &ParseOptions::for_file("custom"));
    let theirs = read.map(|module| module_to_string(&context, &module, &options).unwrap());
    let theirs = theirs.unwrap_or_default();
    if ours == theirs {
        return None;
    }
    let (ours, theirs) = (
        String::from_utf8_lossy(&ours),
        String::from_utf8_lossy(&theirs),
    );
    let mut pairs = ours.lines().zip(theirs.lines());
    let (ours, theirs) = pairs.find(|(a, b)| a != b).unwrap_or(("<end>", "<end>"));
    Some(format!("    ours   {ours}\n    theirs {theirs}"))
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
    println!(
        "\n{:<20} {:>7} {:>7} {:>13}",
        "bytecode", "prints", "alike", "other aliases"
    );
    for (folder, [texts, alike, aliases]) in &totals.folders {
        println!("{folder:<20} {texts:>7} {alike:>7} {aliases:>13}");
        let floor = FLOOR.iter().find(|floor| floor.0 == folder).map(|f| f.1);
        if whole && floor.is_none_or(|[a, b]| *alike < a || alike + aliases < a + b) {
            passed = false;
            println!("FAILED {folder}: expected at least {floor:?}");
        }
    }
    passed
}
