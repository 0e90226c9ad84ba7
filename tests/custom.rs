//! The corpus in custom form, in which people write: `NAME.mlir` is upstream's print and must be
//! read and printed as the same bytes; `NAME.src.mlir` is a person's text and must mean what
//! `NAME.generic.mlir` says. The custom form of every generic text is read back, and must have the
//! same content, but for attributes that mean the same as their absence (`remove_implied`).
//!
//! An extra suite: it needs the corpus, which is not part of the repository. It is in
//! `RMLIR_CORPUS`, else in `../shared/corpus`. `RMLIR_CORPUS_FILTER` selects only paths that
//! contain it, and prints each failure. `RMLIR_CUSTOM_REASONS` sets the number of listed reasons;
//! `RMLIR_CUSTOM_GOAL` lists only those of files of the goal's dialects. It runs in release builds.
//! With `RMLIR_CUSTOM_DEFINITIONS`, definitions in that folder replace the bundled ones of the same
//! names; the floor then does not apply.
//!
//! The numbers of passing files are compared with `custom_floor.txt`: for no dialect may they be
//! lower.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

#[path = "custom/bytecode.rs"]
mod bytecode;
#[path = "custom/projects.rs"]
mod projects;

use projects::Projects;
use rmlir::dialects::Hooks;
use rmlir::ir::{Context, DialectDefinition, EqualityOptions, Module, semantic_difference};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::{GOAL_DIALECTS, corpus, has_content, module_to_string, remove_implied};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// Lines of a dialect, the number of files that print identically, and the number of sources with
/// the right content; `all` is the total, `goal` that of [`GOAL_DIALECTS`]. `#` starts a comment.
const FLOOR: &str = include_str!("custom_floor.txt");

/// Lines of the path of a generic text whose custom form loses content, and a reason, separated by
/// a tab.
const LOST: &str = include_str!("custom_lost.txt");

#[derive(Default, Clone, Copy)]
struct Count {
    files: usize,
    identical: usize,
    sources: usize,
    equal: usize,
}

#[derive(Default)]
struct Totals {
    dialects: BTreeMap<String, Count>,
    /// The failures, each with its count and the first file.
    reasons: BTreeMap<String, (usize, String)>,
    /// The paths of generic texts whose custom form does not read back with the same content, and
    /// why.
    lost: BTreeMap<String, String>,
}

/// What all threads count.
type Counts = Mutex<(Totals, Projects)>;

fn main() {
    if !rmlir_testing::is_optimised("cargo test --release --test custom") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let filter = corpus::filter();
    // Generic texts that have a custom text beside them.
    let wanted =
        |name: &str| name.ends_with(".generic.mlir") && !name.ends_with(".loc.generic.mlir");
    let mut files = corpus::files(&root, wanted);
    files.retain(|f| f.to_string_lossy().contains(&filter));
    let totals = Mutex::new((Totals::default(), Projects::new(&root)));
    corpus::for_each(&files, |file| {
        check(&root, file, &totals, !filter.is_empty());
    });
    let (totals, projects) = totals.into_inner().unwrap();
    let whole = filter.is_empty() && other_definitions().is_empty();
    let bytecode_passed = bytecode::run(&root, &filter, whole);
    let passed = report(&totals, whole) && bytecode_passed;
    let passed = projects.report(whole) && passed;
    assert!(passed, "the custom suite failed");
}

fn check(root: &Path, file: &Path, totals: &Counts, verbose: bool) {
    let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
    let base = file.to_string_lossy().replace(".generic.mlir", "");
    let mut context = context(&name);
    let generic = std::fs::read(file).expect("the file can be read");
    let Ok(expected) = parse_module(&mut context, &generic, &ParseOptions::for_file("generic"))
    else {
        return;
    };
    let dialects = dialects(&context, &expected);
    let custom = std::fs::read(format!("{base}.mlir")).ok();
    let source = std::fs::read(format!("{base}.src.mlir")).ok();
    let mut read = custom
        .as_ref()
        .map(|text| reads_and_prints(&name, text, (&context, &expected)));
    // No index states whether the tool reads these texts back. It does but for what `public` adds.
    if let Some((right @ Err(_), _)) = &mut read
        && name.starts_with("iree/")
        && !name.starts_with("iree/cases/")
        && custom
            .as_ref()
            .is_some_and(|text| mean_alike(&name, text, &generic))
    {
        *right = Ok(());
    }
    let means = source
        .as_ref()
        .map(|text| means(text, &name, (&context, &expected)));
    let lost = custom_form_differs(&name, (&mut context, expected));
    let mut totals = totals.lock().unwrap();
    let (totals, projects) = &mut *totals;
    let results = read.as_ref().map(|(right, printed)| (right, printed));
    projects.add(&name, results, means.as_ref());
    let printed = read.map(|(_, printed)| printed);
    if let Some(difference) = lost {
        totals.lost.insert(name.clone().into_owned(), difference);
    }
    let goal = dialects.iter().all(|d| GOAL_DIALECTS.contains(&d.as_str()));
    let all = ["all"].into_iter().chain(goal.then_some("goal"));
    for dialect in dialects.iter().map(String::as_str).chain(all) {
        let count = totals.dialects.entry(dialect.to_owned()).or_default();
        if let Some(result) = &printed {
            count.files += 1;
            count.identical += usize::from(result.is_ok());
        }
        if let Some(result) = &means {
            count.sources += 1;
            count.equal += usize::from(result.is_ok());
        }
    }
    for (what, result) in [("print", printed), ("source", means)] {
        if let Some(Err((reason, details))) = result {
            if verbose {
                println!("{what} {name}: {reason}\n{details}");
            }
            if only_goal() && !goal {
                continue;
            }
            let entry = totals.reasons.entry(format!("{what}: {reason}"));
            let entry = entry.or_insert_with(|| (0, name.clone().into_owned()));
            entry.0 += 1;
        }
    }
}

