//! Stages of `mlir-opt-22` through the cache: each result equals that of a plain run. An extra
//! suite, which runs in release builds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::{Folder, has, skipped};
use rmlir_cache::{Cache, Granularity, Locations, Origin, StageCommand, StageInput, StageResult};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const OPT: &str = "mlir-opt-22";
const LOCAL: &str = "--pass-pipeline=builtin.module(func.func(canonicalize,cse))";

const MODULE: &str = "\
module attributes {test.layout = 64 : i32} {
  memref.global \"private\" constant @table : memref<2xi32> = dense<[1, 2]>
  func.func @f(%x: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %y = arith.addi %x, %c0 : i32
    %z = call @g(%y) : (i32) -> i32
    return %z : i32
  }
  func.func private @g(%x: i32) -> i32 {
    %a = arith.muli %x, %x : i32
    %b = arith.muli %x, %x : i32
    %c = arith.addi %a, %b : i32
    return %c : i32
  }
  func.func @h(%i: index) -> i32 {
    %t = memref.get_global @table : memref<2xi32>
    %v = memref.load %t[%i] : memref<2xi32>
    %w = memref.load %t[%i] : memref<2xi32>
    %s = arith.addi %v, %w : i32
    return %s : i32
  }
  func.func private @external(i32)
  func.func private @unused(%x: i32) -> i32 {
    return %x : i32
  }
}
";

/// Returns whether a test cannot run, and says why.
fn is_missing() -> bool {
    if !rmlir_testing::is_optimised("cargo test --release -p rmlir-cache --test stages") {
        return true;
    }
    let missing = !has(OPT, &["--version"]);
    if missing {
        skipped("mlir-opt-22 is not installed");
    }
    missing
}

struct Stage {
    folder: Folder,
    cache: Cache,
    command: StageCommand,
}

impl Stage {
    fn new(name: &str, arguments: &[&str]) -> Self {
        let folder = Folder::new(name);
        let cache = Cache::open(folder.path().join("cache")).unwrap();
        let mut command = StageCommand::default();
        command.stage = "opt".to_owned();
        command.program = OPT.into();
        command.arguments = arguments.iter().map(|&one| one.to_owned()).collect();
        Stage {
            folder,
            cache,
            command,
        }
    }

