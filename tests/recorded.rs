//! Operations of LLVM's dialects under the rules of another release: `recorded/RELEASE/NAME.mlir`
//! is what that release's `mlir-opt` prints for texts that were written for this test, with every
//! optional part of their syntax that LLVM 22 has not, and `NAME.generic.mlir` its print of the
//! same in generic form. Both are read with the same content and printed as that custom text. The
//! pieces of `refused.mlir` are texts that it refuses, each with the line and column of the error.
//!
//! Made with LLVM 19.1.7, 21.1.8, 23.1.4, and with LLVM 24 as of 2026-10-25. Texts that LLVM 19 and
//! 21 refuse were not recorded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir::ir::definition::Release;
use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::module_to_string;
use std::path::{Path, PathBuf};

const RELEASES: [(&str, Release); 4] = [
    ("llvm-19", Release::LLVM_19),
    ("llvm-21", Release::LLVM_21),
    ("llvm-23", Release::LLVM_23),
    ("llvm-24", Release::LLVM_24),
];

/// Returns the texts of a release.
fn texts(release: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let entries = std::fs::read_dir(folder.join(release)).unwrap();
    let mut texts: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    texts.sort();
    texts
}

fn context(release: Release) -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context.set_release(release);
    context
}

fn read(context: &mut Context, path: &Path) -> Module {
    let text = std::fs::read(path).unwrap();
    match parse_module(context, &text, &ParseOptions::for_file("text")) {
        Ok(module) => module,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn custom_texts_are_those_of_the_release() {
    let mut count = 0;
    for (name, release) in RELEASES {
        for path in texts(name) {
            let file = path.to_string_lossy().into_owned();
            if file.ends_with(".generic.mlir") || file.ends_with("refused.mlir") {
                continue;
            }
            count += 1;
            let mut context = context(release);
            let custom = read(&mut context, &path);
            let generic = read(&mut context, &path.with_extension("generic.mlir"));
            let expected = std::fs::read_to_string(&path).unwrap();
            for module in [&custom, &generic] {
                let printed = module_to_string(&context, module, &PrintOptions::default()).unwrap();
                let printed = String::from_utf8(printed).unwrap();
                for (ours, theirs) in printed.lines().zip(expected.lines()) {
                    assert_eq!(ours, theirs, "{file}");
                }
                assert_eq!(printed.trim_end(), expected.trim_end());
            }
            let equality = EqualityOptions { locations: false };
            let (a, b) = ((&context, &custom), (&context, &generic));
            let difference = semantic_difference(a, b, &equality);
            assert!(difference.is_none(), "{file}: {}", difference.unwrap());
        }
    }
    assert!(count >= 25, "{count} texts");
}

/// Each piece begins with a comment that has the position in the rest of the piece.
#[test]
fn what_the_release_refuses_is_refused_at_the_same_position() {
    let mut count = 0;
    let mut others = Vec::new();
    for (name, release) in RELEASES {
        let refused = texts(name)
            .into_iter()
            .find(|path| path.ends_with("refused.mlir"));
        let Some(refused) = refused else { continue };
        let text = std::fs::read_to_string(refused).unwrap();
        for piece in text.split("// -----\n") {
            count += 1;
            let (head, piece) = piece.split_once('\n').unwrap();
            let position = head.strip_prefix("// ").unwrap();
            let mut context = context(release);
            let options = ParseOptions::for_file("text");
            let found = match parse_module(&mut context, piece.as_bytes(), &options) {
                Ok(_) => "none".to_owned(),
                Err(error) => error.to_string(),
            };
            if !found.starts_with(&format!("text:{position}: ")) {
                others.push(format!("{name} {position}: {found}\n{piece}"));
            }
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    assert!(count >= 100, "{count} pieces");
}
