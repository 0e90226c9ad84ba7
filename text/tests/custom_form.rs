//! Tests operations in custom form by formats of a dialect made for this test: the text has the
//! content of the generic form, and prints as written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir_ir::definition::DialectDefinition;
use rmlir_ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir_testing::module_to_string;
use rmlir_text::{ParseOptions, PrintOptions, parse_module};

const TOY: &str = r#"
dialect toy
uses async
operations complete
constraint BoxType = !toy.box<_>

enum Color: i32
  cases red, green, blue

enum Flags: i32 bits "|"
  cases none, small, round

attribute shade
  parameters value: enum<Color>
  format `<` $value `>`
  constraint ShadeAttr

type box
  parameters element: type
  format `<` $element `>`
  constraint BoxType

op open(first, second: BoxType)
  format $first `,` $second attr-dict `:` type($first) `and` qualified(type($second))

op add(lhs, rhs: AnyType) -> AnyType
  traits SameOperandsAndResultType
  attr exact: UnitAttr optional
  format $lhs `,` $rhs (`exact` $exact^)? attr-dict `:` type($result)

op test(value: AnyType) -> AnyType
  types result = i1_like(value)
  format $value attr-dict `:` type($value)

op paint(base: AnyType, more: variadic AnyType, last: optional Index)
  traits AttrSizedOperandSegments
  attr color: ColorAttr enum Color
  attr shade: ShadeAttr = #toy.shade<red>
  attr flags: FlagsAttr optional enum Flags
  format $color $base (`with` $more^)? (`at` $last^)? (`shade` `` $shade^)? (`flags` $flags^)? attr-dict `:` type($base) (`,` type($more)^)?

op either(first, second: optional Index)
  traits AttrSizedOperandSegments
  format ($first^) : (`none`)? (`and` $second^)? attr-dict

op marked
  property is_marked: unit = false
  format ($is_marked^)? attr-dict

op options(values: variadic Index)
  attr fast: UnitAttr optional
  attr sizes: DenseI64ArrayAttr optional
  attr width: I16Attr optional
  format oilist(`fast` $fast | `sizes` $sizes | `width` `(` $width `)`) `of` $values attr-dict-with-keyword

op apply(function: FunctionType, arguments: variadic AnyType) -> (results: variadic AnyType)
  types arguments = inputs(function), results = results(function)
  format $function `(` $arguments `)` attr-dict `:` type($function)

op loop(start: Index) -> (results: variadic AnyType)
  regions body: SizedRegion
  terminator toy.end
  default_dialect toy
  format $start (`->` type($results)^)? $body attr-dict

op end(values: variadic AnyType)
  traits IsTerminator
  format attr-dict ($values^ `:` type($values))?

op jump(values: variadic AnyType)
  traits IsTerminator
  successors to
  format $to (`(` $values^ `:` type($values) `)`)? attr-dict

op own(value: AnyType)
  format custom<Unheard>($value) attr-dict `:` type($value)

op pair(value: AnyType) -> (first, second: AnyType)
  traits AllTypesMatch(value, first, second)
  format operands attr-dict `:` type($value)

op constant -> AnyType
  traits AllTypesMatch(value, result), ConstantLike
  attr value: TypedAttrInterface
  result_names known
  format attr-dict $value

op count(token: Async_TokenType, start: (i32)) -> (ended: (!async.token), number: (ui8))
  format $token `from` $start attr-dict

op func(_: variadic AnyType)
  regions body: AnyRegion
  format operands `:` type(operands) $body attr-dict
"#;

fn context() -> Context {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let toy = DialectDefinition::parse(TOY, &()).unwrap();
    context.register_dialect(toy);
    context
}

fn parse(context: &mut Context, text: &str) -> Result<Module, String> {
    let options = ParseOptions::for_file("input.mlir");
    parse_module(context, text.as_bytes(), &options).map_err(|e| e.to_string())
}

fn print(context: &Context, module: &Module, options: &PrintOptions) -> String {
    String::from_utf8(module_to_string(context, module, options).unwrap()).unwrap()
}

