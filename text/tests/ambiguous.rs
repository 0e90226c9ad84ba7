//! Tests that ambiguous formats lose nothing: printed text parses as the original.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::definition::DialectDefinition;
use rmlir_ir::{Context, EqualityOptions, Module, semantic_eq};
use rmlir_text::{
    ParseOptions, PrintOptions, attribute_to_string, module_to_string, parse_attribute,
    parse_module,
};

const TOY: &str = "\
dialect toy
attribute defs
  parameters l: list<int> = [1, 2], f: float = 0.5
  format (`<` struct(params)^ `>`)?
attribute lists
  parameters l: list<int>, m: list<string> optional, f: int = 3
  format `<` struct(params) `>`
attribute params
  parameters a: int = 0, b: int
  format `<` params `>`
attribute lost
  parameters x: int = 1, y: int = 2
  format `<` (`x` `=` $x^ `,` $y)? `>`
attribute same
  parameters x, y: int optional
  format `<` (`a` $x^)? (`a` $y^)? `>`

op two(a, b: optional AnyType)
  traits AttrSizedOperandSegments
  format (`x` $a^)? (`x` $b^)? attr-dict `:` type(operands)
op trail(a: variadic (i32))
  format $a attr-dict
op types(a: variadic AnyType)
  format $a attr-dict `:` type($a)
op maybe
  attr a: I32Attr optional
  format $a attr-dict
op colon(x: AnyType)
  attr a: AnyAttr
  format $a `:` type($x) $x attr-dict
op lost(o: optional (i32), s: AnyType)
  format (`o` $o^ `:` type($s))? $s attr-dict
op words
  attr a: UnitAttr optional
  attr b: UnitAttr optional
  format oilist(`a` $a) (`a` $b^)? attr-dict
op dictionary
  attr a: AnyAttr
  format attr-dict $a
";

fn context() -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(TOY, &()).unwrap());
    context
}

/// Tests that a text prints as `printed`, which parses as the same.
#[test]
fn attributes_read_back() {
    for (text, printed) in [
        (
            "#toy.defs<f = 1.5, l = 3, 4>",
            "#toy.defs<l = 3, 4, f = 1.500000e+00>",
        ),
        (
            "#toy.defs<l = 3, 4, f = 1.5>",
            "#toy.defs<l = 3, 4, f = 1.500000e+00>",
        ),
        ("#toy.defs<l = 1, 2>", "#toy.defs"),
        (
            "#toy.lists<f = 7, m = \"x\", \"y\", l = 1, 2>",
            "#toy.lists<l = 1, 2, m = \"x\", \"y\", f = 7>",
        ),
        ("#toy.lists<l = >", "#toy.lists<l = >"),
        // Omitted parameters are last, or they are printed.
        ("#toy.params<0, 7>", "#toy.params<0, 7>"),
        ("#toy.params<0x5, 7>", "#toy.params<5, 7>"),
        // The parameters have no other text.
        ("#toy.lost<x = 1, 7>", "#toy.lost<x = 1, 7>"),
        ("#toy.lost<x = 0x3, 7>", "#toy.lost<x = 3, 7>"),
        ("#toy.same<a 0x1>", "#toy.same<a 1>"),
        ("#toy.same<a 0x1 a 2>", "#toy.same<a 1 a 2>"),
    ] {
        let mut context = context();
        let attribute = parse_attribute(&mut context, text.as_bytes()).unwrap();
        assert_eq!(attribute_to_string(&context, attribute), printed);
        let again = parse_attribute(&mut context, printed.as_bytes()).unwrap();
        assert_eq!(again, attribute, "{text}");
    }
}

fn parse(context: &mut Context, text: &[u8]) -> Module {
    parse_module(context, text, &ParseOptions::default()).unwrap()
}

/// Operations are printed in generic form if their custom text would parse as something else.
#[test]
fn operations_read_back() {
    for (text, custom) in [
        (
            "\"toy.two\"(%v) <{operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> ()",
            true,
        ),
        (
            "\"toy.two\"(%v) <{operandSegmentSizes = array<i32: 0, 1>}> : (i32) -> ()",
            false,
        ),
        (
            "\"toy.two\"(%v, %v) <{operandSegmentSizes = array<i32: 1, 1>}> : (i32, i32) -> ()",
            true,
        ),
        ("\"toy.trail\"(%v) : (i32) -> ()", true),
        (
            "\"toy.trail\"() : () -> ()\n%w = \"t.v\"() : () -> i32",
            false,
        ),
        ("\"toy.trail\"() : () -> ()\n\"t.v\"() : () -> ()", true),
        ("\"toy.types\"(%v) : (i32) -> ()", true),
        ("\"toy.types\"() : () -> ()", false),
        ("\"toy.maybe\"() <{a = 1 : i32}> : () -> ()", true),
        ("\"toy.maybe\"() : () -> ()", false),
        ("\"toy.colon\"(%v) <{a = 1 : i8}> : (i32) -> ()", true),
        ("\"toy.colon\"(%v) <{a = unit}> : (i32) -> ()", true),
        ("\"toy.colon\"(%v) <{a = \"s\"}> : (i32) -> ()", false),
        ("\"toy.lost\"(%v, %v) : (i32, i32) -> ()", true),
        ("\"toy.lost\"(%v) : (i32) -> ()", false),
        ("\"toy.words\"() <{a}> : () -> ()", true),
        ("\"toy.words\"() <{b}> : () -> ()", false),
        ("\"toy.dictionary\"() <{a = {x}}> : () -> ()", false),
        ("\"toy.dictionary\"() <{a = {x}}> {y} : () -> ()", true),
        ("\"toy.dictionary\"() <{a = 1 : i32}> : () -> ()", true),
    ] {
        let text = format!("%v = \"t.v\"() : () -> i32\n{text}\n");
        let mut context = context();
        let module = parse(&mut context, text.as_bytes());
        let printed = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
        let shown = String::from_utf8_lossy(&printed);
        assert_eq!(!shown.contains("\"toy."), custom, "{shown}");
        let again = parse(&mut context, &printed);
        let a = (&context, &module, module.top());
        let b = (&context, &again, again.top());
        assert!(semantic_eq(a, b, &EqualityOptions::default()), "{shown}");
    }
}
