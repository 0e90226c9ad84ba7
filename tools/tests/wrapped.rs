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
    let commands = [
        &["info"][..],
        &["list"],
        &["hash"],
        &["hash", "--symbols"],
        &["convert", "--to", "text"],
        &["extract", "--to", "text"],
        &["strip", "--to", "text"],
    ];
    let printed = |command: &[&str], input: &str| {
        let mut arguments = vec![command[0], input];
        arguments.extend(&command[1..]);
        if command[0] == "extract" {
            arguments.push("@add");
        }
        run(&folder, &arguments).replace(input, "FILE")
    };
    for form in [rmlir::Form::Rmbc, rmlir::Form::Mlirbc] {
        let module = module(form);
        folder.write("plain", &module);
        // The other form, too, is only looked at: debug builds take their time.
        let all = if form == rmlir::Form::Rmbc { 7 } else { 2 };
        let plain: Vec<String> = commands[..all]
            .iter()
            .map(|command| printed(command, "plain"))
            .collect();
        let plain_list = run(&folder, &["list", "plain"]);
        for (number, file) in wrapped(&module).into_iter().enumerate() {
            let name = format!("{number}.{}", file.format);
            folder.write(&name, &file.bytes);
            for (command, plain) in commands.iter().zip(&plain) {
                assert_eq!(printed(command, &name), *plain, "{name} {command:?}");
            }
            run(&folder, &["verify", &name]);
            run(&folder, &["size", &name]);
            run(&folder, &["dump", &name]);
            assert_eq!(run(&folder, &["diff", &name, "plain"]), "");
            assert_eq!(run(&folder, &["list", "--no-mmap", &name]), plain_list);
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
            message.contains("it is in more than 8 containers"),
            depth > 8,
            "{depth}: {message}"
        );
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &module(rmlir::Form::Mlirbc)).unwrap();
    let compressed = encoder.finish().unwrap();
    folder.write("m.gz", &compressed);
    let line = run(&folder, &["unwrap", "--json", "m.gz"]);
    let found: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["container"], "gzip");
    assert_eq!(
        (&found["form"], &found["depth"]),
        (&"mlirbc".into(), &1.into())
    );
    // The range of the file that it is in.
    assert_eq!(
        (&found["offset"], &found["span"]),
        (&0.into(), &compressed.len().into())
    );
    let output = folder.run(&["unwrap", "--json", "m.gz", "-o", "out"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.file("out").exists());
}

/// Each of several files has a folder of its name, and a list says which is which.
#[test]
fn several_files_are_unwrapped() {
    let folder = folder("several");
    folder.write("a.bin", module(rmlir::Form::Mlirbc));
    folder.write("b.bin", module(rmlir::Form::Rmbc));
    let listed = run(&folder, &["unwrap", "--list", "a.bin", "b.bin"]);
    let rows: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(rows, ["file", "a.bin", "b.bin"]);
    for (line, file) in run(&folder, &["unwrap", "--json", "a.bin", "b.bin"])
        .lines()
        .zip(["a.bin", "b.bin"])
    {
        let found: Value = serde_json::from_str(line).unwrap();
        assert_eq!(found["file"], file);
    }
    // The others are written nevertheless.
    let message = fail(
        &folder,
        &["unwrap", "a.bin", "missing", "b.bin", "-o", "out"],
    );
    assert!(message.contains("missing"), "{message}");
    assert!(folder.file("out/a.bin/0.mlirbc").exists());
    assert!(folder.file("out/b.bin/0.rmbc").exists());
    for arguments in [&["./a.bin", "a.bin"], &["..", "a.bin"], &["a.bin", "b.bin"]] {
        let to = if arguments[1] == "b.bin" {
            "-"
        } else {
            "again"
        };
        let output = folder.run(&[&["unwrap", "-o", to], &arguments[..]].concat(), b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(!folder.file("again").exists());
    }
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
        run(&folder, &["diff", "a.out", "plain", "--module", "good"]),
        ""
    );
    let hashes = run(&folder, &["hash", "a.out", "plain", "--module", "good"]);
    let hashes: Vec<&str> = hashes
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(hash, _)| hash)
        .collect();
    assert!(hashes.len() == 2 && hashes[0] == hashes[1], "{hashes:?}");
    assert!(fail(&folder, &["hash", "plain", "--module", "good"]).contains("named 'good'"));
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
    assert!(run(&folder, &["list", "a.out", "--module", "two"]).contains("@b"));
    assert!(run(&folder, &["list", "a.out", "--module", "rmlir:one"]).contains("@a"));
    let message = fail(&folder, &["list", "a.out", "--module", "rmlir"]);
    assert!(message.contains("there are 2 modules"), "{message}");
    let message = fail(&folder, &["list", "a.out", "--module", "three"]);
    assert!(message.contains("no module named 'three'"), "{message}");
    let listed = run(&folder, &["unwrap", "a.out", "--json"]);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(first["container"], "elf");
    assert_eq!(first["name"], "rmlir:one");
    assert_eq!(first["form"], "text");
}

