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

#[test]
fn it_is_listed_measured_and_dumped() {
    let folder = folder("undecoded-looked-into");
    for how in ["", " --no-mmap"] {
        let (list, _) = run(&folder, &format!("list a.mlirbc{how}"), 0);
        for symbol in ["@plain", "@hidden", "@inner::@deep", "@plain_too"] {
            assert!(list.contains(symbol), "{list}");
        }
        let (info, _) = run(&folder, &format!("info a.mlirbc{how}"), 0);
        assert!(
            info.contains("operations: 16") && info.contains("resource bytes: 3"),
            "{info}"
        );
        let (size, _) = run(&folder, &format!("size a.mlirbc{how}"), 0);
        assert!(
            size.contains("AttrType") && size.contains("@hidden"),
            "{size}"
        );
        let (dump, _) = run(&folder, &format!("dump a.mlirbc{how}"), 0);
        assert!(dump.contains("secret"), "{dump}");
    }
}

/// The error names the dialect, the code, the offset and a remedy.
#[test]
fn it_becomes_no_other_form() {
    let folder = folder("undecoded-refused");
    for arguments in [
        "convert a.mlirbc",
        "convert a.mlirbc -o b.rmbc",
        "convert a.mlirbc -o b.mlirbc --target llvm-22",
        "convert a.mlirbc -o b.mlirbc --bytecode-version 6",
        "extract a.mlirbc @hidden",
        "extract a.mlirbc @hidden --no-references -o b.rmbc",
        "extract a.mlirbc @hidden -o b.mlirbc",
        "strip a.mlirbc -o b.mlirbc",
        "verify a.mlirbc",
        "hash a.mlirbc",
    ] {
        let (out, errors) = run(&folder, arguments, 1);
        assert_eq!(out, "");
        for what in [
            "of dialect 'secret' has the private encoding 3",
            "a definition of the dialect with that encoding is needed",
            "(section AttrType, offset 0x",
            "'extract --no-references' copy to upstream's bytecode",
        ] {
            assert!(errors.contains(what), "{arguments}: {errors}");
        }
    }
    assert_eq!(folder.names(), ["a.mlir", "a.mlirbc", "secret.dialect"]);
    // Symbols without undecodable content are accessible.
    let (text, _) = run(&folder, "extract a.mlirbc @plain", 0);
    assert!(text.contains("arith.addi"), "{text}");
    let (lines, errors) = {
        let (out, errors) = run(&folder, "hash --symbols a.mlirbc", 1);
        (out.lines().count(), errors)
    };
    assert_eq!(
        (lines, errors.matches("while reading @").count()),
        (2, 2),
        "{errors}"
    );
    run(&folder, "diff a.mlirbc a.mlirbc", 0);
    run(&folder, "diff a.mlirbc a.mlir", 2);
}

/// The content of tables is reported, used or not.
#[test]
fn it_is_said_what_it_gives_away() {
    let folder = folder("undecoded-report");
    let text = MODULE.replace(
        "    return\n  }\n  module",
        "    return\n  } loc(\"/home/bob/hidden.py\":3:4)\n  module",
    );
    folder.write("a.mlir", text);
    run(
        &folder,
        "convert a.mlir --dialect secret.dialect -o a.mlirbc",
        0,
    );
    let (report, errors) = run(&folder, "strip --report a.mlirbc", 0);
    assert!(
        errors.starts_with("warning: only the tables of the file"),
        "{errors}"
    );
    assert!(
        report.contains("user: bob (tables of the file, 1 time)"),
        "{report}"
    );
    assert!(report.contains("producer: "), "{report}");
    let (known, errors) = run(
        &folder,
        "strip --report a.mlirbc --dialect secret.dialect",
        0,
    );
    assert_eq!(errors, "");
    assert!(known.contains("user: bob (location, 1 time)"), "{known}");
    assert!(!known.contains("tables of the file"), "{known}");
    // The extracted file contains the undecodable content only in its tables.
    run(
        &folder,
        "extract a.mlirbc @inner::@deep --no-references -o cut.mlirbc",
        0,
    );
    let (cut, _) = run(
        &folder,
        "strip --report cut.mlirbc --dialect secret.dialect",
        0,
    );
    assert!(
        cut.contains("path: /home/bob/hidden.py (tables of the file, 1 time)"),
        "{cut}"
    );
}

#[test]
fn it_is_copied() {
    let folder = folder("undecoded-copied");
    for arguments in [
        "convert a.mlirbc -o b.mlirbc",
        "convert a.mlirbc --to mlirbc -o b.mlirbc --no-mmap",
        "strip --names a.mlirbc -o b.mlirbc",
    ] {
        let (_, errors) = run(&folder, arguments, 0);
        assert!(
            errors.starts_with("warning: a.mlirbc: copied as it is"),
            "{errors}"
        );
        assert!(folder.read("b.mlirbc") == folder.read("a.mlirbc"));
        std::fs::remove_file(folder.file("b.mlirbc")).unwrap();
    }
}

/// Symbols extracted undecoded equal those extracted decoded, for a reader that knows the dialect.
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
