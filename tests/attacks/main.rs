//! Tests hostile texts and files: each is processed on a small stack, or rejected with the expected
//! error.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test code"
)]

mod definitions;

use rmlir::dialects::register_all;
use rmlir::ir::{
    Context, EqualityOptions, FingerprintOptions, Mapping, Module, VerifyOptions, WalkOrder,
    WalkResult, fingerprint, semantic_difference, verify,
};
use rmlir::reader::rmbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintError, PrintOptions, parse_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::hostile::{self as rules, Rule};
use rmlir_testing::module_to_string;
use std::path::PathBuf;

/// A stack smaller than the default of any thread.
const STACK: usize = 256 * 1024;
/// The number of nesting levels: the promised one, or what an unoptimised build processes in some
/// seconds.
const DEPTH: usize = if cfg!(debug_assertions) { 300 } else { 100_000 };
const WIDTH: usize = if cfg!(debug_assertions) { 500 } else { 10_000 };
const SQUARE: usize = if cfg!(debug_assertions) { 100 } else { 1_000 };
/// The entities that inputs which multiply are allowed.
const PRODUCT: u64 = if cfg!(debug_assertions) {
    1_000_000
} else {
    10_000_000
};

fn new_context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context
}

/// Runs a function on a thread with a small stack.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    if let Err(panic) = thread.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

fn each(rules: &'static [Rule], size: usize, run: fn(&str, &[u8])) {
    on_small_stack(move || {
        for (name, make) in rules {
            run(name, make(size).as_bytes());
        }
    });
}

fn parse(context: &mut Context, text: &[u8]) -> Result<Module, String> {
    let mut options = ParseOptions::for_file("attack.mlir");
    options.keep_names = true;
    parse_module(context, text, &options).map_err(|error| error.to_string())
}

/// Asserts that two modules have the same content.
#[track_caller]
fn assert_same(name: &str, left: (&Context, &Module), right: (&Context, &Module)) {
    let options = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference(left, right, &options) {
        panic!("{name}: the content differs: {difference}");
    }
    let options = FingerprintOptions { locations: true };
    let of = |(context, module): (&Context, &Module)| {
        fingerprint(context, module, module.top(), &options)
    };
    assert!(of(left) == of(right), "{name}: the fingerprint differs");
}

/// Returns options for all forms of text.
fn forms(max_output: u64) -> Vec<PrintOptions> {
    let form = |(generic, debug_info, local_scope, keep_names)| {
        let mut options = PrintOptions::default();
        options.generic = generic;
        options.debug_info = debug_info;
        options.local_scope = local_scope;
        options.keep_names = keep_names;
        options.max_output = max_output;
        options
    };
    [
        (true, false, false, false),
        (false, false, false, false),
        (true, true, false, false),
        (false, true, false, true),
        (false, true, true, false),
    ]
    .map(form)
    .into()
}

