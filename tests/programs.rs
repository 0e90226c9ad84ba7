//! The programs in `examples/`, beside what upstream makes of their results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

#[path = "../examples/lint.rs"]
#[allow(dead_code)]
mod lint;
#[path = "../examples/simplify.rs"]
#[allow(dead_code)]
mod simplify;
#[path = "../examples/toyc/main.rs"]
#[allow(dead_code)]
mod toyc;

use std::process::Command;

const PROGRAM: &str = "
fn gcd(a, b) {
  while b != 0 {
    let rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
fn max(a, b) { if a < b { return b; } else { return a; } }
fn main() {
  let sum = 2 + 3 * 4;
  if sum > 10 { sum = sum + 1; }
  return max(gcd(sum * 6, 35), 4);
}
";

#[test]
fn the_toy_compiler_makes_what_upstream_accepts() {
    let mut ir = toyc::compile("toy.toy", PROGRAM).unwrap();
    let functions: Vec<_> = ir.ops().filter(|op| op.is("func.func")).collect();
    assert_eq!(functions.len(), 3);
    let call = ir.ops().filter(|op| op.is("func.call")).last().unwrap();
    let place = ir.context().place_in_file(call.location()).unwrap();
    assert_eq!((place.1, place.2), (14, 10));
    let error = toyc::compile("toy.toy", "fn f() {\n  return x;\n}").unwrap_err();
    assert!(error.to_string().starts_with("toy.toy:2:"), "{error}");
    assert!(toyc::compile("toy.toy", "fn f() { let a = 1; }").is_err());
    // Text and bytecode are those that upstream prints.
    let folder = std::env::temp_dir().join(format!("rmlir-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("toy.mlirbc");
    ir.save(&path).unwrap();
    match Command::new("mlir-opt-22").arg(&path).output() {
        Ok(output) => {
            assert!(output.status.success());
            assert_eq!(
                String::from_utf8(output.stdout).unwrap().trim_end(),
                ir.to_string().trim_end()
            );
        }
        Err(_) => println!("SKIPPED: no mlir-opt-22"),
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn simplification_folds_inlines_and_erases() {
    let text = "
      func.func private @square(%x: i32) -> i32 {
        %0 = arith.muli %x, %x : i32
        return %0 : i32
      }
      func.func private @unused() { return }
      func.func @main(%x: i32, %m: memref<i32>) -> (i32, i32) {
        %c3 = arith.constant 3 : i32
        %c4 = arith.constant 4 : i32
        %a = call @square(%c3) : (i32) -> i32
        %b = arith.addi %a, %c4 : i32
        %dead = arith.subi %b, %x : i32
        memref.store %b, %m[] : memref<i32>
        %c = call @square(%x) : (i32) -> i32
        return %b, %c : i32, i32
      }";
    let mut ir = rmlir::parse(text).unwrap();
    simplify::simplify(&mut ir).unwrap();
    assert_eq!(
        ir.to_string(),
        "module {
  func.func @main(%arg0: i32, %arg1: memref<i32>) -> (i32, i32) {
    %c13_i32 = arith.constant 13 : i32
    memref.store %c13_i32, %arg1[] : memref<i32>
    %0 = arith.muli %arg0, %arg0 : i32
    return %c13_i32, %0 : i32, i32
  }
}
"
    );
}

#[test]
fn the_linter_finds_what_it_looks_for() {
    let text = "
      func.func private @unused() { return }
      func.func @main(%x: tensor<2x2xf64>, %y: tensor<?xf32>) -> tensor<2x2xf64> {
        %0 = stablehlo.dot %x, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64> loc(\"model.py\":3:5)
        %1 = stablehlo.add %y, %y : tensor<?xf32> loc(callsite(\"layer.py\":1:2 at \"model.py\":9:1))
        %2 = stablehlo.constant dense<1.0> : tensor<4xf32>
        %3 = stablehlo.constant dense_resource<ones> : tensor<4xi32> loc(\"model.py\":4:1)
        %4 = stablehlo.custom_call @foo(%x) : (tensor<2x2xf64>) -> tensor<2x2xf64> loc(\"model.py\":5:1)
        return %4 : tensor<2x2xf64>
      }
      {-#
        dialect_resources: { builtin: { ones: \"0x0400000001000000010000000100000001000000\" } }
      #-}";
    let expected = [
        "@unused: is not used",
        "@main: f64 in stablehlo.dot at model.py:3:5",
        "@main: dynamic shape in stablehlo.add at layer.py:1:2 <- model.py:9:1",
        "@main: one element repeated over 16 bytes in stablehlo.constant at model.py:4:1",
        "@main: custom call: foo in stablehlo.custom_call at model.py:5:1",
    ];
    let ir = rmlir::parse(text).unwrap();
    assert_eq!(lint::lint(&ir), expected);
    // The same in the portable form, whose types and attributes are those of a dialect.
    let portable = "
      \"vhlo.func_v1\"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<2x2x!vhlo.f64_v1>) -> !vhlo.tensor_v1<?x!vhlo.f32_v1>>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<\"main\">, sym_visibility = #vhlo.string_v1<\"\">}> ({
      ^bb0(%x: !vhlo.tensor_v1<2x2x!vhlo.f64_v1>):
        %0 = \"vhlo.custom_call_v1\"(%x) <{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, backend_config = #vhlo.string_v1<\"\">, call_target_name = #vhlo.string_v1<\"bar\">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>}> : (!vhlo.tensor_v1<2x2x!vhlo.f64_v1>) -> !vhlo.tensor_v1<?x!vhlo.f32_v1> loc(\"model.py\":5:1)
        \"vhlo.return_v1\"(%0) : (!vhlo.tensor_v1<?x!vhlo.f32_v1>) -> ()
      }) : () -> ()";
    let ir = rmlir::parse(portable).unwrap();
    let found = lint::lint(&ir);
    assert!(
        found
            .contains(&"@main: custom call: bar in vhlo.custom_call_v1 at model.py:5:1".to_owned()),
        "{found:?}"
    );
    assert!(
        found.iter().any(|one| one.contains("dynamic shape")),
        "{found:?}"
    );
}
