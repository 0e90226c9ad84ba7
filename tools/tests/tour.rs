//! Tests that the commands of three pages of the guide print what the pages show. `BLESS=1` writes
//! what they print into the pages, for review.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use std::path::Path;
use std::process::Command;

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

#[test]
fn the_commands_print_what_the_tour_shows() {
    assert!(check("tour.md", "tour") > 10);
}

#[test]
fn the_commands_print_what_the_page_on_older_editions_shows() {
    assert_eq!(check("older-editions.md", "older_editions"), 3);
}

#[test]
fn the_commands_print_what_the_page_on_stablehlo_shows() {
    assert_eq!(check("stablehlo.md", "stablehlo"), 4);
}

/// Checks a page, whose commands run in a copy of a folder of the examples. Returns the number of
/// commands.
fn check(page: &str, examples: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let guide = root.join("guide").join(page);
    let text = std::fs::read_to_string(&guide).unwrap();
    let folder = format!("rmlir-{examples}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    for file in std::fs::read_dir(root.join("examples").join(examples)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    let mut found = String::new();
    let mut commands = 0;
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\n```console\n") {
        let (block, after) = after.split_once("\n```").unwrap();
        found += before;
        found += "\n```console\n";
        for command in format!("{block}\n").split("$ rmlir ").skip(1) {
            let line = command.lines().next().unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
                .args(words(line))
                .current_dir(&folder)
                .output()
                .unwrap();
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap();
            found += &format!("$ rmlir {line}\n{printed}");
            commands += 1;
        }
        found += "```";
        rest = after;
    }
    found += rest;
    std::fs::remove_dir_all(&folder).unwrap();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&guide, found).unwrap();
        return commands;
    }
    for (number, (expected, found)) in text.lines().zip(found.lines()).enumerate() {
        assert_eq!(expected, found, "guide/{page}, line {}", number + 1);
    }
    assert_eq!(text.len(), found.len());
    commands
}