/// Performs every operation of the library on a module. Returns the number of forms in which its
/// text is too large.
fn everything(name: &str, context: Context, mut module: Module, max_output: u64) -> usize {
    let _ = verify(&context, &module, module.top(), &VerifyOptions::default());
    let mut too_large = 0;
    for options in forms(max_output) {
        let text = match module_to_string(&context, &module, &options) {
            Ok(text) => text,
            Err(PrintError::TooLarge(_)) => {
                too_large += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        if options.debug_info {
            let mut other = new_context();
            let again = parse(&mut other, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_same(name, (&context, &module), (&other, &again));
        }
    }
    let bytes = write_module(&context, &module, &WriteOptions::default())
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut other = new_context();
    // The parser's default: bytecode encodes sharing in far fewer bytes.
    let mut options = ReadOptions::default();
    options.limits.max_shared_entities = 1 << 24;
    let again = read_module_from_slice(&mut other, &bytes, &options)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_same(name, (&context, &module), (&other, &again));
    assert_eq!(
        write_module(&other, &again, &WriteOptions::default()).ok(),
        Some(bytes)
    );
    drop((other, again));

    let top = module.top();
    let copy = module.clone_operation(top, &mut Mapping::default());
    for order in [WalkOrder::PreOrder, WalkOrder::PostOrder] {
        module.walk(copy, order, |_, _| WalkResult::Advance);
        module.walk_mut(copy, order, |_, _| WalkResult::Advance);
    }
    assert!(module.erase_operation(copy).is_ok());
    drop(module.clone());
    drop(context.clone());
    let body = module.body().unwrap();
    let operations: Vec<_> = module.operations(body).collect();
    for operation in operations {
        // Operations whose results are used are left, to be dropped with the module.
        let _ = module.erase_operation(operation);
    }
    too_large
}

/// Checks that a valid text is processed, and that its printed text fits the limit.
fn valid(name: &str, text: &[u8]) {
    let mut context = new_context();
    let module = parse(&mut context, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(everything(name, context, module, 1 << 30), 0, "{name}");
}

#[test]
fn deep() {
    each(rules::DEEP, DEPTH, valid);
}

#[test]
fn doubling() {
    each(rules::DOUBLING, 60, |name, text| {
        let mut context = new_context();
        let module = parse(&mut context, text).unwrap_or_else(|e| panic!("{name}: {e}"));
        // At least the text without aliases is too large.
        assert!(
            everything(name, context, module, 1_000_000) > 0,
            "{name}: the text fits"
        );
    });
}

#[test]
fn wide() {
    each(rules::WIDE, WIDTH, valid);
}

#[test]
fn multiplying() {
    each(rules::MULTIPLYING, SQUARE, |name, text| {
        let mut context = new_context();
        match parse(&mut context, text) {
            Ok(module) => drop(everything(name, context, module, PRODUCT)),
            Err(error) => assert!(
                error.contains("entities from shared ones than the limit of"),
                "{name}: {error}"
            ),
        }
    });
}

/// With a small budget, multiplying inputs are rejected.
#[test]
fn the_budget_for_shared_entities_is_kept() {
    let text = |name| {
        let rule = rules::MULTIPLYING.iter().find(|rule| rule.0 == name);
        rule.unwrap().1(400)
    };
    for name in [
        "fused locations in fused locations",
        "a growing fused location",
        "calls that share a type",
        "operations that share a type",
        "wide integers",
        "negative wide integers",
        "wide dense integers",
        "wide dense splats",
        "arrays of wide integers",
        "wide sparse integers",
        "quotients of a sum",
        "long arrays in bodies",
        "doubling arrays in a body",
        "long strings in bodies",
    ] {
        let text = text(name);
        let mut options = ParseOptions::default();
        options.max_shared_entities = 0;
        let result = parse_module(&mut new_context(), text.as_bytes(), &options);
        let error = result.map(drop).unwrap_err().to_string();
        assert!(
            error.contains("entities from shared ones"),
            "{name}: {error}"
        );
        assert_eq!(error.matches("error:").count(), 1, "{name}: {error}");
    }
}

#[test]
fn bad() {
    on_small_stack(|| {
        for (name, make, message) in rules::BAD {
            let text = make(DEPTH);
            let error = match parse(&mut new_context(), text.as_bytes()) {
                Ok(_) => panic!("{name}: it is accepted"),
                Err(error) => error,
            };
            assert!(error.contains(message), "{name}: {error}");
            // Lines are shown in part, and the number of errors is limited.
            assert!(error.len() < 20_000, "{name}: {} bytes", error.len());
        }
    });
}

#[test]
fn files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("attacks");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut named: Vec<String> = ["README.md", "expected.tsv", "findings"]
        .map(str::to_owned)
        .into();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, outcome, message, _options] = fields[..] else {
            panic!("{line}");
        };
        named.push(name.to_owned());
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let (name, outcome, message) = (name.to_owned(), outcome.to_owned(), message.to_owned());
        on_small_stack(move || {
            let mut context = new_context();
            let result = if name.ends_with(".rmbc") {
                read_module_from_slice(&mut context, &bytes, &ReadOptions::default())
                    .map_err(|error| error.to_string())
            } else {
                parse(&mut context, &bytes)
            };
            match (outcome.as_str(), result) {
                ("refused", Err(error)) => {
                    assert!(
                        !message.is_empty() && error.contains(&message),
                        "{name}: {error}"
                    );
                }
                ("too large", Ok(module)) => {
                    assert!(everything(&name, context, module, 1_000_000) > 0, "{name}");
                }
                ("accepted", Ok(module)) => {
                    assert_eq!(everything(&name, context, module, 1_000_000), 0, "{name}");
                }
                (_, Ok(_)) => panic!("{name}: it is accepted"),
                (_, Err(error)) => panic!("{name}: {error}"),
            }
        });
    }
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    named.sort();
    assert_eq!(files, named);
}
