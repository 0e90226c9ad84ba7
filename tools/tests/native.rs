//! Tests the programs on native bytecode.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use rmlir::format::rmbc::section;
use rmlir::format::{Container, Limits};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_rmlir-translate");

const MODULE: &str = r#"module {
  func.func @main(%first: i32) -> i32 {
    %0 = "t.use"(%first) {data = dense_resource<large> : tensor<300xi8>} : (i32) -> i32 loc("model.py":3:4)
    return %0 : i32
  }
  func.func private @helper(%a: i32) -> i32 {
    %0 = "t.use"(%a) {data = dense_resource<small> : tensor<2xi8>} : (i32) -> i32
    return %0 : i32
  }
}
"#;

/// Returns a folder with a module of two blobs.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(PROGRAM, name);
    let large = "ab".repeat(300);
    let resources = format!(
        "{{-# dialect_resources: {{builtin: {{large: \"0x10000000{large}\", small: \"0x010000000102\"}}}} #-}}\n"
    );
    folder.write("a.mlir", MODULE.to_owned() + &resources);
    folder
}

/// Returns a module of many functions, for which there is an index.
fn many() -> String {
    let mut text = String::new();
    for number in 0..600 {
        text += &format!(
            "func.func @f{number}() -> i32 {{\n  %x = arith.constant {number} : i32\n  return %x : i32\n}}\n"
        );
    }
    text
}

#[track_caller]
fn out(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert_eq!(code, Some(status), "{arguments:?}: {errors}");
    match status {
        0 => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => errors,
    }
}

/// Returns the kind and content of all sections.
fn sections(bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    let sections = container.sections();
    sections
        .map(|section| (section.kind(), section.bytes().unwrap().into_owned()))
        .collect()
}

/// A string that no location refers to any more is still in the table of strings.
#[test]
fn what_is_left_in_tables_is_reported() {
    let folder = folder("left");
    let text = MODULE.replace("model.py", "/home/carol/model.py");
    folder.write("a.mlir", text);
    out(&folder, &["convert", "a.mlir", "-o", "a.rmbc"], 0);
    let report = out(&folder, &["strip", "--report", "a.rmbc"], 0);
    assert!(
        report.contains("user: carol (location, 1 time)"),
        "{report}"
    );
    assert!(!report.contains("tables of the file"), "{report}");
    let strip = ["strip", "--locations", "a.rmbc", "-o", "b.rmbc"];
    out(&folder, &[&strip[..], &["--sections"]].concat(), 0);
    let report = out(&folder, &["strip", "--report", "b.rmbc"], 0);
    assert!(
        report.contains("user: carol (tables of the file, 1 time)"),
        "{report}"
    );
    out(&folder, &strip, 0);
    let report = out(&folder, &["strip", "--report", "b.rmbc"], 0);
    assert!(!report.contains("carol"), "{report}");
}

#[test]
fn sections_are_stripped_and_others_are_as_they_were() {
    let folder = folder("sections");
    folder.write("many.mlir", many());
    for (input, options) in [
        ("a.mlir", &[][..]),
        ("many.mlir", &[]),
        ("many.mlir", &["--compress", "3"]),
    ] {
        out(
            &folder,
            &[&["convert", input, "-o", "a.rmbc"], options].concat(),
            0,
        );
        let strip = [
            "strip",
            "--locations",
            "--sections",
            "a.rmbc",
            "-o",
            "b.rmbc",
        ];
        out(&folder, &strip, 0);
        let mut before = sections(&folder.read("a.rmbc"));
        assert!(before.iter().any(|(kind, _)| *kind == section::LOCATIONS));
        before.retain(|(kind, _)| *kind != section::LOCATIONS);
        assert!(sections(&folder.read("b.rmbc")) == before, "{input}");
        out(&folder, &["verify", "b.rmbc"], 0);
        assert_eq!(
            out(&folder, &["diff", "a.rmbc", "b.rmbc"], 0),
            "only locations differ\n"
        );
        // Symbols are found as before.
        let symbol = if input == "a.mlir" { "main" } else { "f250" };
        for file in ["a.rmbc", "b.rmbc"] {
            out(
                &folder,
                &["extract", file, symbol, "-o", &format!("{file}.mlir")],
                0,
            );
        }
        assert_eq!(folder.read("a.rmbc.mlir"), folder.read("b.rmbc.mlir"));
    }
    out(
        &folder,
        &["strip", "--sections", "a.mlir", "--to", "rmbc"],
        2,
    );
    out(
        &folder,
        &["strip", "--sections", "a.rmbc", "-o", "b.mlir"],
        2,
    );
}

