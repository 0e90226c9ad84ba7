//! Tests of `rmlir cache`, and of the commands of its guide.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::Folder;
use std::process::{Command, Output, Stdio};

const GUIDE: &str = include_str!("../../guide/cache.md");
const MODULE: &str = "func.func @f(%x: i32) -> i32 {\n  %a = arith.addi %x, %x : i32\n  %b = arith.addi %x, %x : i32\n  %c = arith.muli %a, %b : i32\n  return %c : i32\n}\n";

fn rmlir(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rmlir"))
        .args(arguments)
        .current_dir(folder.file(""))
        .env("RMLIR_CACHE_DIR", folder.file("cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn has(program: &str) -> bool {
    let command = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = command.is_ok_and(|status| status.success());
    if !found {
        println!("!!! SKIPPED: {program} is not installed");
    }
    found
}

#[test]
fn the_commands_of_the_guide() {
    if !has("mlir-opt-22") {
        return;
    }
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-guide");
    folder.write("model.mlir", MODULE);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_rmlir"))
        .parent()
        .unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut script = "set -eu\n".to_owned();
    let mut blocks = 0;
    for block in GUIDE.split("\n```sh\n").skip(1) {
        script.push_str(block.split("\n```").next().unwrap());
        script.push('\n');
        blocks += 1;
    }
    assert!(blocks >= 6);
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.file(""))
        .env("PATH", path)
        .env("RMLIR_CACHE_DIR", folder.file("cache"))
        .output()
        .unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(stderr.contains("optimize: hit in"), "{stderr}");
    assert!(stdout.contains("damaged"), "{stdout}");
    assert!(text(&folder.read("lowered.mlir")).contains("llvm.add"));
    assert!(text(&folder.read("optimized.mlir")).contains("arith.muli %0, %0"));
}

/// The settings of the guide are those that the program knows.
#[test]
fn the_settings_of_the_guide() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-settings");
    let block = GUIDE
        .split("\n```toml\n")
        .nth(1)
        .unwrap()
        .split("\n```")
        .next()
        .unwrap();
    let local: Vec<&str> = block
        .lines()
        .filter(|line| !line.starts_with("remote =") && !line.starts_with("secrets-file"))
        .collect();
    // The second block has levels, of which the program has those that are directories.
    let levels = GUIDE.split("\n```toml\n").nth(2).unwrap();
    let levels = levels.split("\n```").next().unwrap();
    let levels: Vec<&str> = levels.lines().filter(|line| *line != "[cache]").collect();
    let levels = levels.join("\n").replace("http://cache:8080/team", "far");
    let levels = levels.replace("/mnt/team/cache", "near");
    folder.write("rmlir.toml", format!("{}\n{levels}\n", local.join("\n")));
    let stats = Command::new(env!("CARGO_BIN_EXE_rmlir"))
        .args(["cache", "stats"])
        .current_dir(folder.file(""))
        .env_remove("RMLIR_CACHE_DIR")
        .output()
        .unwrap();
    assert!(stats.status.success(), "{}", text(&stats.stderr));
    let stdout = text(&stats.stdout);
    assert!(
        stdout.lines().next().unwrap().ends_with("build/cache"),
        "{stdout}"
    );

    folder.write("rmlir.toml", "[cache]\nmax-sise = \"1G\"\n");
    let output = rmlir(&folder, &["cache", "stats"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("'cache.max-sise' is unknown"));
    folder.write("rmlir.toml", "[cache]\nmax-size = \"much\"\n");
    assert!(text(&rmlir(&folder, &["cache", "stats"]).stderr).contains("a size such as"));
    folder.write("rmlir.toml", "[cache\n");
    assert_eq!(rmlir(&folder, &["cache", "stats"]).status.code(), Some(1));
}

#[test]
fn statuses_streams_and_explanations() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-streams");
    folder.write("in.txt", "some text\n");
    let script = "printf 'out of %s' \"$1\"; cat; printf 'problem' >&2; exit 7";
    let run = |options: &[&str]| {
        let first = [
            "cache",
            "run",
            "--stage",
            "s",
            "--tool-id",
            "1",
            "-i",
            "in.txt",
        ];
        let last = ["--", "sh", "-c", script, "name", "{in}"];
        rmlir(&folder, &[&first, options, &last].concat())
    };
    for _ in 0..2 {
        let output = run(&[]);
        assert_eq!(output.status.code(), Some(7));
        assert_eq!(text(&output.stdout), "out of in.txt");
        assert_eq!(text(&output.stderr), "problem");
    }
    let json = |output: &Output| -> serde_json::Value {
        let stderr = text(&output.stderr);
        serde_json::from_str(stderr.lines().last().unwrap().trim_start_matches("problem")).unwrap()
    };
    assert_eq!(
        json(&run(&["--cache-failures", "--json"]))["result"],
        "miss"
    );
    let output = run(&["--cache-failures", "--json"]);
    assert_eq!(json(&output)["result"], "hit");
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(7), "out of in.txt".to_owned())
    );
    assert!(text(&output.stderr).starts_with("problem"));

    folder.write("in.txt", "other text\n");
    let other = json(&run(&["--cache-failures", "--json"]));
    let key = other["key"].as_str().unwrap();
    let why = text(&rmlir(&folder, &["cache", "why", &key[..12]]).stdout);
    assert!(
        why.contains("differs from") && why.contains("  input in: "),
        "{why}"
    );
    assert!(!why.contains("argument"), "{why}");
    let why = rmlir(&folder, &["cache", "why", "--json", key]);
    let why: serde_json::Value = serde_json::from_slice(&why.stdout).unwrap();
    assert_eq!(why["differences"][0]["name"], "input in");

    // Damage is found, is a miss, and is repaired.
    let mut cas = Vec::new();
    for shard in std::fs::read_dir(folder.file("cache/cas")).unwrap() {
        for file in std::fs::read_dir(shard.unwrap().path()).unwrap() {
            cas.push(file.unwrap().path());
        }
    }
    for path in &cas {
        std::fs::write(path, "damage").unwrap();
    }
    assert_eq!(rmlir(&folder, &["cache", "verify"]).status.code(), Some(1));
    assert_eq!(
        json(&run(&["--cache-failures", "--json"]))["result"],
        "miss"
    );
    let repaired = rmlir(&folder, &["cache", "verify", "--remove"]);
    assert_eq!(
        repaired.status.code(),
        Some(0),
        "{}",
        text(&repaired.stdout)
    );
    assert_eq!(json(&run(&["--cache-failures", "--json"]))["result"], "hit");
    assert!(text(&rmlir(&folder, &["cache", "clear"]).stdout).contains("files removed"));
    assert_eq!(
        json(&run(&["--cache-failures", "--json"]))["result"],
        "miss"
    );
}

