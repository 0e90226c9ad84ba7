//! `rmlir link`, `rmlir split` and `rmlir extract --declarations`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use std::process::Output;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

const CALLER: &str = "func.func private @helper(i32) -> i32
func.func private @local() { return }
func.func @main(%x: i32) -> i32 {
  call @local() : () -> ()
  %y = call @helper(%x) : (i32) -> i32
  return %y : i32
}
";
const HELPER: &str = "func.func private @local() { return }
func.func @helper(%x: i32) -> i32 {
  call @local() : () -> ()
  return %x : i32
}
";
const LINKED: &str = "module {
  func.func private @local() {
    return
  }
  func.func @main(%arg0: i32) -> i32 {
    call @local() : () -> ()
    %0 = call @helper(%arg0) : (i32) -> i32
    return %0 : i32
  }
  func.func private @local_0() {
    return
  }
  func.func @helper(%arg0: i32) -> i32 {
    call @local_0() : () -> ()
    return %arg0 : i32
  }
}

";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn succeed(folder: &Folder, arguments: &[&str]) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = folder.run(arguments, b"");
    assert!(status.success(), "{arguments:?}: {}", text(&stderr));
    text(&stdout)
}

/// The errors, with exit status 1.
fn fail(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments, b"");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    text(&output.stderr)
}

#[test]
fn inputs_of_every_form_are_linked() {
    let folder = Folder::new(PROGRAM, "link-forms");
    folder.write("a.mlir", CALLER);
    folder.write("b.mlir", HELPER);
    for name in ["a", "b"] {
        for form in ["rmbc", "mlirbc"] {
            let (from, to) = (format!("{name}.mlir"), format!("{name}.{form}"));
            succeed(&folder, &["convert", &from, "-o", &to]);
        }
    }
    for a in ["a.mlir", "a.rmbc", "a.mlirbc"] {
        for b in ["b.mlir", "b.rmbc", "b.mlirbc"] {
            assert_eq!(succeed(&folder, &["link", a, b]), LINKED, "{a} {b}");
        }
    }
    for output in ["c.mlir", "c.rmbc", "c.mlirbc"] {
        succeed(&folder, &["link", "a.rmbc", "b.mlirbc", "-o", output]);
        assert_eq!(succeed(&folder, &["convert", output]), LINKED);
    }
    let output = folder.run(&["link", "a.mlir", "-"], HELPER.as_bytes());
    assert_eq!(text(&output.stdout), LINKED);
    assert_eq!(folder.run(&["link", "-", "-"], b"").status.code(), Some(2));
}