    fn per_function(name: &str, arguments: &[&str]) -> Self {
        let mut stage = Stage::new(name, arguments);
        stage.command.granularity = Granularity::Function;
        stage.command.assume_function_local = true;
        stage
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs the stage, and compares with the program alone.
    fn run(&self, path: &Path) -> StageResult {
        let bytes = std::fs::read(path).unwrap();
        let input = StageInput {
            path: Some(path.to_owned()),
            bytes: bytes.clone(),
        };
        let result = self.command.run(&self.cache, &input).unwrap();
        let plain_out = self.folder.path().join("plain");
        let uses_file = self.command.arguments.iter().any(|one| one == "{in}");
        let mut plain = Command::new(&self.command.program)
            .args(self.command.arguments.iter().map(|one| match one.as_str() {
                "{in}" => path.as_os_str().to_owned(),
                "{out}" => plain_out.as_os_str().to_owned(),
                other => other.into(),
            }))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = plain.stdin.take().unwrap();
        if !uses_file {
            let _ = stdin.write_all(&bytes);
        }
        drop(stdin);
        let plain = plain.wait_with_output().unwrap();
        let text = String::from_utf8_lossy;
        assert_eq!(Some(result.exit), plain.status.code());
        assert_eq!(text(&result.stdout), text(&plain.stdout));
        assert_eq!(text(&result.stderr), text(&plain.stderr));
        if let Some(file) = &result.file {
            let plain = std::fs::read(&plain_out).unwrap();
            if rmlir::Form::of(file) == rmlir::Form::Text {
                assert_eq!(text(file), text(&plain));
            } else {
                assert_same(file, &plain);
            }
        }
        result
    }
}

/// Bytecode is compared by content, locations, version and producer.
fn assert_same(ours: &[u8], theirs: &[u8]) {
    let (ours, theirs) = (rmlir::read(ours).unwrap(), rmlir::read(theirs).unwrap());
    let options = rmlir::ir::EqualityOptions { locations: true };
    assert!(
        rmlir::ir::semantic_eq(ours.parts(), theirs.parts(), &options),
        "{ours}\n{theirs}"
    );
    let facts = |ir: &rmlir::Ir| {
        let (context, module) = ir.parts();
        let provenance = &module.provenance;
        let producer = provenance.producer.map(|one| context.str(one).into_owned());
        (producer, provenance.bytecode_version)
    };
    assert_eq!(facts(&ours), facts(&theirs));
}

fn bytecode(stage: &Stage, name: &str, text: &str) -> PathBuf {
    let source = stage.file(&format!("{name}.mlir"), text);
    let path = stage.folder.path().join(format!("{name}.mlirbc"));
    let mut command = Command::new(OPT);
    command
        .arg(source)
        .args(["--emit-bytecode", "-o"])
        .arg(&path);
    assert!(command.status().unwrap().success());
    path
}

/// The module with one function changed, and with all positions shifted.
fn versions() -> [String; 4] {
    [
        MODULE.to_owned(),
        MODULE.replace("addi %a, %b", "subi %a, %b"),
        format!("\n// Shifted.\n\n{MODULE}"),
        format!("\n{}", MODULE.replace("[1, 2]", "[1, 3]")),
    ]
}

#[test]
fn functions_of_bytecode() {
    if is_missing() {
        return;
    }
    let arguments = [LOCAL, "--emit-bytecode", "{in}", "-o", "{out}"];
    let mut stage = Stage::per_function("bytecode", &arguments);
    stage.command.assume_function_local = false;
    let [first, changed, shifted, global] = versions();
    let path = bytecode(&stage, "a", &first);
    assert_eq!(stage.run(&path).origin, Origin::Ran);
    assert_eq!(
        stage.run(&path).origin,
        Origin::Parts { hits: 4, misses: 0 }
    );
    assert_eq!(stage.run(&path).origin, Origin::Stored);
    let result = stage.run(&bytecode(&stage, "a", &changed));
    assert_eq!(result.origin, Origin::Parts { hits: 3, misses: 1 });
    assert_eq!(result.missing, ["@g"]);
    assert_eq!(result.reasons, ["its operations changed"]);
    let result = stage.run(&bytecode(&stage, "a", &shifted));
    assert_eq!(result.origin, Origin::Parts { hits: 4, misses: 0 });
    // What refers to a symbol is compiled again if it changes.
    let result = stage.run(&bytecode(&stage, "a", &global));
    assert_eq!(result.missing, ["@h"]);
    assert_eq!(result.reasons, ["@table changed"]);
    // A visibility counts, and module attributes do.
    let public = first.replace("func.func private @g", "func.func @g");
    let result = stage.run(&bytecode(&stage, "a", &public));
    assert_eq!(result.missing, ["@f", "@g"]);
    assert_eq!(result.reasons[1], "its operations changed");
    let layout = first.replace("64 : i32", "32 : i32");
    let result = stage.run(&bytecode(&stage, "a", &layout));
    assert_eq!(result.origin, Origin::Parts { hits: 0, misses: 4 });
    assert_eq!(result.reasons[0], "attributes of the module changed");
    // The explanation is stored beside the result, and checked.
    let records = stage.cache.records();
    let notes = records.iter().flat_map(|(record, _)| &record.notes);
    let mut notes = notes.map(|note| (note.name.as_str(), note.value.as_str()));
    assert!(notes.any(|note| note == ("compiled @h", "@table changed")));
    assert!(stage.cache.verify(false).damaged.is_empty());
}

#[test]
fn functions_of_text_in_each_form() {
    if is_missing() {
        return;
    }
    let forms: [&[&str]; 4] = [
        &[],
        &["--mlir-print-debuginfo"],
        &["--mlir-print-op-generic"],
        &[
            "--mlir-print-op-generic",
            "--mlir-print-debuginfo",
            "--mlir-print-local-scope",
        ],
    ];
    for (number, form) in forms.into_iter().enumerate() {
        let arguments = [&[LOCAL, "{in}", "-o", "{out}"], form].concat();
        let stage = Stage::per_function(&format!("text-{number}"), &arguments);
        let stdio = Stage::per_function(&format!("stdio-{number}"), &[&[LOCAL], form].concat());
        for (at, version) in versions().iter().enumerate() {
            let path = stage.file(&format!("{at}.mlir"), version);
            let result = stage.run(&path);
            let is_put_together = matches!(result.origin, Origin::Parts { hits: 3.., .. });
            assert_eq!(is_put_together, at > 0, "{form:?} {at} {:?}", result.notes);
            stage.run(&path);
            // Positions in standard input.
            stdio.run(&path);
        }
    }
}

#[test]
fn modules() {
    if is_missing() {
        return;
    }
    let arguments = [
        "--inline",
        "--symbol-dce",
        "--mlir-print-debuginfo",
        "{in}",
        "-o",
        "{out}",
    ];
    let stage = Stage::new("modules", &arguments);
    let [first, changed, shifted, _] = versions();
    assert_eq!(stage.run(&stage.file("a.mlir", &first)).origin, Origin::Ran);
    let result = stage.run(&stage.file("b.mlir", &changed));
    assert_eq!(result.origin, Origin::Ran);
    let result = stage.run(&stage.file("c.mlir", &shifted));
    assert_eq!(result.origin, Origin::SameModule);
    assert_eq!(
        stage.run(&stage.file("a.mlir", &first)).origin,
        Origin::Stored
    );
}

/// Stages that do more than to change functions one by one, or that see locations: whatever the
/// order in which they meet modules, each result is that of a plain run.
#[test]
fn stages_that_are_not_local() {
    if is_missing() {
        return;
    }
    let harmless = "func.func @one(%x: i32) -> i32 {\n  return %x : i32\n}\n";
    let llvm = "\
llvm.func @a(%x: i32) -> i32 {
  %y = llvm.add %x, %x : i32
  llvm.return %y : i32
}
llvm.func @b(%x: i32) -> i32 {
  llvm.return %x : i32
}
";
    let reported =
        "func.func @r(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n";
    let stages: [(&str, &[&str], &[&str]); 8] = [
        ("inline", &["--inline"], &[harmless, MODULE]),
        ("symbol-dce", &["--symbol-dce"], &[harmless, MODULE]),
        (
            "debug-scope",
            &["--ensure-debug-info-scope-on-llvm-func"],
            &[llvm],
        ),
        (
            "declarations",
            &["--convert-math-to-libm"],
            &[
                harmless,
                "func.func @m(%x: f32) -> f32 {\n  %y = math.tanh %x : f32\n  return %y : f32\n}\n\
             func.func @n(%x: f32) -> f32 {\n  %y = math.tanh %x : f32\n  return %y : f32\n}\n",
            ],
        ),
        ("op-stats", &["--print-op-stats"], &[MODULE]),
        (
            "locations",
            &["--mlir-print-ir-after-all", "--cse"],
            &[MODULE, harmless],
        ),
        ("snapshot", &["--strip-debuginfo"], &[MODULE, reported]),
        ("lower", &["--convert-func-to-llvm"], &[harmless, MODULE]),
    ];
    for (name, passes, modules) in stages {
        for locations in [Locations::Rebind, Locations::Key] {
            let form = ["--mlir-print-debuginfo", "{in}", "-o", "{out}"];
            let name = format!("negative-{name}-{locations:?}");
            let mut stage = Stage::per_function(&name, &[passes, &form].concat());
            stage.command.locations = locations;
            for round in 0..3 {
                for (number, module) in modules.iter().enumerate() {
                    // Other positions in each round.
                    let text = format!("{}{module}", "\n".repeat(round));
                    let result = stage.run(&stage.file(&format!("{number}.mlir"), &text));
                    assert_eq!(result.exit, 0, "{name}");
                }
            }
        }
    }
}

