//! Tests what can be done with files that have content in an unknown encoding.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

/// A dialect that only its owner knows. As a part of LLVM, it has its own encodings.
const SECRET: &str = "dialect secret
family llvm
attribute pair
  parameters first: int, second: uint
  format `<` $first `,` $second `>`
  codec 7 = first: svarint, second: varint
type wide
  parameters bits: uint
  format `<` $bits `>`
  codec 3 = bits: varint
";

const MODULE: &str = r#"module @top {
  func.func @plain(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  func.func @hidden(%a: !secret.wide<9>) {
    "t.use"(%a) {pair = #secret.pair<-3, 4>, data = dense_resource<blob> : tensor<2xi8>} : (!secret.wide<9>) -> ()
    func.call @plain_too() : () -> ()
    return
  }
  module @inner {
    func.func @deep() -> !secret.wide<8> {
      %0 = "t.make"() ({
        "t.region"() : () -> ()
      }) : () -> !secret.wide<8>
      return %0 : !secret.wide<8>
    }
    func.func @beside() {
      return
    }
  }
  func.func private @plain_too()
}
{-# dialect_resources: {builtin: {blob: "0x400000000102", other: "0x1000000003"}} #-}
"#;

/// Returns the module in upstream's bytecode, as its owner writes it.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(PROGRAM, name);
    folder.write("secret.dialect", SECRET);
    folder.write("a.mlir", MODULE);
    run(
        &folder,
        "convert a.mlir --dialect secret.dialect -o a.mlirbc",
        0,
    );
    folder
}

/// Returns standard output and standard error of a call that ends with `status`.
fn run(folder: &Folder, arguments: &str, status: i32) -> (String, String) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = folder.run(&arguments, b"");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, errors) = (text(output.stdout), text(output.stderr));
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {errors}"
    );
    (out, errors)
}

/// Only the functions with operations that are printed are decoded.
#[test]
fn operations_beside_undecoded_functions_are_found() {
    let folder = folder("undecoded-grep");
    let (out, _) = run(&folder, "grep arith.addi a.mlirbc", 0);
    assert_eq!(
        out,
        "@plain: %0 = arith.addi %arg0, %arg0 : i32  // a.mlir:3:10\n"
    );
    let (_, errors) = run(&folder, "grep t.use a.mlirbc", 2);
    assert!(errors.contains("private encoding 3"), "{errors}");
}

/// What is extracted undecoded is, for who knows the dialect, what is extracted decoded.
#[test]
fn symbols_are_cut_out() {
    let folder = folder("undecoded-cut");
    for symbols in [
        "@hidden",
        "@inner::@deep",
        "@inner",
        "@plain_too @hidden",
        "@inner::@deep @inner::@beside @hidden",
    ] {
        let extract = format!("extract a.mlirbc {symbols} --no-references");
        run(
            &folder,
            &format!("{extract} -o known.rmbc --dialect secret.dialect"),
            0,
        );
        for how in ["", " --no-mmap"] {
            let (_, errors) = run(&folder, &format!("{extract} -o cut.mlirbc{how}"), 0);
            assert!(
                errors.starts_with("warning: a.mlirbc: copied as it is"),
                "{errors}"
            );
            run(
                &folder,
                "diff cut.mlirbc known.rmbc --locations --dialect secret.dialect --no-verify",
                0,
            );
            let (list, _) = run(&folder, "list cut.mlirbc", 0);
            let (known, _) = run(&folder, "list known.rmbc", 0);
            let names = |list: &str| -> Vec<String> {
                let lines = list.lines().skip(1);
                lines
                    .map(|l| l.split_whitespace().last().unwrap().to_owned())
                    .collect()
            };
            assert_eq!(names(&list), names(&known));
        }
    }
}

/// Upstream reads symbols extracted from its own file, renamed to a dialect that is unknown here.
#[test]
fn upstream_reads_what_was_cut_out() {
    let folder = Folder::new(PROGRAM, "undecoded-upstream");
    folder.write(
        "a.mlir",
        "func.func @q(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {\n\
           return %a : tensor<4x!quant.uniform<i8:f32, 0.5:3>>\n}\n\
         func.func @r() {\n  \"x.y\"() {b = dense_resource<blob> : tensor<4xi8>} : () -> ()\n  return\n}\n\
         {-# dialect_resources: {builtin: {blob: \"0x4000000001020304\"}} #-}\n",
    );
    let mlir_opt = |arguments: &[&str]| {
        let mut command = Command::new("mlir-opt-22");
        command.arg("--allow-unregistered-dialect").args(arguments);
        command.current_dir(folder.file("")).output()
    };
    let Ok(written) = mlir_opt(&["a.mlir", "--emit-bytecode", "-o", "a.mlirbc"]) else {
        println!("SKIPPED: mlir-opt-22 not found");
        return;
    };
    assert!(written.status.success());
    let renamed = |bytes: Vec<u8>, from: &[u8], to: &[u8]| {
        let places = bytes.windows(from.len()).filter(|w| *w == from).count();
        assert_eq!(places, 1);
        let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
        [&bytes[..at], to, &bytes[at + to.len()..]].concat()
    };
    let bytes = renamed(folder.read("a.mlirbc"), b"quant\0", b"quamt\0");
    folder.write("b.mlirbc", bytes);
    for symbols in ["@q", "@q @r"] {
        let known = format!("extract a.mlirbc {symbols} --no-references -o known.mlir --debuginfo");
        run(&folder, &known, 0);
        run(
            &folder,
            &format!("extract b.mlirbc {symbols} --no-references -o cut.mlirbc"),
            0,
        );
        folder.write(
            "c.mlirbc",
            renamed(folder.read("cut.mlirbc"), b"quamt\0", b"quant\0"),
        );
        let print = [
            "--mlir-print-op-generic",
            "--mlir-print-debuginfo",
            "--mlir-print-local-scope",
        ];
        let read = mlir_opt(&[&["c.mlirbc"][..], &print].concat()).unwrap();
        let known = mlir_opt(&[&["known.mlir"][..], &print].concat()).unwrap();
        let errors = String::from_utf8_lossy(&read.stderr);
        assert!(read.status.success() && known.status.success(), "{errors}");
        // Resources that only other symbols use remain in the file.
        let body = |out: &[u8]| {
            String::from_utf8_lossy(out)
                .split("\n{-#")
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(body(&read.stdout), body(&known.stdout));
    }
}
