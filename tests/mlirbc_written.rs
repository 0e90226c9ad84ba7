//! Tests upstream's bytecode that we write, with upstream's tools: they must print the same for our
//! bytecode as for our text.
//!
//! An extra suite: it needs `mlir-opt-22`; `mlir-opt-24`, `mlir-opt-23`, `mlir-opt-21`,
//! `mlir-opt-19`, `mlir-opt-16` and the `iree-opt` of IREE 3.2, which is built on MLIR as of
//! January 2025 (LLVM 20), are used as well if they are installed. Besides the texts of
//! `tests/interop` it uses files of the corpus, which is in `RMLIR_CORPUS`, else in
//! `../shared/corpus`: every 60th, or every `RMLIR_STEP`th. It runs in release builds.
//!
//! A text that the tool does not parse contains something that its release cannot represent.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module, Operation};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir_testing::{corpus, module_to_string};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

/// The reading tool, the target, and the bytecode version.
struct Case {
    tool: &'static str,
    target: Release,
    version: u8,
}

const CASES: &[Case] = &[
    case("mlir-opt-24", Release::LLVM_24, 6),
    case("mlir-opt-24", Release::LLVM_24, 5),
    case("mlir-opt-22", Release::LLVM_22, 6),
    case("mlir-opt-22", Release::LLVM_22, 5),
    case("mlir-opt-22", Release::LLVM_22, 4),
    case("mlir-opt-22", Release::LLVM_22, 0),
    case("mlir-opt-23", Release::LLVM_23, 6),
    case("mlir-opt-23", Release::LLVM_23, 5),
    case("mlir-opt-21", Release::LLVM_21, 6),
    case("mlir-opt-21", Release::LLVM_21, 5),
    case(IREE, Release::LLVM_20, 6),
    case(IREE, Release::LLVM_20, 5),
    case("mlir-opt-19", Release::LLVM_19, 6),
    case("mlir-opt-19", Release::LLVM_19, 5),
    case("mlir-opt-19", Release::LLVM_19, 4),
    // The only version that it reads.
    case("mlir-opt-16", Release::LLVM_19, 0),
];

/// IREE's tool, as `.ci/install` names it.
const IREE: &str = "iree-opt-3.2";

/// LLVM's dialects that IREE's tool does not register: it reads their operations as unregistered
/// ones, which have no properties in bytecode.
const NOT_IN_IREE: &[&str] = &[
    "acc",
    "amx",
    "async",
    "dlti",
    "index",
    "irdl",
    "mpi",
    "omp",
    "polynomial",
    "ptr",
    "sparse_tensor",
    "test",
    "ub",
    "vcix",
    "x86vector",
    "xegpu",
];

/// An operation that is written for LLVM 23 as its development had it: `dialects/sources.toml`.
const EARLIER: &[u8] = b"memref.load";

/// The tool, part of a path, and the reason why the tool's outputs for our bytecode and our text
/// differ.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "mlir-opt-23",
        "Dialect_Transform_test-",
        "operations of the test extension, whose layout in 23 is not known",
    ),
    (
        "mlir-opt-21",
        "interop/attributes",
        "21 reads the text `[#d.a : !d.t, #d.a]` with the type at both",
    ),
    (
        "mlir-opt-21",
        "Dialect_Transform_test-",
        "operations of the test extension, whose layout in 21 is not known",
    ),
    (
        "mlir-opt-19",
        "Dialect_Transform_test-",
        "operations of the test extension, whose layout in 19 is not known",
    ),
    (
        "mlir-opt-16",
        "Dialect_ArmSVE_",
        "scalable vectors had another layout under the same code",
    ),
    (
        "mlir-opt-16",
        "IR_generic-visitors",
        "16 reads names without a dot with one",
    ),
];

const fn case(tool: &'static str, target: Release, version: u8) -> Case {
    Case {
        tool,
        target,
        version,
    }
}

#[derive(Default)]
struct Count {
    same: usize,
    /// The tool rejects the text, or does not register its dialects.
    text_refused: usize,
    /// The target cannot represent the module.
    not_written: usize,
    differ: usize,
    /// The number of differences with a listed reason.
    excepted: usize,
}

