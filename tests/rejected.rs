//! Texts that `mlir-opt-22` rejects: so do we, with the first error on the line that it names, as far as that can be
//! asked of us.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. Its place is `RMLIR_CORPUS`, else
//! `../shared/corpus`. `RMLIR_CORPUS_FILTER` takes only paths that contain it. It runs in release builds.
//!
//! Each case is parsed and, if that goes well, verified. Of a case of the class `verifier` that we let pass, or
//! reject elsewhere, upstream's message says why: the operation that it speaks of, or at whose place it stands,
//! has no definition here, or has attributes of a dialect of which there is none (`needs definition`); or the text
//! is in custom syntax that is not known (`needs custom syntax`). The suite fails for any that is left, and for
//! those whose message is one that needs no definition.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::{
    Context, Entry, EntryWalker, Location, LocationKind, Module, Operation, VerifyOptions,
    WalkOrder, WalkResult, verify,
};
use rmlir::text::{ParseOptions, message_to_string, parse_module};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line of the index.
struct Case {
    path: String,
    class: String,
    /// 0 if upstream names no place.
    line: usize,
    message: String,
}

/// What became of a case.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    /// Rejected on upstream's line.
    SameLine,
    /// Rejected on another line: upstream's, ours, our message.
    OtherLine(String),
    NeedsSyntax(String),
    NeedsDefinition(String),
    Accepted,
}

/// Parts of messages that upstream's verifier says of operations of any sort. What they say hangs on definitions of
/// the operations around, not on that of the operation itself.
const GENERIC: &[&str] = &[
    "does not dominate this use",
    "using value defined outside the region",
    "redefinition of symbol named",
    "entry block of region may not have predecessors",
    "operation with block successors must terminate its parent block",
    "branching to block of a different region",
];

fn main() {
    if cfg!(debug_assertions) {
        println!("SKIPPED: the suite runs in release builds: cargo test --release --test rejected");
        return;
    }
    let root = std::env::var_os("RMLIR_CORPUS")
        .map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    let Ok(index) = std::fs::read_to_string(root.join("rejected.jsonl")) else {
        println!("SKIPPED: no corpus at {}", root.display());
        return;
    };
    let filter = std::env::var("RMLIR_CORPUS_FILTER").unwrap_or_default();
    let cases = index.lines().map(Case::read);
    let mut failures = 0;
    // By class and verdict.
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut needed: BTreeMap<(String, String), usize> = BTreeMap::new();
    for case in cases.filter(|case| case.path.contains(&filter)) {
        let verdict = judge(&root, &case);
        let name = match &verdict {
            Verdict::SameLine => "same line",
            Verdict::OtherLine(_) => "other line",
            Verdict::NeedsSyntax(_) => "needs custom syntax",
            Verdict::NeedsDefinition(_) => "needs definition",
            Verdict::Accepted => "accepted",
        };
        *counts.entry((case.class.clone(), name)).or_default() += 1;
        match verdict {
            Verdict::NeedsSyntax(of) | Verdict::NeedsDefinition(of) => {
                let dialect = of.split('.').next().unwrap_or_default().to_owned();
                *needed.entry((name.to_owned(), dialect)).or_default() += 1;
            }
            Verdict::OtherLine(_) | Verdict::Accepted if case.class == "verifier" => {
                failures += 1;
                println!(
                    "FAILED {}: {verdict:?}\n  theirs {}",
                    case.path, case.message
                );
            }
            _ => {}
        }
    }
    println!("\n{:<34} {:<20} {:>6}", "class", "verdict", "cases");
    for ((class, verdict), count) in &counts {
        println!("{class:<34} {verdict:<20} {count:>6}");
    }
    println!(
        "\n{:<20} {:<20} {:>6}",
        "what is missing", "dialect", "cases"
    );
    for ((what, dialect), count) in &needed {
        println!("{what:<20} {dialect:<20} {count:>6}");
    }
    assert_eq!(
        failures, 0,
        "cases of the verifier that are decided wrongly"
    );
}

fn judge(root: &Path, case: &Case) -> Verdict {
    let text = std::fs::read(root.join(&case.path)).expect("the file can be read");
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = match parse_module(&mut context, &text, &ParseOptions::for_file("input.mlir")) {
        Ok(module) => module,
        Err(errors) => {
            let error = errors.first();
            if let Some(of) = unknown_syntax(&error.message) {
                return Verdict::NeedsSyntax(of);
            }
            return compare(case, error.line, &error.message);
        }
    };
    let found = verify(&context, &module, module.top(), &VerifyOptions::default());
    let verdict = match found.as_ref().err().and_then(|errors| errors.first()) {
        Some(error) => {
            let message = message_to_string(&context, &module, &error.message);
            compare(case, line(&context, error.location), &message)
        }
        None => Verdict::Accepted,
    };
    if verdict == Verdict::SameLine || case.class != "verifier" {
        return verdict;
    }
    missing_definition(&context, &module, case).map_or(verdict, Verdict::NeedsDefinition)
}

