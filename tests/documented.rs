//! Every public item of the facade has an example.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::ir::definition::Family;
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the public items of a source file whose documentation has no example, each as its line.
fn without_example(text: &str) -> Vec<String> {
    let mut missing = Vec::new();
    let (mut has_example, mut is_hidden) = (false, false);
    for line in text.lines().map(str::trim_start) {
        if let Some(comment) = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))
        {
            has_example |= comment.trim_start().starts_with("```");
        } else if line.starts_with("#[") {
            is_hidden |= line.contains("cfg(test)") || line.contains("doc(hidden)");
        } else {
            let is_item = [
                "pub fn ",
                "pub unsafe fn ",
                "pub struct ",
                "pub enum ",
                "pub trait ",
                "pub type ",
            ];
            if is_item.iter().any(|start| line.starts_with(start)) && !has_example && !is_hidden {
                missing.push(line.to_owned());
            }
            (has_example, is_hidden) = (false, false);
        }
    }
    missing
}

#[test]
fn every_public_item_of_the_facade_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    let (mut folders, mut paths) = (vec![root.join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let list = if path.is_dir() {
                &mut folders
            } else {
                &mut paths
            };
            list.push(path);
        }
    }
    paths.sort();
    assert!(paths.len() > 8);
    // Views and builders of operations are defined in another crate, and part of this one.
    paths.push(root.join("ir/src/op.rs"));
    paths.push(root.join("ir/src/builder.rs"));
    for name in ["groups", "operation", "point", "results", "values"] {
        paths.push(root.join(format!("ir/src/builder/{name}.rs")));
    }
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root).unwrap().display();
        missing.extend(
            without_example(&text)
                .into_iter()
                .map(|item| format!("{name}: {item}")),
        );
    }
    assert!(
        missing.is_empty(),
        "without an example:\n{}",
        missing.join("\n")
    );
}

#[test]
fn items_without_an_example_are_found() {
    let text = "/// One.\npub fn one() {}\n\n/// Two.\n///\n/// ```\n/// two();\n/// ```\n#[must_use]\npub fn two() {}\n\n    pub struct Three;\n";
    assert_eq!(
        without_example(text),
        ["pub fn one() {}", "pub struct Three;"]
    );
}

/// Returns the texts in backquotes of a cell of a table.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn properties_have_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("TESTING.md")).unwrap();
    let (_, table) = text.split_once("\n## Properties\n").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect();
    assert!(rows.len() > 30, "{}", rows.len());
    for row in &rows[1..] {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, file, tests] = cells[..] else {
            panic!("malformed row: {row}");
        };
        let file = quoted(file).next().unwrap();
        let source = std::fs::read_to_string(root.join(file));
        let source = source.unwrap_or_else(|error| panic!("{file}: {error}"));
        for test in quoted(tests) {
            let (before, _) = source
                .split_once(&format!("fn {test}()"))
                .unwrap_or_else(|| panic!("{file} has no test '{test}'"));
            // A program without the test harness is one test.
            let attributes = before.rsplit("\n\n").next().unwrap_or_default();
            assert!(
                test == "main" || attributes.contains("#[test]"),
                "{file}: {test}"
            );
        }
    }
}

#[test]
fn every_bundled_definition_has_a_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialects");
    let sources = std::fs::read_to_string(root.join("sources.toml")).unwrap();
    let sources: toml::Table = sources.parse().unwrap();
    let projects = sources["project"].as_table().unwrap();
    let files = sources["dialect"].as_table().unwrap();
    for (name, source) in files {
        let project = source["project"].as_str().unwrap();
        assert!(projects.contains_key(project), "{name}: {project}");
    }
    for project in projects.values() {
        let family = project["family"].as_str().unwrap();
        let family = Family::from_name(family).unwrap();
        if let Some(releases) = project.get("releases") {
            // Each known release states where its facts come from.
            let releases = releases.as_array().unwrap().iter();
            let numbers = releases.map(|one| {
                let source = ["revision", "within", "date", "version"];
                assert!(source.iter().any(|key| one.get(key).is_some()), "{one:?}");
                u32::try_from(one["number"].as_integer().unwrap()).unwrap()
            });
            assert_eq!(numbers.collect::<Vec<_>>(), family.known_numbers());
        }
    }
    let listed = projects
        .values()
        .filter_map(|project| project.get("dialects"));
    let listed = listed.flat_map(|names| names.as_array().unwrap());
    let mut named: BTreeSet<&str> = listed.map(|name| name.as_str().unwrap()).collect();
    named.extend(files.keys().map(String::as_str));
    let bundled = std::fs::read_dir(root.join("definitions")).unwrap();
    let bundled = bundled.map(|entry| entry.unwrap().path());
    let bundled: Vec<String> = bundled
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let bundled: BTreeSet<&str> = bundled.iter().map(String::as_str).collect();
    assert_eq!(named, bundled);
}
