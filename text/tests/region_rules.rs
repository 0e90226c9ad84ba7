//! Tests the constraints on regions in definitions, and how the verifier applies them.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::{Context, DialectDefinition, VerifyOptions, verify};
use rmlir_text::{ParseOptions, message_to_string, parse_module};

const DEFINITION: &str = "\
dialect toy
op two
  regions body: SizedRegion(2)
op more
  regions body: MinSizedRegion(2), rest: variadic Blocks(1)
op many
  regions body: AnyRegion arguments (I32, (i32 | f32)), rest: variadic AnyRegion arguments ()
op sized
  regions body: MaxSizedRegion(2) arguments (I32)
op like(x: optional AnyType, s: AnyType) -> (r: AnyType)
  traits AllTypesMatch(body#0, x, body#1), AllElementTypesMatch(s, body#2), AllTypesMatch(r, rest#0) \"results and arguments are alike\"
  regions body: AnyRegion arguments (AnyType, AnyType, AnyType, AnyType), rest: variadic AnyRegion arguments (AnyType)
  types body#3 = element(s)
op function
  regions body: AnyRegion arguments (AnyType, AnyType)
  attr t: TypeAttr
  types body#0 = value(t), body#1 = same(body#0)
op releases
  regions body: AnyRegion arguments (I32) until 19, body: AnyRegion since 22
";

/// Returns the first error of a text, with its line and column if they are not the operation's.
fn refusal(text: &str) -> Option<String> {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(DEFINITION, &()).unwrap());
    let options = ParseOptions::for_file("-");
    let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
    let found = verify(&context, &module, module.top(), &VerifyOptions::default());
    let errors = found.err()?;
    let error = errors.first()?;
    let message = message_to_string(&context, &module, &error.message);
    if error.location == module.location(error.operation) {
        assert!(error.notes.is_empty());
        return Some(message);
    }
    assert_eq!(
        error.notes.first().map(|note| note.location),
        Some(module.location(error.operation))
    );
    let (_, line, column) = context.place_in_file(error.location)?;
    Some(format!("{line}:{column}: {message}"))
}

/// Returns an operation with a region for each of these lists of arguments.
fn with_regions(before: &str, regions: &[&[&str]], behind: &str) -> String {
    let regions = regions.iter().map(|types| {
        let mut number = 0;
        let arguments = types.iter().map(|ty| {
            number += 1;
            format!("%a{number}: {ty}")
        });
        let arguments: Vec<String> = arguments.collect();
        match arguments.as_slice() {
            [] => "{\n\"x.y\"() : () -> ()\n}".to_owned(),
            all => format!("{{\n^bb0({}):\n\"x.y\"() : () -> ()\n}}", all.join(", ")),
        }
    });
    let regions: Vec<String> = regions.collect();
    format!("{before} ({}) {behind}", regions.join(", "))
}

#[test]
fn numbers_of_blocks() {
    let one = "{\n\"x.y\"() : () -> ()\n}";
    let two = "{\n\"x.y\"()[^bb1] : () -> ()\n^bb1:\n\"x.y\"() : () -> ()\n}";
    let three = "{\n\"x.y\"()[^bb1] : () -> ()\n^bb1:\n\"x.y\"()[^bb2] : () -> ()\n^bb2:\n\"x.y\"() : () -> ()\n}";
    for (name, regions, expected) in [
        ("two", &[two][..], None),
        (
            "two",
            &[one],
            Some(
                "'toy.two' op region #0 ('body') failed to verify constraint: region with 2 blocks",
            ),
        ),
        (
            "two",
            &[three],
            Some(
                "'toy.two' op region #0 ('body') failed to verify constraint: region with 2 blocks",
            ),
        ),
        ("more", &[three, one, one], None),
        (
            "more",
            &[one],
            Some(
                "'toy.more' op region #0 ('body') failed to verify constraint: region with at least 2 blocks",
            ),
        ),
        (
            "more",
            &[two, one, two],
            Some("expected region 2 to have 1 block(s) but got 2"),
        ),
        (
            "more",
            &[two, one, "{}"],
            Some("expected region 2 to have 1 block(s) but got 0"),
        ),
        // The number of blocks is checked before the arguments.
        (
            "sized",
            &[three],
            Some(
                "'toy.sized' op region #0 ('body') failed to verify constraint: region with at most 2 blocks",
            ),
        ),
        (
            "sized",
            &[two],
            Some("expected region 0 to have 1 arguments but got 0"),
        ),
    ] {
        let text = format!("\"toy.{name}\"() ({}) : () -> ()", regions.join(", "));
        assert_eq!(refusal(&text).as_deref(), expected, "{text}");
    }
}