#[test]
fn errors_show_both_places_with_their_lines() {
    let folder = Folder::new(PROGRAM, "link-errors");
    folder.write("a.mlir", HELPER);
    folder.write("b.mlir", format!("// A comment.\n{HELPER}"));
    assert_eq!(
        fail(&folder, &["link", "a.mlir", "b.mlir"]),
        "b.mlir:3:1: error: redefinition of symbol named 'helper'
func.func @helper(%x: i32) -> i32 {
^
a.mlir:2:1: note: the other definition is here
func.func @helper(%x: i32) -> i32 {
^
"
    );
    // Without text, the lines of the locations.
    succeed(&folder, &["convert", "a.mlir", "-o", "a.rmbc"]);
    let errors = fail(&folder, &["link", "a.rmbc", "b.mlir"]);
    assert!(
        errors.contains("b.mlir:3:1: error") && errors.contains("a.mlir:2:1: note"),
        "{errors}"
    );
    // Without locations, the files.
    let strip = ["convert", "a.mlir", "-o", "none.rmbc", "--no-locations"];
    succeed(&folder, &strip);
    let errors = fail(&folder, &["link", "none.rmbc", "none.rmbc"]);
    assert!(
        errors.contains("in 'none.rmbc': redefinition of symbol named 'helper'"),
        "{errors}"
    );
    assert!(
        errors.contains("in 'none.rmbc': the other definition is here"),
        "{errors}"
    );
    let linked = succeed(&folder, &["link", "a.mlir", "b.mlir", "--dedupe"]);
    assert!(linked.contains("@local_0"));
    let missing = fail(&folder, &["link", "a.mlir", "missing.mlir"]);
    assert!(missing.contains("missing.mlir"));
}

#[test]
fn attributes_are_equal_or_chosen() {
    let folder = Folder::new(PROGRAM, "link-attributes");
    folder.write("a.mlir", "module attributes {d.a = 1} {}");
    folder.write("b.mlir", "module attributes {d.a = 2} {}");
    let errors = fail(&folder, &["link", "a.mlir", "b.mlir"]);
    assert!(
        errors.contains("attribute 'd.a' of the modules differs"),
        "{errors}"
    );
    let link = |which| {
        succeed(
            &folder,
            &["link", "a.mlir", "b.mlir", "--module-attributes", which],
        )
    };
    assert!(link("first").contains("d.a = 1"));
    assert!(link("last").contains("d.a = 2"));
    fail(
        &folder,
        &["link", "a.mlir", "b.mlir", "--module-attributes", "union"],
    );
}

#[test]
fn a_file_is_split_and_linked() {
    let folder = Folder::new(PROGRAM, "split");
    folder.write("m.mlir", LINKED);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.rmbc"]);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.mlirbc"]);
    for input in ["m.mlir", "m.rmbc", "m.mlirbc"] {
        for (number, options) in [
            &["--declarations"][..],
            &[],
            &["--by", "group", "--declarations"],
            &["--parts", "2"],
            &["--no-references"],
        ]
        .into_iter()
        .enumerate()
        {
            let output = format!("{number}-{input}");
            let arguments = [&["split", input, "-o", &output][..], options].concat();
            succeed(&folder, &arguments);
            let mut names: Vec<String> = std::fs::read_dir(folder.file(&output))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            let extension = input.rsplit_once('.').unwrap().1;
            let expected: Vec<String> = match options {
                ["--parts", "2"] => vec!["0-local", "1-local_0"],
                _ => vec!["0-local", "1-main", "2-local_0", "3-helper"],
            }
            .into_iter()
            .map(|name| format!("{name}.{extension}"))
            .collect();
            assert_eq!(names, expected);
            let paths: Vec<String> = names
                .iter()
                .map(|name| format!("{output}/{name}"))
                .collect();
            let paths = paths.iter().map(String::as_str);
            let no_verify = options.contains(&"--no-references");
            let link = ["link"].into_iter().chain(paths);
            let link: Vec<&str> = link.chain(no_verify.then_some("--no-verify")).collect();
            assert_eq!(succeed(&folder, &link), LINKED, "{output}");
            if input != "m.mlir" {
                // With locations.
                let link = [&link[..], &["-o", "linked.rmbc"]].concat();
                succeed(&folder, &link);
                succeed(&folder, &["diff", "--locations", "m.rmbc", "linked.rmbc"]);
            }
        }
    }
    let errors = fail(&folder, &["split", "m.mlir", "-o", "0-m.mlir"]);
    assert!(errors.contains("the folder is not empty"), "{errors}");
    assert_eq!(folder.run(&["split", "m.mlir"], b"").status.code(), Some(2));
    let part = folder.read("0-m.mlir/1-main.mlir");
    assert!(text(&part).contains("func.func private @helper(i32) -> i32\n"));
    let errors = fail(&folder, &["split", "0-m.mlir/1-main.mlir", "-o", "again"]);
    assert!(errors.contains("is a part of another one"), "{errors}");
}

#[test]
fn extraction_leaves_declarations() {
    let folder = Folder::new(PROGRAM, "extract-declarations");
    folder.write("m.mlir", LINKED);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.rmbc"]);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.mlirbc"]);
    for input in ["m.mlir", "m.rmbc", "m.mlirbc"] {
        assert_eq!(
            succeed(&folder, &["extract", input, "@main", "--declarations"]),
            "module {
  func.func private @local()
  func.func @main(%arg0: i32) -> i32 {
    call @local() : () -> ()
    %0 = call @helper(%arg0) : (i32) -> i32
    return %0 : i32
  }
  func.func private @helper(i32) -> i32
}

"
        );
    }
}
