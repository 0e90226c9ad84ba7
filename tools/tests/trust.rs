//! Tests what the programs trust in a file, and how much work a small file can cause.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use rmlir::format::rmbc::section;
use rmlir::format::{Container, ContainerWriter, Limits};
use std::fmt::Write;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_rmlir-translate");

/// Runs a program, expects a status, and returns standard output and standard error.
#[track_caller]
fn run(folder: &Folder, arguments: &[&str], status: i32) -> (String, String) {
    let output = folder.run(arguments, b"");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code();
    assert_eq!(code, Some(status), "{arguments:?}: {errors}");
    (out, errors)
}

/// Returns the standard output of a program that succeeds.
#[track_caller]
fn out(folder: &Folder, arguments: &[&str]) -> String {
    run(folder, arguments, 0).0
}

fn function(operation: &str) -> String {
    format!(
        "func.func @f(%a: i32) -> i32 {{\n  %0 = arith.{operation} %a, %a : i32\n  return %0 : i32\n}}\n"
    )
}

fn kinds(bytes: &[u8]) -> Vec<u16> {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    container.sections().map(|section| section.kind()).collect()
}

/// Returns the file `bytes` with the fingerprints of the file `other`.
fn forged(bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let limits = Limits::default();
    let honest = Container::parse(bytes, &limits, section::name).unwrap();
    let other = Container::parse(other, &limits, section::name).unwrap();
    let hashes = |section: u16| {
        let mut all = other.sections();
        let found = all.find(|s| s.kind() == section).unwrap();
        found.bytes().unwrap().into_owned()
    };
    let mut writer = ContainerWriter::new();
    writer.set_dictionary(true);
    for section in honest.sections() {
        let bytes = match section.kind() {
            section::HASHES => hashes(section::HASHES),
            _ => section.bytes().unwrap().into_owned(),
        };
        match (section.alignment_log(), section.is_required()) {
            (Some(log), _) => writer.add_aligned(section.kind(), log, bytes).unwrap(),
            (None, true) => writer.add_required(section.kind(), bytes).unwrap(),
            (None, false) => writer.add_optional(section.kind(), bytes).unwrap(),
        }
    }
    writer.finish()
}

#[test]
fn stored_fingerprints_are_not_believed() {
    let folder = Folder::new(PROGRAM, "stored");
    for name in ["addi", "subi"] {
        let (text, native) = (format!("{name}.mlir"), format!("{name}.rmbc"));
        folder.write(&text, function(name));
        out(
            &folder,
            &["convert", &text, "--fingerprints", "-o", &native],
        );
    }
    let (honest, other) = (folder.read("subi.rmbc"), folder.read("addi.rmbc"));
    folder.write("forged.rmbc", forged(&honest, &other));
    for options in [&["hash"][..], &["hash", "--symbols"]] {
        let hash = |file: &str, more: &[&str]| {
            let arguments = [options, more, &[file]].concat();
            let lines = out(&folder, &arguments);
            lines[..64].to_owned()
        };
        let computed = hash("subi.mlir", &[]);
        assert_ne!(computed, hash("addi.mlir", &[]));
        assert_eq!(computed, hash("forged.rmbc", &[]));
        let trusting = &["--trust-stored"];
        assert_eq!(computed, hash("subi.rmbc", trusting));
        assert_eq!(hash("addi.mlir", &[]), hash("forged.rmbc", trusting));
    }
    let (changes, _) = run(&folder, &["diff", "addi.rmbc", "forged.rmbc"], 1);
    assert!(changes.starts_with("changed @f\n"), "{changes}");
    let trusting = &["diff", "--trust-stored", "addi.rmbc", "forged.rmbc"];
    assert_eq!(out(&folder, trusting), "");
    run(&folder, &["verify", "forged.rmbc"], 1);
    // A copy of sections does not preserve the stored fingerprints.
    for option in ["--locations", "--names"] {
        let strip = &[
            "strip",
            "--sections",
            option,
            "forged.rmbc",
            "-o",
            "copy.rmbc",
        ];
        out(&folder, strip);
        assert!(kinds(&honest).contains(&section::HASHES));
        assert!(!kinds(&folder.read("copy.rmbc")).contains(&section::HASHES));
        out(&folder, &["verify", "copy.rmbc"]);
    }
}

#[test]
fn hash_checks_what_it_reads() {
    let folder = Folder::new(PROGRAM, "flipped");
    folder.write("a.mlir", function("addi"));
    out(
        &folder,
        &["convert", "a.mlir", "--fingerprints", "-o", "a.rmbc"],
    );
    let bytes = folder.read("a.rmbc");
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let operations = container
        .sections()
        .find(|s| s.kind() == section::OPERATIONS)
        .unwrap();
    let content = operations.bytes().unwrap().into_owned();
    let at = bytes
        .windows(content.len())
        .position(|window| window == content)
        .unwrap();
    let mut flipped = bytes.clone();
    flipped[at + content.len() / 2] ^= 1;
    folder.write("flipped.rmbc", flipped);
    run(&folder, &["hash", "flipped.rmbc"], 1);
    run(&folder, &["hash", "--symbols", "flipped.rmbc"], 1);
}