#[test]
fn arguments_of_entry_blocks() {
    for (regions, expected) in [
        (&[&["i32", "f32"][..]][..], None),
        (&[&["i32", "i32"], &[], &[]], None),
        (
            &[&["i32"]],
            Some("2:6: expected region 0 to have 2 arguments but got 1"),
        ),
        (
            &[&[]],
            Some("expected region 0 to have 2 arguments but got 0"),
        ),
        (
            &[&["i32", "i8"]],
            Some("2:16: 'i8' does not satisfy the constraint"),
        ),
        (&[&["f32", "i8"]], Some("2:6: expected 'i32' but got 'f32'")),
        (
            &[&["i32", "f32"], &[], &["i8"]],
            Some("7:6: expected region 2 to have 0 arguments but got 1"),
        ),
    ] {
        let text = with_regions("\"toy.many\"()", regions, ": () -> ()");
        assert_eq!(refusal(&text).as_deref(), expected, "{text}");
    }
    // A rule of another release.
    let text = with_regions("\"toy.releases\"()", &[&["i8", "i8"]], ": () -> ()");
    assert_eq!(refusal(&text), None);
}

#[test]
fn arguments_are_related_to_what_is_around() {
    let define = "%s, %i, %f = \"x.y\"() : () -> (tensor<4xi8>, i32, f32)\n%r = \"toy.like\"";
    for (operands, types, regions, expected) in [
        (
            "%s",
            "tensor<4xi8>",
            &[&["i1", "i1", "tensor<2xi8>", "i8"][..]][..],
            None,
        ),
        (
            "%i, %s",
            "i32, tensor<4xi8>",
            &[&["i32", "i32", "i8", "i8"], &["f32"], &["f32"]],
            None,
        ),
        (
            "%i, %s",
            "i32, tensor<4xi8>",
            &[&["i64", "i32", "i8", "i8"]],
            Some("3:6: expected 'i32' but got 'i64'"),
        ),
        (
            "%s",
            "tensor<4xi8>",
            &[&["i64", "i32", "i8", "i8"]],
            Some("3:16: expected 'i64' but got 'i32'"),
        ),
        (
            "%s",
            "tensor<4xi8>",
            &[&["i1", "i1", "tensor<2xi9>", "i8"]],
            Some("3:24: failed to verify that all of {s, body#2} have same element type"),
        ),
        (
            "%s",
            "tensor<4xi8>",
            &[&["i1", "i1", "i8", "i9"]],
            Some("3:33: failed to verify that type of 'body#3' is element(s)"),
        ),
        (
            "%s",
            "tensor<4xi8>",
            &[&["i1", "i1", "i8", "i8"], &["f32"], &["i32"]],
            Some("9:6: failed to verify that results and arguments are alike"),
        ),
    ] {
        let behind = format!(": ({types}) -> f32");
        let text = with_regions(&format!("{define}({operands})"), regions, &behind);
        assert_eq!(refusal(&text).as_deref(), expected, "{text}");
    }
    for (types, expected) in [
        (&["i32", "i32"][..], None),
        (&["i8", "i8"], Some("2:6: expected 'i32' but got 'i8'")),
        (&["i32", "i8"], Some("2:16: expected 'i32' but got 'i8'")),
    ] {
        let text = with_regions("\"toy.function\"()", &[types], "{t = i32} : () -> ()");
        assert_eq!(refusal(&text).as_deref(), expected, "{text}");
    }
}
