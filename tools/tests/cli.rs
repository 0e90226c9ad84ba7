//! Tests the programs as users call them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir-translate");

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

const GOOD: &str = "\"t.a\"() {x = 1 : i32} : () -> ()\n";
const BAD: &str = "\"t.a\"() : () -> ()\n\"t.b\"() : () -> (i32\n";

#[test]
fn examples_of_the_help_work() {
    let folder = Folder::new(PROGRAM, "examples");
    std::fs::create_dir(folder.file("examples")).unwrap();
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let to = folder.file("examples").join(path.file_name().unwrap());
        std::fs::copy(&path, to).unwrap();
    }
    let help = folder.run(&["--help"], b"");
    assert_eq!(code(&help), 0);
    let help = String::from_utf8(help.stdout).unwrap();
    let mut commands = 0;
    for line in help.lines() {
        let Some(command) = line.trim().strip_prefix("$ rmlir-translate ") else {
            continue;
        };
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let output = folder.run(&arguments, b"");
        assert_eq!(code(&output), 0, "{command}\n{}", error(&output));
        commands += 1;
    }
    assert!(commands >= 3, "{help}");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let folder = Folder::new(PROGRAM, "bad-input");
    folder.write("bad.mlir", BAD);
    let output = folder.run(&["bad.mlir", "-o", "out.mlir"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).starts_with("bad.mlir:2:"),
        "{}",
        error(&output)
    );
    assert!(error(&output).contains("error: "), "{}", error(&output));
    assert_eq!(folder.names(), ["bad.mlir"], "no output, whole or in part");

    let output = folder.run(&["missing.mlir"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("missing.mlir"),
        "{}",
        error(&output)
    );
}

#[test]
fn wrong_calls() {
    let folder = Folder::new(PROGRAM, "wrong-calls");
    folder.write("good.mlir", GOOD);
    for arguments in [
        &["--no-such-option"][..],
        &["good.mlir", "another.mlir"],
        &["good.mlir", "--max-output", "many"],
        &[
            "--split-input-file",
            "--to-bytecode",
            "good.mlir",
            "-o",
            "out.rmbc",
        ],
    ] {
        let output = folder.run(arguments, b"");
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(!error(&output).is_empty(), "{arguments:?}");
    }
    assert_eq!(folder.names(), ["good.mlir"]);
}

#[test]
fn output_is_replaced_only_on_success() {
    let folder = Folder::new(PROGRAM, "replaced");
    folder.write("good.mlir", GOOD);
    folder.write("bad.mlir", BAD);
    folder.write("out.mlir", "before");
    assert_eq!(code(&folder.run(&["bad.mlir", "-o", "out.mlir"], b"")), 1);
    assert_eq!(folder.read("out.mlir"), b"before");
    // An output that becomes too long is detected while writing.
    let output = folder.run(&["good.mlir", "--max-output", "10", "-o", "out.mlir"], b"");
    assert_eq!(code(&output), 1);
    assert_eq!(folder.read("out.mlir"), b"before");
    assert_eq!(code(&folder.run(&["good.mlir", "-o", "out.mlir"], b"")), 0);
    assert!(folder.read("out.mlir").starts_with(b"module {"));
    assert_eq!(folder.names(), ["bad.mlir", "good.mlir", "out.mlir"]);
}