/// Binary data of an unknown format is not parsed as text.
#[test]
fn binary_data_is_not_text() {
    let folder = folder("binary");
    let data: Vec<u8> = (0..5000u32).flat_map(u32::to_le_bytes).collect();
    folder.write("data.bin", &data);
    let message = fail(&folder, &["list", "data.bin"]);
    assert!(
        message.contains("data.bin: this file has no MLIR in it"),
        "{message}"
    );
    assert!(fail(&folder, &["unwrap", "data.bin"]).contains("there is no MLIR in it"));
    // Text with a zero is text: the zero is skipped, as upstream does.
    folder.write("zero.mlir", b"module {}\0\n");
    assert!(run(&folder, &["info", "zero.mlir"]).contains("builtin.module"));
}

#[test]
fn files_without_modules_are_named() {
    let folder = folder("without");
    for file in wrapped(b"BC\xc0\xde some bitcode")
        .into_iter()
        .filter(|file| file.format == "elf" && !file.is_encoded)
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
    // 'unwrap' names a file of another kind as 'list' does.
    let vmfb = wrapped(b"module.fb").into_iter();
    let mut vmfb = vmfb.filter(|file| file.format == "zip" && !file.is_encoded);
    folder.write("a.vmfb", vmfb.next().unwrap().bytes);
    for command in [&["unwrap", "a.vmfb", "--list"][..], &["list", "a.vmfb"]] {
        let message = fail(&folder, command);
        assert!(message.contains("compiled IREE module"), "{message}");
    }
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

/// Bytecode that bytes of something else follow is refused by all commands for the same reason.
#[test]
fn bytes_after_bytecode() {
    let folder = folder("tail");
    folder.write("plain", module(rmlir::Form::Rmbc));
    for form in [rmlir::Form::Rmbc, rmlir::Form::Mlirbc] {
        let module = module(form);
        let len = module.len();
        folder.write("tail", [&module[..], b"\0\0junk"].concat());
        let expected = format!(
            "the bytecode ends at offset {len}, and the 4 bytes from offset {} on are not MLIR bytecode",
            len + 2
        );
        for command in [
            &["list", "tail"][..],
            &["info", "tail"],
            &["size", "tail"],
            &["dump", "tail"],
            &["hash", "tail"],
            &["verify", "tail"],
            &["stats", "tail"],
            &["view", "tail"],
            &["convert", "tail"],
            &["strip", "tail"],
            &["link", "tail"],
            &["extract", "tail", "@add"],
            &["embed", "tail", "-o", "ir.o"],
        ] {
            for option in [None, Some("--no-mmap")] {
                let arguments: Vec<&str> = command.iter().copied().chain(option).collect();
                let message = fail(&folder, &arguments);
                assert!(message.contains(&expected), "{arguments:?}: {message}");
                assert!(message.contains("tail: "), "{arguments:?}: {message}");
                assert!(message.contains("'rmlir unwrap'"), "{message}");
            }
        }
        // These have another status for errors.
        for command in [["diff", "plain", "tail"], ["grep", "func", "tail"]] {
            let output = folder.run(&command, b"");
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.contains(&expected), "{command:?}: {message}");
        }
        run(&folder, &["unwrap", "tail", "--list", "--no-mmap"]);
        run(&folder, &["unwrap", "tail", "-o", "out"]);
        assert_eq!(
            std::fs::read(&files(&folder.file("out"))[0]).unwrap(),
            module
        );
        std::fs::remove_dir_all(folder.file("out")).unwrap();
        for command in ["list", "verify", "hash", "info"] {
            run(&folder, &[command, "tail", "--index", "0"]);
        }
    }
}

