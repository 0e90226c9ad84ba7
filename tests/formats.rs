//! Compares the verdicts of `check_definition` and of LLVM 22's `mlir-tblgen` on invalid and valid
//! formats of operations, the latter on the operation in TableGen, imported.
//!
//! An extra suite: it needs `mlir-tblgen-22`, and `llvm-tblgen` and the `.td` files of LLVM 22,
//! which are in `RMLIR_LLVM`, else in `/usr/lib/llvm-22`. `formats.txt` contains the formats.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::dialects::{BundledDialects, Hooks};
use rmlir::ir::definition::DialectSource;
use rmlir::text::{Severity, check_definition};
use rmlir_import::tablegen::{ImportOptions, import};
use rmlir_testing::corpus::for_each;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const FORMATS: &str = include_str!("formats.txt");

const PREAMBLE: &str = r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def Toy : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
"#;

/// Which checker reports an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Both,
    OnlyUpstream,
    OnlyHere,
}

struct Case<'t> {
    line: usize,
    expected: Expected,
    /// The format, then arguments, results, regions, successors and traits.
    fields: [&'t str; 6],
}

impl Case<'_> {
    fn records(&self) -> String {
        let [format, arguments, results, regions, successors, traits] = self.fields;
        format!(
            "{PREAMBLE}def Toy_AOp : Op<Toy, \"a\", [{traits}]> {{ let arguments = (ins {arguments}); let results = (outs {results}); \
             let regions = (region {regions}); let successors = (successor {successors}); let assemblyFormat = [{{{format}}}]; }}\n"
        )
    }
}

fn cases() -> Vec<Case<'static>> {
    let lines = FORMATS.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let (expected, line) = if let Some(line) = line.strip_prefix("only mlir-tblgen: ") {
                (Expected::OnlyUpstream, line)
            } else if let Some(line) = line.strip_prefix("only here: ") {
                (Expected::OnlyHere, line)
            } else {
                (Expected::Both, line)
            };
            let mut fields = [""; 6];
            for (field, text) in fields.iter_mut().zip(line.split(" ;; ")) {
                *field = text;
            }
            Case {
                line: number + 1,
                expected,
                fields,
            }
        })
        .collect()
}

fn run(tool: &Path, include: &Path, arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(tool);
    command.args(arguments).arg("-I").arg(include).arg(file);
    command.output().expect("the tool runs")
}

/// Returns what our checker reports for the operation, without the findings that only concern
/// missing hooks.
fn said_here(dump: &[u8]) -> Vec<String> {
    let dialects: Arc<dyn DialectSource> = Arc::new(BundledDialects);
    let imported = import(&[dump], &ImportOptions::default(), &Hooks).expect("an import");
    let warnings = imported.warnings.into_iter();
    let mut said: Vec<String> = warnings.map(|w| w.message).collect();
    let text = imported.definition.to_string();
    let found = check_definition(&text, "toy.dialect", &Hooks, Some(&dialects));
    let found = found.into_iter().filter(|d| d.severity != Severity::Remark);
    said.extend(found.map(|d| d.message));
    said.retain(|message| {
        !message.contains(" is C++") && !message.contains("that this build does not have")
    });
    said
}

fn main() {
    let root = std::env::var_os("RMLIR_LLVM");
    let root = root.map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from);
    let (dumper, include) = (root.join("bin/llvm-tblgen"), root.join("include"));
    let generator = Path::new("mlir-tblgen-22");
    if !dumper.is_file() || !include.join("mlir/Dialect").is_dir() {
        println!(
            "SKIPPED: no llvm-tblgen with .td files at {}",
            root.display()
        );
        return;
    }
    if Command::new(generator).arg("--version").output().is_err() {
        println!("SKIPPED: no mlir-tblgen-22");
        return;
    }
    let folder = std::env::temp_dir().join(format!("rmlir-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cases = cases();
    let wrong = AtomicUsize::new(0);
    let refused = AtomicUsize::new(0);
    for_each(&cases, |case| {
        let file = folder.join(format!("{}.td", case.line));
        std::fs::write(&file, case.records()).unwrap();
        let upstream = run(
            generator,
            &include,
            &["-gen-op-defs", "-o", "/dev/null"],
            &file,
        );
        let message = String::from_utf8_lossy(&upstream.stderr);
        let dump = run(&dumper, &include, &["--dump-json"], &file);
        assert!(
            dump.status.success(),
            "line {}: {}",
            case.line,
            String::from_utf8_lossy(&dump.stderr)
        );
        assert!(
            upstream.status.code().is_some(),
            "line {}: mlir-tblgen broke down",
            case.line
        );
        let here = said_here(&dump.stdout);
        refused.fetch_add(usize::from(!upstream.status.success()), Ordering::Relaxed);
        let expected = match case.expected {
            Expected::Both => upstream.status.success() == here.is_empty(),
            Expected::OnlyUpstream => !upstream.status.success() && here.is_empty(),
            Expected::OnlyHere => upstream.status.success() && !here.is_empty(),
        };
        if !expected {
            wrong.fetch_add(1, Ordering::Relaxed);
            let upstream = message.lines().next().unwrap_or("nothing");
            println!(
                "line {}: {}\n  expected of: {:?}\n  mlir-tblgen says: {upstream}\n  here: {here:?}",
                case.line, case.fields[0], case.expected
            );
        }
    });
    std::fs::remove_dir_all(&folder).unwrap();
    let refused = refused.into_inner();
    println!(
        "{} formats, of which mlir-tblgen refuses {refused}",
        cases.len()
    );
    assert!(refused > 100, "too few are refused");
    assert_eq!(wrong.into_inner(), 0, "verdicts differ");
}
