//! The programs in `examples/`, beside what upstream makes of their results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

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
