//! Modules that are imported, linked, split and located anew. `mlir-opt-22` is the judge of
//! results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

mod declarations;
mod definitions;
mod importing;
mod llvm;
mod locations;
mod parts;
mod pieces;
mod splitting;

use rmlir::ir::{
    EqualityOptions, ImportMap, LinkOptions, LocationKind, ModuleAttributes, References, SplitBy,
    SplitOptions, extract_with_declarations, semantic_difference,
};
use rmlir::{Form, Ir, Operation, ReadOptions, WriteOptions};
use std::io::Write;
use std::process::{Command, Stdio};

/// What `mlir-opt-22` prints for an input; none if it is not installed.
fn mlir_opt(input: &[u8], arguments: &[&str]) -> Option<String> {
    let child = Command::new("mlir-opt-22")
        .args(arguments)
        .args(["--allow-unregistered-dialect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(input);
    assert!(output.status.success(), "mlir-opt-22: {errors}\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Upstream reads text and bytecode of the module as the same, and so do we what it prints.
fn judge(ir: &mut Ir) {
    ir.verify().unwrap_or_else(|error| panic!("{error}\n{ir}"));
    let bytes = ir.to_bytes(Form::Mlirbc, &WriteOptions::default()).unwrap();
    let debug = ["--mlir-print-debuginfo", "--mlir-print-op-generic"];
    let mut options = WriteOptions::default();
    options.text.debug_info = true;
    // Upstream has no VHLO.
    options.text.generic = ir.to_string().contains("vhlo.");
    let text = ir.to_text(&options).unwrap();
    let (Some(of_bytes), Some(of_text)) =
        (mlir_opt(&bytes, &debug), mlir_opt(text.as_bytes(), &debug))
    else {
        return;
    };
    assert_eq!(of_bytes, of_text);
    assert_equal(&rmlir::parse(of_bytes).unwrap(), ir);
}

fn assert_equal_with(found: &Ir, expected: &Ir, options: &EqualityOptions) {
    if let Some(difference) = semantic_difference(found.parts(), expected.parts(), options) {
        panic!("{difference}\n{found}\n{expected}");
    }
}

/// The modules are equal, with locations.
fn assert_equal(found: &Ir, expected: &Ir) {
    assert_equal_with(found, expected, &EqualityOptions { locations: true });
}

/// The modules are equal without locations.
fn assert_equal_content(found: &Ir, expected: &Ir) {
    assert_equal_with(found, expected, &EqualityOptions::default());
}

const ALL: [References; 3] = [
    References::Declarations,
    References::Bodies,
    References::Open,
];

fn parse(text: &str) -> Ir {
    let mut options = ReadOptions::default();
    options.verify = true;
    options.keep_names = true;
    options.file_name = "-".to_owned();
    rmlir::parse_with(text, &options).unwrap()
}

fn parse_named(text: &str, name: &str) -> Ir {
    let mut options = ReadOptions::default();
    options.file_name = name.to_owned();
    rmlir::parse_with(text, &options).unwrap()
}

fn link_modules(modules: &[&Ir]) -> Ir {
    rmlir::link(modules, &LinkOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn link(modules: &[&str]) -> Ir {
    let modules: Vec<Ir> = modules.iter().map(|text| parse(text)).collect();
    let mut linked = link_modules(&modules.iter().collect::<Vec<_>>());
    judge(&mut linked);
    linked
}

/// The error, whose text must contain all of `parts`.
fn assert_error(modules: &[&Ir], options: &LinkOptions, parts: &[&str]) {
    let error = match rmlir::link(modules, options) {
        Ok(linked) => panic!("{linked}"),
        Err(error) => error.to_string(),
    };
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in:\n{error}");
    }
}

/// The error of linking texts, which are named `a.mlir`, `b.mlir` and `c.mlir`.
fn link_error(modules: &[&str], options: &LinkOptions, parts: &[&str]) {
    let named = modules.iter().zip(["a.mlir", "b.mlir", "c.mlir"]);
    let modules: Vec<Ir> = named.map(|(text, name)| parse_named(text, name)).collect();
    assert_error(&modules.iter().collect::<Vec<_>>(), options, parts);
}

fn expect(ir: &Ir, expected: &str) {
    assert_equal_content(ir, &parse(expected));
}

const DEDUPE: fn() -> LinkOptions = || {
    let mut options = LinkOptions::default();
    options.dedupe = true;
    options
};
