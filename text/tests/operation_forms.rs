//! Tests operations by definitions in the test: groups of operands in lists, nested native
//! properties.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::Context;
use rmlir_ir::definition::DialectDefinition;
use rmlir_testing::module_to_string;
use rmlir_text::{ParseOptions, PrintOptions, check_definition, parse_module};

const DEFINITION: &str = "\
dialect toy

attribute_constraint Axes = DenseI16ArrayAttr
attribute_constraint SomeAxes = Axes
attribute_constraint Count = IndexAttr(min(1))

op named
  attr axes: SomeAxes
  attr count: Count
  attr value: TypedAttrInterface
  format $axes $count $value attr-dict
op source() -> (value: variadic AnyType)
  format attr-dict `:` type($value)
op lists(first: variadic I32, lists: variadic_of_variadic AnyType by lengths)
  traits AttrSizedOperandSegments
  attr lengths: DenseI32ArrayAttr
  format ($first^)? (`to` $lists^ `:` type($lists))? attr-dict
op numbers(lists: variadic_of_variadic I32 by lengths)
  attr lengths: DenseI32ArrayAttr
  format $lists attr-dict
op properties
  property s: optional<string> = []
  property i: array<i32>
  property d: dense<i64>
  property n: optional<array<i8>> = []
  property u: optional<unit> = []
  property o: optional<optional<i64>> = []
  format (`s` $s^)? $i $d (`n` $n^)? (`u` $u^)? $o attr-dict
op wrap
  regions body: AnyRegion, rest: variadic AnyRegion
  format $body (`and` $rest^)? attr-dict
op when
  attr flag: UnitAttr optional
  regions body: AnyRegion
  format (`when` $flag^ $body)? attr-dict
op go
  traits IsTerminator
  successors next: variadic
  attr flag: UnitAttr optional
  format (`when` $flag^ $next)? attr-dict
";

/// A format without a position for other attributes, or one in an absent group.
#[test]
fn attributes_without_a_place_are_printed_in_generic_form() {
    let definition = "dialect toy\nop none\n  format `x`\nop some\n  attr a: UnitAttr optional\n  format (`y` $a^ attr-dict)?\n";
    let text = "toy.none x\n\"toy.none\"() {k} : () -> ()\ntoy.some y {k}\ntoy.some\n\"toy.some\"() {k} : () -> ()\n";
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(definition, &()).unwrap());
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default()).unwrap();
    let out = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .collect();
    assert_eq!(lines, text.lines().collect::<Vec<_>>());
}

fn context() -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(DEFINITION, &()).unwrap());
    context
}

fn print(text: &str, generic: bool) -> String {
    let mut context = context();
    let options = ParseOptions::for_file("t.mlir");
    let module = parse_module(&mut context, text.as_bytes(), &options)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let mut options = PrintOptions::default();
    options.generic = generic;
    String::from_utf8(module_to_string(&context, &module, &options).unwrap()).unwrap()
}

/// Checks that each line, in a module, prints as written and, in generic form, as given.
#[track_caller]
fn check(before: &str, rows: &[(&str, &str)]) {
    for (line, generic) in rows {
        let text = format!("{before}{line}\n");
        let shown = print(&text, false);
        let found = shown.lines().rev().find(|l| l.starts_with("  ")).unwrap();
        assert_eq!(found.trim(), line.trim());
        let all = print(&text, true);
        assert!(all.contains(generic), "{line}: {all}");
        assert_eq!(print(&all, false), shown, "{all}");
    }
}

#[test]
fn operands_in_lists() {
    let before = "%0:2 = toy.source : i32, f32\n";
    check(
        before,
        &[
            (
                "toy.numbers (), (%0#0), (%0#0, %0#0) {x}",
                "\"toy.numbers\"(%0#0, %0#0, %0#0) <{lengths = array<i32: 0, 1, 2>}> {x}",
            ),
            (
                "toy.lists %0#0 to (%0#0, %0#1), (), (%0#1) : (i32, f32), (), (f32)",
                "<{lengths = array<i32: 2, 0, 1>, operandSegmentSizes = array<i32: 1, 3>}>",
            ),
            (
                "toy.lists",
                "\"toy.lists\"() <{lengths = array<i32>, operandSegmentSizes = array<i32: 0, 0>}>",
            ),
            // The lists do not cover all operands, which no text can express.
            (
                "\"toy.numbers\"(%0#0) <{lengths = array<i32: 2>}> : (i32) -> ()",
                "\"toy.numbers\"(%0#0) <{lengths = array<i32: 2>}>",
            ),
        ],
    );
}

