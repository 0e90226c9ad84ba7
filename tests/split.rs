//! The corpus of real files, split and linked: the result is the module, with locations.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. Its place is
//! `RMLIR_CORPUS`, else `../shared/corpus`. `RMLIR_CORPUS_FILTER` takes only paths that contain it.
//! It runs in release builds.
//!
//! Each module is split by symbol and by group, in memory and as native bytecode, with declarations
//! and with bodies. For each 20th file of upstream's (`RMLIR_SPLIT_JUDGED`: each which one),
//! `mlir-opt-22` must print the same for the bytecode of the result and of the module.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use rmlir::ir::{
    Context, EqualityOptions, LinkInput, LinkOptions, Linked, Module, References, SplitBy,
    SplitOptions, link, semantic_difference, split,
};
use rmlir::{Form, Ir, ReadOptions, WriteOptions, mlirbc, rmbc};
use rmlir_testing::corpus;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// The minimum number of modules with symbols.
const LEAST: usize = 14_500;

#[derive(Default)]
struct Totals {
    modules: usize,
    with_symbols: usize,
    parts: usize,
    judged: usize,
    unreadable: usize,
    /// Path and what is wrong.
    wrong: BTreeMap<String, String>,
}

fn main() {
    if !rmlir_testing::is_optimised("cargo test --release --test split") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let filter = corpus::filter();
    let wanted = |name: &str| name.ends_with(".mlirbc") || name.ends_with(".loc.generic.mlir");
    let mut files = corpus::files(&root, wanted);
    // Where there is bytecode, text with locations is the same module.
    files.retain(|file| {
        let name = file.to_string_lossy();
        let bytecode = name.strip_suffix(".loc.generic.mlir");
        let bytecode = bytecode.map(|name| PathBuf::from(format!("{name}.mlirbc")));
        name.contains(&filter) && !bytecode.is_some_and(|bytecode| bytecode.exists())
    });
    let has_upstream = Command::new("mlir-opt-22")
        .arg("--version")
        .output()
        .is_ok();
    if !has_upstream {
        println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed");
    }
    let every = std::env::var("RMLIR_SPLIT_JUDGED").ok();
    let every: usize = every.map_or(20, |every| every.parse().unwrap());
    let totals = Mutex::new(Totals::default());
    let files: Vec<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    corpus::for_each(&files, |(number, file)| {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy();
        let judge = has_upstream && name.starts_with("upstream") && number % every == 0;
        if let Err(wrong) = check(file, judge, &totals) {
            totals
                .lock()
                .unwrap()
                .wrong
                .insert(name.into_owned(), wrong);
        }
    });
    let totals = totals.into_inner().unwrap();
    for (name, wrong) in totals.wrong.iter().take(50) {
        println!("{name}: {wrong}");
    }
    println!(
        "{} modules, {} with symbols, {} parts, {} judged by mlir-opt-22; {} are not read, {} wrong",
        totals.modules,
        totals.with_symbols,
        totals.parts,
        totals.judged,
        totals.unreadable,
        totals.wrong.len()
    );
    assert!(totals.wrong.is_empty());
    assert!(!filter.is_empty() || totals.with_symbols >= LEAST);
}