/// Modules that follow each other, in which what a function depends on changes, and it does not.
const SEQUENCES: [(&str, &[&str]); 6] = [
    // A body that is inlined changes.
    (
        "--inline",
        &[
            "func.func @g(%x: i32) -> i32 {\n  %a = arith.muli %x, %x : i32\n  return %a : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = call @g(%x) : (i32) -> i32\n  return %z : i32\n}\n",
            "func.func @g(%x: i32) -> i32 {\n  %a = arith.addi %x, %x : i32\n  return %a : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = call @g(%x) : (i32) -> i32\n  return %z : i32\n}\n",
        ],
    ),
    // The last use of a private function goes away.
    (
        "--symbol-dce",
        &[
            "func.func private @g(%x: i32) -> i32 {\n  return %x : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = call @g(%x) : (i32) -> i32\n  return %z : i32\n}\n",
            "func.func private @g(%x: i32) -> i32 {\n  return %x : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = arith.addi %x, %x : i32\n  return %z : i32\n}\n",
        ],
    ),
    // That of a declaration, and of a global.
    (
        "--symbol-dce",
        &[
            "func.func private @e(i32)\nmemref.global \"private\" @t : memref<2xi32>\n\
             func.func @f(%x: i32) {\n  call @e(%x) : (i32) -> ()\n  \
             %0 = memref.get_global @t : memref<2xi32>\n  return\n}\n",
            "func.func private @e(i32)\nmemref.global \"private\" @t : memref<2xi32>\n\
             func.func @f(%x: i32) {\n  call @e(%x) : (i32) -> ()\n  return\n}\n",
            "func.func private @e(i32)\nmemref.global \"private\" @t : memref<2xi32>\n\
             func.func @f(%x: i32) {\n  return\n}\n",
        ],
    ),
    // What is around functions is changed.
    (
        "--cse",
        &[
            "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n",
            "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\ngpu.module @k {\n  \
             gpu.func @h(%x: i32) -> i32 {\n    %a = arith.muli %x, %x : i32\n    \
             %b = arith.muli %x, %x : i32\n    %c = arith.muli %a, %b : i32\n    \
             gpu.return %c : i32\n  }\n}\n",
        ],
    ),
    // All callers pass the same constant; then they do not.
    (
        "--sccp",
        &[
            "func.func private @g(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n\
             func.func @f() -> i32 {\n  %c = arith.constant 4 : i32\n  \
             %z = call @g(%c) : (i32) -> i32\n  return %z : i32\n}\n",
            "func.func private @g(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n\
             func.func @f() -> i32 {\n  %c = arith.constant 5 : i32\n  \
             %z = call @g(%c) : (i32) -> i32\n  return %z : i32\n}\n",
        ],
    ),
    (
        "--remove-dead-values",
        &[
            "func.func private @g(%x: i32, %y: i32) -> i32 {\n  return %x : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = call @g(%x, %x) : (i32, i32) -> i32\n  return %z : i32\n}\n",
            "func.func private @g(%x: i32, %y: i32) -> i32 {\n  return %y : i32\n}\n\
             func.func @f(%x: i32) -> i32 {\n  %z = call @g(%x, %x) : (i32, i32) -> i32\n  return %z : i32\n}\n",
        ],
    ),
];