/// Damage may hide modules, so that an only module has to be selected. Members of archives are
/// modules beside the others, however deep these are.
#[test]
fn the_only_module_of_a_damaged_file_is_selected() {
    let folder = folder("cut");
    let (rmbc, mlirbc) = (module(rmlir::Form::Rmbc), module(rmlir::Form::Mlirbc));
    folder.write("a.rmbc", &rmbc);
    folder.write("b.mlirbc", &mlirbc);
    for target in ["x86_64-linux-gnu", "aarch64-apple-darwin", "wasm32-wasip1"] {
        let embed = [
            "embed", "a.rmbc", "b.mlirbc", "-o", "whole.o", "--target", target,
        ];
        run(&folder, &embed);
        assert!(fail(&folder, &["list", "whole.o"]).contains("there are 2 modules here"));
        let whole = folder.read("whole.o");
        let listed = run(&folder, &["unwrap", "whole.o", "--json"]);
        let last: Value = serde_json::from_str(listed.lines().last().unwrap()).unwrap();
        let cut = usize::try_from(last["offset"].as_u64().unwrap()).unwrap() + 10;
        folder.write("cut.o", &whole[..cut]);
        let message = fail(&folder, &["list", "cut.o"]);
        assert!(message.contains("is damaged"), "{target}: {message}");
        assert!(message.contains("\n  0: rmbc"), "{target}: {message}");
        assert!(run(&folder, &["list", "cut.o", "--index", "0"]).contains("@add"));
        let message = fail(&folder, &["unwrap", "cut.o", "-o", "out"]);
        assert!(message.contains("is damaged"), "{target}: {message}");
        let written = files(&folder.file("out"));
        assert_eq!(std::fs::read(&written[0]).unwrap(), rmbc);
        std::fs::remove_dir_all(folder.file("out")).unwrap();
        for len in [20, 60] {
            folder.write("start.o", &whole[..len]);
            let message = fail(&folder, &["unwrap", "start.o", "--list"]);
            assert!(message.contains("is damaged"), "{target}, {len}: {message}");
        }
    }
    folder.write("cut.rmbc", &rmbc[..rmbc.len() - 20]);
    let message = fail(&folder, &["unwrap", "cut.rmbc", "--list"]);
    assert!(
        message.contains("its bytecode is cut off or invalid"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    folder.write("empty", "");
    assert!(fail(&folder, &["unwrap", "empty", "--list"]).contains("the file is empty"));
}

/// A module of a folder is selected as 'unwrap --list' numbers them, and by 'section', too.
/// Diagnostics as JSON name the file of every input that cannot be read, one of several too.
#[test]
fn unreadable_inputs_in_json() {
    let folder = folder("unreadable");
    let exported = wrapped(&module(rmlir::Form::Mlirbc)).into_iter();
    let mut exported = exported.filter(|file| file.format == "jax.export");
    let exported = exported.next().unwrap().bytes;
    folder.write("cut", &exported[..exported.len() - 9]);
    folder.write(
        "empty.zip",
        b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    );
    folder.write("models/c.bz2", b"BZh91AY&SY");
    folder.write("models/a.rmbc", module(rmlir::Form::Rmbc));
    let json = ["--diagnostic-format", "json"];
    let objects = |arguments: &[&str]| -> Vec<Value> {
        let arguments: Vec<&str> = arguments.iter().chain(&json).copied().collect();
        let errors = folder.run(&arguments, b"").stderr;
        let errors = String::from_utf8(errors).unwrap();
        let parsed = errors.lines().map(serde_json::from_str);
        parsed.collect::<Result<_, _>>().expect(&errors)
    };
    for command in ["info", "list", "hash", "stats", "verify"] {
        for names in [
            &["missing.mlir"][..],
            &["missing.mlir", "empty.zip", "gone.rmbc"],
        ] {
            let found = objects(&[&[command][..], names].concat());
            let with_file = found.iter().filter(|value| !value["file"].is_null());
            let files: Vec<&Value> = with_file.map(|value| &value["file"]).collect();
            assert_eq!(files, names, "{command}");
        }
    }
    let found = objects(&["info", "missing.mlir"]);
    assert_eq!(found[0]["message"], "No such file or directory");
    assert_eq!(found[0]["severity"], "error");
    // Damage and warnings, too.
    let found = objects(&["unwrap", "--list", "cut"]);
    assert_eq!(found[0]["file"], "cut");
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.ends_with("it is cut off, or its offsets are invalid"));
    let found = objects(&["unwrap", "--list", "models"]);
    assert_eq!(
        (&found[0]["file"], &found[0]["severity"]),
        (&"models".into(), &"warning".into())
    );
}

#[test]
fn one_module_of_a_folder() {
    let folder = folder("numbered");
    std::fs::create_dir(folder.file("models")).unwrap();
    folder.write("models/a.rmbc", module(rmlir::Form::Rmbc));
    let mut other = rmlir::parse("func.func private @second()").unwrap();
    let other = other.to_bytes(rmlir::Form::Mlirbc, &Default::default());
    folder.write("models/b.mlirbc", other.unwrap());
    folder.write("models/c.bz2", b"BZh91AY&SY");
    let both = run(&folder, &["list", "models"]);
    assert!(both.contains("@add") && both.contains("@second"), "{both}");
    for select in [
        ["--index", "1"],
        ["--module", "b.mlirbc"],
        ["--section", "b.mlirbc"],
    ] {
        for command in ["list", "extract"] {
            let symbol = (command == "extract").then_some("@second");
            let arguments = [command, "models"].into_iter().chain(symbol).chain(select);
            let printed = run(&folder, &arguments.collect::<Vec<_>>());
            assert!(printed.contains("@second"), "{printed}");
            assert!(!printed.contains("@add"), "{printed}");
        }
    }
    let output = folder.run(&["unwrap", "models", "--list"], b"");
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("'c.bz2' at offset 0 is not read: it is compressed by bzip2"));
}

