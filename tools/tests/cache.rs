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

/// The first arguments of a stage that runs a program on `in.txt`.
const RUN_ON_TEXT: [&str; 8] = [
    "cache",
    "run",
    "--stage",
    "s",
    "--tool-id",
    "1",
    "-i",
    "in.txt",
];

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

    for (settings, message) in [
        (
            "[cache]\nmax-sise = \"1G\"\n",
            ":2:1: error: 'cache.max-sise' is unknown",
        ),
        (
            "# Ours\n[cache]\nmax-size = \"much\"\n",
            ":3:12: error: 'cache.max-size' is not a size such as '10G'",
        ),
        ("[cache\n", ":1:7: error: "),
        ("cache = 1\n", ":1:9: error: 'cache' is not a table"),
        (
            "[cache]\nremote = [\"x\", { url = \"x\", to = 1 }]\n",
            ":2:34: error: 'cache.remote' is not a URL",
        ),
        (
            "[cache]\nremote = \"ftp://host/cache\"\n",
            ":2:10: error: the scheme 'ftp:' of a remote level is unknown; expected 'http://'",
        ),
    ] {
        folder.write("rmlir.toml", settings);
        let output = rmlir(&folder, &["cache", "stats"]);
        assert_eq!(output.status.code(), Some(1), "{settings}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(&format!("rmlir.toml{message}")), "{stderr}");
    }
}

/// A program without the feature for servers ignores those of `rmlir.toml` with a note, so that a
/// build continues. A server that an option names must be usable.
#[test]
fn servers_without_the_feature() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-feature");
    folder.write("in.txt", "text");
    let run = |options: &[&str]| {
        let first = ["cache", "run", "--stage", "s", "-v", "-i", "in.txt"];
        rmlir(&folder, &[&first, options, &["--", "/bin/cat"]].concat())
    };
    let output = run(&["--remote", "ftp:host"]);
    let expected = "--remote: the scheme 'ftp:' of a remote level is unknown";
    assert!(text(&output.stderr).contains(expected));
    assert_eq!(output.status.code(), Some(2));
    if cfg!(feature = "cache-remote") {
        return;
    }
    for (url, feature) in [
        ("http://127.0.0.1:9/x", "cache-remote"),
        ("s3://bucket/x", "cache-remote"),
        ("https://127.0.0.1:9/x", "cache-https"),
    ] {
        let expected = format!("was built without the feature '{feature}'");
        folder.write("rmlir.toml", format!("[cache]\nremote = \"{url}\"\n"));
        let output = run(&[]);
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(0), "text".to_owned())
        );
        assert!(stderr.contains(&expected), "{stderr}");
        let output = run(&["--remote", url]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(&expected));
    }
    let output = rmlir(&folder, &["cache", "serve", "x"]);
    assert!(text(&output.stderr).contains("requires the feature 'cache-remote'"));
}

/// The identity of a shell, or of another program that runs programs, does not identify a result.
#[test]
fn programs_that_run_others_need_an_identity() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-launchers");
    folder.write("in.txt", "text");
    folder.write("w.sh", "#!/bin/sh\nexec cat\n");
    std::os::unix::fs::symlink("/bin/sh", folder.file("other")).unwrap();
    let run = |options: &[&str], command: &[&str]| {
        let first = ["cache", "run", "--stage", "s", "--json", "-i", "in.txt"];
        rmlir(&folder, &[&first, options, &["--"], command].concat())
    };
    for command in [
        &["sh", "w.sh"][..],
        &["sh", "-c", "cat"],
        &["./other", "w.sh"],
        &["env", "cat"],
        &["nice", "cat"],
        &["timeout", "9", "cat"],
        // Another program with a script as an argument.
        &["cat", "w.sh"],
    ] {
        let output = run(&[], command);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {stderr}");
        assert!(
            stderr.contains("unknown") && stderr.contains("'--tool-id'"),
            "{stderr}"
        );
    }
    let result = |output: &Output| -> String {
        let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        report["result"].as_str().unwrap().to_owned()
    };
    let declared = || run(&["--tool-id", "1"], &["sh", "w.sh"]);
    assert_eq!(result(&declared()), "miss");
    assert_eq!(result(&declared()), "hit");
    // The script is a file that an argument names.
    folder.write("w.sh", "#!/bin/sh\nexec cat - in.txt\n");
    assert_eq!(text(&declared().stdout), "texttext");
}

