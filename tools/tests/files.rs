//! Tests the files that the programs read and write, and their exit status.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::Folder;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

const RMLIR: &str = env!("CARGO_BIN_EXE_rmlir");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_rmlir-translate");

const GOOD: &str = "\"t.a\"() : () -> ()\n";
const BLOB: &str = "\"t.a\"() {a = dense_resource<x> : tensor<4xi8>} : () -> ()\n\
                    {-# dialect_resources: {builtin: {x: \"0x0800000001020304\"}} #-}";

/// Runs the program; returns its exit status and standard error.
fn run(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let output = folder.run(arguments, b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), errors)
}

#[test]
fn a_bad_input_does_not_hide_the_others() {
    let folder = Folder::new(RMLIR, "files-each");
    folder.write("good.mlir", GOOD);
    folder.write("bad.mlir", "bad");
    let output = folder.run(
        &["hash", "good.mlir", "bad.mlir", "missing", "good.mlir"],
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), 2);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("error: missing: No such file or directory\n"),
        "{errors}"
    );
    assert!(errors.contains("bad.mlir:1:1: error"), "{errors}");
}

#[test]
fn one_standard_input_is_not_two_sides() {
    let folder = Folder::new(RMLIR, "files-sides");
    let (status, errors) = run(&folder, &["diff", "-", "-"]);
    assert_eq!(status, 2);
    assert!(errors.contains("both sides"), "{errors}");
}

/// The names of the files with the blobs of `a.rmbc`.
fn blobs(folder: &Folder) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.file("a.rmbc.blobs")) else {
        return Vec::new();
    };
    entries
        .map(|entry| format!("a.rmbc.blobs/{}", entry.unwrap().file_name().display()))
        .collect()
}

const EXTERNAL: [&str; 6] = ["convert", "a.mlir", "-o", "a.rmbc", "--external-blobs", "1"];

#[test]
fn a_pipe_is_no_file_of_blobs() {
    let folder = Folder::new(RMLIR, "files-pipe");
    folder.write("a.mlir", BLOB);
    assert_eq!(run(&folder, &EXTERNAL), (0, String::new()));
    let [name] = blobs(&folder).try_into().unwrap();
    std::fs::remove_file(folder.file(&name)).unwrap();
    let made = Command::new("mkfifo").arg(folder.file(&name)).status();
    assert!(made.unwrap().success());
    let (status, errors) = run(&folder, &["verify", "a.rmbc"]);
    assert_eq!(status, 1);
    assert!(errors.contains("it is not a regular file"), "{errors}");
}

#[test]
fn a_module_and_its_blobs_are_replaced_together() {
    let folder = Folder::new(RMLIR, "files-together");
    folder.write("a.mlir", BLOB);
    assert_eq!(run(&folder, &EXTERNAL), (0, String::new()));
    let [old] = blobs(&folder).try_into().unwrap();
    let (old_module, old_blobs) = (folder.read("a.rmbc"), folder.read(&old));

    // A new output that fails leaves the previous one with its blobs.
    folder.write("a.mlir", BLOB.replace("01020304", "05060708"));
    folder.write("full.mlir", BLOB.replace("01020304", "ffffffff"));
    symlink("/dev/full", folder.file("b.rmbc")).unwrap();
    let arguments = [
        "convert",
        "full.mlir",
        "-o",
        "b.rmbc",
        "--external-blobs",
        "1",
    ];
    assert_eq!(run(&folder, &arguments).0, 1);
    assert_eq!(run(&folder, &["verify", "a.rmbc"]), (0, String::new()));

    // The same bytes whatever was there before; what is no longer needed is removed.
    folder.write("a.rmbc.blobs/notes", "kept");
    assert_eq!(run(&folder, &EXTERNAL), (0, String::new()));
    let mut names = blobs(&folder);
    names.retain(|name| !name.ends_with("notes"));
    let [new] = names.try_into().unwrap();
    assert_ne!(old, new);
    // Between the two steps of a write: the previous module, and the blobs of both.
    let new_module = folder.read("a.rmbc");
    folder.write("a.rmbc", &old_module);
    folder.write(&old, &old_blobs);
    assert_eq!(run(&folder, &["verify", "a.rmbc"]), (0, String::new()));
    assert_eq!(run(&folder, &EXTERNAL), (0, String::new()));
    assert_eq!(folder.read("a.rmbc"), new_module);
    assert!(!blobs(&folder).contains(&old));

    std::fs::remove_file(folder.file("a.rmbc.blobs/notes")).unwrap();
    let arguments = ["convert", "a.mlir", "-o", "a.rmbc"];
    assert_eq!(run(&folder, &arguments), (0, String::new()));
    assert!(!folder.file("a.rmbc.blobs").exists());
    folder.write("a.rmbc.blobs", "a file of somebody");
    assert_eq!(run(&folder, &arguments), (0, String::new()));
    let (status, errors) = run(&folder, &EXTERNAL);
    assert_eq!(
        (status, errors.as_str()),
        (1, "error: a.rmbc.blobs: it is not a folder\n")
    );
}

