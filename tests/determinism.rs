//! Tests that native bytecode is a function of the content, whatever the seeds of hash tables, the
//! number of threads, the loaded definitions, and the other content of the context. So is text,
//! whatever the number of threads. Texts that are parsed one top-level operation at a time have the
//! same operations.
//!
//! An extra suite: the files are all of the corpus that can be read, text and bytecode; the corpus
//! is in `RMLIR_CORPUS`, else in `../shared/corpus`. It runs in release builds.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::format::{Source, Threads};
use rmlir::ir::{Context, Module};
use rmlir::reader::{mlirbc, rmbc};
use rmlir::text::{
    AfterOperation, ParseOptions, PrintOptions, module_to_string, parse_module, print_operation,
    visit_top_level,
};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::corpus;
use std::io::Cursor;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() -> ExitCode {
    if !rmlir_testing::is_optimised("cargo test --release --test determinism") {
        return ExitCode::SUCCESS;
    }
    let Some(root) = corpus::root() else {
        return ExitCode::SUCCESS;
    };
    let filter = corpus::filter();
    let wanted = |name: &str| name.ends_with(".mlir") || name.ends_with(".mlirbc");
    let mut paths = corpus::files(&root, wanted);
    paths.retain(|path| path.to_string_lossy().contains(&filter));
    let every = std::env::var("RMLIR_STEP").map_or(1, |text| text.parse().unwrap());
    let paths: Vec<_> = paths.into_iter().step_by(every).collect();
    let mut registered = Context::new();
    rmlir::dialects::register_all(&mut registered);
    let failures = Mutex::new(Vec::new());
    let (checked, not_read) = (AtomicUsize::new(0), AtomicUsize::new(0));
    corpus::for_each(&paths, |path| match check(&registered, path) {
        None => drop(not_read.fetch_add(1, Ordering::Relaxed)),
        Some(Ok(())) => drop(checked.fetch_add(1, Ordering::Relaxed)),
        Some(Err(message)) => {
            let message = format!("{}: {message}", path.display());
            failures.lock().unwrap().push(message);
        }
    });
    let failures = failures.into_inner().unwrap();
    let (checked, not_read) = (checked.into_inner(), not_read.into_inner());
    println!("{checked} files have the same bytes in all ways, {not_read} are not read or written");
    for failure in failures.iter().take(20) {
        println!("FAILED {failure}");
    }
    // Without files, nothing would be tested.
    match failures.is_empty() && (checked > 0 || !filter.is_empty()) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn read(registered: &Context, path: &Path) -> Option<(Context, Module)> {
    let bytes = std::fs::read(path).unwrap();
    let mut context = registered.clone();
    let module = match path
        .extension()
        .is_some_and(|extension| extension == "mlirbc")
    {
        true => {
            let options = mlirbc::ReadOptions::default();
            mlirbc::read_module(&mut context, &Source::from(bytes), &options).ok()?
        }
        false => {
            let mut options = ParseOptions::for_file("a.mlir");
            options.keep_names = true;
            parse_module(&mut context, &bytes, &options).ok()?
        }
    };
    Some((context, module))
}

/// Returns what differs if a text is parsed one top-level operation at a time.
fn by_windows(registered: &Context, path: &Path) -> Option<String> {
    let mut print = PrintOptions::generic();
    (print.debug_info, print.local_scope) = (true, true);
    let shown = |context: &Context, module: &Module, operation| {
        let mut text = Vec::new();
        print_operation(context, module, operation, &print, &mut text).unwrap();
        text
    };
    let bytes = std::fs::read(path).unwrap();
    let mut options = ParseOptions::for_file("a.mlir");
    options.bytes_per_window = 64;
    let mut found = Vec::new();
    let mut each = |context: &mut Context, module: &mut Module, operation| {
        found.push(shown(context, module, operation));
        match found.len() % 2 {
            0 => AfterOperation::Continue,
            _ => AfterOperation::Renew,
        }
    };
    let input = &mut Cursor::new(&bytes);
    match visit_top_level(input, registered.clone(), &options, &mut each) {
        Ok(true) => {}
        Ok(false) => return None,
        Err(error) => return Some(format!("parsed by windows: {error}")),
    }
    let mut context = registered.clone();
    let module = parse_module(&mut context, &bytes, &options).unwrap();
    let all = module.operations(module.body().unwrap());
    let all: Vec<_> = all.map(|one| shown(&context, &module, one)).collect();
    (all != found).then(|| "parsed by windows".to_owned())
}

/// Checks a file; `None` if it cannot be read or written. Also verifies index and fingerprints.
fn check(registered: &Context, path: &Path) -> Option<Result<(), String>> {
    let (context, module) = read(registered, path)?;
    let options = |level, threads| {
        let mut options = WriteOptions::default();
        options.hashes = true;
        options.compression = level;
        options.threads = Threads::new(threads);
        options
    };
    // A text with undefined values can be parsed but not written.
    let plain = write_module(&context, &module, &options(None, 1)).ok()?;
    let mut differences = Vec::new();
    for generic in [false, true] {
        let text = |threads, least| {
            let mut options = PrintOptions::default();
            options.generic = generic;
            options.debug_info = generic;
            options.keep_names = generic;
            options.threads = threads;
            options.operations_per_thread = least;
            module_to_string(&context, &module, &options).ok()
        };
        let one = text(Threads::new(1), 1);
        if [(2, 1), (3, 4)].map(|(threads, least)| text(Threads::new(threads), least))
            != [one.clone(), one]
        {
            differences.push(format!("printed on several threads, generic: {generic}"));
        }
    }
    if path
        .extension()
        .is_some_and(|extension| extension == "mlir")
    {
        differences.extend(by_windows(registered, path));
    }
    let mut same =
        |what: &str, context: &Context, module: &Module, level, threads, expected: &[u8]| {
            // Each write has its own hash tables with their own seeds.
            let written = write_module(context, module, &options(level, threads));
            if !written.is_ok_and(|written| written == expected) {
                differences.push(what.to_owned());
            }
        };
    same("written again", &context, &module, None, 1, &plain);
    same("on three threads", &context, &module, None, 3, &plain);
    let compressed = write_module(&context, &module, &options(Some(3), 1)).unwrap_or_default();
    same(
        "compressed on four threads",
        &context,
        &module,
        Some(3),
        4,
        &compressed,
    );

    // A context without definitions that has interned other things first; then one with all
    // definitions.
    let mut bare = Context::new();
    for text in ["zz", "i32", "sym_name", "func", "0"] {
        bare.identifier(text);
        bare.string_attribute(text);
    }
    for (what, context, bytes, threads) in [
        ("read without definitions", &mut bare, &plain, 1),
        ("read on two threads", &mut registered.clone(), &plain, 2),
        (
            "decompressed on three threads",
            &mut registered.clone(),
            &compressed,
            3,
        ),
    ] {
        let mut options = rmbc::ReadOptions::default();
        options.threads = Threads::new(threads);
        match rmbc::read_module(context, &Source::from(bytes.clone()), &options) {
            Ok(module) => {
                same(what, context, &module, None, 1, &plain);
                let options = rmbc::ReadOptions::default();
                let file = rmbc::File::new(context, Source::from(bytes.clone()), &options);
                let right = file.and_then(|file| file.verify_index(context, &module));
                if let Err(error) = right {
                    return Some(Err(format!("{what}: {error}")));
                }
            }
            Err(error) => return Some(Err(format!("{what}: {error}"))),
        }
    }
    match differences.is_empty() {
        true => Some(Ok(())),
        false => Some(Err(differences.join(", "))),
    }
}
