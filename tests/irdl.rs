//! Compares imported IRDL dialects with `mlir-opt-22`: both must reject the same texts, and errors
//! of regions must have the same message at the same location.
//!
//! An extra suite: it prints SKIPPED without `mlir-opt-22`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code"
)]

use rmlir::ir::{Context, VerifyOptions, verify};
use rmlir::text::{ParseOptions, PrintOptions, message_to_string, parse_module};
use rmlir_testing::corpus::for_each;
use rmlir_testing::module_to_string;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const DIALECT: &str = r##"
"irdl.dialect"() <{sym_name = "pairs"}> ({
  "irdl.type"() <{sym_name = "pair"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    %1 = "irdl.any"() : () -> !irdl.attribute
    "irdl.parameters"(%0, %1) <{names = ["first", "second"]}> : (!irdl.attribute, !irdl.attribute) -> ()
  }) : () -> ()
  "irdl.type"() <{sym_name = "token"}> ({
  ^bb0:
  }) : () -> ()
  "irdl.attribute"() <{sym_name = "tag"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    "irdl.parameters"(%0) <{names = ["name"]}> : (!irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "make"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    %1 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
    %2 = "irdl.any"() : () -> !irdl.attribute
    "irdl.operands"(%0, %1) <{names = ["a", "b"], variadicity = #irdl<variadicity_array[ single,  optional]>}> : (!irdl.attribute, !irdl.attribute) -> ()
    "irdl.results"(%2) <{names = ["r"], variadicity = #irdl<variadicity_array[ single]>}> : (!irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "tagged"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    "irdl.attributes"(%0) <{attributeValueNames = ["tag"]}> : (!irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "many"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    %1 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
    "irdl.operands"(%0, %1) <{names = ["a", "b"], variadicity = #irdl<variadicity_array[ variadic,  optional]>}> : (!irdl.attribute, !irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "chosen"}> ({
    %0 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
    %1 = "irdl.is"() <{expected = f32}> : () -> !irdl.attribute
    %2 = "irdl.any_of"(%0, %1) : (!irdl.attribute, !irdl.attribute) -> !irdl.attribute
    %3 = "irdl.base"() <{base_ref = @pairs::@pair}> : () -> !irdl.attribute
    "irdl.operands"(%2, %3) <{names = ["a", "b"], variadicity = #irdl<variadicity_array[ single,  single]>}> : (!irdl.attribute, !irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "around"}> ({
    %0 = "irdl.region"() <{numberOfBlocks = 1 : i32}> : () -> !irdl.region
    "irdl.regions"(%0) <{names = ["body"]}> : (!irdl.region) -> ()
  }) : () -> ()
}) : () -> ()

irdl.dialect @zoo {
  irdl.type @cage {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any
    irdl.parameters(elem: %2, extra: %3)
  }
  irdl.type @gate
  irdl.attribute @label {
    %0 = irdl.base "#builtin.string"
    irdl.parameters(name: %0)
  }
  irdl.attribute @labels {
    %0 = irdl.base @zoo::@label
    irdl.parameters(first: %0)
  }
  irdl.operation @same {
    %0 = irdl.any
    %1 = irdl.base @zoo::@cage
    irdl.operands(a: %0, b: %0, rest: variadic %1)
    irdl.results(r: %0)
  }
  irdl.operation @labelled {
    %0 = irdl.base @zoo::@label
    irdl.attributes {"label" = %0}
  }
  irdl.operation @caged {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.parametric @zoo::@cage<%0, %1>
    %3 = irdl.parametric @zoo::@gate<>
    %4 = irdl.any_of(%2, %3)
    irdl.operands(a: %4)
  }
  irdl.operation @caged_attributes {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.parametric @zoo::@label<%0>
    %2 = irdl.is i32
    %3 = irdl.is f32
    %4 = irdl.parametric @zoo::@cage<%2, %3>
    irdl.attributes {"a" = %1, "b" = %4}
  }
  irdl.operation @held {
    %0 = irdl.any
    %1 = irdl.base @zoo::@cage
    irdl.operands(a: %0, rest: variadic %1)
    irdl.attributes {"t" = %0, "u" = %1}
  }
  irdl.operation @plain {
    %0 = irdl.region()
    %1 = irdl.region() with size 1
    irdl.regions(a: %0, b: %1)
  }
  irdl.operation @mixed {
    %0 = irdl.region()
    %1 = irdl.region
    irdl.regions(a: %0, b: %1)
  }
}

irdl.dialect @park {
  irdl.type @tree {
    %0 = irdl.any
    irdl.parameters(of: %0)
  }
  irdl.type @lake
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @park::@tree<%0>
    irdl.operands(c: %1)
    irdl.results(r: %0)
  }
  irdl.operation @none {
    %0 = irdl.region()
    irdl.regions(a: %0)
  }
  irdl.operation @free {
    %0 = irdl.region
    irdl.regions(a: %0)
  }
  irdl.operation @one {
    %0 = irdl.region with size 1
    irdl.regions(a: %0)
  }
  irdl.operation @two {
    %0 = irdl.region with size 2
    irdl.regions(a: %0)
  }
  irdl.operation @pair {
    %0 = irdl.is i32
    %1 = irdl.any
    %2 = irdl.region(%0, %1)
    irdl.regions(a: %2)
  }
  irdl.operation @both {
    %0 = irdl.is i32
    %1 = irdl.region(%0) with size 2
    irdl.regions(a: %1)
  }
  irdl.operation @several {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.region(%0)
    %3 = irdl.region(%1) with size 2
    %4 = irdl.region
    irdl.regions(a: %2, b: %3, c: %4)
  }
  irdl.operation @swapped {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.region(%0)
    %3 = irdl.region(%1)
    irdl.regions(a: %3, b: %2)
  }
  irdl.operation @again {
    %0 = irdl.is i32
    %1 = irdl.region(%0)
    irdl.regions(a: %1, b: %1)
  }
  irdl.operation @unnamed {
    %0 = irdl.region()
    %1 = irdl.region with size 2
    irdl.regions(b: %1)
  }
  irdl.operation @based {
    %0 = irdl.base @park::@tree
    %1 = irdl.region(%0)
    irdl.regions(a: %1)
  }
  irdl.operation @based_builtin {
    %0 = irdl.base "!builtin.tensor"
    %1 = irdl.base "!builtin.integer"
    %2 = irdl.region(%0, %1)
    irdl.regions(a: %2)
  }
  irdl.operation @grown {
    %0 = irdl.is i32
    %1 = irdl.parametric @park::@tree<%0>
    %2 = irdl.region(%1)
    irdl.regions(a: %2)
  }
  irdl.operation @chosen {
    %0 = irdl.is i32
    %1 = irdl.is f32
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any
    %4 = irdl.all_of(%3, %0)
    %5 = irdl.region(%2)
    %6 = irdl.region(%2, %4)
    irdl.regions(a: %5, b: %6)
  }
  irdl.operation @same {
    %0 = irdl.any
    %1 = irdl.region(%0, %0)
    irdl.regions(a: %1)
  }
  irdl.operation @shared {
    %0 = irdl.any
    %1 = irdl.any
    %2 = irdl.region(%0, %1)
    irdl.operands(o: %0)
    irdl.results(r: %1)
    irdl.regions(a: %2)
  }
  irdl.operation @held {
    %0 = irdl.any
    %1 = irdl.region(%0)
    irdl.attributes {"t" = %0}
    irdl.regions(a: %1)
  }
  irdl.operation @perhaps {
    %0 = irdl.any
    %1 = irdl.region(%0)
    irdl.operands(o: optional %0)
    irdl.regions(a: %1)
  }
  irdl.operation @listed {
    %0 = irdl.any
    %1 = irdl.region(%0)
    irdl.operands(o: variadic %0)
    irdl.regions(a: %1)
  }
  irdl.operation @row {
    %0 = irdl.any
    irdl.operands(o: variadic %0)
  }
  irdl.operation @rest {
    %0 = irdl.any
    irdl.operands(o: %0, p: variadic %0)
  }
  irdl.operation @maybe {
    %0 = irdl.any
    irdl.operands(o: %0, p: optional %0)
  }
  irdl.operation @all_of_it {
    %0 = irdl.is i32
    %1 = irdl.region(%0)
    irdl.operands(o: %0)
    irdl.results(r: %0)
    irdl.attributes {"t" = %0}
    irdl.regions(a: %1)
  }
}
"##;

/// Texts, each a module.
const TEXTS: &[&str] = &[
    "%0 = \"x.y\"() : () -> !park.tree<i32>\n%1 = \"park.norm\"(%0) : (!park.tree<i32>) -> i32",
    "%0 = \"x.y\"() : () -> !park.tree<i32>\n%1 = \"park.norm\"(%0) : (!park.tree<i32>) -> f64",
    "%0 = \"x.y\"() : () -> !pairs.pair<i32, 4 : i8>",
    "%0 = \"x.y\"() : () -> !pairs.token",
    "%0 = \"x.y\"() : () -> !pairs.tokn",
    "\"x.y\"() {a = #pairs.tag<\"b\">} : () -> ()",
    "\"x.y\"() {a = #pairs.tg<\"b\">} : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"pairs.make\"(%0) : (i32) -> i64",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"pairs.make\"(%0, %0) : (i32, i32) -> i64",
    "%0 = \"x.y\"() : () -> i64\n%1 = \"pairs.make\"(%0, %0) : (i64, i64) -> i64",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"pairs.make\"(%0, %0, %0) : (i32, i32, i32) -> i64",
    "%0 = \"x.y\"() : () -> i32\n\"pairs.make\"(%0) : (i32) -> ()",
    "%1 = \"pairs.make\"() : () -> i64",
    "\"pairs.mke\"() : () -> ()",
    "\"pairs.tagged\"() {tag = 1 : i8} : () -> ()",
    "\"pairs.tagged\"() {tug = 1 : i8} : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"pairs.many\"(%0, %0) {operandSegmentSizes = array<i32: 1, 1>} : (i32, i32) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"pairs.many\"(%0, %0) {operandSegmentSizes = array<i32: 2, 0>} : (i32, i32) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"pairs.many\"(%0, %0) {operandSegmentSizes = array<i32: 0, 2>} : (i32, i32) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"pairs.many\"(%0, %0) {operandSegmentSizes = array<i32: 1, 2>} : (i32, i32) -> ()",
    "\"pairs.around\"() ({\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"pairs.around\"() ({\n}) : () -> ()",
    "\"pairs.around\"() : () -> ()",
    "%0, %1 = \"x.y\"() : () -> (i32, !pairs.pair<i32, 1>)\n\"pairs.chosen\"(%0, %1) : (i32, !pairs.pair<i32, 1>) -> ()",
    "%0, %1 = \"x.y\"() : () -> (f32, !pairs.pair<i32, 1>)\n\"pairs.chosen\"(%0, %1) : (f32, !pairs.pair<i32, 1>) -> ()",
    "%0, %1 = \"x.y\"() : () -> (i64, !pairs.pair<i32, 1>)\n\"pairs.chosen\"(%0, %1) : (i64, !pairs.pair<i32, 1>) -> ()",
    "%0, %1 = \"x.y\"() : () -> (i32, !pairs.token)\n\"pairs.chosen\"(%0, %1) : (i32, !pairs.token) -> ()",
    "%0 = \"x.y\"() : () -> !zoo.cage<i64, 4 : i8>",
    "%0 = \"x.y\"() : () -> !zoo.cage<i8, 4 : i8>",
    "%0 = \"x.y\"() : () -> !zoo.cage<i32>",
    "%0 = \"x.y\"() : () -> !zoo.cage<i32, i32, i32>",
    "%0 = \"x.y\"() : () -> !zoo.gate<i32>",
    "%0 = \"x.y\"() : () -> !zoo.gate",
    "\"x.y\"() {a = #zoo.label<\"b\">} : () -> ()",
    "\"x.y\"() {a = #zoo.label<4 : i8>} : () -> ()",
    "\"x.y\"() {a = #zoo.label} : () -> ()",
    "\"x.y\"() {a = #zoo.labels<#zoo.label<\"b\">>} : () -> ()",
    "\"x.y\"() {a = #zoo.labels<\"b\">} : () -> ()",
    "\"zoo.labelled\"() {label = #zoo.label<\"b\">} : () -> ()",
    "\"zoo.labelled\"() {label = \"b\"} : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"zoo.same\"(%0, %0) : (i32, i32) -> i32",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"zoo.same\"(%0, %0) : (i32, i32) -> i64",
    "%0 = \"x.y\"() : () -> !zoo.cage<i32, i8>\n%1 = \"zoo.same\"(%0, %0, %0) : (!zoo.cage<i32, i8>, !zoo.cage<i32, i8>, !zoo.cage<i32, i8>) -> !zoo.cage<i32, i8>",
    "%0 = \"x.y\"() : () -> !zoo.cage<i32, f32>\n\"zoo.caged\"(%0) : (!zoo.cage<i32, f32>) -> ()",
    "%0 = \"x.y\"() : () -> !zoo.cage<i32, i32>\n\"zoo.caged\"(%0) : (!zoo.cage<i32, i32>) -> ()",
    "%0 = \"x.y\"() : () -> !zoo.gate\n\"zoo.caged\"(%0) : (!zoo.gate) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"zoo.caged\"(%0) : (i32) -> ()",
    "\"zoo.caged_attributes\"() {a = #zoo.label<\"b\">, b = !zoo.cage<i32, f32>} : () -> ()",
    "\"zoo.caged_attributes\"() {a = #zoo.labels<#zoo.label<\"b\">>, b = !zoo.cage<i32, f32>} : () -> ()",
    "\"zoo.caged_attributes\"() {a = #zoo.label<\"b\">, b = !zoo.cage<i64, f32>} : () -> ()",
    "\"zoo.caged_attributes\"() {a = i32, b = !zoo.cage<i32, f32>} : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"zoo.held\"(%0) {t = i32, u = !zoo.cage<i32, i8>} : (i32) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"zoo.held\"(%0) {t = i64, u = !zoo.cage<i32, i8>} : (i32) -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"zoo.held\"(%0) {t = \"i32\", u = !zoo.cage<i32, i8>} : (i32) -> ()",
    "%0, %1 = \"x.y\"() : () -> (i32, !zoo.cage<i32, i8>)\n\"zoo.held\"(%0, %1, %1) {t = i32, u = !zoo.cage<i32, i8>} : (i32, !zoo.cage<i32, i8>, !zoo.cage<i32, i8>) -> ()",
    "%0, %1 = \"x.y\"() : () -> (i32, !zoo.cage<i32, i8>)\n\"zoo.held\"(%0, %1) {t = i32, u = !zoo.cage<i64, i8>} : (i32, !zoo.cage<i32, i8>) -> ()",
    "\"zoo.plain\"() ({\n  \"x.y\"() : () -> ()\n}, {\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"zoo.plain\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"zoo.plain\"() ({\n}, {\n}) : () -> ()",
    "\"zoo.mixed\"() ({\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
];

/// Texts of operands with one constraint, each a module. The error is at the operation, with a
/// different message.
const ALIKE: &[&str] = &[
    "\"park.row\"() : () -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.row\"(%0#0, %0#0) : (i32, i32) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.row\"(%0#0, %0#1) : (i32, i8) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.rest\"(%0#0) : (i32) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.rest\"(%0#0, %0#0, %0#0) : (i32, i32, i32) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.rest\"(%0#0, %0#1, %0#1) : (i32, i8, i8) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.rest\"(%0#0, %0#0, %0#1) : (i32, i32, i8) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.maybe\"(%0#0) : (i32) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.maybe\"(%0#0, %0#0) : (i32, i32) -> ()",
    "%0:2 = \"x.y\"() : () -> (i32, i8)\n\"park.maybe\"(%0#0, %0#1) : (i32, i8) -> ()",
];

/// Texts that test constraints on regions, each a module.
const REGIONS: &[&str] = &[
    "\"park.none\"() ({\n}) : () -> ()",
    "\"park.none\"() ({\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.none\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.none\"() ({\n^bb0(%arg0: i32 loc(\"far\":3:4)):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.none\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n^bb1(%0: i32):  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.free\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.free\"() ({\n}) : () -> ()",
    "\"park.one\"() ({\n}) : () -> ()",
    "\"park.one\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.one\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.two\"() ({\n}) : () -> ()",
    "\"park.two\"() ({\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.two\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.two\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"()[^bb2] : () -> ()\n^bb2:  // pred: ^bb1\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n}) : () -> ()",
    "\"park.pair\"() ({\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n^bb0(%arg0: i32, %arg1: i8):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n^bb0(%arg0: i32, %arg1: i8, %arg2: i8):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n^bb0(%arg0: i64, %arg1: i8):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.pair\"() ({\n  \"x.y\"()[^bb1] : () -> ()\n^bb1(%0: i32, %1: i8):  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.both\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.both\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.both\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.both\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.several\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: f32):\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}, {\n}) : () -> ()",
    "\"park.several\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}, {\n}, {\n}) : () -> ()",
    "\"park.several\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n}) : () -> ()",
    "\"park.several\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32):\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}, {\n}) : () -> ()",
    "\"park.swapped\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.swapped\"() ({\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.again\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.again\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.unnamed\"() ({\n}, {\n  \"x.y\"()[^bb1] : () -> ()\n^bb1:  // pred: ^bb0\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.unnamed\"() ({\n}, {\n}) : () -> ()",
    "\"park.unnamed\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}, {\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: !park.tree<i32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: !park.lake):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: f8E4M3FN):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: index):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: none):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: () -> ()):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: tuple<>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: complex<f32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: memref<4xi32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: memref<*xi32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: vector<4xi32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: !x.y<i32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based\"() ({\n^bb0(%arg0: !llvm.ptr):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based_builtin\"() ({\n^bb0(%arg0: tensor<4xi32>, %arg1: i5):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based_builtin\"() ({\n^bb0(%arg0: tensor<*xi32>, %arg1: i5):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.based_builtin\"() ({\n^bb0(%arg0: tensor<4xi32>, %arg1: f32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.chosen\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32, %arg1: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.chosen\"() ({\n^bb0(%arg0: i8):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32, %arg1: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.chosen\"() ({\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i32, %arg1: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.chosen\"() ({\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: i8, %arg1: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.chosen\"() ({\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}, {\n^bb0(%arg0: f32, %arg1: f32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.same\"() ({\n^bb0(%arg0: i32, %arg1: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.same\"() ({\n^bb0(%arg0: i32, %arg1: i8):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "%0 = \"x.y\"() : () -> i8\n%1 = \"park.shared\"(%0) ({\n^bb0(%arg0: i8, %arg1: f32):\n  \"x.y\"() : () -> ()\n}) : (i8) -> f32",
    "%0 = \"x.y\"() : () -> i8\n%1 = \"park.shared\"(%0) ({\n^bb0(%arg0: f32, %arg1: f32):\n  \"x.y\"() : () -> ()\n}) : (i8) -> f32",
    "%0 = \"x.y\"() : () -> i8\n%1 = \"park.shared\"(%0) ({\n^bb0(%arg0: i8, %arg1: i8):\n  \"x.y\"() : () -> ()\n}) : (i8) -> f32",
    "\"park.held\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) {t = i32} : () -> ()",
    "\"park.held\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) {t = i8} : () -> ()",
    "\"park.held\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) {t = 1 : i8} : () -> ()",
    "\"park.held\"() ({\n}) {t = 1 : i8} : () -> ()",
    "\"park.perhaps\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"park.perhaps\"(%0) ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : (i32) -> ()",
    "%0 = \"x.y\"() : () -> i8\n\"park.perhaps\"(%0) ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : (i8) -> ()",
    "\"park.listed\"() ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "%0 = \"x.y\"() : () -> i32\n\"park.listed\"(%0, %0) ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : (i32, i32) -> ()",
    "%0 = \"x.y\"() : () -> i8\n\"park.listed\"(%0, %0) ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) : (i8, i8) -> ()",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"park.all_of_it\"(%0) ({\n^bb0(%arg0: i32):\n  \"x.y\"() : () -> ()\n}) {t = i32} : (i32) -> i32",
    // The operation's error precedes that of the region's content.
    "%0 = \"x.y\"() : () -> i32\n%1 = \"park.all_of_it\"(%0) ({\n^bb0(%arg0: i64):\n  \"builtin.module\"() : () -> ()\n}) {t = i32} : (i32) -> i32",
    "\"park.none\"() ({\n^bb0(%arg0: i64):\n  \"builtin.module\"() : () -> ()\n}) : () -> ()",
    "\"park.two\"() ({\n^bb0(%arg0: i64):\n}) : () -> ()",
    // Isolated enclosing operations are checked separately.
    "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n  \"park.two\"() ({\n  }) : () -> ()\n  \"func.return\"() : () -> ()\n}) : () -> ()",
];

/// Texts, each a module, in which the operation itself is invalid: upstream reports this first,
/// with messages that differ from ours, which count operands and regions as for any other
/// operation.
const BEFORE_REGIONS: &[&str] = &[
    "\"park.none\"() : () -> ()",
    "\"park.none\"() ({\n}, {\n}) : () -> ()",
    "\"park.again\"() ({\n}, {\n}) : () -> ()",
    "\"park.swapped\"() ({\n^bb0(%arg0: f32):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "%0 = \"x.y\"() : () -> i64\n%1 = \"park.all_of_it\"(%0) ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) {t = i32} : (i64) -> i32",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"park.all_of_it\"(%0) ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) {t = i32} : (i32) -> i64",
    "%0 = \"x.y\"() : () -> i32\n%1 = \"park.all_of_it\"(%0) ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) {t = i64} : (i32) -> i32",
    "%1 = \"park.all_of_it\"() ({\n^bb0(%arg0: i64):\n  \"x.y\"() : () -> ()\n}) {t = i32} : () -> i32",
    "%0, %1 = \"x.y\"() : () -> (i32, i8)\n\"park.listed\"(%0, %1) ({\n^bb0(%arg0: i8):\n  \"x.y\"() : () -> ()\n}) : (i32, i8) -> ()",
];

/// Texts, each a module, that upstream rejects with other messages: constraints on parameters.
const REFUSED_REGIONS: &[&str] = &[
    "\"park.grown\"() ({\n^bb0(%arg0: !park.tree<i32>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.grown\"() ({\n^bb0(%arg0: !park.tree<i8>):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
    "\"park.grown\"() ({\n^bb0(%arg0: !park.lake):\n  \"x.y\"() : () -> ()\n}) : () -> ()",
];

/// An error: its location, its message, and the location of the operation if it differs.
#[derive(PartialEq, Eq, Debug)]
struct Refusal {
    place: String,
    message: String,
    seen: Option<String>,
}

/// Returns upstream's output, or its first error.
fn theirs(file: &std::path::Path, text: &str) -> Result<String, Refusal> {
    let mut child = Command::new("mlir-opt-22")
        .arg(format!("--irdl-file={}", file.display()))
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout).unwrap());
    }
    let said = String::from_utf8(output.stderr).unwrap();
    let mut said = said
        .lines()
        .filter_map(|line| line.split_once(": error: ").or(line.split_once(": note: ")));
    let (place, message) = said.next().unwrap();
    let note = said.next().filter(|note| note.1 == "see the operation");
    Err(Refusal {
        place: place.to_owned(),
        message: message.to_owned(),
        seen: note.map(|note| note.0.to_owned()),
    })
}