/// Levels that are directories: what one directory has, others get, but for those that are only
/// read.
#[test]
fn directories_as_levels() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-levels");
    folder.write("in.txt", "text");
    let run = |own: &str, levels: &str| {
        folder.write(
            "rmlir.toml",
            format!("[cache]\ndir = \"{own}\"\nremote = {levels}\n"),
        );
        let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
            .args([
                "cache", "run", "--stage", "s", "--json", "-i", "in.txt", "--", "/bin/cat",
            ])
            .current_dir(folder.file(""))
            .env_remove("RMLIR_CACHE_DIR")
            .output()
            .unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(text(&output.stdout), "text", "{stderr}");
        let report: serde_json::Value = serde_json::from_str(&stderr).unwrap();
        report["result"].as_str().unwrap().to_owned()
    };
    let only_read = "[\"near\", { url = \"far\", read-only = true }]";
    assert_eq!(run("one", "{ url = \"far\", read-only = true }"), "miss");
    assert_eq!(run("two", "\"far\""), "miss");
    assert_eq!(run("three", only_read), "hit");
    assert_eq!(run("four", "\"near\""), "hit");
    folder.write("rmlir.toml", "[cache]\nremote = { path = \"x\" }\n");
    let output = rmlir(&folder, &["cache", "stats"]);
    assert!(text(&output.stderr).contains("'cache.remote' is not a URL"));
}

/// A directory with other files is not used, and nothing in it is removed.
#[test]
fn directories_of_others() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-others");
    std::fs::create_dir_all(folder.file("home/tmp")).unwrap();
    folder.write("home/thesis.txt", "years of work");
    folder.write("home/tmp/draft.txt", "work");
    for command in ["clear", "gc"] {
        let output = rmlir(&folder, &["cache", command, "--cache-dir", "home"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains("thesis.txt"),
            "{}",
            text(&output.stderr)
        );
    }
    assert_eq!(text(&folder.read("home/tmp/draft.txt")), "work");
}

