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
        errors.contains("none.rmbc:0:0: error: redefinition of symbol named 'helper'"),
        "{errors}"
    );
    assert!(
        errors.contains("none.rmbc:0:0: note: the other definition is here"),
        "{errors}"
    );
    let linked = succeed(&folder, &["link", "a.mlir", "b.mlir", "--dedupe"]);
    // The equal local functions are one.
    assert!(!linked.contains("@local_0"), "{linked}");
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
        errors.contains(
            "attribute 'd.a' of the modules differs: it is 2 : i64, and 1 : i64 elsewhere"
        ),
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
            &[][..],
            &["--bodies"],
            &["--by", "group"],
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
            let link: Vec<&str> = ["link"].into_iter().chain(paths).collect();
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

/// A chain of functions is as large in parts as in one file, but for the declarations.
#[test]
fn functions_are_declared_by_default() {
    let folder = Folder::new(PROGRAM, "split-chain");
    let function = |number: usize| {
        format!(
            "func.func @f{number}() {{ call @f{}() : () -> ()\n return }}\n",
            number + 1
        )
    };
    let functions: String = (0..50).map(function).collect();
    folder.write("m.mlir", functions + "func.func @f50() { return }\n");
    succeed(&folder, &["split", "m.mlir", "-o", "parts"]);
    for file in std::fs::read_dir(folder.file("parts")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert_eq!(text.matches("return").count(), 1, "{text}");
    }
}

#[test]
fn missing_parts_are_named() {
    let folder = Folder::new(PROGRAM, "link-missing");
    folder.write("m.mlir", LINKED);
    for options in [&[][..], &["--no-references"]] {
        let arguments = [&["split", "m.mlir", "-o", "parts"][..], options].concat();
        succeed(&folder, &arguments);
        let parts = ["parts/0-local.mlir", "parts/1-main.mlir"];
        let output = folder.run(&["link", parts[0], parts[1], "-o", "some.mlir"], b"");
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let note = "of the 4 parts of a module that was split, these are missing: 2, 3; the result \
                    refers to their symbols 'helper', and is a part as well";
        assert!(errors.contains(note), "{errors}");
        let rest = ["parts/2-local_0.mlir", "parts/3-helper.mlir"];
        let output = folder.run(&["link", "some.mlir", rest[0], rest[1]], b"");
        assert_eq!(text(&output.stdout), LINKED);
        assert_eq!(text(&output.stderr), "");
        std::fs::remove_dir_all(folder.file("parts")).unwrap();
    }
    // What a part with open references violates is found when all are there.
    succeed(
        &folder,
        &["split", "m.mlir", "-o", "parts", "--no-references"],
    );
    let wrong = text(&folder.read("parts/1-main.mlir")).replace("(i32) -> i32\n", "(i32) -> i64\n");
    folder.write(
        "parts/1-main.mlir",
        wrong.replace("return %0 : i32", "return %0 : i64"),
    );
    let all = ["0-local", "1-main", "2-local_0", "3-helper"];
    let all = all.map(|name| format!("parts/{name}.mlir"));
    let arguments = [&["link"][..], &all.each_ref().map(String::as_str)].concat();
    let errors = fail(&folder, &arguments);
    assert!(errors.contains("error"), "{errors}");
}

#[test]
fn errors_name_the_inputs_of_locations() {
    let folder = Folder::new(PROGRAM, "link-stdin");
    let write = |name: &str| {
        let output = folder.run(&["convert", "-", "--to", "rmbc"], HELPER.as_bytes());
        assert!(output.status.success());
        std::fs::write(folder.file(name), output.stdout).unwrap();
    };
    ["a.rmbc", "b.rmbc"].into_iter().for_each(write);
    let errors = fail(&folder, &["link", "a.rmbc", "b.rmbc"]);
    for (input, message) in [
        ("b", "redefinition of symbol named 'helper'"),
        ("a", "the other definition is here"),
    ] {
        let expected = format!("in '{input}.rmbc': {message}");
        assert!(
            errors.contains(&expected) && errors.contains(":2:1"),
            "{errors}"
        );
    }
}