fn compare(case: &Case, line: usize, message: &str) -> Verdict {
    if line == case.line {
        return Verdict::SameLine;
    }
    Verdict::OtherLine(format!("{} {line} {message}", case.line))
}

/// The operation whose custom syntax is not known, if that is what the parser says.
fn unknown_syntax(message: &str) -> Option<String> {
    let rest = message
        .strip_prefix("the custom syntax of '")
        .or_else(|| message.strip_prefix("custom op '"))?;
    let (name, rest) = rest.split_once('\'')?;
    let says_so = rest.starts_with(" is not known") || rest.starts_with(" is unknown");
    says_so.then(|| name.to_owned())
}

/// The operation without a definition of which upstream's message speaks, or that stands where it says.
fn missing_definition(context: &Context, module: &Module, case: &Case) -> Option<String> {
    let at_place = || {
        let here = |op: &Operation| line(context, module.location(*op)) == case.line;
        module.descendants(module.top()).find(here)
    };
    if GENERIC.iter().any(|part| case.message.contains(part)) {
        return undefined_around(context, module, at_place()?);
    }
    let named = case.message.strip_prefix('\'').and_then(|rest| {
        let (name, rest) = rest.split_once('\'')?;
        rest.starts_with(" op ").then_some(name)
    });
    let name = match named {
        Some(name) => name.to_owned(),
        None => {
            let name = context.operation_name_identifier(module.name(at_place()?));
            context.str(name).into_owned()
        }
    };
    let (namespace, mnemonic) = name.split_once('.')?;
    let definition = context
        .dialect(namespace.as_bytes())
        .and_then(|dialect| dialect.operation(mnemonic.as_bytes()));
    match named {
        _ if definition.is_none() => Some(name),
        Some(_) => None,
        None => attribute_of_dialect(context, module, at_place()?),
    }
}

/// An operation around another that upstream knows and of which there is no definition here.
fn undefined_around(context: &Context, module: &Module, operation: Operation) -> Option<String> {
    std::iter::successors(module.parent_operation(operation), |&op| {
        module.parent_operation(op)
    })
    .map(|op| module.name(op))
    .find(|&name| {
        let dialect = context.bytes(context.operation_dialect(name));
        context.operation_definition(name).is_none() && context.dialect(dialect).is_some()
    })
    .map(|name| {
        let name = context.operation_name_identifier(name);
        context.str(name).into_owned()
    })
}

/// An attribute that another dialect gives to an operation, or to what is in its attributes: what it may be attached to,
/// and be, that dialect says.
fn attribute_of_dialect(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<String> {
    let of_dialect = |name: &[u8]| {
        let (namespace, _) = name.split_at(name.iter().position(|&b| b == b'.')?);
        let is_known = context.dialect(namespace).is_some_and(|d| d.is_complete);
        (!is_known).then(|| String::from_utf8_lossy(name).into_owned())
    };
    let mut found = None;
    for root in [module.attributes(operation), module.properties(operation)]
        .into_iter()
        .flatten()
    {
        EntryWalker::new().walk(context, root, WalkOrder::PreOrder, |entry| {
            if let Entry::Attribute(attribute) = entry {
                let names = context.dictionary_entries(attribute).iter();
                let mut names = names.filter_map(|&(name, _)| of_dialect(context.bytes(name)));
                found = found.take().or_else(|| names.next());
            }
            WalkResult::Advance
        });
        if found.is_some() {
            break;
        }
    }
    found
}

fn line(context: &Context, location: Location) -> usize {
    match context.location_kind(location) {
        LocationKind::FileLineColRange { start_line, .. } => *start_line as usize,
        _ => 0,
    }
}

impl Case {
    fn read(line: &str) -> Case {
        let error = string(line, "first_error");
        let (place, message) = error.split_once(": error: ").unwrap_or(("", &error));
        let mut numbers = place.rsplit(':');
        let number = match numbers.next() {
            Some("0") => "0",
            _ => numbers.next().unwrap_or_default(),
        };
        Case {
            path: string(line, "path"),
            class: string(line, "class"),
            line: number.parse().unwrap_or(0),
            message: message.to_owned(),
        }
    }
}

/// A string in an object of JSON that is not nested.
fn string(object: &str, key: &str) -> String {
    let Some((_, rest)) = object.split_once(&format!("\"{key}\":\"")) else {
        return String::new();
    };
    let mut value = String::new();
    let mut rest = rest.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => break,
            '\\' => match rest.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('u') => {
                    let digits: String = rest.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).unwrap_or(0xfffd);
                    value.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                }
                other => value.extend(other),
            },
            c => value.push(c),
        }
    }
    value
}
