//! Dialects in IRDL, imported and given to `mlir-opt-22`: what one refuses, the other does.
//!
//! An extra suite: it says SKIPPED without `mlir-opt-22`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code"
)]

use rmlir::ir::{Context, VerifyOptions, verify};
use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use std::io::Write;
use std::process::{Command, Stdio};

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
"##;

/// Texts, each a module.
const TEXTS: &[&str] = &[
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

/// What upstream prints, if it accepts a text.
fn theirs(file: &std::path::Path, text: &str) -> Option<String> {
    let mut child = Command::new("mlir-opt-22")
        .arg(format!("--irdl-file={}", file.display()))
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    output.status.success().then_some(printed)
}

/// What is printed here, or why the text is refused.
fn ours(text: &str) -> Result<String, String> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let options = ParseOptions::for_file("pairs.mlir");
    let module = parse_module(&mut context, DIALECT.as_bytes(), &options).unwrap();
    for imported in rmlir_import::irdl::import(&context, &module).unwrap() {
        context.register_dialect(imported.definition);
    }
    let module = parse_module(&mut context, text.as_bytes(), &options)
        .map_err(|errors| errors.first().message.clone())?;
    verify(&context, &module, module.top(), &VerifyOptions::default())
        .map_err(|errors| errors[0].message.to_string())?;
    let mut options = PrintOptions::default();
    options.generic = true;
    let printed = module_to_string(&context, &module, &options).unwrap();
    Ok(String::from_utf8(printed).unwrap())
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
    let mut accepted = 0;
    for text in TEXTS {
        match (ours(text), theirs(&file, text)) {
            (Ok(ours), Some(theirs)) => {
                accepted += 1;
                // Upstream keeps the attributes of these operations in the dictionary of all others.
                let plain = |text: &str| text.replace("<{", "{").replace("}>", "}");
                assert_eq!(plain(ours.trim()), plain(theirs.trim()), "{text}");
            }
            (Err(_), None) => {}
            (ours, theirs) => panic!("{text}\nours   {ours:?}\ntheirs {theirs:?}"),
        }
    }
    let _ = std::fs::remove_file(&file);
    assert_eq!((accepted, TEXTS.len()), (25, 58));
}
