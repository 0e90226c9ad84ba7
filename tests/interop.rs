//! Compares our output for our own texts with that of upstream's `mlir-opt`: the bytes must be the
//! same. Texts that `mlir-opt` rejects must be rejected, mostly with the first error on the same
//! line.
//!
//! An extra suite: it needs `mlir-opt-22`, or the program that `MLIR_OPT` names.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::dialects::BundledDialects;
use rmlir::ir::Context;
use rmlir::ir::definition::{DialectSource, Family, Release};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::module_to_string;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

/// Arguments of `mlir-opt`, and the corresponding options here.
type OptionSet = (&'static [&'static str], fn(&mut PrintOptions));

const OPTION_SETS: &[OptionSet] = &[
    (&[], |_| {}),
    (&["--mlir-print-op-generic"], |o| o.generic = true),
    (&["--mlir-print-debuginfo"], |o| o.debug_info = true),
    (
        &["--mlir-print-op-generic", "--mlir-print-debuginfo"],
        |o| (o.generic, o.debug_info) = (true, true),
    ),
    (
        &["--mlir-print-local-scope", "--mlir-print-debuginfo"],
        |o| (o.local_scope, o.debug_info) = (true, true),
    ),
    (&["--mlir-elide-elementsattrs-if-larger=2"], |o| {
        o.elide_elements_if_larger = Some(2);
    }),
    (&["--mlir-elide-resource-strings-if-larger=20"], |o| {
        o.elide_resources_if_larger = Some(20);
    }),
];

fn main() -> ExitCode {
    if cfg!(debug_assertions) {
        println!("SKIPPED: the suite runs in release builds: cargo test --release --test interop");
        return ExitCode::SUCCESS;
    }
    let program = std::env::var("MLIR_OPT").unwrap_or_else(|_| "mlir-opt-22".to_owned());
    if Command::new(&program).arg("--version").output().is_err() {
        println!("SKIPPED: {program} not found");
        return ExitCode::SUCCESS;
    }
    let filter = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    let filter = filter.unwrap_or_default();
    let mut good = true;
    let (mut same, mut texts) = (0, 0);
    let mut accepted = files("tests/interop", &filter);
    accepted.extend(files("tests/interop_generic", &filter));
    for file in &accepted {
        let text = std::fs::read(file).unwrap();
        let has_resources = text.ends_with(b"#-}\n");
        // The comment continues with the reason for omitting the option.
        let not_local = text.starts_with(b"// not with --mlir-print-local-scope: ");
        // Operations whose custom syntax upstream knows and we do not.
        let generic_only = file.starts_with("tests/interop_generic");
        for (arguments, set) in OPTION_SETS {
            if generic_only && !arguments.contains(&"--mlir-print-op-generic") {
                continue;
            }
            // Without aliases, upstream omits resources too, and with them content of the module.
            if (has_resources || not_local) && arguments.contains(&"--mlir-print-local-scope") {
                continue;
            }
            texts += 1;
            match compare(&program, file, arguments, *set) {
                Ok(()) => same += 1,
                Err(message) => {
                    good = false;
                    println!("{} {}: {message}", file.display(), arguments.join(" "));
                    if message.starts_with("mlir-opt rejects") {
                        break;
                    }
                }
            }
        }
    }
    println!("texts: {same} of {texts} identical");
    good &= every_operation(&program);
    let (mut same, mut files) = (0, 0);
    for file in &accepted {
        for version in 0..=6 {
            files += 1;
            match read_bytecode(&program, file, version) {
                Ok(()) => same += 1,
                Err(message) => {
                    good = false;
                    println!("{} as bytecode {version}: {message}", file.display());
                }
            }
        }
    }
    println!("bytecode: {same} of {files} identical");
    good &= rejected(&program, &filter);
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Checks that every operation in the definitions of LLVM 22, built without anything, has the
/// properties that `mlir-opt` gives it.
fn every_operation(program: &str) -> bool {
    /// Operations on which `mlir-opt` crashes.
    const CRASHES: &[&str] = &["test.with_nice_properties"];
    let mut text = String::new();
    for namespace in BundledDialects.namespaces() {
        let dialect = BundledDialects.dialect(namespace.as_bytes()).unwrap();
        for operation in dialect.operations() {
            let name = format!("{namespace}.{}", operation.mnemonic);
            // Cached attributes are added by upstream's verifier.
            if operation.family == Family::Llvm
                && operation.number(Release::LLVM_22).is_some()
                && operation.remembered.is_empty()
                && !CRASHES.contains(&&*name)
            {
                text.push_str(&format!("\"{name}\"() : () -> ()\n"));
            }
        }
    }
    let arguments = [
        "--mlir-print-op-generic",
        "--mlir-very-unsafe-disable-verifier-on-parsing",
        "--verify-each=false",
    ];
    let output = mlir_opt(program, &arguments, text.as_bytes());
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        println!("every operation: mlir-opt rejects it: {message}");
        return false;
    }
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default()).unwrap();
    let ours = module_to_string(&context, &module, &PrintOptions::generic()).unwrap();
    let (ours, theirs) = (
        String::from_utf8_lossy(&ours),
        String::from_utf8_lossy(&output.stdout),
    );
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (
        ours.trim_end().lines().collect(),
        theirs.trim_end().lines().collect(),
    );
    let mut same = ours.len() == theirs.len();
    for (ours, theirs) in ours.iter().zip(&theirs).filter(|(a, b)| a != b) {
        same = false;
        println!("every operation:\n  ours   {ours}\n  theirs {theirs}");
    }
    println!("every operation: {} lines compared", theirs.len());
    same
}

