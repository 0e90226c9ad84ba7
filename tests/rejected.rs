//! Tests texts that `mlir-opt-22` rejects: we must reject them too, with the first error on the
//! line that it names, as far as that is possible.
//!
//! An extra suite: it needs the corpus, which is not part of the repository. It is in
//! `RMLIR_CORPUS`, else in `../shared/corpus`. `RMLIR_CORPUS_FILTER` selects only paths that
//! contain it; `RMLIR_SHOW` prints the missing rules of the verifier. It runs in release builds.
//!
//! Each case is parsed and, if that succeeds, verified. If we accept a case of the class
//! `verifier`, or reject it elsewhere, upstream's message tells why: the operation that it names,
//! or at whose location it is reported, has no definition here (`needs definition`), or the rule
//! belongs to the operation or an attribute (`needs rule`); or the text is in unknown custom syntax
//! (`needs custom syntax`). The suite fails for any remaining case.
//!
//! Of the cases whose rule is the operation's own, which no trait, count or type constraint
//! expresses, it counts those that are rejected on upstream's line, by dialect.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::constraint::{ATTRIBUTE_CONSTRAINTS, builtin_types};
use rmlir::ir::{
    Context, Location, LocationKind, Module, Operation, OperationTraits, VerifyOptions, verify,
};
use rmlir::text::{ParseOptions, message_to_string, parse_module};
use rmlir_testing::corpus;
use std::collections::BTreeMap;
use std::path::Path;

/// A line of the index.
struct Case {
    path: String,
    class: String,
    /// 0 if upstream reports no location.
    line: usize,
    column: usize,
    message: String,
}

/// The result of a case.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    /// Rejected on upstream's line, at this column.
    SameLine(usize),
    /// Rejected on another line: upstream's line, ours, our message.
    OtherLine(String),
    NeedsSyntax(String),
    NeedsDefinition(String),
    NeedsRule(String),
    Accepted,
}

/// Parts of the messages of upstream's verifier for rules that apply to all operations, or that
/// definitions express as data: such a case must be rejected. `#` denotes a number.
const DECIDED: &[&str] = &[
    "operand ## does not dominate this use",
    "using value defined outside the region",
    "redefinition of symbol named",
    "entry block of region may not have predecessors",
    "operation with block successors must terminate its parent block",
    "branching to block of a different region",
    "block with no terminator, has",
    "empty block: expect at least a terminator",
    "that does not allow unknown operations",
    " op requires zero operands",
    " op requires zero results",
    " op requires zero regions",
    " op requires one result",
    " op requires one region",
    " op requires a single operand",
    " op expected # operands, but found",
    " op expected # or more operands, but found",
    " op expected # results",
    " op expected # or more results",
    " op expected # regions",
    " op expected # or more regions",
    " successors but found #",
    " successor but found #",
    " does not match with the total size (",
    "SegmentSizes' attribute",
    " group starting at ##",
    " op requires attribute '",
    " op expects parent op '",
    " op expects parent op to be one of '",
    " should have no arguments",
    " to have 0 or 1 blocks",
    " op expects a non-empty block",
    " op expects regions to end with '",
    "failed to verify constraint: region with",
    "must be the last operation in the parent block",
    "symbol's parent must have the SymbolTable trait",
    "symbol declaration cannot have public visibility",
    "visibility expected to be one of",
    "attribute array to have the same number of elements as the number of function",
    "s may only have dialect attributes",
    "'func.call' op",
    "'func.call_indirect' op",
    "'func.constant' op",
    "'func.func' op",
    "'func.return' op",
    "'builtin.module' op",
    "'builtin.unrealized_conversion_cast' op",
];

/// Parts of the messages of upstream's verifier for what definitions can express: counts,
/// attributes, types and traits. In addition to [`DECIDED`], whether or not our definitions express
/// them.
const EXPRESSIBLE: &[&str] = &[
    " op requires the same ",
    " op requires all operands to have the same type",
    " op requires # ",
    " op expected # ",
    " op operand ## must be ",
    " op result ## must be ",
    " failed to satisfy constraint: ",
    " op failed to verify that ",
    " op requires attribute '",
    "type mismatch for bb argument ##",
    "inferred type(s) ",
];