#[test]
fn writers_of_one_output_with_blobs_do_not_mix() {
    let folder = Folder::new(RMLIR, "files-mix");
    for number in 0..4 {
        let text = BLOB.replace("01020304", &format!("0102030{number}"));
        folder.write(&format!("{number}.mlir"), text);
    }
    std::thread::scope(|scope| {
        for number in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let input = format!("{number}.mlir");
                for round in 0..10 {
                    let mut arguments = vec!["convert", &input, "-o", "a.rmbc"];
                    if (round + number) % 4 > 0 {
                        arguments.extend(["--external-blobs", "1"]);
                    }
                    assert_eq!(run(folder, &arguments), (0, String::new()));
                }
            });
        }
    });
    assert_eq!(run(&folder, &["verify", "a.rmbc"]), (0, String::new()));
    assert!(blobs(&folder).len() < 2);
}

/// Runs a shell command on the program, with the folder as current directory.
fn shell(folder: &Folder, command: &str) -> (i32, String) {
    let output = folder.run_program("sh", &["-c", &command.replace("PROGRAM", RMLIR)], b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), errors)
}

#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::new(RMLIR, "files-closed");
    folder.write("a.mlir", GOOD);
    for command in [
        "list a.mlir",
        "convert a.mlir",
        "--help",
        "--version",
        "man",
    ] {
        let (status, errors) = shell(&folder, &format!("PROGRAM {command} >&-"));
        assert_eq!(
            (status, errors.as_str()),
            (1, "error: <stdout>: Bad file descriptor\n"),
            "{command}"
        );
    }
    let translate = format!("{TRANSLATE} a.mlir >&-");
    assert_eq!(shell(&folder, &translate).0, 1);
    // Without output there is no error, nor with `/dev/null`, however it was opened.
    assert_eq!(shell(&folder, "PROGRAM verify a.mlir >&-").0, 0);
    assert_eq!(shell(&folder, "PROGRAM convert a.mlir -o b >&-").0, 0);
    assert_eq!(shell(&folder, "PROGRAM convert a.mlir 1<>/dev/null").0, 0);
}

/// A program that writes `out` until it is killed, beginning with a shell command.
#[cfg(target_os = "linux")]
struct Endless<'f> {
    child: std::process::Child,
    folder: &'f Folder,
}

