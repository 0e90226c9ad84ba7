//! Tests that `rmlir-translate --verify-roundtrip` checks bytecode, generic text and custom text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir-translate");

/// Returns the exit status and standard error.
fn verify(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let mut all = vec!["--verify-roundtrip", "-o", "out.mlir"];
    all.extend_from_slice(arguments);
    let output = folder.run(&all, b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), errors)
}

#[test]
fn what_every_form_keeps_passes() {
    let folder = Folder::new(PROGRAM, "round-trip-good");
    folder.write("mlp.mlir", include_str!("../../examples/mlp.mlir"));
    // As upstream's, custom form omits empty dictionaries.
    folder.write(
        "empty.mlir",
        r#""func.func"() <{arg_attrs = [{}], function_type = (i32) -> (), sym_name = "f"}> ({
          ^bb0(%x: i32):
            "func.return"() : () -> ()
          }) : () -> ()"#,
    );
    for file in ["mlp.mlir", "empty.mlir"] {
        assert_eq!(verify(&folder, &[file]), (Some(0), String::new()), "{file}");
    }
}

#[test]
fn what_custom_text_loses_is_an_error() {
    let folder = Folder::new(PROGRAM, "round-trip-bad");
    // An optional attribute with its default value is omitted from custom form, and is absent when
    // the text is parsed.
    folder.write(
        "toy.dialect",
        "dialect toy\nop a\n  attr x: I64Attr optional = 1 : i64\n  format attr-dict\n",
    );
    folder.write("a.mlir", "\"toy.a\"() <{x = 1 : i64}> : () -> ()\n");
    let (status, errors) = verify(&folder, &["a.mlir", "--dialect", "toy.dialect"]);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("custom text"), "{errors}");
    assert!(errors.contains("toy.a"), "{errors}");
}