/// Messages that are decided if an operation has one of these traits; other operations have the
/// same message for reasons of their own.
const SAME_TYPES: &[(&str, &[OperationTraits])] = &[
    (
        " op requires all operands to have the same type",
        &[OperationTraits::SAME_TYPE_OPERANDS],
    ),
    (
        " op requires the same type for all operands and results",
        &[OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE],
    ),
    (
        " op requires the same encoding for all operands and results",
        &[OperationTraits::SAME_OPERANDS_AND_RESULT_TYPE],
    ),
    (
        " op requires the same element type for all operands",
        &[
            OperationTraits::SAME_OPERANDS_ELEMENT_TYPE,
            OperationTraits::SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE,
        ],
    ),
    (
        " op requires the same shape for all operands",
        &[
            OperationTraits::SAME_OPERANDS_SHAPE,
            OperationTraits::SAME_OPERANDS_AND_RESULT_SHAPE,
        ],
    ),
];

/// Returns the message with each number replaced by `#`.
fn without_numbers(message: &str) -> String {
    let mut shown = String::new();
    for c in message.chars() {
        if !c.is_ascii_digit() {
            shown.push(c);
        } else if !shown.ends_with("\u{1}") {
            shown.push('\u{1}');
        }
    }
    shown.replace('\u{1}', "#")
}

/// Returns whether a message concerns something that definitions can express.
fn is_expressible(message: &str) -> bool {
    let shown = without_numbers(message);
    let mut parts = DECIDED.iter().chain(EXPRESSIBLE);
    parts.any(|part| shown.contains(part))
}

/// Returns whether a message concerns a rule that is decided here.
fn is_decided(message: &str) -> bool {
    let shown = without_numbers(message);
    let known = |name: &str| message.ends_with(&format!("failed to satisfy constraint: {name}"));
    DECIDED.iter().any(|part| shown.contains(part))
        || ATTRIBUTE_CONSTRAINTS.iter().any(|c| known(c.summary))
        || builtin_types().iter().any(|c| {
            message.contains(&format!(" must be {}, but got", c.summary))
                || message.contains(&format!(" must be variadic of {}, but got", c.summary))
        })
}

