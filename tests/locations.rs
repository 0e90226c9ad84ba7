//! Tests file locations that were written with more or fewer than two numbers. Text does not
//! distinguish them, so they are equal content; upstream's bytecode does, so the form is preserved
//! in memory and in both kinds of bytecode.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use rmlir::dialects::register_all;
use rmlir::ir::{
    Context, EqualityOptions, FingerprintOptions, LocationKind, Module, RangeForm, fingerprint,
    semantic_difference,
};
use rmlir::reader::{mlirbc, rmbc};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir::writer;
use rmlir_testing::module_to_string;
use std::process::Command;

const FILE: &str = "tests/locations_short.mlir";

fn context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context
}

fn parse(context: &mut Context, text: &[u8]) -> Module {
    parse_module(context, text, &ParseOptions::for_file(FILE)).unwrap()
}

fn text(context: &Context, module: &Module, local_scope: bool) -> Vec<u8> {
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    options.local_scope = local_scope;
    module_to_string(context, module, &options).unwrap()
}

fn to_mlirbc(context: &mut Context, module: &Module) -> Vec<u8> {
    writer::mlirbc::write_module(context, module, &writer::mlirbc::WriteOptions::default()).unwrap()
}

fn from_mlirbc(context: &mut Context, bytes: &[u8]) -> Module {
    mlirbc::read_module_from_slice(context, bytes, &mlirbc::ReadOptions::default()).unwrap()
}

fn hash(context: &Context, module: &Module) -> String {
    let options = FingerprintOptions { locations: true };
    fingerprint(context, module, module.top(), &options).to_string()
}

/// Returns the forms of the operations' own locations.
fn forms(context: &Context, module: &Module) -> Vec<Option<RangeForm>> {
    let operations = module.descendants(module.top());
    let form = |operation| match context.location_kind(module.location(operation)) {
        LocationKind::FileLineColRange { form, .. } => Some(form),
        _ => None,
    };
    operations.map(form).collect()
}

#[test]
fn forms_are_kept_and_are_no_content() {
    let source = std::fs::read(FILE).unwrap();
    let mut first = context();
    let module = parse(&mut first, &source);
    let said = forms(&first, &module);
    use RangeForm::{File, Full, Line, Range};
    let places = [Line, Full, Range, Full, Line, File, Full, Full, Full].map(Some);
    assert!(said.windows(places.len()).any(|forms| forms == places));

    let bytes = to_mlirbc(&mut first, &module);
    let mut second = context();
    let back = from_mlirbc(&mut second, &bytes);
    assert_eq!(forms(&second, &back), said);
    assert!(to_mlirbc(&mut second, &back) == bytes);

    let options = writer::rmbc::WriteOptions::default();
    let native = writer::rmbc::write_module(&first, &module, &options).unwrap();
    let mut third = context();
    let read = rmbc::ReadOptions::default();
    let carried = rmbc::read_module_from_slice(&mut third, &native, &read).unwrap();
    assert_eq!(forms(&third, &carried), said);
    assert!(to_mlirbc(&mut third, &carried) == bytes);
    let again = writer::rmbc::write_module(&third, &carried, &options).unwrap();
    assert!(again == native);

    // Text loses the form, but has the same content.
    let printed = text(&first, &module, true);
    let mut fourth = context();
    let bare = parse(&mut fourth, &printed);
    let full = forms(&fourth, &bare);
    assert!(full.iter().flatten().all(|form| *form == Full));
    let options = EqualityOptions { locations: true };
    for (context, other) in [(&second, &back), (&third, &carried), (&fourth, &bare)] {
        assert!(text(context, other, true) == printed);
        assert_eq!(hash(context, other), hash(&first, &module));
        let (left, right) = ((&first, &module), (context, other));
        assert_eq!(semantic_difference(left, right, &options), None);
    }
}

/// Text has one spelling for them, so it would be parsed as one location.
#[test]
fn what_text_cannot_tell_apart_is_fused_once() {
    let mut context = context();
    let module = parse(
        &mut context,
        b"\"t.a\"() : () -> () loc(fused[\"f\":3, \"f\":3:0, \"n\"(\"f\":3), \"n\"(\"f\":3:0)])\n",
    );
    let printed = String::from_utf8(text(&context, &module, true)).unwrap();
    assert!(
        printed.contains("loc(fused[\"f\":3:0, \"n\"(\"f\":3:0)])"),
        "{printed}"
    );
}

/// LLVM 19 has no ranges: only the start remains.
#[test]
fn older_releases_get_places() {
    let mut first = context();
    let module = parse(&mut first, b"\"t.a\"() : () -> () loc(\"f\":3)\n");
    let mut options = writer::mlirbc::WriteOptions::default();
    options.target = Some("llvm-19".parse().unwrap());
    let bytes = writer::mlirbc::write_module(&mut first, &module, &options).unwrap();
    let mut second = context();
    let back = from_mlirbc(&mut second, &bytes);
    assert!(
        forms(&second, &back)
            .iter()
            .flatten()
            .all(|form| *form == RangeForm::Full)
    );
    assert!(text(&second, &back, true) == text(&first, &module, true));
}

/// The bytes are those of `mlir-opt-22`, and so is the text, which has an alias for each form.
#[test]
fn upstream_writes_the_same() {
    let program = std::env::var("MLIR_OPT").unwrap_or_else(|_| "mlir-opt-22".to_owned());
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.arg("--allow-unregistered-dialect").args(arguments);
        command.output()
    };
    let Ok(written) = run(&[FILE, "--emit-bytecode"]) else {
        println!("SKIPPED: {program} not found");
        return;
    };
    assert!(written.status.success());
    let mut first = context();
    let module = parse(&mut first, &std::fs::read(FILE).unwrap());
    assert!(to_mlirbc(&mut first, &module) == written.stdout);
    let mut second = context();
    let back = from_mlirbc(&mut second, &written.stdout);
    assert!(to_mlirbc(&mut second, &back) == written.stdout);
    let printed = run(&[FILE, "--mlir-print-op-generic", "--mlir-print-debuginfo"]);
    let ours = [&*text(&first, &module, false), b"\n"].concat();
    assert!(ours == printed.unwrap().stdout);
}
