//! Texts of the dialect `moore` of CIRCT, whose types are written without the dialect's name where
//! the class of an operand or a parameter is the dialect's own. CIRCT's package for Python does not
//! have the dialect: the expected texts follow its sources. `moore/NAME.mlir` is read and printed
//! as the same bytes, and its generic form has the same content.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::module_to_string;
use std::path::Path;

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn read(context: &mut Context, text: &str) -> Module {
    let options = ParseOptions::for_file("text");
    parse_module(context, text.as_bytes(), &options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn print(context: &Context, module: &Module, generic: bool) -> String {
    let mut options = PrintOptions::default();
    options.generic = generic;
    let printed = module_to_string(context, module, &options).unwrap();
    String::from_utf8(printed).unwrap()
}

#[test]
fn texts_are_printed_as_they_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moore");
    for entry in std::fs::read_dir(folder).unwrap() {
        let expected = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut first = context();
        let module = read(&mut first, &expected);
        let printed = print(&first, &module, false);
        for (ours, line) in printed.lines().zip(expected.lines()) {
            assert_eq!(ours, line);
        }
        assert_eq!(printed.trim_end(), expected.trim_end());
        let mut second = context();
        let again = read(&mut second, &print(&first, &module, true));
        let equality = EqualityOptions { locations: false };
        let difference = semantic_difference((&first, &module), (&second, &again), &equality);
        assert!(difference.is_none(), "{}", difference.unwrap());
    }
}

/// Equal numbers have one text: decimal, else hexadecimal, else binary.
#[test]
fn constants_have_one_text() {
    for (text, expected) in [
        ("h123456789ABCDEF0 : i64", "1311768467463790320 : i64"),
        ("255 : i8", "-1 : i8"),
        ("0x7f : i8", "127 : i8"),
        ("b1010 : i8", "10 : i8"),
        ("b1 : i1", "-1 : i1"),
        ("b1010XZ : l8", "b1010XZ : l8"),
        ("b0XXXX1111 : l9", "hXF : l9"),
        ("hxz : !moore.l8", "hXZ : l8"),
        ("b000 : l3", "0 : l3"),
    ] {
        let mut context = context();
        let module = read(&mut context, &format!("%0 = moore.constant {text}\n"));
        let printed = print(&context, &module, false);
        assert_eq!(
            printed.lines().nth(1),
            Some(&*format!("  %0 = moore.constant {expected}"))
        );
    }
    let attribute =
        "module attributes {a = #moore.fvint<h2A : 9>, b = #moore.fvint<42 : 9>} {\n}\n";
    let mut context = context();
    let module = read(&mut context, attribute);
    let printed = print(&context, &module, false);
    assert!(
        printed.contains("a = #moore.fvint<42 : 9>, b = #moore.fvint<42 : 9>"),
        "{printed}"
    );
}

#[test]
fn invalid_texts_are_refused() {
    for (text, message) in [
        ("%0 = moore.constant 256 : i8", "value requires 9 bits"),
        ("%0 = moore.constant bX : i8", "two-valued bits"),
        ("%0 = moore.constant b2 : i8", "digits"),
        ("%0 = moore.constant b : i8", "digits"),
        ("%0 = moore.constant 1 : string", "invalid kind of type"),
        ("%0 = moore.constant 1 : !hw.string", "invalid kind of type"),
    ] {
        let options = ParseOptions::for_file("text");
        let error = parse_module(&mut context(), text.as_bytes(), &options);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// Such types are not of the dialect's definition; files can have them nevertheless.
#[test]
fn types_with_other_bodies_come_back() {
    for ty in [
        "array<2 x complex<f32>>",
        "ref<array<2 x complex<f32>>>",
        "unknown_type<!moore.l8 j>",
        "other",
    ] {
        let text = format!(
            "%0 = \"test.source\"() : () -> !moore.{ty}\n\"moore.output\"(%0) : (!moore.{ty}) -> ()\n"
        );
        let mut first = context();
        let module = read(&mut first, &text);
        let printed = print(&first, &module, false);
        let mut second = context();
        let again = read(&mut second, &printed);
        let equality = EqualityOptions { locations: false };
        let difference = semantic_difference((&first, &module), (&second, &again), &equality);
        assert!(difference.is_none(), "{}: {printed}", difference.unwrap());
    }
}
