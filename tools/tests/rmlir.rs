//! Tests the program `rmlir` as users call it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

const MODULE: &str = r#"module attributes {t.x = 1 : i64} {
  "t.global"() {sym_name = "table", sym_visibility = "private", value = dense_resource<blob> : tensor<2xi8>} : () -> ()
  func.func @main(%a: i32) -> i32 {
    %0 = "t.use"(%a) {of = [@helper, @inner::@g]} : (i32) -> i32 loc("/home/alice/model.py":3:4)
    return %0 : i32
  }
  func.func private @helper(%a: i32) -> i32 {
    %0 = "t.get"(%a) {table = @table, url = "https://ci.example.com/x"} : (i32) -> i32
    return %0 : i32
  }
  func.func @other() {
    return
  }
  module @inner {
    func.func @f() {
      "t.get"() {from = @h} : () -> ()
      return
    }
    func.func @g() {
      return
    }
    func.func private @h()
  }
}
{-# dialect_resources: {builtin: {blob: "0x010000000102", unused: "0x0100000003"}} #-}
"#;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(PROGRAM, name);
    folder.write("a.mlir", MODULE);
    folder
}

/// Returns the standard output of a call that ends with `status`.
fn out(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {errors}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A module whose functions have names of constants, blocks and regions in common.
const FUNCTIONS: &str = r#"module @m attributes {t.x = 1 : i64} {
  func.func @main(%arg0: i1, %arg1: i32) -> i32 {
    %0 = arith.constant 1 : i32
    %1:2 = scf.if %arg0 -> (i32, i32) {
      %2 = arith.constant 1 : i32
      %3 = arith.addi %2, %arg1 : i32
      scf.yield %3, %0 : i32, i32
    } else {
      %2 = arith.constant -7 : i8
      %3 = "t.nested"(%2) ({
      ^bb0(%arg2: i8):
        %4 = arith.constant 1 : i32
        "t.end"(%arg2, %4, %0) : (i8, i32, i32) -> ()
      }) : (i8) -> i32
      scf.yield %3, %0 : i32, i32
    }
    cf.br ^bb1(%1#1 : i32)
  ^bb1(%5: i32):
    %6 = arith.constant true
    cf.cond_br %6, ^bb1(%5 : i32), ^bb2
  ^bb2:
    return %5 : i32
  }
  func.func private @declared(tensor<4xf32>)
  "t.unnamed"() ({
    %0 = arith.constant 3.5 : f32
  }) : () -> ()
  module @inner {
    func.func @f(%arg0: tensor<4xf32>) {
      call @g(%arg0) : (tensor<4xf32>) -> ()
      return
    }
    func.func private @g(tensor<4xf32>)
  }
}
"#;

#[test]
fn operations_of_a_file_are_printed_as_those_of_the_text() {
    let folder = folder("grep-parts");
    let last = FUNCTIONS.trim_end().strip_suffix('}').unwrap();
    for (name, text) in [
        ("independent", FUNCTIONS.to_owned()),
        // Values at the top shift the numbers in functions.
        (
            "values",
            format!("{last}  %0 = \"t.value\"() : () -> i32\n  %1 = arith.constant 1 : i32\n}}\n"),
        ),
        (
            "distinct",
            FUNCTIONS
                .replace(
                    "\"t.end\"(%arg2, %4, %0)",
                    "\"t.end\"(%arg2, %4, %0) {a = distinct[0]<unit>}",
                )
                .replace("call @g(%arg0)", "call @g(%arg0) {a = distinct[1]<unit>}"),
        ),
    ] {
        write_forms(&folder, &text);
        for predicate in [
            "*",
            "not builtin.module",
            "arith.constant",
            "t.end or func.call",
            "func.func",
            "in = @inner::@f",
            "in = @inner and operand ~ f32",
            "t.unnamed",
            "type ~ i8",
        ] {
            for more in [&["--json"][..], &[], &["-m", "2"]] {
                let grep = |file| {
                    let found = out(&folder, &[&["grep", predicate, file], more].concat(), 0);
                    found.replace(&format!("\"file\":\"{file}\""), "\"file\":\"\"")
                };
                let expected = grep("text.mlir");
                for file in ["f.mlirbc", "f.rmbc"] {
                    let found = grep(file);
                    assert!(
                        found == expected,
                        "{name}: {predicate} {file}\n{found}\n{expected}"
                    );
                }
            }
        }
    }
}

/// Bytecode with names of values and blocks is printed with them, a few functions at a time.
#[test]
fn operations_of_a_file_are_printed_with_names() {
    let folder = folder("grep-names");
    let named = FUNCTIONS
        .replace("%0 = arith", "%first = arith")
        .replace(" %0 : i32, i32", " %first : i32, i32")
        .replace("%4, %0)", "%four, %first)")
        .replace("%4 = arith", "%four = arith")
        .replace("%1:2", "%pair:2")
        .replace("%1#1", "%pair#1")
        .replace("%arg1", "%first_0")
        .replace("bb1", "loop")
        .replace("%5", "%first_1");
    let mut many = String::new();
    for number in 0..400 {
        let name = ["x", "y", "arg0", "7", "c1"][number % 5];
        many += &format!("func.func @f{number}(%{name}: i32, %n{number}: i32) -> i32 {{\n");
        for value in 0..number % 20 {
            many += &format!("  %v{value} = arith.addi %{name}, %n{number} : i32\n");
        }
        many += &format!("  cf.br ^end(%{name} : i32)\n^end(%{number}: i32):\n");
        many += &format!("  return %{number} : i32\n}}\n");
    }
    // Blocks have names, and values have none.
    let blocks = "func.func @f() {\n  cf.br ^end\n^end:\n  return\n}\n";
    for (name, text) in [
        ("functions", named.as_str()),
        ("many", &many),
        ("blocks", blocks),
    ] {
        folder.write("f.mlir", text);
        out(&folder, &["convert", "f.mlir", "-o", "f.rmbc"], 0);
        for predicate in [
            "*",
            "not builtin.module",
            "arith.addi",
            "t.end or cf.br",
            "in = @f3*7 and not func.func",
            "func.return",
        ] {
            let found = ["f.mlir", "f.rmbc"].map(|file| {
                let found = folder.run(&["grep", predicate, file], b"");
                assert!(found.status.code() < Some(2), "{found:?}");
                String::from_utf8(found.stdout).unwrap()
            });
            let [expected, found] = &found;
            assert!(
                found == expected,
                "{name}: {predicate}\n{found}\n{expected}"
            );
        }
    }
    folder.write("f.mlir", &named);
    out(&folder, &["convert", "f.mlir", "-o", "f.rmbc"], 0);
    let found = out(&folder, &["grep", "arith.addi", "f.rmbc"], 0);
    assert!(
        found.contains("%2 = arith.addi %1, %first_0 : i32"),
        "{found}"
    );
}

/// Writes a module as bytecode without names of values, and as the text of that.
fn write_forms(folder: &Folder, text: &str) {
    folder.write("f.mlir", text);
    for arguments in [
        &["f.mlir", "-o", "f.mlirbc"][..],
        &["--no-names", "f.mlir", "-o", "f.rmbc"],
        &["--mlir-print-debuginfo", "f.mlirbc", "-o", "text.mlir"],
    ] {
        out(folder, &[&["convert"], arguments].concat(), 0);
    }
}

/// Files with many functions are printed in several parts.
#[test]
fn operations_of_many_functions_are_printed() {
    let folder = folder("grep-many");
    let mut text = String::new();
    for number in 0..600 {
        text += &format!("func.func @f{number}(%arg0: i32) -> i32 {{\n");
        for _ in 0..number % 20 {
            text += "  arith.constant 1 : i32\n";
        }
        text += "  return %arg0 : i32\n}\n";
    }
    write_forms(&folder, &text);
    for predicate in [
        "arith.constant",
        "in = f*7 and not func.func",
        "func.return",
    ] {
        let expected = out(&folder, &["grep", predicate, "text.mlir"], 0);
        for file in ["f.mlirbc", "f.rmbc"] {
            let found = out(&folder, &["grep", predicate, file], 0);
            assert!(found == expected, "{predicate} {file}\n{found}");
        }
    }
}

#[test]
fn shells_and_manuals() {
    let folder = folder("man");
    assert!(out(&folder, &["completions", "bash"], 0).contains("rmlir"));
    assert!(out(&folder, &["man"], 0).starts_with(".ie"));
    assert!(out(&folder, &["man", "extract"], 0).contains("no\\-references"));
    let import = out(&folder, &["man", "dialect", "import"], 0);
    assert!(import.contains("rmlir\\-dialect\\-import"), "{import}");
}

/// On a terminal, `man` shows a page; without one that can, the page is printed.
#[test]
#[cfg(target_os = "linux")]
fn terminals_show_manuals() {
    let folder = folder("man-terminal");
    let terminal = |path: &str| {
        std::process::Command::new("script")
            .args(["-qec", &format!("{PROGRAM} man extract"), "/dev/null"])
            .env("PATH", path)
            .stdin(std::process::Stdio::null())
            .output()
    };
    let path = std::env::var("PATH").unwrap();
    let bin = folder.file("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let man = bin.join("man");
    let with_man = format!("{}:{path}", bin.display());
    for (script, expected) in [
        ("cat >/dev/null; echo page by $*", "page by -l -"),
        ("exit 1", ".TH RMLIR-EXTRACT"),
    ] {
        std::fs::write(&man, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&man, mode).unwrap();
        let Ok(output) = terminal(&with_man) else {
            println!("SKIPPED: there is no 'script'");
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(expected), "{text}");
    }
}

/// A module of one operation `"t.a"() {sym_name = "s", x = 7 : i32} : () -> ()`, as `mlir-opt` 22
/// writes it.
const BYTECODE: &str = "\
    4d4cef520d4d4c495232322e312e380001150501050501030b03030d031f110301110b131b0b0b0b0f1301030f0239050917\
    010101030507090b0d050b050d050f11011d17010303010202041f050150030107040f03010503010f050603010501006311\
    05051311050f05116275696c74696e0074006d6f64756c650061003c737464696e3e0073796d5f6e616d6500730078000809\
    03050101\
";

fn bytecode() -> Vec<u8> {
    let digits: Vec<u8> = BYTECODE.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

#[test]
fn bytes_are_explained() {
    let folder = folder("dump");
    folder.write("a.mlirbc", bytecode());
    let dump = out(&folder, &["dump", "a.mlirbc"], 0);
    for line in [
        "00000000  4d 4c ef 52                             magic: 4 bytes",
        "producer: \"MLIR22.1.8\"",
        "[t.a]",
        "name: operation name #1 \"a\"",
        "[attribute #",
    ] {
        assert!(dump.contains(line), "{line}\n{dump}");
    }
    // A damaged file is dumped as far as possible, and the damage is reported.
    let mut damaged = bytecode();
    damaged.truncate(damaged.len() - 10);
    folder.write("damaged.mlirbc", &damaged);
    let output = folder.run(&["dump", "damaged.mlirbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("not understood"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("damaged.mlirbc: error: "));
    // For text: the positions of its parts.
    let dump = out(&folder, &["dump", "a.mlir"], 0);
    let lines: Vec<&str> = dump.lines().collect();
    let end = MODULE.find("{-#").unwrap();
    assert_eq!(
        lines[0],
        format!(
            "{:08x}  {:<38}builtin.module",
            0,
            format!("({} bytes)", end - 1)
        )
    );
    let global = MODULE.find("\"t.global\"").unwrap();
    assert!(lines[1].starts_with(&format!("{global:08x}")) && lines[1].ends_with("    t.global"));
    assert_eq!(dump.matches("locations").count(), 1);
    assert_eq!(dump.matches("t.get").count(), 2);
    assert!(lines[lines.len() - 1].starts_with(&format!("{end:08x}")));
    out(&folder, &["convert", "a.mlir", "-o", "a.rmbc"], 0);
    let dump = out(&folder, &["dump", "a.rmbc"], 0);
    for line in ["[directory]", "[strings]", "[t.get]", "crc32 of a page"] {
        assert!(dump.contains(line), "{line}");
    }
    let bytes = folder.read("a.rmbc");
    folder.write("cut.rmbc", &bytes[..bytes.len() - 9]);
    let output = folder.run(&["dump", "cut.rmbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[strings]"));
}

/// Checks that the parts of each node of a tree add up to its size.
fn check_sums(tree: &serde_json::Value) {
    let parts = tree["parts"].as_array().unwrap();
    let sum: u64 = parts.iter().map(|p| p["bytes"].as_u64().unwrap()).sum();
    let bytes = tree["bytes"].as_u64().unwrap();
    assert!(sum <= bytes && bytes > 0, "{tree}");
    parts.iter().for_each(check_sums);
}

#[test]
fn bytes_of_text_are_added_up() {
    let folder = folder("size-text");
    let json = |file: &str| -> serde_json::Value {
        serde_json::from_str(&out(&folder, &["size", "--json", file], 0)).unwrap()
    };
    let size = json("a.mlir");
    let tree = &size["tree"];
    assert_eq!(tree["bytes"], MODULE.len());
    check_sums(tree);
    let sections = tree["parts"].as_array().unwrap();
    let sum: u64 = sections.iter().map(|p| p["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, MODULE.len() as u64);
    let resources = sections.iter().find(|p| p["name"] == "resources").unwrap();
    let metadata = MODULE.split_once("{-#").unwrap().1.trim_end().len() + 3;
    assert_eq!(resources["bytes"], metadata);
    let of = |name: &str| {
        let symbols = size["symbols"].as_array().unwrap();
        let symbol = symbols.iter().find(|s| s["symbol"] == name).unwrap();
        symbol["bytes"].as_u64().unwrap() as usize
    };
    assert_eq!(of("@inner::@h"), "func.func private @h()".len());
    let global = MODULE.lines().nth(1).unwrap().trim();
    assert_eq!(of("@table"), global.len());
    // For native bytecode: all bytes.
    out(&folder, &["convert", "a.mlir", "-o", "a.rmbc"], 0);
    let len = folder.read("a.rmbc").len();
    let native = json("a.rmbc");
    check_sums(&native["tree"]);
    assert_eq!(native["tree"]["bytes"], len);
    assert!(!native["symbols"].as_array().unwrap().is_empty());
}

#[test]
fn parts_of_upstream_bytecode_are_those_of_its_text() {
    let folder = folder("parts");
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/functions");
    let read = |extension: &str| std::fs::read(format!("{seeds}{extension}")).unwrap();
    folder.write("b.mlir", read(".mlir"));
    for (file, extension) in [("b.mlirbc", ".mlirbc"), ("c.mlirbc", "_v0.mlirbc")] {
        folder.write(file, read(extension));
        let list = out(&folder, &["list", file], 0);
        let header: Vec<&str> = list.lines().next().unwrap().split_whitespace().collect();
        assert_eq!(header, ["operation", "visibility", "bytes", "symbol"]);
        assert!(list.contains("@nested::@f"), "{list}");
        for arguments in [
            &["@nested::@f"][..],
            &["declared", "quoted name"],
            &["nested"],
        ] {
            for references in [&[][..], &["--no-references"]] {
                let extract = |file: &str, output: &str| {
                    let call = [&["extract", file, "-o", output][..], references, arguments];
                    out(&folder, &call.concat(), 0);
                };
                extract(file, "1.mlir");
                extract("b.mlir", "2.mlir");
                let same = out(&folder, &["diff", "1.mlir", "2.mlir"], 0);
                assert!(
                    same.is_empty() || same == "only locations differ\n",
                    "{same}"
                );
            }
        }
        assert_eq!(
            out(&folder, &["hash", "--symbols", file], 0),
            out(&folder, &["hash", "--symbols", "b.mlir"], 0)
        );
        let info = |file: &str| -> serde_json::Value {
            serde_json::from_str(&out(&folder, &["info", "--json", file], 0)).unwrap()
        };
        for what in [
            "operations",
            "regions",
            "blocks",
            "values",
            "symbols",
            "unnamed_operations",
            "attributes",
            "types",
        ] {
            assert!(info(file)[what].is_u64(), "{what}");
            assert_eq!(info(file)[what], info("b.mlir")[what], "{what}");
        }
    }
    let output = folder.run(&["extract", "b.mlirbc", "@nestd"], b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("did you mean '@nested'?"), "{errors}");
}

/// Of a compressed file, symbols and constants have the sizes that they have without compression.
#[test]
fn sizes_in_compressed_files() {
    let folder = folder("compressed");
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/tour");
    for name in ["baked", "model"] {
        let file = format!("{tour}/{name}.mlirbc");
        out(&folder, &["convert", &file, "-o", "plain.rmbc"], 0);
        let compress = ["convert", &file, "--compress", "3", "-o", "small.rmbc"];
        out(&folder, &compress, 0);
        let size = |file: &str| -> serde_json::Value {
            serde_json::from_str(&out(&folder, &["size", "--json", file], 0)).unwrap()
        };
        let (plain, small) = (size("plain.rmbc"), size("small.rmbc"));
        assert!(small["bytes"].as_u64() < plain["bytes"].as_u64());
        assert_eq!(small["uncompressed"], plain["bytes"]);
        assert_eq!(plain["uncompressed"], plain["bytes"]);
        for key in ["symbols", "constants", "shared", "unreferenced"] {
            assert_eq!(small[key], plain[key], "{name}: {key}");
        }
        let symbols = small["symbols"].as_array().unwrap().iter();
        let mut retained = symbols.map(|symbol| [&symbol["retained"], &symbol["bytes"]]);
        assert!(retained.any(|[all, own]| all.as_u64() > own.as_u64()));
    }
}

#[test]
fn bytes_are_added_up() {
    let folder = folder("size");
    let bytes = bytecode();
    folder.write("a.mlirbc", &bytes);
    let json: serde_json::Value =
        serde_json::from_str(&out(&folder, &["size", "--json", "a.mlirbc"], 0)).unwrap();
    let tree = &json["tree"];
    assert_eq!(tree["bytes"], bytes.len());
    let parts = tree["parts"].as_array().unwrap();
    let sum: u64 = parts.iter().map(|p| p["bytes"].as_u64().unwrap()).sum();
    assert_eq!(sum, bytes.len() as u64);
    assert_eq!(json["symbols"][0]["symbol"], "@s");
    let tables = out(&folder, &["size", "a.mlirbc"], 0);
    assert!(
        tables.contains("AttrType") && tables.contains("t.a"),
        "{tables}"
    );
    out(&folder, &["size", "--html", "map.html", "a.mlirbc"], 0);
    let page = String::from_utf8(folder.read("map.html")).unwrap();
    assert!(
        page.contains("\"name\":\"AttrType\"") && !page.contains("{{"),
        "{page}"
    );
}

/// What a shell gets when it asks for completions of a command line, of which the last word is
/// begun.
fn completions(folder: &Folder, words: &[&str]) -> Vec<String> {
    let output = std::process::Command::new(PROGRAM)
        .args(["--", "rmlir"])
        .args(words)
        .env("RMLIR_COMPLETE", "fish")
        .current_dir(folder.file(""))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.lines().filter_map(|line| line.split('\t').next());
    words.map(str::to_owned).collect()
}

#[test]
fn values_are_completed() {
    let folder = folder("completions");
    folder.write("a.mlirbc", bytecode());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, &bytecode()).unwrap();
    folder.write("a.mlirbc.gz", gzip.finish().unwrap());
    let mut zstd = vec![0; 1 << 12];
    let len = zstd_safe::compress(&mut zstd[..], &bytecode(), 3).unwrap();
    folder.write("a.mlirbc.zst", &zstd[..len]);
    for (words, expected) in [
        (&["extr"][..], &["extract"][..]),
        (
            &["extract", "a.mlir", "@inner::@"],
            &["@inner::@f", "@inner::@g", "@inner::@h"],
        ),
        (&["extract", "a.mlirbc", "@"], &["@s"]),
        (&["view", "a.mlirbc.gz", "@"], &["@s"]),
        (&["view", "a.mlirbc.zst", "@"], &["@s"]),
        (
            &["convert", "--target", "llvm-2"],
            &["llvm-20", "llvm-21", "llvm-22", "llvm-23", "llvm-24"],
        ),
        (&["grep", "arith.cmp"], &["arith.cmpf", "arith.cmpi"]),
        (
            &["dialect", "show", "arith.cmp"],
            &["arith.cmpf", "arith.cmpi"],
        ),
        (&["dialect", "show", "arit"], &["arith"]),
        (&["convert", "--registered-dialect", "arit"], &["arith"]),
        (&["list", "--sort", "si"], &["size"]),
    ] {
        assert_eq!(completions(&folder, words), expected, "{words:?}");
    }
}
