//! Tests the files that the programs read and write, and their exit status.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::Folder;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

const RMLIR: &str = env!("CARGO_BIN_EXE_rmlir");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_rmlir-translate");

const GOOD: &str = "\"t.a\"() : () -> ()\n";
const BLOB: &str = "\"t.a\"() {a = dense_resource<x> : tensor<4xi8>} : () -> ()\n\
                    {-# dialect_resources: {builtin: {x: \"0x0800000001020304\"}} #-}";

/// Runs the program; returns its exit status and standard error.
fn run(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), errors)
}

#[test]
fn a_bad_input_does_not_hide_the_others() {
    let folder = Folder::new(RMLIR, "files-each");
    folder.write("good.mlir", GOOD);
    folder.write("bad.mlir", "bad");
    let output = folder.run(
        &["hash", "good.mlir", "bad.mlir", "missing", "good.mlir"],
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), 2);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("error: missing: No such file or directory\n"),
        "{errors}"
    );
    assert!(errors.contains("bad.mlir:1:1: error"), "{errors}");
}

#[test]
fn one_standard_input_is_not_two_sides() {
    let folder = Folder::new(RMLIR, "files-sides");
    let (status, errors) = run(&folder, &["diff", "-", "-"]);
    assert_eq!(status, 2);
    assert!(errors.contains("both sides"), "{errors}");
}

#[test]
fn a_pipe_is_no_file_of_blobs() {
    let folder = Folder::new(RMLIR, "files-pipe");
    folder.write("a.mlir", BLOB);
    let arguments = ["convert", "a.mlir", "-o", "a.rmbc", "--external-blobs", "1"];
    assert_eq!(run(&folder, &arguments), (0, String::new()));
    std::fs::remove_file(folder.file("a.rmbc.blobs")).unwrap();
    let made = Command::new("mkfifo")
        .arg(folder.file("a.rmbc.blobs"))
        .status();
    assert!(made.unwrap().success());
    let (status, errors) = run(&folder, &["verify", "a.rmbc"]);
    assert_eq!(status, 1);
    assert!(errors.contains("it is not a regular file"), "{errors}");
}

#[test]
fn links_are_written_through() {
    let folder = Folder::new(RMLIR, "files-links");
    folder.write("a.mlir", GOOD);
    std::fs::create_dir(folder.file("inner")).unwrap();
    symlink("inner/second", folder.file("first")).unwrap();
    symlink("third.mlir", folder.file("inner/second")).unwrap();
    assert_eq!(run(&folder, &["convert", "a.mlir", "-o", "first"]).0, 0);
    let is_link = |name: &str| folder.file(name).symlink_metadata().unwrap().is_symlink();
    assert!(is_link("first") && is_link("inner/second") && !is_link("inner/third.mlir"));
    assert!(!folder.read("inner/third.mlir").is_empty());
    symlink("round", folder.file("round")).unwrap();
    let (status, errors) = run(&folder, &["convert", "a.mlir", "-o", "round"]);
    assert!(status == 1 && errors.contains("symbolic links"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_the_name_of_the_output() {
    let folder = Folder::new(RMLIR, "files-full");
    folder.write("a.mlir", GOOD);
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for (program, arguments) in [
        (RMLIR, ["--help"].as_slice()),
        (RMLIR, &["list", "a.mlir"]),
        (RMLIR, &["convert", "a.mlir"]),
        (RMLIR, &["convert", "--to=rmbc", "a.mlir"]),
        (RMLIR, &["man"]),
        (TRANSLATE, &["--version"]),
        (TRANSLATE, &["a.mlir"]),
    ] {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder.file("."))
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            errors, "error: <stdout>: No space left on device\n",
            "{arguments:?}"
        );
        assert_eq!(output.status.code(), Some(1));
    }
    let (status, errors) = run(&folder, &["convert", "a.mlir", "-o", "/dev/full"]);
    assert_eq!(
        (status, errors.as_str()),
        (1, "error: /dev/full: No space left on device\n")
    );
}

#[test]
fn identity_of_distinct_attributes_is_not_lost_silently() {
    let shared = "#d = #llvm.alias_scope_domain<id = distinct[0]<>, description = \"dom\">\n\
                  #s1 = #llvm.alias_scope<id = distinct[1]<>, domain = #d>\n\
                  #s2 = #llvm.alias_scope<id = distinct[2]<>, domain = #d>\n\
                  \"t.o\"() {a = #s1, b = #s2} : () -> ()\n";
    // Alone in one text, or outside of texts, a distinct attribute keeps its identity.
    let kept = "#d = #llvm.alias_scope_domain<id = distinct[0]<>>\n\
                #e = distinct[1]<unit>\n\
                \"t.o\"() {a = #llvm.alias_scope<id = distinct[2]<>, domain = #d>, b = #e, c = [#e]} : () -> ()\n";
    let folder = Folder::new(RMLIR, "files-distinct");
    folder.write("shared.mlir", shared);
    folder.write("kept.mlir", kept);
    let (status, errors) = run(&folder, &["convert", "shared.mlir", "-o", "x.mlirbc"]);
    assert_eq!(status, 1);
    assert!(
        errors.contains("#llvm.alias_scope<") && errors.contains("'t.o'"),
        "{errors}"
    );
    assert!(!folder.names().contains(&"x.mlirbc".to_owned()));
    assert_eq!(
        run(
            &folder,
            &["convert", "shared.mlir", "-o", "x.mlirbc", "--lossy"]
        )
        .0,
        0
    );
    assert_eq!(run(&folder, &["diff", "shared.mlir", "x.mlirbc"]).0, 1);
    assert_eq!(
        run(&folder, &["convert", "kept.mlir", "-o", "y.mlirbc"]),
        (0, String::new())
    );
    assert_eq!(run(&folder, &["diff", "kept.mlir", "y.mlirbc"]).0, 0);

    let folder = Folder::new(TRANSLATE, "files-round-trip");
    folder.write("shared.mlir", shared);
    folder.write("kept.mlir", kept);
    let arguments = ["--verify-roundtrip", "--to-mlirbc", "-o", "x"];
    assert_eq!(
        run(&folder, &[&arguments[..], &["kept.mlir"]].concat()).0,
        0
    );
    let (status, errors) = run(
        &folder,
        &[&arguments[..], &["--lossy", "shared.mlir"]].concat(),
    );
    assert_eq!(status, 1);
    assert!(
        errors.contains("round trip: the content differs"),
        "{errors}"
    );
}
