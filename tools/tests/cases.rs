//! Runs the programs as the files in `cases/` describe, and compares what they print.
//!
//! A case is a file of sections, each of which starts with a line `=== KIND ARGUMENTS` and goes on
//! to the next one. What precedes the first section is a comment.
//!
//! | section | meaning |
//! |---|---|
//! | `file NAME` | the content of a file in the folder where the case runs |
//! | `hex NAME` | the same for bytes, in hexadecimal |
//! | `copy NAME PATH` | a copy of a file of the repository |
//! | `run PROGRAM ARGUMENT...` | a command; `'...'` quotes, `< NAME` and `> NAME` redirect |
//! | `status N` | its exit status, if that is not 0 |
//! | `stdout`, `stderr` | what it prints there, if that is not empty and not redirected |
//! | `same NAME NAME`, `differ NAME NAME` | how the bytes of two files compare |
//! | `folder` | the names of all files in the folder after the previous command, a line each |
//!
//! `BLESS=1 cargo test -p rmlir-tools --test cases` writes what the programs print into the files,
//! for review. A runner of our own, since `trycmd` mixes both streams, needs a folder of files for
//! each case that has inputs, and brings forty crates.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

mod common;

use common::Folder;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A section: its kind, the rest of its first line, and its lines.
struct Section {
    kind: String,
    arguments: String,
    lines: String,
}

/// The last line of a section whose content does not end in a line break.
const OPEN_END: &str = "\\ no line break\n";

fn content(lines: &str) -> &str {
    match lines.strip_suffix(OPEN_END) {
        Some(lines) => lines.strip_suffix('\n').unwrap_or(lines),
        None => lines,
    }
}

fn parse(text: &str) -> (String, Vec<Section>) {
    let mut comment = String::new();
    let mut sections: Vec<Section> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix("=== ") {
            let (kind, arguments) = head
                .trim_end()
                .split_once(' ')
                .unwrap_or((head.trim_end(), ""));
            sections.push(Section {
                kind: kind.to_owned(),
                arguments: arguments.to_owned(),
                lines: String::new(),
            });
        } else {
            match sections.last_mut() {
                Some(section) => section.lines += line,
                None => comment += line,
            }
        }
    }
    (comment, sections)
}

/// The words of a command line: separated by blanks, `'...'` is one word.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn add(out: &mut String, head: &str, lines: &str) {
    assert!(!format!("\n{lines}").contains("\n=== "), "{lines}");
    writeln!(out, "=== {head}").unwrap();
    out.push_str(lines);
    if !lines.is_empty() && !lines.ends_with('\n') {
        out.push('\n');
        out.push_str(OPEN_END);
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

/// Runs a command, and writes its section and what it gave.
fn run(folder: &Folder, arguments: &str, out: &mut String) {
    let mut words = words(arguments);
    let mut redirected = |sign: &str| {
        let at = words.iter().position(|word| word == sign)?;
        words.drain(at..at + 2).nth(1)
    };
    let (input, output) = (redirected("<"), redirected(">"));
    let input = input.map_or_else(Vec::new, |name| folder.read(&name));
    let program = match words.remove(0).as_str() {
        "rmlir" => env!("CARGO_BIN_EXE_rmlir"),
        "rmlir-translate" => env!("CARGO_BIN_EXE_rmlir-translate"),
        other => panic!("there is no program '{other}'"),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = folder.run_program(program, &words, &input);
    add(out, &format!("run {arguments}"), "");
    match done.status.code() {
        Some(0) => {}
        Some(code) => add(out, &format!("status {code}"), ""),
        None => add(out, "status signal", ""),
    }
    let printed = |bytes: Vec<u8>| String::from_utf8(bytes).expect("redirect what is not text");
    match output {
        Some(name) => folder.write(&name, done.stdout),
        None if done.stdout.is_empty() => {}
        None => add(out, "stdout", &printed(done.stdout)),
    }
    if !done.stderr.is_empty() {
        add(out, "stderr", &printed(done.stderr));
    }
}

/// What the file of a case is, if it says what the programs do.
fn replay(name: &str, text: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = Folder::new("", &format!("case-{name}"));
    let (mut out, sections) = parse(text);
    for Section {
        kind,
        arguments,
        lines,
    } in sections
    {
        match kind.as_str() {
            "file" => folder.write(&arguments, content(&lines)),
            "hex" => folder.write(&arguments, bytes(&lines)),
            "copy" => {
                let (to, from) = arguments.split_once(' ').unwrap();
                folder.write(to, std::fs::read(root.join(from)).unwrap());
            }
            "run" => {
                run(&folder, &arguments, &mut out);
                continue;
            }
            "folder" => {
                let names = folder.names().join("\n") + "\n";
                add(&mut out, "folder", &names);
                continue;
            }
            "same" | "differ" => {
                let (left, right) = arguments.split_once(' ').unwrap();
                let kind = match folder.read(left) == folder.read(right) {
                    true => "same",
                    false => "differ",
                };
                add(&mut out, &format!("{kind} {arguments}"), "");
                continue;
            }
            "status" | "stdout" | "stderr" => continue,
            other => panic!("{name}: there is no section '{other}'"),
        }
        writeln!(out, "=== {kind} {arguments}").unwrap();
        out += &lines;
    }
    out
}

/// Two texts, from the first line on in which they differ.
fn difference(expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines());
    let same = same.take_while(|(left, right)| left == right).count();
    let rest = |text: &str| {
        text.lines()
            .skip(same)
            .take(12)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let line = same + 1;
    format!(
        "line {line}\nexpected:\n{}\nfound:\n{}",
        rest(expected),
        rest(found)
    )
}

#[test]
fn programs_print_what_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut failed = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let expected = std::fs::read_to_string(file).unwrap();
        let found = replay(name, &expected);
        if found == expected {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(file, found).unwrap();
        } else {
            failed.push(format!("{name}, {}", difference(&expected, &found)));
        }
    }
    assert!(
        failed.is_empty(),
        "{}\n'BLESS=1' renews the files",
        failed.join("\n\n")
    );
    assert!(files.len() > 5);
}

#[test]
fn a_case_that_differs_fails() {
    let good = "=== file a.mlir\nmodule {\n=== run rmlir verify a.mlir\n=== status 1\n";
    let found = replay("differs", good);
    assert_ne!(found, good);
    assert!(found.contains("=== stderr\na.mlir:"), "{found}");
    assert_eq!(replay("differs", &found), found);
}
