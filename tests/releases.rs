//! Compares texts of other releases than the default with their `mlir-opt`: those in
//! `tests/releases/llvm-19` with `mlir-opt-19`, or the program that `MLIR_OPT_19` names, and those
//! of LLVM 24 alike.
//!
//! Skipped for a release whose program is not installed.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use rmlir::ir::definition::Release;
use rmlir::ir::{EqualityOptions, semantic_difference};
use rmlir::{Ir, ReadOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a module in generic form as a release's program prints it.
fn generic(program: &str, text: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(["--mlir-print-op-generic", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(text));
    output.stdout
}

fn read(text: &[u8], release: Release, normalize: bool) -> Ir {
    let mut options = ReadOptions::default();
    options.release = Some(release);
    options.normalize = normalize;
    let read = rmlir::read_with(text.to_vec(), &options);
    read.unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(text)))
}

/// Compares a text with what the program makes of it, and of the text that we print.
fn compare(release: Release) {
    let number = release.number;
    let program = std::env::var(format!("MLIR_OPT_{number}"));
    let program = program.unwrap_or_else(|_| format!("mlir-opt-{number}"));
    if Command::new(&program).arg("--version").output().is_err() {
        println!("SKIPPED: {program} not found");
        return;
    }
    let folder = format!("tests/releases/{release}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read(&path).unwrap();
        let ours = read(&text, release, true);
        let equality = EqualityOptions { locations: false };
        for text in [text, ours.to_string().into_bytes()] {
            // Without normalization: nothing that upstream has omitted is added.
            let theirs = read(&generic(&program, &text), release, false);
            let difference = semantic_difference(ours.parts(), theirs.parts(), &equality);
            let path = path.display();
            assert!(difference.is_none(), "{path}: {}", difference.unwrap());
        }
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn texts_of_llvm_19_are_read_as_upstream_does() {
    compare(Release::LLVM_19);
}

#[test]
fn texts_of_llvm_24_are_read_as_upstream_does() {
    compare(Release::LLVM_24);
}

/// The syntax of another release is an error, or has another meaning.
#[test]
fn the_default_release_has_other_formats() {
    for text in [
        "gpu.module \"private\" @k {}",
        "func.func @f(%a: memref<1xf32>, %b: index) {
  %0 = memref.load %a[%b] invariant(true) : memref<1xf32>
  return
}",
    ] {
        assert!(rmlir::parse(text).is_err(), "{text}");
    }
}

#[test]
fn bytecode_of_older_releases_has_attributes_of_llvm_as_text() {
    let text = "\"t.a\"() {x = #llvm.di_basic_type<name = \"int\">} : () -> ()";
    let releases = [
        (Release::LLVM_19, true),
        (Release::LLVM_20, true),
        (Release::LLVM_21, true),
        (Release::LLVM_22, false),
    ];
    for (release, is_text) in releases {
        let mut ir = rmlir::parse(text).unwrap();
        let mut options = rmlir::WriteOptions::default();
        options.mlirbc.target = Some(release);
        let bytes = ir.to_bytes(rmlir::Form::Mlirbc, &options).unwrap();
        let name = b"di_basic_type<";
        let found = bytes.windows(name.len()).any(|window| window == name);
        assert_eq!(found, is_text, "{release:?}");
        let again = rmlir::read(bytes).unwrap();
        assert_eq!(again.to_string(), ir.to_string());
    }
}