#[test]
fn moved_symbols_are_moved_and_not_changed() {
    let folder = Folder::new(PROGRAM, "moved");
    let symbol = |name: &str| format!("func.func private @{name}() attributes {{{name}}}\n");
    let module = |names: &[&str]| names.iter().map(|name| symbol(name)).collect::<String>();
    folder.write("a.mlir", module(&["f", "g", "h"]));
    folder.write("b.mlir", module(&["h", "f", "g"]));
    let (changes, _) = run(&folder, &["diff", "a.mlir", "b.mlir"], 1);
    assert_eq!(
        changes,
        "moved @h\n  order of symbols differs: it is now the first\n"
    );
    let (changes, _) = run(&folder, &["diff", "b.mlir", "a.mlir"], 1);
    assert_eq!(
        changes,
        "moved @h\n  order of symbols differs: it now follows @g\n"
    );
    // With other changes, and in a nested module.
    let nested = |content: String| format!("module {{\nmodule @m {{\n{content}}}\n}}\n");
    folder.write("c.mlir", nested(module(&["f", "g", "h"])));
    let changed = module(&["h", "new", "f", "g"]).replace("{g}", "{changed}");
    folder.write("d.mlir", nested(changed));
    let (changes, _) = run(&folder, &["diff", "--brief", "c.mlir", "d.mlir"], 1);
    assert_eq!(changes, "moved @m::@h\nchanged @m::@g\nadded @m::@new\n");
    // An unnamed operation.
    let unnamed = "\"t.unnamed\"() : () -> ()\n";
    folder.write("e.mlir", format!("{unnamed}{}", symbol("f")));
    folder.write("f.mlir", format!("{}{unnamed}", symbol("f")));
    let (changes, _) = run(&folder, &["diff", "e.mlir", "f.mlir"], 1);
    assert_eq!(
        changes,
        "changed the module itself\n  order of operations without a name and symbols differs\n"
    );
}

/// Commands accept what `convert` writes, and their output stays small.
#[test]
fn deeply_nested_symbols_are_listed() {
    let folder = Folder::new(PROGRAM, "nested");
    let depth = 3_000;
    // The outermost module is the top, which is not listed.
    let text = "module @m {".repeat(depth + 1) + &"}".repeat(depth + 1);
    folder.write("a.mlir", text);
    for form in ["rmbc", "mlirbc"] {
        out(&folder, &["convert", "a.mlir", "-o", &format!("a.{form}")]);
    }
    for file in ["a.mlir", "a.rmbc", "a.mlirbc"] {
        out(&folder, &["verify", file]);
        let list = out(&folder, &["list", file]);
        assert_eq!(list.lines().count(), depth + 1, "{file}");
        assert!(list.len() < 1_200 * depth, "{file}: {} bytes", list.len());
        let last = list.lines().last().unwrap();
        let shown = last.rsplit("  ").next().unwrap();
        assert!(shown.starts_with('<') && shown.ends_with("::@m"), "{last}");
        let info = out(&folder, &["info", file]);
        assert!(info.contains("symbols: 3,000\n"), "{info}");
        out(&folder, &["size", file]);
        let (hashes, warning) = run(&folder, &["hash", "--symbols", file], 0);
        assert_eq!(hashes.lines().count(), 64, "{file}");
        assert!(
            warning.contains("2936 symbols are nested more than 64 deep"),
            "{warning}"
        );
        assert_eq!(out(&folder, &["diff", file, "a.mlir"]), "");
        out(&folder, &["extract", file, "@m::@m", "-o", "out.mlir"]);
    }
    out(
        &folder,
        &["convert", "a.mlir", "--fingerprints", "-o", "f.rmbc"],
    );
    out(&folder, &["verify", "f.rmbc"]);
    // A long name that many symbols share is not repeated either.
    let long = "n".repeat(20_000);
    let mut text = String::new();
    for number in 0..100 {
        writeln!(text, "module @a{number} {{ module @{long} {{}} }}").unwrap();
    }
    folder.write("long.mlir", text);
    out(&folder, &["convert", "long.mlir", "-o", "long.rmbc"]);
    let list = out(&folder, &["list", "long.rmbc"]);
    assert!(list.len() < 200 * 1_200, "{} bytes", list.len());
}

/// A small file does not produce a large text by default.
#[test]
fn texts_have_a_budget() {
    let folder = Folder::new(TRANSLATE, "budget");
    let mut text = "!t0 = tuple<i32, i32>\n".to_owned();
    for number in 1..40 {
        let before = number - 1;
        writeln!(text, "!t{number} = tuple<!t{before}, !t{before}>").unwrap();
    }
    text += "\"t.op\"() {t = !t39} : () -> ()\n";
    folder.write("a.mlir", &text);
    let limit = (64 << 20) + 256 * text.len();
    let message = format!("longer than the limit of {limit} bytes, which '--max-output' raises");
    let (_, errors) = run(&folder, &["a.mlir", "--generic", "-o", "out"], 1);
    assert!(errors.contains(&message), "{errors}");
    let lower = ["--max-output", "1000000", "-o", "out"];
    let arguments = [&["a.mlir", "--verify-roundtrip"][..], &lower].concat();
    let (_, errors) = run(&folder, &arguments, 1);
    assert!(errors.contains(", which '--max-output' raises"), "{errors}");
    let body = text.replace("t39}", "t39, b = #t.body<!t39>}");
    folder.write("body.mlir", &body);
    let arguments = [&["body.mlir", "--to-mlirbc"][..], &lower].concat();
    let (_, errors) = run(&folder, &arguments, 1);
    // A body spells out what it refers to by aliases, so the text is refused when it is parsed.
    assert!(
        errors.contains(", which '--max-expansion' raises"),
        "{errors}"
    );
    assert_eq!(folder.names(), ["a.mlir", "body.mlir"]);
}