fn main() {
    if !rmlir_testing::is_optimised("cargo test --release --test rejected") {
        return;
    }
    let Some(root) = corpus::root() else { return };
    let Ok(index) = std::fs::read_to_string(root.join("rejected.jsonl")) else {
        println!("SKIPPED: no corpus at {}", root.display());
        return;
    };
    let filter = corpus::filter();
    let shows_all = std::env::var_os("RMLIR_SHOW").is_some();
    let cases = index.lines().map(Case::read);
    let mut failures = 0;
    // The counts by class and verdict.
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut needed: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut wrong_parses = 0;
    // The number of verifier cases that definitions can express, and how many of them are rejected
    // on the same line.
    let mut expressible = (0, 0);
    // The same for cases of the rules of single operations, by dialect.
    let mut rules: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    // The numbers of parse errors on the same line, and at the same column.
    let mut columns = (0, 0);
    for case in cases.filter(|case| case.path.contains(&filter)) {
        let verdict = judge(&root, &case);
        let name = match &verdict {
            Verdict::SameLine(_) => "same line",
            Verdict::OtherLine(_) => "other line",
            Verdict::NeedsSyntax(_) => "needs custom syntax",
            Verdict::NeedsDefinition(_) => "needs definition",
            Verdict::NeedsRule(_) => "needs rule",
            Verdict::Accepted => "accepted",
        };
        *counts.entry((case.class.clone(), name)).or_default() += 1;
        if let (true, Verdict::SameLine(column)) = (case.class.starts_with("parse_"), &verdict) {
            columns.0 += 1;
            columns.1 += usize::from(*column == case.column);
        }
        if case.class == "verifier" && !is_expressible(&case.message) {
            let count = rules.entry(dialect_of(&case)).or_default();
            count.0 += 1;
            count.1 += usize::from(matches!(verdict, Verdict::SameLine(_)));
        }
        if case.class == "verifier" && is_expressible(&case.message) {
            expressible.0 += 1;
            match verdict {
                Verdict::SameLine(_) => expressible.1 += 1,
                _ if shows_all => println!("{}: {verdict:?}\n  theirs {}", case.path, case.message),
                _ => {}
            }
        }
        match verdict {
            Verdict::NeedsSyntax(of) | Verdict::NeedsDefinition(of) | Verdict::NeedsRule(of) => {
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
            Verdict::OtherLine(_) | Verdict::Accepted if case.class.starts_with("parse_") => {
                wrong_parses += 1;
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
    let (lines, same_columns) = columns;
    let decided = lines + wrong_parses;
    println!(
        "\nparsing: of {decided} cases that need nothing else, {lines} on the same line, {same_columns} at the same column"
    );
    let (expressible, rejected) = expressible;
    println!(
        "verifier: of {expressible} cases of what definitions can express, {rejected} on the same line ({:.1} %)",
        f64::from(rejected) * 100.0 / f64::from(expressible.max(1))
    );
    println!(
        "\n{:<20} {:>6} {:>10}",
        "rules of operations", "cases", "same line"
    );
    let mut sum = (0, 0);
    for (dialect, (cases, same)) in &rules {
        println!("{dialect:<20} {cases:>6} {same:>10}");
        sum = (sum.0 + cases, sum.1 + same);
    }
    let (cases, same) = sum;
    println!("of {cases} cases of rules of operations, {same} on the same line");
    assert!(
        same * 100 >= cases * 61,
        "too few rules of operations on the same line"
    );
    assert!(
        rejected * 100 >= expressible * 88,
        "too few rejected on the same line"
    );
    assert!(lines * 100 >= decided * 90, "too few on the same line");
    assert!(same_columns * 2 > lines, "too few at the same column");
    assert_eq!(
        failures, 0,
        "cases of the verifier that are decided wrongly"
    );
}

/// Returns the dialect whose rule a case violates: that of the operation that the message names,
/// else that of the file.
fn dialect_of(case: &Case) -> String {
    let named = case.message.strip_prefix('\'');
    let named = named.and_then(|rest| rest.split_once(['.', '\'']));
    match named {
        Some((name, _)) if name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') => {
            name.to_owned()
        }
        _ => {
            let mut parts = case.path.split('/').skip(1);
            let (first, second) = (parts.next(), parts.next());
            let folder = if first == Some("Dialect") {
                second
            } else {
                first
            };
            folder.unwrap_or_default().to_lowercase()
        }
    }
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
            return compare(case, error.line, error.column, &error.message);
        }
    };
    let found = verify(&context, &module, module.top(), &VerifyOptions::default());
    let verdict = match found.as_ref().err().and_then(|errors| errors.first()) {
        Some(error) => {
            let message = message_to_string(&context, &module, &error.message);
            compare(case, line(&context, error.location), 0, &message)
        }
        None => Verdict::Accepted,
    };
    if matches!(verdict, Verdict::SameLine(_)) {
        return verdict;
    }
    if case.class.starts_with("parse_") {
        return own_syntax(&text, case).unwrap_or(verdict);
    }
    if case.class != "verifier" {
        return verdict;
    }
    missing(&context, &module, case).unwrap_or(verdict)
}

fn compare(case: &Case, line: usize, column: usize, message: &str) -> Verdict {
    // If upstream reports no location, any rejection counts.
    if line == case.line || case.line == 0 {
        return Verdict::SameLine(column);
    }
    Verdict::OtherLine(format!("{} {line} {message}", case.line))
}

/// Classifies errors that only a dialect's code can detect in a text: a malformed body of its
/// attribute or type, or an attribute that an operation's parser rejects.
fn own_syntax(text: &[u8], case: &Case) -> Option<Verdict> {
    if let Some(rest) = case.message.strip_prefix('\'')
        && let Some((name, rest)) = rest.split_once('\'')
        && rest.contains(" failed to satisfy constraint: ")
    {
        return Some(Verdict::NeedsRule(name.to_owned()));
    }
    // The last dialect attribute or type that starts before the location, on its line or an earlier
    // one.
    let lines = text.split(|&b| b == b'\n').take(case.line);
    let mut before: Vec<&[u8]> = lines.collect();
    if let Some(last) = before.last_mut() {
        *last = last.get(..case.column).unwrap_or(last);
    }
    let in_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    before.iter().rev().take(3).find_map(|line| {
        let sigils = line.iter().enumerate().rev();
        let mut starts = sigils.filter(|(_, b)| b"!#".contains(b)).map(|(at, _)| at);
        starts.find_map(|at| {
            let rest = line.get(at + 1..)?;
            let len = rest.iter().take_while(|b| in_name(b)).count();
            let of_dialect = len > 0 && matches!(rest.get(len), Some(b'.' | b'<') | None);
            let name = String::from_utf8_lossy(rest.get(..len)?).into_owned();
            of_dialect.then_some(Verdict::NeedsSyntax(name))
        })
    })
}

/// Returns the operation whose custom syntax is unknown, if that is the parser's error.
fn unknown_syntax(message: &str) -> Option<String> {
    let rest = message
        .strip_prefix("the custom syntax of '")
        .or_else(|| message.strip_prefix("custom op '"))?;
    let (name, rest) = rest.split_once('\'')?;
    let says_so = rest.starts_with(" is not known") || rest.starts_with(" is unknown");
    says_so.then(|| name.to_owned())
}

/// Classifies what is missing to decide a case, by upstream's message: the definition of an
/// operation, or a rule of an operation or attribute.
fn missing(context: &Context, module: &Module, case: &Case) -> Option<Verdict> {
    let name_of = |op| {
        let name = context.operation_name_identifier(module.name(op));
        context.str(name).into_owned()
    };
    let here = |op: &Operation| line(context, module.location(*op)) == case.line;
    let at_place = module.descendants(module.top()).find(here);
    let named = case.message.strip_prefix('\'').and_then(|rest| {
        let (name, rest) = rest.split_once('\'')?;
        rest.starts_with(" op ").then(|| name.to_owned())
    });
    let name = named.or_else(|| at_place.map(name_of));
    if let Some(name) = &name
        && !is_defined(context, name)
    {
        return Some(Verdict::NeedsDefinition(name.clone()));
    }
    let by_traits = SAME_TYPES
        .iter()
        .any(|(part, traits)| case.message.contains(part) && has_any(context, &name, traits));
    if !by_traits && !is_decided(&case.message) {
        return Some(Verdict::NeedsRule(name.unwrap_or_default()));
    }
    // The rules of a region depend on the enclosing operations.
    std::iter::successors(at_place, |&op| module.parent_operation(op))
        .skip(1)
        .map(name_of)
        .find(|name| {
            let namespace = name.split('.').next().unwrap_or_default();
            context.dialect(namespace.as_bytes()).is_some() && !is_defined(context, name)
        })
        .map(Verdict::NeedsDefinition)
}

/// Returns whether an operation has at least one of some traits.
fn has_any(context: &Context, name: &Option<String>, traits: &[OperationTraits]) -> bool {
    let found = name
        .as_ref()
        .and_then(|name| name.split_once('.'))
        .and_then(|(namespace, mnemonic)| {
            let dialect = context.dialect(namespace.as_bytes())?;
            let definition = dialect.operation(mnemonic.as_bytes(), context.release())?;
            Some(definition.traits(context.release()))
        });
    found.is_some_and(|found| traits.iter().any(|&one| found.contains(one)))
}

fn is_defined(context: &Context, name: &str) -> bool {
    let Some((namespace, mnemonic)) = name.split_once('.') else {
        return false;
    };
    let dialect = context.dialect(namespace.as_bytes());
    dialect.is_some_and(|dialect| {
        dialect
            .operation(mnemonic.as_bytes(), context.release())
            .is_some()
    })
}

fn line(context: &Context, location: Location) -> usize {
    match context.location_kind(location) {
        LocationKind::FileLineColRange { start_line, .. } => start_line as usize,
        _ => 0,
    }
}

impl Case {
    fn read(line: &str) -> Case {
        let error = string(line, "first_error");
        let (place, message) = error.split_once(": error: ").unwrap_or(("", &error));
        let mut numbers = place.rsplit(':');
        let column = numbers.next().unwrap_or_default();
        let number = match column {
            "0" => "0",
            _ => numbers.next().unwrap_or_default(),
        };
        Case {
            path: string(line, "path"),
            class: string(line, "class"),
            line: number.parse().unwrap_or(0),
            column: column.parse().unwrap_or(0),
            message: message.to_owned(),
        }
    }
}

/// Returns a string from a JSON object that is not nested.
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