/// Returns whether to list only reasons of files that consist of operations of [`GOAL_DIALECTS`].
fn only_goal() -> bool {
    std::env::var_os("RMLIR_CUSTOM_GOAL").is_some()
}

/// The reason why a file fails, in words that many files share, and details.
type Failure = (String, String);

/// Compares the content of a text of the project's tool with the expected one, and its printed form
/// with itself.
fn reads_and_prints(
    path: &str,
    text: &[u8],
    expected: (&Context, &Module),
) -> (Result<(), Failure>, Result<(), Failure>) {
    let mut context = context(path);
    match parse_module(&mut context, text, &ParseOptions::for_file("custom")) {
        Ok(module) => (
            has_content((&context, &module), expected),
            printed_alike(&context, &module, text),
        ),
        Err(errors) => {
            let failure = refused(&errors.first().message);
            (Err(failure.clone()), Err(failure))
        }
    }
}

/// Returns whether two texts have the same content, but for attributes that mean the same as their
/// absence.
fn mean_alike(path: &str, a: &[u8], b: &[u8]) -> bool {
    let read = |text: &[u8]| {
        let mut context = context(path);
        let mut module = parse_module(&mut context, text, &ParseOptions::for_file("text")).ok()?;
        remove_implied(&mut context, &mut module);
        Some((context, module))
    };
    let equality = EqualityOptions { locations: false };
    let Some((a, b)) = read(a).zip(read(b)) else {
        return false;
    };
    semantic_difference((&a.0, &a.1), (&b.0, &b.1), &equality).is_none()
}

fn prints_alike(path: &str, text: &[u8]) -> Result<(), Failure> {
    let mut context = context(path);
    let module = parse_module(&mut context, text, &ParseOptions::for_file("custom"))
        .map_err(|errors| refused(&errors.first().message))?;
    printed_alike(&context, &module, text)
}

/// Checks that a module prints as this text, which has locations or none.
fn printed_alike(context: &Context, module: &Module, text: &[u8]) -> Result<(), Failure> {
    let mut options = PrintOptions::default();
    options.debug_info = text.windows(5).any(|w| w == b" loc(");
    let mut printed = module_to_string(context, module, &options).unwrap();
    if text.ends_with(b"\n\n") {
        printed.push(b'\n');
    }
    if printed == text {
        return Ok(());
    }
    let (ours, theirs) = (
        String::from_utf8_lossy(&printed).into_owned(),
        String::from_utf8_lossy(text).into_owned(),
    );
    let mut pairs = ours.lines().zip(theirs.lines());
    let (ours, theirs) = pairs.find(|(a, b)| a != b).unwrap_or(("<end>", "<end>"));
    let details = format!("    ours   {ours}\n    theirs {theirs}");
    // The operation's name, which is the first word after the results.
    let word = theirs.split(" = ").last().unwrap_or(theirs).trim();
    let word = word.split([' ', '(', '<']).next().unwrap_or_default();
    Err((format!("prints '{word}' otherwise"), details))
}

/// Returns the content that the custom form of a module loses, besides attributes that mean the
/// same as their absence; `None` if it reads back with the same content.
fn custom_form_differs(
    path: &str,
    (context, mut module): (&mut Context, Module),
) -> Option<String> {
    let text = module_to_string(context, &module, &PrintOptions::default()).unwrap();
    remove_implied(context, &mut module);
    let mut other = self::context(path);
    let read = parse_module(&mut other, &text, &ParseOptions::for_file("custom"));
    let mut read = match read {
        Ok(read) => read,
        Err(errors) => return Some(errors.first().message.clone()),
    };
    remove_implied(&mut other, &mut read);
    let equality = EqualityOptions { locations: false };
    let difference = semantic_difference((&other, &read), (&*context, &module), &equality);
    difference.map(|difference| difference.to_string())
}