#[cfg(target_os = "linux")]
impl<'f> Endless<'f> {
    fn start(folder: &'f Folder, before: &str) -> Self {
        let attack = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../attacks/doubling_functions.mlir"
        );
        // The test may have been started with signals ignored, which a shell cannot undo.
        let command = format!(
            "{before} exec {TRANSLATE} --generic --max-output 100000000000 {attack} -o out"
        );
        let mut shell = Command::new("env");
        shell.args(["--default-signal=HUP,INT,TERM", "sh", "-c", &command]);
        shell.current_dir(folder.file("."));
        let child = shell.spawn().unwrap();
        let started = Endless { child, folder };
        started.wait_until(|names| names.iter().any(|name| name.ends_with(".tmp")));
        started
    }

    fn wait_until(&self, is: impl Fn(&[String]) -> bool) {
        for _ in 0..6_000 {
            if is(&self.folder.names()) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("{:?}", self.folder.names());
    }

    fn kill(&self, signal: &str) {
        let process = self.child.id().to_string();
        let killed = Command::new("kill").args([signal, &process]).status();
        assert!(killed.unwrap().success());
    }

    /// Returns the number of the signal that ended it.
    fn signal(mut self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&self.child.wait().unwrap())
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_leave_no_temporary_files() {
    let folder = Folder::new(RMLIR, "files-signals");
    folder.write("out", "old");
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let running = Endless::start(&folder, "");
        running.kill(name);
        assert_eq!(running.signal(), Some(number));
        assert_eq!(folder.names(), ["out"], "{name}");
    }
    // As `nohup` starts it.
    let running = Endless::start(&folder, "trap '' HUP;");
    running.kill("-HUP");
    running.kill("-TERM");
    assert_eq!(running.signal(), Some(15));
    assert_eq!(folder.names(), ["out"]);
    // Nobody can catch this one. The next write in the directory removes the file.
    let running = Endless::start(&folder, "");
    running.kill("-KILL");
    assert_eq!(running.signal(), Some(9));
    assert_eq!(folder.names(), [".rmlir-0.tmp", "out"]);
    folder.write(".rmlir-0.tmp", "dead");
    let alive = Endless::start(&folder, "");
    // The name alone may still be that of the dead program's file.
    alive.wait_until(|_| {
        std::fs::read(folder.file(".rmlir-0.tmp")).is_ok_and(|text| text != b"dead")
    });
    folder.write("a.mlir", GOOD);
    assert_eq!(run(&folder, &["convert", "a.mlir", "-o", "b"]).0, 0);
    assert_eq!(folder.names(), [".rmlir-0.tmp", "a.mlir", "b", "out"]);
    alive.kill("-TERM");
    assert_eq!(alive.signal(), Some(15));
    assert_eq!(folder.names(), ["a.mlir", "b", "out"]);
    assert_eq!(folder.read("out"), b"old");
}

