//! Tests every bundled definition by example: operations, attributes and types that satisfy a
//! definition are generated at random, with a seed for each name. Each is verified, printed in
//! custom and generic form and read back, and written as rmbc and mlirbc and read back, and must be
//! the same each time.
//!
//! The number of examples, and the reasons for missing ones, are printed; a minimum is required.
//!
//! `mlir-opt-22` must agree on those of upstream's dialects: see [`upstream`]. For another release,
//! `RMLIR_RELEASE` names it (`llvm-24`), and `RMLIR_MLIR_OPT` its program; `RMLIR_DIALECT`
//! restricts the examples to a dialect.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

#[path = "generated/checks.rs"]
mod checks;
#[path = "generated/operations.rs"]
mod operations;
#[path = "generated/samples.rs"]
mod samples;
#[path = "generated/types.rs"]
mod types;
#[path = "generated/upstream.rs"]
mod upstream;
#[path = "generated/values.rs"]
mod values;

use checks::check_module;
use samples::*;
use values::list_length;

use rmlir::dialects::{Hooks, register_all, texts};
use rmlir::ir::codec::{FieldValue, FieldValues};
use rmlir::ir::constraint::{AttributeIs, TypeConstraint};
use rmlir::ir::definition::{
    Absence, DialectDefinition, EntryDefinition, FormatElement, GroupDefinition, GroupKind,
    OperationDefinition, OperationTraits, ParameterDefinition, ParameterKind, Presence, Release,
};
use rmlir::ir::{
    Attribute, AttributeKind, Context, EqualityOptions, Module, Type, TypeKind, VerifyOptions,
    semantic_difference, verify,
};
use rmlir::reader::{mlirbc as mlirbc_reader, rmbc as rmbc_reader};
use rmlir::text::{
    ParseOptions, PrintOptions, attribute_to_string, entry_body, module_to_string, parse_attribute,
    parse_module, parse_type, type_to_string,
};
use rmlir::writer::{mlirbc as mlirbc_writer, rmbc as rmbc_writer};
use rmlir_testing::{Prng, corpus::for_each, remove_implied};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::Mutex;

/// The maximum number of attempts to choose operands, results and attributes that the verifier
/// accepts.
const TRIES: usize = 24;
/// The maximum number of further attempts for an operation without an example. Unoptimised builds
/// take minutes for them.
const MORE_TRIES: usize = if cfg!(debug_assertions) { 0 } else { 5000 };
/// The number of operations that are checked for each name.
const EXAMPLES: usize = if cfg!(debug_assertions) { 1 } else { 3 };
/// The maximum number of operations around one.
const PARENTS: usize = 6;
/// Operations, and attributes and types, of which there must be an example.
const FLOOR: usize = if cfg!(debug_assertions) { 6457 } else { 6658 };
const ENTRY_FLOOR: usize = if cfg!(debug_assertions) { 937 } else { 939 };

/// Examples that `mlir-opt-22` must accept and print as we do.
const UPSTREAM_FLOOR: usize = 6149;

/// Operations without an example: one line each with the operation, a tab and the reason. `#`
/// starts a comment.
const MISSING: &str = include_str!("generated/missing.txt");

/// Operations whose examples differ from upstream's: one line each with the operation, a tab and
/// the reason. `#` starts a comment.
const EXCEPTIONS: &str = include_str!("generated/exceptions.txt");
/// What became of one dialect.
#[derive(Default)]
struct Coverage {
    operations: usize,
    covered: usize,
    entries: usize,
    entries_covered: usize,
    examples: usize,
    custom: usize,
    /// The reasons why items could not be generated, with the items.
    reasons: BTreeMap<String, Vec<String>>,
    failures: Vec<String>,
    /// Operations without examples, with the most frequent reasons.
    missing: BTreeMap<String, String>,
    /// Attributes and types that are printed in another way than they are read.
    respelled: BTreeMap<String, String>,
    /// What `mlir-opt-22` is to agree on.
    for_upstream: Vec<upstream::Example>,
}

/// Generates items that satisfy the definitions of a dialect.
struct Generator {
    random: Prng,
    dialect: Arc<DialectDefinition>,
    context: Context,
    /// Generated types and attributes of the dialect.
    types: Vec<Type>,
    attributes: Vec<Attribute>,
    /// Types that few constraints ask for, and [`LAST_TYPES`] at the end.
    all_rare: Vec<Type>,
    /// The last constraint on types that no type keeps.
    unkept: String,
    /// The type of each constraint in the current operation, which most relations between types
    /// ask for.
    chosen: BTreeMap<String, Type>,
    /// The number of operations that were spelled.
    level: u32,
    /// Whether simpler choices led to no example of the current operation.
    is_thorough: bool,
    /// The length that lists have where possible.
    length: usize,
    /// The lengths of the lists of a group of lists in the current operation.
    lists: Vec<usize>,
    /// Operations of the dialect that can end a block of any other.
    terminators: Vec<String>,
}