/// Returns the texts of a folder of the repository, by paths relative to it.
fn files(folder: &str, filter: &str) -> Vec<PathBuf> {
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .filter(|path| path.to_string_lossy().contains(filter))
        .collect();
    files.sort();
    files
}

fn mlir_opt(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .arg("--allow-unregistered-dialect")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It reads all of its input before it writes, so its output shows whether it succeeded.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Checks that our output for a text in a version of bytecode that `mlir-opt` wrote is the same as
/// that of `mlir-opt`.
fn read_bytecode(program: &str, file: &Path, version: u8) -> Result<(), String> {
    let name = file.to_string_lossy();
    let version = format!("--emit-bytecode-version={version}");
    let bytecode = mlir_opt(program, &[&name, "--emit-bytecode", &version], b"");
    if !bytecode.status.success() {
        return Err(format!(
            "mlir-opt rejects it: {}",
            String::from_utf8_lossy(&bytecode.stderr)
        ));
    }
    let bytes = bytecode.stdout;
    let printed = mlir_opt(
        program,
        &["-", "--mlir-print-op-generic", "--mlir-print-debuginfo"],
        &bytes,
    );
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = read_module_from_slice(&mut context, &bytes, &ReadOptions::default());
    let module = match (module, printed.status.success()) {
        (Ok(module), true) => module,
        // Upstream cannot read everything that it writes, and neither can we.
        (Err(_), false) => return Ok(()),
        (Err(error), true) => return Err(format!("refused: {error}")),
        (Ok(_), false) => {
            return Err(format!(
                "mlir-opt refuses what it wrote: {}",
                String::from_utf8_lossy(&printed.stderr)
            ));
        }
    };
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let mut ours = module_to_string(&context, &module, &options).map_err(|e| e.to_string())?;
    ours.push(b'\n');
    difference(&ours, &printed.stdout)
}

fn compare(
    program: &str,
    file: &Path,
    arguments: &[&str],
    set: fn(&mut PrintOptions),
) -> Result<(), String> {
    let name = file.to_string_lossy();
    let output = mlir_opt(program, &[&[&*name], arguments].concat(), b"");
    if !output.status.success() {
        return Err(format!(
            "mlir-opt rejects it: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let text = std::fs::read(file).unwrap();
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = parse_module(&mut context, &text, &ParseOptions::for_file(&*name))
        .map_err(|error| format!("rejected: {error}"))?;
    let mut options = PrintOptions::default();
    set(&mut options);
    let mut ours = module_to_string(&context, &module, &options).map_err(|e| e.to_string())?;
    // The program ends its output with an empty line if it could print aliases.
    if !options.local_scope {
        ours.push(b'\n');
    }
    difference(&ours, &output.stdout)
}

/// Reports the first line in which two texts differ.
fn difference(ours: &[u8], theirs: &[u8]) -> Result<(), String> {
    let mut lines = ours
        .split(|&b| b == b'\n')
        .zip(theirs.split(|&b| b == b'\n'));
    match lines.position(|(a, b)| a != b) {
        None if ours == theirs => Ok(()),
        None => Err("one text is longer than the other".to_owned()),
        Some(at) => {
            let line = |text: &[u8]| {
                let line = text.split(|&b| b == b'\n').nth(at).unwrap_or_default();
                String::from_utf8_lossy(line).into_owned()
            };
            Err(format!(
                "line {} differs\n  ours   {}\n  theirs {}",
                at + 1,
                line(ours),
                line(theirs)
            ))
        }
    }
}

/// Checks that all pieces of `tests/interop/rejected` are rejected, nearly all with the first error
/// on the same line, most with the same message.
fn rejected(program: &str, filter: &str) -> bool {
    let (mut pieces, mut accepted, mut same_line, mut same_words) = (0, 0, 0, 0);
    for file in files("tests/interop/rejected", filter) {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, piece) in text.split("// -----\n").enumerate() {
            let name = format!("{} piece {number}", file.display());
            let output = mlir_opt(program, &[], piece.as_bytes());
            if output.status.success() {
                println!("{name}: mlir-opt accepts it\n{piece}");
                accepted += 1;
                continue;
            }
            pieces += 1;
            let theirs = String::from_utf8_lossy(&output.stderr);
            let theirs = theirs.lines().find(|line| line.contains("error:"));
            let mut context = Context::new();
            rmlir::dialects::register_all(&mut context);
            let parsed = parse_module(&mut context, piece.as_bytes(), &ParseOptions::default());
            let Err(error) = parsed else {
                println!("{name}: accepted, but {}\n{piece}", theirs.unwrap_or("?"));
                accepted += 1;
                continue;
            };
            let ours = error.to_string();
            let line = |message: &str| message.split(':').nth(1).map(str::to_owned);
            let words = |message: &str| message.split_once(" error: ").map(|m| m.1.to_owned());
            let first = ours.lines().next();
            same_words += usize::from(first.and_then(words) == theirs.and_then(words));
            if line(&ours) == theirs.and_then(line) {
                same_line += 1;
            } else {
                let ours = ours.lines().next().unwrap_or_default();
                println!(
                    "{name}: other line\n  ours   {ours}\n  theirs {}",
                    theirs.unwrap_or("?")
                );
            }
        }
    }
    println!(
        "rejected texts: {pieces}, first error on the same line for {same_line}, in the same words for {same_words}, wrongly accepted {accepted}"
    );
    accepted == 0 && same_line * 100 >= pieces * 95 && same_words * 100 >= pieces * 78
}