/// The name that the source had when upstream read it: attributes can hold its locations.
fn file_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.replace(".generic.mlir", ".src.mlir")
}

fn means(text: &[u8], path: &str, expected: (&Context, &Module)) -> Result<(), Failure> {
    let mut context = context(path);
    let module = parse_module(&mut context, text, &ParseOptions::for_file(file_name(path)))
        .map_err(|errors| refused(&errors.first().message))?;
    has_content((&context, &module), expected)
}

fn refused(message: &str) -> Failure {
    let mut reason: String = message.chars().take(110).collect();
    if let Some(name) = reason.strip_prefix("use of value '") {
        reason = format!(
            "use of value{}",
            name.split('\'').nth(1).unwrap_or_default()
        );
    }
    (format!("refused: {reason}"), message.to_owned())
}

/// Returns a context with the dialects that the tool knows which printed a file with this path,
/// relative to the corpus.
fn context(path: &str) -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    corpus::limit_dialects(&mut context, path);
    for definition in other_definitions() {
        context.register_dialect(Arc::clone(definition));
    }
    context
}

/// Definitions in place of the bundled ones, from the folder that `RMLIR_CUSTOM_DEFINITIONS` names.
fn other_definitions() -> &'static [Arc<DialectDefinition>] {
    static READ: OnceLock<Vec<Arc<DialectDefinition>>> = OnceLock::new();
    READ.get_or_init(|| {
        let Some(folder) = std::env::var_os("RMLIR_CUSTOM_DEFINITIONS") else {
            return Vec::new();
        };
        let files = std::fs::read_dir(folder).unwrap().flatten();
        let files = files.map(|entry| entry.path());
        let definitions = files.filter(|file| file.extension().is_some_and(|e| e == "dialect"));
        let read = definitions.map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            match DialectDefinition::parse(&text, &Hooks) {
                Ok(definition) => Arc::new(definition),
                Err(error) => panic!("{}: {error}", file.display()),
            }
        });
        read.collect()
    })
}

/// Returns the dialects of a module's operations.
fn dialects(context: &Context, module: &Module) -> BTreeSet<String> {
    module
        .descendants(module.top())
        .map(|op| context.operation_dialect(module.name(op)))
        .map(|dialect| context.str(dialect).into_owned())
        .collect()
}

/// Prints the counts and returns whether none is below its floor.
fn report(totals: &Totals, whole: bool) -> bool {
    let limit = std::env::var("RMLIR_CUSTOM_REASONS");
    let limit = limit.ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (reason, (count, first)) in reasons.iter().take(limit) {
        println!("{count:>6} {reason}\n         {first}");
    }
    println!(
        "\n{:<20} {:>7} {:>7} {:>8} {:>8} {:>7} {:>8}",
        "dialect", "prints", "alike", "", "sources", "same", ""
    );
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    for (name, c) in &totals.dialects {
        println!(
            "{name:<20} {:>7} {:>7} {:>7.2}% {:>8} {:>7} {:>7.2}%",
            c.files,
            c.identical,
            share(c.identical, c.files),
            c.sources,
            c.equal,
            share(c.equal, c.sources)
        );
    }
    if let Some(path) = std::env::var_os("RMLIR_CUSTOM_WRITE_FLOOR") {
        let rows = totals.dialects.iter();
        let rows = rows.map(|(name, c)| format!("{name}\t{}\t{}\n", c.identical, c.equal));
        std::fs::write(path, rows.collect::<String>()).unwrap();
    }
    let mut passed = true;
    let listed: BTreeSet<&str> = LOST
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('\t')?.0))
        .collect();
    for (name, difference) in &totals.lost {
        if !listed.contains(name.as_str()) {
            passed = false;
            println!("FAILED {name}: read back from custom form: {difference}");
        }
    }
    for name in listed {
        if whole && !totals.lost.contains_key(name) {
            passed = false;
            println!("FAILED {name}: its custom form is listed as different, but is not");
        }
    }
    for line in FLOOR.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default();
        let mut number = || fields.next().and_then(|n| n.parse::<usize>().ok()).unwrap();
        let (identical, equal) = (number(), number());
        let count = totals.dialects.get(name).copied().unwrap_or_default();
        if whole && (count.identical < identical || count.equal < equal) {
            passed = false;
            println!(
                "FAILED {name}: {} print alike and {} mean the same; there were {identical} and {equal}",
                count.identical, count.equal
            );
        }
    }
    passed
}