fn main() -> ExitCode {
    if !rmlir_testing::is_optimised("cargo test --release --test mlirbc_written") {
        return ExitCode::SUCCESS;
    }
    let tools = [
        "mlir-opt-22",
        "mlir-opt-24",
        "mlir-opt-23",
        "mlir-opt-21",
        IREE,
        "mlir-opt-19",
        "mlir-opt-16",
    ];
    let (tools, missing): (Vec<&str>, Vec<&str>) = tools
        .into_iter()
        .partition(|tool| Command::new(tool).arg("--version").output().is_ok());
    for tool in missing {
        println!("SKIPPED: {tool} not found");
    }
    let filter = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    let filter = filter.unwrap_or_default();
    let mut files = corpus::files(Path::new("tests/interop"), |name| name.ends_with(".mlir"));
    files.retain(|file| !file.to_string_lossy().contains("rejected"));
    if let Some(root) = corpus::root() {
        let step = std::env::var("RMLIR_STEP").ok();
        let step = step.and_then(|step| step.parse().ok()).unwrap_or(60);
        let found = corpus::files(&root.join("upstream"), |name| name.ends_with(".mlirbc"));
        files.extend(found.into_iter().step_by(step));
    }
    files.retain(|file| file.to_string_lossy().contains(&filter));

    let numbered = || CASES.iter().enumerate();
    let checks = files.iter().flat_map(|file| {
        let used = numbered().filter(|(_, case)| tools.contains(&case.tool));
        used.map(move |(number, case)| (file, number, case, OnceLock::new()))
    });
    let checks: Vec<_> = checks.collect();
    corpus::for_each(&checks, |(file, _, case, found)| {
        found.get_or_init(|| check(file, case));
    });

    let mut counts: BTreeMap<usize, Count> = BTreeMap::new();
    for (file, number, case, found) in checks {
        let count = counts.entry(number).or_default();
        match found.into_inner().unwrap() {
            Ok(Outcome::Same) => count.same += 1,
            Ok(Outcome::TextRefused) => count.text_refused += 1,
            Ok(Outcome::NotWritten(why)) => {
                count.not_written += 1;
                if case.target == Release::LLVM_22 {
                    println!("{} version {}: {why}", file.display(), case.version);
                }
            }
            Err(message) => {
                let path = file.to_string_lossy();
                let mut listed = EXCEPTIONS.iter();
                let listed = listed.find(|row| row.0 == case.tool && path.contains(row.1));
                if let Some((_, _, reason)) = listed {
                    count.excepted += 1;
                    println!("{} {path}: {reason}", case.tool);
                    continue;
                }
                count.differ += 1;
                println!(
                    "{} {} version {}: {message}",
                    case.tool,
                    file.display(),
                    case.version
                );
            }
        }
    }
    println!(
        "{:<12} {:<8} {:>7} {:>6} {:>12} {:>11} {:>6} {:>6}",
        "tool", "target", "version", "same", "text refused", "not written", "listed", "differ"
    );
    let mut good = true;
    for (number, count) in &counts {
        let case = &CASES[*number];
        good &= count.same > 0 && count.differ == 0;
        println!(
            "{:<12} {:<8} {:>7} {:>6} {:>12} {:>11} {:>6} {:>6}",
            case.tool,
            case.target.to_string(),
            case.version,
            count.same,
            count.text_refused,
            count.not_written,
            count.excepted,
            count.differ
        );
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

enum Outcome {
    Same,
    TextRefused,
    NotWritten(String),
}

/// Compares a tool's output for our text with that for our bytecode.
fn check(file: &Path, case: &Case) -> Result<Outcome, String> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let bytes = std::fs::read(file).unwrap();
    let mut module = match bytes.starts_with(b"ML\xefR") {
        true => read_module_from_slice(&mut context, &bytes, &ReadOptions::default())
            .map_err(|error| error.to_string())?,
        false => parse_module(&mut context, &bytes, &ParseOptions::default())
            .map_err(|error| error.to_string())?,
    };
    let is_unregistered = |operation| {
        let name = context.operation_name_bytes(module.name(operation));
        let dialect = name.split(|byte| *byte == b'.').next().unwrap();
        NOT_IN_IREE.iter().any(|one| one.as_bytes() == dialect)
    };
    if case.tool == IREE && module.descendants(module.top()).any(is_unregistered) {
        return Ok(Outcome::TextRefused);
    }
    let is_earlier = |operation| context.operation_name_bytes(module.name(operation)) == EARLIER;
    if case.target == Release::LLVM_23 && module.descendants(module.top()).any(is_earlier) {
        return Ok(Outcome::TextRefused);
    }
    let mut options = WriteOptions::default();
    options.target = Some(case.target);
    options.version = Some(case.version);
    let mut bytecode = write_module(&mut context, &module, &options);
    // Upstream's own bytecode loses the identity of distinct attributes in texts.
    let is_distinct =
        |error: &rmlir::format::Error| error.message().starts_with("a distinct attribute occurs");
    if bytecode.as_ref().is_err_and(is_distinct) {
        options.lossy = true;
        bytecode = write_module(&mut context, &module, &options);
    }
    if case.version < 5 {
        // Earlier releases had one dictionary for all attributes; 16 has no other syntax.
        one_dictionary(&mut context, &mut module);
    }
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let text = module_to_string(&context, &module, &options).map_err(|e| e.to_string())?;
    let Ok(expected) = tool(case.tool, &text) else {
        return Ok(Outcome::TextRefused);
    };
    let bytecode = match bytecode {
        Ok(bytecode) => bytecode,
        Err(error) => return Ok(Outcome::NotWritten(error.to_string())),
    };
    let found = tool(case.tool, &bytecode).map_err(|error| format!("refused: {error}"))?;
    if found == expected {
        return Ok(Outcome::Same);
    }
    let (found, expected) = (
        String::from_utf8_lossy(&found),
        String::from_utf8_lossy(&expected),
    );
    let mut lines = found.lines().zip(expected.lines());
    let line = lines.find(|(a, b)| a != b).unwrap_or_default();
    Err(format!("the text differs\n  {}\n  {}", line.0, line.1))
}

/// Moves properties to the attributes.
fn one_dictionary(context: &mut Context, module: &mut Module) {
    let all: Vec<Operation> = module.descendants(module.top()).collect();
    for operation in all {
        let attributes = module.all_attributes(context, operation).into_owned();
        if let Ok(dictionary) = context.dictionary_attribute(&attributes) {
            module.set_properties(operation, None);
            let _ = module.set_attributes(context, operation, Some(dictionary));
        }
    }
}

/// Returns the output of a tool for an input.
fn tool(program: &str, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(program)
        .args([
            "--mlir-print-op-generic",
            "--mlir-print-debuginfo",
            "--allow-unregistered-dialect",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A tool that rejects its input does not read all of it.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let message = String::from_utf8_lossy(&output.stderr);
            Err(message.lines().next().unwrap_or("no message").to_owned())
        }
    }
}