/// A declaration that functions do not depend on each other is not taken on faith, even if the
/// program does not tell its passes.
#[test]
fn stages_that_are_not_local_over_time() {
    if is_missing() {
        return;
    }
    for granularity in [Granularity::Function, Granularity::Closure] {
        for (number, (pass, versions)) in SEQUENCES.into_iter().enumerate() {
            for is_hidden in [false, true] {
                let name = format!("time-{number}-{is_hidden}-{granularity:?}");
                let arguments = ["{in}", "-o", "{out}"];
                let mut stage = match is_hidden {
                    false => Stage::per_function(&name, &[&[pass], &arguments[..]].concat()),
                    true => Stage::per_function(&name, &arguments),
                };
                stage.command.granularity = granularity;
                if is_hidden {
                    let script = format!("#!/bin/sh\nexec {OPT} {pass} \"$@\"\n");
                    let tool = stage.file("tool.sh", &script);
                    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                    std::fs::set_permissions(&tool, mode).unwrap();
                    stage.command.program = tool.into();
                    stage.command.tool_id = Some("1".to_owned());
                }
                for version in versions {
                    stage.run(&stage.file("a.mlir", version));
                }
            }
        }
    }
}

/// A tool that computes with positions: its result for placeholders is not that for the input.
#[test]
fn tools_that_use_positions() {
    if is_missing() || !has("python3", &["--version"]) {
        return skipped("python3 is not installed");
    }
    // The line of the function, the distance to that of its operation, or which of them is greater.
    let script = r#"#!/usr/bin/env python3
import re, sys
text = open(sys.argv[1]).read()
lines = [int(n) for n in re.findall(r'"[^"]*":(\d+):\d+\)', text)][-2:]
value = {'line': lines[0], 'distance': abs(lines[1] - lines[0]), 'order': int(lines[0] > lines[1]),
         'nothing': 3}[sys.argv[3]]
open(sys.argv[2], 'w').write(re.sub(r't.v = \d+ : i32', f't.v = {value} : i32', text))
"#;
    for what in ["line", "distance", "order", "nothing"] {
        let mut stage = Stage::per_function(&format!("positions-{what}"), &["{in}", "{out}", what]);
        let tool = stage.file("tool.py", script);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&tool, mode).unwrap();
        stage.command.program = tool.into();
        stage.command.tool_id = Some("1".to_owned());
        let mut hits = 0;
        for (function, operation) in [(1, 2), (1, 2), (2, 3), (8, 20), (9, 4), (30, 31), (2, 3)] {
            let text = format!(
                "module {{\n  func.func @f() attributes {{t.v = 0 : i32}} {{\n    return loc(#loc2)\n  }} loc(#loc1)\n}} loc(#loc)\n\
                 #loc = loc(unknown)\n#loc1 = loc(\"a.py\":{function}:1)\n#loc2 = loc(\"a.py\":{operation}:3)\n"
            );
            let result = stage.run(&stage.file("a.mlir", &text));
            hits += u64::from(matches!(result.origin, Origin::Parts { hits: 1, .. }));
        }
        // What does not use positions is put together.
        assert_eq!(hits > 2, what == "nothing", "{what}: {hits}");
    }
}