/// The release whose operations, attributes and types are made: LLVM 22, or `RMLIR_RELEASE`.
fn release() -> Release {
    let named = std::env::var("RMLIR_RELEASE");
    named.map_or(Release::LLVM_22, |name| {
        name.parse().expect("a known release")
    })
}

fn new_context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context.set_release(release());
    context
}

impl Generator {
    fn new(dialect: &DialectDefinition) -> Self {
        let mut context = new_context();
        let known = context.dialect(dialect.name.as_bytes());
        let types = TYPES.iter();
        let types = types.map(|text| parse_type(&mut context, text.as_bytes()).unwrap());
        let types = types.collect();
        let attributes = ATTRIBUTES.iter();
        let attributes =
            attributes.map(|text| parse_attribute(&mut context, text.as_bytes()).unwrap());
        let mut attributes: Vec<Attribute> = attributes.collect();
        let seeds = SEEDS.iter().filter(|seed| seed.0 == &*dialect.name);
        attributes
            .extend(seeds.map(|seed| parse_attribute(&mut context, seed.1.as_bytes()).unwrap()));
        let mut rare = rare_types();
        rare.extend(LAST_TYPES.iter().map(|text| (*text).to_owned()));
        let rare = rare.iter();
        let rare = rare.map(|text| parse_type(&mut context, text.as_bytes()).expect(text));
        let all_rare = rare.collect();
        let ends_any = |operation: &&OperationDefinition| {
            let release = release();
            operation.number(release).is_some()
                && operation
                    .traits(release)
                    .contains(OperationTraits::TERMINATOR)
                && operation
                    .groups_in(&operation.successors, release)
                    .next()
                    .is_none()
                && operation
                    .attributes_in(release)
                    .all(|attribute| attribute.presence != Presence::Required)
        };
        let terminators = dialect.operations().iter().map(|one| &**one);
        let terminators = terminators.filter(ends_any);
        let terminators = terminators.map(|one| format!("{}.{}", dialect.name, one.mnemonic));
        let terminators = terminators.collect();
        Generator {
            random: Prng::of(&dialect.name),
            dialect: known.unwrap(),
            context,
            types,
            attributes,
            all_rare,
            unkept: String::new(),
            chosen: BTreeMap::new(),
            level: 0,
            is_thorough: false,
            length: 0,
            lists: Vec::new(),
            terminators,
        }
    }

    fn rare(&self) -> &[Type] {
        let simple = self.all_rare.len() - LAST_TYPES.len();
        match self.is_thorough {
            true => &self.all_rare,
            false => &self.all_rare[..simple],
        }
    }

    fn number(&self) -> u32 {
        release().number_in(self.dialect.family)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        match all.len() {
            0 => None,
            len => all.get(self.random.below(len)).copied(),
        }
    }
}

/// Returns a message without the quoted parts.
fn generic_reason(message: &str) -> String {
    let parts = message.split('\'').step_by(2);
    let text = parts.collect::<Vec<_>>().join("'_'");
    text.chars().take(90).collect()
}
fn check_dialect(text: &'static str) -> (String, Coverage) {
    let definition = DialectDefinition::parse_static(text, &Hooks).unwrap();
    let name = definition.name.to_string();
    let mut coverage = Coverage::default();
    let mut generator = Generator::new(&definition);
    generator.entries(&mut coverage);
    generator.operations(&mut coverage);
    (name, coverage)
}