#[test]
fn without_their_lengths_lists_have_no_format() {
    let text = "dialect toy\nop o(l: variadic_of_variadic I32)\n  format $l attr-dict\n";
    let found = check_definition(text, "t", &(), None);
    assert_eq!(
        found[0].message,
        "the format of 'o' is not used: no attribute has the lengths of the lists of 'l'"
    );
}

#[test]
fn properties_in_others() {
    check(
        "",
        &[
            (
                "toy.properties s \"x\" [1, -2] [3] n [4, 5] u some<unit> some<7>",
                "<{d = array<i64: 3>, i = [1 : i32, -2 : i32], n = [[4 : i8, 5 : i8]], o = [[7]], \
                 s = [\"x\"], u = [unit]}>",
            ),
            (
                "toy.properties [] [] n [] u some<unit_absent> some<none>",
                "<{d = array<i64>, i = [], n = [[]], o = [[]], s = [], u = [false]}>",
            ),
            (
                "toy.properties [] [] none",
                "<{d = array<i64>, i = [], n = [], o = [], s = [], u = []}>",
            ),
        ],
    );
}

/// Empty regions and successors are preserved, also if an optional group is not printed.
#[test]
fn regions_and_successors_of_optional_groups_are_kept() {
    for (text, expected) in [
        ("\"toy.wrap\"() ({}) : () -> ()", "toy.wrap {\n  }\n"),
        (
            "\"toy.wrap\"() ({}, {}, {}) : () -> ()",
            "toy.wrap {\n  } and {\n  }, {\n  }\n",
        ),
        ("\"toy.when\"() ({}) : () -> ()", "toy.when\n"),
        (
            "\"toy.when\"() <{flag}> ({}) : () -> ()",
            "toy.when when {\n  }\n",
        ),
        (
            "\"toy.when\"() ({ \"toy.go\"() : () -> () }) : () -> ()",
            "\"toy.when\"() ({\n    toy.go\n  }) : () -> ()\n",
        ),
        (
            "\"toy.wrap\"() ({ \"toy.go\"() [^a, ^a] <{flag}> : () -> ()\n^a: toy.go }) : () -> ()",
            "toy.go when ^bb1, ^bb1\n",
        ),
        (
            "\"toy.wrap\"() ({ \"toy.go\"() [^a] : () -> ()\n^a: toy.go }) : () -> ()",
            "\"toy.go\"()[^bb1] : () -> ()\n",
        ),
    ] {
        let shown = print(text, false);
        assert!(shown.contains(expected), "{text}: {shown}");
        assert_eq!(print(&shown, true), print(text, true), "{shown}");
    }
}

/// The constraint that a named one confines determines an attribute's spelling and sort.
#[test]
fn attributes_of_named_constraints() {
    check(
        "",
        &[(
            "toy.named [0, 1] 2 3 : i8",
            "\"toy.named\"() <{axes = array<i16: 0, 1>, count = 2 : index, value = 3 : i8}>",
        )],
    );
    for (text, expected) in [
        (
            "toy.named [0] 2 unit",
            "t.mlir:1:17: error: custom op 'toy.named' invalid kind of attribute specified",
        ),
        (
            "toy.named [0] 2 [3]",
            "t.mlir:1:17: error: custom op 'toy.named' invalid kind of attribute specified",
        ),
        ("toy.named {a} 2 3", "t.mlir:1:10: error: expected '['"),
    ] {
        let mut context = context();
        let options = ParseOptions::for_file("t.mlir");
        let error = parse_module(&mut context, text.as_bytes(), &options).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    // Unchecked values have no custom form.
    let text = "\"toy.named\"() <{axes = 1 : i8, count = 2 : index, value}> : () -> ()\n";
    let mut context = context();
    let mut options = ParseOptions::for_file("t.mlir");
    options.check_properties = false;
    let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
    let out = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains(text), "{out}");
}