/// A stage with `{in}` that is fed from a pipe, in a directory for temporary files that is a
/// symbolic link: its output has the path, and is not stored.
#[test]
fn temporary_paths_are_never_stored() {
    let folder = Folder::new("temporary");
    let cache = Cache::open(folder.path().join("cache")).unwrap();
    let mut command = StageCommand::default();
    command.stage = "path".to_owned();
    command.program = "sh".into();
    command.tool_id = Some("sh".to_owned());
    command.arguments = ["-c", "readlink -f $1", "sh", "{in}"]
        .map(str::to_owned)
        .to_vec();
    let input = StageInput {
        path: None,
        bytes: b"text".to_vec(),
    };
    for _ in 0..2 {
        let result = command.run(&cache, &input).unwrap();
        assert_eq!(result.origin, Origin::Ran);
        assert!(result.notes.iter().any(|note| note.contains("temporary")));
    }
}

/// The first run of a stage takes a run on the whole input, and a later one on its parts, for which
/// the other one makes room.
#[cfg(target_os = "linux")]
#[test]
fn the_run_on_parts_goes_first() {
    let mut stage = Stage::per_function("priority", &[]);
    stage.command.program = "sh".into();
    stage.command.tool_id = Some("sh".to_owned());
    let log = stage.folder.path().join("log");
    // The input ends when the priority is set.
    stage.command.arguments = vec!["-c".to_owned(), format!("cat; nice >> {}", log.display())];
    let text = "module {\n  func.func @f() {\n    return\n  }\n}\n";
    let mut module = rmlir::read(text.as_bytes()).unwrap();
    let bytes = module.to_bytes(rmlir::Form::Rmbc, &Default::default());
    let bytes = bytes.unwrap();
    let input = StageInput { path: None, bytes };
    let result = stage.command.run(&stage.cache, &input).unwrap();
    assert_eq!((result.origin, result.exit), (Origin::Ran, 0));
    let values = std::fs::read_to_string(&log).unwrap();
    let mut values: Vec<i32> = values.lines().map(|one| one.parse().unwrap()).collect();
    values.sort_unstable();
    let usual = values[0];
    assert_eq!(values, [usual, (usual + 5).min(19)]);
}

/// `--check` looks at results that were stored as a whole, too.
#[test]
fn checks_of_whole_results() {
    let folder = Folder::new("check-whole");
    let cache = Cache::open(folder.path().join("cache")).unwrap();
    let file = folder.path().join("hidden");
    std::fs::write(&file, "one").unwrap();
    let mut command = StageCommand::default();
    command.stage = "hidden".to_owned();
    command.program = "sh".into();
    command.tool_id = Some("sh".to_owned());
    // The cache does not see that the file counts.
    let parent = folder.path().display();
    let script = format!("cat; cat {parent}/hid''den");
    command.arguments = vec!["-c".to_owned(), script];
    let input = StageInput {
        path: None,
        bytes: b"text ".to_vec(),
    };
    command.run(&cache, &input).unwrap();
    command.check = 100;
    let result = command.run(&cache, &input).unwrap();
    assert_eq!(
        (result.origin, result.stdout.as_slice()),
        (Origin::Stored, &b"text one"[..])
    );
    std::fs::write(&file, "two").unwrap();
    let result = command.run(&cache, &input).unwrap();
    assert_eq!(
        (result.origin, result.stdout.as_slice()),
        (Origin::Ran, &b"text two"[..])
    );
    assert!(
        result.notes.iter().any(|note| note.contains("differs")),
        "{result:?}"
    );
    assert_eq!(cache.current_stats().check_failures, 1);
    // The new result took its place.
    command.check = 0;
    let result = command.run(&cache, &input).unwrap();
    assert_eq!(
        (result.origin, result.stdout.as_slice()),
        (Origin::Stored, &b"text two"[..])
    );
}