#[test]
fn links_are_written_through() {
    let folder = Folder::new(RMLIR, "files-links");
    folder.write("a.mlir", GOOD);
    std::fs::create_dir(folder.file("inner")).unwrap();
    symlink("inner/second", folder.file("first")).unwrap();
    symlink("third.mlir", folder.file("inner/second")).unwrap();
    assert_eq!(run(&folder, &["convert", "a.mlir", "-o", "first"]).0, 0);
    let is_link = |name: &str| folder.file(name).symlink_metadata().unwrap().is_symlink();
    assert!(is_link("first") && is_link("inner/second") && !is_link("inner/third.mlir"));
    assert!(!folder.read("inner/third.mlir").is_empty());
    symlink("round", folder.file("round")).unwrap();
    let (status, errors) = run(&folder, &["convert", "a.mlir", "-o", "round"]);
    assert!(status == 1 && errors.contains("symbolic links"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_the_name_of_the_output() {
    let folder = Folder::new(RMLIR, "files-full");
    folder.write("a.mlir", GOOD);
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for (program, arguments) in [
        (RMLIR, ["--help"].as_slice()),
        (RMLIR, &["list", "a.mlir"]),
        (RMLIR, &["convert", "a.mlir"]),
        (RMLIR, &["convert", "--to=rmbc", "a.mlir"]),
        (RMLIR, &["man"]),
        (TRANSLATE, &["--version"]),
        (TRANSLATE, &["a.mlir"]),
    ] {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder.file("."))
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            errors, "error: <stdout>: No space left on device\n",
            "{arguments:?}"
        );
        assert_eq!(output.status.code(), Some(1));
    }
    let (status, errors) = run(&folder, &["convert", "a.mlir", "-o", "/dev/full"]);
    assert_eq!(
        (status, errors.as_str()),
        (1, "error: /dev/full: No space left on device\n")
    );
}

#[test]
fn identity_of_distinct_attributes_is_not_lost_silently() {
    let shared = "#d = #llvm.alias_scope_domain<id = distinct[0]<>, description = \"dom\">\n\
                  #s1 = #llvm.alias_scope<id = distinct[1]<>, domain = #d>\n\
                  #s2 = #llvm.alias_scope<id = distinct[2]<>, domain = #d>\n\
                  \"t.o\"() {a = #s1, b = #s2} : () -> ()\n";
    // Alone in one text, or outside of texts, a distinct attribute keeps its identity.
    let kept = "#d = #llvm.alias_scope_domain<id = distinct[0]<>>\n\
                #e = distinct[1]<unit>\n\
                \"t.o\"() {a = #llvm.alias_scope<id = distinct[2]<>, domain = #d>, b = #e, c = [#e]} : () -> ()\n";
    let folder = Folder::new(RMLIR, "files-distinct");
    folder.write("shared.mlir", shared);
    folder.write("kept.mlir", kept);
    let (status, errors) = run(&folder, &["convert", "shared.mlir", "-o", "x.mlirbc"]);
    assert_eq!(status, 1);
    assert!(
        errors.contains("#llvm.alias_scope<") && errors.contains("'t.o'"),
        "{errors}"
    );
    assert!(!folder.names().contains(&"x.mlirbc".to_owned()));
    assert_eq!(
        run(
            &folder,
            &["convert", "shared.mlir", "-o", "x.mlirbc", "--lossy"]
        )
        .0,
        0
    );
    assert_eq!(run(&folder, &["diff", "shared.mlir", "x.mlirbc"]).0, 1);
    assert_eq!(
        run(&folder, &["convert", "kept.mlir", "-o", "y.mlirbc"]),
        (0, String::new())
    );
    assert_eq!(run(&folder, &["diff", "kept.mlir", "y.mlirbc"]).0, 0);

    let folder = Folder::new(TRANSLATE, "files-round-trip");
    folder.write("shared.mlir", shared);
    folder.write("kept.mlir", kept);
    let arguments = ["--verify-roundtrip", "--to-mlirbc", "-o", "x"];
    assert_eq!(
        run(&folder, &[&arguments[..], &["kept.mlir"]].concat()).0,
        0
    );
    let (status, errors) = run(
        &folder,
        &[&arguments[..], &["--lossy", "shared.mlir"]].concat(),
    );
    assert_eq!(status, 1);
    assert!(
        errors.contains("round trip: the content differs"),
        "{errors}"
    );
}

#[test]
fn a_terminal_shows_phase_and_percentage() {
    const SPAWN: &str = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    if !Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
    {
        println!("SKIPPED: there is no python3");
        return;
    }
    let folder = Folder::new(RMLIR, "files-terminal");
    let operation = "%0 = \"t.a\"() {a = [1, 2, 3], b = \"text\"} : () -> i32\n";
    // Work of less than a second shows nothing: a machine that is fast gets more of it.
    for operations in [1 << 17, 1 << 19, 1 << 21, 1 << 23] {
        let text = operation.repeat(operations).replace("%0 = ", "");
        folder.write("a.mlir", &text);
        let output = Command::new("python3")
            .args(["-c", SPAWN, RMLIR, "info", "a.mlir", "--threads", "1"])
            .current_dir(folder.file("a.mlir").parent().unwrap())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success());
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let percentages: Vec<u64> = shown
            .split("reading a.mlir [")
            .skip(1)
            .filter_map(|bar| bar.split_once("] ")?.1.split_once(" %")?.0.parse().ok())
            .collect();
        assert!(percentages.is_sorted(), "{percentages:?}");
        if percentages
            .iter()
            .any(|&percent| (1..100).contains(&percent))
        {
            // The bar is removed before the answer.
            let (_, answer) = shown.rsplit_once(" %").unwrap();
            assert!(answer.contains("a.mlir: text"), "{answer}");
            return;
        }
    }
    panic!("nothing was shown");
}