/// Checks that `lines`, in an operation whose region defines the values, print as written and equal
/// `generic`.
#[track_caller]
fn same(lines: &str, generic: &str) {
    let arguments = "%0:3 = \"any.values\"() : () -> (i32, index, tensor<2xf32>)";
    let arguments =
        format!("{arguments}\n%1:2 = \"any.more\"() : () -> (vector<4xi8>, (i32) -> f64)");
    let (custom_text, generic_text) = (
        format!("{arguments}\n{lines}"),
        format!("{arguments}\n{generic}"),
    );
    let (mut context, mut other) = (context(), context());
    let module = parse(&mut context, &custom_text).unwrap();
    let expected = parse(&mut other, &generic_text).unwrap();
    let difference = semantic_difference(
        (&context, &module),
        (&other, &expected),
        &EqualityOptions::default(),
    );
    assert!(difference.is_none(), "{}", difference.unwrap());
    let unindented = |text: &str| -> String {
        let lines = text.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    };
    // Printed from the generic form.
    let printed = unindented(&print(&other, &expected, &PrintOptions::default()));
    let inner = printed
        .strip_prefix("module {\n")
        .unwrap()
        .strip_suffix("\n}")
        .unwrap();
    assert_eq!(inner, unindented(&custom_text));
}

/// Returns the error of a line.
#[track_caller]
fn refused(line: &str) -> String {
    let text = format!("%0:2 = \"any.values\"() : () -> (i32, index)\n{line}");
    parse(&mut context(), &text).expect_err("it is refused")
}

#[test]
fn operands_and_types() {
    same(
        "%2 = toy.add %0#0, %0#0 : i32",
        "%2 = \"toy.add\"(%0#0, %0#0) : (i32, i32) -> i32",
    );
    same(
        "%2 = toy.add %0#0, %0#0 exact {note = 1 : i32} : i32",
        "%2 = \"toy.add\"(%0#0, %0#0) <{exact}> {note = 1 : i32} : (i32, i32) -> i32",
    );
    same(
        "%2 = toy.test %0#0 : i32",
        "%2 = \"toy.test\"(%0#0) : (i32) -> i1",
    );
    same(
        "%2 = toy.test %1#0 : vector<4xi8>",
        "%2 = \"toy.test\"(%1#0) : (vector<4xi8>) -> vector<4xi1>",
    );
    same(
        "%2 = toy.test %0#2 : tensor<2xf32>",
        "%2 = \"toy.test\"(%0#2) : (tensor<2xf32>) -> tensor<2xi1>",
    );
    same(
        "%2 = toy.apply %1#1(%0#0) : (i32) -> f64",
        "%2 = \"toy.apply\"(%1#1, %0#0) : ((i32) -> f64, i32) -> f64",
    );
}

/// A constraint that only one type satisfies can be inline, or from another dialect that is used.
#[test]
fn types_that_constraints_say() {
    same(
        "%2 = \"any.token\"() : () -> !async.token\n%ended, %number = toy.count %2 from %0#0",
        "%2 = \"any.token\"() : () -> !async.token\n%ended, %number = \"toy.count\"(%2, %0#0) : (!async.token, i32) -> (!async.token, ui8)",
    );
    assert!(refused("toy.count %0#0 from %0#0").contains("!async.token"));
}

/// A type that a group's constraint requires is printed without dialect and mnemonic, unless it is
/// qualified.
#[test]
fn types_without_their_names() {
    let boxes = "%2:2 = \"any.boxes\"() : () -> (!toy.box<i32>, !toy.box<!toy.box<index>>)";
    let generic = "\"toy.open\"(%2#1, %2#0) : (!toy.box<!toy.box<index>>, !toy.box<i32>) -> ()";
    let line = "toy.open %2#1, %2#0 : <!toy.box<index>> and !toy.box<i32>";
    same(&format!("{boxes}\n{line}"), &format!("{boxes}\n{generic}"));
    // The full text is parsed as well.
    let text = format!("{boxes}\ntoy.open %2#0, %2#0 : !toy.box<i32> and !toy.box<i32>");
    let mut context = context();
    let module = parse(&mut context, &text).unwrap();
    let printed = print(&context, &module, &PrintOptions::default());
    assert!(
        printed.contains("toy.open %0#0, %0#0 : <i32> and !toy.box<i32>"),
        "{printed}"
    );
    // A type of another sort, which is invalid, is printed in full.
    same(
        "toy.open %0#0, %0#1 : i32 and index",
        "\"toy.open\"(%0#0, %0#1) : (i32, index) -> ()",
    );
    assert!(refused("toy.open %0#0, %0#0 : <> and i32").contains("expected"));
}