#[test]
fn options_of_native_bytecode() {
    let folder = folder("options");
    folder.write("many.mlir", many());
    let kinds = |arguments: &[&str]| {
        let all = [&["convert"], arguments, &["-o", "x.rmbc"]].concat();
        out(&folder, &all, 0);
        out(&folder, &["verify", "x.rmbc"], 0);
        let sections = sections(&folder.read("x.rmbc"));
        sections
            .into_iter()
            .map(|(kind, _)| kind)
            .collect::<Vec<_>>()
    };
    let all = kinds(&["many.mlir"]);
    for (option, kind) in [
        ("--no-locations", section::LOCATIONS),
        ("--no-names", section::NAMES),
        ("--no-index", section::INDEX),
    ] {
        assert!(all.contains(&kind), "{option}");
        assert!(!kinds(&["many.mlir", option]).contains(&kind), "{option}");
    }
    assert!(kinds(&["many.mlir", "--fingerprints", "--threads", "0"]).contains(&section::HASHES));
    // Alignment is not content.
    kinds(&["a.mlir"]);
    let plain = folder.read("x.rmbc");
    kinds(&["a.mlir", "--blob-alignment", "4096"]);
    let aligned = folder.read("x.rmbc");
    assert!(aligned.len() > plain.len() + 4096);
    let blob = [0xab; 300];
    let at = aligned.windows(300).position(|bytes| bytes == blob);
    assert_eq!(at.unwrap() % 4096, 0);
    out(&folder, &["convert", "x.rmbc", "-o", "y.rmbc"], 0);
    assert!(folder.read("y.rmbc") == plain);
    out(
        &folder,
        &[
            "convert",
            "a.mlir",
            "--blob-alignment",
            "48",
            "-o",
            "x.rmbc",
        ],
        1,
    );
}

#[test]
fn blobs_beside_the_file() {
    let folder = folder("blobs");
    out(&folder, &["convert", "a.mlir", "-o", "a.rmbc"], 0);
    let convert = [
        "convert",
        "a.mlir",
        "--external-blobs",
        "100",
        "-o",
        "x.rmbc",
    ];
    out(&folder, &convert, 0);
    let blobs = folder.file("x.rmbc.blobs").read_dir().unwrap();
    let [blobs] = blobs
        .map(|entry| format!("x.rmbc.blobs/{}", entry.unwrap().file_name().display()))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert_eq!(folder.read(&blobs), [0xab; 300]);
    assert!(folder.read("x.rmbc").len() + 200 < folder.read("a.rmbc").len());
    out(&folder, &["verify", "x.rmbc"], 0);
    assert_eq!(
        out(&folder, &["diff", "--locations", "a.rmbc", "x.rmbc"], 0),
        ""
    );
    let translate = Folder::new(TRANSLATE, "blobs-translate");
    translate.write("a.mlir", folder.read("a.mlir"));
    let arguments = [
        "a.mlir",
        "--to-bytecode",
        "--keep-names",
        "--external-blobs",
        "100",
        "-o",
        "x.rmbc",
    ];
    assert!(translate.run(&arguments, b"").status.success());
    assert_eq!(translate.read("x.rmbc"), folder.read("x.rmbc"));
    assert_eq!(translate.read(&blobs), folder.read(&blobs));
    // No blob is that large; and external blobs need a file name.
    out(
        &folder,
        &[
            "convert",
            "a.mlir",
            "--external-blobs",
            "301",
            "-o",
            "y.rmbc",
        ],
        0,
    );
    assert!(!folder.names().contains(&"y.rmbc.blobs".to_owned()));
    out(
        &folder,
        &["convert", "a.mlir", "--external-blobs", "0", "--to", "rmbc"],
        2,
    );
    // Damage to the external blobs is detected.
    folder.write(&blobs, [0xac; 300]);
    assert!(out(&folder, &["verify", "x.rmbc"], 1).contains("not what it was"));
}

