//! Tests that each example of MLIR's documents of 2018, 2021 and 2022 is read under its edition,
//! and that `mlir-opt-22` accepts what it becomes.
//!
//! An extra suite: it needs the documents, which are not part of the repository. They are in
//! `RMLIR_LANGREF`, else in `../shared/reference/langref`. `tests/editions/examples.txt` lists the
//! examples by their lines, with the text that they need around them. Each example of a document
//! whose code is fenced must be in that list.
//!
//! `RMLIR_EDITION_CASES` is a directory with further texts of older editions, in files `*.txt`: a
//! line `=== name | ... | old | ...` precedes each text.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ReadOptions;
use rmlir::text::Edition;
use rmlir_testing::mlir_opt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = include_str!("editions/examples.txt");

/// The documents, and the edition that each describes. The code of those with `true` is fenced.
const DOCUMENTS: [(&str, Edition, bool); 4] = [
    ("langref-2018.md", Edition::V2018, true),
    ("langref-2021.txt", Edition::V2021, false),
    ("langref-2022.md", Edition::V2022, true),
    // Its code is of several years.
    ("builtin-dialect.txt", Edition::V2018, false),
];

/// The least number of examples that are read and are valid today.
const VALID: usize = 79;
/// The least number of examples that are refused because they have no successor.
const REFUSED: usize = 15;
/// The least number of further texts that are read and are valid today.
const VALID_CASES: usize = 80;

/// A text of an older edition.
struct Example {
    /// The document and the first line.
    name: String,
    edition: Edition,
    text: String,
    /// The beginning of the error, if the text is rejected.
    error: Option<String>,
}

/// Returns the examples, and the lines of each document that they or the list of others have.
fn examples(folder: &Path) -> (Vec<Example>, BTreeMap<&'static str, Vec<bool>>) {
    let mut examples = Vec::new();
    let mut covered = BTreeMap::new();
    for (document, edition, _) in DOCUMENTS {
        let path = folder.join(document);
        let lines = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let lines: Vec<&str> = lines.lines().collect();
        let mut seen = vec![false; lines.len() + 1];
        for section in EXAMPLES.split("\n=== ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap_or((section, ""));
            let Some(rest) = head.strip_prefix(document) else {
                continue;
            };
            if let Some(listed) = rest.trim().strip_prefix('!') {
                let (range, reason) = listed.split_once(':').expect("a reason");
                assert!(!reason.trim().is_empty());
                mark(&mut seen, range);
                continue;
            }
            let error = rest.trim().strip_prefix("error: ").map(str::to_owned);
            let mut text = String::new();
            let mut first = None;
            for line in body.lines() {
                match line.strip_prefix("@@@ ") {
                    Some(range) => {
                        for number in mark(&mut seen, range) {
                            first.get_or_insert(number);
                            text.extend([lines[number - 1], "\n"]);
                        }
                    }
                    None => text.extend([line, "\n"]),
                }
            }
            examples.push(Example {
                name: format!("{document}:{}", first.unwrap_or_default()),
                edition,
                text,
                error,
            });
        }
        covered.insert(document, seen);
    }
    (examples, covered)
}

/// Marks the lines of a range `first last`, and returns it.
fn mark(seen: &mut [bool], range: &str) -> std::ops::RangeInclusive<usize> {
    let (first, last) = range.trim().split_once(' ').expect("two lines");
    let range = first.parse().unwrap()..=last.parse().unwrap();
    for number in range.clone() {
        assert!(
            !std::mem::replace(&mut seen[number], true),
            "line {number} is listed twice"
        );
    }
    range
}

/// Checks that each line of fenced MLIR is in the list.
fn check_coverage(folder: &Path, covered: &BTreeMap<&str, Vec<bool>>) {
    for (document, _, fenced) in DOCUMENTS {
        if !fenced {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(document)).unwrap();
        let mut inside = None;
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim_start().starts_with("```") {
                inside = match inside {
                    None => Some(line.contains("mlir")),
                    Some(_) => None,
                };
            } else if inside == Some(true) && !line.trim().is_empty() {
                assert!(
                    covered[document][number],
                    "{document}:{number} is in no example: {line}"
                );
            }
        }
    }
}

