//! Tests mutated upstream's bytecode: reading it yields an error with section and offset, or a
//! module that is valid and round-trips.
//!
//! An extra suite: the files are those of the corpus of at most 2 KB; it is in `RMLIR_CORPUS`, else
//! in `../shared/corpus`. `RMLIR_MUTANTS` sets the number of mutants, 20,000 by default. It runs in
//! release builds.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::format::Source;
use rmlir::ir::{Context, EqualityOptions, VerifyOptions, semantic_difference, verify};
use rmlir::reader::lazy::{LazyFile, Symbol};
use rmlir::reader::mlirbc::{File, ReadOptions, read_module_from_slice};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir_testing::{Prng, corpus};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
struct Totals {
    outcomes: BTreeMap<&'static str, u64>,
    failures: Vec<String>,
}

fn main() -> ExitCode {
    if !rmlir_testing::is_optimised("cargo test --release --test mutants") {
        return ExitCode::SUCCESS;
    }
    let Some(root) = corpus::root() else {
        return ExitCode::SUCCESS;
    };
    let count = std::env::var("RMLIR_MUTANTS").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let seeds: Vec<Vec<u8>> = corpus::files(&root, |name| name.ends_with(".mlirbc"))
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .filter(|bytes| bytes.len() <= 2048)
        .collect();
    let mut registered = Context::new();
    rmlir::dialects::register_all(&mut registered);
    std::panic::set_hook(Box::new(|_| ()));

    let next = AtomicU64::new(0);
    let totals = Mutex::new(Totals::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut own = Totals::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let (bytes, kind) = mutant(number, &seeds);
                    let check = || check(&registered, &bytes);
                    let outcome = catch_unwind(AssertUnwindSafe(check))
                        .unwrap_or_else(|_| Err("panicked".to_owned()));
                    match outcome {
                        Ok(outcome) => *own.outcomes.entry(outcome).or_default() += 1,
                        Err(message) => {
                            own.failures
                                .push(format!("mutant {number} ({kind}): {message}"));
                        }
                    }
                }
                let mut totals = totals.lock().unwrap();
                for (outcome, count) in own.outcomes {
                    *totals.outcomes.entry(outcome).or_default() += count;
                }
                totals.failures.extend(own.failures);
            });
        }
    });
    let totals = totals.into_inner().unwrap();
    println!("{count} mutants of {} files", seeds.len());
    for (outcome, count) in &totals.outcomes {
        println!("{count:>9} {outcome}");
    }
    println!("{:>9} failed", totals.failures.len());
    for failure in totals.failures.iter().take(20) {
        println!("FAILED {failure}");
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
    match totals.failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Returns mutant `number`: a file with one to three changes.
fn mutant(number: u64, seeds: &[Vec<u8>]) -> (Vec<u8>, &'static str) {
    let mut prng = Prng::new(number.wrapping_mul(0x9e37_79b9));
    let mut bytes = seeds[prng.below(seeds.len())].clone();
    let mut last = "";
    for _ in 0..=prng.below(3) {
        let at = prng.below(bytes.len());
        if bytes.len() < 8 {
            break;
        }
        last = match prng.below(7) {
            0 | 1 => {
                bytes[at] ^= 1 << prng.below(8);
                "bit"
            }
            2 => {
                bytes[at] = prng.next_u64() as u8;
                "byte"
            }
            3 => {
                bytes.truncate(at);
                "truncated"
            }
            4 => {
                // A large number in place of a small one.
                let wide: &[u8] = match prng.below(3) {
                    0 => &[0xFE, 0xFF],
                    1 => &[0xF0, 0xFF, 0xFF, 0xFF, 0x7F],
                    _ => &[0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                };
                bytes.splice(at..=at, wide.iter().copied());
                "inflated"
            }
            5 => {
                let other = prng.below(bytes.len());
                bytes.swap(at, other);
                "swapped"
            }
            _ => {
                let other = &seeds[prng.below(seeds.len())];
                let from = prng.below(other.len());
                let len = prng.below(24).min(other.len() - from).min(bytes.len() - at);
                bytes[at..at + len].copy_from_slice(&other[from..from + len]);
                "spliced"
            }
        };
    }
    (bytes, last)
}

/// Checks lazily read and copied symbols, and the file as a whole.
fn check(registered: &Context, bytes: &[u8]) -> Result<&'static str, String> {
    check_copies(registered, bytes)?;
    check_whole(registered, bytes)
}

/// The number of symbols that are copied.
const COPIED: usize = 3;

/// Checks that a copy of some undecoded symbols is a file that has them.
fn check_copies(registered: &Context, bytes: &[u8]) -> Result<(), String> {
    let open = |bytes: &[u8]| {
        let file = File::new(registered, Source::from(bytes), &ReadOptions::default())?;
        let symbols = file.symbols()?;
        Ok::<_, rmlir::format::Error>((file, symbols))
    };
    let Ok((file, symbols)) = open(bytes) else {
        return Ok(());
    };
    let some = symbols.get(..COPIED).unwrap_or(&symbols);
    let mut copy = Vec::new();
    if file.copy_symbols(some, &mut copy).is_err() {
        return Ok(());
    }
    let (_, listed) = open(&copy).map_err(|error| format!("a copy is refused: {error}"))?;
    let has = |symbol: &Symbol| listed.iter().any(|other| other.path == symbol.path);
    match some.iter().find(|symbol| !has(symbol)) {
        None => Ok(()),
        Some(symbol) => Err(format!("a copy does not have {}", symbol.path)),
    }
}

/// Checks a file and returns the kind of result; an error is a broken promise.
fn check_whole(registered: &Context, bytes: &[u8]) -> Result<&'static str, String> {
    let mut context = registered.clone();
    let module = match read_module_from_slice(&mut context, bytes, &ReadOptions::default()) {
        Ok(module) => module,
        Err(error) if error.section().is_none() || error.offset().is_none() => {
            return Err(format!("no place in: {error}"));
        }
        Err(_) => return Ok("refused by the reader"),
    };
    if verify(&context, &module, module.top(), &VerifyOptions::default()).is_err() {
        return Ok("refused by the verifier");
    }
    let written = match write_module(&mut context, &module, &WriteOptions::default()) {
        Ok(written) => written,
        Err(error) => return Err(format!("not written: {error}")),
    };
    let mut other = registered.clone();
    let again = read_module_from_slice(&mut other, &written, &ReadOptions::default())
        .map_err(|error| format!("what was written is refused: {error}"))?;
    let equality = EqualityOptions { locations: true };
    match semantic_difference((&context, &module), (&other, &again), &equality) {
        None => Ok("read, written and read back"),
        Some(difference) => Err(format!("changed: {difference}")),
    }
}