/// Texts in angle brackets are memoized: equal texts have equal meaning, texts with a common prefix
/// do not.
#[test]
fn the_same_text_again() {
    let line = |shade: &str| {
        (
            format!("toy.paint red %0#0 shade<{shade}> : i32"),
            format!(
                "\"toy.paint\"(%0#0) <{{color = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0>, shade = #toy.shade<{shade}>}}> : (i32) -> ()"
            ),
        )
    };
    let shades = ["green", "blue", "green", "red", "green", "blue"];
    let (custom, generic): (Vec<_>, Vec<_>) = shades.iter().map(|shade| line(shade)).unzip();
    let said = |lines: &[String]| lines.join("\n");
    let (mut context, mut other) = (context(), self::context());
    let values = "%0:1 = \"any.values\"() : () -> i32\n";
    let module = parse(&mut context, &format!("{values}{}", said(&custom))).unwrap();
    let expected = parse(&mut other, &format!("{values}{}", said(&generic))).unwrap();
    let options = EqualityOptions::default();
    let difference = semantic_difference((&context, &module), (&other, &expected), &options);
    assert!(difference.is_none(), "{}", difference.unwrap());
    let error =
        refused("toy.paint red %0#0 shade<green> : i32\ntoy.paint red %0#0 shade<gree> : i32");
    assert!(error.contains(":3:"), "{error}");
}

#[test]
fn attributes_and_groups() {
    same(
        "toy.paint red %0#0 : i32",
        "\"toy.paint\"(%0#0) <{color = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()",
    );
    same(
        "toy.paint blue %0#0 with %0#1, %0#2 at %0#1 shade<green> flags \"small|round\" : i32, index, tensor<2xf32>",
        "\"toy.paint\"(%0#0, %0#1, %0#2, %0#1) <{color = 2 : i32, flags = 3 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, shade = #toy.shade<green>}> : (i32, index, tensor<2xf32>, index) -> ()",
    );
    let either = "\"toy.either\"";
    same(
        "toy.either %0#1 and %0#1",
        &format!(
            "{either}(%0#1, %0#1) <{{operandSegmentSizes = array<i32: 1, 1>}}> : (index, index) -> ()"
        ),
    );
    same(
        "toy.either none {a}",
        &format!("{either}() <{{operandSegmentSizes = array<i32: 0, 0>}}> {{a}} : () -> ()"),
    );
    // As in the operation `test.format_optional_unit_property_no_elide` of mlir-opt-22.
    same("toy.marked {a}", "\"toy.marked\"() {a} : () -> ()");
    same(
        "toy.marked unit {a}",
        "\"toy.marked\"() <{is_marked}> {a} : () -> ()",
    );
    same("toy.options of", "\"toy.options\"() : () -> ()");
    same(
        "toy.options fast sizes [1, -2] width(7) of %0#1 attributes {a = 1 : i64}",
        "\"toy.options\"(%0#1) <{fast, sizes = array<i64: 1, -2>, width = 7 : i16}> {a = 1 : i64} : (index) -> ()",
    );
    // Clauses come in any order.
    let text = "%0 = \"any.index\"() : () -> index\ntoy.options width (7) fast of %0";
    let mut context = context();
    let module = parse(&mut context, text).unwrap();
    let printed = print(&context, &module, &PrintOptions::default());
    assert!(
        printed.contains("toy.options fast width(7) of %0"),
        "{printed}"
    );
}

#[test]
fn regions_and_names() {
    same(
        "toy.loop %0#1 {\n%2 = add %0#0, %0#0 : i32\n}",
        "\"toy.loop\"(%0#1) ({\n%2 = \"toy.add\"(%0#0, %0#0) : (i32, i32) -> i32\n\"toy.end\"() : () -> ()\n}) : (index) -> ()",
    );
}