/// Each module in the strings of native bytecode is listed once, compressed or not.
#[test]
fn nested_modules_are_listed_once() {
    let folder = folder("nested");
    let escaped = |bytes: &[u8]| {
        let bytes = bytes.iter().map(|&byte| match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => char::from(byte).to_string(),
            _ => format!("\\{byte:02X}"),
        });
        bytes.collect::<String>()
    };
    let (rmbc, mlirbc) = (module(rmlir::Form::Rmbc), module(rmlir::Form::Mlirbc));
    let text = format!(
        "module attributes {{t.a = \"{}\", t.b = \"{}\", t.c = [\"{}\"]}} {{}}",
        escaped(&rmbc),
        rmlir_testing::wrapped::base64(&mlirbc),
        escaped(&mlirbc),
    );
    folder.write("m.mlir", text);
    let options = ["--allow-unknown-ops"];
    for (name, more) in [
        ("plain.rmbc", &[][..]),
        ("compressed.rmbc", &["--compress", "9"]),
        ("upstream.mlirbc", &[]),
    ] {
        let convert = ["convert", "m.mlir", "-o", name];
        run(&folder, &[&convert[..], &options, more].concat());
        let listed = run(&folder, &["unwrap", "--json", name]);
        let listed: Vec<Value> = listed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let mut found: Vec<(u64, &str)> = listed
            .iter()
            .map(|one| {
                (
                    one["depth"].as_u64().unwrap(),
                    one["form"].as_str().unwrap(),
                )
            })
            .collect();
        found.sort_unstable();
        let form = name.rsplit('.').next().unwrap();
        let nested = match name {
            // The same content in a string and in base64.
            "compressed.rmbc" => vec![(1, "rmbc"), (2, "mlirbc")],
            _ => vec![(1, "mlirbc"), (1, "rmbc"), (2, "mlirbc")],
        };
        let inner: Vec<(u64, &str)> = found[1..].to_vec();
        assert_eq!(found[0], (0, form), "{name}");
        assert_eq!(inner.len(), nested.len(), "{name}: {inner:?}");
        assert!(inner.iter().any(|(_, form)| *form == "rmbc"), "{name}");
        assert!(inner.iter().any(|(_, form)| *form == "mlirbc"), "{name}");
        folder.write("module.zip", {
            let zip = wrapped(&folder.read(name));
            zip.into_iter()
                .rfind(|file| file.format == "zip")
                .unwrap()
                .bytes
        });
        let deep = run(&folder, &["unwrap", "--json", "module.zip"]);
        assert_eq!(deep.lines().count(), listed.len(), "{name} in zip");
    }
}