/// An output with the name of its input is not stored, whatever is declared.
#[test]
fn results_with_the_name_of_the_input() {
    if !has("mlir-opt-22") {
        return;
    }
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-names");
    for name in ["a.mlir", "b.mlir"] {
        folder.write(name, MODULE);
    }
    for (options, is_stored) in [
        (&["--mlir-print-debuginfo"][..], false),
        (&["--emit-bytecode"], false),
        (&["--strip-debuginfo", "--emit-bytecode"], true),
        (&["--cse"], true),
    ] {
        for locations in ["rebind", "key"] {
            let run = |name: &str| {
                let first = [
                    "cache",
                    "run",
                    "--stage",
                    "s",
                    "--json",
                    "--ignore-input-path",
                ];
                let second = ["--locations", locations, "-i", name, "-o", "out", "--"];
                let last = ["mlir-opt-22", "{in}", "-o", "{out}"];
                let output = rmlir(&folder, &[&first[..], &second, &last, options].concat());
                let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
                (report, folder.read("out"))
            };
            let (first, _) = run("a.mlir");
            let (second, out) = run("b.mlir");
            assert_eq!(
                second["result"] == "hit",
                is_stored,
                "{options:?}: {second}"
            );
            let note = first["notes"].to_string();
            assert_eq!(
                note.contains("the name of the input, 'a.mlir'"),
                !is_stored,
                "{note}"
            );
            let plain = Command::new("mlir-opt-22")
                .args(["b.mlir", "-o", "plain"])
                .args(options)
                .current_dir(folder.file(""))
                .status();
            assert!(plain.unwrap().success());
            let read = |bytes: &[u8]| rmlir::read(bytes).unwrap();
            let (ours, theirs) = (read(&out), read(&folder.read("plain")));
            let with = rmlir::ir::EqualityOptions { locations: true };
            assert!(
                rmlir::ir::semantic_eq(ours.parts(), theirs.parts(), &with),
                "{options:?}"
            );
        }
    }
}

/// A signal ends the program and removes its temporary directory; the next run removes a
/// directory that SIGKILL leaves.
#[cfg(target_os = "linux")]
#[test]
fn signals_leave_no_temporary_directories() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-signals");
    folder.write("in.txt", "text");
    std::fs::create_dir(folder.file("tmp")).unwrap();
    let names = || std::fs::read_dir(folder.file("tmp")).unwrap().count();
    let wait_until = |what: &str, is: &dyn Fn() -> bool| {
        for _ in 0..6_000 {
            if is() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("{what}");
    };
    let is_alive = || {
        let process = text(&folder.read("process"));
        std::path::Path::new(&format!("/proc/{}/cmdline", process.trim())).exists()
    };
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("KILL", 9)] {
        let script = "touch $1.temporary; echo $$ > started; mv started process; exec sleep 600";
        let mut child = Command::new("env")
            .args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_rmlir")])
            .args(RUN_ON_TEXT)
            .args(["--", "sh", "-c", script, "sh", "{out}"])
            .current_dir(folder.file(""))
            .env("RMLIR_CACHE_DIR", folder.file("cache"))
            .env("TMPDIR", folder.file("tmp"))
            .spawn()
            .unwrap();
        wait_until("it starts", &|| folder.file("process").exists());
        assert_eq!(names(), 1);
        let killed = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        let status = child.wait().unwrap();
        let ended = std::os::unix::process::ExitStatusExt::signal(&status);
        assert_eq!(ended, Some(number));
        if signal == "KILL" {
            assert_eq!(names(), 1);
            let process = text(&folder.read("process"));
            let _ = Command::new("kill")
                .args(["-KILL", process.trim()])
                .status();
        } else {
            assert_eq!(names(), 0, "{signal}");
            wait_until("the program ends", &|| !is_alive());
        }
        std::fs::remove_file(folder.file("process")).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
        .args([
            "cache", "run", "--stage", "s", "-i", "in.txt", "--", "/bin/cat",
        ])
        .current_dir(folder.file(""))
        .env("RMLIR_CACHE_DIR", folder.file("cache"))
        .env("TMPDIR", folder.file("tmp"))
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(names(), 0);
}

