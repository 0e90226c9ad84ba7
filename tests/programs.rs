//! The programs in `examples/`, beside what upstream makes of their results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

#[path = "../examples/bulk.rs"]
#[allow(dead_code)]
mod bulk;
#[path = "../examples/cache.rs"]
#[allow(dead_code)]
mod cache;
#[path = "../examples/embed.rs"]
#[allow(dead_code)]
mod embed;
#[path = "../examples/lint.rs"]
#[allow(dead_code)]
mod lint;
#[path = "../examples/matrix/main.rs"]
#[allow(dead_code)]
mod matrix;
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
      func.func private @itself() { call @other() : () -> () return }
      func.func private @other() { call @itself() : () -> () call @helper() : () -> () return }
      func.func private @helper() { return }
      func.func @entry() { call @helper() : () -> () return }
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
        "@itself: is not used",
        "@other: is not used",
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

/// A folder of this test, removed when it is dropped.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("rmlir-programs-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_table_counts_operations_of_all_forms() {
    let folder = Folder::new("bulk");
    let text = "
      module @outer {
        func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2xf32> {
          %0 = \"a.b\"(%x) : (tensor<2x!quant.uniform<i8:f32, 2.0>>) -> vector<2x3xf64>
          %1 = \"a.b\"(%x) : (tensor<2x!quant.uniform<i8:f32, 2.0>>) -> vector<2x3xf64>
          %2 = arith.constant dense<1.0> : tensor<2xf32>
          return %2 : tensor<2xf32>
        }
      }";
    let mut tables = Vec::new();
    for name in ["a.mlir", "a.rmbc", "a.mlirbc"] {
        let path = folder.0.join(name);
        rmlir::parse(text).unwrap().save(&path).unwrap();
        let path = path.to_str().unwrap();
        let table = bulk::table(path).unwrap();
        tables.push(table.replace(path, "FILE"));
    }
    let expected = [
        "\"outer\",\"builtin.module\",\"\",1",
        "\"outer::f\",\"a.b\",\"f64\",2",
        "\"outer::f\",\"arith.constant\",\"f32\",1",
        "\"outer::f\",\"func.func\",\"\",1",
        "\"outer::f\",\"func.return\",\"\",1",
    ];
    let expected: String = expected.map(|row| format!("\"FILE\",{row}\n")).concat();
    assert_eq!(tables, [(); 3].map(|()| expected.clone()));
}

const CACHED: &str = "
  module attributes {a.b = 1 : i32} {
    func.func @main(%x: i32) -> i32 {
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %0 = arith.addi %c1, %c2 : i32
      %1 = call @one(%0) : (i32) -> i32
      %2 = call @two(%x) : (i32) -> i32
      %3 = arith.addi %1, %2 : i32
      return %3 : i32
    }
    func.func private @one(%x: i32) -> i32 {
      %0 = arith.addi %x, %x : i32
      %1 = arith.addi %x, %x : i32
      %2 = arith.muli %0, %1 : i32
      %3 = call @two(%2) : (i32) -> i32
      return %3 : i32
    }
    func.func private @two(%x: i32) -> i32 {
      %0 = call @one(%x) : (i32) -> i32
      return %0 : i32
    }
    memref.global \"private\" constant @data : memref<2xi32> = dense<[1, 2]>
  }";

