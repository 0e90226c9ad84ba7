//! Rules of operations, types and discardable attributes that the definitions state: texts that are
//! refused on a line, and neighbours that are accepted (`tests/rules/cases.mlir`), with the verdict
//! of `mlir-opt-22` where that is installed.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code"
)]

use rmlir::ir::{Context, LocationKind, VerifyOptions, verify};
use rmlir::text::{ParseOptions, message_to_string, parse_module};
use rmlir_testing::corpus::for_each;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const CASES: &str = include_str!("rules/cases.mlir");

/// Rules of StableHLO, whose operations `mlir-opt-22` does not know; from its specification.
const STABLEHLO: &[(&str, bool)] = &[
    (
        "%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>",
        true,
    ),
    (
        "%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<5xf32>",
        false,
    ),
    (
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
        true,
    ),
    (
        "%0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
        false,
    ),
    (
        "%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>",
        true,
    ),
    (
        "%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>",
        false,
    ),
    (
        "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>",
        true,
    ),
    (
        "%0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>",
        false,
    ),
    (
        "%0 = stablehlo.slice %a [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
        true,
    ),
    (
        "%0 = stablehlo.slice %a [0:2, 1:4] : (tensor<2x3xf32>) -> tensor<2x3xf32>",
        false,
    ),
    (
        "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>",
        true,
    ),
    (
        "%0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>",
        false,
    ),
    (
        "%0 = stablehlo.reverse %a, dims = [0] : tensor<2x3xf32>",
        true,
    ),
    (
        "%0 = stablehlo.reverse %a, dims = [2] : tensor<2x3xf32>",
        false,
    ),
    ("%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>", true),
    ("%0 = stablehlo.iota dim = 2 : tensor<2x3xi32>", false),
];

/// Returns the line and the message of the first error.
fn error_of(text: &str) -> Option<(usize, String)> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let options = ParseOptions::for_file("input.mlir");
    let module = match parse_module(&mut context, text.as_bytes(), &options) {
        Ok(module) => module,
        Err(errors) => {
            let error = errors.first();
            return Some((error.line, error.message.to_string()));
        }
    };
    let found = verify(&context, &module, module.top(), &VerifyOptions::default());
    let errors = found.err()?;
    let error = errors.first()?;
    let line = match context.location_kind(error.location) {
        LocationKind::FileLineColRange { start_line, .. } => start_line as usize,
        _ => 0,
    };
    Some((line, message_to_string(&context, &module, &error.message)))
}

/// Returns the line of the first error of `mlir-opt-22`; `None` if it is not installed.
fn upstream(text: &str) -> Option<Option<usize>> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    if output.status.success() {
        return Some(None);
    }
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = printed.lines().filter(|line| line.contains(": error: "));
    let place = lines.next()?.strip_prefix("<stdin>:")?;
    Some(Some(place.split(':').next()?.parse().ok()?))
}

#[test]
fn texts_are_refused_where_upstream_refuses_them() {
    let judged = AtomicUsize::new(0);
    let cases: Vec<&str> = CASES.split("// -----\n").skip(1).collect();
    for_each(&cases, |case| {
        let expected = case.lines().position(|line| line.ends_with("// error"));
        let expected = expected.map(|line| line + 1);
        let found = error_of(case);
        assert_eq!(found.as_ref().map(|e| e.0), expected, "{case}\n{found:?}");
        if let Some(theirs) = upstream(case) {
            assert_eq!(theirs, expected, "mlir-opt-22: {case}");
            judged.fetch_add(1, Ordering::Relaxed);
        }
    });
    let judged = judged.into_inner();
    println!("{judged} texts were judged by mlir-opt-22");
}

#[test]
fn stablehlo_follows_its_specification() {
    for (line, is_valid) in STABLEHLO {
        let text = format!("func.func @f(%a: tensor<2x3xf32>) {{\n  {line}\n  return\n}}\n");
        let found = error_of(&text);
        assert_eq!(found.is_none(), *is_valid, "{line}\n{found:?}");
    }
}

/// An error shows the rule, and the values that it compares.
#[test]
fn errors_show_the_values() {
    let text = "func.func @f(%m: memref<4x4xi32>, %i: index) {
  %0 = memref.load %m[%i] : memref<4x4xi32>
  return
}";
    let (_, message) = error_of(text).unwrap();
    let expected = "'memref.load' op expected count(indices) == rank(memref), but got 1 and 2";
    assert_eq!(message, expected);
}

/// `mlir-opt-22` reads beyond the sizes here, and crashes.
#[test]
fn each_case_has_a_number_of_operands() {
    let text = "func.func @f(%a: i32) {
  \"cf.switch\"(%a)[^a, ^a] <{case_values = dense<1> : vector<1xi32>, case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  return
}";
    let (line, message) = error_of(text).unwrap();
    let expected = "'cf.switch' op 'case_operand_segments' attribute has 0 elements, but there are 1 successors with operands";
    assert_eq!((line, &*message), (2, expected));
}

