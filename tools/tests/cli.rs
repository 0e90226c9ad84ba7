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
    assert_eq!(code(&output), 0);
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