/// Returns today's text of a text, verified.
fn today(text: &str, edition: Edition) -> Result<String, String> {
    let mut options = ReadOptions::default();
    options.edition = edition;
    options.verify = true;
    rmlir::parse_with(text, &options)
        .map(|ir| ir.to_string())
        .map_err(|error| error.to_string())
}

/// Returns the further texts, with their names.
fn cases(folder: &Path) -> Vec<(String, String)> {
    let mut cases = Vec::new();
    for path in rmlir_testing::corpus::files(folder, |name| name.ends_with(".txt")) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        for section in format!("\n{text}").split("\n=== ").skip(1) {
            let Some((head, body)) = section.split_once('\n') else {
                continue;
            };
            let fields: Vec<&str> = head.split('|').map(str::trim).collect();
            if fields.get(3) == Some(&"old") {
                cases.push((fields[0].to_owned(), body.to_owned()));
            }
        }
    }
    cases
}

/// Returns the number of texts that `mlir-opt-22` accepts and prints as we do.
fn accepted(texts: &[(String, String)]) -> Option<usize> {
    let only: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let results = mlir_opt(&only, &[])?;
    let mut count = 0;
    for ((name, text), result) in texts.iter().zip(results) {
        match result {
            Ok(printed) if printed.trim() == text.trim() => count += 1,
            Ok(printed) => println!("{name}: mlir-opt-22 prints otherwise\n{text}\n{printed}"),
            Err(error) => println!("{name}: mlir-opt-22: {error}\n{text}"),
        }
    }
    Some(count)
}

fn main() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/langref");
    let folder = std::env::var_os("RMLIR_LANGREF").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        documents(&folder);
    } else {
        println!("SKIPPED: no documents at {}", folder.display());
    }
    match std::env::var_os("RMLIR_EDITION_CASES") {
        Some(folder) => further(Path::new(&folder)),
        None => println!("SKIPPED: further texts: RMLIR_EDITION_CASES names no directory"),
    }
}

fn documents(folder: &Path) {
    let (examples, covered) = examples(folder);
    check_coverage(folder, &covered);
    let (mut read, mut refused, mut failed) = (Vec::new(), 0, 0);
    for example in &examples {
        match (today(&example.text, example.edition), &example.error) {
            (Ok(text), None) => read.push((example.name.clone(), text)),
            (Err(error), Some(expected)) if error.contains(expected) => refused += 1,
            (Ok(_), Some(expected)) => {
                failed += 1;
                println!("{}: is read, expected: {expected}", example.name);
            }
            (Err(error), _) => {
                failed += 1;
                println!("{}: {error}", example.name);
            }
        }
    }
    println!(
        "{} examples: {} read, {refused} refused as they have no successor, {failed} failed",
        examples.len(),
        read.len()
    );
    assert_eq!(failed, 0, "examples that do not become what they should");
    assert!(refused >= REFUSED, "{refused} < {REFUSED}");
    assert!(read.len() >= VALID, "{} < {VALID}", read.len());
    match accepted(&read) {
        Some(valid) => {
            println!("{valid} of {} valid according to mlir-opt-22", read.len());
            assert_eq!(valid, read.len());
        }
        None => println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed"),
    }
}

fn further(folder: &Path) {
    let cases = cases(folder);
    let mut read = Vec::new();
    for (name, text) in &cases {
        match today(text, Edition::V2018) {
            Ok(text) => read.push((name.clone(), text)),
            Err(error) => println!("{name}: {}", error.lines().next().unwrap_or_default()),
        }
    }
    println!("{} further texts: {} read", cases.len(), read.len());
    match accepted(&read) {
        Some(valid) => {
            println!("{valid} of {} valid according to mlir-opt-22", read.len());
            assert!(valid >= VALID_CASES, "{valid} < {VALID_CASES}");
        }
        None => println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed"),
    }
}