#[test]
fn what_counts() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-counts");
    folder.write("in.txt", "text");
    folder.write("plugin.so", "plugin");
    let key = |options: &[&str], arguments: &[&str], variable: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
            .args(["cache", "key", "--stage", "s", "-i", "in.txt"])
            .args(options)
            .args(["--", "/bin/cat"])
            .args(arguments)
            .current_dir(folder.file(""))
            .env("RMLIR_CACHE_DIR", folder.file("cache"))
            .env("RMLIR_TEST_VARIABLE", variable)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let plain = key(&[], &["{in}"], "1");
    assert_eq!(key(&[], &["{in}"], "2"), plain);
    let with = key(&["--env", "RMLIR_TEST_VARIABLE"], &["{in}"], "1");
    assert_ne!(with, plain);
    assert_ne!(key(&["--env", "RMLIR_TEST_VARIABLE"], &["{in}"], "2"), with);
    assert_ne!(key(&["--stage-version", "2"], &["{in}"], "1"), plain);
    assert_ne!(key(&["--tool-id", "cat 9"], &["{in}"], "1"), plain);
    let plugin = key(&[], &["--load=plugin.so", "{in}"], "1");
    folder.write("plugin.so", "changed");
    assert_ne!(key(&[], &["--load=plugin.so", "{in}"], "1"), plugin);
    // Nested names, such as those of pass options, count too.
    let nested = key(&[], &["--passes=a(b{path=plugin.so})", "{in}"], "1");
    folder.write("plugin.so", "changed again");
    assert_ne!(
        key(&[], &["--passes=a(b{path=plugin.so})", "{in}"], "1"),
        nested
    );
    // So do names in a response file.
    folder.write("args.rsp", "--verbose\n--load=plugin.so\n");
    let response = key(&[], &["@args.rsp", "{in}"], "1");
    folder.write("plugin.so", "changed once more");
    assert_ne!(key(&[], &["@args.rsp", "{in}"], "1"), response);
    folder.write("in.txt", "other");
    assert_ne!(key(&[], &["{in}"], "1"), plain);
}

/// A library that the loader would take first changes the key, although program and arguments
/// stay.
#[test]
fn libraries_count() {
    if !has("cc") {
        return;
    }
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-libraries");
    folder.write("in.txt", "text");
    folder.write("lib.c", "int value(void) { return 1; }\n");
    folder.write("lib2.c", "int value(void) { return 2; }\n");
    folder.write(
        "main.c",
        "int value(void);\nint main(void) { return value(); }\n",
    );
    let cc = |arguments: &[&str]| {
        let status = Command::new("cc")
            .args(arguments)
            .current_dir(folder.file(""))
            .status();
        assert!(status.unwrap().success());
    };
    for name in ["real", "first"] {
        std::fs::create_dir(folder.file(name)).unwrap();
    }
    cc(&["-shared", "-fPIC", "lib.c", "-o", "real/libv.so.1"]);
    std::os::unix::fs::symlink("libv.so.1", folder.file("real/libv.so")).unwrap();
    cc(&[
        "main.c",
        "-Lreal",
        "-lv",
        "-Wl,-rpath,$ORIGIN/real",
        "-Wl,--enable-new-dtags",
        "-o",
        "tool",
    ]);
    let key = |library_path: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
            .args([
                "cache", "key", "--stage", "s", "-i", "in.txt", "--", "./tool",
            ])
            .current_dir(folder.file(""))
            .env("RMLIR_CACHE_DIR", folder.file("cache"))
            .env("LD_LIBRARY_PATH", folder.file(library_path))
            .output()
            .unwrap();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let first = key("nothing");
    assert_eq!(first.0, Some(0), "{first:?}");
    // RUNPATH comes after LD_LIBRARY_PATH.
    cc(&["-shared", "-fPIC", "lib2.c", "-o", "first/libv.so"]);
    assert_ne!(key("first"), first);
    assert_eq!(key("nothing"), first);
    // The library behind a symbolic link changes.
    cc(&["-shared", "-fPIC", "lib2.c", "-o", "real/libv.so.1"]);
    assert_ne!(key("nothing"), first);
    std::fs::remove_file(folder.file("real/libv.so.1")).unwrap();
    let missing = key("nothing");
    assert!(
        missing.2.contains("loads is unknown") && missing.2.contains("--tool-id"),
        "{missing:?}"
    );
}