/// 20 versions of a module of 1,000 functions, with one function changed each time: the cache takes
/// less than twice the space of one file in native bytecode.
#[test]
fn versions_take_the_space_of_what_changed() {
    if is_missing() {
        return;
    }
    let text = |changed: usize| {
        let function = |number: usize| {
            let constant = if number < changed { 1 } else { 0 };
            format!(
                "func.func @f{number}(%x: i64, %y: memref<?xi64>, %i: index) -> i64 {{\n  \
                 %c = arith.constant {} : i64\n  %a = arith.addi %x, %c : i64\n  \
                 %v = memref.load %y[%i] : memref<?xi64>\n  %b = arith.muli %a, %v : i64\n  \
                 %d = arith.xori %b, %x : i64\n  memref.store %d, %y[%i] : memref<?xi64>\n  \
                 %e = arith.subi %d, %a : i64\n  %k = arith.cmpi slt, %e, %d : i64\n  \
                 %s = arith.select %k, %e, %b : i64\n  return %s : i64\n}}\n",
                number * 10 + constant
            )
        };
        (0..1000).map(function).collect::<String>()
    };
    for (name, form) in [
        ("bytecode", "--emit-bytecode"),
        ("text", "--mlir-print-debuginfo"),
    ] {
        let name = format!("space-{name}");
        let stage = Stage::per_function(&name, &[LOCAL, form, "{in}", "-o", "{out}"]);
        let path = bytecode(&stage, "a", &text(0));
        let mut ordinary = rmlir::read(std::fs::read(&path).unwrap()).unwrap();
        let options = rmlir::WriteOptions::default();
        let ordinary = ordinary
            .to_bytes(rmlir::Form::Rmbc, &options)
            .unwrap()
            .len() as u64;
        for version in 0..20 {
            let path = bytecode(&stage, "a", &text(version));
            let result = stage.run(&path);
            if version > 0 {
                assert_eq!(
                    result.origin,
                    Origin::Parts {
                        hits: 999,
                        misses: 1
                    }
                );
            }
        }
        let stored = stage.cache.bytes();
        println!("{name}: {stored} bytes, one file has {ordinary}");
        assert!(
            stored < 2 * ordinary,
            "{stored} bytes, one file has {ordinary}"
        );
    }
}

/// Comments, separators, the module operation and external resources are not in keys of modules,
/// but these options read them. `Stage::run` compares each result with that of the program alone.
#[test]
fn what_is_read_besides_the_module() {
    if is_missing() {
        return;
    }
    let two = "func.func @g() {\n  return\n}\nfunc.func @k() {\n  return\n}\n";
    let (before, after) = two.split_at(two.find("func.func @k").unwrap());
    let wrong = "func.func @g() {\n  \"a.b\"() : () -> ()\n  return\n}\n";
    let reproducer = |pass: &str| {
        format!(
            "func.func @g() {{\n  %c = arith.constant 1 : i32\n  return\n}}\n{{-# external_resources: \
             {{mlir_reproducer: {{pipeline: \"builtin.module({pass})\", disable_threading: true, \
             verify_each: true}}}} #-}}\n"
        )
    };
    let cases = [
        (
            "--split-input-file",
            two.to_owned(),
            format!("{before}// -----\n{after}"),
        ),
        (
            "--verify-diagnostics",
            wrong.to_owned(),
            wrong.replace("  \"a.b", "  // expected-error @+1 {{x}}\n  \"a.b"),
        ),
        (
            "--no-implicit-module",
            format!("module {{\n{two}}}\n"),
            two.to_owned(),
        ),
        (
            "--run-reproducer",
            reproducer("any(cse)"),
            reproducer("any(canonicalize)"),
        ),
    ];
    for locations in [Locations::Rebind, Locations::Strip] {
        for (option, first, second) in &cases {
            let name = format!("beside{option}-{locations:?}");
            let arguments = [
                option,
                "--canonicalize",
                "--allow-unregistered-dialect",
                "{in}",
                "-o",
                "{out}",
            ];
            let arguments = match *option == "--run-reproducer" {
                true => [
                    option,
                    "--verify-each",
                    "--allow-unregistered-dialect",
                    "{in}",
                    "-o",
                    "{out}",
                ],
                false => arguments,
            };
            let mut stage = Stage::per_function(&name, &arguments);
            stage.command.granularity = Granularity::Module;
            stage.command.locations = locations;
            for text in [first, second, first, second] {
                stage.run(&stage.file("a.mlir", text));
            }
        }
    }
}