#[test]
fn verification_looks_at_the_index_and_the_fingerprints() {
    let folder = folder("index");
    folder.write("many.mlir", many());
    out(
        &folder,
        &["convert", "many.mlir", "--fingerprints", "-o", "a.rmbc"],
        0,
    );
    out(&folder, &["verify", "a.rmbc"], 0);
    let bytes = folder.read("a.rmbc");
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    for (kind, message) in [
        (section::INDEX, "index"),
        (section::HASHES, "the fingerprint of @f599 is another"),
    ] {
        // The last byte: of the list of groups of a name, or of a fingerprint.
        let section = container.section(kind).unwrap();
        let mut damaged = bytes.clone();
        let at = (section.offset() + section.len() - 1) as usize;
        damaged[at] ^= 2;
        rmlir::format::section::repair(&mut damaged);
        folder.write("b.rmbc", damaged);
        let errors = out(&folder, &["verify", "b.rmbc"], 1);
        assert!(errors.contains(message), "{errors}");
    }
}

#[test]
fn fingerprints_are_compared_where_both_have_them() {
    let folder = folder("fingerprints");
    folder.write(
        "b.mlir",
        MODULE
            .replace("dense_resource<small>", "dense<1>")
            .replace("large", "small"),
    );
    for name in ["a", "b"] {
        let (text, native) = (format!("{name}.mlir"), format!("{name}.rmbc"));
        out(
            &folder,
            &["convert", &text, "--fingerprints", "-o", &native],
            0,
        );
    }
    let copy = [
        "convert",
        "a.rmbc",
        "--fingerprints",
        "--compress",
        "3",
        "-o",
        "c.rmbc",
    ];
    out(&folder, &copy, 0);
    assert_eq!(out(&folder, &["diff", "a.rmbc", "c.rmbc"], 0), "");
    let output = folder.run(&["diff", "--brief", "a.rmbc", "b.rmbc"], b"");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let by_text = folder.run(&["diff", "--brief", "a.mlir", "b.mlir"], b"");
    assert_eq!(text.as_bytes(), by_text.stdout);
    let hash = |file| out(&folder, &["hash", file], 0)[..64].to_owned();
    assert_eq!(hash("a.rmbc"), hash("a.mlir"));
    assert_ne!(hash("a.rmbc"), hash("b.rmbc"));
}

#[test]
fn every_subcommand_takes_every_form() {
    let folder = folder("forms");
    folder.write("a.mlir", many());
    let forms = ["a.mlir", "a.rmbc", "z.rmbc", "a.mlirbc"];
    out(&folder, &["convert", "a.mlir", "-o", "a.rmbc"], 0);
    out(
        &folder,
        &[
            "convert",
            "a.mlir",
            "--fingerprints",
            "--compress",
            "3",
            "-o",
            "z.rmbc",
        ],
        0,
    );
    out(&folder, &["convert", "a.mlir", "-o", "a.mlirbc"], 0);
    // Commands that do not report sizes print the same for every format.
    for arguments in [
        &["extract", "INPUT", "f7", "f250"][..],
        &["hash", "--symbols", "INPUT"],
        &["strip", "INPUT"],
        &["convert", "INPUT"],
        &["verify", "INPUT"],
    ] {
        let mut said = Vec::new();
        for form in forms {
            let arguments: Vec<&str> = arguments
                .iter()
                .map(|&argument| if argument == "INPUT" { form } else { argument })
                .collect();
            said.push(out(&folder, &arguments, 0));
            let positioned = [&arguments[..], &["--no-mmap"]].concat();
            said.push(out(&folder, &positioned, 0));
        }
        said.dedup();
        assert_eq!(said.len(), 1, "{arguments:?}");
    }
    for form in forms {
        for command in ["list", "info", "size", "dump"] {
            let mapped = out(&folder, &[command, form], 0);
            let positioned = out(&folder, &[command, form, "--no-mmap"], 0);
            assert_eq!(mapped, positioned, "{command} {form}");
            let is_said = mapped.contains("f599") || mapped.contains("600");
            // The bytes of compressed pages are shown as they are.
            let is_compressed = command == "dump" && mapped.contains("compressed page");
            assert!(
                is_said || is_compressed || command == "size",
                "{command} {form}"
            );
        }
        for other in forms {
            assert_eq!(
                out(&folder, &["diff", form, other], 0),
                "",
                "{form} {other}"
            );
        }
        for to in ["text", "generic", "rmbc", "mlirbc"] {
            out(
                &folder,
                &["convert", form, "--to", to, "-o", "converted"],
                0,
            );
            out(&folder, &["diff", "converted", "a.mlir"], 0);
        }
    }
}