/// Returns our output, or the first error.
fn ours(text: &str) -> Result<String, Refusal> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let options = ParseOptions::for_file("<stdin>");
    let module = parse_module(&mut context, DIALECT.as_bytes(), &options).unwrap();
    for imported in rmlir_import::irdl::import(&context, &module).unwrap() {
        assert_eq!(imported.warnings, []);
        context.register_dialect(imported.definition);
    }
    let module = parse_module(&mut context, text.as_bytes(), &options).map_err(|errors| {
        let error = errors.first();
        Refusal {
            place: format!("{}:{}:{}", error.file, error.line, error.column),
            message: error.message.clone(),
            seen: None,
        }
    })?;
    verify(&context, &module, module.top(), &VerifyOptions::default()).map_err(|errors| {
        let place = |location| {
            let (file, line, column) = context.place_in_file(location).unwrap();
            format!("{}:{line}:{column}", context.str(file))
        };
        let error = &errors[0];
        let mut notes = error.notes.iter();
        let note = notes.find(|note| note.message.to_string() == "see the operation");
        Refusal {
            place: place(error.location),
            message: message_to_string(&context, &module, &error.message),
            seen: note.map(|note| place(note.location)),
        }
    })?;
    let mut options = PrintOptions::default();
    options.generic = true;
    let printed = module_to_string(&context, &module, &options).unwrap();
    Ok(String::from_utf8(printed).unwrap())
}