/// A result that cannot be stored is reported, and a read-only cache keeps its entries.
#[test]
fn notes_on_what_is_not_stored() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-notes");
    folder.write("in.txt", "text");
    let run = |options: &[&str], script: &str, last: &[&str]| {
        let first = ["cache", "run", "--stage", "s", "--json", "--tool-id", "1"];
        let input = ["-i", "in.txt", "--", "sh", "-c", script, "sh"];
        let output = rmlir(&folder, &[&first[..], options, &input, last].concat());
        let stderr = text(&output.stderr);
        let report: serde_json::Value = serde_json::from_str(&stderr).unwrap();
        report["notes"].to_string()
    };
    assert_eq!(run(&[], "cat", &[]), "[]");
    assert_eq!(
        run(&[], "exit 3", &[]),
        "[\"not stored: the exit status is 3\"]"
    );
    assert_eq!(run(&["--cache-failures"], "exit 3", &[]), "[]");
    assert_eq!(
        run(&[], "cat", &["{out}"]),
        "[\"not stored: the program did not write the output file\"]"
    );
    assert_eq!(
        run(&[], "kill -9 $$", &[]),
        "[\"not stored: a signal ended the program\"]"
    );
    let read_only = "[\"not stored: the cache is read-only\"]";
    assert_eq!(run(&["--read-only"], "cat; echo", &[]), read_only);

    let files = || {
        let list = Command::new("find").arg(folder.file("cache")).output();
        text(&list.unwrap().stdout)
    };
    let before = files();
    for command in [&["clear"][..], &["gc"], &["verify", "--remove"]] {
        let output = rmlir(&folder, &[&["cache"], command, &["--read-only"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("the cache is read-only: nothing is removed"));
    }
    assert_eq!(files(), before);
    let verify = rmlir(&folder, &["cache", "verify", "--read-only"]);
    assert_eq!(verify.status.code(), Some(0));
}

/// `key` prints the keys of `run` for the same options, `stats` counts the hits and misses that
/// `run` reports, and `verify` finds files that were swapped.
#[test]
fn keys_counts_and_swapped_files() {
    if !has("mlir-opt-22") {
        return;
    }
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-keys");
    folder.write("in.mlir", MODULE);
    let call = |subcommand: &str, options: &[&str]| {
        let first = ["cache", subcommand, "--stage", "s", "-i", "in.mlir"];
        let passes = "--pass-pipeline=builtin.module(func.func(cse))";
        let last = ["--", "mlir-opt-22", passes, "--mlir-print-debuginfo"];
        let output = rmlir(&folder, &[&first[..], options, &last].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        output
    };
    let run = |options: &[&str]| -> serde_json::Value {
        let output = call("run", &[&["--json"], options].concat());
        serde_json::from_slice(&output.stderr).unwrap()
    };
    for (number, options) in [
        &["--locations", "rebind"][..],
        &["--locations", "key"],
        &["--locations", "strip"],
        &["--per-function"],
        &["--per-function", "--locations", "strip"],
        &["--closure"],
    ]
    .into_iter()
    .enumerate()
    {
        let module = format!("{MODULE}func.func private @p{number}()\n");
        folder.write("in.mlir", module);
        let report = run(options);
        let key = text(&call("key", options).stdout);
        assert_eq!(report["key"], key.trim(), "{options:?}");
        let why = rmlir(&folder, &["cache", "why", key.trim()]);
        assert!(why.status.success(), "{options:?}: {}", text(&why.stderr));
        let key = call("key", &[&["--json"], options].concat());
        let key: serde_json::Value = serde_json::from_slice(&key.stdout).unwrap();
        let names: Vec<&str> = key["parts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["name"].as_str().unwrap())
            .collect();
        for name in ["stage", "program", "argument 1", "tool", "input in"] {
            assert!(names.contains(&name), "{names:?}");
        }
        match options.contains(&"--per-function") || options.contains(&"--closure") {
            true => {
                assert_eq!(key["functions"][0]["name"], "f");
                assert_eq!(key["functions"][0]["stored"], true, "{options:?}");
            }
            false => assert!(key["functions"].is_null()),
        }
    }
    let count = || {
        let stats = rmlir(&folder, &["cache", "stats", "--json"]);
        let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
        ["hits", "partial_hits", "misses"].map(|name| stats[name].as_u64().unwrap())
    };
    let before = count();
    let mut changes = Vec::new();
    for (text, options, result) in [
        (
            format!("\n{MODULE}func.func private @p0()\n"),
            &[][..],
            "hit of the same module",
        ),
        (format!("\n\n{MODULE}"), &["--per-function"], "hit of parts"),
        (
            format!(
                "{MODULE}{}",
                MODULE.replace("@f", "@g").replace("muli", "addi")
            ),
            &["--per-function"],
            "1 of 2 parts hit",
        ),
        (MODULE.replace("muli", "subi"), &[], "miss"),
    ] {
        folder.write("in.mlir", text);
        let report = run(options);
        assert_eq!(report["result"], result);
        assert!(!report["notes"].to_string().contains("part"), "{report}");
        let now = count();
        changes.push([0, 1, 2].map(|at| now[at] - before[at]));
    }
    assert_eq!(changes, [[1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 1, 1]]);

    assert_eq!(rmlir(&folder, &["cache", "verify"]).status.code(), Some(0));
    for directory in ["memo", "state", "units"] {
        let files = std::fs::read_dir(folder.file(&format!("cache/{directory}"))).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        let [one, other, ..] = files.as_slice() else {
            panic!("{directory}: {files:?}");
        };
        let swap = || {
            let third = folder.file("third");
            std::fs::rename(one, &third).unwrap();
            std::fs::rename(other, one).unwrap();
            std::fs::rename(&third, other).unwrap();
        };
        swap();
        let output = rmlir(&folder, &["cache", "verify", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{directory}");
        assert_eq!(
            report["damaged"].as_array().unwrap().len(),
            2,
            "{directory}"
        );
        swap();
    }
}

/// Without locations, messages are still those of the input.
#[test]
fn messages_of_stripped_inputs() {
    if !has("mlir-opt-22") {
        return;
    }
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-strip");
    let warning = MODULE.replace("func.func @f", "\n\nfunc.func @f");
    let call = "func.func @g() {\n  func.call @missing() : () -> ()\n  return\n}\n";
    for (name, module, status) in [
        ("good.mlir", warning.clone(), 0),
        ("bad.mlir", format!("{warning}{call}"), 1),
    ] {
        folder.write(name, module);
        for last in [&["{in}", "-o", "{out}"][..], &[]] {
            let passes = "--print-op-stats";
            let first = ["cache", "run", "--stage", "s", "--locations", "strip"];
            let second = ["-i", name, "-o", "out", "--", "mlir-opt-22", passes];
            let plain = match last.is_empty() {
                true => format!("mlir-opt-22 {passes} < {name} 2> errors > out2"),
                false => format!("mlir-opt-22 {passes} {name} -o out2 2> errors"),
            };
            for _ in 0..2 {
                let output = rmlir(&folder, &[&first[..], &second, last].concat());
                let plain = folder.run_program("sh", &["-c", &plain], b"");
                assert_eq!(output.status.code(), plain.status.code());
                assert_eq!(
                    output.status.code(),
                    Some(status),
                    "{}",
                    text(&output.stderr)
                );
                assert_eq!(text(&output.stderr), text(&folder.read("errors")));
            }
        }
    }
}

#[test]
fn statuses_streams_and_explanations() {
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir"), "cache-streams");
    folder.write("in.txt", "some text\n");
    let script = "printf 'out of %s' \"$1\"; cat; printf 'problem' >&2; exit 7";
    let run = |options: &[&str]| {
        let last = ["--", "sh", "-c", script, "name", "{in}"];
        rmlir(&folder, &[&RUN_ON_TEXT[..], options, &last].concat())
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
    assert!(text(&output.stderr).contains(":2:10: error: 'cache.remote' is not a URL"));
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
    // An argument does not name files that are called like placeholders.
    let plain = key(&[], &["{in}", "{out}"], "1");
    folder.write("in", "1");
    folder.write("out", "1");
    assert_eq!(key(&[], &["{in}", "{out}"], "1"), plain);
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
    // All files in a directory are part of the key, also through symbolic links, except the cache.
    std::fs::create_dir_all(folder.file("elsewhere")).unwrap();
    folder.write("include/a.h", "1");
    std::os::unix::fs::symlink("../elsewhere", folder.file("include/link")).unwrap();
    std::os::unix::fs::symlink("..", folder.file("elsewhere/up")).unwrap();
    for (options, argument) in [
        (&[][..], "-Iinclude"),
        (&[], "include"),
        (&[], "--path=include"),
        (&[], "--passes=a(b{c=1 path=include})"),
        (&["--also", "include"], "{in}"),
    ] {
        let first = key(options, &[argument, "{in}"], "1");
        assert_eq!(key(options, &[argument, "{in}"], "1"), first);
        folder.write("include/new.h", "2");
        let second = key(options, &[argument, "{in}"], "1");
        folder.write("elsewhere/b.h", argument);
        let third = key(options, &[argument, "{in}"], "1");
        assert!(first != second && second != third, "{argument}");
        std::fs::remove_file(folder.file("include/new.h")).unwrap();
        std::fs::remove_file(folder.file("elsewhere/b.h")).unwrap();
        assert_eq!(key(options, &[argument, "{in}"], "1"), first);
    }
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
