//! Every public item of the facade has an example.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

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
    // Views of operations are defined in another crate, and part of this one.
    paths.push(root.join("ir/src/op.rs"));
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