/// Statements of definitions: the message about unknown types, and regions that are not graphs.
#[test]
fn definitions_state_messages_and_kinds_of_regions() {
    let text = "dialect toy\ntypes complete error \"no toy is called {mnemonic}\"\n\ntype ball\n\n\
                op ordered\n  traits RegionKindInterface\n  regions body: AnyRegion\n  ssacfg_regions\n\n\
                op unordered\n  traits RegionKindInterface\n  regions body: AnyRegion\n";
    let definition = rmlir::ir::DialectDefinition::parse(text, &()).unwrap();
    let printed = definition.to_string();
    let again = rmlir::ir::DialectDefinition::parse(&printed, &()).unwrap();
    assert_eq!(printed, again.to_string());
    for statement in [
        "types complete error \"no toy is called {mnemonic}\"\n",
        "  ssacfg_regions\n",
    ] {
        assert!(printed.contains(statement), "{printed}");
    }
    let errors = |text: &str| {
        let mut context = Context::new();
        context.register_dialect(definition.clone());
        let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
        let module = module.map_err(|errors| errors.first().message.clone())?;
        match verify(&context, &module, module.top(), &VerifyOptions::default()) {
            Ok(()) => Ok(()),
            Err(errors) => Err(errors[0].message.to_string()),
        }
    };
    let unknown = errors("\"toy.a\"() : () -> !toy.bal").unwrap_err();
    assert_eq!(unknown, "no toy is called bal; did you mean 'ball'?");
    let used_before = "({ \"b.use\"(%0) : (i32) -> ()\n%0 = \"b.make\"() : () -> i32 }) : () -> ()";
    assert_eq!(
        errors(&format!("\"toy.unordered\"() {used_before}")),
        Ok(())
    );
    let ordered = errors(&format!("\"toy.ordered\"() {used_before}")).unwrap_err();
    assert_eq!(ordered, "operand #0 does not dominate this use");
}

/// LLVM can inline a function with debug information only where the call has a location.
#[test]
fn calls_between_functions_with_debug_information_have_locations() {
    let text = |location: &str| {
        format!(
            "#file = #llvm.di_file<\"f.c\" in \"/\">
#program = #llvm.di_subprogram<scope = #file, name = \"f\", file = #file>
llvm.func @callee() {{
  llvm.return
}} loc(fused<#program>[\"f.c\":1:1])
llvm.func @caller() {{
  llvm.call @callee() : () -> () loc({location})
  llvm.return
}} loc(fused<#program>[\"f.c\":3:1])
"
        )
    };
    assert_eq!(error_of(&text("\"f.c\":4:1")), None);
    let expected = "inlinable function call in a function with a DISubprogram location must have \
                    a debug location";
    assert_eq!(error_of(&text("unknown")), Some((0, expected.to_owned())));
}

#[test]
fn errors_about_enclosing_constructs_follow() {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let text = b"func.func private @f(!quant.calibrated<f32<1.0>>)";
    let errors = parse_module(&mut context, text, &ParseOptions::for_file("a.mlir")).unwrap_err();
    let lines: Vec<String> = errors
        .first()
        .to_string()
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(lines[0], "a.mlir:1:47: error: expected ':'");
    assert_eq!(
        lines[3],
        "a.mlir:1:47: error: calibrated values must be present"
    );
}

/// Integers of SMT-LIB have any size; bit vectors are printed as two's complement.
#[test]
fn constants_of_smt_are_printed_as_upstream_prints_them() {
    let text = "%0 = smt.bv.constant #smt.bv<1> : !smt.bv<1>
%1 = smt.bv.constant #smt.bv<0x5c> : !smt.bv<8>
%2 = smt.int.constant -184467440737095516152
%3 = smt.int.constant 0";
    let printed = rmlir::parse(text).unwrap().to_string();
    for line in [
        "%c-1_bv1 = smt.bv.constant #smt.bv<-1> : !smt.bv<1>",
        "%c92_bv8 = smt.bv.constant #smt.bv<92> : !smt.bv<8>",
        "%c-184467440737095516152 = smt.int.constant -184467440737095516152",
        "%c0 = smt.int.constant 0",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
    assert_eq!(rmlir::parse(&printed).unwrap().to_string(), printed);
}

#[test]
fn errors_can_show_the_operation() {
    let mut options = rmlir::ReadOptions::default();
    (options.verify, options.print_op_on_diagnostic) = (true, true);
    let text = "func.func @f() -> i32 {\n  return\n}";
    let error = rmlir::parse_with(text, &options).unwrap_err().to_string();
    let note = "note: see current operation: \"func.return\"() : () -> ()";
    assert!(error.contains(note), "{error}");
    options.print_op_on_diagnostic = false;
    let error = rmlir::parse_with(text, &options).unwrap_err().to_string();
    assert!(!error.contains("see current operation"), "{error}");
}
