//! Tests the program `rmlir` on all files of upstream's bytecode that IREE and JAX wrote:
//! inspection must work on each, whether or not its dialects are known.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. It is in
//! `RMLIR_CORPUS`, else in `../shared/corpus` beside the repository. It runs in release builds.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir_testing::corpus;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() {
    if !rmlir_testing::is_optimised("cargo test --release -p rmlir-tools --test corpus") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let wanted = |name: &str| name.ends_with(".mlirbc") || name.ends_with(".mlir.bc");
    let folders = ["iree", "jax"].map(|folder| corpus::files(&root.join(folder), wanted));
    let mut files = folders.concat();
    // Written by a later release than that of the definitions: tests/corpus_pending.txt counts
    // them.
    let pending = root.join("iree/cases");
    files.retain(|file| !file.starts_with(&pending));
    assert!(!files.is_empty(), "the corpus has no bytecode");
    let failed = Mutex::new(0);
    let symbols = AtomicUsize::new(0);
    corpus::for_each(&files, |file| match check(file) {
        Ok(listed) => drop(symbols.fetch_add(listed, Ordering::Relaxed)),
        Err(message) => {
            println!("FAILED {}: {message}", file.display());
            *failed.lock().unwrap() += 1;
        }
    });
    let failed = failed.into_inner().unwrap();
    println!(
        "info, list, size and dump of {} files with {} symbols: {failed} failed",
        files.len(),
        symbols.into_inner()
    );
    assert_eq!(failed, 0, "the suite of programs failed");
}

/// Returns the standard output of a call on a file, which must succeed without messages.
fn run(arguments: &[&str], file: &Path) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
        .args(arguments)
        .arg(file)
        .output()
        .map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !errors.is_empty() {
        return Err(format!("{arguments:?}: {}, {errors}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{arguments:?}: {error}"))
}

fn json(arguments: &[&str], file: &Path) -> Result<Value, String> {
    serde_json::from_str(&run(arguments, file)?).map_err(|error| format!("{arguments:?}: {error}"))
}

/// Checks that the outputs of all commands are consistent; returns the number of symbols.
fn check(file: &Path) -> Result<usize, String> {
    let len = std::fs::metadata(file).map_err(|e| e.to_string())?.len();
    let expect = |what: &str, holds: bool| match holds {
        true => Ok(()),
        false => Err(what.to_owned()),
    };
    let info = json(&["info", "--json"], file)?;
    expect("info: the form", info["form"] == "mlirbc")?;
    expect("info: the length", info["bytes"] == len)?;
    let operations = info["operations"].as_u64().unwrap_or(0);
    expect("info: no operations", operations > 0)?;

    let listed = run(&["list", "--json"], file)?;
    let mut largest = 0;
    let (mut count, mut unnamed) = (0, 0);
    for line in listed.lines() {
        let symbol: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let bytes = symbol["bytes"].as_u64().unwrap_or(0);
        expect("list: bytes", bytes > 0 && bytes < len)?;
        match &symbol["symbol"] {
            Value::String(name) if name.starts_with('@') => {
                largest = bytes.max(largest);
                count += 1;
            }
            name => {
                expect(
                    "list: a symbol",
                    name.is_null() && symbol["visibility"].is_null(),
                )?;
                unnamed += 1;
            }
        }
    }
    expect("list and info differ", info["symbols"] == count as u64)?;
    expect(
        "list and info differ in unnamed_operations",
        info["unnamed_operations"] == unnamed,
    )?;

    let size = json(&["size", "--json"], file)?;
    expect("size: the sum", size["tree"]["bytes"] == len)?;
    let symbols = size["symbols"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    expect("size: the number of symbols", symbols.len() == count)?;
    // The order is that of retained bytes.
    let sizes = symbols.iter().filter_map(|symbol| symbol["bytes"].as_u64());
    expect(
        "size: the largest symbol",
        sizes.max().unwrap_or(0) == largest,
    )?;

    let dump = run(&["dump"], file)?;
    let named = dump.matches(" name: operation name #").count();
    // The file may omit the module around its operations.
    let made = operations.saturating_sub(named as u64);
    expect("dump: operations", named > 0 && made <= 1)?;
    expect("dump: not understood", !dump.contains("not understood"))?;
    Ok(count)
}