#[test]
fn names_without_the_dialect() {
    let text = "%0 = \"any.index\"() : () -> index\n%1 = toy.loop %0 -> i32 {\n%known = constant 1 : i32\n%sum = add %known, %known : i32\nend %sum : i32\n}\n%2:2 = toy.pair %1 : i32\ntoy.end";
    let mut context = context();
    let module = parse(&mut context, text).unwrap();
    let printed = print(&context, &module, &PrintOptions::default());
    for line in [
        "%1 = toy.loop %0 -> i32 {",
        "%known = constant 1 : i32",
        "%2 = add %known, %known : i32",
        "end %2 : i32",
        "%first, %second = toy.pair %1 : i32",
    ] {
        assert!(printed.contains(line), "{line} in\n{printed}");
    }
    let generic = print(&context, &module, &PrintOptions::generic());
    let mut other = self::context();
    let again = parse(&mut other, &generic).unwrap();
    let difference = semantic_difference(
        (&context, &module),
        (&other, &again),
        &EqualityOptions::default(),
    );
    assert!(difference.is_none(), "{generic}");
}

#[test]
fn what_a_text_cannot_say_is_generic() {
    // Types that cannot be inferred, an attribute of another type, sizes that do not add up.
    for line in [
        "%1 = \"toy.add\"(%0#0, %0#1) : (i32, index) -> i32",
        "\"toy.paint\"(%0#0) <{color = 7 : i32, operandSegmentSizes = array<i32: 1, 0, 0>, shade = #toy.shade<red>}> : (i32) -> ()",
        "\"toy.paint\"(%0#0) <{color = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0>, shade = #toy.shade<red>}> : (i32) -> ()",
        "\"toy.paint\"(%0#0) <{color = 0 : i32, operandSegmentSizes = array<i32: 2, 0, 0>, shade = #toy.shade<red>}> : (i32) -> ()",
    ] {
        let text = format!("%0:2 = \"any.values\"() : () -> (i32, index)\n{line}");
        let mut context = context();
        // Attributes that operations cannot have can exist in memory, though no text creates them
        // by default.
        let mut options = ParseOptions::default();
        options.normalize = false;
        let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
        let printed = print(&context, &module, &PrintOptions::default());
        assert!(printed.contains(line), "{line} in\n{printed}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let error = refused("%1 = toy.add %0#0 : i32");
    assert!(error.contains("expected ','"), "{error}");
    let error = refused("toy.paint yellow %0#0 : i32");
    assert!(
        error.contains("invalid color attribute specification: \"yellow\""),
        "{error}"
    );
    let error = refused("toy.paint red %0#0 with %0#1 : i32");
    let counts = "number of operands and types do not match: got 1 operands and 0 types";
    assert!(error.contains(counts), "{error}");
    let error = refused("toy.options fast fast of");
    assert!(
        error.contains("`fast` clause can appear at most once"),
        "{error}"
    );
    let error = refused("toy.own %0#0 : i32");
    assert!(
        error.contains("'toy.Unheard' is code that this build does not have"),
        "{error}"
    );
    let error = refused("toy.unheard %0#0");
    assert!(
        error.contains("custom op 'toy.unheard' is unknown"),
        "{error}"
    );
    let error = refused("toy.add");
    assert!(error.contains("expected SSA operand"), "{error}");
}

#[test]
fn nests_take_no_stack() {
    let depth = 100_000;
    let mut text = String::from("%0 = \"any.index\"() : () -> index\n");
    text.push_str(&"toy.loop %0 {\n".repeat(depth));
    text.push_str(&"}\n".repeat(depth));
    let mut context = context();
    let module = parse(&mut context, &text).unwrap();
    let printed = print(&context, &module, &PrintOptions::default());
    // Within the region, the dialect's prefix is omitted.
    assert_eq!(printed.matches("loop %0 {").count(), depth);
    assert_eq!(printed.matches("toy.loop %0 {").count(), 1);
}

#[test]
fn malformed_formats_are_errors() {
    for (format, expected) in [
        ("$nothing", "has nothing called 'nothing'"),
        ("`open", "expected '`'"),
        ("(`a` $value", "expected ')'"),
        ("(`a` $value)?", "one anchor"),
        ("type(attr)", "expected '$'"),
        ("custom<Name>(unknown)", "expected an argument"),
        ("oilist($value)", "a clause begins with a literal"),
        ("struct(params)", "expected a literal"),
    ] {
        let text = format!("dialect bad\nop one(value: AnyType)\n  format {format}\n");
        let error = DialectDefinition::parse(&text, &()).unwrap_err();
        assert!(error.message().contains(expected), "{format}: {error}");
        assert_eq!(error.line(), 3);
    }
}
