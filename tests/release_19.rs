//! Compares texts parsed by the rules of LLVM 19 with `mlir-opt-19`, or the program that
//! `MLIR_OPT_19` names.
//!
//! Skipped if that program is not installed.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

use rmlir::ir::definition::Release;
use rmlir::ir::{Context, EqualityOptions, semantic_difference};
use rmlir::text::{ParseOptions, parse_module};
use std::path::Path;
use std::process::Command;

#[test]
fn what_is_read_is_what_upstream_makes() {
    let program = std::env::var("MLIR_OPT_19").unwrap_or_else(|_| "mlir-opt-19".to_owned());
    if Command::new(&program).arg("--version").output().is_err() {
        println!("SKIPPED: {program} not found");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/release_19");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let theirs = Command::new(&program)
            .arg("--mlir-print-op-generic")
            .arg(&path)
            .output()
            .unwrap();
        assert!(theirs.status.success(), "{}", path.display());
        let read = |text: &[u8], normalize: bool| {
            let mut context = Context::new();
            rmlir::dialects::register_all(&mut context);
            context.set_release(Release::LLVM_19);
            let mut options = ParseOptions::default();
            options.normalize = normalize;
            let parsed = parse_module(&mut context, text, &options);
            let module = parsed.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            (context, module)
        };
        let ours = read(&std::fs::read(&path).unwrap(), true);
        // Without normalization: nothing that upstream has omitted is added.
        let theirs = read(&theirs.stdout, false);
        let equality = EqualityOptions { locations: false };
        let difference = semantic_difference((&ours.0, &ours.1), (&theirs.0, &theirs.1), &equality);
        assert!(difference.is_none(), "{}", difference.unwrap());
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn bytecode_of_older_releases_has_attributes_of_llvm_as_text() {
    let text = "\"t.a\"() {x = #llvm.di_basic_type<name = \"int\">} : () -> ()";
    let releases = [
        (Release::LLVM_19, true),
        (Release::LLVM_20, true),
        (Release::LLVM_21, true),
        (Release::LLVM_22, false),
    ];
    for (release, is_text) in releases {
        let mut ir = rmlir::parse(text).unwrap();
        let mut options = rmlir::WriteOptions::default();
        options.mlirbc.target = Some(release);
        let bytes = ir.to_bytes(rmlir::Form::Mlirbc, &options).unwrap();
        let name = b"di_basic_type<";
        let found = bytes.windows(name.len()).any(|window| window == name);
        assert_eq!(found, is_text, "{release:?}");
        let again = rmlir::read(bytes).unwrap();
        assert_eq!(again.to_string(), ir.to_string());
    }
}