#[test]
fn standard_input_and_output() {
    let folder = Folder::new(PROGRAM, "standard");
    for arguments in [&["-"][..], &[], &["-", "-o", "-"]] {
        let output = folder.run(arguments, GOOD.as_bytes());
        assert_eq!(code(&output), 0);
        assert!(output.stdout.starts_with(b"module {"));
    }
    let output = folder.run(&["-"], BAD.as_bytes());
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).starts_with("<stdin>:2:"),
        "{}",
        error(&output)
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new(PROGRAM, "pipe");
    // More than a pipe holds, so that the program notices the closed end.
    folder.write("large.mlir", GOOD.repeat(100_000));
    let mut child = Command::new(PROGRAM)
        .arg(folder.file("large.mlir"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(error(&output), "");
}

#[test]
fn pieces_of_a_file() {
    let folder = Folder::new(PROGRAM, "pieces");
    folder.write("two.mlir", format!("{GOOD}// -----\n{GOOD}"));
    let output = folder.run(&["--split-input-file", "two.mlir"], b"");
    assert_eq!(code(&output), 0, "{}", error(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("module {").count(), 2);
    assert_eq!(text.matches("// -----").count(), 1);

    let bytecode = [
        "--split-input-file",
        "--to-bytecode",
        "two.mlir",
        "-o",
        "piece%d.rmbc",
    ];
    let output = folder.run(&bytecode, b"");
    assert_eq!(code(&output), 0, "{}", error(&output));
    assert_eq!(folder.names(), ["piece0.rmbc", "piece1.rmbc", "two.mlir"]);

    // The other pieces are still read, and locations count from the start of the file.
    folder.write("bad.mlir", format!("{BAD}// -----\n{GOOD}// -----\n{BAD}"));
    let output = folder.run(&["--split-input-file", "bad.mlir", "-o", "out.mlir"], b"");
    assert_eq!(code(&output), 1);
    let message = error(&output);
    assert!(message.contains("bad.mlir:2:"), "{message}");
    assert!(message.contains("bad.mlir:7:"), "{message}");
    assert!(!folder.file("out.mlir").exists());
}

#[test]
fn bytecode_and_back() {
    let folder = Folder::new(PROGRAM, "bytecode");
    std::fs::copy(examples().join("add.mlir"), folder.file("add.mlir")).unwrap();
    let text = folder.run(&["--mlir-print-debuginfo", "add.mlir"], b"");
    let output = folder.run(&["--to-bytecode", "add.mlir", "-o", "add.rmbc"], b"");
    assert_eq!(code(&output), 0, "{}", error(&output));
    let back = folder.run(&["--mlir-print-debuginfo", "add.rmbc"], b"");
    assert_eq!(code(&back), 0, "{}", error(&back));
    assert_eq!(back.stdout, text.stdout);
    // Through standard input and output too.
    let bytes = folder.run(&["--to-bytecode"], &folder.read("add.mlir"));
    assert_eq!(code(&folder.run(&[], &bytes.stdout)), 0);
}

#[test]
fn damaged_bytecode_is_refused() {
    let folder = Folder::new(PROGRAM, "damaged");
    folder.write("good.mlir", GOOD);
    folder.run(&["--to-bytecode", "good.mlir", "-o", "good.rmbc"], b"");
    let good = folder.read("good.rmbc");
    // The message depends on the byte: the first bytes are the magic number, which distinguishes
    // bytecode from text. After the header, every message has offset and section.
    for at in [good.len() / 2, good.len() * 3 / 4, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        folder.write("damaged.rmbc", &bytes);
        for arguments in [
            &["damaged.rmbc", "-o", "out.mlir"][..],
            &["--no-mmap", "damaged.rmbc", "-o", "out.mlir"],
        ] {
            let output = folder.run(arguments, b"");
            assert_eq!(code(&output), 1, "byte {at}");
            let message = error(&output);
            assert!(message.starts_with("damaged.rmbc: "), "{message}");
            assert!(message.contains("offset"), "{message}");
            assert!(message.contains("section"), "{message}");
            assert!(!folder.file("out.mlir").exists());
        }
    }
}

#[test]
fn errors_in_every_form() {
    let folder = Folder::new(PROGRAM, "diagnostics");
    folder.write(
        "a.mlir",
        "%0 = \"t.a\"() : () -> i32\n%0 = \"t.b\"() : () -> i32\n\"t.c\"(%1) : (i32) -> ()\n",
    );
    let run = |format: &str| {
        let output = folder.run(&["a.mlir", "--diagnostic-format", format], b"");
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        run("mlir"),
        "a.mlir:2:1: error: redefinition of SSA value '%0'\n\
         %0 = \"t.b\"() : () -> i32\n^\n\
         a.mlir:1:1: note: previously defined here\n\
         %0 = \"t.a\"() : () -> i32\n^\n\
         a.mlir:3:7: error: use of undeclared SSA value name '%1'\n\
         \"t.c\"(%1) : (i32) -> ()\n      ^\n"
    );
    // Not on a terminal.
    assert_eq!(run("auto"), run("mlir"));
    assert_eq!(
        run("pretty"),
        "error: redefinition of SSA value '%0'\n \
         --> a.mlir:2:1\n  |\n\
         2 | %0 = \"t.b\"() : () -> i32\n  | ^^\n  |\n\
         note: previously defined here\n \
         --> a.mlir:1:1\n  |\n\
         1 | %0 = \"t.a\"() : () -> i32\n  | ^^\n\n\
         error: use of undeclared SSA value name '%1'\n \
         --> a.mlir:3:7\n  |\n\
         3 | \"t.c\"(%1) : (i32) -> ()\n  |       ^^\n\n\
         error: 2 errors\n"
    );
    let json: Vec<serde_json::Value> = run("json")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json.len(), 2);
    assert_eq!(json[0]["line"], 2);
    assert_eq!(json[0]["notes"][0]["message"], "previously defined here");
    assert_eq!(json[1]["offset"], 56);
    assert_eq!(json[1]["length"], 2);
}

#[test]
fn announced_errors() {
    let folder = Folder::new(PROGRAM, "announced");
    let text = "\
        // expected-error@+1 {{undeclared SSA value name}}\n\
        \"t.a\"(%0) : (i32) -> ()\n\
        // -----\n\
        \"t.b\"() : () -> ()\n\
        // -----\n\
        \"t.c\"() : () -> i32x // expected-error {{expected non-function type}}\n";
    folder.write("good.mlir", text);
    let arguments = ["--split-input-file", "--verify-diagnostics"];
    let output = folder.run(&[&["good.mlir"], &arguments[..]].concat(), b"");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("t.b"));

    folder.write("bad.mlir", text.replace("undeclared", "unknown"));
    let output = folder.run(&[&["bad.mlir"], &arguments[..]].concat(), b"");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("bad.mlir:2:7: error: unexpected error: use of undeclared")
            && errors.contains(
                "bad.mlir:1:4: error: expected error \"unknown SSA value name\" was not produced"
            ),
        "{errors}"
    );
}
