//! Custom syntax of older releases of LLVM. Texts of the corpus that a release's own program
//! accepts are printed by it in custom and in generic form. Under the rules of that release, the
//! custom text must have the content of the generic one and be printed as the same bytes; a text as
//! people wrote it, if the program reads it, must have that content too.
//!
//! An extra suite: it needs the corpus (see `custom`) and the programs: `mlir-opt-19`,
//! `mlir-opt-21`, and `iree-opt-3.2` for LLVM 20, or those that `MLIR_OPT_19` and the others name.
//! One that is missing is skipped. `RMLIR_STEP=N` takes every N-th text instead of every third, and
//! the floors then do not apply; `RMLIR_CORPUS_FILTER` selects paths, and prints each failure.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::definition::{DialectDefinition, DialectSource, Release};
use rmlir::ir::{Context, Module};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::{corpus, dialects_of, has_content, mlir_opt_by, module_to_string};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// What is known of a release.
struct Oracle {
    release: Release,
    /// Its program.
    program: &'static str,
    /// The least shares of texts, in hundredths of a percent: printed texts that are read with the
    /// same content, that are printed identically, and sources with the same content.
    floor: [usize; 3],
}

const ORACLES: [Oracle; 3] = [
    Oracle {
        release: Release::LLVM_19,
        program: "mlir-opt-19",
        floor: [9805, 9810, 9855],
    },
    Oracle {
        release: Release::LLVM_20,
        program: "iree-opt-3.2",
        floor: [9890, 9895, 9865],
    },
    Oracle {
        release: Release::LLVM_21,
        program: "mlir-opt-21",
        floor: [9900, 9900, 9915],
    },
];

/// Every n-th text is taken.
const STEP: usize = 3;

/// The number of texts in one run of a program.
const BATCH: usize = 50;

fn main() {
    if !rmlir_testing::is_optimised("cargo test --profile suite --test older_releases") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let filter = corpus::filter();
    let step = std::env::var("RMLIR_STEP")
        .ok()
        .and_then(|step| step.parse().ok());
    let whole = filter.is_empty() && step.is_none();
    let wanted = |name: &str| name.ends_with(".src.mlir");
    let mut files = corpus::files(&root.join("upstream"), wanted);
    files.retain(|file| file.to_string_lossy().contains(&filter));
    let step = if filter.is_empty() {
        step.unwrap_or(STEP)
    } else {
        1
    };
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    let mut passed = true;
    for oracle in ORACLES {
        passed &= compare(&oracle, &files, !filter.is_empty(), whole);
    }
    assert!(passed, "the suite of older releases failed");
}

#[derive(Default)]
struct Totals {
    /// Printed texts, and those that pass.
    printed: usize,
    read: usize,
    identical: usize,
    /// Sources, and those that pass.
    sources: usize,
    equal: usize,
    /// The failures, each with its count and the first file.
    reasons: BTreeMap<String, (usize, String)>,
}

/// Compares the texts with what a release's program makes of them.
fn compare(oracle: &Oracle, files: &[PathBuf], verbose: bool, whole: bool) -> bool {
    let release = oracle.release;
    let program = std::env::var_os(format!("MLIR_OPT_{}", release.number));
    let program = program.unwrap_or_else(|| oracle.program.into());
    let Some(known) = dialects_of(&program) else {
        println!("SKIPPED: {} not found", oracle.program);
        return true;
    };
    let known: BTreeSet<String> = known.into_iter().collect();
    let tool = Tool {
        release,
        program,
        known: Arc::new(known),
        verbose,
    };
    let totals = Mutex::new(Totals::default());
    let batches: Vec<&[PathBuf]> = files.chunks(BATCH).collect();
    corpus::for_each(&batches, |batch| tool.batch(batch, &totals));
    let totals = totals.into_inner().unwrap();
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let limit = std::env::var("RMLIR_CUSTOM_REASONS");
    let limit = limit.ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    for (reason, (count, first)) in reasons.into_iter().take(limit) {
        println!("{count:>6} {reason}\n         {first}");
    }
    let share = |part: usize, whole: usize| part.saturating_mul(10_000) / whole.max(1);
    let shares = [
        share(totals.read, totals.printed),
        share(totals.identical, totals.printed),
        share(totals.equal, totals.sources),
    ];
    let percent = shares.map(|share| format!("{}.{:02} %", share / 100, share % 100));
    let [read, identical, equal] = percent;
    println!(
        "{release}: of {} printed texts, {read} are read with the same content and {identical} printed identically; \
         of {} sources, {equal} are read with the same content",
        totals.printed, totals.sources
    );
    let is_low = shares
        .iter()
        .zip(oracle.floor)
        .any(|(share, floor)| *share < floor);
    if whole && is_low {
        println!(
            "FAILED {release}: less than {:?} hundredths of a percent",
            oracle.floor
        );
    }
    !(whole && is_low)
}

/// A release's program.
struct Tool {
    release: Release,
    program: OsString,
    /// The dialects that it has.
    known: Arc<BTreeSet<String>>,
    verbose: bool,
}

impl Tool {
    fn context(&self) -> Context {
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        let source = Arc::clone(context.dialect_source().expect("the bundled definitions"));
        let known = Arc::clone(&self.known);
        context.set_dialect_source(Arc::new(Only { source, known }));
        context.set_release(self.release);
        context
    }