/// Files that exist are not replaced, and links are not followed.
#[cfg(unix)]
#[test]
fn unwrap_writes_new_files_only() {
    let folder = folder("new-files");
    let module = module(rmlir::Form::Rmbc);
    let two = [&module[..], &[0; 8], &module].concat();
    folder.write("two", &two);
    folder.write("victim", "mine");
    std::fs::create_dir(folder.file("out")).unwrap();
    std::os::unix::fs::symlink("../victim", folder.file("out/1.rmbc")).unwrap();
    let message = fail(&folder, &["unwrap", "two", "-o", "out"]);
    assert!(
        message.contains("out/1.rmbc: the file exists; '--force' replaces it"),
        "{message}"
    );
    // All or none.
    assert!(!folder.file("out/0.rmbc").exists());
    run(&folder, &["unwrap", "two", "-o", "out", "--force"]);
    assert_eq!(folder.read("victim"), b"mine");
    assert_eq!(folder.read("out/1.rmbc"), module);
    assert!(
        !std::fs::symlink_metadata(folder.file("out/1.rmbc"))
            .unwrap()
            .is_symlink()
    );
    fail(&folder, &["unwrap", "two", "-o", "out"]);
    std::fs::remove_file(folder.file("out/0.rmbc")).unwrap();
    std::fs::create_dir(folder.file("out/0.rmbc")).unwrap();
    fail(&folder, &["unwrap", "two", "-o", "out", "--force"]);
    // Names of members do not lead out of the folder.
    use rmlir_testing::wrapped::{ZipMember, crc32, zip_of};
    let names = [
        "../../evil",
        "/etc/evil",
        "..",
        "a\\..\\b",
        "\u{1b}[31m",
        "CON",
    ];
    let members = names.map(|name| ZipMember {
        name,
        flags: 0,
        method: 0,
        stored: &module,
        crc: crc32(&module),
        len: module.len(),
    });
    folder.write("evil.zip", zip_of(&members));
    let printed = run(&folder, &["unwrap", "evil.zip", "-o", "safe"]);
    assert!(!printed.contains('\u{1b}'));
    assert_eq!(files(&folder.file("safe")).len(), names.len());
    // One module to standard output.
    let output = folder.run(&["unwrap", "two", "--index", "1", "-o", "-"], b"");
    assert_eq!(output.stdout, module);
    let output = folder.run(&["unwrap", "two", "-o", "-"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.file("-").exists());
}

/// What holds no module is named by every command, with the reason where something was not read.
#[test]
fn empty_folders_and_containers() {
    use rmlir_testing::wrapped::{ZipMember, zip_of};
    let folder = folder("empty");
    std::fs::create_dir_all(folder.file("folder/sub")).unwrap();
    folder.write("folder/sub/readme", "text");
    folder.write("empty.zip", zip_of(&[]));
    folder.write("empty.a", "!<arch>\n");
    folder.write("empty.wasm", b"\0asm\x01\0\0\0");
    folder.write("empty.tar", vec![0; 1024]);
    let bzip2 = ZipMember {
        name: "m.mlirbc",
        flags: 0,
        method: 12,
        stored: b"BZh91AY",
        crc: 0,
        len: 9,
    };
    folder.write("bzip2.zip", zip_of(&[bzip2]));
    for input in ["folder", "empty.zip", "empty.a", "empty.wasm", "bzip2.zip"] {
        for command in [
            &["list", input][..],
            &["info", input],
            &["stats", input],
            &["hash", input],
            &["verify", input],
            &["size", input],
            &["convert", input],
            &["unwrap", "--list", input],
            &["unwrap", input, "-o", "out"],
        ] {
            let message = fail(&folder, command);
            let line = message.lines().find(|line| line.contains("MLIR"));
            let line = line.unwrap_or_else(|| panic!("{command:?}: {message}"));
            assert!(line.contains(input), "{command:?}: {message}");
            if input == "bzip2.zip" {
                assert!(
                    message
                        .contains("'m.mlirbc' at offset 38 is not read: it is compressed by bzip2"),
                    "{command:?}: {message}"
                );
            }
        }
        // As of grep, nothing found is another status than an error.
        let output = folder.run(&["grep", "func", input], b"");
        assert_eq!(output.status.code(), Some(2), "{input}");
    }
    assert!(!folder.file("out").exists());
    folder.write("m.xz", b"\xfd7zXZ\0\0");
    let message = fail(&folder, &["unwrap", "m.xz", "--list"]);
    assert!(message.contains("m.xz: this is an xz archive"), "{message}");
}

/// Members of thin archives are read where they are in the archive's folder, and only there.
#[cfg(unix)]
#[test]
fn thin_archives() {
    let folder = folder("thin");
    let object = |module: &[u8]| {
        wrapped(module)
            .into_iter()
            .find(|file| file.format == "elf")
    };
    std::fs::create_dir_all(folder.file("lib/sub")).unwrap();
    std::fs::create_dir_all(folder.file("secret")).unwrap();
    let bytes = object(&module(rmlir::Form::Rmbc)).unwrap().bytes;
    folder.write("lib/sub/a.o", &bytes);
    folder.write("secret/b.o", &bytes);
    std::os::unix::fs::symlink("../secret/b.o", folder.file("lib/link.o")).unwrap();
    let thin = |names: &[&str]| {
        let mut list: String = names.iter().map(|name| format!("{name}/\n")).collect();
        if list.len() % 2 == 1 {
            list.push('\n');
        }
        let header = |name: &str, len: usize| format!("{name:<16}{:<32}{len:<10}`\n", 0);
        let mut file = format!("!<thin>\n{}{list}", header("//", list.len()));
        let mut at = 0;
        for name in names {
            file += &header(&format!("/{at}"), bytes.len());
            at += name.len() + 2;
        }
        file
    };
    folder.write("lib/one.a", thin(&["sub/a.o"]));
    assert!(run(&folder, &["list", "lib/one.a"]).contains("@add"));
    let listed = run(&folder, &["unwrap", "--json", "lib/one.a"]);
    let first: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(first["container"], "ar/elf");
    assert_eq!(first["name"], "sub/a.o:rmlir");
    assert!(run(&folder, &["unwrap", "--list", "lib"]).contains("one.a:sub/a.o:rmlir"));
    let absolute = folder.file("secret/b.o").display().to_string();
    for outside in ["../secret/b.o", "link.o", &absolute, "missing.o"] {
        folder.write("lib/out.a", thin(&[outside]));
        for command in [
            &["list", "lib/out.a"][..],
            &["unwrap", "--list", "lib/out.a"],
        ] {
            let message = fail(&folder, command);
            let expected = format!("this member is the file '{outside}'");
            assert!(message.contains(&expected), "{message}");
        }
    }
    if let Some(ar) = ["ar", "llvm-ar-22"].into_iter().find(|ar| {
        let output = Command::new(ar).arg("--version").output();
        output.is_ok()
    }) {
        std::fs::remove_file(folder.file("lib/one.a")).unwrap();
        let output = folder.run_program(ar, &["rcT", "lib/one.a", "lib/sub/a.o"], b"");
        assert!(output.status.success(), "{output:?}");
        assert!(run(&folder, &["list", "lib/one.a"]).contains("@add"));
    } else {
        println!("SKIPPED: there is no ar");
    }
}

/// Text in archives is found by the names of its members.
#[test]
fn texts_in_archives() {
    use rmlir_testing::wrapped::{ZipMember, crc32, zip_of};
    let folder = folder("texts");
    let member = |name, stored: &'static [u8]| ZipMember {
        name,
        flags: 0,
        method: 0,
        stored,
        crc: crc32(stored),
        len: stored.len(),
    };
    let zip = zip_of(&[
        member("a.mlir", TEXT.as_bytes()),
        member("b.ttir", b"tt.func @k() {\n  tt.return\n}\n"),
        member("c.txt", TEXT.as_bytes()),
        member("d.mlir", b"\x89PNG\0"),
        member("e.mlir", b"  \n"),
    ]);
    folder.write("t.zip", zip);
    let listed = run(&folder, &["unwrap", "--list", "t.zip"]);
    assert!(
        listed.contains("a.mlir") && listed.contains("b.ttir"),
        "{listed}"
    );
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(run(&folder, &["list", "t.zip", "--module", "a.mlir"]).contains("@add"));
}

/// Makes files with JAX, TensorFlow, Triton and IREE, and compares what is found with what the
/// tools themselves say is in them.
#[test]
fn files_of_other_tools() {
    if !rmlir_testing::is_optimised("cargo test --release --test wrapped") {
        return;
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pythons = rmlir_testing::python::pythons();
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
                        "--module",
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
    // Neither in another module nor a derivative.
    let is_outermost = |one: &&Value| {
        let around = one["container"].as_str().unwrap().split('/');
        let around: Vec<&str> = around.filter(|name| !name.is_empty()).collect();
        one["depth"].as_u64() == Some(around.len() as u64)
            && !around
                .iter()
                .any(|name| ["text", "rmbc", "mlirbc"].contains(name))
    };
    if all.iter().filter(is_outermost).count() > 1 {
        // As text and as bytecode.
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
