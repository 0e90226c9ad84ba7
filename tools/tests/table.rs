//! Tests of `rmlir table`: its inputs and outputs.
#![cfg(feature = "arrow")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

/// Returns the standard error and the status of a call.
fn run(folder: &Folder, arguments: &[&str]) -> (String, Option<i32>) {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (errors, output.status.code())
}

#[test]
fn an_input_is_not_replaced() {
    let folder = Folder::new(PROGRAM, "table-replaced");
    let text = "func.func private @f()\n";
    folder.write("a.mlir", text);
    folder.write("names.csv", "a.mlir\n");
    for arguments in [
        &["table", "a.mlir", "--to", "csv", "-o", "a.mlir"][..],
        &["table", "a.mlir", "--to", "csv", "-o", "./a.mlir"],
        &["table", ".", "--to", "csv", "-o", "a.mlir"],
        &["table", "@names.csv", "-o", "names.csv"],
        &["table", "@names.csv", "--to", "arrow", "-o", "a.mlir"],
    ] {
        let (errors, status) = run(&folder, arguments);
        assert!(
            errors.contains("is an input and the output: it would be replaced"),
            "{errors}"
        );
        assert_eq!(status, Some(2), "{arguments:?}");
    }
    assert_eq!(folder.read("a.mlir"), text.as_bytes());
    assert_eq!(folder.read("names.csv"), b"a.mlir\n");
}

#[test]
fn a_folder_is_its_files() {
    let folder = Folder::new(PROGRAM, "table-folder");
    folder.write("models/b.mlir", "func.func private @b()\n");
    folder.write("models/inner/c.mlir", "func.func private @c()\n");
    folder.write("models/readme.txt", "no module\n");
    folder.write("a.mlir", "func.func private @a()\n");
    let call = [
        "table", "a.mlir", "models", "--what", "symbols", "-o", "x.csv",
    ];
    assert_eq!(run(&folder, &call), (String::new(), Some(0)));
    let table = String::from_utf8(folder.read("x.csv")).unwrap();
    let files: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(files, ["a.mlir", "models/b.mlir", "models/inner/c.mlir"]);
    folder.write("none/readme.txt", "no module\n");
    let (errors, status) = run(&folder, &["table", "none", "-o", "y.csv"]);
    assert!(errors.contains("none"), "{errors}");
    assert_eq!(status, Some(1));
}