/// The extent to which errors are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// Both report an error.
    Verdict,
    /// At the same location.
    Place,
    /// With the same message.
    Words,
}

#[test]
fn what_upstream_refuses_is_refused() {
    if Command::new("mlir-opt-22")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("SKIPPED: no mlir-opt-22");
        return;
    }
    let file = std::env::temp_dir().join(format!("rmlir-irdl-{}.mlir", std::process::id()));
    std::fs::write(&file, DIALECT).unwrap();
    let mut wrong = Vec::new();
    for (texts, depth, good) in [
        (TEXTS, Depth::Verdict, 26),
        (ALIKE, Depth::Place, 6),
        (REGIONS, Depth::Words, 24),
        (BEFORE_REGIONS, Depth::Place, 0),
        (REFUSED_REGIONS, Depth::Verdict, 1),
    ] {
        let mut accepted = 0;
        let verdicts: Vec<OnceLock<_>> = texts.iter().map(|_| OnceLock::new()).collect();
        let numbered: Vec<_> = texts.iter().zip(&verdicts).collect();
        for_each(&numbered, |(text, verdict)| {
            verdict.get_or_init(|| theirs(&file, text));
        });
        for (text, verdict) in texts.iter().zip(verdicts) {
            let (ours, theirs) = (ours(text), verdict.into_inner().unwrap());
            let is_same = match (&ours, &theirs) {
                (Ok(printed), Ok(theirs)) => {
                    accepted += 1;
                    // Upstream keeps the attributes of these operations in the dictionary of
                    // discardable attributes,
                    let plain = |text: &str| text.replace("<{", "{").replace("}>", "}");
                    plain(printed.trim()) == plain(theirs.trim())
                        // which follows the regions.
                        || depth == Depth::Words && self::ours(theirs).as_ref() == Ok(printed)
                }
                (Err(ours), Err(theirs)) => {
                    (depth < Depth::Place || ours.place == theirs.place)
                        && (depth < Depth::Words || ours == theirs)
                }
                _ => false,
            };
            if !is_same {
                wrong.push(format!("{text}\nours   {ours:?}\ntheirs {theirs:?}\n"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(accepted, good, "{}", texts[0]);
    }
    let _ = std::fs::remove_file(&file);
}