#[test]
fn the_cache_runs_the_tool_on_what_changed() {
    let folder = Folder::new("cache");
    let input = folder.0.join("input.mlir");
    std::fs::write(&input, CACHED).unwrap();
    let tool = Command::new("mlir-opt-22");
    if { tool }.arg("--version").output().is_err() {
        println!("SKIPPED: no mlir-opt-22");
        return;
    }
    let cached = folder.0.join("cached");
    let (first, hits) = cache::optimize(&cached, &input).unwrap();
    assert_eq!(hits, 0);
    let (second, hits) = cache::optimize(&cached, &input).unwrap();
    assert_eq!(hits, 3);
    assert_eq!(first.to_string(), second.to_string());
    // The output of the tool for the whole module, but for the order of symbols.
    let whole = Command::new("mlir-opt-22")
        .args(["--canonicalize", "--cse"])
        .arg(&input)
        .output()
        .unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let whole = String::from_utf8(whole.stdout).unwrap();
    assert_eq!(
        sorted(first.to_string().trim_end()),
        sorted(whole.trim_end())
    );
    // A change in `main` concerns no other function.
    std::fs::write(&input, CACHED.replace("constant 1", "constant 7")).unwrap();
    assert_eq!(cache::optimize(&cached, &input).unwrap().1, 2);
    // A damaged file is as good as none.
    for entry in std::fs::read_dir(&cached).unwrap() {
        for file in std::fs::read_dir(entry.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
    }
    assert_eq!(cache::optimize(&cached, &input).unwrap().1, 0);
}

#[test]
fn a_module_in_the_executable_is_read_without_a_copy() {
    let file = embed::embedded().unwrap();
    let report = embed::describe(&file).unwrap();
    assert!(
        report.starts_with("@data: 1 operations, a blob of 16 bytes at 0x"),
        "{report}"
    );
    assert!(report.contains("@main: 3 operations\n"), "{report}");
    // The same file after other bytes.
    let folder = Folder::new("embed");
    let path = folder.0.join("whole");
    let mut bytes = b"something else".to_vec();
    bytes.extend(include_bytes!("../examples/embedded.mlirbc"));
    let length = bytes.len() as u64 - 14;
    bytes.extend(b"and more");
    std::fs::write(&path, bytes).unwrap();
    let part = embed::part(path.to_str().unwrap(), 14, length).unwrap();
    let without_places = |report: &str| -> Vec<String> {
        let lines = report
            .lines()
            .map(|line| line.split(" at 0x").next().unwrap().to_owned());
        lines.collect()
    };
    let part = embed::describe(&part).unwrap();
    assert_eq!(without_places(&part), without_places(&report));
    assert!(embed::part(path.to_str().unwrap(), 14, length - 9).is_err());
}

#[test]
fn the_dialect_of_matrices_is_parsed_verified_and_stored() {
    let good = include_str!("../examples/matrix/program.mlir");
    let (text, generic) = matrix::run("program.mlir", good).unwrap();
    assert!(text.contains("times 3 layout <tiled, 16> {"), "{text}");
    match Command::new("mlir-opt-22").arg("--version").output() {
        Ok(_) => assert_eq!(matrix::through_upstream(&generic).unwrap(), text),
        Err(_) => println!("SKIPPED: no mlir-opt-22"),
    }
    let around = |line: &str| {
        format!(
            "matrix.kernel @relu {{
^bb0(%x: f32):
  matrix.yield %x : f32
}}
func.func @f(%a: !matrix.mat<3x4xf32>, %b: !matrix.mat<4x4xf32>) {{
  {line}
  return
}}"
        )
    };
    let bad = [
        (
            "%0 = matrix.mul %a, %a : !matrix.mat<3x4xf32>, !matrix.mat<3x4xf32> -> !matrix.mat<3x4xf32>",
            "multiplies 4 columns with 3 rows",
        ),
        (
            "%0 = matrix.mul %a, %b : !matrix.mat<3x4xf32>, !matrix.mat<4x4xf32> -> !matrix.mat<3x3xf32>",
            "must give 3x4, not 3x3",
        ),
        (
            "%0 = matrix.apply @rleu(%a) { matrix.yield } : !matrix.mat<3x4xf32>",
            "knows no kernel",
        ),
        (
            "%0 = matrix.apply @f(%a) { matrix.yield } : !matrix.mat<3x4xf32>",
            "needs a kernel",
        ),
        (
            "%0 = matrix.apply @relu(%a) times many { matrix.yield } : !matrix.mat<3x4xf32>",
            "expected",
        ),
        (
            "%0 = matrix.apply @relu(%a) times 1000 { matrix.yield } : !matrix.mat<3x4xf32>",
            "steps",
        ),
        (
            "%0 = \"t.x\"() : () -> !matrix.mat<3xf32>",
            "a matrix has 2 dimensions, not 1",
        ),
    ];
    for (line, expected) in bad {
        let error = matrix::run("bad.mlir", &around(line))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{line}\n{error}");
        assert!(error.contains("bad.mlir:6:"), "{error}");
    }
}