#[test]
fn errors_without_locations_name_the_inputs() {
    let folder = Folder::new(PROGRAM, "link-unknown");
    folder.write("a.mlir", HELPER);
    succeed(&folder, &["strip", "a.mlir", "-o", "a.mlirbc"]);
    let errors = fail(&folder, &["link", "a.mlirbc", "a.mlirbc"]);
    let expected = "a.mlirbc:0:0: error: redefinition of symbol named 'helper'\n\
                    a.mlirbc:0:0: note: the other definition is here";
    assert!(errors.starts_with(expected), "{errors}");
}

#[test]
fn warnings_are_about_what_is_not_preserved() {
    let folder = Folder::new(PROGRAM, "link-warnings");
    let module = |name: &str, pipeline: &str| {
        format!(
            "func.func @{name}() attributes {{d.a = distinct[0]<unit>}} {{ return }}
             {{-# external_resources: {{ mlir_reproducer: {{
               pipeline: \"builtin.module({pipeline})\", verify_each: true }} }} #-}}"
        )
    };
    folder.write("a.mlir", module("a", "cse"));
    folder.write("b.mlir", module("b", "canonicalize"));
    let output = folder.run(&["link", "--one-scope", "a.mlir", "b.mlir"], b"");
    let (linked, warnings) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{warnings}");
    for warning in [
        "warning: external resource 'pipeline' of 'mlir_reproducer' differs in 'b.mlir' and \
         'a.mlir': that of 'b.mlir' is dropped\n",
        "warning: 'a.mlir' and 'b.mlir' have distinct attributes: ",
    ] {
        assert!(warnings.contains(warning), "{warnings}");
    }
    assert_eq!(linked.matches("pipeline").count(), 1, "{linked}");
    assert!(linked.contains("builtin.module(cse)"), "{linked}");
    let output = folder.run(&["link", "a.mlir", "a.mlir", "--dedupe"], b"");
    assert!(!text(&output.stderr).contains("external"));
}

#[test]
fn requests_that_cannot_be_met_say_why() {
    let folder = Folder::new(PROGRAM, "split-requests");
    folder.write("a.mlir", HELPER);
    for (arguments, message) in [
        (
            &["split", "a.mlir", "-o", "parts", "--parts", "0"][..],
            "0 is not in 1..",
        ),
        (
            &["split", "a.mlir", "-o", "a.mlir"],
            "a.mlir is a file, and '-o' names a folder for the files",
        ),
    ] {
        let output = folder.run(arguments, b"");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}

#[test]
fn a_failed_split_leaves_no_parts() {
    let folder = Folder::new(PROGRAM, "split-fails");
    let add = |n: u32| format!("%a{n} = arith.addi %x, %x : i32\n");
    let adds: String = (0..100).map(add).collect();
    let large = format!("func.func @large(%x: i32) {{\n{adds}return }}\n");
    folder.write(
        "m.mlir",
        format!("func.func @small() {{ return }}\n{large}"),
    );
    let output = folder.run(
        &["split", "m.mlir", "-o", "parts", "--max-output", "1500"],
        b"",
    );
    assert!(!output.status.success());
    assert!(!folder.file("parts").exists());
}

#[test]
fn pieces_of_one_module_are_in_one_scope() {
    let folder = Folder::new(PROGRAM, "link-scope");
    folder.write("m.mlir", HELPER);
    for symbol in ["local", "helper"] {
        let output = format!("{symbol}.mlir");
        let wanted = format!("@{symbol}");
        let arguments = [
            "extract",
            "m.mlir",
            &wanted,
            "--declarations",
            "-o",
            &output,
        ];
        succeed(&folder, &arguments);
    }
    let link = ["link", "local.mlir", "helper.mlir"];
    let apart = succeed(&folder, &link);
    assert!(apart.contains("@local_0() {"), "{apart}");
    let joined = succeed(&folder, &[&link[..], &["--one-scope"]].concat());
    folder.write("joined.mlir", joined);
    succeed(&folder, &["diff", "m.mlir", "joined.mlir"]);
}

#[test]
fn errors_are_reported_up_to_a_limit() {
    let folder = Folder::new(PROGRAM, "link-limit");
    let functions: String = (0..30)
        .map(|n| format!("func.func @f{n}() {{ return }}\n"))
        .collect();
    folder.write("a.mlir", functions);
    for (options, count) in [
        (&[][..], 20),
        (&["--max-errors", "7"], 7),
        (&["--max-errors", "99"], 30),
    ] {
        let errors = fail(
            &folder,
            &[&["link", "a.mlir", "a.mlir"][..], options].concat(),
        );
        assert_eq!(
            errors.matches("error: redefinition").count(),
            count,
            "{errors}"
        );
        assert_eq!(errors.matches("note: the other definition").count(), count);
    }
}

#[test]
fn parts_that_are_linked_twice() {
    let folder = Folder::new(PROGRAM, "link-twice");
    folder.write("m.mlir", LINKED);
    succeed(&folder, &["split", "m.mlir", "-o", "parts"]);
    succeed(&folder, &["split", "m.mlir", "-o", "again"]);
    let names = ["0-local", "1-main", "2-local_0", "3-helper"];
    let paths = ["parts", "again"].map(|f| names.map(|name| format!("{f}/{name}.mlir")));
    let paths: Vec<&str> = paths.iter().flatten().map(String::as_str).collect();
    let link = [&["link"][..], &paths].concat();
    let errors = fail(&folder, &link);
    assert_eq!(errors.matches("error").count(), 4, "{errors}");
    let first = "again/0-local.mlir:2:3: error: symbol 'local' is in two inputs";
    assert!(errors.starts_with(first), "{errors}");
    assert!(
        errors.contains("parts/0-local.mlir:2:3: note: the other part is here"),
        "{errors}"
    );
    assert_eq!(
        succeed(&folder, &[&link[..], &["--dedupe"]].concat()),
        LINKED
    );
}

/// The help of options that split shares with others is about folders of files.
#[test]
fn the_help_of_split_is_about_its_files() {
    let folder = Folder::new(PROGRAM, "split-help");
    let help = succeed(&folder, &["split", "--help"]);
    for text in [
        "-o <FOLDER>\n          The folder for the files",
        "--to <FORM>\n          The form of the files; by default that of the input",
    ] {
        assert!(help.contains(text), "{help}");
    }
    assert!(!help.contains("standard output"), "{help}");
    // As it says: the form of the input, or the one that is asked for.
    folder.write("m.mlir", LINKED);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.rmbc"]);
    for (number, (input, options, extension)) in [
        ("m.mlir", &[][..], "mlir"),
        ("m.rmbc", &[], "rmbc"),
        ("m.rmbc", &["--to", "text"], "mlir"),
        ("m.mlir", &["--to", "mlirbc"], "mlirbc"),
    ]
    .into_iter()
    .enumerate()
    {
        let output = number.to_string();
        succeed(
            &folder,
            &[&["split", input, "-o", &output][..], options].concat(),
        );
        assert!(
            folder
                .file(&format!("{output}/1-main.{extension}"))
                .exists()
        );
    }
}

/// `gpu.binary` is not a symbol table: a reference to a kernel in it refers to the binary.
#[test]
fn references_into_symbols_that_are_not_tables_are_followed() {
    let folder = Folder::new(PROGRAM, "extract-binary");
    let module = "module attributes {gpu.container_module} {
  gpu.binary @binary  [#gpu.object<#nvvm.target, \"BLOB\">]
  gpu.binary @unused  [#gpu.object<#nvvm.target, \"BLOB\">]
  llvm.func @f() {
    %0 = llvm.mlir.constant(1 : index) : i64
    gpu.launch_func  @binary::@kernel blocks in (%0, %0, %0) threads in (%0, %0, %0) : i64
    llvm.return
  }
}
";
    folder.write("m.mlir", module);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.rmbc"]);
    succeed(&folder, &["convert", "m.mlir", "-o", "m.mlirbc"]);
    for input in ["m.mlir", "m.rmbc", "m.mlirbc"] {
        for options in [&[][..], &["--declarations"]] {
            let arguments = [&["extract", input, "@f"][..], options].concat();
            let extracted = succeed(&folder, &arguments);
            assert!(
                extracted.contains("gpu.binary @binary"),
                "{input}: {extracted}"
            );
            assert!(!extracted.contains("@unused"), "{input}: {extracted}");
        }
    }
}
