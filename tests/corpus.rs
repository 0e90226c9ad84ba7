//! The corpus of real files: each is read, printed, and compared with its bytes.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. Its place is
//! `RMLIR_CORPUS`, else `../shared/corpus`. `RMLIR_CORPUS_FILTER` takes only paths that contain it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::Context;
use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn main() {
    let root = std::env::var_os("RMLIR_CORPUS")
        .map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    if !root.is_dir() {
        println!("SKIPPED: no corpus at {}", root.display());
        return;
    }
    let filter = std::env::var("RMLIR_CORPUS_FILTER").unwrap_or_default();
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.retain(|f| f.to_string_lossy().contains(&filter));
    files.sort();
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for file in &files {
        let name = file
            .strip_prefix(&root)
            .unwrap_or(file)
            .to_string_lossy()
            .into_owned();
        let folder = name.split('/').next().unwrap_or_default().to_owned();
        let outcome = check(file, &name);
        let count = counts.entry(folder).or_default();
        match outcome {
            Ok(()) => count[0] += 1,
            Err(Failure::Parse(message)) => {
                count[1] += 1;
                println!("PARSE {name}: {message}");
            }
            Err(Failure::Differs(message)) => {
                count[2] += 1;
                println!("DIFF {name}: {message}");
            }
        }
    }
    for (folder, [ok, parse, differs]) in counts {
        println!("{folder}: {ok} identical, {parse} rejected, {differs} differ");
    }
}

enum Failure {
    Parse(String),
    Differs(String),
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.to_string_lossy().ends_with(".generic.mlir") {
            files.push(path);
        }
    }
}

fn check(file: &Path, name: &str) -> Result<(), Failure> {
    let text = std::fs::read(file).expect("file can be read");
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = parse_module(&mut context, &text, &ParseOptions::for_file(name))
        .map_err(|e| Failure::Parse(e.to_string()))?;
    let mut options = PrintOptions::generic();
    options.debug_info = name.ends_with(".loc.generic.mlir");
    let mut printed = module_to_string(&context, &module, &options).unwrap();
    // `mlir-opt` ends its output with an empty line, the tools of JAX and StableHLO do not.
    if text.ends_with(b"\n\n") {
        printed.push(b'\n');
    }
    if printed == text {
        return Ok(());
    }
    let lines = |t: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(t)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let (ours, theirs) = (lines(&printed), lines(&text));
    let at = ours
        .iter()
        .zip(&theirs)
        .position(|(a, b)| a != b)
        .unwrap_or(ours.len().min(theirs.len()));
    let shown =
        |l: Option<&String>| l.map_or("<end>".to_owned(), |l| l.chars().take(200).collect());
    Err(Failure::Differs(format!(
        "line {}\n  ours   {}\n  theirs {}",
        at + 1,
        shown(ours.get(at)),
        shown(theirs.get(at))
    )))
}