    fn batch(&self, files: &[PathBuf], totals: &Mutex<Totals>) {
        let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap_or_default();
        let sources: Vec<String> = files.iter().map(read).collect();
        let generic = |file: &PathBuf| {
            PathBuf::from(file.to_string_lossy().replace(".src.mlir", ".generic.mlir"))
        };
        let others: Vec<String> = files.iter().map(|file| read(&generic(file))).collect();
        let print = |texts: &[String], arguments: &[&str]| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            mlir_opt_by(&self.program, &texts, arguments).expect("the program exists")
        };
        let generic = ["--mlir-print-op-generic"];
        let of_sources = print(&sources, &generic);
        let of_others = print(&others, &generic);
        // The generic form of each text that the program reads in one form or the other.
        let mut chosen = Vec::new();
        for (number, pair) in of_sources.into_iter().zip(of_others).enumerate() {
            match pair {
                (Ok(text), _) => chosen.push((number, true, text)),
                (_, Ok(text)) => chosen.push((number, false, text)),
                _ => {}
            }
        }
        let texts: Vec<String> = chosen.iter().map(|(_, _, text)| text.clone()).collect();
        let custom = print(&texts, &[]);
        for ((number, is_read, generic), custom) in chosen.into_iter().zip(custom) {
            let (Some(file), Some(source)) = (files.get(number), sources.get(number)) else {
                continue;
            };
            let file = file.to_string_lossy();
            let name = file.rsplit("upstream/").next().unwrap_or_default();
            let source = is_read.then_some(source.as_str());
            // Some generic texts are not read back.
            let Ok(custom) = custom else { continue };
            self.check(name, source, &generic, &custom, totals);
        }
    }

    fn check(
        &self,
        name: &str,
        source: Option<&str>,
        generic: &str,
        custom: &str,
        totals: &Mutex<Totals>,
    ) {
        let mut context = self.context();
        let options = ParseOptions::for_file("generic");
        let Ok(expected) = parse_module(&mut context, generic.as_bytes(), &options) else {
            self.fail(
                name,
                "generic form",
                Err(("refused".to_owned(), String::new())),
                totals,
            );
            return;
        };
        let expected = (&context, &expected);
        let mut own = self.context();
        let file = name.rsplit('/').next().unwrap_or(name);
        let (read, printed) = match parse_module(
            &mut own,
            custom.as_bytes(),
            &ParseOptions::for_file("custom"),
        ) {
            Ok(module) => (
                has_content((&own, &module), expected),
                printed_alike(&own, &module, custom),
            ),
            Err(errors) => {
                let failure = refused(&errors.to_string());
                (Err(failure.clone()), Err(failure))
            }
        };
        let means = source.map(|text| {
            let mut context = self.context();
            let options = ParseOptions::for_file(file);
            let module = parse_module(&mut context, text.as_bytes(), &options)
                .map_err(|errors| refused(&errors.to_string()))?;
            has_content((&context, &module), expected)
        });
        let mut counts = totals.lock().unwrap();
        counts.printed += 1;
        counts.read += usize::from(read.is_ok());
        counts.identical += usize::from(printed.is_ok());
        counts.sources += usize::from(means.is_some());
        counts.equal += usize::from(means.as_ref().is_some_and(Result::is_ok));
        drop(counts);
        let is_printed = read.is_ok();
        self.fail(name, "read", read, totals);
        if is_printed {
            self.fail(name, "print", printed, totals);
        }
        self.fail(name, "source", means.unwrap_or(Ok(())), totals);
    }

    fn fail(&self, name: &str, what: &str, result: Result<(), Failure>, totals: &Mutex<Totals>) {
        let Err((reason, details)) = result else {
            return;
        };
        if self.verbose {
            println!("{} {what} {name}: {reason}\n{details}", self.release);
        }
        let mut totals = totals.lock().unwrap();
        let entry = totals.reasons.entry(format!("{what}: {reason}"));
        entry.or_insert_with(|| (0, name.to_owned())).0 += 1;
    }
}

/// The reason why a text fails, in words that many texts share, and details.
type Failure = (String, String);

fn printed_alike(context: &Context, module: &Module, text: &str) -> Result<(), Failure> {
    let printed = module_to_string(context, module, &PrintOptions::default()).unwrap();
    let printed = String::from_utf8_lossy(&printed);
    let (ours, theirs) = (printed.trim_end(), text.trim_end());
    if ours == theirs {
        return Ok(());
    }
    let mut pairs = ours.lines().zip(theirs.lines());
    let (ours, theirs) = pairs.find(|(a, b)| a != b).unwrap_or(("<end>", "<end>"));
    let word = theirs.split(" = ").last().unwrap_or(theirs).trim();
    let word = word.split([' ', '(', '<']).next().unwrap_or_default();
    Err((
        format!("prints '{word}' otherwise"),
        format!("    ours   {ours}\n    theirs {theirs}"),
    ))
}

fn refused(errors: &str) -> Failure {
    let line = errors.lines().next().unwrap_or_default();
    let message = line.split_once(": ").map_or(line, |(_, message)| message);
    let reason: String = message.chars().take(110).collect();
    (format!("refused: {reason}"), errors.to_owned())
}

/// The dialects of a source that a program has.
struct Only {
    source: Arc<dyn DialectSource>,
    known: Arc<BTreeSet<String>>,
}

impl DialectSource for Only {
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let name = std::str::from_utf8(namespace).ok()?;
        let is_known = self.known.contains(name);
        is_known.then(|| self.source.dialect(namespace)).flatten()
    }

    fn namespaces(&self) -> Vec<Cow<'static, str>> {
        let mut names = self.source.namespaces();
        names.retain(|name| self.known.contains(&**name));
        names
    }
}