fn check(file: &Path, judge: bool, totals: &Mutex<Totals>) -> Result<(), String> {
    let mut options = ReadOptions::default();
    options.allow_unknown = true;
    let Ok(ir) = rmlir::open_with(file, &options) else {
        totals.lock().unwrap().unreadable += 1;
        return Ok(());
    };
    let (mut context, module) = ir.into_parts();
    let body = module
        .body()
        .into_iter()
        .flat_map(|body| module.operations(body));
    let symbols = body
        .filter(|&op| module.symbol_name(&context, op).is_some())
        .count();
    let mut part_count = 0;
    for (by, references) in [
        (SplitBy::Group, References::Declarations),
        (SplitBy::Symbol, References::Declarations),
        (SplitBy::Group, References::Bodies),
    ] {
        let what = format!("{by:?}, {references:?}");
        let mut options = SplitOptions::default();
        (options.by, options.references) = (by, references);
        let parts = split(&mut context, &module, &options).map_err(|e| format!("{what}: {e}"))?;
        part_count += parts.len();
        let inputs: Vec<LinkInput<'_>> = parts
            .iter()
            .rev()
            .map(|p| (&context, &p.module).into())
            .collect();
        same(&context, &module, &inputs).map_err(|e| format!("{what}: {e}"))?;
        let modules = parts.iter().map(|part| stored(&context, &part.module));
        let modules = modules.collect::<Result<Vec<_>, String>>();
        let modules = modules.map_err(|e| format!("{what}: {e}"))?;
        let inputs: Vec<LinkInput<'_>> = modules.iter().map(|(c, m)| (c, m).into()).collect();
        let linked = same(&context, &module, &inputs);
        let linked = linked.map_err(|e| format!("{what}, as files: {e}"))?;
        if judge && by == SplitBy::Group && references == References::Declarations && symbols != 0 {
            judged(&mut context, &module, linked)?;
            totals.lock().unwrap().judged += 1;
        }
    }
    let mut totals = totals.lock().unwrap();
    totals.modules += 1;
    totals.with_symbols += usize::from(symbols != 0);
    totals.parts += part_count;
    Ok(())
}

/// Links, and compares with the module.
fn same(context: &Context, module: &Module, inputs: &[LinkInput<'_>]) -> Result<Linked, String> {
    let linked = link(inputs, &LinkOptions::default()).map_err(|error| error.to_string())?;
    let options = EqualityOptions { locations: true };
    let difference = semantic_difference(
        (context, module),
        (&linked.context, &linked.module),
        &options,
    );
    match difference {
        Some(difference) => Err(difference.to_string()),
        None if !linked.renamed.is_empty() => Err("a symbol is renamed".to_owned()),
        None => Ok(linked),
    }
}

/// The module after it was written and read as native bytecode.
fn stored(context: &Context, module: &Module) -> Result<(Context, Module), String> {
    let mut bytes = Vec::new();
    rmbc::write_module_to(context, module, &rmbc::WriteOptions::default(), &mut bytes)
        .map_err(|error| error.to_string())?;
    let mut options = ReadOptions::default();
    options.allow_unknown = true;
    let ir = rmlir::read_with(bytes, &options).map_err(|error| error.to_string())?;
    Ok(ir.into_parts())
}

/// `mlir-opt-22` prints the same for both as bytecode.
fn judged(context: &mut Context, module: &Module, linked: Linked) -> Result<(), String> {
    let options = mlirbc::WriteOptions::default();
    let mut expected = Vec::new();
    if mlirbc::write_module_to(context, module, &options, &mut expected).is_err() {
        return Ok(());
    }
    let mut linked = Ir::from_parts(linked.context, linked.module);
    let found = linked.to_bytes(Form::Mlirbc, &WriteOptions::default());
    let found = found.map_err(|error| format!("the result is not written: {error}"))?;
    let (expected, found) = (mlir_opt(&expected), mlir_opt(&found));
    match expected == found {
        true => Ok(()),
        false => Err(format!("mlir-opt-22 prints\n{found}\nfor\n{expected}")),
    }
}

fn mlir_opt(bytes: &[u8]) -> String {
    let child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .args(["--mlir-print-debuginfo", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    // It stops reading at the first error.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let output = child.wait_with_output().unwrap();
    // Errors can have addresses: of standard input it refuses sections of an alignment.
    let errors = String::from_utf8_lossy(&output.stderr);
    let errors = errors.split(' ').filter(|word| !word.starts_with("0x"));
    let errors: Vec<&str> = errors.collect();
    let text = String::from_utf8_lossy(&output.stdout);
    format!("{text}{}", errors.join(" "))
}