/// `cse` keeps the location of an operation, unless it is unknown: then that of the other one.
#[test]
fn unknown_locations_and_nested_ones() {
    if is_missing() {
        return;
    }
    let text = "\
func.func @f(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32 loc(unknown)
  %b = arith.addi %x, %x : i32 loc(\"a.py\":3:4)
  %c = arith.muli %a, %b : i32 loc(callsite(\"n\"(\"a.py\":3:4) at fused<\"m\">[\"b.py\":1:2, \"b.py\":1:2]))
  return %c : i32 loc(fused[\"b.py\":1:2, \"LINE.py\":7:2 to 9:1])
}
func.func @g(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32 loc(\"a.py\":3:4)
  %b = arith.addi %x, %x : i32 loc(unknown)
  %c = arith.muli %a, %b : i32
  return %c : i32 loc(\"LINE.py\":8:2)
}
";
    let arguments = [LOCAL, "--mlir-print-debuginfo", "{in}", "-o", "{out}"];
    let stage = Stage::per_function("unknown", &arguments);
    stage.run(&stage.file("a.mlir", text));
    let other = stage.run(&stage.file("b.mlir", &text.replace("LINE", "other")));
    assert_eq!(other.origin, Origin::Parts { hits: 2, misses: 0 });
    // Which operations share a location counts.
    let apart = text.replacen("\"a.py\":3:4", "\"a.py\":3:5", 1);
    let result = stage.run(&stage.file("b.mlir", &apart));
    assert_eq!(result.missing, ["@f"]);
    // Names do, too.
    let named = text.replace("callsite(\"n\"", "callsite(\"other\"");
    assert_eq!(stage.run(&stage.file("b.mlir", &named)).missing, ["@f"]);
}

#[test]
fn failures_and_messages() {
    if is_missing() {
        return;
    }
    let stage = Stage::per_function("failures", &[LOCAL, "{in}", "-o", "{out}"]);
    let bad = stage.file("bad.mlir", "func.func @f() -> i32 {\n  return\n}\n");
    for _ in 0..2 {
        let result = stage.run(&bad);
        assert_ne!(result.exit, 0);
        assert_eq!(result.origin, Origin::Ran);
    }
    let mut failing = Stage::new("failing", &["--no-such-option", "{in}"]);
    let path = failing.file("a.mlir", MODULE);
    assert_eq!(failing.run(&path).origin, Origin::Ran);
    assert_eq!(failing.run(&path).origin, Origin::Ran);
    failing.command.cache_failures = true;
    failing.run(&path);
    assert_eq!(failing.run(&path).origin, Origin::Stored);

    // A tool that prints positions: its messages are those of the current input.
    let remarks = Stage::new("remarks", &["--test-nothing-such", "{in}"]);
    assert_ne!(remarks.run(&path).exit, 0);
    let arguments = [
        "--mlir-print-ir-before-all",
        "--mlir-print-debuginfo",
        "--cse",
        "{in}",
    ];
    let printing = Stage::new("printing", &arguments);
    for text in [MODULE.to_owned(), format!("\n{MODULE}"), MODULE.to_owned()] {
        printing.run(&printing.file("p.mlir", &text));
    }
}

#[test]
fn pipelines_that_are_not_local_are_refused() {
    if is_missing() {
        return;
    }
    let mut stage = Stage::per_function("refused", &["--cse", "{in}"]);
    stage.command.assume_function_local = false;
    let input = StageInput {
        path: None,
        bytes: MODULE.into(),
    };
    let error = stage
        .command
        .run(&stage.cache, &input)
        .unwrap_err()
        .to_string();
    assert!(error.contains("--assume-function-local"), "{error}");
    stage.command.arguments = vec!["--cse".into(), "-o".into(), "x.mlir".into()];
    let error = stage
        .command
        .run(&stage.cache, &input)
        .unwrap_err()
        .to_string();
    assert!(error.contains("-o {out}"), "{error}");
}

/// Functions that share a distinct attribute are one unit.
#[test]
fn shared_distinct_attributes() {
    if is_missing() {
        return;
    }
    let text = "\
#id = distinct[0]<\"a\">
func.func @a() attributes {test.id = #id} { return }
func.func @b() { return }
func.func @c() attributes {test.id = #id} { return }
func.func @d() attributes {test.id = distinct[1]<\"a\">} { return }
";
    let arguments = [LOCAL, "--allow-unregistered-dialect", "{in}", "-o", "{out}"];
    let stage = Stage::per_function("distinct", &arguments);
    stage.run(&stage.file("a.mlir", text));
    let changed = text.replace("@c() attributes {", "@c(%x: i32) attributes {");
    let result = stage.run(&stage.file("a.mlir", &changed));
    assert_eq!(result.missing, ["@a", "@c"]);
    assert_eq!(result.origin, Origin::Parts { hits: 2, misses: 1 });
}

#[test]
fn closures() {
    if is_missing() {
        return;
    }
    let text = "\
func.func @leaf(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @user(%x: i32) -> i32 {
  %y = call @leaf(%x) : (i32) -> i32
  return %y : i32
}
func.func @even(%x: i32) -> i32 {
  %y = call @odd(%x) : (i32) -> i32
  return %y : i32
}
func.func @odd(%x: i32) -> i32 {
  %y = call @even(%x) : (i32) -> i32
  return %y : i32
}
";
    let arguments = ["--inline", "--mlir-print-debuginfo", "{in}", "-o", "{out}"];
    let mut stage = Stage::per_function("closure", &arguments);
    stage.command.granularity = Granularity::Closure;
    stage.run(&stage.file("a.mlir", text));
    let changed = text.replace("arith.addi", "arith.muli");
    let result = stage.run(&stage.file("a.mlir", &changed));
    assert_eq!(result.missing, ["@leaf", "@user"]);
    // Those that call each other are one.
    assert_eq!(result.origin, Origin::Parts { hits: 1, misses: 2 });
    let changed = changed.replacen("call @odd", "call @even", 1);
    let result = stage.run(&stage.file("a.mlir", &changed));
    assert_eq!(result.missing, ["@even", "@odd"]);
}

#[test]
fn stripped_locations() {
    if is_missing() {
        return;
    }
    let arguments = [LOCAL, "--mlir-print-debuginfo"];
    let mut stage = Stage::per_function("strip", &arguments);
    stage.command.locations = Locations::Strip;
    let run = |text: &str| {
        let input = StageInput {
            path: None,
            bytes: text.into(),
        };
        stage.command.run(&stage.cache, &input).unwrap()
    };
    let first = run(MODULE);
    let text = String::from_utf8(first.stdout.clone()).unwrap();
    assert!(
        text.contains("loc(unknown)") && !text.contains("stdin"),
        "{text}"
    );
    // Other positions, the same bytes.
    assert_ne!(run(&format!("\n\n{MODULE}")).origin, Origin::Ran);
    assert_eq!(run(&format!("\n\n{MODULE}")).stdout, first.stdout);
}

/// `--check` finds a stored result that is wrong, although its hashes are right.
#[test]
fn checks_find_wrong_results() {
    if is_missing() {
        return;
    }
    let script = "#!/bin/sh\nexec mlir-opt-22 \"$@\"\n";
    let mut stage = Stage::per_function("check", &[LOCAL, "{in}", "-o", "{out}"]);
    let tool = stage.file("tool.sh", script);
    std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    stage.command.program = tool.clone().into();
    let path = stage.file("a.mlir", MODULE);
    let input = StageInput {
        path: Some(path.clone()),
        bytes: MODULE.into(),
    };
    // What a script runs is unknown.
    let error = stage
        .command
        .run(&stage.cache, &input)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("script") && error.contains("--tool-id"),
        "{error}"
    );
    stage.command.tool_id = Some("1".to_owned());
    stage.run(&path);
    // The tool changes, but its identity does not: the user's mistake.
    let without_passes = "#!/bin/sh\nfor one; do\n  shift\n  case $one in\n    --pass*) ;;\n    \
                          *) set -- \"$@\" \"$one\" ;;\n  esac\ndone\nexec mlir-opt-22 \"$@\"\n";
    std::fs::write(&tool, without_passes).unwrap();
    let shifted = stage.file("b.mlir", &format!("\n{MODULE}"));
    let input = StageInput {
        path: Some(shifted.clone()),
        bytes: std::fs::read(&shifted).unwrap(),
    };
    let result = stage.command.run(&stage.cache, &input).unwrap();
    assert_eq!(result.origin, Origin::Parts { hits: 4, misses: 0 });
    stage.command.check = 100;
    let moved = stage.file("c.mlir", &format!("\n\n{MODULE}"));
    let result = stage.run(&moved);
    assert!(
        result.notes.iter().any(|note| note.contains("differ")),
        "{result:?}"
    );
    assert_eq!(result.origin, Origin::Ran);
}

/// An input or a tool that is replaced while the tool runs: the result is returned, and not stored.
#[test]
fn changes_during_a_run() {
    let folder = Folder::new("changes");
    let cache = Cache::open(folder.path().join("cache")).unwrap();
    let path = folder.path().join("in");
    std::fs::write(&path, "first").unwrap();
    let mut command = StageCommand::default();
    command.stage = "slow".to_owned();
    command.program = "sh".into();
    command.tool_id = Some("sh".to_owned());
    let script = format!("cat $1; printf changed > {}", path.display());
    command.arguments = vec!["-c".into(), script, "sh".into(), "{in}".into()];
    let input = StageInput {
        path: Some(path.clone()),
        bytes: b"first".to_vec(),
    };
    let result = command.run(&cache, &input).unwrap();
    assert_eq!(
        (result.origin, result.stdout.as_slice()),
        (Origin::Ran, &b"first"[..])
    );
    assert!(
        result
            .notes
            .iter()
            .any(|note| note.contains("changed meanwhile")),
        "{result:?}"
    );
    assert_eq!(command.run(&cache, &input).unwrap().origin, Origin::Ran);
}