/// Has `mlir-opt-22` agree on examples.
fn with_upstream(examples: Vec<upstream::Example>, whole: bool) {
    if cfg!(debug_assertions) && whole {
        println!("SKIPPED: the comparison with upstream, which is made in profile suite");
        return;
    }
    let Some(outcome) = upstream::compare(examples) else {
        println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed");
        return;
    };
    let rejected: usize = outcome.rejected.values().map(|found| found.0).sum();
    println!(
        "mlir-opt-22 accepts {} examples and rejects {rejected}; {} have the same custom text",
        outcome.accepted, outcome.same
    );
    println!("printed in generic form here: {:?}", outcome.generic);
    println!(
        "upstream does not read its custom text of {:?}",
        outcome.unreadable
    );
    let mut reasons: Vec<_> = outcome.rejected.iter().collect();
    reasons.sort_by_key(|(_, found)| std::cmp::Reverse(found.0));
    for (reason, (count, names)) in reasons.iter().take(60) {
        let most = if reason.contains("crashes") {
            usize::MAX
        } else {
            3
        };
        let names: Vec<&str> = names.iter().take(most).map(|name| &**name).collect();
        println!("{count:5} {reason} ({})", names.join(", "));
    }
    let mut different = outcome.different;
    let listed = EXCEPTIONS.lines().filter_map(|line| line.split_once('\t'));
    let listed: BTreeMap<&str, &str> = listed.collect();
    let mut unused = listed.clone();
    different.retain(|(name, _)| {
        unused.remove(&**name);
        !listed.contains_key(&**name)
    });
    for (name, how) in &different {
        println!("DIFFERENT {name}: {how}");
    }
    assert_eq!(different.len(), 0, "examples that differ from upstream");
    if whole {
        assert!(unused.is_empty(), "listed, but not different: {unused:?}");
        assert!(outcome.same >= UPSTREAM_FLOOR, "too few examples are alike");
    }
}

#[test]
fn what_keeps_a_definition_is_the_same_after_each_form() {
    if !rmlir_testing::is_optimised("cargo test --profile suite --test generated") {
        return;
    }
    let only = std::env::var("RMLIR_DIALECT").ok();
    let all: Vec<&'static str> = texts()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
        .map(|(_, text)| text)
        .collect();
    let results: Mutex<BTreeMap<String, Coverage>> = Mutex::default();
    for_each(&all, |text| {
        let (name, coverage) = check_dialect(text);
        results.lock().unwrap().insert(name, coverage);
    });
    let results = results.into_inner().unwrap();
    let mut total = Coverage::default();
    for (name, coverage) in results {
        println!(
            "{name}: {} of {} operations ({} examples, {} in custom form), {} of {} attributes and types",
            coverage.covered,
            coverage.operations,
            coverage.examples,
            coverage.custom,
            coverage.entries_covered,
            coverage.entries
        );
        total.operations += coverage.operations;
        total.covered += coverage.covered;
        total.entries += coverage.entries;
        total.entries_covered += coverage.entries_covered;
        total.examples += coverage.examples;
        total.custom += coverage.custom;
        total.failures.extend(coverage.failures);
        total.missing.extend(coverage.missing);
        total.respelled.extend(coverage.respelled);
        total.for_upstream.extend(coverage.for_upstream);
        for (reason, names) in coverage.reasons {
            total.reasons.entry(reason).or_default().extend(names);
        }
    }
    println!(
        "{} of {} operations ({} examples, {} in custom form), {} of {} attributes and types",
        total.covered,
        total.operations,
        total.examples,
        total.custom,
        total.entries_covered,
        total.entries
    );
    let mut reasons: Vec<_> = total.reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    println!("not made, by the last reason:");
    for (reason, names) in &reasons {
        println!("{:5} {reason} ({})", names.len(), names.join(", "));
    }
    for (name, reasons) in &total.missing {
        println!("MISSING {name}: {reasons}");
    }
    for failure in total.failures.iter().take(60) {
        println!("FAILED {failure}");
    }
    assert_eq!(total.failures.len(), 0, "examples that are not the same");
    let whole = only.is_none() && release() == Release::LLVM_22;
    with_upstream(std::mem::take(&mut total.for_upstream), whole);
    let respelled = upstream::compare_respelled(&total.respelled);
    println!(
        "{} of {} attributes and types that are printed in another way are of dialects of mlir-opt-22, which accepts {}",
        respelled.known,
        total.respelled.len(),
        respelled.accepted
    );
    for (text, ours, theirs) in &respelled.different {
        println!("RESPELLED {text}: {ours}, by upstream {theirs}");
    }
    assert_eq!(
        respelled.different.len(),
        0,
        "attributes and types that upstream prints in another way"
    );
    if whole && !cfg!(debug_assertions) {
        let listed = MISSING.lines().filter_map(|line| line.split_once('\t'));
        let listed: Vec<&str> = listed.map(|(name, _)| name).collect();
        let missing: Vec<&str> = total.missing.keys().map(|name| &**name).collect();
        assert_eq!(
            missing, listed,
            "operations without an example, and those listed"
        );
    }
    if whole {
        assert!(total.covered >= FLOOR, "too few operations are covered");
        assert!(
            total.entries_covered >= ENTRY_FLOOR,
            "too few attributes and types are covered"
        );
    }
}
