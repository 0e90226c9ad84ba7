//! The programs on files that wrap modules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

mod common;

use common::Folder;
use rmlir_testing::wrapped::wrapped;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const RMLIR: &str = env!("CARGO_BIN_EXE_rmlir");
const TEXT: &str = "func.func @add(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func private @other(f32)
";

fn folder(name: &str) -> Folder {
    Folder::new(RMLIR, name)
}

/// Runs a command that must succeed, and returns what it prints.
fn run(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail, and returns its message.
fn fail(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments, b"");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn module(form: rmlir::Form) -> Vec<u8> {
    let mut ir = rmlir::parse(TEXT).unwrap();
    ir.to_bytes(form, &Default::default()).unwrap()
}

#[test]
fn every_command_reads_wrapped_modules() {
    let folder = folder("wrapped");
    for form in [rmlir::Form::Rmbc, rmlir::Form::Mlirbc] {
        let module = module(form);
        folder.write("plain", &module);
        for (number, file) in wrapped(&module).into_iter().enumerate() {
            let name = format!("{number}.{}", file.format);
            folder.write(&name, &file.bytes);
            // The other form, too, is only looked at: debug builds take their time.
            let all = if form == rmlir::Form::Rmbc { 7 } else { 2 };
            for command in [
                &["info"][..],
                &["list"],
                &["hash"],
                &["hash", "--symbols"],
                &["convert", "--to", "text"],
                &["extract", "--to", "text"],
                &["strip", "--to", "text"],
            ]
            .into_iter()
            .take(all)
            {
                let with = |input: &str| {
                    let mut arguments = vec![command[0], input];
                    arguments.extend(&command[1..]);
                    if command[0] == "extract" {
                        arguments.push("@add");
                    }
                    run(&folder, &arguments).replace(input, "FILE")
                };
                assert_eq!(with(&name), with("plain"), "{name} {command:?}");
            }
            run(&folder, &["verify", &name]);
            run(&folder, &["size", &name]);
            run(&folder, &["dump", &name]);
            assert_eq!(run(&folder, &["diff", &name, "plain"]), "");
            assert_eq!(
                run(&folder, &["list", "--no-mmap", &name]),
                run(&folder, &["list", "plain"])
            );
            // What is written is the module, and the file that wraps it is left as it is.
            run(&folder, &["unwrap", &name, "-o", "out"]);
            let written: Vec<PathBuf> = files(&folder.file("out"));
            assert_eq!(written.len(), 1, "{written:?}");
            assert_eq!(std::fs::read(&written[0]).unwrap(), module);
            assert_eq!(folder.read(&name), file.bytes);
            std::fs::remove_dir_all(folder.file("out")).unwrap();
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn what_unwrap_says_of_deep_and_compressed_files() {
    let folder = folder("deep");
    let zip = |bytes: &[u8]| {
        let file = wrapped(bytes).into_iter().find(|file| file.format == "zip");
        file.unwrap().bytes
    };
    let mut bytes = module(rmlir::Form::Rmbc);
    for depth in 1..=9 {
        bytes = zip(&bytes);
        folder.write("deep.zip", &bytes);
        let output = folder.run(&["unwrap", "--list", "deep.zip"], b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            message.contains("a limit was reached"),
            depth > 8,
            "{depth}: {message}"
        );
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &module(rmlir::Form::Mlirbc)).unwrap();
    folder.write("m.gz", encoder.finish().unwrap());
    assert!(run(&folder, &["unwrap", "--list", "m.gz"]).contains("mlirbc"));
    let output = folder.run(&["unwrap", "--json", "m.gz", "-o", "out"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.file("out").exists());
}

/// Bytecode that other bytes follow is the same to all commands, mapped or read by position.
#[test]
fn padded_bytecode() {
    let folder = folder("padded");
    for form in [rmlir::Form::Rmbc, rmlir::Form::Mlirbc] {
        let module = module(form);
        folder.write("file", &module);
        let commands: [&[&str]; 6] = [
            &["list", "file"],
            &["size", "file"],
            &["dump", "file"],
            &["hash", "file"],
            &["extract", "file", "@add"],
            &["convert", "file"],
        ];
        let plain = commands.map(|command| run(&folder, command));
        folder.write("file", [module, vec![0; 100]].concat());
        for (command, plain) in commands.into_iter().zip(plain) {
            assert_eq!(run(&folder, command), plain);
            assert_eq!(run(&folder, &[command, &["--no-mmap"]].concat()), plain);
        }
    }
}

/// A module that differs from what was embedded is neither read nor written.
#[test]
fn damaged_modules_are_refused() {
    use rmlir::embedded::{Content, record};
    let folder = folder("damaged-record");
    let mut records = Vec::new();
    let module = module(rmlir::Form::Rmbc);
    record::write(&mut records, "good", Content::Rmbc, &module, 6);
    let start = records.len();
    record::write(&mut records, "bad\u{1b}[31m", Content::Rmbc, &module, 6);
    records[start + 64 + module.len() / 2] ^= 1;
    let elf = wrapped(&records)
        .into_iter()
        .find(|file| file.format == "elf");
    folder.write("a.out", elf.unwrap().bytes);
    let message = fail(&folder, &["list", "a.out", "--index", "1"]);
    assert!(
        message.contains("is damaged: its checksum is wrong"),
        "{message}"
    );
    let message = fail(&folder, &["unwrap", "a.out", "--list"]);
    assert!(message.contains("module 1 at offset"), "{message}");
    assert!(!message.contains('\u{1b}'), "{message}");
    let message = fail(&folder, &["list", "a.out"]);
    assert!(
        message.contains("2 modules") && !message.contains('\u{1b}'),
        "{message}"
    );
    fail(&folder, &["unwrap", "a.out", "-o", "out"]);
    let written = files(&folder.file("out"));
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(std::fs::read(&written[0]).unwrap(), module);
    // A plain module is compared with the one that is selected.
    folder.write("plain", &module);
    assert_eq!(
        run(&folder, &["diff", "a.out", "plain", "--section", "good"]),
        ""
    );
    let hashes = run(&folder, &["hash", "a.out", "plain", "--section", "good"]);
    let hashes: Vec<&str> = hashes
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(hash, _)| hash)
        .collect();
    assert!(hashes.len() == 2 && hashes[0] == hashes[1], "{hashes:?}");
    assert!(fail(&folder, &["hash", "plain", "--section", "good"]).contains("named 'good'"));
}

#[test]
fn one_of_several_is_selected() {
    let folder = folder("selected");
    let mut other = rmlir::parse("func.func private @second()").unwrap();
    let other = other
        .to_bytes(rmlir::Form::Rmbc, &Default::default())
        .unwrap();
    let both = [module(rmlir::Form::Mlirbc), vec![0; 24], other].concat();
    folder.write("both", &both);
    let message = fail(&folder, &["list", "both"]);
    assert!(message.contains("there are 2 modules here"), "{message}");
    assert!(
        message.contains("\n  0: mlirbc") && message.contains("\n  1: rmbc"),
        "{message}"
    );
    assert!(run(&folder, &["list", "both", "--index", "0"]).contains("@add"));
    assert!(run(&folder, &["list", "both", "--index", "1"]).contains("@second"));
    let message = fail(&folder, &["list", "both", "--index", "2"]);
    assert!(message.contains("no module with index 2"), "{message}");

    let mut records = Vec::new();
    for (name, text) in [
        ("one", "func.func private @a()"),
        ("two", "func.func private @b()"),
    ] {
        use rmlir::embedded::{Content, record};
        record::write(&mut records, name, Content::Text, text.as_bytes(), 4);
    }
    let elf = wrapped(&records)
        .into_iter()
        .find(|file| file.format == "elf")
        .unwrap();
    folder.write("a.out", elf.bytes);
    assert!(run(&folder, &["list", "a.out", "--section", "two"]).contains("@b"));
    assert!(run(&folder, &["list", "a.out", "--section", "rmlir:one"]).contains("@a"));
    let message = fail(&folder, &["list", "a.out", "--section", "rmlir"]);
    assert!(message.contains("there are 2 modules"), "{message}");
    let message = fail(&folder, &["list", "a.out", "--section", "three"]);
    assert!(message.contains("no module named 'three'"), "{message}");
    let listed = run(&folder, &["unwrap", "a.out", "--json"]);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(first["container"], "elf");
    assert_eq!(first["name"], "rmlir:one");
    assert_eq!(first["form"], "text");
}

#[test]
fn files_without_modules_are_named() {
    let folder = folder("without");
    for file in wrapped(b"BC\xc0\xde some bitcode")
        .into_iter()
        .filter(|file| file.format == "elf")
    {
        folder.write("bitcode.o", file.bytes);
        let message = fail(&folder, &["info", "bitcode.o"]);
        assert!(
            message.contains("this elf file has no MLIR in it"),
            "{message}"
        );
        assert!(
            message.contains("llvm-bitcode 'rmlir', 17 bytes"),
            "{message}"
        );
    }
    folder.write("a.json", "{\"a\": 1}");
    let message = fail(&folder, &["list", "a.json"]);
    assert!(
        message.contains("this json file has no MLIR in it"),
        "{message}"
    );
    let message = fail(&folder, &["unwrap", "a.json", "--list"]);
    assert!(message.contains("no MLIR"), "{message}");
    // A text that begins like JSON, and a text that is wrong, are still texts.
    folder.write("a.mlir", "{-# dialect_resources: {} #-}\nmodule {}");
    run(&folder, &["list", "a.mlir"]);
    folder.write("readme", "This is no MLIR.\n");
    assert!(fail(&folder, &["unwrap", "readme", "--list"]).contains("no MLIR"));
    folder.write("b.mlir", "{ x");
    assert!(fail(&folder, &["list", "b.mlir"]).contains("b.mlir:1:1"));
    // Bytecode with other bytes at its end is damaged, not wrapped.
    folder.write(
        "tail.rmbc",
        [&module(rmlir::Form::Rmbc)[..], b"tail"].concat(),
    );
    fail(&folder, &["list", "tail.rmbc"]);
}

/// Makes files with JAX, TensorFlow, Triton and IREE, and compares what is found with what the
/// tools themselves say is in them.
#[test]
fn files_of_other_tools() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pythons = pythons();
    if pythons.is_empty() {
        println!(
            "SKIPPED: no environment of Python with jax, triton, tensorflow or iree; see scripts/make_wrapped.py"
        );
    }
    for (number, python) in pythons.iter().enumerate() {
        let folder = folder(&format!("tools{number}"));
        let made = Command::new(python)
            .arg(repository.join("scripts/make_wrapped.py"))
            .arg(folder.file("."))
            .output()
            .unwrap();
        for line in String::from_utf8_lossy(&made.stdout).lines() {
            println!("{}: {line}", python.display());
        }
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        for name in folder.names() {
            if let Some(wrapper) = name.strip_suffix(".expected") {
                check_wrapper(&folder, wrapper, &name);
            }
        }
        if folder.file("kernel.kernel").exists() {
            // Of both forms of the module around it, and after it was stored as native bytecode.
            run(&folder, &["convert", "kernel.mlir", "-o", "kernel.rmbc"]);
            for file in ["kernel.jaxexport", "kernel.mlir", "kernel.rmbc"] {
                let listed = run(&folder, &["unwrap", file, "--json"]);
                let index = listed.lines().count() - 1;
                run(
                    &folder,
                    &[
                        "unwrap",
                        file,
                        "--index",
                        &index.to_string(),
                        "-o",
                        &kernel_dir(file),
                    ],
                );
                let written = files(&folder.file(&kernel_dir(file)));
                assert_eq!(
                    std::fs::read(&written[0]).unwrap(),
                    folder.read("kernel.kernel"),
                    "{file}"
                );
                let info = run(&folder, &["info", file, "--index", &index.to_string()]);
                assert!(info.contains("stable_mosaic"), "{info}");
            }
        }
        for stage in ["ttir", "ttgir"] {
            if folder.file("triton_cache").exists() {
                run(
                    &folder,
                    &[
                        "unwrap",
                        "triton_cache",
                        "--section",
                        &format!("add_kernel.{stage}"),
                        "-o",
                        stage,
                    ],
                );
                let written = files(&folder.file(stage));
                let expected = folder.read(&format!("triton_cache.{stage}"));
                assert_eq!(std::fs::read(&written[0]).unwrap(), expected);
                println!("triton {stage}: found");
            }
        }
        if folder.file("iree_stream.mlirbc").exists() {
            assert!(run(&folder, &["list", "iree_stream.mlirbc"]).contains("@add"));
        }
    }
}

fn kernel_dir(file: &str) -> String {
    format!("{file}.kernel_out")
}

fn file_dir(file: &str) -> String {
    format!("{file}.out")
}

/// Checks that the module of a wrapper is found first, and that commands read it.
fn check_wrapper(folder: &Folder, wrapper: &str, expected: &str) {
    let expected = folder.read(expected);
    let listed = run(folder, &["unwrap", wrapper, "--json"]);
    println!("{wrapper}: {}", listed.trim());
    let index = listed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let all: Vec<Value> = index.collect();
    let out = file_dir(wrapper);
    run(folder, &["unwrap", wrapper, "-o", &out]);
    let written: Vec<Vec<u8>> = files(&folder.file(&out))
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    assert_eq!(written.len(), all.len());
    let position = written.iter().position(|bytes| *bytes == expected);
    let position = position.unwrap_or_else(|| panic!("{wrapper}: the module is not found"));
    let select = position.to_string();
    let mut arguments = vec!["list", wrapper];
    let depths = || all.iter().map(|one| one["depth"].as_u64().unwrap());
    if depths()
        .filter(|depth| Some(*depth) == depths().min())
        .count()
        > 1
    {
        // As text and as bytecode, or with its derivative.
        arguments.extend(["--index", &select]);
    }
    let symbols = run(folder, &arguments);
    arguments[0] = "info";
    run(folder, &arguments);
    arguments[0] = "extract";
    arguments.insert(2, "@main");
    run(folder, &arguments);
    let names = Path::new(wrapper).with_extension("jaxexport.functions");
    let names = folder.file(names.to_str().unwrap());
    if let Ok(names) = std::fs::read_to_string(names) {
        for name in names.lines() {
            assert!(symbols.contains(&format!("@{name}\n")), "{symbols}");
        }
    }
}

/// Returns the interpreters that may have packages which make such files: that of
/// `RMLIR_WRAPPED_PYTHON`, and those of the environments that the gate makes.
fn pythons() -> Vec<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let mut pythons: Vec<PathBuf> = std::env::var_os("RMLIR_WRAPPED_PYTHON")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    for name in ["rmlir-wrapped", "rmlir-tensorflow"] {
        pythons.extend(
            cache
                .as_ref()
                .map(|cache| cache.join(name).join("bin/python")),
        );
    }
    pythons.retain(|python| python.exists());
    pythons
}
